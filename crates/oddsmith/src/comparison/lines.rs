//! What is asked of both sides: a line for each band, flag, mean and query.

use oddsmith_rules::{Check, Diagnostics, Outcome, OutcomeKind, Query, nearest};

use super::sides::{SIDES, Sides};
use crate::{AnswerKind, CompareRequest, Error, questions, settings};

/// A line of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// What the answer is about.
    pub kind: AnswerKind,
    /// The band, the flag, or the query as it was asked.
    pub name: String,
}

/// The outcomes that are compared as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// There are none that both sides have.
    Nothing,
    /// Bands, worst first: the first lines.
    Bands(Vec<String>),
    /// A number of that name.
    Number(String),
}

/// The lines, and what is compared as a whole.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) heads: Vec<Head>,
    /// For each line the query of each side; none where a side does not show it.
    pub(super) queries: [Vec<Option<Query>>; 2],
    pub(super) compared: Compared,
    /// The lines that were asked for.
    pub(super) asked: Vec<usize>,
    /// What is worth knowing beside the answer.
    pub(super) notes: Vec<String>,
}

impl Lines {
    /// The bands in their order, then what else either side shows, then what was asked.
    pub(super) fn new(sides: &Sides, request: &CompareRequest) -> Result<Self, Error> {
        let checks = sides.checks.each_ref();
        let is_sweep = !request.sweeps.is_empty();
        let asked = asked(checks, &request.queries)?;
        let own = [own(checks[0], is_sweep)?, own(checks[1], is_sweep)?];
        let mut notes = Vec::new();
        let bands = scale(own.each_ref().map(|own| bands(own)), &mut notes);
        let mut lines = Self {
            heads: Vec::new(),
            queries: [Vec::new(), Vec::new()],
            compared: compared(checks, request.of.as_deref(), bands.as_ref())?,
            asked: Vec::new(),
            notes,
        };
        for band in bands.iter().flatten() {
            lines.push(AnswerKind::Band, band, &own);
        }
        for (kind, query) in own.iter().flatten() {
            lines.push(*kind, &query.text, &own);
        }
        for (kind, query) in &asked[0] {
            let line = lines.push(*kind, &query.text, &asked);
            lines.asked.push(line);
        }
        if !(0..lines.heads.len()).any(|at| lines.queries.iter().all(|side| side[at].is_some())) {
            let message = "A and B have no band, flag or number in common";
            let help = "ask both something with `--query`, such as `--query 'mean(total)'`";
            return Err(Error::advice(message, help));
        }
        lines.say_what_is_missing();
        if matches!(lines.compared, Compared::Nothing) && lines.asked.is_empty() {
            lines.notes.extend(no_verdict(checks));
        }
        Ok(lines)
    }

    /// Adds a line that at least one side has, if it is not there yet; which one it is.
    fn push(&mut self, kind: AnswerKind, name: &str, own: &[Vec<(AnswerKind, Query)>; 2]) -> usize {
        let is_it = |head: &Head| head.kind == kind && head.name == name;
        if let Some(line) = self.heads.iter().position(is_it) {
            return line;
        }
        let name = name.to_owned();
        for (queries, own) in self.queries.iter_mut().zip(own) {
            let found = own
                .iter()
                .find(|(own, query)| *own == kind && query.text == name);
            queries.push(found.map(|(_, query)| query.clone()));
        }
        self.heads.push(Head { kind, name });
        self.heads.len() - 1
    }

    /// Notes the bands and other lines that only one side has.
    fn say_what_is_missing(&mut self) {
        for (side, queries) in self.queries.iter().enumerate() {
            let missing = |is_band: bool| -> Vec<String> {
                let lines = self.heads.iter().zip(queries).filter(|(head, query)| {
                    query.is_none() && (head.kind == AnswerKind::Band) == is_band
                });
                lines.map(|(head, _)| format!("`{}`", head.name)).collect()
            };
            for (names, what) in [
                (missing(true), ": a band that is not there never happens"),
                (missing(false), ""),
            ] {
                if !names.is_empty() {
                    let names = names.join(", ");
                    self.notes
                        .push(format!("{} has no {names}{what}", SIDES[side]));
                }
            }
        }
    }
}

/// What a side shows by itself. In a sweep that is what `table` has: bands, or else flags and means.
fn own(check: &Check, is_sweep: bool) -> Result<Vec<(AnswerKind, Query)>, Error> {
    let mut own = if check.rounds.is_some() {
        questions::own_of(check, false)
    } else {
        questions::own(check)
    };
    if is_sweep && own.iter().any(|(kind, _)| *kind == AnswerKind::Band) {
        own.retain(|(kind, _)| *kind == AnswerKind::Band);
        return Ok(own);
    }
    let numbers = check
        .outcomes
        .iter()
        .filter(|outcome| outcome.kind == OutcomeKind::Observable && !outcome.first_round);
    let mut texts = Vec::new();
    for outcome in numbers {
        texts.push(format!("mean({})", outcome.name));
        if !is_sweep {
            texts.push(format!("variance({})", outcome.name));
        }
    }
    own.extend(questions::asked(settings::queries(check, &texts)?));
    Ok(own)
}

fn bands(own: &[(AnswerKind, Query)]) -> Vec<&str> {
    let bands = own.iter().filter(|(kind, _)| *kind == AnswerKind::Band);
    bands.map(|(_, query)| query.text.as_str()).collect()
}

/// The bands of both sides, worst first: those of one side, if the other has no others and none in another order.
fn scale([a, b]: [Vec<&str>; 2], notes: &mut Vec<String>) -> Option<Vec<String>> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let whole = [(&a, &b), (&b, &a)]
        .into_iter()
        .find(|(whole, part)| is_in_order(whole, part));
    if let Some((whole, _)) = whole {
        return Some(whole.iter().map(|band| (*band).to_owned()).collect());
    }
    notes.push(format!(
        "the bands of A ({}) and B ({}) have no order in common, so it can't be said which is better",
        a.join(", "),
        b.join(", ")
    ));
    None
}

/// Whether all of `part` is in `whole`, in the same order.
fn is_in_order(whole: &[&str], part: &[&str]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|band| rest.any(|other| other == band))
}

/// The bands; what `--of` says; or without bands the first number that both show.
fn compared(
    checks: [&Check; 2],
    of: Option<&str>,
    bands: Option<&Vec<String>>,
) -> Result<Compared, Error> {
    if let Some(name) = of {
        for (side, check) in checks.into_iter().enumerate() {
            if outcome(check, name).is_none() {
                return Err(unknown(check, SIDES[side], name));
            }
        }
        return Ok(Compared::Number(name.to_owned()));
    }
    if let Some(bands) = bands {
        return Ok(Compared::Bands(bands.clone()));
    }
    let has_bands = checks.iter().any(|check| check.band().is_some());
    if has_bands || checks.iter().any(|check| check.rounds.is_some()) {
        return Ok(Compared::Nothing);
    }
    let [a, b] = checks;
    let is_shared = |name: &str| {
        let theirs = outcome(b, name);
        theirs.is_some_and(|outcome| outcome.kind == OutcomeKind::Observable)
    };
    let mut numbers = a
        .outcomes
        .iter()
        .filter(|own| own.kind == OutcomeKind::Observable);
    let first = numbers.find(|own| is_shared(&own.name));
    Ok(first.map_or(Compared::Nothing, |own| Compared::Number(own.name.clone())))
}

/// Why nothing is said of which side is better, where that is not told yet.
fn no_verdict(checks: [&Check; 2]) -> Option<String> {
    let track = checks.iter().find(|check| check.rounds.is_some());
    Some(match (checks.map(|check| check.band().is_some()), track) {
        ([true, true], _) => return None,
        ([false, false], Some(track)) => format!(
            "this track has no bands: what is better, many {} or few, is not for the program to say",
            questions::round_name(track).many
        ),
        ([false, false], None) => {
            "A and B show no number of the same name, so it can't be said which is better"
                .to_owned()
        }
        _ => "only one of A and B has bands, so it can't be said which is better".to_owned(),
    })
}

fn outcome<'c>(check: &'c Check, name: &str) -> Option<&'c Outcome> {
    check.outcomes.iter().find(|outcome| outcome.name == name)
}

/// The outcome of that name on each side.
pub(super) fn outcomes<'c>(checks: &'c [Check; 2], name: &str) -> Result<[&'c Outcome; 2], Error> {
    let found = |side: usize| {
        let check = &checks[side];
        outcome(check, name).ok_or_else(|| unknown(check, SIDES[side], name))
    };
    Ok([found(0)?, found(1)?])
}

fn unknown(check: &Check, side: &str, name: &str) -> Error {
    let shown = || check.outcomes.iter().map(|outcome| outcome.name.as_str());
    let help = match nearest(name, shown()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it shows {}", shown().collect::<Vec<_>>().join(", ")),
    };
    Error::advice(format!("{side} (`{}`) shows no `{name}`", check.name), help)
}

/// What was asked, of both sides.
fn asked(checks: [&Check; 2], texts: &[String]) -> Result<[Vec<(AnswerKind, Query)>; 2], Error> {
    let of = |check: &Check| -> Result<Vec<(AnswerKind, Query)>, Diagnostics> {
        Ok(questions::asked(settings::queries(check, texts)?).collect())
    };
    Ok([of(checks[0])?, of(checks[1])?])
}

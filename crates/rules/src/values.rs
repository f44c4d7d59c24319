//! Values as users write them: one (`3`, `fragile`) or several (`0,2,4`, `-5..=5`, `all`).

use crate::check::Domain;
use crate::source::{Diagnostic, nearest};

/// What is wrong with a text, and which bytes of it.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// What most likely was meant in place of it.
    pub(crate) meant: Option<String>,
}

impl Problem {
    /// A problem with a whole text.
    fn of(text: &str, message: String) -> Self {
        Self {
            message,
            start: 0,
            end: text.len(),
            meant: None,
        }
    }

    /// The problem, where this was most likely meant.
    fn meaning(self, meant: &str) -> Self {
        Self {
            meant: Some(meant.to_owned()),
            ..self
        }
    }

    /// Says in an error about this, at its place, what was meant.
    pub(crate) fn mend(&self, error: Diagnostic) -> Diagnostic {
        match &self.meant {
            Some(meant) => {
                let span = error.span;
                error.with_fix(span, meant.as_str())
            }
            None => error,
        }
    }
}

/// More values than this in one list are a slip of the keyboard.
const MOST_VALUES: u64 = 10_000_000;

/// `low..=high`
pub(crate) fn parse_range(text: &str) -> Option<(i64, i64)> {
    let (low, high) = text.split_once("..=")?;
    Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
}

/// One legal value.
pub(crate) fn parse_one(text: &str, domain: &Domain) -> Result<i64, Problem> {
    let word = text.trim();
    let problem = |message: String| Problem::of(text, message);
    if word.is_empty() {
        return Err(problem("a value is missing".to_owned()));
    }
    if let Some(meant) = word.strip_prefix('=') {
        return Err(problem(format!("one `=` is enough: write `{meant}`")).meaning(meant));
    }
    let value = match domain {
        Domain::Range(..) => word.parse().ok(),
        Domain::Choice(choice) => choice.place(word),
    };
    match (value, domain) {
        (Some(value), _) if domain.contains(value) => Ok(value),
        (_, Domain::Choice(choice)) => {
            let near = nearest(word, choice.labels().iter().map(String::as_str));
            let hint = near.map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
            let message = format!("`{word}` is not one of {}{hint}", domain.describe());
            Err(Problem {
                meant: near.map(str::to_owned),
                ..problem(message)
            })
        }
        (Some(_), _) => Err(problem(format!(
            "{word} is outside the domain {}",
            domain.describe()
        ))),
        (None, _) => Err(problem(format!(
            "`{word}` is not a whole number in {}",
            domain.describe()
        ))),
    }
}

/// A problem with a word that was most likely meant to be `all`.
pub(crate) fn or_all(word: &str, problem: Problem) -> Problem {
    if problem.meant.is_some() || nearest(word, ["all"]).is_none() {
        return problem;
    }
    Problem {
        message: format!("{} (did you mean `all`?)", problem.message),
        meant: Some("all".to_owned()),
        ..problem
    }
}

/// A range as a text has it, or as other tools write one; none if it is none.
pub(crate) fn meant_range(written: &str) -> Option<String> {
    match parse_range(written) {
        Some(_) => Some(written.to_owned()),
        None => meant_values(written).filter(|meant| meant.contains("..=")),
    }
}

/// What values in a notation of other tools are here, such as `0-5` and `*`; none if they are none.
fn meant_values(written: &str) -> Option<String> {
    if ["*", "any", "every", "each"].contains(&written) {
        return Some("all".to_owned());
    }
    let is_number = |text: &&str| text.trim().parse::<i64>().is_ok();
    if is_number(&written) || !written.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let listed: Vec<&str> = written.split(';').collect();
    if listed.len() > 1 && listed.iter().all(is_number) {
        let numbers: Vec<&str> = listed.iter().map(|number| number.trim()).collect();
        return Some(numbers.join(","));
    }
    let marks = ["...", "..", " to ", ":", "–", "-"];
    marks.into_iter().find_map(|mark| {
        // The sign of the first number is no mark.
        let at = written.get(1..)?.find(mark)? + 1;
        let (from, to) = (&written[..at], &written[at + mark.len()..]);
        let are_ends = is_number(&from) && is_number(&to);
        are_ends.then(|| format!("{}..={}", from.trim(), to.trim()))
    })
}

/// Several legal values, in the order written; each only once.
pub(crate) fn parse(text: &str, domain: &Domain) -> Result<Vec<i64>, Problem> {
    let bracketed = text.trim().strip_prefix('[');
    if let Some(inner) = bracketed.and_then(|rest| rest.strip_suffix(']')) {
        let message = format!("values have no brackets: write `{inner}`");
        return Err(Problem::of(text, message).meaning(inner));
    }
    let mut values = Vec::new();
    let mut start = 0;
    for piece in text.split(',') {
        let ends = parse_piece(piece, domain).map_err(|problem| Problem {
            start: start + problem.start,
            end: start + problem.end,
            ..problem
        })?;
        values.extend(ends.0..=ends.1);
        start += piece.len() + 1;
    }
    let mut seen = values.clone();
    seen.sort_unstable();
    match seen.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            let message = format!("{} is there twice", domain.show(pair[0]));
            Err(Problem::of(text, message))
        }
        None => Ok(values),
    }
}

/// The first and the last value of a piece of a list: one value, a range, or all.
fn parse_piece(piece: &str, domain: &Domain) -> Result<(i64, i64), Problem> {
    let written = piece.trim();
    if let Some(meant) = meant_values(written) {
        let what = match meant.contains("..=") {
            true => "not a range",
            false => "no value here",
        };
        let message = format!("`{written}` is {what}: write `{meant}`");
        return Err(Problem::of(piece, message).meaning(&meant));
    }
    let ends = if written == "all" {
        domain.bounds()
    } else if let Some((from, to)) = piece.split_once("..=") {
        (parse_one(from, domain)?, parse_one(to, domain)?)
    } else {
        let value = parse_one(piece, domain).map_err(|problem| or_all(written, problem))?;
        (value, value)
    };
    if ends.0 > ends.1 {
        let message = format!("`{written}` is empty: it runs downwards");
        return Err(Problem::of(piece, message));
    }
    if ends.1.abs_diff(ends.0) >= MOST_VALUES {
        let message = format!("`{written}` has more than {MOST_VALUES} values");
        return Err(Problem::of(piece, message));
    }
    Ok(ends)
}

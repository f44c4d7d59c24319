//! `oddsmith contest`: two sides against each other.

use anyhow::Result;
use oddsmith_exact::{Budget, Error, IBig};
use oddsmith_rules::program::{Expr, InputId};
use oddsmith_rules::{Check, Config, ContestError, Measure, OutcomeKind, Query, QueryKind, Ties};
use serde_json::{Map, Value, json};

use crate::advice::Advice;
use crate::args::{ContestArgs, Cost, Sides, Style, TieRule};
use crate::failure;
use crate::format::contest_view::{Side, View};
use crate::format::outcomes::{self, Kind, Line};
use crate::format::words::Form;
use crate::target::{self, Target, TargetName, Wanted};
use crate::{answers, exit, settings, terminal};

/// Answers and prints.
pub(crate) fn run(args: &ContestArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let target = Target::resolve(&args.target, Wanted::Check)?;
    let contest = Contest::of(&target, &args.sides, &args.sets, args.cost)?;
    let asked = settings::queries(&contest.check, &args.queries)?;
    let found = contest.answer(asked)?;
    match style {
        Style::View(form) => {
            let view = contest.view(target.game(), found, form)?;
            terminal::print(&view.document().terminal())?;
            return Ok(exit::OK);
        }
        Style::Csv => terminal::print_data(&outcomes::csv(&found.lines(), &[])?)?,
        Style::Json => {
            let mut answer = contest.names(&target.ruleset);
            let configuration = outcomes::configuration(&contest.check, &contest.config);
            answer.insert("configuration".to_owned(), configuration.into());
            answer.insert("outcomes".to_owned(), outcomes::json(&found.lines()));
            terminal::print_json(&answer.into())?;
        }
        Style::Document(markup, form) => {
            terminal::print_data(
                outcomes::document(&found.lines(), form)
                    .markup(markup)
                    .as_bytes(),
            )?;
        }
    }
    if !found.is_ever_decided() {
        failure::note("no `A|decided`: it is always a tie");
    }
    Ok(exit::OK)
}

/// What each side does, and what it compares.
fn checks(target: &Target, sides: &Sides) -> Result<[Check; 2]> {
    let other = match &sides.against {
        None => target.check.clone(),
        Some(check) => {
            let name = TargetName {
                ruleset: &target.ruleset,
                check: Some(check),
            };
            target::find(&target.model, name, Wanted::Check)?.clone()
        }
    };
    let side = |check: Check| match &sides.compare {
        None => Ok(check),
        Some(measure) => check.with_contest(measure, "--compare"),
    };
    Ok([side(target.check.clone())?, side(other)?])
}

/// What is compared, as it is written.
fn compared(side: &Check) -> &str {
    side.contest.as_ref().map_or("", |measure| &measure.text)
}

/// Two checks as one contest.
pub(crate) struct Contest {
    sides: [Check; 2],
    ties: Ties,
    pub(crate) check: Check,
    pub(crate) config: Config,
    budget: Budget,
}

/// The answers about a contest.
struct Found {
    /// `A`, `tie`, `B`.
    bands: Vec<Line>,
    /// `A|decided` and `B|decided`, if it is ever decided.
    decided: Vec<Line>,
    /// Mean and variance.
    rounds: Vec<Line>,
    flags: Vec<Line>,
    asked: Vec<Line>,
}

impl Found {
    fn is_ever_decided(&self) -> bool {
        !self.decided.is_empty()
    }

    /// In the order of a file; what was asked comes last.
    fn lines(&self) -> Vec<Line> {
        let mean = &self.rounds[..1];
        [&self.bands, &self.decided, mean, &self.flags, &self.asked]
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    }
}

impl Contest {
    /// The target against itself, or against another check, each in its own configuration; `sets` are for both.
    pub(crate) fn of(target: &Target, args: &Sides, sets: &[String], cost: Cost) -> Result<Self> {
        let sides = checks(target, args)?;
        let [a, b] = &sides;
        let ties = args.ties.map_or(a.ties, Ties::from);
        let check = a.against(b, ties).map_err(|error| advice(&error, &sides))?;
        let (for_a, for_b) = (of_side("a", &args.a)?, of_side("b", &args.b)?);
        let both = sets.iter().map(|set| ("--set", set.as_str()));
        let assignments = both
            .chain(for_a.iter().map(|set| ("--a", set.as_str())))
            .chain(for_b.iter().map(|set| ("--b", set.as_str())));
        let config = settings::config_of(&check, assignments)?;
        Ok(Self {
            check,
            config,
            ties,
            sides,
            budget: Budget::new(cost.budget),
        })
    }

    /// `Arena · duel against duel`
    pub(crate) fn title(&self, game: &str) -> String {
        let [a, b] = &self.sides;
        format!("{game} · {} against {}", a.name, b.name)
    }

    /// What it is about, for programs.
    pub(crate) fn names(&self, ruleset: &str) -> Map<String, Value> {
        let [a, b] = &self.sides;
        let names = [
            ("ruleset", json!(ruleset)),
            ("check", json!(a.name)),
            ("against", json!(b.name)),
            ("ties", json!(self.ties_name())),
            ("compare", json!([compared(a), compared(b)])),
        ];
        names
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    fn answer(&self, asked: Vec<Query>) -> Result<Found> {
        let own = self.ask(answers::own(&self.check))?;
        let (mut bands, flags): (Vec<Line>, Vec<Line>) =
            own.into_iter().partition(|line| line.kind == Kind::Band);
        // From best to worst for A.
        bands.reverse();
        let decided = flags.iter().find(|flag| flag.name == "decided");
        let decided = match decided {
            Some(flag) if flag.answer.weight != IBig::ZERO => {
                self.ask_texts(&["A|decided", "B|decided"])?
            }
            _ => Vec::new(),
        };
        Ok(Found {
            bands,
            decided,
            rounds: self.ask_texts(&["mean(rounds)", "variance(rounds)"])?,
            flags,
            asked: self.ask(answers::asked(asked).collect())?,
        })
    }

    fn ask(&self, queries: Vec<(Kind, Query)>) -> Result<Vec<Line>, Error> {
        answers::lines(&self.check, &self.config, queries, &self.budget)
    }

    fn ask_texts(&self, texts: &[&str]) -> Result<Vec<Line>> {
        let queries = settings::queries(&self.check, texts)?;
        Ok(self.ask(answers::asked(queries).collect())?)
    }

    fn view(&self, game: &str, found: Found, form: Form) -> Result<View> {
        let [a, b] = &self.sides;
        let (whole, flags) = found
            .flags
            .into_iter()
            .partition(|flag| matches!(flag.name.as_str(), "a_wins" | "b_wins"));
        Ok(View {
            title: self.title(game),
            settings: self.settings(),
            ties: self.ties,
            bands: found.bands,
            flags,
            decided: found.decided,
            rounds: found.rounds,
            whole,
            sides: [self.side("A", a)?, self.side("B", b)?],
            asked: found.asked,
            form,
        })
    }

    /// What a side compares, over all its rolls.
    fn side(&self, name: &'static str, check: &Check) -> Result<Side> {
        let config = self.config_of(name, check);
        let measure = check
            .contest
            .as_ref()
            .expect("a contest compares something");
        let answers = oddsmith_exact::answers(check, &config, &about(measure), &self.budget)?;
        Ok(Side {
            name,
            compares: measure.text.clone(),
            labels: measure
                .labels
                .as_ref()
                .map(|choice| choice.labels().to_vec()),
            answers,
        })
    }

    /// A side's own configuration.
    fn config_of(&self, side: &str, check: &Check) -> Config {
        let side = side.to_lowercase();
        let mut config = check.defaults();
        for (at, input) in check.inputs.iter().enumerate() {
            let id = self.check.input(&format!("{side}.{}", input.name));
            let id = id.expect("a contest has the inputs of both sides");
            config.put(InputId(at), self.config[id]);
        }
        config
    }

    /// What is set for both sides alike, for A and for B.
    fn settings(&self) -> Vec<(&'static str, String)> {
        let mut words: [Vec<String>; 3] = std::array::from_fn(|_| Vec::new());
        let configs = [
            self.config_of("A", &self.sides[0]),
            self.config_of("B", &self.sides[1]),
        ];
        for side in 0..2 {
            let (check, other) = (&self.sides[side], &self.sides[1 - side]);
            for (input, value) in check.inputs.iter().zip(configs[side].values()) {
                if input.default == *value {
                    continue;
                }
                let word = format!("{}={}", input.name, input.domain.show(*value));
                let same = other.input(&input.name);
                let is_same = same.is_some_and(|id| configs[1 - side][id] == *value);
                match (is_same, side) {
                    (true, 0) => words[0].push(word),
                    (true, _) => {}
                    (false, _) => words[1 + side].push(word),
                }
            }
        }
        let lines = ["both", "A", "B"].into_iter().zip(words);
        lines
            .filter(|(_, words)| !words.is_empty())
            .map(|(side, words)| (side, words.join(" ")))
            .collect()
    }

    fn ties_name(&self) -> &'static str {
        let names = Ties::ALL.iter();
        names
            .filter(|(_, ties)| *ties == self.ties)
            .map(|(name, _)| *name)
            .next()
            .unwrap_or_default()
    }
}

/// The mean and the variance of what is compared; of labels the odds of each.
fn about(measure: &Measure) -> Vec<Query> {
    let query = |kind| Query {
        text: measure.text.clone(),
        kind,
        given: None,
    };
    match &measure.labels {
        None => vec![
            query(QueryKind::Mean(measure.value.clone())),
            query(QueryKind::Variance(measure.value.clone())),
        ],
        Some(choice) => (0..)
            .zip(choice.labels())
            .map(|(place, _)| query(QueryKind::Probability(is(measure, place))))
            .collect(),
    }
}

/// Whether what is compared is the label at a place.
fn is(measure: &Measure, place: i64) -> Expr {
    let span = measure.value.span;
    answers::equal(measure.value.clone(), Expr::constant(place, span))
}

impl From<TieRule> for Ties {
    fn from(rule: TieRule) -> Self {
        match rule {
            TieRule::Reroll => Self::Reroll,
            TieRule::Both => Self::Both,
            TieRule::Defender => Self::Defender,
        }
    }
}

/// `x=1,ladder=[1,2]` as `a.x=1` and `a.ladder=[1,2]`.
pub(crate) fn of_side(side: &str, texts: &[String]) -> Result<Vec<String>> {
    let sets = settings::assignments(&format!("--{side}"), texts)?;
    Ok(sets.iter().map(|set| format!("{side}.{set}")).collect())
}

/// What would make the two comparable.
fn advice(error: &ContestError, sides: &[Check; 2]) -> anyhow::Error {
    let help = match error {
        ContestError::Nothing { check } => {
            let side = sides.iter().find(|side| side.name == *check);
            let shown = side.and_then(comparable).unwrap_or("total");
            format!("say `contest = \"{shown}\"` in the ruleset, or `--compare {shown}` here")
        }
        _ => "`--compare` says what both sides compare".to_owned(),
    };
    Advice::error(error.to_string(), help)
}

/// What a check could compare: a number if it shows one.
fn comparable(check: &Check) -> Option<&str> {
    let mut outcomes = check.outcomes.iter();
    let number = outcomes.find(|outcome| outcome.kind == OutcomeKind::Observable);
    number
        .or(check.outcomes.first())
        .map(|outcome| outcome.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::of_side;

    #[test]
    fn every_part_gets_the_side() {
        let sets = of_side("a", &["x=1, y=2".to_owned(), "z=3".to_owned()]);
        assert_eq!(sets.expect("they are right"), ["a.x=1", "a.y=2", "a.z=3"]);
        assert!(of_side("b", &["x=1,,y=2".to_owned()]).is_err());
    }
}

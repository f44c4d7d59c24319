//! Queries about a check that its author would like to ask, each with its meaning.

use oddsmith_exact::{Budget, RBig, distribution};
use oddsmith_rules::{Check, Outcome, OutcomeKind};
use schemars::JsonSchema;
use serde::Serialize;

/// A query about a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Example {
    /// The query: `P(band>=Hit)`.
    pub query: String,
    /// Its meaning: `Hit or better`.
    pub meaning: String,
}

/// Steps that an example may cost.
const CHEAP: u64 = 20_000_000;
/// Examples of queries.
const EXAMPLES: usize = 4;

/// A few queries, the most useful first.
pub(super) fn examples(check: &Check) -> Vec<Example> {
    let right = candidates(check).into_iter();
    let right = right.filter(|(query, _)| check.query(query, "example").is_ok());
    let example = |(query, meaning)| Example { query, meaning };
    right.take(EXAMPLES).map(example).collect()
}

/// What might be asked, the most useful first.
fn candidates(check: &Check) -> Vec<(String, String)> {
    let last = |is: fn(&OutcomeKind) -> bool| {
        let mut found = check.outcomes.iter();
        found.rfind(|outcome| is(&outcome.kind) && Some(outcome.var) != check.rounds)
    };
    let flag = last(|kind| *kind == OutcomeKind::Flag);
    let number = last(|kind| *kind == OutcomeKind::Observable);
    let mut found: Vec<(String, String)> = Vec::new();
    let mut add = |query: String, meaning: String| found.push((query, meaning));
    if check.rounds.is_some() {
        add("P(rolls<=5)".to_owned(), "over within 5 rolls".to_owned());
        add(
            "mean(rolls)".to_owned(),
            "the mean number of rolls".to_owned(),
        );
    }
    let bands = check.band().map_or(&[][..], |(_, bands)| bands.labels());
    let good = bands.get(bands.len() / 2);
    if let Some(good) = good {
        let word = quoted(good);
        if bands.last() == Some(good) {
            add(good.clone(), format!("{good}, by itself"));
        } else {
            add(format!("P(band>={word})"), format!("{good} or better"));
        }
        if let Some(Outcome { name, .. }) = flag {
            add(
                format!("{word}&{name}"),
                format!("{good} and {name} at once"),
            );
        }
    } else if let Some(Outcome { name, .. }) = flag {
        add(name.clone(), format!("{name}, by itself"));
    }
    if let Some(number) = number {
        let name = &number.name;
        add(format!("mean({name})"), format!("the mean of {name}"));
        if let Some(value) = telling(check, number) {
            add(
                format!("P({name}>={value})"),
                format!("{name} of {value} or more"),
            );
        }
        if let Some(good) = good {
            let word = quoted(good);
            add(
                format!("mean({name}|{word})"),
                format!("the mean of {name} where it is {good}"),
            );
        }
    }
    found
}

/// A label as it is written in an expression.
fn quoted(label: &str) -> String {
    let is_word = label.chars().all(|c| c.is_alphanumeric() || c == '_')
        && label.starts_with(char::is_alphabetic);
    if is_word {
        label.to_owned()
    } else {
        format!("\"{label}\"")
    }
}

/// A value that a number reaches about half of the time, if that is soon found; none if it is always the same.
fn telling(check: &Check, number: &Outcome) -> Option<i64> {
    let dist = distribution(check, &check.defaults(), number, &Budget::new(CHEAP)).ok()?;
    let median = dist.quantile(&RBig::from_parts(1.into(), 2_u8.into()));
    let mut values = dist.iter().map(|(value, _)| value).skip(1);
    values.find(|value| *value >= median)
}

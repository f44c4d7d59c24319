//! Queries about a check that its author would like to ask, each with its meaning.

use oddsmith_exact::{Budget, RBig, distribution};
use oddsmith_rules::{Check, Outcome, OutcomeKind};
use schemars::JsonSchema;
use serde::Serialize;

use crate::questions;

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

/// A few queries, the most useful first. What is not needed is not looked for: a value that is worth asking for takes
/// the distribution of a number.
pub(super) fn examples(check: &Check) -> Vec<Example> {
    let parts = [of_rolls, of_bands, of_means, of_values, of_conditions];
    let candidates = parts.into_iter().flat_map(|part| part(check));
    let right = candidates.filter(|example| check.query(&example.query, "example").is_ok());
    right.take(EXAMPLES).collect()
}

fn example(query: String, meaning: String) -> Example {
    Example { query, meaning }
}

fn of_rolls(check: &Check) -> Vec<Example> {
    if check.rounds.is_none() {
        return Vec::new();
    }
    let many = questions::round_name(check).many;
    let of = |query: &str, meaning: String| example(query.to_owned(), meaning);
    vec![
        of("P(rolls<=5)", format!("over within 5 {many}")),
        of("mean(rolls)", format!("the mean number of {many}")),
    ]
}

/// A band and a flag.
fn of_bands(check: &Check) -> Vec<Example> {
    let flag = last(check, |kind| *kind == OutcomeKind::Flag);
    let flag = flag.map(|outcome| outcome.name.as_str());
    let Some((good, is_last)) = good_band(check) else {
        let alone = flag.map(|name| example(name.to_owned(), format!("{name}, by itself")));
        return alone.into_iter().collect();
    };
    let word = quoted(good);
    let band = match is_last {
        true => example(good.to_owned(), format!("{good}, by itself")),
        false => example(format!("P(band>={word})"), format!("{good} or better")),
    };
    let both = |name| {
        example(
            format!("{word}&{name}"),
            format!("{good} and {name} at once"),
        )
    };
    [band].into_iter().chain(flag.map(both)).collect()
}

fn of_means(check: &Check) -> Vec<Example> {
    let name = number(check).map(|number| &number.name);
    let mean = name.map(|name| example(format!("mean({name})"), format!("the mean of {name}")));
    mean.into_iter().collect()
}

fn of_values(check: &Check) -> Vec<Example> {
    let value = number(check).and_then(|number| Some((&number.name, telling(check, number)?)));
    let reached = value.map(|(name, value)| {
        example(
            format!("P({name}>={value})"),
            format!("{name} of {value} or more"),
        )
    });
    reached.into_iter().collect()
}

fn of_conditions(check: &Check) -> Vec<Example> {
    let both = number(check).zip(good_band(check));
    let given = both.map(|(Outcome { name, .. }, (good, _))| {
        example(
            format!("mean({name}|{})", quoted(good)),
            format!("the mean of {name} where it is {good}"),
        )
    });
    given.into_iter().collect()
}

/// The last outcome of a kind that is not the number of rolls.
fn last(check: &Check, is: fn(&OutcomeKind) -> bool) -> Option<&Outcome> {
    let mut outcomes = check.outcomes.iter();
    outcomes.rfind(|outcome| is(&outcome.kind) && Some(outcome.var) != check.rounds)
}

fn number(check: &Check) -> Option<&Outcome> {
    last(check, |kind| *kind == OutcomeKind::Observable)
}

/// A band in the middle or above, and whether it is the best one.
fn good_band(check: &Check) -> Option<(&str, bool)> {
    let (_, bands) = check.band()?;
    let bands = bands.labels();
    let good = bands.get(bands.len() / 2)?;
    Some((good, bands.last() == Some(good)))
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

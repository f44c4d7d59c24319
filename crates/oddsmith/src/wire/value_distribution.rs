//! Distributions of values of a check.

use oddsmith_exact::UBig;
use schemars::JsonSchema;
use serde::Serialize;

use super::distribution::{Distribution, share};
use super::shapes::{Configuration, Exact, Setting};
use crate::{DistributionAnswer, Game};

/// The answer of `oddsmith dist` about values of a check.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ValueDistribution {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The check or track.
    pub check: String,
    /// The configuration.
    pub configuration: Configuration,
    /// The names of the values; several are distributed jointly.
    pub values: Vec<String>,
    /// The total that all weights are over: a whole number.
    pub total: Exact,
    /// The mean of a number that is alone, as a fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<Exact>,
    /// The variance of a number that is alone, as a fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variance: Option<Exact>,
    /// Every combination of values that can come up, ascending; labels are in the order of their list.
    pub outcomes: Vec<ValueOutcome>,
}

/// A combination of values that can come up.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ValueOutcome {
    /// The values, in the order of their names; a flag is `yes` or `no`, and all values beyond the last one of a number
    /// without an end are `> 60`, or `< -60`.
    pub values: Vec<Setting>,
    /// The weight: a whole number.
    pub weight: Exact,
    /// The probability.
    pub probability: f64,
    /// Of a value that is alone: the probability of it or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// Of a value that is alone: the probability of it or less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
}

/// The answer of `oddsmith dist` about several expressions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Distributions {
    /// One for each, in the order asked.
    pub distributions: Vec<Distribution>,
}

impl ValueDistribution {
    /// The answer about a game's check.
    pub fn of(game: &Game, answer: &DistributionAnswer) -> Self {
        let total = answer.total();
        let is_alone = answer.values.len() == 1;
        let moments = answer
            .moments()
            .map(|moments| moments.map(|moment| Exact::of(&moment)));
        let [mean, variance] = moments.map_or([None, None], |moments| moments.map(Some));
        let mut below = UBig::ZERO;
        let outcome = |(values, weight): (Vec<i64>, UBig)| {
            let at_least = share(&(total - &below), total);
            below += &weight;
            ValueOutcome {
                values: { values.iter().enumerate() }
                    .map(|(place, value)| setting(answer, place, *value))
                    .collect(),
                probability: share(&weight, total),
                at_least: is_alone.then_some(at_least),
                at_most: is_alone.then(|| share(&below, total)),
                weight: Exact::of(&weight),
            }
        };
        Self {
            ruleset: game.name().to_owned(),
            check: answer.check.name.clone(),
            configuration: Configuration::of(&answer.check, &answer.config),
            values: answer
                .values
                .iter()
                .map(|value| value.name.clone())
                .collect(),
            total: Exact::of(total),
            mean,
            variance,
            outcomes: answer.rows().into_iter().map(outcome).collect(),
        }
    }
}

fn setting(answer: &DistributionAnswer, place: usize, value: i64) -> Setting {
    match answer.is_number(place, value) {
        true => Setting::Number(value),
        false => Setting::Label(answer.text(place, value)),
    }
}

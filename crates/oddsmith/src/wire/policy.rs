//! Policies as they are written for programs.

use oddsmith_exact::{Decision, DecisionRow, Seen};
use oddsmith_rules::program::Party;
use oddsmith_rules::{Check, Known};
use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::{Configuration, Exact, Named, Outcome, outcomes};
use crate::policy::PolicyRow;
use crate::{Game, PolicyAnswer};

/// The answer of `oddsmith policy`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PolicyOdds {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The check.
    pub check: String,
    /// The configuration in which the best choices are made.
    pub configuration: Configuration,
    /// What is maximised, as written.
    pub maximise: String,
    /// The axis along which ways to choose are compared; `choice` if there is none.
    pub by: String,
    /// The ways to choose.
    pub rows: Vec<Way>,
    /// The best choices.
    pub choices: Vec<Choice>,
}

/// One way to choose.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Way {
    /// The value of the axis.
    pub value: String,
    /// Whether this one makes the best choices.
    pub is_optimal: bool,
    /// The mean of what is maximised, then bands and what was asked.
    pub outcomes: Vec<Outcome>,
}

impl Way {
    fn of(check: &Check, row: &PolicyRow) -> Self {
        Self {
            value: row.name.clone(),
            is_optimal: row.is_optimal,
            outcomes: outcomes(check, &row.lines),
        }
    }
}

/// A choice, as a table to play by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Choice {
    /// What is chosen, as the script calls it.
    pub choice: String,
    /// Whether it is an opponent's, who wants what is maximised to be the least.
    pub is_opposed: bool,
    /// The rounds of the loops that it stands in, from 1, outermost first.
    pub rounds: Vec<usize>,
    /// A row for each state.
    pub rows: Vec<BestOption>,
}

/// What is best in one state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BestOption {
    /// The values that the choice depends on, by name.
    pub seen: Named<KnownValue>,
    /// The best option.
    pub chosen: KnownValue,
    /// How likely it is to come to this choice in this state: a fraction.
    pub probability: Exact,
    /// The mean of what is maximised from here on: a fraction.
    pub worth: Exact,
    /// How much worse the best of the other options is for whose choice it is, as a fraction; none if there is no other.
    pub lead: Option<Exact>,
}

/// A number, a label, or dice from high to low.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum KnownValue {
    /// A number.
    Number(i64),
    /// A label.
    Label(String),
    /// Dice that have been rolled, from high to low.
    Dice(Vec<i64>),
}

impl From<&Known> for KnownValue {
    fn from(value: &Known) -> Self {
        match value {
            Known::Number(number) => Self::Number(*number),
            Known::Roll(dice) => Self::Dice(dice.clone()),
        }
    }
}

impl KnownValue {
    fn seen(value: &Known, seen: &Seen) -> Self {
        match (value, &seen.labels) {
            (Known::Number(place), Some(labels)) => Self::Label(labels.label(*place).to_owned()),
            (value, _) => value.into(),
        }
    }
}

impl From<&Decision> for Choice {
    fn from(decision: &Decision) -> Self {
        let row = |row: &DecisionRow| {
            let seen = row.seen.iter().zip(&decision.seen);
            let seen = seen.map(|(value, seen)| (seen.name.clone(), KnownValue::seen(value, seen)));
            BestOption {
                seen: Named(seen.collect()),
                chosen: (&row.chosen).into(),
                probability: Exact::of(&row.probability),
                worth: Exact::of(&row.worth),
                lead: row.lead.as_ref().map(Exact::of),
            }
        };
        Self {
            choice: decision.numbered(&decision.name),
            is_opposed: decision.party == Party::Opponent,
            rounds: decision.rounds.iter().map(|at| at + 1).collect(),
            rows: decision.rows.iter().map(row).collect(),
        }
    }
}

impl PolicyOdds {
    /// The answer about a game's check.
    pub fn of(game: &Game, answer: &PolicyAnswer) -> Self {
        let way = |row| Way::of(&answer.check, row);
        Self {
            ruleset: game.name().to_owned(),
            check: answer.check.name.clone(),
            configuration: Configuration::of(&answer.check, &answer.config),
            maximise: answer.goal.clone(),
            by: answer.by.clone(),
            rows: answer.rows.iter().map(way).collect(),
            choices: answer.decisions.iter().map(Choice::from).collect(),
        }
    }
}

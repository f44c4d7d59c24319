//! Findings where expectations are meant to hold.

use oddsmith_exact::Error as ExactError;
use oddsmith_rules::Printed;
use thiserror::Error as ThisError;

use crate::number::Value;

/// The verdict on one expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The expectation, by its place in [`Model::expectations`](oddsmith_rules::Model::expectations).
    pub expectation: usize,
    /// The findings, or why it can't be told.
    pub outcome: Result<Findings, Error>,
}

impl Verdict {
    /// Whether it is known that the expectation holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(&self.outcome, Ok(findings) if findings.failures == 0)
    }
}

/// The findings in all configurations in which an expectation is meant to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// How many configurations were looked at; those that the rules forbid are not among them.
    pub configurations: u64,
    /// How many statements do not hold. A statement is about one query, or a sum, in one configuration; or about its
    /// change from one configuration to the next.
    pub failures: u64,
    /// The five that are farthest off, the worst one first, and of equals the earlier one in the order of the sweep.
    pub worst: Vec<Failure>,
}

/// A statement that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where: `circ_boons=2 ability_rank=4`. Of a change, what both of its ends have in common.
    pub configuration: String,
    /// The query, or the sum of several: `Hit + Critical`.
    pub query: String,
    /// The way in which it does not hold.
    pub broken: Broken,
}

/// The ways in which a statement does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The value is outside of the bounds, or above 0 for something that should never happen.
    Value(Value),
    /// The value goes the wrong way, or too far.
    Change {
        /// The earlier configuration.
        from: Stand,
        /// The later one.
        to: Stand,
    },
    /// The value does not round to what is printed.
    Printed {
        /// The number that is printed.
        printed: Printed,
        /// The number that it should be.
        value: Value,
    },
    /// The event never happens: in this configuration, or in none of them if one would be enough.
    Never,
    /// There is no number: what stands after `|` never happens, or a track may never come to the end that is asked
    /// about.
    NoAnswer,
}

/// A value of a query where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// The setting that tells it from its neighbour: `circ_boons=2`, or an option.
    pub at: String,
    /// The value.
    pub value: Value,
}

/// Why it can't be told whether an expectation holds.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum Error {
    /// A question has no answer.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// The rules forbid all configurations of the expectation, or leave nothing to compare one with.
    #[error("of what is compared, the rules allow no configuration, or only one")]
    NothingToCompare,
}

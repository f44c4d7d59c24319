//! Expectations: what a ruleset says of its own odds, so that a change that breaks it is noticed.

use crate::check::{InputRange, Query};
use crate::config::Config;
use crate::number::{Number, Printed};
use crate::source::Span;

/// What a designer intends of a check's odds, in every configuration of a sweep.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The check or the track whose odds it is about.
    pub check: String,
    /// The intention, as a sentence.
    pub intent: String,
    /// Where what it says can be read, such as a page of a rulebook; empty if the file does not say.
    pub source: String,
    /// Where it stands in the file.
    pub span: Span,
    /// The values of all inputs that nothing else gives a value.
    pub config: Config,
    /// It is meant in every combination of these, the last fastest.
    pub sweep: Vec<InputRange>,
    /// What it is about, at least one. Those of [`Claim::Reachable`] and [`Claim::Unreachable`] are probabilities.
    pub queries: Vec<Query>,
    /// Whether it is about the sum of the queries, or about each of them.
    pub is_sum: bool,
    /// What it says of them.
    pub claim: Claim,
}

/// What is said of a number: the answer to a query, or a sum of them.
#[derive(Clone, Debug)]
pub enum Claim {
    /// It lies within bounds.
    Within(Bounds),
    /// It moves in one direction from each value of an input to the next.
    Monotone {
        /// At least two values, in the order in which they are compared.
        along: InputRange,
        /// Which direction.
        direction: Direction,
        /// Whether it must move, and may not stay the same.
        strictly: bool,
    },
    /// Its change from each value of an input to the next, the later one less the earlier one, lies within bounds.
    Step {
        /// At least two values, in the order in which they are compared.
        along: InputRange,
        /// The least and the greatest change.
        change: Bounds,
    },
    /// It is as high with each option as with the one before, or higher.
    Ordered {
        /// At least two.
        options: Vec<Alternative>,
        /// Whether it must be higher.
        strictly: bool,
    },
    /// The event has a positive probability: in every configuration, or in one of them at least.
    Reachable {
        /// Whether one configuration is enough.
        somewhere: bool,
    },
    /// The event never happens, in no configuration.
    Unreachable,
    /// It is what a table says in print, to the digits that stand there.
    Printed(PrintedTable),
}

impl Claim {
    /// The inputs that it compares along, the last fastest.
    pub fn ranges(&self) -> impl Iterator<Item = &InputRange> {
        let [first, second] = match self {
            Self::Monotone { along, .. } | Self::Step { along, .. } => [Some(along), None],
            Self::Printed(table) => [table.by.as_ref(), table.x.as_ref()],
            _ => [None, None],
        };
        first.into_iter().chain(second)
    }
}

/// Which way a number moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Never down.
    Up,
    /// Never up.
    Down,
}

impl Direction {
    /// What it is called in a file.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Up => "increases",
            Self::Down => "decreases",
        }
    }
}

/// The least and the greatest number that is right; both ends belong to it, and one of them may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Not less than this.
    pub at_least: Option<Number>,
    /// Not more than this; not less than `at_least`.
    pub at_most: Option<Number>,
}

/// One of the ways to play that are set beside one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Its settings, as written.
    pub text: String,
    /// The expectation's configuration with these settings.
    pub config: Config,
}

/// Numbers as they stand in print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedTable {
    /// The input whose values run across; without it there is one column.
    pub x: Option<InputRange>,
    /// The input whose values run down; without it there is a row for each query.
    pub by: Option<InputRange>,
    /// Row after row; none where nothing is printed.
    pub cells: Vec<Option<Printed>>,
}

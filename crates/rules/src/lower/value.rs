//! What a lowered expression is, and what it is for.

use std::sync::Arc;

use crate::check::{Domain, Measure};
use crate::choice::Choice;
use crate::program::Expr;
use crate::source::Span;

/// The type of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Int,
    Bool,
    Choice(Arc<Choice>),
}

impl Scalar {
    /// The type of an input's values.
    pub(crate) fn of(domain: &Domain) -> Self {
        match domain {
            Domain::Range(..) => Self::Int,
            Domain::Choice(choice) => Self::Choice(Arc::clone(choice)),
        }
    }

    /// A value of this type as something that can be compared or summed.
    pub(crate) fn measure(self, value: Expr, text: &str) -> Measure {
        let labels = match self {
            Self::Choice(labels) => Some(labels),
            Self::Int | Self::Bool => None,
        };
        Measure {
            value,
            labels,
            text: text.to_owned(),
        }
    }

    /// Whether a value of this type may be given to a name of another one.
    pub(crate) fn fits(&self, wanted: &Self) -> bool {
        self == wanted || (*self == Self::Bool && *wanted == Self::Int)
    }

    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Int => "a number".to_owned(),
            Self::Bool => "a truth value".to_owned(),
            Self::Choice(choice) => format!("a label ({})", choice.labels().join(", ")),
        }
    }
}

/// A lowered expression with its type; lists and records exist only while lowering.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Scalar(Expr, Scalar),
    Pool(Expr),
    List(Vec<(Expr, Scalar)>, Span),
    Record(Vec<(String, Expr, Scalar)>, Span),
    /// An error has been reported; whatever is made of it is silent.
    Error,
}

impl Value {
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Scalar(_, scalar) => scalar.describe(),
            Self::Pool(_) => "a pool of dice".to_owned(),
            Self::List(..) => "a list".to_owned(),
            Self::Record(..) => "the result of a check".to_owned(),
            Self::Error => "an error".to_owned(),
        }
    }
}

/// What an expression is for that stands outside of rules and functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A condition on configurations, which comes before all rolls.
    Requirement,
    /// A question of a user.
    Query,
    /// What choices strive for.
    Goal,
    /// What the sides of a contest compare.
    Contest,
    /// What an outcome is worth to those who spend something on it.
    Utility,
}

impl Asked {
    /// As the subject of a sentence.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Requirement => "a requirement",
            Self::Query => "a query",
            Self::Goal => "what is maximised",
            Self::Contest => "what a contest compares",
            Self::Utility => "what an outcome is worth",
        }
    }
}

//! What goes wrong in an operation that does not know its place.

use oddsmith_dist as dist;

use crate::source::{Error, Span};

/// An error of an operation, before it has a place.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Of the arithmetic of distributions: too much work, or a number beyond 64 bits.
    Dist(dist::Error),
    /// Something that has no value, and what to do about it.
    Value(String, &'static str),
    /// Something larger than this crate takes, and what to do about it.
    Large(String, &'static str),
}

impl From<dist::Error> for Fault {
    fn from(error: dist::Error) -> Self {
        Self::Dist(error)
    }
}

impl Fault {
    /// A number that does not fit.
    pub(crate) fn overflow(left: i64, operation: &'static str, right: i64) -> Self {
        Self::Dist(dist::Error::OutcomeOverflow {
            left,
            operation,
            right,
        })
    }

    /// The error at a place.
    pub(crate) fn at(self, span: Span) -> Error {
        match self {
            Self::Value(message, help) => Error::value(span, message).with_help(help),
            Self::Large(message, help) => Error::refused(span, message).with_help(help),
            Self::Dist(error) => {
                let message = error.to_string();
                match error {
                    dist::Error::OutcomeOverflow { .. } => Error::value(span, message)
                        .with_help("keep numbers between -2^63 and 2^63 - 1"),
                    dist::Error::OverBudget { limit: 0, .. } => {
                        Error::refused(span, "the work was cancelled")
                    }
                    dist::Error::OverBudget { .. } => Error::refused(span, message).with_help(
                        "ask for fewer dice, smaller dice or fewer rounds, or allow more with a higher budget",
                    ),
                    _ => Error::refused(span, message).with_help("ask for smaller dice"),
                }
            }
        }
    }
}

//! Rules that can't be carried out with what some rolls show: the exact odds find them whatever is rolled.

use oddsmith_exact::Error as ExactError;
use oddsmith_simulate::Error as SimulateError;

use crate::Error;

/// A configuration in which some rolls can't be carried out.
#[derive(Debug)]
pub struct Broken {
    /// The rule, and why it can't be carried out.
    pub error: Error,
    /// How it was met.
    pub how: How,
}

/// How a rule that can't always be carried out was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The exact odds find such rolls; none of so many trials met one.
    Unmet(u64),
    /// The exact odds find such rolls, and a trial met one.
    Met,
    /// A trial met one; there are no exact odds.
    Trial,
    /// Nothing was rolled: that takes an exact answer first.
    Unrolled,
}

impl Broken {
    /// No trial met it.
    pub(super) fn unmet(error: &ExactError, trials: u64) -> Self {
        Self {
            error: error.clone().into(),
            how: How::Unmet(trials),
        }
    }

    /// A trial met it; the exact odds, if they found it too, say it more fully.
    ///
    /// # Errors
    /// What is no rule of the ruleset.
    pub(super) fn met(error: Error, exact: Option<&ExactError>) -> Result<Self, Error> {
        match (error, exact) {
            (Error::Simulation(SimulateError::Rule(_)), Some(exact)) => Ok(Self {
                error: exact.clone().into(),
                how: How::Met,
            }),
            (error @ Error::Simulation(SimulateError::Rule(_)), None) => Ok(Self {
                error,
                how: How::Trial,
            }),
            (error, _) => Err(error),
        }
    }

    /// It kept a configuration from being rolled.
    ///
    /// # Errors
    /// What is no rule of the ruleset.
    pub(super) fn unrolled(error: Error) -> Result<Self, Error> {
        match error {
            Error::Exact(ExactError::Rule(_)) => Ok(Self {
                error,
                how: How::Unrolled,
            }),
            error => Err(error),
        }
    }
}

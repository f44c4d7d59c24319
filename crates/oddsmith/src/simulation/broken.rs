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

    /// Why a configuration has no rows.
    ///
    /// # Errors
    /// What is no rule of the ruleset.
    pub(super) fn of(error: Error) -> Result<Self, Error> {
        let how = match &error {
            Error::Simulation(SimulateError::Rule(_)) => How::Trial,
            Error::MetByTrial(_) => How::Met,
            Error::Exact(ExactError::Rule(_)) => How::Unrolled,
            _ => return Err(error),
        };
        let error = match error {
            Error::MetByTrial(exact) => Error::Exact(exact),
            error => error,
        };
        Ok(Self { error, how })
    }
}

/// The exact odds say it more fully than a trial; `error` is what the trials say.
pub(super) fn met(error: Error, exact: Option<&ExactError>) -> Error {
    match (error, exact) {
        (Error::Simulation(SimulateError::Rule(_)), Some(exact)) => {
            Error::MetByTrial(exact.clone())
        }
        (error, _) => error,
    }
}

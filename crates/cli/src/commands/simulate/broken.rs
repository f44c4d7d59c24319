//! Rules that can't be carried out with what some rolls show: the exact odds find them whatever is rolled.

use anyhow::{Error, Result};
use oddsmith_exact::Error as ExactError;
use oddsmith_simulate::Error as SimulateError;

use super::rolling::round_number;
use crate::failure;

/// A configuration in which some rolls can't be carried out.
pub(super) struct Broken {
    error: Error,
    /// What to say of the trials.
    note: String,
}

/// A trial met a rule that can't be carried out, which the exact odds had found.
#[derive(Debug)]
struct Met(ExactError);

impl std::fmt::Display for Met {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Met {}

impl Broken {
    /// No trial met it.
    pub(super) fn unmet(error: &ExactError, trials: u64) -> Self {
        let trials = match trials {
            1 => "the one trial did not meet one".to_owned(),
            trials => format!("none of {} trials met one", round_number(trials)),
        };
        Self {
            error: error.clone().into(),
            note: format!("the exact odds find rolls that can't be carried out; {trials}"),
        }
    }

    /// Why a configuration has no rows.
    ///
    /// # Errors
    /// What is no rule of the ruleset.
    pub(super) fn of(error: Error) -> Result<Self> {
        let (error, note) = match error.downcast::<Met>() {
            Ok(Met(exact)) => (
                exact.into(),
                "the exact odds find rolls that can't be carried out, and a trial met one",
            ),
            Err(error) if is_of_trial(&error) => {
                (error, "a trial met a roll that can't be carried out")
            }
            Err(error) if is_of_rule(&error) => (
                error,
                "nothing was rolled: that takes an exact answer first",
            ),
            Err(error) => return Err(error),
        };
        let note = note.to_owned();
        Ok(Self { error, note })
    }
}

/// The exact odds say it more fully than a trial; `error` is what the trials say.
pub(super) fn met(error: Error, exact: Option<&ExactError>) -> Error {
    match exact {
        Some(exact) if is_of_trial(&error) => Met(exact.clone()).into(),
        _ => error,
    }
}

fn is_of_trial(error: &Error) -> bool {
    matches!(error.downcast_ref(), Some(SimulateError::Rule(_)))
}

fn is_of_rule(error: &Error) -> bool {
    matches!(error.downcast_ref(), Some(ExactError::Rule(_)))
}

/// Shows the first error in full, and what the trials have met of it; the exit status if there is one.
pub(super) fn tell(broken: &[Broken]) -> Option<u8> {
    let first = broken.first()?;
    let status = failure::report(&first.error);
    let more = match broken.len() - 1 {
        0 => String::new(),
        1 => "; 1 more configuration has such rolls".to_owned(),
        more => format!("; {more} more configurations have such rolls"),
    };
    failure::note(&format!("{}{more}", first.note));
    Some(status)
}

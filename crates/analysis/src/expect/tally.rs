//! The tally of an expectation: what is known of it so far.

use crate::expect::finding::{Failure, Findings};
use crate::number::Value;
use crate::top_cases::TopCases;

/// Counts, and the worst failures.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) configurations: u64,
    /// How many statements have been looked at.
    pub(crate) stated: u64,
    /// The failures, by how much each is off.
    failures: TopCases<Value, Failure>,
}

impl Tally {
    /// Counts a statement that does not hold, and keeps it if it is among the worst.
    pub(crate) fn fail(&mut self, off: Value, failure: impl FnOnce() -> Failure) {
        self.failures.add(off, failure);
    }

    pub(crate) fn findings(self) -> Findings {
        Findings {
            configurations: self.configurations,
            failures: self.failures.count,
            worst: self.failures.cases(),
        }
    }
}

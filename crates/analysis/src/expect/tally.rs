//! What is known of an expectation so far.

use crate::expect::{Failure, Findings, Value};

/// So many failures are kept.
const KEPT: usize = 5;

/// Counts, and the worst failures.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) configurations: u64,
    /// How many statements have been looked at.
    pub(crate) stated: u64,
    failures: u64,
    /// By how much each is off; the worst one first, and of equals the first one found.
    worst: Vec<(Value, Failure)>,
}

impl Tally {
    /// Counts a statement that does not hold, and keeps it if it is among the worst.
    pub(crate) fn fail(&mut self, off: Value, failure: impl FnOnce() -> Failure) {
        self.failures += 1;
        let at = self.worst.partition_point(|(known, _)| *known >= off);
        if at < KEPT {
            self.worst.insert(at, (off, failure()));
            self.worst.truncate(KEPT);
        }
    }

    pub(crate) fn findings(self) -> Findings {
        Findings {
            configurations: self.configurations,
            failures: self.failures,
            worst: self.worst.into_iter().map(|(_, failure)| failure).collect(),
        }
    }
}

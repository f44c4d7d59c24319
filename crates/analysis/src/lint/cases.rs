//! The cases that a finding shows.

use std::cmp::Reverse;

use oddsmith_dist::RBig;

use crate::lint::finding::Evidence;
use crate::lint::grid::Line;
use crate::top_cases::TopCases;

/// Counts cases, and keeps the largest; of equals the one that is nearest to the defaults. The same numbers are kept
/// once, wherever they occur and whatever they are of: bands that despair moves by one have the same odds as before.
#[derive(Default)]
pub(crate) struct Cases(TopCases<(RBig, Reverse<usize>), Evidence>);

impl Cases {
    /// Counts a case on a line, and keeps it if it is among the largest.
    pub(crate) fn take(&mut self, size: RBig, line: &Line<'_>, case: impl FnOnce() -> Evidence) {
        let size = (size, Reverse(line.distance()));
        self.0.add_unlike(size, case, |a, b| {
            let values = |case: &Evidence| case.stands.iter().map(|s| s.value.clone()).collect();
            let (a, b): (Vec<_>, Vec<_>) = (values(a), values(b));
            a == b
        });
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.0.count
    }

    /// The cases that are kept, the largest first.
    pub(crate) fn kept(self) -> Vec<Evidence> {
        self.0.cases()
    }
}

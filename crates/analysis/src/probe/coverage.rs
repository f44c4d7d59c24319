//! Which ways some configurations go.

use std::collections::BTreeSet;

use oddsmith_rules::{Check, Config, fixed_value};

use super::branch::{self, Branch};
use super::play::Play;

/// A configuration that is watched is played so often.
pub const PLAYS: usize = 96;

/// The ways that plays of a check have gone.
#[derive(Debug)]
pub struct Coverage<'a> {
    check: &'a Check,
    seen: Seen,
}

/// Ways that were gone.
#[derive(Debug, Default)]
pub(super) struct Seen {
    all: BTreeSet<Branch>,
    /// Ways that were gone for the first time since somebody asked.
    fresh: Vec<Branch>,
}

impl Seen {
    pub(super) fn note(&mut self, branch: Branch) {
        if self.all.insert(branch) {
            self.fresh.push(branch);
        }
    }
}

/// Every way that the text of a check says that it can go: the branches of `if`, `match`, lists, `and` and `or`, the
/// rounds of loops, and choices.
#[must_use]
pub fn ways_of(check: &Check) -> BTreeSet<Branch> {
    branch::written(check)
}

impl<'a> Coverage<'a> {
    /// A reach of which nothing is played yet.
    #[must_use]
    pub fn new(check: &'a Check) -> Self {
        Self {
            check,
            seen: Seen::default(),
        }
    }

    /// Every way that was gone.
    #[must_use]
    pub fn seen(&self) -> &BTreeSet<Branch> {
        &self.seen.all
    }

    /// Plays a configuration so often, and looks at what its requirements compare: the ways that were not gone before, in
    /// the order in which they were met. The same configuration is always played the same way.
    pub fn play(&mut self, config: &Config, plays: usize) -> Vec<Branch> {
        for required in &self.check.requires {
            let mut play = Play::new(self.check, config, &mut self.seen, 0);
            // What can't be told of a requirement is told when its configuration is asked for.
            let _ = play.number(&required.condition);
        }
        if is_legal(self.check, config) {
            for number in 0..plays {
                let mut play = Play::new(self.check, config, &mut self.seen, number);
                // A play that can't be finished was at the places that it came to.
                let _ = play.script();
            }
        }
        std::mem::take(&mut self.seen.fresh)
    }
}

/// The most configurations of a default sweep that are played, and how often each is.
const SWEPT: usize = 400;
const SWEEP_PLAYS: usize = 8;

/// Plays configurations of the default sweep of a check, spread evenly over it.
pub fn play_sweep(reach: &mut Coverage<'_>) {
    let check = reach.check;
    let ranges = check.default_sweep();
    let all = ranges
        .iter()
        .fold(1_usize, |all, range| all.saturating_mul(range.values.len()));
    // An odd stride meets all values of all axes.
    let stride = (all / SWEPT) | 1;
    for number in (0..all).step_by(stride) {
        let mut config = check.defaults();
        let mut rest = number;
        for range in ranges.iter().rev() {
            config.put(range.input, range.values[rest % range.values.len()]);
            rest /= range.values.len();
        }
        reach.play(&config, SWEEP_PLAYS);
    }
}

/// Whether a configuration meets every requirement; not if that can't be told.
pub(super) fn is_legal(check: &Check, config: &Config) -> bool {
    let holds = |condition| fixed_value(condition, config, &|_| None) == Ok(1);
    check
        .requires
        .iter()
        .all(|required| holds(&required.condition))
}

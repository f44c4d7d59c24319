//! The picks of a trial, replayed up to the last and then extended with first picks: an odometer.

use oddsmith_dist::{RBig, UBig};

#[derive(Default)]
pub(super) struct Tape {
    /// What was picked, and among how many.
    picks: Vec<(usize, usize)>,
    /// How many of them this trial has made.
    made: usize,
    /// How many stand as they are, and do not count in the probability.
    given: usize,
    weight: UBig,
    total: UBig,
}

impl Tape {
    /// A tape that begins with these picks.
    pub(super) fn after(history: &[usize]) -> Self {
        Self {
            picks: history.iter().map(|&pick| (pick, pick + 1)).collect(),
            given: history.len(),
            ..Self::default()
        }
    }

    /// What has been picked in this trial.
    pub(super) fn history(&self) -> Vec<usize> {
        self.picks[..self.made]
            .iter()
            .map(|(pick, _)| *pick)
            .collect()
    }

    /// Whether the next pick stands on the tape.
    pub(super) fn replay(&mut self) -> Option<usize> {
        let (pick, _) = *self.picks.get(self.made)?;
        self.made += 1;
        Some(pick)
    }

    /// Whether all that was given has been picked.
    pub(super) fn is_past_given(&self) -> bool {
        self.made >= self.given
    }

    /// Whether nothing was given.
    pub(super) fn is_whole(&self) -> bool {
        self.given == 0
    }

    /// Notes a pick that has no other.
    pub(super) fn fix(&mut self, pick: usize) {
        self.picks.push((pick, pick + 1));
        self.made += 1;
    }

    /// The place of one of the weights; one of 0 is never picked.
    pub(super) fn roll(&mut self, weights: &[UBig]) -> usize {
        let possible: Vec<usize> = (0..weights.len())
            .filter(|&at| weights[at] != UBig::ZERO)
            .collect();
        assert!(!possible.is_empty(), "there is nothing to pick from");
        let counts = self.is_past_given();
        let pick = self.replay().unwrap_or_else(|| {
            self.picks.push((0, possible.len()));
            self.made += 1;
            0
        });
        if counts {
            self.weight *= &weights[possible[pick]];
            self.total *= weights.iter().fold(UBig::ZERO, |sum, weight| sum + weight);
        }
        possible[pick]
    }

    /// Of the trial just played, after what was given.
    pub(super) fn probability(&self) -> RBig {
        RBig::from_parts(self.weight.clone().into(), self.total.clone())
    }

    /// To the beginning of a trial.
    pub(super) fn rewind(&mut self) {
        (self.made, self.weight, self.total) = (0, UBig::ONE, UBig::ONE);
    }

    /// To the next trial; false if there is none.
    pub(super) fn advance(&mut self) -> bool {
        while self.picks.len() > self.given {
            let (pick, among) = self.picks.pop().expect("just counted");
            if pick + 1 < among {
                self.picks.push((pick + 1, among));
                return true;
            }
        }
        false
    }
}

//! A way to choose that is the best or nearly so, found in floats: where the proof begins.

use std::ops::Range;

use oddsmith_dist::Budget;
use oddsmith_rules::program::Party;

use super::leap::Leap;
use super::leaving::Marks;
use super::web::{Step, Web, pay};
use crate::Error;

/// The most rounds that are looked ahead.
const MOST: usize = 1000;
/// What changes by less than this part of itself stays as it is: what is proven is looked at more closely.
const LITTLE: f64 = 1e-11;
/// Options that differ by less than this part of their worth are equally good here.
const ALIKE: f64 = 1e-9;

/// What everything is worth, as far as one has looked ahead.
struct Worths<'w> {
    web: &'w Web<'w>,
    /// What is added to the goal, for each of the graph's gains.
    gains: Vec<f64>,
    inside: &'w Marks,
    /// By place.
    worths: Vec<f64>,
}

impl Worths<'_> {
    fn of(&self, step: &Step) -> f64 {
        self.worths[step.to as usize] + self.gains[step.gain as usize]
    }

    /// The options of a choice that may be taken, with their numbers.
    fn allowed(&self, at: usize) -> impl Iterator<Item = (usize, &Step)> {
        let options = self.web.steps(at).iter().enumerate();
        options.filter(|(_, step)| self.inside.at(step.to as usize))
    }

    /// What a place is worth by what its steps lead to.
    fn next(&self, at: usize) -> f64 {
        if let Some(party) = self.web.party(at) {
            let worths = self.allowed(at).map(|(_, step)| self.of(step));
            return best_of(party, worths);
        }
        let steps = self.web.steps(at).iter();
        let sum: f64 = steps.map(|step| step.weight as f64 * self.of(step)).sum();
        sum / self.web.total(at) as f64
    }

    /// Looks one round further in a block; what has changed the most, as a part of what is worth the most.
    fn look(&mut self, block: Range<usize>) -> f64 {
        let (mut change, mut most) = (0.0_f64, 0.0_f64);
        for at in block {
            if self.inside.at(at) && !self.web.steps(at).is_empty() {
                let worth = self.next(at);
                change = change.max((worth - self.worths[at]).abs());
                most = most.max(worth.abs());
                self.worths[at] = worth;
            }
        }
        if most > 0.0 { change / most } else { 0.0 }
    }

    /// The first of the options that seem best.
    fn best(&self) -> Vec<u32> {
        let mut chosen = vec![0; self.web.places()];
        for (at, choice) in self.web.choices() {
            let worths = self.allowed(at).map(|(_, step)| self.of(step));
            let best = best_of(choice.party, worths);
            let near = ALIKE * best.abs().max(1.0);
            let mut good = self.allowed(at);
            let first = good.find(|(_, step)| (self.of(step) - best).abs() <= near);
            let first = first.or_else(|| self.allowed(at).next());
            chosen[at] = first.map_or(0, |(option, _)| {
                u32::try_from(option).expect("options are few")
            });
        }
        chosen
    }
}

/// The worth that is best for whoever chooses.
fn best_of(party: Party, worths: impl Iterator<Item = f64>) -> f64 {
    match party {
        Party::Player => worths.fold(f64::NEG_INFINITY, f64::max),
        Party::Opponent => worths.fold(f64::INFINITY, f64::min),
    }
}

/// For each place that chooses the number of an option, and what all places are worth, nearly. `ends` are the worths of ends,
/// and 0 elsewhere.
pub(super) fn guess(
    web: &Web<'_>,
    ends: Vec<f64>,
    gains: &[i128],
    inside: &Marks,
    budget: &Budget,
) -> Result<(Vec<u32>, Vec<f64>), Error> {
    let mut found = Worths {
        web,
        gains: gains.iter().map(|gain| *gain as f64).collect(),
        inside,
        worths: ends,
    };
    let mut leap = Leap::default();
    for block in web.blocks() {
        let steps: usize = block.clone().map(|at| web.steps(at).len()).sum();
        leap.begin(&found.worths[block.clone()]);
        for _ in 0..MOST {
            pay(3 * (steps + block.len()), budget)?;
            let changed = found.look(block.clone());
            // What never comes back is seen through at once.
            if changed <= LITTLE || block.len() == 1 {
                break;
            }
            leap.take(&mut found.worths[block.clone()], changed);
        }
    }
    Ok((found.best(), found.worths))
}

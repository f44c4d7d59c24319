//! Bounds of what everything is worth with what is chosen: surely right, and often enough to tell options apart.
//!
//! A value is found in floats and written as an integer x, in units of a power of two. What is wrong with it is looked at in
//! integers, so nothing is rounded there: in a block, of places that come back to one another, x is off its own mean one step
//! on by no more than some r. If t is no less than 1 and the mean of t one step on within the block, it is no less than the
//! steps that are made in the block on average. So what x is off is no more than r · t and the most that anything is off to
//! which the block leads.
//!
//! ```text
//! from y one of two moves leads to the end, which is worth 64, and the other one back to y: y is worth 64
//! x = 60 is off (64 + 60) / 2 = 62 by 2; t = 2 is 1 + 2 / 2;  so y is worth 60 ± 4
//! ```

use std::cmp::Ordering;
use std::ops::Range;

use oddsmith_dist::{Budget, IBig, RBig, UBig};

use super::leap::Leap;
use super::leaving::Marks;
use super::web::{Step, Web, pay};
use crate::Error;

/// Values are below two to this power.
const VALUE_BITS: i32 = 61;
/// The most units of a one.
const MOST_SCALE: i32 = 60;
/// Numbers of steps are counted in parts, of which there are two to this power in one.
const STEP_BITS: u32 = 10;
/// What is added to a number of steps, so that it surely is no less.
const SLACK: f64 = 1.0 / 64.0;
/// How often a block is gone through at the most.
const MOST: usize = 2000;
/// What changes by less than this part of itself stays as it is.
const LITTLE: f64 = 1e-15;
/// Nothing is known of a value that is as far off.
const UNKNOWN: i128 = 1 << 100;

/// What is striven for, in numbers.
pub(super) struct Goal {
    /// What ends are worth, over `unit`, by their places.
    pub(super) ends: Vec<(usize, IBig)>,
    pub(super) unit: UBig,
    /// What is added for each of the graph's gains.
    pub(super) gains: Vec<i128>,
    /// What all places are nearly worth with the best choices.
    pub(super) near: Vec<f64>,
}

pub(super) struct Enclosure {
    /// By place, in units.
    values: Vec<i64>,
    /// How far off they are at the most.
    errors: Vec<i128>,
    /// What is added for each of the graph's gains.
    gains: Vec<i128>,
    /// The units of a one are two to this power.
    scale: u32,
}

/// An enclosure while it is found.
struct Search<'s> {
    web: &'s Web<'s>,
    chosen: &'s [u32],
    /// From where an end is come to; all else is worth nothing.
    live: &'s Marks,
    gains: Vec<f64>,
    near: Vec<f64>,
    /// How many steps are made within its block from a place on.
    times: Vec<f64>,
    found: Enclosure,
}

impl Enclosure {
    /// The worths with what is chosen, if they can be enclosed.
    pub(super) fn new(
        web: &Web<'_>,
        goal: &Goal,
        played: (&[u32], &Marks),
        budget: &Budget,
    ) -> Result<Option<Self>, Error> {
        let found = Self::in_units((web, goal), played, MOST_SCALE, budget)?;
        // Bounds that are far apart are as sure as others.
        if cfg!(debug_assertions)
            && let Some(found) = &found
        {
            for scale in [3, 12] {
                // What only debug builds look at is not charged for.
                let own = Budget::unlimited();
                let coarse = Self::in_units((web, goal), played, scale, &own)?;
                let coarse = coarse.expect("what has fine bounds has coarse ones");
                assert!(coarse.meets(found), "bounds of {scale} bits are wrong");
            }
        }
        Ok(found)
    }

    /// Whether there may be values within both bounds; these are in units that are as large as the other's, or larger.
    fn meets(&self, fine: &Self) -> bool {
        let beyond = fine.scale - self.scale.min(fine.scale);
        (0..self.values.len()).all(|at| {
            let (error, other) = (self.errors[at], fine.errors[at]);
            let off = (i128::from(self.values[at]) << beyond) - i128::from(fine.values[at]);
            error > 1 << 60 || off.abs() <= (error << beyond).saturating_add(other)
        })
    }

    fn in_units(
        (web, goal): (&Web<'_>, &Goal),
        (chosen, live): (&[u32], &Marks),
        most_scale: i32,
        budget: &Budget,
    ) -> Result<Option<Self>, Error> {
        let near = goal.near.as_slice();
        #[expect(clippy::cast_precision_loss, reason = "it is where floats begin")]
        let gains: Vec<f64> = goal.gains.iter().map(|gain| *gain as f64).collect();
        let all = near.iter().chain(&gains);
        let most = all.fold(1.0_f64, |most, value| most.max(value.abs()));
        if !web.is_exact || !most.is_finite() {
            return Ok(None);
        }
        #[expect(clippy::cast_possible_truncation, reason = "it is at most 1024")]
        let bits = most.log2().ceil() as i32 + 2;
        let Ok(scale) = u32::try_from((VALUE_BITS - bits).min(most_scale)) else {
            return Ok(None);
        };
        let places = web.places();
        let mut search = Search {
            web,
            chosen,
            live,
            near: (0..places)
                .map(|at| if live.at(at) { near[at] } else { 0.0 })
                .collect(),
            times: vec![0.0; places],
            found: Self {
                values: vec![0; places],
                errors: vec![0; places],
                gains: goal.gains.iter().map(|gain| gain << scale).collect(),
                scale,
            },
            gains,
        };
        for (state, worth) in &goal.ends {
            let value = RBig::from_parts(worth << scale as usize, goal.unit.clone());
            search.found.errors[*state] = i128::from(!value.is_int());
            let value = i64::try_from(value.floor());
            search.found.values[*state] = value.expect("a worth is below the most");
        }
        for block in web.blocks() {
            search.block(block, budget)?;
        }
        Ok(Some(search.found))
    }

    fn value(&self, step: Step) -> i128 {
        i128::from(self.values[step.to as usize]) + self.gains[step.gain as usize]
    }

    /// Which of two steps is worth more, if that can be told.
    pub(super) fn compare(&self, one: Step, other: Step) -> Option<Ordering> {
        let difference = self.value(one) - self.value(other);
        let off = self.errors[one.to as usize] + self.errors[other.to as usize];
        match difference.abs() > off || off == 0 {
            true => Some(difference.cmp(&0)),
            false => None,
        }
    }

    /// Whether a step may be worth so much, over a total.
    pub(super) fn may_be(&self, step: Step, worth: &IBig, total: &UBig) -> bool {
        let off = (worth << self.scale as usize) - IBig::from(self.value(step)) * total;
        let most = IBig::from(self.errors[step.to as usize]) * total;
        -&most <= off && off <= most
    }
}

impl Search<'_> {
    /// The steps that a place takes: that of a choice is what is chosen.
    fn steps(&self, at: usize) -> &[Step] {
        let steps = self.web.steps(at);
        match self.web.party(at) {
            Some(_) => std::slice::from_ref(&steps[self.chosen[at] as usize]),
            None => steps,
        }
    }

    /// The weight of a step of a place, and that of all of them.
    fn weights(&self, at: usize, step: &Step) -> (u64, u64) {
        match self.web.party(at) {
            Some(_) => (1, 1),
            None => (step.weight, self.web.total(at)),
        }
    }

    /// Encloses the values of a block; those that it leads to are enclosed.
    fn block(&mut self, block: Range<usize>, budget: &Budget) -> Result<(), Error> {
        let is_open = |at: &usize| self.live.at(*at) && !self.web.steps(*at).is_empty();
        let own: Vec<usize> = block.clone().filter(is_open).collect();
        let steps: usize = own.iter().map(|at| self.steps(*at).len()).sum();
        let (mut near, mut times) = (Leap::default(), Leap::default());
        near.begin(&self.near[block.clone()]);
        times.begin(&self.times[block.clone()]);
        for _ in 0..MOST {
            pay(5 * (steps + own.len()), budget)?;
            let (changed, longer) = self.look(&own, &block);
            // What never comes back is seen through at once.
            if changed <= LITTLE && longer <= SLACK / 4.0 || block.len() == 1 {
                break;
            }
            near.take(&mut self.near[block.clone()], changed);
            if longer > SLACK / 4.0 {
                times.take(&mut self.times[block.clone()], longer);
            }
        }
        let units = f64::from(self.found.scale).exp2();
        for at in &own {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "what is too much is far off, which is found below"
            )]
            let value = (self.near[*at] * units).round() as i64;
            self.found.values[*at] = value;
        }
        let off = own.iter().map(|at| self.off(*at)).max().unwrap_or(0);
        let outer = own.iter().map(|at| self.outer(*at, &block)).max();
        let outer = outer.unwrap_or(0);
        let within = |times: &i64| off.saturating_mul(i128::from(*times)) >> STEP_BITS;
        let error = |times: &i64| within(times).saturating_add(1 + outer).min(UNKNOWN);
        let errors = match self.times(&own, &block).filter(|_| off > 0) {
            Some(times) => times.iter().map(error).collect(),
            None if off == 0 => vec![outer; own.len()],
            None => vec![UNKNOWN; own.len()],
        };
        for (at, error) in own.iter().zip(errors) {
            self.found.errors[*at] = error;
        }
        Ok(())
    }

    /// Whether a step leads to a live place of a block.
    fn stays(&self, block: &Range<usize>, step: &Step) -> bool {
        let to = step.to as usize;
        block.contains(&to) && self.live.at(to)
    }

    /// Looks one step further in a block, in floats: what has changed the most, as a part of the largest value, and by how much a
    /// number of steps.
    fn look(&mut self, own: &[usize], block: &Range<usize>) -> (f64, f64) {
        let (mut change, mut most, mut longer) = (0.0_f64, 0.0_f64, 0.0_f64);
        for &at in own {
            let (mut near, mut times) = (0.0, 0.0);
            let mut total = 0;
            for step in self.steps(at) {
                let (weight, all) = self.weights(at, step);
                #[expect(clippy::cast_precision_loss, reason = "what is lost is found below")]
                let weight = weight as f64;
                near += weight * (self.near[step.to as usize] + self.gains[step.gain as usize]);
                if self.stays(block, step) {
                    times += weight * self.times[step.to as usize];
                }
                total = all;
            }
            #[expect(clippy::cast_precision_loss, reason = "what is lost is found below")]
            let total = total as f64;
            let (near, times) = (near / total, 1.0 + times / total);
            change = change.max((near - self.near[at]).abs());
            most = most.max(near.abs());
            longer = longer.max((times - self.times[at]).abs());
            (self.near[at], self.times[at]) = (near, times);
        }
        (if most > 0.0 { change / most } else { 0.0 }, longer)
    }

    /// By how many units a value is off its own mean one step on, rounded up.
    fn off(&self, at: usize) -> i128 {
        let found = &self.found;
        let (mut sum, mut total) = (0, 1);
        for step in self.steps(at) {
            let (weight, all) = self.weights(at, step);
            let worth =
                i128::from(found.values[step.to as usize]) + found.gains[step.gain as usize];
            sum += i128::from(weight) * worth;
            total = i128::from(all);
        }
        let off = (sum - total * i128::from(found.values[at])).abs();
        (off + total - 1) / total
    }

    /// The most that is off to which a place leads outside of its block.
    fn outer(&self, at: usize, block: &Range<usize>) -> i128 {
        let outside = self
            .steps(at)
            .iter()
            .filter(|step| !self.stays(block, step));
        let errors = outside.map(|step| self.found.errors[step.to as usize]);
        errors.max().unwrap_or(0)
    }

    /// No fewer than the steps that are made within a block from each of its places on, in parts; none if that can't be shown.
    fn times(&self, own: &[usize], block: &Range<usize>) -> Option<Vec<i64>> {
        let one = f64::from(1 << STEP_BITS);
        let parts = |at: usize| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "what is too much is refused"
            )]
            let parts = (self.times[at] * (1.0 + SLACK) * one).ceil() as i64;
            parts
        };
        let is_enough = |at: &usize| {
            let (mut sum, mut total) = (0, 1);
            for step in self.steps(*at) {
                let (weight, all) = self.weights(*at, step);
                if self.stays(block, step) {
                    sum += i128::from(weight) * i128::from(parts(step.to as usize));
                }
                total = i128::from(all);
            }
            total * (i128::from(parts(*at)) - (1 << STEP_BITS)) >= sum
        };
        let times = || own.iter().map(|at| parts(*at)).collect();
        own.iter().all(is_enough).then(times)
    }
}

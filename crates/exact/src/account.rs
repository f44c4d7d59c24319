//! What an evaluation costs: steps and bytes, charged before they are taken.

use std::cell::Cell;

use oddsmith_dist::{BitTest as _, Budget, Dist, UBig};

use crate::Error;

/// What a charge for states is about, as long as the step that makes them is not known.
pub(crate) const JOINT: &str = "the joint of the script's values";

/// What making a pair of things costs: two keys, and a product of weights.
pub(crate) const PAIR_STEPS: u128 = 135;

/// The bytes that a distribution takes.
pub(crate) fn bytes_of(dist: &Dist) -> u128 {
    let words = dist.total().bit_len() / 64 + 1;
    (dist.len() as u128).saturating_mul(8 * words as u128)
}

/// A budget, and the memory that one evaluation has charged to it: that is free again when this is dropped.
pub(crate) struct Account<'a> {
    pub(crate) budget: &'a Budget,
    /// The bytes that were charged for states: as many as there were at once.
    held: Cell<u128>,
    /// The bytes that were charged for what is kept beside other things.
    kept: Cell<u128>,
}

impl<'a> Account<'a> {
    /// Nothing is charged yet.
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Self {
            budget,
            held: Cell::new(0),
            kept: Cell::new(0),
        }
    }

    /// Charges for so many states with weights over such a total.
    pub(crate) fn charge_states(&self, states: usize, total: &UBig) -> Result<(), Error> {
        // A product and a sum of weights, word by word.
        const WORD_STEPS: u128 = 8;
        // Before equal states are merged: a key, a weight, and what the allocator adds.
        const STATE_BYTES: u128 = 128;
        let (states, words) = (states as u128, (total.bit_len() / 64) as u128);
        let steps = states.saturating_mul(PAIR_STEPS + words * WORD_STEPS);
        let bytes = states.saturating_mul(STATE_BYTES + 8 * words);
        let charged = self.budget.charge(steps);
        let charged = charged.and_then(|()| self.hold(bytes));
        charged.map_err(|error| Error::of_charge(JOINT, &error))
    }

    /// Charges for the memory of so many outcomes at once, which are made one after the other and merged already.
    pub(crate) fn hold_outcomes(&self, outcomes: usize, total: &UBig) -> Result<(), Error> {
        // A key of a number or two, and a weight.
        const OUTCOME_BYTES: u128 = 40;
        let words = (total.bit_len() / 64) as u128;
        let bytes = (outcomes as u128).saturating_mul(OUTCOME_BYTES + 8 * words);
        let held = self.hold(bytes);
        held.map_err(|error| Error::of_charge(JOINT, &error))
    }

    /// Refuses rounds that can't all be played: each takes a state through a step at the least.
    pub(crate) fn foresee_rounds(&self, rounds: i64) -> Result<(), Error> {
        let steps = PAIR_STEPS.saturating_mul(rounds.unsigned_abs().into());
        let foreseen = self.budget.foresee(steps);
        foreseen.map_err(|error| Error::of_charge("playing the rounds of the script", &error))
    }

    /// Charges for states that take so many bytes, beyond what was held before.
    fn hold(&self, bytes: u128) -> Result<(), oddsmith_dist::Error> {
        let held = self.held.get();
        self.budget.charge_memory(bytes.saturating_sub(held))?;
        self.held.set(held.max(bytes));
        Ok(())
    }

    /// Gives back bytes of those that were charged for one after the other.
    pub(crate) fn give_back(&self, bytes: u128) {
        self.budget.release_memory(bytes);
        self.kept.set(self.kept.get().saturating_sub(bytes));
    }

    /// Charges for so many bytes more.
    pub(crate) fn hold_more(&self, bytes: u128) -> Result<(), oddsmith_dist::Error> {
        self.budget.charge_memory(bytes)?;
        self.kept.set(self.kept.get() + bytes);
        Ok(())
    }
}

impl Drop for Account<'_> {
    fn drop(&mut self) {
        self.budget
            .release_memory(self.held.get() + self.kept.get());
    }
}

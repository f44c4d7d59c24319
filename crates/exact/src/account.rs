//! What an evaluation costs: steps and bytes, charged before they are taken.

use std::cell::Cell;

use oddsmith_dist::{BitTest as _, Budget, Dist, Error};

/// What making a pair of things costs: two keys, and a product of weights.
pub(crate) const PAIR_STEPS: u128 = 150;

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

    /// Charges for states that take so many bytes, beyond what was held before.
    pub(crate) fn hold(&self, bytes: u128) -> Result<(), Error> {
        let held = self.held.get();
        self.budget.charge_memory(bytes.saturating_sub(held))?;
        self.held.set(held.max(bytes));
        Ok(())
    }

    /// Charges for so many bytes more.
    pub(crate) fn hold_more(&self, bytes: u128) -> Result<(), Error> {
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

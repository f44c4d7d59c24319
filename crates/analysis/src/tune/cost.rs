//! What a search costs beside the questions that it asks.

use oddsmith_exact::{Budget, Error};

use crate::memory::{charge_steps, refused};
use crate::tune::space::Space;

/// Steps in which a candidate is looked at.
const LOOK_STEPS: u128 = 10;

/// Steps in which a candidate is ranked by one wish; those of a Pareto set are charged where it is kept.
const WISH_STEPS: u128 = 200;

/// Steps in which a candidate is held against one goal to prove that none meets all.
const PROOF_STEPS: u128 = 40;

/// Steps in which a requirement is evaluated in one cell.
const RULE_STEPS: u128 = 50;

/// The advice if a search needs too much.
const FEWER_CANDIDATES: &str =
    "vary fewer parameters, or give them fewer values; or raise the budget (`--budget`)";

/// The accounts of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs<'a> {
    pub(crate) candidates: u64,
    pub(crate) budget: &'a Budget,
}

impl<'a> Costs<'a> {
    pub(crate) fn new(space: &Space<'_>, budget: &'a Budget) -> Self {
        Self {
            candidates: space.candidates,
            budget,
        }
    }

    /// Charges for looking at so many candidates.
    pub(crate) fn look(self, candidates: usize) -> Result<(), Error> {
        self.charge(candidates as u128 * LOOK_STEPS)
    }

    /// Charges for ranking so many candidates by so many wishes.
    pub(crate) fn rank(self, candidates: usize, wishes: usize) -> Result<(), Error> {
        self.charge(ranking(candidates as u128, wishes))
    }

    /// Charges for holding so many candidates against so many goals, for a proof.
    pub(crate) fn explain(self, candidates: usize, goals: usize) -> Result<(), Error> {
        self.charge(candidates as u128 * goals as u128 * PROOF_STEPS)
    }

    /// Charges for evaluating a requirement in so many cells.
    pub(crate) fn rule(self, cells: usize) -> Result<(), Error> {
        self.charge(cells as u128 * RULE_STEPS)
    }

    fn charge(self, steps: u128) -> Result<(), Error> {
        charge_steps(self.budget, steps, (|| self.named(), FEWER_CANDIDATES))
    }

    fn named(self) -> String {
        format!("a search over {} candidates", self.candidates)
    }

    /// What a search from a candidate on takes at the least: every candidate is looked at, and ranked by so many wishes.
    pub(crate) fn least(self, from: u64, wishes: usize) -> u128 {
        let candidates = u128::from(self.candidates.saturating_sub(from));
        let looks = candidates.saturating_mul(LOOK_STEPS);
        looks.saturating_add(ranking(candidates, wishes))
    }

    /// Refuses so many steps, before they are taken.
    ///
    /// # Errors
    /// If they are over the budget.
    pub(crate) fn foresee(self, steps: u128) -> Result<(), Error> {
        refused(
            self.budget.foresee(steps),
            (|| self.named(), FEWER_CANDIDATES),
        )
    }
}

fn ranking(candidates: u128, wishes: usize) -> u128 {
    candidates.saturating_mul(wishes as u128 * WISH_STEPS)
}

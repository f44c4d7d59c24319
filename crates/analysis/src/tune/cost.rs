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

/// Steps in which a branch of a diagram is made.
const BRANCH_STEPS: u128 = 20;

/// Steps in which a way through diagrams goes on by an option, and what each way that is kept adds, by itself and for
/// each wish.
const PATH_STEPS: u128 = 200;
const WAY_STEPS: u128 = 50;
const WAY_WISH_STEPS: u128 = 10;

/// Steps in which a distance is put in its place among others.
const DISTANCE_STEPS: u128 = 200;

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

    /// Charges for putting so many distances in order, and for holding them.
    pub(crate) fn distances(self, distances: usize) -> Result<(), Error> {
        self.charge(distances as u128 * DISTANCE_STEPS)
    }

    /// Charges for making so many branches of a diagram.
    pub(crate) fn branches(self, branches: usize) -> Result<(), Error> {
        self.charge((1 + branches as u128) * BRANCH_STEPS)
    }

    /// Charges for so many ways through diagrams that go on by an option.
    pub(crate) fn paths(self, ways: usize, wishes: usize) -> Result<(), Error> {
        let each = WAY_STEPS + wishes as u128 * WAY_WISH_STEPS;
        self.charge(PATH_STEPS + ways as u128 * each)
    }

    fn charge(self, steps: u128) -> Result<(), Error> {
        charge_steps(self.budget, steps, (|| self.named(), FEWER_CANDIDATES))
    }

    fn named(self) -> String {
        format!("a search over {} candidates", self.candidates)
    }

    /// What a search takes at the least in which so many candidates are looked at, and ranked by so many wishes.
    pub(crate) fn least(self, candidates: u64, wishes: usize) -> u128 {
        let candidates = u128::from(candidates);
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

//! Linear equations between the states of one block, in integers.
//!
//! Two states, from each of which one of two moves leads to the other and one to the end; `y` is the number of moves to the
//! end, and `m = 2` what a move adds, over the total 2:
//!
//! ```text
//! 2 y[0] - y[1] = 2,  2 y[1] - y[0] = 2
//! without y[0]:  (2·2 - 1·1) y[1] = 2·2 + 1·2, so the determinant is 3, and 3 y[1] = 6
//! back:          3 y[0] = (3·2 + 1·6) / 2 = 6, so both are 6/3 = 2 moves
//! ```

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::{IBig, UBig};

use crate::number::{bits, words};
use crate::{Budget, Error};

/// The solved form of `T[t] y[t] - sum over s of w[s][t] y[s] = m[t]`, for any `m`.
///
/// Gaussian elimination without fractions (E. H. Bareiss, *Sylvester's Identity and Multistep
/// Integer-Preserving Gaussian Elimination*, 1968): after step `k` every coefficient is a minor
/// of order `k + 1`, and the last pivot is the determinant. A row that a step does not touch
/// is not rescaled until it is needed. As every state leaves the block sooner or later, any
/// order of the pivots will do; the next one is that with the fewest neighbours.
pub(super) struct Elimination {
    steps: Vec<Step>,
    /// The pivots: before the first step 1, then that of each.
    pivots: Vec<UBig>,
}

/// The elimination of the unknown at `place`.
struct Step {
    place: usize,
    /// The number of steps after which its row was last changed.
    since: usize,
    /// Its equation: the coefficients of the unknowns that are left.
    row: Vec<(usize, UBig)>,
    /// The other equations that it stood in, its factor, and after how many steps each was
    /// last changed.
    column: Vec<(usize, UBig, usize)>,
}

/// The equations that are left. All signs are known: `diagonal[t] y[t] = m[t] + sum of row`.
struct Equations {
    diagonal: Vec<UBig>,
    rows: Vec<BTreeMap<usize, UBig>>,
    /// The rows in which an unknown stands, its own apart.
    columns: Vec<BTreeSet<usize>>,
    since: Vec<usize>,
    /// Unknowns by the products that their elimination takes.
    queue: BTreeSet<(usize, usize)>,
    queued: Vec<usize>,
}

impl Elimination {
    /// Takes the totals of all states of a block, and the moves within it as `(from, to,
    /// weight)`, each pair once.
    ///
    /// # Errors
    /// [`Error::OverBudget`], before the step that is too large.
    pub(super) fn new<'a>(
        totals: impl Iterator<Item = &'a UBig>,
        moves: impl Iterator<Item = (usize, usize, &'a UBig)>,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let mut equations = Equations::new(totals.cloned().collect());
        for (from, to, weight) in moves {
            equations.add(from, to, weight);
        }
        let count = equations.rows.len();
        (0..count).for_each(|place| equations.queue(place));
        let mut pivots = vec![UBig::ONE];
        let mut steps = Vec::with_capacity(count);
        while let Some((_, place)) = equations.queue.pop_first() {
            equations.charge(place, &pivots, budget)?;
            steps.push(equations.eliminate(place, &mut pivots));
        }
        Ok(Self { steps, pivots })
    }

    /// A common denominator of all solutions: the determinant.
    pub(super) fn determinant(&self) -> &UBig {
        &self.pivots[self.pivots.len() - 1]
    }

    /// The products that one solution takes.
    pub(super) fn len(&self) -> usize {
        let steps = self.steps.iter();
        steps
            .map(|step| 2 + step.row.len() + step.column.len())
            .sum()
    }

    /// Replaces `m` by `y` times the determinant.
    pub(super) fn solve(&self, values: &mut [IBig]) {
        for (done, step) in self.steps.iter().enumerate() {
            let before = &self.pivots[done];
            let pivot = &self.pivots[done + 1];
            if step.since != done {
                let value = &mut values[step.place];
                *value = &*value * before / &self.pivots[step.since];
            }
            for (place, factor, since) in &step.column {
                let sum = pivot * &values[*place] + factor * &values[step.place];
                values[*place] = sum / &self.pivots[*since];
            }
        }
        let determinant = self.determinant();
        for (done, step) in self.steps.iter().enumerate().rev() {
            let mut sum = determinant * &values[step.place];
            for (place, factor) in &step.row {
                sum += factor * &values[*place];
            }
            values[step.place] = sum / &self.pivots[done + 1];
        }
    }
}

impl Equations {
    fn new(totals: Vec<UBig>) -> Self {
        let count = totals.len();
        Self {
            diagonal: totals,
            rows: vec![BTreeMap::new(); count],
            columns: vec![BTreeSet::new(); count],
            since: vec![0; count],
            queue: BTreeSet::new(),
            queued: vec![0; count],
        }
    }

    fn add(&mut self, from: usize, to: usize, weight: &UBig) {
        if from == to {
            self.diagonal[to] -= weight;
        } else {
            self.rows[to].insert(from, weight.clone());
            self.columns[from].insert(to);
        }
    }

    fn queue(&mut self, place: usize) {
        let products = self.rows[place].len() * self.columns[place].len();
        self.queue.remove(&(self.queued[place], place));
        self.queue.insert((products, place));
        self.queued[place] = products;
    }

    /// Charges for the elimination of the unknown at `place`.
    fn charge(&self, place: usize, pivots: &[UBig], budget: &Budget) -> Result<(), Error> {
        let row = self.rows[place].len() as u128;
        let column = &self.columns[place];
        let others = column.iter().map(|other| self.rows[*other].len() as u128);
        let products = row + others.map(|other| row + other + 2).sum::<u128>();
        let last = &pivots[pivots.len() - 1];
        let width = words((bits(last) + bits(&self.diagonal[place])) as u128);
        // Two products and a division each, with what any of them takes.
        budget.charge(products * (3 * width * width + 64))?;
        // At most this many new coefficients, and those that are kept for the solutions.
        let count = column.len() as u128;
        budget.charge_memory((row * count + row + count) * (40 + 8 * width))
    }

    /// Solves the equation at `place` for its unknown, and puts that into all others.
    fn eliminate(&mut self, place: usize, pivots: &mut Vec<UBig>) -> Step {
        let done = pivots.len() - 1;
        let since = self.since[place];
        let mut row: Vec<_> = std::mem::take(&mut self.rows[place]).into_iter().collect();
        let mut pivot = std::mem::take(&mut self.diagonal[place]);
        if since != done {
            let rescaled = |value: &UBig| value * &pivots[done] / &pivots[since];
            pivot = rescaled(&pivot);
            for (_, value) in &mut row {
                *value = rescaled(value);
            }
        }
        let others = std::mem::take(&mut self.columns[place]);
        let mut column = Vec::with_capacity(others.len());
        for other in others {
            let factor = self.rows[other].remove(&place);
            let factor = factor.expect("columns list the rows in which an unknown stands");
            let scale = &pivots[self.since[other]];
            self.diagonal[other] *= &pivot;
            for value in self.rows[other].values_mut() {
                *value *= &pivot;
            }
            for (from, value) in &row {
                if *from == other {
                    self.diagonal[other] -= &factor * value;
                } else {
                    *self.rows[other].entry(*from).or_default() += &factor * value;
                    self.columns[*from].insert(other);
                }
            }
            self.diagonal[other] /= scale;
            for value in self.rows[other].values_mut() {
                *value /= scale;
            }
            column.push((other, factor, self.since[other]));
            self.since[other] = done + 1;
        }
        for (from, _) in &row {
            self.columns[*from].remove(&place);
        }
        for (other, _, _) in &column {
            self.queue(*other);
        }
        for (from, _) in &row {
            self.queue(*from);
        }
        pivots.push(pivot);
        Step {
            place,
            since,
            row,
            column,
        }
    }
}

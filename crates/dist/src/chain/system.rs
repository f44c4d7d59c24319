//! Linear equations between the states of one block, modulo primes.
//!
//! Two states, from each of which one of two moves leads to the other and one to the end; `y` is the number of moves to the
//! end, and `m = 2` what a move adds, over the total 2:
//!
//! ```text
//! 2 y[0] - y[1] = 2,  2 y[1] - y[0] = 2
//! without y[0]:  (2 - 1·1/2) y[1] = 2 + 1·2/2, so 3/2 y[1] = 3, and the determinant is 2·3/2 = 3
//! back:          2 y[0] = 2 + y[1] = 4, so both are 2 moves
//! ```
//!
//! What is divided by is one over modulo a prime: no fraction grows.

use std::collections::BTreeSet;
use std::ops::Range;

use super::primes::{AT_ONCE, LANES, Lanes, Prime, Sums, all_inverted};
use crate::{Budget, Error};

/// The equations `T[t] y[t] - sum over s of w[s][t] y[s] = m[t]` of one block, for any `m`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct System {
    /// For each state the total of its weights, without those that lead back to it, as its place in a list.
    pub(super) diagonal: Vec<u32>,
    /// Moves from one state to another, and the place of the weight in a list.
    pub(super) moves: Vec<(u32, u32, u32)>,
}

/// The order in which unknowns of a system are eliminated, and the coefficients that there are then. As every state leaves
/// the block sooner or later, any order will do: the next unknown is the one with the fewest neighbours.
pub(super) struct Pattern {
    /// The unknown that is eliminated in each step.
    order: Vec<usize>,
    /// For each unknown its total.
    diagonal: Vec<u32>,
    /// For each step its unknown's equation: the moves that lead there, as the step of the state that they come from and the
    /// place of the weight.
    entries: Vec<Vec<(usize, u32)>>,
    /// For each step the earlier ones whose unknowns stood in its equation, ascending, and the later ones.
    before: Runs,
    after: Runs,
    /// The products that the elimination takes.
    pub(super) products: u128,
}

/// Lists of steps, one behind the other.
#[derive(Default)]
struct Runs {
    steps: Vec<u32>,
    until: Vec<usize>,
}

/// The equations as triangles, modulo some primes: coefficients are in form.
pub(super) struct Triangles {
    before: Vec<Lanes>,
    after: Vec<Lanes>,
    /// One over each pivot.
    inverses: Vec<Lanes>,
    pub(super) determinant: Lanes,
}

impl Runs {
    fn push(&mut self, steps: impl Iterator<Item = usize>) {
        let step = |step: usize| u32::try_from(step).expect("fewer steps than 2^32");
        self.steps.extend(steps.map(step));
        self.until.push(self.steps.len());
    }

    fn range(&self, at: usize) -> Range<usize> {
        at.checked_sub(1).map_or(0, |before| self.until[before])..self.until[at]
    }

    /// The steps of a list, each with its place among all.
    fn of(&self, at: usize) -> impl Iterator<Item = (usize, usize)> {
        let range = self.range(at);
        range.map(|place| (place, self.steps[place] as usize))
    }
}

impl Pattern {
    /// # Errors
    /// [`Error::OverBudget`], before coefficients that are too many.
    pub(super) fn new(system: &System, budget: &Budget) -> Result<Self, Error> {
        let size = system.diagonal.len();
        let mut equations = Equations::new(system);
        let (mut order, mut after) = (Vec::with_capacity(size), Vec::with_capacity(size));
        let mut products = 0;
        while let Some((_, unknown)) = equations.queue.pop_first() {
            let (row, column) = (&equations.rows[unknown], &equations.columns[unknown]);
            let added = (row.len() * column.len()) as u128;
            // A coefficient stands in two sets.
            budget.charge(60 * added + 200)?;
            budget.charge_memory(40 * added)?;
            products += added + (row.len() + column.len()) as u128;
            order.push(unknown);
            after.push(equations.eliminate(unknown));
        }
        let mut steps = vec![0; size];
        for (step, unknown) in order.iter().enumerate() {
            steps[*unknown] = step;
        }
        let mut entries = vec![Vec::new(); size];
        for (from, to, weight) in &system.moves {
            entries[steps[*to as usize]].push((steps[*from as usize], *weight));
        }
        let mut pattern = Self {
            diagonal: system.diagonal.clone(),
            entries,
            before: Runs::default(),
            after: Runs::default(),
            products,
            order,
        };
        for (unknown, later) in pattern.order.iter().zip(after) {
            pattern
                .before
                .push(equations.before[*unknown].iter().copied());
            pattern
                .after
                .push(later.into_iter().map(|other| steps[other]));
        }
        Ok(pattern)
    }

    /// How many unknowns there are.
    pub(super) fn size(&self) -> usize {
        self.order.len()
    }

    /// How many coefficients the triangles have, their pivots included.
    pub(super) fn coefficients(&self) -> usize {
        self.before.steps.len() + self.after.steps.len() + self.order.len()
    }

    /// The triangles, from the weights and the totals in form, with one over each total.
    ///
    /// # Errors
    /// The lane of a prime that divides a pivot.
    pub(super) fn triangles(
        &self,
        (totals, over_totals): (&[Lanes], &[Lanes]),
        weights: &[Lanes],
        primes: &[Prime; LANES],
    ) -> Result<Triangles, usize> {
        let size = self.order.len();
        let mut found = Triangles {
            before: vec![[0; LANES]; self.before.steps.len()],
            after: vec![[0; LANES]; self.after.steps.len()],
            inverses: Vec::with_capacity(size),
            determinant: std::array::from_fn(|lane| primes[lane].form(1)),
        };
        let mut row = vec![[0; LANES]; size];
        for step in 0..size {
            let total = self.diagonal[self.order[step]] as usize;
            row[step] = totals[total];
            for (from, weight) in &self.entries[step] {
                for (lane, prime) in primes.iter().enumerate() {
                    let entry = &mut row[*from][lane];
                    *entry = prime.difference(*entry, weights[*weight as usize][lane]);
                }
            }
            for (place, earlier) in self.before.of(step) {
                let mut factor = std::mem::take(&mut row[earlier]);
                for (lane, prime) in primes.iter().enumerate() {
                    factor[lane] = prime.product(factor[lane], found.inverses[earlier][lane]);
                }
                found.before[place] = factor;
                for (other, unknown) in self.after.of(earlier) {
                    for (lane, prime) in primes.iter().enumerate() {
                        let taken = prime.product(factor[lane], found.after[other][lane]);
                        row[unknown][lane] = prime.difference(row[unknown][lane], taken);
                    }
                }
            }
            let pivot = std::mem::take(&mut row[step]);
            // Most totals stay as they are.
            let inverse = match pivot == totals[total] {
                true => over_totals[total],
                false => all_inverted(&pivot, primes)?,
            };
            for (lane, prime) in primes.iter().enumerate() {
                let determinant = &mut found.determinant[lane];
                *determinant = prime.product(*determinant, pivot[lane]);
            }
            found.inverses.push(inverse);
            for (place, unknown) in self.after.of(step) {
                found.after[place] = std::mem::take(&mut row[unknown]);
            }
        }
        Ok(found)
    }

    /// The unknowns with their `y`, plain, from `m` by unknown; `values` is room to work in.
    pub(super) fn solve<'p>(
        &'p self,
        triangles: &Triangles,
        sums: &[Sums],
        values: &'p mut Vec<Lanes>,
        primes: &[Prime; LANES],
    ) -> impl Iterator<Item = (usize, Lanes)> + use<'p> {
        let plain =
            |unknown: &usize| std::array::from_fn(|lane| primes[lane].plain(sums[*unknown][lane]));
        values.clear();
        values.extend(self.order.iter().map(plain));
        for step in 0..self.order.len() {
            let run = self.before.range(step);
            if !run.is_empty() {
                let terms = (&self.before.steps[run.clone()], &triangles.before[run]);
                values[step] = rest(values[step], terms, values, primes);
            }
        }
        for step in (0..self.order.len()).rev() {
            let run = self.after.range(step);
            let terms = (&self.after.steps[run.clone()], &triangles.after[run]);
            let rest = rest(values[step], terms, values, primes);
            for (lane, prime) in primes.iter().enumerate() {
                values[step][lane] = prime.product(triangles.inverses[step][lane], rest[lane]);
            }
        }
        self.order.iter().copied().zip(values.iter().copied())
    }
}

/// What is left of a value without those of other steps, each times its factor.
#[inline]
fn rest(
    value: Lanes,
    (steps, factors): (&[u32], &[Lanes]),
    values: &[Lanes],
    primes: &[Prime; LANES],
) -> Lanes {
    let mut sums: Sums = [0; LANES];
    for (steps, factors) in steps.chunks(AT_ONCE).zip(factors.chunks(AT_ONCE)) {
        let mut products: Sums = [0; LANES];
        for (step, factor) in steps.iter().zip(factors) {
            let other = &values[*step as usize];
            for lane in 0..LANES {
                products[lane] += u128::from(factor[lane]) * u128::from(other[lane]);
            }
        }
        for (lane, prime) in primes.iter().enumerate() {
            prime.add_products(&mut sums[lane], products[lane]);
        }
    }
    std::array::from_fn(|lane| {
        let prime = &primes[lane];
        prime.difference(value[lane], prime.reduce(sums[lane]))
    })
}

/// Where coefficients are that are not 0, in the equations that are left.
struct Equations {
    rows: Vec<BTreeSet<usize>>,
    /// The rows in which an unknown stands, its own apart.
    columns: Vec<BTreeSet<usize>>,
    /// For each unknown the steps whose unknowns stood in its row.
    before: Vec<Vec<usize>>,
    /// Unknowns by the products that their elimination takes.
    queue: BTreeSet<(usize, usize)>,
    queued: Vec<usize>,
    done: usize,
}

impl Equations {
    fn new(system: &System) -> Self {
        let size = system.diagonal.len();
        let mut equations = Self {
            rows: vec![BTreeSet::new(); size],
            columns: vec![BTreeSet::new(); size],
            before: vec![Vec::new(); size],
            queue: BTreeSet::new(),
            queued: vec![0; size],
            done: 0,
        };
        for (from, to, _) in &system.moves {
            equations.rows[*to as usize].insert(*from as usize);
            equations.columns[*from as usize].insert(*to as usize);
        }
        (0..size).for_each(|unknown| equations.queue(unknown));
        equations
    }

    fn queue(&mut self, unknown: usize) {
        let products = self.rows[unknown].len() * self.columns[unknown].len();
        self.queue.remove(&(self.queued[unknown], unknown));
        self.queue.insert((products, unknown));
        self.queued[unknown] = products;
    }

    /// Solves an equation for its unknown, and puts that into all others; the unknowns that it is then made of.
    fn eliminate(&mut self, unknown: usize) -> BTreeSet<usize> {
        let row = std::mem::take(&mut self.rows[unknown]);
        let column = std::mem::take(&mut self.columns[unknown]);
        for &other in &column {
            self.rows[other].remove(&unknown);
            self.before[other].push(self.done);
            for &from in row.iter().filter(|from| **from != other) {
                if self.rows[other].insert(from) {
                    self.columns[from].insert(other);
                }
            }
        }
        for from in &row {
            self.columns[*from].remove(&unknown);
        }
        self.done += 1;
        let met: BTreeSet<usize> = row.union(&column).copied().collect();
        met.into_iter().for_each(|other| self.queue(other));
        row
    }
}

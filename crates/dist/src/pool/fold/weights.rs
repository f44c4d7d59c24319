//! The weights of a fold: for each state the weights of all that the waiting dice can be.

use std::collections::HashMap;

use super::moves::{Moves, Next};
use crate::number::{Number, bits, product_steps, used_words, words};
use crate::pool::descent::{Descent, Row, Stage};
use crate::pool::dice::Pool;
use crate::{Budget, Error};

/// Steps for one number of dice that can show a face.
const COUNT_STEPS: u128 = 4;

/// Steps for one product besides those of its words.
const PRODUCT_STEPS: u128 = 4;

/// Steps for a stage, however little there is to do.
const STAGE_STEPS: u128 = 600;

/// The bytes of one number of dice that can show a face, and of all of them for a row.
const COUNT_BYTES: u128 = 4;
const COUNTS_BYTES: u128 = 48;

/// The bytes of a row, besides its weights.
const ROW_BYTES: u128 = 56;

/// The weights of a fold.
pub(super) struct Fold<'a, W> {
    descent: Descent<W>,
    /// For each state the weights of all places of the waiting dice.
    rows: Vec<Row<W>>,
    /// The weights of outcomes that are settled.
    settled: Vec<W>,
    /// Words of a weight.
    width: u128,
    /// The most memory that numbers took so far.
    bytes: u128,
    /// The most that the counts of a stage took.
    counts_bytes: u128,
    budget: &'a Budget,
}

impl<'a, W: Number> Fold<'a, W> {
    pub(super) fn new(pool: &Pool, budget: &'a Budget) -> Result<Self, Error> {
        let start = Row {
            first: 0,
            weights: vec![W::from_u64(1)],
        };
        Ok(Self {
            descent: Descent::new(pool, budget)?,
            rows: vec![start],
            settled: Vec::new(),
            width: words(bits(&pool.total()) as u128),
            bytes: 0,
            counts_bytes: 0,
            budget,
        })
    }

    /// How many stages there are: families showing a face, one after the other.
    pub(super) fn stages(&self) -> usize {
        self.descent.stages.len()
    }

    /// Whether no other family shows the face of a stage after it.
    pub(super) fn ends_face(&self, at: usize) -> bool {
        self.descent.stages[at].ends_face
    }

    /// The face of a stage, and the face below it.
    pub(super) fn faces(&self, at: usize) -> (i64, Option<i64>) {
        let next = self.descent.stages.get(at + 1);
        (self.descent.stages[at].face, next.map(|stage| stage.face))
    }

    /// For each row, the numbers of dice that can show the face of a stage, ascending.
    pub(super) fn counts(&mut self, at: usize) -> Result<Vec<Vec<u32>>, Error> {
        let stage = &self.descent.stages[at];
        let mut len = 0;
        let mut ranges = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let mut range = (u32::MAX, 0);
            for (place, _) in row.joined(stage) {
                let (least, most) = stage.counts(place);
                range = (range.0.min(least), range.1.max(most));
            }
            len += u128::from(range.1 - range.0) + 1;
            ranges.push(range);
        }
        self.budget.charge(len * COUNT_STEPS)?;
        let bytes = len * COUNT_BYTES + self.rows.len() as u128 * COUNTS_BYTES;
        self.budget.charge_most(bytes, &mut self.counts_bytes)?;
        let counts = self.rows.iter().zip(ranges);
        Ok(counts
            .map(|(row, range)| row.counts(stage, range))
            .collect())
    }

    /// Lets the dice of a stage show its face, in all ways; afterwards there are `states` rows
    /// and `outcomes` weights that are settled.
    pub(super) fn show(
        &mut self,
        at: usize,
        moves: &[Moves],
        (states, outcomes): (usize, usize),
    ) -> Result<(), Error> {
        let (ends, options) = self.predict(at, moves)?;
        let mut next = self.empty_rows(at, moves, (states, outcomes, options))?;
        self.descent.prepare(at, &ends);
        self.settled.resize(outcomes, W::zero());
        let rows = std::mem::take(&mut self.rows);
        let mut tails = HashMap::new();
        for (row, moves) in rows.iter().zip(moves) {
            self.spread(at, row, moves, &mut next);
            if let Some((end, outcome)) = moves.enough {
                self.settle(at, row, (end, outcome), &mut tails);
            }
        }
        self.descent.leave(at);
        self.rows = next;
        Ok(())
    }

    /// Charges for a stage; by the number of waiting dice, below which count options are needed, and how many these are.
    fn predict(&self, at: usize, moves: &[Moves]) -> Result<(Vec<Option<u32>>, u128), Error> {
        let stage = &self.descent.stages[at];
        let mut ends: Vec<Option<u32>> = Vec::new();
        let mut steps = 0;
        for (row, moves) in self.rows.iter().zip(moves) {
            for (place, weight) in row.joined(stage) {
                let (least, most) = stage.counts(place);
                let end = moves.end().min(most + 1);
                let products = u128::from(end.saturating_sub(least)) + 1;
                // Weights grow from face to face, and short ones are cheap.
                let left = used_words(weight);
                steps += products * (PRODUCT_STEPS + product_steps(self.width, left));
                let waiting = stage.waiting(place) as usize;
                ends.resize(ends.len().max(waiting + 1), None);
                ends[waiting] = ends[waiting].max(Some(end));
            }
        }
        let options: u128 = ends.iter().flatten().map(|end| u128::from(*end)).sum();
        let option = PRODUCT_STEPS + product_steps(self.width, self.width / 2);
        self.budget
            .charge(STAGE_STEPS + stage.places as u128 + steps + options * option)?;
        Ok((ends, options))
    }

    /// Rows for what comes after a stage, with the places that can be reached; charges for all numbers that are there at
    /// once, those of the stage's options included.
    fn empty_rows(
        &mut self,
        at: usize,
        moves: &[Moves],
        (states, outcomes, options): (usize, usize, u128),
    ) -> Result<Vec<Row<W>>, Error> {
        let stage = &self.descent.stages[at];
        let mut reached = vec![(usize::MAX, 0); states];
        for (row, moves) in self.rows.iter().zip(moves) {
            let first = stage.joined(row.first);
            let last = first + row.weights.len() - 1;
            for (count, next) in (moves.least..).zip(&moves.next) {
                if let Some(Next::On(state)) = next {
                    let (low, high) = stage.after_range(first, last, count);
                    let range = &mut reached[*state];
                    *range = (range.0.min(low), range.1.max(high));
                }
            }
        }
        let before: usize = self.rows.iter().map(|row| row.weights.len()).sum();
        let after: usize = reached.iter().map(|(low, high)| high - low + 1).sum();
        // An option is made of a binomial coefficient, which stays. What can follow is weighed by place, before and after.
        let others = 2 * (options + stage.places as u128) + outcomes as u128;
        let numbers = (before + after) as u128 + others;
        let rows = (self.rows.len() + states) as u128 * ROW_BYTES;
        let bytes = numbers.saturating_mul(8 * self.width).saturating_add(rows);
        self.budget.charge_most(bytes, &mut self.bytes)?;
        let row = |(low, high)| Row {
            first: low,
            weights: vec![W::zero(); high - low + 1],
        };
        Ok(reached.into_iter().map(row).collect())
    }

    /// Adds all that follows from a row with counts that are told apart.
    fn spread(&mut self, at: usize, row: &Row<W>, moves: &Moves, next: &mut [Row<W>]) {
        let stage = &self.descent.stages[at];
        let rests = &mut self.descent.rests[at + 1];
        for (place, weight) in row.joined(stage) {
            for (count, ways) in stage.options(place).below(moves.end()) {
                let after = stage.after(place, count);
                match moves.next(count) {
                    Next::On(state) => {
                        let Row { first, weights } = &mut next[state];
                        weights[after - *first].add_product(weight, ways);
                    }
                    Next::Settled(outcome) => {
                        let weight = weight.times(ways);
                        self.settled[outcome].add_product(rests.of(after), &weight);
                    }
                }
            }
        }
    }

    /// Adds what a row settles with counts that are not told apart, those from `end` on.
    fn settle(
        &mut self,
        at: usize,
        row: &Row<W>,
        (end, outcome): (u32, usize),
        tails: &mut HashMap<(usize, u32), W>,
    ) {
        let descent = &mut self.descent;
        let places = |stage: &Stage<W>| -> Vec<(usize, W)> {
            let pairs = row.joined(stage);
            let enough = pairs.filter(|(place, _)| stage.counts(*place).1 >= end);
            enough
                .map(|(place, weight)| (place, weight.clone()))
                .collect()
        };
        for (place, weight) in places(&descent.stages[at]) {
            let tail = tails
                .entry((place, end))
                .or_insert_with(|| descent.tail(at, place, end));
            self.settled[outcome].add_product(tail, &weight);
        }
    }

    /// The weights of all outcomes, at the end.
    pub(super) fn finish(self) -> impl Iterator<Item = W> {
        let last = self.rows.into_iter().flat_map(|row| row.weights);
        self.settled.into_iter().chain(last)
    }
}

impl<W: Number> Row<W> {
    /// The counts that can be, ascending, of which `least` is the lowest and `most` the highest.
    fn counts(&self, stage: &Stage<W>, (least, most): (u32, u32)) -> Vec<u32> {
        if self.weights.len() == 1 {
            return (least..=most).collect();
        }
        // Where ranges of counts begin, and after them where they end.
        let len = (most - least) as usize + 1;
        let (mut begun, mut ended) = (vec![0_usize; len], vec![0_usize; len + 1]);
        for (place, _) in self.joined(stage) {
            let (first, last) = stage.counts(place);
            begun[(first - least) as usize] += 1;
            ended[(last - least) as usize + 1] += 1;
        }
        let mut open = 0;
        let mut counts = Vec::with_capacity(len);
        for (count, (begun, ended)) in (least..).zip(begun.into_iter().zip(ended)) {
            open = open + begun - ended;
            if open > 0 {
                counts.push(count);
            }
        }
        counts
    }

    /// Places with their weights, after more dice have joined a family.
    fn joined(&self, stage: &Stage<W>) -> impl Iterator<Item = (usize, &W)> {
        let positive = |(_, weight): &(usize, &W)| !weight.is_zero();
        (stage.joined(self.first)..)
            .zip(&self.weights)
            .filter(positive)
    }
}

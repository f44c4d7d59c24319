//! Readings of a roll as evaluators: sums, sets, and several readings of the same roll.

use super::Pool;
use super::fold::Evaluator;
use super::kept::{Feature, Kept, Reading};
use crate::power::multisets;
use crate::{Budget, Error, Weighted};

/// The sum of values of the kept dice.
pub(super) struct SumReader<'a> {
    pub(super) kept: Kept,
    pub(super) reading: &'a Reading,
}

impl Evaluator for SumReader<'_> {
    /// Dice placed, sum so far.
    type State = (u32, i64);
    type Outcome = i64;

    fn start(&self, _size: u32) -> (u32, i64) {
        (0, 0)
    }

    fn step(&self, (placed, sum): &(u32, i64), face: i64, count: u32) -> (u32, i64) {
        let taken = i64::from(self.kept.overlap(*placed, count));
        (placed + count, sum + taken * self.reading.value(face))
    }

    fn finish(&self, (_, sum): (u32, i64)) -> i64 {
        sum
    }
}

impl Reading {
    /// The value of a face; 0 for readings that do not sum.
    pub(super) fn value(&self, face: i64) -> i64 {
        match self {
            Self::Sum => face,
            Self::SumOf(values) => {
                let place = values.binary_search_by_key(&face, |(at, _)| *at);
                values[place.expect("the faces of the pool were checked")].1
            }
            Self::Matches(_) => 0,
        }
    }
}

/// The size of the largest set.
pub(super) struct LargestSet {
    pub(super) kept: Kept,
}

impl Evaluator for LargestSet {
    /// Dice placed, largest set so far.
    type State = (u32, u32);
    type Outcome = i64;

    fn start(&self, _size: u32) -> (u32, u32) {
        (0, 0)
    }

    fn step(&self, (placed, largest): &(u32, u32), _face: i64, count: u32) -> (u32, u32) {
        let set = self.kept.overlap(*placed, count);
        (placed + count, set.max(*largest))
    }

    fn finish(&self, (_, largest): (u32, u32)) -> i64 {
        i64::from(largest)
    }
}

/// Several readings of the same roll.
struct JointReader<'a> {
    features: &'a [Feature],
    /// How many cells of the state each feature uses.
    cells: Vec<usize>,
}

impl<'a> JointReader<'a> {
    fn new(features: &'a [Feature], pool: &Pool) -> Self {
        let faces = pool.faces().len();
        let cells = features.iter().map(|feature| match feature.reading {
            Reading::Sum | Reading::SumOf(_) => 1,
            // The k largest sets so far; there are no more sets than faces or dice.
            Reading::Matches(k) => {
                let dice = feature.kept.within(pool.size()).len() as usize;
                if k as usize > faces.min(dice) {
                    0
                } else {
                    k as usize
                }
            }
        });
        Self {
            features,
            cells: cells.collect(),
        }
    }
}

impl Evaluator for JointReader<'_> {
    /// Dice placed, then one cell for a sum and `k` for the `k` largest sets.
    type State = (u32, Vec<i64>);
    type Outcome = Vec<i64>;

    fn start(&self, _size: u32) -> (u32, Vec<i64>) {
        (0, vec![0; self.cells.iter().sum()])
    }

    fn step(&self, (placed, cells): &(u32, Vec<i64>), face: i64, count: u32) -> (u32, Vec<i64>) {
        let mut next = cells.clone();
        let mut rest = next.as_mut_slice();
        for (feature, len) in self.features.iter().zip(&self.cells) {
            let (own, others) = rest.split_at_mut(*len);
            rest = others;
            let taken = i64::from(feature.kept.overlap(*placed, count));
            match feature.reading {
                Reading::Matches(_) => insert_descending(own, taken),
                _ => own[0] += taken * feature.reading.value(face),
            }
        }
        (placed + count, next)
    }

    fn finish(&self, (_, cells): (u32, Vec<i64>)) -> Vec<i64> {
        let mut rest = cells.as_slice();
        let mut read = Vec::with_capacity(self.cells.len());
        for len in &self.cells {
            let (own, others) = rest.split_at(*len);
            rest = others;
            read.push(own.last().copied().unwrap_or(0));
        }
        read
    }
}

/// Puts `value` in its place in a descending row; the lowest falls off the end.
fn insert_descending(row: &mut [i64], value: i64) {
    let place = row.partition_point(|other| *other >= value);
    if place < row.len() {
        row[place..].rotate_right(1);
        row[place] = value;
    }
}

/// The whole roll, sorted from the highest.
struct Roll;

impl Evaluator for Roll {
    type State = Vec<i64>;
    type Outcome = Vec<i64>;

    fn start(&self, size: u32) -> Vec<i64> {
        Vec::with_capacity(size as usize)
    }

    fn step(&self, roll: &Vec<i64>, face: i64, count: u32) -> Vec<i64> {
        let mut roll = roll.clone();
        roll.resize(roll.len() + count as usize, face);
        roll
    }

    fn finish(&self, roll: Vec<i64>) -> Vec<i64> {
        roll
    }
}

impl Pool {
    /// Several readings of the *same* roll: one value for each of `features`, in their order.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Feature, Kept, Pool, UBig};
    /// let pool = Pool::new([(Dist::die(6)?, 2)]);
    /// let [high, low] = [Kept::all(2).keep_highest(1), Kept::all(2).keep_lowest(1)];
    /// let both = pool.read_jointly(
    ///     &[Feature::sum(high), Feature::sum(low)],
    ///     &Budget::unlimited(),
    /// )?;
    /// assert_eq!(both.weight(&vec![6, 1]), UBig::from(2_u8));
    /// assert_eq!(both.weight(&vec![1, 6]), UBig::ZERO);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    ///
    /// # Cost
    /// That of [`fold`](Self::fold): the states are the different partial readings.
    pub fn read_jointly(
        &self,
        features: &[Feature],
        budget: &Budget,
    ) -> Result<Weighted<Vec<i64>>, Error> {
        for feature in features {
            self.check(feature)?;
        }
        self.fold(&JointReader::new(features, self), budget)
    }

    /// Every roll, sorted from the highest die, with its weight.
    ///
    /// # Errors
    /// [`Error::OverBudget`]: there are `C(n + s - 1, n)` rolls of `n` dice with `s` faces.
    pub fn multisets(&self, budget: &Budget) -> Result<Weighted<Vec<i64>>, Error> {
        let (size, faces) = (u128::from(self.size()), self.faces().len());
        let rolls = multisets(self.size(), faces);
        budget.charge(rolls.saturating_mul(size + 16))?;
        budget.charge_memory(rolls.saturating_mul(8 * size + 64))?;
        self.fold(&Roll, budget)
    }
}

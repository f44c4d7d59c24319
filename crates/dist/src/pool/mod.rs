//! Dice rolled together, and what is read of the roll.

mod codes;
mod descent;
pub(crate) mod dice;
mod equal_dice;
mod fast;
mod fold;
mod growth;
mod joint;
mod keep;
pub(crate) mod kept;
mod layers;
mod plan;
mod position;
mod range;
mod range_cost;
mod reading;
mod sets;
mod wins;

pub use dice::Pool;
pub use fold::Evaluator;
pub use growth::Growth;
pub use kept::{Feature, Kept};
use reading::Faces;
pub use reading::{Carry, Reading, Steps};

use crate::number::bits;
use crate::{Budget, Dist, Error, Plan, words};
use dice::Source;

impl Pool {
    /// The distribution of one reading; its total is that of the pool.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Feature, Pool, RBig};
    /// let budget = Budget::unlimited();
    /// // The second highest of two d6 and two d8.
    /// let mixed = Pool::new([(Dist::die(6)?, 2), (Dist::die(8)?, 2)]);
    /// let second = Feature::sum(mixed.kept_all().drop_highest(1).keep_highest(1));
    /// let second = mixed.read(&second, &budget)?;
    /// assert_eq!(second.pmf(6), RBig::from_parts(535.into(), 2304_u16.into()));
    /// // The largest set of equal faces in 8d10.
    /// let pool = Pool::new([(Dist::die(10)?, 8)]);
    /// let largest = pool.read(&Feature::matches(pool.kept_all(), 1), &budget)?;
    /// assert_eq!(largest.pmf(1), RBig::from_parts(567.into(), 31250_u16.into()));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] if a sum can leave `i64`; [`Error::FaceWithoutValue`] for a
    /// face without a value in [`Reading::SumOf`]; [`Error::OverBudget`].
    ///
    /// # Cost
    /// Depends on the question. Sums and counts over the whole pool cost little more than
    /// their outcomes; a single place costs faces times dice; the highest or lowest of equal
    /// dice cost faces times kept dice times sums. All else is a [`fold`](Self::fold).
    pub fn read(&self, feature: &Feature, budget: &Budget) -> Result<Dist, Error> {
        self.check(feature)?;
        let kept = feature.kept.within(self.size());
        budget.charge(self.bits_bound())?;
        if kept.is_empty() {
            let nothing = feature.cap.map_or(0, |cap| cap.min(0));
            return Ok(Dist::certain(nothing, self.total()));
        }
        let feature = Feature {
            kept,
            ..feature.clone()
        };
        let read = match &self.source {
            Source::Dice(groups) => self.read_fast(groups, &feature, budget)?,
            Source::Bag { .. } => None,
        };
        match (read, feature.cap) {
            (Some(read), Some(cap)) => Ok(read.map(|value| value.min(cap))),
            (Some(read), None) => Ok(read),
            (None, _) => self.fold_alone(&feature, budget),
        }
    }

    /// One reading by the general fold.
    fn fold_alone(&self, feature: &Feature, budget: &Budget) -> Result<Dist, Error> {
        let plan = || {
            let reason = "nothing faster fits".to_owned();
            self.planned(feature, "fold over faces", reason)
        };
        let features = std::slice::from_ref(feature);
        let read = budget.noted(plan, |budget| joint::read(self, features, budget))?;
        let read = read.into_iter();
        let weights = read.map(|(values, weight)| (values[0], weight)).collect();
        Ok(Dist::from_unsorted(weights, self.total()))
    }

    fn planned(&self, feature: &Feature, algorithm: &'static str, reason: String) -> Plan {
        Plan {
            question: words::question(self, feature),
            algorithm,
            reason,
            bits: bits(&self.total()),
        }
    }

    /// Whether a feature can be read of every roll: each face has a value, and sums are within `i64`, those of a whole pool
    /// by the ends of each die, those of a part of it by the ends of all dice.
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] and [`Error::FaceWithoutValue`], as [`read`](Self::read).
    pub fn check(&self, feature: &Feature) -> Result<(), Error> {
        let kept = feature.kept.within(self.size()).len();
        feature.reading.check(self, kept)
    }

    /// Whether the sum of any of the dice is an `i64`.
    fn has_sums(&self) -> bool {
        let Source::Dice(groups) = &self.source else {
            return false;
        };
        let end = |of: fn(&Dist) -> i64, signs: std::ops::RangeInclusive<i64>| {
            let ends = groups
                .iter()
                .map(|(die, count)| (of(die), i128::from(*count)));
            let ends = ends.filter(|(end, _)| signs.contains(end));
            i64::try_from(
                ends.map(|(end, count)| i128::from(end) * count)
                    .sum::<i128>(),
            )
            .is_ok()
        };
        end(Dist::min, i64::MIN..=0) && end(Dist::max, 0..=i64::MAX)
    }
}

impl Faces for Pool {
    fn ends(&self) -> [Option<i64>; 2] {
        [self.min_face(), self.max_face()]
    }

    fn all(&self) -> Vec<i64> {
        self.faces()
    }

    fn has_sum_of(&self, dice: u32) -> bool {
        dice == self.size() && self.has_sums()
    }
}

//! Dice rolled together, and what is read of the roll.

mod descent;
pub(crate) mod dice;
mod equal_dice;
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
mod sets;
mod wins;

pub use dice::Pool;
pub use fold::Evaluator;
pub use growth::Growth;
pub use kept::{Feature, Kept, Reading};

use crate::change::checked;
use crate::number::bits;
use crate::{Budget, Dist, Error, Plan, words};
use dice::Source;
use plan::Candidates;

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
            Source::Dice(groups) => self.read_dice(groups, &feature, budget)?,
            Source::Bag { .. } => None,
        };
        match (read, feature.cap) {
            (Some(read), Some(cap)) => Ok(read.map(|value| value.min(cap))),
            (Some(read), None) => Ok(read),
            (None, _) => self.fold_alone(&feature, budget),
        }
    }

    /// Reads dice by anything that is faster than the general fold.
    fn read_dice(
        &self,
        groups: &[(Dist, u32)],
        feature: &Feature,
        budget: &Budget,
    ) -> Result<Option<Dist>, Error> {
        let kept = feature.kept;
        let value = |face| feature.reading.value(face);
        match &feature.reading {
            Reading::Sum if kept.len() == self.size() => sum_of_groups(groups, budget).map(Some),
            Reading::Sum => self.kept_sum(groups, feature, budget),
            Reading::SumOf(_) if kept.len() == self.size() => {
                let valued = groups.iter().map(|(die, count)| (die.map(value), *count));
                let valued: Vec<_> = valued.collect();
                let plan = || {
                    let reason = "what dice count for are dice as well".to_owned();
                    self.planned(feature, "sum of dice", reason)
                };
                budget
                    .noted(plan, |budget| sum_of_groups(&valued, budget))
                    .map(Some)
            }
            Reading::SumOf(_) if kept.len() == 1 => {
                let place = self.kept_sum(groups, &Feature::sum(kept), budget)?;
                Ok(place.map(|place| place.map(value)))
            }
            Reading::Matches(1) if kept.len() == self.size() => self.largest_set(groups, budget),
            _ => Ok(None),
        }
    }

    /// The sum of some of the dice.
    fn kept_sum(
        &self,
        groups: &[(Dist, u32)],
        feature: &Feature,
        budget: &Budget,
    ) -> Result<Option<Dist>, Error> {
        let kept = feature.kept;
        let lowest = match groups {
            [(die, n)] => {
                let is_end = kept.start > 0 && kept.end == *n;
                // Mirrored sums must not leave the range.
                is_end && die.min() > -(i64::MAX / i64::from(kept.len()))
            }
            _ => false,
        };
        if !lowest {
            return self.best_sum(groups, kept, feature, budget);
        }
        // The lowest dice are the highest of mirrored ones.
        let mirrored: Vec<_> = groups.iter().map(|(die, n)| (die.mirrored(), *n)).collect();
        let highest = Kept {
            start: 0,
            end: kept.len(),
        };
        let sum = self.best_sum(&mirrored, highest, feature, budget)?;
        Ok(sum.map(|sum| sum.mirrored()))
    }

    /// The sum of `kept` by the best of the ways that fit; `feature` is what was asked.
    fn best_sum(
        &self,
        groups: &[(Dist, u32)],
        kept: Kept,
        feature: &Feature,
        budget: &Budget,
    ) -> Result<Option<Dist>, Error> {
        if let [(die, n)] = groups
            && let Some(face) = die.as_constant()
        {
            let total = die.total().pow(*n as usize);
            return Ok(Some(Dist::certain(face * i64::from(kept.len()), total)));
        }
        let candidates = Candidates::new(groups, kept);
        let Some(best) = candidates.best() else {
            return Ok(None);
        };
        let plan = || self.planned(feature, best.name(), candidates.reason(best));
        budget
            .noted(plan, |budget| best.sum(kept, budget))
            .map(Some)
    }

    fn largest_set(&self, groups: &[(Dist, u32)], budget: &Budget) -> Result<Option<Dist>, Error> {
        let [(die, n)] = groups else { return Ok(None) };
        if die.as_constant().is_some() || !die.is_even() {
            return Ok(None);
        }
        let plan = || {
            let feature = Feature::matches(self.kept_all(), 1);
            let reason = "all of some equal dice, whose faces are equally likely";
            self.planned(&feature, "recurrence over sets", reason.to_owned())
        };
        let sets = budget.noted(plan, |budget| sets::largest(die, *n, budget))?;
        Ok(Some(sets))
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
        if kept == self.size() && feature.reading == Reading::Sum && self.has_sums() {
            return Ok(());
        }
        let dice = i64::from(kept);
        let fits = |value| checked(value, "*", dice, i64::checked_mul).map(|_| ());
        match &feature.reading {
            Reading::Sum => [self.min_face(), self.max_face()]
                .into_iter()
                .flatten()
                .try_for_each(fits),
            Reading::SumOf(table) => self.faces().into_iter().try_for_each(|face| {
                let place = table.binary_search_by_key(&face, |(at, _)| *at);
                let place = place.map_err(|_| Error::FaceWithoutValue { face })?;
                fits(table[place].1)
            }),
            Reading::Matches(_) => Ok(()),
        }
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

/// The sum of independent dice: equal ones first, then the smallest sums first.
fn sum_of_groups(groups: &[(Dist, u32)], budget: &Budget) -> Result<Dist, Error> {
    let sums = groups.iter().map(|(die, count)| die.sum_of(*count, budget));
    let mut sums: Vec<Dist> = sums.collect::<Result<_, _>>()?;
    sums.sort_by_cached_key(|sum| std::cmp::Reverse(sum.len()));
    let mut all = sums.pop().unwrap_or_else(|| Dist::constant(0));
    while let Some(sum) = sums.pop() {
        all = all.convolve(&sum, budget)?;
    }
    Ok(all)
}

//! Fast paths: readings that are answered without the general fold.

use super::dice::Pool;
use super::kept::{Feature, Kept};
use super::plan::Candidates;
use super::reading::{Reading, Values};
use super::sets;
use crate::{Budget, Dist, Error};

impl Pool {
    /// Reads dice by what is faster than the general fold, if that fits.
    pub(super) fn read_fast(
        &self,
        groups: &[(Dist, u32)],
        feature: &Feature,
        budget: &Budget,
    ) -> Result<Option<Dist>, Error> {
        let kept = feature.kept;
        let is_whole = kept.len() == self.size();
        match &feature.reading {
            Reading::Sum if is_whole => sum_of_groups(groups, budget).map(Some),
            Reading::Sum => self.kept_sum(groups, feature, budget),
            Reading::SumOf(table) if is_whole => self
                .valued_sum(groups, Values::Table(table), feature, budget)
                .map(Some),
            Reading::SumOf(table) if kept.len() == 1 => {
                let place = self.kept_sum(groups, &Feature::sum(kept), budget)?;
                Ok(place.map(|place| place.map(|face| Values::Table(table).of(face))))
            }
            Reading::Matches(1) if is_whole => self.largest_set(groups, budget),
            Reading::SumOf(_) | Reading::Matches(_) | Reading::Steps(_) => Ok(None),
        }
    }

    /// The sum of what all of the dice count for.
    fn valued_sum(
        &self,
        groups: &[(Dist, u32)],
        values: Values<'_>,
        feature: &Feature,
        budget: &Budget,
    ) -> Result<Dist, Error> {
        let valued = groups
            .iter()
            .map(|(die, count)| (die.map(|face| values.of(face)), *count));
        let bytes = groups.iter().map(|(die, _)| die.bytes_to_map());
        let budget = &budget.part();
        budget.charge_memory(bytes.sum())?;
        let valued: Vec<_> = valued.collect();
        let plan = || {
            let reason = "what dice count for are dice as well".to_owned();
            self.planned(feature, "sum of dice", reason)
        };
        budget.noted(plan, |budget| sum_of_groups(&valued, budget))
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
}

/// The sum of independent dice: equal ones first, then the smallest sums first.
pub(super) fn sum_of_groups(groups: &[(Dist, u32)], budget: &Budget) -> Result<Dist, Error> {
    let sums = groups.iter().map(|(die, count)| die.sum_of(*count, budget));
    let mut sums: Vec<Dist> = sums.collect::<Result<_, _>>()?;
    sums.sort_by_cached_key(|sum| std::cmp::Reverse(sum.len()));
    let mut all = sums.pop().unwrap_or_else(|| Dist::constant(0));
    while let Some(sum) = sums.pop() {
        all = all.convolve(&sum, budget)?;
    }
    Ok(all)
}

//! Several sums over all dice of the same roll: each face is one number that has what it counts for in each of them as a
//! digit, so that the sum of these numbers has all sums as its digits.
//!
//! Of 2d6, their sum and how many show a 6: a sum is 2 to 12, one of 11, and the sixes are 0 to 2, one of 3. A face that is
//! `f` and counts `s` sixes is the number `(f - 1) + 11 s`. Two fives are 4 + 4 = 8, which has the digits 8 and 0: the sum is
//! 2 + 8. Two sixes are 16 + 16 = 32, with the digits 10 and 2: a sum of 12, and two sixes.

use super::dice::Pool;
use super::fast::sum_of_groups;
use super::kept::Feature;
use super::reading::Values;
use crate::number::gcd;
use crate::power::multisets;
use crate::{Budget, Dist, Error, Weighted};

/// A table of numbers may be so many times as large as that of all rolls.
const MOST_PLACES: u128 = 4;

/// The bytes of a row beside its numbers and its weight: a list, a number of words, and an allocation.
const ROW_BYTES: u128 = 64;

/// Readings that are sums over all dice, with a digit each.
pub(super) struct Codes<'a> {
    groups: &'a [(Dist, u32)],
    digits: Vec<Digit<'a>>,
}

/// The digit of a sum.
struct Digit<'a> {
    values: Values<'a>,
    /// What each kind of dice counts for at least.
    least: Vec<i64>,
    /// What all dice count for at least.
    start: i64,
    /// What the digit counts in: how far two values of a die are apart is a multiple of it.
    step: i64,
    /// One more than its greatest value.
    base: i64,
    /// What it is worth in a number: the bases of those before it, multiplied.
    place: i64,
    cap: i64,
}

impl<'a> Codes<'a> {
    /// None unless every reading is a sum over all dice, and the numbers are few beside the rolls.
    pub(super) fn of(pool: &'a Pool, features: &'a [Feature]) -> Option<Self> {
        let groups = pool.groups().filter(|_| pool.size() > 0)?;
        let mut place = 1;
        let mut digits = Vec::with_capacity(features.len());
        for feature in features {
            if feature.kept.within(pool.size()) != pool.kept_all() {
                return None;
            }
            let digit = Digit::of(groups, feature, place)?;
            place = place.checked_mul(digit.base)?;
            digits.push(digit);
        }
        let of_kind = |(die, count): &(Dist, u32)| multisets(*count, die.len());
        let rolls =
            { groups.iter() }.fold(1_u128, |rolls, kind| rolls.saturating_mul(of_kind(kind)));
        let is_small = u128::from(place.unsigned_abs()) <= rolls.saturating_mul(MOST_PLACES);
        is_small.then_some(Self { groups, digits })
    }

    /// All sums together.
    pub(super) fn read(&self, budget: &Budget) -> Result<Weighted<Vec<i64>>, Error> {
        let budget = &budget.part();
        let bytes = self.groups.iter().map(|(die, _)| die.bytes_to_map());
        budget.charge_memory(bytes.sum())?;
        let groups = self.groups.iter().enumerate();
        let coded =
            groups.map(|(kind, (die, count))| (die.map(|face| self.code(kind, face)), *count));
        let sums = sum_of_groups(&coded.collect::<Vec<_>>(), budget)?;
        let (rows, digits) = (sums.len() as u128, self.digits.len() as u128);
        budget.charge(rows * digits)?;
        budget.charge_memory(rows * (ROW_BYTES + 8 * digits) + sums.bytes_to_map())?;
        let pairs = sums.iter().map(|(code, weight)| (self.sums(code), weight));
        Weighted::from_weights(pairs)
    }

    /// The number of a face of a kind of dice.
    fn code(&self, kind: usize, face: i64) -> i64 {
        let digits = self.digits.iter();
        digits
            .map(|digit| (digit.values.of(face) - digit.least[kind]) / digit.step * digit.place)
            .sum()
    }

    /// The sums that a number stands for.
    fn sums(&self, code: i64) -> Vec<i64> {
        let sum = |digit: &Digit<'_>| {
            let own = code / digit.place % digit.base;
            (digit.start + digit.step * own).min(digit.cap)
        };
        self.digits.iter().map(sum).collect()
    }
}

impl<'a> Digit<'a> {
    /// None if the reading is no sum, or its values are too far apart.
    fn of(groups: &[(Dist, u32)], feature: &'a Feature, place: i64) -> Option<Self> {
        let values = feature.reading.values()?;
        let (mut least, mut start, mut span, mut step) = (Vec::new(), 0_i64, 0_i64, 0_u64);
        for (die, count) in groups {
            let own = || die.iter().map(|(face, _)| values.of(face));
            let (low, high) = (own().min()?, own().max()?);
            let count = i64::from(*count);
            start = start.checked_add(low.checked_mul(count)?)?;
            span = span.checked_add(high.checked_sub(low)?.checked_mul(count)?)?;
            step = own().fold(step, |step, value| gcd(step, value.abs_diff(low)));
            least.push(low);
        }
        let step = i64::try_from(step.max(1)).ok()?;
        Some(Self {
            values,
            least,
            start,
            step,
            base: (span / step).checked_add(1)?,
            place,
            cap: feature.cap.unwrap_or(i64::MAX),
        })
    }
}

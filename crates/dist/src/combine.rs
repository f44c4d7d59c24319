//! Two independent distributions, or a mixture of many.

use dashu_int::UBig;
use dashu_int::ops::Gcd;

use crate::change::checked;
use crate::dist::{bytes_of_packed, index, merge_equal, merge_pairs, sort_pairs, span};
use crate::number::weights::{WeightRow, Weights};
use crate::number::{Number, add_product, bits, gcd, number_bytes, with_limbs, with_width, words};
use crate::{Budget, Dist, Error, Plan};

/// The steps that two small distributions cost at the least.
const FIXED_STEPS: u128 = 250;

/// How two independent outcomes compare, in weights that sum to `total`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// Weight of the left outcome being lower.
    pub less: UBig,
    /// Weight of both being equal.
    pub equal: UBig,
    /// Weight of the left outcome being higher.
    pub greater: UBig,
    /// The product of both totals.
    pub total: UBig,
}

impl Dist {
    /// The distribution of `X + Y` for independent `X` and `Y`; totals multiply.
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] if a sum leaves `i64`; [`Error::OverBudget`].
    ///
    /// # Cost
    /// The product of both sizes.
    pub fn convolve(&self, other: &Self, budget: &Budget) -> Result<Self, Error> {
        let plan = || self.planned(other, "the sum of two numbers", "convolution");
        budget.noted(plan, |budget| self.convolved(other, budget))
    }

    fn convolved(&self, other: &Self, budget: &Budget) -> Result<Self, Error> {
        let first = checked(self.min(), "+", other.min(), i64::checked_add)?;
        let last = checked(self.max(), "+", other.max(), i64::checked_add)?;
        let pairs = self.len() as u128 * other.len() as u128;
        let words = self.product_words(other);
        budget.charge(pairs * words + FIXED_STEPS)?;
        let total = self.total() * other.total();
        let is_row = self.is_row() && other.is_row() || span(first, last) <= 4 * pairs;
        Ok(with_limbs!(bits(&total), W => {
            // Both, and a row of all places, or all pairs before equal outcomes meet.
            let number = number_bytes::<W>(bits(&total));
            let places = if is_row { span(first, last) } else { 0 };
            let row = places.saturating_mul(number + bytes_of_packed(bits(&total)));
            let both = (self.places_count() + other.places_count()).saturating_mul(8 + number);
            budget.charge_memory(row.saturating_add(both))?;
            match (self.row::<W>(), other.row::<W>()) {
                (Some(left), Some(right)) => Self::from_row(first, 1, convolve_rows(&left, &right), total),
                _ if is_row => {
                    let mut row = vec![W::zero(); index(first, last) + 1];
                    let right = other.pairs::<W>();
                    for (x, weight) in self.pairs::<W>() {
                        for (y, other_weight) in &right {
                            row[index(first, x + y)].add_product(&weight, other_weight);
                        }
                    }
                    Self::from_row(first, 1, row, total)
                }
                _ => {
                    self.of_all_pairs::<W>(other, |x, y| Ok(x + y), total, budget)?
                }
            }
        }))
    }

    /// The distribution of `X - Y` for independent `X` and `Y`; totals multiply.
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] if a difference, or `-Y`, leaves `i64`;
    /// [`Error::OverBudget`].
    ///
    /// # Cost
    /// The product of both sizes.
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self, Error> {
        self.convolve(&other.negate()?, budget)
    }

    /// The distribution of `f(X, Y)` for independent `X` and `Y`; totals multiply. `f` gives
    /// `None` where its value leaves `i64`.
    ///
    /// ```
    /// # use oddsmith_dist::{Budget, Dist, UBig};
    /// let d6 = Dist::die(6)?;
    /// let product = d6.product(&d6, i64::checked_mul, &Budget::unlimited())?;
    /// assert_eq!(product.weight(12), UBig::from(4_u8)); // 2*6, 3*4, 4*3, 6*2
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] where `f` gives `None`; [`Error::OverBudget`].
    ///
    /// # Cost
    /// The product of both sizes, and as many pairs in memory before equal values are merged.
    pub fn product(
        &self,
        other: &Self,
        f: impl Fn(i64, i64) -> Option<i64>,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let plan = || self.planned(other, "a function of two numbers", "all pairs");
        budget.noted(plan, |budget| self.of_pairs(other, f, budget))
    }

    fn of_pairs(
        &self,
        other: &Self,
        f: impl Fn(i64, i64) -> Option<i64>,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let pairs = self.len() as u128 * other.len() as u128;
        // They are sorted with their weights.
        let words = words((self.bits() + other.bits()) as u128);
        let sorting = (1 + words) * u128::from(pairs.ilog2());
        budget.charge(pairs * (self.product_words(other) + sorting + 8) + FIXED_STEPS)?;
        let total = self.total() * other.total();
        with_limbs!(bits(&total), W => {
            self.of_all_pairs::<W>(other, |x, y| checked(x, "with", y, &f), total, budget)
        })
    }

    /// The distribution of `f` of every pair of outcomes. Only memory is charged for: all pairs are there, and are sorted,
    /// before equal outcomes meet.
    fn of_all_pairs<W: Number>(
        &self,
        other: &Self,
        f: impl Fn(i64, i64) -> Result<i64, Error>,
        total: UBig,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let count = self.len() as u128 * other.len() as u128;
        let pair = size_of::<(i64, W)>() as u128;
        let heap = number_bytes::<W>(bits(&total)) - size_of::<W>() as u128;
        budget.charge_memory(count.saturating_mul(pair + heap))?;
        let mut pairs = self.all_pairs::<W, Error>(other, f)?;
        if !pairs.is_sorted_by_key(|(x, _)| *x) {
            budget.part().charge_memory(count * (16 + pair))?;
        }
        merge_pairs(&mut pairs);
        budget.charge_memory(Self::bytes_of_merged(&pairs, &total))?;
        Ok(Self::from_merged(pairs, total))
    }

    fn planned(&self, other: &Self, question: &str, algorithm: &'static str) -> Plan {
        Plan {
            question: format!(
                "{question} with {} and {} outcomes",
                self.len(),
                other.len()
            ),
            algorithm,
            reason: "they are independent".to_owned(),
            bits: bits(&(self.total() * other.total())),
        }
    }

    /// `f` of every pair of outcomes, unsorted.
    fn all_pairs<W: Number, E>(
        &self,
        other: &Self,
        f: impl Fn(i64, i64) -> Result<i64, E>,
    ) -> Result<Vec<(i64, W)>, E> {
        let right = other.pairs::<W>();
        let mut values = Vec::with_capacity(self.len() * right.len());
        for (x, weight) in self.pairs::<W>() {
            for (y, other_weight) in &right {
                values.push((f(x, *y)?, weight.times(other_weight)));
            }
        }
        Ok(values)
    }

    /// Words touched by one product of a weight of each.
    fn product_words(&self, other: &Self) -> u128 {
        words(self.bits() as u128) * words(other.bits() as u128)
    }

    /// The higher of two independent outcomes. With `F` the weight up to and including `x`,
    /// `x` has the weight `F(x) G(x) - F(x-1) G(x-1)`; totals multiply.
    ///
    /// # Cost
    /// Linear in both sizes.
    #[must_use]
    pub fn highest_of(&self, other: &Self) -> Self {
        self.extreme(other, Ordered::Ascending)
    }

    /// The lower of two independent outcomes; see [`highest_of`](Self::highest_of).
    #[must_use]
    pub fn lowest_of(&self, other: &Self) -> Self {
        self.extreme(other, Ordered::Descending)
    }

    /// The outcome that comes last in `order`.
    fn extreme(&self, other: &Self, order: Ordered) -> Self {
        let total = self.total() * other.total();
        with_width!(bits(&total), W => {
            let (mut left, mut right) = (self.pairs::<W>(), other.pairs::<W>());
            if matches!(order, Ordered::Descending) {
                left.reverse();
                right.reverse();
            }
            Self::from_unsorted(last_of(&left, &right, order), total)
        })
    }

    /// How two independent outcomes compare.
    ///
    /// ```
    /// # use oddsmith_dist::{Dist, UBig};
    /// let versus = Dist::die(6)?.compare(&Dist::die(4)?);
    /// assert_eq!(versus.less, UBig::from(6_u8)); // 3 + 2 + 1
    /// assert_eq!(versus.equal, UBig::from(4_u8));
    /// assert_eq!(versus.greater, UBig::from(14_u8));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Cost
    /// Linear in both sizes.
    pub fn compare(&self, other: &Self) -> Comparison {
        let total = self.total() * other.total();
        with_width!(bits(&total), W => {
            let right = other.pairs::<W>();
            let (mut below, mut next) = (W::zero(), 0);
            let (mut equal, mut greater) = (W::zero(), W::zero());
            for (x, weight) in self.pairs::<W>() {
                while next < right.len() && right[next].0 < x {
                    below.add(&right[next].1);
                    next += 1;
                }
                greater.add_product(&weight, &below);
                if next < right.len() && right[next].0 == x {
                    equal.add_product(&weight, &right[next].1);
                }
            }
            let (equal, greater) = (equal.into_big(), greater.into_big());
            let less = &total - &equal - &greater;
            Comparison { less, equal, greater, total }
        })
    }

    /// The mixture of `parts`: with the weight `w_i` out of their sum `W`, the outcome is one
    /// of part `i`, so `P(x) = sum of w_i / W * P_i(x)`.
    ///
    /// With `T_i` the totals and `L` their least common multiple, the new total is `W * L`,
    /// and `x` has the weight `sum of w_i * (L / T_i) * weight_i(x)`. Parts of weight 0 count
    /// for nothing, not even for `L`.
    ///
    /// ```
    /// # use oddsmith_dist::{Dist, UBig};
    /// let one = UBig::ONE;
    /// let mixed = Dist::mix(&[(one.clone(), Dist::die(4)?), (one, Dist::die(6)?)])?;
    /// assert_eq!(mixed.total(), &UBig::from(24_u8)); // 2 * lcm(4, 6)
    /// assert_eq!(mixed.weight(1), UBig::from(5_u8)); // 12/4 + 12/6
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no part has a positive weight.
    ///
    /// # Cost
    /// All outcomes of all parts, which are sorted if they lie far apart.
    pub fn mix(parts: &[(UBig, Self)]) -> Result<Self, Error> {
        let parts = || parts.iter().filter(|(weight, _)| !weight.is_zero());
        let shares: UBig = parts().map(|(weight, _)| weight).sum();
        if shares.is_zero() {
            return Err(Error::Empty);
        }
        let common = least_common_multiple(parts().map(|(_, part)| part.total()));
        let total = shares * &common;
        let (first, last) = ends(parts().map(|(_, part)| part));
        let count: usize = parts().map(|(_, part)| part.len()).sum();
        let scaled = || parts().map(|(weight, part)| (part, weight * (&common / part.total())));
        if span(first, last) <= count as u128 {
            let row = mixed_row(scaled(), (first, last), &total);
            return Ok(Self::from_weights_row(first, 1, row, total));
        }
        Ok(with_width!(bits(&total), W => {
            let mut pairs = Vec::with_capacity(count);
            for (part, factor) in scaled() {
                let factor = W::from_big(&factor);
                let scaled = part.pairs::<W>().into_iter();
                pairs.extend(scaled.map(|(x, ways)| (x, ways.times(&factor))));
            }
            Self::from_unsorted(pairs, total)
        }))
    }

    /// The most bytes that [`mix`](Self::mix) takes at once beside its parts, if the total has `bits` bits.
    pub fn bytes_to_mix(parts: &[(UBig, Self)], bits: usize) -> u128 {
        let parts = || parts.iter().map(|(_, part)| part);
        if parts().next().is_none() {
            return 0;
        }
        let (first, last) = ends(parts());
        let count: u128 = parts().map(|part| part.len() as u128).sum();
        let longest = parts().map(Self::len).max().unwrap_or(0);
        // A row of all places, or all pairs; the pairs of one part beside.
        Self::bytes_to_make(count.min(span(first, last)) + longest as u128, bits)
    }
}

/// The weights of a mixture, whose sum is `total`, at all places from the first to the last: of each part its weights times
/// its factor.
fn mixed_row<'a>(
    parts: impl Iterator<Item = (&'a Dist, UBig)>,
    (first, last): (i64, i64),
    total: &UBig,
) -> Weights {
    let len = index(first, last) + 1;
    match bits(total) {
        0..=64 => Weights::Small(narrow_row(parts, first, len)),
        65..=128 => Weights::Middle(narrow_row(parts, first, len)),
        // Big integers would be allocated for each product.
        bits => {
            let mut row = WeightRow::zeros(bits.div_ceil(64), len);
            for (part, factor) in parts {
                let add = |factor: &[u64]| {
                    part.for_each_words(|x, ways| {
                        add_product(row.get_mut(index(first, x)), ways, factor);
                    });
                };
                factor.with_words(add);
            }
            Weights::Large(row)
        }
    }
}

/// Such a row in numbers of a width that holds the total.
fn narrow_row<'a, W: Number>(
    parts: impl Iterator<Item = (&'a Dist, UBig)>,
    first: i64,
    len: usize,
) -> Vec<W> {
    let mut row = vec![W::zero(); len];
    for (part, factor) in parts {
        let factor = W::from_big(&factor);
        for (x, ways) in part.pairs::<W>() {
            row[index(first, x)].add_product(&ways, &factor);
        }
    }
    row
}

/// The lowest outcome of any of some distributions, and the highest.
fn ends<'a>(parts: impl Iterator<Item = &'a Dist>) -> (i64, i64) {
    parts.fold((i64::MAX, i64::MIN), |(low, high), part| {
        (low.min(part.min()), high.max(part.max()))
    })
}

/// The least common multiple of positive numbers.
pub fn least_common_multiple<'a>(numbers: impl Iterator<Item = &'a UBig>) -> UBig {
    numbers.fold(UBig::ONE, |common, number| {
        if &common == number {
            return common;
        }
        if let (Ok(one), Ok(other)) = (u64::try_from(&common), u64::try_from(number))
            && let Some(product) = (one / gcd(one, other)).checked_mul(other)
        {
            return product.into();
        }
        let shared = shared_divisor(&common, number);
        common / shared * number
    })
}

/// The greatest common divisor of positive numbers; 1 if there are none.
pub fn greatest_common_divisor<'a>(mut numbers: impl Iterator<Item = &'a UBig>) -> UBig {
    let Some(first) = numbers.next() else {
        return UBig::ONE;
    };
    let mut shared = first.clone();
    for number in numbers {
        if shared.is_one() {
            break;
        }
        shared = shared_divisor(&shared, number);
    }
    shared
}

/// The greatest common divisor of two positive numbers. Single words, which most weights are, take a few divisions.
fn shared_divisor(left: &UBig, right: &UBig) -> UBig {
    match (u64::try_from(left), u64::try_from(right)) {
        (Ok(left), Ok(right)) => gcd(left, right).into(),
        _ => left.gcd(right),
    }
}

/// The row of all sums: place `i + j` gets `left[i] * right[j]`.
pub(crate) fn convolve_rows<W: Number>(left: &[W], right: &[W]) -> Vec<W> {
    let (short, long) = if left.len() < right.len() {
        (left, right)
    } else {
        (right, left)
    };
    let mut sums = vec![W::zero(); left.len() + right.len() - 1];
    for (i, weight) in short.iter().enumerate().filter(|(_, w)| !w.is_zero()) {
        for (sum, other) in sums[i..].iter_mut().zip(long) {
            sum.add_product(weight, other);
        }
    }
    sums
}

/// The direction in which outcomes are walked.
#[derive(Clone, Copy)]
enum Ordered {
    Ascending,
    Descending,
}

/// Weights of the outcome that comes later in `order`, from two lists sorted in it.
fn last_of<W: Number>(left: &[(i64, W)], right: &[(i64, W)], order: Ordered) -> Vec<(i64, W)> {
    let before = |x: i64, y: i64| match order {
        Ordered::Ascending => x < y,
        Ordered::Descending => x > y,
    };
    let (mut i, mut j) = (0, 0);
    let (mut left_sum, mut right_sum) = (W::zero(), W::zero());
    let mut reached = W::zero();
    let mut weights = Vec::with_capacity(left.len() + right.len());
    while i < left.len() || j < right.len() {
        let x = match (left.get(i), right.get(j)) {
            (Some((x, _)), Some((y, _))) => *if before(*y, *x) { y } else { x },
            (Some((x, _)), None) | (None, Some((x, _))) => *x,
            (None, None) => break,
        };
        if let Some((_, weight)) = left.get(i).filter(|(at, _)| *at == x) {
            left_sum.add(weight);
            i += 1;
        }
        if let Some((_, weight)) = right.get(j).filter(|(at, _)| *at == x) {
            right_sum.add(weight);
            j += 1;
        }
        let both = left_sum.times(&right_sum);
        let mut here = both.clone();
        here.sub(&reached);
        weights.push((x, here));
        reached = both;
    }
    weights
}

/// Adds `pairs`, each moved by a face and multiplied by its weight, for all `faces`.
pub(crate) fn convolve_pairs<W: Number>(
    faces: &[(i64, W)],
    pairs: &[(i64, W)],
    also: impl Iterator<Item = (i64, W)>,
) -> Vec<(i64, W)> {
    let mut sums = Vec::with_capacity(also.size_hint().0 + faces.len() * pairs.len());
    sums.extend(also);
    for (face, weight) in faces {
        sums.extend(pairs.iter().map(|(x, w)| (x + face, w.times(weight))));
    }
    sort_pairs(&mut sums);
    merge_equal(&mut sums);
    sums
}

//! Cumulative weights.

use std::ops::Add;

use oddsmith_dist::{BitTest as _, Dist, IBig, UBig};

use crate::sweep::integers::Integers;

/// The most rows whose sums are made side by side, each shifted by one more than the row before.
pub(super) const RUN: u8 = 16;

/// The same as a length.
pub(super) const RUN_LEN: usize = RUN as usize;

/// What leads to the cut value: its weights, cumulated.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The lowest outcome.
    pub(super) low: i64,
    /// The highest outcome.
    pub(super) high: i64,
    /// At place `RUN + 1 + i` the weight of outcomes below `high - i`, down to none at `low`. As many rows as a run has
    /// read side by side, so the total stands [`RUN`] times more before and 0 behind.
    pub(super) below: Integers,
    /// The bits of the total.
    pub(super) bits: usize,
    /// How many outcomes there are.
    outcomes: usize,
}

impl Shape {
    pub(crate) fn new(dist: &Dist) -> Self {
        let (low, high, bits) = (dist.min(), dist.max(), dist.total().bit_len());
        let weights = (low..=high).map(|x| dist.weight(x));
        let below = match dist.dense_u128() {
            Some((_, weights)) if bits < 64 => {
                let words = weights.iter().map(|&weight| i64::try_from(weight));
                Integers::Word(sums(words.map(|word| word.expect(BELOW_THE_TOTAL)), 0))
            }
            Some((_, weights)) => {
                let doubles = weights.iter().map(|&weight| i128::try_from(weight));
                Integers::Double(sums(doubles.map(|word| word.expect(BELOW_THE_TOTAL)), 0))
            }
            None => Integers::narrowest(sums(weights.map(IBig::from), IBig::ZERO)),
        };
        Self {
            low,
            high,
            below,
            bits,
            outcomes: dist.len(),
        }
    }

    /// The shape of a sum of rolls, without its weights, where that can be told without adding them up: each of them has every
    /// outcome between its ends, and so has the sum then. None if that is not so. It stands for a shape that no row reads.
    pub(crate) fn outline<'d>(terms: impl Iterator<Item = &'d Dist>) -> Option<Self> {
        let (mut low, mut high, mut total) = (0_i64, 0_i64, UBig::ONE);
        for term in terms {
            let span = term.max().abs_diff(term.min());
            if span != term.len() as u64 - 1 {
                return None;
            }
            low = low.checked_add(term.min())?;
            high = high.checked_add(term.max())?;
            total *= term.total();
        }
        Some(Self {
            low,
            high,
            below: Integers::Word(Vec::new()),
            bits: total.bit_len(),
            outcomes: usize::try_from(high.abs_diff(low)).ok()?.checked_add(1)?,
        })
    }

    /// The lowest and the highest outcome.
    pub(crate) fn ends(&self) -> (i64, i64) {
        (self.low, self.high)
    }

    /// How many outcomes there are.
    pub(crate) fn outcomes(&self) -> usize {
        self.outcomes
    }

    /// The bytes that a distribution and its cumulated weights take.
    pub(crate) fn bytes(dist: &Dist) -> u64 {
        bytes((dist.min(), dist.max()), dist.total().bit_len())
    }

    /// The same of what an outline stands for.
    pub(crate) fn bytes_of_outline(&self) -> u64 {
        bytes((self.low, self.high), self.bits)
    }

    /// The place of the weight below a value once the shape is shifted; the value lies above the lowest outcome, and
    /// less than [`RUN`] above the highest.
    pub(super) fn place(&self, value: i64, shift: i64) -> usize {
        let place = self.high + shift - value + 1 + i64::from(RUN);
        usize::try_from(place).expect("the total stands often enough before the other weights")
    }
}

/// The bytes of a distribution between these ends, and of its cumulated weights.
fn bytes((low, high): (i64, i64), bits: usize) -> u64 {
    let span = high.abs_diff(low).saturating_add(1);
    let words = (bits / 64).max(2) as u64 + 3;
    span.saturating_add(u64::from(RUN))
        .saturating_mul(16 * words)
}

const BELOW_THE_TOTAL: &str = "a weight is no longer than the total";

/// Running sums from the last, the total, down to `zero`; both ends stand [`RUN`] times more.
fn sums<T: Clone + for<'x> Add<&'x T, Output = T>>(
    weights: impl Iterator<Item = T>,
    zero: T,
) -> Vec<T> {
    let mut sums = Vec::with_capacity(weights.size_hint().0 + 1 + 2 * RUN_LEN);
    sums.resize(RUN_LEN + 1, zero);
    for weight in weights {
        sums.push(sums[sums.len() - 1].clone() + &weight);
    }
    sums.resize(sums.len() + RUN_LEN, sums[sums.len() - 1].clone());
    sums.reverse();
    sums
}

#[cfg(test)]
mod tests {
    use oddsmith_dist::{Budget, Dist, UBig};
    use proptest::prelude::*;

    use super::Shape;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn an_outline_is_that_of_the_sum(
            terms in prop::collection::vec(prop::collection::btree_map(-3_i64..3, 1_u8..9, 1..5), 1..4),
        ) {
            let term = |pairs: &std::collections::BTreeMap<i64, u8>| {
                let pairs = pairs.iter().map(|(outcome, weight)| (*outcome, UBig::from(*weight)));
                Dist::from_weights(pairs).expect("there is weight")
            };
            let terms: Vec<Dist> = terms.iter().map(term).collect();
            let budget = Budget::unlimited();
            let sum = terms[1..].iter().fold(terms[0].clone(), |sum, term| {
                sum.convolve(term, &budget).expect("it is small")
            });
            let has_gaps = |dist: &Dist| dist.max() - dist.min() + 1 != i64::try_from(dist.len()).expect("few");
            let shape = Shape::new(&sum);
            match Shape::outline(terms.iter()) {
                None => prop_assert!(terms.iter().any(has_gaps)),
                Some(outline) => {
                    prop_assert_eq!(outline.ends(), shape.ends());
                    prop_assert_eq!(outline.outcomes(), shape.outcomes());
                    prop_assert_eq!(outline.bits, shape.bits);
                    prop_assert_eq!(outline.bytes_of_outline(), Shape::bytes(&sum));
                }
            }
        }
    }
}

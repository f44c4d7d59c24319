//! What is done with weights, whatever their width.

use dashu_int::UBig;

use super::weights::Weights;

/// A weight in one of the widths.
pub(crate) trait Number: Clone + Eq {
    /// The next narrower width; the narrowest is its own.
    type Narrower: Number;
    /// Bits that every number of this width can have.
    const BITS: usize;
    fn zero() -> Self;
    fn from_u64(value: u64) -> Self;
    fn from_u128(value: u128) -> Self;
    fn from_big(value: &UBig) -> Self;
    /// The number with these words of 64 bits, the lowest first; those that do not fit are zero.
    fn from_words(words: &[u64]) -> Self;
    /// Shows the words of 64 bits, the lowest first.
    fn with_words<T>(&self, read: impl FnOnce(&[u64]) -> T) -> T;
    fn into_big(self) -> UBig;
    fn is_zero(&self) -> bool;
    fn add(&mut self, other: &Self);
    /// `other` is at most `self`.
    fn sub(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    fn add_product(&mut self, left: &Self, right: &Self);
    /// Multiplies by a small number.
    fn scale(&mut self, factor: u64);
    /// Divides by a positive divisor of the number.
    fn divide_exactly(&mut self, divisor: u64);
    fn into_weights(weights: Vec<Self>) -> Weights;

    /// Bits of the number; 0 for 0.
    fn bits(&self) -> usize {
        self.with_words(|words| {
            let used = words.iter().rposition(|word| *word != 0);
            used.map_or(0, |top| {
                64 * (top + 1) - words[top].leading_zeros() as usize
            })
        })
    }

    /// The number in another width, which holds it.
    fn converted<W: Number>(&self) -> W {
        self.with_words(W::from_words)
    }

    /// `self^exponent`; no power beyond that is computed.
    fn power(&self, exponent: u32) -> Self {
        squared_power(self, exponent)
    }

    /// Multiplies by `factor / divisor`, which gives a whole number; no partial result is longer.
    fn scale_by_ratio(&mut self, factor: u32, divisor: u32) {
        let (factor, divisor) = (factor.into(), divisor.into());
        let common = gcd(factor, divisor);
        if divisor != common {
            self.divide_exactly(divisor / common);
        }
        self.scale(factor / common);
    }
}

/// The greatest common divisor of two numbers, not both 0.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `C(n, 0)`, `C(n, 1)` and so on, without end; `C(n, k)` is 0 for `k > n`.
pub(crate) fn binomials<W: Number>(n: u32) -> impl Iterator<Item = W> {
    let next = move |(ways, k): &(W, u32)| {
        let mut ways = ways.clone();
        if *k < n {
            ways.scale_by_ratio(n - k, k + 1);
        } else {
            ways = W::zero();
        }
        Some((ways, k + 1))
    };
    std::iter::successors(Some((W::from_u64(1), 0)), next).map(|(ways, _)| ways)
}

/// `base^exponent` by squares; no power beyond that is computed.
pub(super) fn squared_power<W: Number>(base: &W, exponent: u32) -> W {
    let mut power = W::from_u64(1);
    for bit in (0..u32::BITS - exponent.leading_zeros()).rev() {
        power = power.times(&power);
        if exponent >> bit & 1 == 1 {
            power = power.times(base);
        }
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers() {
        for exponent in 0..40 {
            assert_eq!(3_u64.power(exponent), 3_u64.pow(exponent));
        }
        assert_eq!(2_u64.power(63), 1 << 63); // and no larger power on the way
    }
}

//! Numbers of a fixed number of words.

use dashu_int::UBig;

use super::arithmetic::{Number, squared_power};
use super::weights::{WeightRow, Weights};
use super::word::{Carry, split, write_words};
use crate::fair;

/// A number of `N` words of 64 bits, the lowest first: for tables of wide numbers, where one
/// allocation for each would take most of the time.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Limbs<const N: usize>([u64; N]);

/// Numbers of so many words; each is compiled on its own.
macro_rules! limbs_number {
    ($($words:literal above $narrower:ty),*) => { $(
        impl Number for Limbs<$words> {
            type Narrower = $narrower;
            const BITS: usize = 64 * $words;
            fn zero() -> Self {
                Self([0; $words])
            }
            fn from_u64(value: u64) -> Self {
                Self::from_words(&[value])
            }
            fn from_u128(value: u128) -> Self {
                value.converted()
            }
            fn from_big(value: &UBig) -> Self {
                let mut limbs = [0; $words];
                write_words(value, &mut limbs);
                Self(limbs)
            }
            fn from_words(words: &[u64]) -> Self {
                let mut limbs = [0; $words];
                for (limb, word) in limbs.iter_mut().zip(words) {
                    *limb = *word;
                }
                debug_assert!(words.iter().skip($words).all(|word| *word == 0));
                Self(limbs)
            }
            fn with_words<T>(&self, read: impl FnOnce(&[u64]) -> T) -> T {
                read(&self.0)
            }
            fn into_big(self) -> UBig {
                match self.0 {
                    [low, high, ref rest @ ..] if rest.iter().all(|word| *word == 0) => {
                        UBig::from(u128::from(low) | u128::from(high) << 64)
                    }
                    _ => UBig::from_le_bytes(self.0.map(u64::to_le_bytes).as_flattened()),
                }
            }
            fn is_zero(&self) -> bool {
                self.0 == [0; $words]
            }
            fn add(&mut self, other: &Self) {
                let mut carry = false;
                for (word, more) in self.0.iter_mut().zip(&other.0) {
                    (*word, carry) = word.carrying(*more, carry);
                }
                debug_assert!(!carry, "the width holds the total");
            }
            fn sub(&mut self, other: &Self) {
                let mut borrow = false;
                for (word, less) in self.0.iter_mut().zip(&other.0) {
                    (*word, borrow) = word.borrowing(*less, borrow);
                }
                debug_assert!(!borrow, "the difference is not negative");
            }
            fn times(&self, other: &Self) -> Self {
                let mut product = Self::zero();
                product.add_product(self, other);
                product
            }
            fn add_product(&mut self, left: &Self, right: &Self) {
                for (i, a) in left.0.iter().enumerate() {
                    // Skipped here and not by a filter, whose loop is not always unrolled.
                    if *a == 0 {
                        continue;
                    }
                    let mut carry = 0;
                    for (word, b) in self.0[i..].iter_mut().zip(&right.0) {
                        let sum = u128::from(*a) * u128::from(*b) + u128::from(*word) + carry;
                        (*word, carry) = split(sum);
                    }
                    debug_assert!(carry == 0, "the width holds the total");
                }
            }
            fn scale(&mut self, factor: u64) {
                let mut carry = 0;
                for word in &mut self.0 {
                    (*word, carry) = split(u128::from(*word) * u128::from(factor) + carry);
                }
                debug_assert!(carry == 0, "the width holds the total");
            }
            fn power(&self, exponent: u32) -> Self {
                match self.0 {
                    [word, ref rest @ ..] if rest.iter().all(|word| *word == 0) => {
                        word_power(word, exponent)
                    }
                    _ => squared_power(self, exponent),
                }
            }
            fn divide_exactly(&mut self, divisor: u64) {
                fair::divide_exactly(&mut self.0, divisor);
            }
            fn into_weights(weights: Vec<Self>) -> Weights {
                let words: Vec<_> = weights.into_iter().map(|limbs| limbs.0).collect();
                Weights::Large(WeightRow::new($words, words.into_flattened()))
            }
        }
    )* };
}

#[cfg(not(target_family = "wasm"))]
limbs_number!(
    3 above u128, 4 above Limbs<3>, 5 above Limbs<4>, 6 above Limbs<5>, 7 above Limbs<6>,
    8 above Limbs<7>, 12 above Limbs<8>, 16 above Limbs<12>
);

#[cfg(target_family = "wasm")]
limbs_number!(4 above u128, 8 above Limbs<4>, 16 above Limbs<8>);

/// `base^exponent` in numbers of a fixed width, which holds it: from as much as one word holds at a time.
fn word_power<W: Number>(base: u64, exponent: u32) -> W {
    if base < 2 {
        return W::from_u64(u64::from(exponent == 0 || base == 1));
    }
    let at_once = (63 / (u64::BITS - base.leading_zeros())).max(1);
    let mut power = W::from_u64(base.pow(exponent % at_once));
    let factor = base.pow(at_once);
    for _ in 0..exponent / at_once {
        power.scale(factor);
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::bits;

    /// Sums, differences and products that fill their words, against big integers.
    fn limbs_count_like_big_integers<const N: usize>()
    where
        Limbs<N>: Number,
    {
        let limit = UBig::ONE << (64 * N);
        let powers = [3_u8, 255].map(|base| (0..64 * N).map(move |i| UBig::from(base).pow(i)));
        let powers = powers.into_iter().flatten();
        let mut values: Vec<UBig> = powers.filter(|value| *value < limit).collect();
        values.extend([
            UBig::ZERO,
            &limit - 1_u8,
            (&limit >> 1) - 1_u8,
            UBig::ONE << 64,
        ]);
        for left in &values {
            for right in &values {
                let (a, b) = (Limbs::<N>::from_big(left), Limbs::<N>::from_big(right));
                let mut sum = a.clone();
                if left + right < limit {
                    sum.add(&b);
                    assert_eq!(sum.clone().into_big(), left + right);
                    sum.sub(&a);
                    assert_eq!(sum.into_big(), *right);
                }
                if left * right + left < limit {
                    assert_eq!(a.times(&b).into_big(), left * right);
                    let mut sum = a.clone();
                    sum.add_product(&a, &b);
                    assert_eq!(sum.into_big(), left * right + left);
                }
            }
            let number = Limbs::<N>::from_big(left);
            assert_eq!(number.bits(), bits(left));
            assert_eq!(number.converted::<UBig>(), *left);
            assert!(left.converted::<Limbs<N>>() == number);
            for factor in [1, 3, 1 << 20, u64::MAX] {
                if left * factor < &limit >> 64 {
                    let mut scaled = number.clone();
                    scaled.scale(factor);
                    assert_eq!(scaled.clone().into_big(), left * factor);
                    scaled.divide_exactly(factor);
                    assert!(scaled == number);
                }
            }
        }
    }

    #[test]
    fn limbs() {
        limbs_count_like_big_integers::<3>();
        limbs_count_like_big_integers::<7>();
    }
}

//! Big integers, which are as long as they have to be.

use dashu_int::UBig;

use super::arithmetic::Number;
use super::limbs::Limbs;
use super::weights::{WeightRow, Weights};
use super::word::{bits, write_words};

impl Number for UBig {
    type Narrower = Limbs<16>;
    const BITS: usize = usize::MAX;
    fn zero() -> Self {
        Self::ZERO
    }
    fn from_u64(value: u64) -> Self {
        Self::from(value)
    }
    fn from_u128(value: u128) -> Self {
        Self::from(value)
    }
    fn from_big(value: &UBig) -> Self {
        value.clone()
    }
    fn from_words(words: &[u64]) -> Self {
        match words {
            [low] => Self::from(*low),
            [low, high] => Self::from(u128::from(*low) | u128::from(*high) << 64),
            _ => long_from_words(words),
        }
    }
    fn with_words<T>(&self, read: impl FnOnce(&[u64]) -> T) -> T {
        if let Ok(word) = u64::try_from(self) {
            return read(&[word]);
        }
        let mut words = vec![0; bits(self).div_ceil(64)];
        write_words(self, &mut words);
        read(&words)
    }
    fn into_big(self) -> UBig {
        self
    }
    fn is_zero(&self) -> bool {
        Self::is_zero(self)
    }
    fn add(&mut self, other: &Self) {
        *self += other;
    }
    fn sub(&mut self, other: &Self) {
        *self -= other;
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn add_product(&mut self, left: &Self, right: &Self) {
        *self += left * right;
    }
    fn scale(&mut self, factor: u64) {
        *self *= factor;
    }
    fn divide_exactly(&mut self, divisor: u64) {
        *self /= divisor;
    }
    fn into_weights(weights: Vec<Self>) -> Weights {
        let longest = weights.iter().map(bits).max().unwrap_or(0);
        let mut row = WeightRow::zeros(longest.div_ceil(64).max(1), weights.len());
        for (i, weight) in weights.iter().enumerate() {
            write_words(weight, row.get_mut(i));
        }
        Weights::Large(row)
    }
}

/// The number that is written in words, the lowest first.
#[cfg(target_pointer_width = "64")]
fn long_from_words(words: &[u64]) -> UBig {
    UBig::from_words(words)
}

/// A big integer from words, where it has words of its own length.
#[cfg(not(target_pointer_width = "64"))]
fn long_from_words(words: &[u64]) -> UBig {
    let bytes: Vec<_> = words.iter().map(|word| word.to_le_bytes()).collect();
    UBig::from_le_bytes(bytes.as_flattened())
}

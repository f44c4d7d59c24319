//! Numbers that a processor has.

use dashu_int::UBig;

use super::arithmetic::Number;
use super::weights::Weights;
use super::word::split;

/// The primitive widths: a value that does not fit is a bug in the choice of width.
macro_rules! primitive_number {
    ($type:ty, $narrower:ty, $weights:ident) => {
        impl Number for $type {
            type Narrower = $narrower;
            const BITS: usize = size_of::<$type>() * 8;
            fn zero() -> Self {
                0
            }
            fn from_u64(value: u64) -> Self {
                Self::from(value)
            }
            fn from_u128(value: u128) -> Self {
                Self::try_from(value).expect("the width holds the total")
            }
            fn from_big(value: &UBig) -> Self {
                Self::try_from(value).expect("the width holds the total")
            }
            fn from_words(words: &[u64]) -> Self {
                let (low, rest) = words.split_first().expect("a number has a word");
                let high = rest.first().copied().unwrap_or(0);
                debug_assert!(rest.iter().skip(1).all(|word| *word == 0));
                Self::from_u128(u128::from(*low) | u128::from(high) << 64)
            }
            fn with_words<T>(&self, read: impl FnOnce(&[u64]) -> T) -> T {
                let (low, high) = split(u128::from(*self));
                read(&[low, split(high).0]) // above these two words is nothing
            }
            fn into_big(self) -> UBig {
                UBig::from(self)
            }
            fn is_zero(&self) -> bool {
                *self == 0
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
                *self *= Self::from(factor);
            }
            fn divide_exactly(&mut self, divisor: u64) {
                *self /= Self::from(divisor);
            }
            fn into_weights(weights: Vec<Self>) -> Weights {
                Weights::$weights(weights)
            }
        }
    };
}

primitive_number!(u64, u64, Small);
primitive_number!(u128, u64, Middle);

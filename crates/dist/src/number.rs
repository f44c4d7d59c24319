//! Unsigned integers of several widths behind one trait.
//!
//! Every operation knows the total of its result before it starts, and no weight exceeds
//! its total. So the width is picked once, and inner loops need no overflow checks.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use crate::weights::Weights;

/// A weight in one of the widths.
pub(crate) trait Number: Clone + Eq {
    fn zero() -> Self;
    fn from_u64(value: u64) -> Self;
    fn from_u128(value: u128) -> Self;
    fn from_big(value: &UBig) -> Self;
    fn into_big(self) -> UBig;
    fn is_zero(&self) -> bool;
    fn add(&mut self, other: &Self);
    /// `other` is at most `self`.
    fn sub(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    fn add_product(&mut self, left: &Self, right: &Self);
    fn into_weights(weights: Vec<Self>) -> Weights;

    /// `self^exponent`; no power beyond that is computed.
    fn power(&self, exponent: u32) -> Self {
        let mut power = Self::from_u64(1);
        for bit in (0..u32::BITS - exponent.leading_zeros()).rev() {
            power = power.times(&power);
            if exponent >> bit & 1 == 1 {
                power = power.times(self);
            }
        }
        power
    }
}

/// The primitive widths: a value that does not fit is a bug in the choice of width.
macro_rules! primitive_number {
    ($type:ty, $weights:ident) => {
        impl Number for $type {
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
            fn into_weights(weights: Vec<Self>) -> Weights {
                Weights::$weights(weights)
            }
        }
    };
}

primitive_number!(u64, Small);
primitive_number!(u128, Middle);

impl Number for UBig {
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
    fn into_weights(weights: Vec<Self>) -> Weights {
        Weights::Large(weights)
    }
}

/// A number of `N` words of 64 bits, the lowest first: for tables of wide numbers, where one
/// allocation for each would take most of the time.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Limbs<const N: usize>([u64; N]);

/// The low word, and the high one as a carry.
#[expect(clippy::cast_possible_truncation, reason = "the low word is meant")]
fn split(value: u128) -> (u64, u128) {
    (value as u64, value >> 64)
}

impl<const N: usize> Number for Limbs<N> {
    fn zero() -> Self {
        Self([0; N])
    }
    fn from_u64(value: u64) -> Self {
        Self(std::array::from_fn(|i| if i == 0 { value } else { 0 }))
    }
    fn from_u128(value: u128) -> Self {
        Self::from_big(&UBig::from(value))
    }
    fn from_big(value: &UBig) -> Self {
        let mut limbs = [0; N];
        for (i, bytes) in value.to_le_bytes().chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            limbs[i] = u64::from_le_bytes(word);
        }
        Self(limbs)
    }
    fn into_big(self) -> UBig {
        UBig::from_le_bytes(self.0.map(u64::to_le_bytes).as_flattened())
    }
    fn is_zero(&self) -> bool {
        self.0 == [0; N]
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
        for (i, a) in left.0.iter().enumerate().filter(|(_, word)| **word != 0) {
            let mut carry = 0;
            for (word, b) in self.0[i..].iter_mut().zip(&right.0) {
                let sum = u128::from(*a) * u128::from(*b) + u128::from(*word) + carry;
                (*word, carry) = split(sum);
            }
            debug_assert!(carry == 0, "the width holds the total");
        }
    }
    fn into_weights(weights: Vec<Self>) -> Weights {
        Weights::Large(weights.into_iter().map(Self::into_big).collect())
    }
}

/// Addition and subtraction of words with a carry.
trait Carry: Sized {
    fn carrying(self, other: Self, carry: bool) -> (Self, bool);
    fn borrowing(self, other: Self, borrow: bool) -> (Self, bool);
}

impl Carry for u64 {
    fn carrying(self, other: Self, carry: bool) -> (Self, bool) {
        let (sum, over) = self.overflowing_add(other);
        let (sum, also) = sum.overflowing_add(Self::from(carry));
        (sum, over | also)
    }
    fn borrowing(self, other: Self, borrow: bool) -> (Self, bool) {
        let (difference, under) = self.overflowing_sub(other);
        let (difference, also) = difference.overflowing_sub(Self::from(borrow));
        (difference, under | also)
    }
}

/// Bits of `value`; 0 for 0.
pub(crate) fn bits(value: &UBig) -> usize {
    value.bit_len()
}

/// 64-bit words of a number of `bits` bits, at least 1.
pub(crate) fn words(bits: u128) -> u128 {
    bits.div_ceil(64).max(1)
}

/// Runs `$body` with the type `$number` that holds values of `$bits` bits.
macro_rules! with_width {
    ($bits:expr, $number:ident => $body:expr) => {
        match $bits {
            0..=64 => {
                type $number = u64;
                $body
            }
            65..=128 => {
                type $number = u128;
                $body
            }
            _ => {
                type $number = dashu_int::UBig;
                $body
            }
        }
    };
}

/// Like `with_width!`, with fixed numbers of limbs between `u128` and big integers: for long
/// loops over tables. (Each width is compiled on its own, so not for code with many shapes.)
macro_rules! with_limbs {
    ($bits:expr, $number:ident => $body:expr) => {
        with_limbs!(@ $bits, $number => $body,
            129..=192 => 3, 193..=256 => 4, 257..=320 => 5, 321..=384 => 6,
            385..=448 => 7, 449..=512 => 8, 513..=768 => 12, 769..=1024 => 16)
    };
    (@ $bits:expr, $number:ident => $body:expr, $($range:pat => $words:literal),*) => {
        match $bits {
            $($range => {
                type $number = $crate::number::Limbs<$words>;
                $body
            })*
            bits => $crate::number::with_width!(bits, $number => $body),
        }
    };
}

pub(crate) use {with_limbs, with_width};

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums, differences and products that fill their words, against big integers.
    fn limbs_count_like_big_integers<const N: usize>() {
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
        }
    }

    #[test]
    fn limbs() {
        limbs_count_like_big_integers::<3>();
        limbs_count_like_big_integers::<7>();
    }

    #[test]
    fn powers() {
        for exponent in 0..40 {
            assert_eq!(3_u64.power(exponent), 3_u64.pow(exponent));
        }
        assert_eq!(2_u64.power(63), 1 << 63); // and no larger power on the way
    }
}

//! Unsigned integers of several widths behind one trait.
//!
//! Every operation knows the total of its result before it starts, and no weight exceeds
//! its total. So the width is picked once, and inner loops need no overflow checks.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use crate::fair;
use crate::weights::{Row, Weights};

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
    /// From words of 64 bits, the lowest first; those that do not fit are zero.
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

    /// The same number in another width, which holds it.
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
fn squared_power<W: Number>(base: &W, exponent: u32) -> W {
    let mut power = W::from_u64(1);
    for bit in (0..u32::BITS - exponent.leading_zeros()).rev() {
        power = power.times(&power);
        if exponent >> bit & 1 == 1 {
            power = power.times(base);
        }
    }
    power
}

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
                read(&[low, word(high)])
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

/// Words of the widest numbers of fixed width.
pub(crate) const MOST_LIMBS: u128 = (<<UBig as Number>::Narrower as Number>::BITS / 64) as u128;

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
        let mut row = Row::zeros(longest.div_ceil(64).max(1), weights.len());
        for (i, weight) in weights.iter().enumerate() {
            write_words(weight, row.get_mut(i));
        }
        Weights::Large(row)
    }
}

/// A number of `N` words of 64 bits, the lowest first: for tables of wide numbers, where one
/// allocation for each would take most of the time.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Limbs<const N: usize>([u64; N]);

/// So many words have room on the stack.
const FEW_WORDS: usize = 16;

/// Lets numbers be made in so many words that are 0, which cost no allocation if they are few.
pub(crate) fn with_zeros<T>(count: usize, make: impl FnOnce(&mut [u64]) -> T) -> T {
    if count <= FEW_WORDS {
        make(&mut [0; FEW_WORDS][..count])
    } else {
        make(&mut vec![0; count])
    }
}

/// The low word, and the high one as a carry.
#[expect(clippy::cast_possible_truncation, reason = "the low word is meant")]
pub(crate) fn split(value: u128) -> (u64, u128) {
    (value as u64, value >> 64)
}

/// The low word of a carry that is no longer than one.
fn word(value: u128) -> u64 {
    split(value).0
}

/// The number that is written in words, the lowest first.
#[cfg(target_pointer_width = "64")]
fn long_from_words(words: &[u64]) -> UBig {
    UBig::from_words(words)
}

/// The same where a big integer has words of its own length.
#[cfg(not(target_pointer_width = "64"))]
fn long_from_words(words: &[u64]) -> UBig {
    let bytes: Vec<_> = words.iter().map(|word| word.to_le_bytes()).collect();
    UBig::from_le_bytes(bytes.as_flattened())
}

/// Writes a number into words, the lowest first; it is not longer than they are.
pub(crate) fn write_words(value: &UBig, words: &mut [u64]) {
    if let ([word, ..], Ok(value)) = (&mut *words, u64::try_from(value)) {
        *word = value;
        return;
    }
    let bytes = value.to_le_bytes();
    for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
        let mut whole = [0; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(whole);
    }
    debug_assert!(bytes.len().div_ceil(8) <= words.len());
}

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
                Weights::Large(Row::new($words, words.into_flattened()))
            }
        }
    )* };
}

limbs_number!(
    3 above u128, 4 above Limbs<3>, 5 above Limbs<4>, 6 above Limbs<5>, 7 above Limbs<6>,
    8 above Limbs<7>, 12 above Limbs<8>, 16 above Limbs<12>
);

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

/// Words of the numbers that hold `words`: a few widths are compiled, and big integers are as long as they are.
fn limbs(words: u128) -> u128 {
    match words {
        9..=12 => 12,
        13..=16 => 16,
        _ => words,
    }
}

/// Steps of adding a product to a number of `words`, where the left factor takes up `left` of them.
///
/// A processor knows products of up to two words. In fixed widths each word of the left factor goes
/// along the words above it: `left * words - left (left - 1) / 2` small products. Big integers are
/// allocated, and the right factor is as long as the sum leaves room for, half of that on average.
pub(crate) fn product_steps(words: u128, left: u128) -> u128 {
    let (width, left) = (limbs(words), left.min(words));
    match words {
        0..=2 => words,
        _ if words <= MOST_LIMBS => 1 + 2 * (left * width - left * left.saturating_sub(1) / 2) / 3,
        _ => 50 + left.saturating_mul(words - left + 1) / 2,
    }
}

/// Words that a number takes up.
pub(crate) fn used_words(number: &impl Number) -> u128 {
    words(number.bits() as u128)
}

/// The logarithm of a positive number to the base 2, in sixteenths, from its highest bits: rounded down, and no more
/// than two sixteenths too low.
pub(crate) fn log2_sixteenths(number: u128) -> u128 {
    let rest = number.ilog2().saturating_sub(7);
    u128::from(16 * rest + (number >> rest).pow(16).ilog2())
}

/// About the bits of `base^exponent`, without computing it.
pub(crate) fn power_bits_guess(base: &UBig, exponent: impl Into<u128>) -> u128 {
    let each = match u128::try_from(base) {
        Ok(base) => log2_sixteenths(base),
        Err(_) => 16 * bits(base) as u128,
    };
    each.saturating_mul(exponent.into()) / 16 + 1
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

    #[test]
    fn powers() {
        for exponent in 0..40 {
            assert_eq!(3_u64.power(exponent), 3_u64.pow(exponent));
        }
        assert_eq!(2_u64.power(63), 1 << 63); // and no larger power on the way
    }
}

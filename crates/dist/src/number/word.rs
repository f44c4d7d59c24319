//! Words of 64 bits: what longer numbers are made of.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// 64-bit words of a number of `bits` bits, at least 1.
pub(crate) fn words(bits: u128) -> u128 {
    bits.div_ceil(64).max(1)
}

/// The low word, and the high one as a carry.
#[expect(clippy::cast_possible_truncation, reason = "the low word is meant")]
pub(crate) fn split(value: u128) -> (u64, u128) {
    (value as u64, value >> 64)
}

/// Addition and subtraction of words with a carry.
pub(super) trait Carry: Sized {
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

/// Adds `term * factor`; `sum` holds the result.
pub(crate) fn add_product(sum: &mut [u64], term: &[u64], factor: &[u64]) {
    for (shift, digit) in factor.iter().enumerate().filter(|(_, digit)| **digit != 0) {
        add_multiple(&mut sum[shift..], term, *digit);
    }
}

fn add_multiple(sum: &mut [u64], term: &[u64], digit: u64) {
    let mut carry = 0;
    let length = term.len().min(sum.len());
    let (low, high) = sum.split_at_mut(length);
    for (word, other) in low.iter_mut().zip(term) {
        let product = u128::from(*other) * u128::from(digit);
        (*word, carry) = split(product + u128::from(*word) + carry);
    }
    for word in high {
        if carry == 0 {
            break;
        }
        (*word, carry) = split(u128::from(*word) + carry);
    }
    debug_assert!(carry == 0, "the words hold the sum");
}

/// Numbers of up to this many words have room on the stack.
const FEW_WORDS: usize = 16;

/// Lets numbers be made in so many words that are 0, which cost no allocation if they are few.
pub(crate) fn with_zeros<T>(count: usize, make: impl FnOnce(&mut [u64]) -> T) -> T {
    if count <= FEW_WORDS {
        make(&mut [0; FEW_WORDS][..count])
    } else {
        make(&mut vec![0; count])
    }
}

/// Bits of `value`; 0 for 0.
pub(crate) fn bits(value: &UBig) -> usize {
    value.bit_len()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;
    use crate::number::weights::WeightRow;

    #[test]
    fn products_are_those_of_big_integers() {
        let power = |base: u8, n: usize| UBig::from(base).pow(n);
        let numbers = (0..40).flat_map(|n| {
            [
                power(3, 5 * n),
                power(2, 7 * n),
                power(2, 7 * n) - UBig::ONE,
            ]
        });
        let numbers: Vec<UBig> = numbers.collect();
        let row = WeightRow::from_big(numbers.iter());
        for (i, left) in numbers.iter().enumerate() {
            assert_eq!(<UBig as Number>::from_words(row.get(i)), *left);
            for (j, right) in numbers.iter().enumerate() {
                let mut sum = vec![u64::MAX; 1];
                sum.resize(12, 0);
                add_product(&mut sum, row.get(i), row.get(j));
                assert_eq!(
                    <UBig as Number>::from_words(&sum),
                    left * right + UBig::from(u64::MAX)
                );
            }
        }
    }
}

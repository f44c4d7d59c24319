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

/// Adds the product of two numbers to a third; its words hold the sum.
pub(crate) fn add_product(sum: &mut [u64], left: &[u64], right: &[u64]) {
    for (i, a) in left.iter().enumerate().filter(|(_, word)| **word != 0) {
        let mut carry = 0;
        let mut words = sum[i..].iter_mut();
        for (b, word) in right.iter().zip(words.by_ref()) {
            let more = u128::from(*a) * u128::from(*b) + u128::from(*word) + carry;
            (*word, carry) = split(more);
        }
        for word in words {
            (*word, carry) = split(u128::from(*word) + carry);
        }
        debug_assert!(carry == 0, "the words hold the sum");
    }
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

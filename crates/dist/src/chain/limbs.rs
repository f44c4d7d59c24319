//! Rows of numbers that are equally long: words of 64 bits side by side, the lowest first.
//!
//! How long they become is known before, so nothing is allocated while they are added up.

use dashu_int::UBig;

use crate::number::bits;

/// Numbers of so many words each.
pub(super) struct Row {
    words: Vec<u64>,
    width: usize,
}

impl Row {
    /// Zeros.
    pub(super) fn new(count: usize, width: usize) -> Self {
        Self {
            words: vec![0; count * width],
            width,
        }
    }

    /// As wide as the widest of them.
    pub(super) fn from_big<'a>(numbers: impl Iterator<Item = &'a UBig> + Clone) -> Self {
        let widest = numbers.clone().map(bits).max().unwrap_or(0);
        let width = length_in_words(widest);
        let mut row = Self::new(0, width);
        for number in numbers {
            let first = row.words.len();
            row.words.resize(first + width, 0);
            write(&mut row.words[first..], number);
        }
        row
    }

    pub(super) fn get(&self, at: usize) -> &[u64] {
        &self.words[at * self.width..][..self.width]
    }

    pub(super) fn get_mut(&mut self, at: usize) -> &mut [u64] {
        &mut self.words[at * self.width..][..self.width]
    }
}

/// Words that hold so many bits, at least 1.
pub(super) fn length_in_words(bits: usize) -> usize {
    bits.div_ceil(64).max(1)
}

fn write(words: &mut [u64], number: &UBig) {
    if let Ok(word) = u64::try_from(number) {
        words[0] = word;
        return;
    }
    for (word, bytes) in words.iter_mut().zip(number.to_le_bytes().chunks(8)) {
        let mut whole = [0; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(whole);
    }
}

pub(super) fn to_big(words: &[u64]) -> UBig {
    let used = words
        .iter()
        .rposition(|word| *word != 0)
        .map_or(0, |last| last + 1);
    if let [word] = words[..used] {
        return UBig::from(word);
    }
    let bytes: Vec<[u8; 8]> = words[..used]
        .iter()
        .map(|word| word.to_le_bytes())
        .collect();
    UBig::from_le_bytes(bytes.as_flattened())
}

/// Adds `term * factor`; `sum` holds the result.
pub(super) fn add_product(sum: &mut [u64], term: &[u64], factor: &[u64]) {
    match factor {
        [digit] => add_multiple(sum, term, *digit),
        _ => {
            for (shift, digit) in factor.iter().enumerate().filter(|(_, digit)| **digit != 0) {
                add_multiple(&mut sum[shift..], term, *digit);
            }
        }
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
}

/// The low word, and the high one as a carry.
#[expect(clippy::cast_possible_truncation, reason = "the low word is meant")]
fn split(value: u128) -> (u64, u128) {
    (value as u64, value >> 64)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let row = Row::from_big(numbers.iter());
        for (i, left) in numbers.iter().enumerate() {
            assert_eq!(to_big(row.get(i)), *left);
            for (j, right) in numbers.iter().enumerate() {
                let mut sum = vec![u64::MAX; 1];
                sum.resize(12, 0);
                add_product(&mut sum, row.get(i), row.get(j));
                assert_eq!(to_big(&sum), left * right + UBig::from(u64::MAX));
            }
        }
    }
}

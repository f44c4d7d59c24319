//! The cost of numbers, and how long they will be: guesses that take next to no time.

use dashu_int::UBig;

use super::arithmetic::Number;
use super::width::with_limbs;
use super::word::{bits, words};

/// Words of the widest numbers of fixed width, where widths are listed.
const MOST: usize = <<UBig as Number>::Narrower as Number>::BITS / 64;

/// Words of the widest numbers of fixed width, where steps are counted.
pub(crate) const MOST_LIMBS: u128 = MOST as u128;

/// The widths of numbers in words, by the words that they need: a few widths are compiled.
const WIDTHS: [u128; MOST + 1] = {
    let mut widths = [0; MOST + 1];
    let mut words = 0;
    while words <= MOST {
        widths[words] = with_limbs!(64 * words, W => W::BITS as u128 / 64);
        words += 1;
    }
    widths
};

/// Steps of adding a product to a number of `words`, where the left factor takes up `left` of them.
///
/// A processor knows products of up to two words. In fixed widths each word of the left factor goes
/// along the words above it: `left * words - left (left - 1) / 2` small products. Big integers are
/// allocated, and the right factor is as long as the sum leaves room for, half of that on average.
pub(crate) fn product_steps(words: u128, left: u128) -> u128 {
    let left = left.min(words);
    let width = usize::try_from(words)
        .ok()
        .and_then(|words| WIDTHS.get(words));
    match width {
        _ if words <= 2 => words,
        Some(width) => 1 + 2 * (left * width - left * left.saturating_sub(1) / 2) / 3,
        None => 80 + left.saturating_mul(words - left + 1) / 2,
    }
}

/// Words that a number takes up.
pub(crate) fn used_words(number: &impl Number) -> u128 {
    words(number.bits() as u128)
}

/// The bytes of a number in the width `W` that has so many bits, those on the heap among them.
pub(crate) fn number_bytes<W: Number>(bits: usize) -> u128 {
    let heap = match W::BITS == UBig::BITS && bits > 128 {
        true => 16 + 8 * words(bits as u128),
        false => 0,
    };
    size_of::<W>() as u128 + heap
}

/// The bytes of a number of so many bits in the width that fits it, listed or on the heap.
pub(crate) fn bytes_of_number(bits: usize) -> u128 {
    with_limbs!(bits, W => number_bytes::<W>(bits))
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

//! Fair dice, several from one random word.

use crate::IsOver;
use crate::lane::Lane;
use crate::stream::{Stream, Words};

#[cfg(test)]
mod tests;

/// Dice that a word yields at most: as many as coins.
const MOST: usize = 16;

/// The most of the 2^16 words that may be rejected where a word yields several dice: each rejection costs as much as
/// some hundred words.
const REJECTED: u64 = 128;

/// The most words that may be rejected where a word yields one die, with other ways to roll it.
const REJECTED_ALONE: u64 = 2048;

/// Words that are tested together.
const STRIP: usize = 32;

/// A fair die, and how it is rolled: `m` dice from a word of 16 bits.
///
/// Multiplied by the sides `s`, a word `w` has a face in the high half of the product, and in the low half the word
/// of the next die; so die `j` is the high half of `(w · s^j mod 2^16) · s`. That is fair if a word whose last low
/// half, `w · s^m mod 2^16`, is below `2^16 mod s^m` is drawn again: each roll of the `m` dice is then made by
/// `⌊2^16 / s^m⌋` words (N. Brackett-Rozinsky and D. Lemire, *Batched Ranged Random Integer Generation*, 2024).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Uniform {
    sides: u64,
    /// For no dice from a word, for one, and so on.
    plans: Vec<WordPlan>,
}

/// A plan for so many dice from a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WordPlan {
    /// `s^m mod 2^16`.
    power: u16,
    /// `2^16 mod s^m`.
    threshold: u16,
}

impl Uniform {
    /// A die with so many sides.
    ///
    /// # Panics
    /// If it has none.
    pub(crate) fn new(sides: u64) -> Self {
        assert!(sides > 0, "a die has a side");
        let none = WordPlan {
            power: 1,
            threshold: 0,
        };
        let mut plans = vec![none];
        let mut power = 1_u64;
        while plans.len() <= MOST && sides < 1 << 16 {
            power *= sides;
            let rejected = (1 << 16) % power;
            let limit = match plans.len() {
                1 => REJECTED_ALONE,
                _ => REJECTED,
            };
            if power > 1 << 16 || rejected > limit {
                break;
            }
            plans.push(WordPlan {
                power: low_half(power),
                threshold: low_half(rejected),
            });
        }
        Self { sides, plans }
    }

    /// Rolls a die per trial into each column: a face of `low`, `low + 1`, …, in the lane's low bits.
    ///
    /// # Panics
    /// If the columns or the words are shorter than `len`.
    #[inline(always)]
    pub(crate) fn roll<T: Lane>(
        &self,
        stream: &mut Stream,
        words: &mut Words,
        low: i64,
        columns: &mut [Vec<T>],
        len: usize,
    ) {
        let first = T::wrap(low);
        let mut columns = columns;
        while !columns.is_empty() {
            let dice = self.dice_from_a_word(columns.len());
            let (group, rest) = columns.split_at_mut(dice.max(1));
            if dice == 0 {
                for face in &mut group[0][..len] {
                    *face = T::wrap(low.wrapping_add_unsigned(stream.below(self.sides)));
                }
            } else {
                let words = self.draw(dice, stream, words, len);
                for (column, before) in group.iter_mut().zip(&self.plans) {
                    self.faces(
                        words,
                        *before,
                        &mut column[..len],
                        #[inline(always)]
                        |out, face: T| *out = face.plus(first),
                    );
                }
            }
            columns = rest;
        }
    }

    /// Rolls `count` dice per trial, whose faces are `low`, `low + 1`, …, and writes their sum, in the lane's low bits.
    /// Once `is_over`, what is written means nothing.
    ///
    /// # Panics
    /// If the words are fewer than the sums.
    #[inline(always)]
    pub(crate) fn add_rolls<T: Lane>(
        &self,
        stream: &mut Stream,
        words: &mut Words,
        low: i64,
        count: u64,
        sums: &mut [T],
        is_over: IsOver<'_>,
    ) {
        const LOOKS: u64 = 1024;
        sums.fill(T::wrap(low.wrapping_mul(low_bits(count))));
        let mut left = count;
        for done in 1_u64.. {
            if left == 0 || done.is_multiple_of(LOOKS) && is_over() {
                break;
            }
            let dice = self.dice_from_a_word(usize::try_from(left).unwrap_or(usize::MAX));
            if dice == 0 {
                for sum in &mut *sums {
                    *sum = sum.plus(T::wrap(low_bits(stream.below(self.sides))));
                }
            } else {
                let words = self.draw(dice, stream, words, sums.len());
                for before in &self.plans[..dice] {
                    self.faces(
                        words,
                        *before,
                        sums,
                        #[inline(always)]
                        |sum, face| *sum = sum.plus(face),
                    );
                }
            }
            left -= dice.max(1) as u64;
        }
    }

    /// One face of `0..sides`.
    #[inline(always)]
    pub(crate) fn roll_one(&self, stream: &mut Stream) -> i64 {
        low_bits(stream.below(self.sides))
    }

    /// With so many dice still to be rolled, how many come from the next word, so that the words that it takes share
    /// the dice evenly: fewer dice mean fewer rejections. None if there are too many sides.
    fn dice_from_a_word(&self, left: usize) -> usize {
        match self.plans.len() - 1 {
            0 => 0,
            most => left.div_ceil(left.div_ceil(most)),
        }
    }

    /// A word for each trial, that yields so many dice.
    #[inline(always)]
    fn draw<'w>(
        &self,
        dice: usize,
        stream: &mut Stream,
        words: &'w mut Words,
        len: usize,
    ) -> &'w [u16] {
        stream.fill(words, len);
        let words = words.view_mut(len);
        let plan = self.plans[dice];
        if plan.threshold > 0 {
            let (strips, rest) = words.as_chunks_mut::<STRIP>();
            for strip in strips {
                if plan.rejects(strip) {
                    plan.replace(strip, stream);
                }
            }
            if plan.rejects(rest) {
                plan.replace(rest, stream);
            }
        }
        words
    }

    /// Reads a die from each word, of which others have been read before; a face is one of `0..sides`.
    #[inline(always)]
    fn faces<T: Lane>(
        &self,
        words: &[u16],
        before: WordPlan,
        column: &mut [T],
        put: impl Fn(&mut T, T),
    ) {
        let sides = low_half(self.sides);
        if sides <= 256 {
            // The same as below, in bytes: no product has more than 16 bits, so no vector has to be widened.
            for (out, word) in column.iter_mut().zip(words) {
                let word = word.wrapping_mul(before.power);
                let (high, low) = ((word >> 8) * sides, (word & 0xff) * sides);
                put(out, T::of_word((high + (low >> 8)) >> 8));
            }
        } else {
            for (out, word) in column.iter_mut().zip(words) {
                let word = word.wrapping_mul(before.power);
                put(
                    out,
                    T::of_word(high_half(u32::from(word) * u32::from(sides))),
                );
            }
        }
    }
}

impl WordPlan {
    /// Whether any of the words is rejected; without a branch for each.
    #[inline(always)]
    fn rejects(self, words: &[u16]) -> bool {
        let mut below = 0;
        for word in words {
            below |= self.threshold.saturating_sub(self.last(*word));
        }
        below > 0
    }

    /// Draws those that are rejected again, until they are not. Seldom needed, so it is compiled only once.
    #[cold]
    #[inline(never)]
    fn replace(self, words: &mut [u16], stream: &mut Stream) {
        for word in words {
            while self.last(*word) < self.threshold {
                *word = stream.word();
            }
        }
    }

    /// The low half that is left of a word when all dice have been read.
    #[inline(always)]
    fn last(self, word: u16) -> u16 {
        word.wrapping_mul(self.power)
    }
}

/// The number modulo 2^16.
fn low_half(number: u64) -> u16 {
    (number & 0xffff) as u16
}

/// The half of a number above its low half.
#[inline(always)]
fn high_half(number: u32) -> u16 {
    (number >> 16) as u16
}

/// The number modulo 2^64; the number itself below 2^63.
fn low_bits(number: u64) -> i64 {
    number.cast_signed()
}

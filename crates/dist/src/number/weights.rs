//! A row of weights, stored in the narrowest width that holds their total.

use dashu_int::UBig;

use super::arithmetic::Number;
use super::word::{bits, split, write_words};

/// Weights in `u64`, `u128` or rows of words. Which one is a function of the total alone, so
/// equal rows are equal values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Weights {
    Small(Vec<u64>),
    Middle(Vec<u128>),
    Large(WeightRow),
}

/// Numbers of the same number of words, behind one another: a number of its own on the heap for
/// each weight would take longer than most recurrences.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WeightRow {
    words: usize,
    flat: Vec<u64>,
}

impl WeightRow {
    /// The numbers of `words` words each in `flat`, the lowest word of each first.
    pub(crate) fn new(words: usize, flat: Vec<u64>) -> Self {
        Self { words, flat }
    }

    pub(crate) fn zeros(words: usize, len: usize) -> Self {
        Self::new(words, vec![0; words * len])
    }

    /// Rows of numbers, as wide as the widest of them.
    pub(crate) fn from_big<'a>(numbers: impl Iterator<Item = &'a UBig> + Clone) -> Self {
        let widest = numbers.clone().map(bits).max().unwrap_or(0);
        let mut row = Self::zeros(widest.div_ceil(64).max(1), numbers.clone().count());
        for (index, number) in numbers.enumerate() {
            row.set(index, number);
        }
        row
    }

    pub(crate) fn len(&self) -> usize {
        self.flat.len() / self.words
    }

    pub(crate) fn get(&self, index: usize) -> &[u64] {
        &self.flat[index * self.words..][..self.words]
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> &mut [u64] {
        &mut self.flat[index * self.words..][..self.words]
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &[u64]> {
        self.flat.chunks_exact(self.words)
    }

    /// The numbers before and from `index` on, as words.
    pub(crate) fn split_at_mut(&mut self, index: usize) -> (&mut [u64], &mut [u64]) {
        self.flat.split_at_mut(index * self.words)
    }

    /// Sets a number that is not longer than the row's are.
    pub(crate) fn set(&mut self, index: usize, value: &UBig) {
        write_words(value, self.get_mut(index));
    }

    /// The numbers with `words` words each, which hold them.
    fn with_words(mut self, words: usize) -> Self {
        if words < self.words {
            for i in 1..self.len() {
                let from = i * self.words;
                self.flat.copy_within(from..from + words, i * words);
            }
            self.flat.truncate(self.len() * words);
        } else if words > self.words {
            let mut wide = Self::zeros(words, self.len());
            for (i, number) in self.iter().enumerate() {
                wide.get_mut(i)[..self.words].copy_from_slice(number);
            }
            return wide;
        }
        self.words = words;
        self
    }

    pub(crate) fn reversed(&self) -> Self {
        let flat = self.iter().rev().flatten().copied().collect();
        Self::new(self.words, flat)
    }

    /// The whole of a symmetric row whose last place is `last`, from its first half.
    pub(crate) fn mirrored(mut self, last: usize) -> Self {
        self.flat
            .reserve_exact((last + 1) * self.words - self.flat.len());
        for place in self.len()..=last {
            let from = (last - place) * self.words;
            self.flat.extend_from_within(from..from + self.words);
        }
        self
    }
}

impl Weights {
    /// Stores `weights` in the width of `total`.
    pub(crate) fn pack<W: Number>(weights: Vec<W>, total: &UBig) -> Self {
        W::into_weights(weights).fitted(total)
    }

    /// The weights in the width of `total`, which is not less than any of them.
    pub(crate) fn fitted(self, total: &UBig) -> Self {
        match (bits(total), self) {
            (0..=64, Self::Small(row)) => Self::Small(row),
            (65..=128, Self::Middle(row)) => Self::Middle(row),
            (width @ 129.., Self::Large(row)) => Self::Large(row.with_words(width.div_ceil(64))),
            (0..=64, other) => Self::Small(other.unpack()),
            (65..=128, other) => Self::Middle(other.unpack()),
            (_, other) => UBig::into_weights(other.unpack()).fitted(total),
        }
    }

    /// The weights as numbers of width `W`.
    pub(crate) fn unpack<W: Number>(&self) -> Vec<W> {
        match self {
            Self::Small(row) => row.iter().map(|w| W::from_u64(*w)).collect(),
            Self::Middle(row) => row.iter().map(|w| W::from_u128(*w)).collect(),
            Self::Large(row) => row.iter().map(W::from_words).collect(),
        }
    }

    /// Calls `visit` with each place and its weight as a number of width `W`.
    pub(crate) fn for_each<W: Number>(&self, mut visit: impl FnMut(usize, W)) {
        let mut place = 0;
        let mut next = |weight| {
            visit(place, weight);
            place += 1;
        };
        match self {
            Self::Small(row) => row.iter().for_each(|weight| next(W::from_u64(*weight))),
            Self::Middle(row) => row.iter().for_each(|weight| next(W::from_u128(*weight))),
            Self::Large(row) => row.iter().for_each(|weight| next(W::from_words(weight))),
        }
    }

    /// Calls `visit` with each place and the words of its weight, the lowest first.
    pub(crate) fn for_each_words(&self, mut visit: impl FnMut(usize, &[u64])) {
        let row = match self {
            Self::Large(row) => row.iter(),
            _ => {
                return self.for_each(|place, weight: u128| {
                    let (low, high) = split(weight);
                    visit(place, &[low, split(high).0]);
                });
            }
        };
        row.enumerate()
            .for_each(|(place, words)| visit(place, words));
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Small(row) => row.len(),
            Self::Middle(row) => row.len(),
            Self::Large(row) => row.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> UBig {
        match self {
            Self::Small(row) => UBig::from(row[index]),
            Self::Middle(row) => UBig::from(row[index]),
            Self::Large(row) => <UBig as Number>::from_words(row.get(index)),
        }
    }

    pub(crate) fn is_zero(&self, index: usize) -> bool {
        match self {
            Self::Small(row) => row[index] == 0,
            Self::Middle(row) => row[index] == 0,
            Self::Large(row) => row.get(index).iter().all(|word| *word == 0),
        }
    }

    /// The number of weights that are not 0.
    pub(crate) fn count_positive(&self) -> usize {
        match self {
            Self::Small(row) => row.iter().filter(|weight| **weight != 0).count(),
            Self::Middle(row) => row.iter().filter(|weight| **weight != 0).count(),
            Self::Large(row) => {
                let is_positive = |words: &&[u64]| words.iter().any(|word| *word != 0);
                row.iter().filter(is_positive).count()
            }
        }
    }

    /// Drops what is behind the first `len` weights.
    pub(crate) fn truncate(&mut self, len: usize) {
        match self {
            Self::Small(row) => row.truncate(len),
            Self::Middle(row) => row.truncate(len),
            Self::Large(row) => row.flat.truncate(len * row.words),
        }
    }

    /// The weights from the last to the first.
    pub(crate) fn reversed(&self) -> Self {
        match self {
            Self::Small(row) => Self::Small(row.iter().rev().copied().collect()),
            Self::Middle(row) => Self::Middle(row.iter().rev().copied().collect()),
            Self::Large(row) => Self::Large(row.reversed()),
        }
    }

    /// Whether the first weights are those of `other`, which has no more.
    pub(crate) fn starts_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Small(row), Self::Small(start)) => row.starts_with(start),
            _ => (0..other.len()).all(|i| self.get(i) == other.get(i)),
        }
    }
}

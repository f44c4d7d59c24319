//! Integers side by side, in the narrowest width that holds them all.

use std::borrow::Cow;

use oddsmith_dist::IBig;

/// Signed integers of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Integers {
    Word(Vec<i64>),
    Double(Vec<i128>),
    Big(Vec<IBig>),
}

impl Integers {
    pub(crate) fn narrowest(numbers: Vec<IBig>) -> Self {
        let words = numbers.iter().map(|number| i64::try_from(number).ok());
        if let Some(words) = words.collect() {
            return Self::Word(words);
        }
        let doubles = numbers.iter().map(|number| i128::try_from(number).ok());
        match doubles.collect() {
            Some(doubles) => Self::Double(doubles),
            None => Self::Big(numbers),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Word(numbers) => numbers.len(),
            Self::Double(numbers) => numbers.len(),
            Self::Big(numbers) => numbers.len(),
        }
    }

    pub(crate) fn get(&self, at: usize) -> IBig {
        match self {
            Self::Word(numbers) => IBig::from(numbers[at]),
            Self::Double(numbers) => IBig::from(numbers[at]),
            Self::Big(numbers) => numbers[at].clone(),
        }
    }

    /// The same as integers of any length.
    pub(crate) fn to_big(&self) -> Cow<'_, [IBig]> {
        match self {
            Self::Big(numbers) => Cow::Borrowed(numbers),
            _ => Cow::Owned((0..self.len()).map(|at| self.get(at)).collect()),
        }
    }
}

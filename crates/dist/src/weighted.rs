//! Distributions over any ordered outcome, such as several readings of one roll.

use dashu_int::UBig;

use crate::Error;
use crate::combine::least_common_multiple;
use crate::dist::merge_equal;
use crate::number::Number;

/// A finite distribution over any ordered outcome, sorted and without repeats.
///
/// Invariants: the support is not empty, every weight is positive, the weights sum to the
/// total. For whole numbers [`Dist`](crate::Dist) is smaller and knows more.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Weighted<T> {
    entries: Vec<(T, UBig)>,
    total: UBig,
}

impl<T: Ord> Weighted<T> {
    /// The distribution with these outcomes and weights, in any order: weights of equal
    /// outcomes are added, outcomes without weight dropped.
    ///
    /// # Errors
    /// [`Error::Empty`] if no weight is positive.
    pub fn from_weights(pairs: impl IntoIterator<Item = (T, UBig)>) -> Result<Self, Error> {
        let pairs: Vec<_> = pairs.into_iter().collect();
        let total: UBig = pairs.iter().map(|(_, weight)| weight).sum();
        if total.is_zero() {
            return Err(Error::Empty);
        }
        Ok(Self::from_unsorted(pairs, total))
    }

    /// Merges pairs in any order; the weights sum to `total`, which is positive.
    pub(crate) fn from_unsorted<W: Number>(pairs: Vec<(T, W)>, total: UBig) -> Self {
        let pairs = pairs.into_iter().filter(|(_, weight)| !weight.is_zero());
        Self::merged(
            pairs.map(|(x, weight)| (x, weight.into_big())).collect(),
            total,
        )
    }

    /// Sorts and merges, which is compiled for one width of numbers.
    fn merged(mut entries: Vec<(T, UBig)>, total: UBig) -> Self {
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        merge_equal(&mut entries);
        Self { entries, total }
    }

    /// The sum of all weights; positive.
    pub fn total(&self) -> &UBig {
        &self.total
    }

    /// Outcomes with their weights, ascending; every weight is positive.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&T, &UBig)> {
        self.entries.iter().map(|(x, weight)| (x, weight))
    }

    /// The number of outcomes; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a distribution is never empty")]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The weight of `x`; 0 outside the support.
    pub fn weight(&self, x: &T) -> UBig {
        let place = self.entries.binary_search_by(|(y, _)| y.cmp(x));
        place.map_or(UBig::ZERO, |i| self.entries[i].1.clone())
    }

    /// The weight of all outcomes for which `holds` is true.
    pub fn weight_where(&self, mut holds: impl FnMut(&T) -> bool) -> UBig {
        let entries = self.entries.iter().filter(|(x, _)| holds(x));
        entries.map(|(_, weight)| weight).sum()
    }

    /// The distribution of `f(X)`; weights of equal values are added, the total stays.
    pub fn map<U: Ord>(&self, mut f: impl FnMut(&T) -> U) -> Weighted<U> {
        let pairs = self
            .entries
            .iter()
            .map(|(x, weight)| (f(x), weight.clone()));
        Weighted::from_unsorted(pairs.collect(), self.total.clone())
    }

    /// Like [`map`](Self::map), for outcomes that are not needed any more.
    pub fn into_map<U: Ord>(self, mut f: impl FnMut(T) -> U) -> Weighted<U> {
        let pairs = self.entries.into_iter();
        let pairs = pairs.map(|(x, weight)| (f(x), weight));
        Weighted::from_unsorted(pairs.collect(), self.total)
    }

    /// The mixture of `parts`, with the weights and the total of [`Dist::mix`](crate::Dist::mix).
    ///
    /// # Errors
    /// [`Error::Empty`] if no part has a positive weight.
    pub fn mix(parts: impl IntoIterator<Item = (UBig, Self)>) -> Result<Self, Error> {
        let mut parts: Vec<_> = parts.into_iter().collect();
        parts.retain(|(weight, _)| !weight.is_zero());
        let shares: UBig = parts.iter().map(|(weight, _)| weight).sum();
        if shares.is_zero() {
            return Err(Error::Empty);
        }
        if shares == UBig::ONE {
            let only = parts.pop().expect("somebody has the share");
            return Ok(only.1);
        }
        let common = least_common_multiple(parts.iter().map(|(_, part)| &part.total));
        let mut pairs = Vec::new();
        for (weight, part) in parts {
            let factor = weight * (&common / &part.total);
            pairs.extend(part.into_iter().map(|(x, ways)| (x, ways * &factor)));
        }
        Ok(Self::from_unsorted(pairs, shares * common))
    }
}

/// Outcomes with their weights, ascending.
impl<T> IntoIterator for Weighted<T> {
    type Item = (T, UBig);
    type IntoIter = std::vec::IntoIter<(T, UBig)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

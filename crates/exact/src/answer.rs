//! A number as an exact fraction.

use oddsmith_dist::{IBig, RBig, UBig};

/// The exact answer to a query: `weight / total`, not reduced.
///
/// A total of 0 stands for no number: a query whose condition never happens (`0 / 0`), or an infinite mean
/// (`1 / 0`, or `-1 / 0` if it falls without end).
///
/// For a probability both are sums of integer weights of rolls; for a mean or a variance they are the
/// fraction's two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The numerator; negative only for means.
    pub weight: IBig,
    /// The denominator.
    pub total: UBig,
}

impl Answer {
    /// `0 / 0`: a place for an answer to come.
    pub(crate) fn nothing() -> Self {
        Self {
            weight: IBig::ZERO,
            total: UBig::ZERO,
        }
    }

    /// More than any number, a mean that no finite number of rounds reaches; or less than any, if it falls.
    pub(crate) fn infinite(falls: bool) -> Self {
        Self {
            weight: if falls { IBig::NEG_ONE } else { IBig::ONE },
            total: UBig::ZERO,
        }
    }

    pub(crate) fn from_ratio(ratio: RBig) -> Self {
        let (weight, total) = ratio.into_parts();
        Self { weight, total }
    }

    /// Whether it is more than any number, `1 / 0`, or less than any, `-1 / 0`.
    #[must_use]
    pub fn is_infinite(&self) -> bool {
        self.total == UBig::ZERO && self.weight != IBig::ZERO
    }

    /// The value in lowest terms; none if it is infinite or if the total is 0 (the condition of a query never happens).
    #[must_use]
    pub fn to_ratio(&self) -> Option<RBig> {
        if self.total == UBig::ZERO {
            return None;
        }
        Some(RBig::from_parts(self.weight.clone(), self.total.clone()))
    }
}

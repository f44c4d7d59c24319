//! A number as an exact fraction.

use oddsmith_dist::{IBig, RBig, UBig};

/// The exact answer to a query: `weight / total`, not reduced.
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

    /// The value in lowest terms; none if the total is 0 (the condition of a query never happens).
    #[must_use]
    pub fn to_ratio(&self) -> Option<RBig> {
        if self.total == UBig::ZERO {
            return None;
        }
        Some(RBig::from_parts(self.weight.clone(), self.total.clone()))
    }
}

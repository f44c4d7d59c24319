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

    /// The nearest `f64`, to within one unit in its last place; NaN if the total is 0.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match (i64::try_from(&self.weight), u64::try_from(&self.total)) {
            // Below 2^53 both convert exactly, so the quotient is correctly rounded.
            (Ok(weight), Ok(total)) if weight.unsigned_abs() < 1 << 53 && total < 1 << 53 => {
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "below 2^53 the conversion is exact"
                )]
                let quotient = weight as f64 / total as f64;
                quotient
            }
            _ => self
                .to_ratio()
                .map_or(f64::NAN, |ratio| ratio.to_f64().value()),
        }
    }
}

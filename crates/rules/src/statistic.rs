//! Values that are picked out of a distribution.

use crate::number::Number;

/// A value of a number's distribution that a query asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// The least value `v` with `P(number <= v) >= share`, where the share is above 0 and at most 1. Half of all is the
    /// median.
    Quantile(Number),
    /// The least value that can come up.
    Min,
    /// The greatest value that can come up.
    Max,
    /// The most likely value; of several the lowest.
    Mode,
}

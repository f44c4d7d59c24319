//! Two sets of odds side by side.
//!
//! [`Difference`] sets two distributions against each other; [`Pair`] does so in every configuration of a sweep, and
//! [`Summary`] says what is to be said of all of them.

mod difference;
mod pair;
mod summary;

pub use difference::{Difference, Lead, Order};
pub use pair::{Pair, PairRow, Scale, Side};
pub use summary::{LineSummary, Summary};

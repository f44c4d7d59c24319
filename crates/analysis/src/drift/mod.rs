//! Accepted odds against those that are computed now: what moved, by how much, and where the most.

mod held;
mod ledger;

pub use held::{Held, HeldRow};
pub use ledger::{Drift, Largest, Measure, Moved, Summary};

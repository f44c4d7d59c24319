//! Many configurations at once.
//!
//! The script is cut in two at a value `x` through which everything before it acts on everything after it.
//! What leads to `x` is rolled once per combination of the inputs that it reads, without its fixed terms: a
//! flat modifier only shifts `x`. What follows from each value of `x` (a *kernel*: the moments of the queries)
//! is computed once per combination of the inputs read there. A row is then a few differences of cumulative
//! sums, one for each stretch of `x` over which the kernel does not change: between two thresholds, say.
//!
//! Rows that differ only in how many equal dice are rolled are made one die after the other; others are played row by row.

mod after_cut;
mod begun;
mod cut;
mod grown;
mod input_table;
mod integers;
mod kernel;
mod memo;
mod moment_sums;
mod plan;
mod played;
mod played_together;
mod query_group;
mod row;
mod rows;
mod shape;
mod space;

pub use plan::{Sweep, inputs_that_matter, meets};
pub use row::{Answers, KeptAnswers, Row, RowAnswer};
pub use rows::Gaps;

//! The exact engine: what a checked model means, as distributions with integer weights.
//!
//! A script is read as a walk over the values it has bound: known values are conditioned on, independent
//! parts are convolved, and a pool that is read in several ways is folded once. Nothing is sampled and
//! nothing is rounded; a question whose predicted cost is over the [`Budget`] is refused before it starts.
//!
//! This crate knows nothing of files, arguments or formats, and its results depend on no thread count.
//!
//! ```
//! use oddsmith_exact::{Budget, answers};
//!
//! let check = oddsmith_rules::expression("4d6kh3", "<expression>").unwrap();
//! let query = check.query("P(value >= 18)", "<query>").unwrap();
//! let answer = &answers(&check, &check.defaults(), &[query], &Budget::unlimited()).unwrap()[0];
//! assert_eq!(answer.to_ratio().unwrap().to_string(), "7/432");
//! ```

mod answer;
mod decide;
mod error;
mod evaluate;
mod policy;
mod pools;
mod question;
mod residual;
mod run;
mod states;
mod sweep;
mod track;

pub use answer::Answer;
pub use error::Error;
pub use oddsmith_dist::{Budget, Dist, IBig, Lengths, RBig, UBig};
pub use policy::{Decision, DecisionRow, Seen, Value, decisions};
pub use sweep::{Row, Sweep};
pub use track::Rounds;

use oddsmith_rules::{Check, Config, Outcome, Query};

/// The exact answers to `queries` in one configuration, in their order.
///
/// # Errors
/// If the configuration breaks a requirement, a rule can't be carried out in it (division by zero, a die
/// without faces, …), a conditional query's condition never happens, or the cost is over the budget.
pub fn answers(
    check: &Check,
    config: &Config,
    queries: &[Query],
    budget: &Budget,
) -> Result<Vec<Answer>, Error> {
    question::answers(check, config, queries, budget)
}

/// The whole distribution of one outcome in one configuration; labels are their places.
///
/// # Errors
/// As [`answers`].
pub fn distribution(
    check: &Check,
    config: &Config,
    outcome: &Outcome,
    budget: &Budget,
) -> Result<Dist, Error> {
    question::distribution(check, config, outcome, budget)
}

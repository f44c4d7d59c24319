//! The account of what a question holds in memory at once.

use oddsmith_exact::{Budget, Error};

/// Bytes that an answer is held in, and a configuration beside its answers.
const ANSWER_BYTES: u128 = 128;
const ROW_BYTES: u128 = 512;

/// Charges for holding so many configurations with so many answers each; `what` is what needs them.
///
/// # Errors
/// If that is over the budget.
pub(crate) fn charge(
    budget: &Budget,
    rows: u64,
    answers: usize,
    what: impl FnOnce() -> String,
) -> Result<(), Error> {
    let bytes = ROW_BYTES + answers as u128 * ANSWER_BYTES;
    let charged = budget.charge_memory(bytes.saturating_mul(u128::from(rows)));
    charged.map_err(|error| match error {
        oddsmith_dist::Error::OverBudget { predicted, limit } => Error::OverBudget {
            what: what(),
            predicted,
            limit,
            help: "sweep fewer axes or fewer values, or raise the budget (`--budget`)".to_owned(),
        },
        other => unreachable!("a charge only goes over budget: {other}"),
    })
}

//! The cost of a question: its steps, and the memory that it holds at once.

use oddsmith_exact::{Budget, Error};

/// Bytes that an answer is held in, and a configuration beside its answers.
const ANSWER_BYTES: u128 = 128;
const ROW_BYTES: u128 = 512;

/// The advice if a sweep needs too much.
pub(crate) const FEWER_ROWS: &str =
    "sweep fewer axes or fewer values, or raise the budget (`--budget`)";

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
    charge_bytes(budget, bytes(rows, answers), (what, FEWER_ROWS))
}

/// Charges for so many bytes, for `what`; `help` says what would need fewer.
///
/// # Errors
/// If that is over the budget.
pub(crate) fn charge_bytes(
    budget: &Budget,
    bytes: u128,
    over: (impl FnOnce() -> String, &str),
) -> Result<(), Error> {
    refused(budget.charge_memory(bytes), over)
}

/// Charges for so many steps, for `what`; `help` says what would need fewer.
///
/// # Errors
/// If that is over the budget.
pub(crate) fn charge_steps(
    budget: &Budget,
    steps: u128,
    over: (impl FnOnce() -> String, &str),
) -> Result<(), Error> {
    refused(budget.charge(steps), over)
}

/// What a charge returned, with an error that says what for and what would help.
pub(crate) fn refused(
    charged: Result<(), oddsmith_dist::Error>,
    (what, help): (impl FnOnce() -> String, &str),
) -> Result<(), Error> {
    charged.map_err(|error| Error::refused(&error, what(), help))
}

/// Gives back what was charged for so many configurations with so many answers each.
pub(crate) fn release(budget: &Budget, rows: u64, answers: usize) {
    budget.release_memory(bytes(rows, answers));
}

fn bytes(rows: u64, answers: usize) -> u128 {
    let row = ROW_BYTES + answers as u128 * ANSWER_BYTES;
    row.saturating_mul(u128::from(rows))
}

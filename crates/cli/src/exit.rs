//! Exit statuses, part of the contract with scripts.

/// All is well.
pub(crate) const OK: u8 = 0;
/// The answer is no: odds moved, a case failed, an expectation does not hold, trials are not what the exact odds say,
/// nothing meets the goals, or something is found that `--deny` denies.
pub(crate) const NO: u8 = 1;
/// It could not be answered: usage, a bad ruleset, over budget. Also what the argument parser exits with.
pub(crate) const FAILED: u8 = 2;
/// Interrupted: no part of a table was left behind, or what a simulation or a search had so far was shown.
pub(crate) const INTERRUPTED: u8 = 130;

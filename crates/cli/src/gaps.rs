//! Configurations that break a rule, where the others are answered all the same.

use oddsmith_exact::Gaps;

use crate::failure;
use crate::format::words::grouped;

/// Says how many they are and what the first of them breaks, if there is one; `without` is what becomes of one of them
/// and of several.
pub(crate) fn tell(gaps: &Gaps, without: [&str; 2]) {
    let Some(first) = &gaps.first else { return };
    let (what, without) = match gaps.count {
        1 => ("configuration breaks a rule", without[0]),
        _ => ("configurations break a rule", without[1]),
    };
    let count = grouped(gaps.count);
    failure::note(&format!(
        "{count} {what}, and {without}. The first: {first}"
    ));
}

/// The same where the cells of their table are empty.
pub(crate) fn tell_empty(gaps: &Gaps) {
    tell(gaps, ["its cells are empty", "their cells are empty"]);
}

//! Of many lines those are shown that come up most.

use std::cmp::Reverse;

use oddsmith_exact::RBig;

/// Lines of a table that are all shown.
const WHOLE: usize = 60;
/// Of more lines so many are shown.
const SHOWN: usize = 40;

/// Keeps those lines of a long table that come up most, in their order, and those that come up as often as the last of
/// them. Whether the table is long.
pub(super) fn shorten<T>(lines: &mut Vec<T>, probability: impl Fn(&T) -> RBig) -> bool {
    let is_long = lines.len() > WHOLE;
    if is_long {
        let least = nth(lines, SHOWN, &probability);
        lines.retain(|line| Some(probability(line)) >= least);
    }
    is_long
}

/// Keeps those lines of a long table that come up most, the likeliest first. Whether the table is long.
pub(super) fn sort<T>(lines: &mut Vec<T>, probability: impl Fn(&T) -> RBig) -> bool {
    let is_long = lines.len() > WHOLE;
    if is_long {
        lines.sort_by_cached_key(|line| Reverse(probability(line)));
        lines.truncate(SHOWN);
    }
    is_long
}

/// The probability of the `n`-th likeliest line; of fewer lines the least one, of none none.
pub(super) fn nth<T>(lines: &[T], n: usize, probability: impl Fn(&T) -> RBig) -> Option<RBig> {
    let mut all: Vec<RBig> = lines.iter().map(probability).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.into_iter().take(n).last()
}

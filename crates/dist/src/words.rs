//! Dice and questions in words, for notes.

use crate::Dist;
use crate::pool::dice::Pool;
use crate::pool::kept::{Feature, Kept, Reading};

/// Faces that are listed one by one.
const MOST_LISTED: usize = 6;

/// A die as `d6`, `d{0: 6, 1: 4}` or `a die of 40 faces`.
fn die(die: &Dist) -> String {
    let faces = die.len();
    if die.min() == 1 && die.total() == &die.max().unsigned_abs().into() && die.is_even() {
        return format!("d{faces}");
    }
    if faces <= MOST_LISTED {
        let faces = die.iter().map(|(face, weight)| format!("{face}: {weight}"));
        return format!("d{{{}}}", faces.collect::<Vec<_>>().join(", "));
    }
    format!("d({faces} faces from {} to {})", die.min(), die.max())
}

/// Equal dice as `4d6`.
pub(crate) fn dice(one: &Dist, count: u32) -> String {
    format!("{count}{}", die(one))
}

/// A pool as `4d6`, `{2d6, 1d8}` or `5 of a bag of 52`.
pub(crate) fn pool(pool: &Pool) -> String {
    let Some(groups) = pool.groups() else {
        return format!("{} pieces drawn", pool.size());
    };
    let kinds: Vec<String> = groups
        .iter()
        .map(|(one, count)| dice(one, *count))
        .collect();
    match kinds.as_slice() {
        [only] => only.clone(),
        _ => format!("{{{}}}", kinds.join(", ")),
    }
}

/// A question to a roll as `the sum of the highest 3 of 4d6`.
pub(crate) fn question(of: &Pool, feature: &Feature) -> String {
    let kept = kept(feature.kept.within(of.size()), of);
    match &feature.reading {
        Reading::Sum if feature.kept.within(of.size()).len() == 1 && of.size() > 1 => kept,
        Reading::Sum => format!("the sum of {kept}"),
        Reading::SumOf(values) if values.iter().all(|(_, value)| (0..=1).contains(value)) => {
            let counted: Vec<i64> = values
                .iter()
                .filter(|(_, value)| *value == 1)
                .map(|(face, _)| *face)
                .collect();
            match counted.as_slice() {
                [] => format!("a count of nothing in {kept}"),
                [only] => format!("how many of {kept} show {only}"),
                [first, .., last] => format!(
                    "how many of {kept} show one of {} faces from {first} to {last}",
                    counted.len()
                ),
            }
        }
        Reading::SumOf(_) => format!("the sum of values of {kept}"),
        Reading::Matches(1) => format!("the largest set in {kept}"),
        Reading::Matches(k) => format!("the size of set {k} in {kept}"),
    }
}

fn kept(kept: Kept, of: &Pool) -> String {
    let (dice, size) = (pool(of), of.size());
    match (kept.start, kept.end) {
        (0, end) if end == size => dice,
        (0, 1) => format!("the highest of {dice}"),
        (0, end) => format!("the highest {end} of {dice}"),
        (start, end) if end == size && start + 1 == size => format!("the lowest of {dice}"),
        (start, end) if end == size => format!("the lowest {} of {dice}", size - start),
        (start, end) if end == start + 1 => format!("place {end} of {dice}"),
        (start, end) => format!("places {} to {end} of {dice}", start + 1),
    }
}

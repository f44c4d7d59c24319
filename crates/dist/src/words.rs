//! Dice and questions in words, for notes.

use crate::Dist;
use crate::pool::dice::Pool;
use crate::pool::kept::{Feature, Kept};

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
    let places = feature.kept.within(of.size());
    let is_one_of_several = places.len() == 1 && of.size() > 1;
    feature.reading.words(&kept(places, of), is_one_of_several)
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

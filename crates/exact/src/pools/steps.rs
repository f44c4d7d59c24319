//! Readings of a roll as a whole, as steps from its highest face to its lowest.

use oddsmith_dist::{Reading, Steps};
use oddsmith_rules::program::Whole;

/// What the distributions read for it. A place is no greater than the number of dice.
pub(super) fn of_whole(whole: Whole<usize>) -> Reading {
    match whole {
        Whole::Set(k) => Reading::Matches(u32::try_from(k).expect("a place among dice")),
        Whole::SetFace(k) => Reading::Steps(Steps::new(
            "the face of a set",
            vec![0; 2 * k],
            add_set,
            |cells| cells.last().copied().unwrap_or(0),
        )),
        Whole::Distinct => Reading::Steps(Steps::new(
            "the different faces",
            [0],
            |cells, _, _| cells[0] += 1,
            |cells| cells[0],
        )),
        Whole::Straight => Reading::Steps(Steps::new(
            "the longest straight",
            [0; 3],
            |cells, face, _| add_face(cells, face),
            |cells| cells[BEST],
        )),
        Whole::StraightFace => Reading::Steps(Steps::new(
            "the highest face of the longest straight",
            [0; 4],
            |cells, face, _| add_face(cells, face),
            |cells| cells[TOP],
        )),
    }
}

/// A set in its place: cells are the sizes and faces of the largest sets so far, and it comes after those as large.
fn add_set(cells: &mut [i64], face: i64, count: i64) {
    let sizes = cells.chunks_exact(2).map(|set| set[0]);
    let place = 2 * sizes.take_while(|size| *size >= count).count();
    if place < cells.len() {
        cells[place..].rotate_right(2);
        (cells[place], cells[place + 1]) = (count, face);
    }
}

/// Cells of straights: how long the straight is that ends at the last face, and that face; how long the longest one is, and,
/// if it is asked for, its highest face.
const RUN: usize = 0;
const LAST: usize = 1;
const BEST: usize = 2;
const TOP: usize = 3;

/// A face lower than those before.
fn add_face(cells: &mut [i64], face: i64) {
    let goes_on = cells[RUN] > 0 && face.checked_add(1) == Some(cells[LAST]);
    cells[RUN] = if goes_on { cells[RUN] + 1 } else { 1 };
    cells[LAST] = face;
    if cells[RUN] > cells[BEST] {
        cells[BEST] = cells[RUN];
        // Its faces follow one another, so the highest is as many above this one.
        let highest = face + (cells[RUN] - 1);
        if let Some(top) = cells.get_mut(TOP) {
            *top = highest;
        }
    }
}

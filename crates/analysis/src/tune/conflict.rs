//! Goals that no candidate meets together.

use std::collections::BTreeSet;

/// The smallest set of goals that none of the candidates meets, of which `masks` say what each meets, a bit for each of
/// `goals` goals; of equally small ones the first. Nothing if some candidate meets all of them.
///
/// No candidate meets all of a set if each one misses something in it: the set hits what every mask leaves out. The
/// search is deepened from one goal on, and goes on with the goals that the first candidate not hit yet misses.
pub(crate) fn smallest(masks: &BTreeSet<u64>, goals: usize) -> Option<Vec<usize>> {
    let all = (0..goals).fold(0, |all, goal| all | 1 << goal);
    // A candidate that meets less than another one is hit wherever that one is.
    let is_largest = |mask: &u64| {
        let mut others = masks.iter();
        !others.any(|other| other != mask && other & mask == *mask)
    };
    let largest = masks.iter().copied().filter(is_largest);
    let missed: Vec<u64> = largest.map(|mask| all & !mask).collect();
    if missed.contains(&0) {
        return None;
    }
    let found = (0..=goals).find_map(|size| hit(&missed, 0, size))?;
    Some((0..goals).filter(|goal| found >> goal & 1 == 1).collect())
}

/// A set that has all of `chosen` and at most `more` besides, and hits all that is missed.
fn hit(missed: &[u64], chosen: u64, more: usize) -> Option<u64> {
    let Some(open) = missed.iter().find(|missed| **missed & chosen == 0) else {
        return Some(chosen);
    };
    let more = more.checked_sub(1)?;
    let goals = (0..u64::BITS).filter(|goal| open >> goal & 1 == 1);
    { goals }.find_map(|goal| hit(missed, chosen | 1 << goal, more))
}

#[cfg(test)]
mod tests {
    use super::smallest;

    #[test]
    fn small_conflicts_come_first() {
        let of = |masks: &[u64], goals| smallest(&masks.iter().copied().collect(), goals);
        // Each of three goals can be met, any two of them, but not all three.
        assert_eq!(of(&[0b011, 0b101, 0b110], 3), Some(vec![0, 1, 2]));
        // The second goal is never met.
        assert_eq!(of(&[0b101, 0b100, 0b001], 3), Some(vec![1]));
        assert_eq!(of(&[0b0111, 0b1100], 4), Some(vec![0, 3]));
        assert_eq!(of(&[0b111], 3), None);
        // Without candidates nothing is needed.
        assert_eq!(of(&[], 2), Some(vec![]));
    }
}

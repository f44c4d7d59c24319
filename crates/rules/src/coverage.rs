//! Do the arms of a `match` make sense together? No value in two arms by accident, none in no arm.
//!
//! Arms are tried in order, so a wider arm after a narrower one is a staircase (`< 10`, then `< 15`) or a
//! rule after its exceptions (`20: …, >= 15: …`), and fine. Two arms that overlap only in part are a slip.

use crate::bounds::Interval;
use crate::program::{Arm, CompareOp, Expr, Test};
use crate::source::Span;

/// The values that an arm asks for: disjoint intervals, ascending.
pub type Region = Vec<Interval>;

/// What is wrong with the arms of a `match`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Two arms share some values, and neither holds all of the other.
    Overlap {
        /// The arm that is tried first.
        earlier: usize,
        /// The arm that is tried later.
        later: usize,
        /// The shared values.
        shared: Region,
    },
    /// Earlier arms take every value of this one.
    Unreachable {
        /// The arm.
        arm: usize,
    },
    /// No arm takes these values.
    Gap {
        /// The values.
        missing: Region,
    },
}

impl Problem {
    /// The message, its place, and the place of the earlier arm if there is one.
    pub fn describe(
        &self,
        arms: &[Arm],
        whole: Span,
        show: &dyn Fn(i64) -> String,
    ) -> (String, Span, Option<Span>) {
        match self {
            Self::Overlap {
                earlier,
                later,
                shared,
            } => {
                let message = format!("two arms overlap: both take {}", show_region(shared, show));
                (message, arms[*later].span, Some(arms[*earlier].span))
            }
            Self::Unreachable { arm } => (
                "this arm can never be taken: earlier arms take all its values".to_owned(),
                arms[*arm].span,
                None,
            ),
            Self::Gap { missing } => (
                format!("no arm takes {}", show_region(missing, show)),
                whole,
                None,
            ),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Overlap { .. } => "give each value to one arm; arms are tried from first to last",
            Self::Unreachable { .. } => "remove it, or put it before the wider arm",
            Self::Gap { .. } => "add an arm for it, or end with `else: …`",
        }
    }
}

/// The regions of all arms, if `value` knows every bound.
pub fn regions(arms: &[Arm], mut value: impl FnMut(&Expr) -> Option<i64>) -> Option<Vec<Region>> {
    arms.iter()
        .map(|arm| {
            let tests: Option<Vec<Region>> = arm
                .patterns
                .iter()
                .map(|test| test_region(test, &mut value))
                .collect();
            Some(normalise(tests?.concat()))
        })
        .collect()
}

fn test_region(test: &Test, value: &mut impl FnMut(&Expr) -> Option<i64>) -> Option<Region> {
    Some(match test {
        Test::Range(from, to) => vec![(value(from)?, value(to)?)],
        Test::Compare(op, bound) => compared(*op, value(bound)?),
    })
}

/// The numbers that compare so with a bound.
pub(crate) fn compared(op: CompareOp, bound: i64) -> Region {
    let (lowest, highest) = (i64::MIN, i64::MAX);
    // Nothing is below the lowest number, nor above the highest.
    let below = bound.checked_sub(1).map(|end| (lowest, end));
    let above = bound.checked_add(1).map(|start| (start, highest));
    match op {
        CompareOp::Equal => vec![(bound, bound)],
        CompareOp::Less => below.into_iter().collect(),
        CompareOp::LessEqual => vec![(lowest, bound)],
        CompareOp::Greater => above.into_iter().collect(),
        CompareOp::GreaterEqual => vec![(bound, highest)],
        CompareOp::NotEqual => below.into_iter().chain(above).collect(),
    }
}

/// The first thing wrong with arms of these regions, over the values from `range.0` to `range.1`.
#[must_use]
pub fn problem(regions: &[Region], has_else: bool, range: (i64, i64)) -> Option<Problem> {
    problems(regions, has_else, range).into_iter().next()
}

/// All that is wrong with arms of these regions, by their order; a gap comes last.
pub(crate) fn problems(regions: &[Region], has_else: bool, range: (i64, i64)) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut taken = Region::new();
    let tried = if is_disjoint(regions) { &[] } else { regions };
    for (later, region) in tried.iter().enumerate() {
        if !region.is_empty() && subtract(region, &taken).is_empty() {
            problems.push(Problem::Unreachable { arm: later });
        } else {
            problems.extend(
                regions[..later]
                    .iter()
                    .enumerate()
                    .filter_map(|(earlier, before)| {
                        let shared = intersect(before, region);
                        let is_partial = !shared.is_empty()
                            && !subtract(before, region).is_empty()
                            && !subtract(region, before).is_empty();
                        is_partial.then_some(Problem::Overlap {
                            earlier,
                            later,
                            shared,
                        })
                    }),
            );
        }
        taken = normalise([taken, region.clone()].concat());
    }
    if tried.is_empty() {
        taken = normalise(regions.concat());
    }
    let missing = subtract(&[range], &taken);
    if !has_else && !missing.is_empty() {
        problems.push(Problem::Gap { missing });
    }
    problems
}

/// Whether no value is in two of the regions, as in most matches: then only a gap can be wrong with them.
fn is_disjoint(regions: &[Region]) -> bool {
    let mut all = regions.concat();
    all.sort_unstable();
    all.windows(2).all(|pair| pair[0].1 < pair[1].0)
}

/// Sorted, merged, without empty intervals.
fn normalise(mut region: Region) -> Region {
    region.retain(|(low, high)| low <= high);
    region.sort_unstable();
    let mut merged = Region::new();
    for (low, high) in region {
        match merged.last_mut() {
            // Nothing begins beyond the highest number.
            Some((_, end)) if low <= end.saturating_add(1) => *end = (*end).max(high),
            _ => merged.push((low, high)),
        }
    }
    merged
}

/// What is in both of two regions.
pub(crate) fn intersect(a: &[Interval], b: &[Interval]) -> Region {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut both = Region::new();
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let (low, high) = (x.0.max(y.0), x.1.min(y.1));
        if low <= high {
            both.push((low, high));
        }
        if x.1 < y.1 {
            a.next()
        } else {
            b.next()
        };
    }
    both
}

/// What is in the first of two regions and not in the second.
pub(crate) fn subtract(a: &[Interval], b: &[Interval]) -> Region {
    let mut rest = Region::new();
    let mut b = b.iter().peekable();
    for &(mut low, high) in a {
        while b.next_if(|(_, end)| *end < low).is_some() {}
        let mut is_left = true;
        while let Some(&&(start, end)) = b.peek().filter(|(start, _)| *start <= high) {
            if low < start {
                rest.push((low, start - 1));
            }
            is_left = end < high;
            if !is_left {
                break;
            }
            low = end + 1;
            b.next();
        }
        if is_left {
            rest.push((low, high));
        }
    }
    rest
}

/// `10`, `10 to 11`, `below 3`, `7 and above`.
fn show_region(region: &Region, show: &dyn Fn(i64) -> String) -> String {
    let piece = |&(low, high): &(i64, i64)| match (low, high) {
        (i64::MIN, i64::MAX) => "any value".to_owned(),
        (i64::MIN, high) => format!("{} and below", show(high)),
        (low, i64::MAX) => format!("{} and above", show(low)),
        (low, high) if low == high => show(low),
        (low, high) => format!("{} to {}", show(low), show(high)),
    };
    region.iter().map(piece).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{Problem, Region, intersect, is_disjoint, normalise, problem, subtract};

    const ALL: (i64, i64) = (i64::MIN, i64::MAX);

    #[test]
    fn staircases_and_exceptions_are_fine() {
        let below = |n: i64| vec![(i64::MIN, n - 1)];
        assert_eq!(problem(&[below(10), below(15), below(20)], true, ALL), None);
        assert_eq!(
            problem(
                &[vec![(20, 20)], vec![(1, 1)], vec![(15, i64::MAX)]],
                true,
                ALL
            ),
            None
        );
    }

    #[test]
    fn partial_overlaps_name_the_shared_values() {
        let overlap = Problem::Overlap {
            earlier: 0,
            later: 1,
            shared: vec![(10, 10)],
        };
        assert_eq!(
            problem(&[vec![(0, 10)], vec![(10, 14)]], true, ALL),
            Some(overlap)
        );
    }

    #[test]
    fn gaps_are_named_within_the_range_only() {
        let arms = [vec![(i64::MIN, 9)], vec![(12, i64::MAX)]];
        assert_eq!(
            problem(&arms, false, (2, 20)),
            Some(Problem::Gap {
                missing: vec![(10, 11)]
            })
        );
        assert_eq!(problem(&arms, false, (2, 8)), None);
    }

    #[test]
    fn what_earlier_arms_take_can_not_be_reached() {
        assert_eq!(
            problem(&[vec![(1, 5)], vec![(3, 4)]], true, ALL),
            Some(Problem::Unreachable { arm: 1 })
        );
    }

    fn region() -> impl Strategy<Value = Region> {
        let intervals = proptest::collection::vec((-9_i64..9, 0_i64..4), 0..5);
        intervals
            .prop_map(|all| normalise(all.iter().map(|(low, more)| (*low, low + more)).collect()))
    }

    fn numbers(region: &Region) -> BTreeSet<i64> {
        region.iter().flat_map(|(low, high)| *low..=*high).collect()
    }

    proptest! {
        #[test]
        fn regions_are_sets_of_numbers(a in region(), b in region()) {
            let (left, right) = (numbers(&a), numbers(&b));
            prop_assert_eq!(numbers(&intersect(&a, &b)), &left & &right);
            prop_assert_eq!(numbers(&subtract(&a, &b)), &left - &right);
            prop_assert_eq!(is_disjoint(&[a.clone(), b.clone()]), left.is_disjoint(&right));
            let all = [(i64::MIN, i64::MAX)];
            prop_assert_eq!(subtract(&all, &subtract(&all, &a)), a);
        }
    }
}

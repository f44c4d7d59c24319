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
    for (later, region) in regions.iter().enumerate() {
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
    let missing = subtract(&[range], &taken);
    if !has_else && !missing.is_empty() {
        problems.push(Problem::Gap { missing });
    }
    problems
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

/// What is in both.
pub(crate) fn intersect(a: &[Interval], b: &[Interval]) -> Region {
    let pairs = a
        .iter()
        .flat_map(|x| b.iter().map(move |y| (x.0.max(y.0), x.1.min(y.1))));
    normalise(pairs.collect())
}

/// What is in the first and not in the second.
pub(crate) fn subtract(a: &[Interval], b: &[Interval]) -> Region {
    let mut rest = a.to_vec();
    for &(low, high) in b {
        rest = rest
            .into_iter()
            .flat_map(|(from, to)| {
                if high < from || to < low {
                    return vec![(from, to)];
                }
                let mut pieces = Vec::new();
                if from < low {
                    pieces.push((from, low - 1));
                }
                if high < to {
                    pieces.push((high + 1, to));
                }
                pieces
            })
            .collect();
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
    use super::{Problem, problem};

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
}

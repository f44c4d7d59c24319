//! The arms of a `match`: which of them a subject may come to, and whether it may come to none.

use super::{Failing, joined};
use crate::interval::{Interval, Shape};
use crate::program::{Arm, CompareOp, Expr, Test};

/// Disjoint ranges.
type Ranges = Vec<Interval>;

impl Failing<'_> {
    pub(super) fn arms(
        &mut self,
        subject: &Expr,
        arms: &[Arm],
        otherwise: Option<&Expr>,
        made: &mut dyn FnMut(&mut Self, &Expr) -> Shape,
    ) -> Shape {
        let mut left: Ranges = vec![self.number(subject)];
        let mut parts = Vec::new();
        for arm in arms {
            let mut own = Ranges::new();
            for test in &arm.patterns {
                if left.is_empty() {
                    break;
                }
                let (possible, certain) = self.taken(test);
                own.extend(intersection(&left, &possible));
                left = difference(left, &certain);
            }
            parts.extend(self.arm(subject, &own, &arm.value, made));
        }
        match otherwise {
            Some(otherwise) => parts.extend(self.arm(subject, &left, otherwise, made)),
            None => self.fails |= !left.is_empty(),
        }
        joined(parts)
    }

    /// The value of an arm, where the subject lies in these ranges.
    fn arm(
        &mut self,
        subject: &Expr,
        ranges: &[Interval],
        value: &Expr,
        made: &mut dyn FnMut(&mut Self, &Expr) -> Shape,
    ) -> Option<Shape> {
        let hull = ranges.iter().copied().reduce(crate::interval::union)?;
        let mut before = Vec::new();
        let can_be = self.narrow(subject, hull, &mut before);
        let made = can_be.then(|| made(self, value));
        self.restore_but(before, &[]);
        made
    }

    /// What a test may take, and what it takes for certain.
    fn taken(&mut self, test: &Test) -> (Ranges, Ranges) {
        match test {
            Test::Range(from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                (range(from.0, to.1), range(from.1, to.0))
            }
            Test::Compare(op, bound) => {
                let (low, high) = self.number(bound);
                match op {
                    CompareOp::Equal => {
                        let certain = if low == high {
                            range(low, high)
                        } else {
                            Vec::new()
                        };
                        (range(low, high), certain)
                    }
                    CompareOp::NotEqual => {
                        let all = vec![(i64::MIN, i64::MAX)];
                        let certain = difference(all.clone(), &[(low, high)]);
                        let possible = if low == high { certain.clone() } else { all };
                        (possible, certain)
                    }
                    CompareOp::Less => (below(high, 1), below(low, 1)),
                    CompareOp::LessEqual => (below(high, 0), below(low, 0)),
                    CompareOp::Greater => (above(low, 1), above(high, 1)),
                    CompareOp::GreaterEqual => (above(low, 0), above(high, 0)),
                }
            }
        }
    }
}

fn range(low: i64, high: i64) -> Ranges {
    if low <= high {
        vec![(low, high)]
    } else {
        Vec::new()
    }
}

fn below(bound: i64, by: i64) -> Ranges {
    bound
        .checked_sub(by)
        .map_or(Vec::new(), |high| range(i64::MIN, high))
}

fn above(bound: i64, by: i64) -> Ranges {
    bound
        .checked_add(by)
        .map_or(Vec::new(), |low| range(low, i64::MAX))
}

fn intersection(one: &[Interval], other: &[Interval]) -> Ranges {
    let pairs = one
        .iter()
        .flat_map(|a| other.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
    pairs.filter(|(low, high)| low <= high).collect()
}

fn difference(from: Ranges, what: &[Interval]) -> Ranges {
    what.iter().fold(from, |from, gone| {
        let left = from.into_iter().flat_map(|(low, high)| {
            let under = below(gone.0, 1)
                .into_iter()
                .map(move |part| (low, high.min(part.1)));
            let over = above(gone.1, 1)
                .into_iter()
                .map(move |part| (low.max(part.0), high));
            under.chain(over)
        });
        left.filter(|(low, high)| low <= high).collect()
    })
}

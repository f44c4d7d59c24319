//! The arms of a `match`: which of them a subject may come to, and whether it may come to none.

use super::{Failing, joined};
use crate::coverage::{Region, compared, intersect, subtract};
use crate::interval::{Interval, Shape};
use crate::program::{Arm, CompareOp, Expr, Test};

impl Failing<'_> {
    pub(super) fn arms(
        &mut self,
        subject: &Expr,
        arms: &[Arm],
        otherwise: Option<&Expr>,
        made: &mut dyn FnMut(&mut Self, &Expr) -> Shape,
    ) -> Shape {
        let mut left: Region = vec![self.number(subject)];
        let mut parts = Vec::new();
        for arm in arms {
            let mut own = Region::new();
            for test in &arm.patterns {
                if left.is_empty() {
                    break;
                }
                let (possible, certain) = self.taken(test);
                own.extend(intersect(&left, &possible));
                left = subtract(&left, &certain);
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
    fn taken(&mut self, test: &Test) -> (Region, Region) {
        match test {
            Test::Range(from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                (range(from.0, to.1), range(from.1, to.0))
            }
            Test::Compare(op, bound) => {
                let (low, high) = self.number(bound);
                match op {
                    CompareOp::Equal if low == high => (range(low, high), range(low, high)),
                    CompareOp::Equal => (range(low, high), Region::new()),
                    CompareOp::NotEqual => {
                        let all = vec![(i64::MIN, i64::MAX)];
                        let certain = subtract(&all, &[(low, high)]);
                        let possible = if low == high { certain.clone() } else { all };
                        (possible, certain)
                    }
                    CompareOp::Less | CompareOp::LessEqual => {
                        (compared(*op, high), compared(*op, low))
                    }
                    CompareOp::Greater | CompareOp::GreaterEqual => {
                        (compared(*op, low), compared(*op, high))
                    }
                }
            }
        }
    }
}

fn range(low: i64, high: i64) -> Region {
    if low <= high {
        vec![(low, high)]
    } else {
        Vec::new()
    }
}

//! Bounds of what operators make of numbers that lie within bounds: written here alone, for every crate that asks between
//! which numbers something lies before it knows its value.

use crate::operators::{BinaryOp, CompareOp, Division, UnaryOp};

/// Lowest and highest.
pub type Interval = (i64, i64);

/// Lowest and highest of results that may be beyond 64 bits.
pub type Wide = (i128, i128);

/// The least interval that holds both.
#[must_use]
pub fn union(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The interval, if both of its ends fit 64 bits.
#[must_use]
pub fn fitting((low, high): Wide) -> Option<Interval> {
    Some((i64::try_from(low).ok()?, i64::try_from(high).ok()?))
}

/// The interval with its ends moved to the nearest numbers that fit 64 bits.
#[must_use]
pub fn clamped((low, high): Wide) -> Interval {
    let nearest = |end: i128| match i64::try_from(end) {
        Ok(end) => end,
        Err(_) if end < 0 => i64::MIN,
        Err(_) => i64::MAX,
    };
    (nearest(low), nearest(high))
}

fn wide((low, high): Interval) -> Wide {
    (low.into(), high.into())
}

/// The bounds of the sum of `fewest` to `most` numbers that lie within `each`, both at least 0.
pub(crate) fn sum((fewest, most): Interval, each: Interval) -> Wide {
    let (low, high) = wide(each);
    let lowest = low * i128::from(if low < 0 { most } else { fewest });
    let highest = high * i128::from(if high < 0 { fewest } else { most });
    (lowest, highest)
}

impl UnaryOp {
    /// The bounds of the results; those of `not` are 0 and 1.
    #[must_use]
    pub fn bounds(self, operand: Interval) -> Wide {
        let (low, high) = wide(operand);
        match self {
            Self::Negate => (-high, -low),
            Self::Not => (0, 1),
            Self::Abs if low >= 0 => (low, high),
            Self::Abs => (0, high.abs().max(low.abs())),
            Self::Sign => (low.signum(), high.signum()),
        }
    }
}

impl BinaryOp {
    /// The bounds of the results; those of truth values are 0 and 1.
    #[must_use]
    pub fn bounds(self, left: Interval, right: Interval) -> Wide {
        let ((a, b), (c, d)) = (wide(left), wide(right));
        match self {
            Self::Add => (a + c, b + d),
            Self::Subtract => (a - d, b - c),
            Self::Multiply => {
                let products = [a * c, a * d, b * c, b * d];
                let hull =
                    |(low, high): Wide, product: &i128| (low.min(*product), high.max(*product));
                products.iter().fold((products[0], products[0]), hull)
            }
            Self::Min => (a.min(c), b.min(d)),
            Self::Max => (a.max(c), b.max(d)),
            Self::And | Self::Or | Self::Compare(_) => (0, 1),
        }
    }
}

impl Division {
    /// The bounds of the results by divisors of one sign: of quotients the least and the greatest, which are at the ends of
    /// both. None if a divisor may be 0 or a quotient is beyond 64 bits.
    #[must_use]
    pub fn bounds(self, (low, high): Interval, by: Interval) -> Option<Interval> {
        if by.0 <= 0 && by.1 >= 0 {
            return None;
        }
        if self == Self::Remainder {
            let (least, most) = (by.0.min(0), by.1.max(0));
            // Numbers nearer to 0 than all divisors, on their side, are what is left of them.
            let is_small = if by.0 > 0 {
                low >= 0 && high < by.0
            } else {
                high <= 0 && low > by.1
            };
            return Some(match is_small {
                true => (low, high),
                false => ((least + 1).min(0), (most - 1).max(0)),
            });
        }
        let first = self.divide(low, by.0)?;
        let ends = [(low, by.1), (high, by.0), (high, by.1)];
        ends.into_iter()
            .try_fold((first, first), |hull, (numerator, by)| {
                let quotient = self.divide(numerator, by)?;
                Some(union(hull, (quotient, quotient)))
            })
    }
}

impl CompareOp {
    /// What is left of a number that compares so with another; its low end is above its high one if nothing is.
    ///
    /// ```
    /// use oddsmith_rules::program::CompareOp;
    /// assert_eq!(CompareOp::Less.narrow((1, 9), (3, 5)), (1, 4));
    /// assert_eq!(CompareOp::NotEqual.narrow((1, 9), (9, 9)), (1, 8));
    /// ```
    #[must_use]
    pub fn narrow(self, (low, high): Interval, (from, to): Interval) -> Interval {
        match self {
            Self::Equal => (low.max(from), high.min(to)),
            Self::NotEqual if from == to && low == from => (low.saturating_add(1), high),
            Self::NotEqual if from == to && high == from => (low, high.saturating_sub(1)),
            Self::NotEqual => (low, high),
            Self::Less => (low, high.min(to.saturating_sub(1))),
            Self::LessEqual => (low, high.min(to)),
            Self::Greater => (low.max(from.saturating_add(1)), high),
            Self::GreaterEqual => (low.max(from), high),
        }
    }

    /// Whether numbers within these bounds always compare so, or never; none if it depends on the numbers.
    ///
    /// ```
    /// use oddsmith_rules::program::CompareOp;
    /// assert_eq!(CompareOp::Less.decided((1, 3), (4, 9)), Some(true));
    /// assert_eq!(CompareOp::Less.decided((4, 9), (1, 4)), Some(false));
    /// assert_eq!(CompareOp::Less.decided((1, 4), (4, 9)), None);
    /// ```
    #[must_use]
    pub fn decided(self, left: Interval, right: Interval) -> Option<bool> {
        match self {
            Self::Less if left.1 < right.0 => Some(true),
            Self::Less if left.0 >= right.1 => Some(false),
            Self::LessEqual if left.1 <= right.0 => Some(true),
            Self::LessEqual if left.0 > right.1 => Some(false),
            Self::Equal if left.1 < right.0 || right.1 < left.0 => Some(false),
            Self::Equal if left.0 == left.1 && left == right => Some(true),
            Self::Less | Self::LessEqual | Self::Equal => None,
            Self::NotEqual => Self::Equal.decided(left, right).map(|equal| !equal),
            Self::Greater | Self::GreaterEqual => self.mirrored().decided(right, left),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Interval, clamped, fitting};
    use crate::program::{BinaryOp, CompareOp, Division, UnaryOp};

    fn ranges() -> impl Iterator<Item = Interval> + Clone {
        (-4..=4).flat_map(|low| (low..=4).map(move |high| (low, high)))
    }

    fn pairs() -> impl Iterator<Item = (Interval, Interval)> {
        ranges().flat_map(|left| ranges().map(move |right| (left, right)))
    }

    /// All results of numbers within two intervals.
    fn results<T>(
        (left, right): (Interval, Interval),
        result: impl Fn(i64, i64) -> T + Copy,
    ) -> Vec<T> {
        let lefts = left.0..=left.1;
        lefts
            .flat_map(|a| (right.0..=right.1).map(move |b| result(a, b)))
            .collect()
    }

    /// The least and the greatest of some results.
    fn hull(results: &[i64]) -> Option<Interval> {
        Some((*results.iter().min()?, *results.iter().max()?))
    }

    #[test]
    fn arithmetic_reaches_its_bounds() {
        use BinaryOp::{Add, Max, Min, Multiply, Subtract};
        for (left, right) in pairs() {
            for op in [Add, Subtract, Multiply, Min, Max] {
                let all = results((left, right), |a, b| op.apply(a, b).expect("it is small"));
                assert_eq!(
                    fitting(op.bounds(left, right)),
                    hull(&all),
                    "{op:?} {left:?} {right:?}"
                );
            }
        }
        for operand in ranges() {
            for op in [UnaryOp::Negate, UnaryOp::Sign] {
                let all = results((operand, (0, 0)), |a, _| op.apply(a).expect("it is small"));
                assert_eq!(
                    fitting(op.bounds(operand)),
                    hull(&all),
                    "{op:?} {operand:?}"
                );
            }
            let (low, high) = fitting(UnaryOp::Abs.bounds(operand)).expect("it is small");
            let all = results((operand, (0, 0)), |a, _| a.abs());
            assert!(low <= all[0] && all.contains(&high), "{operand:?}");
        }
    }

    #[test]
    fn what_is_beyond_64_bits_is_told() {
        let all = (i64::MIN, i64::MAX);
        assert_eq!(fitting(UnaryOp::Negate.bounds(all)), None);
        assert_eq!(clamped(UnaryOp::Negate.bounds(all)), (-i64::MAX, i64::MAX));
        assert_eq!(clamped(BinaryOp::Multiply.bounds(all, all)), all);
    }

    #[test]
    fn quotients_reach_their_bounds_where_no_divisor_is_0() {
        for division in [Division::Floor, Division::Ceil] {
            for (numerator, by) in pairs() {
                let all = results((numerator, by), |a, b| division.divide(a, b));
                let all: Option<Vec<i64>> = all.into_iter().collect();
                let expected = all.as_deref().and_then(hull);
                assert_eq!(
                    division.bounds(numerator, by),
                    expected,
                    "{numerator:?} {by:?}"
                );
            }
            assert_eq!(division.bounds((i64::MIN, 0), (-1, -1)), None);
        }
    }

    #[test]
    fn remainders_are_within_their_bounds() {
        for (numerator, by) in pairs() {
            let all = results((numerator, by), |a, b| Division::Remainder.divide(a, b));
            let all: Option<Vec<i64>> = all.into_iter().collect();
            match (
                Division::Remainder.bounds(numerator, by),
                all.as_deref().and_then(hull),
            ) {
                (Some(bounds), Some(found)) => {
                    assert!(
                        bounds.0 <= found.0 && found.1 <= bounds.1,
                        "{numerator:?} {by:?}"
                    );
                }
                (bounds, found) => assert_eq!(bounds, found, "{numerator:?} {by:?}"),
            }
        }
        let by = (i64::MIN, -1);
        let bounds = Division::Remainder.bounds((i64::MIN, i64::MAX), by);
        assert_eq!(bounds, Some((i64::MIN + 1, 0)));
        assert_eq!(Division::Remainder.divide(i64::MIN, -1), Some(0));
    }

    #[test]
    fn comparisons_are_decided_where_all_pairs_agree() {
        for (_, op) in CompareOp::SIGNS {
            for (left, right) in pairs() {
                let all = results((left, right), |a, b| op.holds(a, b));
                let agree = all.iter().all(|holds| *holds == all[0]);
                assert_eq!(op.decided(left, right), agree.then_some(all[0]));
                let (low, high) = op.narrow(left, right);
                let holds = |a: i64| (right.0..=right.1).any(|b| op.holds(a, b));
                let mut left = left.0..=left.1;
                assert!(left.all(|a| !holds(a) || (low..=high).contains(&a)));
            }
            for (a, b) in [(1, 2), (2, 2), (2, 1)] {
                assert_eq!(op.opposite().holds(a, b), !op.holds(a, b));
                assert_eq!(op.mirrored().holds(b, a), op.holds(a, b));
            }
        }
    }
}

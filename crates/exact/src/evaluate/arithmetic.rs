//! Operations on numbers, of which any may be rolled.

use oddsmith_dist::{Dist, UBig};
use oddsmith_rules::program::{BinaryOp, Division, Expr, UnaryOp};

use super::{Env, Roll};
use crate::Error;

impl Env<'_> {
    pub(super) fn unary(&self, op: UnaryOp, operand: Roll, at: &Expr) -> Result<Roll, Error> {
        match operand {
            Roll::Known(value) => op
                .apply(value)
                .map(Roll::Known)
                .ok_or_else(|| self.scope.overflow(at)),
            Roll::Rolled(dist) => {
                let mapped = dist.try_map(|value| op.apply(value).ok_or(()));
                mapped
                    .map(Roll::from_dist)
                    .map_err(|()| self.scope.overflow(at))
            }
        }
    }

    pub(super) fn binary(
        &self,
        op: BinaryOp,
        left: Roll,
        right: Roll,
        at: &Expr,
    ) -> Result<Roll, Error> {
        let one_known = |dist: &Dist, apply: &dyn Fn(i64) -> Option<i64>| {
            self.charge_steps(dist.steps_to_map(), at)?;
            let mapped = dist.try_map(|value| apply(value).ok_or(()));
            mapped
                .map(Roll::from_dist)
                .map_err(|()| self.scope.overflow(at))
        };
        match (left, right) {
            (Roll::Known(a), Roll::Known(b)) => op
                .apply(a, b)
                .map(Roll::Known)
                .ok_or_else(|| self.scope.overflow(at)),
            (Roll::Rolled(dist), Roll::Known(b)) if op == BinaryOp::Add => {
                self.wrapped(dist.shift(b), at)
            }
            (Roll::Known(a), Roll::Rolled(dist)) if op == BinaryOp::Add => {
                self.wrapped(dist.shift(a), at)
            }
            (Roll::Rolled(dist), Roll::Known(b)) => one_known(&dist, &|value| op.apply(value, b)),
            (Roll::Known(a), Roll::Rolled(dist)) => one_known(&dist, &|value| op.apply(a, value)),
            (Roll::Rolled(a), Roll::Rolled(b)) => self.both_rolled(op, &a, &b, at),
        }
    }

    fn both_rolled(&self, op: BinaryOp, a: &Dist, b: &Dist, at: &Expr) -> Result<Roll, Error> {
        if matches!(op, BinaryOp::Max | BinaryOp::Min | BinaryOp::Compare(_)) {
            // Products and differences at each outcome of either.
            self.charge_steps(2 * (a.steps_to_map() + b.steps_to_map()), at)?;
        }
        let result = match op {
            BinaryOp::Add => a.convolve(b, self.account.budget),
            BinaryOp::Subtract => a.subtract(b, self.account.budget),
            BinaryOp::Multiply => a.product(b, i64::checked_mul, self.account.budget),
            BinaryOp::Max => Ok(a.highest_of(b)),
            BinaryOp::Min => Ok(a.lowest_of(b)),
            BinaryOp::Compare(op) => {
                let odds = a.compare(b);
                let mut holds = UBig::ZERO;
                for (sign, weight) in [(-1, &odds.less), (0, &odds.equal), (1, &odds.greater)] {
                    if op.holds(sign, 0) {
                        holds += weight;
                    }
                }
                let fails = &odds.total - &holds;
                Dist::from_weights([(1, holds), (0, fails)])
            }
            BinaryOp::And | BinaryOp::Or => unreachable!("these evaluate their sides one by one"),
        };
        self.wrapped(result, at)
    }

    pub(super) fn divide(
        &mut self,
        division: Division,
        numerator: &Expr,
        denominator: &Expr,
        at: &Expr,
    ) -> Result<Roll, Error> {
        let divisor = self.roll(denominator)?;
        let may_be_zero = match &divisor {
            Roll::Known(by) => *by == 0,
            Roll::Rolled(by) => by.weight(0) != UBig::ZERO,
        };
        if may_be_zero {
            let label = if denominator.fixed {
                "this is 0"
            } else {
                "this can be 0"
            };
            return Err(self.scope.error(denominator, "division by zero", label));
        }
        let numerator = self.roll(numerator)?;
        let beyond = || self.scope.overflow(at);
        let mapped = |dist: &Dist, divide: &dyn Fn(i64) -> Option<i64>| {
            self.charge_steps(dist.steps_to_map(), at)?;
            let mapped = dist.try_map(|value| divide(value).ok_or(()));
            mapped.map(Roll::from_dist).map_err(|()| beyond())
        };
        match (numerator, divisor) {
            (Roll::Known(a), Roll::Known(b)) => {
                division.divide(a, b).map(Roll::Known).ok_or_else(beyond)
            }
            (Roll::Rolled(a), Roll::Known(b)) => mapped(&a, &|a| division.divide(a, b)),
            (Roll::Known(a), Roll::Rolled(b)) => mapped(&b, &|b| division.divide(a, b)),
            (Roll::Rolled(a), Roll::Rolled(b)) => {
                let divide = |a, b| division.divide(a, b);
                self.wrapped(a.product(&b, divide, self.account.budget), at)
            }
        }
    }

    pub(crate) fn wrapped(
        &self,
        result: Result<Dist, oddsmith_dist::Error>,
        at: &Expr,
    ) -> Result<Roll, Error> {
        result
            .map(Roll::from_dist)
            .map_err(|error| self.scope.wrap(at, &error))
    }
}

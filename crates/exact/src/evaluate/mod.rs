//! The meaning of expressions: what one is, given the values that are bound.
//!
//! Every variable that an expression reads has a known value when it is evaluated, so its parts are
//! independent of one another: sums of them are convolutions, choices between them mixtures.

mod arithmetic;
mod branches;
mod charges;
mod env;

pub(crate) use env::{Env, FAILED};

use oddsmith_dist::Dist;
use oddsmith_rules::program::{BinaryOp, Expr, Kind};

use crate::Error;
use crate::known::Known;

/// A number that is known, or the distribution of one that is not.
#[derive(Clone, Debug)]
pub(crate) enum Roll {
    Known(i64),
    Rolled(Dist),
}

impl Roll {
    fn from_dist(dist: Dist) -> Self {
        dist.as_constant().map_or(Self::Rolled(dist), Self::Known)
    }

    pub(crate) fn into_dist(self) -> Dist {
        match self {
            Self::Known(value) => Dist::constant(value),
            Self::Rolled(dist) => dist,
        }
    }
}

impl Env<'_> {
    /// The value of an expression without dice.
    pub(crate) fn number(&mut self, expr: &Expr) -> Result<i64, Error> {
        if let Some(value) = self.plain(expr) {
            return Ok(value);
        }
        match self.roll(expr)? {
            Roll::Known(value) => Ok(value),
            Roll::Rolled(_) => {
                Err(self
                    .scope
                    .error(expr, "this must be fixed", "it depends on dice"))
            }
        }
    }

    /// The value or distribution of an expression.
    pub(crate) fn roll(&mut self, expr: &Expr) -> Result<Roll, Error> {
        match &expr.kind {
            Kind::Const(value) => Ok(Roll::Known(*value)),
            Kind::Input(id) => Ok(Roll::Known(self.config.0[id.0])),
            Kind::Var(var) => self.value(*var).map(Roll::Known),
            Kind::Unary(op, operand) => {
                let operand = self.roll(operand)?;
                self.unary(*op, operand, expr)
            }
            Kind::Binary(BinaryOp::And, left, right) => self.short_circuit(left, right, 0),
            Kind::Binary(BinaryOp::Or, left, right) => self.short_circuit(left, right, 1),
            Kind::Binary(op, left, right) => {
                let (left, right) = (self.roll(left)?, self.roll(right)?);
                self.binary(*op, left, right, expr)
            }
            Kind::Divide {
                rounding,
                numerator,
                denominator,
            } => self.divide(*rounding, numerator, denominator, expr),
            Kind::If {
                condition: first, ..
            }
            | Kind::Match { subject: first, .. }
            | Kind::Select { index: first, .. } => {
                let first = self.roll(first)?;
                self.branches(first, expr)
            }
            Kind::Block { statements, value } => self.block(statements, value, expr),
            Kind::Read { pool, reading } => self.read(pool, reading, expr),
            Kind::Wins(left, right) => self.wins(left, right, expr),
            Kind::Dice { .. } | Kind::Gather(_) | Kind::Keep { .. } | Kind::Draw { .. } => {
                unreachable!("a pool is read before it is a number")
            }
        }
    }
}

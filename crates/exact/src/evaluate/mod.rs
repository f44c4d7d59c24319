//! The meaning of expressions: what one is, given the values that are bound.
//!
//! Every variable that an expression reads has a known value when it is evaluated, so its parts are
//! independent of one another: sums of them are convolutions, choices between them mixtures.

mod arithmetic;
mod branches;
mod charges;
mod env;

pub(crate) use env::{Env, FAILED};

use oddsmith_dist::{Dist, UBig};
use oddsmith_rules::evaluate::PlainValue as _;
use oddsmith_rules::program::{BinaryOp, Expr, Kind, Reading, VarId};

use crate::Error;
use crate::residual::BlockScript;

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

/// What evaluation leaves to those who roll pools and run scripts, and who evaluate expressions for it themselves.
pub(crate) trait Composite: Sized {
    /// One number from a pool.
    fn read(&mut self, pool: &Expr, reading: &Reading, at: &Expr) -> Result<Roll, Error>;

    /// The pairs in which the left die is higher.
    fn wins(&mut self, left: &Expr, right: &Expr, at: &Expr) -> Result<Roll, Error>;

    /// Calls `then` with the value of a block for every state that its statements can end in, with that
    /// state's weight.
    fn block_states(
        &mut self,
        block: &BlockScript,
        then: &mut dyn FnMut(&mut Self, &Expr, UBig) -> Result<(), Error>,
    ) -> Result<(), Error>;
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

    /// The value of a variable; a fixed one is made when it is first needed.
    pub(crate) fn value(&mut self, var: VarId) -> Result<i64, Error> {
        match self.peek(var) {
            Some(FAILED) if self.failed.contains_key(&var) => {
                return Err(self.failed[&var].clone());
            }
            Some(value) => return Ok(value),
            None => {}
        }
        let definition = self.scope.fixed.get(&var);
        let definition = definition.expect("a rolled variable is bound before it is read");
        let value = self.number(definition)?;
        self.bind(var, value);
        Ok(value)
    }

    /// The value or distribution of an expression.
    pub(crate) fn roll(&mut self, expr: &Expr) -> Result<Roll, Error> {
        match &expr.kind {
            Kind::Const(value) => Ok(Roll::Known(*value)),
            Kind::Input(id) => Ok(Roll::Known(self.config[*id])),
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
                division,
                numerator,
                denominator,
            } => self.divide(*division, numerator, denominator, expr),
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
            Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Each { .. }
            | Kind::Draw { .. } => {
                unreachable!("a pool is read before it is a number")
            }
        }
    }
}

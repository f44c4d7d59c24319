//! Numbers: what an expression is in every trial.

use oddsmith_rules::program::{BinaryOp, CompareOp, Expr, InputId, Kind, Test, UnaryOp, VarId};
use oddsmith_rules::{Check, Config};

use super::Compiler;
use super::value::{Num, Value};
use crate::Error;
use crate::op::Arithmetic;

impl Compiler<'_> {
    /// The number that an expression is.
    pub(super) fn number(&mut self, expr: &Expr) -> Result<Num, Error> {
        match &expr.kind {
            Kind::Const(value) => Ok(Num::constant(*value)),
            Kind::Input(id) => Ok(Num::constant(input(self.check, self.config, *id))),
            Kind::Var(var) => self.variable(*var),
            Kind::Unary(op, operand) => {
                let operand = self.number(operand)?;
                self.unary(*op, &operand, expr)
            }
            Kind::Binary(op, left, right) => self.binary(*op, left, right, expr),
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => {
                let by = self.number(denominator)?;
                if by.as_constant() == Some(0) {
                    return Err(self.by_zero(denominator));
                }
                let numerator = self.number(numerator)?;
                match by.as_constant() {
                    Some(by) => self.quotient(*division, &numerator, by, expr.span),
                    None => {
                        Ok(self.rolled_quotient(*division, (&numerator, &by), denominator, expr))
                    }
                }
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => self.one_number(expr),
            Kind::Block { statements, value } => {
                self.statements(statements)?;
                self.number(value)
            }
            Kind::Read { pool, reading } => self.reading(pool, reading, expr.span),
            Kind::Wins(left, right) => self.wins(left, right),
            Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Each { .. }
            | Kind::Draw { .. } => {
                unreachable!("a pool is read before it is a number")
            }
        }
    }

    /// The value of an expression that is the same in every trial and easy to see.
    pub(super) fn known(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            Kind::Const(value) => Some(*value),
            Kind::Input(id) => Some(input(self.check, self.config, *id)),
            Kind::Var(var) => match &self.values[var.0] {
                Some(Value::Number(num)) => num.as_constant(),
                _ => None,
            },
            _ => None,
        }
    }

    fn variable(&mut self, var: VarId) -> Result<Num, Error> {
        match self.value(var)? {
            Value::Number(num) => Ok(num),
            Value::Pool(_) | Value::Unknown(_) => unreachable!("a number has this name"),
        }
    }

    /// The value of a variable.
    pub(super) fn value(&mut self, var: VarId) -> Result<Value, Error> {
        match self.values[var.0].clone() {
            Some(Value::Unknown(error)) => Err(*error),
            Some(value) => Ok(value),
            None => {
                let variable = self.check.program().variable(var);
                let message = format!("`{}` is not known here", variable.name());
                Err(self.error(variable.span(), message, "it is bound later or elsewhere"))
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Num, expr: &Expr) -> Result<Num, Error> {
        let zero = Num::constant(0);
        let minus = |c: &mut Self| c.arithmetic(Arithmetic::Subtract, &zero, operand, expr.span);
        match op {
            UnaryOp::Negate => minus(self),
            UnaryOp::Not => Ok(self.not(operand)),
            UnaryOp::Abs if operand.range.0 >= 0 => Ok(operand.clone()),
            UnaryOp::Abs => {
                let minus = minus(self)?;
                let abs = self.arithmetic(Arithmetic::Max, operand, &minus, expr.span)?;
                Ok(abs.within((abs.range.0.max(0), abs.range.1)))
            }
            UnaryOp::Sign => {
                let above = self.compare(CompareOp::Greater, operand, &zero);
                let below = self.compare(CompareOp::Less, operand, &zero);
                self.arithmetic(Arithmetic::Subtract, &above, &below, expr.span)
            }
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        expr: &Expr,
    ) -> Result<Num, Error> {
        let a = self.number(left)?;
        match (op, a.as_constant()) {
            (BinaryOp::And, Some(0)) | (BinaryOp::Or, Some(1)) => return Ok(a),
            (BinaryOp::And, _) => {
                let b = self.within(&a, |c| c.number(right))?;
                return Ok(self.and(&a, &b));
            }
            (BinaryOp::Or, _) => {
                let not = self.not(&a);
                let b = self.within(&not, |c| c.number(right))?;
                return Ok(self.or(&a, &b));
            }
            _ => {}
        }
        let b = self.number(right)?;
        let op = match op {
            BinaryOp::Add => Arithmetic::Add,
            BinaryOp::Subtract => Arithmetic::Subtract,
            BinaryOp::Multiply => Arithmetic::Multiply,
            BinaryOp::Min => Arithmetic::Min,
            BinaryOp::Max => Arithmetic::Max,
            BinaryOp::Compare(op) => return Ok(self.compare(op, &a, &b)),
            BinaryOp::And | BinaryOp::Or => unreachable!("answered above"),
        };
        self.arithmetic(op, &a, &b, expr.span)
    }

    /// Whether a number fits one of some tests.
    pub(super) fn fits_any(&mut self, value: &Num, tests: &[Test]) -> Result<Num, Error> {
        let mut any = Num::truth(false);
        for test in tests {
            let fits = self.fits(value, test)?;
            any = self.or(&any, &fits);
        }
        Ok(any)
    }

    /// Whether a number fits a test.
    pub(super) fn fits(&mut self, value: &Num, test: &Test) -> Result<Num, Error> {
        match test {
            Test::Compare(op, bound) => {
                let bound = self.number(bound)?;
                Ok(self.compare(*op, value, &bound))
            }
            Test::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                let above = self.compare(CompareOp::GreaterEqual, value, &from);
                let below = self.compare(CompareOp::LessEqual, value, &to);
                Ok(self.and(&above, &below))
            }
        }
    }
}

/// The value of an input.
pub(super) fn input(check: &Check, config: &Config, id: InputId) -> i64 {
    config.get(id).unwrap_or_else(|| check.inputs[id.0].default)
}

//! Numbers: what an expression is in every trial.

use oddsmith_rules::program::{
    Arm, BinaryOp, CompareOp, Expr, InputId, Kind, Test, UnaryOp, VarId,
};
use oddsmith_rules::{Check, Config};

use super::number::Num;
use super::{Compiler, Value};
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
                rounding,
                numerator,
                denominator,
            } => {
                let by = self.constant(denominator)?;
                if by == 0 {
                    return Err(self.error(denominator.span, "division by zero", "this is 0"));
                }
                let numerator = self.number(numerator)?;
                self.quotient(*rounding, &numerator, by, expr.span)
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.number(condition)?;
                let zero = Num::constant(0);
                if let Some(known) = condition.as_constant() {
                    return self.number(if known != 0 { then } else { otherwise });
                }
                let then = self.within(&condition, zero.clone(), |c| c.number(then))?;
                let not = self.not(&condition);
                let otherwise = self.within(&not, zero, |c| c.number(otherwise))?;
                Ok(self.select(&condition, &then, &otherwise))
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let zero = Num::constant(0);
                let taken = self.arms(subject, arms, otherwise.as_deref())?;
                self.merge(&taken, zero, Self::number, |c, (condition, a, b)| {
                    Ok(c.select(condition, &a, &b))
                })
            }
            Kind::Select { index, items } => {
                let index = self.index(index, items.len())?;
                let constants: Option<Vec<i64>> =
                    items.iter().map(|item| self.known(item)).collect();
                if let Some(values) = constants {
                    return Ok(self.item(&index, 0, &values));
                }
                let taken = self.items(&index, items);
                let zero = Num::constant(0);
                self.merge(&taken, zero, Self::number, |c, (condition, a, b)| {
                    Ok(c.select(condition, &a, &b))
                })
            }
            Kind::Block { statements, value } => {
                self.statements(statements)?;
                self.number(value)
            }
            Kind::Read { pool, reading } => self.reading(pool, reading, expr.span),
            Kind::Wins(left, right) => self.wins(left, right),
            Kind::Dice { .. } | Kind::Gather(_) | Kind::Keep { .. } | Kind::Draw { .. } => {
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

    /// What a variable holds.
    pub(super) fn value(&mut self, var: VarId) -> Result<Value, Error> {
        match self.values[var.0].clone() {
            Some(Value::Unknown(error)) => Err(*error),
            Some(value) => Ok(value),
            None => {
                let variable = self.check.program.variable(var);
                let message = format!("`{}` is not known here", variable.name);
                Err(self.error(variable.span, message, "it is bound later or elsewhere"))
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
                let b = self.within(&a, Num::constant(0), |c| c.number(right))?;
                return Ok(self.and(&a, &b));
            }
            (BinaryOp::Or, _) => {
                let not = self.not(&a);
                let b = self.within(&not, Num::constant(0), |c| c.number(right))?;
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

    /// The arms of a `match` with the condition of each: that it is the first to fit.
    pub(super) fn arms<'e>(
        &mut self,
        subject: &Expr,
        arms: &'e [Arm],
        otherwise: Option<&'e Expr>,
    ) -> Result<Vec<(Num, &'e Expr)>, Error> {
        let value = self.number(subject)?;
        let mut rest = Num::truth(true);
        let mut taken = Vec::with_capacity(arms.len() + 1);
        for arm in arms {
            let fits = self.within(&rest, Num::truth(false), |c| {
                c.fits_any(&value, &arm.patterns)
            })?;
            let here = self.and(&rest, &fits);
            let not = self.not(&fits);
            rest = self.and(&rest, &not);
            if here.as_constant() != Some(0) {
                taken.push((here, &arm.value));
            }
        }
        if rest.as_constant() == Some(0) {
            return Ok(taken);
        }
        match otherwise {
            Some(otherwise) => taken.push((rest, otherwise)),
            None => {
                let label = "the subject can be this value here";
                let error = self.error(subject.span, "no arm takes {}", label);
                self.demand_not(&rest, None, Some(&value), error);
            }
        }
        Ok(taken)
    }

    /// The items of a list with the condition of each.
    pub(super) fn items<'e>(&mut self, index: &Num, items: &'e [Expr]) -> Vec<(Num, &'e Expr)> {
        let mut taken = Vec::with_capacity(items.len());
        for (at, item) in (0..).zip(items) {
            let here = self.compare(CompareOp::Equal, index, &Num::constant(at));
            if here.as_constant() != Some(0) {
                taken.push((here, item));
            }
        }
        taken
    }

    /// One value of several, each with its condition, of which one holds.
    pub(super) fn merge<T: Clone>(
        &mut self,
        taken: &[(Num, &Expr)],
        nothing: T,
        mut make: impl FnMut(&mut Self, &Expr) -> Result<T, Error>,
        mut pick: impl FnMut(&mut Self, (&Num, T, T)) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut made = Vec::with_capacity(taken.len());
        for (condition, expr) in taken {
            let value = self.within(condition, nothing.clone(), |c| make(c, expr))?;
            made.push((condition, value));
        }
        let Some((_, mut value)) = made.pop() else {
            return Ok(nothing);
        };
        for (condition, earlier) in made.into_iter().rev() {
            value = pick(self, (condition, earlier, value))?;
        }
        Ok(value)
    }

    /// A list's index, which must be one of its places.
    pub(super) fn index(&mut self, index: &Expr, items: usize) -> Result<Num, Error> {
        let at = self.number(index)?;
        let last = i64::try_from(items).expect("lists are short") - 1;
        let (low, high) = (Num::constant(0), Num::constant(last));
        let below = self.compare(CompareOp::Less, &at, &low);
        let above = self.compare(CompareOp::Greater, &at, &high);
        let outside = self.or(&below, &above);
        let message = format!("the list has {items} items, at 0 to {last}");
        let error = self.error(index.span, message, "there is none at {}");
        if outside.as_constant() == Some(1) && self.frame().mask.is_none() {
            return Err(with_value(error, &at));
        }
        self.demand_not(&outside, None, Some(&at), error);
        Ok(at)
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
fn input(check: &Check, config: &Config, id: InputId) -> i64 {
    let value = config.0.get(id.0).copied();
    value.unwrap_or_else(|| check.inputs[id.0].default)
}

/// An error that is known before the first trial.
fn with_value(error: Error, value: &Num) -> Error {
    match error {
        Error::Rule(diagnostic) => crate::program::Fault {
            diagnostic: *diagnostic,
        }
        .with(value.as_constant()),
        other => other,
    }
}

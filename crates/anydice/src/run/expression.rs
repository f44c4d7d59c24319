//! Expressions evaluated.

use oddsmith_diagnostics::nearest;
use oddsmith_dist::Budget;

use super::Machine;
use super::statement::STEPS;
use crate::dice::Dice;
use crate::expand::{Rolled, mixed, numbers};
use crate::fault::Fault;
use crate::numbers::digits;
use crate::operators::{as_number, binary, die_of, minus, not};
use crate::places::at;
use crate::source::{Error, Result, Span};
use crate::syntax::{Element, Expr, ExprKind, Operator, Prefix};
use crate::value::{Row, Value};

impl<'a> Machine<'a> {
    pub(super) fn value(&mut self, expr: &'a Expr) -> Result<Value> {
        self.charge(STEPS, expr.span)?;
        match &expr.kind {
            ExprKind::Number(number) => Ok(Value::Number(*number)),
            ExprKind::Name(name) => self.variable(*name, expr.span).cloned(),
            ExprKind::Sequence(elements) => self.sequence(elements, expr.span),
            ExprKind::Prefix(prefix, operand) => {
                let operand = self.deeper(expr.span, |machine| machine.value(operand))?;
                self.prefixed(*prefix, operand)
                    .map_err(|fault| fault.at(expr.span))
            }
            ExprKind::Chain(first, rest) => self.chain(first, rest),
            ExprKind::Call(shape, arguments) => self.deeper(expr.span, |machine| {
                machine.call(*shape, arguments, expr.span)
            }),
        }
    }

    fn chain(&mut self, first: &'a Expr, rest: &'a [(Operator, Expr)]) -> Result<Value> {
        let mut left = self.deeper(first.span, |machine| machine.value(first))?;
        for (operator, right) in rest {
            let span = first.span.to(right.span);
            let right = self.deeper(right.span, |machine| machine.value(right))?;
            let result = match operator {
                Operator::Dice => self.dice(&left, &right),
                Operator::At => at(&left, &right, self.order, self.budget),
                operator => binary(*operator, &left, &right, self.budget),
            };
            left = result.map_err(|fault| fault.at(span))?;
        }
        Ok(left)
    }

    /// The value of a variable.
    pub(super) fn variable(&self, name: usize, span: Span) -> Result<&Value> {
        self.variables[name].as_ref().ok_or_else(|| {
            let wrong = &self.code.names[name];
            let known = self.code.names.iter().zip(&self.variables);
            let known = known.filter(|(_, value)| value.is_some());
            let near = nearest(wrong, known.map(|(name, _)| name.as_str()));
            let error = Error::value(span, format!("the variable {wrong} has no value here"));
            match near {
                Some(near) => error.with_help(format!("did you mean {near}?")),
                None => error.with_help(format!("give it one before: {wrong}: …")),
            }
        })
    }

    fn prefixed(&self, prefix: Prefix, operand: Value) -> std::result::Result<Value, Fault> {
        match (prefix, &operand) {
            (Prefix::Plus, _) => Ok(operand),
            (Prefix::Minus, _) => minus(&operand, self.budget),
            (Prefix::Not, _) => not(&operand, self.budget),
            (Prefix::Die, _) => Ok(Value::Dice(die_of(&operand, self.budget)?)),
            (Prefix::Count, Value::Number(number) | Value::Cut(number)) => {
                Ok(Value::Number(digits(*number)))
            }
            (Prefix::Count, Value::Sequence(row)) => {
                Ok(Value::Number(i64::try_from(row.len()).unwrap_or(i64::MAX)))
            }
            (Prefix::Count, Value::Dice(dice)) => Ok(Value::Number(dice.count().into())),
        }
    }

    /// `left d right`. A rolled number of dice is a single die; one die of several dice is these dice.
    fn dice(&self, left: &Value, right: &Value) -> std::result::Result<Value, Fault> {
        let budget = self.budget;
        let dice = match as_number(&left.plain(), budget)? {
            Some(1) => match right {
                Value::Dice(dice) => dice.clone(),
                faces => die_of(faces, budget)?,
            },
            Some(count) => die_of(right, budget)?.times(count, budget)?,
            None => {
                let die = die_of(right, budget)?.sum(budget)?;
                let Rolled::Several(counts) = numbers(left, budget)? else {
                    unreachable!("dice come to several numbers");
                };
                let sum = |count| die.times(count, budget)?.sum(budget);
                match mixed(counts, budget, sum)? {
                    Some(sums) if !die.is_empty() => sums,
                    _ => Dice::counted_empty(),
                }
            }
        };
        Ok(Value::Dice(dice))
    }

    fn sequence(&mut self, elements: &'a [Element], span: Span) -> Result<Value> {
        let mut row = Vec::new();
        let list = self.budget.part();
        for element in elements {
            let from = self.deeper(span, |machine| machine.value(&element.from))?;
            let part = match &element.to {
                Some(to) => {
                    let to =
                        self.deeper(span, |machine| machine.whole(to, "the end of a range"))?;
                    let from = self.number_of(&from, element.from.span, "the start of a range")?;
                    self.range(from, to)
                }
                None => self.flat(from),
            };
            let part = part.map_err(|fault| fault.at(element.from.span))?;
            let times = match &element.times {
                Some(times) => {
                    self.deeper(span, |machine| machine.whole(times, "a number of repeats"))?
                }
                None => 1,
            };
            let times = usize::try_from(times.max(0)).unwrap_or(usize::MAX);
            let more = times.saturating_mul(part.len());
            room(more, &list).map_err(|fault| fault.at(span))?;
            if !part.is_empty() {
                (0..times).for_each(|_| row.extend_from_slice(&part));
            }
        }
        let row = Row::collected(row.len(), self.budget, || row);
        Ok(Value::Sequence(row.map_err(|fault| fault.at(span))?))
    }

    fn range(&self, from: i64, to: i64) -> std::result::Result<Row, Fault> {
        let length = match from > to {
            true => 0,
            false => {
                usize::try_from(to.abs_diff(from)).map_or(usize::MAX, |gap| gap.saturating_add(1))
            }
        };
        Row::collected(length, self.budget, || (from..=to).collect())
    }

    /// A value inside a sequence: its numbers, or the faces of dice, each once.
    fn flat(&self, value: Value) -> std::result::Result<Row, Fault> {
        match value {
            Value::Number(number) | Value::Cut(number) => Ok(Row::one(number)),
            Value::Sequence(row) => Ok(row),
            Value::Dice(dice) => {
                let roll = dice.sum(self.budget)?.roll;
                let length = roll.as_ref().map_or(0, |roll| roll.die.len());
                let faces = || roll.iter().flat_map(|roll| roll.die.support()).collect();
                Row::collected(length, self.budget, faces)
            }
        }
    }

    /// A number that is not rolled.
    fn whole(&mut self, expr: &'a Expr, what: &str) -> Result<i64> {
        let value = self.value(expr)?;
        self.number_of(&value, expr.span, what)
    }

    fn number_of(&self, value: &Value, span: Span, what: &str) -> Result<i64> {
        let number = as_number(&value.plain(), self.budget).map_err(|fault| fault.at(span))?;
        number.ok_or_else(|| {
            let found = value.words();
            Error::value(span, format!("{what} is a number, and this is {found}"))
                .with_help("a function with a parameter :n takes a die one face at a time")
        })
    }
}

/// Charges for `more` numbers before they are put into a list, which may have room for twice as many.
fn room(more: usize, budget: &Budget) -> std::result::Result<(), Fault> {
    budget.charge(more as u128 * 4)?;
    Ok(budget.charge_memory(more as u128 * 16)?)
}

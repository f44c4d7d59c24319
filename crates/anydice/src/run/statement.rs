//! Statements carried out.

use oddsmith_dist::RBig;

use super::Machine;
use crate::Output;
use crate::account::Account;
use crate::dice::Dice;
use crate::operators::{as_dice, as_number, die_of};
use crate::source::{Error, Result, Span};
use crate::syntax::{Block, Expr, Piece, Setting, Statement};
use crate::value::Value;

/// Steps of a statement or an expression beside what its operator costs.
pub(super) const STEPS: u128 = 60;
/// The bytes of an output beside its distribution and its label.
const OUTPUT_BYTES: u128 = 200;

impl<'a> Machine<'a> {
    pub(super) fn program(&mut self) -> Result<()> {
        self.block(&self.code.body).map(|_| ())
    }

    /// Carries a block out; the value of `result:` if it comes to one.
    pub(super) fn block(&mut self, block: &'a Block) -> Result<Option<Value>> {
        for statement in block {
            if let Some(result) = self.statement(statement)? {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<Option<Value>> {
        match statement {
            Statement::Assign { name, value } => {
                self.variables[*name] = Some(self.value(value)?);
            }
            Statement::Result(value) => return Ok(Some(self.value(value)?)),
            Statement::If { arms, otherwise } => return self.choose(arms, otherwise),
            Statement::Loop { name, over, body } => return self.repeat(*name, over, body),
            Statement::Output { value, label, span } => {
                self.output(value, label.as_deref(), *span)?;
            }
            Statement::Define(function) => {
                let shape = self.code.functions[*function].shape;
                self.functions[shape] = Some(*function);
                self.memory.forget(self.budget);
            }
            Statement::Set { setting, span } => {
                self.set(setting, *span)?;
                self.memory.forget(self.budget);
            }
        }
        Ok(None)
    }

    fn choose(&mut self, arms: &'a [(Expr, Block)], otherwise: &'a Block) -> Result<Option<Value>> {
        for (condition, body) in arms {
            if self.condition(condition)? {
                return self.deeper(condition.span, |machine| machine.block(body));
            }
        }
        match otherwise.is_empty() {
            true => Ok(None),
            false => self.deeper(arms[0].0.span, |machine| machine.block(otherwise)),
        }
    }

    /// Whether a condition holds: a number other than 0.
    fn condition(&mut self, condition: &'a Expr) -> Result<bool> {
        match self.value(condition)? {
            Value::Number(number) | Value::Cut(number) => Ok(number != 0),
            other => Err(Error::value(
                condition.span,
                format!("a condition is a number, and this is {}", other.words()),
            )
            .with_help(match other {
                Value::Sequence(_) => "compare the sequence, or count with `#`",
                _ => "put the `if` into a function whose parameter is the roll: function: name ROLL:n { if ROLL … }",
            })),
        }
    }

    fn repeat(&mut self, name: usize, over: &'a Expr, body: &'a Block) -> Result<Option<Value>> {
        let Value::Sequence(rounds) = self.value(over)? else {
            let message = "a loop goes over a sequence, and this is none";
            return Err(Error::value(over.span, message).with_help(
                "write {1..6} for the numbers from 1 to 6; {d6} has the faces of a die",
            ));
        };
        for value in rounds.iter() {
            self.charge(STEPS, over.span)?;
            self.variables[name] = Some(Value::Number(*value));
            self.loops.push((name, *value));
            let result = self.deeper(over.span, |machine| machine.block(body))?;
            self.loops.pop();
            if result.is_some() {
                return Ok(result);
            }
        }
        Ok(None)
    }

    fn output(&mut self, value: &'a Expr, label: Option<&'a [Piece]>, span: Span) -> Result<()> {
        let value = self.value(value)?;
        let label = match label {
            Some(pieces) => self.label(pieces)?,
            None => format!("output {}", self.outputs.len() + 1),
        };
        let loops = self.loops.iter();
        let loops = loops.map(|(name, value)| (self.code.names[*name].clone(), *value));
        let loops: Vec<(String, i64)> = loops.collect();
        let names: usize = loops.iter().map(|(name, _)| name.len() + 40).sum();
        let bytes = OUTPUT_BYTES + (label.len() + names) as u128;
        let shown = self.shown(&value).and_then(|dice| {
            let account = Account::of(bytes, self.budget)?;
            Ok((dice, account))
        });
        let (dice, account) = shown.map_err(|fault| fault.at(span))?;
        self.outputs.push(Output {
            label,
            span,
            loops,
            cut: RBig::ONE - dice.clean().1,
            distribution: dice.roll.as_ref().map(|roll| roll.die.clone()),
        });
        self.shown.push((dice.roll, account));
        Ok(())
    }

    /// A value as it is shown: dice by their sum, a sequence by its numbers.
    fn shown(&self, value: &Value) -> std::result::Result<Dice, crate::fault::Fault> {
        match value {
            Value::Sequence(_) => die_of(value, self.budget),
            _ => as_dice(value, self.budget)?.sum(self.budget),
        }
    }

    fn label(&self, pieces: &[Piece]) -> Result<String> {
        let mut label = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => label.push_str(text),
                Piece::Name(name, span) => label.push_str(&self.variable(*name, *span)?.label()),
            }
        }
        Ok(label)
    }

    fn set(&mut self, setting: &'a Setting, span: Span) -> Result<()> {
        match setting {
            Setting::PositionOrder(order) => self.order = *order,
            Setting::ExplodeDepth(depth) => self.explode_depth.set = self.depth(depth, span)?,
            Setting::FunctionDepth(depth) => self.function_depth.set = self.depth(depth, span)?,
        }
        Ok(())
    }

    /// A depth: a number from 1 on.
    fn depth(&mut self, depth: &'a Expr, span: Span) -> Result<u32> {
        let value = self.value(depth)?;
        let number =
            as_number(&value.plain(), self.budget).map_err(|fault| fault.at(depth.span))?;
        let depth = number.and_then(|number| u32::try_from(number).ok());
        depth.filter(|depth| *depth > 0).ok_or_else(|| {
            let found = value.label();
            Error::value(
                span,
                format!("a depth is a number from 1 to 2^32 - 1, and this is {found}"),
            )
        })
    }
}

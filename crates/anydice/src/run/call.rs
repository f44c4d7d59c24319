//! Calls: arguments as parameters take them, the function once for each case, and the mixture of what it comes to.

use std::collections::HashMap;
use std::sync::Arc;

use oddsmith_diagnostics::nearest;
use oddsmith_dist::{BitTest, Budget, RBig, UBig};

use super::Machine;
use super::memory::{Key, Reach};
use super::reads::reads;
use super::statement::STEPS;
use crate::account::Account;
use crate::builtin::shapes;
use crate::dice::{Dice, Part, Roll, mix, reduced};
use crate::expand::{Cases, Rolled, numbers, rows};
use crate::fault::Fault;
use crate::operators::{as_dice, as_number};
use crate::source::{Error, Result, Span};
use crate::syntax::{Expr, Function, ParameterKind, shape_words};
use crate::value::Value;

/// Steps of a round of a function, beside those of its statements.
const ROUND_STEPS: u128 = 200;

/// The bytes of a value that are compared, or hashed, in a step.
const HASHED_BYTES: u128 = 4;
/// The bytes of a variable.
const VARIABLE_BYTES: u128 = size_of::<Option<Value>>() as u128;

/// An argument as a parameter takes it.
enum Argument {
    Whole(Value),
    /// One case after the other.
    Cases(Cases<Value>),
}

impl<'a> Machine<'a> {
    pub(super) fn call(
        &mut self,
        shape: usize,
        arguments: &'a [Expr],
        span: Span,
    ) -> Result<Value> {
        let most = self.function_depth.get();
        if self.depth >= most {
            self.memory.reach.join(Reach {
                deepest: most,
                is_cut: true,
            });
            return Ok(Value::Dice(Dice::cut()));
        }
        let values: Result<Vec<Value>> = arguments.iter().map(|part| self.value(part)).collect();
        let values = values?;
        if let Some(function) = self.functions[shape] {
            return self.remembered(function, values, span);
        }
        let Some(builtin) = self.builtins[shape] else {
            return Err(self.no_function(shape, span));
        };
        self.memory.reach.join(Reach {
            deepest: self.depth + 1,
            is_cut: false,
        });
        let result = builtin.call(&values, self.around());
        result.map_err(|fault| fault.at(span))
    }

    fn no_function(&self, shape: usize, span: Span) -> Error {
        let wrong = shape_words(&self.code.shapes[shape]);
        let own = self.code.shapes.iter().zip(&self.functions);
        let own = own.filter(|(_, function)| function.is_some());
        let own: Vec<String> = own.map(|(shape, _)| shape_words(shape)).collect();
        let near = nearest(&wrong, own.iter().map(String::as_str).chain(shapes()));
        let error = Error::value(span, format!("there is no function {wrong}"));
        match near {
            Some(near) => error.with_help(format!("did you mean {near}? Each `?` is an argument")),
            None => error
                .with_help("define it before: function: its words and PARAMETERS { result: … }"),
        }
    }

    /// A call, unless the same one was carried out before.
    fn remembered(&mut self, function: usize, values: Vec<Value>, span: Span) -> Result<Value> {
        let names = self.reads(function, span)?;
        let around = names.iter().map(|name| self.variables[*name].clone());
        let key = Key {
            function,
            arguments: values.clone(),
            around: around.collect(),
        };
        self.charge(key.bytes() / HASHED_BYTES, span)?;
        let (depth, most) = (self.depth, self.function_depth.get());
        if let Some(value) = self.memory.recall(&key, depth, most) {
            return Ok(value);
        }
        let before = std::mem::take(&mut self.memory.reach);
        self.memory.reach.deepest = depth + 1;
        let value = self.open(&self.code.functions[function], values, span)?;
        let reach = self.memory.reach;
        self.memory.keep(key, &value, depth, reach, self.budget);
        self.memory.reach.join(before);
        Ok(value)
    }

    /// The variables that a function can read.
    fn reads(&mut self, function: usize, span: Span) -> Result<Arc<[usize]>> {
        if let Some(known) = self.memory.reads(function) {
            return Ok(known);
        }
        let (names, looked_at) = reads(self.code, &self.functions, function);
        self.charge(looked_at as u128 * 10, span)?;
        let account = Account::of(names.len() as u128 * 8, self.budget);
        let names: Arc<[usize]> = names.into();
        let account = account.map_err(|fault| fault.at(span))?;
        self.memory.keep_reads(function, &names, account);
        Ok(names)
    }

    /// Carries a function out with variables of its own, which begin as those around it.
    fn open(&mut self, function: &'a Function, values: Vec<Value>, span: Span) -> Result<Value> {
        let bound = function.parameters.iter().zip(values);
        let bound = bound.map(|(parameter, value)| self.bind(parameter.kind, value));
        let bound: std::result::Result<Vec<Argument>, Fault> = bound.collect();
        let bound = bound.map_err(|fault| fault.at(span))?;
        let count = self.variables.len() as u128;
        self.charge(count * 10, span)?;
        let _around = Account::of(count * VARIABLE_BYTES, self.budget);
        let _around = _around.map_err(|fault| fault.at(span))?;
        let around = self.variables.clone();
        self.depth += 1;
        let result = match bound
            .iter()
            .any(|argument| matches!(argument, Argument::Cases(_)))
        {
            true => self.rounds(function, &bound, span),
            false => self.round(function, &bound, &[], span),
        };
        self.depth -= 1;
        self.variables = around;
        result
    }

    /// An argument as a parameter of some kind takes it.
    fn bind(&self, kind: ParameterKind, value: Value) -> std::result::Result<Argument, Fault> {
        let whole = |value| Ok(Argument::Whole(value));
        match kind {
            ParameterKind::Any => whole(value),
            ParameterKind::Number if matches!(value, Value::Cut(_)) => whole(value),
            ParameterKind::Die => whole(Value::Dice(as_dice(&value, self.budget)?)),
            ParameterKind::Number => Ok(Argument::of(numbers(&value, self.budget)?, Value::Number)),
            ParameterKind::Sequence => {
                let rows = rows(&value, self.order, self.budget)?;
                Ok(Argument::of(rows, Value::Sequence))
            }
        }
    }

    /// A function once for each combination of cases, the first argument fastest. Its variables stay from round to round, but
    /// for the parameters.
    fn rounds(&mut self, function: &'a Function, bound: &[Argument], span: Span) -> Result<Value> {
        let sizes: Vec<usize> = bound.iter().map(Argument::cases).collect();
        let rounds = sizes.iter().map(|size| *size as u128);
        let rounds = rounds.fold(1, u128::saturating_mul);
        let foreseen = self.budget.foresee(rounds.saturating_mul(ROUND_STEPS));
        foreseen.map_err(|error| Fault::from(error).at(span))?;
        let mut sums = Sums::new(self.budget);
        let mut at = vec![0; sizes.len()];
        if rounds > 0 {
            loop {
                let result = self.round(function, bound, &at, span)?;
                let (weight, share) = chance(bound, &at);
                let added = sums.add(&result, weight, share);
                added.map_err(|fault| fault.at(span))?;
                if !step(&mut at, &sizes) {
                    break;
                }
            }
        }
        let mixed = sums.mixed();
        Ok(Value::Dice(mixed.map_err(|fault| fault.at(span))?))
    }

    /// One round of a function; without a result it comes to the empty die.
    fn round(
        &mut self,
        function: &'a Function,
        bound: &[Argument],
        at: &[usize],
        span: Span,
    ) -> Result<Value> {
        self.charge(ROUND_STEPS + STEPS * bound.len() as u128, span)?;
        // Of parameters with the same name the first counts.
        for (place, parameter) in function.parameters.iter().enumerate().rev() {
            let value = match &bound[place] {
                Argument::Whole(value) => value,
                Argument::Cases(cases) => &cases.list[at[place]].0,
            };
            self.variables[parameter.name] = Some(value.clone());
        }
        let result = self.deeper(span, |machine| machine.block(&function.body))?;
        Ok(result.unwrap_or(Value::Dice(Dice::empty())))
    }
}

impl Argument {
    /// What a value can be, each as a value of its own.
    fn of<T>(rolled: Rolled<T>, value: impl Fn(T) -> Value) -> Self {
        match rolled {
            Rolled::One(one) => Self::Whole(value(one)),
            Rolled::Several(cases) => Self::Cases(cases.map(value)),
        }
    }

    fn cases(&self) -> usize {
        match self {
            Self::Whole(_) => 1,
            Self::Cases(cases) => cases.list.len(),
        }
    }
}

/// The weight of a combination, and the part of it that no limit cut off.
fn chance(bound: &[Argument], at: &[usize]) -> (UBig, RBig) {
    let (mut weight, mut share) = (UBig::ONE, RBig::ONE);
    for (argument, place) in bound.iter().zip(at) {
        if let Argument::Cases(cases) = argument {
            let (_, own, unhurt) = &cases.list[*place];
            weight *= own;
            if !unhurt.is_one() {
                share *= unhurt;
            }
        }
    }
    (weight, share)
}

/// Goes on to the next combination, the first place fastest; false after the last one.
fn step(at: &mut [usize], sizes: &[usize]) -> bool {
    for (place, size) in at.iter_mut().zip(sizes) {
        *place += 1;
        if *place < *size {
            return true;
        }
        *place = 0;
    }
    false
}

/// The bytes of an entry of [`Sums`] that is a number, with room to grow, and where it becomes a face.
const NUMBER_BYTES: u128 = 300;
/// The bytes of an entry that is dice, beside those of the dice.
const DICE_BYTES: u128 = 600;

/// What the rounds of a function came to: equal results together.
struct Sums {
    numbers: HashMap<i64, UBig>,
    dice: HashMap<Dice, UBig>,
    /// Those of which a limit cut a part off before.
    parts: Vec<Part>,
    /// What is charged for all of them.
    budget: Budget,
}

impl Sums {
    fn new(budget: &Budget) -> Self {
        Self {
            numbers: HashMap::new(),
            dice: HashMap::new(),
            parts: Vec::new(),
            budget: budget.part(),
        }
    }

    fn add(&mut self, result: &Value, weight: UBig, share: RBig) -> std::result::Result<(), Fault> {
        let number = as_number(result, &self.budget)?;
        if let (Some(number), true) = (number, share.is_one()) {
            if !self.numbers.contains_key(&number) {
                self.budget.charge_memory(NUMBER_BYTES)?;
            }
            *self.numbers.entry(number).or_default() += weight;
            return Ok(());
        }
        let dice = as_dice(result, &self.budget)?;
        if share.is_one() {
            self.budget.charge(dice.bytes() / HASHED_BYTES)?;
            if !self.dice.contains_key(&dice) {
                self.budget.charge_memory(DICE_BYTES)?;
            }
            *self.dice.entry(dice).or_default() += weight;
            return Ok(());
        }
        self.budget.charge_memory(DICE_BYTES)?;
        self.parts.push(Part {
            weight,
            share,
            dice,
        });
        Ok(())
    }

    /// The mixture of everything; numbers alone are the faces of a die.
    fn mixed(self) -> std::result::Result<Dice, Fault> {
        let (budget, mut parts) = (&self.budget, self.parts);
        if parts.is_empty() && self.dice.is_empty() && !self.numbers.is_empty() {
            let total: UBig = self.numbers.values().sum();
            let (count, pairs) = (self.numbers.len(), || self.numbers.into_iter().collect());
            let die = Roll::of_weights(count, total.bit_len(), budget, pairs)?;
            return Ok(Dice::of(Some(reduced(die, budget)?)));
        }
        let part = |(dice, weight)| Part {
            weight,
            share: RBig::ONE,
            dice,
        };
        let numbers = self.numbers.into_iter();
        let numbers = numbers.map(|(number, weight)| (Dice::number(number), weight));
        parts.extend(numbers.chain(self.dice).map(part));
        mix(&parts, budget)
    }
}

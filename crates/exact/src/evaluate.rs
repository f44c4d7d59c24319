//! The meaning of expressions: what one is, given the values that are bound.
//!
//! Every variable that an expression reads has a known value when it is evaluated, so its parts are
//! independent of one another: sums of them are convolutions, choices between them mixtures.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use oddsmith_dist::{BitTest as _, Budget, Dist, UBig};
use oddsmith_rules::program::{
    Arm, BinaryOp, Expr, InputId, Kind, Rounding, Statement, Test, UnaryOp, VarId, Variable,
};
use oddsmith_rules::{Config, Diagnostic, Source, Span, fixed_value};

use crate::Error;
use crate::best::Worth;
use crate::decide::{Keys, Place, Policy, Visit};
use crate::hash::Map;
use crate::known::Known;
use crate::pools::{PoolCache, PoolValue};
use crate::residual::{BlockScript, Residual, Script, collect_vars};

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

/// Bound values, and what is needed to make new ones.
pub(crate) struct Env<'a> {
    pub(crate) source: &'a Arc<Source>,
    pub(crate) config: &'a Config,
    pub(crate) budget: &'a Budget,
    pub(crate) cache: &'a PoolCache,
    /// Definitions of fixed variables, evaluated when they are first read.
    fixed: &'a Map<VarId, Expr>,
    /// Those of the script, then those that blocks add.
    variables: Cow<'a, [Variable]>,
    /// Blocks that have been met, by their places in memory: expressions do not move while they are run.
    blocks: Map<*const Expr, Rc<BlockScript>>,
    /// Indexed by variable; none is not bound.
    values: Vec<Option<i64>>,
    /// The pool that a joint reading is about.
    pub(crate) reading: Option<(VarId, PoolValue)>,
    /// Rolls of pools that are needed as a whole; a pool variable's value is a place in here.
    pub(crate) rolls: RollTable,
    /// Why a reading was last [`FAILED`]: an error only for whoever needs it.
    pub(crate) failed: Map<VarId, Error>,
    /// The rounds of the loops that are being played, outermost first.
    pub(crate) rounds: Vec<usize>,
    /// The bytes that were charged for states: as many as there were at once.
    held: Cell<u128>,
    /// A goal whose values are worth something else than themselves.
    pub(crate) worth: Option<(VarId, &'a Worth<'a>)>,
    /// What is chosen where.
    pub(crate) policies: Map<Place, Policy>,
    /// The states in which choices are made, if they are wanted.
    pub(crate) visits: Option<Vec<Visit>>,
    /// What the keys of `policies` hold, if that is wanted.
    pub(crate) keys: Option<Keys>,
}

/// Sorted rolls, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct RollTable {
    rolls: Vec<Vec<i64>>,
    places: Map<Vec<i64>, i64>,
}

impl RollTable {
    pub(crate) fn place(&mut self, roll: Vec<i64>) -> i64 {
        if let Some(place) = self.places.get(&roll) {
            return *place;
        }
        let place = i64::try_from(self.rolls.len()).expect("fewer than 2^63 rolls fit in memory");
        self.rolls.push(roll.clone());
        self.places.insert(roll, place);
        place
    }

    pub(crate) fn roll(&self, place: i64) -> &[i64] {
        let at = usize::try_from(place).expect("places are not negative");
        &self.rolls[at]
    }
}

/// Stands in a state for a reading that could not be made; no reading comes to this number itself.
pub(crate) const FAILED: i64 = i64::MIN;

/// What making a pair of things costs: two keys, and a product of weights.
pub(crate) const PAIR_STEPS: u128 = 150;

/// The bytes that a distribution takes.
pub(crate) fn bytes_of(dist: &Dist) -> u128 {
    let words = dist.total().bit_len() / 64 + 1;
    (dist.len() as u128).saturating_mul(8 * words as u128)
}

/// What it held is free again.
impl Drop for Env<'_> {
    fn drop(&mut self) {
        self.budget.release_memory(self.held.get());
    }
}

impl<'a> Env<'a> {
    /// Charges for states that take so many bytes, beyond what was held before.
    pub(crate) fn hold(&self, bytes: u128) -> Result<(), oddsmith_dist::Error> {
        let held = self.held.get();
        self.budget.charge_memory(bytes.saturating_sub(held))?;
        self.held.set(held.max(bytes));
        Ok(())
    }

    pub(crate) fn new(
        source: &'a Arc<Source>,
        config: &'a Config,
        budget: &'a Budget,
        cache: &'a PoolCache,
        residual: &'a Residual,
    ) -> Self {
        Self {
            source,
            config,
            budget,
            cache,
            fixed: &residual.fixed,
            variables: Cow::Borrowed(&residual.variables),
            blocks: Map::default(),
            values: vec![None; residual.variables.len()],
            reading: None,
            rolls: RollTable::default(),
            failed: Map::default(),
            rounds: Vec::new(),
            held: Cell::new(0),
            worth: None,
            policies: Map::default(),
            visits: None,
            keys: None,
        }
    }

    pub(crate) fn bind(&mut self, var: VarId, value: i64) {
        self.values[var.0] = Some(value);
    }

    /// The value of a variable if it is bound.
    pub(crate) fn peek(&self, var: VarId) -> Option<i64> {
        self.values[var.0]
    }

    /// Puts back what [`Self::peek`] gave.
    pub(crate) fn restore(&mut self, var: VarId, value: Option<i64>) {
        self.values[var.0] = value;
    }

    /// Whether a variable's value is a place in the table of rolls, and not a number.
    pub(crate) fn is_pool(&self, var: VarId) -> bool {
        self.variables[var.0].is_pool
    }

    /// A block as a script, prepared when it is first met.
    pub(crate) fn block_script(
        &mut self,
        statements: &[Statement],
        value: &Expr,
        is_pool: bool,
        at: &Expr,
    ) -> Rc<BlockScript> {
        if let Some(known) = self.blocks.get(&std::ptr::from_ref(at)) {
            return Rc::clone(known);
        }
        let variables = self.variables.to_mut();
        let block = BlockScript::new(statements, value, is_pool, variables, self.fixed);
        self.values.resize(variables.len(), None);
        let block = Rc::new(block);
        self.blocks
            .insert(std::ptr::from_ref(at), Rc::clone(&block));
        block
    }

    /// What was read of pools into variables of its own, by a script and by all blocks that have been met.
    pub(crate) fn readings(&self, script: &Script) -> Map<VarId, Expr> {
        let mut readings = Map::default();
        script.collect_readings(&mut readings);
        for block in self.blocks.values() {
            block.script.collect_readings(&mut readings);
        }
        readings
    }

    /// A variable that the script does not have.
    pub(crate) fn new_variable(&mut self, name: &str, span: Span) -> VarId {
        let variables = self.variables.to_mut();
        let var = VarId(variables.len());
        variables.push(Variable::rolled(name, span));
        self.values.resize(variables.len(), None);
        var
    }

    /// What is known of a variable.
    pub(crate) fn variable(&self, var: VarId) -> &Variable {
        &self.variables[var.0]
    }

    /// What a variable is called in the ruleset.
    pub(crate) fn name(&self, var: VarId) -> &str {
        &self.variables[var.0].name
    }

    /// The rolled variables that an expression reads.
    pub(crate) fn reads_of(&self, expr: &Expr) -> Vec<VarId> {
        let mut read = Vec::new();
        collect_vars(expr, self.fixed, &mut read);
        read
    }

    /// Whether an expression reads a variable that is bound outside.
    pub(crate) fn reads(&self, expr: &Expr, var: VarId) -> bool {
        let is_it = |part: &Expr| matches!(part.kind, Kind::Var(other) if other == var);
        !self.fixed.contains_key(&var) && expr.any(&mut { is_it })
    }

    pub(crate) fn fixed_definitions(&self) -> &'a Map<VarId, Expr> {
        self.fixed
    }

    pub(crate) fn unbind(&mut self, var: VarId) {
        self.values[var.0] = None;
    }

    /// The value of a variable; a fixed one is made when it is first needed.
    pub(crate) fn value(&mut self, var: VarId) -> Result<i64, Error> {
        match self.values[var.0] {
            Some(FAILED) if self.failed.contains_key(&var) => {
                return Err(self.failed[&var].clone());
            }
            Some(value) => return Ok(value),
            None => {}
        }
        let definition = self
            .fixed
            .get(&var)
            .expect("a rolled variable is bound before it is read");
        let value = self.number(definition)?;
        self.bind(var, value);
        Ok(value)
    }

    /// An error at the place of an expression.
    pub(crate) fn error(
        &self,
        at: &Expr,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Error {
        self.error_at(at.span, message, label)
    }

    pub(crate) fn error_with_help(
        &self,
        span: Span,
        message: String,
        label: &str,
        help: String,
    ) -> Error {
        let diagnostic = Diagnostic::new(self.source, span, message);
        Error::Rule(Box::new(diagnostic.with_label(label).with_help(help)))
    }

    pub(crate) fn error_at(
        &self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Error {
        let diagnostic = Diagnostic::new(self.source, span, message).with_label(label);
        Error::Rule(Box::new(diagnostic))
    }

    /// A distribution's error, at the place of the expression that caused it.
    pub(crate) fn wrap(&self, at: &Expr, error: &oddsmith_dist::Error) -> Error {
        self.wrap_at(at.span, error)
    }

    pub(crate) fn wrap_at(&self, span: Span, error: &oddsmith_dist::Error) -> Error {
        match error {
            oddsmith_dist::Error::OverBudget { predicted, limit } => {
                let text = self
                    .source
                    .text
                    .get(span.start..span.end)
                    .unwrap_or_default();
                let what = if text.len() <= 60 {
                    format!("`{text}`")
                } else {
                    "this step".to_owned()
                };
                Error::over_budget(what, *predicted, *limit)
            }
            oddsmith_dist::Error::OutcomeOverflow { .. } => {
                self.error_at(span, "a number leaves the range of 64 bits", "here")
            }
            other => self.error_at(span, other.to_string(), "here"),
        }
    }

    fn charge_steps(&self, steps: u128, at: &Expr) -> Result<(), Error> {
        let charged = self.budget.charge(steps);
        charged.map_err(|error| self.wrap(at, &error))
    }

    /// The mixture of parts with their weights.
    pub(crate) fn mixed(&self, parts: &[(UBig, Dist)], at: &Expr) -> Result<Roll, Error> {
        if parts.len() > 1 {
            // Their outcomes are multiplied and sorted.
            let steps: u128 = parts.iter().map(|(_, part)| 2 * part.steps_to_map()).sum();
            self.charge_steps(steps, at)?;
        }
        self.wrapped(Dist::mix(parts), at)
    }

    /// Charges for a distribution that is kept beside others.
    pub(crate) fn charge_keeping(&self, dist: &Dist, at: &Expr) -> Result<(), Error> {
        self.budget
            .charge_memory(bytes_of(dist))
            .map_err(|error| self.wrap(at, &error))
    }

    /// The value of an expression without dice.
    pub(crate) fn number(&mut self, expr: &Expr) -> Result<i64, Error> {
        if let Some(value) = self.plain(expr) {
            return Ok(value);
        }
        match self.roll(expr)? {
            Roll::Known(value) => Ok(value),
            Roll::Rolled(_) => Err(self.error(expr, "this must be fixed", "it depends on dice")),
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
                condition,
                then,
                otherwise,
            } => {
                let condition = self.roll(condition)?;
                self.choose(
                    condition,
                    |env, value| env.roll(if value == 0 { otherwise } else { then }),
                    expr,
                )
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let subject = self.roll(subject)?;
                self.match_arms(subject, arms, otherwise.as_deref(), expr)
            }
            Kind::Select { index, items } => {
                let index = self.roll(index)?;
                self.choose(
                    index,
                    |env, at| env.item(at, items, expr).and_then(|item| env.roll(item)),
                    expr,
                )
            }
            Kind::Block { statements, value } => self.block(statements, value, expr),
            Kind::Read { pool, reading } => self.read(pool, reading, expr),
            Kind::Wins(left, right) => self.wins(left, right, expr),
            Kind::Dice { .. } | Kind::Gather(_) | Kind::Keep { .. } | Kind::Draw { .. } => {
                unreachable!("a pool is read before it is a number")
            }
        }
    }

    fn unary(&self, op: UnaryOp, operand: Roll, at: &Expr) -> Result<Roll, Error> {
        match operand {
            Roll::Known(value) => op
                .apply(value)
                .map(Roll::Known)
                .ok_or_else(|| self.overflow(at)),
            Roll::Rolled(dist) => {
                let mapped = dist.try_map(|value| op.apply(value).ok_or(()));
                mapped.map(Roll::from_dist).map_err(|()| self.overflow(at))
            }
        }
    }

    pub(crate) fn overflow(&self, at: &Expr) -> Error {
        self.error(at, "a number leaves the range of 64 bits", "here")
    }

    fn binary(&self, op: BinaryOp, left: Roll, right: Roll, at: &Expr) -> Result<Roll, Error> {
        let one_known = |dist: &Dist, apply: &dyn Fn(i64) -> Option<i64>| {
            self.charge_steps(dist.steps_to_map(), at)?;
            let mapped = dist.try_map(|value| apply(value).ok_or(()));
            mapped.map(Roll::from_dist).map_err(|()| self.overflow(at))
        };
        match (left, right) {
            (Roll::Known(a), Roll::Known(b)) => op
                .apply(a, b)
                .map(Roll::Known)
                .ok_or_else(|| self.overflow(at)),
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
            BinaryOp::Add => a.convolve(b, self.budget),
            BinaryOp::Subtract => a.subtract(b, self.budget),
            BinaryOp::Multiply => a.product(b, i64::checked_mul, self.budget),
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

    pub(crate) fn wrapped(
        &self,
        result: Result<Dist, oddsmith_dist::Error>,
        at: &Expr,
    ) -> Result<Roll, Error> {
        result
            .map(Roll::from_dist)
            .map_err(|error| self.wrap(at, &error))
    }

    /// `left and right` (`decides` is 0) or `left or right` (1): the right side only where the left leaves it
    /// open.
    fn short_circuit(&mut self, left: &Expr, right: &Expr, decides: i64) -> Result<Roll, Error> {
        let condition = self.roll(left)?;
        self.choose(
            condition,
            |env, value| {
                if value == decides {
                    Ok(Roll::Known(decides))
                } else {
                    env.roll(right)
                }
            },
            left,
        )
    }

    fn divide(
        &mut self,
        rounding: Rounding,
        numerator: &Expr,
        denominator: &Expr,
        at: &Expr,
    ) -> Result<Roll, Error> {
        let divisor = self.number(denominator)?;
        if divisor == 0 {
            return Err(self.error(denominator, "division by zero", "this is 0"));
        }
        match self.roll(numerator)? {
            Roll::Known(value) => rounding
                .divide(value, divisor)
                .map(Roll::Known)
                .ok_or_else(|| self.overflow(at)),
            Roll::Rolled(dist) => {
                let mapped = dist.try_map(|value| rounding.divide(value, divisor).ok_or(()));
                mapped.map(Roll::from_dist).map_err(|()| self.overflow(at))
            }
        }
    }

    /// The mixture of what `branch` makes of each value of `condition`.
    fn choose(
        &mut self,
        condition: Roll,
        mut branch: impl FnMut(&mut Self, i64) -> Result<Roll, Error>,
        at: &Expr,
    ) -> Result<Roll, Error> {
        match condition {
            Roll::Known(value) => branch(self, value),
            Roll::Rolled(dist) => {
                let mut parts = Vec::with_capacity(dist.len());
                for (value, weight) in dist.iter() {
                    let part = branch(self, value)?.into_dist();
                    self.charge_keeping(&part, at)?;
                    parts.push((weight, part));
                }
                self.mixed(&parts, at)
            }
        }
    }

    /// The item of a list at a place.
    pub(crate) fn item<'e>(
        &self,
        at: i64,
        items: &'e [Expr],
        list: &Expr,
    ) -> Result<&'e Expr, Error> {
        usize::try_from(at)
            .ok()
            .and_then(|at| items.get(at))
            .ok_or_else(|| {
                let message = format!(
                    "the list has {} items, at 0 to {}",
                    items.len(),
                    items.len() - 1
                );
                self.error(list, message, format!("there is none at {at}"))
            })
    }

    /// Arms of a subject; values that take the same arm are rolled together.
    fn match_arms(
        &mut self,
        subject: Roll,
        arms: &[Arm],
        otherwise: Option<&Expr>,
        at: &Expr,
    ) -> Result<Roll, Error> {
        match subject {
            Roll::Known(value) => {
                let taken = self.taken_arm(value, arms, otherwise, at)?;
                self.roll(taken)
            }
            Roll::Rolled(dist) => {
                let mut weights: Vec<(*const Expr, &Expr, UBig)> = Vec::new();
                for (value, weight) in dist.iter() {
                    let taken = self.taken_arm(value, arms, otherwise, at)?;
                    match weights
                        .iter_mut()
                        .find(|(known, ..)| std::ptr::eq(*known, taken))
                    {
                        Some((_, _, sum)) => *sum += weight,
                        None => weights.push((taken, taken, weight)),
                    }
                }
                let mut parts = Vec::with_capacity(weights.len());
                for (_, taken, weight) in weights {
                    parts.push((weight, self.roll(taken)?.into_dist()));
                }
                self.mixed(&parts, at)
            }
        }
    }

    /// The value of the first arm that fits.
    pub(crate) fn taken_arm<'e>(
        &mut self,
        value: i64,
        arms: &'e [Arm],
        otherwise: Option<&'e Expr>,
        at: &Expr,
    ) -> Result<&'e Expr, Error> {
        for arm in arms {
            for test in &arm.patterns {
                if self.fits(test, value)? {
                    return Ok(&arm.value);
                }
            }
        }
        otherwise.ok_or_else(|| {
            self.error(
                at,
                format!("no arm takes {value}"),
                "the subject can be this value here",
            )
        })
    }

    /// Whether a value fits a test whose bounds are known.
    pub(crate) fn fits(&mut self, test: &Test, value: i64) -> Result<bool, Error> {
        Ok(match test {
            Test::Compare(op, bound) => op.holds(value, self.number(bound)?),
            Test::Range(from, to) => (self.number(from)?..=self.number(to)?).contains(&value),
        })
    }
}

/// Bound values; what is made of fixed ones that have not been needed yet is not known.
impl Known for Env<'_> {
    fn input(&self, id: InputId) -> Option<i64> {
        self.config.0.get(id.0).copied()
    }

    fn bound(&self, var: VarId) -> Option<i64> {
        self.values[var.0].filter(|value| *value != FAILED)
    }

    fn block(&self, expr: &Expr, _: &[Statement], _: &Expr) -> Option<i64> {
        fixed_value(expr, self.config, &|var| self.bound(var)).ok()
    }
}

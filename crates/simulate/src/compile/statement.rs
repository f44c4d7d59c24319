//! Statements: what variables hold from then on.

use oddsmith_rules::Span;
use oddsmith_rules::program::{BinaryOp, CompareOp, Expr, Kind, Statement, UnaryOp, VarId, set_in};

use super::rounds::{Round, Rounds};
use super::value::{Num, Pool, Value};
use super::{Compiler, Fallback};
use crate::Error;

impl Compiler<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Result<(), Error> {
        statements
            .iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Error> {
        match statement {
            Statement::Let { var, value } | Statement::Set { var, value } => {
                let made = if self.check.program().variable(*var).is_pool() {
                    self.pool(value).map(Value::Pool)
                } else {
                    self.number(value).map(Value::Number)
                };
                let made = self.made(*var, made)?;
                self.values[var.0] = Some(made);
                Ok(())
            }
            Statement::Choose { var, options, .. } => self.choose(*var, options),
            Statement::Repeat {
                count,
                until,
                body,
                played,
                span,
            } => {
                let count = match count {
                    None => None,
                    Some(count) => Some(self.round_count(count)?),
                };
                if count == Some(0) {
                    return Ok(());
                }
                let rounds = Rounds::new(count, self.most_rounds, *span);
                let rounds = match played {
                    Some(track) => rounds.that_must_end(self.not_ended(track, *span)),
                    None => rounds,
                };
                self.rounds_of(rounds, until.as_ref(), body)?;
                if statement.is_own_loop() {
                    self.leave_out_the_stopped();
                }
                Ok(())
            }
        }
    }

    /// The value that a variable is bound to. An error is one at once if the script itself fails by it; if it is a
    /// limit of this engine, whoever needs the value meets it.
    pub(super) fn made(&self, var: VarId, made: Result<Value, Error>) -> Result<Value, Error> {
        match made {
            Err(error) if !self.unsure.contains(&var) => Ok(Value::Unknown(Box::new(error))),
            made => made,
        }
    }

    fn round_count(&mut self, count: &Expr) -> Result<u64, Error> {
        let rounds = self.constant(count)?;
        u64::try_from(rounds).map_err(|_| {
            let message = "the number of rounds can't be below 0";
            self.error(count.span, message, format!("it is {rounds} here"))
        })
    }

    /// A track that is played has gone on for as many rounds as a trial has, and what plays it can't go on.
    fn not_ended(&self, track: &str, span: Span) -> Error {
        let rounds = self.most_rounds;
        let message =
            format!("`{track}` is played, and in a trial it had not ended after {rounds} rounds");
        let error = self.error(span, message, "what follows needs its end");
        let help = "let trials take more rounds, as in `--rounds 1e6`; or give it an end, as in `until … or rolls == 100`";
        match error {
            Error::Rule(diagnostic) => Error::Rule(Box::new(diagnostic.with_help(help))),
            other => other,
        }
    }

    /// A `repeat`.
    fn rounds_of(
        &mut self,
        mut rounds: Rounds,
        until: Option<&Expr>,
        body: &[Statement],
    ) -> Result<(), Error> {
        let carried = self.carried(body);
        let shown = self.shown_in(body);
        rounds.counter = carried
            .iter()
            .position(|var| Some(*var) == self.check.rounds);
        if let Some(until) = until
            && !shown.is_empty()
        {
            let message = "the first round shows nothing: it is over before it begins";
            rounds.must_begin = Some(self.error(until.span, message, "this holds from the start"));
        }
        let mut start = Vec::with_capacity(carried.len());
        for var in &carried {
            start.push(self.value_if_needed(*var)?);
        }
        let outer = self.values.clone();
        let bind = |c: &mut Self, now: &[Value]| {
            for (var, value) in carried.iter().zip(now) {
                c.values[var.0] = Some(value.clone());
            }
        };
        let made = self.repeat(
            rounds,
            &start,
            &mut |c, now| {
                bind(c, now);
                until.map_or(Ok(Num::truth(false)), |until| c.number(until))
            },
            &mut |c, now| {
                bind(c, now);
                until.into_iter().for_each(|until| c.learn(until, false));
                c.statements(body)?;
                c.round(&carried, &shown)
            },
        );
        self.values = outer;
        let (ends, first) = match made {
            Ok((ends, first)) => (ends, first.into_iter().map(Value::Number).collect()),
            Err(error) if set_in(body).iter().any(|var| self.unsure.contains(var)) => {
                return Err(error);
            }
            // Whoever needs what it makes meets the error.
            Err(error) => {
                let unknown = Value::Unknown(Box::new(error));
                (
                    vec![unknown.clone(); carried.len()],
                    vec![unknown; shown.len()],
                )
            }
        };
        bind(self, &ends);
        for (var, value) in shown.iter().zip(first) {
            self.values[var.0] = Some(value);
        }
        Ok(())
    }

    /// Lets what follows a track's rounds count only for the trials that have ended.
    fn leave_out_the_stopped(&mut self) {
        let most = i64::try_from(self.most_rounds).unwrap_or(i64::MAX);
        let counted = self.check.rounds.map(|rounds| self.value(rounds));
        if let Some(Ok(Value::Number(rounds))) = counted {
            let has_ended = self.compare(CompareOp::LessEqual, &rounds, &Num::constant(most));
            if has_ended.as_constant() != Some(1) {
                self.frame().mask = Some(has_ended.clone());
                self.has_ended = Some(has_ended);
            }
        }
    }

    fn round(&mut self, carried: &[VarId], shown: &[VarId]) -> Result<Round, Error> {
        let next = carried.iter().map(|var| self.value_if_needed(*var));
        let next = next.collect::<Result<_, _>>()?;
        let shown = shown.iter().map(|var| match self.value(*var)? {
            Value::Number(num) => Ok(num),
            _ => unreachable!("what is shown is a number"),
        });
        let shown = shown.collect::<Result<_, Error>>()?;
        Ok(Round { next, shown })
    }

    /// The value of a variable. If that can't be had, it is an error for whoever needs it.
    fn value_if_needed(&mut self, var: VarId) -> Result<Value, Error> {
        match self.value(var) {
            Err(error @ (Error::Rule(_) | Error::Unsupported(_)))
                if self.check.program().variable(var).is_pool() =>
            {
                Ok(Value::Pool(Pool::fallback(self, error)))
            }
            Err(error @ (Error::Rule(_) | Error::Unsupported(_))) => {
                Ok(Value::Number(Num::fallback(self, error)))
            }
            made => made,
        }
    }

    /// The variables bound before a loop that its rounds change.
    fn carried(&self, body: &[Statement]) -> Vec<VarId> {
        let mut carried = set_in(body);
        carried.retain(|var| self.values[var.0].is_some());
        carried.sort_unstable();
        carried.dedup();
        carried
    }

    /// The outcomes that a track's first round shows, of those that are asked for.
    fn shown_in(&self, body: &[Statement]) -> Vec<VarId> {
        let is_bound = |var: &VarId| {
            let binds = |statement: &Statement| matches!(statement, Statement::Let { var: bound, .. } if bound == var);
            body.iter().any(binds)
        };
        let outcomes = self.check.outcomes.iter();
        let first = outcomes
            .filter(|outcome| outcome.first_round)
            .map(|outcome| outcome.var);
        let asked = first.filter(|var| self.asked.contains(var));
        asked.filter(is_bound).collect()
    }

    /// Narrows the ranges of variables by a condition on them.
    fn learn(&mut self, condition: &Expr, holds: bool) {
        match &condition.kind {
            Kind::Unary(UnaryOp::Not, inner) => self.learn(inner, !holds),
            Kind::Binary(BinaryOp::And, left, right) if holds => {
                self.learn(left, true);
                self.learn(right, true);
            }
            Kind::Binary(BinaryOp::Or, left, right) if !holds => {
                self.learn(left, false);
                self.learn(right, false);
            }
            Kind::Binary(BinaryOp::Compare(op), left, right) => {
                let op = if holds { *op } else { op.opposite() };
                if let (Kind::Var(var), Some(bound)) = (&left.kind, self.known(right)) {
                    self.learn_bound(*var, op, bound);
                }
            }
            _ => {}
        }
    }

    fn learn_bound(&mut self, var: VarId, op: CompareOp, bound: i64) {
        let Some(Value::Number(num)) = &self.values[var.0] else {
            return;
        };
        let (low, high) = op.narrow(num.range, (bound, bound));
        if low <= high {
            self.values[var.0] = Some(Value::Number(num.within((low, high))));
        }
    }

    /// The conditions of a legal configuration.
    pub(super) fn requirements(&mut self) -> Result<(), Error> {
        for requirement in &self.check.requires {
            let holds = self.constant(&requirement.condition)?;
            if holds == 0 {
                let config = self.check.describe(self.config);
                let requirement = requirement.text.clone();
                return Err(Error::Requirement {
                    requirement,
                    config,
                });
            }
        }
        Ok(())
    }
}

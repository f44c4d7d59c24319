//! What is reached once inputs are known: the numbers that fixed variables are, and the variables that matter.
//!
//! Looking ahead spares folding what no result needs, which is most of a script in most configurations.

use std::cell::Cell;

use oddsmith_rules::evaluate::{NoValue, PlainValue, decides};
use oddsmith_rules::program::{Expr, InputId, Kind, Program, Statement, VarId};

/// Whether a fixed variable's number has been looked for.
#[derive(Clone, Copy, Debug)]
enum Number {
    Unknown,
    Found(i64),
    /// It depends on an input that is not known, or can't be made: an error only where it is reached.
    None,
}

/// What is known of a script's variables.
pub(super) struct Reach<'a> {
    program: &'a Program,
    value_of: &'a dyn Fn(InputId) -> Option<i64>,
    /// Of variables that are fixed.
    definitions: Vec<Option<&'a Expr>>,
    numbers: Vec<Cell<Number>>,
    /// By variable: whether a result depends on it.
    matters: Vec<bool>,
    /// By variable: whether what the `let` that binds it reads has been marked.
    followed: Vec<bool>,
    /// How many of them do.
    count: usize,
}

impl<'a> Reach<'a> {
    /// Numbers only: every variable matters.
    pub(super) fn all(program: &'a Program, value_of: &'a dyn Fn(InputId) -> Option<i64>) -> Self {
        let variables = program.variables().len();
        let mut reach = Self {
            program,
            value_of,
            definitions: vec![None; variables],
            numbers: vec![Cell::new(Number::Unknown); variables],
            matters: vec![true; variables],
            followed: vec![false; variables],
            count: variables,
        };
        reach.define(program.statements());
        reach
    }

    /// Numbers, and what the variables `wanted` depend on.
    pub(super) fn of(
        program: &'a Program,
        value_of: &'a dyn Fn(InputId) -> Option<i64>,
        wanted: &[VarId],
    ) -> Self {
        let mut reach = Self::all(program, value_of);
        reach.matters.fill(false);
        reach.count = 0;
        wanted.iter().for_each(|var| reach.mark(*var));
        reach.statements(program.statements());
        reach
    }

    fn define(&mut self, statements: &'a [Statement]) {
        for statement in statements {
            match statement {
                Statement::Let { var, value } if self.is_fixed(*var, value) => {
                    self.definitions[var.0] = Some(value);
                }
                Statement::Repeat { body, .. } => self.define(body),
                _ => {}
            }
        }
    }

    fn is_fixed(&self, var: VarId, value: &Expr) -> bool {
        value.fixed && self.program.variable(var).is_fixed()
    }

    /// Finds the numbers of the fixed variables that a block binds: only the block sees them, so this is early enough.
    fn enter_block(&self, statements: &[Statement]) {
        for statement in statements {
            if let Statement::Let { var, value } = statement
                && self.is_fixed(*var, value)
                && matches!(self.numbers[var.0].get(), Number::Unknown)
            {
                let number = self.plain(value).map_or(Number::None, Number::Found);
                self.numbers[var.0].set(number);
            }
        }
    }

    /// Whether a result depends on a variable.
    pub(super) fn matters(&self, var: VarId) -> bool {
        self.matters[var.0]
    }

    /// The number that a fixed variable is, if it is known.
    fn number(&self, var: VarId) -> Option<i64> {
        let cell = &self.numbers[var.0];
        if let Number::Unknown = cell.get() {
            let value = self.definitions[var.0].and_then(|definition| self.plain(definition));
            cell.set(value.map_or(Number::None, Number::Found));
        }
        match cell.get() {
            Number::Found(value) => Some(value),
            Number::Unknown | Number::None => None,
        }
    }

    fn mark(&mut self, var: VarId) {
        if !self.matters[var.0] {
            self.matters[var.0] = true;
            self.count += 1;
        }
    }

    /// Marks what the statements that matter read, from the last to the first. Whether there are choices among them
    /// for something that did not matter until now: it is bound below them, perhaps outside.
    fn statements(&mut self, statements: &[Statement]) -> bool {
        let mut found_goal = false;
        loop {
            let mut has_new_goal = false;
            for statement in statements.iter().rev() {
                has_new_goal |= self.statement(statement);
            }
            if !has_new_goal {
                return found_goal;
            }
            found_goal = true;
        }
    }

    fn statement(&mut self, statement: &Statement) -> bool {
        match statement {
            Statement::Let { var, value } => {
                if self.matters(*var) && !self.followed[var.0] {
                    self.followed[var.0] = true;
                    self.reads(value);
                }
                false
            }
            Statement::Set { var, value } => {
                if self.matters(*var) {
                    self.reads(value);
                }
                false
            }
            Statement::Choose {
                var,
                options,
                condition,
                goal,
                ..
            } => {
                let parts = options.parts().chain(condition);
                let is_new = self.matters(*var) && !self.matters(*goal);
                if self.matters(*var) {
                    parts.for_each(|part| self.reads(part));
                    self.mark(*goal);
                }
                is_new
            }
            Statement::Repeat {
                count, until, body, ..
            } => {
                count.iter().chain(until).for_each(|part| self.reads(part));
                // What a round reads, a round before it sets.
                let mut has_new_goal = false;
                let mut before = usize::MAX;
                while self.count != before {
                    before = self.count;
                    has_new_goal |= self.statements(body);
                }
                has_new_goal
            }
        }
    }

    /// Marks what an expression reads, leaving out branches that are not taken.
    fn reads(&mut self, expr: &Expr) {
        if self.plain(expr).is_some() {
            return;
        }
        if let Ok(taken) = self.taken(expr) {
            return self.reads(taken);
        }
        match &expr.kind {
            Kind::Var(var) => self.mark(*var),
            Kind::Block { statements, value } => {
                self.enter_block(statements);
                self.reads(value);
                self.statements(statements);
            }
            Kind::Binary(op, left, _)
                if self.plain(left).is_some_and(|left| decides(*op, left)) => {}
            _ => expr.for_each_part(&mut |part| self.reads(part)),
        }
    }
}

impl PlainValue for Reach<'_> {
    type Error = NoValue;

    fn input(&self, id: InputId) -> Option<i64> {
        (self.value_of)(id)
    }

    fn bound(&self, var: VarId) -> Option<i64> {
        self.number(var)
    }

    fn block(&self, _: &Expr, statements: &[Statement], value: &Expr) -> Result<i64, NoValue> {
        self.enter_block(statements);
        self.plain_value(value)
    }

    fn plain_value(&self, expr: &Expr) -> Result<i64, NoValue> {
        if expr.fixed {
            self.value_of_parts(expr)
        } else {
            Err(NoValue)
        }
    }
}

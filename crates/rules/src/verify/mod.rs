//! Whether a program agrees with itself: all that whoever computes with it takes for granted.
//!
//! What is read from a file is checked with messages for its author (`lower`). This is the check of the result, and of
//! programs that were put together by other means: what it refuses is a mistake of the code that made the program.

mod check;
mod expr;
mod truth;

use crate::program::{Expr, Fold, Kind, Options, Program, Statement, VarId, Variable};
use crate::source::Span;

/// How a program or a check contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    message: String,
    span: Span,
}

impl Flaw {
    /// Where the part stands that is wrong.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Span { start, end } = self.span;
        write!(f, "{} (bytes {start} to {end})", self.message)
    }
}

impl std::error::Error for Flaw {}

type Verified = Result<(), Flaw>;

/// Fails unless `holds`.
fn demand(holds: bool, span: Span, message: impl FnOnce() -> String) -> Verified {
    match holds {
        true => Ok(()),
        false => Err(Flaw {
            message: message(),
            span,
        }),
    }
}

impl Program {
    /// Whether the program agrees with itself, for a check with so many inputs:
    ///
    /// - ids are those of its variables and of the inputs;
    /// - a variable is bound before it is read, in the block or the round that reads it or around it, by one statement;
    ///   `set` changes only what is mutable and was bound in the same block;
    /// - numbers stand where numbers are needed, pools where pools are, and truth values where conditions are;
    ///   [`Variable::is_pool`] says which of them a variable holds;
    /// - [`Variable::is_fixed`] agrees with what is bound; what has to be
    ///   fixed, such as the faces of a die, is, and what has to be known before a choice rolls no dice;
    /// - the goal of a choice is bound behind it, in the same block;
    /// - lists that need an item have one; at most one loop, at the top level, has no count, and it has an end.
    ///
    /// # Errors
    /// The first flaw that is found.
    ///
    /// ```
    /// use oddsmith_rules::program::{Program, Statement};
    ///
    /// let check = oddsmith_rules::expression("1d6 + 1", "dice").unwrap();
    /// let program = check.program();
    /// assert_eq!(program.verify(check.inputs.len()), Ok(()));
    /// let twice = [program.statements(), program.statements()].concat();
    /// let flaw = Program::new(program.variables().to_vec(), twice, 0).unwrap_err();
    /// assert_eq!(flaw.to_string(), "`value` is bound twice (bytes 0 to 7)");
    /// ```
    pub fn verify(&self, inputs: usize) -> Result<(), Flaw> {
        Verifier::new(self, inputs).program().map(drop)
    }
}

/// A program that is being gone through.
struct Verifier<'p> {
    program: &'p Program,
    inputs: usize,
    /// For each variable, whether all that it is given are truth values.
    truths: Vec<bool>,
    /// What binds each variable, once that was seen.
    bound_by: Vec<Option<Binder<'p>>>,
    /// What is in scope, innermost last.
    scope: Vec<VarId>,
    /// For each variable, its place in the scope.
    places: Vec<Option<usize>>,
    /// Where the scope of the block at hand begins.
    block: usize,
    /// What follows in each list of statements around the one at hand, within the block.
    rests: Vec<&'p [Statement]>,
    /// What a loop without a count has bound at the end of a round.
    round: Option<Vec<VarId>>,
}

/// What binds a variable; blocks and readings have copies, which share what they bind.
#[derive(Clone, Copy, PartialEq)]
enum Binder<'p> {
    Statement(&'p Statement),
    /// The face of a `map` or an `each`, which this is made of.
    Face(&'p Expr),
    /// A fold: a face, a count, what is carried, or what is for one face.
    Fold(&'p Fold),
}

/// What is around a list of statements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Loop,
    Block,
}

impl<'p> Verifier<'p> {
    fn new(program: &'p Program, inputs: usize) -> Self {
        let count = program.variables.len();
        Self {
            program,
            inputs,
            truths: vec![false; count],
            bound_by: vec![None; count],
            scope: Vec::new(),
            places: vec![None; count],
            block: 0,
            rests: Vec::new(),
            round: None,
        }
    }

    /// Goes through the whole program; what the script has bound at its end stays in scope.
    fn program(mut self) -> Result<Self, Flaw> {
        for variable in &self.program.variables {
            let Variable { name, span, .. } = variable;
            demand(!variable.fixed || !variable.mutable, *span, || {
                format!("`{name}` is said to be fixed and to change")
            })?;
            demand(
                !variable.is_pool || !variable.fixed && variable.labels.is_none(),
                *span,
                || format!("`{name}` is a pool, which is neither fixed nor a label"),
            )?;
        }
        self.truths = truth::truths(self.program);
        self.statements(&self.program.statements, Place::Top)?;
        Ok(self)
    }

    fn variable(&self, var: VarId, span: Span) -> Result<&'p Variable, Flaw> {
        let variable = self.program.variables.get(var.0);
        variable.ok_or_else(|| Flaw {
            message: format!("there is no variable {}", var.0),
            span,
        })
    }

    /// The variable of a name that is in scope.
    fn seen(&self, var: VarId, span: Span) -> Result<&'p Variable, Flaw> {
        let variable = self.variable(var, span)?;
        demand(self.places[var.0].is_some(), span, || {
            format!("`{}` is not bound here", variable.name)
        })?;
        Ok(variable)
    }

    fn bind(&mut self, var: VarId, binder: Binder<'p>, span: Span) -> Verified {
        let name = &self.variable(var, span)?.name;
        let is_free = self.places[var.0].is_none();
        let is_same = self.bound_by[var.0].is_none_or(|known| known == binder);
        demand(is_free && is_same, span, || {
            format!("`{name}` is bound twice")
        })?;
        self.bound_by[var.0] = Some(binder);
        self.places[var.0] = Some(self.scope.len());
        self.scope.push(var);
        Ok(())
    }

    /// Forgets what was bound since the scope had this length.
    fn close(&mut self, length: usize) -> Vec<VarId> {
        let closed = self.scope.split_off(length);
        for var in &closed {
            self.places[var.0] = None;
        }
        closed
    }

    fn statements(&mut self, statements: &'p [Statement], place: Place) -> Verified {
        for (at, statement) in statements.iter().enumerate() {
            self.rests.push(&statements[at + 1..]);
            self.statement(statement, place)?;
            self.rests.pop();
        }
        Ok(())
    }

    fn statement(&mut self, statement: &'p Statement, place: Place) -> Verified {
        match statement {
            Statement::Let { var, value } => {
                let variable = self.variable(*var, value.span)?;
                self.expr(value, variable.is_pool)?;
                demand(!variable.fixed || value.fixed, value.span, || {
                    format!("`{}` is said to be fixed, and is rolled", variable.name)
                })?;
                self.bind(*var, Binder::Statement(statement), value.span)
            }
            Statement::Set { var, value } => {
                let variable = self.seen(*var, value.span)?;
                self.expr(value, variable.is_pool)?;
                let is_own = self.places[var.0].is_some_and(|place| place >= self.block);
                let is_face = matches!(
                    self.bound_by[var.0],
                    Some(Binder::Face(_) | Binder::Fold(_))
                );
                demand(variable.mutable && is_own && !is_face, value.span, || {
                    format!("`{}` can't be changed here", variable.name)
                })
            }
            Statement::Choose { .. } => self.choose(statement),
            Statement::Repeat { .. } => self.repeat(statement, place),
        }
    }

    fn choose(&mut self, statement: &'p Statement) -> Verified {
        let Statement::Choose {
            var,
            options,
            condition,
            goal,
            span,
            ..
        } = statement
        else {
            return Ok(());
        };
        let variable = self.variable(*var, *span)?;
        let is_pool = matches!(options, Options::Subsets(_));
        for part in options.parts() {
            self.expr(part, is_pool)?;
            let is_bound = !is_pool || matches!(part.kind, Kind::Var(_));
            known_before(part, is_bound)?;
        }
        demand(
            variable.is_pool == is_pool && !variable.fixed,
            *span,
            || format!("`{}` is not what is chosen", variable.name),
        )?;
        self.bind(*var, Binder::Statement(statement), *span)?;
        if let Some(condition) = condition {
            self.condition(condition)?;
            known_before(condition, true)?;
        }
        let goal_variable = self.variable(*goal, *span)?;
        let binds = |later: &Statement| matches!(later, Statement::Let { var, .. } if var == goal);
        let is_bound = self.rests.iter().any(|rest| rest.iter().any(binds));
        let is_number = !goal_variable.is_pool && !goal_variable.mutable;
        demand(is_bound && is_number, *span, || {
            format!("`{}` is not bound behind the choice", goal_variable.name)
        })
    }

    fn repeat(&mut self, statement: &'p Statement, place: Place) -> Verified {
        let Statement::Repeat {
            count,
            until,
            body,
            played,
            span,
        } = statement
        else {
            return Ok(());
        };
        if let Some(count) = count {
            self.fixed_number(count)?;
            demand(played.is_none(), *span, || {
                "a track that is played has a count".to_owned()
            })?;
        }
        if let Some(until) = until {
            self.condition(until)?;
        }
        let is_own = statement.is_own_loop();
        if count.is_none() {
            let has_end = until.as_ref().is_some_and(|until| !until.rolls_dice());
            let is_only = place == Place::Top && self.round.is_none();
            demand(has_end && (is_only || !is_own), *span, || {
                "a loop without a count has no end, or is not the only one of a track".to_owned()
            })?;
        }
        let is_loop = |inner: &Statement| matches!(inner, Statement::Repeat { .. });
        demand(!body.iter().all(is_loop), *span, || {
            "a round has no statement of its own".to_owned()
        })?;
        let length = self.scope.len();
        self.statements(body, Place::Loop)?;
        let bound = self.close(length);
        if is_own {
            self.round = Some(bound);
        }
        Ok(())
    }
}

/// What is chosen from, and by which condition, is known before the choice.
fn known_before(expr: &Expr, is_bound: bool) -> Verified {
    demand(is_bound && !expr.rolls_dice(), expr.span, || {
        "what is known before a choice rolls dice".to_owned()
    })
}

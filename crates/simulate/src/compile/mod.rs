//! From a script and a configuration to operations on columns.
//!
//! What the configuration decides is decided here. Everything else is known to lie between two numbers, which
//! gives a column its width; and a value that depends on a single column is kept as a table of it, so that all a
//! script says of a total, from Effort to the name of a band, ends as a few comparisons.
//!
//! Both branches of what dice decide are rolled, and one is taken: trials stay side by side.

mod cases;
mod choice;
mod dice;
mod expression;
mod fold;
mod number;
mod pool;
mod query;
mod reading;
mod rounds;
mod sort;
mod statement;
mod support;
mod value;
mod weights;
mod whole;

use std::collections::HashMap;
use std::sync::Arc;

use oddsmith_rules::program::{Expr, VarId};
use oddsmith_rules::{Check, Config, Diagnostic, Policy, Query, Source, Span};

use crate::Error;
use crate::column::{Column, Width};
use crate::error::Halt;
use crate::op::{Op, rolled};
use crate::program::Program;
use crate::schedule;
use value::{Num, Pool, Value};

/// A fallback: it stands for something that can't be had, in the trials that do not need it.
trait Fallback: Default {
    fn fallback(compiler: &mut Compiler<'_>, error: Error) -> Self;
}

impl Fallback for Num {
    fn fallback(compiler: &mut Compiler<'_>, error: Error) -> Self {
        // Bounds would decide comparisons, and leave the error out.
        let column = compiler.in_column(&Num::constant(0), Width::W64);
        let anything = Num::column(column, (i64::MIN, i64::MAX));
        compiler.guarded(&anything, &Num::truth(true), &[], error)
    }
}

impl Fallback for Pool {
    fn fallback(compiler: &mut Compiler<'_>, error: Error) -> Self {
        compiler.demand_nothing(error);
        Self::default()
    }
}

impl<T: Fallback> Fallback for Option<T> {
    fn fallback(compiler: &mut Compiler<'_>, error: Error) -> Self {
        Some(T::fallback(compiler, error))
    }
}

/// Operations that are about the same trials: the whole script, or a loop in it.
#[derive(Debug, Default)]
struct Frame {
    ops: Vec<Op>,
    /// Columns from outside and what they are called in here.
    captured: HashMap<Column, Column>,
    converted: HashMap<(Column, Width), Column>,
    /// Whether trials have been left out by the `if`s and arms around; none is no.
    mask: Option<Num>,
}

/// Whether it may be guessed how far the values of loops go, and whether it has been.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Guesses {
    Allowed,
    /// One has been; the error names the first loop.
    Made(Error),
    Refused,
}

/// The compiler of a script: its configuration, and what was compiled so far.
pub(crate) struct Compiler<'c> {
    check: &'c Check,
    config: &'c Config,
    policy: &'c Policy,
    source: Arc<Source>,
    /// The question that is being compiled: what fails is said of it as a whole.
    question: Option<Arc<Source>>,
    values: Vec<Option<Value>>,
    frames: Vec<Frame>,
    /// For each column, how many loops it is in.
    depths: Vec<usize>,
    errors: Vec<Halt>,
    /// The outcomes that the queries read.
    asked: Vec<VarId>,
    /// Variables whose statements may fail. The script is carried out whatever is asked, so that these errors do not
    /// wait for somebody to need what they are about.
    unsure: Vec<VarId>,
    guesses: Guesses,
    /// Rounds after which a trial of a track is stopped.
    most_rounds: u64,
    /// Whether a trial was not stopped; none if none can be.
    has_ended: Option<Num>,
}

/// Compiles a check in a configuration and what is asked of it.
///
/// # Errors
/// If a rule can't be carried out, or a choice has no policy.
pub(crate) fn compile(
    check: &Check,
    config: &Config,
    queries: &[Query],
    policy: &Policy,
    most_rounds: u32,
) -> Result<Program, Error> {
    let bounds: Vec<(i64, i64)> = config
        .values()
        .iter()
        .map(|&value| (value, value))
        .collect();
    let unsure = check.may_fail(&bounds);
    let compiled = |guesses: Guesses| {
        let mut compiler = Compiler {
            check,
            config,
            policy,
            source: Arc::clone(&check.source),
            question: None,
            values: vec![None; check.program().variables().len()],
            frames: vec![Frame::default()],
            depths: Vec::new(),
            errors: Vec::new(),
            asked: check.outcomes_in(queries.iter().flat_map(Query::parts)),
            unsure: unsure.clone(),
            guesses,
            most_rounds: most_rounds.into(),
            has_ended: None,
        };
        compiler.requirements()?;
        compiler.statements(check.program().statements())?;
        let (tallied, asked) = compiler.queries(queries)?;
        let frame = compiler.frames.pop().expect("the script's own frame");
        let program = schedule::program(frame.ops, compiler.errors, tallied, asked);
        Ok((program, compiler.guesses))
    };
    let (mut program, guesses) = compiled(Guesses::Allowed)?;
    if let Guesses::Made(error) = guesses {
        let (wide, _) = compiled(Guesses::Refused)?;
        let is_alike = rolled(&program.ops) == rolled(&wide.ops);
        program.beyond = Some(if is_alike {
            Ok(Box::new(wide))
        } else {
            Err(error)
        });
    }
    Ok(program)
}

impl Compiler<'_> {
    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("there is always a frame")
    }

    fn emit(&mut self, op: Op) {
        self.frame().ops.push(op);
    }

    fn fresh_of(&mut self, width: Width) -> Column {
        self.depths.push(self.frames.len() - 1);
        Column {
            width,
            at: self.depths.len() - 1,
        }
    }

    /// A column as it is called in the present frame.
    fn local(&mut self, column: Column) -> Column {
        let home = self.depths[column.at];
        let mut name = column;
        for depth in home + 1..self.frames.len() {
            name = match self.frames[depth].captured.get(&name) {
                Some(known) => *known,
                None => {
                    self.depths.push(depth);
                    let inner = Column {
                        width: name.width,
                        at: self.depths.len() - 1,
                    };
                    self.frames[depth].captured.insert(name, inner);
                    inner
                }
            };
        }
        name
    }

    fn converted(&mut self, from: Column, width: Width) -> Option<Column> {
        self.frame().converted.get(&(from, width)).copied()
    }

    fn note_converted(&mut self, from: Column, out: Column) {
        self.frame().converted.insert((from, out.width), out);
    }

    /// An error at a place of the ruleset, or of the question.
    fn error(&self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Error {
        let (source, span) = match &self.question {
            Some(question) => (question, Span::new(0, question.text.len())),
            None => (&self.source, span),
        };
        let mut diagnostic = Diagnostic::new(source, span, message).with_label(label);
        if !self.check.inputs.is_empty() {
            let config = self.check.describe(self.config);
            diagnostic.message = format!("{}, for {config}", diagnostic.message);
        }
        Error::Rule(Box::new(diagnostic))
    }

    /// A number beyond 64 bits.
    fn beyond(&self, span: Span) -> Error {
        self.error(span, "a number leaves the range of 64 bits", "here")
    }

    /// A condition, for the trials that come here.
    fn masked(&mut self, condition: &Num) -> Num {
        match self.frame().mask.clone() {
            Some(mask) => self.and(&mask, condition),
            None => condition.clone(),
        }
    }

    /// An error for the trials in which `bad` is true, if they come here at all; `of` is the column that is wrong
    /// then, so that nothing is left of it if it isn't needed and the script can't fail.
    fn demand_not(
        &mut self,
        bad: &Num,
        of: Option<Column>,
        shown: &[&Num],
        error: impl Into<Halt>,
    ) {
        let bad = self.masked(bad);
        if bad.as_constant() == Some(0) {
            return;
        }
        let error = self.fault(error);
        let of = of.filter(|_| self.unsure.is_empty());
        let bad = self.operand(&bad, Width::W8);
        let shown = shown
            .iter()
            .map(|num| self.in_column(num, Width::holding(num.range)))
            .collect();
        self.emit(Op::Demand {
            bad,
            of,
            shown,
            error,
        });
    }

    /// The place of something that may go wrong in a trial.
    fn fault(&mut self, halt: impl Into<Halt>) -> usize {
        self.errors.push(halt.into());
        self.errors.len() - 1
    }

    /// Something that can't be done in any trial that comes here.
    fn demand_nothing(&mut self, error: Error) {
        self.demand_not(&Num::truth(true), None, &[], error);
    }

    /// Acts for the trials in which `condition` holds; an error in there is one only if some trial comes to it.
    fn within<T: Fallback>(
        &mut self,
        condition: &Num,
        act: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let outer = self.frame().mask.clone();
        let mask = self.masked(condition);
        let is_certain = mask.as_constant() == Some(1);
        self.frame().mask = Some(mask).filter(|_| !is_certain);
        let made = match act(self) {
            Err(error @ (Error::Rule(_) | Error::Unsupported(_))) if !is_certain => {
                Ok(T::fallback(self, error))
            }
            made => made,
        };
        self.frame().mask = outer;
        made
    }

    /// A number that can't be had in the trials in which `bad` is true. Whoever needs it meets the error.
    fn guarded(&mut self, num: &Num, bad: &Num, shown: &[&Num], error: impl Into<Halt>) -> Num {
        if bad.as_constant() == Some(0) {
            return num.clone();
        }
        // In a column that is its own, so that it stays if and only if it is needed.
        let column = self.copied(num, Width::holding(num.range));
        self.demand_not(bad, Some(column), shown, error);
        // Of a single number nobody would read the column.
        let range = match num.range {
            (low, high) if low == high => (low.min(0), high.max(1)),
            range => range,
        };
        Num::column(column, range)
    }

    /// A number that the configuration decides.
    fn constant(&mut self, expr: &Expr) -> Result<i64, Error> {
        let num = self.number(expr)?;
        num.as_constant()
            .ok_or_else(|| self.error(expr.span, "this must be fixed", "it depends on dice"))
    }
}

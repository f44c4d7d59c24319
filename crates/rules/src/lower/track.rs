//! The one loop of a track: its rounds are counted.

use crate::check::{Outcome, OutcomeKind};
use crate::interval::Shape;
use crate::lower::scope::Block;
use crate::lower::{Binding, CheckDef, Depth, Lowered, Lowerer, Part, ROUNDS, Scalar, Value};
use crate::program::{BinaryOp, Expr, Kind, Statement, VarId};
use crate::source::{Diagnostic, Span};
use crate::syntax::ast;

/// What is said to those who forgot a count.
const SAY_HOW_OFTEN: &str = "say how often at most: `repeat 10 until … { … }`";

impl Lowerer<'_> {
    /// A `repeat` without a count: the rounds of a track.
    pub(super) fn endless_loop(
        &mut self,
        until: &ast::Expr,
        body: &[ast::Statement],
        span: Span,
        out: &mut Vec<Statement>,
        depth: Depth,
    ) -> Lowered<()> {
        if let Some(error) = self.misplaced_loop(span, depth) {
            let failed = self.fail(error);
            // What else is wrong in it is worth knowing; but what it shows is nowhere.
            if !shows(body) {
                let _ = self.repeat_statement(None, Some(until), body, span, &mut Vec::new());
            }
            return failed;
        }
        let (rounds, next_round) = self.round_counter(span, out);
        self.rounds = Some(rounds);
        let mark = self.scope.open();
        let mut statements = Vec::new();
        self.part = Part::Round;
        self.statements(body, &mut statements, Depth::Top);
        self.part = Part::Track;
        self.scope.end_block(&mark, Block::Repeat);
        statements.push(next_round);
        let until = self.truth(until)?;
        self.check_end(&until, body)?;
        out.push(Statement::Repeat {
            count: None,
            until: Some(until),
            body: statements,
            played: self.calls.last().map(|(track, _)| track.as_str().into()),
            span,
        });
        Ok(())
    }

    /// Why a `repeat` without a count can't stand here.
    fn misplaced_loop(&self, span: Span, depth: Depth) -> Option<Diagnostic> {
        let error = |message: &str| self.reporter.error(span, message);
        if self.part == Part::Check {
            let error = error("`repeat until` without a count may never end");
            let help =
                format!("{SAY_HOW_OFTEN}; only a table of [tracks] goes on until it is done");
            return Some(error.with_help(help));
        }
        if depth != Depth::Top || self.part == Part::Round {
            let error = error("a `repeat until` without a count inside another loop");
            return Some(
                error
                    .with_label("this one needs a count")
                    .with_help(SAY_HOW_OFTEN),
            );
        }
        let first = self.program.variable(self.rounds?).span;
        Some(
            error("a second `repeat until` without a count")
                .with_label("a track has one")
                .with_related(first, "the first one")
                .with_help(SAY_HOW_OFTEN),
        )
    }

    /// A track ends by its state, which its rounds change.
    fn check_end(&mut self, until: &Expr, body: &[ast::Statement]) -> Lowered<()> {
        if until.rolls_dice() {
            let error = self
                .reporter
                .error(until.span, "a track's end is decided by its state")
                .with_label("this rolls dice")
                .with_help("roll in the loop, `set` a value by that roll, and test the value here");
            return self.fail(error);
        }
        let changed = super::script::assigned_names(body);
        let changes = |part: &Expr| match part.kind {
            Kind::Var(var) => {
                let variable = self.program.variable(var);
                // An item of a list has the name of the list, and its place.
                let base = variable.name.split('[').next().unwrap_or_default();
                variable.mutable
                    && (Some(var) == self.rounds || changed.iter().any(|name| *name == base))
            }
            _ => false,
        };
        // What sets no value at all is another error.
        let is_known = |name: &String| self.scope.find(name).is_some();
        if until.any(&mut { changes }) || !changed.iter().all(is_known) {
            return Ok(());
        }
        let error = self
            .reporter
            .error(until.span, "no round changes whether this track ends")
            .with_label("always the same")
            .with_help(
                "test a value that the loop changes, as in `set filled = min(filled + 1, slots)`",
            );
        self.fail(error)
    }

    /// `let rolls = 0`, which is shown, and `set rolls = rolls + 1`.
    fn round_counter(&mut self, span: Span, out: &mut Vec<Statement>) -> (VarId, Statement) {
        let name = ast::Name {
            text: ROUNDS.to_owned(),
            span,
        };
        self.shapes.push(Shape::UNKNOWN);
        let (var, statement) = self.program.state(ROUNDS, Expr::constant(0, span));
        out.push(statement);
        let bound = self.var(var, span);
        self.bind_name(Binding {
            name: name.text.clone(),
            value: Value::Scalar(bound.clone(), Scalar::Int),
            span,
            written: None,
            is_axis: false,
        });
        self.outcomes.push(Outcome {
            name: name.text,
            kind: OutcomeKind::Observable,
            var,
            first_round: false,
            span,
        });
        let one = Expr::constant(1, span);
        let value = Expr::binary(BinaryOp::Add, bound, one, span);
        (var, Statement::Set { var, value })
    }

    /// Refuses `rolls` as a name of a track's own; `help` says what else to do.
    pub(super) fn refuse_counter(&mut self, name: &ast::Name, help: &str) -> Lowered<()> {
        if self.part == Part::Check || name.text != ROUNDS {
            return Ok(());
        }
        let error = self
            .reporter
            .error(name.span, "`rolls` is the number of rounds of a track")
            .with_label("it counts by itself")
            .with_help(help);
        self.fail(error)
    }

    /// Refuses an axis or a parameter that the number of rounds would hide.
    pub(super) fn refuse_counted_inputs(&mut self, check: &CheckDef) {
        let axes = check.axes.iter().map(|axis| (axis, "this axis"));
        let params = self.params.iter();
        let params = params.map(|param| (param, "this parameter"));
        let base = |name: &str| name.split('[').next() == Some(ROUNDS);
        let Some((input, what)) = axes.chain(params).find(|(input, _)| base(&input.name)) else {
            return;
        };
        let error = self
            .reporter
            .error(input.span, "`rolls` is the number of rounds of a track")
            .with_label(format!("rename {what}"))
            .with_related(check.name.span, "the track");
        let _ = self.fail::<()>(error);
    }

    /// Reports a track without its loop.
    pub(super) fn demand_loop(&mut self, check: &CheckDef) {
        if !check.is_track || self.rounds.is_some() {
            return;
        }
        let error = self
            .reporter
            .error(
                check.name.span,
                "a track repeats something until it is full",
            )
            .with_label("this track never does");
        let counted = |statement: &ast::Statement| match statement {
            ast::Statement::Repeat {
                until: Some(_),
                span,
                ..
            } => Some(*span),
            _ => None,
        };
        let error = match check.script.statements.iter().find_map(counted) {
            Some(counted) => error
                .with_related(counted, "this one stops by its count")
                .with_help("leave out the count: `repeat until … { … }`"),
            None => error.with_help("write `repeat until filled == slots { … }`, without a count"),
        };
        let _ = self.fail::<()>(error);
    }
}

/// Whether some statement shows something, at any depth.
fn shows(statements: &[ast::Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        ast::Statement::Let { shown, .. } => *shown,
        ast::Statement::Show { .. } => true,
        ast::Statement::Repeat { body, .. } | ast::Statement::For { body, .. } => shows(body),
        ast::Statement::Set { .. } | ast::Statement::Choose { .. } => false,
    })
}

//! `for i in 0..=2 { … }`: its body is written out for each number, which the name stands for there.

use crate::interval;
use crate::lower::scope::Block;
use crate::lower::{Binding, Depth, Lowered, Lowerer, MAX_PLAYED, Reported, Scalar, Value};
use crate::program::{Expr, Kind, Statement};
use crate::source::Span;
use crate::syntax::ast;

impl Lowerer<'_> {
    pub(super) fn for_statement(
        &mut self,
        name: &ast::Name,
        (from, to): (&ast::Expr, &ast::Expr),
        (body, span): (&[ast::Statement], Span),
        out: &mut Vec<Statement>,
        depth: Depth,
    ) -> Lowered<()> {
        let free = self.check_is_free(name);
        if let (ast::ExprKind::Int(low), ast::ExprKind::Int(high)) = (&from.kind, &to.kind)
            && low > high
        {
            let whole = from.span.to(to.span);
            return self.fail_at(whole, "an empty range", format!("{low} is above {high}"));
        }
        let (from, to) = (self.end_of_passes(from), self.end_of_passes(to));
        let (Ok(()), Ok(from), Ok(to)) = (free, from, to) else {
            return Err(Reported);
        };
        let depth = match depth {
            Depth::Top => Depth::Pass,
            inside => inside,
        };
        self.passes += 1;
        let played = (from..=to).try_for_each(|number| {
            let statements = body.len().max(1) + std::mem::take(&mut self.unspent);
            self.spend(statements, span)?;
            let mark = self.scope.open();
            self.bind_pass(name, number);
            self.statements(body, out, depth);
            self.scope.end_block(&mark, Block::For);
            Ok(())
        });
        self.passes -= 1;
        played
    }

    /// The name stands for the number of the pass.
    fn bind_pass(&mut self, name: &ast::Name, number: i64) {
        let number = Expr::constant(number, name.span);
        self.scope.bind(Binding {
            name: name.text.clone(),
            value: Value::Scalar(number, Scalar::Int),
            span: name.span,
            written: None,
            is_axis: false,
        });
    }

    /// An end of the range, which no configuration and no die changes.
    fn end_of_passes(&mut self, end: &ast::Expr) -> Lowered<i64> {
        let number = self.number(end)?;
        if let Some(known) = self.known(&number) {
            return Ok(known);
        }
        let changes = |part: &Expr| match part.kind {
            Kind::Var(var) => self.program.variable(var).mutable,
            _ => false,
        };
        let label = match number.fixed {
            true => "an axis or a parameter decides this",
            false if number.any(&mut { changes }) => "`set` changes this",
            false => "this depends on dice",
        };
        let error = self
            .reporter
            .error(end.span, "the range of a `for` is known before anything is set or rolled")
            .with_label(label)
            .with_help(match number.fixed {
                true => "where all passes are alike, `repeat … { … }` takes such a number; else go through all that there can be, as in `for i in 0..=9 { … }`, and let an `if` decide whether something happens",
                false => "go through all that there can be, as in `for i in 0..=size(hp) - 1 { … }`, and let an `if` decide whether something happens",
            });
        self.fail(error)
    }

    /// The number that an expression is in every configuration, if no die decides it.
    pub(super) fn known(&self, number: &Expr) -> Option<i64> {
        let (low, high) = interval::of(number, false, &self.shapes, self.inputs).faces;
        (number.fixed && low == high).then_some(low)
    }

    /// Counts statements that are written out, as far as the limit allows.
    pub(super) fn spend(&mut self, statements: usize, span: Span) -> Lowered<()> {
        if self.played > MAX_PLAYED {
            // It has been said.
            return Err(Reported);
        }
        self.played = self.played.saturating_add(statements);
        if self.played <= MAX_PLAYED {
            return Ok(());
        }
        let message = format!("these rules play out more than {MAX_PLAYED} statements of `for`");
        let error = self
            .reporter
            .error(span, message)
            .with_label("most of them in here")
            .with_help("`repeat 1000 { … }` goes round without being written out");
        self.fail(error)
    }
}

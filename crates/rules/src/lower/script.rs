//! Statements.

use std::sync::Arc;

use crate::lower::{Binding, Lowered, Lowerer, Reported, Scalar, Value};
use crate::model::{Outcome, OutcomeKind};
use crate::program::{Kind, Statement};
use crate::source::Span;
use crate::syntax::ast;

impl Lowerer<'_> {
    /// Lowers a check's script. Errors are reported; what could be lowered is returned.
    pub(crate) fn script(&mut self, script: &ast::Script, span: Span) -> Vec<Statement> {
        let outer = std::mem::replace(&mut self.assigned, assigned_names(&script.statements));
        let mut statements = Vec::new();
        self.statements(&script.statements, &mut statements, true);
        self.assigned = outer;
        let shows_band = self.outcomes.iter().any(|outcome| outcome.name == "band");
        if self.bands.is_some() && !shows_band && self.reporter.is_empty() {
            let error = self
                .reporter
                .error(span, "this check has `bands` but its rules never show one")
                .with_label("this check")
                .with_help("end the rules with `show band = match … { … }`");
            let _ = self.fail::<()>(error);
        }
        statements
    }

    /// Lowers statements into `out`; `top` is false inside `repeat`.
    fn statements(&mut self, statements: &[ast::Statement], out: &mut Vec<Statement>, top: bool) {
        for statement in statements {
            // What failed has been reported; the statements after it are still worth checking.
            let _ = match statement {
                ast::Statement::Let {
                    name,
                    value,
                    shown: false,
                } => self.let_statement(name, value, out),
                ast::Statement::Let {
                    name,
                    value,
                    shown: true,
                } => self.show_statement(name, value, out, top),
                ast::Statement::Set { name, value } => self.set_statement(name, value, out),
                ast::Statement::Repeat {
                    count,
                    until,
                    body,
                    span,
                } => self.repeat_statement(count.as_ref(), until.as_ref(), body, *span, out),
            };
        }
    }

    fn let_statement(
        &mut self,
        name: &ast::Name,
        value: &ast::Expr,
        out: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let free = self.check_is_free(name);
        let value = self.bound_value(value, out);
        free?;
        let bound = value.map(|value| self.bind_value(name, value, out));
        if bound.is_err() {
            self.bind(name, Value::Error);
        }
        bound
    }

    /// A `let`'s value; a called check is played into `out`, so that its fields can be read later.
    fn bound_value(&mut self, value: &ast::Expr, out: &mut Vec<Statement>) -> Lowered<Value> {
        match &value.kind {
            ast::ExprKind::Call { name, args } if self.is_check(&name.text) => {
                self.check_call(name, args, value.span, out)
            }
            _ => self.value(value, None),
        }
    }

    /// Binds a value to a name, rolling it now.
    pub(crate) fn bind_value(&mut self, name: &ast::Name, value: Value, out: &mut Vec<Statement>) {
        let value = match value {
            Value::Scalar(expr, scalar) => {
                let span = expr.span;
                let var = self.let_variable(name, expr, false, out);
                Value::Scalar(self.var(var, span), scalar)
            }
            Value::Pool(expr) => {
                let span = expr.span;
                let var = self.let_variable(name, expr, true, out);
                Value::Pool(self.var(var, span))
            }
            Value::List(items, span) => {
                let mut bound = Vec::with_capacity(items.len());
                for (expr, scalar) in items {
                    let item_span = expr.span;
                    let var = self.let_variable(name, expr, false, out);
                    bound.push((self.var(var, item_span), scalar));
                }
                Value::List(bound, span)
            }
            value @ (Value::Record(..) | Value::Error) => value,
        };
        self.bind(name, value);
    }

    fn bind(&mut self, name: &ast::Name, value: Value) {
        self.scope.bind(Binding {
            name: name.text.clone(),
            value,
            span: name.span,
            is_axis: false,
        });
    }

    fn check_is_free(&mut self, name: &ast::Name) -> Lowered<()> {
        let Some(earlier) = self.scope.find(&name.text) else {
            return Ok(());
        };
        let (span, is_axis) = (earlier.span, earlier.is_axis);
        let what = if is_axis { "an axis" } else { "a value" };
        let error = self
            .reporter
            .error(
                name.span,
                format!("`{}` is already the name of {what}", name.text),
            )
            .with_label("again here")
            .with_related(span, "first named here")
            .with_help("choose another name, or use `set` to change a value bound by `let`");
        self.fail(error)
    }

    fn show_statement(
        &mut self,
        name: &ast::Name,
        value: &ast::Expr,
        out: &mut Vec<Statement>,
        top: bool,
    ) -> Lowered<()> {
        let free = self.check_is_free(name);
        if !top {
            return self.fail_at(
                name.span,
                "`show` inside `repeat`",
                "show it after the loop",
            );
        }
        let want = if name.text == "band" {
            self.bands.clone()
        } else {
            None
        };
        let lowered = self.scalar(value, want.as_ref());
        free?;
        let Ok((expr, scalar)) = lowered else {
            self.bind(name, Value::Error);
            return self.failed_outcome(name);
        };
        let kind = self.outcome_kind(name, &scalar, expr.span);
        let span = expr.span;
        let var = self.let_variable(name, expr, false, out);
        let bound = self.var(var, span);
        self.bind(name, Value::Scalar(bound, scalar));
        match kind {
            Ok(kind) => {
                let (name, span) = (name.text.clone(), name.span);
                self.outcomes.push(Outcome {
                    name,
                    kind,
                    var,
                    span,
                });
                Ok(())
            }
            Err(Reported) => self.failed_outcome(name),
        }
    }

    /// An outcome was meant: that it is missing must not be an error as well.
    fn failed_outcome(&mut self, name: &ast::Name) -> Lowered<()> {
        let var = self.new_variable(name, true, false, false);
        self.failed.push(var);
        let (name, span) = (name.text.clone(), name.span);
        self.outcomes.push(Outcome {
            name,
            kind: OutcomeKind::Observable,
            var,
            span,
        });
        Err(Reported)
    }

    fn outcome_kind(
        &mut self,
        name: &ast::Name,
        scalar: &Scalar,
        span: Span,
    ) -> Lowered<OutcomeKind> {
        match (name.text.as_str(), scalar, self.bands.clone()) {
            ("band", Scalar::Choice(choice), Some(bands)) if **choice == *bands => {
                Ok(OutcomeKind::Band(bands))
            }
            ("band", _, Some(bands)) if bands.labels.is_empty() => Err(Reported),
            ("band", other, Some(bands)) => self.fail_at(
                span,
                format!("`band` must be one of {}", bands.labels.join(", ")),
                format!("this is {}", other.describe()),
            ),
            ("band", _, None) => {
                let error = self
                    .reporter
                    .error(name.span, "`show band` in a check without `bands`")
                    .with_help(
                        "add the labels to the check, worst first: bands = [\"Miss\", \"Hit\"]",
                    );
                self.fail(error)
            }
            (_, Scalar::Int, _) => Ok(OutcomeKind::Observable),
            (_, Scalar::Bool, _) => Ok(OutcomeKind::Flag),
            (_, Scalar::Choice(choice), _) => Ok(OutcomeKind::Label(Arc::clone(choice))),
        }
    }

    fn set_statement(
        &mut self,
        name: &ast::Name,
        value: &ast::Expr,
        out: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let Some(binding) = self.scope.find(&name.text) else {
            return self.unknown_name(name);
        };
        if let Some(var) = binding
            .pool_variable()
            .filter(|var| self.program.variable(*var).mutable)
        {
            let value = self.pool(value)?;
            out.push(Statement::Set { var, value });
            return Ok(());
        }
        let is_error = matches!(binding.value, Value::Error);
        let Some((var, wanted)) = binding
            .variable()
            .filter(|(var, _)| self.program.variable(*var).mutable)
        else {
            if is_error {
                return Err(Reported);
            }
            let error = self
                .reporter
                .error(name.span, format!("`{}` can't be changed", name.text))
                .with_related(binding.span, "bound here")
                .with_label("not bound by a `let` of these rules")
                .with_help("`set` changes a number or a pool bound by `let` in the same rules");
            return self.fail(error);
        };
        let want = match &wanted {
            Scalar::Choice(choice) => Some(Arc::clone(choice)),
            _ => None,
        };
        let (expr, scalar) = self.scalar(value, want.as_ref())?;
        let fits = scalar == wanted || (scalar == Scalar::Bool && wanted == Scalar::Int);
        if !fits {
            return self.fail_at(
                expr.span,
                format!("`{}` is {}", name.text, wanted.describe()),
                format!("this is {}", scalar.describe()),
            );
        }
        out.push(Statement::Set { var, value: expr });
        Ok(())
    }

    fn repeat_statement(
        &mut self,
        count: Option<&ast::Expr>,
        until: Option<&ast::Expr>,
        body: &[ast::Statement],
        span: Span,
        out: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let Some(count) = count else {
            let error = self
                .reporter
                .error(span, "`repeat until` without a count may never end")
                .with_help("say how often at most: `repeat 10 until … { … }`");
            return self.fail(error);
        };
        let count = self.fixed_number(count, "the number of rounds");
        let until = until.map(|condition| self.truth(condition)).transpose();
        let mark = self.scope.open();
        let mut rounds = Vec::new();
        self.statements(body, &mut rounds, false);
        self.scope.end_block(&mark);
        out.push(Statement::Repeat {
            count: count?,
            until: until?,
            body: rounds,
            span,
        });
        Ok(())
    }

    /// Statements and a value as one expression.
    pub(crate) fn block(statements: Vec<Statement>, value: Value) -> Value {
        if statements.is_empty() {
            return value;
        }
        let wrap = |expr: crate::program::Expr, statements| {
            let (span, fixed) = (expr.span, expr.fixed);
            crate::program::Expr {
                kind: Kind::Block {
                    statements,
                    value: Box::new(expr),
                },
                span,
                fixed,
            }
        };
        match value {
            Value::Scalar(expr, scalar) => Value::Scalar(wrap(expr, statements), scalar),
            Value::Pool(expr) => Value::Pool(wrap(expr, statements)),
            other => other,
        }
    }
}

/// Every name that some `set` changes, at any depth.
fn assigned_names(statements: &[ast::Statement]) -> Vec<String> {
    let mut names = Vec::new();
    for statement in statements {
        match statement {
            ast::Statement::Set { name, .. } => names.push(name.text.clone()),
            ast::Statement::Repeat { body, .. } => names.extend(assigned_names(body)),
            ast::Statement::Let { .. } => {}
        }
    }
    names
}

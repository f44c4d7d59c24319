//! Expressions: operators, lists, fields.

use std::sync::Arc;

use crate::choice::Choice;
use crate::file::domain;
use crate::lower::{Lowered, Lowerer, ROUNDS, Reported, Scalar, Value};
use crate::program::{BinaryOp, CompareOp, Division, Expr, Kind, UnaryOp};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind};
use crate::syntax::or_taught;

/// The labels that the context asks for, if any.
pub(crate) type Want<'a> = Option<&'a Arc<Choice>>;

impl Lowerer<'_> {
    /// Lowers an expression of any type. `want` says which labels a bare word may mean.
    pub(crate) fn value(&mut self, expr: &ast::Expr, want: Want<'_>) -> Lowered<Value> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::Scalar(Expr::constant(*value, span), Scalar::Int)),
            ExprKind::Bool(value) => Ok(Value::Scalar(
                Expr::constant(i64::from(*value), span),
                Scalar::Bool,
            )),
            ExprKind::Name(name) => self.name(name, span, want),
            ExprKind::Label(text) => self.label(text, span, want),
            ExprKind::List(items) => self.list(items, span, want),
            ExprKind::Pool(items) => self.gather(items, span),
            ExprKind::Bag(_) => self.fail_at(
                span,
                "a bag of faces stands only in `draw(n, {face: copies, …})`",
                "not here",
            ),
            ExprKind::Dice { count, die } => {
                self.refuse_label(span, want)?;
                self.dice(count.as_deref(), die, span)
            }
            ExprKind::Keep {
                pool,
                which,
                amount,
            } => self.keep(pool, *which, amount.as_deref(), span),
            ExprKind::Successes { pool, test } => self.count(pool, test, span),
            ExprKind::Index { list, index } => self.index(list, index, span),
            ExprKind::Field { record, field } => self.field(record, field),
            ExprKind::Unary { op, operand } => self.unary(*op, operand, span),
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right, span),
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => self.if_expr(condition, then, otherwise, span, want),
            ExprKind::Match {
                subject: Some(subject),
                arms,
                otherwise,
            } => self.match_subject(subject, arms, otherwise.as_deref(), span, want),
            ExprKind::Match {
                subject: None,
                arms,
                otherwise,
            } => self.match_conditions(arms, otherwise.as_deref(), span, want),
            ExprKind::Call { name, args } => self.call(name, args, span, want),
            ExprKind::Divide {
                division,
                numerator,
                denominator,
            } => {
                let quotient = self.divided(*division, numerator, denominator, span)?;
                Ok(Value::Scalar(quotient, Scalar::Int))
            }
            ExprKind::Fold(fold) => self.fold(fold, span),
            ExprKind::Error => Err(Reported),
        }
    }

    /// Lowers a division, whose divisor does not stand there as a 0.
    pub(super) fn divided(
        &mut self,
        division: Division,
        numerator: &ast::Expr,
        denominator: &ast::Expr,
        span: Span,
    ) -> Lowered<Expr> {
        let numerator = self.number(numerator);
        if matches!(denominator.kind, ExprKind::Int(0)) {
            return self.fail_at(denominator.span, "division by zero", "always 0");
        }
        let denominator = self.number(denominator)?;
        let kind = Kind::Divide {
            division,
            numerator: Box::new(numerator?),
            denominator: Box::new(denominator),
        };
        Ok(Expr::new(kind, span))
    }

    /// Lowers to a number, truth value or label; a pool becomes its sum.
    pub(crate) fn scalar(&mut self, expr: &ast::Expr, want: Want<'_>) -> Lowered<(Expr, Scalar)> {
        match self.value(expr, want)? {
            Value::Scalar(lowered, scalar) => Ok((lowered, scalar)),
            Value::Pool(pool) => {
                self.refuse_symbols(&pool)?;
                Ok((pool.sum(), Scalar::Int))
            }
            Value::Error => Err(Reported),
            other => {
                let error = self
                    .reporter
                    .error(expr.span, "a single value is needed")
                    .with_label(format!("this is {}", other.describe()));
                self.fail(match (&other, &expr.kind) {
                    (Value::List(items, _), ExprKind::Name(name)) => {
                        let is_number =
                            |(_, scalar): &(Expr, Scalar)| matches!(scalar, Scalar::Int);
                        let of_all = match items.iter().all(is_number) {
                            true => {
                                format!("; `sum({name})` and `highest({name})` are of all of them")
                            }
                            false => String::new(),
                        };
                        error.with_help(format!("`{name}[0]` is its first item{of_all}"))
                    }
                    (Value::Record(fields, _), ExprKind::Name(name)) => {
                        let fields: Vec<String> = fields
                            .iter()
                            .map(|(field, ..)| format!("`{name}.{field}`"))
                            .collect();
                        error.with_help(format!("read one of {}", fields.join(", ")))
                    }
                    _ => or_taught(error, self.reporter),
                })
            }
        }
    }

    /// Lowers to a number; a truth value counts 0 or 1.
    pub(crate) fn number(&mut self, expr: &ast::Expr) -> Lowered<Expr> {
        match self.scalar(expr, None)? {
            (lowered, Scalar::Int | Scalar::Bool) => Ok(lowered),
            (_, scalar @ Scalar::Choice(_)) => {
                let help = written_numbers(&[&scalar]).unwrap_or_else(|| {
                    "`index(x)` is the place of a label in its list, from 0".to_owned()
                });
                let error = self
                    .reporter
                    .error(expr.span, "a number is needed")
                    .with_label(format!("this is {}", scalar.describe()))
                    .with_help(help);
                self.fail(error)
            }
        }
    }

    /// Lowers to a number that no die decides.
    pub(crate) fn fixed_number(&mut self, expr: &ast::Expr, what: &str) -> Lowered<Expr> {
        let number = self.number(expr)?;
        self.require_fixed(&number, what)?;
        Ok(number)
    }

    pub(crate) fn require_fixed(&mut self, expr: &Expr, what: &str) -> Lowered<()> {
        if expr.fixed {
            return Ok(());
        }
        let text = &self.reporter.source.text;
        let name = text.get(expr.span.start..expr.span.end).unwrap_or_default();
        let is_axis = self.scope.find(name).is_some_and(|binding| binding.is_axis);
        let (label, help) = match is_axis {
            true => (
                format!("the axis `{name}` is given a roll where this check is played"),
                format!(
                    "play it with a fixed `{name}`, or write a case for each number: `match {name} {{ 1: …, else: … }}`"
                ),
            ),
            false => (
                "this depends on dice".to_owned(),
                "make it of numbers, parameters and axes only".to_owned(),
            ),
        };
        let error = self
            .reporter
            .error(expr.span, format!("{what} must be fixed"))
            .with_label(label)
            .with_help(help);
        self.fail(error)
    }

    /// Lowers to a condition.
    pub(crate) fn truth(&mut self, expr: &ast::Expr) -> Lowered<Expr> {
        match self.scalar(expr, None)? {
            (lowered, Scalar::Bool) => Ok(lowered),
            (_, scalar) => {
                let error = self
                    .reporter
                    .error(expr.span, "a condition is needed")
                    .with_label(format!("this is {}", scalar.describe()))
                    .with_help("compare it with something, as in `x == 1`");
                self.fail(error)
            }
        }
    }

    fn list(&mut self, items: &[ast::Expr], span: Span, want: Want<'_>) -> Lowered<Value> {
        let want = want
            .cloned()
            .or_else(|| items.iter().find_map(|item| self.infer_choice(item)))
            .or_else(|| items.iter().find_map(|item| self.list_of_label(item)));
        let mut lowered = Vec::with_capacity(items.len());
        for item in items {
            lowered.push(self.scalar(item, want.as_ref())?);
        }
        let Some((_, first)) = lowered.first().cloned() else {
            return self.fail_at(span, "an empty list", "a list needs at least one item");
        };
        if let Some((odd, scalar)) = lowered.iter().find(|(_, scalar)| *scalar != first) {
            let (odd_span, found) = (odd.span, scalar.describe());
            let message = format!(
                "the items of a list have one type; this list begins with {}",
                first.describe()
            );
            return self.fail_at(odd_span, message, format!("this is {found}"));
        }
        Ok(Value::List(lowered, span))
    }

    fn index(&mut self, list: &ast::Expr, index: &ast::Expr, span: Span) -> Lowered<Value> {
        let items = match self.value(list, None)? {
            Value::List(items, _) => items,
            Value::Error => return Err(Reported),
            other => {
                let error = self.reporter.error(list.span, "only a list has items");
                let error = error.with_label(format!("this is {}", other.describe()));
                return self.fail(or_taught(error, self.reporter));
            }
        };
        let written = matches!(index.kind, ExprKind::Int(_));
        let (index, _) = self.scalar(index, None)?;
        let scalar = items[0].1.clone();
        let mut items: Vec<Expr> = items.into_iter().map(|(item, _)| item).collect();
        if let Some(at) = index.as_constant() {
            let inside = usize::try_from(at).ok().filter(|&at| at < items.len());
            if let Some(at) = inside {
                return Ok(Value::Scalar(items.swap_remove(at).at(span), scalar));
            }
            // A number that came by way of an argument may stand in a branch that is never taken.
            if written {
                return self.refuse_place(index.span, at, items.len());
            }
        }
        self.spend_in_pass(items.len());
        let index = Box::new(index);
        let expr = Expr::new(Kind::Select { index, items }, span);
        Ok(Value::Scalar(expr, scalar))
    }

    fn field(&mut self, record: &ast::Expr, field: &ast::Name) -> Lowered<Value> {
        let mut statements = Vec::new();
        let value = match &record.kind {
            ExprKind::Call { name, args } if self.is_played(&name.text) => {
                self.check_call(name, args, record.span, &mut statements)?
            }
            _ => self.value(record, None)?,
        };
        let fields = match value {
            Value::Record(fields, _) => fields,
            Value::Error => return Err(Reported),
            other => {
                let message = "only the result of a check has fields";
                let error = self.reporter.error(record.span, message);
                let error = error.with_label(format!("this is {}", other.describe()));
                return self.fail(or_taught(error, self.reporter));
            }
        };
        if let Some((_, expr, scalar)) = fields.iter().find(|(name, ..)| *name == field.text) {
            if let Kind::Var(var) = expr.kind {
                let shown = self.program.variable(var).span;
                self.reporter.note_name(field.span, shown);
                if self.failed.contains(&var) {
                    return Err(Reported);
                }
            }
            let expr = expr.clone().at(record.span.to(field.span));
            return Ok(Self::block(statements, Value::Scalar(expr, scalar.clone())));
        }
        let names: Vec<&str> = fields.iter().map(|(name, ..)| name.as_str()).collect();
        // The number of rounds is there whatever else a track shows.
        let is_track = fields.iter().any(|(_, expr, _)| match expr.kind {
            Kind::Var(var) => {
                let variable = self.program.variable(var);
                variable.mutable && *variable.name == *ROUNDS
            }
            _ => false,
        });
        let (what, first) = match is_track {
            true => (
                "track",
                " at its end; what it shows in its loop is about its first round alone",
            ),
            false => ("check", ""),
        };
        let error = self
            .reporter
            .error(field.span, format!("the {what} shows no `{}`", field.text))
            .with_help(format!("it shows {}{first}", names.join(", ")));
        let error = match self.reporter.nearest(&field.text, names.iter().copied()) {
            Some(near) => error.meant(near),
            None => error.with_label("not shown"),
        };
        self.fail(error)
    }

    fn unary(&mut self, op: ast::UnaryOp, operand: &ast::Expr, span: Span) -> Lowered<Value> {
        let (op, expr, scalar) = match op {
            ast::UnaryOp::Negate => (UnaryOp::Negate, self.number(operand)?, Scalar::Int),
            ast::UnaryOp::Not => (UnaryOp::Not, self.truth(operand)?, Scalar::Bool),
        };
        Ok(Value::Scalar(Expr::unary(op, expr, span), scalar))
    }

    fn binary(
        &mut self,
        op: ast::BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Lowered<Value> {
        let (op, scalar) = match op {
            ast::BinaryOp::Compare(op) => return self.compare(op, left, right, span),
            ast::BinaryOp::And | ast::BinaryOp::Or => {
                let (left, right) = (self.truth(left), self.truth(right));
                let op = if op == ast::BinaryOp::And {
                    BinaryOp::And
                } else {
                    BinaryOp::Or
                };
                return Ok(Value::Scalar(
                    Expr::binary(op, left?, right?, span),
                    Scalar::Bool,
                ));
            }
            ast::BinaryOp::Add => (BinaryOp::Add, Scalar::Int),
            ast::BinaryOp::Subtract => (BinaryOp::Subtract, Scalar::Int),
            ast::BinaryOp::Multiply => (BinaryOp::Multiply, Scalar::Int),
        };
        let (left, right) = (self.number(left), self.number(right));
        Ok(Value::Scalar(Expr::binary(op, left?, right?, span), scalar))
    }

    fn compare(
        &mut self,
        op: CompareOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Lowered<Value> {
        let choice = self.infer_choice(left).or_else(|| self.infer_choice(right));
        let (lowered_left, left_type) = self.operand(left, choice.as_ref())?;
        let (lowered_right, right_type) = self.operand(right, choice.as_ref())?;
        let comparable = match (&left_type, &right_type) {
            (Scalar::Choice(a), Scalar::Choice(b)) => a == b,
            (Scalar::Choice(_), _) | (_, Scalar::Choice(_)) => false,
            _ => true,
        };
        if !comparable {
            let choices = |scalar: &Scalar| matches!(scalar, Scalar::Choice(_));
            let help = if choices(&left_type) && choices(&right_type) {
                "only labels of one list have an order; `index(x)` is a label's place in its list"
            } else {
                "a label is compared with a label; `index(x)` is its place in its list, from 0"
            };
            let help = written_numbers(&[&left_type, &right_type]).unwrap_or(help.to_owned());
            let error = self
                .reporter
                .error(span, "these can't be compared")
                .with_related(left.span, format!("this is {}", left_type.describe()))
                .with_related(right.span, format!("this is {}", right_type.describe()))
                .with_help(help);
            return self.fail(error);
        }
        Ok(Value::Scalar(
            Expr::binary(BinaryOp::Compare(op), lowered_left, lowered_right, span),
            Scalar::Bool,
        ))
    }

    /// One side of a comparison: beside a label, the number `6` is the label `6`.
    pub(super) fn operand(
        &mut self,
        expr: &ast::Expr,
        choice: Want<'_>,
    ) -> Lowered<(Expr, Scalar)> {
        if let (ExprKind::Int(value), Some(choice)) = (&expr.kind, choice)
            && let Some(at) = choice.place(&value.to_string())
        {
            self.reporter.note_label(expr.span, choice, at);
            return Ok((
                Expr::constant(at, expr.span),
                Scalar::Choice(Arc::clone(choice)),
            ));
        }
        self.scalar(expr, choice)
    }
}

/// What is said of labels that look like numbers, where numbers are needed.
fn written_numbers(scalars: &[&Scalar]) -> Option<String> {
    let mut choices = scalars.iter().filter_map(|scalar| match scalar {
        Scalar::Choice(choice) => Some(choice),
        _ => None,
    });
    choices.find_map(|choice| domain::range_instead(choice.labels()))
}

//! Branches: `if`, `match`, and what makes several values one type.

use std::sync::Arc;

use crate::choice::{Choice, place};
use crate::lower::expr::Want;
use crate::lower::{Lowered, Lowerer, Reported, Scalar, Value};
use crate::program::{Arm, CompareOp, Expr, Kind, Statement, Test};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, TestKind};
use crate::{coverage, interval};

impl Lowerer<'_> {
    pub(super) fn if_expr(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        span: Span,
        want: Want<'_>,
    ) -> Lowered<Value> {
        let condition = self.truth(condition);
        let want = want
            .cloned()
            .or_else(|| self.infer_choice(then))
            .or_else(|| self.infer_choice(otherwise))
            .or_else(|| self.list_of_label(then))
            .or_else(|| self.list_of_label(otherwise));
        let (then, otherwise) = (
            self.value(then, want.as_ref()),
            self.value(otherwise, want.as_ref()),
        );
        let (condition, branches) = (condition?, self.unify(vec![then?, otherwise?])?);
        let Unified { mut exprs, kind } = branches;
        let (otherwise, then) = (exprs.pop().ok_or(Reported)?, exprs.pop().ok_or(Reported)?);
        Ok(kind.value(Expr::if_else(condition, then, otherwise, span)))
    }

    pub(super) fn match_conditions(
        &mut self,
        arms: &[ast::Arm],
        otherwise: Option<&ast::Expr>,
        span: Span,
        want: Want<'_>,
    ) -> Lowered<Value> {
        let Some(otherwise) = otherwise else {
            let error = self
                .reporter
                .error(span, "a `match` over conditions needs an `else` arm")
                .with_help("end it with `else: …`");
            return self.fail(error);
        };
        let mut conditions = Vec::with_capacity(arms.len());
        for arm in arms {
            for pattern in &arm.patterns {
                let TestKind::Value(condition) = &pattern.kind else {
                    return self.fail_at(
                        pattern.span,
                        "a condition is needed",
                        "there is nothing to compare with",
                    );
                };
                conditions.push(self.truth(condition)?);
            }
        }
        let values: Vec<&ast::Expr> = arms
            .iter()
            .map(|arm| &arm.value)
            .chain([otherwise])
            .collect();
        let Unified { mut exprs, kind } = self.branches(&values, want)?;
        let mut result = exprs.pop().ok_or(Reported)?;
        for (condition, value) in conditions.into_iter().zip(exprs).rev() {
            result = Expr::if_else(condition, value, result, span);
        }
        Ok(kind.value(result))
    }

    pub(super) fn match_subject(
        &mut self,
        subject: &ast::Expr,
        arms: &[ast::Arm],
        otherwise: Option<&ast::Expr>,
        span: Span,
        want: Want<'_>,
    ) -> Lowered<Value> {
        let (subject, scalar) = self.scalar(subject, None)?;
        let choice = match &scalar {
            Scalar::Choice(choice) => Some(Arc::clone(choice)),
            _ => None,
        };
        let mut patterns = Vec::with_capacity(arms.len());
        let mut failed = false;
        for arm in arms {
            let tests: Lowered<Vec<Test>> = arm
                .patterns
                .iter()
                .map(|test| self.pattern(test, choice.as_ref()))
                .collect();
            failed |= tests.is_err();
            let first = arm.patterns.first().map_or(span, |test| test.span);
            let last = arm.patterns.last().map_or(span, |test| test.span);
            patterns.push((tests.unwrap_or_default(), first.to(last)));
        }
        let values: Vec<&ast::Expr> = arms.iter().map(|arm| &arm.value).chain(otherwise).collect();
        let branches = self.branches(&values, want);
        if failed {
            return Err(Reported);
        }
        let Ok(Unified { mut exprs, kind }) = branches else {
            // What the arms cover does not depend on their values.
            let arms: Vec<Arm> = patterns
                .into_iter()
                .map(|(patterns, span)| Arm {
                    patterns,
                    span,
                    value: Expr::constant(0, span),
                })
                .collect();
            self.check_coverage(&subject, &scalar, &arms, otherwise.is_some(), span)?;
            return Err(Reported);
        };
        let otherwise = if otherwise.is_some() {
            exprs.pop().map(Box::new)
        } else {
            None
        };
        let mut statements = Vec::new();
        let mut arms: Vec<Arm> = Vec::with_capacity(exprs.len());
        for ((patterns, span), value) in patterns.into_iter().zip(exprs) {
            let patterns = patterns
                .into_iter()
                .map(|test| self.settle(test, &mut statements));
            arms.push(Arm {
                patterns: patterns.collect(),
                span,
                value,
            });
        }
        self.check_coverage(&subject, &scalar, &arms, otherwise.is_some(), span)?;
        let matched = Kind::Match {
            subject: Box::new(subject),
            arms,
            otherwise,
        };
        let expr = Expr::new(matched, span);
        Ok(Self::block(statements, kind.value(expr)))
    }

    /// A pattern of an arm, or the test of an item; labels where the subject is a label.
    pub(super) fn pattern(&mut self, test: &ast::Test, choice: Want<'_>) -> Lowered<Test> {
        let mut side = |expr: &ast::Expr| -> Lowered<Expr> {
            let (lowered, scalar) = self.operand(expr, choice)?;
            match (&scalar, choice) {
                (Scalar::Choice(found), Some(wanted)) if found == wanted => Ok(lowered),
                (Scalar::Int | Scalar::Bool, None) => Ok(lowered),
                _ => {
                    let needed = choice.map_or("a number".to_owned(), |c| {
                        format!("one of {}", c.labels().join(", "))
                    });
                    self.fail_at(
                        expr.span,
                        format!("the pattern must be {needed}, like the subject"),
                        format!("this is {}", scalar.describe()),
                    )
                }
            }
        };
        match &test.kind {
            TestKind::Compare { op, value } => Ok(Test::Compare(*op, side(value)?)),
            TestKind::Range { from, to } => {
                let (low, high) = (side(from)?, side(to)?);
                self.ascending(low, high, test.span)
            }
            TestKind::Value(value) => Ok(Test::Compare(CompareOp::Equal, side(value)?)),
        }
    }

    /// A test whose bounds are rolled once, before the test is made, and not anew for each value.
    pub(crate) fn settle(&mut self, test: Test, out: &mut Vec<Statement>) -> Test {
        let mut settled = |bound: Expr| {
            if bound.fixed || matches!(bound.kind, Kind::Var(_)) {
                return bound;
            }
            self.rolled_before(bound, "bound", out)
        };
        match test {
            Test::Compare(op, value) => Test::Compare(op, settled(value)),
            Test::Range(from, to) => Test::Range(settled(from), settled(to)),
        }
    }

    /// A value that is rolled by a statement before the expression that it is a part of.
    pub(super) fn rolled_before(
        &mut self,
        value: Expr,
        name: &str,
        out: &mut Vec<Statement>,
    ) -> Expr {
        let span = value.span;
        let text = name.to_owned();
        let var = self.let_variable(&ast::Name { text, span }, value, out);
        self.var(var, span)
    }

    /// Reports arms that overlap, can't be reached, or leave a gap, where their bounds are plain numbers.
    fn check_coverage(
        &mut self,
        subject: &Expr,
        scalar: &Scalar,
        arms: &[Arm],
        has_else: bool,
        span: Span,
    ) -> Lowered<()> {
        let Some(regions) = coverage::regions(arms, Expr::as_constant) else {
            return Ok(());
        };
        let (low, high) = match scalar {
            Scalar::Choice(choice) => (0, place(choice.labels().len()) - 1),
            _ => interval::of(subject, false, &self.shapes, self.inputs).faces,
        };
        let show = |value: i64| match scalar {
            Scalar::Choice(choice) => choice.label(value).to_owned(),
            _ => value.to_string(),
        };
        match coverage::problem(&regions, has_else, (low, high)) {
            None => Ok(()),
            Some(problem) => {
                let (message, at, earlier) = problem.describe(arms, span, &show);
                let mut error = self.reporter.error(at, message);
                if let Some(earlier) = earlier {
                    error = error.with_related(earlier, "the earlier arm");
                }
                let is_gap = matches!(problem, coverage::Problem::Gap { .. });
                let tests = arms.iter().flat_map(|arm| &arm.patterns);
                let mut tests = tests.filter(|_| is_gap);
                let meant = tests.find_map(|test| self.meant_range(test));
                self.fail(error.with_help(meant.unwrap_or_else(|| problem.help().to_owned())))
            }
        }
    }

    /// What was meant by `2-6`, which is -4.
    fn meant_range(&self, test: &Test) -> Option<String> {
        let Test::Compare(CompareOp::Equal, value) = test else {
            return None;
        };
        value.as_constant()?;
        let text = &self.reporter.source.text[value.span.start..value.span.end];
        let (from, to) = text.split_once('-')?;
        let number = |end: &str| end.trim().parse::<u32>().ok();
        let (from, to) = (number(from)?, number(to)?);
        (from < to).then(|| format!("for the numbers from {from} to {to} write `{from}..={to}`"))
    }

    /// Lowers branches and gives them one type.
    fn branches(&mut self, values: &[&ast::Expr], want: Want<'_>) -> Lowered<Unified> {
        let want = want
            .cloned()
            .or_else(|| values.iter().find_map(|value| self.infer_choice(value)))
            .or_else(|| values.iter().find_map(|value| self.list_of_label(value)));
        let lowered: Vec<Lowered<Value>> = values
            .iter()
            .map(|value| self.value(value, want.as_ref()))
            .collect();
        let lowered: Lowered<Vec<Value>> = lowered.into_iter().collect();
        self.unify(lowered?)
    }

    /// One type for several branches: pools stay pools only among pools, truth values become numbers beside
    /// numbers.
    fn unify(&mut self, values: Vec<Value>) -> Lowered<Unified> {
        if values.iter().all(|value| matches!(value, Value::Pool(_))) {
            let exprs = values.into_iter().map(|value| match value {
                Value::Pool(expr) => expr,
                _ => unreachable!("all are pools"),
            });
            return Ok(Unified {
                exprs: exprs.collect(),
                kind: UnifiedKind::Pool,
            });
        }
        let mut exprs = Vec::with_capacity(values.len());
        let mut joint: Option<Scalar> = None;
        for value in values {
            let (expr, scalar) = match value {
                Value::Scalar(expr, scalar) => (expr, scalar),
                Value::Pool(pool) => {
                    self.refuse_symbols(&pool)?;
                    (pool.sum(), Scalar::Int)
                }
                Value::Error => return Err(Reported),
                Value::List(_, span) | Value::Record(_, span) => {
                    return self.fail_at(
                        span,
                        "a branch must be a number, a label or dice",
                        "not one of these",
                    );
                }
            };
            joint = match (joint, scalar) {
                (None, scalar) => Some(scalar),
                (Some(Scalar::Int), Scalar::Bool) | (Some(Scalar::Bool), Scalar::Int) => {
                    Some(Scalar::Int)
                }
                (Some(a), b) if a == b => Some(a),
                (Some(a), b) => {
                    let message =
                        format!("the branches differ: an earlier one is {}", a.describe());
                    return self.fail_at(
                        expr.span,
                        message,
                        format!("this one is {}", b.describe()),
                    );
                }
            };
            exprs.push(expr);
        }
        Ok(Unified {
            exprs,
            kind: UnifiedKind::Scalar(joint.ok_or(Reported)?),
        })
    }

    /// The labels that an expression has by its look alone, to give bare words beside it a meaning.
    pub(super) fn infer_choice(&self, expr: &ast::Expr) -> Option<Arc<Choice>> {
        match &expr.kind {
            ExprKind::Name(name) => match self.named_value(name, expr.span)? {
                Value::Scalar(_, Scalar::Choice(choice)) => Some(choice),
                _ => None,
            },
            ExprKind::Field { record, field } => match &record.kind {
                ExprKind::Name(name) => match self.named_value(name, record.span)? {
                    Value::Record(fields, _) => {
                        fields
                            .into_iter()
                            .find_map(|(name, _, scalar)| match scalar {
                                Scalar::Choice(choice) if name == field.text => Some(choice),
                                _ => None,
                            })
                    }
                    _ => None,
                },
                ExprKind::Call { name, .. } if field.text == "band" => self
                    .library
                    .checks
                    .iter()
                    .find(|check| check.name.text == name.text)?
                    .bands
                    .clone(),
                _ => None,
            },
            ExprKind::If {
                then, otherwise, ..
            } => self
                .infer_choice(then)
                .or_else(|| self.infer_choice(otherwise)),
            ExprKind::Match {
                arms, otherwise, ..
            } => arms
                .iter()
                .find_map(|arm| self.infer_choice(&arm.value))
                .or_else(|| self.infer_choice(otherwise.as_deref()?)),
            ExprKind::Index { list, .. } => match &list.kind {
                ExprKind::Name(name) => match self.named_value(name, list.span)? {
                    Value::List(items, _) => match &items.first()?.1 {
                        Scalar::Choice(choice) => Some(Arc::clone(choice)),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            },
            ExprKind::Call { name, args } if name.text == "step" => match args.first()? {
                ast::Arg::Value(choice) => self.infer_choice(choice),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Branches of one type.
struct Unified {
    exprs: Vec<Expr>,
    kind: UnifiedKind,
}

enum UnifiedKind {
    Pool,
    Scalar(Scalar),
}

impl UnifiedKind {
    fn value(self, expr: Expr) -> Value {
        match self {
            Self::Pool => Value::Pool(expr),
            Self::Scalar(scalar) => Value::Scalar(expr, scalar),
        }
    }
}

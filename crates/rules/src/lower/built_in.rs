//! The built-in functions.

use crate::choice::place;
use crate::lower::call::arguments;
use crate::lower::expr::Want;
use crate::lower::lists::{SORTED, reads_items};
use crate::lower::{Lowered, Lowerer, Scalar, Value};
use crate::program::{BinaryOp, Division, Expr, Keep, Kind, Reading, Test, UnaryOp, Whole};
use crate::source::Span;
use crate::syntax::ast::{self, Arg, ExprKind, TestKind};
use crate::words::BUILT_INS;

/// Whether a function of the ruleset may not have this name.
pub(crate) fn is_built_in(name: &str) -> bool {
    // These are written like one.
    usage(name).is_some() || name == "subsets" || name == SORTED
}

/// How a built-in is called.
pub(crate) fn usage(name: &str) -> Option<&'static str> {
    BUILT_INS
        .iter()
        .find(|known| known.name == name)
        .map(|known| known.usage)
}

impl Lowerer<'_> {
    pub(super) fn built_in(
        &mut self,
        name: &ast::Name,
        usage: &str,
        args: &[Arg],
        span: Span,
        want: Want<'_>,
    ) -> Lowered<Value> {
        let value = match name.text.as_str() {
            reading
                if reads_items(reading) && args.first().is_some_and(|arg| self.is_list(arg)) =>
            {
                self.of_items(&name.text, args, span)?
            }
            "min" | "max" | "abs" | "sign" | "clamp" | "mod" => {
                self.arithmetic(&name.text, args, span)?
            }
            "index" | "step" => self.of_label(&name.text, args, span, want)?,
            _ => self.feature(&name.text, args, span)?,
        };
        match value {
            Some(value) => Ok(value),
            None => self.wrong_arguments(name, usage, args, span),
        }
    }

    fn wrong_arguments<T>(
        &mut self,
        name: &ast::Name,
        usage: &str,
        args: &[Arg],
        span: Span,
    ) -> Lowered<T> {
        let error = self
            .reporter
            .error(
                span,
                format!("`{}` does not take {}", name.text, arguments(args.len())),
            )
            .with_label(format!("write {usage}"));
        let error = match (name.text.as_str(), args.len()) {
            ("min", 1) => error.with_help("the lowest die of a pool is lowest(pool)"),
            ("max", 1) => error.with_help("the highest die of a pool is highest(pool)"),
            ("count", _) => match self.meant_count(args) {
                Some(meant) => error.with_help(format!("write `{meant}`")),
                None => error,
            },
            _ => error,
        };
        self.fail(error)
    }

    /// What was meant by `count(p >= 5)`, by `count(p, 5, 6)` and by `count(p, 5 or 6)`.
    fn meant_count(&self, args: &[Arg]) -> Option<String> {
        let values = args.iter().map(|arg| match arg {
            Arg::Value(value) => Some(value),
            _ => None,
        });
        let values: Vec<&ast::Expr> = values.collect::<Option<_>>()?;
        let (pool, faces) = values.split_first()?;
        let faces: Vec<&ast::Expr> = match (&pool.kind, faces) {
            (
                ExprKind::Binary {
                    op: ast::BinaryOp::Compare(_),
                    left,
                    ..
                },
                [],
            ) => {
                let test = self.written(Span::new(left.span.end, pool.span.end));
                return Some(format!(
                    "count({}, {})",
                    self.written(left.span),
                    test.trim()
                ));
            }
            (_, [one]) => either_number(one).filter(|numbers| numbers.len() > 1)?,
            (_, faces) => faces.to_vec(),
        };
        let pool = self.written(pool.span);
        let counts = faces.iter();
        let counts = counts.map(|face| format!("count({pool}, {})", self.written(face.span)));
        Some(counts.collect::<Vec<_>>().join(" + "))
    }

    /// Numbers of numbers; none if the arguments do not fit.
    fn arithmetic(&mut self, name: &str, args: &[Arg], span: Span) -> Lowered<Option<Value>> {
        let int = |expr| Value::Scalar(expr, Scalar::Int);
        Ok(Some(match (name, args) {
            ("min" | "max", [first, rest @ ..]) if !rest.is_empty() => {
                let op = if name == "min" {
                    BinaryOp::Min
                } else {
                    BinaryOp::Max
                };
                let mut result = self.number_arg(first)?;
                for arg in rest {
                    result = Expr::binary(op, result, self.number_arg(arg)?, span);
                }
                int(result)
            }
            ("abs", [x]) => int(Expr::unary(UnaryOp::Abs, self.number_arg(x)?, span)),
            ("sign", [x]) => int(Expr::unary(UnaryOp::Sign, self.number_arg(x)?, span)),
            ("mod", [x, by]) => {
                let (x, by) = (self.plain(x)?, self.plain(by)?);
                int(self.divided(Division::Remainder, x, by, span)?)
            }
            ("clamp", [x, low, high]) => {
                let (x, low, high) = (
                    self.number_arg(x)?,
                    self.number_arg(low)?,
                    self.number_arg(high)?,
                );
                int(Expr::binary(
                    BinaryOp::Max,
                    Expr::binary(BinaryOp::Min, x, high, span),
                    low,
                    span,
                ))
            }
            _ => return Ok(None),
        }))
    }

    /// Numbers read from pools; none if the arguments do not fit.
    fn feature(&mut self, name: &str, args: &[Arg], span: Span) -> Lowered<Option<Value>> {
        let int = |expr| Value::Scalar(expr, Scalar::Int);
        let whole = |pool: Expr, whole| int(pool.read(Reading::Whole(whole), span));
        Ok(Some(match (name, args) {
            ("sum", [pool]) => int(self.numbers_arg(pool)?.read(Reading::Sum, span)),
            ("size", [pool]) => int(self.pool_arg(pool)?.read(Reading::Size, span)),
            ("highest" | "lowest", [pool, rest @ ..]) if rest.len() <= 1 => {
                let which = if name == "highest" {
                    Keep::KeepHighest
                } else {
                    Keep::KeepLowest
                };
                let pool = self.numbers_arg(pool)?;
                if let Some(Arg::Value(k)) = rest.first() {
                    self.refuse_negative(k, "can't add up fewer than 0 dice")?;
                }
                let amount = self.number_or_one(rest.first(), span)?;
                int(pool.keep(which, amount, span).sum())
            }
            ("nth", [pool, k]) => {
                let pool = self.numbers_arg(pool)?;
                if let Arg::Value(k) = k {
                    self.refuse_zeroth(k, "dice are counted from 1, the highest")?;
                }
                let k = self.number_arg(k)?;
                let (one, at) = (Expr::constant(1, span), k.span);
                let before = Expr::binary(BinaryOp::Subtract, k, one.clone(), at);
                let from = pool.keep(Keep::DropHighest, before, span);
                int(from.keep(Keep::KeepHighest, one, span).sum())
            }
            ("count", [pool, test]) => {
                let pool = self.pool_arg(pool)?;
                if let Some(symbols) = self.count_symbol(&pool, test, span)? {
                    return Ok(Some(symbols));
                }
                if let Some(meant) = self.meant_count(args) {
                    let message = "`count` takes one comparison, range or number";
                    let error = self.reporter.error(span, message);
                    return self.fail(error.with_help(format!("write `{meant}`")));
                }
                let test = self.test_arg(test)?;
                self.count_of(pool, test, span)?
            }
            ("distinct", [pool]) => whole(self.pool_arg(pool)?, Whole::Distinct),
            ("straight", [pool]) => whole(self.numbers_arg(pool)?, Whole::Straight),
            ("straight_face", [pool]) => whole(self.numbers_arg(pool)?, Whole::StraightFace),
            ("matches" | "match_face", [pool, rest @ ..]) if rest.len() <= 1 => {
                let pool = match name {
                    "matches" => self.pool_arg(pool)?,
                    _ => self.numbers_arg(pool)?,
                };
                if let Some(Arg::Value(k)) = rest.first() {
                    self.refuse_zeroth(k, "sets are counted from 1, the largest")?;
                }
                let k = self.number_or_one(rest.first(), span)?;
                self.require_fixed(&k, "which set is asked for")?;
                let set = match name {
                    "matches" => Whole::Set(Box::new(k)),
                    _ => Whole::SetFace(Box::new(k)),
                };
                whole(pool, set)
            }
            ("map", [pool, function]) => self.map(pool, function, span)?,
            ("each", [pool, function]) => self.each(pool, function, span)?,
            ("wins", [a, b]) => {
                let (a, b) = (self.numbers_arg(a)?, self.numbers_arg(b)?);
                int(Expr::new(Kind::Wins(Box::new(a), Box::new(b)), span))
            }
            _ => return Ok(None),
        }))
    }

    /// Places of labels and labels of places; none if the arguments do not fit.
    fn of_label(
        &mut self,
        name: &str,
        args: &[Arg],
        span: Span,
        want: Want<'_>,
    ) -> Lowered<Option<Value>> {
        let int = |expr| Value::Scalar(expr, Scalar::Int);
        Ok(Some(match (name, args) {
            ("index", [label]) => {
                // A label of any list has a place, so that nothing is wanted of it.
                let (expr, scalar) = self.scalar_arg(label, None)?;
                match scalar {
                    Scalar::Choice(_) => int(expr),
                    other => {
                        let label = format!("this is {}", other.describe());
                        return self.fail_at(expr.span, "`index` takes a label", label);
                    }
                }
            }
            ("step", [label, k]) => {
                let (expr, scalar) = self.scalar_arg(label, want)?;
                let Scalar::Choice(choice) = &scalar else {
                    let label = format!("this is {}", scalar.describe());
                    return self.fail_at(expr.span, "`step` takes a label", label);
                };
                let top = place(choice.labels().len()) - 1;
                let moved = Expr::binary(BinaryOp::Add, expr, self.number_arg(k)?, span);
                let floor = Expr::binary(BinaryOp::Max, moved, Expr::constant(0, span), span);
                let place = Expr::binary(BinaryOp::Min, floor, Expr::constant(top, span), span);
                Value::Scalar(place, scalar)
            }
            _ => return Ok(None),
        }))
    }

    fn scalar_arg(&mut self, arg: &Arg, want: Want<'_>) -> Lowered<(Expr, Scalar)> {
        let expr = self.plain(arg)?;
        self.scalar(expr, want)
    }

    fn number_arg(&mut self, arg: &Arg) -> Lowered<Expr> {
        let expr = self.plain(arg)?;
        self.number(expr)
    }

    fn number_or_one(&mut self, arg: Option<&Arg>, span: Span) -> Lowered<Expr> {
        arg.map_or_else(|| Ok(Expr::constant(1, span)), |arg| self.number_arg(arg))
    }

    pub(super) fn pool_arg(&mut self, arg: &Arg) -> Lowered<Expr> {
        let expr = self.plain(arg)?;
        self.pool(expr)
    }

    /// A pool of dice that show numbers.
    pub(super) fn numbers_arg(&mut self, arg: &Arg) -> Lowered<Expr> {
        let pool = self.pool_arg(arg)?;
        self.refuse_symbols(&pool)?;
        Ok(pool)
    }

    /// The test of `count(pool, >= 7)`; a bare number means equal to it.
    fn test_arg(&mut self, arg: &Arg) -> Lowered<Test> {
        match arg {
            Arg::Test(test) => self.face_test(test),
            Arg::Value(expr) => {
                let test = ast::Test {
                    kind: TestKind::Value(expr.clone()),
                    span: expr.span,
                };
                self.face_test(&test)
            }
            Arg::Named(name, _) => self.fail_at(
                name.span,
                "a test is needed",
                "write `>= 7`, `4..=5` or `6`",
            ),
            Arg::Rest(span) => {
                self.fail_at(*span, "a test is needed", "write `>= 7`, `4..=5` or `6`")
            }
        }
    }

    /// An argument that is a plain expression.
    pub(super) fn plain<'e>(&mut self, arg: &'e Arg) -> Lowered<&'e ast::Expr> {
        match arg {
            Arg::Value(expr) => Ok(expr),
            Arg::Named(name, _) => self.fail_at(
                name.span,
                "only checks take named arguments",
                "write the value alone",
            ),
            Arg::Test(test) => self.fail_at(test.span, "a value is needed", "this is a test"),
            Arg::Rest(span) => {
                self.fail_at(*span, "`..` passes axes to a check", "this is not a check")
            }
        }
    }
}

/// The numbers of `5 or 6`; none if anything else is among them.
fn either_number(expr: &ast::Expr) -> Option<Vec<&ast::Expr>> {
    match &expr.kind {
        ExprKind::Int(_) => Some(vec![expr]),
        ExprKind::Binary {
            op: ast::BinaryOp::Or,
            left,
            right,
        } => Some([either_number(left)?, either_number(right)?].concat()),
        _ => None,
    }
}

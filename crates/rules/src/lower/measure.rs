//! What is asked about a finished roll: queries, what a choice strives for, what a contest compares.

use std::sync::Arc;

use crate::check::OutcomeKind;
use crate::choice::Choice;
use crate::lower::{Asked, Binding, CheckDef, Lowered, Lowerer, Scalar};
use crate::program::{BinaryOp, CompareOp, Expr, Kind, UnaryOp, VarId};
use crate::source::{Diagnostic, Span, there_are_some};
use crate::syntax::{
    self,
    ast::{self, ExprKind},
};

/// The bands of a check and the variable that holds one.
pub(crate) type Bands<'b> = Option<&'b (VarId, Arc<Choice>)>;

impl Lowerer<'_> {
    /// Lowers an expression of `check` that sees only what has been shown, the axes and the parameters.
    pub(crate) fn over_shown<T>(
        &mut self,
        check: &CheckDef,
        asked: Asked,
        lower: impl FnOnce(&mut Self, Bands<'_>) -> Lowered<T>,
    ) -> Lowered<T> {
        let axes = check.axes.iter().map(|axis| axis.name.as_str());
        let shown = self.outcomes.iter().map(|outcome| outcome.name.as_str());
        let broken = check.broken_axes.iter().map(|name| name.text.as_str());
        let visible = shown.chain(axes).chain(broken);
        let visible: Vec<Binding> = visible
            .filter_map(|name| self.scope.find(name).cloned())
            .collect();
        let bands = self.outcomes.iter().find_map(|shown| match &shown.kind {
            OutcomeKind::Band(bands) => Some((shown.var, Arc::clone(bands))),
            _ => None,
        });
        let mark = self.scope.enter_call();
        let outer = self.asked.replace(asked);
        visible
            .into_iter()
            .for_each(|binding| self.scope.bind(binding));
        let lowered = lower(self, bands.as_ref());
        self.asked = outer;
        self.scope.close(&mark);
        lowered
    }

    /// What a contest compares, with its type; a band by itself is whether it was that band.
    pub(crate) fn compared(
        &mut self,
        expr: &ast::Expr,
        bands: Bands<'_>,
    ) -> Lowered<(Expr, Scalar)> {
        if let Some(event) = self.band_event(expr, bands) {
            return Ok((event, Scalar::Bool));
        }
        let (value, scalar) = self.scalar(expr, None)?;
        Ok((self.refuse_dice(&value)?, scalar))
    }

    /// What choices strive for: a number, or a condition that counts 1 where it holds.
    pub(crate) fn goal_value(&mut self, expr: &ast::Expr, bands: Bands<'_>) -> Lowered<Expr> {
        let joins = matches!(
            expr.kind,
            ExprKind::Binary {
                op: ast::BinaryOp::And | ast::BinaryOp::Or,
                ..
            } | ExprKind::Unary {
                op: ast::UnaryOp::Not,
                ..
            }
        );
        if joins {
            return self.event(expr, bands);
        }
        let (value, scalar) = self.compared(expr, bands)?;
        let Scalar::Choice(choice) = scalar else {
            return Ok(value);
        };
        let text = self.written(expr.span);
        let asked = self.asked.unwrap_or(Asked::Goal).describe();
        let best = choice.labels().last().map_or("", String::as_str);
        let error = self
            .reporter
            .error(expr.span, format!("{asked} is a number or a condition"))
            .with_label(format!("this is a label ({})", choice.labels().join(", ")))
            .with_help(format!(
                "write `{text} == {}`, or `index({text})` for its place from 0",
                quoted(best)
            ));
        self.fail(error)
    }

    /// A condition about a finished roll; a label by itself means `band == label`.
    pub(crate) fn event(&mut self, expr: &ast::Expr, bands: Bands<'_>) -> Lowered<Expr> {
        match &expr.kind {
            ExprKind::Binary {
                op: op @ (ast::BinaryOp::And | ast::BinaryOp::Or),
                left,
                right,
            } => {
                let (left, right) = (self.event(left, bands), self.event(right, bands));
                let op = match op {
                    ast::BinaryOp::And => BinaryOp::And,
                    _ => BinaryOp::Or,
                };
                Ok(Expr::binary(op, left?, right?, expr.span))
            }
            ExprKind::Unary {
                op: ast::UnaryOp::Not,
                operand,
            } => {
                let operand = self.event(operand, bands)?;
                Ok(Expr::unary(UnaryOp::Not, operand, expr.span))
            }
            _ => match self.band_event(expr, bands) {
                Some(event) => Ok(event),
                None => self.plain_event(expr),
            },
        }
    }

    fn plain_event(&mut self, expr: &ast::Expr) -> Lowered<Expr> {
        let scalar = match self.scalar(expr, None)? {
            (event, Scalar::Bool) => return self.refuse_dice(&event),
            (_, scalar) => scalar,
        };
        let text = match expr.kind {
            ExprKind::If { .. } => format!("({})", self.written(expr.span)),
            _ => self.written(expr.span),
        };
        let help = match scalar {
            Scalar::Choice(_) => format!("compare it: `{text} == …`"),
            _ if self.asked == Some(Asked::Query) => {
                let is_shown = |name: &String| {
                    let found = self.scope.find(name);
                    found.is_some_and(|binding| !binding.is_axis)
                };
                let whole = match (&expr.kind, &self.asked_of) {
                    (ExprKind::Name(name), Some(check)) if is_shown(name) => {
                        format!("; all of it is `oddsmith dist FILE:{check}.{text}`")
                    }
                    _ => String::new(),
                };
                format!(
                    "compare it, as in `{text} >= 1`, or ask for `mean({text})` or `median({text})`{whole}"
                )
            }
            _ => format!("compare it, as in `{text} >= 1`"),
        };
        let error = self
            .reporter
            .error(expr.span, "a condition is needed")
            .with_label(format!("this is {}", scalar.describe()))
            .with_help(help);
        self.fail(error)
    }

    /// `band == label`, if the expression is a label of the bands and no value's name.
    fn band_event(&mut self, expr: &ast::Expr, bands: Bands<'_>) -> Option<Expr> {
        let (var, choice) = bands?;
        let label = match &expr.kind {
            ExprKind::Name(name) | ExprKind::Label(name) => name.clone(),
            ExprKind::Int(value) => value.to_string(),
            _ => return None,
        };
        if self.is_bound(&label) {
            return None;
        }
        let at = choice.place(&label)?;
        self.reporter.note_label(expr.span, choice, at);
        Some(is_label(*var, at, expr.span))
    }

    /// Lowers to a number about a finished roll.
    pub(crate) fn dice_free_number(&mut self, expr: &ast::Expr) -> Lowered<Expr> {
        let number = self.number(expr)?;
        self.refuse_dice(&number)
    }

    /// Refuses dice where a question is asked about a roll that has been made.
    fn refuse_dice(&mut self, expr: &Expr) -> Lowered<Expr> {
        if !expr.rolls_dice() {
            return Ok(expr.clone());
        }
        let asked = self.asked.unwrap_or(Asked::Query);
        let label = match asked {
            Asked::Query => "it asks about what the check shows",
            _ => "it is made of what has been shown",
        };
        self.fail_at(
            expr.span,
            format!("{} rolls no dice", asked.describe()),
            label,
        )
    }

    /// Reports a name that is nothing that has been shown.
    pub(super) fn not_shown<T>(&mut self, name: &ast::Name, span: Span) -> Lowered<T> {
        let (text, asked) = (&name.text, self.asked.unwrap_or(Asked::Query));
        let error = self.reporter.error(span, format!("unknown name `{text}`"));
        if let Some(bound) = self.scope.hidden(text) {
            let error = self
                .reporter
                .error(span, format!("`{text}` is not shown"))
                .with_label(format!("{} is made of what is shown", asked.describe()));
            let error = match &self.ruleset {
                Some(ruleset) => {
                    let (line, column) = ruleset.line_column(bound.start);
                    error.with_help(format!(
                        "`show` it where it is bound, at {}:{line}:{column}",
                        ruleset.name
                    ))
                }
                None => error
                    .with_related(bound, "bound here")
                    .with_help(format!("`show` it in the rules, as in `show {text} = …`")),
            };
            return self.fail(error);
        }
        if let Some(near) = self.meant_name(text) {
            return self.fail(near.tell(error));
        }
        let error = error.with_label(match asked {
            Asked::Requirement => "no axis and no parameter; those alone are known before a roll",
            _ => "nothing that is shown, no axis and no parameter",
        });
        let explain = |error: Diagnostic| {
            let bands = self.bands.iter();
            let mut seen: Vec<String> = bands.flat_map(|bands| bands.labels().to_vec()).collect();
            seen.extend(self.scope.seen());
            seen.extend(self.param_names().map(str::to_owned));
            error.with_help(there_are_some(&seen))
        };
        let error = self.reporter.explained(error, explain);
        self.fail(error)
    }

    /// Reports `mean(x)` where it can't be asked for.
    pub(super) fn query_inside<T>(
        &mut self,
        name: &ast::Name,
        args: &[ast::Arg],
        span: Span,
    ) -> Option<Lowered<T>> {
        let asked = self
            .asked
            .filter(|asked| matches!(asked, Asked::Goal | Asked::Contest | Asked::Utility))?;
        if !is_query(&name.text, args) {
            return None;
        }
        let inner = match args {
            [ast::Arg::Value(value)] => self.written(value.span),
            _ => "…".to_owned(),
        };
        let error = self
            .reporter
            .error(span, format!("`{}` is asked by queries only", name.text))
            .with_label(format!("{} is about one roll", asked.describe()));
        let error = match (asked, name.text.as_str()) {
            (_, "variance" | "sd") => error,
            (Asked::Goal, _) => error.with_help(format!(
                "write `{inner}`: the choice with the greatest mean of it is made"
            )),
            _ => error.with_help(format!("write `{inner}`")),
        };
        Some(self.fail(error))
    }

    /// The text of an expression.
    pub(super) fn written(&self, span: Span) -> String {
        let text = &self.reporter.source.text;
        text.get(span.start..span.end)
            .unwrap_or_default()
            .to_owned()
    }
}

/// Whether a call is one that queries alone have; `min` and `max` of several numbers stand anywhere.
fn is_query(name: &str, args: &[ast::Arg]) -> bool {
    match name {
        "min" | "max" => args.len() == 1,
        "quantile" => true,
        _ => syntax::QUERY_WORDS.contains(&name),
    }
}

/// A label as a script writes it.
pub(crate) fn quoted(label: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if label.starts_with(|c: char| c.is_ascii_alphabetic()) && label.chars().all(is_word) {
        label.to_owned()
    } else {
        format!("\"{label}\"")
    }
}

/// `var == label`
pub(crate) fn is_label(var: VarId, place: i64, span: Span) -> Expr {
    let var = Expr::new(Kind::Var(var), span);
    let op = BinaryOp::Compare(CompareOp::Equal);
    Expr::binary(op, var, Expr::constant(place, span), span)
}

//! What is legal, but hardly what was meant: told beside the answers, with its place and a way out.
//!
//! Every rule here holds for certain in the text at hand, or names a form that can be written in another way by those
//! who mean it, so that a file without slips has no warnings.

mod bands;
mod conditions;
mod counts;
mod digits;
mod unread;

use std::sync::Arc;

use crate::lower::Library;
use crate::model::{Check, Model};
use crate::source::{Diagnostic, Diagnostics, Reporter, Source, Span};
use crate::syntax;
use crate::syntax::ast::{Expr, Statement};

/// The warnings about a ruleset; `library` has its rules as they are written.
pub(crate) fn of(model: &Model, library: &Library) -> Diagnostics {
    let mut found = Found::new(&model.source);
    let mut scripts = Vec::new();
    for definition in library.checks.iter().chain(&library.tracks) {
        add_whole(&definition.script.statements, &mut scripts);
        bands::look(model, definition, &mut found);
    }
    let mut functions: Vec<&Expr> = library
        .functions
        .values()
        .map(|function| &function.syntax.body)
        .collect();
    functions.append(&mut scripts);
    bands::look_for_stale(model, &mut found);
    look(
        &functions,
        model.checks.iter().chain(&model.tracks),
        &mut found,
    );
    unread::look(model, &mut found);
    found.finish()
}

/// The warnings about a dice expression that stands alone, as [`crate::expression`] reads it; none if it has errors.
///
/// ```
/// let warnings = oddsmith_rules::expression_warnings("5d6 >= 5", "<expression>");
/// assert_eq!(warnings.0[0].help.as_deref().unwrap().split(',').next(), Some("to count the dice write `5d6 cs>=5`"));
/// assert!(oddsmith_rules::expression_warnings("5d6 cs>=5", "<expression>").0.is_empty());
/// ```
#[must_use]
pub fn expression_warnings(text: &str, origin: &str) -> Diagnostics {
    let Ok(check) = crate::expression(text, origin) else {
        return Diagnostics::default();
    };
    let mut found = Found::new(&check.source);
    let parsed = syntax::parse_expr(text, 0, &mut Reporter::new(&check.source));
    let whole: Vec<&Expr> = parsed.iter().collect();
    look(&whole, std::iter::once(&check), &mut found);
    found.finish()
}

/// The rules about expressions. `whole` are the expressions that stand alone, as they are written; the checks are what
/// they mean.
fn look<'c>(whole: &[&Expr], checks: impl Iterator<Item = &'c Check>, found: &mut Found) {
    let mut explained = Vec::new();
    for check in checks {
        conditions::look(check, found, &mut explained);
    }
    for expr in whole {
        if !explained.contains(&expr.span) {
            counts::look(expr, found);
        }
        expr.for_each(&mut |part| digits::look(part, found));
    }
}

/// Adds the values of all statements, and what else stands in them.
fn add_whole<'s>(statements: &'s [Statement], whole: &mut Vec<&'s Expr>) {
    for statement in statements {
        match statement {
            Statement::Repeat {
                count, until, body, ..
            } => {
                whole.extend(count.iter().chain(until));
                add_whole(body, whole);
            }
            Statement::Let { value, .. } | Statement::Set { value, .. } => whole.push(value),
            Statement::Choose { condition, .. } => whole.extend(condition),
        }
    }
}

/// The warnings that were found so far.
struct Found {
    source: Arc<Source>,
    warnings: Vec<Diagnostic>,
}

impl Found {
    fn new(source: &Arc<Source>) -> Self {
        Self {
            source: Arc::clone(source),
            warnings: Vec::new(),
        }
    }

    /// What is written at a place.
    fn text(&self, span: Span) -> &str {
        self.source.text.get(span.start..span.end).unwrap_or("")
    }

    /// A warning at `span`, to be completed with the `with_` methods and given to [`Self::push`].
    fn warning(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::warning(&self.source, span, message)
    }

    /// Keeps a warning. Rules that are played by several checks are warned of once.
    fn push(&mut self, warning: Diagnostic) {
        let is_known =
            |known: &Diagnostic| known.span == warning.span && known.message == warning.message;
        if !self.warnings.iter().any(is_known) {
            self.warnings.push(warning);
        }
    }

    /// All of them, sorted by place.
    fn finish(mut self) -> Diagnostics {
        self.warnings
            .sort_by_key(|warning| (warning.span.start, warning.span.end));
        Diagnostics(self.warnings)
    }
}

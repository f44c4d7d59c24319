//! What is legal, but hardly what was meant: told beside the answers, with its place and a way out.
//!
//! Every rule here holds for certain in the text at hand, or names a form that can be written in another way by those
//! who mean it, so that a file without slips has no warnings.

mod bands;
mod conditions;
mod counts;
mod digits;
mod explosions;
mod faces;
mod first_rounds;
mod found;
mod keeps;
mod unread;
mod values;

use crate::check::Check;
use crate::lower::Library;
use crate::model::Model;
use crate::source::{Diagnostics, Reporter};
use crate::syntax;
use crate::syntax::ast::{Expr, Statement};
use found::Found;

/// The warnings about a ruleset; `library` has its rules as they are written.
pub(crate) fn of(model: &Model, library: &Library) -> Diagnostics {
    let mut found = Found::new(&model.source);
    let mut scripts = Vec::new();
    for definition in library.checks.iter().chain(&library.tracks) {
        add_whole(&definition.script.statements, &mut scripts);
        bands::look(model, definition, &mut found);
    }
    let functions = library.functions.values();
    let functions: Vec<&Expr> = functions.map(|function| &function.syntax.body).collect();
    bands::look_for_stale(model, &mut found);
    let checks: Vec<&Check> = model.checks.iter().chain(&model.tracks).collect();
    look([&functions, &scripts], &checks, &mut found);
    unread::look(model, &mut found);
    first_rounds::look(model, &mut found);
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
    look([&[], &whole], &[&check], &mut found);
    found.finish()
}

/// The rules about expressions: those that stand alone in functions and in scripts, as they are written. The checks are what
/// they mean.
fn look([functions, scripts]: [&[&Expr]; 2], checks: &[&Check], found: &mut Found) {
    let mut explained = Vec::new();
    for check in checks {
        conditions::look(check, found, &mut explained);
    }
    let functions = functions.iter().map(|expr| (expr, false));
    for (expr, is_in_script) in functions.chain(scripts.iter().map(|expr| (expr, true))) {
        if !explained.contains(&expr.span) {
            counts::look(expr, found);
        }
        expr.for_each(&mut |part| {
            digits::look(part, found);
            faces::look(part, found);
            keeps::look(part, found);
            if is_in_script {
                explosions::look(part, checks, found);
            }
        });
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
            Statement::For { from, to, body, .. } => {
                whole.extend([from, to]);
                add_whole(body, whole);
            }
            Statement::Let { value, .. } => whole.push(value),
            Statement::Set { place, value, .. } => whole.extend(place.iter().chain([value])),
            Statement::Choose { condition, .. } => whole.extend(condition),
            Statement::Show { .. } => {}
        }
    }
}

//! What a script binds, by its syntax.

use crate::index::kinds::{SymbolKind, text_at};
use crate::source::{Source, Span};
use crate::syntax::ast::{Expr, ExprKind, Name, Statement};

/// So many characters of a value are shown.
const MOST_SHOWN: usize = 100;

/// Something that a script binds.
pub(super) struct Bound {
    pub(super) name: String,
    pub(super) kind: SymbolKind,
    /// Its name.
    pub(super) place: Span,
    /// Its statement.
    pub(super) whole: Span,
    /// The text of its value.
    pub(super) value: String,
}

/// What the folds in an expression bind.
pub(super) fn folded(expr: &Expr, found: &mut Vec<Bound>) {
    expr.for_each(&mut |part| {
        if let ExprKind::Fold(fold) = &part.kind {
            found.extend(fold.names().map(|name| Bound {
                name: name.text.clone(),
                kind: SymbolKind::Argument,
                place: name.span,
                whole: name.span,
                value: String::new(),
            }));
        }
    });
}

/// What statements bind, at any depth, in their order; and what folds in them do, behind what their statement binds.
pub(super) fn bound(source: &Source, statements: &[Statement]) -> Vec<Bound> {
    let mut found = Vec::new();
    for statement in statements {
        match statement {
            Statement::Let { name, value, shown } => {
                let kind = if *shown {
                    SymbolKind::Show
                } else {
                    SymbolKind::Let
                };
                let end = value.span.end.max(name.span.end);
                found.push(one(source, name, kind, end));
            }
            Statement::Choose { name, span, .. } => {
                found.push(one(source, name, SymbolKind::Choice, span.end));
            }
            Statement::Repeat { body, .. } => found.extend(bound(source, body)),
            Statement::For { name, to, body, .. } => {
                found.push(one(source, name, SymbolKind::Let, to.span.end));
                found.extend(bound(source, body));
            }
            Statement::Set { .. } | Statement::Show { .. } => {}
        }
        if !matches!(statement, Statement::Repeat { .. } | Statement::For { .. }) {
            statement.for_each_part(&mut |part| folded(part, &mut found));
        }
    }
    found
}

fn one(source: &Source, name: &Name, kind: SymbolKind, end: usize) -> Bound {
    let before = source
        .text
        .get(..name.span.start)
        .unwrap_or_default()
        .trim_end();
    let keyword = ["let", "show", "choose", "oppose", "for"];
    let keyword = keyword.into_iter().find(|word| before.ends_with(word));
    let start = keyword.map_or(name.span.start, |word| before.len() - word.len());
    let value = text_at(source, Span::new(name.span.end, end.max(name.span.end)));
    let value = value.trim().trim_start_matches('=').trim_start();
    let mut value: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = value.char_indices().nth(MOST_SHOWN) {
        value.truncate(at);
        value.push('…');
    }
    Bound {
        name: name.text.clone(),
        kind,
        place: name.span,
        whole: Span::new(start, end.max(name.span.end)),
        value,
    }
}

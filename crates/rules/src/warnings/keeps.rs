//! `d4 + d6 + d8 kh2`: the best of one die are kept, where those of all three were meant.

use crate::program::Keep;
use crate::syntax::ast::{Expr, ExprKind};
use crate::warnings::found::Found;

/// Warns of a written number of dice of which more are kept than there are: all are kept then. Rules in which both vary say
/// nothing for certain.
pub(super) fn look(expr: &Expr, found: &mut Found) {
    let ExprKind::Keep {
        pool,
        which: Keep::KeepHighest | Keep::KeepLowest,
        amount,
    } = &expr.kind
    else {
        return;
    };
    let ExprKind::Dice { count, .. } = &pool.kind else {
        return;
    };
    let number = |expr: &Option<Box<Expr>>| match expr.as_deref().map(|expr| &expr.kind) {
        None => Some(1),
        Some(ExprKind::Int(number)) => Some(*number),
        Some(_) => None,
    };
    let (Some(rolled), Some(kept)) = (number(count), number(amount)) else {
        return;
    };
    if kept <= rolled {
        return;
    }
    let dice = found.text(pool.span).trim_end();
    let modifier = &found.text(expr.span)[pool.span.end - expr.span.start..];
    let message = format!("`{dice}` has no {kept} dice to keep: nothing is dropped");
    let help = match rolled {
        1 => format!(
            "the dice of one pool stand in braces, as in `{{d6, {dice}}}{}`",
            modifier.trim()
        ),
        _ => format!("keep {rolled} at most, or leave out `{}`", modifier.trim()),
    };
    let warning = found
        .warning(expr.span, message)
        .with_label(format!("{kept} of {rolled}"))
        .with_help(help);
    found.push(warning);
}

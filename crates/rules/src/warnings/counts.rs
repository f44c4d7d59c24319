//! `5d6 >= 5` by itself: the sum of the dice is compared, where they were to be counted.

use crate::program::CompareOp;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Faces};
use crate::warnings::found::Found;

/// Warns of an expression that is nothing but dice, a comparison and one of their faces. One who means the sum can
/// write `sum(5d6) >= 5`. A single die, or a number that no die shows, is no count.
pub(super) fn look(expr: &Expr, found: &mut Found) {
    let ExprKind::Binary {
        op: BinaryOp::Compare(op),
        left,
        right,
    } = &expr.kind
    else {
        return;
    };
    let (
        ExprKind::Dice {
            count: Some(count),
            die,
        },
        ExprKind::Int(number),
    ) = (&left.kind, &right.kind)
    else {
        return;
    };
    let Faces::Sides(sides) = &die.faces else {
        return;
    };
    let is_face = matches!(sides.kind, ExprKind::Int(sides) if (2..=sides).contains(number));
    let are_several = !matches!(count.kind, ExprKind::Int(count) if count < 2);
    if !is_face || !are_several {
        return;
    }
    let dice = found.text(left.span);
    let sign = op.sign();
    let message = format!("`{dice}` is added up here: the result is 0 or 1, not a number of dice");
    let help = format!(
        "to count the dice write `{dice} cs{sign}{number}`, and for the sum `sum({dice}) {sign} {number}`"
    );
    let warning = found
        .warning(expr.span, message)
        .with_label(format!("whether the sum is {} {number}", words(*op)))
        .with_help(help);
    found.push(warning);
}

/// How a comparison is read.
fn words(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "exactly",
        CompareOp::NotEqual => "other than",
        CompareOp::Less => "below",
        CompareOp::LessEqual => "at most",
        CompareOp::Greater => "above",
        CompareOp::GreaterEqual => "at least",
    }
}

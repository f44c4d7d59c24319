//! `d{1-6}`: a face of -5, where the faces from 1 to 6 were meant.

use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Faces};
use crate::warnings::found::Found;

/// Warns of a face that is written as a smaller number less a larger one. A die that has the difference for a face can be
/// written with it.
pub(super) fn look(expr: &Expr, found: &mut Found) {
    let ExprKind::Dice { die, .. } = &expr.kind else {
        return;
    };
    let Faces::Listed(faces) = &die.faces else {
        return;
    };
    for face in faces.iter().filter(|face| face.to.is_none()) {
        let ExprKind::Binary {
            op: BinaryOp::Subtract,
            left,
            right,
        } = &face.from.kind
        else {
            continue;
        };
        let (ExprKind::Int(from), ExprKind::Int(to)) = (&left.kind, &right.kind) else {
            continue;
        };
        let Some(less) = from.checked_sub(*to).filter(|less| *less < 0) else {
            continue;
        };
        let span = face.from.span;
        let message = format!("`{}` is one face, {less}", found.text(span));
        let warning = found
            .warning(span, message)
            .with_label(format!("{from} less {to}"))
            .with_help(format!(
                "for the faces from {from} to {to} write `{from}..={to}`; for one of {less}, `{less}`"
            ));
        found.push(warning);
    }
}

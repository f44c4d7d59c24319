//! `d{1-6}` and `1-6: Fail`: a number of -5, where those from 1 to 6 were meant.

use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Faces, TestKind};
use crate::warnings::found::Found;

/// Warns of a face, or of what an arm takes, that is written as a smaller number less a larger one. A die that has the
/// difference for a face, and an arm that takes it, can be written with it.
pub(super) fn look(expr: &Expr, found: &mut Found) {
    match &expr.kind {
        ExprKind::Dice { die, .. } => {
            let Faces::Listed(faces) = &die.faces else {
                return;
            };
            let single = faces.iter().filter(|face| face.to.is_none());
            single.for_each(|face| warn(&face.from, "face", "faces", found));
        }
        ExprKind::Match { arms, .. } => {
            for pattern in arms.iter().flat_map(|arm| &arm.patterns) {
                if let TestKind::Value(value) = &pattern.kind {
                    warn(value, "number", "numbers", found);
                }
            }
        }
        _ => {}
    }
}

fn warn(value: &Expr, one: &str, many: &str, found: &mut Found) {
    let ExprKind::Binary {
        op: BinaryOp::Subtract,
        left,
        right,
    } = &value.kind
    else {
        return;
    };
    let (ExprKind::Int(from), ExprKind::Int(to)) = (&left.kind, &right.kind) else {
        return;
    };
    let Some(less) = from.checked_sub(*to).filter(|less| *less < 0) else {
        return;
    };
    let message = format!("`{}` is one {one}, {less}", found.text(value.span));
    let warning = found
        .warning(value.span, message)
        .with_label(format!("{from} less {to}"))
        .with_help(format!(
            "for the {many} from {from} to {to} write `{from}..={to}`; for one of {less}, `{less}`"
        ));
    found.push(warning);
}

//! What is known of variables and inputs where a condition holds.

use super::Failing;
use crate::interval::{Interval, Shape};
use crate::program::{BinaryOp, Expr, InputId, Kind, UnaryOp, VarId};

/// Something with bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Var(VarId),
    Input(InputId),
}

impl Failing<'_> {
    /// Visits where a condition holds, or does not; none if it can't be so.
    pub(super) fn assuming<T>(
        &mut self,
        condition: &Expr,
        holds: bool,
        visit: &mut dyn FnMut(&mut Self) -> T,
    ) -> Option<T> {
        let mut before = Vec::new();
        let can_be = self.assume(condition, holds, &mut before);
        let made = can_be.then(|| visit(self));
        self.restore_but(before, &[]);
        made
    }

    /// Undoes what was narrowed, but of the variables that have changed since.
    pub(super) fn restore_but(&mut self, before: Vec<(Place, Shape)>, changed: &[VarId]) {
        for (place, shape) in before.into_iter().rev() {
            match place {
                Place::Var(var) if changed.contains(&var) => {}
                place => self.put(place, shape),
            }
        }
    }

    /// Narrows the bounds of what a condition is about; `before` gets what they were. Whether it can be so at all.
    pub(super) fn assume(
        &mut self,
        condition: &Expr,
        holds: bool,
        before: &mut Vec<(Place, Shape)>,
    ) -> bool {
        match &condition.kind {
            Kind::Unary(UnaryOp::Not, operand) => self.assume(operand, !holds, before),
            Kind::Binary(BinaryOp::And, left, right) if holds => {
                self.assume(left, true, before) && self.assume(right, true, before)
            }
            Kind::Binary(BinaryOp::Or, left, right) if !holds => {
                self.assume(left, false, before) && self.assume(right, false, before)
            }
            Kind::Binary(BinaryOp::Compare(op), left, right) => {
                let op = if holds { *op } else { op.opposite() };
                let (a, b) = (self.peek(left), self.peek(right));
                self.narrow(left, op.narrow(a, b), before)
                    && self.narrow(right, op.mirrored().narrow(b, a), before)
            }
            Kind::Var(_) | Kind::Input(_) => {
                let truth = i64::from(holds);
                self.narrow(condition, (truth, truth), before)
            }
            _ => true,
        }
    }

    /// Bounds of an expression that has been looked at.
    pub(super) fn peek(&mut self, expr: &Expr) -> Interval {
        let (fails, is_final) = (self.fails, self.is_final);
        self.is_final = false;
        let bounds = self.number(expr);
        (self.fails, self.is_final) = (fails, is_final);
        bounds
    }

    /// Keeps of an expression what lies between these bounds, if it is a name or a sum of names; whether anything is left.
    pub(super) fn narrow(
        &mut self,
        expr: &Expr,
        (low, high): Interval,
        before: &mut Vec<(Place, Shape)>,
    ) -> bool {
        if low > high {
            return false;
        }
        let place = match &expr.kind {
            Kind::Var(var) => Place::Var(*var),
            Kind::Input(id) => Place::Input(*id),
            Kind::Binary(BinaryOp::Add, left, right) => {
                // `left + right <= high` has `left <= high - right`.
                let (a, b) = (self.peek(left), self.peek(right));
                let without =
                    |other: Interval| (low.saturating_sub(other.1), high.saturating_sub(other.0));
                return self.narrow(left, without(b), before)
                    && self.narrow(right, without(a), before);
            }
            Kind::Binary(BinaryOp::Subtract, left, right) => {
                let (a, b) = (self.peek(left), self.peek(right));
                let with = (low.saturating_add(b.0), high.saturating_add(b.1));
                let from = (a.0.saturating_sub(high), a.1.saturating_sub(low));
                return self.narrow(left, with, before) && self.narrow(right, from, before);
            }
            _ => return true,
        };
        let old = match place {
            Place::Var(var) => self.shapes[var.0],
            Place::Input(id) => Shape::number(self.inputs[id.0]),
        };
        let faces = (old.faces.0.max(low), old.faces.1.min(high));
        if faces.0 > faces.1 {
            return false;
        }
        before.push((place, old));
        self.put(place, Shape { faces, ..old });
        true
    }

    fn put(&mut self, place: Place, shape: Shape) {
        match place {
            Place::Var(var) => self.shapes[var.0] = shape,
            Place::Input(id) => self.inputs[id.0] = shape.faces,
        }
    }
}

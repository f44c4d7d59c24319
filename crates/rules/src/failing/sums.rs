//! What the rounds of a track only add to, such as stress that is paid: it grows no faster than by what one round adds.
//!
//! The items of a list that is set at a place that varies are such sums as well: `set wounds[turn] = wounds[turn] + 1d6` binds
//! the new item to a variable, which each item is set to in its turn.

use crate::interval::Interval;
use crate::program::{BinaryOp, Expr, Kind, Statement, VarId};

/// What a sum begins anew at, or goes no further than, is no further from 0.
const MOST_FIXED: u64 = 1 << 32;

/// Those of the variables that a round sets to one of themselves, and something more or less that reads none of them. Where the bounds
/// of inputs are given, those also that begin anew at a fixed number at times, or go no further than one.
pub(super) fn sums_among(
    carried: &[VarId],
    body: &[Statement],
    inputs: Option<&[Interval]>,
) -> Vec<VarId> {
    let mut found = Sums {
        inputs,
        sums: carried.to_vec(),
        may_read: true,
        bound: Vec::new(),
        set: Vec::new(),
    };
    found.collect(body);
    // What is no sum in any way is none that another one must not read.
    found.settle();
    found.may_read = false;
    found.settle();
    found.sums
}

/// The variables that may be sums, and what a round binds and sets.
struct Sums<'b> {
    /// Between which numbers each input lies, if sums may be set to fixed numbers.
    inputs: Option<&'b [Interval]>,
    sums: Vec<VarId>,
    /// Whether what is added may be made of sums.
    may_read: bool,
    bound: Vec<(VarId, &'b Expr)>,
    set: Vec<(VarId, &'b Expr)>,
}

impl<'b> Sums<'b> {
    fn collect(&mut self, statements: &'b [Statement]) {
        for statement in statements {
            match statement {
                Statement::Let { var, value } => self.bound.push((*var, value)),
                Statement::Set { var, value } => self.set.push((*var, value)),
                Statement::Repeat { body, .. } => self.collect(body),
                Statement::Choose { .. } => {}
            }
        }
    }

    /// Leaves out what is none of the sums, until all are.
    fn settle(&mut self) {
        let is_sum = |this: &Self, var: &VarId| {
            let mut values = this.set.iter().filter(|(set, _)| set == var);
            values.all(|(_, value)| this.added_to(value).is_some())
        };
        loop {
            let left = self.sums.iter().copied().filter(|var| is_sum(self, var));
            let left: Vec<VarId> = left.collect();
            // Each that is none may be what another one is set to.
            if left.len() == self.sums.len() {
                return;
            }
            self.sums = left;
        }
    }

    /// The sums that a value is one of, with something more or less that reads none; no sums of what does not change.
    /// None if it is made in another way.
    fn added_to(&self, value: &Expr) -> Option<Vec<VarId>> {
        let all = |values: &mut dyn Iterator<Item = &Expr>| {
            let sums: Option<Vec<Vec<VarId>>> = values.map(|value| self.added_to(value)).collect();
            Some(sums?.concat())
        };
        match &value.kind {
            Kind::Var(var) if self.sums.contains(var) => Some(vec![*var]),
            Kind::Var(var) => {
                let (_, value) = self.bound.iter().find(|(own, _)| own == var)?;
                self.added_to(value)
            }
            Kind::Binary(BinaryOp::Add, left, right) => self
                .beside(left, right)
                .or_else(|| self.beside(right, left)),
            Kind::Binary(BinaryOp::Subtract, left, right) => self.beside(left, right),
            Kind::If {
                then, otherwise, ..
            } => all(&mut [&**then, &**otherwise].into_iter()),
            Kind::Match {
                arms, otherwise, ..
            } => {
                let values = arms.iter().map(|arm| &arm.value);
                all(&mut values.chain(otherwise.as_deref()))
            }
            Kind::Select { items, .. } => all(&mut items.iter()),
            Kind::Binary(BinaryOp::Min | BinaryOp::Max, left, right) => {
                all(&mut [left, right].into_iter().map(|side| &**side))
            }
            Kind::Const(value) => self.fixed((*value, *value)),
            Kind::Input(id) => self.fixed(self.inputs?[id.0]),
            _ => None,
        }
    }

    /// No sums, where a sum may begin anew at such a number.
    fn fixed(&self, (low, high): Interval) -> Option<Vec<VarId>> {
        let farthest = low.unsigned_abs().max(high.unsigned_abs());
        (self.inputs.is_some() && farthest <= MOST_FIXED).then(Vec::new)
    }

    /// The sums that one part is of, if the other one reads none.
    fn beside(&self, sum: &Expr, other: &Expr) -> Option<Vec<VarId>> {
        let sums = self.added_to(sum).filter(|sums| !sums.is_empty())?;
        let reads = |part: &Expr| matches!(&part.kind, Kind::Var(var) if self.sums.contains(var));
        (self.may_read || !other.any(&mut |part| reads(part))).then_some(sums)
    }
}

//! What the rounds of a track only add to, such as stress that is paid: it grows no faster than by what one round adds.
//!
//! The items of a list that is set at a place that varies are such sums as well: `set wounds[turn] = wounds[turn] + 1d6` binds
//! the new item to a variable, which each item is set to in its turn.
//!
//! What is added may turn on the sum itself, as points do that are paid from a pool, and bounds do not tell that it is never more
//! than the pool has. So a sum that doubles by way of a `let` or of another sum is taken for one as well; it leaves 64 bits after some sixty
//! rounds, and fails when it is played.

use crate::interval::Interval;
use crate::program::{BinaryOp, Expr, Kind, Statement, VarId};

/// What a track adds to stays between minus this and this, in as many rounds as anybody plays.
pub(super) const MOST_ADDED: i64 = 1 << 53;

/// What a sum begins anew at, or goes no further than, is no further from 0.
const MOST_FIXED: i64 = 1 << 32;

/// The end of a range from which a round has not come by adding: it has added more than sums go.
const TOO_FAR: u64 = (2 * MOST_ADDED + MOST_FIXED).unsigned_abs();

/// A variable that the rounds of a track only add to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub(super) var: VarId,
    /// Whether nothing else ever happens to it: it goes on for as many rounds as there are.
    pub(super) at_once: bool,
}

/// The end of a range of a sum after a round: no further than sums go, unless the round has added too much.
pub(super) fn within(end: i64) -> i64 {
    match end.unsigned_abs() <= TOO_FAR {
        true => end.clamp(-MOST_ADDED, MOST_ADDED),
        false => end,
    }
}

/// Those of the variables that a round sets to one of themselves, and something more or less; also those that begin anew at a
/// fixed number at times, or go no further than one. What is added is looked at when its bounds are known.
pub(super) fn sums_among(carried: &[VarId], body: &[Statement], inputs: &[Interval]) -> Vec<Sum> {
    let mut round = Round::default();
    round.collect(body);
    let at_once = round.settle(carried, None);
    let found = round.settle(carried, Some(inputs));
    let sum = |var: &VarId| Sum {
        var: *var,
        at_once: at_once.contains(var),
    };
    found.iter().map(sum).collect()
}

/// What a round binds and sets.
#[derive(Default)]
struct Round<'b> {
    bound: Vec<(VarId, &'b Expr)>,
    /// The values that each variable is set to.
    set: Vec<(VarId, &'b Expr)>,
}

impl<'b> Round<'b> {
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

    /// Those of the variables that are set to nothing but one of themselves, and something more or less.
    fn settle(&self, carried: &[VarId], inputs: Option<&[Interval]>) -> Vec<VarId> {
        let mut sums = carried.to_vec();
        loop {
            let is_sum = |var: &&VarId| {
                let mut values = self.set.iter().filter(|(set, _)| set == *var);
                values.all(|(_, value)| self.added_to(**var, value, &sums, inputs).is_some())
            };
            let left: Vec<VarId> = sums.iter().filter(is_sum).copied().collect();
            // Each that is none may be what another one is set to.
            if left.len() == sums.len() {
                return sums;
            }
            sums = left;
        }
    }

    /// The sums of one of which a value is that, and something more or less that does not read it, nor the sum that is set to it;
    /// no sums of a fixed number. None if it is made in another way.
    fn added_to(
        &self,
        own: VarId,
        value: &Expr,
        sums: &[VarId],
        inputs: Option<&[Interval]>,
    ) -> Option<Vec<VarId>> {
        let fixed = |(low, high): Interval| {
            let farthest = low.unsigned_abs().max(high.unsigned_abs());
            let is_small = farthest <= MOST_FIXED.unsigned_abs();
            (inputs.is_some() && is_small).then(Vec::new)
        };
        let all = |values: &mut dyn Iterator<Item = &Expr>| {
            let all = values.map(|value| self.added_to(own, value, sums, inputs));
            Some(all.collect::<Option<Vec<_>>>()?.concat())
        };
        let beside = |sum: &Expr, other: &Expr| {
            let added = self.added_to(own, sum, sums, inputs);
            added.filter(|added| !added.is_empty() && !reads(other, added) && !reads(other, &[own]))
        };
        match &value.kind {
            Kind::Var(var) if sums.contains(var) => Some(vec![*var]),
            Kind::Var(var) => {
                let mut bound = self.bound.iter().filter(|(own, _)| own == var);
                self.added_to(own, bound.next()?.1, sums, inputs)
            }
            Kind::Binary(BinaryOp::Add, left, right) => {
                beside(left, right).or_else(|| beside(right, left))
            }
            Kind::Binary(BinaryOp::Subtract, left, right) => beside(left, right),
            Kind::Binary(BinaryOp::Min | BinaryOp::Max, left, right) => {
                all(&mut [&**left, &**right].into_iter())
            }
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
            Kind::Const(value) => fixed((*value, *value)),
            Kind::Input(id) => fixed(inputs?[id.0]),
            _ => None,
        }
    }
}

/// Whether an expression reads one of these variables.
fn reads(expr: &Expr, vars: &[VarId]) -> bool {
    expr.any(&mut |part| matches!(&part.kind, Kind::Var(var) if vars.contains(var)))
}

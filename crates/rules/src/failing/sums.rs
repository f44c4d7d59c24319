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
                let mut search = Search::new(self, **var, &sums, inputs);
                values.all(|(_, value)| search.added_to(value).is_some())
            };
            let left: Vec<VarId> = sums.iter().filter(is_sum).copied().collect();
            // Each that is none may be what another one is set to.
            if left.len() == sums.len() {
                return sums;
            }
            sums = left;
        }
    }
}

/// A search for the sums that a variable is set to one of, with something more or less.
struct Search<'s> {
    round: &'s Round<'s>,
    /// The variable that is set.
    own: VarId,
    sums: &'s [VarId],
    /// The bounds of inputs, if sums may be set to fixed numbers.
    inputs: Option<&'s [Interval]>,
    /// What is found of variables that a round binds: each is looked at once, however often it is read.
    known: Vec<(VarId, Option<Vec<VarId>>)>,
}

impl<'s> Search<'s> {
    fn new(
        round: &'s Round<'s>,
        own: VarId,
        sums: &'s [VarId],
        inputs: Option<&'s [Interval]>,
    ) -> Self {
        Self {
            round,
            own,
            sums,
            inputs,
            known: Vec::new(),
        }
    }

    /// The sums of one of which a value is that, and something more or less that does not read it, nor the variable that is set;
    /// no sums of a fixed number. None if it is made in another way.
    fn added_to(&mut self, value: &Expr) -> Option<Vec<VarId>> {
        match &value.kind {
            Kind::Var(var) if self.sums.contains(var) => Some(vec![*var]),
            Kind::Var(var) => self.bound(*var),
            Kind::Binary(BinaryOp::Add, left, right) => {
                let sums = self.beside(left, right);
                sums.or_else(|| self.beside(right, left))
            }
            Kind::Binary(BinaryOp::Subtract, left, right) => self.beside(left, right),
            Kind::Binary(BinaryOp::Min | BinaryOp::Max, left, right) => {
                self.all([&**left, &**right].into_iter())
            }
            Kind::If {
                then, otherwise, ..
            } => self.all([&**then, &**otherwise].into_iter()),
            Kind::Match {
                arms, otherwise, ..
            } => {
                let values = arms.iter().map(|arm| &arm.value);
                self.all(values.chain(otherwise.as_deref()))
            }
            Kind::Select { items, .. } => self.all(items.iter()),
            Kind::Const(value) => self.fixed((*value, *value)),
            Kind::Input(id) => self.fixed(self.inputs?[id.0]),
            _ => None,
        }
    }

    /// The sums that a variable is bound to one of.
    fn bound(&mut self, var: VarId) -> Option<Vec<VarId>> {
        if let Some((_, found)) = self.known.iter().find(|(known, _)| *known == var) {
            return found.clone();
        }
        let mut bound = self.round.bound.iter().filter(|(own, _)| *own == var);
        let found = bound.next().and_then(|(_, value)| self.added_to(value));
        self.known.push((var, found.clone()));
        found
    }

    /// The sums that each of some values is one of.
    fn all<'e>(&mut self, values: impl Iterator<Item = &'e Expr>) -> Option<Vec<VarId>> {
        let mut all = Vec::new();
        for value in values {
            all.extend(self.added_to(value)?);
        }
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// The sums that one part is of, if the other one reads none of them.
    fn beside(&mut self, sum: &Expr, other: &Expr) -> Option<Vec<VarId>> {
        let sums = self.added_to(sum).filter(|sums| !sums.is_empty())?;
        (!reads(other, &sums) && !reads(other, &[self.own])).then_some(sums)
    }

    /// No sums, where a sum may be set to such a number.
    fn fixed(&self, (low, high): Interval) -> Option<Vec<VarId>> {
        let farthest = low.unsigned_abs().max(high.unsigned_abs());
        (self.inputs.is_some() && farthest <= MOST_FIXED.unsigned_abs()).then(Vec::new)
    }
}

/// Whether an expression reads one of these variables.
fn reads(expr: &Expr, vars: &[VarId]) -> bool {
    expr.any(&mut |part| matches!(&part.kind, Kind::Var(var) if vars.contains(var)))
}

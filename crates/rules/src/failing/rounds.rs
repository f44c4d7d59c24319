//! Loops: what variables hold after any number of rounds.

use super::Failing;
use super::sums::{MOST_ADDED, Sum, sums_among, within};
use crate::interval::{self, Interval, Shape};
use crate::program::{Expr, Statement, VarId, bound_in, set_in};

/// So many rounds are gone through, before what still changes is taken to be anything.
const ROUNDS: i64 = 40;

impl Failing<'_> {
    pub(super) fn repeat(
        &mut self,
        count: Option<&Expr>,
        until: Option<&Expr>,
        body: &[Statement],
    ) {
        let most = match count {
            Some(count) => {
                let (fewest, most) = self.number(count);
                self.fails |= fewest < 0;
                most
            }
            None => i64::MAX,
        };
        let mut carried = set_in(body);
        carried.sort_unstable();
        carried.dedup();
        let mut bound = carried.clone();
        bound.extend(bound_in(body));
        self.note(&bound);
        if most <= 0 {
            return;
        }
        let outer_sums = self.sums.clone();
        if count.is_none() {
            self.sums = sums_among(&carried, body, &self.inputs);
            self.sums.extend(&outer_sums);
        }
        let is_final = std::mem::replace(&mut self.is_final, false);
        self.settle(most, until, body, &carried);
        self.is_final = is_final;
        let start = self.shapes(&carried);
        self.round(until, body, &carried, &bound);
        self.hold(&carried, &start);
        if count.is_none()
            && let Some(until) = until
        {
            self.assume(until, true, &mut Vec::new());
        }
        self.sums = outer_sums;
    }

    /// Widens what rounds change until no round changes it any more. What is only added to is widened at once: it goes on
    /// for as many rounds as there are.
    fn settle(&mut self, most: i64, until: Option<&Expr>, body: &[Statement], carried: &[VarId]) {
        let start = self.shapes(carried);
        let mut now = start.clone();
        let mut rounds = 0;
        let mut is_widened = false;
        while rounds < most {
            self.hold(carried, &now);
            self.round(until, body, carried, &[]);
            let after = self.shapes(carried);
            let mut next: Vec<Shape> = now
                .iter()
                .zip(after)
                .map(|(before, after)| interval::join(*before, after))
                .collect();
            if next == now {
                break;
            }
            for (var, (next, now)) in carried.iter().zip(next.iter_mut().zip(&now)) {
                let is_at_once = self.sum_of(*var).is_some_and(|sum| sum.at_once);
                if next != now && (rounds >= ROUNDS || is_at_once) {
                    next.faces = self.widened_sum(*var, now.faces, next.faces);
                    next.size = widened(now.size, next.size);
                    is_widened = true;
                }
            }
            now = next;
            rounds += 1;
        }
        // What was widened too far comes back: whatever holds before a round is what held first or after another round.
        for _ in 0..if is_widened { 2 } else { 0 } {
            self.hold(carried, &now);
            self.round(until, body, carried, &[]);
            let after = self.shapes(carried).into_iter();
            now = start
                .iter()
                .zip(after)
                .map(|(start, after)| interval::join(*start, after))
                .collect();
        }
        self.hold(carried, &now);
    }

    /// One round, in which `bound` is bound or changed.
    fn round(
        &mut self,
        until: Option<&Expr>,
        body: &[Statement],
        carried: &[VarId],
        bound: &[VarId],
    ) {
        let mut before = Vec::new();
        if let Some(until) = until {
            let outer = std::mem::take(&mut self.fails);
            let ends = self.number(until);
            self.note(bound);
            self.fails |= outer;
            if ends == (1, 1) || !self.assume(until, false, &mut before) {
                self.restore_but(before, &[]);
                return;
            }
        }
        self.statements(body);
        self.restore_but(before, carried);
    }

    fn shapes(&self, vars: &[VarId]) -> Vec<Shape> {
        vars.iter().map(|var| self.shapes[var.0]).collect()
    }

    fn hold(&mut self, vars: &[VarId], shapes: &[Shape]) {
        for (var, shape) in vars.iter().zip(shapes) {
            self.shapes[var.0] = *shape;
        }
    }

    /// The sum that a variable is, if it is one.
    fn sum_of(&self, var: VarId) -> Option<Sum> {
        self.sums.iter().find(|sum| sum.var == var).copied()
    }

    /// A range that still moves: of a sum as far as sums go. One that has gone further is no sum, as a round adds too much to it.
    fn widened_sum(&mut self, var: VarId, before: Interval, after: Interval) -> Interval {
        let is_within = |(low, high): Interval| -MOST_ADDED <= low && high <= MOST_ADDED;
        if self.sum_of(var).is_some() && is_within(before) && is_within(after) {
            let (low, high) = widened(before, after);
            return (low.max(-MOST_ADDED), high.min(MOST_ADDED));
        }
        self.sums.retain(|sum| sum.var != var);
        widened(before, after)
    }

    /// A shape that a variable is given, if that is a sum no further than sums go.
    pub(super) fn within_sum(&self, var: VarId, mut shape: Shape) -> Shape {
        if self.sum_of(var).is_some() {
            shape.faces = (within(shape.faces.0), within(shape.faces.1));
        }
        shape
    }
}

/// An end that still moves is taken to move on for ever.
fn widened(before: Interval, after: Interval) -> Interval {
    (
        if after.0 < before.0 {
            i64::MIN
        } else {
            after.0
        },
        if after.1 > before.1 {
            i64::MAX
        } else {
            after.1
        },
    )
}

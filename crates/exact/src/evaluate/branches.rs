//! Expressions that turn on a number, and the mixtures that they are if it is rolled.

use std::sync::Arc;

use oddsmith_dist::{Dist, UBig};
use oddsmith_rules::evaluate::arm_taken;
use oddsmith_rules::program::{Arm, Expr, Kind, Statement, Test};

use super::{Composite as _, Env, Roll};
use crate::Error;
use crate::residual::BlockScript;

impl Env<'_> {
    /// What an expression is that turns on its first part.
    pub(super) fn branches(&mut self, first: Roll, expr: &Expr) -> Result<Roll, Error> {
        match (first, &expr.kind) {
            (Roll::Rolled(dist), Kind::Match { .. }) => self.arms(&dist, expr),
            (first, _) => self.choose(
                first,
                |env, value| {
                    let taken = env.taken_part(value, expr)?;
                    env.roll(taken)
                },
                expr,
            ),
        }
    }

    /// `left and right` (`decides` is 0) or `left or right` (1): the right side only where the left leaves it
    /// open.
    pub(super) fn short_circuit(
        &mut self,
        left: &Expr,
        right: &Expr,
        decides: i64,
    ) -> Result<Roll, Error> {
        let condition = self.roll(left)?;
        self.choose(
            condition,
            |env, value| {
                if value == decides {
                    Ok(Roll::Known(decides))
                } else {
                    env.roll(right)
                }
            },
            left,
        )
    }

    /// The mixture of what `branch` makes of each value of `condition`.
    fn choose(
        &mut self,
        condition: Roll,
        mut branch: impl FnMut(&mut Self, i64) -> Result<Roll, Error>,
        at: &Expr,
    ) -> Result<Roll, Error> {
        match condition {
            Roll::Known(value) => branch(self, value),
            Roll::Rolled(dist) => {
                let mut parts = Vec::with_capacity(dist.len());
                for (value, weight) in dist.iter() {
                    let part = branch(self, value)?.into_dist();
                    self.charge_keeping(&part, at)?;
                    parts.push((weight, part));
                }
                self.mixed(&parts, at)
            }
        }
    }

    /// Arms of a subject that is rolled; values that take the same arm are rolled together.
    fn arms(&mut self, subject: &Dist, expr: &Expr) -> Result<Roll, Error> {
        let mut weights: Vec<(&Expr, UBig)> = Vec::new();
        for (value, weight) in subject.iter() {
            let taken = self.taken_part(value, expr)?;
            match weights
                .iter_mut()
                .find(|(known, _)| std::ptr::eq(*known, taken))
            {
                Some((_, sum)) => *sum += weight,
                None => weights.push((taken, weight)),
            }
        }
        let mut parts = Vec::with_capacity(weights.len());
        for (taken, weight) in weights {
            parts.push((weight, self.roll(taken)?.into_dist()));
        }
        self.mixed(&parts, expr)
    }

    /// The number that a block ends in, over everything that it rolls first.
    pub(super) fn block(
        &mut self,
        statements: &Arc<[Statement]>,
        value: &Expr,
        at: &Expr,
    ) -> Result<Roll, Error> {
        let block = self.block_script(statements, value, false);
        if let Some(played) = block.played.get() {
            return Ok(Roll::from_dist(played.clone()));
        }
        let roll = self.played_block(&block, at)?;
        if block.stands_alone() {
            block.played.get_or_init(|| roll.clone().into_dist());
        }
        Ok(roll)
    }

    /// A block that is played.
    fn played_block(&mut self, block: &BlockScript, at: &Expr) -> Result<Roll, Error> {
        let mut parts = Vec::new();
        self.block_states(block, &mut |env, value, weight| {
            let roll = env.roll(value)?;
            if let Roll::Rolled(dist) = &roll {
                env.charge_keeping(dist, at)?;
            }
            parts.push((weight, roll));
            Ok(())
        })?;
        if let [(_, only)] = parts.as_slice() {
            return Ok(only.clone());
        }
        let dist = |(weight, roll): (UBig, Roll)| (weight, roll.into_dist());
        let parts: Vec<(UBig, Dist)> = parts.into_iter().map(dist).collect();
        self.mixed(&parts, at)
    }

    /// The mixture of parts with their weights.
    pub(crate) fn mixed(&self, parts: &[(UBig, Dist)], at: &Expr) -> Result<Roll, Error> {
        if parts.len() > 1 {
            // Their outcomes are multiplied and sorted.
            let steps: u128 = parts.iter().map(|(_, part)| 2 * part.steps_to_map()).sum();
            self.charge_steps(steps, at)?;
        }
        self.wrapped(Dist::mix(parts), at)
    }

    /// The part that an expression turns to if its first part is this number.
    pub(crate) fn taken_part<'e>(&mut self, first: i64, expr: &'e Expr) -> Result<&'e Expr, Error> {
        match &expr.kind {
            Kind::If {
                then, otherwise, ..
            } => Ok(if first == 0 { otherwise } else { then }),
            Kind::Match {
                arms, otherwise, ..
            } => self.taken_arm(first, arms, otherwise.as_deref(), expr),
            Kind::Select { items, .. } => self.item(first, items, expr),
            _ => unreachable!("nothing else turns on a number"),
        }
    }

    /// The value of the first arm that fits.
    fn taken_arm<'e>(
        &mut self,
        value: i64,
        arms: &'e [Arm],
        otherwise: Option<&'e Expr>,
        at: &Expr,
    ) -> Result<&'e Expr, Error> {
        let taken = arm_taken(arms, value, &mut |bound: &Expr| self.number(bound))?;
        let part = arms.get(taken).map(|arm| &arm.value);
        part.or(otherwise).ok_or_else(|| {
            self.scope.error(
                at,
                format!("no arm takes {value}"),
                "the subject can be this value here",
            )
        })
    }

    /// Whether a value fits a test whose bounds are known.
    pub(crate) fn fits(&mut self, test: &Test, value: i64) -> Result<bool, Error> {
        test.takes(value, &mut |bound: &Expr| self.number(bound))
    }

    /// The item of a list at a place.
    fn item<'e>(&self, at: i64, items: &'e [Expr], list: &Expr) -> Result<&'e Expr, Error> {
        usize::try_from(at)
            .ok()
            .and_then(|at| items.get(at))
            .ok_or_else(|| {
                let (count, last) = (items.len(), items.len() - 1);
                let message = format!("the list has {count} items, at 0 to {last}");
                let label = format!("there is none at {at}");
                if usize::try_from(at) != Ok(count) {
                    return self.scope.error(list, message, label);
                }
                let help = "places are counted from 0: write `… - 1` where they are counted from 1";
                self.scope
                    .error_with_help(list.span, message, &label, help.to_owned())
            })
    }
}

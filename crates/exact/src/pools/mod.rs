//! Pools of dice: from expressions to [`oddsmith_dist::Pool`], and what is read from them.

mod dice;
mod each;
mod fold;
pub(crate) mod joint;
mod read;
mod steps;
mod whole;

use std::sync::Arc;

use oddsmith_dist::{Kept, Pool, UBig, least_common_multiple};
use oddsmith_rules::program::{Expr, Keep, Kind, Statement, VarId};

use crate::Error;
use crate::account::PAIR_STEPS;
use crate::evaluate::{Composite as _, Env, Roll};
use crate::rolls::PoolValue;

/// Which pool it is, with weights over their sum; mostly one.
struct Pools(Vec<(UBig, PoolValue)>);

impl Env<'_> {
    /// Which pool an expression is.
    fn pool(&mut self, expr: &Expr) -> Result<Pools, Error> {
        match &expr.kind {
            Kind::Var(var) if self.scope.is_pool(*var) => self.bound_pool(*var),
            Kind::Dice { count, die } => self.dice(count, die, expr),
            Kind::Gather(parts) => self.gather(parts, expr),
            Kind::Keep {
                pool,
                which,
                amount,
            } => self.keep(pool, *which, amount, expr),
            Kind::Each { pool, face, value } => self.each(pool, (*face, value), expr),
            Kind::Draw { count, bag } => self.draw(count, bag, expr),
            Kind::If {
                condition: first, ..
            }
            | Kind::Match { subject: first, .. } => {
                let first = self.roll(first)?;
                self.choose_pool(
                    first,
                    |env, value| {
                        let taken = env.taken_part(value, expr)?;
                        env.pool(taken)
                    },
                    expr,
                )
            }
            Kind::Block { statements, value } => self.block_pools(statements, value),
            // A number among dice is one die that shows it.
            _ => Ok(one(all_of(Pool::new([(self.roll(expr)?.into_dist(), 1)])))),
        }
    }

    /// The pool that a variable is: the one at hand, or a roll.
    fn bound_pool(&mut self, var: VarId) -> Result<Pools, Error> {
        if let Some((reading, value)) = &self.reading
            && *reading == var
        {
            return Ok(one(value.clone()));
        }
        let place = self.value(var)?;
        Ok(one(PoolValue::Faces(self.rolls.roll(place).to_vec())))
    }

    /// Some of a pool's dice, by their places in the sorted roll.
    fn keep(&mut self, pool: &Expr, which: Keep, amount: &Expr, at: &Expr) -> Result<Pools, Error> {
        let values = self.pool(pool)?.0;
        let amount = self.roll(amount)?;
        self.choose_pool(
            amount,
            |env, n| {
                let n = env.keep_count(n, at)?;
                let kept = values
                    .iter()
                    .map(|(w, value)| (w.clone(), kept_of(value, which, n)));
                Ok(Pools(kept.collect()))
            },
            at,
        )
    }

    /// The mixture of pools that `branch` makes of each value of `condition`.
    fn choose_pool(
        &mut self,
        condition: Roll,
        mut branch: impl FnMut(&mut Self, i64) -> Result<Pools, Error>,
        at: &Expr,
    ) -> Result<Pools, Error> {
        match condition {
            Roll::Known(value) => branch(self, value),
            Roll::Rolled(dist) => {
                let mut parts = Vec::new();
                self.charge_steps(PAIR_STEPS.saturating_mul(dist.len() as u128), at)?;
                for (value, weight) in dist.iter() {
                    parts.push((weight, branch(self, value)?));
                }
                Ok(mix(parts))
            }
        }
    }

    fn keep_count(&self, n: i64, at: &Expr) -> Result<u32, Error> {
        if n < 0 {
            return Err(self.scope.error(
                at,
                "can't keep or drop fewer than 0 dice",
                format!("the number is {n} here"),
            ));
        }
        Ok(u32::try_from(n).unwrap_or(u32::MAX))
    }

    /// The pool that a block ends in, over everything that it rolls first.
    fn block_pools(&mut self, statements: &Arc<[Statement]>, value: &Expr) -> Result<Pools, Error> {
        let block = self.block_script(statements, value, true);
        let mut parts = Vec::new();
        self.block_states(&block, &mut |env, value, weight| {
            parts.push((weight, env.pool(value)?));
            Ok(())
        })?;
        Ok(mix(parts))
    }
}

/// A pool of which all dice are kept.
fn all_of(pool: Pool) -> PoolValue {
    let kept = pool.kept_all();
    PoolValue::Dice(pool, kept)
}

fn one(value: PoolValue) -> Pools {
    Pools(vec![(UBig::ONE, value)])
}

/// Pools of pools: each part's weights brought to one total.
fn mix(parts: Vec<(UBig, Pools)>) -> Pools {
    let totals: Vec<UBig> = parts
        .iter()
        .map(|(_, pools)| pools.0.iter().fold(UBig::ZERO, |sum, (w, _)| sum + w))
        .collect();
    let common = least_common_multiple(totals.iter());
    let mut mixed = Vec::new();
    for ((weight, pools), total) in parts.into_iter().zip(&totals) {
        let scale = weight * (&common / total);
        mixed.extend(pools.0.into_iter().map(|(w, value)| (w * &scale, value)));
    }
    Pools(mixed)
}

/// What a pool is after `n` of its dice are kept or dropped.
fn kept_of(value: &PoolValue, which: Keep, n: u32) -> PoolValue {
    let cut = |kept: Kept| match which {
        Keep::KeepHighest => kept.keep_highest(n),
        Keep::KeepLowest => kept.keep_lowest(n),
        Keep::DropHighest => kept.drop_highest(n),
        Keep::DropLowest => kept.drop_lowest(n),
    };
    match value {
        PoolValue::Dice(pool, kept) => PoolValue::Dice(pool.clone(), cut(*kept)),
        PoolValue::Faces(faces) => {
            let size = u32::try_from(faces.len()).expect("a pool has fewer than 2^32 dice");
            let kept = cut(Kept::all(size));
            PoolValue::Faces(faces[kept.start as usize..kept.end as usize].to_vec())
        }
    }
}

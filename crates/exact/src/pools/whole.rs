//! Pools whose dice are thrown together, compared, or needed face by face.

use oddsmith_dist::{Dist, Pool, UBig, least_common_multiple};
use oddsmith_rules::program::Expr;

use super::{Pools, all_of};
use crate::Error;
use crate::account::PAIR_STEPS;
use crate::evaluate::{Env, Roll};
use crate::hash::Map;
use crate::rolls::PoolValue;

impl Env<'_> {
    /// Every roll of a pool as a place in the table of rolls.
    pub(crate) fn roll_pool(&mut self, pool: &Expr) -> Result<Dist, Error> {
        let mut parts = Vec::new();
        for (weight, value) in self.pool(pool)?.0 {
            let rolls = self.faces_of(value, pool)?;
            let places: Vec<(i64, UBig)> = rolls
                .into_iter()
                .map(|(faces, weight)| (self.rolls.place(faces), weight))
                .collect();
            let places =
                Dist::from_weights(places).map_err(|error| self.scope.wrap(pool, &error))?;
            parts.push((weight, places));
        }
        Dist::mix(&parts).map_err(|error| self.scope.wrap(pool, &error))
    }

    /// All rolls of a pool, each from high to low.
    pub(super) fn faces_of(
        &mut self,
        value: PoolValue,
        at: &Expr,
    ) -> Result<Vec<(Vec<i64>, UBig)>, Error> {
        match value {
            PoolValue::Faces(faces) => Ok(vec![(faces, UBig::ONE)]),
            PoolValue::Dice(pool, kept) => {
                let rolls = self.cache.pools.rolls(&pool, self.account.budget);
                let rolls = rolls.map_err(|error| self.scope.wrap(at, &error))?;
                if kept == pool.kept_all() {
                    let all = rolls.iter();
                    return Ok(all
                        .map(|(faces, weight)| (faces.clone(), weight.clone()))
                        .collect());
                }
                let (start, end) = (kept.start as usize, kept.end as usize);
                let kept_part =
                    |faces: &Vec<i64>| faces.get(start..end).unwrap_or_default().to_vec();
                let kept = rolls.map(kept_part);
                Ok(kept
                    .iter()
                    .map(|(faces, weight)| (faces.clone(), weight.clone()))
                    .collect())
            }
        }
    }

    pub(super) fn gather(&mut self, parts: &[Expr], at: &Expr) -> Result<Pools, Error> {
        let mut joined: Vec<(UBig, Pool)> = vec![(UBig::ONE, Pool::new([]))];
        for part in parts {
            let pools = self.pool(part)?;
            let next = self.whole_pools(&pools, at)?;
            self.charge_products(joined.len(), next.len(), at)?;
            let mut products = Distinct::default();
            for (weight, left) in &joined {
                for (other, right) in &next {
                    products.add(weight * other, self.join_pools(left, right, at)?);
                }
            }
            joined = products.entries;
        }
        let pools = joined.into_iter();
        Ok(Pools(
            pools.map(|(weight, pool)| (weight, all_of(pool))).collect(),
        ))
    }

    /// All the dice of two pools.
    fn join_pools(&self, left: &Pool, right: &Pool, at: &Expr) -> Result<Pool, Error> {
        let size = i64::from(left.size()) + i64::from(right.size());
        self.dice_count(size, at)?;
        let dice = [left, right].into_iter().filter_map(Pool::groups).flatten();
        Ok(Pool::new(dice.cloned()))
    }

    /// Pairs of pools cost their dice and their weights.
    fn charge_products(&self, left: usize, right: usize, at: &Expr) -> Result<(), Error> {
        let pairs = (left as u128).saturating_mul(right as u128);
        self.charge_steps(pairs.saturating_mul(PAIR_STEPS), at)
    }

    /// Pools as independent dice, each distinct one once, with weights over their sum.
    fn whole_pools(&mut self, pools: &Pools, at: &Expr) -> Result<Vec<(UBig, Pool)>, Error> {
        let mut parts = Vec::with_capacity(pools.0.len());
        for (weight, value) in &pools.0 {
            parts.push((weight, self.whole(value.clone(), at)?));
        }
        let totals: Vec<UBig> = parts
            .iter()
            .map(|(_, whole)| whole.iter().map(|(weight, _)| weight).sum())
            .collect();
        let common = least_common_multiple(totals.iter());
        let mut distinct = Distinct::default();
        for ((weight, whole), total) in parts.into_iter().zip(&totals) {
            let scale = weight * (&common / total);
            for (own, pool) in whole {
                distinct.add(own * &scale, pool);
            }
        }
        Ok(distinct.entries)
    }

    /// A pool as independent dice: itself if all its dice are kept, else each of its rolls.
    fn whole(&mut self, value: PoolValue, at: &Expr) -> Result<Vec<(UBig, Pool)>, Error> {
        if let PoolValue::Dice(pool, kept) = &value
            && pool.groups().is_some()
            && *kept == pool.kept_all()
        {
            return Ok(vec![(UBig::ONE, pool.clone())]);
        }
        let rolls = self.faces_of(value, at)?;
        let constants =
            |faces: Vec<i64>| Pool::new(faces.into_iter().map(|face| (Dist::constant(face), 1)));
        Ok(rolls
            .into_iter()
            .map(|(faces, weight)| (weight, constants(faces)))
            .collect())
    }

    /// The pairs in which the left die is higher.
    pub(crate) fn pairs_won(
        &mut self,
        left: &Expr,
        right: &Expr,
        at: &Expr,
    ) -> Result<Roll, Error> {
        let mut parts = Vec::new();
        for (weight, a, b) in self.pairs_of_pools(left, right, at)? {
            let dist = a
                .wins(&b, self.account.budget)
                .map_err(|error| self.scope.wrap(at, &error))?;
            self.charge_keeping(&dist, at)?;
            parts.push((weight, dist));
        }
        self.mixed(&parts, at)
    }

    /// All that two pools can be, with weights.
    pub(super) fn pairs_of_pools(
        &mut self,
        left: &Expr,
        right: &Expr,
        at: &Expr,
    ) -> Result<Vec<(UBig, Pool, Pool)>, Error> {
        let (left, right) = (self.pool(left)?, self.pool(right)?);
        let (left, right) = (self.whole_pools(&left, at)?, self.whole_pools(&right, at)?);
        self.charge_products(left.len(), right.len(), at)?;
        let mut pairs = Vec::with_capacity(left.len() * right.len());
        for (weight, a) in &left {
            for (other, b) in &right {
                pairs.push((weight * other, a.clone(), b.clone()));
            }
        }
        Ok(pairs)
    }
}

/// Distinct pools in the order in which they came, with the sums of their weights.
#[derive(Default)]
struct Distinct {
    entries: Vec<(UBig, Pool)>,
    places: Map<Pool, usize>,
}

impl Distinct {
    fn add(&mut self, weight: UBig, pool: Pool) {
        match self.places.get(&pool) {
            Some(&place) => self.entries[place].0 += weight,
            None => {
                self.places.insert(pool.clone(), self.entries.len());
                self.entries.push((weight, pool));
            }
        }
    }
}

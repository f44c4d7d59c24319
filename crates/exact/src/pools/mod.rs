//! Pools of dice: from expressions to [`oddsmith_dist::Pool`], and what is read from them.

mod dice;
mod joint;
mod whole;

use std::sync::{Mutex, PoisonError};

use oddsmith_dist::{Dist, Feature, Kept, Pool, UBig, least_common_multiple};
use oddsmith_rules::program::{Expr, Keep, Kind, Reading, Statement};

pub(crate) use joint::Growing;

use crate::Error;
use crate::evaluate::{Env, PAIR_STEPS, Roll, bytes_of};
use crate::hash::Map;

/// Results of readings, shared by everything that is computed together. Its order shows nowhere.
#[derive(Debug, Default)]
pub(crate) struct PoolCache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    dists: Map<(Pool, Feature), Dist>,
    bytes: u128,
}

/// A full cache keeps what it has: 64 MB.
const MOST_CACHED: u128 = 1 << 26;

impl PoolCache {
    fn read(
        &self,
        pool: &Pool,
        feature: &Feature,
        env: &Env<'_>,
    ) -> Result<Dist, oddsmith_dist::Error> {
        let key = (pool.clone(), feature.clone());
        if let Some(known) = self.lock().dists.get(&key) {
            return Ok(known.clone());
        }
        let dist = pool.read(feature, env.budget)?;
        let mut cached = self.lock();
        let bytes = cached.bytes + bytes_of(&dist);
        if bytes <= MOST_CACHED {
            cached.bytes = bytes;
            cached.dists.insert(key, dist.clone());
        }
        Ok(dist)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cached> {
        // Entries are inserted whole, so a panic elsewhere leaves the map good.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pool whose dice are known, before or after the roll.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PoolValue {
    /// To be rolled; of the sorted roll, the kept places.
    Dice(Pool, Kept),
    /// Rolled: its faces from high to low.
    Faces(Vec<i64>),
}

/// What finding out costs for what a face counts.
const FACE_STEPS: u128 = 80;

/// Which pool it is, with weights over their sum; mostly one.
struct Pools(Vec<(UBig, PoolValue)>);

impl Env<'_> {
    /// One number from a pool.
    pub(crate) fn read(
        &mut self,
        pool: &Expr,
        reading: &Reading,
        at: &Expr,
    ) -> Result<Roll, Error> {
        let mut parts = Vec::new();
        for (weight, value) in self.pool(pool)?.0 {
            let roll = self.read_value(&value, reading, at)?;
            if let Roll::Rolled(dist) = &roll {
                self.charge_keeping(dist, at)?;
            }
            parts.push((weight, roll));
        }
        match parts.pop() {
            Some((_, only)) if parts.is_empty() => Ok(only),
            Some(last) => {
                let parts: Vec<(UBig, Dist)> = parts
                    .into_iter()
                    .chain([last])
                    .map(|(weight, roll)| (weight, roll.into_dist()))
                    .collect();
                self.mixed(&parts, at)
            }
            None => unreachable!("a pool is always some pool"),
        }
    }

    fn read_value(
        &mut self,
        value: &PoolValue,
        reading: &Reading,
        at: &Expr,
    ) -> Result<Roll, Error> {
        match value {
            PoolValue::Faces(faces) => self.read_faces(faces, reading).map(Roll::Known),
            PoolValue::Dice(_, kept) if matches!(reading, Reading::Size) => {
                Ok(Roll::Known(i64::from(kept.len())))
            }
            PoolValue::Dice(pool, kept) => {
                let feature = self.feature(pool, *kept, reading, at)?;
                let dist = self.cache.read(pool, &feature, self);
                self.wrapped(dist, at)
            }
        }
    }

    /// What is read of a pool, face by face.
    fn feature(
        &mut self,
        pool: &Pool,
        kept: Kept,
        reading: &Reading,
        at: &Expr,
    ) -> Result<Feature, Error> {
        Ok(match reading {
            Reading::Sum => Feature::sum(kept),
            Reading::Size => unreachable!("the size of a pool is known before it is rolled"),
            Reading::Matches(k) => Feature::matches(kept, self.set_number(k)?),
            Reading::Count(_) | Reading::Map { .. } => {
                // A face that is never kept counts for nothing, and what it would count for may be an error.
                let (faces, kept_faces) = (pool.faces(), pool.kept_faces(kept));
                self.budget
                    .charge(FACE_STEPS * faces.len() as u128)
                    .map_err(|error| self.wrap(at, &error))?;
                let mut values = Vec::with_capacity(faces.len());
                let all_kept = faces.len() == kept_faces.len();
                for face in faces {
                    let is_kept = all_kept || kept_faces.binary_search(&face).is_ok();
                    let value = if is_kept {
                        self.face_value(face, reading)?
                    } else {
                        0
                    };
                    values.push((face, value));
                }
                Feature::new(kept, oddsmith_dist::Reading::SumOf(values.into()))
            }
        })
    }

    /// Which set of equal faces, from 1.
    fn set_number(&mut self, k: &Expr) -> Result<u32, Error> {
        let value = self.number(k)?;
        u32::try_from(value)
            .ok()
            .filter(|&k| k >= 1)
            .ok_or_else(|| {
                self.error(
                    k,
                    "sets are counted from 1, the largest",
                    format!("this is {value}"),
                )
            })
    }

    /// What a face counts for.
    fn face_value(&mut self, face: i64, reading: &Reading) -> Result<i64, Error> {
        match reading {
            Reading::Sum | Reading::Size | Reading::Matches(_) => Ok(face),
            Reading::Count(tests) => {
                for test in tests {
                    if self.fits(test, face)? {
                        return Ok(1);
                    }
                }
                Ok(0)
            }
            Reading::Map { face: var, value } => {
                self.bind(*var, face);
                let value = self.number(value);
                self.unbind(*var);
                value
            }
        }
    }

    /// A reading of faces that are known, from high to low.
    fn read_faces(&mut self, faces: &[i64], reading: &Reading) -> Result<i64, Error> {
        let size = i64::try_from(faces.len()).expect("a pool fits in memory");
        match reading {
            Reading::Size => Ok(size),
            Reading::Matches(k) => {
                let k = self.set_number(k)?;
                let mut sets: Vec<i64> = faces
                    .chunk_by(|a, b| a == b)
                    .map(|set| i64::try_from(set.len()).expect("a set fits in memory"))
                    .collect();
                sets.sort_unstable_by(|a, b| b.cmp(a));
                Ok(usize::try_from(k - 1)
                    .ok()
                    .and_then(|at| sets.get(at))
                    .copied()
                    .unwrap_or(0))
            }
            _ => faces.iter().try_fold(0_i64, |sum, &face| {
                let value = self.face_value(face, reading)?;
                // Sums of faces that were summed before fit; `map` may make larger ones.
                Ok(sum.saturating_add(value))
            }),
        }
    }

    /// Which pool an expression is.
    fn pool(&mut self, expr: &Expr) -> Result<Pools, Error> {
        match &expr.kind {
            Kind::Var(var) if self.is_pool(*var) => {
                if let Some((reading, value)) = &self.reading
                    && reading == var
                {
                    return Ok(one(value.clone()));
                }
                let place = self.value(*var)?;
                Ok(one(PoolValue::Faces(self.rolls.roll(place).to_vec())))
            }
            Kind::Dice { count, die } => {
                let faces = self.die(die, expr)?;
                let count = self.roll(count)?;
                self.choose_pool(
                    count,
                    |env, n| {
                        let n = env.dice_count(n, expr)?;
                        let pool = Pool::new([(faces.clone(), n)]);
                        let kept = pool.kept_all();
                        Ok(one(PoolValue::Dice(pool, kept)))
                    },
                    expr,
                )
            }
            Kind::Gather(parts) => self.gather(parts, expr),
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let values = self.pool(pool)?;
                let amount = self.roll(amount)?;
                self.choose_pool(
                    amount,
                    |env, n| {
                        let n = env.keep_count(n, expr)?;
                        Ok(Pools(
                            values
                                .0
                                .iter()
                                .map(|(w, value)| (w.clone(), keep(value, *which, n)))
                                .collect(),
                        ))
                    },
                    expr,
                )
            }
            Kind::Draw { count, bag } => self.draw(count, bag, expr),
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.roll(condition)?;
                self.choose_pool(
                    condition,
                    |env, value| env.pool(if value == 0 { otherwise } else { then }),
                    expr,
                )
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let subject = self.roll(subject)?;
                self.choose_pool(
                    subject,
                    |env, value| {
                        let taken = env.taken_arm(value, arms, otherwise.as_deref(), expr)?;
                        env.pool(taken)
                    },
                    expr,
                )
            }
            Kind::Block { statements, value } => self.block_pools(statements, value, expr),
            // A number among dice is one die that shows it.
            _ => {
                let die = self.roll(expr)?.into_dist();
                let pool = Pool::new([(die, 1)]);
                let kept = pool.kept_all();
                Ok(one(PoolValue::Dice(pool, kept)))
            }
        }
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
                self.budget
                    .charge(PAIR_STEPS.saturating_mul(dist.len() as u128))
                    .map_err(|error| self.wrap(at, &error))?;
                for (value, weight) in dist.iter() {
                    parts.push((weight, branch(self, value)?));
                }
                Ok(mix(parts))
            }
        }
    }

    fn dice_count(&self, n: i64, at: &Expr) -> Result<u32, Error> {
        u32::try_from(n).map_err(|_| {
            let message = if n < 0 {
                "a pool can't have fewer than 0 dice"
            } else {
                "too many dice"
            };
            self.error(at, message, format!("the count is {n} here"))
        })
    }

    fn keep_count(&self, n: i64, at: &Expr) -> Result<u32, Error> {
        if n < 0 {
            return Err(self.error(
                at,
                "can't keep or drop fewer than 0 dice",
                format!("the number is {n} here"),
            ));
        }
        Ok(u32::try_from(n).unwrap_or(u32::MAX))
    }

    /// The pool that a block ends in, over everything that it rolls first.
    fn block_pools(
        &mut self,
        statements: &[Statement],
        value: &Expr,
        at: &Expr,
    ) -> Result<Pools, Error> {
        let mut parts = Vec::new();
        self.block_states(statements, value, true, at, &mut |env, value, weight| {
            parts.push((weight, env.pool(value)?));
            Ok(())
        })?;
        Ok(mix(parts))
    }
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

fn keep(value: &PoolValue, which: Keep, n: u32) -> PoolValue {
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

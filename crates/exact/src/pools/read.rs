//! One number that is read from a pool.

use std::rc::Rc;

use oddsmith_dist::{Dist, Feature, Kept, Pool, UBig};
use oddsmith_rules::program::{Expr, Kind, Reading, Test};

use super::Pools;
use crate::Error;
use crate::evaluate::{Env, Roll};
use crate::rolls::PoolValue;

/// What finding out costs for what a face counts.
const FACE_STEPS: u128 = 80;

impl Env<'_> {
    /// One number from a pool.
    pub(crate) fn read_pool(
        &mut self,
        pool: &Expr,
        reading: &Reading,
        at: &Expr,
    ) -> Result<Roll, Error> {
        if let Kind::Var(var) = pool.kind
            && self.scope.is_pool(var)
            && self.reading.as_ref().is_none_or(|(own, _)| *own != var)
        {
            let place = self.value(var)?;
            let faces = Rc::clone(self.rolls.roll(place));
            return self.read_faces(&faces, reading, at).map(Roll::Known);
        }
        let Pools(pools) = self.pool(pool)?;
        let mut parts: Vec<(UBig, Roll)> = Vec::with_capacity(pools.len());
        for (weight, value) in pools {
            let roll = self.read_value(&value, reading, at)?;
            if let Roll::Rolled(dist) = &roll {
                self.charge_keeping(dist, at)?;
            }
            parts.push((weight, roll));
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0).1);
        }
        let parts = parts.into_iter();
        let parts: Vec<(UBig, Dist)> = parts
            .map(|(weight, roll)| (weight, roll.into_dist()))
            .collect();
        self.mixed(&parts, at)
    }

    fn read_value(
        &mut self,
        value: &PoolValue,
        reading: &Reading,
        at: &Expr,
    ) -> Result<Roll, Error> {
        match value {
            PoolValue::Faces(faces) => self.read_faces(faces, reading, at).map(Roll::Known),
            PoolValue::Dice(_, kept) if matches!(reading, Reading::Size) => {
                Ok(Roll::Known(i64::from(kept.len())))
            }
            PoolValue::Dice(pool, kept) => {
                let feature = self.feature(pool, *kept, reading, at)?;
                let dist = self.cache.pools.read(pool, &feature, self.account.budget);
                self.wrapped(dist, at)
            }
        }
    }

    /// What is read of a pool, face by face.
    pub(super) fn feature(
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
                if kept_faces.is_empty() {
                    self.carry_out_bounds(reading)?;
                }
                self.charge_steps(FACE_STEPS * faces.len() as u128, at)?;
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

    /// What faces are compared with is known before there are any.
    fn carry_out_bounds(&mut self, reading: &Reading) -> Result<(), Error> {
        let Reading::Count(tests) = reading else {
            return Ok(());
        };
        let mut bounds = tests.iter().flat_map(Test::bounds);
        bounds.try_for_each(|bound| self.number(bound).map(|_| ()))
    }

    /// Which set of equal faces, from 1.
    fn set_number(&mut self, k: &Expr) -> Result<u32, Error> {
        let value = self.number(k)?;
        u32::try_from(value)
            .ok()
            .filter(|&k| k >= 1)
            .ok_or_else(|| {
                self.scope.error(
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
                // All of them, since each is carried out, whatever the ones before it say.
                let fits = tests.iter().try_fold(false, |fits, test| {
                    let this = self.fits(test, face)?;
                    Ok::<bool, Error>(fits | this)
                })?;
                Ok(i64::from(fits))
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
    fn read_faces(&mut self, faces: &[i64], reading: &Reading, at: &Expr) -> Result<i64, Error> {
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
            _ => {
                if faces.is_empty() {
                    self.carry_out_bounds(reading)?;
                }
                // Wider, so that only the whole sum must fit and no part of it.
                let sum = faces.iter().try_fold(0_i128, |sum, &face| {
                    Ok(sum + i128::from(self.face_value(face, reading)?))
                })?;
                i64::try_from(sum).map_err(|_| self.scope.overflow(at))
            }
        }
    }
}

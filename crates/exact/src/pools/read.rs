//! One number that is read from a pool.

use std::collections::BTreeMap;
use std::rc::Rc;

use oddsmith_dist::{Dist, Feature, Kept, Pool, Reading as Read, UBig};
use oddsmith_rules::program::{Expr, Fold, Form, Kind, Reading, Test, VarId, Whole};

use super::{Pools, steps};
use crate::Error;
use crate::evaluate::{Env, FAILED, Roll};
use crate::rolls::PoolValue;

/// Steps of finding out for what a face counts, and for each part of a function that says so.
pub(super) const FACE_STEPS: u128 = 80;
const PART_STEPS: u128 = 10;
/// Steps of reading a pool whose answer is known.
const READ_STEPS: u128 = 300;

/// What answers a reading.
enum Answer<'r> {
    /// How many dice there are, which is known before they are rolled.
    Size,
    /// What the distributions know how to read.
    Read(Read),
    /// What the roll as a whole shows.
    Whole(Whole<usize>),
    /// The sum of what each face counts for, which is found out here.
    Values(Value<'r>),
    /// What is carried from face to face.
    Carried(&'r Fold),
}

/// What a face counts for.
#[derive(Clone, Copy)]
enum Value<'r> {
    /// Whether it fits a test.
    Fits(&'r [Test]),
    /// An expression in which the variable is the face.
    Made(VarId, &'r Expr),
}

impl Value<'_> {
    /// Steps of finding out for what one face counts.
    fn steps(self) -> u128 {
        match self {
            Self::Fits(tests) => FACE_STEPS * tests.len() as u128,
            Self::Made(_, value) => {
                let mut parts = 0;
                value.for_each(&mut |_| parts += 1);
                FACE_STEPS + PART_STEPS * parts
            }
        }
    }
}

/// A single reading of some dice.
pub(super) enum Single {
    /// It is the same for every roll.
    Known(i64),
    /// It is read of the roll.
    Feature(Feature),
}

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
            PoolValue::Dice(..) if reading.folds_rolls() => self.read_each_roll(value, reading, at),
            PoolValue::Dice(pool, kept) => match self.single(pool, *kept, reading, at) {
                // What a fold can't read may stand where it never looks.
                Err(Error::Rule(_)) if matches!(reading, Reading::Fold(_)) => {
                    self.read_each_roll(value, reading, at)
                }
                Err(error) => Err(error),
                Ok(Single::Known(value)) => Ok(Roll::Known(value)),
                Ok(Single::Feature(feature)) => {
                    self.charge_steps(READ_STEPS, at)?;
                    let dist = self.cache.pools.read(pool, &feature, self.account.budget);
                    let is_fold = matches!(reading, Reading::Fold(_));
                    if is_fold && dist.as_ref().is_ok_and(|dist| dist.min() == FAILED) {
                        return Err(self.unmade(at));
                    }
                    self.wrapped(dist, at)
                }
            },
        }
    }

    /// A reading of every roll by itself, since what it makes of a face is read of other rolls.
    fn read_each_roll(
        &mut self,
        value: &PoolValue,
        reading: &Reading,
        at: &Expr,
    ) -> Result<Roll, Error> {
        let rolls = self.faces_of(value.clone(), at)?;
        let mut weights: BTreeMap<i64, UBig> = BTreeMap::new();
        for (faces, weight) in rolls {
            self.charge_steps(READ_STEPS + FACE_STEPS * faces.len() as u128, at)?;
            *weights
                .entry(self.read_faces(&faces, reading, at)?)
                .or_default() += weight;
        }
        self.wrapped(Dist::from_weights(weights), at)
    }

    /// What answers a reading: the one place that says so for each kind.
    fn answer<'r>(&mut self, reading: &'r Reading) -> Result<Answer<'r>, Error> {
        Ok(match reading.form() {
            Form::Sum => Answer::Read(Read::Sum),
            Form::Size => Answer::Size,
            Form::Count(tests) => Answer::Values(Value::Fits(tests)),
            Form::Map(face, value) => Answer::Values(Value::Made(face, value)),
            Form::Whole(whole) => Answer::Whole(self.whole_of(whole)?),
            Form::Fold(fold) => Answer::Carried(fold),
        })
    }

    /// What is read of a pool that is not rolled yet.
    pub(super) fn single(
        &mut self,
        pool: &Pool,
        kept: Kept,
        reading: &Reading,
        at: &Expr,
    ) -> Result<Single, Error> {
        let read = match self.answer(reading)? {
            Answer::Size => return Ok(Single::Known(i64::from(kept.len()))),
            Answer::Carried(fold) => return self.folded(fold, kept, at),
            Answer::Read(read) => read,
            // There are no more sets than dice.
            Answer::Whole(Whole::Set(k) | Whole::SetFace(k)) if k > kept.len() as usize => {
                return Ok(Single::Known(0));
            }
            Answer::Whole(whole) => steps::of_whole(whole),
            Answer::Values(value) => self.values(pool, kept, value, at)?,
        };
        Ok(Single::Feature(Feature::new(kept, read)))
    }

    /// The sum of what each face of a pool counts for.
    fn values(
        &mut self,
        pool: &Pool,
        kept: Kept,
        value: Value<'_>,
        at: &Expr,
    ) -> Result<Read, Error> {
        // A face that is never kept counts for nothing, and what it would count for may be an error.
        let (faces, kept_faces) = (pool.faces(), pool.kept_faces(kept));
        if kept_faces.is_empty() {
            self.carry_out_bounds(value)?;
        }
        self.charge_steps(value.steps() * faces.len() as u128, at)?;
        let mut values = Vec::with_capacity(faces.len());
        let all_kept = faces.len() == kept_faces.len();
        for face in faces {
            let is_kept = all_kept || kept_faces.binary_search(&face).is_ok();
            let value = if is_kept {
                self.face_value(face, value)?
            } else {
                0
            };
            values.push((face, value));
        }
        Ok(Read::SumOf(values.into()))
    }

    /// What faces are compared with is known before there are any.
    fn carry_out_bounds(&mut self, value: Value<'_>) -> Result<(), Error> {
        match value {
            Value::Fits(tests) => {
                let mut bounds = tests.iter().flat_map(Test::bounds);
                bounds.try_for_each(|bound| self.number(bound).map(|_| ()))
            }
            Value::Made(..) => Ok(()),
        }
    }

    /// A reading of the roll as a whole, once its place is known.
    fn whole_of(&mut self, whole: Whole<&Expr>) -> Result<Whole<usize>, Error> {
        let Some(place) = whole.place() else {
            return Ok(whole.known(None).expect("it turns on no place"));
        };
        let value = self.number(place)?;
        whole.known(Some(value)).ok_or_else(|| {
            let message = "sets are counted from 1, the largest";
            self.scope.error(place, message, format!("this is {value}"))
        })
    }

    /// What a face counts for.
    fn face_value(&mut self, face: i64, value: Value<'_>) -> Result<i64, Error> {
        match value {
            Value::Fits(tests) => {
                // All of them, since each is carried out, whatever the ones before it say.
                let fits = tests.iter().try_fold(false, |fits, test| {
                    let this = self.fits(test, face)?;
                    Ok::<bool, Error>(fits | this)
                })?;
                Ok(i64::from(fits))
            }
            Value::Made(var, value) => {
                self.bind(var, face);
                let value = self.number(value);
                self.unbind(var);
                value
            }
        }
    }

    /// A reading of faces that are known, from high to low.
    fn read_faces(&mut self, faces: &[i64], reading: &Reading, at: &Expr) -> Result<i64, Error> {
        let read = match self.answer(reading)? {
            Answer::Size => i64::try_from(faces.len()).ok(),
            Answer::Read(read) => read.of_roll(faces),
            Answer::Whole(whole) => Some(whole.of_roll(faces)),
            Answer::Carried(fold) => {
                Some(self.fold_faces(fold, faces)?).filter(|made| *made != FAILED)
            }
            Answer::Values(value) => {
                if faces.is_empty() {
                    self.carry_out_bounds(value)?;
                }
                // Wider, so that only the whole sum must fit and no part of it.
                let sum = faces.iter().try_fold(0_i128, |sum, &face| {
                    Ok(sum + i128::from(self.face_value(face, value)?))
                })?;
                i64::try_from(sum).ok()
            }
        };
        read.ok_or_else(|| self.scope.overflow(at))
    }
}

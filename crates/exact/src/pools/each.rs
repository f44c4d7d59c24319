//! Dice with other faces: `each(pool, f)`.

use oddsmith_dist::{Dist, Pool};
use oddsmith_rules::program::{Expr, VarId};

use super::{Pools, all_of, mix, one};
use crate::Error;
use crate::evaluate::Env;
use crate::hash::Map;
use crate::rolls::PoolValue;

impl Env<'_> {
    /// The dice of a pool, each showing what is made of its face.
    pub(super) fn each(
        &mut self,
        pool: &Expr,
        made: (VarId, &Expr),
        at: &Expr,
    ) -> Result<Pools, Error> {
        let mut parts = Vec::new();
        let mut known = Map::default();
        for (weight, value) in self.pool(pool)?.0 {
            let whole = match &value {
                PoolValue::Dice(pool, kept) if *kept == pool.kept_all() => pool.groups(),
                _ => None,
            };
            let pools = match whole {
                Some(dice) => {
                    let mut changed = Vec::with_capacity(dice.len());
                    for (die, count) in dice {
                        changed.push((self.each_face(die, made, &mut known, at)?, *count));
                    }
                    one(all_of(Pool::new(changed)))
                }
                None => {
                    let mut rolls = Vec::new();
                    for (faces, weight) in self.faces_of(value, pool)? {
                        let mut faces: Vec<i64> = faces
                            .into_iter()
                            .map(|face| self.made_of(face, made, &mut known, at))
                            .collect::<Result<_, _>>()?;
                        faces.sort_unstable_by(|a, b| b.cmp(a));
                        rolls.push((weight, PoolValue::Faces(faces)));
                    }
                    Pools(rolls)
                }
            };
            parts.push((weight, pools));
        }
        Ok(mix(parts))
    }

    /// One die with other faces.
    fn each_face(
        &mut self,
        die: &Dist,
        made: (VarId, &Expr),
        known: &mut Map<i64, i64>,
        at: &Expr,
    ) -> Result<Dist, Error> {
        let mut faces = Vec::with_capacity(die.len());
        for (face, weight) in die.iter() {
            faces.push((self.made_of(face, made, known, at)?, weight));
        }
        Dist::from_weights(faces).map_err(|error| self.scope.wrap(at, &error))
    }

    /// What is made of a face.
    fn made_of(
        &mut self,
        face: i64,
        (var, value): (VarId, &Expr),
        known: &mut Map<i64, i64>,
        at: &Expr,
    ) -> Result<i64, Error> {
        if let Some(made) = known.get(&face) {
            return Ok(*made);
        }
        self.charge_steps(super::read::FACE_STEPS, at)?;
        self.bind(var, face);
        let made = self.number(value);
        self.unbind(var);
        known.insert(face, made.clone()?);
        made
    }
}

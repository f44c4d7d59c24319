//! Dice, and bags that pieces are drawn from.

use oddsmith_dist::{Dist, Pool, UBig};
use oddsmith_rules::program::{Die, Expr, FaceRange, Faces, Test};

use super::{PoolValue, Pools, one};
use crate::Error;
use crate::evaluate::Env;

impl Env<'_> {
    /// One die, with its rerolls and explosions.
    pub(super) fn die(&mut self, die: &Die, at: &Expr) -> Result<Dist, Error> {
        let mut faces = match &die.faces {
            Faces::Sides(sides) => {
                let n = self.number(sides)?;
                let Some(n) = u32::try_from(n).ok().filter(|&n| n >= 1) else {
                    let message = if n < 1 {
                        "a die needs at least one face"
                    } else {
                        "a die has too many faces"
                    };
                    return Err(self.error(at, message, format!("this is d{n} here")));
                };
                self.budget
                    .charge(u128::from(n))
                    .map_err(|error| self.wrap(at, &error))?;
                Dist::die(n)
            }
            Faces::Listed(ranges) => Dist::from_weights(self.listed_faces(ranges, at)?),
            Faces::Of(expr) => Ok(self.roll(expr)?.into_dist()),
        }
        .map_err(|error| self.die_error(at, &error))?;
        if let Some(reroll) = &die.reroll {
            let again = self.matching(&faces, &reroll.test)?;
            let is_again = |face: i64| again.binary_search(&face).is_ok();
            faces = if reroll.once {
                Ok(faces.reroll_once(is_again))
            } else {
                faces.reroll(is_again)
            }
            .map_err(|_| self.error(at, "every face is rerolled for ever", "no face stands"))?;
        }
        if let Some(explode) = &die.explode {
            let again = match &explode.test {
                Some(test) => self.matching(&faces, test)?,
                None => vec![faces.max()],
            };
            let depth = self.number(&explode.depth)?;
            let depth = u32::try_from(depth).map_err(|_| {
                self.error(
                    &explode.depth,
                    "a depth is 0 or more",
                    format!("this is {depth}"),
                )
            })?;
            faces = faces
                .explode(
                    |face| again.binary_search(&face).is_ok(),
                    depth,
                    self.budget,
                )
                .map_err(|error| self.wrap(at, &error))?;
        }
        Ok(faces)
    }

    fn die_error(&self, at: &Expr, error: &oddsmith_dist::Error) -> Error {
        match error {
            oddsmith_dist::Error::Empty => {
                self.error(at, "a die needs a face of positive weight", "none here")
            }
            other => self.wrap(at, other),
        }
    }

    /// The faces of a die that fit a test, ascending.
    fn matching(&mut self, faces: &Dist, test: &Test) -> Result<Vec<i64>, Error> {
        let mut matching = Vec::new();
        for face in faces.support() {
            if self.fits(test, face)? {
                matching.push(face);
            }
        }
        Ok(matching)
    }

    fn listed_faces(&mut self, ranges: &[FaceRange], at: &Expr) -> Result<Vec<(i64, UBig)>, Error> {
        let mut faces = Vec::new();
        for range in ranges {
            let low = self.number(&range.from)?;
            let high = range.to.as_ref().map_or(Ok(low), |to| self.number(to))?;
            if low > high {
                return Err(self.error(
                    at,
                    "an empty range of faces",
                    format!("{low} is above {high}"),
                ));
            }
            let weight = range
                .weight
                .as_ref()
                .map_or(Ok(1), |weight| self.number(weight))?;
            let Ok(weight) = u64::try_from(weight) else {
                return Err(self.error(
                    at,
                    "a face can't have a weight below 0",
                    format!("it is {weight} here"),
                ));
            };
            // An outcome and a weight each.
            let bytes = 32 * (u128::from(high.abs_diff(low)) + 1);
            self.budget
                .charge_memory(bytes)
                .map_err(|error| self.wrap(at, &error))?;
            faces.extend((low..=high).map(|face| (face, UBig::from(weight))));
        }
        Ok(faces)
    }

    pub(super) fn draw(
        &mut self,
        count: &Expr,
        bag: &[FaceRange],
        at: &Expr,
    ) -> Result<Pools, Error> {
        let n = self.number(count)?;
        let n = self.dice_count(n, count)?;
        let mut copies = Vec::new();
        for (face, weight) in self.listed_faces(bag, at)? {
            let many = u32::try_from(&weight)
                .map_err(|_| self.error(at, "the bag holds too many", "here"))?;
            copies.push((face, many));
        }
        let pool = Pool::draw(&copies, n).map_err(|error| self.wrap(at, &error))?;
        let kept = pool.kept_all();
        Ok(one(PoolValue::Dice(pool, kept)))
    }
}

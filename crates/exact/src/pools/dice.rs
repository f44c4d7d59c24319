//! Dice, and bags that pieces are drawn from.

use oddsmith_dist::{Dist, Pool, UBig};
use oddsmith_rules::program::{Die, Explode, Expr, FaceRange, Faces, Reroll, Test};

use super::read::FACE_STEPS;
use super::{Pools, all_of, one};
use crate::Error;
use crate::evaluate::Env;

/// The bytes of a face that is listed: an outcome and a weight.
const FACE_BYTES: u128 = 32;
/// The bytes of a side of a fair die: a weight.
const SIDE_BYTES: u128 = 8;
/// Steps of making a side, and of keeping it.
const SIDE_STEPS: u128 = 3;
/// Fair dice of as many sides take 8 MB at the most, which is not charged.
const MOST_SIDES: u32 = 1 << 20;
/// The bytes of what a reroll or an explosion makes of a face.
const CHANGED_BYTES: u128 = 72;
/// What is made of as many faces is no memory to speak of.
const MOST_UNCHARGED: usize = 4096;

impl Env<'_> {
    /// So many equal dice.
    pub(super) fn dice(&mut self, count: &Expr, die: &Die, at: &Expr) -> Result<Pools, Error> {
        let count = self.roll(count)?;
        let mut known: Option<Dist> = None;
        self.choose_pool(
            count,
            |env, n| {
                let n = env.dice_count(n, at)?;
                if n == 0 {
                    // Nothing is rolled: such dice need no faces.
                    return Ok(one(all_of(Pool::new([]))));
                }
                let own = match known.take() {
                    Some(own) => own,
                    None => env.die(die, at)?,
                };
                known = Some(own.clone());
                Ok(one(all_of(Pool::new([(own, n)]))))
            },
            at,
        )
    }

    pub(super) fn dice_count(&self, n: i64, at: &Expr) -> Result<u32, Error> {
        u32::try_from(n).map_err(|_| {
            let label = format!("the count is {n} here");
            if n >= 0 {
                return self.scope.error(at, "too many dice", label);
            }
            let message = "a pool can't have fewer than 0 dice".to_owned();
            let help = "write `max(0, …)` where it may go below 0".to_owned();
            self.scope.error_with_help(at.span, message, &label, help)
        })
    }

    /// One die, with its rerolls and explosions.
    pub(super) fn die(&mut self, die: &Die, at: &Expr) -> Result<Dist, Error> {
        let mut dist = self.faces(&die.faces, at)?;
        let is_changed = die.reroll.is_some() || die.explode.is_some();
        if is_changed && dist.len() > MOST_UNCHARGED {
            self.charge_bytes(CHANGED_BYTES * dist.len() as u128, at)?;
        }
        if let Some(reroll) = &die.reroll {
            dist = self.rerolled(&dist, reroll, at)?;
        }
        if let Some(explode) = &die.explode {
            dist = self.exploded(&dist, explode, at)?;
        }
        Ok(dist)
    }

    /// A die before any modifier.
    fn faces(&mut self, faces: &Faces, at: &Expr) -> Result<Dist, Error> {
        let die = match faces {
            Faces::Sides(sides) => {
                let sides = self.sides(sides, at)?;
                if sides > MOST_SIDES {
                    self.charge_bytes(SIDE_BYTES * u128::from(sides), at)?;
                }
                Dist::die(sides)
            }
            Faces::Listed(ranges) => Dist::from_weights(self.listed_faces(ranges, at)?),
            Faces::Of(expr) => Ok(self.roll(expr)?.into_dist()),
        };
        die.map_err(|error| self.die_error(at, &error))
    }

    fn sides(&mut self, sides: &Expr, at: &Expr) -> Result<u32, Error> {
        let n = self.number(sides)?;
        let Some(sides) = u32::try_from(n).ok().filter(|&n| n >= 1) else {
            let message = if n < 1 {
                "a die needs at least one face"
            } else {
                "a die has too many faces"
            };
            return Err(self.scope.error(at, message, format!("this is d{n} here")));
        };
        self.charge_steps(SIDE_STEPS * u128::from(sides), at)?;
        Ok(sides)
    }

    fn rerolled(&mut self, die: &Dist, reroll: &Reroll, at: &Expr) -> Result<Dist, Error> {
        let again = self.matching(die, &reroll.test, at)?;
        let is_again = |face: i64| again.binary_search(&face).is_ok();
        if reroll.once {
            Ok(die.reroll_once(is_again))
        } else {
            die.reroll(is_again)
        }
        .map_err(|_| {
            self.scope
                .error(at, "every face is rerolled for ever", "no face stands")
        })
    }

    fn exploded(&mut self, die: &Dist, explode: &Explode, at: &Expr) -> Result<Dist, Error> {
        let again = match &explode.test {
            Some(test) => self.matching(die, test, at)?,
            None => vec![die.max()],
        };
        let is_again = |face: i64| again.binary_search(&face).is_ok();
        let depth = self.number(&explode.depth)?;
        let depth = u32::try_from(depth).map_err(|_| {
            let label = format!("this is {depth}");
            self.scope
                .error(&explode.depth, "a depth is 0 or more", label)
        })?;
        let exploded = die.explode(is_again, depth, self.account.budget);
        exploded.map_err(|error| self.scope.wrap(at, &error))
    }

    fn die_error(&self, at: &Expr, error: &oddsmith_dist::Error) -> Error {
        match error {
            oddsmith_dist::Error::Empty => {
                self.scope
                    .error(at, "a die needs a face of positive weight", "none here")
            }
            other => self.scope.wrap(at, other),
        }
    }

    /// The faces of a die that fit a test, ascending.
    fn matching(&mut self, faces: &Dist, test: &Test, at: &Expr) -> Result<Vec<i64>, Error> {
        self.charge_steps(FACE_STEPS * faces.len() as u128, at)?;
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
                return Err(self.scope.error(
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
                return Err(self.scope.error(
                    at,
                    "a face can't have a weight below 0",
                    format!("it is {weight} here"),
                ));
            };
            // An outcome and a weight each.
            let bytes = FACE_BYTES * (u128::from(high.abs_diff(low)) + 1);
            self.charge_bytes(bytes, at)?;
            faces.extend((low..=high).map(|face| (face, UBig::from(weight))));
        }
        Ok(faces)
    }

    /// Pieces drawn from a bag.
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
                .map_err(|_| self.scope.error(at, "the bag holds too many", "here"))?;
            copies.push((face, many));
        }
        let pool = Pool::draw(&copies, n).map_err(|error| self.scope.wrap(at, &error))?;
        Ok(one(all_of(pool)))
    }
}

//! One trial: dice and pools.

use std::collections::BTreeMap;

use oddsmith_dist::{RBig, UBig};
use oddsmith_rules::program::{Die, Expr, FaceRange, Faces, Keep, Kind};

use super::trial::{Trial, Value};
use super::{Halt, Play, What};

/// Faces with weights, each positive.
type WeightedFaces = Vec<(i64, UBig)>;

impl Trial<'_, '_> {
    /// A rolled pool, from high to low.
    pub(super) fn pool(&mut self, expr: &Expr) -> Result<Vec<i64>, Halt> {
        let mut faces = match &expr.kind {
            Kind::Var(var) => match self.var(*var) {
                Value::Pool(faces) => faces,
                Value::Number(value) => vec![value],
            },
            Kind::Dice { count, die } => {
                let count = self.number(count)?;
                self.needs((count >= 0).then_some(()), "a negative count")?;
                let faces: Result<Vec<i64>, Halt> = (0..count).map(|_| self.die(die)).collect();
                faces?
            }
            Kind::Gather(parts) => {
                let mut faces = Vec::new();
                for part in parts {
                    faces.extend(self.pool(part)?);
                }
                faces
            }
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let faces = self.pool(pool)?;
                let n = usize::try_from(self.number(amount)?).ok();
                let n = self.needs(n, "not a negative keep")?;
                let n = n.min(faces.len());
                let kept = match which {
                    Keep::KeepHighest => &faces[..n],
                    Keep::KeepLowest => &faces[faces.len() - n..],
                    Keep::DropHighest => &faces[n..],
                    Keep::DropLowest => &faces[..faces.len() - n],
                };
                kept.to_vec()
            }
            Kind::Each { pool, face, value } => {
                let mut made = Vec::new();
                for shown in self.pool(pool)? {
                    self.values[face.0] = Some(Value::Number(shown));
                    made.push(self.number(value)?);
                }
                self.values[face.0] = None;
                made
            }
            Kind::Draw { count, bag } => {
                let mut bag = self.listed(bag)?;
                let mut drawn = Vec::new();
                let count = self.number(count)?;
                self.needs((count >= 0).then_some(()), "a negative count")?;
                for _ in 0..count {
                    let at = self.pick(&bag)?;
                    bag[at].1 -= 1_u8;
                    drawn.push(bag[at].0);
                }
                drawn
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => {
                let taken = self.taken(expr)?;
                self.pool(taken)?
            }
            Kind::Block { statements, value } => {
                self.statements(statements)?;
                self.pool(value)?
            }
            _ => vec![self.number(expr)?],
        };
        faces.sort_by_key(|face| -face);
        Ok(faces)
    }

    /// One die: each roll of it is a face, rerolled; matching faces are rolled again and added.
    fn die(&mut self, die: &Die) -> Result<i64, Halt> {
        let faces = match &die.faces {
            Faces::Sides(sides) => {
                let sides = self.number(sides)?;
                self.needs((sides >= 1).then_some(()), "a die without faces")?;
                (1..=sides).map(|face| (face, UBig::ONE)).collect()
            }
            Faces::Listed(ranges) => self.listed(ranges)?,
            // A plain `d[e]` evaluates `e` here and now; what is rerolled or exploded needs all its faces.
            Faces::Of(expr) if die.reroll.is_none() && die.explode.is_none() => {
                return self.number(expr);
            }
            Faces::Of(expr) => self.results(expr)?,
        };
        let mut standing = faces;
        if let Some(reroll) = &die.reroll
            && !reroll.once
        {
            let mut kept = WeightedFaces::new();
            for face in standing {
                if !self.fits(face.0, &reroll.test)? {
                    kept.push(face);
                }
            }
            standing = kept;
        }
        let mut sum = self.face(die, &standing)?;
        let Some(explode) = &die.explode else {
            return Ok(sum);
        };
        let possible = standing.iter().filter(|(_, weight)| *weight != UBig::ZERO);
        let highest = possible.map(|(face, _)| *face).max();
        let mut last = sum;
        let depth = self.number(&explode.depth)?;
        self.needs((depth >= 0).then_some(()), "a negative depth")?;
        for _ in 0..depth {
            let again = match &explode.test {
                Some(test) => self.fits(last, test)?,
                None => Some(last) == highest,
            };
            if !again {
                break;
            }
            last = self.face(die, &standing)?;
            sum = self.needs(sum.checked_add(last), "a sum beyond 64 bits")?;
        }
        Ok(sum)
    }

    /// A face, or after a reroll that happens once its second face.
    fn face(&mut self, die: &Die, standing: &WeightedFaces) -> Result<i64, Halt> {
        let first = standing[self.pick(standing)?].0;
        Ok(match &die.reroll {
            Some(reroll) if reroll.once && self.fits(first, &reroll.test)? => {
                standing[self.pick(standing)?].0
            }
            _ => first,
        })
    }

    /// The place of one of the faces, by their weights.
    fn pick(&mut self, faces: &WeightedFaces) -> Result<usize, Halt> {
        let weights: Vec<UBig> = faces.iter().map(|(_, weight)| weight.clone()).collect();
        let some = weights.iter().any(|weight| *weight != UBig::ZERO);
        self.needs(some.then_some(()), "some face to roll")?;
        Ok(self.tape.roll(&weights))
    }

    fn listed(&mut self, ranges: &[FaceRange]) -> Result<WeightedFaces, Halt> {
        let mut faces = WeightedFaces::new();
        for range in ranges {
            let from = self.number(&range.from)?;
            let to = range.to.as_ref().map_or(Ok(from), |to| self.number(to))?;
            let weight = range
                .weight
                .as_ref()
                .map_or(Ok(1), |weight| self.number(weight))?;
            let weight = UBig::try_from(weight).ok();
            let weight = self.needs(weight, "a weight is not negative")?;
            self.needs((from <= to).then_some(()), "a range of faces")?;
            faces.extend((from..=to).map(|face| (face, weight.clone())));
        }
        Ok(faces)
    }

    /// All results of an expression: a brute force of its own.
    fn results(&mut self, expr: &Expr) -> Result<WeightedFaces, Halt> {
        let play = Play {
            policy: self.play.policy,
            rounds: self.rounds.clone(),
            ..Play::new(self.play.game, self.values.clone(), What::Number(expr))
        };
        let mut results: BTreeMap<i64, RBig> = BTreeMap::new();
        play.each(&mut |_, value, p| *results.entry(value).or_default() += p)?;
        // Over the product of all denominators the probabilities are whole weights.
        let total = results
            .values()
            .fold(UBig::ONE, |product, p| product * p.denominator());
        let weight = |p: RBig| {
            let (numerator, denominator) = p.into_parts();
            UBig::try_from(numerator).expect("not negative") * (&total / denominator)
        };
        Ok(results
            .into_iter()
            .map(|(value, p)| (value, weight(p)))
            .collect())
    }
}

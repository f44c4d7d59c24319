//! Dice and bags whose sides, weights or pieces follow from what was rolled before: where there are many kinds of them,
//! a trial's own kind is rolled in it, one die after the other.

use std::collections::BTreeMap;

use oddsmith_rules::program::{self, CompareOp, Expr, FaceRange, Faces};

use super::Compiler;
use super::dice::{BELOW_ZERO, NO_FACES, NO_WEIGHT};
use super::value::{Num, Pool};
use crate::Error;
use crate::column::Width;
use crate::op::{Arithmetic, Op};

/// The most faces of the dice of a pool together, and of all pieces that are drawn.
const MOST_FACES: usize = 1 << 14;

/// Faces, ascending, and how often each of them is there.
type Weights = Vec<(i64, Num)>;

impl Compiler<'_> {
    /// So many dice of the trial's own kind, of as many at most; none if these have more to them than sides or weights.
    pub(super) fn dice_of_own_kind(
        &mut self,
        number: &Num,
        size: usize,
        die: &program::Die,
    ) -> Result<Option<Pool>, Error> {
        if die.reroll.is_some() || die.explode.is_some() {
            return Ok(None);
        }
        let faces = match &die.faces {
            Faces::Sides(sides) => {
                let sides = self.own_sides(sides)?;
                let roll = |_| {
                    let place = self.roll_below(&sides);
                    self.plus(&place, &Num::constant(1))
                };
                (0..size).map(roll).collect()
            }
            Faces::Listed(ranges) => {
                let Some(weights) = self.own_weights(ranges)? else {
                    return Ok(None);
                };
                if size > MOST_FACES / weights.len().max(1) {
                    return Ok(None);
                }
                let total = self.total(numbers(&weights), die.span)?;
                let error = self.error(die.span, NO_WEIGHT, "none here");
                let none = self.compare(CompareOp::Less, &total, &Num::constant(1));
                let total = self.guarded(&total, &none, &[], error);
                let ends = self.ends(&weights);
                let roll = |_| {
                    let place = self.roll_below(&total);
                    self.face_at(&place, &ends)
                };
                (0..size).map(roll).collect()
            }
            Faces::Of(_) => return Ok(None),
        };
        Ok(Some(self.first_dice(faces, number)))
    }

    fn own_sides(&mut self, sides: &Expr) -> Result<Num, Error> {
        let count = self.number(sides)?;
        let error = self.error(sides.span, NO_FACES, "this is d{} here");
        let none = self.compare(CompareOp::Less, &count, &Num::constant(1));
        Ok(self.guarded(&count, &none, &[&count], error))
    }

    /// Pieces drawn from the trial's own bag, without replacement; none if its faces are not fixed, or if there are many.
    pub(super) fn draw_from_own_bag(
        &mut self,
        count: &Expr,
        bag: &[FaceRange],
    ) -> Result<Option<Pool>, Error> {
        let number = self.number(count)?;
        let (number, most) = self.pool_size(&number, count.span)?;
        let Some(mut left) = self.own_weights(bag)? else {
            return Ok(None);
        };
        let total = self.total(numbers(&left), count.span)?;
        let most = most.min(usize::try_from(total.range.1).unwrap_or(0));
        if most > MOST_FACES / left.len().max(1) {
            return Ok(None);
        }
        let message = "{} cannot be drawn from a bag of {}";
        let error = self.error(count.span, message, "here");
        let beyond = self.compare(CompareOp::Greater, &number, &total);
        let drawn = self.guarded(&number, &beyond, &[&number, &total], error);
        let mut faces = Vec::with_capacity(most);
        let mut rest = total;
        for _ in 0..most {
            let place = self.roll_below(&rest);
            let ends = self.ends(&left);
            let face = self.face_at(&place, &ends);
            for (piece, many) in &mut left {
                let is_it = self.compare(CompareOp::Equal, &face, &Num::constant(*piece));
                let fewer = self.arithmetic(Arithmetic::Subtract, many, &is_it, count.span)?;
                *many = fewer.within((0, i64::MAX));
            }
            let one = Num::constant(1);
            rest = self.arithmetic(Arithmetic::Subtract, &rest, &one, count.span)?;
            faces.push(face);
        }
        Ok(Some(self.first_dice(faces, &drawn)))
    }

    /// The weights of faces that are fixed and few.
    fn own_weights(&mut self, ranges: &[FaceRange]) -> Result<Option<Weights>, Error> {
        let mut weights = BTreeMap::<i64, Num>::new();
        for range in ranges {
            let from = self.number(&range.from)?.as_constant();
            let to = match &range.to {
                Some(to) => self.number(to)?.as_constant(),
                None => from,
            };
            let (Some(from), Some(to)) = (from, to) else {
                return Ok(None);
            };
            let is_few = usize::try_from(from.abs_diff(to)).is_ok_and(|many| many < MOST_FACES);
            if from > to || !is_few {
                return Ok(None);
            }
            let weight = match &range.weight {
                Some(weight) => {
                    let number = self.number(weight)?;
                    let error = self.error(range.from.span, BELOW_ZERO, "it is {} here");
                    let below = self.compare(CompareOp::Less, &number, &Num::constant(0));
                    self.guarded(&number, &below, &[&number], error)
                        .within((0, i64::MAX))
                }
                None => Num::constant(1),
            };
            for face in from..=to {
                let sum = weights.entry(face).or_default();
                *sum = self.arithmetic(Arithmetic::Add, sum, &weight, range.from.span)?;
            }
        }
        Ok((weights.len() <= MOST_FACES).then(|| weights.into_iter().collect()))
    }

    /// Faces, and the place at which each ends if they lie one after the other, each as often as its weight says.
    fn ends(&mut self, weights: &Weights) -> Weights {
        let mut upto = Num::constant(0);
        let mut end = |(face, weight): &(i64, Num)| {
            upto = self.plus(&upto, weight);
            (*face, upto.clone())
        };
        weights.iter().map(&mut end).collect()
    }

    /// The face at a place.
    fn face_at(&mut self, place: &Num, ends: &Weights) -> Num {
        let mut all = ends.iter().rev();
        let last = all.next().map_or(0, |(face, _)| *face);
        let mut found = Num::constant(last);
        for (face, end) in all {
            let is_before = self.compare(CompareOp::Less, place, end);
            found = self.select(&is_before, &Num::constant(*face), &found);
        }
        found
    }

    /// A number of 0 to below a bound, each with the same probability; 0 where the bound is none.
    fn roll_below(&mut self, bound: &Num) -> Num {
        let range = (0, bound.range.1.saturating_sub(1).max(0));
        if range.1 == 0 {
            return Num::constant(0);
        }
        let out = self.fresh(range);
        let bound = self.in_column(bound, Width::holding(bound.range));
        self.emit(Op::RollBelow { out, bound });
        Num::column(out, range)
    }
}

fn numbers(weights: &Weights) -> Vec<Num> {
    weights.iter().map(|(_, weight)| weight.clone()).collect()
}

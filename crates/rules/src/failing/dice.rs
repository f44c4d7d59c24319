//! Pools: how many dice, which faces, and whether they can be rolled.

use super::{Failing, MOST_DICE};
use crate::interval::{self, Interval, Shape};
use crate::program::{Die, Explode, Expr, FaceRange, Faces, Keep, Kind, Reroll, Test};

/// No more faces than this are looked at for one that is not rerolled.
const FACES: i64 = 100;

impl Failing<'_> {
    /// The size and the faces of a pool, where rolling it does not fail.
    pub(super) fn pool(&mut self, expr: &Expr) -> Shape {
        match &expr.kind {
            Kind::Var(var) => self.shapes[var.0],
            Kind::Dice { count, die } => {
                let count = self.number(count);
                let size = self.amount(count);
                // Without dice the die does not matter.
                let faces = if size.1 == 0 { (0, 0) } else { self.die(die) };
                Shape { size, faces }
            }
            Kind::Gather(parts) => {
                let parts = parts.iter().map(|part| self.pool(part));
                let parts: Vec<Shape> = parts.collect();
                let sum =
                    |end: fn(&Shape) -> i64| parts.iter().map(move |part| i128::from(end(part)));
                let size = (sum(|part| part.size.0).sum(), sum(|part| part.size.1).sum());
                let size = self.fitting(size);
                let size = self.amount(size);
                let faces = parts.iter().map(|part| part.faces);
                let faces = faces.reduce(interval::union).unwrap_or((0, 0));
                Shape { size, faces }
            }
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let shape = self.pool(pool);
                let (least, most) = self.number(amount);
                self.fails |= least < 0;
                let (fewest, size) = shape.size;
                let size = match which {
                    Keep::KeepHighest | Keep::KeepLowest => (fewest.min(least), size.min(most)),
                    Keep::DropHighest | Keep::DropLowest => (
                        fewest.saturating_sub(most).max(0),
                        size.saturating_sub(least).max(0),
                    ),
                };
                Shape { size, ..shape }
            }
            Kind::Each { pool, face, value } => {
                let shape = self.pool(pool);
                self.shapes[face.0] = Shape::number(shape.faces);
                let faces = match shape.size.1 {
                    0 => (0, 0),
                    _ => self.number(value),
                };
                Shape { faces, ..shape }
            }
            Kind::Draw { count, bag } => self.draw(count, bag),
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } | Kind::Block { .. } => {
                self.turned(expr, &mut |this, part| this.pool(part))
            }
            _ => Shape::number(self.number(expr)),
        }
    }

    /// A number of dice.
    fn amount(&mut self, (least, most): Interval) -> Interval {
        self.fails |= least < 0 || most > MOST_DICE;
        (least.clamp(0, MOST_DICE), most.clamp(0, MOST_DICE))
    }

    fn die(&mut self, die: &Die) -> Interval {
        let (faces, sure) = self.faces(&die.faces);
        if let Some(reroll) = &die.reroll {
            self.reroll(reroll, &sure);
        }
        match &die.explode {
            Some(explode) => self.explode(explode, faces),
            None => faces,
        }
    }

    /// The faces of a die before any modifier, and ranges of those that it has for certain.
    fn faces(&mut self, faces: &Faces) -> (Interval, Vec<Interval>) {
        match faces {
            Faces::Sides(sides) => {
                let (fewest, most) = self.number(sides);
                self.fails |= fewest < 1 || most > MOST_DICE;
                ((1, most.max(1)), vec![(1, fewest)])
            }
            Faces::Of(expr) => (self.number(expr), Vec::new()),
            Faces::Listed(ranges) => {
                let (mut hull, mut sure) = (None, Vec::new());
                for range in ranges {
                    let (from, to, weight) = self.listed(range);
                    let own = (from.0, to.1);
                    hull = Some(hull.map_or(own, |hull| interval::union(hull, own)));
                    if weight.0 > 0 && from.1 <= to.0 {
                        sure.push((from.1, to.0));
                    }
                }
                self.fails |= sure.is_empty();
                (hull.unwrap_or((0, 0)), sure)
            }
        }
    }

    /// The ends of a range of faces, and the weight of each.
    fn listed(&mut self, range: &FaceRange) -> (Interval, Interval, Interval) {
        let from = self.number(&range.from);
        let to = range.to.as_ref().map_or(from, |to| self.number(to));
        self.fails |= range.to.is_some() && from.1 > to.0;
        let weight = range.weight.as_ref();
        let weight = weight.map_or((1, 1), |weight| self.number(weight));
        self.fails |= weight.0 < 0;
        (from, to, weight)
    }

    /// Some face must stay, unless the second roll stands.
    fn reroll(&mut self, reroll: &Reroll, sure: &[Interval]) {
        let bounds: Vec<Interval> = reroll
            .test
            .bounds()
            .map(|bound| self.number(bound))
            .collect();
        if reroll.once {
            return;
        }
        let stays = |face: i64| {
            let face = (face, face);
            match &reroll.test {
                Test::Compare(op, _) => op.decided(face, bounds[0]) == Some(false),
                Test::Range(..) => face.0 < bounds[0].0 || face.0 > bounds[1].1,
            }
        };
        let some = |&(low, high): &Interval| {
            let first = low..=high.min(low.saturating_add(FACES));
            low <= high && (stays(high) || first.into_iter().any(stays))
        };
        self.fails |= !sure.iter().any(some);
    }

    fn explode(&mut self, explode: &Explode, (low, high): Interval) -> Interval {
        for bound in explode.test.iter().flat_map(Test::bounds) {
            self.number(bound);
        }
        let (least, most) = self.number(&explode.depth);
        self.fails |= least < 0 || most > MOST_DICE;
        let times = match most {
            Explode::ENDLESS => most,
            most => most.clamp(0, MOST_DICE),
        };
        let times = i128::from(times) + 1;
        let (low, high) = (i128::from(low), i128::from(high));
        self.fitting((low.min(low * times), high.max(high * times)))
    }

    fn draw(&mut self, count: &Expr, bag: &[FaceRange]) -> Shape {
        let count = self.number(count);
        let size = self.amount(count);
        let (mut hull, mut held) = (None, 0_i128);
        for range in bag {
            let (from, to, copies) = self.listed(range);
            self.fails |= copies.1 > MOST_DICE;
            let own = (from.0, to.1);
            hull = Some(hull.map_or(own, |hull| interval::union(hull, own)));
            let faces = (i128::from(to.0) - i128::from(from.1) + 1).max(0);
            held += faces * i128::from(copies.0.max(0));
        }
        self.fails |= held < i128::from(size.1);
        Shape {
            size,
            faces: hull.unwrap_or((0, 0)),
        }
    }
}

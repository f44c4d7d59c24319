//! What a roll as a whole shows: its sets of equal faces, and its straights.

use oddsmith_rules::Span;
use oddsmith_rules::program::{CompareOp, Expr, Whole};

use super::Compiler;
use super::value::{Num, Pool};
use crate::Error;
use crate::op::Arithmetic;

impl Compiler<'_> {
    /// Compiles a reading of the roll as a whole.
    pub(super) fn whole(
        &mut self,
        pool: Pool,
        whole: Whole<&Expr>,
        span: Span,
    ) -> Result<Num, Error> {
        let place = match whole.place() {
            Some(k) => {
                let place = self.constant(k)?;
                let Some(place) = usize::try_from(place).ok().filter(|place| *place > 0) else {
                    let message = "sets are counted from 1, the largest";
                    return Err(self.error(k.span, message, format!("this is {place}")));
                };
                place
            }
            None => 1,
        };
        let pool = self.sorted(pool);
        match whole {
            Whole::Set(_) => Ok(self.set_size(&pool, place)),
            Whole::SetFace(_) => Ok(self.set_face(&pool, place)),
            Whole::Distinct => {
                let sizes = self.set_sizes(&pool, true);
                let zero = Num::constant(0);
                let sets = sizes
                    .iter()
                    .map(|size| self.compare(CompareOp::Greater, size, &zero));
                let sets: Vec<Num> = sets.collect();
                self.total(sets, span)
            }
            Whole::Straight => Ok(self.straight(&pool, span)?.0),
            Whole::StraightFace => Ok(self.straight(&pool, span)?.1),
        }
    }

    /// For each die of a sorted pool, from the highest on, the size of the set of equal faces as far as that die; if only
    /// `ends` count, 0 but for the last die of each set.
    fn set_sizes(&mut self, pool: &Pool, ends: bool) -> Vec<Num> {
        let mut runs: Vec<Num> = Vec::with_capacity(pool.dice.len());
        let mut breaks: Vec<Num> = Vec::with_capacity(pool.dice.len());
        let (zero, one) = (Num::constant(0), Num::constant(1));
        for (at, die) in pool.dice.iter().enumerate() {
            let run = if at == 0 {
                one.clone()
            } else {
                let before = &pool.dice[at - 1];
                let same = self.compare(CompareOp::Equal, &before.face, &die.face);
                breaks.push(self.not(&same));
                let longer = self.plus(&runs[at - 1], &one);
                self.select(&same, &longer, &one)
            };
            runs.push(run);
        }
        let mut sizes = Vec::with_capacity(runs.len());
        for (at, run) in runs.iter().enumerate() {
            let mut size = self.select(&pool.dice[at].here, run, &zero);
            if ends && let (Some(is_last), Some(next)) = (breaks.get(at), pool.dice.get(at + 1)) {
                // What follows may be no die at all.
                let gone = self.not(&next.here);
                let is_last = self.or(is_last, &gone);
                size = self.select(&is_last, &size, &zero);
            }
            sizes.push(size);
        }
        sizes
    }

    /// The size of the `place`-th largest set of equal faces.
    fn set_size(&mut self, pool: &Pool, place: usize) -> Num {
        // Of the largest set alone no other die has a greater one.
        let sizes = self.set_sizes(pool, place > 1);
        let sorted = self.sorted(Pool::of_faces(sizes));
        let found = sorted.dice.into_iter().nth(place - 1);
        found.map_or(Num::constant(0), |die| die.face)
    }

    /// The face of the `place`-th largest set, of those equally large the higher first.
    fn set_face(&mut self, pool: &Pool, place: usize) -> Num {
        let zero = Num::constant(0);
        if place > pool.dice.len() {
            return zero;
        }
        let mut sizes = self.set_sizes(pool, true);
        let mut face = zero.clone();
        for round in 1..=place {
            let mut most = zero.clone();
            let mut found = Num::constant(-1);
            face = zero.clone();
            for (at, die) in (0..).zip(&pool.dice) {
                let size = &sizes[usize::try_from(at).expect("a small number of dice")];
                let is_larger = self.compare(CompareOp::Greater, size, &most);
                most = self.select(&is_larger, size, &most);
                face = self.select(&is_larger, &die.face, &face);
                found = self.select(&is_larger, &Num::constant(at), &found);
            }
            if round < place {
                // It does not count any more.
                for (at, size) in (0..).zip(&mut sizes) {
                    let is_it = self.compare(CompareOp::Equal, &found, &Num::constant(at));
                    *size = self.select(&is_it, &zero, size);
                }
            }
        }
        face
    }

    /// The length of the longest straight, and its highest face.
    fn straight(&mut self, pool: &Pool, span: Span) -> Result<(Num, Num), Error> {
        let (zero, one) = (Num::constant(0), Num::constant(1));
        let (mut best, mut best_top) = (zero.clone(), zero.clone());
        let mut before: Option<(Num, Num, Num)> = None;
        for die in &pool.dice {
            let face = &die.face;
            let (run, top) = match &before {
                None => (one.clone(), face.clone()),
                Some((last, run, top)) => {
                    // The greatest number has none above it, and is no lower than another one.
                    let most = Num::constant(i64::MAX - 1);
                    let lower = self.arithmetic(Arithmetic::Min, face, &most, span)?;
                    let above = self.plus(&lower, &one);
                    let same = self.compare(CompareOp::Equal, last, face);
                    let next = self.compare(CompareOp::Equal, last, &above);
                    let different = self.not(&same);
                    let next = self.and(&next, &different);
                    let longer = self.plus(run, &one);
                    let goes_on = self.or(&same, &next);
                    let grown = self.select(&next, &longer, run);
                    let run = self.select(&goes_on, &grown, &one);
                    (run, self.select(&goes_on, top, face))
                }
            };
            let longer = self.compare(CompareOp::Greater, &run, &best);
            let is_better = self.and(&die.here, &longer);
            best = self.select(&is_better, &run, &best);
            best_top = self.select(&is_better, &top, &best_top);
            before = Some((face.clone(), run, top));
        }
        Ok((best, best_top))
    }
}

//! Numbers that are read from pools.

use oddsmith_rules::Span;
use oddsmith_rules::program::{CompareOp, Die, Expr, Form, Kind, Reading, Test, VarId};

use super::Compiler;
use super::value::{Num, Pool, PoolDie, Value};
use crate::Error;
use crate::column::{Range, union};
use crate::op::Arithmetic;

impl Compiler<'_> {
    /// Compiles a number that is read from a pool.
    pub(super) fn reading(
        &mut self,
        pool: &Expr,
        reading: &Reading,
        span: Span,
    ) -> Result<Num, Error> {
        if let (Reading::Sum, Kind::Dice { count, die }) = (reading, &pool.kind)
            && let Some(sum) = self.sum_of_fresh(count, die)?
        {
            return Ok(sum);
        }
        let pool = self.pool(pool)?;
        match reading.form() {
            Form::Sum => self.sum(&pool, span),
            Form::Size => Ok(self.size(&pool)),
            Form::Count(tests) => self.count(&pool, tests),
            Form::Whole(whole) => self.whole(pool, whole, span),
            Form::Map(face, value) => self.mapped(&pool, face, value, span),
            Form::Fold(fold) => self.fold(pool, fold, span),
        }
    }

    /// The sum of dice that nobody else looks at; none if they have to be rolled one by one.
    fn sum_of_fresh(&mut self, count: &Expr, die: &Die) -> Result<Option<Num>, Error> {
        if !count.fixed && self.known(count).is_none() {
            // Not looked at twice: counts may hold counts that hold counts.
            return Ok(None);
        }
        let count = self.number(count)?;
        match count.as_constant() {
            Some(n) if n > 1 => self.roll_sum(n, die),
            _ => Ok(None),
        }
    }

    /// The sum of a pool's faces.
    pub(super) fn sum(&mut self, pool: &Pool, span: Span) -> Result<Num, Error> {
        let zero = Num::constant(0);
        let mut faces = Vec::with_capacity(pool.dice.len());
        for die in &pool.dice {
            faces.push(self.select(&die.here, &die.face, &zero));
        }
        self.total(faces, span)
    }

    /// A sum of many numbers, neighbours first, so that most of it is about small numbers.
    pub(super) fn total(&mut self, mut terms: Vec<Num>, span: Span) -> Result<Num, Error> {
        while terms.len() > 1 {
            let mut sums = Vec::with_capacity(terms.len().div_ceil(2));
            for pair in terms.chunks(2) {
                sums.push(match pair {
                    [a, b] => self.arithmetic(Arithmetic::Add, a, b, span)?,
                    rest => rest[0].clone(),
                });
            }
            terms = sums;
        }
        Ok(terms.pop().unwrap_or(Num::constant(0)))
    }

    /// The number of a pool's dice.
    pub(super) fn size(&mut self, pool: &Pool) -> Num {
        let here = pool.dice.iter().map(|die| die.here.clone());
        self.total(here.collect(), Span::default())
            .expect("a small number of dice")
    }

    fn count(&mut self, pool: &Pool, tests: &[Test]) -> Result<Num, Error> {
        // The bounds belong to the reading: dice in them are rolled once.
        let mut bounds = Vec::with_capacity(tests.len());
        for test in tests {
            bounds.push(match test {
                Test::Compare(op, bound) => Bounds::Compare(*op, self.number(bound)?),
                Test::Range(from, to) => Bounds::Range(self.number(from)?, self.number(to)?),
            });
        }
        let mut fitting = Vec::with_capacity(pool.dice.len());
        for die in &pool.dice {
            let mut any = Num::truth(false);
            for bound in &bounds {
                let fits = self.fits_bounds(&die.face, bound);
                any = self.or(&any, &fits);
            }
            fitting.push(self.and(&die.here, &any));
        }
        self.total(fitting, Span::default())
    }

    fn fits_bounds(&mut self, face: &Num, bounds: &Bounds) -> Num {
        match bounds {
            Bounds::Compare(op, bound) => self.compare(*op, face, bound),
            Bounds::Range(from, to) => {
                let above = self.compare(CompareOp::GreaterEqual, face, from);
                let below = self.compare(CompareOp::LessEqual, face, to);
                self.and(&above, &below)
            }
        }
    }

    /// The sum over a pool's dice of an expression in which `face` is the die's.
    fn mapped(&mut self, pool: &Pool, face: VarId, value: &Expr, span: Span) -> Result<Num, Error> {
        let zero = Num::constant(0);
        let made = self.each(pool, face, value)?;
        let values = made.dice.iter();
        let values = values.map(|die| self.select(&die.here, &die.face, &zero));
        let values = values.collect();
        self.total(values, span)
    }

    /// The dice of a pool, each showing what an expression makes of its face.
    pub(super) fn each(&mut self, pool: &Pool, face: VarId, value: &Expr) -> Result<Pool, Error> {
        let ranges = pool.dice.iter().map(|die| die.face.range);
        let range = ranges.reduce(union).unwrap_or_default();
        let listed = self.mapped_faces(face, value, range);
        let mut dice = Vec::with_capacity(pool.dice.len());
        for die in &pool.dice {
            let made = match &listed {
                Some(listed) => self.item(&die.face, range.0, listed),
                None => {
                    self.values[face.0] = Some(Value::Number(die.face.clone()));
                    self.within(&die.here, |c| c.number(value))?
                }
            };
            dice.push(PoolDie {
                face: made,
                here: die.here.clone(),
            });
        }
        self.values[face.0] = None;
        let is_sorted = false;
        Ok(Pool { dice, is_sorted })
    }

    /// The expression for every face, if it has a value for each and they are not too many.
    fn mapped_faces(&mut self, face: VarId, value: &Expr, range: Range) -> Option<Vec<i64>> {
        /// Faces up to which each is looked at: all but the largest dice.
        const MOST: u64 = 256;
        if range.0.abs_diff(range.1) >= MOST {
            return None;
        }
        let each = (range.0..=range.1).map(|at| {
            self.values[face.0] = Some(Value::Number(Num::constant(at)));
            self.number(value).ok()?.as_constant()
        });
        each.collect()
    }

    /// Both pools sorted and paired: the pairs in which the left die is higher.
    pub(super) fn wins(&mut self, left: &Expr, right: &Expr) -> Result<Num, Error> {
        let (left, right) = (self.pool(left)?, self.pool(right)?);
        let (left, right) = (self.sorted(left), self.sorted(right));
        let mut won = Vec::new();
        for (a, b) in left.dice.iter().zip(&right.dice) {
            let both = self.and(&a.here, &b.here);
            let higher = self.compare(CompareOp::Greater, &a.face, &b.face);
            won.push(self.and(&both, &higher));
        }
        self.total(won, Span::default())
    }
}

/// The bounds that faces are compared with.
enum Bounds {
    Compare(CompareOp, Num),
    Range(Num, Num),
}

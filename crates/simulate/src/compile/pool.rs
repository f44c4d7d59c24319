//! Pools: dice side by side, each in a column of its own.

use oddsmith_rules::Span;
use oddsmith_rules::program::{CompareOp, Expr, Keep, Kind};

use super::value::{Num, Pool, PoolDie, Value};
use super::{Compiler, sort};
use crate::Error;
use crate::column::union;
use crate::op::Arithmetic;

/// The most dice of one pool that are kept apart. More can be rolled if only their sum matters.
const MOST_DICE: i64 = 4096;

/// An end of a sorted pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Highest,
    Lowest,
}

impl Compiler<'_> {
    /// The pool that an expression is; a number is one die that shows it.
    pub(super) fn pool(&mut self, expr: &Expr) -> Result<Pool, Error> {
        match &expr.kind {
            Kind::Var(var) => match self.value(*var)? {
                Value::Pool(pool) => Ok(pool),
                Value::Number(num) => Ok(Pool::of_faces(vec![num])),
                Value::Unknown(error) => Err(*error),
            },
            Kind::Dice { count, die } => self.dice(count, die),
            Kind::Gather(parts) => {
                let mut dice = Vec::new();
                for part in parts {
                    dice.extend(self.pool(part)?.dice);
                }
                let is_sorted = false;
                Ok(Pool { dice, is_sorted })
            }
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let pool = self.pool(pool)?;
                let number = self.number(amount)?;
                self.keep(pool, *which, &number, amount.span)
            }
            Kind::Each { pool, face, value } => {
                let pool = self.pool(pool)?;
                self.each(&pool, *face, value)
            }
            Kind::Draw { count, bag } => self.draw(count, bag),
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => self.one_pool(expr),
            Kind::Block { statements, value } => {
                self.statements(statements)?;
                self.pool(value)
            }
            _ => Ok(Pool::of_faces(vec![self.number(expr)?])),
        }
    }

    /// The number of dice of a pool: at least 0, and not too many to be kept apart; and the most that it can be.
    pub(super) fn pool_size(&mut self, count: &Num, span: Span) -> Result<(Num, usize), Error> {
        let below = self.compare(CompareOp::Less, count, &Num::constant(0));
        let message = "a pool can't have fewer than 0 dice";
        let count = self.refused(&below, count, span, (message, "count"))?;
        let above = self.compare(CompareOp::Greater, &count, &Num::constant(MOST_DICE));
        let message = format!("more than {MOST_DICE} dice can't be rolled one by one");
        let count = self.refused(&above, &count, span, (&message, "count"))?;
        let most = count.range.1.clamp(0, MOST_DICE);
        let most = usize::try_from(most).expect("a small number of dice");
        Ok((count, most))
    }

    /// A number that can't be what it is where `bad` holds: an error at once if it is fixed, else for whoever needs
    /// it in such a trial.
    fn refused(
        &mut self,
        bad: &Num,
        number: &Num,
        span: Span,
        (message, name): (&str, &str),
    ) -> Result<Num, Error> {
        if let (Some(1), Some(n)) = (bad.as_constant(), number.as_constant()) {
            return Err(self.error(span, message, format!("the {name} is {n} here")));
        }
        let error = self.error(span, message, format!("the {name} is {{}} here"));
        if bad.as_constant() == Some(1) {
            // Such a pool has no dice that anybody could read.
            self.demand_not(bad, None, &[number], error);
            return Ok(number.clone());
        }
        Ok(self.guarded(number, bad, &[number], error))
    }

    /// `count` dice of those that were rolled.
    pub(super) fn first_dice(&mut self, faces: Vec<Num>, count: &Num) -> Pool {
        let mut dice = Vec::with_capacity(faces.len());
        for (at, face) in (0..).zip(faces) {
            let here = self.compare(CompareOp::Greater, count, &Num::constant(at));
            dice.push(PoolDie { face, here });
        }
        let is_sorted = false;
        Pool { dice, is_sorted }
    }

    /// The pool from high to low.
    pub(super) fn sorted(&mut self, pool: Pool) -> Pool {
        if pool.is_sorted {
            return pool;
        }
        self.ranked(&pool, End::Highest)
    }

    /// The pool with the dice of one end first, and those that are not there last.
    fn ranked(&mut self, pool: &Pool, first: End) -> Pool {
        let is_fixed = pool.is_fixed();
        let ranges = pool.dice.iter().map(|die| die.face.range);
        let Some(range) = ranges.reduce(union) else {
            return Pool::default();
        };
        // What is not there lies beyond everything else, or with the faces at the end of the numbers.
        let (beyond, end, op) = match first {
            End::Highest => (range.0.checked_sub(1), range.0, CompareOp::Greater),
            End::Lowest => (range.1.checked_add(1), range.1, CompareOp::Less),
        };
        let absent = Num::constant(beyond.unwrap_or(end));
        let mut keys = Vec::with_capacity(pool.dice.len());
        for die in &pool.dice {
            keys.push(self.select(&die.here, &die.face, &absent));
        }
        for (a, b) in sort::pairs(keys.len()) {
            let (high, low) = self.in_order(&keys[a], &keys[b]);
            (keys[a], keys[b]) = match first {
                End::Highest => (high, low),
                End::Lowest => (low, high),
            };
        }
        // Then it is told by how many there are.
        let present = beyond.is_none().then(|| self.size(pool));
        let mut dice = Vec::with_capacity(keys.len());
        for (at, key) in (0..).zip(keys) {
            let here = match &present {
                _ if is_fixed => Num::truth(true),
                Some(present) => self.compare(CompareOp::Greater, present, &Num::constant(at)),
                None => self.compare(op, &key, &absent),
            };
            let face = if is_fixed { key } else { key.within(range) };
            dice.push(PoolDie { face, here });
        }
        let is_sorted = first == End::Highest;
        Pool { dice, is_sorted }
    }

    fn in_order(&mut self, a: &Num, b: &Num) -> (Num, Num) {
        let mut end = |op| {
            self.arithmetic(op, a, b, Span::default())
                .expect("neither leaves the range of both")
        };
        (end(Arithmetic::Max), end(Arithmetic::Min))
    }

    /// Some of a pool's dice.
    pub(super) fn keep(
        &mut self,
        pool: Pool,
        which: Keep,
        amount: &Num,
        span: Span,
    ) -> Result<Pool, Error> {
        let below = self.compare(CompareOp::Less, amount, &Num::constant(0));
        let message = "can't keep or drop fewer than 0 dice";
        let amount = &self.refused(&below, amount, span, (message, "number"))?;
        if let (true, Some(n)) = (pool.is_fixed(), amount.as_constant()) {
            let mut pool = self.sorted(pool);
            let size = pool.dice.len();
            let n = usize::try_from(n).unwrap_or(usize::MAX).min(size);
            let kept = match which {
                Keep::KeepHighest => 0..n,
                Keep::KeepLowest => size - n..size,
                Keep::DropHighest => n..size,
                Keep::DropLowest => 0..size - n,
            };
            pool.dice = pool.dice.drain(kept).collect();
            return Ok(pool);
        }
        Ok(self.keep_some(pool, which, amount))
    }

    /// Keeps dice of a pool if trials differ in how many there are or how many are kept: the first ones from the end
    /// that stays, so that there are no more places than dice can be kept.
    fn keep_some(&mut self, pool: Pool, which: Keep, amount: &Num) -> Pool {
        let is_drop = matches!(which, Keep::DropHighest | Keep::DropLowest);
        let most = if is_drop {
            let size = self.size(&pool);
            self.arithmetic(Arithmetic::Subtract, &size, amount, Span::default())
                .expect("neither is near the end of 64 bits")
        } else {
            amount.clone()
        };
        let pool = match which {
            Keep::KeepHighest | Keep::DropLowest => self.sorted(pool),
            Keep::KeepLowest | Keep::DropHighest => self.ranked(&pool, End::Lowest),
        };
        let mut dice = Vec::with_capacity(pool.dice.len());
        for (at, die) in (0..).zip(pool.dice) {
            let is_kept = self.compare(CompareOp::Less, &Num::constant(at), &most);
            let here = self.and(&die.here, &is_kept);
            if here.as_constant() != Some(0) {
                let face = die.face;
                dice.push(PoolDie { face, here });
            }
        }
        let is_sorted = pool.is_sorted;
        Pool { dice, is_sorted }
    }

    /// One of two pools.
    pub(super) fn select_pool(&mut self, condition: &Num, then: &Pool, otherwise: &Pool) -> Pool {
        let nowhere = Num::truth(false);
        let longest = then.dice.len().max(otherwise.dice.len());
        let mut dice = Vec::with_capacity(longest);
        for at in 0..longest {
            let die = match (then.dice.get(at), otherwise.dice.get(at)) {
                (Some(a), Some(b)) => PoolDie {
                    face: self.select(condition, &a.face, &b.face),
                    here: self.select(condition, &a.here, &b.here),
                },
                (Some(a), None) => PoolDie {
                    face: a.face.clone(),
                    here: self.and(condition, &a.here),
                },
                (None, Some(b)) => PoolDie {
                    face: b.face.clone(),
                    here: self.select(condition, &nowhere, &b.here),
                },
                (None, None) => unreachable!("one of them is the longest"),
            };
            dice.push(die);
        }
        Pool {
            dice,
            is_sorted: then.is_sorted && otherwise.is_sorted,
        }
    }
}

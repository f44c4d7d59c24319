//! Dice: what they are, and rolling them.

use std::collections::BTreeSet;
use std::sync::Arc;

use oddsmith_rules::Span;
use oddsmith_rules::program::{self, CompareOp, Expr, FaceRange, Faces, Kind, VarId};

use super::Compiler;
use super::rounds::Rounds;
use super::support::{Bound, Held, Search, bound_in};
use super::value::{Num, Pool, Value};
use crate::column::Range;
use crate::die::{self, Die, Explode, Reroll, Test};
use crate::op::{Arithmetic, Bag, Op};
use crate::uniform::Uniform;
use crate::{Error, MOST_ROUNDS};

/// What is wrong with a die without faces, one without a face that can come up, and one with a weight that is none.
pub(super) const NO_FACES: &str = "a die needs at least one face";
pub(super) const NO_WEIGHT: &str = "a die needs a face of positive weight";
pub(super) const BELOW_ZERO: &str = "a face can't have a weight below 0";

/// The most faces of a listed die, and the most pieces of a bag.
const MOST_FACES: u64 = 1 << 20;

/// The most sides of a die that is rerolled or explodes.
const MOST_SIDES: u64 = 1 << 24;

/// The greatest sum of weights for which each face is listed as often as its weight says.
const MOST_TICKETS: u128 = 2048;

/// The most combinations of what was rolled before a die that decide its highest face.
const MOST_COMBINATIONS: i64 = 1 << 12;

/// The most kinds of dice that a pool can be made of, by what was rolled before.
const MOST_KINDS: usize = 1 << 10;

/// Kinds of dice that are rolled each in every trial: vectors make that cheap.
const FEW_KINDS: usize = 8;

/// A kind of die.
enum Sort {
    /// All faces in a row equally likely, and nothing else to it.
    Plain { low: i64, sides: u64 },
    /// A number for each of some equally likely tickets.
    Tickets(Vec<i64>),
    /// Rolled one trial after the other; between which numbers its results lie.
    Other(Die, Range),
    /// The results of an expression.
    Of,
}

impl Compiler<'_> {
    /// A pool of dice of one kind.
    pub(super) fn dice(&mut self, count: &Expr, die: &program::Die) -> Result<Pool, Error> {
        let number = self.number(count)?;
        let (number, size) = self.pool_size(&number, count.span)?;
        if size == 0 {
            return Ok(Pool::default());
        }
        if matches!(die.faces, Faces::Of(_)) {
            // What is rolled for such dice is rolled in the expression.
            return self.dice_of(&number, size, die);
        }
        let parts = parts_of(die);
        if self.makes_many_kinds(&parts) {
            let some = self.compare(CompareOp::Greater, &number, &Num::constant(0));
            let own = self.within(&some, |c| c.dice_of_own_kind(&number, size, die))?;
            if let Some(pool) = own {
                return Ok(pool);
            }
        }
        self.for_each_value(&parts, die.span, |c| c.dice_of(&number, size, die))
    }

    /// Dice of one kind, which is known.
    fn dice_of(&mut self, number: &Num, size: usize, die: &program::Die) -> Result<Pool, Error> {
        let sort = match self.sort_of(die) {
            Ok(sort) => sort,
            Err(error) => {
                // Trials without such dice do not need their faces.
                let some = self.compare(CompareOp::Greater, number, &Num::constant(0));
                return self.within(&some, |_| Err(error));
            }
        };
        let faces = match sort {
            Sort::Plain { low, sides } => self.roll_plain(size, low, sides),
            Sort::Tickets(values) => {
                let tickets = self.roll_plain(size, 0, values.len() as u64);
                let tickets = tickets.iter();
                tickets
                    .map(|ticket| self.item(ticket, 0, &values))
                    .collect()
            }
            Sort::Other(die, range) => self.roll_other(size, die, range),
            Sort::Of => {
                let mut faces = Vec::with_capacity(size);
                for at in 0..size {
                    // A die that may not be there need not be possible.
                    let place = Num::constant(i64::try_from(at).expect("a small number of dice"));
                    let here = self.compare(CompareOp::Greater, number, &place);
                    faces.push(self.within(&here, |c| c.result_die(die))?);
                }
                faces
            }
        };
        Ok(self.first_dice(faces, number))
    }

    /// Whether what parts read has so many combinations of values that it is better to look at each trial than to roll
    /// for each of them in every trial.
    fn makes_many_kinds(&self, parts: &[&Expr]) -> bool {
        let rolled = self.rolled_in(parts);
        let mut left = FEW_KINDS;
        for (_, num) in &rolled {
            match num.values(left) {
                Some(values) => left /= values.len().max(1),
                None => return true,
            }
        }
        false
    }

    /// A pool that is made of parts that differ between trials: made for each combination of the values that these read.
    fn for_each_value(
        &mut self,
        parts: &[&Expr],
        span: Span,
        mut make: impl FnMut(&mut Self) -> Result<Pool, Error>,
    ) -> Result<Pool, Error> {
        let rolled = self.rolled_in(parts);
        if rolled.is_empty() {
            return make(self);
        }
        let mut cases = vec![(Num::truth(true), Vec::new())];
        for (var, num) in &rolled {
            let values = num.values(MOST_KINDS / cases.len()).ok_or_else(|| {
                let message = format!("more than {MOST_KINDS} kinds of dice can't be rolled");
                self.error(span, message, "they differ by what was rolled before")
            })?;
            let mut next = Vec::with_capacity(cases.len() * values.len());
            for (before, bound) in &cases {
                for value in &values {
                    let is_it = self.compare(CompareOp::Equal, num, &Num::constant(*value));
                    let here = self.and(before, &is_it);
                    let bound: Vec<_> = bound.iter().copied().chain([(*var, *value)]).collect();
                    next.push((here, bound));
                }
            }
            next.retain(|(here, _)| here.as_constant() != Some(0));
            cases = next;
        }
        let mut made: Option<Pool> = None;
        for (here, bound) in &cases {
            for (var, value) in bound {
                self.values[var.0] = Some(Value::Number(Num::constant(*value)));
            }
            let pool = self.within(here, &mut make);
            for (var, num) in &rolled {
                self.values[var.0] = Some(Value::Number(num.clone()));
            }
            let pool = pool?;
            made = Some(match made {
                Some(others) => self.select_pool(here, &pool, &others),
                None => pool,
            });
        }
        Ok(made.unwrap_or_default())
    }

    /// The numbers that parts read and that differ between trials.
    fn rolled_in(&self, parts: &[&Expr]) -> Vec<(VarId, Num)> {
        let read = parts
            .iter()
            .filter_map(|part| self.read_from_outside(part))
            .flatten();
        let mut rolled: Vec<(VarId, Num)> = Vec::new();
        for (var, num) in read {
            if num.as_constant().is_none() && rolled.iter().all(|(known, _)| *known != var) {
                rolled.push((var, num));
            }
        }
        rolled
    }

    /// The sum of dice that are not kept; none if they are of a kind that is rolled one by one.
    pub(super) fn roll_sum(&mut self, n: i64, die: &program::Die) -> Result<Option<Num>, Error> {
        if !self.rolled_in(&parts_of(die)).is_empty() {
            return Ok(None);
        }
        let Sort::Plain { low, sides } = self.sort_of(die)? else {
            return Ok(None);
        };
        let high = low.checked_add_unsigned(sides - 1);
        let range = high.and_then(|high| Some((low.checked_mul(n)?, high.checked_mul(n)?)));
        let (Some(range), Ok(count)) = (range, u64::try_from(n)) else {
            return Ok(None);
        };
        let out = self.fresh(range);
        let die = Arc::new(Uniform::new(sides));
        self.emit(Op::RollSum {
            die,
            low,
            count,
            out,
        });
        Ok(Some(Num::column(out, range)))
    }

    fn roll_plain(&mut self, size: usize, low: i64, sides: u64) -> Vec<Num> {
        let last = i64::try_from(sides - 1).expect("a die has fewer than 2^63 sides");
        let range = (low, low + last);
        if sides == 1 {
            return vec![Num::constant(low); size];
        }
        let outs: Vec<_> = (0..size).map(|_| self.fresh(range)).collect();
        let faces = outs.iter().map(|out| Num::column(*out, range)).collect();
        let die = Arc::new(Uniform::new(sides));
        self.emit(Op::Roll { die, low, outs });
        faces
    }

    fn roll_other(&mut self, size: usize, die: Die, range: Range) -> Vec<Num> {
        let first = match &die.faces {
            die::Faces::Row { low, high, .. } => {
                let rolled = self.roll_plain(size, *low, low.abs_diff(*high) + 1);
                rolled
                    .iter()
                    .filter_map(|num| num.operand.column())
                    .collect()
            }
            _ => Vec::new(),
        };
        let outs: Vec<_> = (0..size).map(|_| self.fresh(range)).collect();
        let faces = outs.iter().map(|out| Num::column(*out, range)).collect();
        let die = Arc::new(die);
        self.emit(Op::RollDice { die, first, outs });
        faces
    }

    /// The sort of a die in this configuration.
    fn sort_of(&mut self, die: &program::Die) -> Result<Sort, Error> {
        let faces = match &die.faces {
            Faces::Sides(sides) => {
                let n = self.constant(sides)?;
                let Some(count) = u64::try_from(n).ok().filter(|n| *n > 0) else {
                    return Err(self.error(sides.span, NO_FACES, format!("this is d{n} here")));
                };
                if die.reroll.is_none() && die.explode.is_none() {
                    return Ok(Sort::Plain {
                        low: 1,
                        sides: count,
                    });
                }
                if count > MOST_SIDES {
                    let message = "a die has too many faces";
                    return Err(self.error(sides.span, message, format!("this is d{n} here")));
                }
                let place = Uniform::new(count);
                let (low, high) = (1, n);
                (die::Faces::Row { low, high, place }, (low, high))
            }
            Faces::Listed(ranges) => {
                let faces = self.weighted(ranges)?;
                let plain = die.reroll.is_none() && die.explode.is_none();
                if plain && let Some((low, sides)) = row(&faces) {
                    return Ok(Sort::Plain { low, sides });
                }
                if plain && let Some(values) = tickets(&faces) {
                    return Ok(Sort::Tickets(values));
                }
                self.listed(&faces, die.span)?
            }
            Faces::Of(_) => return Ok(Sort::Of),
        };
        let (faces, range) = faces;
        let reroll = match &die.reroll {
            None => None,
            Some(reroll) => Some(Reroll {
                once: reroll.once,
                test: self.test(&reroll.test)?,
            }),
        };
        self.with_rolls(die, faces, range, reroll)
    }

    /// A die with its rerolls and explosions.
    fn with_rolls(
        &mut self,
        die: &program::Die,
        faces: die::Faces,
        range: Range,
        reroll: Option<Reroll>,
    ) -> Result<Sort, Error> {
        let is_rerolled = |face: i64| match &reroll {
            Some(Reroll { once: false, test }) => test.fits(face),
            _ => false,
        };
        let Some(highest) = faces.highest(|face| !is_rerolled(face)) else {
            let message = "every face is rerolled for ever";
            return Err(self.error(die.span, message, "no face stands"));
        };
        let (mut low, mut high) = range;
        let explode = match &die.explode {
            None => None,
            Some(explode) => {
                let depth = self.depth(&explode.depth)?;
                let test = match &explode.test {
                    Some(test) => self.test(test)?,
                    None => Test::Compare(CompareOp::Equal, highest),
                };
                let times = i64::try_from(depth)
                    .ok()
                    .and_then(|depth| depth.checked_add(1));
                let reach = |end: i64| end.checked_mul(times?);
                let (Some(least), Some(most)) = (reach(low), reach(high)) else {
                    return Err(self.beyond(die.span));
                };
                (low, high) = (low.min(least), high.max(most));
                Some(Explode { test, depth })
            }
        };
        let die = Die {
            faces,
            reroll,
            explode,
        };
        Ok(Sort::Other(die, (low, high)))
    }

    fn depth(&mut self, depth: &Expr) -> Result<u64, Error> {
        let value = self.constant(depth)?;
        let message = "a depth is 0 or more";
        u64::try_from(value)
            .map_err(|_| self.error(depth.span, message, format!("this is {value}")))
    }

    fn test(&mut self, test: &program::Test) -> Result<Test, Error> {
        Ok(match test {
            program::Test::Compare(op, bound) => Test::Compare(*op, self.constant(bound)?),
            program::Test::Range(from, to) => Test::Range(self.constant(from)?, self.constant(to)?),
        })
    }

    /// Faces with weights above 0, ascending.
    fn weighted(&mut self, ranges: &[FaceRange]) -> Result<Vec<(i64, u64)>, Error> {
        let mut faces = std::collections::BTreeMap::new();
        for range in ranges {
            let from = self.constant(&range.from)?;
            let to = match &range.to {
                Some(to) => self.constant(to)?,
                None => from,
            };
            let weight = match &range.weight {
                Some(weight) => self.constant(weight)?,
                None => 1,
            };
            let span = range.from.span;
            if from > to {
                let label = format!("{from} is above {to}");
                return Err(self.error(span, "an empty range of faces", label));
            }
            if from.abs_diff(to) >= MOST_FACES {
                return Err(self.error(span, "a die has too many faces", "here"));
            }
            let Ok(weight) = u64::try_from(weight) else {
                return Err(self.error(span, BELOW_ZERO, format!("it is {weight} here")));
            };
            for face in from..=to {
                let sum: &mut u64 = faces.entry(face).or_default();
                *sum = sum.checked_add(weight).ok_or_else(|| self.beyond(span))?;
            }
        }
        Ok(faces
            .into_iter()
            .filter(|(_, weight)| *weight > 0)
            .collect())
    }

    fn listed(&self, faces: &[(i64, u64)], span: Span) -> Result<(die::Faces, Range), Error> {
        let (Some((low, weight)), Some((high, _))) = (faces.first(), faces.last()) else {
            return Err(self.error(span, NO_WEIGHT, "none here"));
        };
        let range = (*low, *high);
        let are_equal = faces.iter().all(|(_, other)| other == weight);
        let only = faces.iter().map(|(face, _)| *face).collect::<Vec<_>>();
        if are_equal {
            let place = Uniform::new(faces.len() as u64);
            return Ok((die::Faces::Listed { faces: only, place }, range));
        }
        let upto = faces.iter().scan(0, |sum, (_, weight)| {
            *sum += u128::from(*weight);
            Some(*sum)
        });
        let upto = upto.collect();
        Ok((die::Faces::Weighted { faces: only, upto }, range))
    }

    /// A die whose faces are the results of an expression, which is played anew for each roll.
    fn result_die(&mut self, die: &program::Die) -> Result<Num, Error> {
        let Faces::Of(expr) = &die.faces else {
            unreachable!("only such dice are rolled by playing")
        };
        let Some(explode) = &die.explode else {
            return self.result_face(die, expr);
        };
        let depth = self.depth(&explode.depth)?;
        let first = self.result_face(die, expr)?;
        let highest = match &explode.test {
            Some(_) => None,
            None => Some(self.highest(die, expr)?),
        };
        let sum = first.clone();
        let rounds = Rounds::of_die(depth, die.span);
        let done = self.repeat_numbers(
            rounds,
            vec![first, sum],
            &mut |c, now| {
                let again = match (&explode.test, &highest) {
                    (Some(test), _) => c.fits(&now[0], test)?,
                    (None, highest) => {
                        let highest = highest.as_ref().expect("it was looked for");
                        c.compare(CompareOp::Equal, &now[0], highest)
                    }
                };
                Ok(c.not(&again))
            },
            &mut |c, now| {
                let last = c.result_face(die, expr)?;
                let sum = c.arithmetic(Arithmetic::Add, &now[1], &last, die.span)?;
                Ok(vec![last, sum])
            },
        )?;
        Ok(done[1].clone())
    }

    /// The highest face of such a die that stands. What was rolled before it may decide it: then it is a table of that.
    fn highest(&mut self, die: &program::Die, expr: &Expr) -> Result<Num, Error> {
        if !expr.rolls_dice() {
            // Its only face in a trial follows from what was rolled before.
            return self.number(expr);
        }
        let Some((place, standing)) = self.standing(die, expr) else {
            let message = "the highest result of this expression is not known to the simulator";
            return Err(self.error(die.span, message, "it explodes on its highest face"));
        };
        // Where there is no face, whoever rolls one meets the error.
        let highest = standing
            .iter()
            .map(|faces| faces.last().copied().unwrap_or(0));
        Ok(self.item(&place, 0, &highest.collect::<Vec<i64>>()))
    }

    /// The faces of such a die that stand, in a list by what was rolled before it, and the place in that; none if it is
    /// not known.
    fn standing(&mut self, die: &program::Die, expr: &Expr) -> Option<(Num, Vec<BTreeSet<i64>>)> {
        let mut place = Num::constant(0);
        let mut all = vec![Bound::new()];
        for (var, num) in self.read_from_outside(expr)? {
            let (low, high) = num.range;
            let size = high.checked_sub(low)?.checked_add(1)?;
            let most = MOST_COMBINATIONS / i64::try_from(all.len()).ok()?;
            let size = Some(size).filter(|size| *size <= most)?;
            let mut of = |op, a: &Num, b: i64| self.arithmetic(op, a, &Num::constant(b), die.span);
            let from_low = of(Arithmetic::Subtract, &num, low).ok()?;
            let scaled = of(Arithmetic::Multiply, &place, size).ok()?;
            place = self.plus(&scaled, &from_low);
            let with = |bound: &Bound| {
                let one = |value| {
                    let mut bound = bound.clone();
                    bound.insert(var, Held::Number(value));
                    bound
                };
                (low..=high).map(one).collect::<Vec<Bound>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        let mut search = Search::new(self.check, self.config);
        let standing = all.iter().map(|bound| search.standing(die, bound));
        Some((place, standing.collect::<Result<_, _>>().ok()?))
    }

    /// The numbers that an expression reads and that were bound before it; none if a pool is among them.
    fn read_from_outside(&self, expr: &Expr) -> Option<Vec<(VarId, Num)>> {
        let mut read: Vec<(VarId, Num)> = Vec::new();
        let mut has_other = false;
        let inside = bound_in(expr);
        expr.for_each(&mut |part| {
            if let Kind::Var(var) = part.kind
                && !inside.contains(&var)
                && read.iter().all(|(known, _)| *known != var)
            {
                match &self.values[var.0] {
                    Some(Value::Number(num)) => read.push((var, num.clone())),
                    Some(_) => has_other = true,
                    None => {}
                }
            }
        });
        (!has_other).then_some(read)
    }

    /// One face of such a die, rerolled.
    fn result_face(&mut self, die: &program::Die, expr: &Expr) -> Result<Num, Error> {
        let first = self.number(expr)?;
        let Some(reroll) = &die.reroll else {
            return Ok(first);
        };
        if reroll.once {
            let again = self.fits(&first, &reroll.test)?;
            let second = self.number(expr)?;
            return Ok(self.select(&again, &second, &first));
        }
        let standing = self.standing(die, expr);
        let one_stands = standing.is_some_and(|(_, all)| all.iter().all(|faces| !faces.is_empty()));
        let message = format!("every face is rerolled for ever, or for {MOST_ROUNDS} rolls");
        let error = self.error(die.span, message, "none stands in some trial");
        let done = self.repeat_numbers(
            Rounds::until_one_stands(one_stands, die.span, error),
            vec![first],
            &mut |c, now| {
                let again = c.fits(&now[0], &reroll.test)?;
                Ok(c.not(&again))
            },
            &mut |c, _| Ok(vec![c.number(expr)?]),
        )?;
        Ok(done[0].clone())
    }

    /// A pool drawn from a bag without replacement.
    pub(super) fn draw(&mut self, count: &Expr, bag: &[FaceRange]) -> Result<Pool, Error> {
        let parts = bag.iter().flat_map(FaceRange::parts);
        let parts: Vec<&Expr> = std::iter::once(count).chain(parts).collect();
        if self.makes_many_kinds(&parts)
            && let Some(pool) = self.draw_from_own_bag(count, bag)?
        {
            return Ok(pool);
        }
        self.for_each_value(&parts, count.span, |c| c.drawn(count, bag))
    }

    /// Pieces drawn from a bag that is known.
    fn drawn(&mut self, count: &Expr, bag: &[FaceRange]) -> Result<Pool, Error> {
        let number = Num::constant(self.constant(count)?);
        let (_, n) = self.pool_size(&number, count.span)?;
        let faces = self.weighted(bag)?;
        let pieces = faces
            .iter()
            .map(|(_, many)| u128::from(*many))
            .sum::<u128>();
        if pieces > u128::from(MOST_FACES) {
            let label = format!("{pieces} pieces");
            return Err(self.error(count.span, "the bag holds too many", label));
        }
        if n as u128 > pieces {
            let message = format!("{n} cannot be drawn from a bag of {pieces}");
            return Err(self.error(count.span, message, "here"));
        }
        if n == 0 {
            return Ok(Pool::default());
        }
        let piece = |(face, many): &(i64, u64)| {
            let many = usize::try_from(*many).expect("a bag is small");
            vec![*face; many]
        };
        let pieces: Vec<i64> = faces.iter().flat_map(piece).collect();
        let range = (faces[0].0, faces[faces.len() - 1].0);
        let outs: Vec<_> = (0..n).map(|_| self.fresh(range)).collect();
        let left = (0..n).map(|drawn| (pieces.len() - drawn) as u64);
        let draws = left.map(Uniform::new).collect();
        let bag = Arc::new(Bag { pieces, draws });
        let drawn = outs.iter().map(|out| Num::column(*out, range)).collect();
        self.emit(Op::Draw { bag, outs });
        Ok(Pool::of_faces(drawn))
    }
}

/// Each face as often as its weight says, if that is not too often.
fn tickets(faces: &[(i64, u64)]) -> Option<Vec<i64>> {
    let total = faces
        .iter()
        .map(|(_, weight)| u128::from(*weight))
        .sum::<u128>();
    if faces.is_empty() || total > MOST_TICKETS {
        return None;
    }
    let repeated = faces
        .iter()
        .flat_map(|(face, weight)| (0..*weight).map(|_| *face));
    Some(repeated.collect())
}

/// Lowest face and number of faces, if they are in a row and equally likely.
fn row(faces: &[(i64, u64)]) -> Option<(i64, u64)> {
    let (low, weight) = faces.first()?;
    let is_row = (*low..).zip(faces).all(|(at, face)| *face == (at, *weight));
    is_row.then_some((*low, faces.len() as u64))
}

/// The expressions that a die is made of.
fn parts_of(die: &program::Die) -> Vec<&Expr> {
    let mut parts = Vec::new();
    die.for_each_part(&mut |part| parts.push(part));
    parts
}

//! Loops: rounds of operations on values that they change.
//!
//! How wide a value's column has to be is found by trying: rounds are compiled for what is known of the values
//! before the first one; if a round can make more of them, they are compiled again for that. Values that go on growing
//! are taken to go on as they did, for longer and longer; once a round makes no more of them, they are compiled for what
//! it does make.

use std::collections::{BTreeMap, HashMap};

use oddsmith_rules::Span;
use oddsmith_rules::program::CompareOp;

use super::value::{Num, Pool, PoolDie, Value};
use super::{Compiler, Frame, Guesses};
use crate::column::{Column, Operand, Range, Width, union};
use crate::error::Halt;
use crate::op::{Carried, Loop, Op};
use crate::{Error, MOST_ROUNDS};

/// Rounds that are tried one by one; after them, twice as many are taken at once each time.
const TRIED: u64 = 8;

/// Attempts before it is guessed what all rounds come to; the last of them looks 64 rounds ahead.
const ATTEMPTS: u64 = TRIED + 4;

/// A value that grows in an unknown way may come to anything; arithmetic on it looks whether it leaves 64 bits.
const ANYTHING: Range = (i64::MIN, i64::MAX);

/// How often something is repeated.
pub(super) struct Rounds {
    count: Option<u64>,
    /// Rounds after which it goes on no more.
    most: u64,
    /// The value that counts the rounds, if one does: where it is one more than `most`, a trial was stopped.
    pub(super) counter: Option<usize>,
    /// Whether policies of choices go by the round.
    is_numbered: bool,
    /// The place that errors name.
    span: Span,
    /// The error if there is no first round, should there be one.
    pub(super) must_begin: Option<Error>,
    must_end: Option<Error>,
}

impl Rounds {
    /// The rounds of a `repeat`; one without a count is stopped after `most` of them.
    pub(super) fn new(count: Option<u64>, most: u64, span: Span) -> Self {
        Self {
            count,
            most: count.unwrap_or(most),
            counter: None,
            is_numbered: count.is_some(),
            span,
            must_begin: None,
            must_end: None,
        }
    }

    /// The same rounds, of which every trial has to see the last.
    pub(super) fn that_must_end(self, error: Error) -> Self {
        Self {
            must_end: Some(error),
            ..self
        }
    }

    /// The rounds of a die that is rolled so many times at most, one after the other.
    pub(super) fn of_die(count: u64, span: Span) -> Self {
        Self {
            is_numbered: false,
            ..Self::new(Some(count), count, span)
        }
    }

    /// Rolls of a die until one stands; that none ever does is an error. If it is known that one can, it may take long.
    pub(super) fn until_one_stands(one_can: bool, span: Span, error: Error) -> Self {
        let most = if one_can { u32::MAX } else { MOST_ROUNDS };
        Self {
            must_end: Some(error),
            ..Self::new(None, most.into(), span)
        }
    }
}

/// A round: what it makes of the values, and what the first one shows.
pub(super) struct Round {
    pub(super) next: Vec<Value>,
    pub(super) shown: Vec<Num>,
}

/// The shape of a value at the beginning of every round, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    Number(Range),
    Pool {
        /// For each die its face and whether it is there.
        dice: Vec<(Range, Range)>,
        is_sorted: bool,
    },
}

/// A guess of how far a number goes.
#[derive(Clone, Copy, Debug)]
struct Guess {
    /// The most by which a round lowers and raises it.
    growth: Range,
    /// Whether that turned out to be wrong.
    is_far: bool,
}

/// A loop that has been compiled for some shapes.
struct Attempt {
    head: Vec<Op>,
    stop: Operand,
    /// The columns of the values in a round; none if a value is the same in all of them.
    inner: Vec<Option<Column>>,
    /// The columns of the values after the round.
    next: Vec<Option<Column>>,
    made: Vec<Shape>,
    shown: Vec<Column>,
    shown_ranges: Vec<Range>,
}

/// The state of the compiler that an attempt has to leave as it was.
struct Saved {
    values: Vec<Option<Value>>,
    captured: Vec<HashMap<Column, Column>>,
    columns: usize,
    errors: usize,
}

/// A function of the values that are carried from round to round.
type Of<'f, 'c, V, T> = dyn FnMut(&mut Compiler<'c>, &[V]) -> Result<T, Error> + 'f;
type Stop<'f, 'c> = Of<'f, 'c, Value, Num>;
type Body<'f, 'c> = Of<'f, 'c, Value, Round>;

impl<'c> Compiler<'c> {
    /// Repeats `body` on values, until `stop` holds before a round. What the values are then, and what the first
    /// round has shown.
    pub(super) fn repeat(
        &mut self,
        rounds: Rounds,
        start: &[Value],
        stop: &mut Stop<'_, 'c>,
        body: &mut Body<'_, 'c>,
    ) -> Result<(Vec<Value>, Vec<Num>), Error> {
        let begin: Vec<Shape> = start.iter().map(Shape::of).collect();
        let mut shapes = begin.clone();
        let mut guesses: BTreeMap<usize, Guess> = BTreeMap::new();
        let mut is_narrowed = false;
        for tried in 0.. {
            let saved = self.save();
            let (attempt, frame) =
                self.in_frame(|c| c.attempt(&rounds, &shapes, &guesses, stop, body));
            let attempt = attempt?;
            let joined = join_all(&shapes, &attempt.made);
            let mut is_wrong = false;
            for (at, guess) in &mut guesses {
                is_wrong |= guess.is_refuted(&shapes[*at], &joined[*at]);
            }
            let is_settled =
                (0..shapes.len()).all(|at| shapes[at] == joined[at] || guesses.contains_key(&at));
            let is_enough = rounds.count.is_some_and(|count| tried >= count);
            if (is_settled && !is_wrong) || is_enough {
                let reached = join_all(&begin, &attempt.made);
                if is_enough || is_narrowed || !narrow(&mut shapes, &reached, &joined, &mut guesses)
                {
                    if !guesses.is_empty() && self.guesses == Guesses::Allowed {
                        self.guesses = Guesses::Made(self.goes_too_far(rounds.span));
                    }
                    return Ok(self.finish(rounds, start, &shapes, (attempt, frame)));
                }
                is_narrowed = true;
                self.restore(saved);
                continue;
            }
            self.restore(saved);
            if joined.iter().any(Shape::is_too_large) {
                let message = "this pool grows without end";
                let error = self.error(rounds.span, message, "round by round");
                return Err(error.unsupported());
            }
            if tried < TRIED {
                shapes = joined;
            } else if tried < ATTEMPTS {
                let ahead = TRIED << (tried - TRIED);
                widen(&mut shapes, &joined, ahead.min(rounds.most));
            } else {
                let left = rounds.most;
                let is_far = self.guesses == Guesses::Refused;
                guess(&mut shapes, &joined, left, is_far, &mut guesses);
            }
            if tried > 32 * TRIED {
                return Err(self.goes_too_far(rounds.span));
            }
        }
        unreachable!("a loop without end returns")
    }

    /// The error that it is not known how far the values of a loop go.
    fn goes_too_far(&self, span: Span) -> Error {
        let message = "the simulator can't tell how far these values go";
        let mut error = self.error(span, message, "in this loop");
        if let Error::Rule(diagnostic) = &mut error {
            let help = "say it where they change, such as `set x = min(20, x + 1)`";
            diagnostic.help = Some(help.into());
        }
        error.unsupported()
    }

    fn save(&self) -> Saved {
        Saved {
            values: self.values.clone(),
            captured: self
                .frames
                .iter()
                .map(|frame| frame.captured.clone())
                .collect(),
            columns: self.depths.len(),
            errors: self.errors.len(),
        }
    }

    fn restore(&mut self, saved: Saved) {
        self.values = saved.values;
        for (frame, captured) in self.frames.iter_mut().zip(saved.captured) {
            frame.captured = captured;
        }
        self.depths.truncate(saved.columns);
        self.errors.truncate(saved.errors);
    }

    /// Acts in a frame of its own, which is about the same trials as the one around it at first.
    fn in_frame<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> (T, Frame) {
        let mask = self.frame().mask.clone();
        self.frames.push(Frame {
            mask,
            ..Frame::default()
        });
        let made = act(self);
        (made, self.frames.pop().expect("it was just pushed"))
    }

    /// Compiles the loop for some shapes, in the present frame.
    fn attempt(
        &mut self,
        rounds: &Rounds,
        shapes: &[Shape],
        guesses: &BTreeMap<usize, Guess>,
        stop: &mut Stop<'_, 'c>,
        body: &mut Body<'_, 'c>,
    ) -> Result<Attempt, Error> {
        let now: Vec<Value> = shapes.iter().map(|shape| self.value_of(shape)).collect();
        let mut stop = stop(self, &now)?;
        if let (None, Some(mask)) = (rounds.count, self.frame().mask.clone()) {
            // Trials that have no business here might never leave.
            let out = self.not(&mask);
            stop = self.or(&stop, &out);
        }
        let is_certain = stop.as_constant() == Some(0);
        let stop = self.operand(&stop, Width::W8);
        let head = std::mem::take(&mut self.frame().ops);
        // Trials leave between the two: what was made of them before is no longer in place.
        self.frame().converted.clear();
        let mut round = match body(self, &now) {
            Ok(round) => round,
            // It may never be played.
            Err(error) if !is_certain => {
                self.demand_nothing(error);
                let shown = Vec::new();
                let next = now.clone();
                Round { next, shown }
            }
            Err(error) => return Err(error),
        };
        for (at, guess) in guesses {
            if let (Shape::Number(range), Value::Number(next)) = (&shapes[*at], &round.next[*at]) {
                self.demand_within(next, *range, guess);
            }
        }
        for (shape, next) in shapes.iter().zip(&mut round.next) {
            self.move_together(shape, next);
        }
        let made: Vec<Shape> = round.next.iter().map(Shape::of).collect();
        let (mut inner, mut next) = (Vec::new(), Vec::new());
        for ((shape, now), made) in shapes.iter().zip(&now).zip(&round.next) {
            for (now, made) in shape.leaves(now).into_iter().zip(shape.leaves(made)) {
                let column = now.operand.column();
                inner.push(column);
                next.push(column.map(|column| self.copied(&made, column.width)));
            }
        }
        // Copies, since what is carried is written before what is shown is kept.
        let mut shown = Vec::with_capacity(round.shown.len());
        for num in &round.shown {
            shown.push(self.copied(num, Width::holding(num.range)));
        }
        Ok(Attempt {
            head,
            stop,
            inner,
            next,
            made,
            shown,
            shown_ranges: round.shown.iter().map(|num| num.range).collect(),
        })
    }

    /// A value of a shape, in columns of the present frame.
    fn value_of(&mut self, shape: &Shape) -> Value {
        let mut num = |range: Range| {
            if range.0 == range.1 {
                Num::constant(range.0)
            } else {
                Num::column(self.fresh(range), range)
            }
        };
        match shape {
            Shape::Number(range) => Value::Number(num(*range)),
            Shape::Pool { dice, is_sorted } => {
                let die = |(face, here): &(Range, Range)| PoolDie {
                    face: num(*face),
                    here: num(*here),
                };
                Value::Pool(Pool {
                    dice: dice.iter().map(die).collect(),
                    is_sorted: *is_sorted,
                })
            }
        }
    }

    /// Puts the dice that are there first in a pool with more places than its shape has. A loop makes such a pool
    /// from places that are empty, round after round; there are no more dice than rounds can have added.
    fn move_together(&mut self, shape: &Shape, next: &mut Value) {
        if let (Shape::Pool { dice, .. }, Value::Pool(pool)) = (shape, next)
            && pool.dice.len() > dice.len()
        {
            *pool = self.sorted(std::mem::take(pool));
        }
    }

    /// A number in a column that nothing else has, so that it can be carried over while others are.
    pub(super) fn copied(&mut self, num: &Num, width: Width) -> Column {
        let from = self.in_column(num, width);
        let out = self.fresh_of(width);
        self.emit(Op::Convert { out, from });
        out
    }

    /// Stops where a number leaves the bounds that were guessed for it; nobody needs to read it for that, since the
    /// bounds decide other things.
    fn demand_within(&mut self, next: &Num, range: Range, guess: &Guess) {
        for (op, bound, grows) in [
            (CompareOp::Less, range.0, guess.growth.0 < 0),
            (CompareOp::Greater, range.1, guess.growth.1 > 0),
        ] {
            if grows && !guess.is_far {
                let bad = self.compare(op, next, &Num::constant(bound));
                self.demand_not(&bad, None, &[], Halt::Narrow);
            }
        }
    }

    /// The loop as an operation of the frame around it, and what comes out of it.
    fn finish(
        &mut self,
        rounds: Rounds,
        start: &[Value],
        shapes: &[Shape],
        (attempt, frame): (Attempt, Frame),
    ) -> (Vec<Value>, Vec<Num>) {
        let must_begin = rounds.must_begin.map(|error| self.fault(error));
        let must_end = rounds.must_end.map(|error| self.fault(error));
        let mut carried = Vec::new();
        let mut ends = Vec::with_capacity(shapes.len());
        let mut columns = attempt.inner.iter().zip(&attempt.next);
        let stopped = i64::try_from(rounds.most)
            .ok()
            .and_then(|most| most.checked_add(1));
        for (at, (shape, value)) in shapes.iter().zip(start).enumerate() {
            let mut leaves = Vec::new();
            for (leaf, range) in shape.leaves(value).iter().zip(shape.ranges()) {
                let (inner, next) = columns.next().expect("a place for each leaf");
                leaves.push(match (inner, next) {
                    (Some(inner), Some(next)) => {
                        let out = self.fresh_of(inner.width);
                        carried.push(Carried {
                            start: self.operand(leaf, inner.width),
                            inner: *inner,
                            next: *next,
                            out,
                            stopped: stopped.filter(|_| rounds.counter == Some(at)),
                        });
                        Num::column(out, range)
                    }
                    _ => Num::constant(range.0),
                });
            }
            ends.push(shape.value(leaves));
        }
        let mut kept = Vec::with_capacity(attempt.shown.len());
        let mut shown = Vec::with_capacity(attempt.shown.len());
        for (column, range) in attempt.shown.iter().zip(&attempt.shown_ranges) {
            let out = self.fresh_of(column.width);
            kept.push((*column, out));
            shown.push(Num::column(out, *range));
        }
        let mut captured: Vec<_> = frame.captured.into_iter().collect();
        captured.sort_unstable();
        self.emit(Op::Loop(Box::new(Loop {
            count: rounds.count,
            most: rounds.most,
            is_numbered: rounds.is_numbered,
            captured,
            carried,
            head: attempt.head,
            stop: attempt.stop,
            body: frame.ops,
            shown: kept,
            must_begin,
            must_end,
        })));
        (ends, shown)
    }

    /// [`Self::repeat`] for numbers.
    pub(super) fn repeat_numbers(
        &mut self,
        rounds: Rounds,
        start: Vec<Num>,
        stop: &mut Of<'_, 'c, Num, Num>,
        body: &mut Of<'_, 'c, Num, Vec<Num>>,
    ) -> Result<Vec<Num>, Error> {
        fn numbers(values: &[Value]) -> Vec<Num> {
            let number = |value: &Value| match value {
                Value::Number(num) => num.clone(),
                _ => unreachable!("only numbers are carried"),
            };
            values.iter().map(number).collect()
        }
        let start: Vec<Value> = start.into_iter().map(Value::Number).collect();
        let (ends, _) = self.repeat(
            rounds,
            &start,
            &mut |c, now| stop(c, &numbers(now)),
            &mut |c, now| {
                let next = body(c, &numbers(now))?;
                let next = next.into_iter().map(Value::Number).collect();
                let shown = Vec::new();
                Ok(Round { next, shown })
            },
        )?;
        Ok(numbers(&ends))
    }
}

/// Each of some shapes, and what a round can make of it.
fn join_all(shapes: &[Shape], made: &[Shape]) -> Vec<Shape> {
    let pairs = shapes.iter().zip(made);
    pairs.map(|(known, made)| known.join(made)).collect()
}

/// Widens shapes that do not settle to where they are after so many rounds more, if these go on as the last one did.
fn widen(shapes: &mut [Shape], joined: &[Shape], rounds: u64) {
    for (shape, joined) in shapes.iter_mut().zip(joined) {
        *shape = match (&*shape, joined) {
            (Shape::Number(now), Shape::Number(next)) => {
                Shape::Number(reach(*now, growth(*now, *next), rounds))
            }
            _ => joined.clone(),
        };
    }
}

/// Narrows numbers that were widened, and that a round makes no more of, to what rounds `reached`; whether there were any.
/// What was guessed of such a number need not be.
fn narrow(
    shapes: &mut [Shape],
    reached: &[Shape],
    joined: &[Shape],
    guesses: &mut BTreeMap<usize, Guess>,
) -> bool {
    let mut is_any = false;
    for (at, shape) in shapes.iter_mut().enumerate() {
        let is_settled = *shape == joined[at] && *shape != reached[at];
        if is_settled && matches!(shape, Shape::Number(_)) {
            shape.clone_from(&reached[at]);
            guesses.remove(&at);
            is_any = true;
        }
    }
    is_any
}

/// The most by which a round lowers a number, and raises it.
fn growth(now: Range, next: Range) -> Range {
    (next.0.saturating_sub(now.0), next.1.saturating_sub(now.1))
}

/// Where a number is after so many rounds; the ends of 64 bits if it is beyond them.
fn reach(from: Range, growth: Range, rounds: u64) -> Range {
    let to = |from: i64, growth: i64| {
        let grown = i128::from(growth) * i128::from(rounds);
        let to = grown.saturating_add(from.into());
        let end = if growth < 0 { i64::MIN } else { i64::MAX };
        i64::try_from(to).unwrap_or(end)
    };
    (to(from.0, growth.0), to(from.1, growth.1))
}

/// Widens shapes that do not settle to where they may be after all rounds.
fn guess(
    shapes: &mut [Shape],
    joined: &[Shape],
    left: u64,
    is_far: bool,
    guesses: &mut BTreeMap<usize, Guess>,
) {
    for (at, shape) in shapes.iter_mut().enumerate() {
        let (Shape::Number(now), Shape::Number(next)) = (&*shape, &joined[at]) else {
            shape.clone_from(&joined[at]);
            continue;
        };
        if now == next && !guesses.contains_key(&at) {
            continue;
        }
        let wide = match guesses.get(&at).copied() {
            None => {
                let growth = growth(*now, *next);
                guesses.insert(at, Guess { growth, is_far });
                if is_far {
                    ANYTHING
                } else {
                    reach(*now, growth, left)
                }
            }
            Some(guess) if guess.is_far => ANYTHING,
            Some(_) => *now,
        };
        *shape = Shape::Number(wide);
    }
}

impl Guess {
    /// Whether a round goes further than was guessed; then nothing is.
    fn is_refuted(&mut self, known: &Shape, joined: &Shape) -> bool {
        let (Shape::Number(known), Shape::Number(joined)) = (known, joined) else {
            return false;
        };
        let low = known.0.saturating_add(self.growth.0.min(0));
        let high = known.1.saturating_add(self.growth.1.max(0));
        let is_wrong = !self.is_far && (joined.0 < low || joined.1 > high);
        self.is_far |= is_wrong;
        is_wrong
    }
}

impl Shape {
    fn of(value: &Value) -> Self {
        match value {
            Value::Number(num) => Self::Number(num.range),
            Value::Pool(pool) => Self::Pool {
                dice: pool
                    .dice
                    .iter()
                    .map(|die| (die.face.range, die.here.range))
                    .collect(),
                is_sorted: pool.is_sorted,
            },
            Value::Unknown(_) => unreachable!("a value that is carried is known"),
        }
    }

    fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Self::Number(union(*a, *b)),
            (
                Self::Pool { dice: a, is_sorted },
                Self::Pool {
                    dice: b,
                    is_sorted: also,
                },
            ) => {
                let is_sorted = *is_sorted && *also;
                if a.len() == b.len() && a.iter().chain(b).all(|(_, here)| *here == (1, 1)) {
                    let pairs = a.iter().zip(b);
                    let dice = pairs.map(|((a, _), (b, _))| (union(*a, *b), (1, 1)));
                    let dice = dice.collect();
                    return Self::Pool { dice, is_sorted };
                }
                // Which die has which place may differ from round to round.
                let faces = a.iter().chain(b).map(|(face, _)| *face).reduce(union);
                let die = (faces.unwrap_or_default(), (0, 1));
                let dice = vec![die; a.len().max(b.len())];
                Self::Pool { dice, is_sorted }
            }
            _ => unreachable!("a variable stays a number or a pool"),
        }
    }

    fn is_too_large(&self) -> bool {
        /// Dice of a pool that rounds keep on adding to.
        const MOST: usize = 512;
        matches!(self, Self::Pool { dice, .. } if dice.len() > MOST)
    }

    /// The numbers that a value of this shape is made of.
    fn leaves(&self, value: &Value) -> Vec<Num> {
        match (self, value) {
            (Self::Number(_), Value::Number(num)) => vec![num.clone()],
            (Self::Pool { dice, .. }, Value::Pool(pool)) => {
                let leaves = (0..dice.len()).flat_map(|at| match pool.dice.get(at) {
                    Some(die) => [die.face.clone(), die.here.clone()],
                    // A die that is not there shows anything that the column can hold.
                    None => [Num::constant(dice[at].0.0), Num::truth(false)],
                });
                leaves.collect()
            }
            _ => unreachable!("a value has the shape that was made of it"),
        }
    }

    /// The ranges of those numbers.
    fn ranges(&self) -> Vec<Range> {
        match self {
            Self::Number(range) => vec![*range],
            Self::Pool { dice, .. } => dice.iter().flat_map(|die| [die.0, die.1]).collect(),
        }
    }

    /// A value of this shape.
    fn value(&self, mut leaves: Vec<Num>) -> Value {
        match self {
            Self::Number(_) => Value::Number(leaves.pop().expect("a number has one leaf")),
            Self::Pool { is_sorted, .. } => {
                let die = |pair: &[Num]| PoolDie {
                    face: pair[0].clone(),
                    here: pair[1].clone(),
                };
                Value::Pool(Pool {
                    dice: leaves.chunks(2).map(die).collect(),
                    is_sorted: *is_sorted,
                })
            }
        }
    }
}

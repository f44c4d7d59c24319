//! Runs a program on batches of trials.
//!
//! Straight stretches of operations run inside [`pulp::Arch::dispatch`], which has them compiled once for each set
//! of vector instructions and takes the widest that the machine has. What they compute does not depend on it.

use pulp::{Arch, Simd, WithSimd};

use crate::column::{BATCH, Column, Columns, Operand, by_width};
use crate::counts::Counts;
use crate::die::{Die, Rolls};
use crate::error::Halt;
use crate::kernels;
use crate::lane::Lane;
use crate::op::{Bag, Loop, Op};
use crate::program::Program;
use crate::stream::{Stream, Words};
use crate::{IsOver, Tally};

/// The columns of one thread, and where it is in them.
pub(crate) struct Machine<'p> {
    program: &'p Program,
    arch: Arch,
    columns: Columns,
    stream: Stream,
    words: Words,
    /// The columns of one operation's dice, while they are written side by side.
    hands: Columns,
    /// Trials that go on here.
    len: usize,
    /// The rounds of the loops around, outermost first.
    rounds: Vec<usize>,
    counts: Counts,
    is_over: IsOver<'p>,
}

/// A straight stretch of operations, to be run with the best instructions.
///
/// A structure and no closure, and a loop and no iterator's method: closures need not be inlined, and would be
/// compiled for any machine then.
struct Straight<'m, 'p>(&'m mut Machine<'p>, &'p [Op]);

impl WithSimd for Straight<'_, '_> {
    type Output = Result<(), Halt>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        for op in self.1 {
            self.0.op(op)?;
        }
        Ok(())
    }
}

impl<'p> Machine<'p> {
    pub(crate) fn new(program: &'p Program, arch: Arch, is_over: IsOver<'p>) -> Self {
        Self {
            program,
            arch,
            columns: Columns::new(program.needs),
            stream: Stream::on(arch, 0, 0),
            words: Words::new(BATCH),
            hands: Columns::default(),
            len: 0,
            rounds: Vec::new(),
            counts: Counts::new(program),
            is_over,
        }
    }

    /// Rolls so many trials of a chunk, from its first one on.
    pub(crate) fn chunk(&mut self, seed: u64, chunk: u64, trials: u64) -> Result<Tally, Halt> {
        self.stream = Stream::on(self.arch, seed, chunk);
        self.counts = Counts::new(self.program);
        let mut left = trials;
        while left > 0 {
            let len = usize::try_from(left).map_or(BATCH, |left| left.min(BATCH));
            self.len = len;
            self.run(&self.program.ops)?;
            self.go_on()?;
            self.len = len;
            self.counts
                .add_batch(self.program, &self.columns, len, self.arch)?;
            left -= len as u64;
        }
        self.counts.trials = trials;
        Ok(self.program.tally(&self.counts)?)
    }

    /// Refuses to go on once nobody wants more. What operations wrote since the last time may mean nothing then.
    fn go_on(&self) -> Result<(), Halt> {
        match (self.is_over)() {
            true => Err(Halt::Over),
            false => Ok(()),
        }
    }

    /// Runs operations: loops one after the other, what is between them at full width.
    fn run(&mut self, ops: &'p [Op]) -> Result<(), Halt> {
        let mut rest = ops;
        while let Some(first) = rest.first() {
            self.go_on()?;
            if let Op::Loop(rounds) = first {
                self.repeat(rounds)?;
                rest = &rest[1..];
            } else {
                let end = rest.iter().position(|op| matches!(op, Op::Loop(_)));
                let (straight, later) = rest.split_at(end.unwrap_or(rest.len()));
                self.arch.dispatch(Straight(self, straight))?;
                rest = later;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn op(&mut self, op: &'p Op) -> Result<(), Halt> {
        let (columns, len) = (&mut self.columns, self.len);
        match op {
            Op::Fill { out, value } => {
                by_width!(out.width, T => kernels::fill::<T>(columns, len, *out, *value));
            }
            Op::Convert { out, from } => by_width!(from.width, A => by_width!(out.width, T => {
                kernels::map(columns, len, *out, *from, #[inline(always)] |x: A| T::wrap(x.wide()));
            })),
            Op::Binary { op, out, a, b } => {
                by_width!(out.width, T => kernels::binary::<T>(columns, len, *op, *out, (*a, *b)));
            }
            Op::Compare { op, out, a, b } => {
                by_width!(a.width, A => kernels::compare::<A>(columns, len, *op, *out, (*a, *b)));
            }
            Op::Select {
                out,
                condition,
                then,
                otherwise,
            } => by_width!(out.width, T => {
                kernels::select::<T>(columns, len, *out, *condition, (*then, *otherwise));
            }),
            Op::Steps {
                out,
                from,
                start,
                slope,
                steps,
            } => by_width!(out.width, T => {
                kernels::steps::<T>(columns, len, (*out, *from), (*start, *slope), steps);
            }),
            Op::Lookup {
                out,
                from,
                low,
                table,
            } => by_width!(from.width, A => by_width!(out.width, T => {
                kernels::lookup::<A, T>(columns, len, (*out, *from), *low, table);
            })),
            Op::Divide {
                division,
                out,
                from,
                by,
            } => by_width!(out.width, T => {
                kernels::divide::<T>(columns, len, (*out, *from), *division, *by);
            }),
            Op::Roll { die, low, outs } => {
                self.counts.dice += (outs.len() * len) as u64;
                by_width!(outs[0].width, T => self.with_hand::<T>(outs, #[inline(always)] |machine, hand| {
                    die.roll(&mut machine.stream, &mut machine.words, *low, hand, len);
                }));
            }
            Op::RollSum {
                die,
                low,
                count,
                out,
            } => {
                self.counts.dice += count * len as u64;
                by_width!(out.width, T => {
                    let sums = &mut T::all_mut(columns)[out.at][..len];
                    die.add_rolls(&mut self.stream, &mut self.words, *low, *count, sums, self.is_over);
                });
            }
            Op::Checked { .. }
            | Op::Quotient { .. }
            | Op::RollDice { .. }
            | Op::RollBelow { .. }
            | Op::Draw { .. }
            | Op::ByRound { .. }
            | Op::Demand { .. } => self.rare(op)?,
            Op::Loop(_) => unreachable!("a loop is no part of a straight stretch"),
        }
        Ok(())
    }

    /// Operations that gain nothing from vectors.
    #[inline(never)]
    fn rare(&mut self, op: &'p Op) -> Result<(), Halt> {
        match op {
            Op::Quotient {
                division,
                out,
                a,
                b,
            } => {
                kernels::quotient(&mut self.columns, self.len, *division, *out, (*a, *b));
            }
            Op::Checked {
                op,
                out,
                beyond,
                a,
                b,
            } => kernels::checked(&mut self.columns, self.len, *op, (*out, *beyond), (*a, *b)),
            Op::RollDice { die, first, outs } => self.roll_dice(die, first, outs),
            Op::RollBelow { out, bound } => self.roll_below(*out, *bound),
            Op::Draw { bag, outs } => self.draw(bag, outs),
            Op::ByRound {
                out,
                values,
                otherwise,
            } => {
                let value = values.get(&self.rounds).copied().unwrap_or(*otherwise);
                let (columns, len) = (&mut self.columns, self.len);
                by_width!(out.width, T => kernels::fill::<T>(columns, len, *out, value));
            }
            Op::Demand {
                bad, shown, error, ..
            } => return self.demand(*bad, shown, *error),
            _ => unreachable!("all others are common"),
        }
        Ok(())
    }

    /// Takes columns out, lets `act` write them, and puts them back.
    #[inline(always)]
    fn with_hand<T: Lane>(&mut self, outs: &[Column], act: impl FnOnce(&mut Self, &mut [Vec<T>])) {
        let mut hand = std::mem::take(T::all_mut(&mut self.hands));
        let columns = T::all_mut(&mut self.columns);
        hand.extend(outs.iter().map(|out| std::mem::take(&mut columns[out.at])));
        act(self, &mut hand);
        let columns = T::all_mut(&mut self.columns);
        for (out, made) in outs.iter().zip(hand.drain(..)) {
            columns[out.at] = made;
        }
        *T::all_mut(&mut self.hands) = hand;
    }

    fn roll_dice(&mut self, die: &Die, first: &[Column], outs: &[Column]) {
        for (at, out) in outs.iter().enumerate() {
            by_width!(out.width, T => {
                let mut made = std::mem::take(&mut T::all_mut(&mut self.columns)[out.at]);
                let dice = &mut made[..self.len];
                match first.get(at) {
                    Some(from) => by_width!(from.width, A => {
                        let from = &A::all(&self.columns)[from.at];
                        self.counts.dice += finish(die, from, dice, &mut self.stream, self.is_over);
                    }),
                    None => self.counts.dice += roll_all(die, dice, &mut self.stream, self.is_over),
                }
                T::all_mut(&mut self.columns)[out.at] = made;
            });
        }
    }

    fn roll_below(&mut self, out: Column, bound: Column) {
        self.counts.dice += self.len as u64;
        for trial in 0..self.len {
            let bound = u64::try_from(self.columns.value(bound, trial)).unwrap_or(0);
            let place = self.stream.below(bound.max(1));
            self.columns.set(out, trial, place.cast_signed());
        }
    }

    /// A partial shuffle of the bag for each trial, which is undone afterwards.
    fn draw(&mut self, bag: &Bag, outs: &[Column]) {
        self.counts.dice += (outs.len() * self.len) as u64;
        let mut pieces = bag.pieces.clone();
        let mut swaps = Vec::with_capacity(outs.len());
        for trial in 0..self.len {
            let mut left = pieces.len();
            for (out, draw) in outs.iter().zip(&bag.draws) {
                let at = usize::try_from(draw.roll_one(&mut self.stream));
                let at = at.expect("places are not negative");
                left -= 1;
                self.columns.set(*out, trial, pieces[at]);
                pieces.swap(at, left);
                swaps.push((at, left));
            }
            while let Some((at, left)) = swaps.pop() {
                pieces.swap(at, left);
            }
        }
    }

    fn demand(&self, bad: Operand, shown: &[Column], error: usize) -> Result<(), Halt> {
        let trial = match bad {
            Operand::Constant(bad) => (bad != 0 && self.len > 0).then_some(0),
            Operand::Column(column) => {
                let bad = &self.columns.w8[column.at][..self.len];
                bad.iter().position(|bad| *bad != 0)
            }
        };
        let Some(trial) = trial else { return Ok(()) };
        let value = |column: &Column| self.columns.value(*column, trial);
        let values: Vec<i64> = shown.iter().map(value).collect();
        Err(self.program.errors[error].with(&values))
    }

    /// Rounds of a loop.
    fn repeat(&mut self, rounds: &'p Loop) -> Result<(), Halt> {
        let outside = self.len;
        for (outer, inner) in &rounds.captured {
            self.copy(Operand::Column(*outer), *inner);
        }
        for carried in &rounds.carried {
            self.copy(carried.start, carried.inner);
        }
        let mut home: Vec<usize> = (0..outside).collect();
        for round in 0.. {
            if round < rounds.most || rounds.count.is_none() {
                self.run(&rounds.head)?;
                let begins = self.leave(rounds, &mut home);
                if let (0, false, Some(error)) = (round, begins, rounds.must_begin) {
                    return Err(self.program.errors[error].with(&[]));
                }
            }
            if self.len == 0 || round == rounds.most {
                break;
            }
            if rounds.is_numbered {
                self.rounds
                    .push(usize::try_from(round).expect("rounds fit memory"));
            }
            self.run(&rounds.body)?;
            if rounds.is_numbered {
                self.rounds.pop();
            }
            for carried in &rounds.carried {
                self.copy(Operand::Column(carried.next), carried.inner);
            }
            if round == 0 {
                for (inner, outer) in &rounds.shown {
                    self.keep(*inner, *outer, 0..self.len, &home);
                }
            }
        }
        match rounds.must_end {
            Some(error) if self.len > 0 => return Err(self.program.errors[error].with(&[])),
            None if rounds.count.is_none() => self.counts.unfinished += self.len as u64,
            _ => {}
        }
        for carried in &rounds.carried {
            if let Some(stopped) = carried.stopped {
                self.copy(Operand::Constant(stopped), carried.inner);
            }
            self.keep(carried.inner, carried.out, 0..self.len, &home);
        }
        self.len = outside;
        Ok(())
    }

    fn copy(&mut self, from: Operand, to: Column) {
        let (columns, len) = (&mut self.columns, self.len);
        match from {
            Operand::Constant(value) => {
                by_width!(to.width, T => kernels::fill::<T>(columns, len, to, value));
            }
            Operand::Column(from) => by_width!(from.width, A => by_width!(to.width, T => {
                kernels::map(columns, len, to, from, |x: A| T::wrap(x.wide()));
            })),
        }
    }

    /// Puts values of trials where they belong outside of the loop: `places` has their places in here and `home`,
    /// for each place, that outside.
    fn keep(
        &mut self,
        inner: Column,
        outer: Column,
        places: impl Iterator<Item = usize>,
        home: &[usize],
    ) {
        debug_assert_eq!(inner.width, outer.width);
        by_width!(inner.width, T => {
            let columns = T::all_mut(&mut self.columns);
            let from = std::mem::take(&mut columns[inner.at]);
            for place in places {
                columns[outer.at][home[place]] = from[place];
            }
            columns[inner.at] = from;
        });
    }

    /// Lets the trials leave that are done; whether all stay.
    fn leave(&mut self, rounds: &Loop, home: &mut Vec<usize>) -> bool {
        let (staying, leaving): (Vec<usize>, Vec<usize>) = match rounds.stop {
            Operand::Constant(0) => return true,
            Operand::Constant(_) => (Vec::new(), (0..self.len).collect()),
            Operand::Column(stop) => {
                let stops = &self.columns.w8[stop.at][..self.len];
                (
                    places(stops, |stop| stop == 0),
                    places(stops, |stop| stop != 0),
                )
            }
        };
        if leaving.is_empty() {
            return true;
        }
        for carried in &rounds.carried {
            let leaving = leaving.iter().copied();
            self.keep(carried.inner, carried.out, leaving, home);
        }
        let inner = rounds.captured.iter().map(|(_, inner)| *inner);
        for column in inner.chain(rounds.carried.iter().map(|carried| carried.inner)) {
            by_width!(column.width, T => {
                move_up(&mut T::all_mut(&mut self.columns)[column.at], &staying);
            });
        }
        move_up(home, &staying);
        home.truncate(staying.len());
        self.len = staying.len();
        false
    }
}

/// The places of the items for which `is_meant` holds, ascending.
fn places(items: &[i8], is_meant: impl Fn(i8) -> bool) -> Vec<usize> {
    // Without a branch for each, which nobody could foresee.
    let mut places = vec![0; items.len()];
    let mut count = 0;
    for (at, item) in items.iter().enumerate() {
        places[count] = at;
        count += usize::from(is_meant(*item));
    }
    places.truncate(count);
    places
}

/// Moves the items at these places, which ascend, to the front.
fn move_up<T: Copy>(items: &mut [T], places: &[usize]) {
    for (to, from) in places.iter().enumerate() {
        items[to] = items[*from];
    }
}

/// Rolls what follows the first faces of dice; how many rolls that took.
fn finish<A: Lane, T: Lane>(
    die: &Die,
    first: &[A],
    dice: &mut [T],
    stream: &mut Stream,
    is_over: IsOver<'_>,
) -> u64 {
    let mut rolls = Rolls::new(is_over);
    for (to, first) in dice.iter_mut().zip(first) {
        let mut face = first.wide();
        if die.goes_on(face) {
            face = die.finish(face, stream, &mut rolls);
        }
        *to = T::wrap(face);
    }
    rolls.count
}

/// Rolls dice; how many rolls that took.
fn roll_all<T: Lane>(die: &Die, dice: &mut [T], stream: &mut Stream, is_over: IsOver<'_>) -> u64 {
    let mut rolls = Rolls::new(is_over);
    for to in dice {
        *to = T::wrap(die.roll(stream, &mut rolls));
    }
    rolls.count
}

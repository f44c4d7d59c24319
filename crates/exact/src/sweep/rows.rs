//! Rows in order, made in parallel.

use std::ops::Range;

use rayon::prelude::*;

use crate::Error;
use crate::requirements::holds;
use crate::sweep::moment_sums::Scratch;
use crate::sweep::plan::Sweep;
use crate::sweep::row::{Answers, LineAnswers, Row};
use crate::sweep::space::{ROW_STEPS, digits, over_budget, set_last};

/// Configurations that one task renders where each is a few sums: long enough to be worth a task, short enough to stay
/// in cache.
const CHUNK: u64 = 2048;

/// The same where they are played from the beginning: few, since each may take long, and all threads want some.
const PLAYED_CHUNK: u64 = 64;

/// Rows that are answered together: enough to share what they have in common, few enough to stay in the nearest cache.
const LINE: usize = 64;

impl Sweep<'_> {
    /// Renders every wanted row in parallel, in chunks, and hands the chunks to `write` in order; what comes next is rendered
    /// meanwhile. Memory does not grow with the number of rows.
    ///
    /// # Errors
    /// The first error of a row, or of `write`, in order.
    pub fn run<B: Default + Send, E: From<Error>>(
        &self,
        render: impl Fn(&Row<'_>, &mut B) + Sync,
        write: impl FnMut(B) -> Result<(), E>,
    ) -> Result<(), E> {
        self.run_chunks(Broken::Refused, &render, write).map(|_| ())
    }

    /// [`Sweep::run`] in which a configuration that breaks a rule does not end it: its row has no answers, and says why
    /// ([`Row::broken`]). Returns how many such rows there were.
    ///
    /// # Errors
    /// The first error of another kind, or of `write`, in order.
    pub fn run_with_gaps<B: Default + Send, E: From<Error>>(
        &self,
        render: impl Fn(&Row<'_>, &mut B) + Sync,
        write: impl FnMut(B) -> Result<(), E>,
    ) -> Result<Gaps, E> {
        self.run_chunks(Broken::Shown, &render, write)
    }

    fn run_chunks<B: Default + Send, E: From<Error>>(
        &self,
        broken: Broken,
        render: &(impl Fn(&Row<'_>, &mut B) + Sync),
        mut write: impl FnMut(B) -> Result<(), E>,
    ) -> Result<Gaps, E> {
        let wanted = self.wanted();
        let chunks = (wanted.end - wanted.start).div_ceil(self.chunk_len());
        let at_once = 4 * u64::try_from(rayon::current_num_threads()).unwrap_or(1);
        let batch_at = |from: u64| from.min(chunks)..chunks.min(from.saturating_add(at_once));
        let mut gaps = Gaps::default();
        let mut batch = batch_at(0);
        let mut rendered = self.batch(batch.clone(), broken, render);
        while !batch.is_empty() {
            let next = batch_at(batch.end);
            let mut next_rendered = Vec::new();
            let written = rayon::in_place_scope(|scope| {
                if !next.is_empty() {
                    scope.spawn(|_| next_rendered = self.batch(next.clone(), broken, render));
                }
                for chunk in std::mem::take(&mut rendered) {
                    let (buffer, own) = chunk?;
                    gaps.extend(own);
                    write(buffer)?;
                }
                Ok::<(), E>(())
            });
            written?;
            (batch, rendered) = (next, next_rendered);
        }
        Ok(gaps)
    }

    fn batch<B: Default + Send>(
        &self,
        chunks: Range<u64>,
        broken: Broken,
        render: &(impl Fn(&Row<'_>, &mut B) + Sync),
    ) -> Vec<Result<(B, Gaps), Error>> {
        let chunks = chunks.into_par_iter();
        chunks
            .map(|chunk| self.chunk(chunk, broken, render))
            .collect()
    }

    fn chunk<B: Default>(
        &self,
        chunk: u64,
        broken: Broken,
        render: &impl Fn(&Row<'_>, &mut B),
    ) -> Result<(B, Gaps), Error> {
        let Range { start, end } = self.wanted();
        let start = start + chunk * self.chunk_len();
        let end = end.min(start + self.chunk_len());
        let (mut buffer, mut room) = (B::default(), self.room_at(start));
        let mut gaps = Gaps::default();
        while room.number < end {
            let rows = self.find(end - room.number, &mut room);
            let mut ready = |row: &Row<'_>| render(row, &mut buffer);
            match self.line(&mut room, &mut ready) {
                Ok(()) => self.go_on(rows, &mut room),
                Err((number, error @ Error::Rule(_))) if broken == Broken::Shown => {
                    room = self.room_at(number);
                    self.find(1, &mut room);
                    ready(&Row {
                        number,
                        values: &room.values,
                        answers: Answers::none(),
                        broken: Some(&error),
                    });
                    room = self.room_at(number + 1);
                    gaps.add(error);
                }
                Err((_, error)) => return Err(error),
            }
        }
        self.space
            .budget
            .complete((end - start).saturating_mul(self.row_steps()));
        Ok((buffer, gaps))
    }

    fn chunk_len(&self) -> u64 {
        if self.is_shared() {
            CHUNK
        } else {
            PLAYED_CHUNK
        }
    }

    /// Answers rows one after the other, on this thread, in order; `take` gets each row's number, and its answers or why
    /// there are none. What a row costs is charged as it is answered. Rows that break a requirement are passed over.
    ///
    /// # Errors
    /// If the budget is spent.
    ///
    /// # Panics
    /// If there are not so many rows.
    pub fn rows(
        &self,
        numbers: Range<u64>,
        mut take: impl FnMut(u64, Result<Row<'_>, Error>),
    ) -> Result<(), Error> {
        assert!(numbers.end <= self.configurations(), "a row of this sweep");
        let steps = u128::from(numbers.end.saturating_sub(numbers.start)) * u128::from(ROW_STEPS);
        let charged = self.space.budget.charge(steps);
        charged.map_err(|_| {
            over_budget(
                self.space.check,
                self.space.ranges,
                steps,
                self.space.budget,
            )
        })?;
        let mut room = self.room_at(numbers.start);
        while room.number < numbers.end {
            let rows = self.find(numbers.end - room.number, &mut room);
            let mut ready = |row: &Row<'_>| take(row.number, Ok(*row));
            match self.line(&mut room, &mut ready) {
                Ok(()) => self.go_on(rows, &mut room),
                Err((_, error @ Error::OverBudget { .. })) => return Err(error),
                Err((number, error)) => {
                    take(number, Err(error));
                    room = self.room_at(number + 1);
                }
            }
        }
        Ok(())
    }

    /// The steps that all rows of a sweep on demand are predicted to take, if each is asked for once. Rows that are played
    /// from the beginning are sampled to learn that: what is played is charged, and kept for when its row is asked for.
    ///
    /// # Errors
    /// If a sample is over the budget.
    pub fn predict(&mut self) -> Result<u128, Error> {
        let mut steps = u128::from(self.configurations) * u128::from(ROW_STEPS);
        for part in self.parts.iter_mut().filter(|part| !part.is_shared()) {
            steps = steps.saturating_add(part.predict(&self.space)?);
        }
        Ok(steps)
    }

    /// Stands at a row.
    fn room_at(&self, number: u64) -> Room {
        let lens = self.space.ranges.iter().map(|range| range.values.len());
        Room {
            number,
            places: digits(number, lens),
            ..Room::default()
        }
    }

    /// Finds the row at hand and those after it in which only the last swept input differs, but no more than `most`;
    /// returns how many they are.
    fn find(&self, most: u64, room: &mut Room) -> usize {
        let first = room.places.last().copied().unwrap_or(0);
        let len = self
            .space
            .ranges
            .last()
            .map_or(1, |range| range.values.len());
        let most = usize::try_from(most).map_or(LINE, |most| most.min(LINE));
        room.first = first;
        room.last.clear();
        room.last.extend((first..len).take(most));
        let ranges = self.space.ranges.iter().zip(&room.places);
        room.values.clear();
        room.values
            .extend(ranges.map(|(range, &place)| range.values[place]));
        room.last.len()
    }

    /// Goes on to the row so many after the one that was found.
    fn go_on(&self, rows: usize, room: &mut Room) {
        room.number += rows as u64;
        set_last(&mut room.places, room.first);
        let mut steps = rows;
        for (place, range) in room.places.iter_mut().zip(self.space.ranges).rev() {
            *place += steps;
            if *place < range.values.len() {
                return;
            }
            (*place, steps) = (0, 1);
        }
    }

    /// Hands on rows in which only the last swept input varies; or says which row has no answer, and why.
    fn line(&self, room: &mut Room, ready: &mut impl FnMut(&Row<'_>)) -> Result<(), (u64, Error)> {
        let Room {
            number,
            first,
            places,
            last,
            values,
            scratch,
            answers,
        } = room;
        let numbered = |place: usize, error| (*number + (place - *first) as u64, error);
        // The first error in the order of the rows is told: each one leaves only the rows before it.
        let stop = self.keep_legal(places, last);
        let mut stop = stop.map_err(|(place, error)| numbered(place, error));
        answers.begin(last.len(), self.space.queries.len());
        for part in &self.parts {
            if let Err((done, error)) = part.answer(&self.space, (places, last), scratch, answers) {
                set_last(places, last[done]);
                let error = error.in_config(self.space.check, &self.space.config_at(places));
                stop = Err(numbered(last[done], error));
                last.truncate(done);
            }
        }
        for (at, &place) in last.iter().enumerate() {
            if let (Some(value), Some(range)) = (values.last_mut(), self.space.ranges.last()) {
                *value = range.values[place];
            }
            let row = Row {
                number: *number + (place - *first) as u64,
                values,
                answers: answers.row(at),
                broken: None,
            };
            ready(&row);
        }
        stop
    }

    /// Keeps the last places of rows that meet all requirements, up to the first error, which is told with its place.
    fn keep_legal(
        &self,
        places: &mut [usize],
        last: &mut Vec<usize>,
    ) -> Result<(), (usize, Error)> {
        if self.requires.is_empty() && self.unsure.is_none() {
            return Ok(());
        }
        let mut stop = Ok(());
        last.retain(|&place| {
            if stop.is_err() {
                return false;
            }
            set_last(places, place);
            self.is_legal(places).unwrap_or_else(|error| {
                stop = Err((place, error));
                false
            })
        });
        stop
    }

    fn is_legal(&self, places: &[usize]) -> Result<bool, Error> {
        let config = self.space.config_at(places);
        for condition in &self.requires {
            if !holds(self.space.check, &config, condition)? {
                return Ok(false);
            }
        }
        if let Some(unsure) = &self.unsure {
            let found = unsure.at(self.space.check, &config, self.space.budget);
            found.map_err(|error| error.in_config(self.space.check, &config))?;
        }
        Ok(true)
    }
}

/// The rows of a sweep that have no answers, since their configurations break a rule.
#[derive(Clone, Debug, Default)]
pub struct Gaps {
    /// How many they are.
    pub count: u64,
    /// What the first of them breaks.
    pub first: Option<Error>,
}

impl Gaps {
    fn add(&mut self, error: Error) {
        self.count += 1;
        self.first.get_or_insert(error);
    }

    /// Adds those of rows that come later.
    pub fn extend(&mut self, later: Self) {
        self.count += later.count;
        if self.first.is_none() {
            self.first = later.first;
        }
    }
}

/// What becomes of a configuration that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    /// It ends the sweep.
    Refused,
    /// It has a row without answers.
    Shown,
}

/// Rows in which only the last swept input varies; its memory is used again for the next ones.
#[derive(Default)]
struct Room {
    /// The number of the first row.
    number: u64,
    /// Its last place.
    first: usize,
    /// The place of each swept input's value; the last is that of any of the rows.
    places: Vec<usize>,
    /// The last place of each row.
    last: Vec<usize>,
    /// The values at the places.
    values: Vec<i64>,
    scratch: Scratch,
    answers: LineAnswers,
}

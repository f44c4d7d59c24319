//! Rows in order, made in parallel.

use std::ops::Range;

use rayon::prelude::*;

use crate::Error;
use crate::question::holds;
use crate::sweep::kernel::Scratch;
use crate::sweep::{Row, RowAnswer, Sweep};

/// Configurations that one task renders: long enough to be worth a task, short enough to stay in cache.
const CHUNK: u64 = 2048;

/// Rows that are answered together: enough to share what they have in common, few enough to stay in the nearest cache.
const LINE: usize = 64;

impl Sweep<'_> {
    /// Renders every row in parallel, in chunks, and hands the chunks to `write` in order with the number of
    /// configurations done so far; what comes next is rendered meanwhile. Memory does not grow with the number of
    /// rows.
    ///
    /// # Errors
    /// The first error of a row, or of `write`, in order.
    pub fn run<B: Default + Send, E: From<Error>>(
        &self,
        render: impl Fn(&Row<'_>, &mut B) + Sync,
        mut write: impl FnMut(B, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let chunks = self.configurations().div_ceil(CHUNK);
        let at_once = 4 * u64::try_from(rayon::current_num_threads()).unwrap_or(1);
        let batch_at = |from: u64| from.min(chunks)..chunks.min(from.saturating_add(at_once));
        let mut batch = batch_at(0);
        let mut rendered = self.batch(batch.clone(), &render);
        while !batch.is_empty() {
            let next = batch_at(batch.end);
            let mut next_rendered = Vec::new();
            let written = rayon::in_place_scope(|scope| {
                if !next.is_empty() {
                    scope.spawn(|_| next_rendered = self.batch(next.clone(), &render));
                }
                for (chunk, buffer) in batch.clone().zip(std::mem::take(&mut rendered)) {
                    write(buffer?, self.configurations().min((chunk + 1) * CHUNK))?;
                }
                Ok::<(), E>(())
            });
            written?;
            (batch, rendered) = (next, next_rendered);
        }
        Ok(())
    }

    fn batch<B: Default + Send>(
        &self,
        chunks: Range<u64>,
        render: &(impl Fn(&Row<'_>, &mut B) + Sync),
    ) -> Vec<Result<B, Error>> {
        let chunks = chunks.into_par_iter();
        chunks.map(|chunk| self.chunk(chunk, render)).collect()
    }

    fn chunk<B: Default>(
        &self,
        chunk: u64,
        render: &impl Fn(&Row<'_>, &mut B),
    ) -> Result<B, Error> {
        let (mut buffer, mut room) = (B::default(), Room::default());
        let (mut row, end) = (
            chunk * CHUNK,
            self.configurations().min((chunk + 1) * CHUNK),
        );
        while row < end {
            self.find(row, end - row, &mut room);
            row += room.last.len() as u64;
            self.line(&mut room, render, &mut buffer)?;
        }
        Ok(buffer)
    }

    /// Finds a row and those after it in which only the last swept input differs, but no more than `most`.
    fn find(&self, mut row: u64, most: u64, room: &mut Room) {
        room.places.clear();
        room.places.resize(self.ranges.len(), 0);
        for (place, range) in room.places.iter_mut().zip(self.ranges).rev() {
            let len = range.values.len() as u64;
            *place = usize::try_from(row % len).expect("less than a length");
            row /= len;
        }
        let first = room.places.last().copied().unwrap_or(0);
        let len = self.ranges.last().map_or(1, |range| range.values.len());
        let most = usize::try_from(most).map_or(LINE, |most| most.min(LINE));
        room.last.clear();
        room.last.extend((first..len).take(most));
        let ranges = self.ranges.iter().zip(&room.places);
        room.values.clear();
        room.values
            .extend(ranges.map(|(range, &place)| range.values[place]));
    }

    /// Renders rows in which only the last swept input varies.
    fn line<B>(
        &self,
        room: &mut Room,
        render: &impl Fn(&Row<'_>, &mut B),
        buffer: &mut B,
    ) -> Result<(), Error> {
        let Room {
            places,
            last,
            values,
            scratch,
            answers,
        } = room;
        // The first error in the order of the rows is told: each one leaves only the rows before it.
        let mut stop = self.keep_legal(places, last);
        answers.resize(last.len() * self.queries.len(), RowAnswer::NOTHING);
        for part in &self.parts {
            if let Err((done, error)) = part.answer(self, (places, last), scratch, answers) {
                set_last(places, last[done]);
                stop = Err(error.in_config(self.check, &self.config_at(places)));
                last.truncate(done);
            }
        }
        stop?;
        for (at, &place) in last.iter().enumerate() {
            if let (Some(value), Some(range)) = (values.last_mut(), self.ranges.last()) {
                *value = range.values[place];
            }
            let answers = &answers[at * self.queries.len()..][..self.queries.len()];
            render(&Row { values, answers }, buffer);
        }
        Ok(())
    }

    /// Keeps the last places of rows that meet all requirements, up to the first error.
    fn keep_legal(&self, places: &mut [usize], last: &mut Vec<usize>) -> Result<(), Error> {
        if self.requires.is_empty() {
            return Ok(());
        }
        let mut stop = Ok(());
        last.retain(|&place| {
            if stop.is_err() {
                return false;
            }
            set_last(places, place);
            self.is_legal(places).unwrap_or_else(|error| {
                stop = Err(error);
                false
            })
        });
        stop
    }

    fn is_legal(&self, places: &[usize]) -> Result<bool, Error> {
        let config = self.config_at(places);
        for condition in &self.requires {
            if !holds(self.check, &config, condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Rows in which only the last swept input varies; its memory is used again for the next ones.
#[derive(Default)]
struct Room {
    /// The place of each swept input's value; the last is that of any of the rows.
    places: Vec<usize>,
    /// The last place of each row.
    last: Vec<usize>,
    /// The values at the places.
    values: Vec<i64>,
    scratch: Scratch,
    /// The answers of row after row.
    answers: Vec<RowAnswer>,
}

/// Changes the last of the places, if there is any.
pub(crate) fn set_last(places: &mut [usize], place: usize) {
    if let Some(last) = places.last_mut() {
        *last = place;
    }
}

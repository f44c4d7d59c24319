//! Rows in order, made in parallel.

use oddsmith_dist::IBig;
use rayon::prelude::*;

use crate::question::holds;
use crate::sweep::kernel::Scratch;
use crate::sweep::{Row, Sweep};
use crate::{Answer, Error};

/// Configurations that one task renders: long enough to be worth a task, short enough to stay in cache.
const CHUNK: u64 = 2048;

impl Sweep<'_> {
    /// Renders every row in parallel, in chunks, and hands the chunks to `write` in order with the number of
    /// configurations done so far. Memory does not grow with the number of rows.
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
        let mut next = 0;
        while next < chunks {
            let batch = next..chunks.min(next + at_once);
            let rendered: Vec<Result<B, Error>> = batch
                .clone()
                .into_par_iter()
                .map(|chunk| self.chunk(chunk, &render))
                .collect();
            for (chunk, buffer) in batch.clone().zip(rendered) {
                write(buffer?, self.configurations().min((chunk + 1) * CHUNK))?;
            }
            next = batch.end;
        }
        Ok(())
    }

    fn chunk<B: Default>(
        &self,
        chunk: u64,
        render: &impl Fn(&Row<'_>, &mut B),
    ) -> Result<B, Error> {
        let mut buffer = B::default();
        let start = chunk * CHUNK;
        let mut places = self.places_of(start);
        let mut values: Vec<i64> = vec![0; self.ranges.len()];
        let mut scratches: Vec<Scratch> =
            self.parts.iter().map(super::part::Part::scratch).collect();
        let mut sums: Vec<IBig> = Vec::new();
        let mut answers = vec![Answer::nothing(); self.queries.len()];
        for _ in start..self.configurations().min(start + CHUNK) {
            if self.is_legal(&places)? {
                for (value, (range, &place)) in
                    values.iter_mut().zip(self.ranges.iter().zip(&places))
                {
                    *value = range.values[place];
                }
                for (part, scratch) in self.parts.iter().zip(&mut scratches) {
                    part.answer(self, &places, scratch, &mut sums, &mut answers)
                        .map_err(|error| error.in_config(self.check, &self.config_at(&places)))?;
                }
                render(
                    &Row {
                        values: &values,
                        answers: &answers,
                    },
                    &mut buffer,
                );
            }
            self.advance(&mut places);
        }
        Ok(buffer)
    }

    /// The place of each swept input's value in a row.
    fn places_of(&self, mut row: u64) -> Vec<usize> {
        let mut places = vec![0; self.ranges.len()];
        for (place, range) in places.iter_mut().zip(self.ranges).rev() {
            let len = range.values.len() as u64;
            *place = usize::try_from(row % len).expect("less than a length");
            row /= len;
        }
        places
    }

    /// To the next row: the last input fastest.
    fn advance(&self, places: &mut [usize]) {
        for (place, range) in places.iter_mut().zip(self.ranges).rev() {
            *place += 1;
            if *place < range.values.len() {
                return;
            }
            *place = 0;
        }
    }

    fn is_legal(&self, places: &[usize]) -> Result<bool, Error> {
        if self.requires.is_empty() {
            return Ok(true);
        }
        let config = self.config_at(places);
        for condition in &self.requires {
            if !holds(self.check, &config, condition, &self.inputs_only)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

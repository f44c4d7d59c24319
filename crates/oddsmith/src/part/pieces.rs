//! Work that consists of several pieces, each of several units.

use std::io::Write;
use std::ops::Range;

use oddsmith_analysis::rows::{configurations, note_rows};
use oddsmith_rules::{Check, Query};

use super::job::Job;
use super::number::PartNumber;
use super::transcript::transcribe;
use crate::{Error, Limits, questions};

/// What asks for some of the units of a piece.
type Ask<'a> = Box<dyn Fn(Range<u64>, &Limits) + Send + Sync + 'a>;

/// Pieces of work, one after the other, of which a part asks some units for its transcript.
#[derive(Default)]
pub(crate) struct Pieces<'a>(Vec<(u64, Ask<'a>)>);

impl<'a> Pieces<'a> {
    /// Adds a piece of so many units; `ask` asks for some of them. What has no answer is passed over.
    pub(crate) fn push(
        &mut self,
        units: u64,
        ask: impl Fn(Range<u64>, &Limits) + Send + Sync + 'a,
    ) {
        self.0.push((units, Box::new(ask)));
    }

    /// Adds the rows of the table that reports and accepted odds have of a check, each with the limits by itself.
    pub(crate) fn push_table(&mut self, check: &'a Check) {
        let ranges = check.default_sweep();
        self.push(configurations(&ranges), move |wanted, limits| {
            let Ok(columns) = questions::of_report(check) else {
                return;
            };
            let queries: Vec<Query> = columns.into_iter().map(|(_, query)| query).collect();
            let asked = (&queries[..], &*limits.share());
            let _ = note_rows((check, &check.defaults(), &ranges), asked, wanted);
        });
    }

    /// Asks for the units of a part, as a run, and writes the part; `out` is handed back.
    ///
    /// # Errors
    /// As [`transcribe`].
    pub(crate) fn transcribe<W: Write>(
        &self,
        part: (&Job, PartNumber),
        limits: &Limits,
        out: W,
    ) -> Result<W, Error> {
        transcribe(part, self.units(), limits, out, |wanted, limits| {
            self.ask(&wanted, &limits.of_run(Limits::TABLES));
        })
    }

    /// The number of all units.
    fn units(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |sum, (units, _)| sum.saturating_add(*units))
    }

    /// Asks for these units.
    fn ask(&self, wanted: &Range<u64>, limits: &Limits) {
        let mut first: u64 = 0;
        for (units, ask) in &self.0 {
            let end = first.saturating_add(*units);
            let own = wanted.start.clamp(first, end) - first..wanted.end.clamp(first, end) - first;
            if !own.is_empty() {
                ask(own, limits);
            }
            first = end;
        }
    }
}

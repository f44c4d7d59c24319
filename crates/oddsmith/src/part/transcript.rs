//! Parts of work that asks the exact engine many things: the questions with their answers.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use oddsmith_dist::Transcript;
use serde::{Deserialize, Serialize};

use super::file::{PartWriter, unwritable};
use super::job::Job;
use super::number::PartNumber;
use super::parts::Whole;
use crate::{Error, Limits};

/// The line before the lines of an answer.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// What was asked.
    asked: String,
    /// The first row that is answered.
    from: u64,
    /// How many lines the answer has.
    lines: u64,
}

/// Does a part of so many units of work and writes what was asked and answered; `out` is handed back. What has no answer is
/// passed over by the work: whoever has all parts meets it.
///
/// # Errors
/// If the work is cancelled, or the part can't be written.
pub(crate) fn transcribe<W: Write>(
    (job, number): (&Job, PartNumber),
    units: u64,
    limits: &Limits,
    out: W,
    work: impl FnOnce(Range<u64>, &Limits) + Send,
) -> Result<W, Error> {
    let transcript = Arc::new(Transcript::noting());
    let own = &Limits {
        threads: None, // It is on its threads already.
        ..limits.with_transcript(Arc::clone(&transcript))
    };
    limits.run(|| {
        work(number.of_units(units), own);
        Ok(())
    })?;
    let write = || {
        let mut writer = PartWriter::new(out, job, number)?;
        for ((asked, from), answer) in transcript.entries() {
            let lines = answer.iter().filter(|byte| **byte == b'\n').count() as u64;
            writer.result(&Entry { asked, from, lines })?;
            writer.lines(&answer)?;
        }
        writer.finish()
    };
    write().map_err(|error| unwritable(&error))
}

impl Whole {
    /// Limits with which the questions that were asked in the parts need no work: their answers are known. They are held in
    /// memory.
    ///
    /// # Errors
    /// If a part can't be read.
    pub fn limits(&self, limits: &Limits) -> Result<Limits, Error> {
        let (mut lines, mut entries) = (self.lines(), Vec::new());
        while let Some(line) = lines.next_line()? {
            let entry: Result<Entry, _> = serde_json::from_slice(line);
            let entry = entry.map_err(|error| lines.broken(&error.to_string()))?;
            let mut answer = Vec::new();
            for _ in 0..entry.lines {
                let Some(line) = lines.next_line()? else {
                    return Err(lines.broken("an answer ends before its end"));
                };
                answer.extend_from_slice(line);
                answer.push(b'\n');
            }
            entries.push(((entry.asked, entry.from), answer));
        }
        Ok(limits.with_transcript(Arc::new(Transcript::known(entries))))
    }
}

//! The files of parts: a line that says what it is, a line for each result, and a line at the end.
//!
//! A file may hold several parts, one after the other, each as a file of its own would have it.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::job::Job;
use super::number::PartNumber;
use crate::{Error, reason};

/// The version of the files' form.
pub(super) const FORM: u32 = 1;

/// What the last line begins with; its number of lines follows, which are between the first and the last.
pub(super) const END: &str = "end ";

/// The first line of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    /// The version of the form.
    #[serde(rename = "oddsmith-part")]
    pub(super) form: u32,
    /// Which part of how many.
    #[serde(flatten)]
    pub(super) number: PartNumber,
    /// What it is part of.
    pub(super) job: Job,
}

/// A part that is being written; without its end it is not complete.
#[derive(Debug)]
pub struct PartWriter<W> {
    out: W,
    lines: u64,
}

impl<W: Write> PartWriter<W> {
    /// Writes what it is.
    ///
    /// # Errors
    /// If nothing can be written.
    pub fn new(mut out: W, job: &Job, number: PartNumber) -> io::Result<Self> {
        let head = Head {
            form: FORM,
            number,
            job: job.clone(),
        };
        serde_json::to_writer(&mut out, &head)?;
        out.write_all(b"\n")?;
        Ok(Self { out, lines: 0 })
    }

    /// Adds whole lines with their ends.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn lines(&mut self, lines: &[u8]) -> io::Result<()> {
        self.lines += lines.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.out.write_all(lines)
    }

    /// Adds a result as a line of JSON.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn result(&mut self, result: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(result)?;
        line.push(b'\n');
        self.lines(&line)
    }

    /// Completes it.
    ///
    /// # Errors
    /// If the end can't be written.
    pub fn finish(mut self) -> io::Result<W> {
        writeln!(self.out, "{END}{}", self.lines)?;
        Ok(self.out)
    }
}

/// The error that a part can't be written.
pub(crate) fn unwritable(error: &io::Error) -> Error {
    Error::advice(format!("can't write the part: {}", reason(error)), "")
}

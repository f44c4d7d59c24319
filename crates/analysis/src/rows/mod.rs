//! The rows of a sweep, and distributions: worked out, or known from a transcript of what was asked elsewhere.
//!
//! Whoever asks through this module gets the same answers either way. A question is named by its check, which is its name
//! and what its program says, the configuration, and what is asked, so that the answer to another question is never taken
//! for its own: a check that was changed since has another name.

mod lines;
mod question;

use std::ops::Range;
use std::str;

use oddsmith_dist::Dist;
use oddsmith_exact::{Budget, Error, Gaps, Row, Sweep, UBig, distribution};
use oddsmith_rules::{Check, Config, InputRange, Outcome, Query};

pub use lines::{BrokenRows, LineSource, RowLines, RowReader, push_skipped};
pub use question::Asked;

/// The rows of a sweep.
#[derive(Debug)]
pub struct Rows<'a> {
    check: &'a Check,
    config: &'a Config,
    ranges: &'a [InputRange],
    queries: &'a [Query],
    budget: &'a Budget,
    source: Source<'a>,
}

#[derive(Debug)]
enum Source<'a> {
    /// They are worked out.
    Worked(Box<Sweep<'a>>),
    /// They are, and noted.
    Noted(Box<Sweep<'a>>, String),
    /// They were, and were noted under this question.
    Known(String),
}

impl<'a> Rows<'a> {
    /// The rows of `ranges` (the last fastest) around `config`. If the budget has a transcript in which they are, nothing is
    /// worked out; if answers are noted there, these are.
    ///
    /// # Errors
    /// As [`Sweep::new`].
    pub fn of(
        check: &'a Check,
        config: &'a Config,
        ranges: &'a [InputRange],
        queries: &'a [Query],
        budget: &'a Budget,
    ) -> Result<Self, Error> {
        let sweep = || Sweep::new(check, config, ranges, queries, budget).map(Box::new);
        let source = match budget.transcript() {
            None => Source::Worked(sweep()?),
            Some(transcript) => {
                let question = Asked::of(check).rows(config, ranges, (queries, budget));
                match is_known(transcript.pieces(&question), ranges, queries) {
                    true => Source::Known(question),
                    false if transcript.is_noting() => Source::Noted(sweep()?, question),
                    false => Source::Worked(sweep()?),
                }
            }
        };
        Ok(Self {
            check,
            config,
            ranges,
            queries,
            budget,
            source,
        })
    }

    /// How many configurations there are.
    pub fn configurations(&self) -> u64 {
        match &self.source {
            Source::Worked(sweep) | Source::Noted(sweep, _) => sweep.configurations(),
            Source::Known(_) => configurations(self.ranges),
        }
    }

    /// As [`Sweep::run`].
    ///
    /// # Errors
    /// As [`Sweep::run`].
    pub fn run<B: Default + Send, E: From<Error>>(
        &self,
        render: impl Fn(&Row<'_>, &mut B) + Sync,
        write: impl FnMut(B) -> Result<(), E>,
    ) -> Result<(), E> {
        match &self.source {
            Source::Worked(sweep) => sweep.run(render, write),
            Source::Noted(sweep, question) => {
                self.noted(question, write, |write| sweep.run(both(render), write))
            }
            Source::Known(question) => {
                let gaps = self.known(question, true, render, write)?;
                gaps.first.map_or(Ok(()), |error| Err(error.into()))
            }
        }
    }

    /// As [`Sweep::run_with_gaps`].
    ///
    /// # Errors
    /// As [`Sweep::run_with_gaps`].
    pub fn run_with_gaps<B: Default + Send, E: From<Error>>(
        &self,
        render: impl Fn(&Row<'_>, &mut B) + Sync,
        write: impl FnMut(B) -> Result<(), E>,
    ) -> Result<Gaps, E> {
        match &self.source {
            Source::Worked(sweep) => sweep.run_with_gaps(render, write),
            Source::Noted(sweep, question) => self.noted(question, write, |write| {
                sweep.run_with_gaps(both(render), write)
            }),
            Source::Known(question) => self.known(question, false, render, write),
        }
    }

    /// Hands on what is worked out, and notes the lines of all rows once there are no more.
    fn noted<B, E, T>(
        &self,
        question: &str,
        mut write: impl FnMut(B) -> Result<(), E>,
        run: impl FnOnce(&mut dyn FnMut((B, RowLines)) -> Result<(), E>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut noted = NotedLines::from(0);
        let ran = run(&mut |(made, lines)| {
            noted.push(lines);
            write(made)
        })?;
        noted.note(self.budget, question, self.configurations());
        Ok(ran)
    }

    /// Hands on what is known.
    fn known<B: Default, E: From<Error>>(
        &self,
        question: &str,
        is_strict: bool,
        render: impl Fn(&Row<'_>, &mut B),
        mut write: impl FnMut(B) -> Result<(), E>,
    ) -> Result<Gaps, E> {
        let transcript = self.budget.transcript();
        let pieces = transcript.into_iter().flat_map(|own| own.pieces(question));
        let rows = RowReader::new(lines_of(pieces), self.ranges, self.queries.len());
        let write = |made| write(made).map_err(Ended::Write);
        let broken = rows
            .run(is_strict, render, write)
            .map_err(|ended| match ended {
                Ended::Write(error) => error,
                Ended::Unreadable => unreachable!("they were read before"),
            })?;
        let asked = (self.queries, self.budget);
        let error = |number| broken_row((self.check, self.config, self.ranges), asked, number);
        Ok(Gaps {
            count: broken.count,
            first: broken.first.map(error).transpose()?.flatten(),
        })
    }
}

/// Works some of the rows of a sweep out and notes them, where answers are noted; see [`Rows::of`].
///
/// # Errors
/// As [`Sweep::within`], and as [`Sweep::run`].
///
/// # Panics
/// As [`Sweep::within`].
pub fn note_rows(
    (check, config, ranges): (&Check, &Config, &[InputRange]),
    (queries, budget): (&[Query], &Budget),
    wanted: Range<u64>,
) -> Result<(), Error> {
    if wanted.is_empty() {
        return Ok(());
    }
    let sweep = Sweep::within(check, config, ranges, (queries, budget), wanted.clone())?;
    let mut noted = NotedLines::from(wanted.start);
    sweep.run_with_gaps(RowLines::take, |lines| {
        noted.push(lines);
        Ok::<(), Error>(())
    })?;
    let question = Asked::of(check).rows(config, ranges, (queries, budget));
    noted.note(budget, &question, wanted.end);
    Ok(())
}

/// What a row breaks: it is asked once more. None if it breaks no rule.
///
/// # Errors
/// As [`Sweep::within`].
///
/// # Panics
/// As [`Sweep::within`].
pub fn broken_row(
    (check, config, ranges): (&Check, &Config, &[InputRange]),
    asked: (&[Query], &Budget),
    number: u64,
) -> Result<Option<Error>, Error> {
    let sweep = Sweep::within(check, config, ranges, asked, number..number + 1)?;
    let gaps = sweep.run_with_gaps(|_, (): &mut ()| (), |()| Ok::<(), Error>(()))?;
    Ok(gaps.first)
}

/// How many configurations there are, with those that break a requirement.
pub fn configurations(ranges: &[InputRange]) -> u64 {
    let lens = ranges.iter().map(|range| range.values.len() as u64);
    lens.fold(1, u64::saturating_mul)
}

impl Asked<'_> {
    /// As [`distribution`], or known from the transcript of the budget.
    ///
    /// # Errors
    /// As [`distribution`].
    pub fn distribution(
        &self,
        config: &Config,
        outcome: &Outcome,
        budget: &Budget,
    ) -> Result<Dist, Error> {
        let Some(transcript) = budget.transcript() else {
            return distribution(self.check, config, outcome, budget);
        };
        let question = self.outcome(config, outcome, budget);
        if let Some(known) = transcript.pieces(&question).next().and_then(read_dist) {
            return Ok(known);
        }
        let found = distribution(self.check, config, outcome, budget)?;
        if transcript.is_noting() {
            transcript.note(&question, 0, dist_lines(&found));
        }
        Ok(found)
    }
}

/// An outcome and its weight in each line.
fn dist_lines(dist: &Dist) -> Vec<u8> {
    let lines = dist.iter().map(|(x, weight)| format!("{x} {weight}\n"));
    lines.collect::<String>().into_bytes()
}

fn read_dist(lines: &[u8]) -> Option<Dist> {
    let line = |line: &str| {
        let (x, weight) = line.split_once(' ')?;
        Some((x.parse::<i64>().ok()?, weight.parse::<UBig>().ok()?))
    };
    let weights: Option<Vec<_>> = str::from_utf8(lines).ok()?.lines().map(line).collect();
    Dist::from_weights(weights?).ok()
}

/// Lines of rows that are to be noted.
struct NotedLines {
    from: u64,
    next: u64,
    lines: Vec<u8>,
}

impl NotedLines {
    fn from(from: u64) -> Self {
        Self {
            from,
            next: from,
            lines: Vec::new(),
        }
    }

    fn push(&mut self, lines: RowLines) {
        let (lines, next) = lines.after(self.next);
        self.lines.extend(lines);
        self.next = next;
    }

    /// Notes them; they are those of all rows until `end`.
    fn note(mut self, budget: &Budget, question: &str, end: u64) {
        push_skipped(end - self.next, &mut self.lines);
        if let Some(transcript) = budget.transcript() {
            transcript.note(question, self.from, self.lines);
        }
    }
}

/// Renders a row for whoever asks, and its line.
fn both<B>(
    render: impl Fn(&Row<'_>, &mut B) + Sync,
) -> impl Fn(&Row<'_>, &mut (B, RowLines)) + Sync {
    move |row, (made, lines)| {
        render(row, made);
        lines.push(row);
    }
}

/// Whether pieces are all rows of a sweep.
fn is_known<'t>(
    pieces: impl Iterator<Item = &'t [u8]>,
    ranges: &[InputRange],
    queries: &[Query],
) -> bool {
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return false;
    }
    let rows = RowReader::new(lines_of(pieces), ranges, queries.len());
    let read = rows.run(false, |_, (): &mut ()| (), |()| Ok::<(), Unreadable>(()));
    read.is_ok()
}

/// The lines of pieces of a transcript.
struct Pieces<'t, I> {
    lines: I,
    /// The line at hand.
    line: &'t [u8],
}

/// A line that is none of the rows that are read.
struct Unreadable;

/// Why known rows ended before the last.
enum Ended<E> {
    Write(E),
    Unreadable,
}

impl<E> From<Unreadable> for Ended<E> {
    fn from(_: Unreadable) -> Self {
        Self::Unreadable
    }
}

fn lines_of<'t>(
    pieces: impl Iterator<Item = &'t [u8]>,
) -> Pieces<'t, impl Iterator<Item = &'t [u8]>> {
    let lines = pieces.flat_map(|piece| piece.split_inclusive(|byte| *byte == b'\n'));
    let lines = lines.map(|line| line.strip_suffix(b"\n").unwrap_or(line));
    Pieces { lines, line: &[] }
}

impl<'t, I: Iterator<Item = &'t [u8]>> LineSource for Pieces<'t, I> {
    type Error = Unreadable;

    fn next_line(&mut self) -> Result<Option<&[u8]>, Unreadable> {
        let next = self.lines.next();
        self.line = next.unwrap_or_default();
        Ok(next.map(|_| self.line))
    }

    fn broken(&self, _: &str) -> Unreadable {
        Unreadable
    }
}

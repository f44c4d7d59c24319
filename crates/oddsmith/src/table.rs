//! Tables: the odds of many configurations, row after row.

use std::io::Write;
use std::ops::Range;

use oddsmith_analysis::rows::{RowLines, RowReader, broken_row, push_skipped};
use oddsmith_exact::{Answer, Budget, Error as ExactError, Gaps, Row, Sweep};
use oddsmith_rules::{Check, Config, InputRange, Query};

use crate::part::{Job, PartNumber, PartWriter, Whole, unwritable};
use crate::{Error, Game, Limits, TableRequest, Wanted, questions, settings};

/// What a table is made of: a check, what all its rows have in common, the axes that they run along, and the columns.
#[derive(Clone, Debug)]
pub struct Table {
    /// The check or track, with the goal that was asked for.
    pub check: Check,
    /// What all rows have in common.
    pub config: Config,
    /// The swept axes, the last one fastest.
    pub ranges: Vec<InputRange>,
    /// The columns.
    pub queries: Vec<Query>,
}

impl Game {
    /// A table that is to be computed.
    ///
    /// # Errors
    /// If there is no such check, a setting, sweep or query does not fit it, or nothing is swept.
    ///
    /// ```
    /// use oddsmith::{Game, Limits, TableRequest};
    /// let game = Game::open("stars-and-signs")?;
    /// let sweeps = vec!["circ_boons=-2..=2".to_owned(), "ability_rank=all".to_owned()];
    /// let table = game.table(&TableRequest { sweeps, ..TableRequest::default() })?;
    /// let rows = table.rows(&Limits::default())?;
    /// assert_eq!(rows[0].values[0], -2);
    /// assert_eq!(rows[0].answers.len(), table.queries.len());
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn table(&self, request: &TableRequest) -> Result<Table, Error> {
        let check = self.find(request.check.as_deref(), Wanted::Either)?.clone();
        let check = settings::with_goal(check, request.maximise.as_deref())?;
        Ok(Table {
            config: request.settings.config(&check)?,
            queries: queries(&check, request)?,
            ranges: ranges(&check, request)?,
            check,
        })
    }
}

/// A row of a table that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The values of the swept axes; of a label its place.
    pub values: Vec<i64>,
    /// The answers, one for each column; none at all if a rule can't be carried out.
    pub answers: Vec<Answer>,
}

impl From<&Row<'_>> for TableRow {
    fn from(row: &Row<'_>) -> Self {
        Self {
            values: row.values.to_vec(),
            answers: row.answers.iter().map(Answer::from).collect(),
        }
    }
}

/// Some of the rows of a table.
pub(crate) struct Stretch {
    /// The number of all rows.
    pub(crate) total: usize,
    /// Those that were wanted.
    pub(crate) rows: Vec<TableRow>,
    /// The rows without answers, of all.
    pub(crate) gaps: Gaps,
}

/// Charges for rows that are kept.
fn charge(rows: &[TableRow], budget: &Budget) -> Result<(), Error> {
    let size = |row: &TableRow| {
        size_of_val(row) + size_of_val(&row.values[..]) + size_of_val(&row.answers[..])
    };
    let bytes: usize = rows.iter().map(size).sum();
    budget.charge_memory(bytes as u128).map_err(|error| {
        let help = "sweep fewer values, raise the budget, or write them to a file with `oddsmith table`, which keeps none";
        ExactError::refused(&error, "keeping the rows of the table", help).into()
    })
}

/// The rows, if all of them have answers.
fn without_gaps((rows, gaps): (Vec<TableRow>, Gaps)) -> Result<Vec<TableRow>, Error> {
    match gaps.first {
        Some(first) => Err(first.into()),
        None => Ok(rows),
    }
}

impl Table {
    /// All rows, but those of configurations that break a requirement of the ruleset.
    ///
    /// # Errors
    /// If the table is over the limits, for what it takes to compute or to keep, or a rule can't be carried out in a
    /// configuration.
    pub fn rows(&self, limits: &Limits) -> Result<Vec<TableRow>, Error> {
        without_gaps(self.rows_with_gaps(limits)?)
    }

    /// [`Table::rows`] in which a configuration whose rules can't be carried out is no error: its row has no answers at
    /// all. Says how many such rows there are, and what the first of them breaks.
    ///
    /// # Errors
    /// If the table is over the limits, for what it takes to compute or to keep.
    pub fn rows_with_gaps(&self, limits: &Limits) -> Result<(Vec<TableRow>, Gaps), Error> {
        let Stretch { rows, gaps, .. } = self.stretch(0..usize::MAX, limits)?;
        Ok((rows, gaps))
    }

    /// The rows at some places, counted from 0; all are computed, and the others are not kept.
    ///
    /// # Errors
    /// As [`Table::rows_with_gaps`].
    pub(crate) fn stretch(&self, places: Range<usize>, limits: &Limits) -> Result<Stretch, Error> {
        limits.run(|| {
            let budget = limits.budget();
            let sweep = self.sweep(&budget)?;
            let (mut total, mut rows) = (0, Vec::new());
            let make = |row: &Row<'_>, made: &mut Vec<TableRow>| made.push(TableRow::from(row));
            let gaps = sweep.run_with_gaps(make, |made| {
                let after = total + made.len();
                let first = places.start.clamp(total, after) - total;
                let last = places.end.clamp(total, after) - total;
                total = after;
                let mut kept = made;
                kept.truncate(last);
                kept.drain(..first.min(last));
                charge(&kept, &budget)?;
                rows.extend(kept);
                Ok::<(), Error>(())
            })?;
            Ok(Stretch { total, rows, gaps })
        })
    }

    /// Plans the table; its rows are then computed as they are asked for, on all threads, and come in order.
    ///
    /// # Errors
    /// If it is over the budget.
    pub fn sweep<'t>(&'t self, budget: &'t Budget) -> Result<Sweep<'t>, Error> {
        let Self {
            check,
            config,
            ranges,
            queries,
        } = self;
        Ok(Sweep::new(check, config, ranges, queries, budget)?)
    }
}

/// Where the rows of a table come from.
#[derive(Debug)]
pub enum RowSource<'t> {
    /// They are computed.
    Sweep(Box<Sweep<'t>>),
    /// They were, in parts.
    Parts(PartRows<'t>),
}

/// The rows of a table that were computed in parts.
#[derive(Debug)]
pub struct PartRows<'t> {
    table: &'t Table,
    whole: &'t Whole,
    budget: &'t Budget,
}

impl Table {
    /// Computes a part of the rows and writes it; `out` is handed back. Says which configurations break a rule, too.
    ///
    /// # Errors
    /// If the part is over the limits, or can't be written.
    pub fn part<W: Write + Send>(
        &self,
        job: &Job,
        number: PartNumber,
        limits: &Limits,
        out: W,
    ) -> Result<(W, Gaps), Error> {
        limits.run(|| self.write_part(job, number, &limits.budget(), out))
    }

    /// [`Table::part`] on a budget, on the threads at hand.
    ///
    /// # Errors
    /// As [`Table::part`].
    pub fn write_part<W: Write>(
        &self,
        job: &Job,
        number: PartNumber,
        budget: &Budget,
        out: W,
    ) -> Result<(W, Gaps), Error> {
        let Self {
            check,
            config,
            ranges,
            queries,
        } = self;
        let wanted = number.of_units(self.configurations()?);
        let mut next = wanted.start;
        let sweep = Sweep::within(check, config, ranges, (queries, budget), wanted.clone())?;
        let mut writer = PartWriter::new(out, job, number).map_err(|error| unwritable(&error))?;
        let gaps = sweep.run_with_gaps(
            |row: &Row<'_>, lines: &mut RowLines| lines.push(row),
            |lines| {
                let (lines, end) = lines.after(next);
                next = end;
                writer.lines(&lines).map_err(|error| unwritable(&error))
            },
        )?;
        let mut rest = Vec::new();
        push_skipped(wanted.end - next, &mut rest);
        writer.lines(&rest).map_err(|error| unwritable(&error))?;
        Ok((writer.finish().map_err(|error| unwritable(&error))?, gaps))
    }

    /// How many configurations there are; those that break a requirement count, though they have no row.
    ///
    /// # Errors
    /// If they are more than can be numbered.
    pub fn configurations(&self) -> Result<u64, Error> {
        let mut lens = self.ranges.iter().map(|range| range.values.len() as u64);
        let all = lens.try_fold(1, u64::checked_mul);
        all.ok_or_else(|| {
            let message = "there are more configurations than can be numbered";
            Error::advice(message, "sweep fewer inputs or fewer values")
        })
    }

    /// The rows, computed or from parts of them.
    ///
    /// # Errors
    /// If the table is over the budget.
    pub fn source<'t>(
        &'t self,
        parts: Option<&'t Whole>,
        budget: &'t Budget,
    ) -> Result<RowSource<'t>, Error> {
        Ok(match parts {
            None => RowSource::Sweep(Box::new(self.sweep(budget)?)),
            Some(whole) => RowSource::Parts(PartRows {
                table: self,
                whole,
                budget,
            }),
        })
    }

    /// [`Table::rows`], put together of their parts. [`Whole::demand`] says whether these are parts of this table.
    ///
    /// # Errors
    /// If a part can't be read, or as [`Table::rows`].
    pub fn merged(&self, whole: &Whole, limits: &Limits) -> Result<Vec<TableRow>, Error> {
        without_gaps(self.merged_with_gaps(whole, limits)?)
    }

    /// [`Table::rows_with_gaps`], put together of their parts.
    ///
    /// # Errors
    /// If a part can't be read, or as [`Table::rows_with_gaps`].
    pub fn merged_with_gaps(
        &self,
        whole: &Whole,
        limits: &Limits,
    ) -> Result<(Vec<TableRow>, Gaps), Error> {
        limits.run(|| {
            let (budget, mut rows) = (limits.budget(), Vec::new());
            let source = self.source(Some(whole), &budget)?;
            let make = |row: &Row<'_>, made: &mut Vec<TableRow>| made.push(TableRow::from(row));
            let gaps = source.run_with_gaps(make, |made: Vec<TableRow>| {
                charge(&made, &budget)?;
                rows.extend(made);
                Ok::<(), Error>(())
            })?;
            Ok((rows, gaps))
        })
    }
}

impl RowSource<'_> {
    /// How many rows there are at the most.
    pub fn configurations(&self) -> u64 {
        match self {
            Self::Sweep(sweep) => sweep.configurations(),
            Self::Parts(parts) => parts.table.configurations().unwrap_or(u64::MAX),
        }
    }

    /// As [`Sweep::run`].
    ///
    /// # Errors
    /// As [`Sweep::run`]; if a part can't be read.
    pub fn run<B: Default + Send, E: From<Error>>(
        &self,
        render: impl Fn(&Row<'_>, &mut B) + Sync,
        mut write: impl FnMut(B) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Sweep(sweep) => {
                let write = |made| write(made).map_err(Ended::Write);
                sweep.run(render, write).map_err(Ended::into_error)
            }
            Self::Parts(parts) => {
                let gaps = parts.run(true, render, write)?;
                gaps.first
                    .map_or(Ok(()), |error| Err(Error::from(error).into()))
            }
        }
    }

    /// As [`Sweep::run_with_gaps`].
    ///
    /// # Errors
    /// As [`Sweep::run_with_gaps`]; if a part can't be read.
    pub fn run_with_gaps<B: Default + Send, E: From<Error>>(
        &self,
        render: impl Fn(&Row<'_>, &mut B) + Sync,
        mut write: impl FnMut(B) -> Result<(), E>,
    ) -> Result<Gaps, E> {
        match self {
            Self::Sweep(sweep) => {
                let write = |made| write(made).map_err(Ended::Write);
                let gaps = sweep.run_with_gaps(render, write);
                gaps.map_err(Ended::into_error)
            }
            Self::Parts(parts) => parts.run(false, render, write),
        }
    }
}

/// Why rows ended before the last.
enum Ended<E> {
    Exact(ExactError),
    Write(E),
}

impl<E> From<ExactError> for Ended<E> {
    fn from(error: ExactError) -> Self {
        Self::Exact(error)
    }
}

impl<E: From<Error>> Ended<E> {
    fn into_error(self) -> E {
        match self {
            Self::Exact(error) => Error::from(error).into(),
            Self::Write(error) => error,
        }
    }
}

impl PartRows<'_> {
    /// Hands on all rows, or those before the first that breaks a rule.
    fn run<B: Default, E: From<Error>>(
        &self,
        is_strict: bool,
        render: impl Fn(&Row<'_>, &mut B),
        write: impl FnMut(B) -> Result<(), E>,
    ) -> Result<Gaps, E> {
        let Table {
            ranges, queries, ..
        } = self.table;
        let rows = RowReader::new(self.whole.lines(), ranges, queries.len());
        let broken = rows.run(is_strict, render, write)?;
        let first = broken.first.map(|number| self.broken(number));
        Ok(Gaps {
            count: broken.count,
            first: first.transpose()?,
        })
    }

    /// What the configuration of a number breaks.
    fn broken(&self, number: u64) -> Result<ExactError, Error> {
        let Table {
            check,
            config,
            ranges,
            queries,
        } = self.table;
        let error = broken_row((check, config, ranges), (queries, self.budget), number)?;
        error.ok_or_else(|| {
            let message = format!("configuration {number} breaks no rule, and a part says so");
            Error::advice(message, "make the parts anew")
        })
    }
}

/// What a check or a track shows by itself, or in its place only what is wanted; then what was asked.
fn queries(check: &Check, request: &TableRequest) -> Result<Vec<Query>, Error> {
    let mut queries = if !request.only.is_empty() {
        settings::queries_of(check, &request.only, "--only")?
    } else if check.rounds.is_some() {
        of_track(check)?
    } else {
        of_check(check)?
    };
    for query in settings::queries(check, &request.queries)? {
        if queries.iter().all(|known| known.text != query.text) {
            queries.push(query);
        }
    }
    Ok(queries)
}

/// The bands, or without bands flags, labels and means.
fn of_check(check: &Check) -> Result<Vec<Query>, Error> {
    let mut queries = check.own_queries();
    match check.band() {
        Some((_, bands)) => queries.truncate(bands.labels().len()),
        None => queries.extend(settings::means(check)?),
    }
    Ok(queries)
}

/// The bands, flags and labels that a track ends in, or without any the mean of its rolls.
fn of_track(track: &Check) -> Result<Vec<Query>, Error> {
    let ends = questions::own_of(track, false).into_iter();
    let queries: Vec<Query> = ends.map(|(_, query)| query).collect();
    if queries.is_empty() {
        let rounds = questions::rounds_name(track);
        return Ok(settings::queries(track, &[format!("mean({rounds})")])?);
    }
    Ok(queries)
}

fn ranges(check: &Check, request: &TableRequest) -> Result<Vec<InputRange>, Error> {
    if request.sweeps.is_empty() {
        let message = "a table needs at least one `--sweep`";
        let help = format!(
            "try `--sweep all`, or `--sweep AXIS=VALUES`: {}",
            settings::axes_help(check)
        );
        return Err(Error::advice(message, help));
    }
    let sets: Vec<String> = request.settings.texts().map(str::to_owned).collect();
    settings::ranges(check, &request.sweeps, &sets)
}

//! Questions in parts: what the workers of a cluster compute, and what is put together of it.

use std::sync::Arc;

use oddsmith::part::{Job, PartNumber, Parts, Source, Whole};
use oddsmith::wire::TuningOdds;
use oddsmith::{Error, Game as Ruleset, Limits, TableRequest, TuneRequest};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::raise;
use crate::game::{Game, told};
use crate::question::{answer, limits, request};
use crate::table::Table;

/// A question that has parts.
enum Question {
    Table(TableRequest),
    Tune(TuneRequest),
}

impl Question {
    fn read(name: &str, json: &str) -> PyResult<Self> {
        match name {
            "table" => request(json).map(Self::Table),
            "tune" => request(json).map(Self::Tune),
            other => {
                let message = format!("the question `{other}` has no parts");
                Err(PyValueError::new_err(message))
            }
        }
    }

    /// The number of units of work.
    fn units(&self, game: &Ruleset) -> Result<u64, Error> {
        match self {
            Self::Table(request) => game.table(request)?.configurations(),
            Self::Tune(request) => {
                let candidates = game.tune(request)?.candidates();
                Ok(candidates.saturating_sub(request.from))
            }
        }
    }

    /// A part as bytes.
    fn part(&self, game: &Ruleset, number: PartNumber, limits: &Limits) -> Result<Vec<u8>, Error> {
        match self {
            Self::Table(request) => {
                let job = Job::of(game, "table", request)?;
                let (part, _) = game
                    .table(request)?
                    .part(&job, number, limits, Vec::new())?;
                Ok(part)
            }
            Self::Tune(request) => {
                let tuning = game.tune(request)?;
                let own = (&tuning.job()?, number);
                let part = tuning.part(own, limits, &mut (), Vec::new())?;
                part.ok_or(Error::Cancelled)
            }
        }
    }
}

/// All parts of a job.
fn whole(sources: Vec<Source>, job: &Job) -> Result<Whole, Error> {
    let whole = Parts::read(sources)?.whole()?;
    whole.demand(job)?;
    Ok(whole)
}

/// Parts as the library reads them.
fn sources(parts: &[Bound<'_, PyBytes>]) -> Vec<Source> {
    let parts = parts.iter();
    parts
        .map(|part| Source::Bytes(Arc::from(part.as_bytes())))
        .collect()
}

/// The number of units of work that a question has, which no worker is needed for.
#[pyfunction]
pub(crate) fn units(
    game: &Bound<'_, Game>,
    py: Python<'_>,
    question: &str,
    json: &str,
) -> PyResult<u64> {
    let (game, question) = (Arc::clone(&game.get().0), Question::read(question, json)?);
    let units = py.detach(|| question.units(&game));
    units.map_err(|error| raise(&error))
}

/// A part of the answer to a question: the bytes that [`merged_table`] and [`merged_tune`] take.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they come from Python")]
pub(crate) fn part<'py>(
    game: &Bound<'py, Game>,
    py: Python<'py>,
    question: &str,
    json: &str,
    number: u64,
    of: u64,
    threads: Option<u16>,
    budget: Option<u64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let number = PartNumber::new(number, of).map_err(PyValueError::new_err)?;
    let (game, question) = (Arc::clone(&game.get().0), Question::read(question, json)?);
    let part = answer(py, &limits(threads, budget)?, move |limits| {
        question.part(&game, number, limits)
    })?;
    Ok(PyBytes::new(py, &part))
}

/// The odds of many configurations, whose parts are there.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "Python hands lists over as a whole"
)]
pub(crate) fn merged_table(
    game: &Bound<'_, Game>,
    py: Python<'_>,
    json: &str,
    parts: Vec<Bound<'_, PyBytes>>,
    threads: Option<u16>,
    budget: Option<u64>,
) -> PyResult<Table> {
    let (game, request) = (Arc::clone(&game.get().0), request::<TableRequest>(json)?);
    let sources = sources(&parts);
    let own = Arc::clone(&game);
    let (table, rows) = answer(py, &limits(threads, budget)?, move |limits| {
        let job = Job::of(&own, "table", &request)?;
        let table = own.table(&request)?;
        let rows = table.merged_with_gaps(&whole(sources, &job)?, limits)?;
        Ok((table, rows))
    })?;
    Ok(Table::of(
        game.title_of(&table.check),
        Arc::new(table),
        rows,
    ))
}

/// What a search found, whose parts are there.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "Python hands lists over as a whole"
)]
pub(crate) fn merged_tune<'py>(
    game: &Bound<'py, Game>,
    py: Python<'py>,
    json: &str,
    parts: Vec<Bound<'py, PyBytes>>,
    threads: Option<u16>,
    budget: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let (game, request) = (Arc::clone(&game.get().0), request::<TuneRequest>(json)?);
    let sources = sources(&parts);
    told(py, &limits(threads, budget)?, move |limits| {
        let tuning = game.tune(&request)?;
        let whole = whole(sources, &tuning.job()?)?;
        Ok(TuningOdds::of(&game, &tuning.merged(&whole, limits)?))
    })
}

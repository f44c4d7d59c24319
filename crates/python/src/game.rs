//! Games, and the questions that are put to them.

use std::sync::Arc;

use oddsmith::project::{Project, ProjectRequest};
use oddsmith::wire::{
    ComparisonOdds, LintFindings, PlanOdds, PolicyOdds, ProjectOdds, Simulated, StepValues,
    TrackPlanOdds, TuningOdds,
};
use oddsmith::{
    Check, DistributionRequest, Error, Game as Ruleset, Limits, OddsRequest, Settings, Wanted,
    all_games, nearest,
};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answers::Answers;
use crate::chart::Chart;
use crate::dist::Dist;
use crate::exact;
use crate::failure::{raise, unknown};
use crate::inputs;
use crate::question::{answer, limits, request, short_answer};
use crate::table::Table;
use crate::to_python::to_python;

/// The names of the games that come along.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    all_games().map(|(name, _)| name).collect()
}

/// What moved since the odds of a project were accepted.
#[pyfunction]
pub(crate) fn check<'py>(
    py: Python<'py>,
    json: &str,
    threads: Option<u16>,
    budget: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked: ProjectRequest = request(json)?;
    told(py, &limits(threads, budget)?, move |limits| {
        let project = Project::find(&asked)?;
        Ok(ProjectOdds::of(&project.answer(limits, &())?))
    })
}

/// An answer as dictionaries, lists and fractions.
pub(crate) fn told<'py, T: Serialize + Send + 'static>(
    py: Python<'py>,
    limits: &Limits,
    question: impl FnOnce(&Limits) -> Result<T, Error> + Send + 'static,
) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, &answer(py, limits, question)?)
}

/// A ruleset that was read and checked.
#[pyclass(frozen, module = "oddsmith._oddsmith")]
pub(crate) struct Game(pub(crate) Arc<Ruleset>);

impl Game {
    fn find(&self, check: &str) -> PyResult<&Check> {
        self.0
            .find(Some(check), Wanted::Either)
            .map_err(|error| raise(&error))
    }
}

impl Game {
    /// The answer to a request that Python wrote as JSON, as dictionaries, lists and fractions.
    fn asked<'py, R: DeserializeOwned + Send + 'static, T: Serialize + Send + 'static>(
        &self,
        py: Python<'py>,
        json: &str,
        limits: &Limits,
        ask: impl FnOnce(&Ruleset, &R, &Limits) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (game, request) = (Arc::clone(&self.0), request(json)?);
        told(py, limits, move |limits| ask(&game, &request, limits))
    }
}

#[pymethods]
impl Game {
    /// A shipped game, a file, or a file of another revision.
    #[staticmethod]
    fn open(py: Python<'_>, name: &str) -> PyResult<Self> {
        py.detach(|| Ruleset::open(name))
            .map(|game| Self(Arc::new(game)))
            .map_err(|error| raise(&error))
    }

    /// A game that comes along.
    #[staticmethod]
    fn shipped(py: Python<'_>, name: &str) -> PyResult<Self> {
        let Some((_, text)) = all_games().find(|(known, _)| *known == name) else {
            let help = match nearest(name, all_games().map(|(known, _)| known)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`games()` has those that come along; `load` reads a file".to_owned(),
            };
            return Err(unknown(format!("no game `{name}` comes along"), &help));
        };
        Self::parse(py, name, text)
    }

    /// A ruleset by its text.
    #[staticmethod]
    fn parse(py: Python<'_>, name: &str, text: &str) -> PyResult<Self> {
        let game = py.detach(|| Ruleset::parse(name, text.as_bytes()));
        game.map(|game| Self(Arc::new(game)))
            .map_err(|error| raise(&error))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn title(&self) -> &str {
        self.0.title()
    }

    /// What the ruleset was read of.
    #[getter]
    fn text(&self) -> &str {
        &self.0.model().source.text
    }

    /// The names of its checks, then those of its tracks.
    #[getter]
    fn checks(&self) -> [Vec<&str>; 2] {
        let model = self.0.model();
        [&model.checks, &model.tracks]
            .map(|checks| checks.iter().map(|check| check.name.as_str()).collect())
    }

    /// What is legal in the ruleset, but hardly meant.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let warnings = self.0.model().warnings.0.iter();
        warnings.map(|warning| warning.render(false)).collect()
    }

    /// An error with the nearest right name, unless it has a check or track of that name.
    fn demand(&self, check: &str) -> PyResult<()> {
        let found = self.0.find(Some(check), Wanted::Either);
        found.map(|_| ()).map_err(|error| match error {
            Error::Advice { message, help } => unknown(message, &help),
            error => raise(&error),
        })
    }

    /// What it offers, or what one of its checks or tracks does.
    fn overview<'py>(&self, py: Python<'py>, check: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let overview = self.0.overview(check).map_err(|error| raise(&error))?;
        to_python(py, &overview)
    }

    /// Settings and sweeps from keyword arguments.
    fn split(
        &self,
        check: &str,
        inputs: &Bound<'_, PyDict>,
    ) -> PyResult<(Vec<String>, Vec<String>)> {
        inputs::split(self.find(check)?, inputs)
    }

    /// The odds of one configuration: the question that is asked most often.
    #[expect(clippy::too_many_arguments, reason = "they come from Python")]
    fn odds(
        &self,
        py: Python<'_>,
        check: &str,
        queries: Vec<String>,
        inputs: &Bound<'_, PyDict>,
        maximise: Option<String>,
        threads: Option<u16>,
        budget: Option<u64>,
    ) -> PyResult<Answers> {
        let is_short = maximise.is_none();
        let request = OddsRequest {
            check: Some(check.to_owned()),
            settings: Settings::from(inputs::settings(inputs)?),
            queries,
            maximise,
        };
        let (game, limits) = (Arc::clone(&self.0), limits(threads, budget)?);
        let ask = move |limits: &Limits| game.odds(&request, limits)?.or_means(limits);
        let odds = match is_short {
            true => short_answer(py, &limits, ask)?,
            // Whether there is anything to choose is not asked for with few steps.
            false => answer(py, &limits, ask)?,
        };
        Ok(Answers::of_check(self.0.title_of(&odds.check), odds))
    }

    /// The distribution of a number, or the probability of each label, or of each combination of several values.
    #[expect(clippy::too_many_arguments, reason = "each is an argument in Python")]
    fn distribution<'py>(
        &self,
        py: Python<'py>,
        check: &str,
        values: Vec<String>,
        inputs: &Bound<'py, PyDict>,
        maximise: Option<String>,
        horizon: Option<i64>,
        threads: Option<u16>,
        budget: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let request = DistributionRequest {
            check: Some(check.to_owned()),
            settings: Settings::from(inputs::settings(inputs)?),
            values,
            maximise,
            horizon,
        };
        let (game, limits) = (Arc::clone(&self.0), limits(threads, budget)?);
        let found = answer(py, &limits, move |limits| {
            game.distribution(&request, limits)
        })?;
        if let Some(dist) = found.number() {
            let name = found.values[0].name.clone();
            return Ok(Bound::new(py, Dist::of(name, dist.clone()))?.into_any());
        }
        let shares = PyDict::new(py);
        for (values, weight) in found.rows() {
            let keys = values.iter().enumerate().map(|(place, value)| {
                match found.is_number(place, *value) {
                    true => value.into_bound_py_any(py),
                    false => found.text(place, *value).into_bound_py_any(py),
                }
            });
            let mut keys = keys.collect::<PyResult<Vec<_>>>()?;
            let key = match keys.len() {
                1 => keys.remove(0),
                _ => PyTuple::new(py, keys)?.into_any(),
            };
            shares.set_item(key, exact::quotient(py, &weight.into(), found.total())?)?;
        }
        Ok(shares.into_any())
    }

    /// The odds of many configurations.
    fn table(
        &self,
        py: Python<'_>,
        json: &str,
        threads: Option<u16>,
        budget: Option<u64>,
    ) -> PyResult<Table> {
        let table = self
            .0
            .table(&request(json)?)
            .map_err(|error| raise(&error))?;
        let limits = limits(threads, budget)?;
        let table = Arc::new(table);
        let own = Arc::clone(&table);
        let rows = short_answer(py, &limits, move |limits| own.rows_with_gaps(limits))?;
        Ok(Table::of(self.0.title_of(&table.check), table, rows))
    }

    /// Rolls until something is full.
    fn track(
        &self,
        py: Python<'_>,
        json: &str,
        threads: Option<u16>,
        budget: Option<u64>,
    ) -> PyResult<(Answers, Vec<String>)> {
        let (game, request) = (Arc::clone(&self.0), request(json)?);
        let (track, told) = answer(py, &limits(threads, budget)?, move |limits| {
            let track = game.track(&request, limits)?;
            let told = track.answer()?;
            Ok((track, told))
        })?;
        let title = self.0.title_of(&track.check);
        let subject = (track.check, track.config);
        Ok((Answers::of(title, subject, told.outcomes), told.notes))
    }

    /// Two sides against each other.
    fn contest(
        &self,
        py: Python<'_>,
        json: &str,
        threads: Option<u16>,
        budget: Option<u64>,
    ) -> PyResult<Answers> {
        let contest = self
            .0
            .contest(&request(json)?)
            .map_err(|error| raise(&error))?;
        let (contest, told) = answer(py, &limits(threads, budget)?, move |limits| {
            let told = contest.answer(limits)?;
            Ok((contest, told))
        })?;
        let [a, b] = contest.names();
        let title = format!("{} · {a} against {b}", self.0.title());
        Ok(Answers::of(
            title,
            (contest.check, contest.config),
            told.outcomes(),
        ))
    }

    /// A picture.
    fn chart(
        &self,
        py: Python<'_>,
        json: &str,
        threads: Option<u16>,
        budget: Option<u64>,
    ) -> PyResult<Chart> {
        let (game, request) = (Arc::clone(&self.0), request(json)?);
        let chart = answer(py, &limits(threads, budget)?, move |limits| {
            game.chart(&request, limits)
        })?;
        Ok(Chart(chart.figure))
    }

    /// Every other question, by the name of its method: the answer is what the library writes as JSON.
    fn ask<'py>(
        &self,
        py: Python<'py>,
        question: &str,
        json: &str,
        other: Option<&Bound<'_, Self>>,
        threads: Option<u16>,
        budget: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = &limits(threads, budget)?;
        match question {
            "compare" => {
                let other = other.map_or(&self.0, |other| &other.get().0);
                let other = Arc::clone(other);
                self.asked(py, json, limits, move |game, request, limits| {
                    let compared = game.compare(&other, request)?.answer(limits)?;
                    Ok(ComparisonOdds::of(&compared))
                })
            }
            "lint" => self.asked(py, json, limits, |game, request, limits| {
                Ok(LintFindings::from(&game.lint(request, limits)?))
            }),
            "plan" => self.asked(py, json, limits, |game, request, limits| {
                Ok(PlanOdds::of(game, &game.plan(request, limits)?))
            }),
            "plan_track" => self.asked(py, json, limits, |game, request, limits| {
                Ok(TrackPlanOdds::of(game, &game.plan_track(request, limits)?))
            }),
            "policy" => self.asked(py, json, limits, |game, request, limits| {
                Ok(PolicyOdds::of(game, &game.policy(request, limits)?))
            }),
            "simulate" => self.asked(py, json, limits, |game, request, limits| {
                let simulation = game.simulate(request, limits, &mut ())?;
                Ok(Simulated::of(&simulation))
            }),
            "tune" => self.asked(py, json, limits, |game, request, limits| {
                let tuned = game.tune(request)?.answer(limits, &mut ())?;
                Ok(TuningOdds::of(game, &tuned))
            }),
            "value" => self.asked(py, json, limits, |game, request, limits| {
                Ok(StepValues::of(game, &game.value(request, limits)?))
            }),
            other => Err(PyValueError::new_err(format!(
                "there is no question `{other}`"
            ))),
        }
    }
}

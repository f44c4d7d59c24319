//! Answers to questions by their names.

use std::sync::Arc;

use oddsmith::wire::Configuration;
use oddsmith::{Check, Config, NamedAnswer, OddsAnswer};
use oddsmith_numbers::{Form, value};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::dist::Dist;
use crate::exact;
use crate::question::{answer, limits, short_answer};
use crate::to_python::to_python;

/// The answers of one configuration, in order.
#[pyclass(frozen, module = "oddsmith._oddsmith")]
pub(crate) struct Answers {
    /// `Stars & Signs · check`
    title: String,
    check: Check,
    config: Config,
    outcomes: Vec<NamedAnswer>,
    /// What further questions are put to, if it is the answer about a check.
    odds: Option<Arc<OddsAnswer>>,
}

impl Answers {
    /// Those of a check or a track.
    pub(crate) fn of(
        title: String,
        (check, config): (&Check, &Config),
        outcomes: Vec<NamedAnswer>,
    ) -> Self {
        Self {
            title,
            check: check.clone(),
            config: config.clone(),
            outcomes,
            odds: None,
        }
    }
}

/// The answers to queries about a dice expression.
#[pyfunction]
pub(crate) fn ask(
    py: Python<'_>,
    dist: &Bound<'_, Dist>,
    queries: Vec<String>,
    threads: Option<u16>,
    budget: Option<u64>,
) -> PyResult<Answers> {
    let (dice, limits) = (dist.get().dice()?, limits(threads, budget)?);
    let own = Arc::clone(dice);
    let outcomes = short_answer(py, &limits, move |limits| own.answers(&queries, limits))?;
    let subject = (&dice.check, &dice.check.defaults());
    Ok(Answers::of(dice.text.clone(), subject, outcomes))
}

#[pymethods]
impl Answers {
    #[getter]
    fn title(&self) -> &str {
        &self.title
    }

    /// The inputs that are not at their defaults.
    #[getter]
    fn configuration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &Configuration::of(&self.check, &self.config))
    }

    /// Name, kind and exact answer of each.
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let outcomes = self.outcomes.iter().map(|named| {
            let answer = exact::answer(py, &named.answer)?;
            Ok((named.name.as_str(), named.kind.name(), answer))
        });
        PyList::new(py, outcomes.collect::<PyResult<Vec<_>>>()?)
    }

    /// Each answer as people read it: `32.69%`, `4.5`.
    fn texts(&self) -> Vec<String> {
        let text = |named: &NamedAnswer| match named.ratio() {
            Some(ratio) if named.kind.is_probability() => Form::USUAL.show_ratio(&ratio),
            Some(ratio) => value(&ratio),
            None => oddsmith::shortest(named.decimal()),
        };
        self.outcomes.iter().map(text).collect()
    }

    /// The numbers that the check shows, each with its whole distribution if that is within the budget.
    fn numbers<'py>(
        &self,
        py: Python<'py>,
        threads: Option<u16>,
        budget: Option<u64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let numbers = PyDict::new(py);
        if let Some(odds) = &self.odds {
            let limits = limits(threads, budget)?;
            let odds = Arc::clone(odds);
            for number in answer(py, &limits, move |limits| odds.numbers(limits))? {
                let dist = number.dist.map(|dist| Dist::of(number.name.clone(), dist));
                numbers.set_item(number.name, dist)?;
            }
        }
        Ok(numbers)
    }
}

/// The answer about a check, which further questions can be put to.
impl From<(String, OddsAnswer)> for Answers {
    fn from((title, odds): (String, OddsAnswer)) -> Self {
        Self {
            title,
            check: odds.check.clone(),
            config: odds.config.clone(),
            outcomes: odds.outcomes.clone(),
            odds: Some(Arc::new(odds)),
        }
    }
}

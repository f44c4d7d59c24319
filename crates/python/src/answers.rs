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
    answer: Arc<OddsAnswer>,
    /// Whether it is about a check, whose numbers can be asked for.
    has_numbers: bool,
}

impl Answers {
    /// Those of a check, which further questions can be put to.
    pub(crate) fn of_check(title: String, answer: OddsAnswer) -> Self {
        Self {
            title,
            answer: Arc::new(answer),
            has_numbers: true,
        }
    }

    /// Those of a track, a contest or an expression.
    pub(crate) fn of(
        title: String,
        (check, config): (Check, Config),
        outcomes: Vec<NamedAnswer>,
    ) -> Self {
        let answer = OddsAnswer {
            check,
            config,
            outcomes,
            has_vain_goal: false,
        };
        Self {
            has_numbers: false,
            ..Self::of_check(title, answer)
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
    let subject = (dice.check.clone(), dice.check.defaults());
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
        to_python(
            py,
            &Configuration::of(&self.answer.check, &self.answer.config),
        )
    }

    /// Name, kind and exact answer of each.
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let outcomes = self.answer.outcomes.iter().map(|named| {
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
        self.answer.outcomes.iter().map(text).collect()
    }

    /// The numbers that the check shows, each with its whole distribution if that is within the budget.
    fn numbers<'py>(
        &self,
        py: Python<'py>,
        threads: Option<u16>,
        budget: Option<u64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let numbers = PyDict::new(py);
        if self.has_numbers {
            let limits = limits(threads, budget)?;
            let odds = Arc::clone(&self.answer);
            for number in answer(py, &limits, move |limits| odds.numbers(limits))? {
                let dist = number.dist.map(|dist| Dist::of(number.name.clone(), dist));
                numbers.set_item(number.name, dist)?;
            }
        }
        Ok(numbers)
    }
}

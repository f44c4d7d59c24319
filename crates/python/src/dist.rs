//! Dice expressions, and distributions of whole numbers.

use std::sync::Arc;

use oddsmith::simulation::SimulationRequest;
use oddsmith::wire::{Point, Simulated, points};
use oddsmith::{Dice, Dist as Exact, RBig, UBig};
use oddsmith_numbers::Form;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::exact;
use crate::question::{answer, limits, request, short_answer};
use crate::to_python::to_python;

/// A distribution of whole numbers.
#[pyclass(frozen, module = "oddsmith._oddsmith")]
pub(crate) struct Dist {
    /// The expression, or the name of a number.
    name: String,
    dist: Exact,
    /// What is asked further, if it is that of an expression.
    dice: Option<Arc<Dice>>,
}

impl Dist {
    /// The distribution of a number that a check shows.
    pub(crate) fn of(name: String, dist: Exact) -> Self {
        let dice = None;
        Self { name, dist, dice }
    }

    /// The expression.
    pub(crate) fn dice(&self) -> PyResult<&Arc<Dice>> {
        let none =
            || PyValueError::new_err("only a dice expression can be rolled or asked further");
        self.dice.as_ref().ok_or_else(none)
    }
}

/// The distribution of a dice expression.
#[pyfunction]
pub(crate) fn dist(
    py: Python<'_>,
    expression: String,
    threads: Option<u16>,
    budget: Option<u64>,
) -> PyResult<Dist> {
    let limits = limits(threads, budget)?;
    short_answer(py, &limits, move |limits| {
        let dice = Arc::new(Dice::parse(&expression)?);
        Ok(Dist {
            name: dice.text.clone(),
            dist: dice.distribution(limits)?,
            dice: Some(dice),
        })
    })
}

#[pymethods]
impl Dist {
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// What is legal in the expression, but hardly meant.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let warnings = self.dice.iter().flat_map(|dice| &dice.warnings.0);
        warnings.map(|warning| warning.render(false)).collect()
    }

    fn __len__(&self) -> usize {
        self.dist.len()
    }

    #[getter]
    fn total<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        exact::natural(py, self.dist.total())
    }

    #[getter]
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        exact::fraction(py, &self.dist.mean())
    }

    #[getter]
    fn variance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        exact::fraction(py, &self.dist.variance())
    }

    /// Each value that can come up with its weight, ascending.
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let weights = PyDict::new(py);
        for (value, weight) in self.dist.iter() {
            weights.set_item(value, exact::natural(py, &weight)?)?;
        }
        Ok(weights)
    }

    /// Each value that can come up with its probability, ascending.
    fn pmf<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pmf = PyDict::new(py);
        for (value, weight) in self.dist.iter() {
            pmf.set_item(
                value,
                exact::quotient(py, &weight.into(), self.dist.total())?,
            )?;
        }
        Ok(pmf)
    }

    fn at_least<'py>(&self, py: Python<'py>, value: i64) -> PyResult<Bound<'py, PyAny>> {
        exact::fraction(py, &self.dist.at_least(value))
    }

    fn at_most<'py>(&self, py: Python<'py>, value: i64) -> PyResult<Bound<'py, PyAny>> {
        exact::fraction(py, &self.dist.cdf(value))
    }

    /// The least value that is not exceeded with the probability `numerator / denominator`.
    fn quantile(&self, numerator: &str, denominator: &str) -> PyResult<i64> {
        let wrong = |_| PyValueError::new_err("a probability has a numerator and a denominator");
        let p = RBig::from_parts(
            numerator.parse().map_err(wrong)?,
            denominator.parse().map_err(wrong)?,
        );
        if p < RBig::ZERO || p > RBig::ONE {
            return Err(PyValueError::new_err("a probability lies from 0 to 1"));
        }
        Ok(self.dist.quantile(&p))
    }

    /// Each value with its probability, and those of it or more and of it or less, as people read them.
    fn texts(&self) -> Vec<(i64, [String; 3])> {
        let total = self.dist.total();
        let show = |weight: &UBig| Form::USUAL.show_weight(weight, total);
        let texts = |point: Point| {
            let weights = [&point.weight, &point.at_least, &point.at_most];
            (point.value, weights.map(show))
        };
        points(&self.dist).map(texts).collect()
    }

    fn simulate<'py>(
        &self,
        py: Python<'py>,
        json: &str,
        threads: Option<u16>,
        budget: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (dice, limits) = (Arc::clone(self.dice()?), limits(threads, budget)?);
        let request: SimulationRequest = request(json)?;
        let told = answer(py, &limits, move |limits| {
            Ok(Simulated::of(&dice.simulate(&request, limits, &mut ())?))
        })?;
        to_python(py, &told)
    }
}

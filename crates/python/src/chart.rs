//! Pictures.

use oddsmith_report::{Figure, Theme, png, svg};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A picture that is computed, and drawn when it is asked for.
#[pyclass(frozen, module = "oddsmith._oddsmith")]
pub(crate) struct Chart(pub(crate) Figure);

fn theme(name: &str) -> PyResult<Theme> {
    match name {
        "light" => Ok(Theme::Light),
        "dark" => Ok(Theme::Dark),
        "print" => Ok(Theme::Print),
        other => Err(PyValueError::new_err(format!(
            "there is no theme {other:?}: themes are light, dark and print"
        ))),
    }
}

#[pymethods]
impl Chart {
    #[getter]
    fn title(&self) -> &str {
        &self.0.title
    }

    #[getter]
    fn subtitle(&self) -> &str {
        &self.0.subtitle
    }

    fn svg(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let theme = theme(name)?;
        py.detach(|| svg(&self.0, theme))
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn png(&self, py: Python<'_>, name: &str) -> PyResult<Vec<u8>> {
        let theme = theme(name)?;
        py.detach(|| png(&self.0, theme))
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

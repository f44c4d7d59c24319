//! Exact numbers as Python has them: `int` and `fractions.Fraction`.

use oddsmith::{Answer, IBig, RBig, UBig};
use pyo3::IntoPyObjectExt as _;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyInt, PyType};

/// The class `fractions.Fraction`.
fn fraction_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "fractions", "Fraction")
}

/// A whole number.
pub(crate) fn whole<'py>(py: Python<'py>, number: &IBig) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(small) = i64::try_from(number) {
        return small.into_bound_py_any(py);
    }
    // Python refuses to read more than 4300 digits, but no number of bytes.
    let bytes = PyBytes::new(py, &number.to_le_bytes());
    let signed = PyDict::new(py);
    signed.set_item(intern!(py, "signed"), true)?;
    let int = py.get_type::<PyInt>();
    int.call_method(intern!(py, "from_bytes"), (bytes, "little"), Some(&signed))
}

/// A whole number from 0 on.
pub(crate) fn natural<'py>(py: Python<'py>, number: &UBig) -> PyResult<Bound<'py, PyAny>> {
    whole(py, &IBig::from(number.clone()))
}

/// `numerator / denominator`, where the latter is not 0.
pub(crate) fn quotient<'py>(
    py: Python<'py>,
    numerator: &IBig,
    denominator: &UBig,
) -> PyResult<Bound<'py, PyAny>> {
    fraction_class(py)?.call1((whole(py, numerator)?, natural(py, denominator)?))
}

/// A fraction.
pub(crate) fn fraction<'py>(py: Python<'py>, ratio: &RBig) -> PyResult<Bound<'py, PyAny>> {
    quotient(py, ratio.numerator(), ratio.denominator())
}

/// An answer: a fraction, an infinite float, or `None` where there is no number.
pub(crate) fn answer<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyAny>> {
    // A standard deviation is most often no fraction.
    if answer.is_infinite() || answer.is_cut_off() {
        return oddsmith::decimal(answer).into_bound_py_any(py);
    }
    match answer.total == UBig::ZERO {
        true => Ok(py.None().into_bound(py)),
        false => quotient(py, &answer.weight, &answer.total),
    }
}

/// An exact number as the library writes it: `9/25`, `3`, `inf`, `-inf`.
pub(crate) fn read<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(infinite @ (f64::INFINITY | f64::NEG_INFINITY)) = text.parse::<f64>() {
        return infinite.into_bound_py_any(py);
    }
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let wrong = |_| pyo3::exceptions::PyValueError::new_err(format!("`{text}` is no number"));
    let numerator = numerator.parse::<IBig>().map_err(wrong)?;
    let denominator = denominator.parse::<UBig>().map_err(wrong)?;
    quotient(py, &numerator, &denominator)
}

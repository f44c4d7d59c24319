//! Settings and sweeps from keyword arguments: `stat=2` is the text `stat=2`, `stat=range(3)` is `stat=0..=2`.

use oddsmith::Check;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyRange, PyRangeMethods as _, PyString, PyTuple};

/// Settings as the library reads them, `name=value`.
#[pyfunction]
pub(crate) fn settings(inputs: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
    inputs
        .iter()
        .map(|(name, value)| Ok(format!("{}={}", text(&name)?, text(&value)?)))
        .collect()
}

/// What is the same in all rows of a table, and what it runs along: several values, or `"all"` of them.
pub(crate) fn split(
    check: &Check,
    inputs: &Bound<'_, PyDict>,
) -> PyResult<(Vec<String>, Vec<String>)> {
    let (mut settings, mut sweeps) = (Vec::new(), Vec::new());
    for (name, value) in inputs {
        let name = text(&name)?;
        match values(&value)? {
            Some(values) if !is_list(check, &name) => sweeps.push(format!("{name}={values}")),
            _ => settings.push(format!("{name}={}", text(&value)?)),
        }
    }
    Ok((settings, sweeps))
}

/// Whether a check has an input for each element of a list of this name.
fn is_list(check: &Check, name: &str) -> bool {
    let element = format!("{name}[");
    check
        .inputs
        .iter()
        .any(|input| input.name.starts_with(&element))
}

/// One value as text: a label, a number, or a list of them.
fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    match value.extract::<i64>() {
        Ok(number) => return Ok(number.to_string()),
        // The library says which numbers are legal.
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            return Ok(value.str()?.to_cow()?.into_owned());
        }
        Err(_) => {}
    }
    if value.cast::<PyList>().is_err() && value.cast::<PyTuple>().is_err() {
        let kind = value.get_type().name()?;
        let message = format!("a value is a whole number, a label or a list of them, not `{kind}`");
        return Err(PyTypeError::new_err(message));
    }
    Ok(format!("[{}]", joined(value)?))
}

fn joined(values: &Bound<'_, PyAny>) -> PyResult<String> {
    let texts = values.try_iter()?.map(|value| text(&value?));
    Ok(texts.collect::<PyResult<Vec<String>>>()?.join(","))
}

/// Several values as text; none if it is a single one.
fn values(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_cow()?;
        return Ok((text == "all").then(|| text.into_owned()));
    }
    if let Ok(range) = value.cast::<PyRange>() {
        let (start, stop, step) = (range.start()?, range.stop()?, range.step()?);
        if step == 1 && start < stop {
            return Ok(Some(format!("{start}..={}", stop - 1)));
        }
    }
    match value.hasattr(intern!(value.py(), "__iter__"))? {
        true => joined(value).map(Some),
        false => Ok(None),
    }
}

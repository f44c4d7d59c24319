//! Tables: many configurations, a row each; and their columns as Arrow has them.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_schema::ArrowError;
use oddsmith::wire::Setting;
use oddsmith::{AnswerKind, Domain, Gaps, Table as Asked, TableRow, decimal, told_apart};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::exact;
use crate::to_python::to_python;

/// What the Arrow PyCapsule interface calls a stream.
const STREAM: &CStr = c"arrow_array_stream";

/// The rows of a table, with what they are about.
#[pyclass(frozen, module = "oddsmith._oddsmith")]
pub(crate) struct Table {
    /// `Stars & Signs · check`
    title: String,
    table: Arc<Asked>,
    names: Vec<String>,
    rows: Vec<TableRow>,
    gaps: Gaps,
}

impl Table {
    pub(crate) fn of(
        title: String,
        table: Arc<Asked>,
        (rows, gaps): (Vec<TableRow>, Gaps),
    ) -> Self {
        let axes = table.ranges.iter();
        let axes = axes.map(|range| table.check.inputs[range.input.0].name.clone());
        let queries = table.queries.iter().map(|query| query.text.clone());
        Self {
            title,
            names: told_apart(&[], axes.chain(queries)),
            table,
            rows,
            gaps,
        }
    }

    fn domain(&self, axis: usize) -> &Domain {
        &self.table.check.inputs[self.table.ranges[axis].input.0].domain
    }

    /// A column of a swept axis: numbers, or labels as text.
    fn axis(&self, axis: usize) -> ArrayRef {
        let values = self.rows.iter().map(|row| row.values[axis]);
        match self.domain(axis) {
            Domain::Range(..) => Arc::new(Int64Array::from_iter_values(values)),
            Domain::Choice(labels) => {
                let labels = values.map(|value| labels.label(value));
                Arc::new(StringArray::from_iter_values(labels))
            }
        }
    }

    /// A column of answers; nothing where there is none.
    fn answers(&self, query: usize) -> ArrayRef {
        let answers = self.rows.iter().map(|row| decimal(row.answers.get(query)?));
        Arc::new(answers.collect::<Float64Array>())
    }

    fn batch(&self) -> Result<RecordBatch, ArrowError> {
        let axes = (0..self.table.ranges.len()).map(|axis| self.axis(axis));
        let answers = (0..self.table.queries.len()).map(|query| self.answers(query));
        RecordBatch::try_from_iter(self.names.iter().zip(axes.chain(answers)))
    }
}

#[pymethods]
impl Table {
    #[getter]
    fn title(&self) -> &str {
        &self.title
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// The number of columns at the left that are swept axes.
    #[getter]
    fn axes(&self) -> usize {
        self.table.ranges.len()
    }

    /// For each column of answers whether they are probabilities.
    #[getter]
    fn are_probabilities(&self) -> Vec<bool> {
        let queries = self.table.queries.iter();
        queries
            .map(|query| AnswerKind::of(query).is_probability())
            .collect()
    }

    /// The number of rows that have no answers since a rule can't be carried out, and which rule that is in the first.
    #[getter]
    fn gaps(&self) -> (u64, Option<String>) {
        (
            self.gaps.count,
            self.gaps.first.as_ref().map(ToString::to_string),
        )
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// The exact cells of a row.
    fn row<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Bound<'py, PyTuple>> {
        let none = || PyIndexError::new_err("the table has no such row");
        let row = self.rows.get(at).ok_or_else(none)?;
        let axes = row.values.iter().enumerate();
        let axes = axes.map(|(axis, value)| to_python(py, &Setting::of(self.domain(axis), *value)));
        let answers = (0..self.table.queries.len()).map(|query| match row.answers.get(query) {
            Some(answer) => exact::answer(py, answer),
            None => Ok(py.None().into_bound(py)),
        });
        PyTuple::new(py, axes.chain(answers).collect::<PyResult<Vec<_>>>()?)
    }

    /// The table as a stream of Arrow's, whose memory the reader takes over.
    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let batch = py.detach(|| self.batch());
        let batch = batch.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let schema = batch.schema();
        let batches = RecordBatchIterator::new([Ok(batch)], schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, STREAM)
    }
}

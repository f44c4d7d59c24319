//! Errors of the library as exceptions: of each problem its message, its place, what would help, and all of that as text
//! with a caret.

use oddsmith::{Diagnostic, Error, Problem};
use pyo3::prelude::*;

/// Message, file, line, column, hint, text.
type Told = (
    String,
    Option<String>,
    Option<usize>,
    Option<usize>,
    Option<String>,
    String,
);

/// The exception that says why a question has no answer.
pub(crate) fn raise(error: &Error) -> PyErr {
    let class = match error.is_over_budget() {
        true => "OverBudget",
        false => "Error",
    };
    exception(class, error.problems().iter().map(told).collect())
}

/// The exception that says that nothing has the name.
pub(crate) fn unknown(message: String, help: &str) -> PyErr {
    exception("UnknownName", vec![plain(message, help)])
}

fn exception(class: &str, problems: Vec<Told>) -> PyErr {
    let made = Python::attach(|py| {
        let module = py.import("oddsmith._errors")?;
        let class = module.getattr(class)?;
        Ok::<_, PyErr>(PyErr::from_value(class.call_method1("_of", (problems,))?))
    });
    made.unwrap_or_else(|failed| failed)
}

fn told(problem: &Problem<'_>) -> Told {
    match problem {
        Problem::At(place) => at(place),
        Problem::Plain { message, help } => plain(message.clone(), help),
    }
}

fn at(place: &Diagnostic) -> Told {
    let (line, column) = place.source.line_column(place.span.start);
    let label = (!place.label.is_empty()).then(|| place.label.to_string());
    (
        place.message.clone(),
        Some(place.source.name.clone()),
        Some(line),
        Some(column),
        place.help.clone().or(label),
        place.render(false),
    )
}

fn plain(message: String, help: &str) -> Told {
    let mut text = format!("error: {message}");
    if !help.is_empty() {
        text += &format!("\nhelp: {help}");
    }
    let hint = (!help.is_empty()).then(|| help.to_owned());
    (message, None, None, None, hint, text)
}

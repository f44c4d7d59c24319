//! Exact numbers as a designer writes them: `0.55`, `"55 %"`, `"11/20"`.

use crate::file::nodes::{Node, span, wrong_type};
use crate::number::{Printed, parse};
use crate::source::{Reporter, Span};

/// A number with its place.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) printed: Printed,
    pub(crate) span: Span,
}

/// The number behind a key. Its digits are read as they are written, so that 0.55 is 11/20.
pub(crate) fn read(node: &Node<'_>, what: &str, reporter: &mut Reporter) -> Option<Figure> {
    let place = span(node);
    let written = match node.get_ref().as_str() {
        Some(text) => text.trim().to_owned(),
        None if node.get_ref().is_integer() || node.get_ref().is_float() => {
            // TOML allows for underscores between digits.
            reporter.source.text[place.start..place.end].replace('_', "")
        }
        None => {
            let needed = format!("{what} must be a number, or a string such as \"55 %\"");
            wrong_type(node, &needed, reporter);
            return None;
        }
    };
    match parse(&written) {
        Ok(printed) => Some(Figure {
            printed,
            span: place,
        }),
        Err(label) => {
            let error = reporter.error(place, format!("`{written}` is no exact number"));
            let help = "a number is written as a decimal, 0.55, a percentage, \"55 %\", or a fraction, \"11/20\"";
            reporter.push(error.with_label(label).with_help(help));
            None
        }
    }
}

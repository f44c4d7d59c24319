//! Why odds moved, and where that stands.

use oddsmith_rules::{Source, Span};

/// Why odds moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The reason in words: `parameter cap: 5 -> 3`.
    pub text: String,
    /// The place that it is about.
    pub place: Place,
}

/// A place in a ruleset; lines and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// The beginning of a span.
    pub fn of(source: &Source, span: Span) -> Self {
        let (line, column) = source.line_column(span.start);
        Self { line, column }
    }
}

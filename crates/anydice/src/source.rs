//! Places in a program, and what is said about them.

use std::fmt;
use std::sync::Arc;

pub(crate) use oddsmith_diagnostics::Span;
use oddsmith_diagnostics::{Diagnostic, Source, one_line};

/// Why a program is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is no program.
    Syntax,
    /// The program asks for something that has no value, such as a die as a condition.
    Value,
    /// The work, or the memory, is over the budget, or the program is over a limit of this crate.
    Refused,
}

/// One error in a program: what is wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What sort of error it is.
    pub kind: ErrorKind,
    /// One line: the rule that is broken and the value that breaks it.
    pub message: String,
    /// Where.
    pub span: Span,
    /// A few words under the caret.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// What a step of reading or running a program comes to.
pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(kind: ErrorKind, span: Span, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            span,
            label: String::new(),
            help: None,
        }
    }

    pub(crate) fn syntax(span: Span, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Syntax, span, message)
    }

    pub(crate) fn value(span: Span, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Value, span, message)
    }

    pub(crate) fn refused(span: Span, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Refused, span, message)
    }

    pub(crate) fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The error about the program that `source` is, with its line and a caret.
    ///
    /// ```
    /// use oddsmith_diagnostics::Source;
    /// let source = Source::new("demo", "output 2d6 +");
    /// let errors = oddsmith_anydice::Program::parse(&source.text).unwrap_err();
    /// let shown = errors.first().diagnostic(&source).render(false);
    /// assert!(shown.contains("--> demo:1:13"), "{shown}");
    /// ```
    #[must_use]
    pub fn diagnostic(&self, source: &Arc<Source>) -> Diagnostic {
        let diagnostic = Diagnostic::new(source, self.span, self.message.as_str())
            .with_label(self.label.as_str());
        match &self.help {
            Some(help) => diagnostic.with_help(help.as_str()),
            None => diagnostic,
        }
    }
}

impl fmt::Display for Error {
    /// The message alone; [`Error::diagnostic`] has the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&one_line(&self.message))
    }
}

impl std::error::Error for Error {}

/// The errors of a text: at least one, in the order of their places, and at most [`Errors::MOST`].
///
/// ```
/// let errors = oddsmith_anydice::Program::parse("output 2d6 +\nouput 3d6").unwrap_err();
/// let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
/// assert_eq!(messages[0], "expected a value, found `ouput`");
/// assert_eq!(messages.len(), 1); // the second line is what the first one lacks
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors(Vec<Error>);

impl Errors {
    /// The most errors that are told of a text; where there are more, the last one says so.
    pub const MOST: usize = 100;

    /// The errors, in any order; nothing if there are none. `has_more` is whether others were left out.
    pub(crate) fn of(mut errors: Vec<Error>, has_more: bool) -> Option<Self> {
        errors.sort_by_key(|error| error.span.start);
        errors.truncate(Self::MOST - 1);
        let last = errors.last()?.span;
        if has_more {
            let message = "there are more errors, which are told once these are mended";
            errors.push(Error::syntax(last, message));
        }
        Some(Self(errors))
    }

    /// The first error of the text.
    #[must_use]
    pub fn first(&self) -> &Error {
        &self.0[0]
    }

    /// All errors.
    pub fn iter(&self) -> impl Iterator<Item = &Error> {
        self.0.iter()
    }
}

impl fmt::Display for Errors {
    /// The messages alone, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages: Vec<String> = self.0.iter().map(Error::to_string).collect();
        f.write_str(&messages.join("\n"))
    }
}

impl std::error::Error for Errors {}

/// The first one, for whoever tells only one.
impl From<Errors> for Error {
    fn from(errors: Errors) -> Self {
        errors.first().clone()
    }
}

//! Places in a program, and what is said about them.

use std::fmt;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// A half-open range of bytes in the text of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, but not including, `end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }
}

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

    /// The message with the line of the program and a caret, in colour when `styled`. `name` is what the text is called, such
    /// as a path, and `text` is the program.
    ///
    /// ```
    /// let text = "output 2d6 +";
    /// let error = oddsmith_anydice::Program::parse(text).unwrap_err();
    /// let shown = error.render("demo", text, false);
    /// assert!(shown.contains("--> demo:1:13"), "{shown}");
    /// ```
    #[must_use]
    pub fn render(&self, name: &str, text: &str, styled: bool) -> String {
        let renderer = match styled {
            true => Renderer::styled(),
            false => Renderer::plain(),
        };
        let end = self.span.end.min(text.len());
        let place = AnnotationKind::Primary
            .span(self.span.start.min(end)..end)
            .label(visible(&self.label));
        let snippet = Snippet::source(text).path(visible(name)).annotation(place);
        let mut group: Group<'_> = Level::ERROR
            .primary_title(visible(&self.message))
            .element(snippet);
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(visible(help)));
        }
        renderer.decor_style(DecorStyle::Ascii).render(&[group])
    }
}

impl fmt::Display for Error {
    /// The message alone; [`Error::render`] shows the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(&self.message))
    }
}

impl std::error::Error for Error {}

/// A text in one line, in which a character that is no plain letter, sign or space is written as its escape: it could act on a
/// terminal, or turn the order of what is read.
pub(crate) fn visible(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() && (c.is_ascii() || c.is_alphanumeric() || c == '…');
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_plain(c) {
            true => shown.push(c),
            false => shown.extend(c.escape_default()),
        }
    }
    shown
}

/// The known name that is nearest to a wrong one, if it is near: a third of its letters may differ.
pub(crate) fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.map(|name| (strsim::damerau_levenshtein(wrong, name), name));
    let near = near.filter(|(distance, name)| {
        let letters = wrong.chars().count().max(name.chars().count());
        *distance <= (letters / 3).max(1) && *distance < letters
    });
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

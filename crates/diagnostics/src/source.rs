//! Source text, places in it, and what is said about them.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use crate::narrow::{is_too_wide, with_labels_broken};
use crate::visible::{one_line, visible};

/// Columns beside a marked place, for the number of its line and the marks of what is cut off.
const MARGIN: usize = 24;

/// A half-open range of bytes in a [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// Whether all of `inner` lies in this span.
    #[must_use]
    pub fn contains(self, inner: Self) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// A named text: a ruleset file, or an expression from the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// What messages call it: a path, or `<expression>`.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Where its lines begin, once anybody asked.
    lines: OnceLock<Vec<usize>>,
}

impl Source {
    /// A shared source, as every diagnostic holds one.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self {
            name: name.into(),
            text: text.into(),
            lines: OnceLock::new(),
        })
    }

    /// Line and column of a byte, both from 1; the column counts characters.
    ///
    /// ```
    /// let source = oddsmith_diagnostics::Source::new("demo", "ab\ncd");
    /// assert_eq!(source.line_column(4), (2, 2));
    /// ```
    #[must_use]
    pub fn line_column(&self, byte: usize) -> (usize, usize) {
        let lines = self.lines.get_or_init(|| {
            let ends = self.text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(ends).collect()
        });
        let before = self.text.get(..byte).unwrap_or(&self.text);
        let line = lines.partition_point(|start| *start <= before.len());
        (line, before[lines[line - 1]..].chars().count() + 1)
    }
}

/// Whether a text can be used as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Severity {
    /// It breaks a rule of the language: nothing is answered.
    #[default]
    Error,
    /// It is legal, but hardly what was meant: it is answered, and told.
    Warning,
}

/// One error or warning about a source: what is wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether it keeps the text from being used.
    pub severity: Severity,
    /// The text it is about.
    pub source: Arc<Source>,
    /// One line: the rule that is broken and the value that breaks it.
    pub message: String,
    /// Where.
    pub span: Span,
    /// A few words under the caret.
    pub label: Box<str>,
    /// Other places that matter, such as an earlier definition.
    pub related: Box<[(Span, String)]>,
    /// What to do about it.
    pub help: Option<String>,
    /// What would mend it, where one text most likely would.
    pub fix: Option<Box<Fix>>,
}

/// A text that mends an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced.
    pub span: Span,
    /// By what.
    pub text: String,
}

impl Diagnostic {
    /// An error without help or related places; add them with the `with_` methods.
    #[must_use]
    pub fn new(source: &Arc<Source>, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            source: Arc::clone(source),
            message: message.into(),
            span,
            label: Box::default(),
            related: Box::default(),
            help: None,
            fix: None,
        }
    }

    /// A warning, to be completed like an error.
    #[must_use]
    pub fn warning(source: &Arc<Source>, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::new(source, span, message)
        }
    }

    /// Says something under the caret.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into().into_boxed_str();
        self
    }

    /// Says that another name was most likely meant where the error is; a string there keeps its quotes.
    #[must_use]
    pub fn meant(self, name: &str) -> Self {
        let label = format!("did you mean `{name}`?");
        self.with_label(label).mended(name)
    }

    /// Mends what stands where the error is with another text; a string there keeps its quotes.
    #[must_use]
    pub fn mended(self, text: &str) -> Self {
        let written = self.source.text.get(self.span.start..self.span.end);
        let inner = written.and_then(inside_quotes);
        let span = inner.map_or(self.span, |(inner, start)| {
            let start = self.span.start + start;
            Span::new(start, start + inner.len())
        });
        self.with_fix(span, text)
    }

    /// Says what would mend it.
    #[must_use]
    pub fn with_fix(mut self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        self.fix = Some(Box::new(Fix { span, text }));
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        let mut related = self.related.into_vec();
        related.push((span, label.into()));
        self.related = related.into();
        self
    }

    /// The same error about a text that is a part of another one, and begins there at `start`.
    #[must_use]
    pub fn moved(mut self, source: &Arc<Source>, start: usize) -> Self {
        let moved = |span: Span| Span::new(span.start + start, span.end + start);
        self.source = Arc::clone(source);
        self.span = moved(self.span);
        for (span, _) in &mut self.related {
            *span = moved(*span);
        }
        if let Some(fix) = &mut self.fix {
            fix.span = moved(fix.span);
        }
        self
    }

    /// The message with the source line and a caret, in colour when `styled`.
    #[must_use]
    pub fn render(&self, styled: bool) -> String {
        self.drawn(styled, None)
    }

    /// The same in at most so many columns, where the places are: source lines are cut around the caret, and what is said
    /// beside it has several lines. The message and the help are for the reader of the text to break.
    ///
    /// ```
    /// use oddsmith_diagnostics::{Diagnostic, Source, Span};
    /// let source = Source::new("demo", "a".repeat(99) + "b" + &"c".repeat(99));
    /// let error = Diagnostic::new(&source, Span::new(99, 100), "unexpected b").with_label("this one");
    /// let text = error.render_within(false, 40);
    /// assert!(text.lines().all(|line| line.len() <= 40));
    /// assert!(text.contains("...aaaa") && text.contains("cccc...") && text.contains("^ this one"));
    /// ```
    #[must_use]
    pub fn render_within(&self, styled: bool, width: usize) -> String {
        let labels = self.related.iter().map(|(_, label)| label.as_str());
        let labels = std::iter::once(&*self.label).chain(labels);
        let labels: Vec<String> = labels.map(|label| one_line(label).into_owned()).collect();
        let drawn = |is_apart| self.drawn(styled, Some((width, is_apart)));
        let together = with_labels_broken(&drawn(false), &labels, width);
        match is_too_wide(&together, width) && !self.related.is_empty() {
            true => with_labels_broken(&drawn(true), &labels, width),
            false => together,
        }
    }

    /// The message with its places; in so many columns, and each place by itself or all in one text.
    fn drawn(&self, styled: bool, within: Option<(usize, bool)>) -> String {
        let renderer = if styled {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let renderer = match within {
            Some((width, _)) => renderer.term_width(width),
            None => renderer,
        };
        let primary = self.annotation(AnnotationKind::Primary, self.span, &self.label, within);
        let related = self.related.iter().map(|(span, label)| {
            let kind = AnnotationKind::Context;
            self.annotation(kind, *span, label, within)
        });
        let snippet = || Snippet::source(&self.source.text).path(one_line(&self.source.name));
        let is_apart = within.is_some_and(|(_, is_apart)| is_apart);
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(one_line(&self.message));
        let first = snippet().annotation(primary);
        let mut group: Group<'_> = match is_apart {
            true => title
                .element(first)
                .elements(related.map(|place| snippet().annotation(place))),
            false => title.element(first.annotations(related)),
        };
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(visible(help)));
        }
        renderer.decor_style(DecorStyle::Ascii).render(&[group])
    }

    /// A place with what is said of it.
    fn annotation<'d>(
        &'d self,
        kind: AnnotationKind,
        span: Span,
        label: &'d str,
        within: Option<(usize, bool)>,
    ) -> Annotation<'d> {
        let end = span.end.min(self.source.text.len());
        let start = span.start.min(end);
        let end = match within {
            Some((width, _)) => self.marked_end(start..end, width),
            None => end,
        };
        kind.span(start..end).label(one_line(label))
    }

    /// Where the mark of a place ends on a screen that is so wide: with the first line, and before that of a long one.
    fn marked_end(&self, place: Range<usize>, width: usize) -> usize {
        let Some(marked) = self.source.text.get(place.clone()) else {
            return place.end;
        };
        let most = width.saturating_sub(MARGIN).max(1);
        let line = marked.lines().next().unwrap_or_default();
        let is_narrow = marked.lines().all(|line| line.chars().count() <= most);
        match line.char_indices().nth(most) {
            Some((cut, _)) => place.start + cut,
            None if is_narrow => place.end,
            None => place.start + line.len(),
        }
    }
}

impl fmt::Display for Diagnostic {
    /// `file:line:column: message`, for logs; [`Diagnostic::render`] shows more.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.source.line_column(self.span.start);
        let (name, message) = (one_line(&self.source.name), one_line(&self.message));
        write!(f, "{name}:{line}:{column}: {message}")
    }
}

/// What stands between the quotes of a TOML string, and where it begins; none of what is no string.
pub fn inside_quotes(raw: &str) -> Option<(&str, usize)> {
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let quote = quotes.into_iter().find(|quote| raw.starts_with(quote))?;
    let mut start = quote.len();
    if quote.len() == 3 {
        // TOML skips the line end after an opening of three quotes.
        let rest = raw.get(start..)?;
        let line_end = ["\r\n", "\n"].into_iter().find(|end| rest.starts_with(end));
        start += line_end.map_or(0, str::len);
    }
    let end = raw.len().checked_sub(quote.len())?;
    raw.ends_with(quote)
        .then_some((raw.get(start..end)?, start))
}

/// All the errors of one source, or all its warnings, in the order of their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// These errors, if there are any.
    ///
    /// # Errors
    /// All of them.
    pub fn if_any(errors: impl IntoIterator<Item = Diagnostic>) -> Result<(), Self> {
        let errors: Vec<Diagnostic> = errors.into_iter().collect();
        match errors.is_empty() {
            true => Ok(()),
            false => Err(Self(errors)),
        }
    }

    /// All of them as [`Diagnostic::render`] shows each, an empty line between.
    #[must_use]
    pub fn render(&self, styled: bool) -> String {
        let parts: Vec<String> = self.0.iter().map(|error| error.render(styled)).collect();
        parts.join("\n\n")
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

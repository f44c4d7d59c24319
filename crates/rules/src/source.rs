//! Source text, places in it, and what is said about them.

use std::fmt;
use std::sync::{Arc, OnceLock};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::visible::{one_line, visible};

/// A half-open range of bytes in a [`Source`].
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
    /// let source = oddsmith_rules::Source::new("demo", "ab\ncd");
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
    pub label: String,
    /// Other places that matter, such as an earlier definition.
    pub related: Box<[(Span, String)]>,
    /// What to do about it.
    pub help: Option<String>,
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
            label: String::new(),
            related: Box::default(),
            help: None,
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
        self.label = label.into();
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
    pub(crate) fn moved(mut self, source: &Arc<Source>, start: usize) -> Self {
        let moved = |span: Span| Span::new(span.start + start, span.end + start);
        self.source = Arc::clone(source);
        self.span = moved(self.span);
        for (span, _) in &mut self.related {
            *span = moved(*span);
        }
        self
    }

    /// The message with the source line and a caret, in colour when `styled`.
    #[must_use]
    pub fn render(&self, styled: bool) -> String {
        let renderer = if styled {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let clip = |span: Span| {
            let end = span.end.min(self.source.text.len());
            span.start.min(end)..end
        };
        let related = self.related.iter().map(|(span, label)| {
            AnnotationKind::Context
                .span(clip(*span))
                .label(one_line(label))
        });
        let snippet = Snippet::source(&self.source.text)
            .path(one_line(&self.source.name))
            .annotation(
                AnnotationKind::Primary
                    .span(clip(self.span))
                    .label(one_line(&self.label)),
            )
            .annotations(related);
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group: Group<'_> = level
            .primary_title(one_line(&self.message))
            .element(snippet);
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(visible(help)));
        }
        renderer.decor_style(DecorStyle::Ascii).render(&[group])
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

/// All the errors of one source, or all its warnings, in the order of their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
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

/// The errors of a file that are kept.
const MOST_ERRORS: usize = 1000;
/// The errors that are told with the name that was most likely meant.
const MOST_NEAR: usize = 100;

/// Collects errors while a file is read, so that one run reports them all.
#[derive(Debug)]
pub(crate) struct Reporter {
    pub(crate) source: Arc<Source>,
    errors: Vec<Diagnostic>,
}

impl Reporter {
    pub(crate) fn new(source: &Arc<Source>) -> Self {
        Self {
            source: Arc::clone(source),
            errors: Vec::new(),
        }
    }

    /// An error at `span`, to be completed with the `with_` methods and given to [`Self::push`].
    pub(crate) fn error(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(&self.source, span, message)
    }

    /// Keeps an error; the same message at the same place is kept once. Of too many the last one says that there are more.
    pub(crate) fn push(&mut self, error: Diagnostic) {
        let is_same = |e: &Diagnostic| e.span == error.span && e.message == error.message;
        if self.errors.len() > MOST_ERRORS || self.errors.iter().any(is_same) {
            return;
        }
        self.errors.push(match self.errors.len() < MOST_ERRORS {
            true => error,
            false => Diagnostic::new(
                &self.source,
                error.span,
                format!("more than {MOST_ERRORS} errors: from here on they are not told"),
            ),
        });
    }

    /// The name that was most likely meant, as [`nearest`] says; none once there are so many errors that looking for it would
    /// take its time.
    pub(crate) fn nearest<'a>(
        &self,
        wrong: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        if self.errors.len() < MOST_NEAR {
            nearest(wrong, names)
        } else {
            None
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// How many errors there are.
    pub(crate) fn len(&self) -> usize {
        self.errors.len()
    }

    /// Whether there is an error inside `place`.
    pub(crate) fn any_in(&self, place: Span) -> bool {
        self.errors.iter().any(|error| place.contains(error.span))
    }

    /// `value`, or all the errors sorted by place.
    pub(crate) fn finish<T>(self, value: T) -> Result<T, Diagnostics> {
        if self.errors.is_empty() {
            Ok(value)
        } else {
            Err(self.into_errors())
        }
    }

    /// All the errors sorted by place.
    pub(crate) fn into_errors(mut self) -> Diagnostics {
        self.errors
            .sort_by_key(|error| (error.span.start, error.span.end));
        Diagnostics(self.errors)
    }
}

/// The names that there are, as a sentence.
pub(crate) fn there_are(names: &[&str]) -> String {
    match names {
        [] => "there are no others".to_owned(),
        [only] => format!("there is only {only}"),
        several => format!("there are {}", several.join(", ")),
    }
}

/// The name among `known` that was most likely meant by `wrong`, if any is near: a third of its letters may differ, or stand
/// the other way round, and capitals count for nothing.
///
/// ```
/// use oddsmith_rules::nearest;
///
/// let games = ["stars-and-signs", "action-primer"];
/// assert_eq!(nearest("stars-and-sings", games), Some("stars-and-signs"));
/// assert_eq!(nearest("Action-Primer", games), Some("action-primer"));
/// assert_eq!(nearest("chess", games), None);
/// ```
#[must_use]
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wrong.to_lowercase();
    let length = lower.chars().count();
    // A slip or two in a word; a word of one letter has nothing left to recognise it by.
    let is_near = |distance: usize, name: &str| {
        let (shorter, longer) = (
            length.min(name.chars().count()),
            length.max(name.chars().count()),
        );
        distance < shorter.max(1) && distance <= (longer / 3).max(1)
    };
    let known: Vec<(usize, &str)> = known
        .into_iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&lower, &name.to_lowercase()),
                name,
            )
        })
        .collect();
    let near = known
        .iter()
        .filter(|(distance, name)| is_near(*distance, name))
        .min_by_key(|(distance, _)| *distance);
    if let Some((_, name)) = near {
        return Some(name);
    }
    part_of(&lower, known.iter().map(|(_, name)| *name)).or_else(|| {
        // Two slips in four letters, where the first one is right.
        let is_near = |distance: usize, name: &str| {
            distance == 2
                && length.min(name.chars().count()) >= 4
                && name.to_lowercase().chars().next() == lower.chars().next()
        };
        let mut near = known
            .iter()
            .filter(|(distance, name)| is_near(*distance, name));
        near.next().map(|(_, name)| *name)
    })
}

/// The one name that begins with `lower`, or has it as one of its words.
fn part_of<'a>(lower: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let is_part = |name: &&str| {
        let name = name.to_lowercase();
        name.starts_with(lower) || name.split(['_', ' ']).any(|word| word == lower)
    };
    let mut found: Vec<&str> = known.filter(is_part).collect();
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [only] if lower.chars().count() >= 3 => Some(only),
        _ => None,
    }
}

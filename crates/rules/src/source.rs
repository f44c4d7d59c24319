//! Errors of a file while it is read.

use std::sync::Arc;

pub(crate) use oddsmith_diagnostics::{
    Diagnostic, Diagnostics, Source, Span, inside_quotes, nearest,
};

use crate::choice::Choice;
use crate::index::record::{Record, Target};

/// The errors of a file that are kept.
const MOST_ERRORS: usize = 1000;
/// The errors that are told with the name that was most likely meant.
const MOST_NEAR: usize = 100;

/// Collects errors while a file is read, so that one run reports them all.
#[derive(Debug)]
pub(crate) struct Reporter {
    pub(crate) source: Arc<Source>,
    errors: Vec<Diagnostic>,
    /// What names mean, if anybody wants to know.
    pub(crate) record: Option<Box<Record>>,
}

impl Reporter {
    pub(crate) fn new(source: &Arc<Source>) -> Self {
        Self {
            source: Arc::clone(source),
            errors: Vec::new(),
            record: None,
        }
    }

    /// One for what is read only to know what names mean in it: what it reports is told elsewhere, or not at all.
    pub(crate) fn aside<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let mut aside = Self::new(&self.source);
        aside.record = self.record.take();
        let read = read(&mut aside);
        self.record = aside.record;
        read
    }

    /// Notes that the name at a place means what is defined at another one.
    pub(crate) fn note_name(&mut self, place: Span, defined: Span) {
        if let Some(record) = &mut self.record {
            record.name(place, defined);
        }
    }

    /// Notes that the word at a place is a label.
    pub(crate) fn note_label(&mut self, place: Span, list: &Arc<Choice>, at: i64) {
        if let Some(record) = &mut self.record {
            record.label(place, list, at);
        }
    }

    /// Notes that what is defined at two places has to have the same name.
    pub(crate) fn note_same(&mut self, one: Span, other: Span) {
        if let Some(record) = &mut self.record {
            record.join(Target::Name(one), Target::Name(other));
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

    /// An error as `explain` has it; as it is once there are so many that explaining them would take its time.
    pub(crate) fn explained(
        &self,
        error: Diagnostic,
        explain: impl FnOnce(Diagnostic) -> Diagnostic,
    ) -> Diagnostic {
        match self.is_patient() {
            true => explain(error),
            false => error,
        }
    }

    /// Whether errors are still few enough to look for what was meant.
    fn is_patient(&self) -> bool {
        self.errors.len() < MOST_NEAR
    }

    /// The name that was most likely meant, as [`nearest`] says; none once there are so many errors that looking for it would
    /// take its time.
    pub(crate) fn nearest<'a>(
        &self,
        wrong: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        self.is_patient().then(|| nearest(wrong, names)).flatten()
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

/// How many names [`there_are_some`] lists.
const MOST_NAMES: usize = 12;

/// The names that there are, the first of many, each once.
pub(crate) fn there_are_some(names: &[String]) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if !distinct.contains(&name.as_str()) {
            distinct.push(name);
        }
    }
    let Some(further) = distinct.len().checked_sub(MOST_NAMES + 1) else {
        return there_are(&distinct);
    };
    let shown = distinct[..MOST_NAMES].join(", ");
    format!("there are {shown} and {} more", further + 1)
}

//! The warnings that have been found.

use std::sync::Arc;

use crate::source::{Diagnostic, Diagnostics, Source, Span};

/// The warnings that were found so far.
pub(super) struct Found {
    source: Arc<Source>,
    warnings: Vec<Diagnostic>,
}

impl Found {
    pub(super) fn new(source: &Arc<Source>) -> Self {
        Self {
            source: Arc::clone(source),
            warnings: Vec::new(),
        }
    }

    /// What is written at a place.
    pub(super) fn text(&self, span: Span) -> &str {
        self.source.text.get(span.start..span.end).unwrap_or("")
    }

    /// A warning at `span`, to be completed with the `with_` methods and given to [`Self::push`].
    pub(super) fn warning(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::warning(&self.source, span, message)
    }

    /// Keeps a warning. Rules that are played by several checks are warned of once.
    pub(super) fn push(&mut self, warning: Diagnostic) {
        let is_known =
            |known: &Diagnostic| known.span == warning.span && known.message == warning.message;
        if !self.warnings.iter().any(is_known) {
            self.warnings.push(warning);
        }
    }

    /// All of them, sorted by place.
    pub(super) fn finish(mut self) -> Diagnostics {
        self.warnings
            .sort_by_key(|warning| (warning.span.start, warning.span.end));
        Diagnostics(self.warnings)
    }
}

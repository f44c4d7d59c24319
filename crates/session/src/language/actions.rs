//! Quick fixes.

use crate::diagnostics::{Diagnostic, Fix};
use crate::document::Document;
use crate::position::{Range, TextEdit};

/// A change that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAction {
    /// What it does, in a few words.
    pub title: String,
    /// What it mends.
    pub diagnostic: Diagnostic,
    /// The change.
    pub edits: Vec<TextEdit>,
}

impl Document {
    /// The changes that would mend what is wrong in a range.
    #[must_use]
    pub fn code_actions(&self, range: Range) -> Vec<CodeAction> {
        let touches = |other: Range| other.start <= range.end && range.start <= other.end;
        let told = self.diagnostics().into_iter();
        let told = told.filter(|told| touches(told.range));
        told.filter_map(|diagnostic| self.mended(diagnostic))
            .collect()
    }

    fn mended(&self, diagnostic: Diagnostic) -> Option<CodeAction> {
        let Fix { range, text } = diagnostic.fix.clone()?;
        let span = self.lines().span(self.text(), range);
        let written = &self.text()[span.start..span.end];
        let title = match written.is_empty() {
            true => format!("Write `{text}`"),
            false => format!("Replace `{written}` with `{text}`"),
        };
        let new_text = text;
        Some(CodeAction {
            title,
            diagnostic,
            edits: vec![TextEdit { range, new_text }],
        })
    }
}

//! How a text is formatted.

use oddsmith_rules::{Source, format};

use crate::document::Document;
use crate::position::{Range, TextEdit};

impl Document {
    /// The changes that format the text, in its order; none for a text that can't be read.
    #[must_use]
    pub fn formatting(&self) -> Option<Vec<TextEdit>> {
        let edits = format::edits(&Source::new(self.uri(), self.text())).ok()?;
        let told = edits.into_iter().map(|edit| TextEdit {
            range: self.range(edit.span),
            new_text: edit.text,
        });
        Some(told.collect())
    }

    /// Those of them that lie on the lines of a range.
    #[must_use]
    pub fn range_formatting(&self, range: Range) -> Option<Vec<TextEdit>> {
        let mut edits = self.formatting()?;
        // A range that ends where a line begins has nothing of that line.
        let last = match range.end.character {
            0 if range.end.line > range.start.line => range.end.line - 1,
            _ => range.end.line,
        };
        let is_within = |edit: &TextEdit| {
            range.start.line <= edit.range.end.line && edit.range.end.line <= last
        };
        edits.retain(is_within);
        Some(edits)
    }
}

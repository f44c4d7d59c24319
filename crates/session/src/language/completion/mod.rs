//! What can be written at a place.

mod calls;
mod findings;
mod items;
mod keys;
mod scope;
mod scripts;
mod texts;

pub use items::{Completion, CompletionKind};

use oddsmith_rules::index::Names;
use oddsmith_rules::layout::Cursor;
use oddsmith_rules::{Holds, Span, layout::Place};

use crate::document::Document;
use crate::language::completion::items::Items;
use crate::position::Position;

/// Where something is to be written.
struct Site<'d> {
    document: &'d Document,
    names: &'d Names,
    /// Where the cursor is.
    offset: usize,
}

impl Document {
    /// What can be written at a position, the nearest first. All of it is offered, whatever has been typed: editors leave out
    /// what does not fit, while the word goes on.
    #[must_use]
    pub fn completion(&self, position: Position) -> Vec<Completion> {
        let analysis = self.analysis();
        let offset = self.offset(position);
        let site = Site {
            document: self,
            names: analysis.names(),
            offset,
        };
        let items = match Cursor::within(self.text(), &analysis.names().layout, offset) {
            Cursor::Comment => return Vec::new(),
            Cursor::Key { table, word } => site.keys(&table, word),
            Cursor::Heading {
                table,
                word,
                is_list,
            } => site.headings(&table, word, is_list),
            Cursor::Value { path, word } => site.values(&path, word),
            Cursor::Text { path, text } => match Place::of(&path) {
                Some(Place::Value(key)) if !key.words().is_empty() => site.one_of(key, text),
                _ => site.text(&path, text, Place::holds(&path)),
            },
        };
        items.done()
    }
}

impl Site<'_> {
    /// Nothing yet, for what stands in a span.
    fn items(&self, span: Span) -> Items<'_> {
        Items::new(self.document, span)
    }

    fn source(&self) -> &str {
        self.document.text()
    }

    fn slice(&self, span: Span) -> &str {
        &self.source()[span.start..span.end]
    }

    /// The word that the cursor is in, or behind, within a span.
    fn word(&self, within: Span) -> Span {
        let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
        let before = &self.source()[within.start..self.offset];
        let rest = &self.source()[self.offset..within.end];
        let start = within.start + before.trim_end_matches(is_of_word).len();
        let length = rest.len() - rest.trim_start_matches(is_of_word).len();
        Span::new(start, self.offset + length)
    }

    /// What can be written in a string.
    fn text(&self, path: &[oddsmith_rules::layout::Step], text: Span, holds: Holds) -> Items<'_> {
        match holds {
            Holds::Words | Holds::Labels | Holds::Domain => self.items(text),
            Holds::Script | Holds::Function => self.script(path, text, holds),
            Holds::Requirement | Holds::Measure | Holds::Query => {
                self.expression(path, text, holds)
            }
            Holds::Utility => self.utility(path, text),
            Holds::Setting | Holds::Range | Holds::Dial => self.setting(path, text, holds),
            Holds::Axis | Holds::Number => self.lone_name(text, holds),
            Holds::Check => self.check_names(text),
            Holds::Finding => self.finding(text),
            Holds::Values => self.labels_beside(path, text),
        }
    }
}

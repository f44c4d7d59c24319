//! What is being written at a place of a text.

use crate::layout::parts::{Layout, Step};
use crate::layout::reader::{self, Heading};
use crate::source::Span;

/// What is being written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cursor {
    /// A string; what stands in it so far.
    Text {
        /// The way to it.
        path: Vec<Step>,
        /// What stands between its quotes.
        text: Span,
    },
    /// A value outside of a string.
    Value {
        /// The way to it.
        path: Vec<Step>,
        /// The word that the place is in, or behind.
        word: Span,
    },
    /// A name of a key.
    Key {
        /// The way to the table that has it.
        table: Vec<Step>,
        /// The word that the place is in, or behind.
        word: Span,
    },
    /// A name of a heading.
    Heading {
        /// The way to the table that has it.
        table: Vec<Step>,
        /// The word that the place is in, or behind.
        word: Span,
        /// Whether it is one of `[[…]]`.
        is_list: bool,
    },
    /// A comment.
    Comment,
}

impl Cursor {
    /// What is being written at a byte of a text.
    ///
    /// # Panics
    /// If it is not the beginning of a character.
    ///
    /// ```
    /// use oddsmith_rules::layout::{Cursor, Step};
    /// let text = "[checks.attack]\nba";
    /// let Cursor::Key { table, word } = Cursor::at(text, text.len()) else { panic!() };
    /// assert_eq!(table, ["checks", "attack"].map(|key| Step::Key(key.to_owned())));
    /// assert_eq!(&text[word.start..word.end], "ba");
    /// ```
    #[must_use]
    pub fn at(text: &str, offset: usize) -> Self {
        Self::within(text, &Layout::of(text), offset)
    }

    /// As [`Self::at`], of a text that was read already.
    #[must_use]
    pub fn within(text: &str, layout: &Layout, offset: usize) -> Self {
        if let Some(string) = layout.string_at(offset) {
            return Self::Text {
                path: string.path.clone(),
                text: string.text.unwrap_or(string.span),
            };
        }
        let in_comment = |comment: &Span| comment.start < offset && offset <= comment.end;
        if layout.comments.iter().any(in_comment) {
            return Self::Comment;
        }
        let word = word_around(text, offset);
        let state = reader::replay(text, &layout.events, word.start);
        match (&state.heading, &state.value) {
            (Some(Heading { is_list, .. }), _) => {
                let names = state.names.iter().map(|(name, _)| Step::Key(name.clone()));
                Self::Heading {
                    table: names.collect(),
                    word,
                    is_list: *is_list,
                }
            }
            (None, Some(path)) => Self::Value {
                path: path.clone(),
                word,
            },
            (None, None) => {
                let mut table = state.base().to_vec();
                let names = state.names.iter().map(|(name, _)| Step::Key(name.clone()));
                table.extend(names);
                Self::Key { table, word }
            }
        }
    }
}

/// The word that a place is in, or behind; empty if there is none.
pub(crate) fn word_around(text: &str, offset: usize) -> Span {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let before = text[..offset].trim_end_matches(is_of_word).len();
    let rest = &text[offset..];
    let after = rest.len() - rest.trim_start_matches(is_of_word).len();
    Span::new(before, offset + after)
}

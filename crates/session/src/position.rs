//! Places in a text as editors count them.

use serde::{Deserialize, Serialize};

/// A place between two characters.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub struct Position {
    /// The line, from 0.
    pub line: u32,
    /// Units of the [`Encoding`] before it on that line: UTF-16 code units, unless another one was agreed upon.
    pub character: u32,
}

/// What a [`Position`] counts on its line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, as all editors can.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The units that a character has.
    pub(crate) fn units(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

impl Position {
    /// The place before the `character`-th code unit of a line.
    #[must_use]
    pub fn new(line: u32, character: u32) -> Self {
        Self { line, character }
    }
}

/// What lies between two places; the end does not belong to it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub struct Range {
    /// Where it begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
}

/// A text in place of what stands in a range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    /// What is replaced.
    pub range: Range,
    /// By what.
    pub new_text: String,
}

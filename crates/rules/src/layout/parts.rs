//! Keys and values with their places.

use toml_parser::parser::Event;

use crate::source::Span;

/// A step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// Into a table.
    Key(String),
    /// Into a list.
    At(usize),
}

impl Step {
    /// The key, if it is one.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Key(name) => Some(name),
            Self::At(_) => None,
        }
    }
}

/// One of the names of a key, such as `axes` in `axes.stat = …` or in `[checks.attack.axes]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPart {
    /// The way to what it names.
    pub path: Vec<Step>,
    /// Where it stands, with quotes if it has them.
    pub span: Span,
    /// The entry or the heading that it belongs to: from its first key to the end of its value, or to the next heading.
    pub whole: Span,
    /// Whether it stands in a heading.
    pub is_heading: bool,
    /// Whether it is the last name of its key.
    pub is_last: bool,
}

/// A value that is no list and no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The way to it.
    pub path: Vec<Step>,
    /// Where it stands, with its quotes.
    pub span: Span,
    /// What stands between its quotes, if it is a string; without closing quotes to where it ends.
    pub text: Option<Span>,
}

/// The keys and values of a text.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The names of keys, in the order of the text.
    pub keys: Vec<KeyPart>,
    /// The values, in the order of the text.
    pub scalars: Vec<Scalar>,
    /// Lists and tables in brackets, with these.
    pub brackets: Vec<Span>,
    /// The comments of the file itself, not those in scripts.
    pub comments: Vec<Span>,
    /// What all this was made of.
    pub(super) events: Vec<Event>,
}

impl Layout {
    /// The string in which a byte lies, or that ends there.
    #[must_use]
    pub fn string_at(&self, offset: usize) -> Option<&Scalar> {
        let after = self
            .scalars
            .partition_point(|scalar| scalar.span.start < offset);
        let scalar = &self.scalars[after.checked_sub(1)?];
        let text = scalar.text?;
        (text.start <= offset && offset <= text.end).then_some(scalar)
    }

    /// The names of keys with this way.
    pub fn written<'l>(&'l self, path: &'l [Step]) -> impl Iterator<Item = &'l KeyPart> {
        self.keys.iter().filter(move |key| key.path == path)
    }
}

//! Text, and what its parts are to a reader.

use std::borrow::Cow;

use oddsmith_rules::visible;

/// What a part of a text, or a cell, is to a reader. A terminal gives each a style; documents only make strong what is
/// strong in a paragraph, and mark code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    #[default]
    Plain,
    /// What stands out.
    Strong,
    /// What is beside the point.
    Muted,
    /// What a user could type.
    Code,
    /// What must not be.
    Alarm,
    /// A bar without an order.
    Bar,
    /// What stands at a place among so many, the worst first.
    Ranked { place: usize, count: usize },
}

/// A part of a text, or a cell. No character of it acts on a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(super) text: String,
    pub(super) role: Role,
}

impl Span {
    pub(crate) fn new(text: impl Into<String>, role: Role) -> Self {
        let text = text.into();
        let seen = match visible(&text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(seen) => Some(seen),
        };
        Self {
            text: seen.unwrap_or(text),
            role,
        }
    }

    pub(crate) fn muted(text: impl Into<String>) -> Self {
        Self::new(text, Role::Muted)
    }

    pub(crate) fn strong(text: impl Into<String>) -> Self {
        Self::new(text, Role::Strong)
    }

    /// A bar of up to `width` columns for a share of the whole, to an eighth of a column; never empty for what is
    /// possible.
    pub(crate) fn bar(share: f64, width: u32, role: Role) -> Self {
        Self::new(bar(share, width), role)
    }
}

impl<T: Into<String>> From<T> for Span {
    fn from(text: T) -> Self {
        Self::new(text, Role::Plain)
    }
}

fn bar(share: f64, width: u32) -> String {
    let eighths = (share.clamp(0.0, 1.0) * f64::from(width * 8)).round();
    let mut left = if share > 0.0 { eighths.max(1.0) } else { 0.0 };
    let mut bar = String::new();
    while left >= 8.0 {
        bar.push('█');
        left -= 8.0;
    }
    let parts = [
        (7.0, '▉'),
        (6.0, '▊'),
        (5.0, '▋'),
        (4.0, '▌'),
        (3.0, '▍'),
        (2.0, '▎'),
        (1.0, '▏'),
    ];
    let part = parts.iter().find(|(eighths, _)| left >= *eighths);
    bar.extend(part.map(|(_, block)| *block));
    bar
}

/// Parts of a text, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text(pub(super) Vec<Span>);

impl Text {
    /// Words of our own, in which code stands between backticks.
    pub(crate) fn with_code(words: &str) -> Self {
        let parts = words.split('`').enumerate();
        let role = |at: usize| {
            if at.is_multiple_of(2) {
                Role::Plain
            } else {
                Role::Code
            }
        };
        let spans = parts.map(|(at, part)| Span::new(part, role(at)));
        Self(spans.filter(|span| !span.text.is_empty()).collect())
    }

    /// This text, and more of it.
    pub(crate) fn and(mut self, more: impl Into<Self>) -> Self {
        self.0.extend(more.into().0);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|span| span.text.is_empty())
    }
}

impl From<Span> for Text {
    fn from(span: Span) -> Self {
        Self(vec![span])
    }
}

impl<T: Into<String>> From<T> for Text {
    fn from(text: T) -> Self {
        Span::from(text).into()
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, Span, Text, bar};

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(0.29, 4), "█▏");
        assert_eq!(bar(1e-9, 4), "▏");
        assert_eq!(bar(0.0, 4), "");
        assert_eq!(bar(1.0, 4), "████");
    }

    #[test]
    fn code_stands_between_backticks() {
        let code = Span::new("--top", Role::Code);
        let spans = vec![Span::from("more with "), code, Span::from(".")];
        assert_eq!(Text::with_code("more with `--top`."), Text(spans));
    }
}

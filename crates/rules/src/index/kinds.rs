//! What has a name, and which place of a file says so.

use crate::layout::Step;
use crate::source::{Source, Span};

/// What has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// A constant of the design, or a list of them.
    Parameter,
    /// What differs from roll to roll.
    Axis,
    /// A label of a parameter or an axis.
    Label,
    /// A label of the bands of a check.
    Band,
    /// A check.
    Check,
    /// A track.
    Track,
    /// A function of the file.
    Function,
    /// A parameter of a function.
    Argument,
    /// What a script binds by `let`.
    Let,
    /// What a script shows.
    Show,
    /// What a script lets the player choose.
    Choice,
    /// Points that players spend.
    Resource,
}

impl SymbolKind {
    /// What it is called.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Parameter => "parameter",
            Self::Axis => "axis",
            Self::Label => "label",
            Self::Band => "band",
            Self::Check => "check",
            Self::Track => "track",
            Self::Function => "function",
            Self::Argument => "argument",
            Self::Let => "value",
            Self::Show => "shown value",
            Self::Choice => "choice",
            Self::Resource => "resource",
        }
    }
}

/// The text of a span.
pub(super) fn text_at(source: &Source, span: Span) -> &str {
    source.text.get(span.start..span.end).unwrap_or_default()
}

/// The check or the track, and the axis, that a way to an axis names.
pub(super) fn axis_of(path: &[Step]) -> Option<(&str, &str)> {
    match path {
        [
            Step::Key(table),
            Step::Key(check),
            Step::Key(axes),
            Step::Key(axis),
            ..,
        ] if (table == "checks" || table == "tracks") && axes == "axes" => Some((check, axis)),
        _ => None,
    }
}

//! Why something has no counterpart in a ruleset.

use crate::source::Span;

/// Why something has no counterpart, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The reason, as a sentence without its end.
    pub message: String,
    /// The part of the program.
    pub span: Span,
}

/// The error that something has no counterpart.
pub(super) fn no<T>(span: Span, message: impl Into<String>) -> Result<T, Reason> {
    Err(Reason {
        message: message.into(),
        span,
    })
}

//! Errors of the program itself, with what to do about them.

pub(crate) use oddsmith::reason;

/// Makes errors that consist of a message and of what would help.
pub(crate) struct Advice;

impl Advice {
    /// An error that says `message`, then `help`.
    pub(crate) fn error(message: impl Into<String>, help: impl Into<String>) -> anyhow::Error {
        oddsmith::Error::advice(message, help).into()
    }
}

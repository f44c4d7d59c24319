//! Errors of the program, with what to do about them.

use oddsmith_rules::Diagnostics;

/// A message with what to do about it.
#[derive(Debug)]
pub(crate) struct Advice {
    pub(crate) message: String,
    pub(crate) help: String,
}

impl Advice {
    /// An error that says `message`, then `help`.
    pub(crate) fn error(message: impl Into<String>, help: impl Into<String>) -> anyhow::Error {
        let (message, help) = (message.into(), help.into());
        Self { message, help }.into()
    }
}

impl std::fmt::Display for Advice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Advice {}

/// A ruleset with errors: all of them, and a closing line that counts them.
#[derive(Debug)]
pub(crate) struct BrokenRuleset {
    pub(crate) name: String,
    pub(crate) errors: Diagnostics,
}

impl std::fmt::Display for BrokenRuleset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = self.errors.0.len();
        let errors = if count == 1 { "error" } else { "errors" };
        write!(f, "{count} {errors} in {}", self.name)
    }
}

impl std::error::Error for BrokenRuleset {}

/// What the system says, without its number.
pub(crate) fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

//! Why a question was not answered.

use oddsmith_rules::Diagnostics;

/// Why a question was not answered. None of these is a bug of the caller: they come from the ruleset, or from what is
/// asked of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A ruleset has errors; all of them.
    #[error("{} in {name}", counted(.errors))]
    Ruleset {
        /// The ruleset as it was named.
        name: String,
        /// Every error, with its place.
        errors: Diagnostics,
    },
    /// What was set, swept or asked has errors, or a file that is no ruleset; all of them, each with its place in the text
    /// that was given.
    #[error(transparent)]
    Request(#[from] Diagnostics),
    /// A message, and what to do about it.
    #[error("{message}")]
    Advice {
        /// What is wrong.
        message: String,
        /// What would help; may be empty.
        help: String,
    },
    /// The exact engine has no answer: a rule that can't be carried out, a requirement that is broken, a budget that
    /// is too small.
    #[error(transparent)]
    Exact(#[from] oddsmith_exact::Error),
    /// The exact engine has no answer to one of several questions.
    #[error("{question}: {error}")]
    ExactOf {
        /// The question: `` the odds of `check` for the defaults ``.
        question: String,
        /// Why it has none.
        error: oddsmith_exact::Error,
    },
    /// A trial can't be rolled: a rule can't be carried out, or sums are too large.
    #[error(transparent)]
    Simulation(#[from] oddsmith_simulate::Error),
    /// The question was cancelled by its [`Watch`](crate::Watch).
    #[error("the question was cancelled")]
    Cancelled,
}

impl Error {
    /// An error that says `message`, then `help`.
    pub fn advice(message: impl Into<String>, help: impl Into<String>) -> Self {
        let (message, help) = (message.into(), help.into());
        Self::Advice { message, help }
    }
}

fn counted(errors: &Diagnostics) -> String {
    let count = errors.0.len();
    let noun = if count == 1 { "error" } else { "errors" };
    format!("{count} {noun}")
}

/// What the operating system says of a failure, without its number: `no such file or directory`.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

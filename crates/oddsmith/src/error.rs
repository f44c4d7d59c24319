//! Why a question was not answered.

use oddsmith_exact::Error as ExactError;
use oddsmith_rules::{Diagnostic, Diagnostics};
use oddsmith_simulate::Error as SimulateError;

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

/// A thing that is wrong, of which an [`Error`] may have several.
#[derive(Clone, Debug)]
pub enum Problem<'e> {
    /// It has a place in a text: a ruleset, a setting, a query.
    At(&'e Diagnostic),
    /// It has none.
    Plain {
        /// What is wrong.
        message: String,
        /// What would help; may be empty.
        help: &'e str,
    },
}

impl Error {
    /// Each thing that is wrong; there is at least one.
    ///
    /// ```
    /// use oddsmith::{Game, Problem};
    /// let error = Game::parse("coin.toml", b"nam = 'Coin'").expect_err("there is no such key");
    /// let problems = error.problems();
    /// assert!(matches!(problems[0], Problem::At(place) if place.message == "unknown key `nam` in a ruleset"));
    /// ```
    pub fn problems(&self) -> Vec<Problem<'_>> {
        match self {
            Self::Ruleset { errors, .. } | Self::Request(errors) => {
                errors.0.iter().map(Problem::At).collect()
            }
            Self::Exact(error) | Self::ExactOf { error, .. } => match error {
                ExactError::Rule(place) | ExactError::Unsupported(place) => {
                    vec![Problem::At(place)]
                }
                ExactError::OverBudget { help, .. } => vec![self.plain(help)],
                _ => vec![self.plain("")],
            },
            Self::Simulation(SimulateError::Rule(place) | SimulateError::Unsupported(place)) => {
                vec![Problem::At(place)]
            }
            Self::Advice { help, .. } => vec![self.plain(help)],
            Self::Simulation(_) | Self::Cancelled => vec![self.plain("")],
        }
    }

    fn plain<'e>(&self, help: &'e str) -> Problem<'e> {
        let message = self.to_string();
        Problem::Plain { message, help }
    }

    /// Whether there is an answer, but not within the budget.
    pub fn is_over_budget(&self) -> bool {
        matches!(
            self,
            Self::Exact(ExactError::OverBudget { .. })
                | Self::ExactOf {
                    error: ExactError::OverBudget { .. },
                    ..
                }
        )
    }

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

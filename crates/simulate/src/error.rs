//! Why something could not be rolled.

use oddsmith_rules::Diagnostic;
use thiserror::Error as ThisError;

/// Why something could not be rolled.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A rule can't be carried out, in this configuration or with what was rolled in a trial; the place is in
    /// the ruleset.
    #[error("{0}")]
    Rule(Box<Diagnostic>),
    /// A rule that can be carried out, but not by this simulator; the place is in the ruleset.
    #[error("{0}")]
    Unsupported(Box<Diagnostic>),
    /// The configuration breaks a requirement of its ruleset.
    #[error("{config} breaks a requirement: `{requirement}`")]
    Requirement {
        /// The requirement as it is written in the ruleset.
        requirement: String,
        /// The configuration, in words.
        config: String,
    },
    /// The sum of the values of a query, or of their powers, is beyond 128 bits.
    #[error("the values of question {} add up to more than 128 bits", .query + 1)]
    Overflow {
        /// The query's place among the queries, from 0.
        query: usize,
    },
}

impl Error {
    /// A rule that can be carried out, though not here: what is said of it is a limit of the simulator.
    #[must_use]
    pub(crate) fn unsupported(self) -> Self {
        match self {
            Self::Rule(diagnostic) => Self::Unsupported(diagnostic),
            other => other,
        }
    }
}

/// Why rolling stops.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    /// Something is wrong. The message and the label of a broken rule may hold `{}` where a value belongs.
    Error(Error),
    /// A value goes farther than was guessed when the script was compiled: columns have to be wider.
    Narrow,
    /// Whoever asked wants no more of it.
    Over,
}

impl Halt {
    /// The reason with the values that it is about, one for each place of the message and then of the label.
    pub(crate) fn with(&self, values: &[i64]) -> Self {
        let mut halt = self.clone();
        if let Self::Error(Error::Rule(diagnostic) | Error::Unsupported(diagnostic)) = &mut halt {
            let mut label = diagnostic.label.to_string();
            for value in values.iter().map(i64::to_string) {
                let text = match diagnostic.message.contains("{}") {
                    true => &mut diagnostic.message,
                    false => &mut label,
                };
                *text = text.replacen("{}", &value, 1);
            }
            diagnostic.label = label.into();
        }
        halt
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

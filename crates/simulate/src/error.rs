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
    /// The configuration breaks a requirement of its ruleset.
    #[error("{config} breaks a requirement: `{requirement}`")]
    Requirement {
        /// As written in the ruleset.
        requirement: String,
        /// The configuration, in words.
        config: String,
    },
    /// The sum of the values of a query, or of their powers, is beyond 128 bits.
    #[error("the values of question {} add up to more than 128 bits", .query + 1)]
    Overflow {
        /// Its place among the queries, from 0.
        query: usize,
    },
}

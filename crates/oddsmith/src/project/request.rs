//! What is to be checked, and who watches.

use std::path::PathBuf;

use oddsmith_exact::Gaps;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::file_set::Guard;

/// What is asked of a project: whether its odds are the accepted ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectRequest {
    /// Rulesets, or directories of them; none are those that the project's file names.
    pub rulesets: Vec<PathBuf>,
    /// The directory of the accepted odds; none is what the project's file says, or `reports`.
    pub baseline: Option<PathBuf>,
    /// The project's file; none is the `oddsmith.toml` of this directory or of the nearest one above it that has one.
    pub config: Option<PathBuf>,
    /// The largest difference that is no drift, as [`tolerance`](super::tolerance) reads it: points of a probability, units
    /// of a mean; in place of all that the project's file says of tolerances.
    pub tolerance: Option<String>,
    /// The number of differences of a table that are told, the largest; none is all of them.
    pub most: Option<usize>,
    /// Whether the odds are accepted as they are now.
    pub accept: bool,
    /// The command that accepts the odds as they are now, as errors name it.
    pub command: String,
}

impl Default for ProjectRequest {
    fn default() -> Self {
        Self {
            rulesets: Vec::new(),
            baseline: None,
            config: None,
            tolerance: None,
            most: Some(10),
            accept: false,
            command: "oddsmith check --update".to_owned(),
        }
    }
}

/// Watches while a project is compared and accepted.
pub trait Observer: Sync {
    /// A ruleset has no accepted odds yet: `why` says so, and what to do about it.
    fn unaccepted(&self, why: &Error) {
        let _ = why;
    }

    /// Configurations of a table that is being accepted break a rule, so that their cells are empty.
    fn gaps(&self, gaps: &Gaps) {
        let _ = gaps;
    }

    /// Who guards the files of new accepted odds.
    fn guard(&self) -> &dyn Guard {
        &()
    }
}

/// An observer that does nothing.
impl Observer for () {}

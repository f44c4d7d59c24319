//! What is to be tuned, and who watches.

use std::ops::ControlFlow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::request::Settings;

/// What is asked of a ruleset: which of its parameters give the odds that are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TuneRequest {
    /// The check or track of all goals that name no other; none is the first one.
    pub check: Option<String>,
    /// Parameters and the values to try: `boon_cap=3..=6`, `ladder[3]=8,10`, `ladder=[0,4,6],[0,6,8]`.
    pub vary: Vec<String>,
    /// Goals and wishes: `Hit @ state=ok in [0.5, 0.6]`, `mean(total) ~ 14 weight 2`.
    pub goals: Vec<String>,
    /// Odds that stay as they are: `Critical`, or nearly so: `Critical within 1 %`.
    pub keeps: Vec<String>,
    /// Axes of all goals that do not set them, and parameters that do not vary.
    pub settings: Settings,
    /// A file whose `[tune]` counts too; without a file that of the ruleset counts, unless something is said here.
    pub file: Option<PathBuf>,
    /// The number of candidates that are told, at least one.
    pub top: usize,
    /// The number of the first candidate that is looked at: where an earlier search ended.
    pub from: u64,
    /// The number of the candidate that the change of the ruleset is for; none is the best one.
    pub pick: Option<u64>,
}

impl Default for TuneRequest {
    fn default() -> Self {
        Self {
            check: None,
            vary: Vec::new(),
            goals: Vec::new(),
            keeps: Vec::new(),
            settings: Settings::default(),
            file: None,
            top: 10,
            from: 0,
            pick: None,
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Candidates that are done in this round.
    pub done: u64,
    /// Whether this is the second round, which finds out why no candidate meets the goals.
    pub is_proof: bool,
}

/// Watches a search, and may end it early: what was found until then is the answer.
pub trait Observer: Send {
    /// Some more candidates are done.
    fn searched(&mut self, progress: Progress) -> ControlFlow<()> {
        let _ = progress;
        ControlFlow::Continue(())
    }
}

/// An observer that lets all candidates be looked at.
impl Observer for () {}

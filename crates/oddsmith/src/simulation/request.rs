//! What is to be rolled, and who watches.

use std::time::Duration;

use oddsmith_exact::Watch;
use serde::{Deserialize, Serialize};

use crate::request::{ContestRequest, Settings};

/// What is to be rolled, and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SimulationRequest {
    /// The check or track; none is the first check. Of dice it says nothing.
    pub check: Option<String>,
    /// Two sides against each other, in place of a check.
    pub sides: Option<ContestRequest>,
    /// The configuration of a check or track.
    pub settings: Settings,
    /// Axes and their values: a configuration for each combination.
    pub sweeps: Vec<String>,
    /// Queries beside what is asked by itself.
    pub queries: Vec<String>,
    /// What choices strive for, in place of what the ruleset says.
    pub maximise: Option<String>,
    /// Trials of each configuration; none is a million, or as many as an error takes.
    pub trials: Option<u64>,
    /// Trials go on until every standard error, the usual distance of an estimate from the truth, is this small.
    pub until_error: Option<f64>,
    /// The seed of all random numbers: the same seed rolls the same.
    pub seed: u64,
    /// The probability of a false alarm in the whole run.
    pub level: f64,
    /// Rounds after which a trial of a track is stopped.
    pub rounds: Option<u32>,
    /// Whether no exact odds are wanted beside the trials.
    pub is_rolled_only: bool,
}

impl Default for SimulationRequest {
    fn default() -> Self {
        Self {
            check: None,
            sides: None,
            settings: Settings::default(),
            sweeps: Vec::new(),
            queries: Vec::new(),
            maximise: None,
            trials: None,
            until_error: None,
            seed: 1,
            level: 1e-6,
            rounds: None,
            is_rolled_only: false,
        }
    }
}

/// How far trials are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Trials of all configurations so far.
    pub done: u64,
    /// What they took.
    pub elapsed: Duration,
}

/// Watches trials, and may end them early.
pub trait Observer: Send {
    /// The handle on which the trials are ended: it is cancelled at any time, usually from another thread, and what was rolled
    /// until then is the answer.
    fn enough(&self) -> Watch {
        Watch::default()
    }

    /// So many trials are planned at the most.
    fn plan(&mut self, trials: u64) {
        let _ = trials;
    }

    /// Some more trials were rolled: from the first time on there is something to show.
    fn rolled(&mut self, progress: Progress) {
        let _ = progress;
    }

    /// The trials are now thought to end after this many.
    fn expect(&mut self, trials: u64) {
        let _ = trials;
    }
}

/// An observer that lets all trials be rolled.
impl Observer for () {}

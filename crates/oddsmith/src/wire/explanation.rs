//! Explanations as they are written for programs.

use std::time::Duration;

use oddsmith_exact::Note;
use schemars::JsonSchema;
use serde::Serialize;

use crate::explanation::{Explanation, number_type};

/// The answer of `oddsmith dist --explain`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExplainedDistribution {
    /// The expression.
    pub expression: String,
    /// The number of values that can come up.
    pub outcomes: usize,
    /// The nanoseconds that all of it was predicted to take.
    pub predicted_ns: u64,
    /// The nanoseconds that it took.
    pub took_ns: u64,
    /// The questions that were put to dice and pools on the way, in the order begun.
    pub steps: Vec<ExplainedStep>,
}

/// A question that was put to dice or a pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExplainedStep {
    /// The number of questions that it is a part of.
    pub depth: usize,
    /// The question.
    pub question: String,
    /// The algorithm that answered it.
    pub algorithm: &'static str,
    /// Why it was chosen.
    pub reason: String,
    /// The bits of the total.
    pub bits: usize,
    /// The type of the numbers.
    pub numbers: String,
    /// The nanoseconds that it was predicted to take.
    pub predicted_ns: u64,
    /// The nanoseconds that it took.
    pub took_ns: u64,
}

impl From<&Explanation> for ExplainedDistribution {
    fn from(explanation: &Explanation) -> Self {
        Self {
            expression: explanation.expression.clone(),
            outcomes: explanation.dist.len(),
            predicted_ns: explanation.steps,
            took_ns: nanoseconds(explanation.took),
            steps: explanation.notes.iter().map(ExplainedStep::from).collect(),
        }
    }
}

impl From<&Note> for ExplainedStep {
    fn from(note: &Note) -> Self {
        let plan = &note.plan;
        Self {
            depth: note.depth,
            question: plan.question.clone(),
            algorithm: plan.algorithm,
            reason: plan.reason.clone(),
            bits: plan.bits,
            numbers: number_type(plan.bits),
            predicted_ns: note.steps,
            took_ns: nanoseconds(note.took),
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

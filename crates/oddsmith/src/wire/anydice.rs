//! Answers of AnyDice programs.

use schemars::JsonSchema;
use serde::Serialize;

use super::distribution::Distribution;
use super::shapes::Exact;
use crate::anydice::Output;

/// The answer of `oddsmith anydice`: the outputs of a program.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnyDiceOdds {
    /// The outputs in their order.
    pub outputs: Vec<AnyDiceOutput>,
}

/// An output of an AnyDice program.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnyDiceOutput {
    /// What it is called.
    pub label: String,
    /// The probability that a roll meets a limit of the language, as a fraction.
    pub cut: Exact,
    /// Its odds; none of the empty die.
    pub distribution: Option<Distribution>,
}

impl AnyDiceOdds {
    /// These outputs.
    pub fn of(outputs: &[Output]) -> Self {
        let output = |output: &Output| AnyDiceOutput {
            label: output.label.clone(),
            cut: Exact::of(&output.cut),
            distribution: output
                .distribution
                .as_ref()
                .map(|dist| Distribution::of(&output.label, dist)),
        };
        Self {
            outputs: outputs.iter().map(output).collect(),
        }
    }
}

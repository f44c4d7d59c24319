//! Axes that are swept, with their values as a user writes them.

use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Domain};

/// A swept axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweptAxis {
    /// The name.
    pub name: String,
    /// What people read in its place; the name itself if there is nothing else.
    pub title: String,
    /// Whether its values are labels.
    pub is_label: bool,
    /// Its values as a user writes them.
    pub values: Vec<String>,
    /// What people read in their place.
    pub told: Vec<String>,
}

impl SweptAxis {
    /// An input of a check with these values.
    pub fn new(check: &Check, input: InputId, values: &[i64]) -> Self {
        let input = &check.inputs[input.0];
        let texts = values.iter().map(|value| input.domain.show(*value));
        Self {
            name: input.name.clone(),
            title: input.title().to_owned(),
            is_label: matches!(input.domain, Domain::Choice(_)),
            values: texts.collect(),
            told: values.iter().map(|value| input.told(*value)).collect(),
        }
    }

    /// How far apart neighbours are where that is not 1: ` by 5`, ` by 3 to 5`; nothing of labels.
    pub fn stride(&self) -> String {
        let numbers = self.values.iter().map(|text| text.parse::<i64>().ok());
        let numbers: Option<Vec<i64>> = numbers.collect();
        let numbers = numbers.filter(|_| !self.is_label).unwrap_or_default();
        let steps = numbers.windows(2).map(|pair| pair[0].abs_diff(pair[1]));
        match (steps.clone().min(), steps.max()) {
            (Some(1), Some(1)) | (None, _) | (_, None) => String::new(),
            (Some(least), Some(most)) if least == most => format!(" by {least}"),
            (Some(least), Some(most)) => format!(" by {least} to {most}"),
        }
    }

    /// The values as numbers; none if they are labels, or have some for people.
    pub fn numbers(&self) -> Option<Vec<i64>> {
        let numbers = self.told.iter().map(|text| text.parse().ok());
        numbers.collect::<Option<_>>().filter(|_| !self.is_label)
    }
}

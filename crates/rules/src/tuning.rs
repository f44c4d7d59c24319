//! Tuning: which parameters may change, and what the odds are to become.

use crate::check::{Check, Query};
use crate::config::Config;
use crate::expectation::Bounds;
use crate::number::Number;
use crate::program::InputId;
use crate::source::Diagnostic;

/// What a designer may change, and what for: the `[tune]` of a file.
#[derive(Clone, Debug, Default)]
pub struct Tuning {
    /// What may change; no input belongs to two of them.
    pub dials: Vec<Dial>,
    /// What the odds are to become, in the file's order.
    pub goals: Vec<Goal>,
}

/// Something that may change: a parameter, an element of a list, or a list as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dial {
    /// `boon_cap`, `ladder[3]` or `ladder`.
    pub name: String,
    /// The inputs that it sets: one, or all elements of a list. They are the same in every check of a ruleset.
    pub inputs: Vec<InputId>,
    /// In the order given, at least one, all different: a value for each input.
    pub options: Vec<Vec<i64>>,
}

impl Dial {
    /// What people read in place of the name: the label, or the name where none is declared.
    ///
    /// # Panics
    /// If it is a dial of another ruleset.
    #[must_use]
    pub fn title<'c>(&self, check: &'c Check) -> &'c str {
        let title = check.inputs[self.inputs[0].0].title();
        match self.inputs.as_slice() {
            [_] => title,
            // The whole list.
            _ => title.split('[').next().unwrap_or(title),
        }
    }

    /// One of its options as people read it: a label, or as [`Dial::show`] has it.
    ///
    /// # Panics
    /// If there is no such option, or it is a dial of another ruleset.
    #[must_use]
    pub fn told(&self, check: &Check, option: usize) -> String {
        match (self.inputs.as_slice(), &self.options[option][..]) {
            ([one], [value]) => check.inputs[one.0].told(*value),
            _ => self.show(check, option),
        }
    }

    /// One of its options as a user writes it: `5`, `net_then_cap`, `[0,4,6,8,10,12]`.
    ///
    /// # Panics
    /// If there is no such option, or it is a dial of another ruleset.
    #[must_use]
    pub fn show(&self, check: &Check, option: usize) -> String {
        let values = self.inputs.iter().zip(&self.options[option]);
        let shown = values.map(|(id, value)| check.inputs[id.0].domain.show(*value));
        let shown: Vec<String> = shown.collect();
        match shown.as_slice() {
            [one] => one.clone(),
            all => format!("[{}]", all.join(",")),
        }
    }
}

/// What the odds of one configuration are to become.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The intention in a sentence; empty if nothing is said.
    pub intent: String,
    /// The check or the track whose odds it is about.
    pub check: String,
    /// What it is about.
    pub query: Query,
    /// The values of all inputs but those that vary.
    pub config: Config,
    /// The inputs that the goal itself gives a value.
    pub set: Vec<InputId>,
    /// What is to become of the answer.
    pub aim: Aim,
}

impl Goal {
    /// Changes an input that the goal itself says nothing of, by an assignment as for [`Check::set`]. A name that
    /// the goal's check does not have changes nothing.
    ///
    /// # Errors
    /// If the value is not in the input's domain.
    ///
    /// # Panics
    /// If it is a goal of another check.
    pub fn set(&mut self, check: &Check, assignment: &str, origin: &str) -> Result<(), Diagnostic> {
        let inputs = check.set_by(assignment);
        if inputs.is_empty() {
            return Ok(());
        }
        let mut config = self.config.clone();
        check.set(&mut config, assignment, origin)?;
        for input in inputs {
            if !self.set.contains(&input) {
                self.config.put(input, config[input]);
            }
        }
        Ok(())
    }
}

/// What is to become of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// It must lie within bounds.
    Within(Bounds),
    /// It must stay what it is with the file's own parameters, or differ by so much at most.
    Keep(Number),
    /// It should be as near to a number as it can. What is missing counts `weight` times beside other such goals.
    Near {
        /// The number.
        number: Number,
        /// Above 0.
        weight: Number,
    },
}

impl Aim {
    /// Whether a candidate that misses it is no answer at all.
    #[must_use]
    pub fn is_hard(&self) -> bool {
        !matches!(self, Self::Near { .. })
    }
}

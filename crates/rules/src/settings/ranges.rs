//! The values that an input is given: as said, as its file declares them, or all; and whether the rules allow any.

use std::sync::Arc;

use crate::check::{Check, Domain, InputRange, Requirement};
use crate::config::Config;
use crate::evaluate::fixed_value;
use crate::program::InputId;
use crate::source::{Diagnostic, Source, Span};

/// An axis without a declared sweep is taken whole if it has no more values than this.
const MOST_WHOLE: u64 = 25;

/// So many configurations are tried before it is believed that one of them is legal.
const MOST_TRIED: usize = 100_000;

impl Check {
    /// The inputs that an assignment such as `ladder=[…]` is about; none if it names none.
    pub(crate) fn set_by(&self, assignment: &str) -> Vec<InputId> {
        let name = assignment.split('=').next().unwrap_or_default().trim();
        let names = self.on_each_side(name);
        let inputs = names.iter().map(|name| match self.input(name) {
            Some(id) => vec![id],
            None => self.elements(name),
        });
        inputs.flatten().collect()
    }

    /// The inputs that some assignments are about.
    #[must_use]
    pub fn inputs_set(&self, assignments: &[impl AsRef<str>]) -> Vec<InputId> {
        let assignments = assignments.iter();
        assignments
            .flat_map(|assignment| self.set_by(assignment.as_ref()))
            .collect()
    }

    /// The input and the values of `AXIS=VALUES`, or of `AXIS`, which takes those of its declared sweep or all there
    /// are. Messages call it `origin`, and suggest other names that could stand there as well, those of `numbers`.
    pub(crate) fn range(
        &self,
        text: &str,
        origin: &str,
        numbers: &[&str],
    ) -> Result<InputRange, Diagnostic> {
        if text.contains('=') {
            return self.sweep(text, origin);
        }
        let source = Source::new(origin, text);
        self.declared_range(&source, text.trim(), numbers)
    }

    /// The input of a name as written, with the values of its declared sweep or all there are.
    pub(super) fn declared_range(
        &self,
        source: &Arc<Source>,
        name: &str,
        numbers: &[&str],
    ) -> Result<InputRange, Diagnostic> {
        let id = match self.on_each_side(name).as_slice() {
            [] => return Err(self.unknown_input(source, name, numbers)),
            [only] => match self.input(only) {
                Some(id) => id,
                None => return Err(self.list_as_a_whole(source, name, "")),
            },
            sides => return Err(self.which_side(source, name, sides, "")),
        };
        let input = &self.inputs[id.0];
        let (low, high) = input.domain.bounds();
        let values = if !input.sweep.is_empty() {
            input.sweep.clone()
        } else if high.abs_diff(low) < MOST_WHOLE {
            (low..=high).collect()
        } else {
            return Err(self.too_many(source, id));
        };
        Ok(InputRange { input: id, values })
    }

    /// What is said of an axis that says nothing of which of its many values matter.
    fn too_many(&self, source: &Arc<Source>, id: InputId) -> Diagnostic {
        let input = &self.inputs[id.0];
        let (low, high) = input.domain.bounds();
        let message = format!("`{}` has no `sweep`, and many values", input.name);
        let from = input.default.saturating_sub(2).max(low);
        let to = from.saturating_add(4).min(high);
        let example = match &input.domain {
            Domain::Range(..) => format!("{from}..={to}"),
            Domain::Choice(_) => format!("{},{}", input.domain.show(from), input.domain.show(to)),
        };
        Diagnostic::new(source, Span::new(0, source.text.len()), message)
            .with_label("which of them?")
            .with_help(format!(
                "give the values, as in {}={example}; legal: {}",
                input.name,
                input.domain.describe()
            ))
    }
}

/// If every combination of some values breaks a requirement: the one that the first of them breaks.
pub(crate) fn all_broken<'c>(
    check: &'c Check,
    base: &Config,
    ranges: &[&InputRange],
) -> Option<&'c Requirement> {
    let mut configs = configurations(base, ranges);
    let tried = configs.by_ref().take(MOST_TRIED);
    let mut broken = tried.map(|config| broken_by(check, &config));
    let first = broken.next()??;
    let is_found = broken.any(|broken| broken.is_none());
    (!is_found && configs.next().is_none()).then_some(first)
}

/// Every combination of some values.
fn configurations(base: &Config, ranges: &[&InputRange]) -> impl Iterator<Item = Config> {
    let mut lengths = ranges.iter().map(|range| range.values.len());
    let all = lengths.try_fold(1_usize, usize::checked_mul);
    (0..all.unwrap_or(usize::MAX)).map(move |mut at| {
        let mut config = base.clone();
        for range in ranges {
            config.put(range.input, range.values[at % range.values.len()]);
            at /= range.values.len();
        }
        config
    })
}

/// The first requirement that a configuration breaks.
fn broken_by<'c>(check: &'c Check, config: &Config) -> Option<&'c Requirement> {
    let is_broken = |requirement: &&Requirement| {
        fixed_value(&requirement.condition, config, &|_| None) == Ok(0)
    };
    check.requires.iter().find(is_broken)
}

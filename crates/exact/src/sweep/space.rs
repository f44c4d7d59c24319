//! What is swept, and what is asked of it.

use std::collections::BTreeSet;

use oddsmith_dist::Budget;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, InputRange, Query};

use crate::Error;
use crate::cache::Cache;

/// Steps that a row costs at the least: its place, its sums, its text.
pub(super) const ROW_STEPS: u64 = 40;

/// The configurations around one, the questions to each, and what they are paid with.
#[derive(Debug)]
pub(super) struct Space<'a> {
    pub(super) check: &'a Check,
    pub(super) base: &'a Config,
    pub(super) ranges: &'a [InputRange],
    pub(super) queries: &'a [Query],
    pub(super) budget: &'a Budget,
    pub(super) cache: Cache,
}

impl Space<'_> {
    pub(super) fn is_swept(&self, input: InputId) -> bool {
        is_swept(self.ranges, input)
    }

    /// The base configuration with the swept inputs at these places of their ranges.
    pub(super) fn config_at(&self, places: &[usize]) -> Config {
        let mut config = self.base.clone();
        for (range, &place) in self.ranges.iter().zip(places) {
            config.put(range.input, range.values[place]);
        }
        config
    }

    /// How many rows there are, or would be without requirements.
    pub(super) fn all_rows(&self) -> u128 {
        self.combinations(self.ranges.iter().map(|range| range.input))
    }

    /// The combinations of the swept inputs among `axes`, which may repeat.
    pub(super) fn combinations(&self, axes: impl Iterator<Item = InputId>) -> u128 {
        let axes: BTreeSet<InputId> = axes.collect();
        let used = self
            .ranges
            .iter()
            .filter(|range| axes.contains(&range.input));
        used.fold(1, |product, range| {
            product.saturating_mul(range.values.len() as u128)
        })
    }
}

/// Whether one of the ranges is of an input.
pub(super) fn is_swept(ranges: &[InputRange], input: InputId) -> bool {
    ranges.iter().any(|range| range.input == input)
}

/// The number of combinations.
pub(super) fn count(ranges: &[InputRange]) -> u128 {
    ranges.iter().fold(1, |product, range| {
        product.saturating_mul(range.values.len() as u128)
    })
}

/// For work that is `predicted` besides what has been done.
pub(super) fn over_budget(
    check: &Check,
    ranges: &[InputRange],
    predicted: u128,
    budget: &Budget,
) -> Error {
    let widest = ranges.iter().max_by_key(|range| range.values.len());
    let name = widest.map_or(String::new(), |range| {
        check.inputs[range.input.0].name.clone()
    });
    let size = widest.map_or(0, |range| range.values.len());
    Error::OverBudget {
        what: format!("a table of {} configurations", count(ranges)),
        predicted: predicted.saturating_add(u128::from(budget.spent())),
        limit: budget.limit(),
        help: format!(
            "sweep fewer inputs or fewer values (`{name}` alone has {size}), or raise the budget (`--budget`)"
        ),
    }
}

/// Changes the last of the places, if there is any.
pub(super) fn set_last(places: &mut [usize], place: usize) {
    if let Some(last) = places.last_mut() {
        *last = place;
    }
}

//! What is swept, and what is asked of it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

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
    /// The numbers of the configurations whose rows are wanted, the last input fastest.
    pub(super) wanted: Range<u64>,
    /// Whether rows are asked for one by one, so that nobody knows how many will be.
    pub(super) is_on_demand: bool,
    pub(super) cache: Arc<Cache>,
}

impl Space<'_> {
    /// The same, paid with another budget, and with what this cache knows.
    pub(super) fn beside<'b>(&'b self, budget: &'b Budget, cache: Arc<Cache>) -> Space<'b> {
        Space {
            budget,
            wanted: self.wanted.clone(),
            cache,
            ..*self
        }
    }

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

    /// What the wanted rows take of work that is spread evenly over all rows.
    pub(super) fn share(&self, steps: u128) -> u128 {
        let all = self.all_rows().max(1);
        let wanted = u128::from(self.wanted.end.saturating_sub(self.wanted.start));
        // As many as can't be counted are all.
        if wanted >= all || self.wanted.end == u64::MAX {
            return steps;
        }
        let (whole, rest) = (steps / all, steps % all);
        let part = whole.saturating_mul(wanted);
        part.saturating_add(rest.saturating_mul(wanted).div_ceil(all))
    }

    /// Whether some wanted row has these places where `is_read` says so.
    ///
    /// That is so if the first number from `wanted.start` on that has them comes before `wanted.end`. Such a number begins
    /// as `wanted.start` does, as far as can be; at the next digit it is greater, and then as small as it may be.
    pub(super) fn is_wanted(&self, places: &[usize], is_read: &[bool]) -> bool {
        if u128::from(self.wanted.end - self.wanted.start) >= self.all_rows() {
            return true;
        }
        let lens = || self.ranges.iter().map(|range| range.values.len());
        let start = digits(self.wanted.start, lens());
        let digit = |at: usize, least: usize| match is_read[at] {
            true => Some(places[at]).filter(|place| *place >= least),
            false => Some(least).filter(|least| *least < self.ranges[at].values.len()),
        };
        let fits = |at: &usize| digit(*at, start[*at]) == Some(start[*at]);
        let same = (0..start.len()).take_while(fits).count();
        let mut first = start.clone();
        if same < start.len() {
            let next = |at: &usize| digit(*at, start[*at] + 1);
            let Some(at) = (0..=same).rev().find(|at| next(at).is_some()) else {
                return false;
            };
            first[at] = next(&at).unwrap_or_default();
            for (later, place) in first.iter_mut().enumerate().skip(at + 1) {
                *place = digit(later, 0).unwrap_or_default();
            }
        }
        let number = first.iter().zip(lens());
        let number = number.fold(0, |sum, (place, len)| sum * len as u64 + *place as u64);
        self.wanted.contains(&number)
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

/// The places of the values of a configuration by its number, where ranges have these lengths.
pub(super) fn digits(number: u64, lens: impl DoubleEndedIterator<Item = usize>) -> Vec<usize> {
    let mut rest = number;
    let digit = |len: usize| {
        let digit = usize::try_from(rest % len as u64).expect("less than a length");
        rest /= len as u64;
        digit
    };
    let mut digits: Vec<usize> = lens.rev().map(digit).collect();
    digits.reverse();
    digits
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
    let predicted = predicted.saturating_add(u128::from(budget.spent()));
    let widest = ranges.iter().max_by_key(|range| range.values.len());
    let Some(range) = widest.filter(|range| range.values.len() > 1) else {
        return Error::over_budget(format!("`{}`", check.name), predicted, budget.limit());
    };
    let (name, size) = (&check.inputs[range.input.0].name, range.values.len());
    Error::OverBudget {
        what: format!("a table of {} configurations", count(ranges)),
        predicted,
        limit: budget.limit(),
        help: format!(
            "sweep fewer inputs or fewer values (`{name}` alone has {size}); or raise the budget (`--budget`)"
        ),
    }
}

/// Changes the last of the places, if there is any.
pub(super) fn set_last(places: &mut [usize], place: usize) {
    if let Some(last) = places.last_mut() {
        *last = place;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use oddsmith_dist::Budget;
    use oddsmith_rules::InputRange;
    use proptest::prelude::*;

    use super::{Space, digits};

    const RULES: &str = r#"
        name = "Axes"
        [checks.check]
        axes.a = { default = 0, domain = "0..=9" }
        axes.b = { default = 0, domain = "0..=9" }
        axes.c = { default = 0, domain = "0..=9" }
        rules = "show x = 1d6 + a + b + c"
    "#;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_cell_is_wanted_if_some_row_reads_it(
            lens in prop::array::uniform3(1_usize..5), ends in prop::array::uniform2(0_u64..=64),
            is_read in prop::array::uniform3(any::<bool>()), of in prop::array::uniform3(0_usize..100),
        ) {
            let model = oddsmith_rules::load("axes.toml", RULES.as_bytes()).expect("it is right");
            let check = &model.checks[0];
            let inputs = ["a", "b", "c"].iter().map(|name| check.input(name).expect("an axis"));
            let values = |len: usize| (0..i64::try_from(len).expect("a few")).collect::<Vec<i64>>();
            let range = |(input, len)| InputRange::new(input, values(len));
            let ranges: Vec<InputRange> = inputs.zip(lens).map(range).collect();
            let all = lens.iter().product::<usize>() as u64;
            let (from, until) = (ends[0].min(ends[1]).min(all), ends[0].max(ends[1]).min(all));
            let (base, budget) = (check.defaults(), Budget::unlimited());
            let space = Space {
                check, base: &base, ranges: &ranges, queries: &[], budget: &budget,
                wanted: from..until, is_on_demand: false, cache: Arc::default(),
            };
            let places: Vec<usize> = of.iter().zip(lens).map(|(of, len)| of % len).collect();
            let reads = |number: u64| {
                let row = digits(number, lens.into_iter());
                (0..3).all(|at| !is_read[at] || row[at] == places[at])
            };
            prop_assert_eq!(space.is_wanted(&places, &is_read), (from..until).any(reads));
        }
    }
}

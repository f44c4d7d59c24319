//! Which values of an input are tried.

use std::collections::BTreeSet;

use oddsmith_rules::program::{InputId, Kind};
use oddsmith_rules::{Check, Domain, Input};

/// A domain of so many values is tried as a whole.
const WHOLE: u64 = 12;

/// A domain of so many values is tried as a whole also where few are.
const SMALL: usize = 6;

/// How far from its default a number of a larger domain is tried, on either side.
const AROUND: [i64; 5] = [1, 2, 5, 10, 20];

/// The values of an input but for its default and those that the default sweep of its check has: all of a small domain;
/// of a larger one its ends, and some on either side of the default.
pub(super) fn values(check: &Check, id: InputId) -> Vec<i64> {
    let input = &check.inputs[id.0];
    let (low, high) = input.domain.bounds();
    let mut values: Vec<i64> = match input.domain {
        Domain::Range(..) if high.abs_diff(low) >= WHOLE => beside_default(input),
        _ => (low..=high).collect(),
    };
    values.retain(|value| {
        *value != input.default && input.domain.contains(*value) && !input.sweep.contains(value)
    });
    values.sort_unstable();
    values.dedup();
    values
}

fn beside_default(input: &Input) -> Vec<i64> {
    let (low, high) = input.domain.bounds();
    let near = AROUND.into_iter().flat_map(|by| {
        [
            input.default.saturating_sub(by),
            input.default.saturating_add(by),
        ]
    });
    near.chain([low, high]).collect()
}

/// The few most telling values of an input: all of a small domain, of a larger one the neighbours of the default and the
/// ends, swept or not; the default is not among them.
pub(super) fn few(input: &Input) -> Vec<i64> {
    let (low, high) = input.domain.bounds();
    let mut values: Vec<i64> = match input.domain {
        Domain::Choice(_) => (low..=high).take(SMALL).collect(),
        Domain::Range(..) if high.abs_diff(low) < SMALL as u64 => (low..=high).collect(),
        Domain::Range(..) => [
            input.default.saturating_add(1),
            input.default.saturating_sub(1),
            high,
            low,
        ]
        .into(),
    };
    let mut seen = vec![input.default];
    values.retain(|value| {
        let is_new = input.domain.contains(*value) && !seen.contains(value);
        seen.push(*value);
        is_new
    });
    values
}

/// A few values of an input, and those of its default sweep; not its default.
pub(super) fn few_or_swept(input: &Input) -> Vec<i64> {
    let mut values = few(input);
    let swept = input.sweep.iter().copied();
    values.extend(swept.filter(|value| *value != input.default));
    values
}

/// The numbers that stand in a script, and the defaults of its inputs.
pub(super) fn numbers_of(check: &Check) -> BTreeSet<i64> {
    let numbers = check.inputs.iter().map(|input| input.default);
    let mut numbers: BTreeSet<i64> = numbers.collect();
    for statement in check.program().statements() {
        statement.for_each_part(&mut |part| {
            part.for_each(&mut |part| {
                if let Kind::Const(number) = part.kind {
                    numbers.insert(number);
                }
            });
        });
    }
    numbers
}

/// The values of an input of a large domain that are one of some numbers, or beside one: where a comparison turns.
pub(super) fn around(input: &Input, numbers: &BTreeSet<i64>) -> Vec<i64> {
    let (low, high) = input.domain.bounds();
    if !matches!(input.domain, Domain::Range(..)) || high.abs_diff(low) < SMALL as u64 {
        return Vec::new();
    }
    let beside = |number: &i64| [number.saturating_sub(1), *number, number.saturating_add(1)];
    let values: BTreeSet<i64> = numbers.iter().flat_map(beside).collect();
    let values = values.into_iter();
    values
        .filter(|value| *value != input.default && input.domain.contains(*value))
        .collect()
}

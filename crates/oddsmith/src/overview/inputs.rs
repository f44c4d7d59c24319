//! Axes and parameters, in words.

use oddsmith_rules::{Domain, Input};
use schemars::JsonSchema;
use serde::Serialize;

/// An axis or a parameter, or a list of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputOverview {
    /// The name; of a list without a place.
    pub name: String,
    /// What people read in its place; empty if they read that.
    pub label: String,
    /// What people read in place of some values, by these values; words of a list by their places.
    pub value_labels: Vec<(i64, String)>,
    /// The legal values: `-5..=5`, `ok | hurt`.
    pub values: String,
    /// The default: `2`, or `[4,6,8]` of a list.
    pub default: String,
    /// The values of a declared sweep, runs of numbers as `-5..=5`; may be empty.
    pub sweep: String,
    /// The author's words on it.
    pub help: String,
    /// The ambiguous text of which it is a reading; may be empty.
    pub reading: String,
    /// The other values: `or ignore`.
    pub others: String,
}

/// Some inputs, the elements of a list together.
pub(super) fn overviews(inputs: &[&Input]) -> Vec<InputOverview> {
    let groups =
        inputs.chunk_by(|one, next| one.name.contains('[') && base(&one.name) == base(&next.name));
    let overview = |group: &[&Input]| {
        let first = group[0];
        InputOverview {
            name: base(&first.name).to_owned(),
            label: base(&first.label).to_owned(),
            value_labels: first.value_labels.clone(),
            values: first.domain.describe(),
            default: default(group),
            sweep: spans(first),
            help: first.help.clone(),
            reading: first.reading.clone(),
            others: others(first, group.len()),
        }
    };
    groups.map(overview).collect()
}

/// `or ignore`
fn others(input: &Input, count: usize) -> String {
    let (low, high) = input.domain.bounds();
    if count > 1 || high - low > 6 && matches!(input.domain, Domain::Range(..)) {
        return format!("or else {}", input.domain.describe());
    }
    let others = (low..=high).filter(|value| *value != input.default);
    let others: Vec<String> = others.map(|value| input.domain.show(value)).collect();
    format!("or {}", others.join(" or "))
}

/// A name or a label without the place in a list.
fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or_default()
}

/// `2`, or `[4,6,8]` of a list.
fn default(group: &[&Input]) -> String {
    let shown = group.iter().map(|input| input.domain.show(input.default));
    let shown = shown.collect::<Vec<_>>().join(",");
    if group[0].name.contains('[') {
        format!("[{shown}]")
    } else {
        shown
    }
}

/// The values of a declared sweep, runs of numbers as `-5..=5`.
fn spans(input: &Input) -> String {
    let mut spans: Vec<(i64, i64)> = Vec::new();
    for &value in &input.sweep {
        match spans.last_mut() {
            Some((_, last)) if value.checked_sub(1) == Some(*last) => *last = value,
            _ => spans.push((value, value)),
        }
    }
    let is_number = matches!(input.domain, Domain::Range(..));
    let mut words = Vec::new();
    for (first, last) in spans {
        if is_number && last - first >= 2 {
            words.push(format!("{first}..={last}"));
        } else {
            words.extend((first..=last).map(|value| input.domain.show(value)));
        }
    }
    words.join(",")
}

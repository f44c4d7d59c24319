//! Why odds moved, as far as two manifests tell.

use std::collections::BTreeSet;

use oddsmith_rules::{Check, Model, Span};

use super::cause::{Cause, Place};
use super::renames::Renames;
use crate::baseline::{Manifest, ManifestTable, Setting};

/// What changed about the parameters.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// Those with another value, in the ruleset's order.
    pub(super) changed: Vec<Changed>,
    /// Those that are new, and those that are gone.
    pub(super) others: Vec<Cause>,
}

/// A parameter with another value.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) name: String,
    /// As it was accepted.
    pub(super) before: Setting,
    pub(super) cause: Cause,
}

impl Parameters {
    pub(super) fn of(old: &Manifest, new: &Manifest, model: &Model) -> Self {
        let at = |span: Span| Place::of(&model.source, span);
        let mut parameters = Self::default();
        for input in &model.params {
            let find = |manifest: &Manifest| value(&manifest.parameters, &input.name).cloned();
            let Some(now) = find(new) else { continue };
            let (name, place) = (input.name.clone(), at(input.span));
            match find(old) {
                Some(before) if before == now => {}
                Some(before) => {
                    let text = format!("parameter {name}: {before} -> {now}");
                    let cause = Cause { text, place };
                    parameters.changed.push(Changed {
                        name,
                        before,
                        cause,
                    });
                }
                None => {
                    let text = format!("parameter {name} is new: {now}");
                    parameters.others.push(Cause { text, place });
                }
            }
        }
        for (name, before) in &old.parameters {
            if value(&new.parameters, name).is_none() {
                let text = format!("parameter {name} is gone: it was {before}");
                let place = at(Span::new(0, 0));
                parameters.others.push(Cause { text, place });
            }
        }
        parameters
    }
}

/// What is not as it was about a table itself.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) cause: Cause,
    /// Whether it can move answers in configurations that were there before.
    pub(super) moves_answers: bool,
    /// Whether it is about an axis, so that configurations can be new or gone.
    pub(super) is_of_axes: bool,
}

/// Everything that changed about a table itself.
pub(super) fn of_table(
    old: &ManifestTable,
    new: &ManifestTable,
    renames: &Renames,
    check: &Check,
) -> Vec<Own> {
    let place = |span| Place::of(&check.source, span);
    let own = |text: String, span: Span, moves_answers: bool, is_of_axes: bool| Own {
        cause: Cause {
            text,
            place: place(span),
        },
        moves_answers,
        is_of_axes,
    };
    let band = check.band().map_or(check.span, |(outcome, _)| outcome.span);
    let bands = of_bands(old, new, renames).into_iter();
    let mut all: Vec<Own> = bands
        .map(|(text, moves)| own(text, band, moves, false))
        .collect();
    let columns = of_columns(old, new, check).into_iter();
    all.extend(columns.map(|(text, span)| own(text, span, false, false)));
    let axes = of_axes(old, new, check).into_iter();
    all.extend(axes.map(|(text, span, moves)| own(text, span, moves, true)));
    all
}

/// Each with whether it can move answers.
fn of_bands(old: &ManifestTable, new: &ManifestTable, renames: &Renames) -> Vec<(String, bool)> {
    let mut texts = Vec::new();
    for (before, now) in renames.pairs() {
        texts.push((format!("band {before} is now called {now}"), false));
    }
    for band in &new.bands {
        if !old.bands.iter().any(|known| known == renames.before(band)) {
            texts.push((format!("band {band} is new"), true));
        }
    }
    for band in &old.bands {
        if !new.bands.contains(band) && !renames.is_before(band) {
            texts.push((format!("band {band} is gone"), true));
        }
    }
    if texts.is_empty() && old.bands != new.bands {
        texts.push(("the bands stand in another order".to_owned(), false));
    }
    texts
}

/// Flags and means.
fn of_columns(old: &ManifestTable, new: &ManifestTable, check: &Check) -> Vec<(String, Span)> {
    let others = |table: &ManifestTable| -> BTreeSet<String> {
        let columns = table.columns.iter();
        columns
            .filter(|column| !table.bands.contains(column))
            .cloned()
            .collect()
    };
    let (before, now) = (others(old), others(new));
    let shown = |column: &str| {
        // `mean(total)` and `P(total>3)` are of `total`.
        let (_, of) = column.split_once('(').unwrap_or(("", column));
        let name = of.split([')', '=', '<', '>']).next().unwrap_or(of);
        let outcome = check.outcomes.iter().find(|outcome| outcome.name == name);
        outcome.map_or(check.span, |outcome| outcome.span)
    };
    let new = now
        .difference(&before)
        .map(|column| (format!("column {column} is new"), shown(column)));
    let gone = before
        .difference(&now)
        .map(|column| (format!("column {column} is gone"), check.span));
    new.chain(gone).collect()
}

/// Each with its place, and whether it can move answers.
fn of_axes(old: &ManifestTable, new: &ManifestTable, check: &Check) -> Vec<(String, Span, bool)> {
    let swept = new.sweep.iter();
    let swept = swept.filter_map(|(axis, now)| Some((axis, of_swept(old, axis, now)?)));
    let fixed = new.fixed.iter();
    let fixed = fixed.filter_map(|(axis, now)| Some((axis, of_fixed(old, axis, now)?)));
    let names = |table: &ManifestTable| -> Vec<String> {
        let fixed = table.fixed.iter().map(|(axis, _)| axis);
        let swept = table.sweep.iter().map(|(axis, _)| axis);
        swept.chain(fixed).cloned().collect()
    };
    let (before, now) = (names(old), names(new));
    let gone = before.iter().filter(|axis| !now.contains(axis));
    let gone = gone.map(|axis| (axis, (format!("axis {axis} is gone"), true)));
    let place = |(axis, (text, moves)): (&String, (String, bool))| {
        let input = check.input(axis).map(|id| &check.inputs[id.0]);
        (text, input.map_or(check.span, |input| input.span), moves)
    };
    let mut texts: Vec<(String, Span, bool)> = swept.chain(fixed).chain(gone).map(place).collect();
    if texts.is_empty() && old.sweep != new.sweep {
        let text = "the axes stand in another order".to_owned();
        texts.push((text, check.span, false));
    }
    texts
}

/// What is new about an axis that is swept, and whether it can move answers.
fn of_swept(old: &ManifestTable, axis: &str, now: &[Setting]) -> Option<(String, bool)> {
    let after = values(now);
    let text = match (value(&old.sweep, axis), value(&old.fixed, axis)) {
        (Some(before), _) if before == now => return None,
        (Some(before), _) => format!("sweep of {axis}: {} -> {after}", values(before)),
        (None, Some(before)) => format!("axis {axis} is swept: {before} -> {after}"),
        (None, None) => return Some((format!("axis {axis} is new: {after}"), true)),
    };
    Some((text, false))
}

/// What is new about an axis that is not swept, and whether it can move answers.
fn of_fixed(old: &ManifestTable, axis: &str, now: &Setting) -> Option<(String, bool)> {
    match (value(&old.sweep, axis), value(&old.fixed, axis)) {
        (_, Some(before)) if before == now => None,
        (_, Some(before)) => Some((format!("default of {axis}: {before} -> {now}"), true)),
        (Some(before), None) => {
            let before = values(before);
            let text = format!("axis {axis} is not swept any more: {before} -> {now}");
            Some((text, false))
        }
        (None, None) => Some((format!("axis {axis} is new: {now}"), true)),
    }
}

fn value<'t, T>(list: &'t [(String, T)], name: &str) -> Option<&'t T> {
    let pair = list.iter().find(|(known, _)| known == name);
    pair.map(|(_, value)| value)
}

/// `-5..=5`, or `0,2,4`.
fn values(values: &[Setting]) -> String {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    let is_step = |pair: &[Setting]| matches!(pair, [Setting::Number(a), Setting::Number(b)] if a.checked_add(1) == Some(*b));
    match texts.as_slice() {
        [first, .., last] if texts.len() > 2 && values.windows(2).all(is_step) => {
            format!("{first}..={last}")
        }
        _ => texts.join(","),
    }
}

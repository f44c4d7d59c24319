//! Why odds moved, as far as two manifests tell.

use std::collections::BTreeSet;

use oddsmith_rules::{Check, Model, Span};

use crate::baseline::{Manifest, Setting, Table};
use crate::format::check::{Cause, Place};

/// Parameters that are not what they were, in the ruleset's order; then those that are gone.
pub(super) fn of_game(old: &Manifest, new: &Manifest, model: &Model) -> Vec<Cause> {
    let at = |span: Span| Place::of(&model.source, span);
    let mut causes = Vec::new();
    for input in &model.params {
        let find = |manifest: &Manifest| value(&manifest.parameters, &input.name).cloned();
        let Some(now) = find(new) else { continue };
        let text = match find(old) {
            Some(before) if before == now => continue,
            Some(before) => format!("parameter {}: {before} -> {now}", input.name),
            None => format!("parameter {} is new: {now}", input.name),
        };
        let place = at(input.span);
        causes.push(Cause { text, place });
    }
    for (name, before) in &old.parameters {
        if value(&new.parameters, name).is_none() {
            let text = format!("parameter {name} is gone: it was {before}");
            let place = at(Span::new(0, 0));
            causes.push(Cause { text, place });
        }
    }
    causes
}

/// What is not as it was about a table itself.
pub(super) fn of_table(old: &Table, new: &Table, renames: &Renames, check: &Check) -> Vec<Cause> {
    let mut texts: Vec<(String, Span)> = Vec::new();
    let band = check.band().map_or(check.span, |(outcome, _)| outcome.span);
    texts.extend(
        of_bands(old, new, renames)
            .into_iter()
            .map(|text| (text, band)),
    );
    texts.extend(of_columns(old, new, check));
    texts.extend(of_axes(old, new, check));
    let place = |span| Place::of(&check.source, span);
    let cause = |(text, span)| Cause {
        text,
        place: place(span),
    };
    texts.into_iter().map(cause).collect()
}

/// What is said where nothing else explains why a table moved.
pub(super) fn unknown(old: &Manifest, new: &Manifest, check: &Check) -> Cause {
    let text = if old.rules != new.rules {
        "the rules changed".to_owned()
    } else if old.engine != new.engine {
        format!("oddsmith {} -> {}", old.engine, new.engine)
    } else {
        "neither the ruleset nor the version of oddsmith changed, but what it computes".to_owned()
    };
    let place = Place::of(&check.source, check.span);
    Cause { text, place }
}

/// Bands that stand where others stood.
#[derive(Debug, Default)]
pub(super) struct Renames(Vec<(String, String)>);

impl Renames {
    /// As many bands as before, and new names in the places of old ones.
    pub(super) fn of(old: &Table, new: &Table) -> Self {
        if old.bands.len() != new.bands.len() {
            return Self::default();
        }
        let pairs = old.bands.iter().zip(&new.bands);
        let renamed =
            pairs.filter(|(before, now)| !new.bands.contains(before) && !old.bands.contains(now));
        Self(
            renamed
                .map(|(before, now)| (before.clone(), now.clone()))
                .collect(),
        )
    }

    /// What a column was called.
    pub(super) fn before<'t>(&'t self, now: &'t str) -> &'t str {
        let pair = self.0.iter().find(|(_, name)| name == now);
        pair.map_or(now, |(before, _)| before)
    }

    /// Whether a band has another name now.
    pub(super) fn is_before(&self, band: &str) -> bool {
        self.0.iter().any(|(before, _)| before == band)
    }
}

fn of_bands(old: &Table, new: &Table, renames: &Renames) -> Vec<String> {
    let mut texts = Vec::new();
    for (before, now) in &renames.0 {
        texts.push(format!("band {before} is now called {now}"));
    }
    for band in &new.bands {
        if !old.bands.iter().any(|known| known == renames.before(band)) {
            texts.push(format!("band {band} is new"));
        }
    }
    for band in &old.bands {
        if !new.bands.contains(band) && !renames.is_before(band) {
            texts.push(format!("band {band} is gone"));
        }
    }
    if texts.is_empty() && old.bands != new.bands {
        texts.push("the bands stand in another order".to_owned());
    }
    texts
}

/// Flags and means.
fn of_columns(old: &Table, new: &Table, check: &Check) -> Vec<(String, Span)> {
    let others = |table: &Table| -> BTreeSet<String> {
        let columns = table.columns.iter();
        columns
            .filter(|column| !table.bands.contains(column))
            .cloned()
            .collect()
    };
    let (before, now) = (others(old), others(new));
    let shown = |column: &str| {
        let outcome = check.outcomes.iter().find(|outcome| outcome.name == column);
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

fn of_axes(old: &Table, new: &Table, check: &Check) -> Vec<(String, Span)> {
    let swept = new.sweep.iter();
    let swept = swept.filter_map(|(axis, now)| Some((axis, of_swept(old, axis, now)?)));
    let fixed = new.fixed.iter();
    let fixed = fixed.filter_map(|(axis, now)| Some((axis, of_fixed(old, axis, now)?)));
    let names = |table: &Table| -> Vec<String> {
        let fixed = table.fixed.iter().map(|(axis, _)| axis);
        let swept = table.sweep.iter().map(|(axis, _)| axis);
        swept.chain(fixed).cloned().collect()
    };
    let (before, now) = (names(old), names(new));
    let gone = before.iter().filter(|axis| !now.contains(axis));
    let gone = gone.map(|axis| (axis, format!("axis {axis} is gone")));
    let place = |(axis, text): (&String, String)| {
        let input = check.input(axis).map(|id| &check.inputs[id.0]);
        (text, input.map_or(check.span, |input| input.span))
    };
    let mut texts: Vec<(String, Span)> = swept.chain(fixed).chain(gone).map(place).collect();
    if texts.is_empty() && old.sweep != new.sweep {
        texts.push(("the axes stand in another order".to_owned(), check.span));
    }
    texts
}

/// What is new about an axis that is swept.
fn of_swept(old: &Table, axis: &str, now: &[Setting]) -> Option<String> {
    let after = values(now);
    match (value(&old.sweep, axis), value(&old.fixed, axis)) {
        (Some(before), _) if before == now => None,
        (Some(before), _) => Some(format!("sweep of {axis}: {} -> {after}", values(before))),
        (None, Some(before)) => Some(format!("axis {axis} is swept: {before} -> {after}")),
        (None, None) => Some(format!("axis {axis} is new: {after}")),
    }
}

/// What is new about an axis that is not swept.
fn of_fixed(old: &Table, axis: &str, now: &Setting) -> Option<String> {
    match (value(&old.sweep, axis), value(&old.fixed, axis)) {
        (_, Some(before)) if before == now => None,
        (_, Some(before)) => Some(format!("default of {axis}: {before} -> {now}")),
        (Some(before), None) => {
            let before = values(before);
            Some(format!(
                "axis {axis} is not swept any more: {before} -> {now}"
            ))
        }
        (None, None) => Some(format!("axis {axis} is new: {now}")),
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

//! What people read in place of names that a script binds.

use std::collections::HashMap;

use crate::check::{Check, Outcome};
use crate::file::drafts::Draft;
use crate::file::labels::demand_new;
use crate::program::{Program, Variable};
use crate::source::{Reporter, Span, nearest};

/// The labels of names that the script binds; others are reported, if the script could be read.
pub(super) fn of_script(
    draft: &Draft,
    program: &Program,
    reporter: &mut Reporter,
) -> Vec<(String, String)> {
    let is_read = reporter.is_empty();
    // Called checks have names of their own.
    let is_own = |variable: &&Variable| draft.rules.contains(variable.span());
    let is_band = |name: &str| draft.labels.iter().any(|band| band.text == name);
    let own: Vec<&Variable> = { program.variables.iter().filter(is_own) }
        .filter(|variable| !is_band(variable.name()))
        .collect();
    let mut labels = Vec::new();
    for (name, label) in &draft.shown_labels {
        if let Some(variable) = own.iter().find(|variable| variable.name() == name.text) {
            reporter.note_name(name.span, variable.span());
            labels.push((name.text.clone(), label.text.clone()));
        } else if is_read {
            let message = format!("`{}` has no `{}`", draft.name.text, name.text);
            let error = reporter.error(name.span, message);
            reporter.push(
                match nearest(&name.text, own.iter().map(|own| own.name())) {
                    Some(near) => error.meant(near),
                    None => error.with_label("not a name of its script").with_help(
                        "`labels` are told of what the script shows: numbers, flags, choices",
                    ),
                },
            );
        }
    }
    labels
}

/// Reports a label that people would take for something else of the same tables: for a band, an axis, or another name
/// that is shown.
pub(super) fn report_twins(draft: &Draft, check: &Check, reporter: &mut Reporter) {
    let bands = draft.labels.iter();
    let bands = bands.map(|band| (band.text.clone(), band.span));
    let inputs = check.inputs.iter();
    let inputs = inputs.map(|input| (input.title().to_owned(), input.span));
    let is_plain = |outcome: &&Outcome| check.title_of(&outcome.name) == outcome.name;
    let shown = check.outcomes.iter().filter(is_plain);
    let shown = shown.map(|outcome| (outcome.name.clone(), outcome.span));
    let mut taken: HashMap<String, Span> = bands.chain(inputs).chain(shown).collect();
    for (_, label) in &draft.shown_labels {
        demand_new(&label.text, label.span, &mut taken, reporter);
    }
}

//! Settings as they stand in texts: `NAME`, `NAME=VALUES`.

use std::sync::Arc;

use crate::check::{Check, Domain, Input, OutcomeKind};
use crate::choice::Choice;
use crate::index::kinds::text_at;
use crate::source::{Reporter, Source, Span};

/// Notes what a setting, a range or a name of a check means.
pub(super) fn read(check: &Check, text: Span, reporter: &mut Reporter) {
    let source = Arc::clone(&reporter.source);
    let written = text_at(&source, text);
    let end = written.find('=').unwrap_or(written.len());
    let name = Span::new(text.start, text.start + end);
    let name = trimmed(&written[..end], name);
    let input = input_of(check, &source, name);
    match input {
        Some((input, base)) => {
            reporter.note_name(base, input.span);
            if let Domain::Choice(choice) = &input.domain {
                let start = (text.start + end + 1).min(text.end);
                values(choice, Span::new(start, text.end), reporter);
            }
        }
        None => shown(check, name, reporter),
    }
}

/// The input that a name stands for, or the first element of a list; and where the name stands without a place in it.
fn input_of<'c>(check: &'c Check, source: &Source, name: Span) -> Option<(&'c Input, Span)> {
    let written = text_at(source, name);
    let base = written.split('[').next().unwrap_or_default().trim_end();
    let is_named = |input: &&Input| input.name.split('[').next() == Some(base);
    let input = check.inputs.iter().find(is_named)?;
    Some((input, Span::new(name.start, name.start + base.len())))
}

/// Notes a name of something that a check shows.
fn shown(check: &Check, name: Span, reporter: &mut Reporter) {
    let source = Arc::clone(&reporter.source);
    let written = text_at(&source, name);
    let mut shown = check.outcomes.iter();
    if let Some(outcome) = shown.find(|outcome| outcome.name == written) {
        reporter.note_name(name, outcome.span);
    }
}

/// Notes a word that is the name of something that a check shows, of an input, or else a label.
pub(super) fn any_name(check: &Check, place: Span, reporter: &mut Reporter) {
    let source = Arc::clone(&reporter.source);
    let written = text_at(&source, place);
    if check.outcomes.iter().any(|outcome| outcome.name == written) {
        return shown(check, place, reporter);
    }
    if let Some((input, base)) = input_of(check, &source, place) {
        return reporter.note_name(base, input.span);
    }
    let bands = bands_of(check);
    let domains = check.inputs.iter().filter_map(|input| match &input.domain {
        Domain::Choice(choice) => Some(choice),
        Domain::Range(..) => None,
    });
    for choice in bands.into_iter().chain(domains) {
        if let Some(at) = choice.place(written) {
            return reporter.note_label(place, choice, at);
        }
    }
}

/// The bands of a check.
pub(super) fn bands_of(check: &Check) -> Option<&Arc<Choice>> {
    check
        .outcomes
        .iter()
        .find_map(|outcome| match &outcome.kind {
            OutcomeKind::Band(bands) => Some(bands),
            _ => None,
        })
}

/// Notes the labels among values such as `ok,broken` or `ok..=broken`.
pub(super) fn values(choice: &Arc<Choice>, text: Span, reporter: &mut Reporter) {
    let source = Arc::clone(&reporter.source);
    let mut start = text.start;
    for piece in text_at(&source, text).split(',') {
        let mut at = start;
        for end in piece.split("..=") {
            let place = trimmed(end, Span::new(at, at + end.len()));
            if let Some(label) = choice.place(text_at(&source, place)) {
                reporter.note_label(place, choice, label);
            }
            at += end.len() + "..=".len();
        }
        start += piece.len() + 1;
    }
}

/// A span without the blanks at the ends of its text.
pub(super) fn trimmed(text: &str, span: Span) -> Span {
    let start = span.start + (text.len() - text.trim_start().len());
    Span::new(start, start + text.trim().len())
}

//! Lists of labels that have a name; and what people read in place of names and of numbers.

use std::collections::HashMap;
use std::sync::Arc;

use crate::check::{Domain, RoundName};
use crate::choice::Choice;
use crate::file::inputs;
use crate::file::nodes::{Entries, key_name, one_or_more, span, string, table};
use crate::source::{Diagnostic, Reporter, Span, nearest};
use crate::syntax::ast::Name;

/// Reads `[labels]`: lists of labels by name. One with an error still stands for a list, so that one slip is one error.
pub(super) fn lists(root: &Entries<'_, '_>, reporter: &mut Reporter) -> Vec<(Name, Arc<Choice>)> {
    let mut lists = Vec::new();
    let node = root.get("labels");
    for (key, value) in node
        .and_then(|node| table(node, "`labels`", reporter))
        .into_iter()
        .flatten()
    {
        let name = key_name(key);
        if !inputs::is_word(&name, "", reporter) {
            continue;
        }
        if name.text == "band" {
            let error = reporter.error(name.span, "`band` is one of a check's `bands`");
            reporter.push(error.with_label("choose another name"));
            continue;
        }
        let labels = inputs::read_labels(value, &format!("`{}`", name.text), reporter);
        let labels = labels.and_then(Choice::new).unwrap_or_else(Choice::unknown);
        lists.push((name, Arc::new(labels)));
    }
    lists
}

/// What people read in place of a name: a label that nothing else of the same table has.
pub(super) fn of_name(
    entry: &Entries<'_, '_>,
    taken: &mut HashMap<String, Span>,
    reporter: &mut Reporter,
) -> String {
    let label = entry.line("label", reporter);
    if let Some(node) = entry.get("label") {
        if label.trim().is_empty() && node.get_ref().is_str() {
            reporter.push(reporter.error(span(node), "a label has to say something"));
        }
        demand_new(&label, span(node), taken, reporter);
    }
    label
}

/// What a round of a track is called: a word, or that and its plural.
pub(super) fn of_rounds(entry: &Entries<'_, '_>, reporter: &mut Reporter) -> RoundName {
    let Some(node) = entry.get("unit") else {
        return RoundName::default();
    };
    let mut words = Vec::new();
    for written in one_or_more(node, "`unit`", reporter) {
        if let Some(fault) = label_fault(&written.text) {
            reporter.push(reporter.error(written.span, fault));
        }
        words.push(written.text);
    }
    match words.as_slice() {
        [one] => RoundName::of(one),
        [one, many] => RoundName {
            one: one.clone(),
            many: many.clone(),
        },
        _ => {
            let has_words = node.get_ref().as_array().is_some();
            if has_words {
                let error = reporter.error(span(node), "`unit` is a word and its plural");
                let help = "write `unit = \"turn\"`, or `unit = [\"Runde\", \"Runden\"]`";
                reporter.push(error.with_help(help));
            }
            RoundName::default()
        }
    }
}

/// Reports a label that is there twice, of which people could not tell what it is of; says whether it is new.
pub(super) fn demand_new(
    label: &str,
    place: Span,
    taken: &mut HashMap<String, Span>,
    reporter: &mut Reporter,
) -> bool {
    if let Some(first) = taken.get(label) {
        let error = reporter.error(place, format!("the label \"{label}\" is there twice"));
        let error = error.with_label("again here");
        reporter.push(error.with_related(*first, "first here"));
        return false;
    }
    taken.insert(label.to_owned(), place);
    true
}

/// What people read in place of some values, by these values: `labels = { 6 = "d8" }`, or `{ wild_card = "wild card" }` of
/// a domain of words, whose values are places.
pub(super) fn of_values(
    entry: &Entries<'_, '_>,
    domain: &Domain,
    reporter: &mut Reporter,
) -> Vec<(i64, String)> {
    let Some(node) = entry.get("labels") else {
        return Vec::new();
    };
    let mut found: Vec<(i64, String)> = Vec::new();
    let mut taken: HashMap<String, Span> = HashMap::new();
    for (key, text) in table(node, "`labels`", reporter).into_iter().flatten() {
        let name = key_name(key);
        let Some(value) = domain.read(&name.text) else {
            let message = format!("`{}` is not in the domain {}", name.text, domain.describe());
            let error = reporter.error(name.span, message);
            reporter.push(no_value(error, &name, domain));
            continue;
        };
        if let Domain::Choice(choice) = domain {
            let is_quoted = reporter.source.text[name.span.start..].starts_with(['"', '\'']);
            let quote = usize::from(is_quoted);
            let place = Span::new(name.span.start + quote, name.span.end - quote);
            reporter.note_label(place, choice, value);
        }
        let Some(label) = string(text, &format!("the label of {}", name.text), reporter) else {
            continue;
        };
        match label_fault(label) {
            Some(fault) => reporter.push(reporter.error(span(text), fault)),
            None => found.push((value, label.to_owned())),
        }
        demand_new(label, span(text), &mut taken, reporter);
    }
    found.sort_unstable();
    found
}

/// `labels` of a check or a track: names of its script and what people read in their place.
pub(super) fn written(entry: &Entries<'_, '_>, reporter: &mut Reporter) -> Vec<(Name, Name)> {
    let mut labels = Vec::new();
    let node = entry.get("labels");
    let entries = node.and_then(|node| table(node, "`labels`", reporter));
    for (key, node) in entries.into_iter().flatten() {
        let name = key_name(key);
        let Some(label) = string(node, &format!("the label of {}", name.text), reporter) else {
            continue;
        };
        match label_fault(label) {
            Some(fault) => reporter.push(reporter.error(span(node), fault)),
            None => {
                let (text, span) = (label.to_owned(), span(node));
                labels.push((name, Name { text, span }));
            }
        }
    }
    labels
}

/// What is said of a label of no value: which one may be meant.
fn no_value(error: Diagnostic, name: &Name, domain: &Domain) -> Diagnostic {
    let words = match domain {
        Domain::Range(..) => &[],
        Domain::Choice(choice) => choice.labels(),
    };
    match nearest(&name.text, words.iter().map(String::as_str)) {
        Some(near) => error.meant(near),
        None => error
            .with_label("not a value")
            .with_help("a label is told of a value: `labels = { 6 = \"d8\" }`"),
    }
}

/// What keeps a text from standing for a value in a table or beneath a picture.
fn label_fault(label: &str) -> Option<&'static str> {
    if label.trim().is_empty() {
        Some("a label has to say something")
    } else if label.contains(['\n', '\t']) {
        Some("a label is one line, without tabs")
    } else {
        None
    }
}

//! Parameters and axes.

use std::collections::HashMap;
use std::sync::Arc;

use crate::check::{Domain, Input, Role};
use crate::choice::Choice;
use toml::de::DeTable;

use crate::file::nodes::{self, Entries, Node, integer, key_name, span, table};
use crate::file::{characters, domain, keys, labels};
use crate::source::{Reporter, Span, nearest};
use crate::syntax;
use crate::syntax::ast::Name;
use crate::values;
use crate::words::plain_name;

/// Parameters or axes as read.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Those that are right, or right enough to go on with.
    pub(crate) good: Vec<Input>,
    /// Names of those of which too little is known; uses of them are no errors of their own.
    pub(crate) broken: Vec<Name>,
}

/// Reads `[params]` or a check's axes. Elements of a list parameter become inputs of their own.
pub(crate) fn read(node: &Node<'_>, role: Role, reporter: &mut Reporter) -> Inputs {
    let (table_name, what, keys) = match role {
        Role::Parameter => ("`params`", "a parameter", keys::PARAM),
        Role::Axis => ("`axes`", "an axis", keys::AXIS),
    };
    let mut inputs = Inputs::default();
    let mut taken = HashMap::new();
    let Some(entries) = table(node, table_name, reporter) else {
        return inputs;
    };
    for (key, value) in entries {
        let name = key_name(key);
        let follows = if is_list(value) { "[" } else { "" };
        let read = is_word(&name, follows, reporter)
            .then(|| entry_of(&name, value, role, reporter))
            .flatten()
            .map(|entry| Entries::check(entry, keys, what, name.span, reporter))
            .and_then(|entry| read_input(&name, &entry, role, &mut taken, reporter));
        match read {
            Some(read) => inputs.good.extend(read),
            None => inputs.broken.push(name),
        }
    }
    inputs
}

/// The table behind the name of an input; a value alone is told how it becomes one.
fn entry_of<'a, 't>(
    name: &Name,
    value: &'a Node<'t>,
    role: Role,
    reporter: &mut Reporter,
) -> Option<&'a DeTable<'t>> {
    let entry = value.get_ref().as_table();
    if entry.is_none() {
        let owner = match role {
            Role::Parameter => "",
            Role::Axis => "axes.",
        };
        let text = &name.text;
        let written = reporter
            .source
            .text
            .get(span(value).start..span(value).end)
            .unwrap_or("…");
        let error = reporter.error(span(value), format!("`{text}` must be a table"));
        let help = match keys::is_of_file(text) && role == Role::Parameter {
            true => format!("`{text}` of the game stands above the first `[…]` of the file"),
            false => format!("write `{owner}{text} = {{ default = {written}, domain = \"…\" }}`"),
        };
        reporter.push(error.with_label("a value alone").with_help(help));
    }
    entry
}

/// Whether the default of a parameter is a list.
fn is_list(entry: &Node<'_>) -> bool {
    let default = entry
        .get_ref()
        .as_table()
        .and_then(|entry| entry.get("default"));
    default.is_some_and(|default| default.get_ref().is_array())
}

/// Reports a name that scripts could not use; `follows` is what stands behind it where it is used.
pub(crate) fn is_word(name: &Name, follows: &str, reporter: &mut Reporter) -> bool {
    let mut chars = name.text.chars();
    let word = chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if word && !syntax::is_keyword(&name.text) {
        let error = |message| reporter.error(name.span, message);
        let is_called = follows == "(";
        let refused = if is_called && ["floor", "ceil"].contains(&name.text.as_str()) {
            let message = format!("`{}` is a built-in function", name.text);
            Some(error(message).with_label("choose another name"))
        } else {
            syntax::refuse_die(&name.text, follows, error)
        };
        let is_free = refused.is_none();
        refused.into_iter().for_each(|error| reporter.push(error));
        return is_free;
    }
    if characters::are_in(&name.text) {
        return false; // which has been reported
    }
    let error = reporter.error(name.span, format!("`{}` can't be a name", name.text));
    let error = if word {
        error.with_label("this word is part of the language")
    } else {
        let error =
            error.with_label("a name is a letter from a to z, then letters, digits and `_`");
        match plain_name(&name.text) {
            Some(near) => error.with_help(format!("write `{near}`")),
            None => error,
        }
    };
    reporter.push(error);
    false
}

/// One input, or those of a list; a default or a sweep that is wrong is replaced by a right one. `taken` has the labels of
/// those before.
fn read_input(
    name: &Name,
    entry: &Entries<'_, '_>,
    role: Role,
    taken: &mut HashMap<String, Span>,
    reporter: &mut Reporter,
) -> Option<Vec<Input>> {
    let key = name.text.clone();
    let help = entry.line("help", reporter);
    let reading = read_reading(entry, reporter);
    let domain = read_domain(entry.get("domain")?, (&key, role), reporter)?;
    let sweep = entry
        .get("sweep")
        .and_then(|node| read_sweep(node, &domain, reporter));
    let sweep = sweep.unwrap_or_default();
    let default = entry.get("default")?;
    let label = labels::of_name(entry, taken, reporter);
    let value_labels = labels::of_values(entry, &domain, reporter);
    let input = |name: String, default: Option<i64>, span: Span| Input {
        // Of a list each element is told apart as in its name.
        label: match name.strip_prefix(&*key) {
            Some(place) if !label.is_empty() => format!("{label}{place}"),
            _ => String::new(),
        },
        value_labels: value_labels.clone(),
        name,
        role,
        domain: domain.clone(),
        default: default.unwrap_or(domain.bounds().0),
        sweep: sweep.clone(),
        help: help.clone(),
        reading: reading.clone(),
        span,
    };
    match default.get_ref().as_array() {
        Some(items) if role == Role::Parameter => {
            if items.is_empty() {
                let error =
                    reporter.error(span(default), "a list parameter needs at least one item");
                reporter.push(error.with_label("an empty list"));
                return None;
            }
            let read = |(index, item)| {
                let value = read_value(item, &domain, reporter);
                input(format!("{}[{index}]", name.text), value, span(item))
            };
            Some(items.iter().enumerate().map(read).collect())
        }
        Some(_) => {
            let error = reporter.error(span(default), "an axis has a single default");
            reporter.push(
                error
                    .with_label("this is a list")
                    .with_help("only parameters can be lists"),
            );
            Some(vec![input(name.text.clone(), None, name.span)])
        }
        None => {
            let value = read_value(default, &domain, reporter);
            Some(vec![input(name.text.clone(), value, name.span)])
        }
    }
}

/// What an open text is taken to mean; one that says nothing is an error.
fn read_reading(entry: &Entries<'_, '_>, reporter: &mut Reporter) -> String {
    let reading = entry.text("reading", reporter);
    if let Some(node) = entry.get("reading")
        && node
            .get_ref()
            .as_str()
            .is_some_and(|text| text.trim().is_empty())
    {
        let error = reporter.error(span(node), "this reading says nothing");
        reporter.push(error.with_help(
            "say which text of the game is open and what the default takes it to mean, or leave it out",
        ));
    }
    reading
}

/// A legal value: a whole number, or a label.
fn read_value(node: &Node<'_>, domain: &Domain, reporter: &mut Reporter) -> Option<i64> {
    let value = match domain {
        Domain::Range(..) => integer(node),
        Domain::Choice(choice) => {
            let number = integer(node).map(|n| n.to_string());
            let label = node.get_ref().as_str().or(number.as_deref());
            label.and_then(|label| choice.place(label))
        }
    };
    if let Some(value) = value.filter(|value| domain.contains(*value)) {
        return Some(value);
    }
    let written = &reporter.source.text[span(node).start..span(node).end];
    let message = format!("{written} is not in the domain {}", domain.describe());
    let error = reporter.error(span(node), message);
    let label = match domain {
        Domain::Choice(choice) => {
            let labels = choice.labels().iter().map(String::as_str);
            if let Some(near) = nearest(written.trim_matches(['"', '\'']), labels) {
                let quoted = format!("\"{near}\"");
                let error = error.with_label(format!("did you mean {quoted}?"));
                reporter.push(error.with_fix(span(node), quoted));
                return None;
            }
            "not one of its labels".to_owned()
        }
        Domain::Range(..) if node.get_ref().is_str() => "numbers stand without quotes".to_owned(),
        Domain::Range(..) if node.get_ref().is_bool() => "write 1 for true, 0 for false".to_owned(),
        Domain::Range(..) if value.is_some() => "outside the domain".to_owned(),
        Domain::Range(..) => "not a whole number".to_owned(),
    };
    reporter.push(error.with_label(label));
    None
}

fn read_domain(node: &Node<'_>, named: (&str, Role), reporter: &mut Reporter) -> Option<Domain> {
    if let Some(domain) = domain::listed_numbers(node, named, reporter) {
        return Some(domain);
    }
    if node.get_ref().is_array() {
        let labels = read_labels(node, "a domain", reporter)?;
        return Choice::new(labels).map(|choice| Domain::Choice(Arc::new(choice)));
    }
    let needed = "a domain must be a range such as \"0..=10\", or a list of labels";
    let Some(text) = node.get_ref().as_str() else {
        nodes::wrong_type(node, needed, reporter);
        return None;
    };
    match values::parse_range(text) {
        Some((low, high)) if low <= high => Some(Domain::Range(low, high)),
        Some((low, high)) => {
            let message = format!("the domain is empty: {low} is above {high}");
            let error = reporter.error(span(node), message);
            let meant = format!("\"{high}..={low}\"");
            let error = error.with_label(format!("did you mean {meant}?"));
            reporter.push(error.with_fix(span(node), meant));
            None
        }
        None => {
            let error = reporter.error(span(node), needed);
            let error = match meant_range(text) {
                Some((low, high)) => {
                    let meant = format!("\"{low}..={high}\"");
                    let error = error.with_label(format!("did you mean {meant}?"));
                    error.with_fix(span(node), meant)
                }
                None => error.with_label("not a range"),
            };
            reporter.push(error.with_help("both ends belong to it: \"1..=6\" is 1, 2, 3, 4, 5, 6"));
            None
        }
    }
}

/// The range that `0..5`, `0-5`, `0–5` or `0 to 5` means.
fn meant_range(text: &str) -> Option<(i64, i64)> {
    let ends = [" to ", "–", ".."]
        .iter()
        .find_map(|between| text.split_once(between));
    // A `-` at the beginning is a sign.
    let ends = ends.or_else(|| {
        let dash = text.get(1..)?.find('-')? + 1;
        Some((&text[..dash], &text[dash + 1..]))
    });
    let (low, high) = ends?;
    values::parse_range(&format!("{}..={}", low.trim(), high.trim()))
}

/// A list of different labels: what is right of it, so that one slip is one error; none if nothing is.
pub(crate) fn read_labels(
    node: &Node<'_>,
    what: &str,
    reporter: &mut Reporter,
) -> Option<Vec<String>> {
    if node
        .get_ref()
        .as_array()
        .is_some_and(|items| items.is_empty())
    {
        let error = reporter.error(span(node), format!("{what} needs at least one label"));
        reporter.push(error.with_label("an empty list"));
    }
    let mut found: Vec<String> = Vec::new();
    let mut taken = HashMap::new();
    for (item, label) in nodes::strings(node, what, reporter) {
        let place = span(item);
        if labels::demand_new(&label, place, &mut taken, reporter) {
            refuse_label(&label, place, reporter);
            found.push(label);
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Reports a label that queries could not name, or tables could not show.
fn refuse_label(label: &str, place: Span, reporter: &mut Reporter) {
    let (rule, help) =
        if label.trim().is_empty() || label.contains(['&', '|', '(', ')', '"', '\'', ',', '\n']) {
            let rule = "empty, or with one of & | ( ) , and quotes";
            (
                rule,
                "queries such as `Hit & Twist` could not name it".to_owned(),
            )
        } else if label.contains(['\t', '\r']) {
            let rule = "a label stands on one line, without tabs";
            (rule, "write a space for each of them".to_owned())
        } else if label.trim() != label {
            let rule = "with a space before or behind it";
            (rule, format!("write \"{}\"", label.trim()))
        } else if ["weight:", "total:"]
            .iter()
            .any(|word| label.starts_with(word))
        {
            let rule = "so begin the columns that `table --exact` adds";
            (rule, format!("write \"{}\"", label.replacen(':', " ", 1)))
        } else {
            return;
        };
    let error = reporter.error(place, format!("\"{label}\" can't be a label"));
    reporter.push(error.with_label(rule).with_help(help));
}

fn read_sweep(node: &Node<'_>, domain: &Domain, reporter: &mut Reporter) -> Option<Vec<i64>> {
    if let Some(items) = node.get_ref().as_array() {
        return read_sweep_list(items, span(node), domain, reporter);
    }
    if node.get_ref().as_str().is_none() {
        let needed = "`sweep` must be a string such as \"0,2,4\", or a list of values";
        nodes::wrong_type(node, needed, reporter);
        return None;
    }
    let source = Arc::clone(&reporter.source);
    let (text, start) = nodes::code(node, "`sweep`", &source.text, reporter)?;
    match values::parse(text, domain) {
        Ok(values) => Some(values),
        Err(problem) => {
            let place = Span::new(start + problem.start, start + problem.end);
            let error = problem.mend(reporter.error(place, problem.message.as_str()));
            reporter.push(error.with_label(format!("the domain is {}", domain.describe())));
            None
        }
    }
}

fn read_sweep_list(
    items: &[Node<'_>],
    whole: Span,
    domain: &Domain,
    reporter: &mut Reporter,
) -> Option<Vec<i64>> {
    if items.is_empty() {
        let error = reporter.error(whole, "a sweep needs at least one value");
        reporter.push(error.with_label("an empty list"));
        return None;
    }
    let mut values: Vec<i64> = Vec::with_capacity(items.len());
    for item in items {
        let value = read_value(item, domain, reporter)?;
        if let Some(first) = values.iter().position(|known| *known == value) {
            let error = reporter
                .error(span(item), format!("{} is there twice", domain.show(value)))
                .with_label("again here")
                .with_related(span(&items[first]), "first here");
            reporter.push(error);
            return None;
        }
        values.push(value);
    }
    Some(values)
}

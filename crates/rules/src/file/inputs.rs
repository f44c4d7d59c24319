//! Parameters and axes.

use std::sync::Arc;

use toml::de::DeTable;

use crate::file::keys;
use crate::file::nodes::{
    self, Node, check_keys, get, integer, key_name, optional_string, span, table,
};
use crate::model::{Choice, Domain, Input, Role};
use crate::source::{Reporter, Span};
use crate::syntax::ast::Name;
use crate::values;

/// Reads `[params]` or a check's axes. Elements of a list parameter become inputs of their own.
pub(crate) fn read(node: &Node<'_>, role: Role, reporter: &mut Reporter) -> Vec<Input> {
    let (what, keys) = match role {
        Role::Parameter => ("`params`", keys::PARAM),
        Role::Axis => ("`axes`", keys::AXIS),
    };
    let mut inputs = Vec::new();
    let Some(entries) = table(node, what, reporter) else {
        return inputs;
    };
    for (key, value) in entries {
        let name = key_name(key);
        if !is_word(&name, reporter) {
            continue;
        }
        let what = if role == Role::Parameter {
            "a parameter"
        } else {
            "an axis"
        };
        let Some(entry) = table(value, &format!("`{}`", name.text), reporter) else {
            continue;
        };
        check_keys(entry, keys, what, name.span, reporter);
        inputs.extend(read_input(&name, entry, role, reporter).unwrap_or_default());
    }
    inputs
}

/// Reports a name that scripts could not use.
pub(crate) fn is_word(name: &Name, reporter: &mut Reporter) -> bool {
    let mut chars = name.text.chars();
    let word = chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if word && !crate::syntax::is_keyword(&name.text) {
        return true;
    }
    let error = reporter.error(name.span, format!("`{}` can't be a name", name.text));
    let error = if word {
        error.with_label("this word is part of the language")
    } else {
        error.with_label("a name is a letter, then letters, digits and `_`")
    };
    reporter.push(error);
    false
}

fn read_input(
    name: &Name,
    entry: &DeTable<'_>,
    role: Role,
    reporter: &mut Reporter,
) -> Option<Vec<Input>> {
    let domain = read_domain(get(entry, "domain")?, reporter)?;
    let help = optional_string(entry, "help", reporter);
    let default = get(entry, "default")?;
    let sweep = match get(entry, "sweep") {
        Some(node) => read_sweep(node, &domain, reporter)?,
        None => Vec::new(),
    };
    let input = |name: String, default: i64, span: Span| Input {
        name,
        role,
        domain: domain.clone(),
        default,
        sweep: sweep.clone(),
        help: help.clone(),
        span,
    };
    match default.get_ref().as_array() {
        Some(items) if role == Role::Parameter => {
            if items.is_empty() {
                reporter.push(
                    reporter.error(span(default), "a list parameter needs at least one item"),
                );
            }
            let read = |(index, item)| {
                let value = read_value(item, &domain, reporter)?;
                Some(input(format!("{}[{index}]", name.text), value, span(item)))
            };
            items.iter().enumerate().map(read).collect()
        }
        _ => Some(vec![input(
            name.text.clone(),
            read_value(default, &domain, reporter)?,
            name.span,
        )]),
    }
}

/// A legal value: a whole number, or a label.
fn read_value(node: &Node<'_>, domain: &Domain, reporter: &mut Reporter) -> Option<i64> {
    let value = match domain {
        Domain::Range(..) => integer(node),
        Domain::Choice(choice) => {
            let number = integer(node).map(|n| n.to_string());
            node.get_ref()
                .as_str()
                .or(number.as_deref())
                .and_then(|label| choice.place(label))
        }
    };
    match value {
        Some(value) if domain.contains(value) => Some(value),
        _ => {
            let written = &reporter.source.text[span(node).start..span(node).end];
            let message = format!("{written} is not in the domain {}", domain.describe());
            let error = reporter
                .error(span(node), message)
                .with_label("outside the domain");
            let near = match domain {
                Domain::Choice(choice) => {
                    let labels = choice.labels.iter().map(String::as_str);
                    crate::source::nearest(written.trim_matches(['"', '\'']), labels)
                }
                Domain::Range(..) => None,
            };
            let error = match near {
                Some(near) => error.with_label(format!("did you mean \"{near}\"?")),
                None => error,
            };
            reporter.push(error);
            None
        }
    }
}

fn read_domain(node: &Node<'_>, reporter: &mut Reporter) -> Option<Domain> {
    if node.get_ref().is_array() {
        return Some(Domain::Choice(Arc::new(Choice {
            labels: read_labels(node, "a domain", reporter)?,
        })));
    }
    let needed = "a domain is a range such as \"0..=10\", or a list of labels";
    let Some(text) = node.get_ref().as_str() else {
        nodes::wrong_type(node, needed, reporter);
        return None;
    };
    match values::parse_range(text) {
        Some((low, high)) if low <= high => Some(Domain::Range(low, high)),
        Some((low, high)) => {
            let error = reporter.error(
                span(node),
                format!("the domain is empty: {low} is above {high}"),
            );
            reporter.push(error);
            None
        }
        None => {
            let error = reporter.error(span(node), needed).with_label("not a range");
            reporter.push(error.with_help("both ends belong to it: \"1..=6\" is 1, 2, 3, 4, 5, 6"));
            None
        }
    }
}

/// A list of different labels.
pub(crate) fn read_labels(
    node: &Node<'_>,
    what: &str,
    reporter: &mut Reporter,
) -> Option<Vec<String>> {
    let mut labels: Vec<String> = Vec::new();
    let mut places: Vec<Span> = Vec::new();
    let mut good = true;
    for (item, label) in nodes::strings(node, what, reporter) {
        let place = span(item);
        if let Some(first) = labels.iter().position(|known| *known == label) {
            let error = reporter
                .error(place, format!("the label \"{label}\" is there twice"))
                .with_label("again here")
                .with_related(places[first], "first here");
            reporter.push(error);
            good = false;
        }
        if label.trim().is_empty() || label.contains(['&', '|', '(', ')', '"', '\'', ',', '\n']) {
            let error = reporter
                .error(place, format!("\"{label}\" can't be a label"))
                .with_label("empty, or with one of & | ( ) , and quotes");
            reporter.push(error);
            good = false;
        }
        labels.push(label);
        places.push(place);
    }
    if labels.is_empty() {
        reporter.push(reporter.error(span(node), format!("{what} needs at least one label")));
        return None;
    }
    good.then_some(labels)
}

fn read_sweep(node: &Node<'_>, domain: &Domain, reporter: &mut Reporter) -> Option<Vec<i64>> {
    if let Some(items) = node.get_ref().as_array() {
        return items
            .iter()
            .map(|item| read_value(item, domain, reporter))
            .collect();
    }
    let text = nodes::string(node, "`sweep`", reporter)?;
    match values::parse(text, domain) {
        Ok(values) => Some(values),
        Err(problem) => {
            reporter.push(
                reporter
                    .error(span(node), problem.message)
                    .with_label("in this sweep"),
            );
            None
        }
    }
}

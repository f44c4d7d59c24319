//! TOML values with their places, and errors where they are not what a ruleset needs.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::file::keys::Key;
use crate::source::{Reporter, Span, nearest};
use crate::syntax::ast::Name;

/// A value with its place.
pub(crate) type Node<'t> = Spanned<DeValue<'t>>;

pub(crate) fn span<T>(spanned: &Spanned<T>) -> Span {
    let range = spanned.span();
    Span::new(range.start, range.end)
}

/// A key as a name.
pub(crate) fn key_name(key: &Spanned<Cow<'_, str>>) -> Name {
    Name {
        text: key.get_ref().to_string(),
        span: span(key),
    }
}

/// The value of a key that is known to be legal.
pub(crate) fn get<'a, 't>(table: &'a DeTable<'t>, name: &str) -> Option<&'a Node<'t>> {
    table.get(name)
}

/// Reports keys that do not belong, and missing ones. `place` is where the table is named.
pub(crate) fn check_keys(
    table: &DeTable<'_>,
    keys: &[Key],
    what: &str,
    place: Span,
    reporter: &mut Reporter,
) {
    for (key, _) in table {
        let name = key_name(key);
        if keys.iter().any(|known| known.name == name.text) {
            continue;
        }
        let known: Vec<&str> = keys.iter().map(|known| known.name).collect();
        let error = reporter.error(name.span, format!("unknown key `{}` in {what}", name.text));
        let error = match nearest(&name.text, known.iter().copied()) {
            Some(near) => error.with_label(format!("did you mean `{near}`?")),
            None => error.with_label("not a key here"),
        };
        reporter.push(error.with_help(format!("the keys of {what} are {}", known.join(", "))));
    }
    for key in keys
        .iter()
        .filter(|key| key.required && table.get(key.name).is_none())
    {
        let error = reporter
            .error(place, format!("{what} needs `{}`", key.name))
            .with_label("missing");
        reporter.push(error.with_help(key.help));
    }
}

/// The table behind a key.
pub(crate) fn table<'a, 't>(
    node: &'a Node<'t>,
    what: &str,
    reporter: &mut Reporter,
) -> Option<&'a DeTable<'t>> {
    let table = node.get_ref().as_table();
    if table.is_none() {
        wrong_type(node, &format!("{what} is a table"), reporter);
    }
    table
}

/// The string behind a key.
pub(crate) fn string<'a>(
    node: &'a Node<'_>,
    what: &str,
    reporter: &mut Reporter,
) -> Option<&'a str> {
    let text = node.get_ref().as_str();
    if text.is_none() {
        wrong_type(node, &format!("{what} is a string"), reporter);
    }
    text
}

/// The optional string `key` of a table; nothing if it is missing or wrong.
pub(crate) fn optional_string(table: &DeTable<'_>, key: &str, reporter: &mut Reporter) -> String {
    let text = get(table, key).and_then(|node| string(node, &format!("`{key}`"), reporter));
    text.unwrap_or_default().to_owned()
}

/// A list of strings, each with its place.
pub(crate) fn strings<'a, 't>(
    node: &'a Node<'t>,
    what: &str,
    reporter: &mut Reporter,
) -> Vec<(&'a Node<'t>, String)> {
    let Some(items) = node.get_ref().as_array() else {
        wrong_type(node, &format!("{what} is a list of strings"), reporter);
        return Vec::new();
    };
    let mut texts = Vec::new();
    for item in items {
        if let Some(text) = string(item, &format!("an item of {what}"), reporter) {
            texts.push((item, text.to_owned()));
        }
    }
    texts
}

/// The whole number behind a key.
pub(crate) fn integer(node: &Node<'_>) -> Option<i64> {
    let number = node.get_ref().as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

pub(crate) fn wrong_type(node: &Node<'_>, needed: &str, reporter: &mut Reporter) {
    let label = format!("this is {}", article(node.get_ref().type_str()));
    reporter.push(reporter.error(span(node), needed).with_label(label));
}

fn article(type_name: &str) -> String {
    let vowel = type_name.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {type_name}", if vowel { "an" } else { "a" })
}

/// The code inside a string and where it begins in the file; its places are the file's places, so the string
/// may hold no escapes.
pub(crate) fn code<'s>(
    node: &Node<'_>,
    text: &'s str,
    reporter: &mut Reporter,
) -> Option<(&'s str, usize)> {
    let value = string(node, "a rule", reporter)?;
    let place = span(node);
    let raw = text.get(place.start..place.end)?;
    let quote = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find(|quote| raw.starts_with(quote))?;
    let mut start = quote.len();
    if quote.len() == 3 {
        let rest = raw.get(start..)?;
        start += if rest.starts_with("\r\n") {
            2
        } else {
            usize::from(rest.starts_with('\n'))
        };
    }
    let inner = raw.get(start..raw.len() - quote.len())?;
    if inner.replace("\r\n", "\n") == value.replace("\r\n", "\n") {
        return Some((inner, place.start + start));
    }
    let error = reporter
        .error(place, "rules are written without TOML escapes")
        .with_label("this string contains a backslash")
        .with_help("use ''' … ''' around the rules, in which quotes need no backslash");
    reporter.push(error);
    None
}

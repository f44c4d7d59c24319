//! TOML values with their places, and errors where they are not what a ruleset needs.

use std::borrow::Cow;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::file::keys::{self, Key};
use crate::source::{Diagnostic, Reporter, Span, inside_quotes};
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

/// A table of the file whose keys have been checked.
#[derive(Debug)]
pub(crate) struct Entries<'a, 't> {
    table: &'a DeTable<'t>,
    /// Keys that are misspelt, reported, and read as what they were meant to be.
    meant: Vec<(&'static str, String)>,
}

impl<'a, 't> Entries<'a, 't> {
    /// Reports keys that do not belong, and missing ones. `place` is where the table is named.
    pub(crate) fn check(
        table: &'a DeTable<'t>,
        keys: &[Key],
        what: &str,
        place: Span,
        reporter: &mut Reporter,
    ) -> Self {
        let known: Vec<&'static str> = keys.iter().map(|known| known.name).collect();
        let mut entries = Self {
            table,
            meant: Vec::new(),
        };
        for (key, value) in table {
            let name = key_name(key);
            if known.contains(&name.text.as_str()) {
                continue;
            }
            let error = reporter.error(name.span, format!("unknown key `{}` in {what}", name.text));
            let owners = keys::owners(&name.text);
            let mut help = format!("the keys of {what} are {}", known.join(", "));
            if let (Some(checks), ["a check", ..]) = (table.get("checks"), owners.as_slice()) {
                help = format!("write `checks.{}.{}`; {help}", only_name(checks), name.text);
            } else if !owners.is_empty() && what != "a ruleset" {
                help = format!("a key belongs to the last `[…]` above it; {help}");
            }
            let elsewhere = keys::elsewhere(&name.text, value.get_ref(), &known);
            let near = reporter.nearest(&name.text, known.iter().copied());
            let error = match near.filter(|_| elsewhere.is_none()) {
                Some(near) => {
                    entries.meant.push((near, name.text));
                    error.meant(near)
                }
                None => match owners.as_slice() {
                    [] => error.with_label("not a key here"),
                    owners => error.with_label(format!("this is a key of {}", owners.join(" or "))),
                },
            };
            reporter.push(error.with_help(elsewhere.unwrap_or(help)));
        }
        for key in keys
            .iter()
            .filter(|key| key.required && entries.get(key.name).is_none())
        {
            let error = reporter.error(place, format!("{what} needs `{}`", key.name));
            let help = format!("`{}`: {}", key.name, uncapitalised(key.help));
            reporter.push(error.with_label("it is missing here").with_help(help));
        }
        entries
    }

    /// The value of a key.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Node<'t>> {
        let meant = || {
            let (_, written) = self.meant.iter().find(|(meant, _)| *meant == name)?;
            self.table.get(written.as_str())
        };
        self.table.get(name).or_else(meant)
    }

    /// The values of all keys that were meant to be this one, the right one first.
    pub(crate) fn all(&self, name: &str) -> Vec<&'a Node<'t>> {
        let meant = self.meant.iter().filter(|(meant, _)| *meant == name);
        let meant = meant.filter_map(|(_, written)| self.table.get(written.as_str()));
        self.table.get(name).into_iter().chain(meant).collect()
    }

    /// The optional string of a key; nothing if it is missing or wrong.
    pub(crate) fn text(&self, key: &str, reporter: &mut Reporter) -> String {
        let text = self
            .get(key)
            .and_then(|node| string(node, &format!("`{key}`"), reporter));
        text.unwrap_or_default().to_owned()
    }

    /// The same for a text that stands in a line of a table or above a picture.
    pub(crate) fn line(&self, key: &str, reporter: &mut Reporter) -> String {
        let text = self.text(key, reporter);
        if let Some(node) = self.get(key)
            && text.contains(['\n', '\t'])
        {
            let error = reporter.error(span(node), format!("`{key}` is one line, without tabs"));
            let label = "more than a line, or with a tab";
            let help = "what takes more room can stand in comments, after #";
            reporter.push(error.with_label(label).with_help(help));
        }
        text
    }
}

/// The name of the only table in a table; else what stands for one.
fn only_name<'a>(tables: &'a Node<'_>) -> &'a str {
    match tables.get_ref() {
        DeValue::Table(tables) if tables.len() == 1 => {
            tables.keys().next().map_or("NAME", |key| key.get_ref())
        }
        _ => "NAME",
    }
}

/// A sentence from [`Key::help`] as part of another.
fn uncapitalised(help: &str) -> String {
    let (first, rest) = help.split_at(help.chars().next().map_or(0, char::len_utf8));
    first.to_lowercase() + rest.trim_end_matches('.')
}

/// The table behind a key.
pub(crate) fn table<'a, 't>(
    node: &'a Node<'t>,
    what: &str,
    reporter: &mut Reporter,
) -> Option<&'a DeTable<'t>> {
    let table = node.get_ref().as_table();
    if table.is_none() {
        let error = mistyped(node, &format!("{what} must be a table"), reporter);
        reporter.push(match node.get_ref() {
            DeValue::Array(_) => error.with_help("a table of its own stands under one bracket: `[checks.attack]`, not `[[checks.attack]]`"),
            _ => error,
        });
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
        wrong_type(node, &format!("{what} must be a string"), reporter);
    }
    text
}

/// The value of a string that names one of a few; `noun` is what one of them is called, and several.
pub(crate) fn one_of<T: Copy>(
    node: &Node<'_>,
    what: &str,
    known: &[(&'static str, T)],
    noun: (&str, &str),
    reporter: &mut Reporter,
) -> Option<T> {
    let text = string(node, what, reporter)?;
    if let Some((_, value)) = known.iter().find(|(name, _)| *name == text) {
        return Some(*value);
    }
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let error = reporter.error(span(node), format!("`{text}` is no {}", noun.0));
    let error = match reporter.nearest(text, names.iter().copied()) {
        Some(near) => error.meant(near),
        None => error.with_label("not one of them"),
    };
    reporter.push(error.with_help(format!("the {} are {}", noun.1, names.join(", "))));
    None
}

/// A list of strings, each with its place.
pub(crate) fn strings<'a, 't>(
    node: &'a Node<'t>,
    what: &str,
    reporter: &mut Reporter,
) -> Vec<(&'a Node<'t>, String)> {
    let Some(items) = node.get_ref().as_array() else {
        let error = mistyped(node, &format!("{what} must be a list of strings"), reporter);
        reporter.push(match node.get_ref().as_str() {
            Some(text) => {
                let items = text.split(',').map(|item| format!("\"{}\"", item.trim()));
                error.with_help(format!(
                    "write `[{}]`",
                    items.collect::<Vec<_>>().join(", ")
                ))
            }
            None => error,
        });
        return Vec::new();
    };
    let mut texts = Vec::new();
    for item in items {
        if let Some(text) = string(item, &format!("each item of {what}"), reporter) {
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
    reporter.push(mistyped(node, needed, reporter));
}

/// The error of a value of another type than is needed.
fn mistyped(node: &Node<'_>, needed: &str, reporter: &Reporter) -> Diagnostic {
    let label = format!("this is {}", article(node.get_ref().type_str()));
    reporter.error(span(node), needed).with_label(label)
}

fn article(type_name: &str) -> String {
    let vowel = type_name.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {type_name}", if vowel { "an" } else { "a" })
}

/// The code inside a string and where it begins in the file; its places are the file's places, so the string
/// may hold no escapes. `what` is what messages call it.
pub(crate) fn code<'s>(
    node: &Node<'_>,
    what: &str,
    text: &'s str,
    reporter: &mut Reporter,
) -> Option<(&'s str, usize)> {
    let value = string(node, what, reporter)?;
    let place = span(node);
    let (inner, start) = inside_quotes(text.get(place.start..place.end)?)?;
    if inner == value || inner.replace("\r\n", "\n") == value.replace("\r\n", "\n") {
        return Some((inner, place.start + start));
    }
    let backslash = inner.find('\\').map_or(place, |at| {
        let at = place.start + start + at;
        Span::new(at, at + 1)
    });
    let error = reporter
        .error(
            backslash,
            format!("{what} must be written without TOML escapes"),
        )
        .with_label("a backslash begins an escape")
        .with_help("in ''' … ''' a quote needs no backslash");
    reporter.push(error);
    None
}

/// A text of the file without its quotes.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// The text of a string without escapes, with its place.
pub(crate) fn written(node: &Node<'_>, what: &str, reporter: &mut Reporter) -> Option<Written> {
    let source = Arc::clone(&reporter.source);
    let (text, start) = code(node, what, &source.text, reporter)?;
    Some(Written {
        text: text.to_owned(),
        span: Span::new(start, start + text.len()),
    })
}

/// The texts of a string, or of a list of them.
pub(crate) fn one_or_more(node: &Node<'_>, what: &str, reporter: &mut Reporter) -> Vec<Written> {
    let Some(items) = node.get_ref().as_array() else {
        if !node.get_ref().is_str() {
            let needed = format!("{what} must be a string or a list of strings");
            wrong_type(node, &needed, reporter);
            return Vec::new();
        }
        return written(node, what, reporter).into_iter().collect();
    };
    let what = format!("each item of {what}");
    let items = items.iter();
    items
        .filter_map(|item| written(item, &what, reporter))
        .collect()
}

/// The tables of a list that stands under `[[path]]`, whose last part is a key of these entries.
pub(crate) fn tables<'a, 't>(
    entries: &Entries<'a, 't>,
    path: &str,
    reporter: &mut Reporter,
) -> Vec<&'a Node<'t>> {
    let key = path.rsplit('.').next().unwrap_or(path);
    let mut tables = Vec::new();
    for node in entries.all(key) {
        match node.get_ref().as_array() {
            Some(items) => tables.extend(items),
            None => {
                let needed = format!("`{key}` must be a list of tables, each under [[{path}]]");
                wrong_type(node, &needed, reporter);
            }
        }
    }
    tables
}

//! How the text of a ruleset is formatted: blanks and line ends are put right, and nothing else is touched.
//!
//! What is formatted are the scripts, each `rules` and each function. Between two words of a line stand as many blanks as
//! `words.rs` says; where a line of a script begins is said by `indent.rs`; and where words of several lines were put under one
//! another, `columns.rs` keeps them so. Lines stay lines. Outside of scripts only blanks before line ends go, and the file ends
//! with one line end: how the tables of a file look is its writer's.

mod columns;
mod indent;
mod script;
mod words;

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use crate::file::nodes::{Node, code, span};
use crate::file::{demand_some, empty, parsed};
use crate::layout::Layout;
use crate::source::{Diagnostics, Reporter, Source, Span};
use crate::syntax;
use oddsmith_diagnostics::Fix;

/// A script with its place, as it stands in a file.
struct Script<'t> {
    text: &'t str,
    /// The byte of the file at which it begins.
    offset: usize,
    /// Blanks before the key of its line.
    base: usize,
    /// Characters before it on its line.
    column: usize,
}

/// The text of a ruleset, formatted: it means what it meant, and has the comments that it had.
///
/// ```
/// use oddsmith_rules::{Source, format};
/// let text = "name = 'Moves'  \n[checks.move]\nrules = '''\nlet raw=2d6+1 # no stat\n  show total  = raw\n'''";
/// let formatted = "name = 'Moves'\n[checks.move]\nrules = '''\nlet raw = 2d6 + 1  # no stat\nshow total = raw\n'''\n";
/// assert_eq!(format::formatted(&Source::new("moves.toml", text)).unwrap(), formatted);
/// ```
///
/// # Errors
/// If the text is not TOML, or a script or a function can't be read: all that is wrong with it in that way. Names and types are
/// not looked at.
pub fn formatted(source: &Arc<Source>) -> Result<String, Diagnostics> {
    let edits = edits(source)?;
    let mut text = String::with_capacity(source.text.len());
    let mut at = 0;
    for edit in edits {
        text += &source.text[at..edit.span.start];
        text += &edit.text;
        at = edit.span.end;
    }
    Ok(text + &source.text[at..])
}

/// The changes by which a text gets as [`formatted`] has it, in their order: each puts blanks and line ends in place of others.
///
/// # Errors
/// As [`formatted`].
pub fn edits(source: &Arc<Source>) -> Result<Vec<Fix>, Diagnostics> {
    let document = parsed(source)?;
    let mut reporter = Reporter::new(source);
    if document.is_empty() {
        return Err(empty(&reporter).into());
    }
    let scripts = scripts(&document, source, &mut reporter);
    let mut edits = Vec::new();
    for script in reporter.finish(scripts)? {
        script::edits(&script, &mut edits);
    }
    around_strings(&source.text, &mut edits);
    edits.sort_unstable_by_key(|edit| edit.span);
    Ok(edits)
}

/// The scripts and functions of a file; reports those that can't be read.
fn scripts<'s>(
    document: &DeTable<'_>,
    source: &'s Arc<Source>,
    reporter: &mut Reporter,
) -> Vec<Script<'s>> {
    let mut found = Vec::new();
    let mut take = |node: &Node<'_>, what: &str, is_function: bool, reporter: &mut Reporter| {
        let Some((text, offset)) = code(node, what, &source.text, reporter) else {
            return;
        };
        if is_function {
            syntax::parse_function(text, offset, reporter);
        } else {
            syntax::parse_script(text, offset, reporter);
        }
        found.push(Script::new(&source.text, text, offset, span(node).start));
    };
    for (name, node) in entries(document, "functions") {
        take(node, &format!("`{name}`"), true, reporter);
    }
    for (_, check) in entries(document, "checks").chain(entries(document, "tracks")) {
        if let DeValue::Table(check) = check.get_ref()
            && let Some(rules) = check.get("rules")
        {
            take(rules, "`rules`", false, reporter);
        }
    }
    let start = Span::new(0, source.text.lines().next().map_or(0, str::len));
    let has_some = document.contains_key("checks") || document.contains_key("tracks");
    demand_some(has_some, start, reporter);
    found
}

/// The entries of a table of the file, if it is one.
fn entries<'d, 't>(
    document: &'d DeTable<'t>,
    name: &str,
) -> impl Iterator<Item = (&'d str, &'d Node<'t>)> {
    let table = match document.get(name).map(toml::Spanned::get_ref) {
        Some(DeValue::Table(table)) => Some(table),
        _ => None,
    };
    let entries = table.into_iter().flat_map(|table| table.iter());
    entries.map(|(key, node)| (key.get_ref().as_ref(), node))
}

impl<'s> Script<'s> {
    /// A script in a string of a file that begins at `quote`.
    fn new(file: &'s str, text: &'s str, offset: usize, quote: usize) -> Self {
        let line = |at: usize| &file[file[..at].rfind('\n').map_or(0, |end| end + 1)..];
        let base = line(quote).len() - line(quote).trim_start_matches([' ', '\t']).len();
        let before = line(offset).len() - file[offset..].len();
        Self {
            text,
            offset,
            base,
            column: line(offset)[..before].chars().count(),
        }
    }
}

/// Takes the blanks from the ends of lines outside of strings, and gives the file its last line end.
fn around_strings(text: &str, edits: &mut Vec<Fix>) {
    let layout = Layout::of(text);
    let mut strings = layout.scalars.iter().map(|scalar| scalar.span).peekable();
    let end = text.trim_end().len();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let (stop, kept) = (at + content.len(), at + content.trim_end().len());
        while strings.next_if(|string| string.end <= kept).is_some() {}
        let is_inside = strings.peek().is_some_and(|string| string.start < stop);
        if kept < stop && stop <= end && !is_inside {
            edits.push(Fix {
                span: Span::new(kept, stop),
                text: String::new(),
            });
        }
        at += line.len();
    }
    let last = Span::new(end, text.len());
    let line_end = line_end(text);
    if text[end..] != *line_end {
        edits.push(Fix {
            span: last,
            text: line_end.to_owned(),
        });
    }
}

/// How the lines of a text end.
fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

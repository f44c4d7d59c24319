//! Characters that no text of a file may hold: they would act on a terminal, or nobody would see them.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::file::nodes::{Node, span};
use crate::source::{Reporter, Span};
use oddsmith_diagnostics::first_unseen;

/// Reports every key and every text of a file's table, at any depth, that holds such a character.
pub(crate) fn report(table: &DeTable<'_>, reporter: &mut Reporter) {
    // A text that holds none as it is written has them by escapes alone.
    let text = &reporter.source.text;
    if text.contains('\\') || are_in(text) {
        report_table(table, reporter);
    }
}

fn report_table(table: &DeTable<'_>, reporter: &mut Reporter) {
    for (key, value) in table {
        report_key(key, reporter);
        report_value(value, reporter);
    }
}

/// Whether a text holds such a character.
pub(crate) fn are_in(text: &str) -> bool {
    first_unseen(text).is_some()
}

fn report_key(key: &Spanned<Cow<'_, str>>, reporter: &mut Reporter) {
    report_text(key.get_ref(), span(key), reporter);
}

fn report_value(node: &Node<'_>, reporter: &mut Reporter) {
    match node.get_ref() {
        DeValue::String(text) => report_text(text, span(node), reporter),
        DeValue::Array(items) => items.iter().for_each(|item| report_value(item, reporter)),
        DeValue::Table(table) => report_table(table, reporter),
        _ => {}
    }
}

fn report_text(text: &str, whole: Span, reporter: &mut Reporter) {
    let Some((character, (what, help))) = first_unseen(text) else {
        return;
    };
    let raw = reporter.source.text.get(whole.start..whole.end);
    let place = raw.and_then(|raw| place_in(raw, character));
    let place = place.map_or(whole, |(start, end)| {
        Span::new(whole.start + start, whole.start + end)
    });
    let code = u32::from(character);
    let message = format!("U+{code:04X} can't stand in a text: it is {what}");
    let error = reporter.error(place, message);
    reporter.push(
        error
            .with_label(format!("U+{code:04X} is here"))
            .with_help(help),
    );
}

/// Where a character stands in a string as written: itself, or its escape.
fn place_in(raw: &str, wanted: char) -> Option<(usize, usize)> {
    if let Some(at) = raw.find(wanted) {
        return Some((at, at + wanted.len_utf8()));
    }
    let mut at = 0;
    while let Some(found) = raw[at..].find('\\') {
        let start = at + found;
        let kind = raw[start + 1..].chars().next()?;
        let digits = match kind {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let end = start + 1 + kind.len_utf8() + digits;
        let code = || u32::from_str_radix(raw.get(start + 2..end)?, 16).ok();
        let is_wanted = match kind {
            'b' => wanted == '\u{8}',
            'e' => wanted == '\u{1b}',
            'f' => wanted == '\u{c}',
            'r' => wanted == '\r',
            _ => digits > 0 && code().and_then(char::from_u32) == Some(wanted),
        };
        if is_wanted {
            return Some((start, end));
        }
        at = end;
    }
    None
}

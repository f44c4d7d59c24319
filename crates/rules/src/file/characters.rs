//! Characters that no text of a file may hold: they would act on a terminal, or nobody would see them.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::file::nodes::{Node, span};
use crate::source::{Reporter, Span};

/// Why a character is refused, and what to do about it.
type Refusal = (&'static str, &'static str);

const CONTROL: Refusal = ("a control character", "take it out");
const BREAK: Refusal = (
    "the end of a line, but of none in an editor",
    "write a space, or begin a new line between three quotes",
);
const DIRECTION: Refusal = (
    "not seen itself, and turns the order of what is",
    "take it out; letters that run from right to left are in their order without it",
);
const UNSEEN: Refusal = (
    "not seen, so that two texts could look the same",
    "take it out",
);

/// Reports every key and every text of a table, at any depth, that holds such a character.
pub(crate) fn report(table: &DeTable<'_>, reporter: &mut Reporter) {
    for (key, value) in table {
        report_key(key, reporter);
        report_value(value, reporter);
    }
}

/// Whether a text holds such a character.
pub(crate) fn are_in(text: &str) -> bool {
    first(text).is_some()
}

fn report_key(key: &Spanned<Cow<'_, str>>, reporter: &mut Reporter) {
    report_text(key.get_ref(), span(key), reporter);
}

fn report_value(node: &Node<'_>, reporter: &mut Reporter) {
    match node.get_ref() {
        DeValue::String(text) => report_text(text, span(node), reporter),
        DeValue::Array(items) => items.iter().for_each(|item| report_value(item, reporter)),
        DeValue::Table(table) => report(table, reporter),
        _ => {}
    }
}

fn report_text(text: &str, whole: Span, reporter: &mut Reporter) {
    let Some((character, (what, help))) = first(text) else {
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

/// The first character of a text that is refused.
fn first(text: &str) -> Option<(char, Refusal)> {
    let mut before = None;
    for (at, character) in text.char_indices() {
        let after = text[at + character.len_utf8()..].chars().next();
        if let Some(refusal) = refusal(before, character, after) {
            return Some((character, refusal));
        }
        before = Some(character);
    }
    None
}

/// Unicode's control characters, separators, marks of direction, and what it calls ignorable by default.
fn refusal(before: Option<char>, character: char, after: Option<char>) -> Option<Refusal> {
    match character {
        '\n' | '\t' => None,
        '\r' if after == Some('\n') => None,
        _ if character.is_control() => Some(CONTROL),
        '\u{2028}' | '\u{2029}' => Some(BREAK),
        '\u{61c}' | '\u{200e}' | '\u{200f}' => Some(DIRECTION),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(DIRECTION),
        // Joiners and selectors belong to emoji and to letters beyond ASCII; after others they do nothing.
        '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            let is_of_keycap = after == Some('\u{20e3}');
            let is_idle = before.is_none_or(|before| before.is_ascii()) && !is_of_keycap;
            is_idle.then_some(UNSEEN)
        }
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => Some(UNSEEN),
        '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{206f}' => Some(UNSEEN),
        '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' => Some(UNSEEN),
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => Some(UNSEEN),
        '\u{e0000}'..='\u{e0fff}' => Some(UNSEEN),
        _ => None,
    }
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

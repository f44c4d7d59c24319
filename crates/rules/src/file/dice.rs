//! `[dice]`: dice with symbols.

use crate::file::inputs::is_word;
use crate::file::keys;
use crate::file::nodes::{Entries, Node, integer, key_name, span, table, wrong_type};
use crate::lower::Symbols;
use crate::source::Reporter;

/// A face has a symbol no more often than this, and takes away no more.
const MOST: i64 = 99;

/// The dice of a file, with their faces as numbers.
pub(super) fn read(root: &Entries<'_, '_>, reporter: &mut Reporter) -> Symbols {
    let mut symbols = Symbols::default();
    let node = root.get("dice");
    let dice = node.and_then(|node| table(node, "`dice`", reporter));
    for (key, value) in dice.into_iter().flatten() {
        let name = key_name(key);
        if !is_word(&name, "", reporter) {
            continue;
        }
        let Some(entry) = table(value, &format!("`{}`", name.text), reporter) else {
            continue;
        };
        let entry = Entries::check(entry, keys::DIE, "a die", name.span, reporter);
        entry.line("help", reporter);
        let faces = entry.get("faces").map(|node| faces(node, reporter));
        symbols.add(name, faces.unwrap_or_default());
    }
    symbols
}

/// What each face has, symbol by symbol.
fn faces(node: &Node<'_>, reporter: &mut Reporter) -> Vec<Vec<(String, i64)>> {
    let Some(items) = node.get_ref().as_array() else {
        wrong_type(node, "`faces` must be a list of tables", reporter);
        return Vec::new();
    };
    if items.is_empty() {
        let error = reporter.error(span(node), "a die needs at least one face");
        reporter.push(error.with_label("an empty list"));
    }
    items.iter().map(|item| face(item, reporter)).collect()
}

fn face(node: &Node<'_>, reporter: &mut Reporter) -> Vec<(String, i64)> {
    let mut face = Vec::new();
    for (key, value) in table(node, "a face", reporter).into_iter().flatten() {
        let symbol = key_name(key);
        if !is_word(&symbol, "", reporter) {
            continue;
        }
        match integer(value).filter(|count| (-MOST..=MOST).contains(count)) {
            Some(count) => face.push((symbol.text, count)),
            None => {
                let message = format!("a face has a symbol -{MOST} to {MOST} times");
                let error = reporter.error(span(value), message);
                reporter.push(error.with_label("not such a whole number"));
            }
        }
    }
    face
}

//! Damaged rulesets: no panic, all ranges in the text and between characters, and changes by range are those of the text.

use std::sync::Arc;

use oddsmith_session::{Change, Document, DocumentSymbol, Range, Session};

use crate::support::{Random, demand_range, edited, rulesets};

/// What is put where it does not belong.
const PIECES: [&str; 40] = [
    "",
    "",
    "",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "=",
    ",",
    ".",
    "..",
    "#",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "🎲",
    "é",
    "4d6kh",
    "match",
    "let x = ",
    "show band = ",
    "repeat until ",
    "[checks.x]\n",
    "[[expect]]\n",
    "axes.",
    "default",
    "Hit",
    "-1",
    "99999999999999999999",
    "\\",
    "\u{202e}",
    "inherit = [\"check\"]\n",
    "..=",
];

/// A document with something changed in it, by range.
fn damaged(random: &mut Random, session: &mut Session, before: &Arc<Document>) -> Arc<Document> {
    let mut text = before.text().to_owned();
    let start = random.place(&text);
    let mut end = (start + random.below(12)).min(text.len());
    if random.below(10) == 0 {
        end = random.place(&text).max(start);
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let splits = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
    if splits(start) || splits(end) {
        return Arc::clone(before);
    }
    let piece = match random.below(4) {
        0 => {
            let from = random.place(&text);
            let to = (from + 20).min(text.len());
            text.get(from..to).unwrap_or_default().to_owned()
        }
        _ => (*random.pick(&PIECES)).to_owned(),
    };
    let range = Range {
        start: before.position(start),
        end: before.position(end),
    };
    text.replace_range(start..end, &piece);
    let change = Change {
        range: Some(range),
        text: piece,
    };
    let document = session
        .change(before.uri(), before.version() + 1, &[change])
        .unwrap();
    assert_eq!(document.text(), text);
    document
}

fn demand_tree(document: &Document, symbols: &[DocumentSymbol]) {
    for symbol in symbols {
        demand_range(document, symbol.range);
        demand_range(document, symbol.selection_range);
        assert!(symbol.range.start <= symbol.selection_range.start);
        assert!(symbol.selection_range.end <= symbol.range.end);
        demand_tree(document, &symbol.children);
    }
}

/// Asks everything.
fn demand_sound(document: &Document, random: &mut Random) {
    for told in document.diagnostics() {
        demand_range(document, told.range);
        told.related
            .iter()
            .for_each(|related| demand_range(document, related.range));
        let fix = told.fix.iter();
        fix.for_each(|fix| demand_range(document, fix.range));
    }
    demand_tree(document, &document.document_symbols());
    for fold in document.folding_ranges() {
        assert!(fold.start_line < fold.end_line);
    }
    for token in document.semantic_tokens() {
        let mut end = token.start;
        end.character += token.length;
        let start = token.start;
        demand_range(document, Range { start, end });
    }
    if let Some(edits) = document.formatting() {
        edits
            .iter()
            .for_each(|edit| demand_range(document, edit.range));
        let formatted = crate::support::open(&edited(document, &edits));
        assert_eq!(
            formatted.formatting(),
            Some(Vec::new()),
            "{}",
            document.text()
        );
    }
    for _ in 0..6 {
        let at = random.place(document.text());
        let position = document.position(at);
        for offered in document.completion(position) {
            demand_range(document, offered.edit.range);
        }
        let hover = document.hover(position);
        hover
            .iter()
            .for_each(|hover| demand_range(document, hover.range));
        for place in document.references(position, true) {
            demand_range(document, place);
        }
        for place in document.definition(position) {
            demand_range(document, place.whole);
        }
    }
    let analysis = document.analysis();
    let symbols = &analysis.names().symbols;
    if !symbols.is_empty() {
        let symbol = random.pick(symbols);
        let position = document.position(symbol.places()[0].start);
        if let Ok(edits) = document.rename(position, "qq_new_qq") {
            edits
                .iter()
                .for_each(|edit| demand_range(document, edit.range));
        }
    }
}

/// Of each fix: what it mends is gone once it is made.
fn demand_fixes(document: &Document) -> usize {
    let whole = Range {
        start: document.position(0),
        end: document.position(document.text().len()),
    };
    let mut count = 0;
    for action in document.code_actions(whole) {
        let mended = crate::support::open(&edited(document, &action.edits));
        let told = mended.diagnostics();
        let is_left = told.iter().any(|told| {
            told.message == action.diagnostic.message
                && told.range.start == action.diagnostic.range.start
        });
        assert!(!is_left, "{action:?}");
        count += 1;
    }
    count
}

#[test]
fn damaged_rulesets_are_answered() {
    let rulesets = rulesets();
    let mut random = Random(2026);
    let mut fixes = 0;
    for round in 0..2000 {
        // The long ones take their time, and have nothing that the others lack.
        let short = &rulesets[..rulesets.len() - 4];
        let (_, text) = if round % 40 == 0 {
            random.pick(&rulesets)
        } else {
            random.pick(short)
        };
        let text = match random.below(5) {
            0 => text.replace('\n', "\r\n"),
            _ => text.clone(),
        };
        let mut session = Session::default();
        let mut document = session.open("file:///mutant.toml", 0, &text);
        for _ in 0..=random.below(3) {
            document = damaged(&mut random, &mut session, &document);
        }
        demand_sound(&document, &mut random);
        if round % 2 == 0 {
            fixes += demand_fixes(&document);
        }
    }
    assert!(fixes > 20, "{fixes}");
}

//! Every position of every ruleset: nothing panics, and what is said of names agrees with itself.

use oddsmith_session::Document;
use rayon::prelude::*;

use crate::support::{demand_range, open, rulesets};

/// Every position between two characters of a text.
fn places(document: &Document) -> Vec<usize> {
    let text = document.text();
    let ends = text.char_indices().map(|(at, _)| at);
    ends.chain([text.len()]).collect()
}

#[test]
fn completion_and_help_at_every_position() {
    for (name, text) in rulesets() {
        let document = open(&text);
        assert!(document.analysis().game().is_ok(), "{name}");
        places(&document).into_par_iter().for_each(|at| {
            let position = document.position(at);
            let offered = document.completion(position);
            for completion in offered.iter().take(1) {
                let range = completion.edit.range;
                demand_range(&document, range);
                assert!(
                    range.start <= position && position <= range.end,
                    "{name}: {range:?}"
                );
            }
            if let Some(hover) = document.hover(position) {
                demand_range(&document, hover.range);
                assert!(hover.range.start <= position && position <= hover.range.end);
                assert!(!hover.markdown.is_empty());
            }
        });
    }
}

#[test]
fn each_reference_is_one_of_its_definition() {
    for (name, text) in rulesets() {
        let document = open(&text);
        let mut named = 0;
        for at in places(&document) {
            let position = document.position(at);
            let Some(found) = document.symbol_at(position) else {
                assert!(document.definition(position).is_empty());
                assert!(document.references(position, true).is_empty());
                continue;
            };
            named += 1;
            if document.offset(found.range.start) != at {
                continue; // the same as at its beginning
            }
            let references = document.references(position, true);
            assert!(references.contains(&found.range), "{name}: {found:?}");
            let definitions = document.definition(position);
            assert!(!definitions.is_empty(), "{name}: {found:?}");
            for definition in definitions {
                assert!(references.contains(&definition.name), "{name}: {found:?}");
                let back = document.symbol_at(definition.name.start).unwrap();
                assert_eq!(back.symbol, found.symbol, "{name}");
                assert_eq!(document.references(definition.name.start, true), references);
            }
            for reference in references {
                let (start, end) = (
                    document.offset(reference.start),
                    document.offset(reference.end),
                );
                assert_eq!(&text[start..end], found.symbol.name, "{name}");
            }
        }
        assert!(named > 50, "{name}: {named}");
    }
}

#[test]
fn trees_folds_and_words_lie_in_one_another_and_in_the_text() {
    fn demand_inside(document: &Document, symbols: &[oddsmith_session::DocumentSymbol]) -> usize {
        let mut count = 0;
        for symbol in symbols {
            demand_range(document, symbol.range);
            let (whole, name) = (symbol.range, symbol.selection_range);
            assert!(
                whole.start <= name.start && name.end <= whole.end,
                "{symbol:?}"
            );
            for part in &symbol.children {
                let part = part.range;
                assert!(
                    whole.start <= part.start && part.end <= whole.end,
                    "{symbol:?}"
                );
            }
            count += 1 + demand_inside(document, &symbol.children);
        }
        count
    }
    for (name, text) in rulesets() {
        let document = open(&text);
        assert!(
            demand_inside(&document, &document.document_symbols()) > 10,
            "{name}"
        );
        let lines = u32::try_from(text.lines().count()).unwrap();
        let folds = document.folding_ranges();
        assert!(!folds.is_empty(), "{name}");
        for fold in folds {
            assert!(
                fold.start_line < fold.end_line && fold.end_line <= lines,
                "{name}"
            );
        }
        let mut before = oddsmith_session::Position::default();
        let mut words = 0;
        for token in document.semantic_tokens() {
            assert!(before <= token.start, "{name}: {token:?}");
            before = token.start;
            before.character += token.length;
            let range = oddsmith_session::Range {
                start: token.start,
                end: before,
            };
            demand_range(&document, range);
            words += 1;
        }
        assert!(words > 50, "{name}: {words}");
    }
}

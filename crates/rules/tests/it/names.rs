//! The names of a file are those that the loader understood: each can be replaced wherever it is told to stand, and the
//! ruleset is the same but for that name.

use std::fmt::Write as _;
use std::path::Path;

use oddsmith_rules::index::{self, Names, Reading};
use oddsmith_rules::{Check, Model, Source, Span, all_games, load_named, load_text};
use proptest::prelude::*;

/// A name that no ruleset has.
const NEW: &str = "qq_new_qq";

/// All rulesets of the project, with their names.
pub(crate) fn rulesets() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulesets");
    let games = all_games().map(|(name, text)| (format!("{name}.toml"), text.to_owned()));
    let mut found: Vec<(String, String)> = games.collect();
    for entry in std::fs::read_dir(root.join("examples")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        found.push((name, std::fs::read_to_string(path).unwrap()));
    }
    let goblins = include_str!("../../../../tests/cases/questions/goblins.toml");
    found.push(("goblins.toml".to_owned(), goblins.to_owned()));
    found.sort();
    assert!(found.len() > 60, "{}", found.len());
    found
}

fn read(text: &str) -> Reading {
    load_named(&Source::new("test.toml", text))
}

fn renamed(text: &str, places: &[Span]) -> String {
    let mut text = text.to_owned();
    for place in places.iter().rev() {
        text.replace_range(place.start..place.end, NEW);
    }
    text
}

/// All that a model says, without places.
fn told(model: &Model) -> String {
    let mut model = model.clone();
    let nothing = Source::new("", "");
    model.source = nothing.clone();
    let checks = model.checks.iter_mut().chain(&mut model.tracks);
    checks.for_each(|check: &mut Check| check.source = nothing.clone());
    for warning in &mut model.warnings.0 {
        warning.source = nothing.clone();
    }
    let mut told = String::new();
    write!(told, "{model:?}").unwrap();
    let mut parts = told.split("Span {");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept += part.split_once('}').map_or("", |(_, rest)| rest);
    }
    kept
}

#[test]
fn each_name_can_be_another_one_and_nothing_else_changes() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for (file, text) in rulesets() {
        let reading = read(&text);
        let before = told(reading.model.as_ref().unwrap());
        for symbol in &reading.names.symbols {
            if symbol.name == "band" {
                continue; // a word of the language
            }
            count += 1;
            let changed = renamed(&text, &symbol.places());
            let complaint = match read(&changed).model {
                Err(errors) => errors.render(false),
                Ok(model) if told(&model).replace(NEW, &symbol.name) != before => {
                    "another model".to_owned()
                }
                Ok(_) => continue,
            };
            complaints.push(format!("{file}: {symbol:?}: {complaint}"));
        }
    }
    assert!(
        complaints.is_empty(),
        "{} of {count}: {}",
        complaints.len(),
        complaints.join("\n\n")
    );
    assert!(count > 500, "{count}");
}

fn demand_consistent(names: &Names, text: &str) {
    for (number, symbol) in names.symbols.iter().enumerate() {
        for place in symbol.places() {
            assert_eq!(&text[place.start..place.end], symbol.name);
            assert_eq!(names.number_at(place), Some(number), "{symbol:?}");
            assert_eq!(names.at(place.start).unwrap().0, place);
        }
        for definition in &symbol.definitions {
            assert!(definition.whole.contains(definition.name), "{symbol:?}");
        }
    }
    let ends = names
        .places()
        .windows(2)
        .all(|pair| pair[0].0.end <= pair[1].0.start);
    assert!(ends, "places overlap");
}

#[test]
fn names_are_consistent_and_each_name_in_a_script_is_known() {
    for (file, text) in rulesets() {
        let source = Source::new("test.toml", text.as_str());
        let reading = load_named(&source);
        demand_consistent(&reading.names, &text);
        let tokens = index::tokens(&source, &reading.names);
        let unknown: Vec<&str> = tokens
            .iter()
            .filter(|token| token.kind == index::TokenKind::Unknown)
            .map(|token| &text[token.span.start..token.span.end])
            .filter(|word| !["rolls", "all", "band"].contains(word))
            .collect();
        assert!(unknown.is_empty(), "{file}: {unknown:?}");
    }
}

/// A ruleset in which a word of the language can stand.
fn with_statement(statement: &str) -> String {
    let keys = "bands = ['Miss', 'Hit']\nmaximise = 'total'\naxes.stat = { default = 0, domain = '0..=3' }\n\
                axes.mood = { default = 'low', domain = ['low', 'high'] }\n";
    let rules = format!(
        "let left = 3\n{statement}\nset left = left - 1\nchoose most in 0..=1\nshow Hits = left\nshow band = Hit\n"
    );
    format!("name = 'Words'\n[checks.check]\n{keys}rules = '''\n{rules}show value = stat\n'''\n")
}

#[test]
fn each_example_of_a_word_is_right() {
    use oddsmith_rules::words::{BUILT_INS, FORMS, KEYWORDS, MODIFIERS, QUERIES};
    let words = BUILT_INS
        .iter()
        .chain(&FORMS)
        .chain(&KEYWORDS)
        .chain(&MODIFIERS);
    for word in words {
        let begins = [
            "let ", "show ", "set ", "choose ", "oppose ", "repeat ", "for ",
        ];
        let is_statement = begins.iter().any(|begin| word.example.starts_with(begin));
        let statement = match is_statement {
            true => word.example.to_owned(),
            false => format!("let example = {}", word.example),
        };
        // `total` is what the choices of the example strive for.
        let text = with_statement(&statement).replace("show value = stat", "show worth = stat");
        let text = match word.example.contains("show total") {
            true => text,
            false => text.replace("show worth", "show total"),
        };
        let model = read(&text).model;
        assert!(model.is_ok(), "{}: {}", word.name, model.unwrap_err());
        assert!(word.example.contains(word.name), "{}", word.name);
        assert!(word.usage.contains(word.name), "{}", word.name);
    }
    let text = with_statement("").replace("show value = stat", "show total = 2d6 + stat");
    let model = read(&text).model.unwrap();
    for word in QUERIES {
        assert!(
            model.checks[0].query(word.example, "query").is_ok(),
            "{}",
            word.name
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whether names are wanted changes nothing in what is said of a text, whether it is right, wrong or no TOML.
    #[test]
    fn a_text_is_read_alike_with_names_and_without(
        ruleset: prop::sample::Index,
        place: prop::sample::Index,
        gone in 0_usize..4,
        come in "[a-z0-9=+'\"\\[\\]{}(), \n]{0,3}",
    ) {
        let rulesets = rulesets();
        let (_, text) = ruleset.get(&rulesets);
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let start = place.index(places.len());
        let end = places.get(start + gone).copied().unwrap_or(text.len());
        let mut text = text.clone();
        text.replace_range(places[start]..end, &come);
        let source = Source::new("test.toml", text.as_str());
        let answer = |read: Result<Model, oddsmith_rules::Diagnostics>| match read {
            Ok(model) => (told(&model), model.warnings.to_string()),
            Err(errors) => (String::new(), errors.to_string()),
        };
        prop_assert_eq!(answer(load_text(&source)), answer(load_named(&source).model));
    }
}

#[test]
fn each_word_is_in_the_reference_of_the_language() {
    use oddsmith_rules::words;
    let reference = include_str!("../../../../docs/language.md");
    let parts: Vec<&str> = reference.split('`').skip(1).step_by(2).collect();
    for word in words::words() {
        let is_told = parts.iter().any(|code| {
            let mut pieces = code.split(|c: char| !c.is_alphanumeric() && c != '_');
            // Modifiers stand behind dice, in one word with them and their numbers.
            pieces.any(|piece| {
                let bare = piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == 'd');
                [piece, bare].contains(&word.name)
                    || piece
                        .trim_end_matches(char::is_numeric)
                        .ends_with(word.name)
            }) || !word.name.starts_with(char::is_alphabetic) && code.contains(word.name)
        });
        assert!(is_told, "`{}` is not in docs/language.md", word.name);
    }
}

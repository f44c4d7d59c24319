//! What the documents show of a console is what the program prints.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Place;

/// A game from nothing.
const FIRST_GAME: &str = "docs/first-game.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let parts = text.split(fence.as_str()).skip(1);
    let block = |part: &str| part.split("```").next().unwrap_or_default().to_owned();
    parts.map(block).collect()
}

/// The commands of a block, each with what follows it.
fn commands(block: &str) -> Vec<(String, String)> {
    let whole = block.replace("\\\n", "");
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in whole.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => panic!("a command comes first: {line}"),
        }
    }
    commands
}

/// Times are others on every machine: a number and its unit, and the spaces before it.
fn without_times(text: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let is_unit = ["ns", "µs", "ms", "s"].contains(&word);
        match words.last_mut() {
            Some(number) if is_unit && number.parse::<f64>().is_ok() => *number = "time",
            _ => words.push(word),
        }
    }
    words.join(" ")
}

/// Whether a text is what is shown, in which a line `…` stands for any lines.
fn is_shown(shown: &str, text: &str) -> bool {
    let mut parts: Vec<String> = vec![String::new()];
    for line in shown.lines() {
        match line.trim() {
            "…" => parts.push(String::new()),
            _ => *parts.last_mut().expect("there is one") += &format!("{line}\n"),
        }
    }
    let (first, rest) = parts.split_first().expect("there is one");
    let Some(mut left) = text.strip_prefix(first.as_str()) else {
        return false;
    };
    for part in rest {
        match left.find(part.as_str()) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.is_empty() || shown.trim_end().ends_with('…')
}

/// Runs what a document shows, one command after the other, and compares.
fn is_true(place: &Place, name: &str) {
    let text = fs::read_to_string(root().join(name)).expect("the document");
    let blocks = blocks(&text, "console");
    assert!(!blocks.is_empty(), "{name} shows nothing");
    for (command, shown) in blocks.iter().flat_map(|block| commands(block)) {
        let run = place.shell(&command);
        assert!(run.status < Some(2), "{name}: {command}: {}", run.err);
        if command.contains("--explain") {
            assert_eq!(
                without_times(&run.out),
                without_times(&shown),
                "{name}: {command}"
            );
        } else if !shown.is_empty() {
            let out = &run.out;
            assert!(
                is_shown(&shown, out),
                "{name}: {command} prints\n{out}\nand not\n{shown}"
            );
        }
    }
}

/// The game that the first pages make, accepted, and then changed as they say.
#[test]
fn the_first_game_shows_what_is_printed() {
    let place = Place::new();
    let text = fs::read_to_string(root().join(FIRST_GAME)).expect("the first game");
    let games = blocks(&text, "toml");
    let grown = format!("{}\n{}", games[1], games[2]);
    place.write("mygame.toml", &grown);
    let accepted = place.shell("oddsmith check mygame.toml --baseline accepted --update");
    assert_eq!(accepted.status, Some(0), "{}", accepted.err);
    let stricter = grown.replace("strong = { default = 10,", "strong = { default = 11,");
    assert_ne!(stricter, grown);
    place.write("mygame.toml", &stricter);
    is_true(&place, FIRST_GAME);
}

/// The first game with the two mistakes that its page shows.
#[test]
fn the_first_game_shows_its_errors() {
    let place = Place::new();
    let text = fs::read_to_string(root().join(FIRST_GAME)).expect("the first game");
    let game = &blocks(&text, "toml")[0];
    let wrong = game
        .replace(
            "default = 0, sweep = \"all\", help = \"the character's number\"",
            "defalt = 0, sweep = \"all\"",
        )
        .replace("else: \"Strong hit\"", ">= 10: \"Stong hit\"");
    place.write("mygame.toml", &wrong);
    let shown = blocks(&text, "text")
        .into_iter()
        .find(|block| block.starts_with("error: "));
    assert_eq!(
        place.refusal(&["odds", "mygame.toml"]),
        shown.expect("the errors")
    );
}

/// The game of the README is the one that the next page begins with.
#[test]
fn the_readme_has_the_first_game() {
    let game = |name: &str| {
        let text = fs::read_to_string(root().join(name)).expect("the document");
        blocks(&text, "toml").remove(0)
    };
    assert_eq!(game("README.md"), game(FIRST_GAME));
}

#[test]
fn the_other_documents_show_what_is_printed() {
    for name in [
        "README.md",
        "docs/balance.md",
        "docs/tour.md",
        "docs/tune.md",
    ] {
        is_true(&Place::new(), name);
    }
}

/// Every document with a console is looked at.
#[test]
fn no_document_is_left_out() {
    let docs = fs::read_dir(root().join("docs")).expect("the documents");
    let names = docs.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut shown: Vec<String> = names
        .filter(|name| name.ends_with(".md"))
        .filter(|name| {
            fs::read_to_string(root().join("docs").join(name))
                .is_ok_and(|text| text.contains("```console"))
        })
        .collect();
    shown.sort();
    assert_eq!(shown, ["balance.md", "first-game.md", "tour.md", "tune.md"]);
}

//! What the documents show of a console is what the program prints.

mod coming_from;
mod cookbook;
mod player;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use oddsmith_testkit::documents::blocks;

use self::player::{Do, play};
use crate::support::Place;

/// The page whose commands need git.
const WITH_GIT: &str = "docs/how-to/pull-request.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
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

/// The pages whose blocks are all done, in an empty directory, from top to bottom.
fn played() -> Vec<String> {
    let mut pages = vec!["docs/exact.md".to_owned(), "docs/tutorial.md".to_owned()];
    let guides = fs::read_dir(root().join("docs/how-to")).expect("the how-to pages");
    let names = guides.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    pages.extend(names.map(|name| format!("docs/how-to/{name}")));
    pages.sort();
    pages
}

#[test]
fn pages_that_are_played_in_an_empty_directory_print_what_they_show() {
    let mut played = played();
    assert!(played.len() > 5, "{played:?}");
    if Command::new("git").arg("--version").output().is_err() {
        #[expect(
            clippy::print_stderr,
            reason = "a test that leaves something out says so"
        )]
        {
            eprintln!("SKIPPED: {WITH_GIT} is not played, because git is missing");
        }
        played.retain(|name| name != WITH_GIT);
    }
    let wrong = played
        .iter()
        .flat_map(|name| play(&Place::empty(), name, Do::All));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_other_documents_show_what_is_printed() {
    let shown = [
        "README.md",
        "docs/balance.md",
        "docs/tour.md",
        "docs/tune.md",
    ];
    let wrong = shown
        .iter()
        .flat_map(|name| play(&Place::new(), name, Do::Consoles));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The game of the README answers as its commands ask.
#[test]
fn the_game_of_the_readme_has_odds() {
    let place = Place::empty();
    let text = fs::read_to_string(root().join("README.md")).expect("the README");
    let blocks = blocks("README.md", &text);
    let game = blocks.iter().find(|block| block.kind == "toml");
    place.write("mygame.toml", &game.expect("a game").text());
    let odds = place.answer("odds mygame.toml --set stat=2 --query 'P(total >= 10)'");
    assert!(odds.contains("15/36") || odds.contains("5/12"), "{odds}");
    let rows = place.answer("table mygame.toml --sweep all");
    assert_eq!(rows.lines().count(), 6, "{rows}");
}

/// Every page with a console is looked at.
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
    let looked_at = [
        "balance.md",
        "exact.md",
        "tour.md",
        "tune.md",
        "tutorial.md",
    ];
    assert_eq!(shown, looked_at);
}

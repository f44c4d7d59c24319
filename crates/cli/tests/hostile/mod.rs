//! Names of files and texts that come from strangers: none acts on a terminal, or begins a line of a log.

mod bombs;
mod runs;

use std::fs;

use crate::support::Place;

/// A name that clears the screen, turns what follows, and begins a line that GitHub would obey.
const NAME: &str = "a\u{1b}[2J\u{202e}\n::error::boo.toml";

const RULES: &str = r#"
name = "Coins"
[checks.toss]
bands = ["Tails", "Heads"]
rules = "show band = if 1d2 == 1 then Heads else Tails"
[[expect]]
intent = "Heads are rare."
query = "Heads"
at_most = 0.1
"#;

/// It is refused, and what stands on both streams acts on no terminal but by our own colours, and begins no command.
fn is_refused(place: &Place, line: &str) {
    let run = place.run(&format!("--color always {line}"));
    let told = format!("{}{}", run.out, run.err);
    assert_eq!(run.status, Some(2), "{line:?}: {told}");
    assert!(
        !told.contains("\u{1b}[2J") && !told.contains('\u{202e}'),
        "{told:?}"
    );
    let mut lines = told.lines();
    assert!(!lines.any(|line| line.starts_with("::")), "{told}");
}

#[test]
fn names_of_files_act_on_nothing() {
    let place = Place::new();
    place.write("coins.toml", RULES);
    for name in [
        NAME,
        "b\u{1b}[2J.toml",
        "c\n::error::x.toml",
        "d\u{202e}.toml",
    ] {
        place.write(name, RULES);
        is_refused(&place, &format!("odds '{name}'"));
        is_refused(&place, &format!("rules validate '{name}'"));
        is_refused(&place, &format!("balance lint '{name}'"));
        is_refused(&place, &format!("report '{name}' -o out"));
        for format in ["text", "github", "json", "markdown", "junit"] {
            is_refused(
                &place,
                &format!("check '{name}' --baseline odds --format {format}"),
            );
            is_refused(
                &place,
                &format!("check . --baseline odds --format {format}"),
            );
        }
        is_refused(&place, &format!("check '{name}' --baseline odds --update"));
        fs::remove_file(place.path(name)).expect("it is there");
        is_refused(&place, &format!("odds '{name}'")); // the file is not there
    }
    assert_eq!(place.files(), ["cases.csv", "coins.toml", "lantern.toml"]);
}

/// A stem of dots would be a directory above that of the report.
#[test]
fn names_of_dots_lead_nowhere() {
    let place = Place::new();
    fs::create_dir(place.path("out")).expect("a directory");
    for name in ["...toml", "..toml"] {
        place.write(name, RULES);
        is_refused(&place, &format!("report '{name}' -o out/odds"));
        is_refused(
            &place,
            &format!("check '{name}' --baseline out/odds --update"),
        );
        fs::remove_file(place.path(name)).expect("it is there");
    }
    assert_eq!(place.files(), ["cases.csv", "lantern.toml", "out"]);
    let out = fs::read_dir(place.path("out")).expect("a directory");
    assert_eq!(out.count(), 0);
}

#[test]
fn names_in_a_file_begin_no_line() {
    let place = Place::new();
    for (from, to) in [
        ("Tails\"", r#"Tails\n::error::x""#),
        ("Coins", r"Coins\n::error::x"),
        ("toss", r#""to\n::error::ss""#),
    ] {
        place.write("coins.toml", &RULES.replace(from, to));
        is_refused(&place, "odds coins.toml");
    }
}

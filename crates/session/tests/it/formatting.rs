//! Formatting moves blanks and line ends, and nothing else.

use oddsmith_rules::layout::{Layout, Place, Scalar};
use oddsmith_rules::{Check, Holds, Model, Source, format, index, load, load_named};
use oddsmith_session::{Position, Range};
use oddsmith_testkit::random::{AROUND, maximise, table, text as written, trees};
use proptest::prelude::*;
use proptest::test_runner::Config;

use crate::support::{Random, edited, open, rulesets};

fn formatted(text: &str) -> String {
    let formatted = format::formatted(&Source::new("game.toml", text));
    formatted.unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// White space that a line can have.
const BLANKS: [&str; 4] = [" ", "  ", "\t", "     "];
/// White space that a script can have.
const LINES: [&str; 9] = [
    " ",
    "   ",
    "\t",
    "\n",
    "\n      ",
    " \n\n\n ",
    "\r\n",
    " # a (remark \n ",
    "#\n",
];

fn blanks(random: &mut Random, is_one_line: bool) -> &'static str {
    let all: &[&str] = if is_one_line { &BLANKS } else { &LINES };
    all[random.below(all.len())]
}

/// A script with other white space between its words, and with more comments.
fn mangled(script: &str, is_one_line: bool, random: &mut Random) -> String {
    let is_free = |c: char| matches!(c, '+' | '*' | ',' | ')' | '}' | ']');
    let mut text = String::new();
    let mut rest = script;
    while let Some(next) = rest.chars().next() {
        let end = match next {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            '#' => rest.find('\n').unwrap_or(rest.len()),
            _ if next.is_whitespace() => rest
                .find(|c: char| !c.is_whitespace())
                .unwrap_or(rest.len()),
            _ => next.len_utf8(),
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        let touches = after.starts_with(is_free) || text.ends_with(['+', '*', ',']);
        if next == '#' {
            text += piece;
            text += if is_one_line { "" } else { "\n" };
        } else if !next.is_whitespace() {
            let is_after = after.starts_with(is_free) && random.below(3) == 0;
            text += piece;
            text += if is_after {
                blanks(random, is_one_line)
            } else {
                ""
            };
        } else if !touches || random.below(2) == 0 {
            text += blanks(random, is_one_line);
        }
    }
    text
}

/// A ruleset with other white space in its scripts, or in some of them.
fn all_mangled(text: &str, random: &mut Random) -> String {
    let mut changed = text.to_owned();
    let layout = Layout::of(text);
    let holds =
        |scalar: &&Scalar| matches!(Place::holds(&scalar.path), Holds::Script | Holds::Function);
    for scalar in layout.scalars.iter().filter(holds).rev() {
        let place = scalar.text.expect("a script is a string");
        let quotes = &text[scalar.span.start..place.start];
        let is_one_line = !quotes.starts_with("'''") && !quotes.starts_with("\"\"\"");
        let script = mangled(&text[place.start..place.end], is_one_line, random);
        // A label's quote and those of the string would be read as one.
        let gap = if script.ends_with('"') { " " } else { "" };
        changed.replace_range(place.start..place.end, &(script + gap));
    }
    changed
}

/// What the checker made of a ruleset, without the places at which it stands.
fn meaning(text: &str) -> String {
    let Model { checks, tracks, .. } = match load("game.toml", text.as_bytes()) {
        Ok(model) => model,
        // Random scripts may be refused; so they are then, wherever they stand.
        Err(errors) => {
            return errors
                .0
                .iter()
                .map(|error| format!("{}\n", error.message))
                .collect();
        }
    };
    let told = checks.iter().chain(&tracks).map(|check| {
        let Check {
            name,
            inputs,
            requires,
            outcomes,
            contest,
            goal,
            ..
        } = check;
        let program = check.program();
        // What has no name of its own is called as it is written.
        let variables = program.variables().iter();
        let variables = variables.map(|own| (own.is_fixed(), own.is_pool(), own.labels()));
        let variables: Vec<_> = variables.collect();
        let of_script = format!("{variables:?} {:?}", program.statements());
        format!("{name} {inputs:?} {requires:?} {outcomes:?} {contest:?} {goal:?} {of_script}")
    });
    let told = told.collect::<Vec<_>>().join("\n");
    let mut parts = told.split("Span { start: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |told, part| {
        told + part.split_once('}').map_or("", |(_, rest)| rest)
    })
}

fn comments(text: &str) -> Vec<String> {
    let source = Source::new("game.toml", text);
    let tokens = index::tokens(&source, &load_named(&source).names);
    let comments = tokens
        .iter()
        .filter(|token| token.kind == index::TokenKind::Comment);
    let text = |token: &index::Token| text[token.span.start..token.span.end].trim_end().to_owned();
    comments.map(text).collect()
}

fn demand_laws(text: &str) {
    let once = formatted(text);
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(squeezed(&once), squeezed(text), "{text}");
    assert_eq!(comments(&once), comments(text), "{text}");
    assert_eq!(meaning(&once), meaning(text), "{text}\n{once}");
    assert_eq!(formatted(&once), once, "{text}");
    let document = open(text);
    let edits = document.formatting().expect("it can be read");
    assert_eq!(edited(&document, &edits), once, "{text}");
}

#[test]
fn rulesets_are_formatted() {
    for (path, text) in rulesets() {
        assert_eq!(
            formatted(&text),
            text,
            "{path}: `oddsmith rules fmt {path}` formats it"
        );
    }
}

#[test]
fn rulesets_stay_what_they_are() {
    let mut random = Random(12);
    for (path, text) in rulesets() {
        for _ in 0..4 {
            let mangled = all_mangled(&text, &mut random);
            assert_eq!(meaning(&mangled), meaning(&text), "{path}");
            demand_laws(&mangled);
        }
        demand_laws(&text.replace('\n', "\r\n"));
    }
}

proptest! {
    #![proptest_config(Config { cases: 256, failure_persistence: None, ..Config::default() })]

    #[test]
    fn random_scripts_stay_what_they_are(tree in trees::script(true), seed in any::<u64>()) {
        let (script, goal) = written::script(&tree);
        let text = AROUND.to_owned() + &table("checks.main", &maximise(goal.as_ref()), &script);
        demand_laws(&all_mangled(&text, &mut Random(seed)));
    }

    #[test]
    fn random_tracks_stay_what_they_are(round in trees::track(), seed in any::<u64>()) {
        let text = AROUND.to_owned() + &table("tracks.main", "", &written::track(&round));
        demand_laws(&all_mangled(&text, &mut Random(seed)));
    }
}

#[test]
fn lines_are_formatted_alone() {
    let document = open("[checks.a]  \nrules = '''\nlet a=1\nlet b=2\nshow c=a\n'''");
    let lines = |from: u32, to: u32, character: u32| {
        let range = Range {
            start: Position::new(from, 0),
            end: Position::new(to, character),
        };
        let edits = document.range_formatting(range).expect("it can be read");
        edited(&document, &edits)
    };
    let text = document.text();
    assert_eq!(lines(3, 4, 0), text.replace("b=2", "b = 2"));
    assert_eq!(
        lines(3, 4, 1),
        text.replace("b=2", "b = 2").replace("c=a", "c = a")
    );
    assert_eq!(lines(0, 0, 0), text.replace("]  \n", "]\n"));
    assert!(open("[checks.a]\nrules = 'let a='").formatting().is_none());
}

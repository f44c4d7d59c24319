//! Of the games that come along nobody reads a name with an underscore: what has such a name has a label.

use std::collections::BTreeSet;

use oddsmith_rules::{Check, Domain, Input, Model, all_games, load, shelf};

use crate::support::Place;

/// Whether a word is one that code has and people don't.
fn is_of_code(word: &str) -> bool {
    word.contains('_') && word.chars().any(char::is_alphabetic)
}

/// The words of a text that code has and people don't; Markdown has a backslash before each underscore.
fn words_of_code(text: &str) -> BTreeSet<String> {
    let text = text.replace('\\', "");
    let is_between = |c: char| !c.is_alphanumeric() && c != '_';
    let words = text.split(is_between).filter(|word| is_of_code(word));
    words.map(str::to_owned).collect()
}

/// The inputs some of whose values are such words.
fn coded(check: &Check) -> impl Iterator<Item = &Input> {
    check.inputs.iter().filter(|input| match &input.domain {
        Domain::Range(..) => false,
        Domain::Choice(choice) => choice.labels().iter().any(|word| is_of_code(word)),
    })
}

/// Questions about a check, but for tables over inputs that were asked about.
fn questions(check: &Check, asked: &mut BTreeSet<String>) -> Vec<String> {
    let target = format!("game.toml:{}", check.name);
    let ask = if check.rounds.is_some() {
        "track"
    } else {
        "odds"
    };
    let mut lines = vec![
        format!("{ask} {target}"),
        format!("{ask} {target} --format markdown"),
        format!("policy {target}"),
    ];
    let inputs = coded(check).filter(|input| asked.insert(input.name.clone()));
    let tables = inputs.flat_map(|Input { name, .. }| {
        let table = format!("table {target} --sweep {name}=all");
        [
            format!("{table} --format table"),
            format!("{table} --format markdown"),
        ]
    });
    lines.extend(tables);
    lines
}

/// Names of a game that people may write, with what they read in their place.
fn labelled(model: &Model) -> Vec<(String, String)> {
    let checks = || model.checks.iter().chain(&model.tracks);
    let mut names: Vec<(String, String)> = checks()
        .map(|check| (check.name.clone(), check.label.clone()))
        .collect();
    names.extend(checks().flat_map(|check| check.labels.clone()));
    for input in checks().flat_map(|check| check.inputs.iter()) {
        let name = input.name.split('[').next().unwrap_or_default();
        names.push((name.to_owned(), input.label.clone()));
        if let Domain::Choice(choice) = &input.domain {
            let words = input.value_labels.iter();
            let words = words.map(|(at, label)| (choice.label(*at).to_owned(), label.clone()));
            names.extend(words);
        }
    }
    names.retain(|(_, label)| !label.is_empty());
    names
}

/// What people read of a game that they should not, each with where.
fn found(place: &Place, text: &str) -> BTreeSet<String> {
    place.write("game.toml", text);
    let model = load("game.toml", text.as_bytes()).expect("a ruleset");
    let mut found = BTreeSet::new();
    let mut asked = BTreeSet::new();
    for check in model.checks.iter().chain(&model.tracks) {
        for line in questions(check, &mut asked) {
            let run = place.run(&line);
            // It may choose nothing, or break a requirement.
            assert!(matches!(run.status, Some(0 | 2)), "{line}: {}", run.err);
            let words = words_of_code(&run.out).into_iter();
            found.extend(
                words.map(|word| {
                    format!("{word} in {}", line.split(' ').next().unwrap_or_default())
                }),
            );
        }
    }
    // Here names are told, to be written: each has a label.
    let names = labelled(&model);
    let shown = words_of_code(&place.answer("rules show game.toml")).into_iter();
    let bare = shown.filter(|word| names.iter().all(|(name, _)| name != word));
    found.extend(bare.map(|word| format!("{word} in rules")));
    found
}

#[test]
fn nobody_reads_names_of_code() {
    let place = Place::in_memory();
    let mut games = 0;
    for (name, text) in all_games() {
        assert_eq!(found(&place, text), BTreeSet::new(), "{name}");
        games += 1;
    }
    assert!(games > 50, "{games}");
}

/// The test above can fail: where a label is missing, the name is found.
#[test]
fn a_label_that_is_missing_is_found() {
    let place = Place::in_memory();
    for (game, label, names) in [
        (
            "risus",
            ", labels = { best_die = \"best die\", evens_up = \"evens up\" }",
            &[
                "best_die in rules",
                "best_die in table",
                "evens_up in rules",
                "evens_up in table",
            ][..],
        ),
        (
            "trophy",
            "labels = { Ruin_rises = \"Ruin rises\" }\n",
            &["Ruin_rises in odds", "Ruin_rises in rules"],
        ),
        (
            "shadowrun",
            "label   = \"Ones of a glitch\"\n",
            &["glitch_at in rules", "glitch_at in table"],
        ),
        (
            "ten-candles",
            "labels = { dice_left = \"dice left\" }\n",
            &["dice_left in rules", "dice_left in track"],
        ),
    ] {
        let known = shelf().iter().find(|known| known.name == game);
        let text = known.expect("a game of the shelf").text;
        assert!(text.contains(label), "{game}");
        let found: Vec<String> = found(&place, &text.replace(label, ""))
            .into_iter()
            .collect();
        assert_eq!(found, names, "{game}");
    }
}

//! No head of a table and no object has a name twice.

use std::collections::HashSet;
use std::fs::File;
use std::path::PathBuf;

use oddsmith_rules::{Check, Model, load};
use oddsmith_testkit::rulesets;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use rayon::prelude::*;

use crate::support::{Place, records};

fn demand_different(names: &[String], line: &str) {
    let mut seen = HashSet::new();
    for name in names {
        assert!(seen.insert(name), "`{name}` is there twice: {line}");
    }
}

pub(super) fn in_csv(text: &str, line: &str) {
    let rows = records(text);
    demand_different(rows.first().expect("a head"), line);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{line}");
}

/// Reads strings and brackets: a parser would keep only the last of two equal keys.
pub(super) fn in_json(text: &str, line: &str) {
    serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    let mut keys: Vec<Vec<String>> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match c {
            '{' | '[' => keys.push(Vec::new()),
            '}' | ']' => demand_different(&keys.pop().expect("it was opened"), line),
            '"' => {
                let mut strings =
                    serde_json::Deserializer::from_str(&text[at..]).into_iter::<String>();
                let string = strings.next().expect("a string").expect("a string");
                at += strings.byte_offset();
                if text[at..].trim_start().starts_with(':') {
                    keys.last_mut().expect("in an object").push(string);
                }
                continue;
            }
            _ => {}
        }
        at += c.len_utf8();
    }
}

/// All rulesets of the repository.
fn rulesets() -> Vec<(PathBuf, Model)> {
    let model = |(path, text): (PathBuf, String)| {
        let model = load("game.toml", text.as_bytes()).expect("a ruleset");
        (path, model)
    };
    rulesets::all().into_iter().map(model).collect()
}

/// Every input at its default, `--sweep stat=2`: all columns and one row.
fn sweeps(check: &Check) -> Vec<String> {
    let defaults = check.defaults();
    let inputs = check.inputs.iter().zip(defaults.values());
    let sweep = inputs.map(|(input, value)| {
        let value = input.domain.show(*value);
        format!("--sweep {}={value}", input.name)
    });
    sweep.collect()
}

/// Questions about a check, each with a format.
fn questions(name: &str, check: &Check) -> Vec<(String, &'static str)> {
    let ask = match check.rounds {
        Some(_) => "track",
        None => "odds",
    };
    let mut questions = vec![
        (format!("{ask} {name}"), "csv"),
        (format!("{ask} {name}"), "json"),
        (format!("policy {name}"), "csv"),
        (format!("contest {name}"), "json"),
    ];
    let sweeps = sweeps(check);
    if let Some((first, others)) = sweeps.split_first() {
        let (all, others) = (sweeps.join(" "), others.join(" "));
        let with = first.replace("--sweep", "--with");
        questions.extend([
            (format!("table {name} {all} --exact"), "csv"),
            (format!("table {name} {all} --exact"), "jsonl"),
            (format!("simulate {name} {all} --trials 100"), "csv"),
            (format!("compare {name} {with} {others}"), "csv"),
            (format!("compare {name} {with} {others}"), "json"),
        ]);
    }
    questions
}

#[test]
fn no_ruleset_of_the_repository_has_a_column_twice() {
    let answered: usize = rulesets().par_iter().map(answered_without_twice).sum();
    assert!(answered > 200, "{answered}");
}

/// The number of questions that a ruleset answers, no column of which is there twice.
fn answered_without_twice((path, model): &(PathBuf, Model)) -> usize {
    let place = Place::new();
    let mut answered = 0;
    place.write("game.toml", &std::fs::read_to_string(path).expect("a file"));
    for check in model.checks.iter().chain(&model.tracks) {
        let name = format!("game.toml:{}", check.name);
        for (question, format) in questions(&name, check) {
            let line = format!("{question} --format {format}");
            let run = place.run(&line);
            if run.status == Some(2) {
                continue; // It chooses nothing, or has nothing to compare.
            }
            answered += 1;
            match format {
                "csv" => in_csv(&run.out, &line),
                "json" => in_json(&run.out, &line),
                _ => run.out.lines().for_each(|text| in_json(text, &line)),
            }
        }
        parquet(&place, &name, &sweeps(check));
    }
    answered
}

fn parquet(place: &Place, name: &str, sweeps: &[String]) {
    if sweeps.is_empty() {
        return;
    }
    let line = format!("table {name} {} --exact -o t.parquet", sweeps.join(" "));
    place.answer(&line);
    let file = File::open(place.path("t.parquet")).expect("a file");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let columns = reader
        .metadata()
        .file_metadata()
        .schema_descr()
        .columns()
        .iter();
    let names: Vec<String> = columns.map(|column| column.name().to_owned()).collect();
    demand_different(&names, &line);
}

/// Names that a ruleset may have and the program's own columns have, too.
const TAKEN: &str = r#"name = "Taken"
[checks.check]
bands = ["partial", "total", "lever", "from"]
axes.outcome = { default = 1, domain = "1..=3", sweep = "all" }
axes.z = { default = "outcome", domain = ["outcome", "z", "exact"], sweep = "all" }
axes.variation = { default = 0, domain = "0..=1", sweep = "all" }
axes.count = { default = 0, domain = "0..=1", sweep = "all" }
axes.to = { default = 0, domain = "0..=1", sweep = "all" }
rules = """
let die = 1d4 + outcome + index(z) + variation + count + to
show weight = die > 4
show band = match die { <= 3: "partial", 4: "total", 5: "lever", else: "from" }
"""
"#;

#[test]
fn columns_of_a_ruleset_are_told_from_those_of_the_program() {
    let place = Place::new();
    place.write("game.toml", TAKEN);
    for line in [
        "table game.toml --sweep all --exact --query weight --query weight --format csv",
        "table game.toml --sweep outcome=1,2 --sweep z=all --pivot z --format csv",
        "simulate game.toml --sweep z=all --sweep count=all --trials 100 --format csv",
        "compare game.toml --with outcome=2 --sweep variation=all --format csv",
        "balance value game.toml --sweep to=all --query band>=total --format csv",
    ] {
        let run = place.run(line);
        assert!(matches!(run.status, Some(0 | 1)), "{line}: {}", run.err);
        in_csv(&run.out, line);
    }
    let line = "table game.toml --sweep all --exact --format jsonl";
    place
        .answer(line)
        .lines()
        .for_each(|text| in_json(text, line));
    let pivot =
        place.answer("table game.toml --sweep outcome=1 --sweep z=all --pivot z --format csv");
    assert_eq!(
        records(&pivot)[0],
        ["outcome", "outcome (2)", "outcome (3)", "z", "exact"]
    );
    let exact = place.answer("table game.toml --sweep outcome=1 --exact --format csv");
    let head = &records(&exact)[0];
    assert!(head.contains(&"total:total".to_owned()), "{head:?}");
    assert_eq!(head.iter().filter(|name| *name == "total").count(), 1);
}

//! Commands that ask the exact engine many things: their parts hold the questions with their answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::Place;

use super::{GAPS, merge, parts};

/// A track, a lever that changes nothing, expectations that hold and one that does not, and a chart.
const RULES: &str = r#"
name = "Climb"
[params]
wall = { default = 9, domain = "4..=14", reading = "how hard the wall is" }
[checks.grip]
bands = ["Slip", "Hold", "Leap"]
axes.skill = { default = 0, domain = "0..=3", sweep = "all" }
axes.rope = { default = 1, domain = "0..=2", sweep = "all" }
axes.hat = { default = "red", domain = ["red", "blue"] }
rules = """
let dice = (2 + rope)d6kh2
show total = dice + skill
show band = match total { < wall: Slip, < wall + 4: Hold, else: Leap }
"""
[tracks.climb]
axes.skill = { default = 0, domain = "0..=3", sweep = "all" }
rules = """
let height = 0
repeat until height >= 4 {
  let got = grip(..)
  set height = height + match got.band { Slip: 0, Hold: 1, Leap: 2 }
}
"""
[[charts]]
check = "grip"
x = "skill"
[[charts]]
check = "climb"
x = "skill"
[[expect]]
intent = "Skill helps."
check = "grip"
query = "P(band >= Hold)"
increases = "skill"
[[expect]]
intent = "A novice hardly ever leaps."
check = "grip"
query = "Leap"
at_most = 0.01
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("climb.toml", RULES);
    place.write("gaps.toml", GAPS);
    place
}

/// An answer with some options is the one of its parts, however many they are; so is its exit status.
fn is_merged_alike(place: &Place, words: &str, options: &[&str]) {
    for of in [1, 3, 7] {
        let mut parts = parts(place, words, of);
        parts.reverse();
        for options in options {
            let alone = place.run(&format!("{words} {options}"));
            let merged = merge(place, &parts, &format!("-- {options}"));
            assert_eq!(
                (merged.status, merged.out, merged.err),
                (alone.status, alone.out, alone.err),
                "{words} {options} in {of}"
            );
        }
        is_taken_from_parts(place, words, &parts);
    }
}

/// Where the answers in parts are other ones, so is what comes of them: nothing is worked out again that a part holds.
fn is_taken_from_parts(place: &Place, words: &str, parts: &[String]) {
    let alone = place.run(words);
    if alone.out.is_empty() {
        return; // It is an error, or nothing is odd.
    }
    let others: Vec<String> = { parts.iter() }
        .map(|part| {
            let name = format!("other-{part}");
            let lines: Vec<String> = place.read(part).lines().map(other).collect();
            place.write(&name, &(lines.join("\n") + "\n"));
            name
        })
        .collect();
    let merged = merge(place, &others, "");
    assert_ne!(merged.out, alone.out, "{words}");
}

/// A line in which the first two weights, or answers, have changed places; an answer by itself is 1, and the weight of an
/// outcome is 7.
fn other(line: &str) -> String {
    if line.starts_with('{') {
        return line.to_owned();
    }
    let (row, total) = match line.matches('/').count() {
        1 => line.split_at(line.find('/').expect("it has one")),
        _ => (line, ""),
    };
    let mut words: Vec<&str> = row.split(' ').collect();
    if let ([outcome, _], "") = (&words[..], total)
        && !line.contains('/')
    {
        return format!("{outcome} 7");
    }
    match words.len() {
        1 => format!("{}{total}", total.trim_start_matches('/')),
        _ => {
            words.swap(0, 1);
            words.join(" ") + total
        }
    }
}

#[test]
fn what_is_odd() {
    let place = place();
    let formats = ["", "--all --format json", "--format markdown"];
    for ruleset in [
        "climb.toml",
        "climb.toml:grip",
        "gaps.toml",
        "action-checks:check",
    ] {
        is_merged_alike(&place, &format!("balance lint {ruleset}"), &formats[..2]);
    }
    let words = "balance lint lantern.toml --cliff 1 --only cliff";
    is_merged_alike(&place, words, &formats);
}

#[test]
fn what_steps_are_worth() {
    let place = place();
    let formats = ["", "--format json", "--format csv", "--format markdown"];
    for words in [
        "balance value climb.toml",
        "balance climb.toml --sweep all",
        "balance value climb.toml:climb --sweep skill=0..=2 --lever wall=8,9,10",
        "balance value gaps.toml --sweep a=all --query 'mean(total)'",
        "balance value stars-and-signs --sweep circ_boons=-1..=1",
    ] {
        is_merged_alike(&place, words, &formats);
    }
    let words = "balance value climb.toml --lever skill";
    let parts = parts(&place, words, 2);
    place.run(&format!("{words} -o alone.svg"));
    merge(&place, &parts, "-o merged.svg");
    assert_eq!(place.read("merged.svg"), place.read("alone.svg"));
}

#[test]
fn odds_that_moved_and_expectations() {
    let place = place();
    let words = "check climb.toml gaps.toml --baseline odds";
    let formats = [
        "",
        "--format json",
        "--format junit",
        "--format markdown",
        "--format github --all",
    ];
    is_merged_alike(&place, "check climb.toml", &formats);
    let parts = parts(&place, words, 2);
    let merged = merge(&place, &parts, "-- --update");
    assert_eq!(merged.status, Some(0), "{}{}", merged.out, merged.err);
    place.run("check climb.toml gaps.toml --baseline alone --update");
    assert_eq!(files(&place.path("odds")), files(&place.path("alone")));
    is_merged_alike(&place, words, &formats);
    place.write("climb.toml", &RULES.replace("default = 9", "default = 8"));
    is_merged_alike(&place, words, &formats);
    place.write("climb.toml", "name = [");
    is_merged_alike(&place, words, &formats);
    place.refuses(
        &format!("{words} --update --part 1/2"),
        &["`--update` is of the whole answer"],
    );
}

#[test]
fn reports() {
    let place = place();
    let words = "report climb.toml gaps.toml action-checks:stones";
    let alone = place.run(&format!("{words} -o alone"));
    for of in [1, 4] {
        let parts = parts(&place, words, of);
        let merged = merge(&place, &parts, "-o merged");
        assert_eq!((merged.status, &merged.err), (Some(0), &alone.err));
        assert!(files(&place.path("merged")) == files(&place.path("alone")));
        fs::remove_dir_all(place.path("merged")).expect("it is there");
        let refused = merge(&place, &parts, "");
        assert!(
            refused.err.contains("a report goes to a directory"),
            "{}",
            refused.err
        );
    }
}

/// Every file below a directory.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            let below = files(&path).into_iter();
            found.extend(below.map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
    found
}

//! Changes that no default sweep shows.

use super::{accepted, accepts, change, check, moves};
use crate::support::Place;

const SHIPPED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../rulesets/stars-and-signs.toml"
);

/// A lantern whose script is this, with its odds accepted.
fn lantern(rules: &str) -> Place {
    let place = Place::new();
    place.write("lantern.toml", rules);
    accepts(&place, &["accepted for the first time"]);
    place
}

const MOOD: &str = "\
name = \"Moods\"
[checks.check]
bands = [\"Miss\", \"Hit\"]
contest = \"total\"
axes.skill = { default = 0, domain = \"0..=3\", sweep = \"all\" }
axes.mood = { default = 0, domain = \"0..=1\" }
axes.asset = { default = 0, domain = \"0..=3\" }
rules = \"\"\"
let bonus = if mood == 1 and asset >= 2 then asset else 0
let die = 2d6
show total = die + skill + bonus
show high = highest(die)
show band = if total >= 9 then Hit else Miss
\"\"\"
";

#[test]
fn changes_of_the_shipped_rules_are_seen() {
    let rules = std::fs::read_to_string(SHIPPED).expect("it can be read");
    // By the accepted odds alone, whatever is expected.
    let (rules, _) = rules.split_once("[[expect]]").expect("it has expectations");
    let place = lantern(rules);
    for (from, to) in [
        // The die of an Advantage.
        (
            "boosted(1, 10, min(adv_invokes",
            "boosted(1, 12, min(adv_invokes",
        ),
        // An Asset's bonus only in a Mood.
        (
            "(mood == 0 or mood_asset != nothing)",
            "(mood == 1 or mood_asset != nothing)",
        ),
        // A Mood keeps the Skill.
        (
            "= if mood == 1 then 0 else ceil(skill_rank / 2)",
            "= ceil(skill_rank / 2)",
        ),
        // The lent die is a size smaller.
        (
            "ladder[asset_quality])",
            "ladder[max(asset_quality - 1, 0)])",
        ),
        // Impactful counts twice.
        (
            "Hit:      slots_of(1d10 + impactful,",
            "Hit:      slots_of(1d10 + 2 * impactful,",
        ),
    ] {
        place.write("lantern.toml", rules);
        change(&place, from, to);
        let out = moves(&place, &[], &["lantern: odds moved"]);
        // One line was edited, and it is named.
        let line = rules[..rules.find(from).expect("it is there")]
            .lines()
            .count();
        assert!(
            out.contains(&format!("the rules changed (lantern.toml:{line})")),
            "{out}"
        );
    }
}

#[test]
fn a_rule_that_takes_two_inputs_is_probed() {
    let place = lantern(MOOD);
    let probes = place.read("odds/lantern/check.probes.csv");
    assert!(
        probes.starts_with("configuration,why,mean(total),mean(high),Miss,Hit,odds\n"),
        "{probes}"
    );
    assert!(
        probes.contains("\nmood=1,moves mood,7,161/36,13/18,5/18,"),
        "{probes}"
    );
    change(&place, "asset >= 2 then asset", "asset >= 3 then asset");
    let out = moves(
        &place,
        &[],
        &["mood=1 asset=2", "the rules changed (lantern.toml:9)"],
    );
    assert!(!out.contains("skill="), "{out}");
}

#[test]
fn what_falls_together_otherwise_is_drift() {
    let place = lantern(MOOD);
    // Each number by itself has the odds that it had.
    change(
        &place,
        "show high = highest(die)",
        "show high = highest(2d6)",
    );
    let out = moves(
        &place,
        &[],
        &["the same answers are spread or fall together otherwise"],
    );
    assert!(
        out.contains("(the first is the default configuration)"),
        "{out}"
    );
    assert!(!out.contains("difference"), "{out}");
}

#[test]
fn what_decides_a_contest_is_probed() {
    let place = lantern(MOOD);
    change(&place, "contest = \"total\"", "contest = \"high\"");
    moves(&place, &[], &["a contest with", "mean(rounds)"]);
    accepts(&place, &[]);
    change(
        &place,
        "contest = \"high\"",
        "contest = \"high\"\nties = \"defender\"",
    );
    moves(&place, &[], &["a contest with the default configuration"]);
    accepts(&place, &[]);
    // No contest, no file.
    change(&place, "contest = \"high\"\nties = \"defender\"\n", "");
    moves(
        &place,
        &[],
        &["6 configurations are gone (the first is a contest with the default configuration)"],
    );
    accepts(&place, &[]);
    assert!(!place.path("odds/lantern/check.contest.csv").exists());
}

#[test]
fn a_requirement_that_changes_is_seen() {
    let rules = MOOD.replace("contest", "require = [\"mood + asset < 4\"]\ncontest");
    let place = lantern(&rules);
    change(&place, "mood + asset < 4", "mood + asset < 3");
    moves(
        &place,
        &[],
        &["configurations are gone (the first is asset=3)"],
    );
    accepts(&place, &[]);
    change(&place, "mood + asset < 3", "mood + asset < 4");
    moves(
        &place,
        &[],
        &["2 configurations are new (the first is asset=3)"],
    );
}

#[test]
fn no_more_is_said_than_was_looked_at() {
    let place = lantern(MOOD);
    // A branch that no accepted configuration can go, since it is new and does not matter.
    change(
        &place,
        "show total = die + skill + bonus",
        "let none = if 10 * skill + asset == 13 then 0 else 0\nshow total = die + skill + bonus + none",
    );
    let run = check(&place, &[]);
    assert_eq!(run.status, Some(0), "{}", run.out);
    let says = [
        "no odds moved in 20 configurations; they do not look at 1 part of the rules\n",
        "  none reaches branch 1 of `if 10 * skill + asset == 13 then 0 else 0`: `oddsmith check --update` looks for settings that lead there (lantern.toml:11)\n",
    ];
    for words in says {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    accepts(&place, &[]);
    change(&place, "name", "# A comment.\nname");
    let run = check(&place, &[]);
    assert!(
        run.out
            .contains("which move every input and reach every branch\n"),
        "{}",
        run.out
    );
}

#[test]
fn probes_that_were_edited_are_no_baseline() {
    let place = accepted();
    let path = "odds/lantern/check.probes.csv";
    let text = place.read(path);
    for (from, to) in [("boon_cap=1", "boon_cap=2"), ("\n", "\n<<<<<<< a\n")] {
        place.write(path, &text.replacen(from, to, 1));
        super::refuses(&place, &["check.probes.csv"]);
    }
    place.write(path, &text.replace('\n', "\r\n"));
    assert_eq!(check(&place, &[]).status, Some(0));
}

#[test]
fn expectations_are_judged_without_a_baseline() {
    let place = Place::new();
    let intent = "\n[[expect]]\nintent = \"Beginners hit.\"\nquery = \"Hit\"\nat_least = 0.9\n";
    place.write("lantern.toml", &(MOOD.to_owned() + intent));
    let run = check(&place, &[]);
    assert_eq!(run.status, Some(2), "{}", run.out);
    let first = "lantern: 1 expectation fails; no odds accepted yet (1 table, 1 expectation)\n";
    assert!(run.out.starts_with(first), "{}", run.out);
    assert!(
        run.out.contains("\"Beginners hit.\" does not hold"),
        "{}",
        run.out
    );
    assert!(run.err.contains("accept them as they are"), "{}", run.err);
    assert!(!place.path("odds").exists());
}

//! What moved, for reading.

use super::{accepted, accepts, change, check, moves, stays};
use crate::support::Place;

/// Two numbers, of which nothing but a contest shows how they fall together.
const DUEL: &str = "\
name = \"Duel\"
[checks.check]
bands = [\"Miss\", \"Hit\"]
contest = \"total\"
axes.skill = { default = 0, domain = \"0..=3\", sweep = \"all\" }
axes.asset = { default = 0, domain = \"0..=3\" }
rules = \"\"\"
let die = 2d6
show total = die + skill + asset
show high = highest(die)
show band = if total >= 9 then Hit else Miss
\"\"\"
";

/// The duel, its odds accepted.
fn duel() -> Place {
    let place = Place::new();
    place.write("lantern.toml", DUEL);
    accepts(
        &place,
        &["lantern: accepted for the first time (1 table of "],
    );
    place
}

#[test]
fn odds_are_accepted_once_and_then_compared() {
    let place = Place::new();
    let run = check(&place, "");
    let unaccepted = "lantern: no odds accepted yet (2 tables)\n";
    assert_eq!((run.status, run.out.as_str()), (Some(2), unaccepted));
    assert!(
        run.err
            .contains("as they are: oddsmith check lantern.toml --baseline odds --update")
    );
    accepts(
        &place,
        &["lantern: accepted for the first time (2 tables of 56 configurations)"],
    );
    accepts(
        &place,
        &["lantern: as accepted (2 tables of 56 configurations)"],
    );
    assert!(place.run("check --help").out.contains("Examples:"));
}

#[test]
fn what_moved_is_told_and_accepted() {
    let place = accepted();
    change(&place, "default = 2, domain", "default = 1, domain");
    insta::assert_snapshot!("moved", moves(&place, "", &[]));
    accepts(
        &place,
        &["lantern: accepted (", "boon_cap: 2 -> 1", "-17.13"],
    );
}

#[test]
fn all_differences_on_demand() {
    let place = accepted();
    change(&place, "default = 2, domain", "default = 1, domain");
    let out = moves(&place, "--all", &[]);
    assert!(!out.contains("--all"), "{out}");
    // Eleven configurations, five columns, and where each differs the most.
    assert_eq!(
        out.lines().filter(|line| line.contains("boons=2")).count(),
        60
    );
    let run = check(&place, "--all --budget 30000");
    assert_eq!((run.status, run.out.as_str()), (Some(2), ""));
}

#[test]
fn causes_stand_with_the_table_that_they_moved() {
    let place = Place::new();
    change(
        &place,
        "boon_cap = ",
        "bonus = { default = 0, domain = \"0..=9\" }\nboon_cap = ",
    );
    change(&place, "2d6 + skill", "2d6 + skill + bonus");
    accepts(&place, &[]);
    change(&place, "default = 2, domain", "default = 1, domain");
    change(&place, "bonus = { default = 0", "bonus = { default = 1");
    // Once for the ruleset, and once for the table.
    let out = moves(&place, "", &[]);
    assert_eq!(
        out.matches("parameter boon_cap: 2 -> 1").count(),
        2,
        "{out}"
    );
    let github = moves(&place, "--format github", &[]);
    let errors: Vec<&str> = github
        .lines()
        .filter(|line| line.starts_with("::"))
        .collect();
    let [check, test] = *errors else {
        panic!("{github}");
    };
    assert!(
        check.contains("line=5,") && check.contains("boon_cap: 2 -> 1%0Acheck: "),
        "{github}"
    );
    assert!(
        test.contains("line=4,") && test.contains("bonus: 0 -> 1%0Atest: "),
        "{github}"
    );
    change(&place, "2d6 + skill", "1d12 + skill");
    let says = "  test: 15 of 15 configurations moved\n  parameter bonus: 0 -> 1 (lantern.toml:4)\n  and the rules changed (lantern.toml:19)\n";
    moves(&place, "", &[says]);
}

#[test]
fn names_alone_are_told_as_such() {
    let place = accepted();
    change(&place, "\"Weak\"", "\"Some\"");
    change(&place, "< 10: Weak", "< 10: Some");
    let says = [
        "band Weak is now called Some (lantern.toml:15)",
        "has other names; what it had is as accepted in 50 configurations",
    ];
    let out = moves(&place, "", &says);
    assert!(out.starts_with("lantern: renamed (2 tables"), "{out}");
    assert!(
        out.contains("the accepted ones under other names. To accept these: "),
        "{out}"
    );
    accepts(&place, &says);
}

#[test]
fn tables_and_configurations_that_are_new_or_gone() {
    let place = accepted();
    change(&place, "sweep = \"0..=2\"", "sweep = \"1..=4\"");
    change(&place, "[checks.test]", "[checks.trial]");
    let says = [
        "sweep of boons: 0..=2 -> 1..=4 (lantern.toml:9)",
        "20 configurations are new (the first is stat=-1 boons=3 light=dim)",
        "10 configurations are gone (the first is stat=-1 boons=0 light=dim)",
        "trial: is new",
        "test: is gone",
    ];
    let out = moves(&place, "", &says);
    assert!(out.starts_with("lantern: odds moved (3 tables"), "{out}");
    assert!(!out.contains("moved;"), "{out}");
    accepts(&place, &says);
}

#[test]
fn what_falls_together_otherwise() {
    let place = duel();
    change(
        &place,
        "show high = highest(die)",
        "show high = highest(2d6)",
    );
    let says = [
        "the same answers are spread or fall together otherwise",
        "(the first is the default configuration)",
    ];
    let out = moves(&place, "", &says);
    assert!(!out.contains("difference"), "{out}");
}

#[test]
fn it_is_told_how_far_it_was_looked() {
    let place = duel();
    change(
        &place,
        "show total = die + skill + asset",
        "let none = if 10 * skill + asset == 22 then 0 else 0\nshow total = die + skill + asset + none",
    );
    let says = [
        "configurations; they do not look at 1 part of the rules\n",
        "  none reaches branch 1 of `if 10 * skill + asset == 22 then 0 else 0`: `oddsmith check --update` looks for settings that lead there (lantern.toml:9)\n",
    ];
    stays(&place, "", &says);
    accepts(&place, &[]);
    change(&place, "name", "# A comment.\nname");
    let run = check(&place, "");
    assert!(
        run.out.contains("\n  the rules changed; no odds moved in ")
            && run
                .out
                .ends_with(" configurations, which move every input and reach every branch\n"),
        "{}",
        run.out
    );
}

#[test]
fn means_that_become_infinite() {
    let ridge = "name = \"Ridge\"\n[tracks.ridge]\naxes.need = { default = 1, domain = \"1..=2\", sweep = \"all\" }\n\
        rules = \"\"\"\nlet at = 0\nlet lost = 0\nrepeat until at >= 1 {\n  let step = 1d2\n\
        set lost = if step < need then 1 else lost\n  set at = if step >= need and lost == 0 then 1 else 0\n}\n\"\"\"\n";
    let place = Place::new();
    place.write("lantern.toml", &ridge.replace("1d2", "2"));
    accepts(&place, &[]);
    place.write("lantern.toml", ridge);
    let out = moves(&place, "", &[]);
    let row = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = out.lines().map(row).collect();
    for expected in [
        &["need=2", "mean(rolls)", "1", "inf", "+inf"],
        &["mean(rolls)", "2", "inf", "+inf", "need=2"],
    ] {
        assert!(rows.iter().any(|row| row == expected), "{out}");
    }
    let json = check(&place, "--format json").out;
    assert!(json.contains("\"largest\": \"inf\""), "{json}");
}

#[test]
fn drift_within_the_tolerance() {
    let place = accepted();
    change(&place, "default = 2, domain", "default = 1, domain");
    stays(
        &place,
        "--tolerance 17.2",
        &[
            "16 configurations moved within the tolerance, by at most 17.13 points and 0.8858 of mean(total)",
            "boon_cap: 2 -> 1, which moves at most 17.13 points and 0.8858 of mean(total), within the tolerance",
        ],
    );
    moves(
        &place,
        "--tolerance 17.1",
        &[
            "check: 3 of 50 configurations moved",
            "; 13 configurations moved within the tolerance, by at most 16.51 points and 0.8858 of mean(total)",
        ],
    );
    for wrong in ["-1", "a", "", "nan"] {
        place.refusal(&format!("check lantern.toml --tolerance '{wrong}'"));
    }
}

#[test]
fn expectations_are_judged_without_a_baseline() {
    let place = Place::new();
    let intent = "\n[[expect]]\nintent = \"Beginners hit.\"\nquery = \"Hit\"\nat_least = 0.9\n";
    place.write("lantern.toml", &(DUEL.to_owned() + intent));
    let run = check(&place, "");
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

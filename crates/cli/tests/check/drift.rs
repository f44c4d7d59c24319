//! Each kind of drift: told with its cause, and accepted.

use super::{accepted, accepts, change, check, moves};
use crate::support::Place;

#[test]
fn a_parameter_that_changed() {
    let place = accepted();
    change(&place, "default = 2, domain", "default = 1, domain");
    let out = moves(
        &place,
        &[],
        &["parameter boon_cap: 2 -> 1 (lantern.toml:4)"],
    );
    insta::assert_snapshot!("text", out);
    accepts(
        &place,
        &["lantern: accepted (", "boon_cap: 2 -> 1", "-17.13"],
    );
}

#[test]
fn all_differences_on_demand() {
    let place = accepted();
    change(&place, "default = 2, domain", "default = 1, domain");
    let out = moves(&place, &["--all"], &[]);
    assert!(!out.contains("--all"), "{out}");
    // Thirteen configurations, five columns, and where each differs the most.
    assert_eq!(
        out.lines().filter(|line| line.contains("boons=2")).count(),
        60
    );
    let run = check(&place, &["--all", "--budget", "30000"]);
    assert_eq!(run.status, Some(2), "{}", run.out);
}

#[test]
fn an_element_of_a_list() {
    let place = Place::new();
    let text = place.read("lantern.toml").replace(
        "[params]\n",
        "[params]\nthresholds = { default = [7, 10], domain = \"1..=20\" }\n",
    );
    let text = text.replace("< 7: Miss, < 10", "< thresholds[0]: Miss, < thresholds[1]");
    place.write("lantern.toml", &text);
    accepts(&place, &[]);
    let accepted = place.read("odds/lantern/baseline.toml");
    assert!(accepted.contains("\nthresholds = [7, 10]\n"), "{accepted}");
    change(&place, "[7, 10]", "[7, 11]");
    let out = moves(
        &place,
        &[],
        &["parameter thresholds[1]: 10 -> 11 (lantern.toml:4)"],
    );
    assert!(!out.contains("thresholds[0]"), "{out}");
}

/// What a parameter has no part in is not its doing, and what it did alone is nobody else's.
#[test]
fn each_table_has_its_own_causes() {
    let place = Place::new();
    let more = "boon_cap = { default = 2, domain = \"0..=5\" }\nbonus = { default = 0, domain = \"0..=9\" }\n";
    let text = place.read("lantern.toml");
    let cap = text
        .lines()
        .find(|line| line.starts_with("boon_cap"))
        .expect("it has one");
    place.write("lantern.toml", &text.replace(&format!("{cap}\n"), more));
    change(&place, "2d6 + skill", "2d6 + skill + bonus");
    accepts(&place, &[]);
    // Two parameters, each of which moves a table of its own.
    change(
        &place,
        "boon_cap = { default = 2",
        "boon_cap = { default = 1",
    );
    change(&place, "bonus = { default = 0", "bonus = { default = 1");
    let out = moves(&place, &[], &[]);
    assert_eq!(
        out.matches("parameter boon_cap: 2 -> 1").count(),
        2,
        "{out}"
    );
    let github = moves(&place, &["--format", "github"], &[]);
    let errors: Vec<&str> = github
        .lines()
        .filter(|line| line.starts_with("::"))
        .collect();
    assert_eq!(errors.len(), 2, "{github}");
    assert!(
        errors[0].contains("line=4,") && errors[0].contains("boon_cap"),
        "{github}"
    );
    assert!(
        errors[1].contains("line=5,") && errors[1].contains("bonus"),
        "{github}"
    );
    // One of the two tables is moved by the rules instead, then by both.
    change(&place, "bonus = { default = 1", "bonus = { default = 0");
    change(&place, "2d6 + skill", "1d12 + skill");
    let says = ["  test: 15 of 15 configurations moved\n  the rules changed (lantern.toml:19)\n"];
    moves(&place, &[], &says);
    let github = moves(&place, &["--format", "github"], &["line=19,"]);
    assert!(!github.contains("boon_cap: 2 -> 1%0Atest"), "{github}");
    change(&place, "bonus = { default = 0", "bonus = { default = 1");
    moves(
        &place,
        &[],
        &[
            "  parameter bonus: 0 -> 1 (lantern.toml:5)\n  and the rules changed (lantern.toml:19)\n",
        ],
    );
    // With the accepted value nothing can be rolled.
    change(
        &place,
        "bonus = { default = 1, domain = \"0",
        "bonus = { default = 1, domain = \"1",
    );
    moves(&place, &[], &["perhaps more than parameters"]);
    accepts(&place, &[]);
}

#[test]
fn parameters_that_are_new_or_gone() {
    let place = accepted();
    change(
        &place,
        "boon_cap = { default = 2",
        "boon_limit = { default = 1",
    );
    change(&place, "min(boons, boon_cap)", "min(boons, boon_limit)");
    let says = [
        "parameter boon_limit is new: 1",
        "parameter boon_cap is gone: it was 2",
    ];
    moves(&place, &[], &says);
    accepts(&place, &says);
}

#[test]
fn rules_that_changed() {
    let place = accepted();
    change(&place, "total == 7", "total == 8");
    moves(
        &place,
        &[],
        &[
            // The line of the script that was edited.
            "the rules changed (lantern.toml:14)",
            "check: 50 of 50 configurations moved",
        ],
    );
    accepts(&place, &["the rules changed"]);
}

#[test]
fn bands_that_are_added() {
    let place = accepted();
    change(&place, "\"Strong\"]", "\"Strong\", \"Wild\"]");
    change(&place, "else: Strong", "< 12: Strong, else: Wild");
    moves(
        &place,
        &[],
        &["band Wild is new (lantern.toml:15)", "Wild     0.00%"],
    );
    accepts(&place, &["band Wild is new"]);
}

#[test]
fn bands_that_are_removed() {
    let place = accepted();
    change(&place, ", \"Strong\"]", "]");
    change(&place, "< 10: Weak, else: Strong", "else: Weak");
    let out = moves(&place, &[], &["band Strong is gone (lantern.toml:15)"]);
    let is_gone = |line: &str| line.contains("Strong") && line.contains("  0.00%      -");
    assert!(out.lines().any(is_gone), "{out}");
    accepts(&place, &["band Strong is gone"]);
}

#[test]
fn bands_that_are_renamed_are_the_same_bands() {
    let place = accepted();
    change(&place, "\"Weak\"", "\"Some\"");
    change(&place, "< 10: Weak", "< 10: Some");
    let says = [
        "band Weak is now called Some (lantern.toml:15)",
        "has other names; what it had is as accepted in 50 configurations",
    ];
    let out = moves(&place, &[], &says);
    assert!(out.starts_with("lantern: renamed (2 tables"), "{out}");
    assert!(
        out.contains("the accepted ones under other names. To accept these: "),
        "{out}"
    );
    accepts(&place, &says);
}

#[test]
fn columns_that_are_new_or_gone() {
    let place = accepted();
    change(&place, "show Glimpse", "show Glance");
    let says = [
        "column Glance is new (lantern.toml:14)",
        "column Glimpse is gone (lantern.toml:6)",
    ];
    moves(&place, &[], &says);
    accepts(&place, &says);
}

#[test]
fn a_sweep_that_changed() {
    let place = accepted();
    change(&place, "sweep = \"0..=2\"", "sweep = \"1..=4\"");
    let says = [
        "sweep of boons: 0..=2 -> 1..=4 (lantern.toml:9)",
        "20 configurations are new (the first is stat=-1 boons=3 light=dim)",
        "10 configurations are gone (the first is stat=-1 boons=0 light=dim)",
    ];
    let out = moves(&place, &[], &says);
    assert!(!out.contains("moved;"), "{out}");
    accepts(&place, &says);
}

#[test]
fn the_order_of_a_sweep_is_no_drift() {
    let place = accepted();
    change(&place, "sweep = \"0..=2\"", "sweep = \"2,1,0\"");
    let run = check(&place, &[]);
    assert_eq!(run.status, Some(0), "{}", run.out);
    assert!(
        run.out.contains("sweep of boons: 0..=2 -> 2,1,0"),
        "{}",
        run.out
    );
    accepts(&place, &["sweep of boons"]);
}

#[test]
fn an_axis_that_is_swept_or_is_not_any_more() {
    let place = accepted();
    change(
        &place,
        "domain = \"0..=5\", sweep = \"0..=2\"",
        "domain = \"0..=5\"",
    );
    let says = [
        "axis boons is not swept any more: 0..=2 -> 0",
        "20 configurations are gone",
    ];
    moves(&place, &[], &says);
    accepts(&place, &says);
    change(
        &place,
        "domain = \"0..=5\" }",
        "domain = \"0..=5\", sweep = \"0..=2\" }",
    );
    let says = [
        "axis boons is swept: 0 -> 0..=2",
        "20 configurations are new",
    ];
    moves(&place, &[], &says);
    accepts(&place, &says);
}

#[test]
fn the_default_of_an_axis_that_is_not_swept() {
    let place = Place::new();
    change(&place, ", sweep = \"0..=2\"", "");
    accepts(&place, &[]);
    change(
        &place,
        "axes.boons = { default = 0",
        "axes.boons = { default = 1",
    );
    let says = [
        "default of boons: 0 -> 1 (lantern.toml:9)",
        "check: 16 of 31 configurations moved",
    ];
    moves(&place, &[], &says);
    accepts(&place, &says);
}

/// Without the new axis everything is as it was; and all that was is the same without the old one.
#[test]
fn axes_that_are_new_or_gone() {
    let place = accepted();
    change(
        &place,
        "axes.light ",
        "axes.fog = { default = 0, domain = \"0..=2\", sweep = \"all\" }\naxes.light ",
    );
    change(&place, "+ stat + lit", "+ stat + lit - fog");
    let says = [
        "axis fog is new: 0..=2",
        "60 configurations are new (the first is stat=-1 boons=0 fog=1",
    ];
    let out = moves(&place, &[], &says);
    assert!(!out.contains("30 moved"), "{out}");
    accepts(&place, &says);
    change(
        &place,
        "axes.fog = { default = 0, domain = \"0..=2\", sweep = \"all\" }\n",
        "",
    );
    change(&place, " - fog", "");
    let says = [
        "axis fog is gone (lantern.toml:6)",
        "check: 60 of 107 configurations moved",
        "fog=2",
    ];
    moves(&place, &[], &says);
    accepts(&place, &says);
}

#[test]
fn configurations_that_become_legal_or_illegal() {
    let place = accepted();
    change(
        &place,
        "axes.stat  =",
        "require = [\"stat < 3 or boons > 0\"]\naxes.stat  =",
    );
    let says = ["3 configurations are gone (the first is stat=3 boons=0 light=dim)"];
    moves(&place, &[], &says);
    accepts(&place, &says);
    change(&place, "boons > 0\"]", "boons > 1\"]");
    change(&place, "stat < 3 or", "stat > -1 or");
    let says = [
        "3 configurations are new (the first is stat=3",
        "5 configurations are gone (the first is stat=-1",
    ];
    moves(&place, &[], &says);
    accepts(&place, &says);
}

#[test]
fn checks_that_are_new_or_gone() {
    let place = accepted();
    change(&place, "[checks.test]", "[checks.trial]");
    let out = moves(&place, &[], &["trial: is new", "test: is gone"]);
    assert!(out.starts_with("lantern: odds moved (3 tables"), "{out}");
    accepts(&place, &["trial: is new", "test: is gone"]);
    assert!(!place.path("odds/lantern/test.csv").exists());
    assert!(place.path("odds/lantern/trial.csv").exists());
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
    // Half of those who need a 2 are lost for ever.
    let out = moves(
        &place,
        &["--tolerance", "1000"],
        &["ridge: 2 of 4 configurations moved"],
    );
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
    let json = check(&place, &["--format", "json"]).out;
    assert!(json.contains("\"largest\": \"inf\""), "{json}");
    accepts(&place, &["inf"]);
}

/// The means move by 88 and the bands by 17 points: what is a probability comes first all the same.
#[test]
fn each_kind_of_column_has_its_largest() {
    let place = Place::new();
    change(
        &place,
        "show Glimpse = total == 7",
        "show worth = 100 * total",
    );
    accepts(&place, &[]);
    change(&place, "default = 2, domain", "default = 1, domain");
    let out = moves(&place, &[], &["  ... and 60 more"]);
    let listed: Vec<&str> = out.lines().skip(5).take(20).collect();
    let is_number = |line: &&str| line.contains("mean(");
    assert!(!listed[..10].iter().any(is_number), "{out}");
    assert!(listed[10..].iter().all(is_number), "{out}");
}

#[test]
fn numbers_that_move_while_no_band_does() {
    let place = accepted();
    change(
        &place,
        "show total = (2",
        "show effort = boons\nshow total = (2",
    );
    accepts(&place, &["column mean(effort) is new"]);
    change(&place, "show effort = boons", "show effort = 2 * boons");
    moves(
        &place,
        &[],
        &["check: 33 of 50 configurations moved", "mean(effort)"],
    );
    accepts(&place, &["the rules changed"]);
}

#[test]
fn drift_within_the_tolerance() {
    let place = accepted();
    change(&place, "default = 2, domain", "default = 1, domain");
    // The largest difference is 17.13 points.
    let run = check(&place, &["--tolerance", "17.2"]);
    assert_eq!(run.status, Some(0), "{}", run.out);
    assert!(
        run.out
            .contains("16 configurations moved within the tolerance, by at most 17.13 points and 0.8858 of mean(total)"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains(
            "boon_cap: 2 -> 1, which moves at most 17.13 points and 0.8858 of mean(total), within the tolerance"
        ),
        "{}",
        run.out
    );
    let out = moves(
        &place,
        &["--tolerance", "17.1"],
        &["check: 3 of 50 configurations moved"],
    );
    assert!(
        out.contains("; 13 configurations moved within the tolerance, by at most 16.51 points and 0.8858 of mean(total)"),
        "{out}"
    );
    accepts(&place, &[]);
    // Means are measured in their own unit.
    change(&place, "show score = 2d6", "show score = 2d6 + 1");
    moves(&place, &["--tolerance", "0.99"], &["mean(score)", "+1"]);
    assert_eq!(check(&place, &["--tolerance", "1"]).status, Some(0));
    for wrong in ["-1", "a", "", "nan"] {
        place.refusal(&["check", "lantern.toml", "--tolerance", wrong]);
    }
}

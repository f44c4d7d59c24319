//! Baselines that are not what was accepted: refused, and never overwritten.

use std::fs;

use oddsmith::{Error, Limits, Project, ProjectRequest};
use oddsmith_testkit::rulesets::LANTERN;

use super::support::{ACCEPT, Place, compared, told};

const TABLE: &str = "odds/lantern/check.csv";
const MANIFEST: &str = "odds/lantern/baseline.toml";

/// What helps against damage.
const RESTORE: &str = "restore it from version control; or remove the directory odds/lantern and accept the odds as they are now: oddsmith check --update";

/// Nothing can be said of the ruleset, for one reason, and this helps.
fn refuses(place: &Place, reason: &str, help: &str) {
    let told = place.refuses();
    assert_eq!(told, (vec![reason.to_owned()], help.to_owned()));
}

/// The table is not the one that was accepted.
fn is_damaged(place: &Place, what: &str) {
    refuses(place, &format!("`{TABLE}` {what}"), RESTORE);
}

/// The table with its lines changed.
fn with_lines(place: &Place, alter: impl FnOnce(&mut Vec<String>)) {
    let mut lines: Vec<String> = place.read(TABLE).lines().map(str::to_owned).collect();
    alter(&mut lines);
    place.write(TABLE, &(lines.join("\n") + "\n"));
}

const EDITED: &str = "was changed after it was accepted: rows are edited or re-ordered";

#[test]
fn a_table_that_is_corrupted() {
    let place = Place::accepted();
    with_lines(&place, |lines| lines[3] = lines[3].replacen("0.", "1.", 1));
    is_damaged(&place, EDITED);
    fs::write(place.path(TABLE), b"\xff\xfe\x00").expect("a file can be written");
    is_damaged(
        &place,
        "is another table: its columns are \u{fffd}\u{fffd}\0",
    );
    place.write(TABLE, "");
    is_damaged(&place, "has 0 rows, but 30 were accepted");
}

#[test]
fn a_table_that_is_cut_short() {
    let place = Place::accepted();
    let text = place.read(TABLE);
    with_lines(&place, |lines| lines.truncate(20));
    is_damaged(&place, "has 19 rows, but 30 were accepted");
    place.write(TABLE, &text[..text.len() - 5]);
    is_damaged(&place, EDITED);
}

#[test]
fn a_table_that_is_re_ordered() {
    let place = Place::accepted();
    with_lines(&place, |lines| lines.swap(4, 5));
    is_damaged(&place, EDITED);
}

#[test]
fn a_table_that_is_another_one() {
    let place = Place::accepted();
    fs::copy(place.path("odds/lantern/test.csv"), place.path(TABLE)).expect("a copy");
    is_damaged(
        &place,
        "is another table: its columns are skill,mean(score),weight:mean(score),total:mean(score)",
    );
    place.remove(TABLE);
    is_damaged(&place, "is missing");
}

#[test]
fn a_manifest_that_does_not_fit_its_tables() {
    let place = Place::accepted();
    let labels = "light = [\"dim\", \"bright\"]";
    place.change(MANIFEST, labels, "light = [\"dim\", \"dark\"]");
    place.edit("[\"dim\", \"bright\"]", "[\"dim\", \"dark\"]");
    place.edit("light == bright", "light == dark");
    let reason = format!("{MANIFEST}:6:12: this file was changed after it was written");
    refuses(&place, &reason, RESTORE);
}

#[test]
fn a_baseline_of_another_game() {
    let place = Place::accepted();
    place.edit("name = \"Lantern\"", "name = \"Torch\"");
    refuses(
        &place,
        "`odds/lantern` has the odds of \"Lantern\", not of \"Torch\"",
        "if it is the same game under another name, remove `odds/lantern` first",
    );
    place.remove_all("odds/lantern");
    assert!(place.accepts().is_first);
}

#[test]
fn a_table_that_nothing_says_anything_of() {
    let place = Place::new();
    place.make("odds/lantern");
    place.write("odds/lantern/test.csv", "mine\n");
    let before = place.contents("");
    let error = super::support::ask(&place.update()).expect_err("it is not ours");
    assert_eq!(
        place.shown(&error.to_string()),
        "`odds/lantern/test.csv` would be overwritten, and no `baseline.toml` says what it is"
    );
    assert_eq!(place.help(&error), "remove it first, if it may go");
    assert_eq!(place.contents(""), before);
}

#[test]
fn manifests_that_are_none() {
    let here = "odds/lantern/baseline.toml";
    let place = Place::accepted();
    let text = place.read(MANIFEST);
    for (from, to, reason, help) in [
        (
            "schema = 2",
            "schema = 1",
            format!("{here}:2:10: this baseline has schema 1; this version of oddsmith reads 2"),
            "remove its directory, then accept the odds as they are now: `oddsmith check --update`",
        ),
        (
            "schema = 2",
            "schema = 3",
            format!("{here}:2:10: this baseline has schema 3; this version of oddsmith reads 2"),
            "a newer version of oddsmith wrote it: use that one",
        ),
        (
            "schema = 2",
            "",
            format!("{here}:1:1: `schema` is missing"),
            RESTORE,
        ),
        (
            "rows = 30",
            "rows = \"30\"",
            format!("{here}:12:8: this must be a whole number"),
            RESTORE,
        ),
        (
            "[tables.check]",
            "<<<<<<< HEAD\n[tables.check]",
            format!("`{here}` has conflict markers of a merge, first in line 11"),
            "take either side of all the files of odds/lantern, then: oddsmith check --update",
        ),
        (
            "[tables.check]",
            "[tables.\"../../check\"]",
            format!("{here}:11:1: `../../check` is no name of a check"),
            RESTORE,
        ),
        (
            "rows = 30",
            "rows = 31",
            format!("{here}:6:12: this file was changed after it was written"),
            RESTORE,
        ),
        (
            "boon_cap = 2",
            "boon_cap = 1",
            format!("{here}:6:12: this file was changed after it was written"),
            RESTORE,
        ),
        (
            "manifest = ",
            "# ",
            format!("{here}:1:1: `manifest` is missing"),
            RESTORE,
        ),
        (
            "rules = \"",
            "rules = ",
            format!("{here}:5:9: this is not TOML: missing opening quote, expected `\"`"),
            RESTORE,
        ),
    ] {
        assert!(text.contains(from), "{from}");
        place.write(MANIFEST, &text.replacen(from, to, 1));
        refuses(&place, &reason, help);
    }
    place.write(MANIFEST, &text);
    place.stays();
}

/// A merge that was not brought to its end is no damage: either side will do.
#[test]
fn conflicts_of_a_merge() {
    let place = Place::accepted();
    place.edit("default = 2, domain", "default = 1, domain");
    let table = place.read(TABLE);
    let both = format!("<<<<<<< HEAD\n{table}=======\n{table}>>>>>>> other\n");
    place.write(TABLE, &both);
    refuses(
        &place,
        &format!("`{TABLE}` has conflict markers of a merge, first in line 1"),
        &format!("take either side of all the files of odds/lantern, then: {ACCEPT}"),
    );
    place.write(TABLE, &table);
    let cause = [("parameter boon_cap: 2 -> 1", 4)];
    assert_eq!(told(&place.accepts().causes), cause);
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    for file in [TABLE, MANIFEST] {
        let place = Place::accepted();
        place.remove(file);
        let mut pipe = std::process::Command::new("mkfifo");
        let made = pipe.arg(place.path(file)).status();
        assert!(made.expect("it can be run").success());
        for request in [place.request(), place.update()] {
            let told = place.refusal(&request);
            let reason = format!("can't read `{file}`: not a regular file");
            assert_eq!(told, (vec![reason], RESTORE.to_owned()));
        }
    }
}

#[test]
fn line_ends_of_another_system_do_not_matter() {
    let place = Place::accepted();
    for file in [
        TABLE,
        MANIFEST,
        "odds/lantern/check.probes.csv",
        "lantern.toml",
    ] {
        let text = place.read(file).replace('\n', "\r\n");
        place.write(file, &text);
    }
    let found = place.stays();
    assert!(!compared(&found, "check").drift.is_different());
}

/// If one of several can't be checked, none is written.
#[test]
fn all_baselines_or_none() {
    let place = Place::accepted();
    place.write("torch.toml", &LANTERN.replace("Lantern", "Torch"));
    place.write(
        "broken.toml",
        "name = \"Broken\"\n[checks.check]\nrules = \"show x = 1d\"\n",
    );
    place.edit("default = 2, domain", "default = 1, domain");
    let before = place.contents("");
    let files = ["lantern.toml", "torch.toml", "broken.toml"];
    let mut request = ProjectRequest {
        rulesets: files.map(|file| place.path(file)).into(),
        ..place.update()
    };
    let answer = place.answer(&request);
    assert!(answer.has_failed() && !answer.is_update && answer.has_unaccepted());
    assert_eq!(place.contents(""), before);
    let moved: Vec<_> = answer
        .found()
        .map(|(own, found)| (&*own.id, found.is_moved()))
        .collect();
    assert_eq!(moved, [("lantern", true), ("torch", false)]);
    let trouble = answer.rulesets[2].found.as_ref().expect_err("it is broken");
    let [(reason, Some(at))] = &*trouble.reasons else {
        panic!("{trouble:?}");
    };
    assert_eq!(
        (&**reason, at.line, at.column),
        ("`d` must touch its sides", 3, 20)
    );
    assert!(matches!(trouble.error, Error::Ruleset { .. }));
    // Without it both are accepted.
    request.rulesets.pop();
    let answer = place.answer(&request);
    let accepted: Vec<_> = answer.found().map(|(_, found)| found.accepted).collect();
    assert_eq!(accepted, [Some(56), Some(56)]);
    assert!(place.path("odds/torch/baseline.toml").exists());
}

#[test]
fn over_budget_nothing_is_written() {
    let place = Place::new();
    let before = place.contents("");
    let project = Project::find(&place.update()).expect("a project");
    let answer = project.answer(&Limits::steps(10), &());
    let error = answer.expect_err("ten steps are too few");
    assert!(matches!(error, Error::Exact(_)), "{error:?}");
    assert_eq!(place.contents(""), before);
    // Nor is a directory left that was not there.
    assert!(!place.path("odds").exists());
}

/// New odds of a baseline that is there are over the budget: it stays as it was.
#[test]
fn over_budget_nothing_is_overwritten() {
    let place = Place::accepted();
    place.edit("default = 2, domain", "default = 1, domain");
    let before = place.contents("");
    let project = Project::find(&place.update()).expect("a project");
    let answer = project.answer(&Limits::steps(10), &());
    let answer = answer.expect("each ruleset has its own trouble");
    assert!(answer.has_failed() && !answer.is_update);
    assert_eq!(place.contents(""), before);
}

//! Baselines that are not what was accepted: refused, and never overwritten.

use std::fs;

use super::{LANTERN_ALONE, accepted, accepts, change, check, refuses};
use crate::support::Place;

const TABLE: &str = "odds/lantern/check.csv";
const MANIFEST: &str = "odds/lantern/baseline.toml";

/// The table with its lines changed.
fn with_lines(place: &Place, alter: impl FnOnce(&mut Vec<String>)) {
    let mut lines: Vec<String> = place.read(TABLE).lines().map(str::to_owned).collect();
    alter(&mut lines);
    place.write(TABLE, &(lines.join("\n") + "\n"));
}

#[test]
fn a_table_that_is_corrupted() {
    let place = accepted();
    with_lines(&place, |lines| lines[3] = lines[3].replacen("0.", "1.", 1));
    refuses(
        &place,
        &[
            "odds/lantern/check.csv` was changed after it was accepted",
            "restore it",
        ],
    );
    let place = accepted();
    fs::write(place.path(TABLE), b"\xff\xfe\x00").expect("a file can be written");
    refuses(&place, &["is another table"]);
    place.write(TABLE, "");
    refuses(&place, &["has 0 rows, but 30 were accepted"]);
}

#[test]
fn a_table_that_is_cut_short() {
    let place = accepted();
    with_lines(&place, |lines| lines.truncate(20));
    refuses(&place, &["has 19 rows, but 30 were accepted"]);
    let place = accepted();
    let text = place.read(TABLE);
    place.write(TABLE, &text[..text.len() - 5]);
    refuses(&place, &["was changed after it was accepted"]);
}

#[test]
fn a_table_that_is_re_ordered() {
    let place = accepted();
    with_lines(&place, |lines| lines.swap(4, 5));
    refuses(&place, &["rows are edited or re-ordered"]);
}

#[test]
fn a_table_that_is_another_one() {
    let place = accepted();
    fs::copy(place.path("odds/lantern/test.csv"), place.path(TABLE)).expect("a copy");
    refuses(
        &place,
        &["is another table: its columns are skill,mean(score)"],
    );
    fs::remove_file(place.path(TABLE)).expect("a file");
    refuses(&place, &["`odds/lantern/check.csv` is missing"]);
}

#[test]
fn a_manifest_that_does_not_fit_its_tables() {
    let place = accepted();
    let text = place.read(MANIFEST);
    place.write(
        MANIFEST,
        &text.replace(
            "light = [\"dim\", \"bright\"]",
            "light = [\"dim\", \"dark\"]",
        ),
    );
    change(&place, "[\"dim\", \"bright\"]", "[\"dim\", \"dark\"]");
    change(&place, "light == bright", "light == dark");
    refuses(
        &place,
        &["this file was changed after it was written", "restore it"],
    );
}

#[test]
fn a_baseline_of_another_game() {
    let place = accepted();
    change(&place, "name = \"Lantern\"", "name = \"Torch\"");
    refuses(
        &place,
        &[
            "`odds/lantern` has the odds of \"Lantern\", not of \"Torch\"",
            "remove",
        ],
    );
    fs::remove_dir_all(place.path("odds/lantern")).expect("a directory");
    accepts(&place, &["for the first time"]);
}

#[test]
fn a_table_that_nothing_says_anything_of() {
    let place = Place::new();
    fs::create_dir_all(place.path("odds/lantern")).expect("a directory");
    place.write("odds/lantern/test.csv", "mine\n");
    let run = check(&place, &["--update"]);
    assert_eq!(run.status, Some(2), "{}", run.out);
    assert!(
        run.err
            .contains("`odds/lantern/test.csv` would be overwritten"),
        "{}",
        run.err
    );
    assert_eq!(place.read("odds/lantern/test.csv"), "mine\n");
    assert!(!place.path(MANIFEST).exists());
}

#[test]
fn manifests_that_are_none() {
    for (from, to, says) in [
        (
            "schema = 2",
            "schema = 1",
            "schema 1; this version of oddsmith reads 2",
        ),
        (
            "schema = 2",
            "schema = 3",
            "a newer version of oddsmith wrote it",
        ),
        ("schema = 2", "", "`schema` is missing"),
        ("rows = 30", "rows = \"30\"", "this must be a whole number"),
        (
            "[tables.check]",
            "<<<<<<< HEAD\n[tables.check]",
            "`odds/lantern/baseline.toml` has conflict markers of a merge, first in line 11",
        ),
        (
            "[tables.check]",
            "[tables.\"../../check\"]",
            "`../../check` is no name of a check",
        ),
        (
            "rows = 30",
            "rows = 31",
            "this file was changed after it was written",
        ),
        ("boon_cap = 2", "boon_cap = 1", "baseline.toml:6:12"),
        ("manifest = ", "# ", "`manifest` is missing"),
        ("rules = \"", "rules = ", "odds/lantern/baseline.toml:5:"),
    ] {
        let place = accepted();
        let text = place.read(MANIFEST);
        assert!(text.contains(from), "{from}");
        place.write(MANIFEST, &text.replacen(from, to, 1));
        refuses(&place, &[says]);
    }
}

/// The command that is told can be pasted, and does what is said.
#[test]
fn the_way_out_works_as_it_is_told() {
    let place = accepted();
    place.write(TABLE, "");
    let run = check(&place, &[]);
    let command = "oddsmith check lantern.toml --baseline odds --update";
    let help = format!(
        "help: restore it from version control; or remove the directory odds/lantern and accept the odds as they are now: {command}\n"
    );
    assert!(run.err.ends_with(&help), "{}", run.err);
    fs::remove_dir_all(place.path("odds/lantern")).expect("a directory");
    let run = place.shell(command);
    assert_eq!(run.status, Some(0), "{}", run.err);
    change(&place, "default = 2, domain", "default = 1, domain");
    let run = check(&place, &[]);
    let last = format!("If they are to be: {command}\n");
    assert!(run.out.ends_with(&last), "{}", run.out);
    let table = place.read(TABLE);
    place.write(
        TABLE,
        &format!("<<<<<<< HEAD\n{table}=======\n{table}>>>>>>> other\n"),
    );
    let help =
        format!("help: take either side of all the files of odds/lantern, then: {command}\n");
    refuses(
        &place,
        &["has conflict markers of a merge, first in line 1", &help],
    );
    place.write(TABLE, &table);
    accepts(&place, &["boon_cap: 2 -> 1"]);
}

#[test]
fn a_report_over_a_baseline() {
    let place = accepted();
    let report = ["report", "lantern.toml", "-o", "odds"];
    place.answer(&report);
    change(&place, "default = 2, domain", "default = 1, domain");
    let run = place.run(&report);
    let note =
        "note: lantern: these odds are not those that were accepted in `odds`: now they are\n";
    assert_eq!((run.status, run.err.as_str()), (Some(0), note));
    accepts(&place, &["lantern: as accepted"]);
    place.write(TABLE, "");
    let before = super::contents(&place, "odds");
    let err = place.refusal(&report);
    assert!(err.contains("has 0 rows, but 30 were accepted"), "{err}");
    assert!(
        err.ends_with("accept the odds as they are now: oddsmith report lantern.toml -o odds\n"),
        "{err}"
    );
    assert_eq!(super::contents(&place, "odds"), before);
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let place = accepted();
    for file in [TABLE, MANIFEST] {
        fs::remove_file(place.path(file)).expect("a file");
        let run = place.shell(&format!("mkfifo {file}"));
        assert_eq!(run.status, Some(0), "{}", run.err);
        let run = check(&place, &[]);
        assert_eq!(run.status, Some(2), "{}", run.out);
        assert!(
            run.err
                .contains(&format!("can't read `{file}`: not a regular file")),
            "{}",
            run.err
        );
    }
}

#[test]
fn line_ends_of_another_system_do_not_matter() {
    let place = accepted();
    for file in [TABLE, MANIFEST, "lantern.toml"] {
        let text = place.read(file).replace('\n', "\r\n");
        place.write(file, &text);
    }
    let run = check(&place, &[]);
    assert_eq!(run.status, Some(0), "{}{}", run.out, run.err);
}

/// If one of several can't be checked, none is written.
#[test]
fn all_baselines_or_none() {
    let place = accepted();
    let other = place.read("lantern.toml").replace("Lantern", "Torch");
    place.write("torch.toml", &other);
    place.write(
        "broken.toml",
        "name = \"Broken\"\n[checks.check]\nrules = \"show x = 1d\"\n",
    );
    change(&place, "default = 2, domain", "default = 1, domain");
    let before = super::contents(&place, "odds");
    let words = [
        "check",
        "lantern.toml",
        "torch.toml",
        "broken.toml",
        "--baseline",
        "odds",
        "--update",
    ];
    let run = place.run(&words);
    assert_eq!(run.status, Some(2), "{}", run.out);
    assert!(run.err.contains("broken.toml:3:"), "{}", run.err);
    assert_eq!(super::contents(&place, "odds"), before);
    assert_eq!(place.run(&words[..3]).status, Some(2));
}

#[test]
fn over_budget_nothing_is_written() {
    let place = Place::new();
    let run = place.run(&[&LANTERN_ALONE[..], &["--update", "--budget", "10"]].concat());
    assert_eq!(run.status, Some(2), "{}", run.out);
    // Nor is a directory left that was not there.
    assert!(!place.path("odds").exists());
}

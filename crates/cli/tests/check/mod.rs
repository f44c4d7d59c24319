//! `oddsmith check`: accepted odds, and what differs from them.

mod action;
mod broken;
mod drift;
mod formats;
mod probes;
mod projects;

use std::fs;
use std::path::Path;

use crate::support::{LANTERN, Place, Run};

/// The flags of a check without a configuration.
const LANTERN_ALONE: [&str; 4] = ["check", "lantern.toml", "--baseline", "odds"];

/// The ruleset, its odds accepted.
fn accepted() -> Place {
    let place = Place::new();
    let run = check(&place, &["--update"]);
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{}", run.out);
    place
}

fn check(place: &Place, more: &[&str]) -> Run {
    place.run(&[&LANTERN_ALONE, more].concat())
}

/// Changes the ruleset; the text must be there.
fn change(place: &Place, from: &str, to: &str) {
    let text = place.read("lantern.toml");
    assert!(text.contains(from), "{from}");
    place.write("lantern.toml", &text.replacen(from, to, 1));
}

/// Every file below a directory with its content.
fn contents(place: &Place, directory: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    collect(&place.path(directory), &mut files);
    files.sort();
    files
}

fn collect(directory: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("a file or directory").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            let bytes = fs::read(&path).expect("a file can be read");
            files.push((path.display().to_string(), bytes));
        }
    }
}

/// A check that finds drift, says all of these, and leaves the baseline alone.
fn moves(place: &Place, more: &[&str], says: &[&str]) -> String {
    let before = contents(place, "odds");
    let run = check(place, more);
    assert_eq!((run.status, run.err.as_str()), (Some(1), ""), "{}", run.out);
    for words in says {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    assert_eq!(contents(place, "odds"), before);
    run.out
}

/// A check that can't answer, whether or not it may write, and leaves the baseline alone.
fn refuses(place: &Place, says: &[&str]) {
    for more in [&[][..], &["--update"]] {
        let before = contents(place, "odds");
        let run = check(place, more);
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{}", run.err);
        assert!(!run.err.contains("panicked"), "{}", run.err);
        for words in says {
            assert!(run.err.contains(words), "{words}: {}", run.err);
        }
        assert_eq!(contents(place, "odds"), before, "{more:?}");
    }
}

/// Accepts what is there, after which there is nothing to say.
fn accepts(place: &Place, says: &[&str]) {
    let run = check(place, &["--update"]);
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{}", run.out);
    for words in says {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    let run = check(place, &[]);
    assert_eq!(run.status, Some(0), "{}", run.out);
    assert!(run.out.starts_with("lantern: as accepted ("), "{}", run.out);
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
}

#[test]
fn odds_are_accepted_once_and_then_compared() {
    let place = Place::new();
    let run = check(&place, &[]);
    let unaccepted = "lantern: no odds accepted yet (2 tables)\n";
    assert_eq!((run.status, run.out.as_str()), (Some(2), unaccepted));
    assert!(
        run.err
            .contains("as they are: oddsmith check lantern.toml --baseline odds --update")
    );
    assert!(!place.path("odds").exists());
    accepts(
        &place,
        &["lantern: accepted for the first time (2 tables of 56 configurations)"],
    );
    insta::assert_snapshot!("baseline", place.read("odds/lantern/baseline.toml"));
    let head = "stat,boons,light,Miss,Weak,Strong,Glimpse,mean(total),\
        weight:Miss,weight:Weak,weight:Strong,weight:Glimpse,total,weight:mean(total),total:mean(total)\n\
        -1,0,dim,0.5833333333333334,0.3333333333333333,0.08333333333333333,0.1388888888888889,6.0,\
        21,12,3,5,36,216,36\n";
    assert!(place.read("odds/lantern/check.csv").starts_with(head));
    let before = contents(&place, "odds");
    accepts(&place, &["lantern: as accepted"]);
    assert_eq!(contents(&place, "odds"), before);
}

#[test]
fn a_report_is_a_baseline() {
    let place = accepted();
    place.answer(&["report", "lantern.toml", "-o", "report"]);
    for file in ["baseline.toml", "check.csv", "test.csv"] {
        let of = |directory: &str| place.read(&format!("{directory}/lantern/{file}"));
        assert_eq!(of("odds"), of("report"), "{file}");
    }
}

#[test]
fn what_moves_nothing_is_no_drift() {
    let place = accepted();
    change(
        &place,
        "name = \"Lantern\"",
        "# A comment.\nname = \"Lantern\"",
    );
    let run = check(&place, &[]);
    assert_eq!(run.status, Some(0), "{}", run.out);
    assert!(
        run.out.ends_with(
            "\n  the rules changed; no odds moved in 56 configurations, which move every input and reach every branch\n"
        ),
        "{}",
        run.out
    );
    // The fingerprint of the ruleset is another one.
    accepts(&place, &["lantern: as accepted"]);
    assert!(place.run(&["check", "--help"]).out.contains("Examples:"));
    // As many boons as there can be: a greater cap caps no more.
    let capped = |cap: &str| {
        let input = format!("default = {cap}, domain = \"0..=9\", help");
        let text = LANTERN.replace("default = 2, domain = \"0..=5\", help", &input);
        place.write("lantern.toml", &text);
    };
    capped("5");
    accepts(&place, &["lantern: accepted"]);
    capped("7");
    let run = check(&place, &[]);
    assert_eq!(run.status, Some(0), "{}", run.out);
    assert!(
        run.out
            .contains("parameter boon_cap: 5 -> 7, which moves nothing (lantern.toml:4)")
    );
}

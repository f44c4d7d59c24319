//! Baselines beside the commands that write them, and the way out of one that is damaged.

use super::{LANTERN_ALONE, accepted, accepts, change, check};

const TABLE: &str = "odds/lantern/check.csv";

/// Its tables are those that are accepted, and nothing of it is: odds are accepted where a report was written before as well as
/// where none was.
#[test]
fn a_report_has_the_tables_that_are_accepted() {
    let place = accepted();
    place.answer("report lantern.toml -o report");
    for file in ["check.csv", "test.csv"] {
        let of = |directory: &str| place.read(&format!("{directory}/lantern/{file}"));
        assert_eq!(of("odds"), of("report"), "{file}");
    }
    assert!(!place.path("report/lantern/baseline.toml").exists());
    place.answer("check lantern.toml --baseline report --update");
    let of = |directory: &str| place.read(&format!("{directory}/lantern/baseline.toml"));
    assert_eq!(of("odds"), of("report"));
}

/// The command that is told can be pasted, and does what is said.
#[test]
fn the_way_out_works_as_it_is_told() {
    let place = accepted();
    place.write(TABLE, "");
    let err = place.refusal(LANTERN_ALONE);
    let command = "oddsmith check lantern.toml --baseline odds --update";
    let help = format!(
        "help: restore it from version control; or remove the directory odds/lantern and accept the odds as they are now: {command}\n"
    );
    assert!(err.ends_with(&help), "{err}");
    place.remove_all("odds/lantern");
    let run = place.shell(command);
    assert_eq!(run.status, Some(0), "{}", run.err);
    change(&place, "default = 2, domain", "default = 1, domain");
    let run = check(&place, "");
    let last = format!("If they are to be: {command}\n");
    assert!(run.out.ends_with(&last), "{}", run.out);
    let table = place.read(TABLE);
    place.write(
        TABLE,
        &format!("<<<<<<< HEAD\n{table}=======\n{table}>>>>>>> other\n"),
    );
    let help =
        format!("help: take either side of all the files of odds/lantern, then: {command}\n");
    let err = place.refusal(&format!("{LANTERN_ALONE} --update"));
    assert!(
        err.contains("has conflict markers of a merge, first in line 1") && err.ends_with(&help),
        "{err}"
    );
    place.write(TABLE, &table);
    accepts(&place, &["boon_cap: 2 -> 1"]);
}

#[test]
fn a_report_over_a_baseline_accepts_nothing() {
    let place = accepted();
    let report = "report lantern.toml -o odds";
    place.answer(report);
    place.write(TABLE, "");
    place.answer(report); // The table is what was accepted again.
    accepts(&place, &["lantern: as accepted"]);
    change(&place, "default = 2, domain", "default = 1, domain");
    let before = place.contents("odds");
    let err = place.refusal(report);
    let message = "error: `odds/lantern` has accepted odds, and those of `check` are others now\n";
    let command = "oddsmith check lantern.toml --baseline odds --update";
    let help = format!(
        "help: write the report to another directory; or accept the odds as they are now first: {command}\n"
    );
    assert_eq!(err, message.to_owned() + &help);
    assert_eq!(place.contents("odds"), before);
    place.shell(command);
    place.answer(report);
    let lantern = place.read("lantern.toml");
    place.write(
        "lantern.toml",
        &(lantern.clone() + "\n[checks.new]\nrules = 'show x = 1d6'\n"),
    );
    place.refuses(
        report,
        &["`odds/lantern` has accepted odds, but none of `new`"],
    );
    place.write("lantern.toml", &lantern.replacen("Lantern", "Torch", 1));
    place.refuses(report, &["has the odds of \"Lantern\", not of \"Torch\""]);
    place.write("lantern.toml", &lantern);
    let manifest = place.read("odds/lantern/baseline.toml");
    place.write(
        "odds/lantern/baseline.toml",
        &manifest.replacen("rows = ", "rows = 1", 1),
    );
    place.refuses(report, &["this file was changed after it was written"]);
}

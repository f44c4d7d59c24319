//! Baselines beside the commands that write them, and the way out of one that is damaged.

use super::{LANTERN_ALONE, accepted, accepts, change, check};

const TABLE: &str = "odds/lantern/check.csv";

#[test]
fn a_report_is_a_baseline() {
    let place = accepted();
    place.answer(&["report", "lantern.toml", "-o", "report"]);
    for file in ["baseline.toml", "check.csv", "test.csv"] {
        let of = |directory: &str| place.read(&format!("{directory}/lantern/{file}"));
        assert_eq!(of("odds"), of("report"), "{file}");
    }
}

/// The command that is told can be pasted, and does what is said.
#[test]
fn the_way_out_works_as_it_is_told() {
    let place = accepted();
    place.write(TABLE, "");
    let err = place.refusal(&LANTERN_ALONE);
    let command = "oddsmith check lantern.toml --baseline odds --update";
    let help = format!(
        "help: restore it from version control; or remove the directory odds/lantern and accept the odds as they are now: {command}\n"
    );
    assert!(err.ends_with(&help), "{err}");
    place.remove_all("odds/lantern");
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
    let err = place.refusal(&[&LANTERN_ALONE[..], &["--update"]].concat());
    assert!(
        err.contains("has conflict markers of a merge, first in line 1") && err.ends_with(&help),
        "{err}"
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
    let before = place.contents("odds");
    let err = place.refusal(&report);
    assert!(err.contains("has 0 rows, but 30 were accepted"), "{err}");
    assert!(
        err.ends_with("accept the odds as they are now: oddsmith report lantern.toml -o odds\n"),
        "{err}"
    );
    assert_eq!(place.contents("odds"), before);
}

//! Readers that leave, and a standard output on which there is no room.

use crate::support::Place;

/// Every command that answers on standard output.
const ANSWERS: [&str; 16] = [
    "odds lantern.toml",
    "odds lantern.toml --format json",
    "table lantern.toml --sweep all",
    "table lantern.toml --sweep all --format table",
    "dist 4d6kh3",
    "dist 4d6kh3 --format csv",
    "track buried-secrets:race",
    "contest lantern.toml --compare total",
    "compare lantern.toml --with stat=2",
    "policy stars-and-signs --set effort=5",
    "balance value lantern.toml",
    "balance lint lantern.toml",
    "chart lantern.toml --x stat -o -",
    "simulate lantern.toml --trials 1e5",
    "rules show lantern.toml",
    "verify cases.csv",
];

#[test]
fn no_room_for_the_answer_is_an_error() {
    let place = Place::new();
    for command in ANSWERS {
        let run = place.shell(&format!("oddsmith {command} > /dev/full"));
        assert_eq!(run.status, Some(2), "{command}: {}", run.err);
        assert!(run.err.contains("error: "), "{command}: {}", run.err);
        assert!(
            run.err.to_lowercase().contains("no space left on device"),
            "{command}: {}",
            run.err
        );
    }
}

#[test]
fn a_reader_that_leaves_at_once_is_no_failure() {
    let place = Place::new();
    for command in ANSWERS {
        let run = place.shell(&format!(
            "{{ oddsmith {command}; echo $? > status; }} | true"
        ));
        assert!(!run.err.contains("error"), "{command}: {}", run.err);
        assert!(
            ["0\n", "1\n"].contains(&place.read("status").as_str()),
            "{command}"
        );
    }
}

/// What a command has found out is told by its status also where nobody reads the rest.
#[test]
fn a_verdict_stays_where_a_reader_leaves() {
    let place = Place::new();
    place.answer("check lantern.toml --baseline accepted --update");
    let drifted = place
        .read("lantern.toml")
        .replace("boon_cap = { default = 2", "boon_cap = { default = 3");
    place.write("lantern.toml", &drifted);
    for command in [
        "check lantern.toml --baseline accepted",
        "tune lantern.toml --vary boon_cap --goal 'Miss at most 0'",
    ] {
        let whole = place.run(command);
        assert_eq!(
            whole.status,
            Some(1),
            "{command}: {}{}",
            whole.out,
            whole.err
        );
        let left = format!("{{ sleep 0.3; oddsmith {command}; echo $? > status; }} | true");
        let run = place.shell(&left);
        assert_eq!(run.err, "", "{command}");
        assert_eq!(place.read("status"), "1\n", "{command}");
    }
}

/// More than fits between the two, so that the program meets the end in the midst of it.
#[test]
fn a_reader_may_leave_in_every_format() {
    let place = Place::new();
    for format in ["csv", "jsonl", "markdown", "bbcode", "table"] {
        let command = format!("oddsmith table stars-and-signs --sweep all --format {format}");
        let run = place.shell(&format!("{{ {command}; echo $? > status; }} | head -1"));
        assert_eq!(
            (run.out.lines().count(), run.err.as_str()),
            (1, ""),
            "{format}"
        );
        assert_eq!(place.read("status"), "0\n", "{format}");
    }
}

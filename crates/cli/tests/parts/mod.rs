//! Work in parts: `--part`, and what `oddsmith merge` makes of it, which is what one process does.

mod asked;

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::support::{Place, Run, words};

/// Rules of which some configurations are forbidden, and some can't be carried out.
const GAPS: &str = r#"
name = "Gaps"
require = ["a != 3"]
[checks.check]
bands = ["Miss", "Hit"]
axes.a = { default = 1, domain = "0..=5", sweep = "0..=5" }
axes.b = { default = 1, domain = "-2..=4", sweep = "-2..=4" }
rules = """
show total = floor((2d6 + a) / (b + 2))
show band = if total >= 5 then Hit else Miss
"""
"#;

/// The files of all parts of a command.
fn parts(place: &Place, words: &str, of: usize) -> Vec<String> {
    let part = |at: usize| {
        let (name, number) = (format!("{at}of{of}.part"), format!("{at}/{of}"));
        let run = place.run(&format!("{words} --part {number} -o {name}"));
        assert_eq!((run.status, run.out.as_str()), (Some(0), ""), "{}", run.err);
        name
    };
    (1..=of).map(part).collect()
}

fn merge(place: &Place, parts: &[String], more: &str) -> Run {
    place.run(&format!("merge {} {more}", parts.join(" ")))
}

/// A printed answer is the one of its parts, in as many as there are and in another order; so is its exit status.
fn is_printed_alike(place: &Place, words: &str, of: usize) {
    let alone = place.run(words);
    let mut parts = parts(place, words, of);
    parts.rotate_left(of / 2);
    let merged = merge(place, &parts, "");
    assert_eq!(
        (merged.status, merged.out),
        (alone.status, alone.out.clone()),
        "{words}"
    );
    let filed = merge(place, &parts, "-o answer");
    assert_eq!(
        (filed.status, filed.out.as_str()),
        (alone.status, ""),
        "{words}"
    );
    assert_eq!(place.read("answer"), alone.out, "{words}");
}

#[test]
fn tables_in_every_format() {
    let place = Place::new();
    place.write("gaps.toml", GAPS);
    for ruleset in ["lantern.toml", "gaps.toml"] {
        let sweep = format!("table {ruleset} --sweep all");
        for options in ["", "--exact", "--query 'mean(total)'"] {
            let words = format!("{sweep} {options}");
            let parts = parts(&place, &words, 5);
            for name in ["odds.csv", "odds.jsonl", "odds.md", "odds.parquet"] {
                let alone = place.run(&format!("{words} -o {name}"));
                let bytes = fs::read(place.path(name)).expect("a table");
                fs::remove_file(place.path(name)).expect("it is there");
                let merged = merge(&place, &parts, &format!("-o {name}"));
                assert_eq!((merged.status, &merged.err), (alone.status, &alone.err));
                assert_eq!(
                    fs::read(place.path(name)).expect("a table"),
                    bytes,
                    "{words} {name}"
                );
            }
        }
        for format in ["csv", "table", "bbcode", "markdown"] {
            is_printed_alike(&place, &format!("{sweep} --format {format}"), 4);
        }
    }
    let pivot = "table gaps.toml --sweep all --pivot b --format table";
    is_printed_alike(&place, pivot, 3);
}

#[test]
fn a_strict_table_is_refused_where_its_parts_are_put_together() {
    let place = Place::empty();
    place.write("gaps.toml", GAPS);
    let words = "table gaps.toml --sweep all --strict";
    let parts = parts(&place, words, 3);
    let (alone, merged) = (place.run(words), merge(&place, &parts, ""));
    assert_eq!((merged.status, merged.err), (alone.status, alone.err));
    assert_eq!(merged.status, Some(2));
}

#[test]
fn searches_that_find_something_and_proofs() {
    let place = Place::new();
    let vary = "tune stars-and-signs --vary 'thresholds[1]=12..=18' --vary boon_cap=2..=6";
    let goals = [
        "--goal 'P(band>=Hit) at least 60 %' --goal 'mean(total) ~ 15'",
        "--goal 'P(band>=Hit) ~ 0.6' --goal 'Critical @ circ_boons=5 ~ 0.5'",
        "--goal 'Hit at least 99 %' --goal 'Critical at least 50 %'",
    ];
    for goals in goals {
        for format in ["table", "json", "csv"] {
            is_printed_alike(&place, &format!("{vary} {goals} --format {format}"), 4);
        }
    }
}

#[test]
fn a_search_in_parts_writes_its_change_in_the_end() {
    let place = Place::new();
    let words = "tune lantern.toml --vary boon_cap=all --set boons=5 --goal 'Strong ~ 40 %'";
    place.refuses(
        &format!("{words} --part 1/2 --apply new.toml"),
        &["`--apply` is of the whole answer"],
    );
    let parts = parts(&place, words, 2);
    assert!(!place.path("new.toml").exists());
    let merged = merge(&place, &parts, "-- --apply new.toml");
    assert_eq!(merged.status, Some(0), "{}", merged.err);
    place.run(&format!("{words} --apply alone.toml"));
    assert_eq!(place.read("new.toml"), place.read("alone.toml"));
}

#[test]
fn trials_of_sweeps_contests_and_dice() {
    let place = Place::new();
    let commands = [
        "simulate stars-and-signs --sweep circ_boons=-2..=2 --trials 200000",
        "simulate stars-and-signs --a ability_rank=8 --b ability_rank=4",
        "simulate stars-and-signs:counter --trials 100000 --no-exact",
        "simulate --dice 4d6kh3 --seed 9",
    ];
    for words in commands {
        for format in ["table", "json", "csv"] {
            is_printed_alike(&place, &format!("{words} --format {format}"), 3);
        }
    }
}

#[test]
fn what_has_no_parts_is_refused() {
    let place = Place::new();
    let table = "table lantern.toml --sweep all -o x.part --part";
    for (number, why) in [
        (
            "0/4",
            "there is no part 0 of 4: they are numbered from 1 to 4",
        ),
        ("5/4", "there is no part 5 of 4"),
        ("1/0", "a job has at least one part"),
        ("2", "not a part such as 2/4"),
    ] {
        place.refuses(&format!("{table} {number}"), &[why]);
    }
    let words = "simulate lantern.toml --until-error 0.1 --part 1/2";
    place.refuses(&format!("{words} -o x.part"), &["can't be cut into parts"]);
    place.refuses(
        "odds lantern.toml --part 1/2",
        &["unexpected argument '--part'"],
    );
    place.refuses(
        "table lantern.toml --sweep all -o lantern.toml --part 1/2",
        &["is the ruleset itself"],
    );
    assert!(!place.path("x.part").exists());
}

#[test]
fn parts_that_do_not_fit_are_named_and_nothing_is_written() {
    let place = Place::new();
    let all = parts(&place, "table lantern.toml --sweep all", 3);
    let refuses = |names: &str, says: &str| {
        place.refuses(&format!("merge {names} -o odds.csv"), &[says]);
        assert!(!place.path("odds.csv").exists(), "{names}");
    };
    refuses("1of3.part", "parts 2/3, 3/3 are missing");
    refuses(
        "1of3.part 2of3.part 1of3.part",
        "part 1/3 comes twice: in `1of3.part` and in `1of3.part`",
    );
    let other = "table lantern.toml --sweep all --exact --part 3/3";
    place.answer(&format!("{other} -o other.part"));
    refuses(
        "1of3.part 2of3.part other.part",
        "`other.part` is of another job: something else was asked",
    );
    refuses("lantern.toml", "its first line does not say what it is");
    place.refuses(
        "merge 1of3.part 2of3.part 3of3.part -o 2of3.part",
        &["is one of the parts and would be replaced"],
    );
    let rules = place.read("lantern.toml").replace("# ", "#  ") + "\n# changed\n";
    place.write("lantern.toml", &rules);
    refuses(
        &all.join(" "),
        "`lantern.toml` was another file when the parts were made",
    );
}

/// A file of parts may come from a stranger: no other command is run for it, and none that writes anywhere else.
#[test]
fn a_part_can_only_ask_for_what_has_parts() {
    let place = Place::new();
    let words = "tune lantern.toml --vary boon_cap=all --goal 'Strong ~ 40 %'";
    place.answer(&format!("{words} --part 1/1 -o 1.part"));
    let part = place.read("1.part");
    assert!(part.contains("\"--goal=Strong ~ 40 %\""), "{part}");
    let asks = |from: &str, to: &str| {
        place.write("2.part", &part.replace(from, to));
        place.run("merge 2.part")
    };
    let written = asks(
        "\"--goal=Strong ~ 40 %\"",
        "\"--goal=Strong ~ 40 %\",\"--apply=new.toml\"",
    );
    assert_eq!(written.out, place.answer(words));
    assert!(!place.path("new.toml").exists());
    let other = asks(
        "\"command\":[\"tune\"",
        "\"command\":[\"report\",\"-o=new\",\"--\",\"tune\"",
    );
    assert_eq!(other.status, Some(2), "{}", other.out);
    assert!(!place.path("new").exists());
}

/// A killed run leaves no part, or the whole of it where the kill came between the file's last step and the end of the
/// process; done again, it is the part that it would have been.
#[test]
fn a_part_whose_process_is_killed_is_done_again() {
    let place = Place::empty();
    let line = "table stars-and-signs --sweep circ_boons=-5..=5 --sweep ability_rank=all \
        --sweep ability_boons=-5..=5 --sweep flat=0..=600";
    place.answer(&format!("{line} -o alone.csv"));
    let alone = place.read("alone.csv");
    let mut parts = parts(&place, line, 3);
    parts.reverse();
    let whole = fs::read(place.path("2of3.part")).expect("it is there");
    let mut killed = 0;
    for run in 0..10 {
        fs::remove_file(place.path("2of3.part")).expect("it is there");
        let mut command = place.command();
        command.args(words(&format!("{line} --part 2/3 -o 2of3.part")));
        let mut child = command
            .stderr(Stdio::null())
            .spawn()
            .expect("it can be started");
        sleep(Duration::from_millis(10 + 8 * run));
        child.kill().expect("it is a child");
        child.wait().expect("it ends");
        match fs::read(place.path("2of3.part")) {
            Ok(left) => assert!(left == whole, "half of a part is none"),
            Err(_) => killed += 1,
        }
        place.answer(&format!("{line} --part 2/3 -o 2of3.part"));
        let merged = merge(&place, &parts, "-o merged.csv");
        assert_eq!((merged.status, merged.err.as_str()), (Some(0), ""));
        assert!(place.read("merged.csv") == alone, "the tables are alike");
    }
    assert!(killed > 0, "some run was killed before its end");
}

//! What users meet: the real program, its output, its files and its exit status.

#![cfg(unix)]

mod anydice;
mod balance;
mod check;
mod compare;
mod contests;
mod distributions;
mod documents;
mod explain;
mod faults;
mod formatting;
mod help;
mod hostile;
mod labels;
mod lint;
mod lsp;
mod parts;
mod pictures;
mod plans;
mod policies;
mod screens;
mod shelf;
mod simulate;
mod support;
mod tables;
mod tracks;
mod tune;
mod workbench;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{LANTERN, Place, records, words};

// Shapes.

#[test]
fn odds_in_every_format() {
    let place = Place::new();
    let ask = |format| {
        place.answer(&format!(
            "odds lantern.toml --set boons=1 --query 'mean(total|Strong)' --format {format}"
        ))
    };
    insta::assert_snapshot!("odds_table", ask("table"));
    insta::assert_snapshot!("odds_csv", ask("csv"));
    insta::assert_snapshot!("odds_markdown", ask("markdown"));
    assert_eq!(ask("md"), ask("markdown"));
    place.write(
        "number.toml",
        "name = \"Number\"\n[checks.check]\nrules = 'show total = 1d6'\n",
    );
    let pasted = place.answer("odds number.toml --format markdown");
    assert!(pasted.contains("| mean(total) | 3.5 | 7/2 |"), "{pasted}");
    let json: serde_json::Value = serde_json::from_str(&ask("json")).expect("JSON");
    assert_eq!(json["ruleset"], "lantern.toml");
    assert_eq!(json["check"], "check");
    assert_eq!(json["configuration"], serde_json::json!({ "boons": 1 }));
    let csv = records(&ask("csv"));
    for (row, object) in csv[1..]
        .iter()
        .zip(json["outcomes"].as_array().expect("a list"))
    {
        assert_eq!(object["outcome"], row[0]);
        assert_eq!(object["weight"], row[1]);
        assert_eq!(object["total"], row[2]);
        assert_eq!(object["probability"].to_string(), row[3]);
    }
    assert_eq!(csv.len(), 1 + 3 + 1 + 1);
}

#[test]
fn a_distribution_in_every_format() {
    let place = Place::new();
    insta::assert_snapshot!("dist_table", place.answer("dist 2d4"));
    let rows = records(&place.answer("dist 2d4 --format csv"));
    assert_eq!(
        rows[0].join(","),
        "outcome,weight,total,probability,at_least,at_most"
    );
    let weight = |row: &Vec<String>| row[1].parse::<u64>().expect("a whole number");
    assert_eq!(rows[1..].iter().map(weight).sum::<u64>(), 16);
    assert_eq!(rows[1][1..], ["1", "16", "0.0625", "1.0", "0.0625"]);
    let json: serde_json::Value =
        serde_json::from_str(&place.answer("dist 2d4 --format json")).expect("JSON");
    assert_eq!(
        (json["mean"].as_str(), json["variance"].as_str()),
        (Some("5"), Some("5/2"))
    );
    let pipes = place.answer("dist 2d4 --format markdown");
    assert_eq!(pipes.lines().count(), 2 + 7);
}

#[test]
fn an_expression_may_be_several_words_and_negative() {
    let place = Place::new();
    let csv = |words: &str| place.answer(&format!("dist {words} --format csv"));
    assert_eq!(csv("2d6 + 3"), csv("2d6+3"));
    assert!(csv("-1d6").contains("\n-6,1,6,"));
    assert_eq!(csv("7 - d6"), csv("d6"));
}

/// What is predicted does not vary; what it took does.
#[test]
fn an_answer_explained_in_every_format() {
    let place = Place::new();
    let ask = |format| {
        place.answer(&format!(
            "dist '20d20kh10 + 6d10 cs>=7' --explain --format {format}"
        ))
    };
    let json: serde_json::Value = serde_json::from_str(&ask("json")).expect("JSON");
    let steps = json["steps"].as_array().expect("a list");
    let told =
        |key: &str| -> Vec<&serde_json::Value> { steps.iter().map(|step| &step[key]).collect() };
    assert_eq!(
        told("question"),
        [
            "the sum of the highest 10 of 20d20",
            "how many of 6d10 show one of 4 faces from 7 to 10",
            "the sum of 6d{0: 6, 1: 4}",
            "the sum of two numbers with 191 and 7 outcomes",
        ]
    );
    let algorithms = [
        "Horner scheme",
        "sum of dice",
        "recurrence of ratios",
        "convolution",
    ];
    assert_eq!(told("algorithm"), algorithms);
    assert_eq!(told("numbers"), ["u128", "u64", "u64", "u128"]);
    assert_eq!(told("depth"), [0, 0, 1, 0]);
    let nanoseconds = |value: &serde_json::Value| value.as_u64().expect("nanoseconds");
    let parts: u64 = steps
        .iter()
        .filter(|step| step["depth"] == 0)
        .map(|step| nanoseconds(&step["predicted_ns"]))
        .sum();
    assert!(parts > 0 && parts < nanoseconds(&json["predicted_ns"]));
    assert!(nanoseconds(&json["took_ns"]) > 0);

    let csv = records(&ask("csv"));
    assert_eq!(csv.len(), 1 + 4 + 1);
    for (row, step) in csv[1..].iter().zip(steps) {
        assert_eq!(step["question"], row[1]);
        assert_eq!(step["predicted_ns"].to_string(), row[6]);
    }
    assert_eq!(csv[5][1], "all of it");
    let (table, pipes) = (ask("table"), ask("markdown"));
    for algorithm in algorithms {
        assert!(table.contains(algorithm) && pipes.contains(algorithm));
    }
    assert!(table.contains("Horner scheme: equal dice, kept from one end; "));
    place.refusal("dist d6 --explain --query 'mean(value)'");
}

/// The last group ends where the numbers end.
#[test]
fn groups_at_the_end_of_the_numbers() {
    let answer = Place::new().answer("dist '1d100 + 9223372036854775707'");
    assert!(
        answer.contains("9223372036854775803 to 9223372036854775807"),
        "{answer}"
    );
}

#[test]
fn a_long_distribution_is_grouped_or_whole_but_says_which() {
    let place = Place::new();
    assert!(
        place
            .answer("dist 1000d6")
            .contains("values in groups of 10;")
    );
    let exploding = place.answer("dist '3d6!(4)'");
    assert!(!exploding.contains("groups of 1;"), "{exploding}");
    assert!(
        exploding.contains("88 values, the outermost together"),
        "{exploding}"
    );
}

#[test]
fn fractions_are_exact_or_marked() {
    let place = Place::new();
    let ask = |dice: &str, query: &str| place.answer(&format!("dist {dice} --query '{query}'"));
    assert!(ask("5d7", "variance(value)").contains("20"));
    assert!(ask("4d10kh2", "variance(value)").contains("265002111/25000000"));
    assert!(ask("500d6", "P(value>=1780)").contains("≈ 1 in 4.5"));
    let least = ask("900d6", "P(value==900)");
    assert!(
        least.contains("<0.01%") && least.contains("≈ 1 in 2.2e700"),
        "{least}"
    );
    let most = ask("900d6", "P(value>900)");
    assert!(
        most.contains(">99.99%") && most.contains("≈ all but 1 in 2.2e700"),
        "{most}"
    );
}

#[test]
fn tables_in_every_format() {
    let place = Place::new();
    let sweep = "table lantern.toml --sweep light=all --sweep stat=-1,0";
    let ask = |more: &str| place.answer(&format!("{sweep} {more}"));
    let exact = ask("--exact");
    insta::assert_snapshot!("table_exact", exact);
    let rows = records(&exact);
    for row in &rows[1..] {
        let weights: u64 = row[5..8]
            .iter()
            .map(|cell| cell.parse::<u64>().expect("whole"))
            .sum();
        assert_eq!(weights.to_string(), row[8], "bands make up the total");
    }
    for (name, lines) in [("t.csv", 5), ("t.jsonl", 4), ("t.md", 6)] {
        assert_eq!(ask(&format!("-o {name}")), "");
        assert_eq!(place.read(name).lines().count(), lines, "{name}");
    }
    assert_eq!(place.read("t.csv"), ask(""));
    for line in place.read("t.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(row["Miss"].is_f64() && row["light"].is_string());
    }
    assert_eq!(ask("-o t.parquet"), "");
    let parquet = fs::read(place.path("t.parquet")).expect("a file");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    assert!(ask("--format table").starts_with("light"));
}

#[test]
fn sweeping_all_takes_every_declared_sweep_in_order() {
    let place = Place::new();
    let rows = records(&place.answer("table lantern.toml --sweep all"));
    assert_eq!(rows[0][..3], ["stat", "boons", "light"]);
    assert_eq!(rows.len(), 1 + 5 * 3 * 2);
    let keys: Vec<String> = rows[1..4].iter().map(|row| row[..3].join(" ")).collect();
    assert_eq!(keys, ["-1 0 dim", "-1 0 bright", "-1 1 dim"]);
    let fixed = records(&place.answer("table lantern.toml --sweep all --set boons=2"));
    assert_eq!(fixed.len(), 1 + 5 * 2);
    for row in &fixed[1..] {
        let same = rows
            .iter()
            .find(|all| all[0] == row[0] && all[1] == "2" && all[2] == row[1]);
        assert_eq!(same.expect("in the whole table")[3..], row[2..]);
    }
    let one = place.answer("table lantern.toml --sweep all --threads 1");
    assert_eq!(records(&one), rows);
}

#[test]
fn a_parameter_set_is_a_parameter_edited() {
    let place = Place::new();
    place.write(
        "mine.toml",
        &LANTERN.replace("boon_cap = { default = 2", "boon_cap = { default = 1"),
    );
    let edited = place.answer("table mine.toml --sweep boons=0..=5 --exact");
    let words = "table lantern.toml --sweep boons=0..=5 --exact";
    let set = place.answer(&format!("{words} --set boon_cap=1"));
    assert_eq!(edited, set);
    assert_ne!(edited, place.answer(words));
}

#[test]
fn colours_only_where_they_are_wanted() {
    let place = Place::new();
    let has_colour = |line: &str, variables: &[(&str, &str)]| {
        let output = place
            .command()
            .args(words(line))
            .envs(variables.iter().copied())
            .output();
        output.expect("a run").stdout.contains(&b'\x1b')
    };
    assert!(!has_colour("dist d6", &[]));
    assert!(has_colour("dist d6 --color always", &[]));
    assert!(has_colour("dist d6", &[("CLICOLOR_FORCE", "1")]));
    assert!(!has_colour(
        "dist d6",
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
    ));
    assert!(!has_colour("dist d6 --format csv --color always", &[]));
}

// Cases.

#[test]
fn verify_counts_and_says_what_failed() {
    let place = Place::new();
    assert_eq!(place.answer("verify cases.csv"), "3 passed, 0 failed\n");
    let more = "off,dist,2d6,,P(value==7),1,7\n\
        gone,odds,missing.toml:check,,Miss,1,2\n\
        label,odds,lantern.toml:check,,Mis,1,2\n\
        asked,guess,2d6,,mean(value),7,1\n\
        endless,dist,2d6,,mean(value),inf,\n";
    place.write("cases.csv", &(support::CASES.to_owned() + more));
    let run = place.run("verify cases.csv");
    assert_eq!((run.status, run.err.as_str()), (Some(1), ""));
    insta::assert_snapshot!("verify_failures", run.out);
}

#[test]
fn a_case_file_must_say_something() {
    let place = Place::new();
    place.write("empty.csv", "");
    place.write(
        "head.csv",
        "id,question,target,set,query,numerator,denominator\n",
    );
    place.write(
        "zero.csv",
        "id,question,target,set,query,numerator,denominator\nx,dist,d6,,mean(value),7,0\n",
    );
    for (file, words) in [
        ("none.csv", "can't read"),
        ("empty.csv", "no column"),
        ("head.csv", "no rows"),
        ("zero.csv", "zero.csv:2: `denominator` is 0"),
    ] {
        place.refuses(&format!("verify {file}"), &[words]);
    }
}

// What can't be answered.

#[test]
fn refusals_say_why_and_leave_nothing() {
    let place = Place::new();
    place.write(
        "zero.toml",
        &LANTERN.replace("2d6 + skill", "floor(2d6 / skill)"),
    );
    let before = place.files();
    let cases: &[(&str, &[&str])] = &[
        (
            "odds lantern.toml --set stt=1",
            &["no axis or parameter `stt`", "did you mean `stat`?"],
        ),
        (
            "odds lantern.toml --set stat=9",
            &["9 is outside the domain -1..=3"],
        ),
        (
            "odds lantern.toml --set stat=9 --set stt=1",
            &["outside the domain", "`stt`"],
        ),
        (
            "odds lantern.toml:chek",
            &["has no check `chek`", "`lantern.toml:check`"],
        ),
        (
            "dist lantern.toml:total",
            &[
                "has no check or track `total`",
                "`lantern.toml:check.total`",
            ],
        ),
        (
            "odds lantern.toml --set stat=1..=2",
            &["one value is set", "--sweep stat=1..=2"],
        ),
        (
            "odds lanten.toml",
            &["can't read `lanten.toml`", "did you mean `lantern.toml`?"],
        ),
        ("odds lantern.tml", &["did you mean `lantern.toml`?"]),
        ("odds lantern", &["no ruleset `lantern`", "`lantern.toml`"]),
        ("odds stars-and-sings", &["did you mean `stars-and-signs`?"]),
        (
            "odds lantern.toml --budget 10",
            &["steps or more", "the budget is 10"],
        ),
        (
            "odds lantern.toml:test --budget 3",
            &["steps or more", "the budget is 3"],
        ),
        (
            "odds zero.toml:test --set skill=0",
            &["division by zero, for skill=0", "zero.toml:"],
        ),
        ("odds lantern.toml --query total", &["error"]),
        (
            "dist 2d6 --query P(total>=12)",
            &["unknown name `total`", "value"],
        ),
        ("dist 2d", &["error"]),
        ("dist", &["Usage: oddsmith dist"]),
        ("table lantern.toml", &["at least one `--sweep`"]),
        ("table lantern.toml --sweep stt=1 -o x.csv", &["`stt`"]),
        (
            "table lantern.toml --sweep stat=9 -o x.csv",
            &["outside the domain"],
        ),
        (
            "table lantern.toml --sweep stat=0 --sweep stat=1 -o x.csv",
            &["swept twice"],
        ),
        (
            "table lantern.toml --sweep stat=0 --set stat=1 -o x.csv",
            &["both set", "and swept"],
        ),
        (
            "table lantern.toml --sweep stat=0 -o x.xls",
            &["does not say a format"],
        ),
        (
            "table lantern.toml --sweep stat=0 -o no/x.csv",
            &["can't write in `no`"],
        ),
        (
            "table lantern.toml --sweep stat=0 -o .",
            &["is a directory"],
        ),
        (
            "table lantern.toml --sweep all --budget 1 -o x.csv",
            &["a table of 30 configurations needs"],
        ),
        (
            "table zero.toml:test --sweep skill=4,3,0 --strict -o x.csv",
            &["division by zero, for skill=0"],
        ),
        (
            "table zero.toml:test --sweep all --strict -o x.parquet",
            &["division by zero, for skill=0"],
        ),
        (
            "rules validate lantern.toml:check",
            &["all of its checks", "rules validate lantern.toml`"],
        ),
        (
            "rules validate zero.toml",
            &[
                "division by zero in `test` at skill=0",
                "1 error in zero.toml",
            ],
        ),
    ];
    for (line, says) in cases {
        place.refuses(line, says);
    }
    assert_eq!(place.files(), before);
}

#[test]
fn every_error_of_a_file_is_reported() {
    let place = Place::new();
    let rules: String = (0..5)
        .map(|at| format!("show v{at} = 1d6 + nope{at}\n"))
        .collect();
    let file = |rules: &str| format!("name = \"Bad\"\n[checks.check]\nrules = '''\n{rules}'''\n");
    place.write("bad.toml", &file(&rules));
    let said = place.refusal("rules validate bad.toml");
    for at in 0..5 {
        assert!(said.contains(&format!("`nope{at}`")), "{said}");
    }
    assert!(said.contains("5 errors in bad.toml"), "{said}");
    assert_eq!(said, place.refusal("odds bad.toml"));

    let rules: String = (0..50)
        .map(|at| format!("show v{at} = 1d6 + nope{at}\n"))
        .collect();
    place.write("worse.toml", &file(&rules));
    let said = place.refusal("odds worse.toml");
    assert_eq!(said.matches("error: unknown name").count(), 20);
    assert!(
        said.contains("and 30 more errors") && said.contains("50 errors in worse.toml"),
        "{said}"
    );
}

// Where a table goes.

const SMALL: &str = "table lantern.toml --sweep stat=all";

#[test]
fn devices_are_written_not_replaced() {
    let place = Place::new();
    let expected = place.answer(SMALL);
    let to = |path: &str| place.answer(&format!("{SMALL} -o {path}"));
    symlink("/dev/stdout", place.path("out.csv")).expect("a link");
    for stdout in ["-", "/dev/stdout", "out.csv"] {
        assert_eq!(to(stdout), expected, "{stdout}");
    }
    symlink("/dev/null", place.path("null.csv")).expect("a link");
    assert_eq!(
        (to("/dev/null"), to("null.csv")),
        (String::new(), String::new())
    );
    let made = Command::new("mkfifo")
        .arg(place.path("pipe"))
        .arg(place.path("pipe.parquet"))
        .status();
    assert!(made.expect("mkfifo").success());
    let run =
        place.shell("cat pipe & oddsmith table lantern.toml --sweep stat=all -o pipe && wait");
    assert_eq!((run.status, run.out), (Some(0), expected));
    let parquet = place.refusal(&format!("{SMALL} -o pipe.parquet"));
    assert!(
        parquet.contains("only be written to a regular file"),
        "{parquet}"
    );
    for link in ["out.csv", "null.csv"] {
        assert!(place.path(link).is_symlink(), "{link}");
    }
    assert_eq!(
        place.files(),
        [
            "cases.csv",
            "lantern.toml",
            "null.csv",
            "out.csv",
            "pipe",
            "pipe.parquet"
        ]
    );
}

#[test]
fn a_file_keeps_its_mode_and_its_links() {
    let place = Place::new();
    let expected = place.answer(SMALL);
    place.write("old.csv", "old");
    fs::set_permissions(place.path("old.csv"), fs::Permissions::from_mode(0o640)).expect("a mode");
    symlink("old.csv", place.path("link.csv")).expect("a link");
    symlink("new.csv", place.path("dangling.csv")).expect("a link");
    for name in ["old.csv", "link.csv", "dangling.csv"] {
        place.answer(&format!("{SMALL} -o {name}"));
        assert_eq!(place.read(name), expected, "{name}");
    }
    let mode = fs::metadata(place.path("old.csv"))
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    assert!(place.path("link.csv").is_symlink() && place.path("dangling.csv").is_symlink());
}

#[test]
fn a_table_never_replaces_its_ruleset() {
    let place = Place::new();
    symlink("lantern.toml", place.path("link.csv")).expect("a link");
    for name in ["lantern.toml", "./lantern.toml", "link.csv"] {
        place.refuses(
            &format!("{SMALL} --format csv -o {name}"),
            &["is the ruleset itself"],
        );
    }
    assert_eq!(place.read("lantern.toml"), LANTERN);
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let place = Place::new();
    let long = "oddsmith table stars-and-signs --sweep all";
    let run = place.shell(&format!("{{ {long}; echo $? > status; }} | head -2"));
    assert_eq!((run.out.lines().count(), run.err.as_str()), (2, ""));
    assert_eq!(place.read("status"), "0\n");
}

#[test]
fn an_interruption_leaves_no_file() {
    let place = Place::new();
    let before = place.files();
    let line = "table stars-and-signs --sweep all --sweep flat=0..=9999 --budget 1e18 -o long.csv";
    let mut child = place
        .command()
        .args(words(line))
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process");
    let start = Instant::now();
    while place.files() == before {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "no file was begun"
        );
        assert!(
            child.try_wait().expect("a status").is_none(),
            "it ended by itself"
        );
        thread::sleep(Duration::from_millis(10));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill").success());
    assert_eq!(child.wait().expect("a status").code(), Some(130));
    assert_eq!(place.files(), before);
}

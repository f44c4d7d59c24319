//! Programs in the language of AnyDice: all cases in every form of an answer, and the way to a ruleset.

use std::fs;

use oddsmith_testkit::rulesets::anydice_programs;

use crate::support::{Place, records};

/// A fraction in lowest terms, as the cases write it.
fn fraction(weight: &str, total: &str) -> String {
    let (weight, total): (u128, u128) = (
        weight.parse().expect("a number"),
        total.parse().expect("a number"),
    );
    let (mut a, mut b) = (weight, total);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    match total / a {
        1 => format!("{}", weight / a),
        denominator => format!("{}/{denominator}", weight / a),
    }
}

/// `outcome:chance` of each output, by its number.
fn outputs(csv: &str) -> Vec<(usize, String)> {
    let pairs = records(csv).into_iter().skip(1).map(|row| {
        let number = row[0].parse().expect("a number");
        (number, format!("{}:{}", row[2], fraction(&row[3], &row[4])))
    });
    let mut outputs: Vec<(usize, String)> = Vec::new();
    for (number, pair) in pairs {
        match outputs.last_mut() {
            Some((last, text)) if *last == number => *text = format!("{text} {pair}"),
            _ => outputs.push((number, pair)),
        }
    }
    outputs
}

/// What the remarks of a program say: the outputs that are not empty, by number.
fn expected(program: &str) -> Vec<(usize, String)> {
    let remarks = program
        .lines()
        .filter_map(|line| line.strip_prefix("\\= ")?.strip_suffix(" \\"));
    let odds = remarks.map(|remark| {
        remark
            .split("cut ")
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    });
    (1..)
        .zip(odds)
        .filter(|(_, odds)| odds != "empty")
        .collect()
}

#[test]
fn every_case_has_its_odds() {
    let place = Place::new();
    let mut count = 0;
    for program in anydice_programs() {
        place.write("program.txt", &program);
        let csv = place.answer("anydice program.txt --format csv");
        assert!(csv.starts_with("output,label,outcome,weight,total,probability\n"));
        let found = outputs(&csv);
        assert_eq!(found, expected(&program), "{program}");
        count += found.len();
    }
    assert!(count > 300, "only {count} outputs");
}

/// A ruleset that comes of a case is valid, and each of its checks without a loop has the odds of its output.
#[test]
fn cases_become_rulesets_with_their_odds() {
    let place = Place::new();
    let (mut checks, mut refused) = (0, 0);
    for program in anydice_programs() {
        place.write("program.txt", &program);
        let run = place.run("anydice program.txt --to-ruleset out.toml");
        assert!(
            !run.err.contains("would be"),
            "a translation was wrong: {program}{}",
            run.err
        );
        if run.status == Some(1) {
            refused += 1;
            continue;
        }
        assert_eq!(run.status, Some(0), "{program}{}", run.err);
        place.answer("rules validate out.toml");
        let text = fs::read_to_string(place.path("out.toml")).expect("it was written");
        let expected = expected(&program);
        for part in text.split("[checks.output_").skip(1) {
            let number: usize = part
                .split(']')
                .next()
                .and_then(|number| number.parse().ok())
                .expect("a number");
            if part.contains("axes.") || program.contains("loop") {
                continue;
            }
            let target = format!("out.toml:output_{number}");
            let odds = &expected
                .iter()
                .find(|(at, _)| *at == number)
                .expect("it is not empty")
                .1;
            for pair in odds.split(' ') {
                let (outcome, chance) = pair.split_once(':').expect("a pair");
                let query = format!("P(value=={outcome})");
                let answer = place.answer(&format!("odds {target} --query '{query}' --format csv"));
                let row = records(&answer).pop().expect("a row");
                assert_eq!(fraction(&row[1], &row[2]), chance, "{program}{part}");
            }
            checks += 1;
        }
    }
    assert!(
        checks > 50 && refused > 50,
        "{checks} checks, {refused} refused"
    );
}

const KEEP: &str = "loop N over {4..5} { output [highest 3 of Nd6] named \"of [N]\" }\n";

#[test]
fn loops_become_axes() {
    let place = Place::new();
    place.write("program.txt", KEEP);
    let run = place.run("anydice program.txt --to-ruleset keep.toml");
    assert_eq!((run.status, run.out.as_str()), (Some(0), ""), "{}", run.err);
    assert!(run.err.contains("1 check of 1 output"), "{}", run.err);
    let text = fs::read_to_string(place.path("keep.toml")).expect("it was written");
    assert!(text.contains("help = \"of [N]\""), "{text}");
    let table = place.answer("table keep.toml --sweep all --query 'mean(value)'");
    assert!(table.contains("\n4,12.244598765432098\n"), "{table}");
}

#[test]
fn what_has_no_counterpart_is_told_with_its_place() {
    let place = Place::new();
    place.write("program.txt", "output 2d6\noutput 7 / 2d6\n");
    let run = place.run("anydice program.txt --to-ruleset -");
    assert_eq!(run.status, Some(0));
    assert!(run.out.starts_with("name = \"program\"\n"), "{}", run.out);
    assert!(
        run.err.contains("program.txt:2:8") && run.err.contains("a division"),
        "{}",
        run.err
    );
    assert!(run.err.contains("1 check of 2 outputs"), "{}", run.err);
    place.write("program.txt", "output 7 / 2d6\n");
    let run = place.run("anydice program.txt --to-ruleset none.toml");
    assert_eq!((run.status, run.out.as_str()), (Some(1), ""));
    assert!(!place.path("none.toml").exists());
}

#[test]
fn limits_are_told_and_moved() {
    let place = Place::new();
    place.write("program.txt", "output [explode d6] named \"boom\"\n");
    let shown = place.answer("anydice program.txt");
    assert!(
        shown.contains("boom") && shown.contains("cut off: 0.46%"),
        "{shown}"
    );
    let json = place.answer("anydice program.txt --format json");
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["outputs"][0]["cut"], "1/216");
    let deeper = place.answer("anydice program.txt --explode-depth 4 --format csv");
    assert!(
        deeper
            .lines()
            .last()
            .expect("a row")
            .contains(",30,1,7776,"),
        "{deeper}"
    );
}

#[test]
fn programs_come_from_standard_input_and_are_drawn() {
    let place = Place::new();
    let script = "printf 'output 3d6 named \"three\" output 4d6 output d{}' | oddsmith anydice - -o odds.svg --mode at-least";
    let run = place.shell(script);
    assert_eq!((run.status, run.out.as_str()), (Some(0), ""), "{}", run.err);
    let svg = fs::read_to_string(place.path("odds.svg")).expect("it was drawn");
    assert!(svg.contains("three") && svg.contains("output 2"), "{svg}");
    let all = place.shell(
        "printf 'output 3d6 named \"three\" output d{}' | oddsmith anydice - --format markdown",
    );
    assert!(
        all.out.contains("**three**") && all.out.contains("the empty die"),
        "{}",
        all.out
    );
}

#[test]
fn errors_have_their_place() {
    let place = Place::new();
    place.write("program.txt", "X: 3\noutpt Xd6\noutput (X × 2");
    let error = place.refusal("anydice program.txt");
    for part in [
        "program.txt:2:1",
        "did you mean `output`?",
        "program.txt:3:11",
        "multiplication is written `*`",
        "program.txt:3:14",
        "expected `)` that closes this bracket",
    ] {
        assert!(error.contains(part), "{part} in\n{error}");
    }
    place.write("program.txt", "output 1000d1000\n");
    place.refuses("anydice program.txt --budget 1000", &["program.txt:1:8"]);
    place.refuses("anydice nothing.txt", &["can't read `nothing.txt`"]);
    place.refuses("anydice program.txt --mode at-most", &["--output"]);
    fs::write(place.path("program.txt"), b"output \xff").expect("it can be written");
    place.refuses("anydice program.txt", &["not UTF-8"]);
}

/// A depth that is asked for holds in the ruleset, too.
#[test]
fn a_ruleset_goes_as_deep_as_is_asked() {
    let place = Place::new();
    place.write(
        "program.txt",
        "set \"explode depth\" to 1\noutput [explode d6]\n",
    );
    for (depth, highest) in [("3", "24"), ("1", "12")] {
        let words = format!("anydice program.txt --explode-depth {depth} --to-ruleset out.toml");
        assert_eq!(place.run(&words).status, Some(0));
        let odds = place.answer("odds out.toml");
        assert!(odds.contains(&format!("1 to {highest}")), "{odds}");
    }
}

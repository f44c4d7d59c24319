//! Trials, and the exact odds beside them.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{Place, Run, records, words};

/// Something rare, a flag, an axis that two rules use, a requirement, a contest, a choice, tracks with and
/// without an end.
const DELVE: &str = r#"name = "Delve"

[checks.dig]
bands    = ["dust", "ore", "gold"]
contest  = "depth"
axes.axe   = { default = 1, domain = "0..=3", sweep = "all" }
axes.lamps = { default = 1, domain = "0..=3" }
require = ["axe + lamps <= 4"]
rules = '''
show depth = 2d6 + axe
show Dark  = 1d6 > lamps + 3
show band  = match depth { < 7: dust, < 12: ore, else: gold }
'''

[checks.push]
maximise = "got - 2 * paid"
axes.nerve = { default = 2, domain = "0..=4" }
rules = '''
let first = 1d6
choose pushed in 0..=(if nerve > 0 then 1 else 0)
show paid = pushed
show got  = if pushed == 1 then first + 1d6 else first
'''

[tracks.shaft]
axes.depth = { default = 3, domain = "0..=9" }
rules = '''
let deep = 0
let rope = 0
repeat until deep == depth {
  show dug = 1d4
  set deep = min(deep + (if dug > 2 then 1 else 0), depth)
  set rope = rope + dug
}
show used = rope
'''

[tracks.fall]
bands = ["hurt", "safe"]
axes.luck = { default = 1, domain = "0..=2" }
rules = '''
let at = 0
repeat until at != 0 {
  show step = d{1:luck, 0:2}
  set at = if step == 1 then 1d2 else 0
}
show band = if at == 1 then safe else hurt
'''
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("delve.toml", DELVE);
    place
}

/// Standard output of a run that finds nothing wrong.
fn agreed(place: &Place, words: &str) -> String {
    let run = place.run(words);
    assert_eq!(run.status, Some(0), "{words}: {}", run.err);
    run.out
}

/// The rows of a CSV by their outcomes, in order; columns by their names.
fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut records = records(csv);
    let head = records.remove(0);
    let row = |record: Vec<String>| head.iter().cloned().zip(record).collect();
    records.into_iter().map(row).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().expect("a number")
}

/// In how many trials it happened, or the sum of the values.
fn count(row: &BTreeMap<String, String>) -> i64 {
    row["count"].parse().expect("a whole number")
}

fn names(rows: &[BTreeMap<String, String>]) -> Vec<&str> {
    rows.iter().map(|row| row["outcome"].as_str()).collect()
}

/// What a command says exactly, by outcome.
fn exact(place: &Place, words: &str) -> BTreeMap<String, String> {
    let csv = place.answer(&format!("{words} --format csv"));
    let rows = rows(&csv);
    let pair =
        |row: &BTreeMap<String, String>| (row["outcome"].clone(), row["probability"].clone());
    rows.iter().map(pair).collect()
}

// What is shown.

#[test]
fn a_simulation_in_every_format() {
    let place = place();
    let ask = |format| {
        let words =
            "simulate delve.toml --set axe=2 --query mean(depth|ore) --query variance(depth)";
        agreed(&place, &format!("{words} --trials 2e5 --format {format}"))
    };
    insta::assert_snapshot!("dig", ask("table"));
    insta::assert_snapshot!("dig_markdown", ask("markdown"));
    let csv = ask("csv");
    insta::assert_snapshot!("dig_csv", csv);
    let json: serde_json::Value = serde_json::from_str(&ask("json")).expect("JSON");
    assert_eq!(
        (&json["ruleset"], &json["check"]),
        (&"delve.toml".into(), &"dig".into())
    );
    assert_eq!(json["configuration"], serde_json::json!({ "axe": 2 }));
    assert_eq!(
        (&json["seed"], &json["trials"]),
        (&1.into(), &200_000.into())
    );
    assert_eq!(
        (&json["comparisons"], &json["disagreements"]),
        (&7.into(), &0.into())
    );
    assert_eq!(
        (&json["chi_square"]["of"], &json["chi_square"]["df"]),
        (&"bands".into(), &2.into())
    );
    assert!(json["chi_square"]["p"].is_f64() && json["chi_square"]["statistic"].is_f64());
    let objects = json["outcomes"].as_array().expect("a list");
    let rows = rows(&csv);
    assert_eq!(objects.len(), rows.len());
    for (row, object) in rows.iter().zip(objects) {
        assert_eq!(object["outcome"], row["outcome"]);
        for column in [
            "count",
            "trials",
            "estimate",
            "std_error",
            "low",
            "high",
            "exact",
            "z",
        ] {
            match object[column].as_f64() {
                Some(value) => assert!((value - number(row, column)).abs() < 1e-12, "{column}"),
                None => assert_eq!(row[column], "", "{column}"),
            }
        }
    }
}

#[test]
fn rows_are_what_their_columns_say() {
    let place = place();
    let csv = agreed(
        &place,
        "simulate delve.toml --trials 50_000 --query mean(depth) --format csv",
    );
    assert!(csv.starts_with("outcome,count,trials,estimate,std_error,low,high,exact,z\n"));
    let rows = rows(&csv);
    assert_eq!(names(&rows), ["dust", "ore", "gold", "Dark", "mean(depth)"]);
    let known = exact(&place, "odds delve.toml --query mean(depth)");
    for row in &rows {
        let [count, trials, estimate] =
            ["count", "trials", "estimate"].map(|name| number(row, name));
        assert_eq!((trials, estimate), (50_000.0, count / trials));
        assert!(number(row, "low") < estimate && estimate < number(row, "high"));
        assert_eq!(row["exact"], known[&row["outcome"]]);
        if row["outcome"] != "mean(depth)" {
            let [p, q] = [estimate, number(row, "exact")];
            let error = (p * (1.0 - p) / trials).sqrt();
            assert!((number(row, "std_error") - error).abs() < 1e-12);
            let z = (p - q) / (q * (1.0 - q) / trials).sqrt();
            assert!((number(row, "z") - z).abs() < 1e-9);
        }
    }
    let bands: i64 = rows[..3].iter().map(count).sum();
    assert_eq!(bands, 50_000);
}

#[test]
fn the_seed_and_the_speed_are_told() {
    let place = place();
    let err = place.run("simulate delve.toml --trials 1e7 --seed 42").err;
    let lines: Vec<&str> = err.lines().collect();
    assert!(
        lines[0].starts_with("1e7 trials in ") && lines[0].ends_with(", seed 42"),
        "{err}"
    );
    assert!(
        lines[0].contains(" trials/s, ") && lines[0].contains(" dice/s, "),
        "{err}"
    );
    assert!(lines[1].starts_with("chi-square of the bands: "), "{err}");
    assert!(
        lines[1].contains(" with 2 degrees of freedom, p = "),
        "{err}"
    );
    assert!(lines[2].starts_with("  chi-square: how far off "), "{err}");
    assert_eq!(lines.len(), 3, "{err}");
}

// What must not change the answer, and what must.

#[test]
fn any_number_of_threads_gives_the_same() {
    let place = place();
    for asked in [
        "simulate delve.toml --trials 500_001 --query mean(depth|Dark)",
        "simulate delve.toml:push --trials 300_000",
        "simulate delve.toml:shaft --trials 200_000 --format csv",
        "simulate delve.toml --a axe=2 --trials 200_000 --format json",
        "simulate --dice 5d6kh3 --until-error 0.0004 --format csv",
    ] {
        let on = |threads| agreed(&place, &format!("{asked} --threads {threads}"));
        let one = on(1);
        for threads in [2, 3, 7] {
            assert_eq!(on(threads), one, "{asked}, {threads} threads");
        }
    }
}

#[test]
fn seeds_differ_and_are_repeatable() {
    let place = place();
    let with = |seed: &str| {
        agreed(
            &place,
            &format!("simulate delve.toml --trials 1e5 --format csv{seed}"),
        )
    };
    assert_eq!(with(""), with(" --seed 1"));
    assert_eq!(
        with(" --seed 18446744073709551615"),
        with(" --seed 18446744073709551615")
    );
    assert_ne!(with(" --seed 1"), with(" --seed 2"));
}

#[test]
fn trials_may_be_written_in_several_ways() {
    let place = place();
    let with = |trials: &str| {
        agreed(
            &place,
            &format!("simulate delve.toml --format csv --trials {trials}"),
        )
    };
    for same in ["2.5e5", "250_000", "25e4"] {
        assert_eq!(with(same), with("250000"));
    }
}

// Sweeps.

#[test]
fn rows_of_a_sweep_are_those_of_a_run_by_itself() {
    let place = place();
    let words = "simulate delve.toml --trials 1e5 --query P(depth>9) --format csv";
    let swept = agreed(
        &place,
        &format!("{words} --sweep lamps=2,3 --sweep axe=all"),
    );
    let swept = records(&swept);
    assert_eq!(swept[0][..3], ["lamps", "axe", "outcome"]);
    // 3 lamps and an axe of 2 or 3 are too much to carry.
    let table = place.answer("table delve.toml --sweep lamps=2,3 --sweep axe=all");
    assert_eq!(records(&table).len(), 1 + 3 + 2);
    let mut rest = &swept[1..];
    for configuration in &records(&table)[1..] {
        let [lamps, axe] = [&configuration[0], &configuration[1]];
        let alone = agreed(
            &place,
            &format!("{words} --set lamps={lamps} --set axe={axe}"),
        );
        for row in &records(&alone)[1..] {
            assert_eq!(rest[0][..2], configuration[..2]);
            assert_eq!(&rest[0][2..], row);
            rest = &rest[1..];
        }
    }
    assert!(rest.is_empty());
}

#[test]
fn a_sweep_in_the_other_formats() {
    let place = place();
    let words = "simulate delve.toml --trials 1e5 --sweep axe=0,3 --set lamps=0";
    let table = agreed(&place, words);
    assert!(
        table.starts_with("Delve · dig\nlamps=0\n\naxe=0\n"),
        "{table}"
    );
    assert!(table.contains("\naxe=3\n"), "{table}");
    assert!(
        table.contains("agrees with the exact odds (the least p of 2 configurations is "),
        "{table}"
    );
    let markdown = agreed(&place, &format!("{words} --format markdown"));
    assert!(
        markdown.starts_with("| axe | outcome | simulated | ± | exact | z |\n"),
        "{markdown}"
    );
    assert_eq!(markdown.lines().count(), 2 + 2 * 4);
    let json = agreed(&place, &format!("{words} --format json"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let configurations = json["configurations"].as_array().expect("a list");
    assert_eq!(configurations.len(), 2);
    assert_eq!(configurations[1]["configuration"]["axe"], 3);
    let err = place.run(words).err;
    assert!(err.starts_with("2e5 trials of 2 configurations"), "{err}");
}

// Questions.

#[test]
fn conditions_have_their_own_trials() {
    let place = place();
    let words = "simulate delve.toml --trials 1e5 --query Dark --query P(gold|Dark) \
        --query mean(depth|gold) --query P(Dark|depth>20) --format csv";
    let rows = rows(&agreed(&place, words));
    let find = |name: &str| rows.iter().find(|row| row["outcome"] == name).expect(name);
    assert_eq!(names(&rows)[3], "Dark");
    assert_eq!(rows.len(), 4 + 3);
    assert_eq!(find("P(gold|Dark)")["trials"], find("Dark")["count"]);
    assert_eq!(find("mean(depth|gold)")["trials"], find("gold")["count"]);
    let never = find("P(Dark|depth>20)");
    assert_eq!(
        (never["count"].as_str(), never["trials"].as_str()),
        ("0", "0")
    );
    for column in ["estimate", "std_error", "low", "high", "exact", "z"] {
        assert_eq!(never[column], "", "{column}");
    }
}

#[test]
fn a_check_without_bands_shows_its_means() {
    let place = place();
    let rows = rows(&agreed(
        &place,
        "simulate lantern.toml:test --trials 1e5 --format csv",
    ));
    assert_eq!(names(&rows), ["mean(score)"]);
    assert_eq!(rows[0]["exact"], "9.0");
    let table = agreed(&place, "simulate lantern.toml:test --trials 1e5");
    assert!(
        table.contains("\nagrees with the exact odds (z = "),
        "{table}"
    );
}

#[test]
fn tracks_show_how_long_they_take() {
    let place = place();
    let csv = agreed(
        &place,
        "simulate delve.toml:shaft --trials 1e5 --format csv",
    );
    let known = exact(&place, "track delve.toml:shaft");
    let rows = rows(&csv);
    assert_eq!(
        names(&rows)[..5],
        [
            "mean(rolls)",
            "variance(rolls)",
            "mean(dug)",
            "mean(used)",
            "P(rolls==1)"
        ]
    );
    let lengths: Vec<_> = rows
        .iter()
        .filter(|row| row["outcome"].starts_with("P(rolls"))
        .collect();
    let trials: i64 = lengths.iter().map(|row| count(row)).sum();
    assert_eq!(trials, 100_000);
    for row in &rows {
        assert_eq!(row["exact"], known[&row["outcome"]], "{}", row["outcome"]);
    }
    let variance = &rows[1];
    assert_eq!(
        (variance["count"].as_str(), variance["trials"].as_str()),
        ("", "100000")
    );
    let err = place.run("simulate delve.toml:shaft --trials 1e5").err;
    assert!(err.contains("chi-square of the rolls: "), "{err}");
    let asked = agreed(
        &place,
        "simulate delve.toml:shaft --query P(rolls<=4) --trials 1e4 --format csv",
    );
    assert_eq!(records(&asked).len(), 1 + 1);
}

#[test]
fn a_track_that_is_over_before_it_begins_shows_nothing_of_one_roll() {
    let place = place();
    let csv = agreed(
        &place,
        "simulate delve.toml:shaft --set depth=0 --trials 1000 --format csv",
    );
    let rows = rows(&csv);
    assert_eq!(
        names(&rows),
        [
            "mean(rolls)",
            "variance(rolls)",
            "mean(used)",
            "P(rolls==0)",
            "P(rolls==1)",
            "P(rolls>1)",
        ]
    );
    assert_eq!(
        (rows[3]["count"].as_str(), rows[3]["z"].as_str()),
        ("1000", "")
    );
}

#[test]
fn what_never_ends_is_stopped_and_counted() {
    let place = place();
    let words = "simulate delve.toml:fall --set luck=0 --trials 200";
    let run = place.run(words);
    assert_eq!(run.status, Some(0));
    assert!(
        run.err.contains(
            "note: 200 of 200 trials had not ended after 10,000 rounds; nothing at an end happens to them\n"
        ),
        "{}",
        run.err
    );
    assert!(
        run.out.contains("\nagrees with the exact odds"),
        "{}",
        run.out
    );
    assert!(run.out.contains("inf"), "{}", run.out);
    let json = agreed(&place, &format!("{words} --format json"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (
            &json["unfinished"],
            &json["disagreements"],
            &json["most_rounds"]
        ),
        (&200.into(), &0.into(), &10_000.into())
    );
}

/// One in six finds it, one in six never will.
const SHOT: &str = r#"name = "Shot"
[tracks.shot]
bands = ["lost", "hit"]
rules = '''
let found = 0
repeat until found == 1 {
  show die  = 1d6
  show high = die > 3
  set found = if found == 2 then 2 else match die { 6: 1, 1: 2, else: 0 }
}
show band = if found == 1 then hit else lost
show got  = found
'''
"#;

#[test]
fn a_track_without_an_end_in_half_of_the_trials_agrees() {
    let place = place();
    place.write("shot.toml", SHOT);
    let words = "simulate shot.toml:shot --trials 2000 --query mean(got|hit) --query P(hit|die==6)";
    let csv = agreed(&place, &format!("{words} --format csv"));
    let rows = rows(&csv);
    assert_eq!(
        names(&rows),
        [
            "lost",
            "hit",
            "(not ended)",
            "high",
            "mean(got|hit)",
            "P(hit|die==6)"
        ]
    );
    let exact: Vec<&str> = rows.iter().map(|row| row["exact"].as_str()).collect();
    assert_eq!(exact, ["0.0", "0.5", "0.5", "0.5", "1.0", "1.0"]);
    let count = |at: usize| rows[at]["count"].parse::<u64>().expect("a number");
    assert_eq!((count(0), count(1) + count(2)), (0, 2000));
    assert!((900..1100).contains(&count(2)), "{csv}");
    assert!(rows[1..4].iter().all(|row| !row["z"].is_empty()), "{csv}");
    for format in ["table", "markdown", "bbcode", "json"] {
        let shown = agreed(&place, &format!("{words} --format {format}"));
        assert!(shown.contains("(not ended)"), "{shown}");
    }
}

/// What a trial that is stopped early decides is compared, and nothing else.
#[test]
fn trials_that_may_end_later_prove_nothing_of_the_end() {
    let place = place();
    place.write("shot.toml", SHOT);
    let run = place.run("simulate shot.toml:shot --trials 2000 --rounds 3 --format csv");
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(
        run.err.contains("after 3 rounds, and may do so later"),
        "{}",
        run.err
    );
    let rows = rows(&run.out);
    let compared: Vec<&str> = rows
        .iter()
        .filter(|row| !row["z"].is_empty())
        .map(|row| row["outcome"].as_str())
        .collect();
    let early = [
        "(not ended)",
        "high",
        "mean(die)",
        "P(rolls==1)",
        "P(rolls==2)",
        "P(rolls==3)",
        "P(rolls>3)",
    ];
    assert_eq!(compared, early);
    for (words, said) in [
        (
            "simulate delve.toml --rounds 5",
            "`--rounds` is for what goes on until it ends",
        ),
        ("simulate shot.toml:shot --rounds 0", "from 1 to 1e9"),
        ("simulate shot.toml:shot --rounds 2e9", "from 1 to 1e9"),
    ] {
        place.refuses(words, &[said]);
    }
}

#[test]
fn contests_are_rolled_to_their_end() {
    let place = place();
    for more in ["", " --ties defender", " --ties both"] {
        let words = format!("delve.toml --a axe=3,lamps=0 --set b.axe=0{more}");
        let csv = agreed(
            &place,
            &format!("simulate {words} --trials 1e5 --format csv"),
        );
        let known = exact(&place, &format!("contest {words}"));
        let rows = rows(&csv);
        assert_eq!(
            names(&rows)[..6],
            ["A", "tie", "B", "A|decided", "B|decided", "mean(rounds)"]
        );
        assert_eq!(rows.len(), known.len());
        for row in &rows {
            assert_eq!(row["exact"], known[&row["outcome"]], "{}", row["outcome"]);
        }
        let bands: i64 = rows[..3].iter().map(count).sum();
        assert_eq!(bands, 100_000);
    }
    let json = agreed(
        &place,
        "simulate delve.toml --against dig --trials 1000 --format json",
    );
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&json["check"], &json["against"]),
        (&"dig".into(), &"dig".into())
    );
    assert_eq!(json["compare"], serde_json::json!(["depth", "depth"]));
    let swept = agreed(
        &place,
        "simulate delve.toml --sweep a.axe=1,3 --ties both --trials 1000 --format csv",
    );
    assert!(swept.starts_with("a.axe,outcome,count,"), "{swept}");
}

#[test]
fn dice_are_rolled_value_by_value() {
    let place = place();
    let rows_of = |words: &str| {
        rows(&agreed(
            &place,
            &format!("simulate --trials 1e5 --format csv {words}"),
        ))
    };
    let rows = rows_of("--dice 2d6");
    assert_eq!(rows.len(), 1 + 11);
    let sum = |of: fn(&BTreeMap<String, String>) -> i64| rows[1..].iter().map(of).sum::<i64>();
    assert_eq!(sum(count), 100_000);
    let value = |row: &BTreeMap<String, String>| {
        let name = row["outcome"].trim_end_matches(')');
        let value = name
            .rsplit('=')
            .next()
            .and_then(|value| value.parse::<i64>().ok());
        value.expect("a value")
    };
    let total: i64 = rows[1..].iter().map(|row| value(row) * count(row)).sum();
    assert_eq!(total, count(&rows[0]));
    assert_eq!(names(&rows_of("--dice 1d100")).len(), 101);
    assert_eq!(names(&rows_of("--dice d101")), ["mean(value)"]);
    assert_eq!(names(&rows_of("--dice -1d4"))[1], "P(value==-4)");
    let many = rows_of("--dice 20d6");
    let many = names(&many);
    assert!(
        many.len() <= 60 && many[1].starts_with("P(value<="),
        "{many:?}"
    );
    assert!(many[many.len() - 1].starts_with("P(value>="), "{many:?}");
    let asked = rows_of("--dice 2d6 --query P(value>=12) --query variance(value)");
    assert_eq!(names(&asked), ["P(value>=12)", "variance(value)"]);
}

#[test]
fn choices_follow_the_best_policy() {
    let place = place();
    for more in ["", " --maximise got", " --set nerve=0"] {
        let words = format!("delve.toml:push{more} --query P(got>=7)");
        let csv = agreed(
            &place,
            &format!("simulate {words} --trials 2e5 --format csv"),
        );
        let known = exact(&place, &format!("odds {words}"));
        let rows = rows(&csv);
        assert_eq!(rows[0]["exact"], known["P(got>=7)"], "{more}");
        assert_eq!(count(&rows[0]) > 0, !more.ends_with('0'), "{more}");
    }
    place.refuses(
        "simulate delve.toml:push --budget 3",
        &["the best policy could not be found"],
    );
}

// The verdict.

#[test]
fn a_disagreement_is_named_and_ends_with_1() {
    let place = place();
    let words = "simulate delve.toml --sweep axe=0..=3 --trials 1e4";
    // With so low a bar some seed is on the wrong side of it.
    let strict = |seed: &u32, more: &str| {
        place.run(&format!("{words} --level 0.9999999 --seed {seed}{more}"))
    };
    let mut seeds = 1..40;
    let seed = seeds.find(|seed| strict(seed, "").status == Some(1));
    let seed = seed.expect("one of many");
    let table = strict(&seed, "");
    let strict = strict(&seed, " --format csv");
    // What is shown is the same.
    assert_eq!(
        strict.out,
        agreed(&place, &format!("{words} --seed {seed} --format csv"))
    );
    let mut lines = strict
        .err
        .lines()
        .skip_while(|line| !line.starts_with("disagreement: "));
    let head = lines.next().expect("a disagreement");
    assert!(head.contains(" of 20 comparisons "), "{head}");
    let rows: Vec<&str> = lines.collect();
    assert!(
        rows[0].starts_with("  axe=") && rows[0].contains(" simulated, "),
        "{}",
        strict.err
    );
    assert!(
        rows[0].contains(" exact, z = ") && rows[0].contains(", p = 0.0"),
        "{}",
        strict.err
    );
    let last = rows[rows.len() - 1];
    assert_eq!(
        last,
        "  that is a p below 0.050: the level of 0.9999999, divided among all comparisons"
    );
    assert!(
        table.out.contains("\ndoes not agree with the exact odds ("),
        "{}",
        table.out
    );
}

/// What is right is found wrong no more often than the level says: of 60 runs at one in 20, more than 10 would
/// be a chance of one in 10,000.
#[test]
fn alarms_are_as_rare_as_they_should_be() {
    let place = place();
    let is_alarm = |seed: &u32| {
        let words = format!("simulate delve.toml --trials 20000 --level 0.05 --seed {seed}");
        place.run(&words).status == Some(1)
    };
    let alarms = (0..60).filter(is_alarm).count();
    assert!(alarms <= 10, "{alarms} of 60");
}

#[test]
fn over_the_budget_is_shown_without_exact_odds() {
    let place = place();
    let run = place.run("simulate delve.toml --trials 5 --sweep axe=0,1 --budget 5 --format csv");
    assert_eq!(run.status, Some(0), "{}", run.err);
    for row in rows(&run.out) {
        assert_eq!((row["exact"].as_str(), row["z"].as_str()), ("", ""));
    }
    assert_eq!(run.err.matches("the budget is 5").count(), 1, "{}", run.err);
    assert!(
        run.err
            .contains("note: no exact odds of `dust` (and of 7 more rows): "),
        "{}",
        run.err
    );
}

// When to stop.

#[test]
fn trials_go_on_until_the_error_is_small_enough() {
    let place = place();
    let words = "simulate delve.toml --query mean(depth) --format csv";
    let csv = agreed(&place, &format!("{words} --until-error 0.002"));
    let rows = rows(&csv);
    let trials = number(&rows[0], "trials") / 65_536.0;
    assert!(
        trials > 1.0 && trials.log2().fract() == 0.0,
        "{trials} chunks"
    );
    assert!(
        rows.iter().all(|row| number(row, "std_error") <= 0.002),
        "{csv}"
    );
    let before = format!("{words} --trials {}", trials / 2.0 * 65_536.0);
    let before = self::rows(&agreed(&place, &before));
    assert!(before.iter().any(|row| number(row, "std_error") > 0.002));
    let same = format!("{words} --trials {}", trials * 65_536.0);
    assert_eq!(agreed(&place, &same), csv);
    let capped = agreed(&place, &format!("{words} --until-error 1e-9 --trials 1e5"));
    assert_eq!(capped, agreed(&place, &format!("{words} --trials 1e5")));
}

#[test]
fn what_has_not_been_seen_is_not_taken_for_certain() {
    let place = place();
    let words = "simulate --dice 9d6 --query P(value==9) --until-error 2e-6 --format csv";
    let rows = rows(&agreed(&place, words));
    assert!(number(&rows[0], "trials") > 3e5, "{:?}", rows[0]);
}

#[test]
fn an_interruption_shows_what_there_is() {
    let place = place();
    // A busy machine may take long to start the program, so it is given more time if need be.
    let run = (1..8).find_map(|attempt: u32| {
        let words = "simulate delve.toml --sweep axe=0,1 --trials 1e13 --budget 1e18 --format csv";
        let run = interrupted(&place, words, 250 << attempt);
        // Sooner than the first trial is too soon.
        (run.status.is_some() && !run.out.is_empty()).then_some(run)
    });
    let Run { status, out, err } = run.expect("a run that was interrupted");
    let status = status.unwrap_or_default();
    assert_eq!(status, 130, "{err}");
    let rows = rows(&out);
    assert_eq!(
        names(&rows),
        ["dust", "ore", "gold", "Dark"],
        "only what was begun"
    );
    let trials = number(&rows[0], "trials");
    assert!(trials > 0.0 && trials % 65_536.0 == 0.0 && trials < 1e13);
    let bands: i64 = rows[..3].iter().map(count).sum();
    assert_eq!(bands.to_string(), rows[0]["trials"]);
    let line = err
        .lines()
        .find(|line| line.starts_with("interrupted: "))
        .expect("a line");
    assert!(line.ends_with(" of 2e13 trials done"), "{line}");
    assert!(!err.contains("disagreement"), "{err}");
}

/// A list that is too short for some rolls.
const HOARD: &str = r#"name = "Hoard"

[checks.loot]
bands = ["nothing", "something"]
axes.pool = { default = 3, domain = "1..=9", sweep = "all" }
axes.best = { default = 6, domain = "2..=6" }
rules = '''
let gold = [0, 1, 3]
let hits = count((pool)d6, best..=6)
show coins = gold[hits]
show band = if coins == 0 then nothing else something
'''

[tracks.march]
rules = '''
let at = 0
let debt = 0
repeat until at == 3 {
  let step = 1d3
  set at = min(at + step, 3)
  set debt = debt + step - 2
}
show owed = debt
'''
"#;

#[test]
fn broken_rules_are_found_whatever_is_rolled() {
    let place = Place::new();
    place.write("hoard.toml", HOARD);
    let words = |pool: u32, trials: u32, seed: u32| {
        format!(
            "simulate hoard.toml --set pool={pool} --trials {trials} --seed {seed} --format csv"
        )
    };
    let odds = place.refusal("odds hoard.toml");
    // One roll of 216 has three hits: a trial of some seed meets it, and of others none.
    let mut met = [false; 2];
    for seed in 1..=24 {
        let run = place.run(&words(3, 100, seed));
        assert_eq!(run.status, Some(2), "{}", run.err);
        assert!(run.err.contains("hoard.toml:10"), "{}", run.err);
        assert!(run.err.contains(&odds), "{odds}\n{}", run.err);
        let is_met = run.out.is_empty();
        met[usize::from(is_met)] = true;
        let note = if is_met {
            "and a trial met one"
        } else {
            "none of 100 trials met one"
        };
        assert!(
            run.err
                .contains("the exact odds find rolls that can't be carried out")
                && run.err.contains(note),
            "{}",
            run.err
        );
    }
    assert_eq!(met, [true; 2]);
    agreed(&place, &words(2, 100, 1));
}

#[test]
fn a_sweep_keeps_its_good_configurations() {
    let place = Place::new();
    place.write("hoard.toml", HOARD);
    let words = "simulate hoard.toml --trials 1e5 --sweep pool=1..=4 --format csv";
    for (more, note) in [
        (
            "",
            "the exact odds find rolls that can't be carried out, and a trial met one; ",
        ),
        (
            " --no-exact",
            "a trial met a roll that can't be carried out; ",
        ),
    ] {
        let run = place.run(&format!("{words}{more}"));
        assert_eq!(run.status, Some(2), "{}", run.err);
        assert!(run.err.contains(" --> hoard.toml:10"), "{}", run.err);
        let pools: Vec<String> = rows(&run.out)
            .iter()
            .map(|row| row["pool"].clone())
            .collect();
        assert_eq!(pools, ["1", "1", "2", "2"]);
        assert!(run.err.contains(note), "{}", run.err);
        assert_eq!(run.err.matches("hoard.toml:10").count(), 1, "{}", run.err);
    }
}

/// What only the exact engine can't do is no fault of the rules.
#[test]
fn limits_of_the_exact_engine_are_no_errors() {
    let place = Place::new();
    place.write("hoard.toml", HOARD);
    for query in ["mean(rolls*rolls)", "P(owed<=1)"] {
        let words = format!("simulate hoard.toml:march --query {query} --trials 1000 --format csv");
        let run = place.run(&words);
        assert_eq!(run.status, Some(0), "{}", run.err);
        assert_eq!(rows(&run.out)[0]["exact"], "");
        let note = format!("note: no exact odds of `{query}`: ");
        assert!(run.err.contains(&note), "{}", run.err);
        let said = place.refusal(&format!("track hoard.toml:march --query '{query}'"));
        assert!(
            said.starts_with("error: ") && said.contains("help: "),
            "{said}"
        );
    }
}

#[test]
fn without_exact_odds_there_are_only_trials() {
    let place = place();
    let words = "simulate delve.toml --trials 1000 --no-exact";
    let csv = agreed(&place, &format!("{words} --format csv"));
    let with = agreed(&place, "simulate delve.toml --trials 1000 --format csv");
    for (row, with) in rows(&csv).iter().zip(rows(&with)) {
        assert_eq!(row["count"], with["count"]);
        assert_eq!((row["exact"].as_str(), row["z"].as_str()), ("", ""));
        assert!(!with["exact"].is_empty() && !with["z"].is_empty());
    }
    let table = place.run(words);
    let head = table.out.lines().find(|line| line.contains("simulated"));
    assert_eq!(head.map(str::trim), Some("simulated"), "{}", table.out);
    assert!(!table.err.contains("note: "), "{}", table.err);
    // The best choices are made all the same.
    let pushed = "simulate delve.toml:push --query P(got>=7) --trials 1000 --format csv";
    let count_of = |words: &str| count(&rows(&agreed(&place, words))[0]);
    assert_eq!(count_of(&format!("{pushed} --no-exact")), count_of(pushed));
}

#[test]
fn a_goal_without_a_choice_is_noted() {
    let place = place();
    let note = "note: --maximise has no effect here: nothing is chosen in this configuration\n";
    for (command, more) in [("simulate", " --trials 100"), ("odds", "")] {
        let err = |set: &str| {
            let words = format!("{command} delve.toml:push --maximise got --set nerve={set}{more}");
            place.run(&words).err
        };
        assert!(err("0").contains(note), "{}", err("0"));
        assert!(!err("1").contains("--maximise"), "{}", err("1"));
    }
}

#[test]
fn an_error_that_is_not_reached_is_told() {
    let place = place();
    let err = |trials: &str| {
        let words = format!("simulate delve.toml --until-error 0.001 --trials {trials}");
        place.run(&words).err
    };
    let expected = "note: after 10,000 trials the largest standard error is 0.0048; \
        --until-error asks for 0.001\n";
    assert!(err("1e4").contains(expected), "{}", err("1e4"));
    assert!(!err("1e7").contains("--until-error"), "{}", err("1e7"));
}

/// The exact odds come first, and these take their time.
#[test]
fn an_interruption_before_the_first_trial_says_so() {
    let place = place();
    let run = (1..6).find_map(|attempt: u32| {
        let words = "simulate --dice 3000d200 --query mean(value) --budget 1e18";
        let run = interrupted(&place, words, 250 << attempt);
        run.status.is_some().then_some(run)
    });
    let run = run.expect("a run that was interrupted");
    assert_eq!(
        (run.status, run.out.as_str(), run.err.as_str()),
        (Some(130), "", "interrupted before the first trial\n")
    );
}

/// One wave of them would take hours.
#[test]
fn an_interruption_within_a_wave_is_heard() {
    let place = place();
    let run = (1..6).find_map(|attempt: u32| {
        let words = "simulate --dice 1000000000d6 --no-exact --budget 1e18";
        let run = interrupted(&place, words, 250 << attempt);
        run.status.is_some().then_some(run)
    });
    let run = run.expect("a run that was interrupted");
    assert_eq!(
        (run.status, run.out.as_str()),
        (Some(130), ""),
        "{}",
        run.err
    );
}

#[test]
fn what_never_happened_is_not_claimed_to_be_impossible() {
    let place = place();
    let words = "simulate --dice 9d6 --query P(value==9) --query P(value>9) --query P(value>54) \
        --trials 1e4";
    let table = agreed(&place, words);
    let row = |name: &str| {
        let line = table.lines().find(|line| line.contains(name)).expect(name);
        line.split_whitespace()
            .skip(1)
            .take(4)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(row("P(value==9)"), "0.00% < 0.04% 0.0000099%");
    assert_eq!(row("P(value>9)"), "100.00% > 99.96% >99.99%");
    assert_eq!(row("P(value>54)"), "0.00% < 0.04% never");
    let few = agreed(&place, "simulate --dice 1d6 --trials 99");
    assert!(few.contains("\ntoo few trials to tell much ("), "{few}");
}

/// A run that is sent an interrupt after so many milliseconds; without a status if it was too early to be heard.
fn interrupted(place: &Place, line: &str, after: u64) -> Run {
    let mut child = place.command();
    let child = child
        .args(words(line))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = child.spawn().expect("a process");
    thread::sleep(Duration::from_millis(after));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill").success());
    let output = child.wait_with_output().expect("its output");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run {
        status: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

// What can't be rolled.

#[test]
fn refusals_say_why() {
    let place = place();
    let cases: &[(&str, &[&str])] = &[
        ("simulate", &["<RULESET[:CHECK]>"]),
        (
            "simulate delve.toml --trials 0",
            &["--trials", "not a whole number of trials from 1 on"],
        ),
        (
            "simulate delve.toml --trials 1.5",
            &["not a whole number of trials"],
        ),
        (
            "simulate delve.toml --trials 1e30",
            &["too many trials: at most 18446744073709551615"],
        ),
        (
            "simulate delve.toml --seed -1",
            &["--seed", "not a whole number from 0 to"],
        ),
        (
            "simulate delve.toml --seed x",
            &["not a whole number from 0 to"],
        ),
        (
            "simulate delve.toml --threads 0",
            &["--threads", "not a number of threads from 1 to 1024"],
        ),
        (
            "simulate delve.toml --until-error -1e-3",
            &["not a number above 0"],
        ),
        (
            "simulate --dice (d3-2)d6",
            &["<expression>:1", "nothing was rolled"],
        ),
        (
            "simulate delve.toml --until-error 0",
            &["not a number above 0"],
        ),
        (
            "simulate delve.toml --level 1",
            &["not a number between 0 and 1"],
        ),
        (
            "simulate delve.toml --sweep ax=1",
            &["`ax`", "did you mean `axe`?"],
        ),
        ("simulate delve.toml --sweep axe=9", &["outside the domain"]),
        (
            "simulate delve.toml --sweep axe=1 --set axe=2",
            &["both set", "and swept"],
        ),
        (
            "simulate delve.toml --sweep a.axe=1 --a axe=2",
            &["both set", "and swept"],
        ),
        (
            "simulate delve.toml --sweep axe=2,3 --set lamps=3",
            &["breaks a requirement", "axe=2"],
        ),
        (
            "simulate delve.toml --set axe=3 --set lamps=3",
            &["breaks a requirement"],
        ),
        ("simulate delve.toml --query P(dept>3)", &["`dept`"]),
        (
            "simulate delve.toml:dg",
            &["no check or track `dg`", "`delve.toml:dig`"],
        ),
        (
            "simulate delve.toml --maximise depth",
            &["`dig` chooses nothing"],
        ),
        (
            "simulate delve.toml --a axe=1 --maximise depth",
            &["`--maximise`", "both sides"],
        ),
        (
            "simulate delve.toml:shaft --against dig",
            &[
                "`shaft` is a track",
                "`oddsmith simulate delve.toml:shaft` without",
            ],
        ),
        ("simulate --dice 2d", &["<expression>:1"]),
        ("simulate --dice 2d6 delve.toml", &["cannot be used with"]),
        ("simulate --dice 2d6 --set x=1", &["cannot be used with"]),
        (
            "simulate --dice 2d6 --query P(total>3)",
            &["`total`", "value"],
        ),
    ];
    for (line, says) in cases {
        place.refuses(line, says);
    }
}

/// A jackpot that has not come up yet is known to the exact odds, so its mean is not certain.
#[test]
fn a_rare_mean_is_awaited() {
    let place = place();
    let text = "name = \"Test\"\n[checks.prize]\nrules = \"show won = if 1d1000000 == 1 then 1000000 else 0\"\n";
    place.write("prize.toml", text);
    let run = place.run(
        "simulate prize.toml --query mean(won) --until-error 0.01 --trials 200000 --format csv",
    );
    assert!(
        run.err.contains("--until-error asks for 0.01"),
        "{}",
        run.err
    );
}

//! Policies: what is best to choose.

use std::str::FromStr as _;

use oddsmith_exact::RBig;

use crate::support::{Place, records};

/// A dig that can be pushed, dice that can be kept, and a check without choices.
const DIG: &str = r#"name = "Dig"

[params]
worth = { default = [0, 2, 5], domain = "0..=20", help = "of each band" }

[checks.dig]
help     = "Dig, and push your luck"
bands    = ["Nothing", "Silver", "Gold"]
maximise = "worth[band] - pushed"
axes.nerve  = { default = 3, domain = "0..=6", sweep = "all" }
axes.light  = { default = "dim", domain = ["dim", "bright"] }
axes.policy = { default = "never", domain = ["never", "best", "to_next"], sweep = "all" }
rules = '''
let raw     = 2d6 + index(light)
let next    = if raw < 7 then 7 else 10
let planned = match policy {
  never:   0,
  to_next: if raw < next and next - raw <= nerve then next - raw else 0,
  best:    0,
}
choose extra in 0..=(if policy == best then nerve else 0)
show pushed = planned + extra
show total  = raw + pushed
show band   = match total { < 7: Nothing, < 10: Silver, else: Gold }
'''

[checks.keep]
bands    = ["mixed", "alike"]
maximise = "band == alike"
rules = '''
let hand = 3d4
repeat 2 {
  choose kept in subsets(hand)
  set hand = {kept, (3 - size(kept))d4}
}
show band = if matches(hand) == 3 then alike else mixed
'''

[checks.plain]
rules = "show score = 2d6"
"#;

/// A careful roll fills one slot, a bold one two or none; at the end one of them is enough.
const FILL: &str = r#"name = "Slots"
[tracks.fill]
maximise = "-rolls"
axes.slots = { default = 3, domain = "1..=9" }
rules = '''
let filled = 0
repeat until filled == slots {
  choose boldly in 0..=1
  set filled = min(filled + (if boldly == 1 then 2 * (1d4 > 1) else 1), slots)
}
'''
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("dig.toml", DIG);
    place
}

fn json(place: &Place, words: &str) -> serde_json::Value {
    let json = place.answer(&format!("{words} --format json"));
    serde_json::from_str(&json).expect("JSON")
}

fn ratio(value: &serde_json::Value) -> RBig {
    RBig::from_str(value.as_str().expect("text")).expect("a fraction")
}

#[test]
fn a_policy_in_every_format() {
    let place = place();
    let ask = |format| {
        place.answer(&format!(
            "policy dig.toml --query mean(pushed) --format {format}"
        ))
    };
    insta::assert_snapshot!("dig", ask("table"));
    insta::assert_snapshot!("dig_markdown", ask("markdown"));
    let csv = records(&ask("csv"));
    assert_eq!(
        csv[0].join(","),
        "choice,round,raw,chosen,probability,worth,lead,party"
    );
    assert_eq!(
        csv[5].join(","),
        "extra,,6,1,0.1388888888888889,1.0,1.0,player"
    );
    assert_eq!(csv.len(), 1 + 11);
}

#[test]
fn a_policy_of_two_sides_says_whose_choice_it_is() {
    let place = place();
    let words = "policy pig:duel --set goal=5";
    let table = place.answer(words);
    for part in [
        "best is the greatest chance of band == first, and for `oppose` the least",
        "choose hold, ",
        "oppose stop, ",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    let csv = records(&place.answer(&format!("{words} --format csv")));
    let whose = |row: &Vec<String>| (row[0].clone(), row[row.len() - 1].clone());
    let mut whose: Vec<(String, String)> = csv[1..].iter().map(whose).collect();
    whose.dedup();
    let own = |choice: &str, party: &str| (choice.to_owned(), party.to_owned());
    assert_eq!(whose, [own("hold", "player"), own("stop", "opponent")]);
    // Where it is the other side's turn nothing is to be chosen.
    for choice in ["hold", "stop"] {
        let rows: Vec<&Vec<String>> = csv[1..].iter().filter(|row| row[0] == choice).collect();
        assert!(rows.iter().all(|row| !row[row.len() - 2].is_empty()));
        let number = |row: &&Vec<String>| row[row.len() - 4].parse::<f64>().expect("a chance");
        let sum: f64 = rows.iter().map(number).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{choice}: {sum}");
    }
    let policy = json(&place, "policy pig:duel --set goal=5");
    let is_opposed = |at: usize| policy["choices"][at]["is_opposed"].as_bool();
    assert_eq!([0, 1].map(is_opposed), [Some(false), Some(true)]);
}

#[test]
fn the_choices_are_worth_what_the_policy_is() {
    let place = place();
    for words in [
        "policy dig.toml",
        "policy dig.toml --maximise Gold",
        "policy dig.toml:keep",
    ] {
        let policy = json(&place, words);
        let rows = policy["choices"][0]["rows"].as_array().expect("a list");
        let sum = rows.iter().fold(RBig::ZERO, |sum, row| {
            sum + ratio(&row["probability"]) * ratio(&row["worth"])
        });
        let optimal = policy["rows"].as_array().and_then(|rows| rows.last());
        let worth = &optimal.expect("a row")["outcomes"][0];
        let (weight, total) = (ratio(&worth["weight"]), ratio(&worth["total"]));
        assert_eq!(sum, weight / total, "{words}");
    }
}

#[test]
fn the_best_of_three_dice_is_known() {
    // Chances p1, p2, p3 of three alike from one, two or three dice of four sides that are alike, keeping those.
    let place = place();
    insta::assert_snapshot!("keep", place.answer("policy dig.toml:keep"));
    let csv = place.answer("policy dig.toml:keep --format csv");
    assert!(csv.contains("kept,2,4 4 1,4 4,"), "{csv}");
    assert!(csv.contains("kept,2,4 4 4,4 4 4,"), "{csv}");
}

#[test]
fn each_way_to_choose_is_a_configuration() {
    let place = place();
    let policy = json(&place, "policy dig.toml --set nerve=2 --maximise Gold");
    assert_eq!(policy["by"], "policy");
    assert_eq!(
        policy["configuration"],
        serde_json::json!({ "nerve": 2, "policy": "best" })
    );
    let rows = policy["rows"].as_array().expect("a list");
    let names: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["value"].as_str())
        .collect();
    assert_eq!(names, ["never", "to_next", "best"]);
    for (row, name) in rows.iter().zip(names) {
        let of = "dig.toml --set nerve=2 --maximise Gold";
        let run = place.run(&format!("odds {of} --set policy={name} --format json"));
        // Where the configuration says what is chosen there is nothing to choose.
        assert_eq!(run.err.contains("--maximise has no effect"), name != "best");
        let odds: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        let bands = &odds["outcomes"].as_array().expect("a list")[..3];
        assert_eq!(
            bands,
            &row["outcomes"].as_array().expect("a list")[1..4],
            "{name}"
        );
        let table = records(&place.answer(&format!("table {of} --sweep policy={name}")));
        assert_eq!(bands[2]["probability"].to_string(), table[1][3], "{name}");
    }
}

#[test]
fn any_axis_can_be_compared_along() {
    let place = place();
    let policy = json(&place, "policy dig.toml --set policy=best --by nerve=0,2,6");
    let rows = policy["rows"].as_array().expect("a list");
    let names: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["value"].as_str())
        .collect();
    assert_eq!(
        (&policy["by"], names),
        (&"nerve".into(), vec!["0", "2", "6"])
    );
    let all = json(&place, "policy dig.toml --set policy=best --by light");
    assert_eq!(all["rows"].as_array().map(Vec::len), Some(2));
}

#[test]
fn without_a_choice_there_is_no_policy() {
    let place = place();
    place.write(
        "aimless.toml",
        &DIG.replace("maximise = \"worth[band] - pushed\"", ""),
    );
    place.write(
        "plain.toml",
        "name = \"Plain\"\n[checks.plain]\nrules = \"show score = 2d6\"\n",
    );
    place.write(
        "free.toml",
        "name = \"Free\"\n[checks.free]\nmaximise = \"total\"\naxes.n = { default = 1, domain = \"0..=3\" }\n\
         rules = \"\"\"\nlet first = 1d6\nchoose x in 0..=n\nshow total = first\nshow paid = x\n\"\"\"\n",
    );
    let cases: &[(&str, &[&str])] = &[
        (
            "policy dig.toml:plain",
            &[
                "`plain` leaves no choice",
                "`dig.toml:dig` or `dig.toml:keep`",
            ],
        ),
        (
            "policy plain.toml",
            &["leaves no choice", "`choose x in …`", "`maximise`"],
        ),
        (
            "policy dig.toml --set nerve=0",
            &[
                "with nerve=0 `dig` leaves nothing to choose",
                "`choose extra in 0..=(if policy",
            ],
        ),
        (
            "policy free.toml",
            &[
                "`free` leaves a choice, but total does not depend on it",
                "all options are equally good, and the first is taken",
                "`--maximise`",
            ],
        ),
        (
            "policy free.toml --set n=0",
            &["with n=0 `free` leaves nothing to choose"],
        ),
        ("policy aimless.toml", &["chooses, but for what?"]),
        ("policy dig.toml --maximise gold", &["`gold`"]),
        ("policy dig.toml --maximise 1d6", &["--maximise"]),
        ("policy dig.toml --by nerv", &["`nerve`"]),
        (
            "policy dig.toml --budget 5",
            &["steps or more", "the budget is 5"],
        ),
        (
            "odds dig.toml:plain --maximise score",
            &["`plain` chooses nothing"],
        ),
        (
            "table dig.toml:plain --maximise score --sweep all",
            &["`plain` chooses nothing"],
        ),
    ];
    for (line, says) in cases {
        place.refuses(line, says);
    }
}

/// Two calls of one check have values of one name: the table tells them apart.
#[test]
fn values_of_one_name_have_columns_of_their_own() {
    let place = Place::new();
    let rules = "let a = roll() let b = roll() choose s in 0..=1 show got = if s == 1 then 2 * a.total - 3 else b.total";
    let roll = "[checks.roll]\nrules = 'show total = 1d4'\n";
    let pick = format!("[checks.pick]\nmaximise = 'got'\nrules = '{rules}'\n");
    place.write("two.toml", &format!("name = 'Two'\n{pick}{roll}"));
    let csv = place.answer("policy two.toml --format csv");
    assert!(
        csv.starts_with("choice,round,total,total (2),chosen,"),
        "{csv}"
    );
}

#[test]
fn a_track_has_one_table_for_all_rounds() {
    let place = Place::new();
    place.write("fill.toml", FILL);
    insta::assert_snapshot!("fill", place.answer("policy fill.toml"));
    // With 1, 2, 3 slots to fill it takes 1, 4/3 and 1 + 4/3 rounds: boldly 4/3 = 1 + 1/4 · 4/3, and with 3 as many as
    // carefully, 7/3 = 1 + 1/4 · 7/3 + 3/4 · 1. So one is careful once, and then bold 4/3 times.
    let policy = json(&place, "policy fill.toml");
    let rows = policy["choices"][0]["rows"].as_array().expect("a list");
    let found = rows.iter().map(|row| {
        let numbers = ["probability", "worth", "lead"].map(|name| ratio(&row[name]).to_string());
        numbers.join(" ")
    });
    let found: Vec<String> = found.collect();
    assert_eq!(found, ["3/7 -7/3 0", "4/7 -4/3 2/3"]);
}

//! Tracks: rolls until something is full.

use oddsmith_exact::{IBig, RBig, UBig};

use crate::support::{Place, records};

/// Coins until enough are heads, a climb that costs oil, one that may get stuck, and a very slow one.
const SUMMIT: &str = r#"name = "Summit"

[checks.step]
bands = ["slip", "step", "leap"]
axes.stat = { default = 0, domain = "-1..=3", sweep = "all" }
rules = '''
show total = 2d6 + stat
show band  = match total { < 7: slip, < 10: step, else: leap }
'''

[tracks.climb]
help    = "Steps until the top"
inherit = ["step"]
axes.height = { default = 4, domain = "0..=30", sweep = "2..=4" }
rules = '''
let up    = 0
let spent = 0
repeat until up == height {
  let roll   = step(..)
  show gain  = match roll.band { slip: 0, step: 1, leap: 2 }
  show Lucky = roll.band == leap
  set up     = min(up + gain, height)
  set spent  = spent + (if roll.band == slip then 1 else 0)
}
show oil = spent
'''

[tracks.race]
help    = "Up before the storm is here"
inherit = ["climb"]
bands   = ["soaked", "dry"]
axes.storm = { default = 3, domain = "1..=12" }
rules = '''
let up   = 0
let wind = 0
repeat until up == height or wind == storm {
  let roll = step(..)
  set up   = min(up + (match roll.band { slip: 0, step: 1, leap: 2 }), height)
  set wind = wind + 1
}
show band  = if up == height then dry else soaked
show Close = up == height and wind == storm
'''

[tracks.ridge]
help = "Two good coins in a row, but a bad one after a good one is a fall"
axes.need = { default = 2, domain = "1..=4" }
rules = '''
let up     = 0
let fallen = 0
let tries  = 0
repeat until up == need {
  show good  = 1d2
  set fallen = if fallen == 1 or good == 1 and up > 0 then 1 else 0
  set up     = if fallen == 1 then 0 else if good == 2 then min(up + 1, need) else 0
  set tries  = tries + 1
}
show cost = tries
'''

[tracks.coin]
axes.chance = { default = 50, domain = "0..=100" }
rules = '''
let won = 0
repeat until won == 1 {
  show face = d{1:chance, 0:(100 - chance)}
  set won = face
}
'''
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("summit.toml", SUMMIT);
    place
}

fn ratio(row: &[String]) -> RBig {
    let weight: IBig = row[1].parse().expect("a whole number");
    let total: UBig = row[2].parse().expect("a whole number");
    RBig::from_parts(weight, total)
}

/// The rows of an answer, without the head.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = records(text);
    assert_eq!(rows.remove(0).join(","), "outcome,weight,total,probability");
    rows
}

#[test]
fn a_track_in_every_format() {
    let place = place();
    let ask = |format| place.answer(&format!("track summit.toml --format {format}"));
    insta::assert_snapshot!("climb", ask("table"));
    let csv = ask("csv");
    insta::assert_snapshot!("climb_csv", csv);
    let json: serde_json::Value = serde_json::from_str(&ask("json")).expect("JSON");
    assert_eq!(json["track"], "climb");
    assert_eq!(json["configuration"], serde_json::json!({}));
    let objects = json["outcomes"].as_array().expect("a list");
    assert_eq!(objects.len(), rows(&csv).len());
    for (row, object) in rows(&csv).iter().zip(objects) {
        assert_eq!(object["outcome"], row[0]);
        assert_eq!(object["weight"], row[1]);
        assert_eq!(object["total"], row[2]);
    }
    let markdown = ask("markdown");
    assert!(
        markdown.contains("| mean(rolls) | 5.6277 | 13512/2401 |"),
        "{markdown}"
    );
}

#[test]
fn what_is_full_first_comes_before_what_one_roll_shows() {
    let place = place();
    insta::assert_snapshot!(
        "race",
        place.answer("track summit.toml:race --set stat=1 --query 'P(rolls<=2)'")
    );
}

/// Bands of a track have fractions of their own; what is at least as good is still a sum of odds.
#[test]
fn what_is_at_least_as_good_adds_up_over_any_fractions() {
    let place = Place::new();
    let rules = "let x = 0  repeat until x > 0 { set x = 1d6 }  show band = match x { 1: a, 2..=3: b, else: c }";
    let text = format!("name = 'Die'\n[tracks.die]\nbands = ['a', 'b', 'c']\nrules = '{rules}'\n");
    place.write("die.toml", &text);
    let shown = place.answer("track die.toml");
    for band in [
        "a  16.67%   100.00%",
        "b  33.33%    83.33%",
        "c  50.00%    50.00%",
    ] {
        assert!(shown.contains(band), "{shown}");
    }
}

#[test]
fn the_numbers_of_rolls_are_all_there_is() {
    let place = place();
    for horizon in [None, Some(3), Some(100)] {
        let more = horizon.map_or(String::new(), |rolls| format!("--horizon {rolls}"));
        let rows = rows(&place.answer(&format!("track summit.toml --format csv {more}")));
        let lengths = rows.iter().filter(|row| row[0].starts_with("P(rolls"));
        let lengths: Vec<&Vec<String>> = lengths.collect();
        let sum = lengths.iter().fold(RBig::ZERO, |sum, row| sum + ratio(row));
        assert_eq!(sum, RBig::ONE);
        let last = lengths[lengths.len() - 1];
        assert_eq!(last[0], format!("P(rolls>{})", lengths.len() - 1));
        match horizon {
            Some(horizon) => assert_eq!(lengths.len() - 1, horizon),
            None => assert!(ratio(last) < RBig::from_parts(1.into(), 1000_u16.into())),
        }
    }
}

#[test]
fn a_coin_takes_one_over_its_chance() {
    let place = place();
    let rows = rows(&place.answer("track summit.toml:coin --format csv"));
    let find = |name: &str| {
        let row = rows.iter().find(|row| row[0] == name);
        ratio(row.expect(name))
    };
    let half = |n: u32| RBig::from_parts(1.into(), UBig::from(2_u8).pow(n as usize));
    assert_eq!(find("mean(rolls)"), RBig::from(2));
    assert_eq!(find("variance(rolls)"), RBig::from(2));
    for n in 1..=9 {
        assert_eq!(find(&format!("P(rolls=={n})")), half(n));
    }
}

#[test]
fn queries_replace_what_is_said_of_the_rolls() {
    let place = place();
    let ask = |query| {
        let words = format!("track summit.toml:race --format csv --query '{query}'");
        rows(&place.answer(&words))
    };
    let names: Vec<String> = ask("mean(rolls|dry)")
        .into_iter()
        .map(|row| row[0].clone())
        .collect();
    assert_eq!(names, ["soaked", "dry", "Close", "mean(rolls|dry)"]);
}

#[test]
fn a_track_that_may_never_fill_says_so() {
    let place = place();
    insta::assert_snapshot!("ridge", place.answer("track summit.toml:ridge"));
    let run = place.run("track summit.toml:ridge --format csv");
    assert_eq!(run.status, Some(0));
    assert_eq!(
        run.err,
        "note: no `mean(cost)`: with a chance of 1/2 there is no end\n"
    );
    assert!(run.out.contains("mean(rolls),1,0,inf\n"), "{}", run.out);
    assert!(!run.out.contains("mean(cost)"), "{}", run.out);
    place.refuses(
        "track summit.toml:ridge --query 'mean(cost)'",
        &["with a chance of 1/2 `ridge` never ends"],
    );
    let json = place.answer("track summit.toml:ridge --query 'mean(rolls)' --format json");
    assert!(json.contains("\"probability\": \"inf\""), "{json}");
    let markdown = place.answer("track summit.toml:ridge --query 'mean(rolls)' --format markdown");
    assert!(markdown.contains("| mean(rolls) | inf |  |"), "{markdown}");
}

#[test]
fn a_track_that_never_ends_has_no_table() {
    let place = place();
    let never = "track summit.toml:coin --set chance=0";
    let text = place.answer(never);
    assert!(text.contains("It never ends"), "{text}");
    assert!(!text.contains("nan") && !text.contains("NaN"), "{text}");
    let rows = rows(&place.answer(&format!("{never} --format csv")));
    assert_eq!(rows[0][1..], ["1", "0", "inf"]);
    let last = rows.last().expect("rows");
    assert_eq!((last[0].as_str(), last[3].as_str()), ("P(rolls>1)", "1.0"));
}

#[test]
fn a_track_that_is_full_from_the_start_takes_no_rolls() {
    let place = place();
    let full = "track summit.toml --set height=0";
    let text = place.answer(full);
    assert!(text.contains("      0  100.00%"), "{text}");
    assert!(!text.contains("one roll"), "{text}");
    let run = place.run(&format!("{full} --format csv"));
    assert!(
        run.err.starts_with("note: nothing of one roll"),
        "{}",
        run.err
    );
    assert!(run.out.contains("P(rolls==0),1,1,1.0\n"), "{}", run.out);
}

#[test]
fn long_tracks_come_in_groups_unless_a_horizon_is_given() {
    let place = place();
    let ask = |more| place.answer(&format!("track summit.toml:coin --set chance=1 {more}"));
    let grouped = ask("");
    assert!(grouped.contains(" 1 to 20 "), "{grouped}");
    assert!(grouped.lines().count() < 60, "{grouped}");
    let whole = ask("--horizon 70");
    assert!(
        whole.contains("\n     70  ") && whole.contains("take more than 70 rolls"),
        "{whole}"
    );
    // The quantiles know more than what is shown: 0.99^69 < 1/2 < 0.99^68.
    assert!(whole.contains("   69  "), "{whole}");
}

#[test]
fn tables_take_tracks() {
    let place = place();
    let table = |line: &str| place.answer(line);
    let climb = table("table summit.toml:climb --sweep height=1,4 --format table");
    assert_eq!(
        climb.lines().collect::<Vec<_>>(),
        [
            "height  mean(rolls)",
            "     1       1.7143",
            "     4       5.6277",
        ]
    );
    let race = records(&table(
        "table summit.toml:race --sweep height=1,4 --query mean(rolls)",
    ));
    assert_eq!(race[0], ["height", "soaked", "dry", "Close", "mean(rolls)"]);
    let ridge = table("table summit.toml:ridge --sweep need=1,2 --exact");
    assert_eq!(
        ridge,
        "need,mean(rolls),weight:mean(rolls),total:mean(rolls)\n1,2.0,2,1\n2,inf,1,0\n"
    );
    let jsonl = table("table summit.toml:ridge --sweep need=1,2 -o ridge.jsonl");
    assert_eq!(jsonl, "");
    assert_eq!(
        place.read("ridge.jsonl"),
        "{\"need\":1,\"mean(rolls)\":2.0}\n{\"need\":2,\"mean(rolls)\":\"inf\"}\n"
    );
    assert_eq!(
        table("table summit.toml:ridge --sweep need=1,2 -o ridge.parquet"),
        ""
    );
}

#[test]
fn checks_and_tracks_are_told_apart() {
    let place = place();
    let cases: &[(&str, &[&str])] = &[
        (
            "odds summit.toml:climb",
            &[
                "`climb` is a track",
                "use `oddsmith track summit.toml:climb`",
            ],
        ),
        (
            "contest summit.toml:climb",
            &[
                "`climb` is a track",
                "use `oddsmith track summit.toml:climb`",
            ],
        ),
        (
            "track summit.toml:step",
            &["`step` is a check", "use `oddsmith odds summit.toml:step`"],
        ),
        (
            "track summit.toml:clim",
            &["no track `clim`", "`summit.toml:climb`"],
        ),
        (
            "odds summit.toml:rase",
            &[
                "no check `rase`",
                "`summit.toml:race`?, a track: use `oddsmith track`",
            ],
        ),
        (
            "table summit.toml:xyz --sweep all",
            &[
                "no check or track `xyz`",
                "its check is step; its tracks are climb, race",
            ],
        ),
        (
            "track lantern.toml",
            &["has no tracks", "its checks are check, test"],
        ),
        ("track summit.toml --query P(total>=3)", &["`total`"]),
        (
            "track summit.toml --set heigth=3",
            &["did you mean `height`?"],
        ),
        ("track summit.toml --horizon 0", &["0"]),
        ("track summit.toml --horizon -1", &["invalid value '-1'"]),
        (
            "track summit.toml --budget 10",
            &["steps or more", "the budget is 10"],
        ),
        (
            "track summit.toml --horizon 10000 --budget 1e7",
            &["steps or more", "the budget is 1.0e7"],
        ),
    ];
    for (line, says) in cases {
        place.refuses(line, says);
    }
}

/// A track whose length is certain, and one whose length nearly is, far beyond what is listed.
#[test]
fn quantiles_of_long_tracks_are_known() {
    let place = Place::new();
    let track = |name: &str, most: u32, step: &str| {
        format!(
            "[tracks.{name}]\nrules = '''\nlet n = 0\nrepeat until n == {most} {{ set n = min(n + {step}, {most}) }}\n\
             show done = n == {most}\n'''\n"
        )
    };
    let (sure, rolled) = (track("sure", 14_000, "1"), track("rolled", 3500, "1d6"));
    place.write("long.toml", &format!("name = \"Long\"\n{sure}{rolled}"));
    let quantiles = |name: &str| -> Vec<i64> {
        let shown = place.answer(&format!("track long.toml:{name}"));
        let line = shown
            .lines()
            .find(|line| line.trim_start().starts_with("rolls ") && !line.contains("odds"));
        let words = line.expect("the quantiles").split_whitespace();
        let numbers = words.skip(3).take(5);
        numbers
            .map(|n| n.parse().unwrap_or_else(|_| panic!("{shown}")))
            .collect()
    };
    assert_eq!(quantiles("sure"), [14_000; 5]);
    // The mean is about 1000, and the spread of a step 1.708: nearly the quantiles of a normal distribution.
    let rolled = quantiles("rolled");
    let known = [981, 990, 1000, 1011, 1020];
    let off = rolled.iter().zip(known).map(|(n, known)| (n - known).abs());
    assert!(off.max() <= Some(1), "{rolled:?}");
}

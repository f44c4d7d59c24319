//! Whole distributions: of values of checks, and of several things side by side.

use crate::support::{Place, records};

/// A check that shows a number, a flag and a band, and binds a pool, a number and a label that it does not show.
const BLOW: &str = r#"name = "Blow"

[checks.blow]
bands = ["miss", "hit", "kill"]
axes.stat  = { default = 1, domain = "0..=3" }
axes.place = { default = "arm", domain = ["arm", "head"] }
rules = '''
let hand   = 2d6
let spot   = if highest(hand) == 6 then step(place, 1) else place
let bonus  = stat + 1
show total  = hand + stat
show damage = if spot == head then 3 else bonus
show double = matches(hand) == 2
show band   = match total { < 7: miss, < 12: hit, else: kill }
'''

[tracks.fight]
inherit = ["blow"]
axes.health = { default = 2, domain = "1..=9" }
rules = '''
let left = health
repeat until left == 0 {
  let roll = blow(..)
  show dealt = roll.damage
  set left = if roll.band > miss then max(left - 1, 0) else left
}
'''
"#;

fn blow() -> Place {
    let place = Place::new();
    place.write("blow.toml", BLOW);
    place
}

#[test]
fn a_number_of_a_check() {
    let place = blow();
    let text = place.answer("dist blow.toml:blow.total --set stat=3");
    insta::assert_snapshot!("number_of_a_check", text);
    // It is the sum of two dice and 3, and so is what the rules bind.
    let csv = |name: &str| place.answer(&format!("dist {name} --set stat=3 --format csv"));
    let dice = place.answer("dist 2d6+3 --format csv");
    assert_eq!(csv("blow.toml:blow.total"), dice);
    assert_eq!(csv("blow.toml.total"), dice);
    let hand = place.answer("dist 2d6 --format csv");
    assert_eq!(csv("blow.toml:blow.hand"), hand);
    assert_eq!(
        records(&csv("blow.toml:blow.bonus"))[1][..3],
        ["4", "1", "1"]
    );
}

#[test]
fn labels_and_flags_of_a_check() {
    let place = blow();
    insta::assert_snapshot!("band_of_a_check", place.answer("dist blow.toml.band"));
    let rows = |value: &str| {
        let csv = place.answer(&format!("dist blow.toml:blow.{value} --format csv"));
        let rows = records(&csv).into_iter().skip(1);
        rows.map(|row| format!("{} {}/{}", row[0], row[1], row[2]))
            .collect::<Vec<_>>()
    };
    assert_eq!(rows("band"), ["miss 10/36", "hit 23/36", "kill 3/36"]);
    assert_eq!(rows("double"), ["no 30/36", "yes 6/36"]);
    assert_eq!(rows("spot"), ["arm 25/36", "head 11/36"]);
}

#[test]
fn two_values_at_once() {
    let place = blow();
    let ask =
        |format: &str| place.answer(&format!("dist blow.toml:blow.total,band --format {format}"));
    insta::assert_snapshot!("joint_table", ask("table"));
    insta::assert_snapshot!("joint_markdown", ask("markdown"));
    let rows = records(&ask("csv"));
    assert_eq!(rows[0].join(","), "total,band,weight,total,probability");
    let sum: u64 = rows[1..]
        .iter()
        .map(|row| row[2].parse::<u64>().expect("a weight"))
        .sum();
    assert_eq!(rows[1][3], sum.to_string());
    assert!(
        rows[1..]
            .iter()
            .all(|row| (row[1] == "miss") == (row[0].parse::<u8>().unwrap_or(9) < 7))
    );
    let json: serde_json::Value = serde_json::from_str(&ask("json")).expect("JSON");
    assert_eq!(json["values"], serde_json::json!(["total", "band"]));
    assert_eq!(
        json["outcomes"][0]["values"],
        serde_json::json!([3, "miss"])
    );
    assert_eq!(
        json["outcomes"].as_array().expect("a list").len(),
        rows.len() - 1
    );
}

#[test]
fn several_side_by_side() {
    let place = blow();
    let ask = |format: &str| place.answer(&format!("dist 3d6 2d6+3 1d4 --format {format}"));
    insta::assert_snapshot!("side_by_side", ask("table"));
    insta::assert_snapshot!("side_by_side_markdown", ask("markdown"));
    // Each by itself has the same rows.
    let rows = records(&ask("csv"));
    assert_eq!(rows[0][..3], ["expression", "outcome", "weight"]);
    for expression in ["3d6", "2d6+3", "1d4"] {
        let alone = records(&place.answer(&format!("dist {expression} --format csv")));
        let own = rows
            .iter()
            .filter(|row| row[0] == expression)
            .map(|row| row[1..].to_vec());
        assert_eq!(own.collect::<Vec<_>>(), alone[1..], "{expression}");
    }
    let json: serde_json::Value = serde_json::from_str(&ask("json")).expect("JSON");
    assert_eq!(json["distributions"][1]["expression"], "2d6+3");
    // What stands in several words is one expression, as long as it can be.
    assert_eq!(place.answer("dist 2d6 + 3"), place.answer("dist '2d6 + 3'"));
    let both = place.answer("dist blow.toml:blow.total 2d6+1 --format csv");
    assert_eq!(records(&both).len(), 1 + 11 + 11);
}

#[test]
fn dice_are_drawn_as_anydice_draws_them() {
    let place = blow();
    place.write(
        "dice.txt",
        "output 3d6 named \"3d6\"\noutput 1d20 named \"1d20\"\n",
    );
    for mode in ["exactly", "at-least", "at-most"] {
        place.answer(&format!("chart 3d6 1d20 --mode {mode} -o ours.svg"));
        place.answer(&format!("anydice dice.txt --mode {mode} -o theirs.svg"));
        assert_eq!(place.read("ours.svg"), place.read("theirs.svg"), "{mode}");
    }
    insta::assert_snapshot!(
        "chart_on_the_terminal",
        place.answer("chart 1d4 1d6 --mode at-least")
    );
    // A number of a check alone has its bands, as `--kind dist` draws it.
    place.answer("chart blow.toml:blow.total -o alone.svg");
    place.answer("chart blow.toml:blow --kind dist --x total -o shaded.svg");
    assert_eq!(place.read("alone.svg"), place.read("shaded.svg"));
    place.answer("chart blow.toml:blow.total 2d6 -o total.svg");
    assert!(place.read("total.svg").contains("blow.toml:blow.total"));
    // The line of dice without an end stops where one in a thousand is beyond.
    place.answer("chart 1d6! 10-1d4! -o endless.svg");
    let endless = place.read("endless.svg");
    assert!(endless.contains("1d6!") && endless.contains("10-1d4!"));
}

#[test]
fn what_can_not_be_asked_says_what_can() {
    let place = blow();
    let mut told = String::new();
    for asked in [
        "dist blow.toml:blow.totl",
        "dist blow.toml:blow.weather",
        "dist blow.toml:blow.stat",
        "dist blow.toml:blow.total,total",
        "dist blow.toml:blow",
        "dist blow.toml",
        "dist blw:blow.total",
        "dist blow.toml:blow.total --horizon 9",
        "dist 2d6 --horizon 9",
        "dist blow.toml:fight.rolls 2d6",
        "dist blow.toml:fight.rolls,dealt",
        "dist blow.toml:blow.band 2d6",
        "dist blow.toml:blow.total --query mean(total)",
        "dist 2d6 1d20 --query mean(value)",
        "dist 2d6 --set stat=1",
        "chart 2d6 1d6 --x stat",
        "chart blow.toml --mode at-least -o x.svg",
        "odds blow.toml --query total",
        "odds blow.toml --query quantile(total,2)",
        "odds blow.toml --query avg(total)",
        "odds blow.toml --query P(1<total<3<4)",
    ] {
        let refusal = place.refusal(asked);
        told.push_str(&format!("$ oddsmith {asked}\n{refusal}\n"));
    }
    insta::assert_snapshot!("refusals", told);
}

#[test]
fn a_number_without_an_end_has_a_last_row() {
    let place = blow();
    let mut told = String::new();
    for asked in [
        "dist blow.toml:fight.rolls",
        "dist blow.toml:fight.rolls --horizon 3 --as fraction",
        "dist blow.toml:fight.rolls --horizon 0",
        "dist blow.toml:fight.rolls --set health=9 --set stat=0",
        "dist blow.toml:fight.rolls --horizon 3 --format csv",
        "dist blow.toml:fight.rolls --horizon 3 --format json",
        "dist blow.toml:fight.rolls --horizon 3 --format markdown",
    ] {
        let answer = place.answer(asked);
        told.push_str(&format!("$ oddsmith {asked}\n{answer}\n"));
    }
    insta::assert_snapshot!("number_without_an_end", told);
}

#[test]
fn dice_that_explode_without_an_end_have_a_last_row() {
    let place = Place::new();
    let mut told = String::new();
    for asked in [
        "dist 1d6!",
        "dist 2d6! --horizon 14 --as fraction",
        "dist 1d10!>=9 --horizon 8 --format csv",
        "dist 1d6!>=6 --horizon 4",
        "dist 1d4! --horizon 3 --format json",
        "dist 1d8!+1d6!+2 --horizon 12 --as fraction",
        "dist 1d6! --query P(value>=30) --query mean(value) --query median(value) --as fraction",
        "dist max(1d8!,1d6!) --horizon 12 --as fraction",
        "dist 10-2*1d6! --horizon -20 --format csv",
        "dist 2*1d6!",
        "dist (max(1d8!,1d6!))>=30 --as fraction",
        "dist 1d6! --query P(value>=30|value>6) --query variance(value) --format csv",
    ] {
        let answer = place.answer(asked);
        told.push_str(&format!("$ oddsmith {asked}\n{answer}\n"));
    }
    for asked in [
        "dist 1d6! --query P(total>=30)",
        "dist 1d6! --explain",
        "dist 1d6! --explain --query mean(value)",
        "dist 1d6! 2d6 --query mean(value)",
        "dist 1d6! 2d6",
        "chart 1d6!",
        "dist 1d6! --set dice=2",
        "dist 1d6!>=1",
        "dist 1d6!>=7",
        "dist 1d0!",
        "dist 1d6!*2 --query P(value>=30)",
        "dist 1d6!*2 --explain",
        "dist 1d6!-1d8!",
        "dist 1d6! >= 10",
        "dist 2*1d6! --horizon 99999",
        "dist 1d1!",
    ] {
        let refusal = place.refusal(asked);
        told.push_str(&format!("$ oddsmith {asked}\n{refusal}\n"));
    }
    insta::assert_snapshot!("endless_dice", told);
}

#[test]
fn medians_and_the_like_stand_wherever_queries_do() {
    let place = blow();
    let asked = "odds blow.toml --query 'median(total)' --query 'quantile(total, 0.9 | hit)' \
        --query 'mode(total)' --query 'sd(total)' --query 'min(damage)' --query 'max(total)' \
        --query 'P(4 <= total <= 7)'";
    insta::assert_snapshot!("odds_of_statistics", place.answer(asked));
    let track = place.answer(
        "track blow.toml:fight --query median(rolls) --query quantile(rolls,0.99) --query sd(rolls)",
    );
    insta::assert_snapshot!("track_of_statistics", track);
    let table = place.answer(
        "table blow.toml --sweep stat=0..=3 --only median(total) --query sd(total) \
         --query P(6<=total<=8) --format csv",
    );
    insta::assert_snapshot!("table_of_statistics", table);
    let simulated = place
        .run("simulate blow.toml --query median(total) --query sd(total) --trials 1e5 --seed 1");
    assert_eq!(simulated.status, Some(0), "{}", simulated.err);
    insta::assert_snapshot!("simulated_statistics", simulated.out);
}

/// A check that shows a label of a list, and a track that ends in one.
const PLACES: &str = r#"name = "Places"
[labels]
place = ["leg", "the head"]
winner = ["nobody", "we"]
[checks.blow]
bands = ["miss", "hit"]
rules = """
let roll = d10
show band = if roll > 4 then hit else miss
show place = if roll > 8 then "the head" else leg
"""
[tracks.fight]
axes.most = { default = 2, domain = "1..=4" }
rules = """
let done = 0
let left = most
repeat until done == 1 or left == 0 {
  set done = blow().band == hit
  set left = left - 1
}
show winner = if done == 1 then we else nobody
"""
"#;

#[test]
fn labels_beside_the_bands_have_rows() {
    let place = Place::new();
    place.write("places.toml", PLACES);
    let mut told = String::new();
    for asked in [
        "odds places.toml --as fraction",
        "odds places.toml --format csv",
        "track places.toml:fight --as fraction",
        "simulate places.toml --trials 1000 --format csv",
        "compare places.toml:fight --with most=3",
    ] {
        let answer = place.run(asked);
        assert_eq!(answer.status, Some(0), "{}", answer.err);
        told.push_str(&format!("$ oddsmith {asked}\n{}\n", answer.out));
    }
    insta::assert_snapshot!("labels_beside_the_bands", told);
}

#[test]
fn the_label_that_a_track_ends_in_is_watched() {
    let place = Place::new();
    place.write("places.toml", PLACES);
    let check = "check places.toml --baseline accepted";
    place.run(&format!("{check} --update"));
    assert_eq!(place.run(check).status, Some(0));
    let other = PLACES.replace("then we else nobody", "then nobody else we");
    place.write("places.toml", &other);
    let moved = place.run(check);
    assert_eq!(moved.status, Some(1), "{}", moved.out);
}

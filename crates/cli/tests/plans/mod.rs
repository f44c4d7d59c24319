//! Plans: when to spend what over several checks.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr as _;

use oddsmith_exact::RBig;
use serde_json::Value;

use crate::support::{Place, records};

/// Points that lift a die, chosen after it or before it; some way to spend has a name.
const CLIMB: &str = r#"name = "Mountain"

[params]
worth = { default = [0, 1, 3], domain = "0..=9" }

[checks.climb]
bands    = ["slip", "hold", "leap"]
maximise = "worth[band] - grit_spent"
axes.steep = { default = 0, domain = "0..=3" }
axes.grit  = { default = 0, domain = "0..=2" }
axes.way   = { default = "best", domain = ["next", "best"] }
rules = '''
let roll = 1d6 - steep
let goal = if roll < 4 then 4 else 6
let lift = if way == next and roll < goal and goal - roll <= grit then goal - roll else 0
choose push in 0..=(if way == best then grit else 0)
show grit_spent = lift + push
show total      = roll + grit_spent
show band       = match total { < 4: slip, < 6: hold, else: leap }
'''

[checks.walk]
axes.grit = { default = 0, domain = "0..=2" }
rules = "show steps = 1d6 + grit"

[resources.grit]
help    = "Grit, for a whole mountain"
axis    = "grit"
spent   = "grit_spent"
policy  = "way=best"
utility = "worth[band]"
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("climb.toml", CLIMB);
    place
}

fn ratio(value: &serde_json::Value) -> RBig {
    RBig::from_str(value.as_str().expect("text")).expect("a fraction")
}

#[test]
fn a_plan_in_every_format() {
    let place = place();
    let ask = |format: &str| {
        place.answer(&format!(
            "balance plan climb.toml --checks 2 --pool 3 --format {format}"
        ))
    };
    insta::assert_snapshot!("climb", ask("table"));
    insta::assert_snapshot!("climb_markdown", ask("markdown"));
    insta::assert_snapshot!("climb_csv", ask("csv"));
    let bbcode = ask("bbcode");
    assert!(
        bbcode.contains("[b]when to spend grit[/b]\n[table]"),
        "{bbcode}"
    );
}

#[test]
fn several_choices_have_a_column_each() {
    let place = Place::new();
    let words = "balance plan action-primer --set skill=1 --set rerolls=1 --checks 2 --pool 3";
    insta::assert_snapshot!("karma", place.answer(words));
}

#[test]
fn points_are_told_as_points() {
    let place = Place::new();
    let told = place.answer("balance plan stars-and-signs --checks 2 --pool 1");
    let row = "   100.00%  raw 9: spend 1, 14: spend 1, 19: spend 1\n";
    assert!(told.contains(row), "{told}");
}

/// A point that is worth three on the die lifts nothing by one.
#[test]
fn points_that_are_worth_more_are_told_as_points() {
    let place = Place::new();
    let rules = r#"name = "P"
[checks.c]
bands = ["miss", "hit"]
axes.focus = { default = 0, domain = "0..=2" }
maximise = "3 * (band == hit) - used"
rules = """
let die = 1d20
choose used in 0..=focus
show used
show band = if die + 5 * used >= 15 then hit else miss
"""
[resources.focus]
axis = "focus"
spent = "used"
"#;
    place.write("p.toml", rules);
    let told = place.answer("balance plan p.toml --checks 1 --pool 2");
    assert!(told.contains("die 5–9: spend 2, 10–14: spend 1"), "{told}");
}

#[test]
fn choices_of_one_name_have_a_column_each() {
    let place = Place::new();
    let rules = r#"name = "G"
[checks.c]
bands = ["miss", "hit"]
axes.focus = { default = 0, domain = "0..=2" }
maximise = "10 * (band == hit) - spent"
rules = """
let left = focus
let sum = 0
let spent = 0
for i in 0..=1 {
  let die = 1d6
  choose again in 0..=min(left, 1)
  set left = left - again
  set spent = spent + again
  set sum = sum + die + 2 * again
}
show spent
show band = if sum >= 9 then hit else miss
"""
[resources.focus]
axis = "focus"
spent = "spent"
"#;
    place.write("g.toml", rules);
    let told = place.answer("balance plan g.toml --checks 2 --pool 3");
    let head = { told.lines() }.find(|line| line.ends_with("again (2)"));
    assert!(head.is_some_and(|head| head.contains("again ")), "{told}");
    let csv = place.answer("policy g.toml --set focus=1 --format csv");
    assert!(csv.contains("\nagain (2),"), "{csv}");
}

/// A track plays a check whose policy it does not set.
#[test]
fn a_policy_that_a_track_does_not_set() {
    let place = Place::new();
    let rules = r#"name = "H"
[checks.c]
bands = ["lo", "hi"]
axes.grit = { default = 0, domain = "0..=2" }
axes.way = { default = "best", domain = ["next", "best"] }
maximise = "band == hi"
rules = """
let r = 1d4
choose push in 0..=(if way == best then grit else 0)
show spent = push
show band = if r + push >= 4 then hi else lo
"""
[tracks.t]
bands = ["lost", "won"]
axes.grit = { default = 0, domain = "0..=2" }
rules = """
let a = 0
repeat until a == 2 or rolls == 3 {
  let c = c(..)
  set a = a + (c.band == hi)
}
show band = if a == 2 then won else lost
"""
[resources.grit]
axis = "grit"
spent = "spent"
policy = "way=best"
"#;
    place.write("h.toml", rules);
    let told = place.answer("balance plan h.toml:t --pool 2");
    assert!(told.contains("when to spend grit"), "{told}");
    let named = place.answer("balance plan h.toml:t --pool 2 --axis grit --spent spent");
    let worths = |told: &str| {
        told.split_once("what one more")
            .map(|(_, all)| all.to_owned())
    };
    assert_eq!(worths(&told), worths(&named));
}

#[test]
fn hope_is_spent_before_the_roll() {
    let place = Place::new();
    let words = "balance plan stars-and-signs --resource hope --checks 2 --pool 3";
    insta::assert_snapshot!("hope", place.answer(words));
}

#[test]
fn two_resources_are_spent_in_one_scene() {
    let place = Place::new();
    let words = "balance plan stars-and-signs --checks 2 --pool effort=2,hope=1";
    insta::assert_snapshot!("two_resources", place.answer(words));
    let json = place.answer(&format!("{words} --format json"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let at = |checks: u64| {
        let mut states = json["states"].as_array().expect("a list").iter();
        let left = |state: &serde_json::Value, name: &str| state["points_left"][name].clone();
        let found = states.find(|state| {
            state["checks_left"] == checks && left(state, "effort") == 2 && left(state, "hope") == 1
        });
        found.expect("it is there")
    };
    let plan = json["ways"].as_array().and_then(|ways| ways.last());
    assert_eq!(at(2)["value"], plan.expect("it is last")["result"]["value"]);
    assert_eq!(
        (&at(2)["points"]["hope"], &at(1)["points"]["hope"]),
        (&0.into(), &1.into())
    );

    let csv = records(&place.answer(&format!("{words} --format csv")));
    let head = csv[0].join(",");
    let own = "checks_left,effort points_left,hope points_left,probability,value,effort one_more,hope one_more,effort points_set,hope points_set,effort way,hope way,choice,round,raw,chosen,";
    assert!(head.starts_with(own), "{head}");

    place.answer(&format!("{words} -o points.svg"));
    let svg = place.read("points.svg");
    assert!(
        svg.contains("What one more point of effort or hope is worth"),
        "{svg}"
    );
}

/// Where what an outcome is worth, or the axis, differs or is the same.
const SECOND: &str = r#"
[resources.rest]
axis    = "steep"
utility = "worth[band] - 1"

[resources.nerve]
axis    = "grit"
utility = "worth[band]"
"#;

#[test]
fn slips_in_several_pools_are_named() {
    let place = place();
    place.write("two.toml", &format!("{CLIMB}{SECOND}"));
    let all: String = [
        "balance plan stars-and-signs --pool effort=2,hop=1",
        "balance plan stars-and-signs --pool effort=2,effort=1",
        "balance plan stars-and-signs --pool effort=2,hope",
        "balance plan stars-and-signs --pool effort=-1",
        "balance plan stars-and-signs --pool effort=2 --resource hope",
        "balance plan stars-and-signs --pool effort=2,hope=1 --set circ_boons=2 --set effort=1",
        "balance plan two.toml --pool grit=1,rest=1",
        "balance plan two.toml --pool grit=1,nerve=1",
        "balance plan two.toml --pool grit=4000000000,rest=4000000000 --utility worth[band]",
    ]
    .into_iter()
    .map(|words| format!("$ oddsmith {words}\n{}\n", place.refusal(words)))
    .collect();
    insta::assert_snapshot!("slips_in_several_pools", all);
}

#[test]
fn points_before_the_roll() {
    let place = place();
    let words = "balance plan climb.toml:walk --axis grit --checks 2 --pool 3 --utility steps>=5";
    insta::assert_snapshot!("walk", place.answer(words));
}

#[test]
fn checks_take_turns() {
    let place = place();
    let words = "balance plan climb.toml --check steep=1 --check steep=3 --set worth=[0,1,2] --pool 2 --format json";
    let json: serde_json::Value = serde_json::from_str(&place.answer(words)).expect("JSON");
    assert_eq!(
        (&json["checks"], &json["resources"][0]["pool"]),
        (&2.into(), &2.into())
    );
    assert_eq!(json["configurations"][0]["steep"], 1);
    assert_eq!(json["configurations"][1]["steep"], 3);
    // From 1d6 - 3 the goal of 4 is a roll of 6 with a point, or a 5 with both: one in three, and nothing more.
    let last = json["states"].as_array().expect("a list");
    let at = |checks: u64, points: u64| {
        let state = last
            .iter()
            .find(|state| state["checks_left"] == checks && state["points_left"]["grit"] == points);
        ratio(&state.expect("it is there")["value"])
    };
    assert_eq!(at(1, 2), RBig::from_parts(1.into(), 3_u8.into()));
    let plan = json["ways"].as_array().and_then(|ways| ways.last());
    assert_eq!(
        at(2, 2),
        ratio(&plan.expect("it is last")["result"]["value"])
    );
}

#[test]
fn values_do_not_depend_on_threads() {
    let place = place();
    let ask = |threads: &str| {
        let words = "balance plan climb.toml --checks 4 --pool 6 --format csv --threads";
        place.answer(&format!("{words} {threads}"))
    };
    assert_eq!(ask("1"), ask("3"));
}

#[test]
fn each_row_is_an_exact_fraction() {
    let place = place();
    let csv = records(&place.answer("balance plan climb.toml --checks 3 --pool 2 --format csv"));
    let column = |name: &str| {
        csv[0]
            .iter()
            .position(|known| known == name)
            .expect("a column")
    };
    let (probability, left) = (column("probability"), column("checks_left"));
    let (comes_up, points) = (column("comes_up"), column("points_left"));
    // What comes up in one check with so many points is a whole distribution.
    let of = |checks: &str, held: &str| {
        let rows = csv[1..]
            .iter()
            .filter(|row| row[left] == checks && row[points] == held);
        rows.fold(RBig::ZERO, |sum, row| {
            RBig::from_str(&row[probability]).expect("a fraction");
            sum + RBig::from_str(&row[comes_up]).expect("a fraction")
        })
    };
    assert_eq!(of("3", "2"), RBig::ONE);
    assert_eq!(of("1", "1"), RBig::ONE);
}

#[test]
fn a_picture_of_what_points_are_worth() {
    let place = place();
    place.answer("balance plan climb.toml --checks 9 --pool 4 -o grit.svg");
    let svg = place.read("grit.svg");
    assert!(
        svg.contains("What one more point of grit is worth"),
        "{svg}"
    );
    assert!(svg.contains("checks left"), "{svg}");
    place.refuses("balance plan climb.toml -o climb.toml", &["svg"]);
}

#[test]
fn slips_are_named() {
    let place = place();
    let all: String = [
        "balance plan climb.toml:walk",
        "balance plan climb.toml --resource girt",
        "balance plan stars-and-signs:counter",
        "balance plan stars-and-signs:timed --checks 2",
        "balance plan stars-and-signs:timed --pool 4000000000",
        "balance plan stars-and-signs:timed --check effort=1",
        "balance plan stars-and-signs:timed --set effort=1",
        "balance plan stars-and-signs:timed --resource hop",
        "balance plan stars-and-signs:timed --axis effort --spent effort_paid",
        "balance plan stars-and-signs:timed --utility effort_spent",
        "balance plan climb.toml --axis girt",
        "balance plan climb.toml --axis way",
        "balance plan climb.toml --axis steep --spent grit_spend",
        "balance plan climb.toml --axis grit --policy worth[0]=1",
        "balance plan climb.toml --axis grit --policy grit=1",
        "balance plan climb.toml --utility Hold=1,leap=x,leap",
        "balance plan climb.toml --utility band",
        "balance plan climb.toml:walk --axis grit",
        "balance plan climb.toml:walk --axis grit --utility hold=1",
        "balance plan climb.toml --axis steep --spent grit_spent --check grit=2,way=next --pool 0",
        "balance plan climb.toml --check girt=1",
        "balance plan climb.toml --checks 1000 --pool 4000000000",
        "balance plan climb.toml --spent grit_spent",
    ]
    .into_iter()
    .map(|words| format!("$ oddsmith {words}\n{}\n", place.refusal(words)))
    .collect();
    insta::assert_snapshot!("slips", all);
}

#[test]
fn a_track_is_planned_for_its_end() {
    let place = place();
    let words =
        "balance plan stars-and-signs:timed --set slots=2 --set timer=2 --pool effort=2,hope=1";
    let all: String = ["", " --format csv", " --format markdown"]
        .iter()
        .map(|form| {
            format!(
                "$ oddsmith {words}{form}\n{}\n",
                place.answer(&format!("{words}{form}"))
            )
        })
        .collect();
    insta::assert_snapshot!("a_track", all);
}

/// One who has the points in the rules, as a state, is told the same by `policy`.
#[test]
fn a_plan_for_a_track_is_its_policy() {
    let place = place();
    let text = r#"
name = "Doors"
[checks.push]
bands      = ["shut", "open"]
maximise   = "-paid"
axes.purse = { default = 0, domain = "0..=2" }
axes.way   = { default = "never", domain = ["never", "best"] }
rules = """
let roll = 1d6
choose more in 0..=(if way == best then purse else 0)
show paid = more
show band = if roll + paid >= 6 then open else shut
"""
[tracks.doors]
inherit = ["push"]
rules = """
let done = 0
repeat until rolls == 4 { let door = push(..) set done = min(done + (door.band == open), 2) }
show opened = done == 2
"""
[tracks.by_hand]
maximise = "opened"
rules = """
let done = 0
let left = 3
repeat until rolls == 4 {
  let roll  = 1d6
  choose more in 0..=min(2, left)
  set left  = left - more
  set done  = min(done + (roll + more >= 6), 2)
}
show opened = done == 2
"""
[resources.purse]
axis   = "purse"
spent  = "paid"
policy = "way=best"
"#;
    place.write("doors.toml", text);
    // By what is known, in whatever order.
    let rows = |words: &str| -> BTreeSet<String> {
        let json: Value = serde_json::from_str(&place.answer(words)).expect("it is JSON");
        let rows = json["choices"][0]["rows"].as_array().expect("a choice");
        let row = |row: &Value| {
            let seen = row["seen"].as_object().expect("what is known");
            let seen: BTreeMap<&str, &Value> = { seen.iter() }
                .map(|(name, value)| (name.trim_start_matches("purse "), value))
                .collect();
            format!(
                "{seen:?} {} {} {}",
                row["chosen"], row["worth"], row["probability"]
            )
        };
        rows.iter().map(row).collect()
    };
    assert_eq!(
        rows("balance plan doors.toml:doors --pool 3 --utility opened --format json"),
        rows("policy doors.toml:by_hand --format json")
    );
}

#[test]
fn rulesets_say_what_is_spent() {
    let place = place();
    let shown = place.answer("rules show climb.toml");
    let resources = shown.split("resources\n").nth(1).expect("a section");
    assert_eq!(resources, "  grit  climb  Grit, for a whole mountain\n");
    assert_eq!(
        place.answer("rules validate climb.toml"),
        "ok: climb.toml (2 checks, 1 resource)\n"
    );
}

#[test]
fn what_the_plan_would_leave_out_is_refused() {
    let place = place();
    place.refuses(
        "balance plan climb.toml --set grit=1 --pool 2",
        &["`grit` is what the plan finds"],
    );
    place.refuses(
        "balance plan climb.toml --check steep=1 --check steep=2 --check steep=3 --checks 2 \
         --pool 2",
        &["`--checks 2` leaves out checks: `--check` gives 3"],
    );
}

//! What is known of the games that come along.

use serde_json::Value;

use super::ids;
use crate::support::Place;

/// The findings of a ruleset, accepted ones too.
fn findings(target: &str, only: &str) -> Vec<Value> {
    let run = Place::new().run(&format!(
        "balance lint {target} --all --format json --only {only}"
    ));
    assert!(run.status < Some(2), "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    report["findings"].as_array().expect("a list").clone()
}

/// `pool=4` and the fraction there, for all that a case shows.
fn values(case: &Value) -> Vec<(&str, &str)> {
    let stands = case["values"].as_array().expect("a list").iter();
    let stands = stands.map(|stand| (stand["at"].as_str(), stand["value"].as_str()));
    stands
        .map(|(at, value)| (at.expect("a place"), value.expect("a fraction")))
        .collect()
}

#[test]
fn twists_come_and_go_with_the_pool() {
    let found = findings("action-checks:check", "non-monotone/check/pool/Twist");
    assert_eq!(ids(&found), ["non-monotone/check/pool/Twist"]);
    assert_eq!([&found[0]["seen"], &found[0]["of"]], [&found[0]["of"]; 2]);
    let turns = [
        ("pool=0", "0"),
        ("pool=2", "0"),
        ("pool=4", "13/18"),
        ("pool=5", "23/108"),
        ("pool=6", "119/324"),
        ("pool=7", "617/5832"),
    ];
    assert_eq!(values(&found[0]["evidence"][0]), turns);
}

#[test]
fn the_last_die_that_a_cut_takes_helps() {
    let found = findings("action-checks:check", "non-monotone/check/cuts/band");
    let case = values(&found[0]["evidence"][0]);
    assert_eq!(
        case,
        [("cuts=0", "7/8"), ("cuts=2", "1/8"), ("cuts=3", "1/4")]
    );
}

#[test]
fn skill_past_a_target_number_of_ten_changes_nothing() {
    let found = findings("action-primer:test", "plateau/test/skill");
    assert_eq!(ids(&found), ["plateau/test/skill"]);
    assert_eq!(
        found[0]["facts"]["stretches"],
        serde_json::json!([["7", "20"]])
    );
}

#[test]
fn an_asset_is_better_as_a_bonus_but_for_the_null_die() {
    let found = findings("stars-and-signs:check", "crossing/check/asset_mode");
    let pair = &found[0]["facts"]["pairs"][0];
    assert_eq!(pair["labels"], serde_json::json!(["bonus", "die"]));
    let split = pair["split"].as_array().expect("a list");
    let better = |at: usize| {
        let better = &split[at]["wins"]["better"];
        [better[0].as_u64(), better[1].as_u64()].map(|count| count.expect("a count"))
    };
    assert_eq!(split[0]["axis"], "ability_rank");
    assert_eq!(split[0]["values"], serde_json::json!(["1"]));
    let [bonus, die] = better(0);
    assert!(die > bonus, "{split:?}");
    // All other ranks are one stretch.
    assert_eq!(split.len(), 2);
    let [bonus, die] = better(1);
    assert!(bonus > 100 * die, "{split:?}");
}

#[test]
fn a_boon_is_not_what_a_bane_is_and_a_flat_modifier_is() {
    let found = findings("stars-and-signs:check", "asymmetric");
    assert_eq!(ids(&found), ["asymmetric/check/circ_boons"]);
    // The 2d10, of a rank's die the lowest of three: 10 or more, with a Bane, as it is, and with a Boon.
    let case = values(&found[0]["evidence"][0]);
    let sum = |stand: &str| {
        let (above, below) = stand.split_once('/').expect("a fraction");
        let [above, below] = [above, below].map(|part| part.parse::<f64>().expect("a number"));
        above / below
    };
    let [below, middle, above] = [0, 1, 2].map(|at| sum(case[at].1));
    assert!((middle - below) - (above - middle) > 0.05, "{case:?}");
    let flats = &found[0]["evidence"][0]["flat"];
    let [down, up] = [0, 1].map(|at| sum(flats[at].as_str().expect("a fraction")));
    assert!(down < -2.0 && up > 2.0 && up > -down * 1.05, "{flats}");
}

#[test]
fn two_ranks_that_share_a_die_are_accepted() {
    let found = findings("stars-and-signs:check", "dead-step/check/ability_rank");
    let stretches = serde_json::json!([["2", "3"], ["4", "5"], ["6", "7"], ["8", "9"]]);
    assert_eq!(found[0]["facts"]["stretches"], stretches);
    assert!(found[0]["accepted"].is_string());
}

#[test]
fn what_an_odd_helper_adds_is_nothing() {
    let found = findings("action-primer:assisted", "dead-step/assisted/untrained");
    assert_eq!(
        found[0]["facts"]["stretches"],
        serde_json::json!([["0", "1"], ["2", "3"]])
    );
}

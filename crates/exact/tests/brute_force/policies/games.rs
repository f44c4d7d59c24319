//! Policies of shipped games, made small where a brute force needs it, and of choices in special places.

use oddsmith_exact::{Budget, Error, policy};
use oddsmith_rules::{Check, Known, Ties};

use super::{agree, tracks_agree};
use crate::support::{MOST_TRIALS, check_of, config_of, model_of, queries_of};

/// A shipped ruleset with parts of its text changed.
fn shipped(file: &str, changes: &[(&str, &str)]) -> String {
    let path = format!("{}/../../rulesets/{file}.toml", env!("CARGO_MANIFEST_DIR"));
    let mut text = std::fs::read_to_string(path).expect("the ruleset is there");
    for (from, to) in changes {
        assert!(text.contains(from), "{from} is in {file}");
        text = text.replace(from, to);
    }
    text
}

/// Plays a check of a ruleset by its policy, in several configurations.
fn check_agrees(text: &str, name: &str, settings: &[&str]) {
    let model = model_of(text);
    let check = model.check(name).expect("it is a check");
    for setting in settings {
        let config = config_of(check, setting);
        let complaint = agree(check, &config, MOST_TRIALS).expect("it is small");
        assert_eq!(complaint, Ok(()), "{name} {setting}");
        assert!(tables(check, setting) > 0, "{name} {setting} chooses");
    }
}

/// Plays a track or a contest by its policy.
fn track_agrees(track: &Check, setting: &str, queries: &[&str]) {
    let queries = queries_of(track, queries);
    let config = config_of(track, setting);
    let complaint = tracks_agree(track, &config, &queries, 7, MOST_TRIALS);
    let complaint = complaint.expect("it is small");
    assert_eq!(complaint, Ok(()), "{} {setting}", track.name);
    assert!(tables(track, setting) > 0, "{} {setting}", track.name);
}

/// How many tables the policy of a configuration has.
fn tables(check: &Check, setting: &str) -> usize {
    let policy = policy(check, &config_of(check, setting), &Budget::unlimited());
    policy.expect("a policy").choices.len()
}

#[test]
fn effort_after_a_check() {
    let text = shipped("stars-and-signs", &[]);
    let settings = [
        "effort=5 effort_policy=optimal",
        "effort=2 effort_policy=optimal adv_invokes=1 ability_rank=1",
        "effort=3 effort_policy=optimal state=fragile circ_boons=-1 ability_rank=2",
    ];
    check_agrees(&text, "check", &settings);
}

#[test]
fn karma_in_several_places() {
    let text = shipped("action-primer", &[]);
    let settings = [
        "karma_policy=optimal karma=3",
        "karma_policy=optimal karma=2 rerolls=2 need=3",
        "karma_policy=optimal rerolls=1 skill=0",
    ];
    check_agrees(&text, "test", &settings);
}

#[test]
fn dice_that_stay() {
    let small = [
        ("5d6", "3d4"),
        ("(5 - size(kept))d6", "(3 - size(kept))d4"),
        ("alike == 5", "alike == 3"),
    ];
    let text = shipped("shelf/dice-games/yahtzee", &small);
    check_agrees(&text, "yahtzee", &["", "rolls_allowed=2"]);
    check_agrees(&text, "chance", &["", "rolls_allowed=2"]);
    let text = shipped("examples/game-of-threes", &[]);
    check_agrees(&text, "threes", &["dice=1", "dice=2", "dice=3"]);
}

#[test]
fn dice_that_are_raised_or_rolled_again() {
    let text = shipped("shelf/d6-pools/soulbound", &[]);
    check_agrees(
        &text,
        "chosen",
        &["", "dice=4 focus=2", "dice=2 need=6 focus=5"],
    );
    let text = shipped("shelf/mixed-dice/ironsworn", &[("d10", "d4")]);
    check_agrees(&text, "reroll", &["", "stat=-2", "stat=3"]);
}

/// What a track's rounds choose does not depend on how far it is: one table serves all of them.
#[test]
fn effort_in_a_track() {
    let sums = [
        ("let paid   = 0", "let sum_paid = 0"),
        ("set paid   = paid", "set sum_paid = sum_paid"),
        ("effort_paid = paid", "effort_paid = sum_paid"),
    ];
    let model = model_of(&shipped("stars-and-signs", &sums));
    let setting = "effort=2 effort_policy=optimal slots=3";
    let track = model.track("counter").expect("it is a track");
    let queries = [
        "mean(rolls)",
        "P(rolls <= 2)",
        "mean(effort_paid)",
        "mean(gain)",
    ];
    track_agrees(track, setting, &queries);
    let found = policy(track, &config_of(track, setting), &Budget::unlimited()).unwrap();
    let [table] = &found.choices[..] else {
        panic!("one choice: {found:?}")
    };
    assert_eq!(table.seen.len(), 1, "only the result so far");
    let track = model.track("timed").expect("it is a track");
    track_agrees(
        track,
        &format!("{setting} timer=3"),
        &["mean(rolls)", "P(band == \"in time\")"],
    );
}

const STAKES: &str = r#"
name = "Test"
[checks.stake]
contest = "got"
maximise = "got - paid"
axes.safe = { domain = "0..=9", default = 2 }
axes.coins = { domain = "0..=2", default = 1 }
rules = """
let old = d3
choose more in 0..=coins
let new = d4 + more
show paid = more
show got = max(old + safe, new)
"""
[checks.keep]
contest = "sum"
maximise = "sum"
rules = """
let hand = 2d3
repeat 2 { choose kept in subsets(hand) set hand = {kept, (2 - size(kept))d3} }
show sum = sum(hand)
"""
[tracks.climb]
axes.top = { domain = "1..=9", default = 5 }
rules = """
let at = sum(d2)
let sum_paid = 0
repeat until at >= top {
  let roll = stake(safe = at, coins = 2)
  show gain = roll.got
  set at = min(top, at + (if roll.got >= 4 then 2 else 1))
  set sum_paid = sum_paid + roll.paid
}
let last = stake(safe = at, coins = 1)
show end = last.got
show paid = sum_paid
"""
[tracks.sums]
rules = """
let at = 0
let sum_all = 0
repeat until at == 3 {
  let step = d2
  set at = min(3, at + step)
  set sum_all = sum_all + (if step == 1 then stake(safe = at).got else 0) + stake(safe = step).paid
}
show all = sum_all
"""
"#;

/// What a round chooses depends on how far the track is; before and after the loop there are choices too.
#[test]
fn choices_that_depend_on_the_state() {
    let model = model_of(STAKES);
    let track = model.track("climb").expect("it is a track");
    let queries = ["mean(rolls)", "mean(gain)", "mean(end)", "mean(paid)"];
    for setting in ["", "top=3", "top=9"] {
        track_agrees(track, setting, &queries);
    }
    let track = model.track("sums").expect("it is a track");
    track_agrees(track, "", &["mean(rolls)", "mean(all)", "P(all <= 4)"]);
}

/// Each side knows its own roll, and nothing of the other's.
#[test]
fn a_contest_of_two_that_choose() {
    let model = model_of(STAKES);
    let (stake, keep) = (model.check("stake").unwrap(), model.check("keep").unwrap());
    let queries = ["mean(rounds)", "a_wins", "b_wins", "A", "P(rounds <= 2)"];
    for (_, ties) in Ties::ALL {
        for (a, b) in [(stake, keep), (keep, stake), (stake, stake)] {
            let contest = a.against(b, ties).expect("they can be compared");
            track_agrees(&contest, "", &queries);
            let found = policy(&contest, &contest.defaults(), &Budget::unlimited()).unwrap();
            assert!(found.choices.iter().all(|table| table.seen.len() == 1));
        }
    }
}

/// What a choice sees are the script's own variables, also where the engine reads a pool in its own way.
#[test]
fn what_is_seen() {
    let check = |goal: &str, script: &str| -> Check {
        let text = format!(
            "name = 'Test'\n[checks.main]\nmaximise = '{goal}'\nrules = \"\"\"\n{script}\n\"\"\""
        );
        model_of(&text).check("main").expect("it is there").clone()
    };
    let seen = |check: &Check| -> Vec<String> {
        let found = policy(check, &check.defaults(), &Budget::unlimited()).expect("a policy");
        let text = |span: oddsmith_rules::Span| check.source.text[span.start..span.end].to_owned();
        let table = found.choices.first().expect("a choice");
        table.seen.iter().map(|expr| text(expr.span)).collect()
    };
    let script =
        "let p = 2d3 choose n in 0..=1 show got = if n == 1 then highest(p) else count(p, 2) + 1";
    assert_eq!(seen(&check("got", script)), ["highest(p)", "count(p, 2)"]);
    // What is shown beside the goal is not looked at, nor what is the same in all rows.
    let script = "let a = d4 let b = d4 let c = 1 set c = c + 1 choose n in 0..=1
                  show got = n * (a - c) show both = a + b";
    assert_eq!(seen(&check("got", script)), ["let a = d4"].map(|_| "a"));
}

#[test]
fn without_choices() {
    let check = check_of("", "let a = 100d100 let b = 100d100 show x = a * b");
    let nothing = policy(&check, &check.defaults(), &Budget::new(1)).expect("nothing to do");
    assert!(nothing.choices.is_empty());
    // A choice of one number is none, and one that nothing depends on makes no difference.
    let text = shipped("stars-and-signs", &[]);
    let model = model_of(&text);
    let check = model.check("check").expect("it is a check");
    assert_eq!(tables(check, ""), 0);
}

#[test]
fn over_budget() {
    let text = shipped("shelf/dice-games/yahtzee", &[]);
    let model = model_of(&text);
    let check = model.check("yahtzee").expect("it is a check");
    let error = policy(check, &check.defaults(), &Budget::new(1000));
    assert!(matches!(error, Err(Error::OverBudget { .. })), "{error:?}");
}

/// A reading that can't always be made is nothing to look up.
#[test]
fn readings_that_fail() {
    let text = "name = 'Test'\n[checks.main]\nmaximise = 'got'\nrules = \"\"\"
let m = d3
let p = 2d6
choose n in 0..=1
show got = if n == 1 and m > 1 then sum(p kh (m - 2)) else 3
\"\"\"";
    let model = model_of(text);
    let check = model.check("main").expect("it is there");
    let error = policy(check, &check.defaults(), &Budget::unlimited());
    let Err(Error::Rule(diagnostic)) = error else {
        panic!("{error:?}")
    };
    assert_eq!(
        diagnostic.message,
        "what `n` depends on can't be written as a table"
    );
}

/// A choice that makes no difference to its own goal takes the first of its options, where something else
/// depends on it.
#[test]
fn equal_options() {
    let text = "name = 'Test'\n[checks.main]\nmaximise = 'a'\nrules = \"\"\"
let roll = d3
choose n in roll..=5 where n != 2
show a = roll
show took = n
\"\"\"";
    check_agrees(text, "main", &[""]);
    let model = model_of(text);
    let check = model.check("main").expect("it is there");
    let found = policy(check, &check.defaults(), &Budget::unlimited()).expect("a policy");
    let rows: Vec<(&[Known], &Known)> = found.choices[0]
        .rows
        .iter()
        .map(|(seen, chosen)| (seen.as_slice(), chosen))
        .collect();
    let row = |roll, taken| (vec![Known::Number(roll)], Known::Number(taken));
    let expected = [row(1, 1), row(2, 3), row(3, 3)];
    let expected: Vec<(&[Known], &Known)> = expected
        .iter()
        .map(|(seen, chosen)| (seen.as_slice(), chosen))
        .collect();
    assert_eq!(rows, expected);
}

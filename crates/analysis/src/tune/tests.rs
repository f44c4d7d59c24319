//! Both ways to search find the same, to the last byte.

use std::ops::{ControlFlow, Range};

use oddsmith_exact::Budget;
use oddsmith_rules::{Dial, Goal, Model, load};
use proptest::prelude::*;

use super::found::Found;
use super::look::Task;
use super::space::Space;
use super::{Error, Method, Question, Search, Tuned, tune};

/// Goals that read some of the parameters each, one of them with a division that fails, and one that may have no answer
/// or one without end.
const GAME: &str = r#"
name = "Game"
require = ["lines[0] < lines[1]", "floor(12 / by) > 3 or cap == 0"]
[params]
by     = { default = 2, domain = "0..=4" }
cap    = { default = 1, domain = "0..=5" }
ladder = { default = [4, 6, 8], domain = "0..=12" }
lines  = { default = [4, 8], domain = "1..=12" }
[checks.total]
bands = ["Miss", "Graze", "Hit"]
axes.rank  = { default = 1, domain = "0..=2" }
axes.boons = { default = 0, domain = "0..=3" }
rules = '''
let net    = min(boons, cap)
let die    = if ladder[rank] == 0 then 0 else (1 + net)d(ladder[rank]) kh 1
show total = (1 + net)d6 kh 1 + die
show band  = match total { < lines[0]: Miss, < lines[1]: Graze, else: Hit }
'''
[checks.share]
rules = '''
let roll   = 1d6
show part  = floor(roll * cap / by)
show Large = part > 3
'''
[tracks.clock]
inherit = ["total"]
axes.slots = { default = 2, domain = "1..=3" }
rules = '''
let filled = 0
repeat until filled == slots {
  let roll   = total(..)
  set filled = min(filled + index(roll.band), slots)
}
'''
"#;

const DIALS: [&str; 9] = [
    "by=0..=4",
    "by=1..=3",
    "cap=0..=5",
    "ladder[0]=0,4",
    "ladder[1]=0,2,4,8",
    "ladder[2]=4..=7",
    "ladder=[4,6,8],[0,4,8],[4,6,7],[0,4,6]",
    "lines[0]=2..=6",
    "lines[1]=3..=10",
];

const GOALS: [&str; 16] = [
    "Hit in [0.2, 0.6]",
    "Hit @ boons=2 at least 0.4",
    "Miss @ rank=2 at most 0.3",
    "Miss at most 0.5",
    "P(band >= Graze) @ rank=0 at least 0.6",
    "mean(total) @ rank=2,boons=3 at least 8",
    "mean(total | Miss) @ rank=2 at least 3",
    "share: mean(part) at least 2",
    "share: Large at most 0.7",
    "Hit ~ 0.4",
    "Hit @ rank=2 ~ 0.5 weight 2",
    "mean(total | Miss) @ rank=1 ~ 4",
    "mean(total) @ boons=1 ~ 7",
    "share: mean(part) ~ 2",
    "clock: mean(rolls) ~ 3",
    "clock: mean(rolls) @ rank=2 at most 6",
];

fn model() -> Model {
    load("game.toml", GAME.as_bytes()).expect("it is right")
}

fn dials(model: &Model, texts: &[&str]) -> Vec<Dial> {
    let check = model.check("total").expect("it is there");
    let mut dials: Vec<Dial> = Vec::new();
    for text in texts {
        let dial = check.dial(text, "--vary").expect("it is right");
        let mut known = dials.iter().flat_map(|dial| &dial.inputs);
        if !known.any(|input| dial.inputs.contains(input)) {
            dials.push(dial);
        }
    }
    dials
}

fn goals(model: &Model, texts: &[&str]) -> Vec<Goal> {
    let check = model.check("total").expect("it is there");
    let goal = |text: &&str| model.goal(check, text, "--goal").expect("it is right");
    texts.iter().map(goal).collect()
}

/// What a search finds, in words, without how it was searched.
fn told(found: Result<Tuned, Error>) -> String {
    match found {
        Ok(tuned) => {
            let (method, asked) = (Method::Shared, 0);
            let told = Tuned {
                method,
                asked,
                ..tuned
            };
            format!("{told:#?}")
        }
        Err(error) => error.to_string(),
    }
}

/// What both ways find; the second time cut in ranges, before these candidates, and put together again.
fn both(question: &Question<'_>, cuts: &[u64]) -> Option<[[Result<Tuned, Error>; 2]; 2]> {
    let budget = Budget::unlimited();
    let check = question.model.check("total").expect("it is there");
    let space = Space::new(question.dials, check).expect("it is small");
    let (hard, soft): (Vec<usize>, Vec<usize>) =
        (0..question.goals.len()).partition(|&goal| question.goals[goal].aim.is_hard());
    let search = Search::new(question, &space, &budget, (&hard, &soft)).ok()?;
    let mut ends: Vec<u64> = { cuts.iter() }
        .copied()
        .filter(|cut| (question.from..space.candidates).contains(cut))
        .chain([question.from, space.candidates])
        .collect();
    ends.sort_unstable();
    ends.dedup();
    let ways = [false, true].map(|is_shared| {
        let mut go_on = |_, _| ControlFlow::Continue(());
        let mut look = |range: Range<u64>, is_explained| {
            let task = Task {
                range,
                is_explained,
            };
            if is_shared {
                let looked = search.shared(&task, &mut go_on);
                looked.map(|looked| looked.expect("no candidate has to be looked at"))
            } else {
                search.each(&task, Vec::new(), &mut go_on)
            }
        };
        let whole = look(question.from..space.candidates, question.from == 0);
        let parts = ends.windows(2).map(|ends| look(ends[0]..ends[1], true));
        let parts: Result<Vec<Found>, Error> = parts.map(|part| Ok(Found::of(part?))).collect();
        let settled = parts.and_then(|parts| search.settle(&parts));
        [whole.and_then(|whole| Ok(search.answer(whole)?)), settled]
    });
    Some(ways)
}

/// Holds what both ways find against each other, and each against what it finds in parts.
fn holds(question: &Question<'_>, cuts: &[u64]) -> Result<(), TestCaseError> {
    if let Some(ways) = both(question, cuts) {
        let ways = ways.map(|[whole, settled]| {
            let asked = |found: &Result<Tuned, Error>| found.as_ref().ok().map(|found| found.asked);
            let asked = [&whole, &settled].map(asked);
            (asked, [whole, settled].map(told))
        });
        for (asked, found) in &ways {
            prop_assert_eq!(&asked[0], &asked[1]);
            prop_assert_eq!(&found[0], &found[1]);
        }
        prop_assert_eq!(&ways[0].1, &ways[1].1);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shared_answers_find_what_looking_at_each_candidate_finds(
        vary in proptest::sample::subsequence(DIALS.to_vec(), 1..=6).prop_shuffle(),
        aims in proptest::sample::subsequence(GOALS.to_vec(), 1..=6).prop_shuffle(),
        from in 0_u64..1000,
        is_part in any::<bool>(),
        cuts in proptest::collection::vec(any::<u64>(), 0..4),
        top in 1_usize..12,
    ) {
        let model = model();
        let (dials, goals) = (dials(&model, &vary), goals(&model, &aims));
        let all: u64 = dials.iter().map(|dial| dial.options.len() as u64).product();
        let from = if is_part { from % all } else { 0 };
        let cuts: Vec<u64> = cuts.iter().map(|cut| cut % all).collect();
        let question = Question { model: &model, dials: &dials, goals: &goals, top, from };
        holds(&question, &cuts)?;
    }
}

#[test]
fn questions_are_asked_of_what_they_tell_apart() {
    let model = model();
    let dials = dials(
        &model,
        &[
            "ladder[1]=2..=9",
            "ladder[2]=4..=7",
            "lines[0]=2..=6",
            "lines[1]=3..=10",
        ],
    );
    // Each goal reads a die and both lines: 8 dice and 4 dice, with the 30 legal pairs of lines.
    let goals = goals(&model, &["Hit at least 0.2", "Miss @ rank=2 at most 0.9"]);
    let question = Question {
        model: &model,
        dials: &dials,
        goals: &goals,
        top: 3,
        from: 0,
    };
    let tuned = tune(&question, &Budget::unlimited(), |_, _| {
        ControlFlow::Continue(())
    });
    let tuned = tuned.expect("it can be answered");
    assert_eq!((tuned.candidates, &tuned.method), (1280, &Method::Shared));
    assert!(tuned.met > 0);
    assert_eq!(tuned.asked, (8 + 4) * 30);
}

/// Answers that go in one direction with each parameter, but for one; a goal reads up to five of them.
const LADDER: &str = r#"
name = "Ladder"
require = ["low < high"]
[params]
bonus = { default = 1, domain = "-2..=9" }
low   = { default = 5, domain = "1..=30" }
high  = { default = 9, domain = "1..=30" }
sides = { default = 6, domain = "2..=20" }
dice  = { default = 2, domain = "1..=4" }
odd   = { default = 1, domain = "0..=9" }
[checks.total]
bands = ["Miss", "Graze", "Hit"]
rules = """
show total = (dice)d(sides) kh 2 + bonus
show band  = match total { < low: Miss, < high: Graze, else: Hit }
show skew  = 1d(sides) + abs(odd - 4) - bonus
"""
"#;

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn halving_finds_what_looking_at_each_candidate_finds(
        aims in proptest::sample::subsequence(vec![
            "P(band >= Hit) in [0.3, 0.5]",
            "P(band >= Graze) at least 0.7",
            "Miss at most 0.2",
            "Hit in [0.2, 0.21]",
            "mean(total) in [9, 12]",
            "P(skew < high) in [0.1, 0.4]",
            "P(band >= Hit) ~ 0.45",
        ], 1..=4).prop_shuffle(),
        from in 0_u64..60_000,
        is_part in any::<bool>(),
        cuts in proptest::collection::vec(0_u64..90_000, 0..3),
    ) {
        let model = load("ladder.toml", LADDER.as_bytes()).expect("it is right");
        let vary = ["high=6..=24", "low=3..=14", "bonus=-2..=7", "sides=4..=11", "dice=1..=2", "odd=3..=5"];
        let (dials, goals) = (dials(&model, &vary), goals(&model, &aims));
        let from = if is_part { from } else { 0 };
        let question = Question { model: &model, dials: &dials, goals: &goals, top: 5, from };
        holds(&question, &cuts)?;
    }
}

#[test]
fn what_goes_in_one_direction_is_halved() {
    let model = load("ladder.toml", LADDER.as_bytes()).expect("it is right");
    let vary = [
        "high=6..=24",
        "low=3..=14",
        "bonus=-2..=7",
        "sides=4..=13",
        "dice=2",
    ];
    let (dials, goals) = (
        dials(&model, &vary),
        goals(&model, &["P(band >= Hit) at least 0.5"]),
    );
    let question = Question {
        model: &model,
        dials: &dials,
        goals: &goals,
        top: 3,
        from: 0,
    };
    let tuned = tune(&question, &Budget::unlimited(), |_, _| {
        ControlFlow::Continue(())
    });
    let tuned = tuned.expect("it can be answered");
    assert_eq!((tuned.candidates, &tuned.method), (22_800, &Method::Shared));
    assert!(tuned.asked < 22_800 / 4, "{}", tuned.asked);
}

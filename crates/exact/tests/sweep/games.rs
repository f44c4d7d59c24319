//! Checks with choices, tracks and contests.

use oddsmith_exact::{Budget, Error, Row, Sweep, answers};
use oddsmith_rules::{Check, Model, Ties};
use oddsmith_testkit::rulesets::{model_at, model_of};

use crate::compare::{check_of, random_sweeps};

fn shipped(name: &str) -> Model {
    model_at(&format!("rulesets/{name}.toml"))
}

/// A choice after the number that everything before it comes to, as in the shipped game: the sweep is cut there.
#[test]
fn a_choice_after_a_cut() {
    let check = check_of(
        r#"
name = "Spend"
[params]
marks = { default = [4, 7], domain = "0..=12" }
worth = { default = [0, 3, 5], domain = "0..=9" }
price = { default = 1, domain = "0..=3" }
[checks.main]
bands = ["Miss", "Graze", "Hit"]
maximise = "worth[band] - price * spent"
axes.flat  = { domain = "-4..=6", default = 0 }
axes.sides = { domain = "1..=6", default = 4 }
axes.purse = { domain = "0..=3", default = 2 }
axes.luck  = { domain = "0..=2", default = 0 }
axes.how   = { domain = ["best", "all", "none"], default = "best" }
rules = """
let raw = 2d(sides) + flat
choose free in 0..=(if how == best then purse else 0) where free != 2 or luck == 0
show spent = match how { best: free, all: purse, none: 0 }
let extra = if raw + spent >= marks[0] and luck > 0 then d(luck + 1) else 0
show total = raw + spent + extra
show band = match total { < marks[0]: Miss, < marks[1]: Graze, else: Hit }
"""
"#,
    );
    let queries = [
        "mean(spent)",
        "variance(total)",
        "mean(total | spent > 0)",
        "P(Hit | spent == purse)",
        "P(spent == 1 or Miss)",
    ];
    random_sweeps(25, &check, &queries);
}

/// Choices in loops and of dice, and called checks that choose for themselves.
#[test]
fn choices_without_a_cut() {
    let check = check_of(
        r#"
name = "Tangle"
[params]
bonus = { default = 2, domain = "0..=5" }
[checks.spender]
maximise = "success * bonus - paid"
axes.skill = { domain = "-3..=5", default = 0 }
axes.purse = { domain = "0..=2", default = 1 }
rules = """
let raw = d4 + skill
choose coins in 0..=purse
show paid = coins
show success = raw + coins >= 4
"""
[checks.main]
maximise = "pairs * bonus + kept_sum - cost"
axes.rounds = { domain = "0..=2", default = 1 }
axes.size   = { domain = "0..=3", default = 2 }
axes.keep   = { domain = "0..=2", default = 0 }
axes.skill  = { domain = "-2..=4", default = 1 }
axes.careful = { domain = "0..=1", default = 0 }
rules = """
let hand = (size)d3
let paid = 0
repeat rounds until matches(hand) == size {
  choose kept in subsets(hand) where size(kept) >= keep or kept == sum(hand)
  set paid = paid + size - size(kept)
  set hand = {kept, (max(0, size - size(kept)))d3}
}
let help = spender(skill = skill - careful, ..)
choose more in 0..=careful
show cost = paid + help.paid + more
show pairs = matches(hand) + (if help.success then more else 0)
show kept_sum = highest(hand)
show helped = help.success
"""
"#,
    );
    let queries = [
        "mean(cost)",
        "P(pairs >= 2)",
        "mean(kept_sum | helped)",
        "P(helped & cost <= 1)",
        "variance(pairs)",
    ];
    random_sweeps(12, &check, &queries);
}

const CLOCKS: &str = r#"
name = "Clocks"
[params]
gains = { default = [0, 1, 2], domain = "0..=4" }
[checks.action]
bands = ["miss", "weak", "strong"]
axes.stat = { domain = "-2..=3", default = 0 }
axes.edge = { domain = "0..=1", default = 0 }
rules = """
let roll = (1 + edge)d4 kh 1 + stat
show band = match roll { <= 1: miss, 2..=3: weak, else: strong }
"""
[tracks.clock]
inherit = ["action"]
require = ["slots != 4 or stat != 2"]
axes.slots = { domain = "1..=5", default = 3 }
axes.stress = { domain = "0..=2", default = 1 }
rules = """
let filled = 0
let paid = 0
repeat until filled == slots {
  let a = action(..)
  show gain = gains[a.band]
  show bad = a.band == miss
  set filled = min(filled + gain, slots)
  set paid = paid + (if bad then stress else 0)
}
show cost = paid
show reward = (slots)d2
"""
[tracks.race]
bands = ["late", "lost", "won"]
inherit = ["action"]
axes.slots = { domain = "1..=4", default = 3 }
axes.danger = { domain = "1..=3", default = 2 }
axes.time = { domain = "1..=4", default = 4 }
rules = """
let mine = 0
let theirs = 0
repeat until mine == slots or theirs == danger or rolls == time {
  let a = action(..)
  set mine = min(mine + gains[a.band], slots)
  set theirs = min(theirs + (if a.band == strong then 0 else 1), danger)
}
show band = if mine == slots then won else if theirs == danger then lost else late
show left = slots - mine
"""
"#;

#[test]
fn tracks() {
    let model = model_of(CLOCKS);
    let queries = [
        "mean(rolls)",
        "variance(rolls)",
        "P(rolls <= 3)",
        "P(rolls <= slots)",
        "P(gain == 1)",
        "mean(rolls | bad)",
        "mean(cost)",
        "P(cost <= 2 & bad)",
        "mean(cost - rolls | gain >= 1)",
        "mean(gain - rolls)",
        "P(reward > 4)",
        "P(slots > 2)",
    ];
    let clock = model.track("clock").expect("it is there");
    random_sweeps(25, clock, &queries);
    let queries = [
        "mean(rolls)",
        "P(won | rolls == time)",
        "mean(left)",
        "mean(rolls | lost)",
        "P(rolls > 2)",
    ];
    let race = model.track("race").expect("it is there");
    random_sweeps(25, race, &queries);
}

/// How often something is repeated may be bound before, by an input that is swept, beside a choice that is put into each row.
#[test]
fn rounds_that_an_input_counts_beside_a_choice() {
    let model = model_of(
        r#"
name = "Counted"
[checks.called]
maximise = "x"
rules = """
let d = d6
choose more in 0..=1
show x = d + more
"""
[checks.main]
axes.mode  = { domain = "0..=1", default = 0 }
axes.times = { domain = "0..=3", default = 2 }
rules = """
let strike = called()
let again  = if mode == 1 then times else 0
let score  = strike.x
repeat again until score <= 3 { set score = 1d6 }
show damage = score
"""
[tracks.race]
axes.mode  = { domain = "0..=1", default = 0 }
axes.times = { domain = "0..=3", default = 2 }
rules = """
let at    = 0
let again = if mode == 1 then times else 1
repeat until at >= 3 {
  let gain = 0
  repeat again { set gain = gain + (1d4 == 1) }
  let strike = called()
  set at   = min(3, at + gain + (strike.x > 6))
}
"""
"#,
    );
    let check = model.check("main").expect("it is there");
    random_sweeps(25, check, &["P(damage > 2)", "mean(damage)"]);
    let race = model.track("race").expect("it is there");
    random_sweeps(25, race, &["mean(rolls)", "P(rolls > 2)"]);
}

/// Tracks that differ in how far they go roll their dice once: twelve take fewer steps than three would alone.
#[test]
fn rounds_that_roll_alike_are_rolled_once() {
    let model = model_of(
        r#"
name = "Alike"
[tracks.main]
axes.slots = { domain = "1..=12", default = 12, sweep = "all" }
rules = """
let filled = 0
repeat until filled == slots {
  let pool   = 8d12
  show gain  = (if matches(pool) > 1 then 1 else 0) + count(pool, >= highest(pool) - 1)
  set filled = min(filled + gain, slots)
}
"""
"#,
    );
    let track = model.track("main").expect("it is there");
    let query = track.query("mean(rolls)", "<query>").expect("it is right");
    let (alone, together) = (Budget::unlimited(), Budget::unlimited());
    let ranges = [track.sweep("slots=all", "<sweep>").expect("it is right")];
    let defaults = track.defaults();
    let queries = [query];
    answers(track, &defaults, &queries, &alone).expect("it ends");
    let sweep = Sweep::new(track, &defaults, &ranges, &queries, &together).expect("it is small");
    let render = |_: &Row<'_>, rows: &mut Vec<()>| rows.push(());
    let mut rows = 0;
    let count = |chunk: Vec<()>| {
        rows += chunk.len();
        Ok::<(), Error>(())
    };
    sweep.run(render, count).expect("they end");
    assert_eq!(rows, 12);
    let (alone, together) = (alone.spent(), together.spent());
    assert!(together < 3 * alone, "{together} steps, {alone} alone");
}

/// Some tracks can't be played, or are over from the start: the first of them in order is the one that is named.
#[test]
fn failing_tracks() {
    let model = model_of(
        r#"
name = "Traps"
[tracks.main]
require = ["sides != 2 or slots != 3"]
axes.slots = { domain = "0..=3", default = 2 }
axes.sides = { domain = "0..=3", default = 3 }
axes.stuck = { domain = "0..=1", default = 0 }
rules = """
let filled = 0
repeat until filled >= slots {
  let roll = if filled == 1 then 1d(sides) else 1d2
  show gain = roll - stuck
  set filled = filled + max(0, gain)
}
show end = filled
"""
"#,
    );
    let queries = [
        "mean(rolls)",
        "P(gain == 1)",
        "mean(end)",
        "P(end == 3 | gain == 1)",
        "P(rolls <= 2)",
    ];
    let track = model.track("main").expect("it is there");
    random_sweeps(160, track, &queries);
}

const FIGHTS: &str = r#"
name = "Fights"
require = ["edge < 2 or skill > 0"]
[params]
edge = { default = 0, domain = "0..=2" }
[checks.fight]
contest = "total"
axes.skill = { domain = "-2..=4", default = 1 }
axes.dice  = { domain = "0..=2", default = 1 }
rules = """
let p = (dice + 1)d3
show total = highest(p) + skill
show pair = matches(p) == 2
"""
[checks.duel]
contest = "3 * won + edge"
maximise = "won - armed"
axes.skill = { domain = "-2..=4", default = 2 }
axes.armed = { domain = "0..=1", default = 0 }
rules = """
let x = d4
choose draws in 0..=armed
show won = x + draws > skill
show armed_now = draws
"""
"#;

fn contest(model: &Model, a: &str, b: &str, ties: Ties) -> Check {
    let side = |name: &str| model.check(name).expect("it is there");
    let contest = side(a).against(side(b), ties);
    contest.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn contests() {
    let model = model_of(&FIGHTS.replace("\"won - armed\"", "\"won - armed_now\""));
    let queries = [
        "A | decided",
        "mean(rounds)",
        "variance(rounds)",
        "P(rounds <= 2)",
        "mean(a.total | A)",
        "P(a_wins | rounds == 1)",
        "P(a.total - b.total >= 2)",
        "P(a.skill > b.skill)",
    ];
    for (_, ties) in Ties::ALL {
        random_sweeps(8, &contest(&model, "fight", "fight", ties), &queries);
    }
    let queries = [
        "A",
        "tie",
        "mean(rounds)",
        "b_wins",
        "mean(a.total | B)",
        "P(b.won)",
    ];
    for (_, ties) in Ties::ALL {
        random_sweeps(8, &contest(&model, "fight", "duel", ties), &queries);
    }
}

#[test]
fn shipped_tracks() {
    let queries = [
        "mean(rolls)",
        "P(rolls <= 5)",
        "P(gain >= 2)",
        "mean(effort_paid)",
    ];
    let model = shipped("stars-and-signs");
    random_sweeps(4, model.track("counter").expect("it is there"), &queries);
    let queries = ["mean(rolls)", "P(rolls <= 4)", "variance(rolls)"];
    let model = shipped("buried-secrets");
    random_sweeps(8, model.track("race").expect("it is there"), &queries);
}

#[test]
fn shipped_contests() {
    let model = shipped("action-checks");
    let queries = ["A | decided", "mean(rounds)", "P(a.Twist & A)"];
    random_sweeps(
        6,
        &contest(&model, "check", "check", Ties::Reroll),
        &queries,
    );
}

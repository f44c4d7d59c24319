//! Tables over where a track begins, whose rounds are laid out once where nothing else differs.

use oddsmith_exact::{Budget, Sweep, answers};
use oddsmith_rules::Check;
use oddsmith_testkit::rulesets::{model_of, queries_of};

use crate::compare::{random_sweeps, sweep_agrees};

/// A fight in which both begin with some hit points and dice, which are rolled, and one may hide: he is not hit then, so that
/// who can't be hit and hits nobody fights for ever.
const FIGHT: &str = r#"
name = "Fight"
[tracks.main]
require = ["ours + theirs != 7", "luck == 0 or ours > 1"]
bands = ["lost", "drawn", "won"]
axes.ours   = { domain = "-1..=6", default = 4 }
axes.theirs = { domain = "0..=5", default = 3 }
axes.extra  = { domain = "0..=2", default = 0 }
axes.hit    = { domain = "0..=4", default = 2 }
axes.armour = { domain = "0..=2", default = 0 }
axes.luck   = { domain = "0..=2", default = 0 }
axes.hidden = { domain = "0..=1", default = 0 }
axes.sides  = { domain = "0..=3", default = 3 }
rules = """
let us    = ours + (if extra > 0 then 1d(extra) else 0)
let them  = theirs
let hand  = (extra)d3
let luck_left = luck
let shots = hidden
repeat until us <= 0 or them <= 0 {
  let lucky   = luck_left > 0 and 1d3 == 3
  show gain   = if lucky then 2 else 1d4 <= hit
  let harm    = max(0, 1d(sides) - 1 - armour - count(hand, 3))
  set them    = them - gain
  set us      = if shots > 0 and hit == 0 then us else us - harm
  set luck_left = if lucky then luck_left - 1 else luck_left
  set shots   = shots + gain
}
let wound  = 1d4
show band  = match us - them { < 0: lost, 0: drawn, else: won }
show left  = max(us, 0) + (if wound == 4 and them > 0 then 1 else 0)
show spent = shots - luck_left
show since = ours - us
"""
"#;

fn track_of(text: &str) -> Check {
    let model = model_of(text);
    model.track("main").expect("it is there").clone()
}

#[test]
fn fights_that_begin_differently() {
    let queries = [
        "P(won)",
        "P(drawn | rolls >= 2)",
        "P(won and rolls <= 3)",
        "P(rolls <= 2)",
        "P(rolls <= ours)",
        "mean(rolls)",
        "mean(rolls | won)",
        "variance(rolls)",
        "mean(left)",
        "sd(left | not won)",
        "mean(spent)",
        "variance(spent | lost)",
        "mean(since)",
        "median(left)",
        "median(rolls)",
        "P(gain == 1)",
        "mean(left | gain == 0)",
        "mean(gain)",
        "P(left > 1) after 2",
    ];
    random_sweeps(120, &track_of(FIGHT), &queries);
}

/// The steps that a sweep takes, whose rows are those of `answers`.
fn steps(check: &Check, sweeps: &[&str], rows: usize, asked: &[&str]) -> u64 {
    let ranges = sweeps.iter().map(|text| check.sweep(text, "sweep"));
    let ranges = ranges.collect::<Result<Vec<_>, _>>().expect("legal sweeps");
    let queries = queries_of(check, asked);
    let (base, budget) = (check.defaults(), Budget::unlimited());
    let agrees = sweep_agrees(check, &base, &ranges, &queries);
    assert_eq!(agrees.expect("rows are those of `answers`"), rows);
    Sweep::new(check, &base, &ranges, &queries, &budget).expect("the budget has no limit");
    budget.spent()
}

const DUEL: &str = r#"
name = "Duel"
[tracks.main]
bands = ["lost", "won"]
axes.hp     = { domain = "1..=30", default = 30 }
axes.foe_hp = { domain = "1..=30", default = 30 }
axes.die    = { domain = "1..=8", default = 6 }
rules = """
let us   = hp
let them = foe_hp
repeat until us == 0 or them == 0 {
  let blow = 1d(die)
  set them = max(0, them - blow)
  set us   = if them == 0 then us else max(0, us - 1d4)
}
show band = if us > 0 then won else lost
show left = us + them
"""
"#;

/// Twenty duels from one chain take fewer steps than seven by themselves.
#[test]
fn rounds_are_laid_out_once() {
    let duel = track_of(DUEL);
    let asked = ["P(won)", "mean(left)", "mean(rolls)"];
    let (alone, defaults) = (Budget::unlimited(), duel.defaults());
    answers(&duel, &defaults, &queries_of(&duel, &asked), &alone).expect("it ends");
    let few = steps(&duel, &["hp=26..=30", "foe_hp=27..=30"], 20, &asked);
    let alone = alone.spent();
    assert!(few < 7 * alone, "{few} steps, {alone} alone");
    // What differs in the rounds is laid out for each.
    let dice = steps(&duel, &["hp=26..=30", "die=3..=6"], 20, &asked);
    assert!(dice > few, "{dice} steps, {few} of one chain");
}

//! Checks without choices.

use oddsmith_rules::load;

use crate::compare::{Found, alone, check_of, configurations, random_sweeps, rows_on};

/// One total and its bands: the sweep is cut at the total, which fixed terms shift.
const LADDER: &str = r#"
name = "Ladder"
require = ["marks[0] < marks[1]"]
[params]
marks = { default = [4, 9], domain = "-5..=20" }
[functions]
boosted = "(n, s, net) => if net >= 0 then (n + net)d(s) kh n else (n - net)d(s) kl n"
[checks.main]
bands = ["Miss", "Graze", "Hit"]
axes.boons = { domain = "-2..=3", default = 0 }
axes.flat  = { domain = "-30..=30", default = 0 }
axes.sides = { domain = "1..=6", default = 4 }
axes.spend = { domain = "0..=3", default = 0 }
axes.state = { domain = ["ok", "weak"], default = "ok" }
rules = """
let raw = boosted(2, sides, boons) + flat - spend * 2
let bonus = if raw < marks[0] and marks[0] - raw <= spend then marks[0] - raw else 0
show total = raw + bonus
show used = bonus
show band = match total { < marks[0]: Miss, < marks[1]: (if state == weak then Miss else Graze), else: Hit }
"""
"#;

const LADDER_QUERIES: [&str; 10] = [
    "mean(total)",
    "variance(total)",
    "P(total >= 4 + flat)",
    "P(total < 0)",
    "P(used > 0 | Graze)",
    "mean(total | used > 0)",
    "variance(used)",
    "P(Hit | total > 5 and used == 0)",
    "P(Graze or used == boons)",
    "P(flat > 3)",
];

#[test]
fn cut_at_a_total() {
    random_sweeps(40, &check_of(LADDER), &LADDER_QUERIES);
}

/// Rolled values of 40 dice and more: totals are far beyond 128 bits.
#[test]
fn big_totals() {
    let check = check_of(
        r#"
name = "Heaps"
[checks.main]
bands = ["few", "many"]
axes.more = { domain = "0..=3", default = 1 }
axes.flat = { domain = "-400..=50", default = 0 }
axes.need = { domain = "0..=300", default = 150 }
axes.luck = { domain = "0..=2", default = 0 }
rules = """
show total = (40 + more)d12 + flat
show extra = if total >= need then 30d10 else d6
show band = if total + luck >= need then many else few
"""
"#,
    );
    let queries = [
        "mean(total)",
        "variance(total)",
        "mean(extra)",
        "P(extra > 160)",
        "mean(total | many)",
        "mean(extra | few)",
    ];
    random_sweeps(12, &check, &queries);
}

/// Totals and sums on both sides of 64 and 128 bits, in one table, before the cut and after it.
#[test]
fn widths() {
    let check = check_of(
        r#"
name = "Widths"
[checks.main]
axes.dice = { domain = "1..=42", default = 3 }
axes.more = { domain = "0..=42", default = 0 }
axes.flat = { domain = "-60..=60", default = 0 }
rules = """
show total = (dice)d10 + flat - 100
show extra = if total < 0 then (more)d10 else -3 * total
"""
"#,
    );
    let queries = [
        "mean(total)",
        "variance(total)",
        "mean(extra)",
        "P(extra > 100)",
        "mean(extra | total < 0)",
        "variance(extra)",
    ];
    random_sweeps(12, &check, &queries);
}

/// A shift takes some rows beyond 64 bits: they fail as they do alone, and the rest do not.
#[test]
fn shifts_out_of_range() {
    let check = check_of(
        r#"
name = "Edge"
[checks.main]
axes.flat = { domain = "-3..=3", default = 0 }
axes.far  = { domain = "0..=1", default = 0 }
axes.gain = { domain = "0..=2", default = 0 }
rules = """
let x = 2d4 + (if far == 1 then 9223372036854775800 + flat else flat)
show high = x > 5
show more = if x > 4 then gain else 0
"""
"#,
    );
    random_sweeps(40, &check, &["P(high)", "mean(more)", "P(more > 1 | high)"]);
}

/// Outcomes far apart and below zero, and a die that is read as a whole.
#[test]
fn sparse_and_negative() {
    let check = check_of(
        r#"
name = "Gaps"
[params]
prize = { default = 1000, domain = "-5000..=9000" }
[checks.main]
axes.tries = { domain = "0..=4", default = 2 }
axes.stake = { domain = "-900..=900", default = 10 }
axes.mood  = { domain = ["calm", "wild", "none"], default = "calm" }
rules = """
let won = match mood { calm: (tries)d{0:3, 1000000:1}, wild: (tries)d{-700, 40, prize:2} kh 2, none: 0 }
show gain = won - stake
show debt = max(0, -gain)
show even = gain == 0 or debt > 500
"""
"#,
    );
    let queries = [
        "mean(gain)",
        "variance(gain)",
        "P(gain > stake)",
        "mean(debt | even)",
        "P(gain < 0 | debt != 10)",
        "variance(debt | gain < 0)",
        "P(mood == wild)",
    ];
    random_sweeps(40, &check, &queries);
}

/// A loop, and other dice for some values, follow the cut.
#[test]
fn cut_before_a_loop() {
    let check = check_of(
        r#"
name = "Push on"
[checks.main]
axes.flat  = { domain = "-6..=6", default = 0 }
axes.sides = { domain = "3..=6", default = 4 }
axes.goal  = { domain = "6..=12", default = 9 }
rules = """
let x = 2d6 + flat
let at = x
let used = 0
repeat 3 until at >= goal { set at = at + (if x > 5 then d4 else d6) set used = used + 1 }
let extra = if used == 3 then d(sides) else if used == 1 then d3 else 0
show total = at + extra
show spent = used
"""
"#,
    );
    let queries = [
        "mean(total)",
        "P(total >= goal | spent > 0)",
        "variance(spent)",
    ];
    random_sweeps(40, &check, &queries);
}

/// Several values matter to what follows, or loops carry them: there is no cut, or no good one.
#[test]
fn without_a_cut() {
    let check = check_of(
        r#"
name = "Tangle"
[checks.main]
axes.rounds = { domain = "0..=3", default = 2 }
axes.size   = { domain = "1..=4", default = 2 }
axes.goal   = { domain = "0..=6", default = 3 }
axes.drawn  = { domain = "0..=3", default = 1 }
rules = """
let at = 0
let used = 0
repeat rounds until at >= goal { set at = at + d3 set used = used + 1 }
let hand = (size)d4
let pebbles = draw(drawn, {6: 2, 4: 1, 1: 2})
show progress = min(at, goal)
show spent = used
show best = highest(hand) - lowest(hand)
show pairs = matches(hand) >= 2
show stone = highest(pebbles) + (if progress >= goal then size else -size)
"""
"#,
    );
    let queries = [
        "mean(progress)",
        "P(progress == goal | spent <= 1)",
        "P(best > 1 and pairs)",
        "mean(best | pairs)",
        "variance(stone)",
        "P(stone > spent)",
        "P(pairs)",
    ];
    random_sweeps(30, &check, &queries);
}

/// Some configurations can't be played: the first of them in order is the one that is named.
#[test]
fn failing_rows() {
    let check = check_of(
        r#"
name = "Traps"
[checks.main]
require = ["divisor != 2 or sides != 3"]
axes.divisor = { domain = "0..=3", default = 1 }
axes.sides   = { domain = "0..=3", default = 3 }
axes.flat    = { domain = "-4..=4", default = 0 }
rules = """
let x = 2d4 + flat
show share = if x > 3 then floor(x / divisor) else x
show more = if x < 6 then d(sides) else 0
"""
"#,
    );
    let queries = [
        "mean(share)",
        "P(more > 1)",
        "P(share > more)",
        "P(share > 2 | more == 0)",
    ];
    random_sweeps(200, &check, &queries);
}

#[test]
fn stars_and_signs() {
    let path = format!(
        "{}/../../rulesets/stars-and-signs.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read(path).expect("the ruleset is there");
    let model = load("stars-and-signs.toml", &text).expect("it is a ruleset");
    let check = model.check("check").expect("it has a check");
    let queries = [
        "mean(total)",
        "variance(total)",
        "P(total >= 12)",
        "mean(total | Hit or Critical)",
        "P(Critical | total >= 15)",
    ];
    random_sweeps(15, check, &queries);
}

#[test]
fn rows_that_break_a_requirement_are_skipped() {
    let check = check_of(LADDER);
    let base = check.defaults();
    let sweep = |text| check.sweep(text, "sweep").unwrap_or_else(|e| panic!("{e}"));
    let ranges = [sweep("marks[0]=8..=10"), sweep("flat=0,1")];
    let queries = [check
        .query("Hit", "query")
        .unwrap_or_else(|e| panic!("{e}"))];
    let rows = rows_on(2, &check, &base, &ranges, &queries).expect("rows");
    let values: Vec<&[i64]> = rows.iter().map(|row| row.values.as_slice()).collect();
    assert_eq!(values, [[8, 0], [8, 1]]);
}

/// A table of more rows than one task renders.
#[test]
fn many_rows() {
    let check = check_of(LADDER);
    let base = check.defaults();
    let sweep = |text| check.sweep(text, "sweep").unwrap_or_else(|e| panic!("{e}"));
    let ranges = [
        sweep("flat=-30..=30"),
        sweep("boons=all"),
        sweep("sides=all"),
        sweep("spend=all"),
    ];
    let queries = check.own_queries();
    let rows = rows_on(1, &check, &base, &ranges, &queries).expect("rows");
    assert_eq!(rows.len(), 61 * 6 * 6 * 4);
    assert_eq!(
        rows,
        rows_on(3, &check, &base, &ranges, &queries).expect("rows")
    );
    for (row, config) in rows.iter().zip(configurations(&base, &ranges)).step_by(97) {
        let found: Vec<Found> = row.answers.iter().map(Found::of).collect();
        assert_eq!(Ok(found), alone(&check, &config, &queries));
    }
}

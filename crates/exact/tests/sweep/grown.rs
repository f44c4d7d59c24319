//! Tables over the number of equal dice, which are grown die by die where nothing else differs.

use oddsmith_exact::{Budget, Sweep};
use oddsmith_rules::{Check, InputRange};
use oddsmith_testkit::rulesets::queries_of;

use crate::compare::{check_of, random_sweeps, sweep_agrees};

/// Counts, the highest and the lowest of some dice, with words about them that roll on.
const HANDFUL: &str = r#"
name = "Handful"
[checks.main]
bands = ["fumble", "low", "high", "double"]
axes.dice  = { domain = "0..=24", default = 3 }
axes.more  = { domain = "0..=2", default = 0 }
axes.sides = { domain = "2..=6", default = 6 }
axes.need  = { domain = "-1..=4", default = 2 }
axes.worst = { domain = ["no", "yes"], default = "no" }
rules = """
let n = dice + more
let pool = if n >= 1 then (n)d{0: 3, 1..=(sides): 2, 9} else 2d6 kl 1
let top = if worst == yes then lowest(pool) else highest(pool)
show band = if count(pool, 9) >= 2 then double else match top { 0: fumble, <= 4: low, else: high }
show reached = need <= count(pool, 1..=(sides)) and lowest(pool) > 0
show spread = highest(pool) - lowest(pool) + (if count(pool, 0) == 1 then d4 else 0)
show best = highest(pool)
"""
"#;

#[test]
fn readings_of_equal_dice() {
    let queries = [
        "P(double)",
        "P(fumble)",
        "P(high | spread > 2)",
        "P(reached)",
        "P(reached | not fumble)",
        "mean(spread)",
        "variance(spread)",
        "mean(best | double)",
        "P(best >= need)",
        "P(best > dice)",
    ];
    random_sweeps(60, &check_of(HANDFUL), &queries);
}

/// The answers of all numbers of dice up to one beyond 128 bits, and whether rows share what they are made of.
fn all_sizes_agree(check: &Check, asked: &[&str]) -> bool {
    let ranges = rows_agree(check, "dice=0..=24", 25, asked);
    is_shared(check, &ranges, asked)
}

/// Compares the rows of a sweep, so many, with `answers`.
fn rows_agree(check: &Check, sweep: &str, rows: usize, asked: &[&str]) -> [InputRange; 1] {
    let ranges = [check.sweep(sweep, "sweep").expect("a legal sweep")];
    let queries = queries_of(check, asked);
    let agrees = sweep_agrees(check, &check.defaults(), &ranges, &queries);
    assert_eq!(agrees.expect("rows are those of `answers`"), rows);
    ranges
}

fn is_shared(check: &Check, ranges: &[InputRange], asked: &[&str]) -> bool {
    let (base, budget) = (check.defaults(), Budget::unlimited());
    let queries = queries_of(check, asked);
    let sweep = Sweep::new(check, &base, ranges, &queries, &budget);
    sweep.expect("the budget has no limit").is_shared()
}

#[test]
fn every_number_of_dice() {
    let check = check_of(HANDFUL);
    for asked in [
        ["P(double)", "P(high)"],
        ["P(reached)", "mean(spread)"],
        ["variance(spread)", "P(fumble | reached)"],
    ] {
        assert!(all_sizes_agree(&check, &asked));
    }
}

/// A query that reads the number of dice itself is played row by row, and so is a die that differs.
#[test]
fn what_else_differs_is_not_grown() {
    let check = check_of(HANDFUL);
    assert!(!all_sizes_agree(&check, &["P(best > dice and double)"]));
    let sweep = |text: &str| check.sweep(text, "sweep").expect("a legal sweep");
    let ranges = [sweep("dice=1..=24"), sweep("sides=2..=6")];
    assert!(!is_shared(&check, &ranges, &["P(double)", "P(high)"]));
}

/// A rule that fails for some rolls fails where they can come up, and nowhere else.
#[test]
fn failing_rows() {
    let check = check_of(
        r#"
name = "Traps"
[checks.main]
axes.dice = { domain = "0..=9", default = 3 }
axes.need = { domain = "0..=12", default = 12 }
rules = """
let pool = (dice)d4
let many = count(pool, 3..=4) >= need
show share = if many then 3000000000000000000 * highest(pool) else highest(pool)
show more  = lowest(pool) + (if many then 9223372036854775806 else 0)
"""
"#,
    );
    let queries = ["mean(share)", "P(more > 1)", "P(share > 2)"];
    random_sweeps(240, &check, &queries);
}

/// Dropping dice first leaves the end of a large pool, but nothing of a small one.
#[test]
fn dropped_dice() {
    let check = check_of(
        r#"
name = "Dropped"
[checks.main]
axes.dice = { domain = "0..=24", default = 3 }
rules = """
let pool = (dice)d6
show six  = count(pool, 6) >= 1
show high = highest(pool dl 1)
show low  = lowest(pool dh 1)
show nth  = nth(pool kl 2, 2)
show last = sum(pool dh 2 kl 1)
show kept = count(pool dl 1 kh 1, 5..=6)
"""
"#,
    );
    for shown in ["high", "low", "nth", "last", "kept"] {
        let alone = format!("mean({shown})");
        let beside = format!("mean({shown} | six)");
        all_sizes_agree(&check, &[&alone, &beside]);
    }
}

/// The dice that most rows roll are grown, whatever the first row rolls.
#[test]
fn other_dice_in_the_first_row() {
    let check = check_of(
        r#"
name = "One more"
[checks.main]
axes.dice = { domain = "0..=24", default = 3 }
rules = """
let pool = if dice == 0 then 2d4 else if dice == 20 then 3d8 else (dice + 1)d6
show best = if count(pool, 6) >= 2 then 7 else highest(pool)
"""
"#,
    );
    assert!(all_sizes_agree(&check, &["mean(best)", "P(best == 7)"]));
}

/// More faces than states are worth telling apart.
#[test]
fn dice_with_many_faces() {
    let check = check_of(
        r#"
name = "Many faces"
[checks.main]
axes.dice = { domain = "0..=24", default = 3 }
rules = """
let pool = (dice)d300
show best = if count(pool, 300) >= 1 then lowest(pool) else highest(pool)
"""
"#,
    );
    rows_agree(&check, "dice=0..=2", 3, &["P(best > 150)"]);
}

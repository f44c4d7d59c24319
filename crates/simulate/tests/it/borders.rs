//! Numbers at the ends of 8, 16, 32 and 64 bits, large and lopsided dice, and every reading of a pool.

use crate::chances::judge;
use crate::support::{check_with, expression_of, model_of, query_of, report, rolled};

const SEED: u64 = 12;
const TRIALS: u64 = 20_000;

fn all_agree(scripts: &[&str]) {
    all_agree_with("", "", scripts);
}

/// In a ruleset with other checks, and with further keys of their own.
fn all_agree_with(tables: &str, keys: &str, scripts: &[&str]) {
    let complaint = |script: &&str| {
        let check = if script.contains("show") {
            check_with(tables, keys, script)
        } else {
            expression_of(script)
        };
        let complaint = judge(&check, &check.defaults(), SEED, TRIALS).err()?;
        Some(format!("{script}\n  {complaint}"))
    };
    report(&scripts.iter().filter_map(complaint).collect::<Vec<_>>());
}

/// All that can be done to a number, with results just below, at and just beyond where a width ends.
#[test]
fn results_at_the_ends_of_widths() {
    let mut scripts = Vec::new();
    for end in [
        127,
        128,
        255,
        256,
        32_767,
        32_768,
        65_536,
        2_147_483_647,
        2_147_483_648,
        1 << 40,
    ] {
        for near in -2..=1_i64 {
            let (up, down) = (end + near, -end - near);
            scripts.push(format!(
                "let x = d3 + {up}\nlet y = {down} - d3\nshow u = x - 3\nshow v = y + 3\nshow w = x + y\n\
                 show a = if d2 == 1 then x else y\nshow b = max(x, 0 - y)\nshow c = min(y + 2, d2 + {down})\n\
                 show d = x * (d2 - 1)\nshow e = floor(y / 2)\nshow f = ceil(y / -3)\nshow g = abs(y)\n\
                 show h = x < {up} + 2\nshow i = 0 - x >= y - 1\nshow j = x == 0 - y\nshow k = x > {up} + d2"
            ));
            scripts.push(format!(
                "let p = {{d3 + {up}, {down} - d3, d2, d{{{down}, {up}}}}}\nshow u = highest(p)\nshow v = lowest(p)\n\
                 show w = count(p, >= {up})\nshow a = sum(p kh 2)\nshow b = matches(p)\nshow c = nth(p, 3)\n\
                 show d = count(p, {up} + 1)"
            ));
        }
    }
    let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
    all_agree(&scripts);
}

#[test]
fn tables_and_lists_across_widths() {
    all_agree(&[
        "[1000000, -1000000, 5, 127, 128, -129][1d6 - 1]",
        "[40000, 2d6, -40000][1d3 - 1] + 1d4",
        "match 3d6 { 3: -2147483649, 4..=8: 2147483648, 9: 0, else: 70000 }",
        "let x = 2d6\nlet y = match x { < 5: 100, < 9: 30000, else: 3000000000 }\nshow u = y + x\nshow v = floor(y / 7)",
        "let x = d200\nshow u = x * x\nshow v = x * x - 200 * x\nshow w = x * x * x * x",
        "let x = d3000\nshow u = x * 7 - 30000\nshow v = if x > 2999 then 5000000000 else x\nshow w = [0, 1][x - floor(x / 2) * 2]",
        "let x = d100 - 50\nshow u = sign(x)\nshow v = abs(x) * sign(x)\nshow w = clamp(x * 700, -32768, 32767)",
        "let x = 1d6 * 50\nlet y = 1d6 * 50\nshow u = x + y\nshow v = x - y\nshow w = x * y\nshow a = x > y",
    ]);
}

#[test]
fn dice_of_all_sizes() {
    all_agree(&[
        "1d2",
        "1d255",
        "1d256",
        "1d257",
        "1d1000",
        "1d32767",
        "1d32768",
        "1d65535",
        "1d65536",
        "1d65537",
        "1d70000",
        "2d70000",
        "3d1000",
        "1d1000000",
        "100d6",
        "40d20",
        "200d2",
        "17d2",
        "1d{-128..=127}",
        "1d{-129..=126}",
        "1d{-32768..=32767}",
        "2d{-128..=127}",
        "1d1",
        "5d1",
        "3d{7}",
        "1d{250..=260}",
        "2d{32760..=32770}",
        "highest(3d1000)",
        "lowest(2d70000)",
        "3d100 kh 2",
        "4dF",
        "highest(4dF)",
        "20d6 kh 3",
        "33d4 dl 30",
        "1d{2147483640..=2147483650}",
        "2d{2147483647, -2147483648}",
        "3d{9000000000, -9000000000}",
    ]);
}

#[test]
fn dice_with_weights() {
    all_agree(&[
        "1d{1: 2047, 2: 1}",
        "1d{1: 2048, 2: 1}",
        "1d{1: 100000, 2: 1, 3: 50000}",
        "2d{0: 6, 1: 4}",
        "1d{1: 4000000000, 2: 4000000000}",
        "1d{1: 3000000000000, 5: 9000000000000, 9: 1000000000000}",
        "1d{1: 9223372036854775807, 2: 9223372036854775807, 3: 9223372036854775807}",
        "highest(3d{1..=300: 5, 301: 700})",
        "1d{-40000: 3, 40000: 5, 0: 9}",
        "1d{1: 0, 2: 1, 3: 5}",
        "3d{1..=6, 6, 6}",
        "1d{1..=5000: 2, 6000: 10000}",
    ]);
}

#[test]
fn dice_that_are_rolled_again() {
    all_agree(&[
        "4d6r<3",
        "4d6ro<3",
        "3d10!(3)",
        "3d10!>=9(2)",
        "2d6!1..=2(3)",
        "2d6ro<2!(1)",
        "1d100r>=3",
        "1d2!(20)",
        "1d100!>=95(3)",
        "2d{-3..=3}!(2)",
        "2d{-3..=3}!<0(3)",
        "1d{-100, 100}!(4)",
        "1d6!>=1(40)",
        "1d127!(1)",
        "3d{1: 5, 6: 2, 9: 1}!(2) kh 2",
        "1d{5}!(3)",
        "2d6!(0)",
        "2d6r==1!>=6(2)",
        "3d6!(1) cs>=6",
        "1d[2d3]",
        "3d[4d3kh3]",
        "2d[d6 * d4]ro<5",
        "2d[d6 - d4]r<0",
        "2d[2d3]!>=5(2)",
        "1d[d4]r==2!==4(3)",
        "(1d3)d[d4 + d2]r<3 kh 2",
        "1d[1d6]!<9(6)",
        "2d[d{-200, 0, 200}]!<0(3)",
    ]);
}

#[test]
fn readings_of_pools_that_differ() {
    all_agree(&[
        "let p = (d4 - 1)d6\nshow u = sum(p)\nshow v = size(p)\nshow w = highest(p)\nshow a = lowest(p)\nshow b = nth(p, 2)",
        "let p = (d4 - 1)d3\nshow u = matches(p)\nshow v = matches(p, 2)\nshow w = matches(p, 3)\nshow a = count(p, 2..=3)",
        "let p = (d5 - 1)d2\nshow u = matches(p)\nshow v = matches(p, 2)\nshow w = matches(p, 3)",
        "let p = 5d3\nshow u = matches(p, 1)\nshow v = matches(p, 2)\nshow w = matches(p, 3)\nshow a = matches(p, 4)",
        "let n = d4\nlet p = 4d6 kh n\nshow u = sum(p)\nshow v = size(p)\nshow w = matches(p, 2)\nshow a = lowest(p)",
        "let n = d6 - 1\nlet p = 4d6 kl n\nshow u = sum(p)\nshow v = size(p)\nshow w = matches(p)\nshow a = highest(p)",
        "let n = d6 - 1\nlet p = 4d6 dh n\nshow u = sum(p)\nshow v = lowest(p, 2)\nshow w = matches(p)\nshow a = highest(p, 2)",
        "let n = d6 - 1\nlet p = 4d6 dl n\nshow u = sum(p)\nshow v = lowest(p, 2)\nshow w = matches(p, 2)\nshow a = highest(p)",
        "let n = d3\nlet p = ((d4)d6 kl 3) kh n\nshow u = sum(p)\nshow v = size(p)\nshow w = matches(p)",
        "let n = d3\nlet p = ((d4)d6 dh n) dl 1\nshow u = sum(p)\nshow v = size(p)\nshow w = count(p, > 2)",
        "let p = if d2 == 1 then 3d6 else (d3)d4\nshow u = sum(p)\nshow v = matches(p)\nshow w = highest(p)\nshow a = size(p)",
        "let p = if d2 == 1 then 3d6 kh 2 else if d2 == 1 then 1d100 else {}\nshow u = sum(p)\nshow v = size(p)\nshow w = sum(p kh 1)",
        "let p = match d3 { 1: 2d6, 2: 4d4 kl 3, else: {d2, 3} }\nshow u = sum(p)\nshow v = matches(p)\nshow w = nth(p, 2)",
        "let p = {(d3 - 1)d6, 2d4, 0 - d2}\nshow u = sum(p)\nshow v = lowest(p)\nshow w = sum(p kl 2)\nshow a = matches(p)",
        "let p = {(d3 - 1)d{-1}, (d3 - 1)d{-2}}\nshow u = highest(p)\nshow v = matches(p)\nshow w = matches(p, 2)\nshow a = lowest(p)",
        "let a = (d4 - 1)d6\nlet b = (d4 - 1)d6\nshow u = wins(a, b)\nshow v = wins(b, a)\nshow w = wins({a, b}, 2d6)",
        "let a = 3d6 kh 2\nlet b = 3d4 kl (d3)\nshow u = wins(a, b)\nshow v = sum(a) - sum(b)",
        "let p = 4d6\nshow u = count(p, >= (d6))\nshow v = count(p, 2..=4)\nshow w = map(p kh 3, [0, 5, -5, 300, 7, 1, 70000])",
        "let p = draw(4, {6: 2, 4: 4, 1: 6})\nshow u = sum(p)\nshow v = matches(p)\nshow w = highest(p)\nshow a = count(p, 4)",
        "let p = draw(5, {1..=13: 4})\nshow u = matches(p)\nshow v = matches(p, 2)\nshow w = highest(p)",
        "let p = draw(3, {-40000: 2, 40000: 2})\nlet q = draw(4, {1: 2, 2: 2})\nshow u = sum(p)\nshow v = sum(q)",
        "let p = draw(0, {1: 1})\nlet q = {p, draw(1, {5: 1})}\nshow u = sum(q)\nshow v = size(p) + d2",
        "let p = if d2 == 1 then draw(2, {1: 3, 2: 3}) else 3d2\nshow u = sum(p)\nshow v = matches(p)",
        "let p = 6d6\nshow full = matches(p) >= 3 and matches(p, 2) >= 2\nshow u = matches(p kh 4)\nshow v = size(p dl 2)",
    ]);
}

/// Choices that leave one option only, or none that matters.
#[test]
fn choices_that_are_none() {
    let keys = "maximise = \"worth\"";
    let scripts = [
        "let roll = d6\nchoose x in 0..=3 where x == 2\nshow worth = roll + x",
        "let roll = d6\nchoose x in 0..=3 where x >= 2\nshow worth = roll + x",
        "let roll = d6\nchoose x in 0..=3 where x == (if roll > 3 then 3 else 1)\nshow worth = roll + x",
        "let roll = 1d6\nchoose kept in subsets(roll) where size(kept) == 1\nshow worth = sum(kept)",
        "let roll = 2d6\nchoose kept in subsets(roll) where size(kept) == 2\nshow worth = sum(kept)",
        "let roll = 2d6\nchoose kept in subsets(roll) where size(kept) == 0\nshow worth = sum(kept) + d4",
        "let roll = 3d6\nchoose kept in subsets(roll) where size(kept) == 2\nshow worth = 0 - sum(kept)",
        "let roll = 3d6\nchoose kept in subsets(roll) where size(kept) == 2\nshow worth = 5\nshow left = size(kept)",
        "let roll = d6\nchoose x in 2..=3\nshow worth = roll\nshow left = x",
        "let n = 0\nrepeat 3 { let roll = d6\nchoose x in 0..=1 where x == 1 or roll < 3\nset n = n + x * roll }\nshow worth = n",
        "let n = 0\nrepeat 2 { choose x in 1..=2 where x == 2\nset n = n + x * d2 }\nshow worth = n",
    ];
    all_agree_with("", keys, &scripts);
}

/// A check that chooses, for others to call.
const BOLD: &str = r#"
[checks.bold]
maximise = "got"
rules = """
let one = d4
choose risk in 0..=1
show got = if risk == 1 then d4 else one
"""
"#;

/// Choices within dice, loops and branches.
#[test]
fn choices_in_odd_places() {
    let scripts = [
        "show u = bold().got + bold().got",
        "show u = highest(2d[bold().got])",
        "show u = sum(2d[bold().got]!>=3(2))",
        "show u = sum(1d[bold().got]r<2)",
        "let n = 0\nrepeat 3 { set n = n + bold().got }\nshow u = n",
        "show u = if d2 == 1 then bold().got else 0",
        "let n = 0 + d2\nrepeat 4 until n > 6 { set n = n + (if n > 2 then bold().got else 0 + d2) }\nshow u = n",
    ];
    all_agree_with(BOLD, "", &scripts);
}

/// An explosion is no loop of the script, so it is none of the rounds that a policy counts.
#[test]
fn a_choice_in_an_explosion_in_a_loop() {
    all_agree_with(
        BOLD,
        "",
        &["let n = 0\nrepeat 2 { set n = n + sum(1d[bold().got]!>=4(1)) }\nshow u = n"],
    );
}

/// Numbers among dice that may not be there.
#[test]
fn constants_beside_absent_dice() {
    all_agree(&[
        "show u = lowest({(1d2 - 1)d3, 8})",
        "show u = lowest({(1d4 - 1)d3, 1, 8}, 2)",
        "show u = matches({(1d2 - 1)d4, 7})",
        "show u = wins({2, (1d3 - 1)d4} dl 1, 2d3)",
    ]);
}

/// Lowest dice, as many as a roll says, kept round after round.
#[test]
fn rolled_numbers_of_lowest_dice() {
    all_agree(&[
        "let hand = 2d6\nrepeat 3 { let k = 1d3 - 1\nset hand = {hand kl k, (2 - k)d6} }\nshow u = sum(hand)",
        "let hand = 3d4\nrepeat 2 { let k = 1d3 - 1\nset hand = {hand dh k, (k)d4} }\nshow u = sum(hand)\nshow v = size(hand)",
        "let n = d3\nshow u = sum((n)d6 kl (d2))\nshow v = sum((n)d6 dl (d2))",
    ]);
}

/// The faces of a `map` are known, one after the other.
#[test]
fn maps_that_divide_by_the_face() {
    all_agree_with(
        "[functions]\ng = \"(x) => floor(12 / x)\"\nh = \"(x) => if x > 200 then 1 else 0\"",
        "",
        &[
            "show u = map(2d6, g)",
            "show u = map((d3)d6 kh 2, g)",
            "show u = map(3d300, h)",
        ],
    );
}

/// Nothing is counted where a condition never holds, whatever the value.
#[test]
fn conditions_that_never_hold() {
    let model = model_of(
        "name = \"Test\"\n[checks.main]\naxes.a = { default = 0, domain = \"0..=1\" }\nrules = \"show u = 1d10000\"\n",
    );
    let check = model.check("main").expect("it is there");
    let queries = ["mean(u|a==1)", "variance(u|a==1)", "P(u>5|a==1)"];
    let queries = queries.map(|text| query_of(check, text));
    let tally = rolled(check, &check.defaults(), &queries, 3, 1_000).expect("it rolls");
    for sums in &tally.sums {
        assert_eq!(sums.trials, 0);
        assert!(sums.powers.iter().all(|power| *power == 0));
    }
}

/// Dice that may not be there, beside faces that nothing lies beyond.
#[test]
fn missing_dice_at_the_ends_of_the_numbers() {
    let (least, most) = ("-9223372036854775807 - 1", "9223372036854775807");
    let mut scripts = Vec::new();
    for die in [
        format!("d{{{most}, 1}}"),
        format!("d{{{least}, 1}}"),
        format!("d{{{most}, {least}}}"),
    ] {
        for keep in ["kh", "kl", "dh", "dl"] {
            scripts.push(format!(
                "let p = (1d3){die} {keep} 1\nshow n = size(p)\nshow high = highest(p) > 0\nshow low = lowest(p) < 0\n\
                 show ones = count(p, 1)"
            ));
        }
    }
    let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
    all_agree(&scripts);
}

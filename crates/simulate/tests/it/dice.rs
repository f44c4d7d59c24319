//! Random dice: whatever the exact engine answers the simulator rolls, with the same odds.

use oddsmith_exact::{Budget, distribution};
use proptest::prelude::*;
use proptest::sample::select;

use crate::chances::{Table, agree, judge};
use crate::random::{SEED, cases};
use crate::support::{check_of, expression_of};

const TRIALS: u64 = 20_000;

/// A condition on a face.
fn test() -> impl Strategy<Value = String> {
    let op = select(vec!["", "<", "<=", ">", ">=", "==", "!="]);
    (op, 1_i64..=6).prop_map(|(op, bound)| match op {
        "" => format!("{bound}..={}", bound + 1),
        op => format!("{op}{bound}"),
    })
}

/// One die, with or without rerolls and explosions.
fn die(depth: u32) -> BoxedStrategy<String> {
    let plain = select(vec![
        "d2",
        "d3",
        "d4",
        "d6",
        "dF",
        "d{1,3,3}",
        "d{0:2,2..=4}",
    ]);
    let faces = match depth {
        0 => plain.prop_map(str::to_owned).boxed(),
        _ => prop_oneof![
            1 => plain.prop_map(str::to_owned),
            2 => number(depth - 1).prop_map(|inner| format!("d[{inner}]")),
        ]
        .boxed(),
    };
    let reroll = prop_oneof![
        2 => Just(String::new()),
        1 => (select(vec!["r", "ro"]), test()).prop_map(|(kind, test)| format!("{kind}{test}")),
    ];
    let explode = prop_oneof![
        2 => Just(String::new()),
        2 => (0_u8..=3).prop_map(|depth| format!("!({depth})")),
        1 => (test(), 0_u8..=2).prop_map(|(test, depth)| format!("!{test}({depth})")),
    ];
    (faces, reroll, explode)
        .prop_map(|(faces, reroll, explode)| format!("{faces}{reroll}{explode}"))
        .boxed()
}

/// A pool.
fn pool(depth: u32) -> BoxedStrategy<String> {
    let keep = prop_oneof![
        1 => Just(String::new()),
        1 => (select(vec!["kh", "kl", "dh", "dl"]), 0_u8..=2).prop_map(|(keep, n)| format!("{keep}{n}")),
    ];
    let dice = (0_u8..=3, die(depth)).prop_map(|(n, die)| format!("{n}{die}"));
    let several = (dice.clone(), die(depth)).prop_map(|(dice, die)| format!("{{{dice},1{die}}}"));
    (prop_oneof![3 => dice, 1 => several], keep)
        .prop_map(|(pool, keep)| format!("{pool}{keep}"))
        .boxed()
}

/// A number.
fn number(depth: u32) -> BoxedStrategy<String> {
    let pool = || pool(depth);
    prop_oneof![
        4 => pool(),
        1 => (pool(), select(vec!["+", "-", "*"]), pool()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        1 => (pool(), test()).prop_map(|(pool, test)| format!("count({pool}, {})", test.trim_start_matches("=="))),
        1 => (pool(), 1_u8..=2).prop_map(|(pool, k)| format!("matches({pool}, {k})")),
        1 => (pool(), pool()).prop_map(|(a, b)| format!("max({a}, {b})")),
        1 => (pool(), pool(), pool()).prop_map(|(a, b, c)| format!("if {a} > {b} then {c} else 1")),
        1 => pool().prop_map(|pool| format!("floor({pool} / 2)")),
    ]
    .boxed()
}

/// Whether the simulator gives the odds that the exact engine answers with.
fn complaint(text: &str) -> Result<(), String> {
    let check = expression_of(text);
    let config = check.defaults();
    let outcome = &check.outcomes[0];
    match distribution(&check, &config, outcome, &Budget::new(200_000_000)) {
        Ok(dist) => agree(&check, &config, &[Table::new(outcome, &dist)], SEED, TRIALS).map(drop),
        Err(_) => Ok(()),
    }
}

proptest! {
    #![proptest_config(cases(250))]
    #[test]
    fn what_has_odds_can_be_rolled(text in number(2)) {
        let is_read = oddsmith_rules::expression(&text, "dice").is_ok();
        prop_assume!(is_read);
        let complaint = complaint(&text);
        prop_assert!(complaint.is_ok(), "{text}: {}", complaint.unwrap_err());
    }
}

/// Found by thinking; the random ones would do.
#[test]
fn dice_of_results_explode_on_their_highest_face() {
    for text in [
        "2d[1d6]!(2)",
        "3d[2d6kh1]!(1)kh2",
        "1d[1d6 - 1d6]r>3!(2)",
        "1d[2d4]ro==8!(2)",
        "2d[1d[1d4]!(1) + 1]!(2)",
        "1d[if 1d6 > 5 then 20 else 2d4]!(3)",
        "1d[100d2 dl 98]!(1)",
        "1d[1d20]r<20",
    ] {
        complaint(text).unwrap_or_else(|what| panic!("{text}: {what}"));
    }
}

/// A number that was rolled before, out of so many that a die of each kind would be too many dice.
fn rolled() -> impl Strategy<Value = &'static str> {
    select(vec![
        "a",
        "b",
        "a + b",
        "max(0, b)",
        "min(3, a)",
        "12 - a",
        "clamp(a - 4, 0, 5)",
    ])
}

/// Dice whose sides or weights were rolled before, or pieces from such a bag; not all can be carried out.
fn own_pool() -> impl Strategy<Value = String> {
    let count = || prop_oneof![2 => (0_u8..=3).prop_map(|n| n.to_string()), 1 => Just("(max(0, b))".to_owned())];
    let weights = || {
        let last = select(vec!["5: 1", "5..=6: 2", "0: b"]);
        (rolled(), rolled(), last)
            .prop_map(|(x, y, last)| format!("{{1: {x}, 2..=3: {y}, {last}}}"))
    };
    prop_oneof![
        2 => (count(), weights()).prop_map(|(n, weights)| format!("{n}d{weights}")),
        1 => (count(), rolled()).prop_map(|(n, sides)| format!("{n}d({sides})")),
        3 => (prop_oneof![rolled(), select(vec!["0", "1", "2", "3"])], weights())
            .prop_map(|(n, bag)| format!("draw({n}, {bag})")),
    ]
}

proptest! {
    #![proptest_config(cases(150))]
    #[test]
    fn dice_have_what_was_rolled_before(first in own_pool(), second in own_pool(), if_any in select(vec!["", "if b > 1 then ", "if b > 9 then "])) {
        let otherwise = if if_any.is_empty() { "" } else { " else 2d2" };
        let script = format!(
            "let a = 0 + 2d6\nlet b = d8 - 3\nlet p = {if_any}{first}{otherwise}\nlet q = {second}\n\
             show u = sum(p)\nshow v = count(q, 2) + 10 * size(q)\nshow w = if b < 0 then 0 else highest({{0, q}})"
        );
        let check = check_of(&script);
        let complaint = judge(&check, &check.defaults(), SEED, TRIALS);
        prop_assert!(complaint.is_ok(), "{script}: {}", complaint.unwrap_err());
    }
}

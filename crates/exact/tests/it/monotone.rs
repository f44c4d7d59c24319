//! What is proved to go in one direction does so: random scripts, in every configuration, against the answers themselves.

use std::sync::atomic::{AtomicUsize, Ordering};

use oddsmith_exact::{Budget, Error, RBig, answers, directions};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, Direction, Model, load};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const PARAMS: &str = r#"
name = "Random"
[params]
a = { default = 1, domain = "1..=3" }
b = { default = 0, domain = "0..=2" }
c = { default = 0, domain = "-1..=1" }
[checks.check]
"#;

const BOUNDS: [(&str, (i64, i64)); 3] = [("a", (1, 3)), ("b", (0, 2)), ("c", (-1, 1))];

/// A number over parameters, dice, and the names bound before.
fn number(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => proptest::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned),
        2 => proptest::sample::select(names).prop_map(str::to_owned),
        1 => (-2_i64..4).prop_map(|own| format!("({own})")),
        3 => proptest::sample::select(vec![
            "1d3", "1d(a + 1)", "(b)d3", "(a)d(b + 1)", "highest((a)d3)", "lowest((a)d3)", "lowest(2d(a))",
            "(a)d3 kh 1", "(a + 1)d3 kl 1", "3d3 kh (a)", "2d(b + 2) kl 1", "(a + 1)d3 dl 1", "(a + 1)d3 dh 1",
            "count((b + 1)d3, >= a)", "count((a)d3, <= 2)", "count(3d(a) kh 2, <= b)", "count((a)d3 kh 1, <= 2)",
            "count(2d4, == a)", "[1, 2, 4][b]", "[3, 1, 0][b]", "[0, 5, 1][b]", "(a)d{-2, 0, 1}",
            "(a)d{-2, -1} kh 1", "1d(a + 1)!(1)", "2d3r<a", "matches((a + 1)d2)",
        ]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 12, 4, |own| {
        let two = || (own.clone(), own.clone());
        prop_oneof![
            two().prop_map(|(x, y)| format!("({x} + {y})")),
            two().prop_map(|(x, y)| format!("({x} - {y})")),
            two().prop_map(|(x, y)| format!("({x}) * ({y})")),
            two().prop_map(|(x, y)| format!("min({x}, {y})")),
            two().prop_map(|(x, y)| format!("max({x}, {y})")),
            own.clone().prop_map(|x| format!("abs({x})")),
            own.clone().prop_map(|x| format!("sign({x})")),
            own.clone().prop_map(|x| format!("(-({x}))")),
            own.clone().prop_map(|x| format!("floor(({x}) / 2)")),
            own.clone().prop_map(|x| format!("ceil(({x}) / -2)")),
            (two(), two())
                .prop_map(|((x, y), (z, w))| format!("(if {x} >= {y} then {z} else {w})")),
            (two(), two())
                .prop_map(|((x, y), (z, w))| format!("(if {x} < {y} or a == 2 then {z} else {w})")),
            two().prop_map(|(x, y)| format!("(if {x} > {y} then 2 else 1)")),
            two().prop_map(|(x, y)| format!("(match {x} {{ < {y}: 0, < 3: 1, else: 2 }})")),
            (two(), two())
                .prop_map(|((x, y), (z, w))| format!("(match {x} {{ <= {y}: {z}, else: {w} }})")),
        ]
    })
}

fn model(script: &str) -> Option<Model> {
    let text = format!("{PARAMS}rules = \"\"\"\n{script}\n\"\"\"\n");
    load("random.toml", text.as_bytes()).ok()
}

/// Every configuration, and the answer there.
fn asked(check: &Check, ids: &[InputId], query: &str) -> Result<Vec<(Vec<i64>, RBig)>, Error> {
    let query = check.query(query, "<query>").expect("it is right");
    let mut all = Vec::new();
    let mut config: Config = check.defaults();
    for at in 0..27_i64 {
        let places = [at / 9, at / 3 % 3, at % 3];
        let values: Vec<i64> = places
            .iter()
            .zip(BOUNDS)
            .map(|(place, (_, (low, _)))| low + place)
            .collect();
        for (id, value) in ids.iter().zip(&values) {
            config.put(*id, *value);
        }
        let found = answers(
            check,
            &config,
            std::slice::from_ref(&query),
            &Budget::new(200_000_000),
        )?;
        all.push((values, found[0].to_ratio().expect("a number")));
    }
    Ok(all)
}

/// How many directions are proved; each is held against the answers.
fn proved(script: &str) -> Option<usize> {
    let model = model(script)?;
    let check = &model.checks[0];
    let ids = BOUNDS.map(|(name, _)| check.input(name).expect("it is there"));
    let within: Vec<(InputId, (i64, i64))> =
        ids.into_iter().zip(BOUNDS.map(|(_, own)| own)).collect();
    let mut proved = 0;
    for text in [
        "mean(out)",
        "P(out >= 2)",
        "P(out > a)",
        "P(out < c + 1)",
        "P(out == 1)",
    ] {
        let query = check.query(text, "<query>").expect("it is right");
        let found = directions(check, &check.defaults(), &query, &within);
        if found.iter().all(Option::is_none) {
            continue;
        }
        let Ok(all) = asked(check, &ids, text) else {
            continue;
        };
        for (at, direction) in found.iter().enumerate() {
            let Some(direction) = direction else { continue };
            proved += 1;
            for (one, less) in &all {
                let next = all.iter().filter(|(other, _)| {
                    (0..3).all(|own| other[own] == one[own] + i64::from(own == at))
                });
                for (other, more) in next {
                    let is_so = match direction {
                        Direction::Up => less <= more,
                        Direction::Down => less >= more,
                    };
                    assert!(
                        is_so,
                        "{text} {direction:?} by {at}: {one:?} {less}, {other:?} {more}\n{script}"
                    );
                }
            }
        }
    }
    Some(proved)
}

#[test]
fn what_is_proved_is_so() {
    let config = ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let counts = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let scripts = (number(&["a"]), number(&["x"]), number(&["x", "y"]));
    let done = TestRunner::new(config).run(&scripts, |(x, y, out)| {
        let script = format!("let x = {x}\nlet y = {y}\nshow out = {out}");
        let found = proved(&script);
        counts[0].fetch_add(usize::from(found.is_some()), Ordering::Relaxed);
        counts[1].fetch_add(found.unwrap_or(0), Ordering::Relaxed);
        Ok(())
    });
    done.expect("what is proved is so");
    // Most scripts can be read, and something is proved of many.
    let [scripts, proved] = counts.map(AtomicUsize::into_inner);
    assert!(
        scripts > 1000 && proved > 5000,
        "{proved} in {scripts} scripts"
    );
}

#[test]
fn what_games_are_made_of_is_proved() {
    let all = |script: &str| proved(script).expect("it is right");
    // Of a, b and c: of the mean, of at least 2, of more than a, of less than c + 1, of exactly 1. What does not read an
    // input goes in both directions.
    assert_eq!(all("show out = 2d6 + a + b"), 3 + 3 + 2 + 3 + 1);
    let bands = "show out = match 2d6 + b { < 4 + c: 0, < 7 + a: 1, else: 2 }";
    assert_eq!(all(bands), 3 + 3 + 3 + 3);
    assert_eq!(all("show out = (a + 1)d(b + 2) kh 1 - c"), 3 + 3 + 2 + 3);
}

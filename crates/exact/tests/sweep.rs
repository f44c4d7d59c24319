//! Sweeps say of every configuration what [`answers`] says of it alone, whatever was shared on the way.

use std::sync::atomic::{AtomicUsize, Ordering};

use oddsmith_exact::{Answer, Budget, Error, RBig, Sweep, answers};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, InputRange, Query, load};
use proptest::prelude::*;
use proptest::test_runner::{Config as TestConfig, TestCaseError, TestRunner};

/// A row as it was handed out.
#[derive(Debug, PartialEq)]
struct Row {
    values: Vec<i64>,
    answers: Vec<Answer>,
}

/// Runs a sweep on so many threads; the planning runs there too.
fn rows_on(
    threads: usize,
    check: &Check,
    base: &Config,
    ranges: &[InputRange],
    queries: &[Query],
) -> Result<Vec<Row>, Error> {
    let budget = Budget::unlimited();
    let run = || {
        let sweep = Sweep::new(check, base, ranges, queries, &budget)?;
        let product: usize = ranges.iter().map(|range| range.values.len()).product();
        assert_eq!(sweep.configurations(), product as u64);
        let mut rows = Vec::new();
        let mut progress = 0;
        let render = |row: &oddsmith_exact::Row<'_>, chunk: &mut Vec<Row>| {
            let (values, answers) = (row.values.to_vec(), row.answers.to_vec());
            chunk.push(Row { values, answers });
        };
        sweep.run(render, |chunk, done| {
            assert!(done > progress, "progress goes on");
            progress = done;
            rows.extend(chunk);
            Ok::<(), Error>(())
        })?;
        assert_eq!(progress, product as u64);
        Ok(rows)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("threads can be had").install(run)
}

/// What each query comes to alone; none where its condition never happens.
fn alone(check: &Check, config: &Config, queries: &[Query]) -> Result<Vec<Option<RBig>>, Error> {
    let ask = |queries: &[Query]| answers(check, config, queries, &Budget::unlimited());
    let one = |query: &Query| match ask(std::slice::from_ref(query)) {
        Ok(found) => Ok(found[0].to_ratio()),
        Err(Error::NeverHappens { .. }) => Ok(None),
        Err(other) => Err(other),
    };
    match ask(queries) {
        Ok(found) => Ok(found.iter().map(Answer::to_ratio).collect()),
        Err(Error::NeverHappens { .. }) => queries.iter().map(one).collect(),
        Err(other) => Err(other),
    }
}

/// Every configuration, the last input fastest.
fn configurations(base: &Config, ranges: &[InputRange]) -> Vec<Config> {
    let mut all = vec![base.clone()];
    for range in ranges {
        let of_one = |config: &Config| -> Vec<Config> {
            let with = |&value: &i64| {
                let mut config = config.clone();
                config.0[range.input.0] = value;
                config
            };
            range.values.iter().map(with).collect()
        };
        all = all.iter().flat_map(of_one).collect();
    }
    all
}

/// Compares a sweep with its configurations one by one; returns how many rows there were.
fn sweep_agrees(
    check: &Check,
    base: &Config,
    ranges: &[InputRange],
    queries: &[Query],
) -> Result<usize, TestCaseError> {
    let found = rows_on(1, check, base, ranges, queries);
    for threads in [2, 3, 7] {
        let again = rows_on(threads, check, base, ranges, queries);
        prop_assert_eq!(&again, &found, "on {} threads", threads);
    }
    let mut expected = Vec::new();
    let mut failure = None;
    for config in configurations(base, ranges) {
        match alone(check, &config, queries) {
            Ok(answers) => expected.push((config, answers)),
            Err(Error::Requirement { .. }) => {}
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
    }
    let rows = match (found, failure) {
        (Err(Error::Requirement { .. }), None) => {
            prop_assert!(expected.is_empty(), "some configuration is legal");
            return Ok(0);
        }
        (Err(found), failure) => {
            prop_assert_eq!(Some(found), failure);
            return Ok(0);
        }
        (Ok(_), Some(failure)) => {
            return Err(TestCaseError::fail(format!(
                "no error, but alone {failure}"
            )));
        }
        (Ok(rows), None) => rows,
    };
    prop_assert_eq!(rows.len(), expected.len(), "rows");
    for (row, (config, answers)) in rows.iter().zip(&expected) {
        let values: Vec<i64> = ranges.iter().map(|range| config.0[range.input.0]).collect();
        prop_assert_eq!(&row.values, &values, "order of rows");
        for ((query, found), expected) in queries.iter().zip(&row.answers).zip(answers) {
            let what = || format!("{} for {}", query.text, check.describe(config));
            prop_assert_eq!(&found.to_ratio(), expected, "{}", what());
        }
    }
    Ok(rows.len())
}

/// What a random sweep is made of; places are counted round and round.
#[derive(Clone, Debug)]
struct Plan {
    /// Which inputs, and for each where in its domain its values are.
    swept: Vec<(usize, Vec<u16>)>,
    /// Inputs that are set, and to what.
    set: Vec<(usize, u16)>,
    /// Which queries.
    queries: Vec<usize>,
}

fn plan() -> impl Strategy<Value = Plan> {
    let swept = (0_usize..64, prop::collection::vec(any::<u16>(), 1..7));
    (
        prop::collection::vec(swept, 1..5),
        prop::collection::vec((0_usize..64, any::<u16>()), 0..4),
        prop::collection::vec(0_usize..64, 1..6),
    )
        .prop_map(|(swept, set, queries)| Plan {
            swept,
            set,
            queries,
        })
}

/// A value of an input's domain.
fn value_at(check: &Check, input: usize, place: u16) -> i64 {
    let (low, high) = check.inputs[input].domain.bounds();
    low + i64::from(place) % (high - low + 1)
}

fn ranges_of(check: &Check, plan: &Plan) -> Vec<InputRange> {
    let mut ranges: Vec<InputRange> = Vec::new();
    for (input, places) in &plan.swept {
        let input = input % check.inputs.len();
        let mut values = Vec::new();
        for place in places {
            let value = value_at(check, input, *place);
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let input = InputId(input);
        if ranges.iter().all(|range| range.input != input) {
            ranges.push(InputRange { input, values });
        }
    }
    ranges
}

/// Tries random sweeps of a check, `PROPTEST_CASES` or so many; a good part of them must have rows.
fn random_sweeps(cases: u32, check: &Check, queries: &[&str]) {
    let ask = |text: &&str| check.query(text, "query").unwrap_or_else(|e| panic!("{e}"));
    let mut asked: Vec<Query> = queries.iter().map(ask).collect();
    asked.extend(check.own_queries());
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(cases);
    let config = TestConfig {
        cases,
        failure_persistence: None,
        ..TestConfig::default()
    };
    let rows = AtomicUsize::new(0);
    let outcome = TestRunner::new(config).run(&plan(), |plan| {
        let mut base = check.defaults();
        for (input, place) in &plan.set {
            let input = input % check.inputs.len();
            base.0[input] = value_at(check, input, *place);
        }
        let ranges = ranges_of(check, &plan);
        let queries = plan.queries.iter().map(|at| &asked[at % asked.len()]);
        let queries: Vec<Query> = queries.cloned().collect();
        let count = sweep_agrees(check, &base, &ranges, &queries)?;
        rows.fetch_add(count, Ordering::Relaxed);
        Ok(())
    });
    assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    let rows = rows.into_inner();
    assert!(rows > cases as usize / 2, "only {rows} rows were compared");
}

fn check_of(text: &str) -> Check {
    let model = load("test.toml", text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    model.check("main").expect("it is there").clone()
}

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
    random_sweeps(40, &check, &queries);
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
        let found: Vec<Option<RBig>> = row.answers.iter().map(Answer::to_ratio).collect();
        assert_eq!(Ok(found), alone(&check, &config, &queries));
    }
}

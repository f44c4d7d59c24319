//! Comparing a sweep with its configurations one by one.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use oddsmith_exact::{Answer, Budget, Error, IBig, RBig, Sweep, answers};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, InputRange, Query, load};
use proptest::prelude::*;
use proptest::test_runner::{Config as TestConfig, TestCaseError, TestRunner};

/// A row as it was handed out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) values: Vec<i64>,
    pub(crate) answers: Vec<Answer>,
}

/// Runs a sweep on so many threads; the planning runs there too.
pub(crate) fn rows_on(
    threads: usize,
    check: &Check,
    base: &Config,
    ranges: &[InputRange],
    queries: &[Query],
) -> Result<Vec<Row>, Error> {
    Ok(paid_rows_on(threads, check, base, ranges, queries)?.0)
}

/// [`rows_on`], and the steps that it has spent.
fn paid_rows_on(
    threads: usize,
    check: &Check,
    base: &Config,
    ranges: &[InputRange],
    queries: &[Query],
) -> Result<(Vec<Row>, u64), Error> {
    let budget = Budget::unlimited();
    let run = || {
        let sweep = Sweep::new(check, base, ranges, queries, &budget)?;
        let product: usize = ranges.iter().map(|range| range.values.len()).product();
        assert_eq!(sweep.configurations(), product as u64);
        let rows = rows_of(&sweep)?;
        let (completed, announced) = budget.progress();
        assert_eq!(completed, announced, "all is done that was ahead");
        assert!(announced >= product as u64);
        Ok((rows, budget.spent()))
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("threads can be had").install(run)
}

/// All rows that are wanted of a sweep.
fn rows_of(sweep: &Sweep<'_>) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    let render = |row: &oddsmith_exact::Row<'_>, chunk: &mut Vec<Row>| {
        let answers = row.answers.iter().map(Answer::from).collect();
        let values = row.values.to_vec();
        chunk.push(Row { values, answers });
    };
    sweep.run(render, |chunk| {
        rows.extend(chunk);
        Ok::<(), Error>(())
    })?;
    Ok(rows)
}

/// Compares a sweep with its parts, one after the other: their rows are the same, weight for weight and total for total.
fn parts_agree(
    check: &Check,
    base: &Config,
    ranges: &[InputRange],
    queries: &[Query],
    whole: &[Row],
) -> Result<(), TestCaseError> {
    let all: u64 = ranges
        .iter()
        .map(|range| range.values.len() as u64)
        .product();
    for parts in [2, 3, 7, all.min(40)] {
        let mut rows = Vec::new();
        for at in 0..parts {
            let wanted = all * at / parts..all * (at + 1) / parts;
            let budget = Budget::unlimited();
            let sweep = Sweep::within(check, base, ranges, (queries, &budget), wanted);
            rows.extend(
                sweep
                    .and_then(|sweep| rows_of(&sweep))
                    .expect("the whole has rows"),
            );
        }
        prop_assert_eq!(rows, whole, "in {} parts", parts);
    }
    Ok(())
}

/// What an answer says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    Is(RBig),
    /// More than any number, or less.
    Infinite {
        falls: bool,
    },
    /// The condition of the query never happens, or the end that it is about need not come.
    Never,
}

impl Found {
    pub(crate) fn of(answer: &Answer) -> Self {
        match answer.to_ratio() {
            Some(ratio) => Self::Is(ratio),
            None if answer.is_infinite() => Self::Infinite {
                falls: answer.weight < IBig::ZERO,
            },
            None => Self::Never,
        }
    }
}

/// What each query comes to alone.
pub(crate) fn alone(
    check: &Check,
    config: &Config,
    queries: &[Query],
) -> Result<Vec<Found>, Error> {
    let ask = |queries: &[Query]| answers(check, config, queries, &Budget::unlimited());
    let one = |query: &Query| match ask(std::slice::from_ref(query)) {
        Ok(found) => Ok(Found::of(&found[0])),
        Err(Error::NeverHappens { .. } | Error::NeverEnds { .. }) => Ok(Found::Never),
        Err(other) => Err(other),
    };
    match ask(queries) {
        Ok(found) => Ok(found.iter().map(Found::of).collect()),
        Err(Error::NeverHappens { .. } | Error::NeverEnds { .. }) => {
            queries.iter().map(one).collect()
        }
        Err(other) => Err(other),
    }
}

/// Every configuration, the last input fastest.
pub(crate) fn configurations(base: &Config, ranges: &[InputRange]) -> Vec<Config> {
    let mut all = vec![base.clone()];
    for range in ranges {
        let of_one = |config: &Config| -> Vec<Config> {
            let with = |&value: &i64| {
                let mut config = config.clone();
                config.put(range.input, value);
                config
            };
            range.values.iter().map(with).collect()
        };
        all = all.iter().flat_map(of_one).collect();
    }
    all
}

/// Compares a sweep with its configurations one by one; returns how many rows there were.
pub(crate) fn sweep_agrees(
    check: &Check,
    base: &Config,
    ranges: &[InputRange],
    queries: &[Query],
) -> Result<usize, TestCaseError> {
    // The steps that are spent are the same as well, so that no refusal for steps hangs on threads.
    let found = paid_rows_on(1, check, base, ranges, queries);
    for threads in [2, 3, 7] {
        let again = paid_rows_on(threads, check, base, ranges, queries);
        prop_assert_eq!(&again, &found, "on {} threads", threads);
    }
    let found = found.map(|(rows, _)| rows);
    demanded_rows_agree(check, base, ranges, queries)?;
    if let Ok(whole) = &found {
        parts_agree(check, base, ranges, queries, whole)?;
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
        let values: Vec<i64> = ranges.iter().map(|range| config[range.input]).collect();
        prop_assert_eq!(&row.values, &values, "order of rows");
        for ((query, found), expected) in queries.iter().zip(&row.answers).zip(answers) {
            let what = || format!("{} for {}", query.text, check.describe(config));
            prop_assert_eq!(&Found::of(found), expected, "{}", what());
        }
    }
    Ok(rows.len())
}

/// Compares rows that are asked for by their numbers, the later ones first, with their configurations one by one; an
/// error of one row is no other row's.
fn demanded_rows_agree(
    check: &Check,
    base: &Config,
    ranges: &[InputRange],
    queries: &[Query],
) -> Result<(), TestCaseError> {
    let budget = Budget::unlimited();
    let Ok(sweep) = Sweep::on_demand(check, base, ranges, queries, &budget) else {
        // What no row meets is an error of the sweep, which is compared where all rows are asked for.
        return Ok(());
    };
    let configs = configurations(base, ranges);
    let middle = sweep.configurations() / 3;
    let mut found = BTreeMap::new();
    for numbers in [middle..sweep.configurations(), 0..middle] {
        let take = |number, row: Result<oddsmith_exact::Row<'_>, Error>| {
            let answers = |row: oddsmith_exact::Row<'_>| -> Vec<Found> {
                row.answers
                    .iter()
                    .map(|answer| Found::of(&Answer::from(answer)))
                    .collect()
            };
            found.insert(number, row.map(answers));
        };
        sweep.rows(numbers, take).expect("the budget has no limit");
    }
    for (number, config) in (0..).zip(&configs) {
        match alone(check, config, queries) {
            Err(Error::Requirement { .. }) => prop_assert!(!found.contains_key(&number)),
            alone => prop_assert_eq!(
                found.get(&number),
                Some(&alone),
                "{}",
                check.describe(config)
            ),
        }
    }
    Ok(())
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
            ranges.push(InputRange::new(input, values));
        }
    }
    ranges
}

/// Tries random sweeps of a check, `PROPTEST_CASES` or so many; a good part of them must have rows.
pub(crate) fn random_sweeps(cases: u32, check: &Check, queries: &[&str]) {
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
            base.put(InputId(input), value_at(check, input, *place));
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

pub(crate) fn check_of(text: &str) -> Check {
    let model = load("test.toml", text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    model.check("main").expect("it is there").clone()
}

//! Every row of the case files, rolled.
//!
//! A row's answer is the exact fraction that stands in its file; what is rolled must lie within five standard errors
//! of it. The standard error is that of the exact answer, so that rare events are judged fairly: with about a thousand
//! rows at a two-sided level of 6e-7 each, chance alone fails this test for one seed in 1,700. The seed is fixed.

use oddsmith_exact::{RBig, UBig};
use oddsmith_rules::Query;
use oddsmith_simulate::{Sums, Tally};
use oddsmith_testkit::cases::{Case, Rulesets};
use oddsmith_testkit::test_case_files;

use crate::chances::far_off;
use crate::support::{config_of, query_of, simulation};

const SEED: u64 = 20_261_121;
const TRIALS: u64 = 100_000;

/// The answer of a row; none if it is infinite.
fn expected(case: &Case) -> Option<f64> {
    // Each by itself may be beyond what floats hold.
    let ratio = || RBig::from_parts(case.numerator.clone(), case.denominator.clone());
    (case.denominator != UBig::ZERO).then(|| ratio().to_f64().value())
}

/// What is wrong with a row.
fn complaint(case: &Case, query: &Query, tally: &Tally, sums: &Sums) -> Option<String> {
    let Some(expected) = expected(case) else {
        // What has no end is cut off, and that is said.
        let is_over = tally.unfinished == 0;
        return is_over.then(|| "every trial has come to an end".to_owned());
    };
    far_off(query, sums, expected)
}

/// What is wrong with rows about the same subject in the same configuration.
fn complaints(rulesets: &mut Rulesets, rows: &[Case]) -> Vec<String> {
    let check = rulesets.subject(&rows[0]);
    let config = config_of(&check, &rows[0].set);
    let queries = rows.iter().map(|row| query_of(&check, &row.query));
    let queries: Vec<Query> = queries.collect();
    let rolled = simulation(&check, &config, &queries).and_then(|simulation| {
        let tally = simulation.run(SEED, 0..TRIALS);
        tally.map_err(|error| error.to_string())
    });
    let tally = match rolled {
        Ok(tally) => tally,
        Err(error) => return vec![format!("{}: {error}", rows[0].id)],
    };
    let answered = rows.iter().zip(&queries).zip(&tally.sums);
    let wrong = answered.filter_map(|((row, query), sums)| {
        let complaint = complaint(row, query, &tally, sums)?;
        Some(format!("{}: {complaint}", row.id))
    });
    wrong.collect()
}

/// Rolls every row of a file, those about one configuration together.
fn run(cases: &[Case]) {
    let mut rulesets = Rulesets::default();
    let groups = cases.chunk_by(|a, b| (&a.target, &a.set) == (&b.target, &b.set));
    let wrong = groups.flat_map(|rows| complaints(&mut rulesets, rows));
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} of {} rows differ:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

test_case_files!(run);

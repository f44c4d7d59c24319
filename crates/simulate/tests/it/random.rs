//! Random scripts against the exact engine.
//!
//! The first kind are those that the exact engine's own tests compare with a brute force; the second are made to
//! reach the ends of 8, 16, 32 and 64 bits. `PROPTEST_CASES` sets how many are tried.

mod ends;

use std::collections::BTreeMap;

use oddsmith_exact::{Dist, RBig, UBig};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, load};
use oddsmith_testkit::random::calls::played::{Odds, Player};
use oddsmith_testkit::random::{calls, check_of, model_of, text, trees};
use oddsmith_testkit::without_panic;
use proptest::prelude::*;
use proptest::test_runner::{Config as TestConfig, RngAlgorithm, RngSeed};

use crate::chances::{Table, agree, is_refused, judge, track_tables};
use crate::support::config_of;

pub(crate) const SEED: u64 = 20_261_121;
const TRIALS: u64 = 20_000;

/// What is wrong with a check.
fn complaint(check: &Check, k: i64) -> Result<(), String> {
    let mut config = check.defaults();
    config.put(InputId(0), k);
    without_panic(|| judge(check, &config, SEED, TRIALS))
}

fn track_complaint(check: &Check, k: i64) -> Result<(), String> {
    let mut config = check.defaults();
    config.put(InputId(0), k);
    without_panic(|| {
        let tables = track_tables(check, &config, 4);
        match agree(check, &config, &tables, SEED, TRIALS / 4) {
            Err(error) if !is_refused(&error) => Err(error),
            _ => Ok(()),
        }
    })
}

/// Of what a check shows first (0) or second (1).
fn dist_of(odds: &Odds<(i64, i64)>, shown: usize) -> Dist {
    let total = odds
        .values()
        .fold(UBig::ONE, |total, p| total * p.denominator());
    let mut weights: BTreeMap<i64, UBig> = BTreeMap::new();
    for (results, p) in odds {
        let weight = p * RBig::from(total.clone());
        let weight = UBig::try_from(weight.into_parts().0).expect("a chance is not negative");
        *weights
            .entry(<[i64; 2]>::from(*results)[shown])
            .or_default() += weight;
    }
    Dist::from_weights(weights).expect("something is shown")
}

/// What is wrong with the rolls of checks that call one another, by what their trees say.
fn called_complaint(drawn: &[calls::Check], values: [i64; 3]) -> Result<(), String> {
    let text = calls::text(drawn, false);
    let model = load("calls.toml", text.as_bytes()).map_err(|errors| errors.to_string())?;
    let check = model.check("main").expect("it is there");
    let (axes, settings) = calls::settings(drawn, values);
    let odds = Player::new(drawn).play(drawn.len() - 1, axes);
    let shown = check.outcomes.iter().zip(0..);
    let tables = shown.map(|(outcome, at)| Table::new(outcome, &dist_of(&odds, at)));
    let tables: Vec<Table> = tables.collect();
    let config = config_of(check, &settings);
    let rolled = || agree(check, &config, &tables, SEED, TRIALS).map(|_| ());
    without_panic(rolled).map_err(|error| format!("{settings}\n{text}{error}"))
}

/// The same scripts every time.
pub(crate) fn cases(usual: u32) -> TestConfig {
    let cases = std::env::var("PROPTEST_CASES");
    TestConfig {
        cases: cases.ok().and_then(|n| n.parse().ok()).unwrap_or(usual),
        max_global_rejects: u32::MAX,
        max_shrink_iters: 2_000,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(SEED),
        ..TestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(200))]
    #[test]
    fn scripts_have_their_odds(tree in trees::script(false), k in 0_i64..3) {
        let (script, goal) = text::script(&tree);
        let check = check_of(&script, goal.as_ref());
        prop_assume!(check.is_some());
        let complaint = complaint(&check.expect("just checked"), k);
        prop_assert!(complaint.is_ok(), "k = {k}\n{script}{}", complaint.unwrap_err());
    }
}

proptest! {
    #![proptest_config(cases(100))]
    #[test]
    fn choices_are_made_as_they_should(tree in trees::script(true), k in 0_i64..3) {
        let (script, goal) = text::script(&tree);
        prop_assume!(goal.is_some());
        let check = check_of(&script, goal.as_ref());
        prop_assume!(check.is_some());
        let complaint = complaint(&check.expect("just checked"), k);
        let goal = goal.expect("just checked");
        prop_assert!(complaint.is_ok(), "k = {k}\n{goal}\n{script}{}", complaint.unwrap_err());
    }
}

proptest! {
    #![proptest_config(cases(60))]
    #[test]
    fn tracks_end_as_they_should(round in trees::track(), k in 0_i64..3) {
        let script = text::track(&round);
        let model = model_of("tracks", "", &script);
        prop_assume!(model.is_some());
        let model = model.expect("just checked");
        let track = model.track("main").expect("it is there");
        let complaint = track_complaint(track, k);
        prop_assert!(complaint.is_ok(), "k = {k}\n{script}{}", complaint.unwrap_err());
    }
}

proptest! {
    #![proptest_config(cases(100))]
    #[test]
    fn calls_are_rolled_with_their_axes(checks in calls::checks(), values in [-3_i64..6, -3_i64..6, -3_i64..6]) {
        let complaint = called_complaint(&checks, values);
        prop_assert!(complaint.is_ok(), "{}", complaint.unwrap_err());
    }
}

//! Random scripts, as text, each against a brute force over all its rolls, choices and rounds.
//!
//! `PROPTEST_CASES` sets how many are tried; `SHOW_REFUSED` stops at the first that the checker refuses.

mod called;
mod chains;
mod endless;
mod held;
mod narrow;
mod sweeps;

use std::collections::BTreeMap;

use oddsmith_exact::{Budget, Error, IBig, RBig, carried_out, distribution};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, Model, load};
use oddsmith_testkit::random::{AROUND, check_of, maximise, model_of, table, text, trees};
use proptest::prelude::*;
use proptest::test_runner::{Config as TestConfig, FileFailurePersistence};

use crate::compare;
use crate::decisions;
use crate::policies;
use crate::support::{queries_of, without_panic};
use crate::tracks::queries_about;
use crate::worths;
use oddsmith_testkit::oracle::{self, Joint};

/// Scripts with more trials are not compared.
const MOST_TRIALS: usize = 6_000;

/// Nor scripts with more of them when options are tried and rounds are played.
const MOST_TRIES: usize = 10_000;

/// What is wrong, a panic included; none if that is too long to say.
fn complaint_of(
    compare: impl FnOnce() -> Option<Result<(), String>>,
) -> Option<Result<(), String>> {
    let mut is_long = false;
    let complaint = without_panic(|| {
        compare().unwrap_or_else(|| {
            is_long = true;
            Ok(())
        })
    });
    (!is_long).then_some(complaint)
}

/// What is wrong with a check's odds; none if it is too long to say.
fn check_complaint(check: &Check, k: i64, trials: usize) -> Option<Result<(), String>> {
    let mut config = check.defaults();
    config.put(InputId(0), k);
    let joint = oracle::joint(check, &config, trials)?;
    let odds = compare::checks::agrees(check, &config, &joint);
    let odds = odds.and_then(|()| sweeps::complaint(check));
    let odds = match odds {
        Ok(()) => policies::agree(check, &config, trials)?,
        complaint => complaint,
    };
    if check.goal.is_none() || odds.is_err() {
        return Some(odds);
    }
    match decisions::agree(check, &config, trials)? {
        Ok(()) => worths::agree(check, &config, trials),
        complaint => Some(complaint),
    }
}

/// What is wrong with what is said of a check that may break a rule; none if it is too long to say.
fn risky_complaint(check: &Check, k: i64) -> Option<Result<(), String>> {
    let mut config = check.defaults();
    config.put(InputId(0), k);
    let judged = match oracle::joint_unless_broken(check, &config, MOST_TRIALS)? {
        // Sums of squares of such numbers are more than the comparison has room for.
        Some(joint)
            if joint
                .keys()
                .flatten()
                .any(|value| value.unsigned_abs() > 1 << 20) =>
        {
            return Some(same_distributions(check, &config, &joint));
        }
        Some(joint) => compare::checks::agrees(check, &config, &joint),
        None => refused(check, &config),
    };
    Some(judged.and_then(|()| sweeps::complaint(check)))
}

/// Whether each outcome has its distribution.
fn same_distributions(check: &Check, config: &Config, joint: &Joint) -> Result<(), String> {
    for (at, outcome) in check.outcomes.iter().enumerate() {
        let found = distribution(check, config, outcome, &Budget::unlimited());
        let found = found.map_err(|error| format!("{}: {error}", outcome.name))?;
        let mut expected: BTreeMap<i64, RBig> = BTreeMap::new();
        for (row, p) in joint {
            *expected.entry(row[at]).or_default() += p;
        }
        let share = |weight| RBig::from_parts(IBig::from(weight), found.total().clone());
        let found = found.iter().map(|(value, weight)| (value, share(weight)));
        let found: BTreeMap<i64, RBig> = found.collect();
        if found != expected {
            return Err(format!("{}: {found:?}, not {expected:?}", outcome.name));
        }
    }
    Ok(())
}

/// Whatever is asked about a configuration that breaks a rule is refused with the same error.
fn refused(check: &Check, config: &Config) -> Result<(), String> {
    let budget = Budget::unlimited();
    let error = match carried_out(check, config, &budget) {
        Err(error @ Error::Rule(_)) => error,
        other => return Err(format!("it breaks a rule: {other:?}")),
    };
    for outcome in &check.outcomes {
        let found = distribution(check, config, outcome, &budget).err();
        if found.as_ref() != Some(&error) {
            return Err(format!("{}: {found:?}, not {error}", outcome.name));
        }
    }
    Ok(())
}

fn track_complaint(check: &Check, k: i64) -> Option<Result<(), String>> {
    let mut config = check.defaults();
    config.put(InputId(0), k);
    let mut texts: Vec<String> = ["mean(rolls)", "variance(rolls)", "P(rolls <= 2)"]
        .map(str::to_owned)
        .to_vec();
    for outcome in check
        .outcomes
        .iter()
        .filter(|outcome| outcome.name != "rolls")
    {
        texts.extend(queries_about(&outcome.name, &outcome.kind, true));
    }
    for pair in check.outcomes.windows(2) {
        let (a, b) = (&pair[0].name, &pair[1].name);
        texts.push(format!("P({a} + 0 <= 2 & {b} + 0 >= 1 | rolls <= 3)"));
        texts.push(format!("mean({a} + 2 * {b})"));
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let queries = queries_of(check, &texts);
    let odds = compare::tracks::agrees(check, &config, &queries, 7, MOST_TRIES)?;
    let odds = odds.and_then(|()| sweeps::complaint(check));
    match odds {
        Ok(()) => policies::tracks_agree(check, &config, &queries, 7, MOST_TRIES),
        complaint => Some(complaint),
    }
}

fn cases(usual: u32) -> TestConfig {
    let cases = std::env::var("PROPTEST_CASES");
    TestConfig {
        cases: cases.ok().and_then(|n| n.parse().ok()).unwrap_or(usual),
        max_global_rejects: u32::MAX,
        max_shrink_iters: 20_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..TestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(1000))]
    #[test]
    fn scripts_have_their_odds(tree in trees::script(false), k in 0_i64..3) {
        let (script, goal) = text::script(&tree);
        let check = check_of(&script, goal.as_ref());
        prop_assume!(check.is_some());
        let check = check.expect("just checked");
        let complaint = complaint_of(|| check_complaint(&check, k, MOST_TRIALS));
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "k = {k}\n{script}{}", complaint.unwrap_err());
    }
}

proptest! {
    #![proptest_config(cases(600))]
    #[test]
    fn what_cannot_be_carried_out_is_refused(
        tree in trees::script(false),
        k in 0_i64..3,
        risks in any::<[bool; 4]>(),
    ) {
        let [items, counts, zeros, sums] = risks;
        let risks = text::Risks { items, counts, zeros, sums };
        let (script, goal) = text::risky_script(&tree, risks);
        let check = check_of(&script, goal.as_ref());
        prop_assume!(check.is_some());
        let check = check.expect("just checked");
        let complaint = complaint_of(|| risky_complaint(&check, k));
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "k = {k}\n{script}{}", complaint.unwrap_err());
    }
}

proptest! {
    #![proptest_config(cases(400))]
    #[test]
    fn choices_are_the_best(tree in trees::script(true), k in 0_i64..3) {
        let (script, goal) = text::script(&tree);
        prop_assume!(goal.is_some());
        let check = check_of(&script, goal.as_ref());
        prop_assume!(check.is_some());
        let check = check.expect("just checked");
        let complaint = complaint_of(|| check_complaint(&check, k, MOST_TRIES));
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        let goal = goal.expect("just checked");
        prop_assert!(complaint.is_ok(), "k = {k}\n{goal}\n{script}{}", complaint.unwrap_err());
    }
}

proptest! {
    #![proptest_config(cases(300))]
    #[test]
    fn tracks_end_as_they_should(round in trees::track(), k in 0_i64..3) {
        let script = text::track(&round);
        let model = model_of("tracks", "", &script);
        prop_assume!(model.is_some());
        let model = model.expect("just checked");
        let track = model.track("main").expect("it is there");
        let complaint = complaint_of(|| track_complaint(track, k));
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "k = {k}\n{script}{}", complaint.unwrap_err());
    }
}

/// A track of so many rounds that each play a check and leave nothing behind but their number; of 0 rounds one that goes
/// on for ever, so that not even their number matters.
fn track_of(script: &str, goal: Option<&String>, rounds: i64) -> Option<Model> {
    let check = check_of(script, goal)?;
    let shown = check.outcomes.iter().map(|outcome| &outcome.name);
    let shown: String = shown
        .map(|name| format!("show first_{name} = played.{name} + 0\n"))
        .collect();
    let (until, more) = match rounds {
        0 => ("full == 1".to_owned(), "let other = 1\nset other = 2\n"),
        _ => (format!("rolls == {rounds}"), ""),
    };
    let rounds = format!(
        "let full = 0\nrepeat until {until} {{\nlet played = played(..)\n{shown}{more}}}\n"
    );
    let played = table("checks.played", &maximise(goal), script);
    let text = [AROUND, &played, &table("tracks.main", "", &rounds)].concat();
    Some(load("random.toml", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// What is wrong with a track whose rounds play a check; none if it is too long to say.
fn rounds_complaint(model: &Model, k: i64) -> Option<Result<(), String>> {
    let [played, track] = [model.check("played"), model.track("main")];
    let (played, track) = (played.expect("it is there"), track.expect("it is there"));
    let mut config = track.defaults();
    config.put(InputId(0), k);
    match oracle::joint_unless_broken(played, &config, MOST_TRIES)? {
        Some(_) => track_complaint(track, k),
        None => Some(refused(track, &config)),
    }
}

proptest! {
    #![proptest_config(cases(200))]
    #[test]
    fn rounds_may_leave_nothing_behind(
        tree in trees::script(true),
        k in 0_i64..3,
        rounds in 0_i64..3,
        risks in any::<[bool; 3]>(),
    ) {
        let [items, counts, zeros] = risks;
        let risks = text::Risks { items, counts, zeros, sums: false };
        let (script, goal) = text::risky_script(&tree, risks);
        let model = track_of(&script, goal.as_ref(), rounds);
        prop_assume!(model.is_some());
        let model = model.expect("just checked");
        let complaint = complaint_of(|| rounds_complaint(&model, k));
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "k = {k}, {rounds} rounds\n{script}{}", complaint.unwrap_err());
    }
}

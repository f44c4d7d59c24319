//! A search that can't fit its budget is refused before it begins, and one that fits is not.

use std::collections::HashSet;
use std::ops::ControlFlow;

use oddsmith_analysis::tune::{Error, Question, Tuned, tune};
use oddsmith_exact::{Budget, Error as ExactError};
use oddsmith_rules::{Dial, Goal, Model};
use oddsmith_testkit::rulesets::{PARAMETERS, model_of};
use proptest::prelude::*;

fn model() -> Model {
    model_of(PARAMETERS)
}

fn search(model: &Model, dials: &[&str], goals: &[&str], budget: &Budget) -> Result<Tuned, Error> {
    let check = &model.checks[0];
    let dial = |text: &&str| check.dial(text, "--vary").expect("a dial");
    let goal = |text: &&str| model.goal(check, text, "--goal").expect("a goal");
    let dials: Vec<Dial> = dials.iter().map(dial).collect();
    let goals: Vec<Goal> = goals.iter().map(goal).collect();
    let question = Question {
        model,
        dials: &dials,
        goals: &goals,
        top: 3,
        from: 0,
    };
    tune(&question, budget, |_, _| ControlFlow::Continue(()))
}

/// What a refusal says needs the steps, how many it predicts, and what was spent by then.
fn refused(dials: &[&str], goals: &[&str], limit: u64) -> (String, u128, u64) {
    let budget = Budget::new(limit);
    match search(&model(), dials, goals, &budget) {
        Err(Error::Exact(ExactError::OverBudget {
            what, predicted, ..
        })) => (what, predicted, budget.spent()),
        other => panic!("{goals:?}: {other:?}"),
    }
}

#[test]
fn a_space_that_is_too_large_is_refused_before_it_is_looked_at() {
    let dials = ["bonus=0..=99999", "line=0..=99999", "again=0..=999999"];
    let (what, predicted, spent) = refused(&dials, &["hit in [0.5, 0.6]"], 10_000_000_000);
    assert_eq!(what, "a search over 10000000000000000 candidates");
    assert!(predicted >= 100_000_000_000_000_000);
    assert!(spent < 100_000, "{spent}");
}

#[test]
fn dear_questions_are_refused_before_all_are_asked() {
    let dials = ["dice=0..=12", "again=0..=9999"];
    let limit = 10_000_000;
    let (what, predicted, spent) = refused(&dials, &["pool: mean(score) in [1, 2]"], limit);
    assert_eq!(what, "a search over 130000 candidates");
    assert!(predicted > 10 * u128::from(limit), "{predicted}");
    assert!(spent < limit / 4, "{spent}");
}

#[test]
fn wishes_of_all_candidates_are_refused_before_they_are_ranked() {
    let dials = ["bonus=0..=9999", "line=0..=99"];
    let (_, predicted, spent) = refused(&dials, &["hit ~ 0.5"], 100_000_000);
    assert!(predicted > 200_000_000, "{predicted}");
    assert!(spent < 100_000, "{spent}");
}

/// Dials of different parameters, or of the same one with other values.
const DIALS: [&str; 6] = [
    "bonus=0..=200",
    "line=0..=60",
    "dice=1..=4",
    "again=0..=20",
    "bonus=3,1,900",
    "dice=0,4",
];

const GOALS: [&str; 6] = [
    "hit in [0.25, 0.5]",
    "hit ~ 0.3",
    "pool: mean(score) ~ 14 weight 2",
    "pool: P(score > 9) at most 0.4",
    "choice: mean(kept) at least 12",
    "choice: P(kept > 8) ~ 0.9",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_search_that_fits_is_not_refused(
        dials in prop::sample::subsequence(&DIALS[..], 1..=3),
        goals in prop::sample::subsequence(&GOALS[..], 1..=3),
    ) {
        let names: HashSet<_> = dials.iter().map(|dial| dial.split('=').next()).collect();
        prop_assume!(names.len() == dials.len());
        let model = model();
        let whole = Budget::unlimited();
        let tuned = search(&model, &dials, &goals, &whole).expect("nothing forbids it");
        // A prediction is right within a factor of three; answers that are kept take memory, 640 bytes each, and so does a
        // question while it is asked.
        let memory = 6_400 * 2 * tuned.candidates.min(1 << 18) + 5_000_000;
        let enough = Budget::new(3 * whole.spent() + memory);
        let again = search(&model, &dials, &goals, &enough);
        prop_assert!(again.is_ok(), "{:?} where {} are spent", again.err(), whole.spent());
        prop_assert_eq!(again.map(|tuned| tuned.met).ok(), Some(tuned.met));
    }
}

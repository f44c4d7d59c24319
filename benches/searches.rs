//! Searches over candidates, whose costs are held against what was predicted for them.

use std::ops::ControlFlow;

use oddsmith_analysis::tune::{Error, Question, tune};
use oddsmith_exact::Budget;
use oddsmith_rules::Model;

/// What varies, and the goals.
pub(crate) const SEARCHES: [(&[&str], &[&str]); 10] = [
    (&["bonus=0..=9999", "line=0..=999"], &["hit in [0.5, 0.6]"]),
    (&["bonus=0..=9999", "again=0..=999"], &["hit in [0.5, 0.6]"]),
    (&["bonus=0..=999", "line=0..=999"], &["hit ~ 0.4"]),
    (
        &["bonus=0..=999", "line=0..=999"],
        &["hit ~ 0.4", "mean(total) ~ 14"],
    ),
    (
        &["bonus=0..=999", "line=0..=999"],
        &["lawful: hit in [0.5, 0.6]"],
    ),
    (
        &["dice=1..=12", "again=0..=99"],
        &["choice: mean(kept) ~ 12"],
    ),
    (
        &["dice=1..=12", "again=0..=99"],
        &["choice: mean(kept) at least 30", "hit at least 0.9"],
    ),
    (
        &["bonus=0..=999", "dice=1..=12"],
        &["hit at least 0.999", "choice: mean(kept) at least 40"],
    ),
    // A billion candidates, which nobody looks at.
    (
        &[
            "bonus=0..=999",
            "line=0..=999",
            "dice=1..=12",
            "again=0..=99",
        ],
        &["hit in [0.5, 0.6]", "pool: P(score > 9) at most 0.4"],
    ),
    (
        &[
            "bonus=0..=999",
            "line=0..=999",
            "dice=1..=12",
            "again=0..=99",
        ],
        &["hit at least 0.9", "hit ~ 0.95", "pool: mean(score) ~ 14"],
    ),
];

/// Searches, from the first candidate to the last.
///
/// # Errors
/// If that is over the budget.
pub(crate) fn search(
    model: &Model,
    (dials, goals): (&[&str], &[&str]),
    budget: &Budget,
) -> Result<(), Error> {
    let check = &model.checks[0];
    let dials = dials.iter().map(|text| check.dial(text, "costs"));
    let goals = goals.iter().map(|text| model.goal(check, text, "costs"));
    let question = Question {
        model,
        dials: &dials.collect::<Result<Vec<_>, _>>().expect("dials"),
        goals: &goals.collect::<Result<Vec<_>, _>>().expect("goals"),
        top: 10,
        from: 0,
    };
    tune(&question, budget, |_, _| ControlFlow::Continue(())).map(drop)
}

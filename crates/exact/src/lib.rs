//! The exact engine: what a checked model means, as distributions with integer weights.
//!
//! A script is read as a walk over the values it has bound: known values are conditioned on, independent
//! parts are convolved, and a pool that is read in several ways is folded once. Nothing is sampled and
//! nothing is rounded; a question whose predicted cost is over the [`Budget`] is refused before it starts.
//!
//! This crate knows nothing of files, arguments or formats, and its results depend on no thread count.
//!
//! ```
//! use oddsmith_exact::{Budget, answers};
//!
//! let check = oddsmith_rules::expression("4d6kh3", "<expression>").unwrap();
//! let query = check.query("P(value >= 18)", "<query>").unwrap();
//! let answer = &answers(&check, &check.defaults(), &[query], &Budget::unlimited()).unwrap()[0];
//! assert_eq!(answer.to_ratio().unwrap().to_string(), "7/432");
//! ```
//!
//! A program that was put together by hand is answered as one that was read:
//!
//! ```
//! use oddsmith_exact::{Budget, distribution};
//! use oddsmith_rules::program::{BinaryOp, Expr, Program};
//! use oddsmith_rules::{Check, Outcome, OutcomeKind, Source, Span};
//!
//! let span = Span::default();
//! let number = |value| Expr::constant(value, span);
//! let mut program = Program::default();
//! let (roll, rolled) = program.bind("roll", Expr::dice(number(2), number(6), span));
//! let sum = program.var(roll, span).sum();
//! let (var, added) = program.bind("total", Expr::binary(BinaryOp::Add, sum, number(1), span));
//! let program = program.with_statements(vec![rolled, added], 0).unwrap();
//! let (name, kind) = ("total".to_owned(), OutcomeKind::Observable);
//! let total = Outcome { name, kind, var, first_round: false, span };
//! let check = Check::new(&Source::new("by hand", ""), span, "2d6 + 1", program, vec![total]);
//! assert_eq!(check.verify(), Ok(()));
//! let dist = distribution(&check, &check.defaults(), &check.outcomes[0], &Budget::unlimited());
//! assert_eq!(dist.unwrap().mean().to_string(), "8");
//! ```

mod account;
mod answer;
mod best;
mod cache;
mod carried;
mod choices;
mod columns;
mod decide;
mod error;
mod evaluate;
mod hash;
mod inputs;
mod joint;
mod left;
mod moments;
mod monotone;
mod numbers;
mod playable;
mod policy;
mod pools;
mod question;
mod requirements;
mod residual;
mod rolls;
mod run;
mod scope;
mod shared;
mod states;
mod sweep;
mod track;
mod widest;

pub use answer::{Answer, ROOT_DIGITS};
pub use best::{Best, best, decisions};
pub use choices::Worth;
pub use error::Error;
pub use joint::Joint;
pub use left::left_of;
pub use monotone::directions;
pub use oddsmith_dist::{Budget, Dist, IBig, Lengths, Note, Plan, RBig, UBig, Watch};
pub use playable::{Playable, Prepared};
pub use policy::{Decision, DecisionRow, Seen};
pub use sweep::{Answers, Gaps, KeptAnswers, Row, RowAnswer, Sweep, inputs_that_matter, meets};
pub use track::{OpenEnd, Rounds};

use oddsmith_rules::{Check, Config, Outcome, Policy, Query};

/// Whether a configuration can be played: it meets the requirements, and no statement of the script that is reached fails
/// on any roll. Everything else in this crate asks this first, so that the same configurations are refused with the same
/// error whatever is asked.
///
/// # Errors
/// The first requirement that is broken, or the first rule in the order of the script that can't be carried out; or if it
/// is over the budget to find out.
///
/// ```
/// use oddsmith_exact::{Budget, carried_out};
///
/// let rules = r#"
/// name = "Slip"
/// [checks.check]
/// axes.sides = { default = 6, domain = "2..=6" }
/// rules = """
/// let unused = [1, 2, 3][1d(sides) - 1]
/// show total = 2d6
/// """
/// "#;
/// let model = oddsmith_rules::load("slip.toml", rules.as_bytes()).unwrap();
/// let check = model.check("check").unwrap();
/// let mut config = check.defaults();
/// let error = carried_out(check, &config, &Budget::unlimited()).unwrap_err();
/// assert!(error.to_string().contains("the list has 3 items"));
/// config.put(check.input("sides").unwrap(), 3);
/// assert!(carried_out(check, &config, &Budget::unlimited()).is_ok());
/// ```
pub fn carried_out(check: &Check, config: &Config, budget: &Budget) -> Result<(), Error> {
    carried::carried_out(check, config, budget)
}

/// The exact answers to `queries` in one configuration, in their order.
///
/// # Errors
/// If the configuration breaks a requirement, a rule can't be carried out in it (division by zero, a die
/// without faces, …), a conditional query's condition never happens, the question is beyond this engine
/// ([`Error::Unsupported`]), or the cost is over the budget.
pub fn answers(
    check: &Check,
    config: &Config,
    queries: &[Query],
    budget: &Budget,
) -> Result<Vec<Answer>, Error> {
    Playable::new(check, config, budget)?.answers(queries)
}

/// [`answers`] from one playing of the script with everything that any of the queries reads: quicker where they hang on the
/// same rolls, as what is asked about the end of a track mostly does, slower or refused where they do not.
///
/// # Errors
/// As [`answers`]; and where each question has an answer by itself, but what they read together has none.
pub fn answers_together(
    check: &Check,
    config: &Config,
    queries: &[Query],
    budget: &Budget,
) -> Result<Vec<Answer>, Error> {
    Playable::new(check, config, budget)?.answers_together(queries)
}

/// The whole distribution of one outcome in one configuration; labels are their places.
///
/// # Errors
/// As [`answers`].
pub fn distribution(
    check: &Check,
    config: &Config,
    outcome: &Outcome,
    budget: &Budget,
) -> Result<Dist, Error> {
    Playable::new(check, config, budget)?.distribution(outcome)
}

/// Where a number at the end of a track has no greatest value, or no least one, since rounds add to it and none ends it.
///
/// # Errors
/// If the configuration can't be played, or the number grows by one sum and falls by another.
pub fn open_end(
    check: &Check,
    config: &Config,
    outcome: &Outcome,
    budget: &Budget,
) -> Result<Option<OpenEnd>, Error> {
    question::open_end(check, config, outcome, budget)
}

/// [`distribution`] of a number with an open end: whatever lies beyond `last`, and is as exact as all else, counts as the
/// value that is next to it, `last + 1`, or `last - 1` where the end is below. Without an open end it is [`distribution`].
///
/// # Errors
/// As [`distribution`]; and if the track may never end.
pub fn distribution_up_to(
    check: &Check,
    config: &Config,
    outcome: &Outcome,
    last: i64,
    budget: &Budget,
) -> Result<Dist, Error> {
    carried::carried_out(check, config, budget)?;
    question::distribution(check, config, outcome, Some(last), budget)
}

/// The joint distribution of `outcomes` in one configuration: of what a check shows; or of what a track shows of its
/// first round.
///
/// # Errors
/// As [`crate::answers`].
///
/// # Panics
/// If an outcome is one of a track's end.
///
/// ```
/// use oddsmith_exact::{Budget, joint};
///
/// let rules = r#"
/// name = "Twice the same"
/// [checks.check]
/// rules = """
/// let die  = 1d2
/// show one = die
/// show two = die
/// """
/// "#;
/// let model = oddsmith_rules::load("twice.toml", rules.as_bytes()).unwrap();
/// let check = model.check("check").unwrap();
/// let outcomes: Vec<_> = check.outcomes.iter().collect();
/// let joint = joint(check, &check.defaults(), &outcomes, &Budget::unlimited()).unwrap();
/// let values: Vec<_> = joint.weights.keys().cloned().collect();
/// assert_eq!(values, [vec![1, 1], vec![2, 2]]);
/// ```
pub fn joint(
    check: &Check,
    config: &Config,
    outcomes: &[&Outcome],
    budget: &Budget,
) -> Result<Joint, Error> {
    Playable::new(check, config, budget)?.joint(outcomes)
}

/// The best way to make every choice of a check, a track or a contest in one configuration, as data for whoever
/// plays it: each choice for its own goal, and for every combination of values that can be known there what is
/// best, the first of equals. What is known is written in terms of `check.program()`'s variables; that includes
/// variables of a block that stands before the choice.
///
/// Missing are choices that leave only one number, and those on which nothing depends that is shown. Without
/// choices it is empty.
///
/// # Errors
/// As [`answers`]; and if a choice depends on a reading of dice that can't always be made, such as one that
/// keeps fewer than 0 of them.
///
/// ```
/// use oddsmith_exact::{Budget, policy};
/// use oddsmith_rules::{Known, load};
///
/// let rules = r#"
/// name = "Again?"
/// [checks.gamble]
/// maximise = "total"
/// rules = """
/// let first = 1d6
/// choose again in 0..=1
/// show total = if again == 1 then 1d6 else first
/// """
/// "#;
/// let model = load("again.toml", rules.as_bytes()).unwrap();
/// let check = model.check("gamble").unwrap();
/// let policy = policy(check, &check.defaults(), &Budget::unlimited()).unwrap();
/// let again = &policy.choices[0];
/// let rolled = |face| vec![Known::Roll(vec![face])];
/// assert_eq!(again.rows[&rolled(3)], Known::Number(1)); // A die shows 3.5 on average,
/// assert_eq!(again.rows[&rolled(4)], Known::Number(0)); // so a 4 stays.
/// ```
pub fn policy(check: &Check, config: &Config, budget: &Budget) -> Result<Policy, Error> {
    policy::policy(check, config, budget)
}

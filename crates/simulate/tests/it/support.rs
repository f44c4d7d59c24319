//! Rulesets, questions and comparisons that several tests need.

use oddsmith_exact::{Budget, policy};
use oddsmith_rules::program::{BinaryOp, CompareOp, Division, Expr, Kind};
use oddsmith_rules::{Check, Config, Outcome, Policy, Query, QueryKind, Span};
use oddsmith_simulate::{Error, Simulation, Tally};
pub(crate) use oddsmith_testkit::report;
pub(crate) use oddsmith_testkit::rulesets::{
    check_with, config_of, expression_of, model_at, model_of, path_of, query_of,
};

/// A check that is nothing but a script.
pub(crate) fn check_of(script: &str) -> Check {
    check_with("", "", script)
}

/// A track that is nothing but a script.
pub(crate) fn track_of(script: &str) -> Check {
    let text = format!("name = \"Test\"\n[tracks.main]\nrules = \"\"\"\n{script}\n\"\"\"\n");
    model_of(&text).track("main").expect("it is there").clone()
}

/// The best policy.
pub(crate) fn policy_of(check: &Check, config: &Config) -> Result<Policy, String> {
    policy(check, config, &Budget::unlimited()).map_err(|error| error.to_string())
}

/// A simulation with the best policy.
pub(crate) fn simulation(
    check: &Check,
    config: &Config,
    queries: &[Query],
) -> Result<Simulation, String> {
    let policy = policy_of(check, config)?;
    Simulation::new(check, config, queries, &policy).map_err(|error| error.to_string())
}

/// Whatever goes wrong, before the first trial or in one.
pub(crate) fn rolled(
    check: &Check,
    config: &Config,
    queries: &[Query],
    seed: u64,
    trials: u64,
) -> Result<Tally, Error> {
    let policy = policy(check, config, &Budget::unlimited()).unwrap_or_default();
    Simulation::new(check, config, queries, &policy)?.run(seed, 0..trials)
}

/// An outcome's value, as an expression.
fn value_of(outcome: &Outcome) -> Expr {
    Expr::new(Kind::Var(outcome.var), Span::default())
}

/// `P(outcome op value)`
pub(crate) fn compared(outcome: &Outcome, op: CompareOp, value: i64) -> Query {
    let bound = Expr::constant(value, Span::default());
    let compared = BinaryOp::Compare(op);
    let condition = Expr::binary(compared, value_of(outcome), bound, Span::default());
    Query::new(
        format!("P({} {op:?} {value})", outcome.name),
        QueryKind::Probability(condition),
    )
}

/// `mean(outcome)`, of labels by their places: a question that needs to know the outcome in every trial.
pub(crate) fn mean_of(outcome: &Outcome) -> Query {
    Query::new(
        format!("mean({})", outcome.name),
        QueryKind::Mean(value_of(outcome)),
    )
}

/// Whether an outcome is odd, so often: a question that needs to know the outcome in every trial, however wide its
/// range, and whose sums stay small.
pub(crate) fn parity_of(outcome: &Outcome) -> Query {
    let span = Span::default();
    let two = || Expr::constant(2, span);
    let half = Kind::Divide {
        division: Division::Floor,
        numerator: Box::new(value_of(outcome)),
        denominator: Box::new(two()),
    };
    let even = Expr::binary(BinaryOp::Multiply, two(), Expr::new(half, span), span);
    let value = value_of(outcome);
    Query::new(
        format!("P({} is odd)", outcome.name),
        QueryKind::Mean(Expr::binary(BinaryOp::Subtract, value, even, span)),
    )
}

/// How often a probability's query held.
pub(crate) fn held(tally: &Tally, query: usize) -> u64 {
    u64::try_from(tally.sums[query].powers[0]).expect("a count")
}

#[expect(clippy::cast_precision_loss, reason = "estimates are approximate")]
pub(crate) fn float(n: i128) -> f64 {
    n as f64
}

/// A pseudo-random sequence that is the same on every machine, to pick what is tested.
pub(crate) struct Picks(u64);

impl Picks {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// One of some items.
    pub(crate) fn of<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        let at = self.next() % items.len() as u64;
        &items[usize::try_from(at).expect("a place in memory")]
    }
}

//! Everything the engine says of a check against the joint distribution of all that it shows.

use std::collections::BTreeMap;

use oddsmith_exact::{Budget, RBig, answers, distribution};
use oddsmith_rules::program::{BinaryOp, CompareOp, Expr, Kind};
use oddsmith_rules::{Check, Config, Outcome, Query, QueryKind, Span};

use oddsmith_testkit::oracle::Joint;

use super::picked::same_picks;

/// Asks the engine for every outcome alone, for the joints of several (which are computed in other ways, as
/// other values can be forgotten), and for conditional probabilities, means and variances.
///
/// # Errors
/// The first answer that is not the expected one, in words.
pub(crate) fn agrees(check: &Check, config: &Config, expected: &Joint) -> Result<(), String> {
    let all: Vec<usize> = (0..check.outcomes.len()).collect();
    let mut subsets = vec![all.clone()];
    subsets.extend(all.iter().map(|&at| vec![at]));
    if let [a, b, c] = all[..] {
        subsets.extend([vec![a, b], vec![a, c], vec![b, c]]);
    }
    for places in &subsets {
        same_joint(check, config, expected, places)?;
    }
    for place in all {
        same_distribution(check, config, expected, place)?;
    }
    same_conditionals(check, config, expected)
}

/// The joint of only some of the outcomes.
fn marginal(joint: &Joint, places: &[usize]) -> Joint {
    let mut marginal = Joint::new();
    for (row, p) in joint {
        let kept = places.iter().map(|&at| row[at]).collect();
        *marginal.entry(kept).or_default() += p;
    }
    marginal
}

fn same_joint(
    check: &Check,
    config: &Config,
    expected: &Joint,
    places: &[usize],
) -> Result<(), String> {
    let rows = marginal(expected, places);
    let event = |row: &Vec<i64>| probability(all_equal(check, places, row), None);
    let queries: Vec<Query> = rows.keys().map(event).collect();
    for ((row, p), found) in rows.iter().zip(ask(check, config, &queries)?) {
        same(&found, p, || {
            format!("{} are {row:?}", names(check, places))
        })?;
    }
    Ok(())
}

fn same_distribution(
    check: &Check,
    config: &Config,
    expected: &Joint,
    place: usize,
) -> Result<(), String> {
    let outcome = &check.outcomes[place];
    let name = &outcome.name;
    let dist = distribution(check, config, outcome, &Budget::unlimited())
        .map_err(|error| format!("distribution of {name}: {error}"))?;
    let found: BTreeMap<Vec<i64>, RBig> = dist
        .iter()
        .map(|(value, weight)| {
            let p = RBig::from_parts(weight.into(), dist.total().clone());
            (vec![value], p)
        })
        .collect();
    let expected = marginal(expected, &[place]);
    if found != expected {
        return Err(format!(
            "distribution of {name}: {found:?}, not {expected:?}"
        ));
    }
    let values = { expected.into_iter() }
        .map(|(row, p)| (row[0], p))
        .collect();
    same_picks((check, config), &use_of(outcome), None, &values)
        .map_err(|error| format!("{name}: {error}"))
}

/// What is asked of the first outcome where the last one has each of its values.
fn same_conditionals(check: &Check, config: &Config, expected: &Joint) -> Result<(), String> {
    let last = check.outcomes.len() - 1;
    let pairs = marginal(expected, &[0, last]);
    let value = use_of(&check.outcomes[0]);
    let ask_one = |kind, given| {
        let text = "conditional".to_owned();
        ask(
            check,
            config,
            &[Query {
                text,
                kind,
                given,
                after: None,
            }],
        )
        .map(|found| found[0].clone())
    };
    for given in marginal(expected, &[last]).into_keys() {
        let condition = || Some(all_equal(check, &[last], &given));
        let of_given: Vec<(i64, &RBig)> = pairs
            .iter()
            .filter(|(row, _)| row[1] == given[0])
            .map(|(row, p)| (row[0], p))
            .collect();
        let sum = |f: &dyn Fn(i64) -> i64| {
            let terms = of_given.iter().map(|(x, p)| *p * RBig::from(f(*x)));
            terms.fold(RBig::ZERO, |sum, term| sum + term)
        };
        let mass = sum(&|_| 1);
        let mean = sum(&|x| x) / &mass;
        let variance = sum(&|x| x * x) / &mass - &mean * &mean;
        let (first, _) = of_given[0];
        let p = sum(&|x| i64::from(x == first)) / &mass;
        let what = |of: &str| format!("{of} given {given:?}");
        let event = QueryKind::Probability(all_equal(check, &[0], &[first]));
        same(&ask_one(event, condition())?, &p, || what("probability"))?;
        let found = ask_one(QueryKind::Mean(value.clone()), condition())?;
        same(&found, &mean, || what("mean"))?;
        let found = ask_one(QueryKind::Variance(value.clone()), condition())?;
        same(&found, &variance, || what("variance"))?;
        let of_given = { of_given.into_iter() }.map(|(x, p)| (x, p.clone()));
        let values: BTreeMap<i64, RBig> = of_given.collect();
        same_picks((check, config), &value, condition().as_ref(), &values)
            .map_err(|error| format!("{}: {error}", what("picked")))?;
    }
    Ok(())
}

/// The answers as fractions.
fn ask(check: &Check, config: &Config, queries: &[Query]) -> Result<Vec<RBig>, String> {
    let found = answers(check, config, queries, &Budget::unlimited());
    let found = found.map_err(|error| error.to_string())?;
    Ok(found
        .iter()
        .map(|answer| answer.to_ratio().expect("only NeverHappens has no answer"))
        .collect())
}

fn same(found: &RBig, expected: &RBig, what: impl Fn() -> String) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{}: {found}, not {expected}", what()))
}

fn names(check: &Check, places: &[usize]) -> String {
    let names: Vec<&str> = places
        .iter()
        .map(|&at| check.outcomes[at].name.as_str())
        .collect();
    names.join(", ")
}

fn probability(event: Expr, given: Option<Expr>) -> Query {
    Query {
        text: "event".to_owned(),
        kind: QueryKind::Probability(event),
        given,
        after: None,
    }
}

/// `a == 1 and b == 2 and …`, as the checked form has it.
fn all_equal(check: &Check, places: &[usize], row: &[i64]) -> Expr {
    let equals = places.iter().zip(row).map(|(&at, &value)| {
        let (left, right) = (use_of(&check.outcomes[at]), constant(value));
        binary(BinaryOp::Compare(CompareOp::Equal), left, right)
    });
    equals
        .reduce(|all, next| binary(BinaryOp::And, all, next))
        .expect("at least one outcome")
}

fn use_of(outcome: &Outcome) -> Expr {
    Expr::new(Kind::Var(outcome.var), Span::default())
}

fn constant(value: i64) -> Expr {
    Expr::constant(value, Span::default())
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::binary(op, left, right, Span::default())
}

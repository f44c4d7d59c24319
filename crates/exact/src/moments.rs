//! Queries as sums over outcomes, and their answers.
//!
//! Every query is a ratio of sums of integer functions of the shown values ("moments"): a probability sums
//! an indicator, a mean the value, a variance the value and its square. So a sweep needs to carry only a few
//! sums, and no distribution.

use oddsmith_dist::{Dist, IBig, UBig};
use oddsmith_rules::program::{Expr, VarId};
use oddsmith_rules::{Check, Query, QueryKind};

use crate::evaluate::Env;
use crate::residual::Residual;
use crate::states::States;
use crate::{Answer, Error};

/// Queries that read the same outcomes, which are computed jointly.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The outcomes' variables, ascending.
    pub(crate) outcomes: Vec<VarId>,
    /// Places in the list of all queries.
    pub(crate) queries: Vec<usize>,
}

/// Queries by the outcomes that they read: only those stay joint.
pub(crate) fn group(check: &Check, queries: &[Query]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (place, query) in queries.iter().enumerate() {
        let outcomes = check.outcomes_in(query.parts());
        match groups.iter_mut().find(|group| group.outcomes == outcomes) {
            Some(group) => group.queries.push(place),
            None => groups.push(Group {
                outcomes,
                queries: vec![place],
            }),
        }
    }
    groups
}

/// How many moments a query needs.
pub(crate) fn moment_count(query: &Query) -> usize {
    let own = if matches!(query.kind, QueryKind::Variance(_)) {
        2
    } else {
        1
    };
    own + usize::from(query.given.is_some())
}

/// The moments of a query at one set of shown values, which are bound in `env`.
pub(crate) fn push_moments(
    query: &Query,
    env: &mut Env<'_>,
    out: &mut Vec<IBig>,
) -> Result<(), Error> {
    let given = query
        .given
        .as_ref()
        .map(|given| env.number(given))
        .transpose()?;
    let holds = given != Some(0);
    let mut number = |expr| {
        if holds {
            env.number(expr).map(IBig::from)
        } else {
            Ok(IBig::ZERO)
        }
    };
    match &query.kind {
        QueryKind::Probability(expr) | QueryKind::Mean(expr) => out.push(number(expr)?),
        QueryKind::Variance(expr) => {
            let value = number(expr)?;
            out.push(&value * &value);
            out.push(value);
        }
    }
    out.extend(given.map(IBig::from));
    Ok(())
}

/// The answer from the sums of a query's moments over all weights, which it takes.
pub(crate) fn answer(query: &Query, sums: &mut [IBig], total: &UBig) -> Answer {
    let own = moment_count(query) - usize::from(query.given.is_some());
    let total = match (&query.given, sums.get(own)) {
        (Some(_), Some(given)) => {
            UBig::try_from(given.clone()).expect("a sum of weights is not negative")
        }
        _ => total.clone(),
    };
    match query.kind {
        QueryKind::Probability(_) | QueryKind::Mean(_) => Answer {
            weight: std::mem::take(&mut sums[0]),
            total,
        },
        QueryKind::Variance(_) => {
            let n = IBig::from(total.clone());
            Answer {
                weight: &sums[0] * n - &sums[1] * &sums[1],
                total: &total * &total,
            }
        }
    }
}

/// Sums the moments of a group's queries over the final states of a script, which are over `vars`; `results`
/// are the outcomes in terms of those.
pub(crate) fn sum_moments(
    env: &mut Env<'_>,
    results: &[Expr],
    vars: &[VarId],
    group: &Group,
    queries: &[Query],
    states: &States,
) -> Result<Vec<IBig>, Error> {
    let count: usize = group
        .queries
        .iter()
        .map(|&place| moment_count(&queries[place]))
        .sum();
    let mut sums = vec![IBig::ZERO; count];
    let (mut shown, mut moments) = (Vec::new(), Vec::with_capacity(count));
    for (key, weight) in states.iter() {
        env.bind_all(vars, key);
        shown.clear();
        for result in results {
            shown.push(env.number(result)?);
        }
        env.bind_all(&group.outcomes, &shown);
        moments.clear();
        for &place in &group.queries {
            push_moments(&queries[place], env, &mut moments)?;
        }
        env.unbind_all(&group.outcomes);
        env.unbind_all(vars);
        let weight = weight.as_ibig();
        for (sum, moment) in sums.iter_mut().zip(&moments) {
            if *moment == IBig::ONE {
                *sum += weight;
            } else if *moment != IBig::ZERO {
                *sum += moment * weight;
            }
        }
    }
    Ok(sums)
}

/// The answers to a group's queries, in its order, from the final states of a script; see [`sum_moments`].
pub(crate) fn answers_of(
    env: &mut Env<'_>,
    results: &[Expr],
    vars: &[VarId],
    group: &Group,
    queries: &[Query],
    states: &States,
) -> Result<Vec<Answer>, Error> {
    let sums = sum_moments(env, results, vars, group, queries, states)?;
    Ok(answers_from(sums, group, queries, &states.total).collect())
}

/// The answers to a group's queries, in its order, from the sums of the moments of all of them.
pub(crate) fn answers_from(
    mut sums: Vec<IBig>,
    group: &Group,
    queries: &[Query],
    total: &UBig,
) -> impl Iterator<Item = Answer> {
    let mut first = 0;
    group.queries.iter().map(move |&place| {
        let query = &queries[place];
        let own = &mut sums[first..][..moment_count(query)];
        first += own.len();
        answer(query, own, total)
    })
}

/// The distribution of the one result over final states.
pub(crate) fn dist_of(
    env: &mut Env<'_>,
    residual: &Residual,
    vars: &[VarId],
    states: &States,
) -> Result<Dist, Error> {
    let mut pairs = Vec::with_capacity(states.len());
    for (key, weight) in states.iter() {
        env.bind_all(vars, key);
        let value = env.number(&residual.results[0]);
        env.unbind_all(vars);
        pairs.push((value?, weight.clone()));
    }
    Ok(Dist::from_weights(pairs).expect("what happens has a positive weight"))
}

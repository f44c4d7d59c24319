//! Queries as sums over outcomes, and their answers.
//!
//! Every query is a ratio of sums of integer functions of the shown values ("moments"): a probability sums
//! an indicator, a mean the value, a variance the value and its square. So a sweep needs to carry only a few
//! sums, and no distribution. But for queries that pick a value out of a distribution, such as a median: these need all
//! of it, and are played by themselves.

use std::borrow::Cow;

use oddsmith_dist::{Dist, IBig, RBig, UBig, least_common_multiple};
use oddsmith_rules::program::{Expr, Program, VarId};
use oddsmith_rules::{Check, Query, QueryKind, Statistic};

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
    /// What they all are asked after; see [`Query::after`].
    pub(crate) after: Option<u32>,
}

impl Group {
    /// The queries of both, which read the outcomes of both.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.outcomes.extend(&other.outcomes);
        both.outcomes.sort_unstable();
        both.outcomes.dedup();
        both.queries.extend(&other.queries);
        both
    }

    /// The script that is played for them.
    pub(crate) fn script<'c>(&self, check: &'c Check) -> Cow<'c, Program> {
        match self.after.zip(check.rounds) {
            Some((rounds, counter)) => Cow::Owned(check.program().stopped_after(rounds, counter)),
            None => Cow::Borrowed(check.program()),
        }
    }

    /// Whether all queries are ratios of sums of moments.
    pub(crate) fn has_moments_alone(&self, queries: &[Query]) -> bool {
        { self.queries.iter() }.all(|&place| statistic(&queries[place]).is_none())
    }
}

/// What is picked out of a distribution, if a query asks for that.
pub(crate) fn statistic(query: &Query) -> Option<&Statistic> {
    match &query.kind {
        QueryKind::Statistic(statistic, _) => Some(statistic),
        _ => None,
    }
}

/// Queries by the outcomes that they read: only those stay joint. What needs whole distributions is apart from what needs
/// moments alone.
pub(crate) fn group(check: &Check, queries: &[Query]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (place, query) in queries.iter().enumerate() {
        let outcomes = check.outcomes_in(query.parts());
        let is_alike = |group: &&mut Group| {
            let first = group.queries[0];
            group.outcomes == outcomes
                && group.after == query.after
                && statistic(&queries[first]).is_some() == statistic(query).is_some()
        };
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.queries.push(place),
            None => groups.push(Group {
                outcomes,
                queries: vec![place],
                after: query.after,
            }),
        }
    }
    groups
}

/// How many moments a query needs; none if it needs a whole distribution.
pub(crate) fn moment_count(query: &Query) -> usize {
    let own = match query.kind {
        QueryKind::Statistic(..) => return 0,
        QueryKind::Variance(_) | QueryKind::Deviation(_) => 2,
        QueryKind::Probability(_) | QueryKind::Mean(_) => 1,
    };
    own + usize::from(query.given.is_some())
}

/// The moments of a query at one set of shown values, which are bound in `env`.
pub(crate) fn push_moments(
    query: &Query,
    env: &mut Env<'_>,
    out: &mut Vec<IBig>,
) -> Result<(), Error> {
    if statistic(query).is_some() {
        return Ok(());
    }
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
        QueryKind::Variance(expr) | QueryKind::Deviation(expr) => {
            let value = number(expr)?;
            out.push(&value * &value);
            out.push(value);
        }
        QueryKind::Statistic(..) => {}
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
    let variance = |sums: &[IBig]| Answer {
        weight: &sums[0] * IBig::from(total.clone()) - &sums[1] * &sums[1],
        total: &total * &total,
    };
    match query.kind {
        QueryKind::Variance(_) => variance(sums),
        QueryKind::Deviation(_) => variance(sums).root(),
        QueryKind::Probability(_) | QueryKind::Mean(_) => Answer {
            weight: std::mem::take(&mut sums[0]),
            total,
        },
        QueryKind::Statistic(..) => unreachable!("it has no moments"),
    }
}

/// The value that is picked out of a distribution.
pub(crate) fn picked(statistic: &Statistic, dist: &Dist) -> Answer {
    Answer::whole(match statistic {
        Statistic::Quantile(share) => dist.quantile(&share.value),
        Statistic::Min => dist.min(),
        Statistic::Max => dist.max(),
        Statistic::Mode => dist.mode(),
    })
}

/// Calls `visit` with each final state of a script, which are over `vars`, and its weight, while the group's outcomes are
/// bound to `results`, which are in terms of those.
fn for_each_final(
    env: &mut Env<'_>,
    results: &[Expr],
    vars: &[VarId],
    group: &Group,
    states: &States,
    mut visit: impl FnMut(&mut Env<'_>, &UBig) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut shown = Vec::with_capacity(results.len());
    for (key, weight) in states.iter() {
        env.bind_all(vars, key);
        shown.clear();
        for result in results {
            shown.push(env.number(result)?);
        }
        env.bind_all(&group.outcomes, &shown);
        visit(env, weight)?;
        env.unbind_all(&group.outcomes);
        env.unbind_all(vars);
    }
    Ok(())
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
    let mut moments = Vec::with_capacity(count);
    for_each_final(env, results, vars, group, states, |env, weight| {
        moments.clear();
        for &place in &group.queries {
            let query = &queries[place];
            push_moments(query, env, &mut moments).map_err(|error| error.about(&query.text))?;
        }
        let weight = weight.as_ibig();
        for (sum, moment) in sums.iter_mut().zip(&moments) {
            if *moment == IBig::ONE {
                *sum += weight;
            } else if *moment != IBig::ZERO {
                *sum += moment * weight;
            }
        }
        Ok(())
    })?;
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
    if group.has_moments_alone(queries) {
        let sums = sum_moments(env, results, vars, group, queries, states)?;
        return Ok(answers_from(sums, group, queries, &states.total).collect());
    }
    let mut answers = Vec::with_capacity(group.queries.len());
    for &place in &group.queries {
        let query = &queries[place];
        let alone = Group {
            outcomes: group.outcomes.clone(),
            queries: vec![place],
            after: group.after,
        };
        match statistic(query) {
            None => {
                let sums = sum_moments(env, results, vars, &alone, queries, states)?;
                answers.extend(answers_from(sums, &alone, queries, &states.total));
            }
            Some(statistic) => {
                let dist = dist_of_query(env, results, vars, &alone, query, states)?;
                answers.push(dist.map_or_else(Answer::nothing, |dist| picked(statistic, &dist)));
            }
        }
    }
    Ok(answers)
}

/// The distribution of what a query is about, over those final states in which its condition holds; none if it holds in
/// none.
fn dist_of_query(
    env: &mut Env<'_>,
    results: &[Expr],
    vars: &[VarId],
    group: &Group,
    query: &Query,
    states: &States,
) -> Result<Option<Dist>, Error> {
    let mut pairs = Vec::with_capacity(states.len());
    for_each_final(env, results, vars, group, states, |env, weight| {
        let mut number = |expr| env.number(expr).map_err(|error| error.about(&query.text));
        if query.given.as_ref().map(&mut number).transpose()? != Some(0) {
            pairs.push((number(query.subject())?, weight.clone()));
        }
        Ok(())
    })?;
    Ok((!pairs.is_empty())
        .then(|| Dist::from_weights(pairs).expect("what happens has a positive weight")))
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

/// The distribution of values that have these probabilities, which may have any sum; at least one is not 0.
pub(crate) fn dist_of_shares(pairs: Vec<(i64, RBig)>) -> Dist {
    let common = least_common_multiple(pairs.iter().map(|(_, share)| share.denominator()));
    let weight = |share: RBig| {
        let (above, below) = share.into_parts();
        UBig::try_from(above).expect("a probability is not negative") * (&common / below)
    };
    let weights = { pairs.into_iter() }.map(|(value, share)| (value, weight(share)));
    Dist::from_weights(weights.collect::<Vec<_>>()).expect("what happens has a positive weight")
}

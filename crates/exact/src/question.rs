//! Queries as sums over outcomes, and their answers.
//!
//! Every query is a ratio of sums of integer functions of the shown values ("moments"): a probability sums
//! an indicator, a mean the value, a variance the value and its square. So a sweep needs to carry only a few
//! sums, and no distribution.

use oddsmith_dist::{Budget, Dist, IBig, UBig};
use oddsmith_rules::program::{Expr, InputId, Kind, VarId};
use oddsmith_rules::{Check, Config, Outcome, Query, QueryKind, fixed_value};

use crate::cache::Cache;
use crate::carried::carried_out;
use crate::evaluate::Env;
use crate::residual::{Purpose, Residual, all_known, specialise};
use crate::states::States;
use crate::track;
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

/// Reports the first requirement that a configuration breaks.
pub(crate) fn check_requirements(check: &Check, config: &Config) -> Result<(), Error> {
    for requirement in &check.requires {
        if !holds(check, config, &requirement.condition)? {
            let mut values = Vec::new();
            requirement.condition.any(&mut |part| {
                if let Kind::Input(InputId(at)) = part.kind {
                    let input = &check.inputs[at];
                    let value = format!("{}={}", input.name, input.domain.show(config.0[at]));
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                false
            });
            return Err(Error::Requirement {
                requirement: requirement.text.clone(),
                values: values.join(" "),
                config: check.describe(config),
            });
        }
    }
    Ok(())
}

/// Charges for putting what is known into a script, before anything is rolled.
pub(crate) fn charge_script(check: &Check, budget: &Budget) -> Result<(), Error> {
    const SCRIPT_STEPS: u128 = 600;
    const VARIABLE_STEPS: u128 = 170;
    let steps = SCRIPT_STEPS + VARIABLE_STEPS * check.program.variables.len() as u128;
    let charged = budget.charge(steps);
    charged.map_err(|error| Error::of_charge(format!("`{}`", check.name), &error))
}

/// Whether a condition on inputs holds.
pub(crate) fn holds(check: &Check, config: &Config, condition: &Expr) -> Result<bool, Error> {
    if let Ok(value) = fixed_value(condition, config, &|_| None) {
        return Ok(value != 0);
    }
    // It can't be told: the evaluator says why.
    let (budget, cache) = (Budget::unlimited(), Cache::default());
    let inputs_only = Residual::without_script(check);
    let mut env = Env::new(&check.source, config, &budget, &cache, &inputs_only);
    env.number(condition)
        .map(|value| value != 0)
        .map_err(|error| error.in_config(check, config))
}

/// [`crate::answers`] in a configuration that can be played.
pub(crate) fn answers(
    check: &Check,
    config: &Config,
    queries: &[Query],
    budget: &Budget,
) -> Result<Vec<Answer>, Error> {
    answers_of_groups(check, config, queries, &group(check, queries), budget)
}

/// [`crate::answers_together`] in a configuration that can be played.
pub(crate) fn answers_together(
    check: &Check,
    config: &Config,
    queries: &[Query],
    budget: &Budget,
) -> Result<Vec<Answer>, Error> {
    let all = Group {
        outcomes: check.outcomes_in(queries.iter().flat_map(Query::parts)),
        queries: (0..queries.len()).collect(),
    };
    answers_of_groups(check, config, queries, &[all], budget)
}

fn answers_of_groups(
    check: &Check,
    config: &Config,
    queries: &[Query],
    groups: &[Group],
    budget: &Budget,
) -> Result<Vec<Answer>, Error> {
    let cache = Cache::default();
    let mut answers = vec![Answer::nothing(); queries.len()];
    for group in groups {
        charge_script(check, budget)?;
        let found = group_answers(check, config, queries, group, (budget, &cache))
            .map_err(|error| error.in_config(check, config))?;
        for (&place, answer) in group.queries.iter().zip(found) {
            answers[place] = answer;
        }
    }
    for (query, answer) in queries.iter().zip(&answers) {
        if answer.total == UBig::ZERO && !answer.is_infinite() {
            let (query, config) = (query.text.clone(), check.describe(config));
            return Err(Error::NeverHappens { query, config });
        }
    }
    Ok(answers)
}

/// The answers to one group of queries, in its order; a total of 0 where a query's condition never happens.
fn group_answers(
    check: &Check,
    config: &Config,
    queries: &[Query],
    group: &Group,
    (budget, cache): (&Budget, &Cache),
) -> Result<Vec<Answer>, Error> {
    if check.rounds.is_some() {
        return track::group_answers(check, config, queries, group, (budget, cache));
    }
    let residual = specialise(
        &check.program,
        &all_known(config),
        &group.outcomes,
        Purpose::Run,
    );
    let mut env = Env::new(&check.source, config, budget, cache, &residual);
    let states = env.run(&residual.script, &[], States::certain(&[]))?;
    let vars = residual.script.final_vars(&[]);
    answers_of(&mut env, &residual.results, vars, group, queries, &states)
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

/// See [`crate::distribution`].
pub(crate) fn distribution(
    check: &Check,
    config: &Config,
    outcome: &Outcome,
    budget: &Budget,
) -> Result<Dist, Error> {
    carried_out(check, config, budget)?;
    charge_script(check, budget)?;
    let in_config = |error: Error| error.in_config(check, config);
    if check.rounds.is_some() {
        return track::distribution(check, config, outcome, budget).map_err(in_config);
    }
    let cache = Cache::default();
    let residual = specialise(
        &check.program,
        &all_known(config),
        &[outcome.var],
        Purpose::Run,
    );
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    if let Some(dist) = lone_roll(&residual, &mut env) {
        return dist.map_err(in_config);
    }
    let states = env
        .run(&residual.script, &[], States::certain(&[]))
        .map_err(in_config)?;
    dist_of(
        &mut env,
        &residual,
        residual.script.final_vars(&[]),
        &states,
    )
    .map_err(in_config)
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

/// The distribution of a script that is a single roll: no states are needed.
fn lone_roll(residual: &Residual, env: &mut Env<'_>) -> Option<Result<Dist, Error>> {
    let [crate::residual::Step::Let { var, value }] = residual.script.steps.as_slice() else {
        return None;
    };
    match residual.results[0].kind {
        Kind::Var(result) if result == *var => {
            Some(env.roll(value).map(crate::evaluate::Roll::into_dist))
        }
        _ => None,
    }
}

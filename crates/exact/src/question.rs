//! What is asked of one configuration, from the question to its answer.

use oddsmith_dist::{Budget, Dist, UBig};
use oddsmith_rules::program::Kind;
use oddsmith_rules::{Check, Config, Outcome, Query};

use crate::cache::Cache;
use crate::carried::carried_out;
use crate::evaluate::{Env, Roll};
use crate::joint::{self, Joint};
use crate::moments::{Group, answers_of, dist_of, group};
use crate::requirements::{charge_script, defaults};
use crate::residual::{Purpose, Residual, Step, all_known, specialise};
use crate::states::States;
use crate::track::{self, OpenEnd, Rounds};
use crate::{Answer, Error};

/// [`crate::answers`] in a configuration that can be played.
pub(crate) fn answers(
    check: &Check,
    config: &Config,
    queries: &[Query],
    budget: &Budget,
) -> Result<Vec<Answer>, Error> {
    let groups = track::joined(check, config, group(check, queries), &|_, _| true);
    answers_of_groups(check, config, queries, &groups, budget)
}

/// [`crate::answers_together`] in a configuration that can be played.
pub(crate) fn answers_together(
    check: &Check,
    config: &Config,
    queries: &[Query],
    budget: &Budget,
) -> Result<Vec<Answer>, Error> {
    let after = queries.first().and_then(|query| query.after);
    if queries.iter().any(|query| query.after != after) {
        return answers(check, config, queries, budget);
    }
    let all = all_of(check, queries);
    answers_of_groups(check, config, queries, &[all], budget)
}

/// [`answers_together`] with the rounds that they are about; none if there are none, or if a question has no answer.
pub(crate) fn answers_and_rounds(
    check: &Check,
    config: &Config,
    queries: &[Query],
    budget: &Budget,
) -> Result<Option<(Vec<Answer>, Rounds)>, Error> {
    if check.rounds.is_none() || queries.iter().any(|query| query.after.is_some()) {
        return Ok(None);
    }
    charge_script(check, budget)?;
    let found = track::answers_and_rounds(check, config, queries, &all_of(check, queries), budget)
        .map_err(|error| error.in_config(check, config))?;
    let is_answer = |answer: &Answer| answer.total != UBig::ZERO || answer.is_infinite();
    Ok(found.filter(|(answers, _)| answers.iter().all(is_answer)))
}

/// All queries as one group.
fn all_of(check: &Check, queries: &[Query]) -> Group {
    Group {
        outcomes: check.outcomes_in(queries.iter().flat_map(Query::parts)),
        queries: (0..queries.len()).collect(),
        after: queries.first().and_then(|query| query.after),
    }
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
            let given = query.given.as_ref();
            let defaults = given.map(|given| defaults(check, config, given));
            return Err(Error::NeverHappens {
                query: query.text.clone(),
                config: check.describe(config) + &defaults.unwrap_or_default(),
            });
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
        check.program(),
        &all_known(config),
        &group.outcomes,
        Purpose::Run,
    );
    let mut env = Env::new(&check.source, config, budget, cache, &residual);
    let states = env.run(&residual.script, &[], States::certain(&[]))?;
    let vars = residual.script.final_vars(&[]);
    answers_of(&mut env, &residual.results, vars, group, queries, &states)
}

/// See [`crate::open_end`].
pub(crate) fn open_end(
    check: &Check,
    config: &Config,
    outcome: &Outcome,
    budget: &Budget,
) -> Result<Option<OpenEnd>, Error> {
    if check.rounds.is_none() {
        return Ok(None);
    }
    carried_out(check, config, budget)?;
    let in_config = |error: Error| error.in_config(check, config);
    track::open_end(check, config, outcome, budget).map_err(in_config)
}

/// [`crate::distribution`] or [`crate::distribution_up_to`] in a configuration that can be played.
pub(crate) fn distribution(
    check: &Check,
    config: &Config,
    outcome: &Outcome,
    last: Option<i64>,
    budget: &Budget,
) -> Result<Dist, Error> {
    charge_script(check, budget)?;
    let in_config = |error: Error| error.in_config(check, config);
    if check.rounds.is_some() {
        return track::distribution(check, config, outcome, last, budget).map_err(in_config);
    }
    let cache = Cache::default();
    let residual = specialise(
        check.program(),
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

/// The distribution of a script that is a single roll: no states are needed.
fn lone_roll(residual: &Residual, env: &mut Env<'_>) -> Option<Result<Dist, Error>> {
    let [Step::Let { var, value }] = residual.script.steps.as_slice() else {
        return None;
    };
    match residual.results[0].kind {
        Kind::Var(result) if result == *var => Some(env.roll(value).map(Roll::into_dist)),
        _ => None,
    }
}

/// [`crate::joint()`] in a configuration that can be played.
pub(crate) fn joint(
    check: &Check,
    config: &Config,
    outcomes: &[&Outcome],
    budget: &Budget,
) -> Result<Joint, Error> {
    charge_script(check, budget)?;
    let wanted: Vec<_> = outcomes.iter().map(|outcome| outcome.var).collect();
    let cache = Cache::default();
    let residual = specialise(check.program(), &all_known(config), &wanted, Purpose::Run);
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    let found = match check.rounds {
        Some(_) => track::first_round_of(check, &mut env, &residual),
        None => joint::all_of(&mut env, &residual),
    };
    found.map_err(|error| error.in_config(check, config))
}

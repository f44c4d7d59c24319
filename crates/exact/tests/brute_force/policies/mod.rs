//! Policies as data, played by the brute force: they give the odds that the engine gives.

mod games;

use oddsmith_exact::{Budget, policy};
use oddsmith_rules::program::{Expr, Kind, VarId};
use oddsmith_rules::{Check, Config, Known, Policy, Query};

use crate::compare;
use oddsmith_testkit::oracle::{Game, Trial, Value};

/// Plays a check by its policy, and compares what comes of it with what the engine says. None if that takes more
/// trials than allowed.
///
/// # Errors
/// What is wrong, in words.
///
/// # Panics
/// If the policy does not say what to do.
pub(crate) fn agree(check: &Check, config: &Config, trials: usize) -> Option<Result<(), String>> {
    let policy = match policy(check, config, &Budget::unlimited()) {
        Ok(policy) => policy,
        Err(error) => return Some(Err(format!("no policy as data: {error}"))),
    };
    let choose = |trial: &mut Trial<'_, '_>, var: VarId, options: &[Value]| {
        Some(option(&policy, trial, var, options))
    };
    let played = Game::new(check, config, trials).joint(Some(&choose))?;
    let agrees = compare::checks::agrees(check, config, &played.joint);
    Some(agrees.map_err(|complaint| format!("played by its policy: {complaint}")))
}

/// The same of a track or a contest.
pub(crate) fn tracks_agree(
    check: &Check,
    config: &Config,
    queries: &[Query],
    most: i64,
    trials: usize,
) -> Option<Result<(), String>> {
    let policy = match policy(check, config, &Budget::unlimited()) {
        Ok(policy) => policy,
        Err(error) => return Some(Err(format!("no policy as data: {error}"))),
    };
    if policy.choices.is_empty() {
        return Some(Ok(()));
    }
    let choose = |trial: &mut Trial<'_, '_>, var: VarId, options: &[Value]| {
        Some(option(&policy, trial, var, options))
    };
    let reads = reads(&policy);
    let game = Game::new(check, config, trials).with_policy(&choose, &reads);
    let agrees = compare::tracks::game_agrees(&game, queries, most)?;
    Some(agrees.map_err(|complaint| format!("played by its policy: {complaint}")))
}

/// The variables that a policy's tables read.
fn reads(policy: &Policy) -> Vec<VarId> {
    let mut vars = Vec::new();
    for expr in policy.choices.iter().flat_map(|table| &table.seen) {
        expr.for_each(&mut |part| {
            if let Kind::Var(var) = part.kind {
                vars.push(var);
            }
        });
    }
    vars
}

/// The place of the option that a policy takes. A choice without a table makes no difference: the last option is
/// as good as the first.
fn option(policy: &Policy, trial: &mut Trial<'_, '_>, var: VarId, options: &[Value]) -> usize {
    if policy.choices.iter().all(|table| table.var != var) {
        return options.len() - 1;
    }
    let table = policy.table(var, &trial.rounds);
    let table = table.unwrap_or_else(|| panic!("no table for the rounds {:?}", trial.rounds));
    let seen: Vec<Known> = table.seen.iter().map(|expr| known(trial, expr)).collect();
    let chosen = table.rows.get(&seen);
    let chosen = chosen.unwrap_or_else(|| panic!("no row for {seen:?} in {:?}", table.seen));
    let is_it = |option: &Value| match (option, chosen) {
        (Value::Number(option), Known::Number(chosen)) => option == chosen,
        (Value::Pool(option), Known::Roll(chosen)) => option == chosen,
        _ => false,
    };
    let place = options.iter().position(is_it);
    place.unwrap_or_else(|| panic!("{chosen:?} is none of {options:?}"))
}

/// What a table sees of a trial.
fn known(trial: &mut Trial<'_, '_>, expr: &Expr) -> Known {
    if let Kind::Var(var) = expr.kind
        && let Value::Pool(faces) = trial.var(var)
    {
        return Known::Roll(faces);
    }
    Known::Number(trial.number(expr).expect("it has no goal"))
}

//! What a track's own choices are made for, and that they are made.

use oddsmith_dist::{IBig, RBig};
use oddsmith_rules::program::{Expr, Kind, VarId};
use oddsmith_rules::{Check, Query, QueryKind, Span};

use crate::Error;
use crate::decide::{Loop, Rounds};
use crate::evaluate::Env;
use crate::residual::{Residual, Script, Step};
use crate::run::project;
use crate::scope::Scope;
use crate::states::States;
use crate::track::parts::Track;
use crate::track::sums::{EndQuery, EndView};

/// Makes the choices of a track's rounds for the goal that is bound after them, if there are any and they have not been made.
pub(super) fn decide(
    env: &mut Env<'_>,
    check: &Check,
    track: &Track<'_>,
    residual: &Residual,
) -> Result<(), Error> {
    let Some((goal, span)) = goal_of(track) else {
        return Ok(());
    };
    if !env.choices.standing.is_empty() {
        return Ok(());
    }
    let track = track_up_to(track, goal);
    let view = EndView::new(&env.scope, &track, residual, &[])?;
    let asked = ask(env, check, &track, &view, (goal, span))?;
    let starts = starts(env, &track, &view)?;
    let rounds = Rounds {
        lap: Loop {
            body: track.body,
            head: track.head,
            until: track.until,
            sums: &view.sums,
            goal,
        },
        counts: asked.counts.clone(),
        is_event: check.strives_for_event(),
    };
    rounds.decide(env, &starts, &mut |env: &mut Env<'_>, key: &[i64]| {
        worth(env, &view, &asked.value, key)
    })
}

/// What the rounds of a track choose for, and where they first do.
fn goal_of(track: &Track<'_>) -> Option<(VarId, Span)> {
    let is_bound = |goal: VarId| {
        let mut steps = track.after.steps.iter();
        steps.any(|step| matches!(step, Step::Let { var, .. } if *var == goal))
    };
    let mut steps = track.body.steps.iter();
    steps.find_map(|step| match step {
        Step::Choose { goal, span, .. } if is_bound(*goal) => Some((*goal, *span)),
        _ => None,
    })
}

/// The same track up to where its goal is bound, with all that is known there.
fn track_up_to<'s>(track: &Track<'s>, goal: VarId) -> Track<'s> {
    let binds = |step: &Step| matches!(step, Step::Let { var, .. } if *var == goal);
    let at = track.after.steps.iter().position(binds);
    let at = at.expect("the goal is bound after the rounds");
    let mut after = Script {
        steps: track.after.steps[..=at].to_vec(),
        live: track.after.live[..=at].to_vec(),
    };
    let mut known = match at.checked_sub(1) {
        Some(before) => after.live[before].clone(),
        None => [track.head, track.shown].concat(),
    };
    known.push(goal);
    known.sort_unstable();
    after.live[at] = known;
    Track {
        before: track.before.clone(),
        after,
        ..*track
    }
}

/// The goal in terms of what an end has: a value, and how often each sum counts.
fn ask(
    env: &mut Env<'_>,
    check: &Check,
    track: &Track<'_>,
    view: &EndView,
    (goal, span): (VarId, Span),
) -> Result<EndQuery, Error> {
    let text = check.goal.as_ref().map(|goal| goal.text.clone());
    let text = text.unwrap_or_default();
    let query = Query::new(
        text.clone(),
        QueryKind::Mean(Expr::new(Kind::Var(goal), span)),
    );
    let asked = view.ask(env, &query)?;
    let refused = |scope: &Scope<'_>, message: String, help: &str| {
        let error = scope.error_with_help(span, message, "chosen for that", help.to_owned());
        Err(error.unsupported())
    };
    if asked.limits.iter().any(Option::is_some) {
        let message = format!("`{text}` compares what grows from round to round with a number");
        let help = "let the rules end by that number, as in `until … or rolls == 5`, and strive for how it ends; or count with an end, as in set n = min(n + 1, 6)";
        return refused(&env.scope, message, help);
    }
    if env
        .scope
        .reads_of(&asked.value)
        .iter()
        .any(|var| track.shown.contains(var))
    {
        let message = format!("`{text}` is about the first round alone");
        let help = "strive for what the track has come to at its end, or for `-rolls`";
        return refused(&env.scope, message, help);
    }
    Ok(asked)
}

/// The states before the first round, with sums at 0.
fn starts(env: &mut Env<'_>, track: &Track<'_>, view: &EndView) -> Result<States, Error> {
    let states = env.run(&track.before, &[], States::certain(&[]))?;
    let states = project(states, track.before.final_vars(&[]), track.head);
    let is_sum: Vec<bool> = track
        .head
        .iter()
        .map(|var| view.sums.contains(var))
        .collect();
    let mut starts = states.rekeyed(track.head.len(), |_, key, values| {
        let values_of = key.iter().zip(&is_sum);
        values.extend(values_of.map(|(value, is_sum)| if *is_sum { 0 } else { *value }));
    });
    starts.merge(0);
    Ok(starts)
}

/// The mean of the goal without its sums at an end.
fn worth(env: &mut Env<'_>, view: &EndView, value: &Expr, key: &[i64]) -> Result<RBig, Error> {
    let finals = env.run(&view.after, &view.head, States::certain(key))?;
    let vars = view.after.final_vars(&view.head);
    let mut sum = IBig::ZERO;
    for (last, weight) in finals.iter() {
        env.bind_all(vars, last);
        let number = env.number(value);
        env.unbind_all(vars);
        sum += IBig::from(number?) * IBig::from(weight.clone());
    }
    Ok(RBig::from_parts(sum, finals.total.clone()))
}

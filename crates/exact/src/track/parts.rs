//! A track in its parts, and its first round.

use oddsmith_dist::Budget;
use oddsmith_rules::Check;
use oddsmith_rules::program::{Expr, VarId};

use crate::Error;
use crate::evaluate::Env;
use crate::residual::{Script, Step};
use crate::run::project;
use crate::states::States;

/// A track's script in its three parts.
pub(super) struct Track<'s> {
    pub(super) before: Script,
    pub(super) until: &'s Expr,
    pub(super) body: &'s Script,
    /// What matters before and after a round.
    pub(super) head: &'s [VarId],
    /// What the first round shows.
    pub(super) shown: &'s [VarId],
    pub(super) after: Script,
}

impl<'s> Track<'s> {
    /// The parts of a script; none if what is asked does not depend on its rounds.
    pub(super) fn of(script: &'s Script) -> Option<Self> {
        let at = script.steps.iter().position(|step| {
            matches!(
                step,
                Step::Repeat {
                    count: None,
                    played: None,
                    ..
                }
            )
        })?;
        let Step::Repeat {
            until: Some(until),
            body,
            head,
            shown,
            ..
        } = &script.steps[at]
        else {
            unreachable!("a loop without a count has a condition")
        };
        let part = |range: std::ops::Range<usize>| Script {
            steps: script.steps[range.clone()].to_vec(),
            live: script.live[range].to_vec(),
        };
        Some(Self {
            before: part(0..at),
            until,
            body,
            head,
            shown,
            after: part(at + 1..script.steps.len()),
        })
    }

    /// A loop that plays a track, by itself: nothing comes before it or after it.
    pub(super) fn played(step: &'s Step) -> Self {
        let Step::Repeat {
            until: Some(until),
            body,
            head,
            ..
        } = step
        else {
            unreachable!("a track that is played is a loop with a condition")
        };
        Self {
            before: Script::default(),
            until,
            body,
            head,
            shown: &[],
            after: Script::default(),
        }
    }

    /// Whether no further round follows a state over `head`.
    pub(super) fn is_over(&self, env: &mut Env<'_>, key: &[i64]) -> Result<bool, Error> {
        env.bind_all(self.head, key);
        let is_over = env.number(self.until);
        env.unbind_all(self.head);
        Ok(is_over? != 0)
    }
}

/// Whether a variable is an outcome of a track's first round.
pub(super) fn is_of_first_round(check: &Check, var: VarId) -> bool {
    let mut outcomes = check.outcomes.iter();
    outcomes.any(|outcome| outcome.var == var && outcome.first_round)
}

/// The states before the first round; an error if it is over in one of them, so that the first round shows nothing.
pub(super) fn before_first_round(env: &mut Env<'_>, track: &Track<'_>) -> Result<States, Error> {
    let states = env.run(&track.before, &[], States::certain(&[]))?;
    let states = project(states, track.before.final_vars(&[]), track.head);
    for key in states.keys() {
        if track.is_over(env, key)? {
            let message = "the first round shows nothing: it is over before it begins";
            return Err(env
                .scope
                .error(track.until, message, "this holds from the start"));
        }
    }
    Ok(states)
}

/// The states at the end of the first round over what is read then, and the variables that they are over.
pub(super) fn first_round(
    env: &mut Env<'_>,
    track: &Track<'_>,
    read: &[VarId],
) -> Result<(States, Vec<VarId>), Error> {
    let states = before_first_round(env, track)?;
    let round = match has_choice(track.body) {
        true => track.body.clone(),
        false => track.body.narrowed(read, env.scope.fixed),
    };
    let states = env.run(&round, track.head, states)?;
    Ok((states, round.final_vars(track.head).to_vec()))
}

/// Whether a script chooses, at any depth.
pub(super) fn has_choice(script: &Script) -> bool {
    script.steps.iter().any(|step| match step {
        Step::Choose { .. } => true,
        Step::Repeat { body, .. } => has_choice(body),
        _ => false,
    })
}

/// Forgets variables that steps carry along but do not read.
pub(super) fn keep_live(script: &mut Script, keep: &dyn Fn(&VarId) -> bool) {
    script.live.iter_mut().for_each(|live| live.retain(keep));
    for step in &mut script.steps {
        if let Step::Repeat { body, head, .. } = step {
            head.retain(keep);
            keep_live(body, keep);
        }
    }
}

/// Charges for a part of a track's rounds.
pub(super) fn charge(budget: &Budget, steps: u128) -> Result<(), Error> {
    budget.charge(steps).map_err(over_budget)
}

/// Says that it is the rounds that are too much.
#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
pub(super) fn over_budget(error: oddsmith_dist::Error) -> Error {
    Error::of_charge("playing the rounds of this track", &error)
}

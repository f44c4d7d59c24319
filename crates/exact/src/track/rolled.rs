//! The dice of rounds, rolled once for all configurations in which they are the same.
//!
//! The slots of a counter, the limit of a clock or the score of a goal say when a track is over, and not what a round
//! rolls. So tracks that differ in these alone share what the dice of a round come to.

use std::sync::Arc;

use oddsmith_dist::UBig;
use oddsmith_rules::program::{Expr, Kind, VarId};

use crate::Error;
use crate::cache::Dice;
use crate::evaluate::Env;
use crate::residual::Script;
use crate::scope::Scope;
use crate::states::States;

/// The states that the dice of a round lead to: those that were kept, or what they are rolled to.
pub(super) fn shared_states(env: &mut Env<'_>, dice: &Dice) -> Result<Arc<States>, Error> {
    let cache = env.cache;
    cache.rounds.states(dice, || {
        let states = states_of(env, dice)?;
        // What could not be read is an error of this configuration, for whoever reads it.
        Ok((states, env.failed.is_empty()))
    })
}

/// The states that dice lead to.
pub(super) fn states_of(env: &mut Env<'_>, dice: &Dice) -> Result<States, Error> {
    let mut starts = States::with_capacity(dice.starts.len(), dice.before.len(), UBig::ONE);
    for key in &dice.starts {
        starts.push(key.iter().copied(), UBig::ONE);
    }
    env.run(&dice.script, &dice.before, starts)
}

/// Whether a script comes to the same wherever it is played from the same states over `before`: it reads nothing of its
/// configuration any more, and what it begins and ends with are numbers, not places in a table of rolls.
pub(super) fn is_shared(scope: &Scope<'_>, script: &Script, before: &[VarId]) -> bool {
    let is_number = |var: &VarId| !scope.is_pool(*var);
    let mut reads_own = false;
    for step in &script.steps {
        step.for_each_expr(&mut |expr| reads_own |= reads_configuration(scope, expr));
    }
    !reads_own
        && before
            .iter()
            .chain(script.final_vars(before))
            .all(is_number)
}

fn reads_configuration(scope: &Scope<'_>, expr: &Expr) -> bool {
    expr.any(&mut |part| match &part.kind {
        Kind::Input(_) => true,
        Kind::Var(var) => scope.fixed.contains_key(var),
        _ => false,
    })
}

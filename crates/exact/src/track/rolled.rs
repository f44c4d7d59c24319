//! The dice of rounds, rolled once for all configurations in which they are the same.
//!
//! The slots of a counter, the limit of a clock or the score of a goal say when a track is over, and not what a round
//! rolls. So tracks that differ in these alone share what the dice of a round come to.

use std::sync::{Arc, Mutex};

use oddsmith_dist::UBig;
use oddsmith_rules::program::{Expr, Kind, VarId};

use crate::Error;
use crate::evaluate::Env;
use crate::hash::Map;
use crate::residual::Script;
use crate::shared::lock;
use crate::states::{Key, States};

/// What the dice of rounds come to, shared by everything that is computed together. Its order shows nowhere.
#[derive(Debug, Default)]
pub(crate) struct RoundCache(Mutex<Map<Dice, Slot>>);

/// Empty until one roll has gone well. Whoever comes while that is made waits for it, so that it is charged for once,
/// however many threads ask.
type Slot = Arc<Mutex<Option<Arc<States>>>>;

/// So many different rolls are kept at once.
const MOST_KEPT: usize = 1 << 9;
/// Of a roll so many states are kept, at the most: some 30 MB of all rolls.
const MOST_STATES: usize = 1 << 9;

/// All that a roll depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Dice {
    pub(super) script: Arc<Script>,
    /// The variables of the states that it is rolled from.
    pub(super) before: Vec<VarId>,
    /// Their values, one state after the other.
    pub(super) starts: Vec<Key>,
}

impl RoundCache {
    /// The states that dice lead to: those that were kept, or what `roll` makes.
    pub(super) fn states(&self, env: &mut Env<'_>, dice: &Dice) -> Result<Arc<States>, Error> {
        let slot = self.slot(dice);
        let mut slot = lock(&slot);
        if let Some(known) = &*slot {
            return Ok(Arc::clone(known));
        }
        let states = Arc::new(dice.roll(env)?);
        // What could not be read is an error of this configuration, for whoever reads it.
        if env.failed.is_empty() && states.len() <= MOST_STATES {
            *slot = Some(Arc::clone(&states));
        }
        Ok(states)
    }

    fn slot(&self, dice: &Dice) -> Slot {
        let mut kept = lock(&self.0);
        if let Some(slot) = kept.get(dice) {
            return Arc::clone(slot);
        }
        // Rows that roll alike lie near one another, so that what is old is hardly asked for again.
        if kept.len() == MOST_KEPT {
            kept.clear();
        }
        Arc::clone(kept.entry(dice.clone()).or_default())
    }
}

impl Dice {
    pub(super) fn roll(&self, env: &mut Env<'_>) -> Result<States, Error> {
        let mut starts = States::with_capacity(self.starts.len(), self.before.len(), UBig::ONE);
        for key in &self.starts {
            starts.push(key.iter().copied(), UBig::ONE);
        }
        env.run(&self.script, &self.before, starts)
    }
}

/// Whether a script comes to the same wherever it is played from the same states over `before`: it reads nothing of its
/// configuration any more, and what it begins and ends with are numbers, not places in a table of rolls.
pub(super) fn is_shared(env: &Env<'_>, script: &Script, before: &[VarId]) -> bool {
    let is_number = |var: &VarId| !env.is_pool(*var);
    let mut reads_own = false;
    for step in &script.steps {
        step.for_each_expr(&mut |expr| reads_own |= reads_configuration(env, expr));
    }
    !reads_own
        && before
            .iter()
            .chain(script.final_vars(before))
            .all(is_number)
}

fn reads_configuration(env: &Env<'_>, expr: &Expr) -> bool {
    expr.any(&mut |part| match &part.kind {
        Kind::Input(_) => true,
        Kind::Var(var) => env.fixed_definitions().contains_key(var),
        _ => false,
    })
}

//! Whether a script can be carried out, whatever is asked about it.
//!
//! What a question does not need is left out when it is answered, and what is left is put in another order. So what may
//! fail is carried out by itself first: those statements that the bounds of their numbers do not clear
//! ([`Check::may_fail`]) and what they need, from top to bottom. Nearly always there are none.

use std::sync::Mutex;

use oddsmith_dist::Budget;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config};

use crate::Error;
use crate::cache::Cache;
use crate::evaluate::Env;
use crate::hash::Map;
use crate::inputs::inputs_of_script;
use crate::requirements::{charge_script, check_requirements};
use crate::residual::{all_known, specialise_unsure};
use crate::shared::lock;
use crate::states::States;
use crate::track;

/// See [`crate::carried_out`].
pub(crate) fn carried_out(check: &Check, config: &Config, budget: &Budget) -> Result<(), Error> {
    check_requirements(check, config)?;
    played(check, config, budget).map_err(|error| error.in_config(check, config))
}

/// The least and the greatest value of each input of a configuration, which are the same.
pub(crate) fn bounds_of(config: &Config) -> Vec<(i64, i64)> {
    let values = config.values().iter();
    values.map(|&value| (value, value)).collect()
}

/// The inputs that decide whether a configuration can be carried out, if those in `open` may be anything of their domains
/// and all others are as in `base`.
pub(crate) fn inputs_that_decide(check: &Check, base: &Config, open: &[InputId]) -> Vec<InputId> {
    let mut bounds = bounds_of(base);
    for id in open {
        bounds[id.0] = check.inputs[id.0].domain.bounds();
    }
    inputs_of_unsure(check, &bounds).unwrap_or_default()
}

/// The inputs that what may fail depends on; none if nothing can fail within these bounds.
fn inputs_of_unsure(check: &Check, bounds: &[(i64, i64)]) -> Option<Vec<InputId>> {
    let unsure = check.may_fail(bounds);
    if unsure.is_empty() {
        return None;
    }
    let value_of = |id: InputId| {
        let (low, high) = bounds[id.0];
        (low == high).then_some(low)
    };
    let residual = specialise_unsure(check, &value_of, &unsure);
    Some(inputs_of_script(&residual.script, &residual.fixed))
}

/// What is known of configurations in which something may fail. Its order shows nowhere.
#[derive(Debug)]
pub(crate) struct Unsure {
    /// Those that what may fail depends on.
    inputs: Vec<InputId>,
    /// By their values.
    verdicts: Mutex<Map<Vec<i64>, Verdict>>,
}

/// Whether a configuration can be carried out.
#[derive(Clone, Debug)]
struct Verdict {
    /// What it took to find out.
    steps: u64,
    found: Result<(), Error>,
}

impl Unsure {
    /// None if nothing can fail in any configuration within these bounds of the inputs.
    pub(crate) fn within(check: &Check, bounds: &[(i64, i64)]) -> Option<Self> {
        Some(Self {
            inputs: inputs_of_unsure(check, bounds)?,
            verdicts: Mutex::default(),
        })
    }

    /// Whether a configuration within the bounds can be carried out; errors do not name it.
    pub(crate) fn at(&self, check: &Check, config: &Config, budget: &Budget) -> Result<(), Error> {
        let key: Vec<i64> = self.inputs.iter().map(|id| config[*id]).collect();
        let verdict = lock(&self.verdicts).get(&key).cloned();
        // What is known is charged again, so that no sum of steps depends on who asks first.
        let charge = |steps: u64| {
            let charged = budget.charge(u128::from(steps));
            charged.map_err(|error| Error::of_charge(format!("`{}`", check.name), &error))
        };
        if let Some(Verdict { steps, found }) = verdict {
            charge(steps)?;
            return found;
        }
        let own = budget.beside(budget.limit());
        let found = played(check, config, &own);
        let steps = own.spent();
        charge(steps)?;
        if !matches!(found, Err(Error::OverBudget { .. })) {
            let found = found.clone();
            lock(&self.verdicts).insert(key, Verdict { steps, found });
        }
        found
    }
}

/// [`carried_out`] in a configuration that meets the requirements; errors do not name it.
fn played(check: &Check, config: &Config, budget: &Budget) -> Result<(), Error> {
    let unsure = check.may_fail(&bounds_of(config));
    if unsure.is_empty() {
        return Ok(());
    }
    charge_script(check, budget)?;
    let residual = specialise_unsure(check, &all_known(config), &unsure);
    let cache = Cache::default();
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    if let Some(visited) = track::visit_all(check, &mut env, &residual) {
        return visited.map(|_| ());
    }
    env.run(&residual.script, &[], States::certain(&[]))?;
    Ok(())
}

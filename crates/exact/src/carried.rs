//! Whether a script can be carried out, whatever is asked about it.
//!
//! What a question does not need is left out when it is answered, and what is left is put in another order. So what may
//! fail is carried out by itself first: those statements that the bounds of their numbers do not clear
//! ([`Check::may_fail`]) and what they need, from top to bottom. Nearly always there are none.

use oddsmith_dist::Budget;
use oddsmith_rules::{Check, Config};

use crate::Error;
use crate::evaluate::Env;
use crate::pools::PoolCache;
use crate::question::{charge_script, check_requirements};
use crate::residual::{all_known, specialise_unsure};
use crate::states::States;
use crate::track;

/// See [`crate::carried_out`].
pub(crate) fn carried_out(check: &Check, config: &Config, budget: &Budget) -> Result<(), Error> {
    check_requirements(check, config)?;
    played(check, config, budget).map_err(|error| error.in_config(check, config))
}

/// The same of a configuration that meets the requirements; errors do not name it.
pub(crate) fn played(check: &Check, config: &Config, budget: &Budget) -> Result<(), Error> {
    let bounds: Vec<(i64, i64)> = config.0.iter().map(|&value| (value, value)).collect();
    let unsure = check.may_fail(&bounds);
    if unsure.is_empty() {
        return Ok(());
    }
    charge_script(check, budget)?;
    let residual = specialise_unsure(check, &all_known(config), &unsure);
    let cache = PoolCache::default();
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    if let Some(visited) = track::visit_all(&mut env, &residual) {
        return visited.map(|_| ());
    }
    env.run(&residual.script, &[], States::certain(&[]))?;
    Ok(())
}

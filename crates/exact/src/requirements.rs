//! What is looked at before a configuration is asked about: requirements, and what its script will take.

use oddsmith_dist::Budget;
use oddsmith_rules::program::{Expr, Kind};
use oddsmith_rules::{Check, Config, fixed_value};

use crate::Error;
use crate::cache::Cache;
use crate::evaluate::Env;
use crate::residual::Residual;

/// Reports the first requirement that a configuration breaks.
pub(crate) fn check_requirements(check: &Check, config: &Config) -> Result<(), Error> {
    for requirement in &check.requires {
        if !holds(check, config, &requirement.condition)? {
            return Err(Error::Requirement {
                requirement: requirement.text.clone(),
                defaults: defaults(check, config, &requirement.condition),
                config: check.describe(config),
            });
        }
    }
    Ok(())
}

/// The inputs in a condition that stand at their defaults, which the words for the configuration leave out:
/// ` (with who=us)`, or nothing.
pub(crate) fn defaults(check: &Check, config: &Config, condition: &Expr) -> String {
    let mut values = Vec::new();
    condition.any(&mut |part| {
        if let Kind::Input(id) = part.kind {
            let input = &check.inputs[id.0];
            let value = input.written(config[id]);
            if config[id] == input.default && !values.contains(&value) {
                values.push(value);
            }
        }
        false
    });
    match values.is_empty() {
        true => String::new(),
        false => format!(" (with {})", values.join(" ")),
    }
}

/// Charges for putting what is known into a script, before anything is rolled.
pub(crate) fn charge_script(check: &Check, budget: &Budget) -> Result<(), Error> {
    const SCRIPT_STEPS: u128 = 2000;
    const VARIABLE_STEPS: u128 = 600;
    let steps = SCRIPT_STEPS + VARIABLE_STEPS * check.program().variables().len() as u128;
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

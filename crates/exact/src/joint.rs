//! Everything that one roll shows, together.

use std::collections::BTreeMap;

use oddsmith_dist::{Budget, UBig, greatest_common_divisor};
use oddsmith_rules::program::VarId;
use oddsmith_rules::{Check, Config, Outcome};

use crate::cache::Cache;
use crate::evaluate::Env;
use crate::question::charge_script;
use crate::residual::{Purpose, Residual, all_known, specialise};
use crate::states::States;
use crate::track;
use crate::{Error, Playable};

/// The joint distribution of several outcomes in one configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The weight of each combination of values that happens, in the order of the outcomes that were asked for; labels
    /// are their places. Weights have no common divisor, so that two joint distributions are the same exactly if their
    /// weights are.
    pub weights: BTreeMap<Vec<i64>, UBig>,
    /// The sum of all weights.
    pub total: UBig,
}

/// The joint distribution of `outcomes` in one configuration: of what a check shows; or of what a track shows of its
/// first round.
///
/// # Errors
/// As [`crate::answers`].
///
/// # Panics
/// If an outcome is one of a track's end.
///
/// ```
/// use oddsmith_exact::{Budget, joint};
///
/// let rules = r#"
/// name = "Twice the same"
/// [checks.check]
/// rules = """
/// let die  = 1d2
/// show one = die
/// show two = die
/// """
/// "#;
/// let model = oddsmith_rules::load("twice.toml", rules.as_bytes()).unwrap();
/// let check = model.check("check").unwrap();
/// let outcomes: Vec<_> = check.outcomes.iter().collect();
/// let joint = joint(check, &check.defaults(), &outcomes, &Budget::unlimited()).unwrap();
/// let values: Vec<_> = joint.weights.keys().cloned().collect();
/// assert_eq!(values, [vec![1, 1], vec![2, 2]]);
/// ```
pub fn joint(
    check: &Check,
    config: &Config,
    outcomes: &[&Outcome],
    budget: &Budget,
) -> Result<Joint, Error> {
    Playable::new(check, config, budget)?.joint(outcomes)
}

/// [`joint`] in a configuration that can be played.
pub(crate) fn joint_of(
    check: &Check,
    config: &Config,
    outcomes: &[&Outcome],
    budget: &Budget,
) -> Result<Joint, Error> {
    charge_script(check, budget)?;
    let wanted: Vec<_> = outcomes.iter().map(|outcome| outcome.var).collect();
    let cache = Cache::default();
    let residual = specialise(&check.program, &all_known(config), &wanted, Purpose::Run);
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    let found = match check.rounds {
        Some(_) => track::first_round_of(&mut env, &residual),
        None => all_of(&mut env, &residual),
    };
    found.map_err(|error| error.in_config(check, config))
}

/// What a script without rounds shows.
pub(crate) fn all_of(env: &mut Env<'_>, residual: &Residual) -> Result<Joint, Error> {
    let states = env.run(&residual.script, &[], States::certain(&[]))?;
    Joint::of(env, residual, residual.script.final_vars(&[]), &states)
}

impl Joint {
    /// What the results of a script are in its final states, which are over `vars`.
    pub(crate) fn of(
        env: &mut Env<'_>,
        residual: &Residual,
        vars: &[VarId],
        states: &States,
    ) -> Result<Self, Error> {
        let mut weights: BTreeMap<Vec<i64>, UBig> = BTreeMap::new();
        for (key, weight) in states.iter() {
            env.bind_all(vars, key);
            let results = residual.results.iter();
            let values: Result<Vec<i64>, Error> =
                results.map(|result| env.number(result)).collect();
            env.unbind_all(vars);
            *weights.entry(values?).or_default() += weight;
        }
        let divisor = greatest_common_divisor(weights.values());
        for weight in weights.values_mut() {
            *weight /= &divisor;
        }
        let total = weights.values().sum();
        Ok(Self { weights, total })
    }
}

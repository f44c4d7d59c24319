//! Everything that one roll shows, together.

use std::collections::BTreeMap;

use oddsmith_dist::{UBig, greatest_common_divisor};
use oddsmith_rules::program::VarId;

use crate::Error;
use crate::evaluate::Env;
use crate::residual::Residual;
use crate::states::States;

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

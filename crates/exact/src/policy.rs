//! What the best policy is, as tables that a player can read.

use std::collections::BTreeMap;
use std::sync::Arc;

use oddsmith_dist::{Budget, IBig, RBig};
use oddsmith_rules::program::VarId;
use oddsmith_rules::{Check, Choice, Config};

use crate::Error;
use crate::decide::Visit;
use crate::evaluate::Env;
use crate::pools::PoolCache;
use crate::question::check_requirements;
use crate::residual::{Purpose, all_known, specialise};
use crate::states::States;

/// One choice of a script, and what is best at it in every state that it comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What is chosen, as the script calls it.
    pub name: String,
    /// The rounds of the loops that it stands in, from 0, outermost first.
    pub rounds: Vec<usize>,
    /// What the choice depends on: values that are known then, but for those that make no difference.
    pub seen: Vec<Seen>,
    /// One for each state, ascending.
    pub rows: Vec<DecisionRow>,
}

/// A value that a choice depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its name, or the expression that reads it.
    pub name: String,
    /// What it holds places of, if it holds labels.
    pub labels: Option<Arc<Choice>>,
}

/// What is best in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRow {
    /// The values of [`Decision::seen`].
    pub seen: Vec<Value>,
    /// The best option; the first of those that are equally good.
    pub chosen: Value,
    /// How likely it is to come to this choice in this state.
    pub probability: RBig,
    /// The mean of what is maximised, over all that come to this choice with these values.
    pub worth: RBig,
    /// How much less the best of the other options is worth; none if there is no other.
    pub lead: Option<RBig>,
}

/// A value at a choice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A number, or a label's place.
    Number(i64),
    /// Dice that have been rolled, from high to low.
    Roll(Vec<i64>),
}

/// The best policy for what a check maximises: its choices in the order in which they come, those that matter.
/// Empty if nothing is chosen in this configuration.
///
/// # Errors
/// As [`crate::answers`].
pub fn decisions(check: &Check, config: &Config, budget: &Budget) -> Result<Vec<Decision>, Error> {
    check_requirements(check, config)?;
    let Some(goal) = check.own_goal() else {
        return Ok(Vec::new());
    };
    let cache = PoolCache::default();
    let residual = specialise(check, &all_known(config), &[goal], Purpose::Run);
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    env.visits = Some(Vec::new());
    env.run(&residual.script, &[], States::certain(Vec::new()))
        .map_err(|error| error.in_config(check, config))?;
    let visits = env.visits.take().unwrap_or_default();
    Ok(visits.iter().map(|visit| env.decision(visit)).collect())
}

impl Decision {
    /// Numbers values that have one name, such as those of two calls of one check: `total`, `total (2)`.
    fn tell_apart(&mut self) {
        let names: Vec<String> = self.seen.iter().map(|seen| seen.name.clone()).collect();
        for (at, seen) in self.seen.iter_mut().enumerate() {
            let earlier = names[..at]
                .iter()
                .filter(|name| **name == names[at])
                .count();
            if earlier > 0 {
                seen.name = format!("{} ({})", names[at], earlier + 1);
            }
        }
    }

    /// Leaves out values that make no difference, the last ones first: those that follow from others, and those
    /// that change neither what is best nor by how much, such as what has been paid already.
    fn keep_telling(&mut self) {
        for at in (0..self.seen.len()).rev() {
            let mut alike: BTreeMap<Vec<Value>, Vec<DecisionRow>> = BTreeMap::new();
            for row in &self.rows {
                let mut row = row.clone();
                row.seen.remove(at);
                alike.entry(row.seen.clone()).or_default().push(row);
            }
            let agree = |rows: &Vec<DecisionRow>| {
                let same =
                    |row: &DecisionRow| row.chosen == rows[0].chosen && row.lead == rows[0].lead;
                rows.iter().all(same)
            };
            if alike.values().all(agree) {
                self.seen.remove(at);
                self.rows = alike.into_values().map(together).collect();
            }
        }
    }
}

/// Rows that agree on what is best, as one; its worth is their mean.
fn together(rows: Vec<DecisionRow>) -> DecisionRow {
    let (mut probability, mut worth) = (RBig::ZERO, RBig::ZERO);
    for row in &rows {
        probability += &row.probability;
        worth += &row.worth * &row.probability;
    }
    let first = rows
        .into_iter()
        .next()
        .expect("at least one row has these values");
    DecisionRow {
        worth: worth / &probability,
        probability,
        ..first
    }
}

impl Env<'_> {
    fn decision(&self, visit: &Visit) -> Decision {
        let (var, rounds) = &visit.place;
        let policy = &self.policies[&visit.place];
        let value = |var: VarId, value: i64| {
            if self.is_pool(var) {
                Value::Roll(self.rolls.roll(value).to_vec())
            } else {
                Value::Number(value)
            }
        };
        let row = |(key, weight): &(Vec<i64>, oddsmith_dist::UBig)| {
            let chosen = &policy[key];
            let seen = visit.vars.iter().zip(key);
            DecisionRow {
                seen: seen.map(|(var, known)| value(*var, *known)).collect(),
                chosen: value(*var, chosen.option),
                probability: RBig::from_parts(
                    IBig::from(weight.clone()),
                    visit.states.total.clone(),
                ),
                worth: chosen.worth.clone(),
                lead: chosen.lead.clone(),
            }
        };
        let mut decision = Decision {
            name: self.name(*var).to_owned(),
            rounds: rounds.clone(),
            seen: visit.vars.iter().map(|var| self.seen(*var)).collect(),
            rows: visit.states.entries.iter().map(row).collect(),
        };
        decision.keep_telling();
        decision.tell_apart();
        decision.rows.sort_by(|a, b| a.seen.cmp(&b.seen));
        decision
    }

    fn seen(&self, var: VarId) -> Seen {
        let (name, span) = (self.name(var), self.variable(var).span);
        let written = self
            .source
            .text
            .get(span.start..span.end)
            .unwrap_or_default();
        Seen {
            name: if name.is_empty() { written } else { name }.to_owned(),
            labels: self.variable(var).labels.clone(),
        }
    }
}

//! Steps between choices that are laid out as one: so that what they pass through is no layer of its own.
//!
//! What is rolled and what follows from that alone is played once for all states that agree on what it reads, and is joined to
//! each of them in the end; numbers that follow from a state are worked out one after the other.
//!
//! ```text
//! let roll = 6d6  let ones = count(roll, 1)  let sets = …  beside a score of 40 values
//! each of the 462 rolls would stand beside each score; 84 combinations of what is read of them do
//! ```

use oddsmith_dist::UBig;
use oddsmith_rules::program::{Expr, VarId};

use super::layers::{Layers, Link};
use crate::Error;
use crate::columns;
use crate::evaluate::{Env, FAILED};
use crate::hash::Map;
use crate::residual::{Script, Step, collect_vars};
use crate::run::{Made, Source, project};
use crate::states::{Key, States};

impl Env<'_> {
    /// How many steps at the beginning of these are laid out as one: at least one.
    pub(super) fn together(&self, layers: &Layers, steps: &[Step]) -> usize {
        // In the order of the ruleset, the first failure of all is found.
        if self.scope.in_order {
            return 1;
        }
        let binds_goal = |step: &Step| match step {
            Step::Let { var, .. } => layers.goals.iter().any(|goal| goal.var == *var),
            _ => false,
        };
        let open = steps.iter().take_while(|step| !binds_goal(step));
        let numbers = open.clone().take_while(|step| number(step).is_some());
        let numbers = numbers.count();
        if numbers > 0 {
            return numbers;
        }
        let mut known = Vec::new();
        let follows = |(at, step): (usize, &Step)| {
            let is_plain = !matches!(step, Step::Choose { .. } | Step::Repeat { .. });
            let read = self.read_by(step);
            if !is_plain || at > 0 && !read.iter().all(|var| known.contains(var)) {
                return None;
            }
            known.extend(read);
            known.extend(written(step));
            Some(())
        };
        open.enumerate().map_while(follows).count().max(1)
    }

    fn read_by(&self, step: &Step) -> Vec<VarId> {
        let mut read = Vec::new();
        step.for_each_expr(&mut |expr| collect_vars(expr, self.scope.fixed, &mut read));
        if let Step::Read { pools, .. } = step {
            read.retain(|var| pools.iter().all(|(pool, _)| pool != var));
        }
        read
    }

    /// What steps make of several states over `before` that matters after them, where the first one rolls and the others follow
    /// from what that reads and binds.
    pub(super) fn outcomes_together<'k>(
        &mut self,
        steps: &[Step],
        live: &[Vec<VarId>],
        before: &[VarId],
        keys: impl Iterator<Item = &'k [i64]>,
    ) -> Result<Made, Error> {
        let written: Vec<VarId> = steps.iter().flat_map(written).collect();
        let mut read: Vec<VarId> = steps.iter().flat_map(|step| self.read_by(step)).collect();
        read.retain(|var| before.contains(var));
        let relevant: Vec<usize> = (0..before.len())
            .filter(|at| read.contains(&before[*at]))
            .collect();
        let own: Vec<VarId> = relevant.iter().map(|at| before[*at]).collect();
        let is_own = |var: &VarId| own.contains(var) || written.contains(var);
        let narrowed = |live: &Vec<VarId>| live.iter().copied().filter(is_own).collect();
        let script = Script {
            steps: steps.to_vec(),
            live: live.iter().map(narrowed).collect(),
        };
        let after = script.final_vars(&own);
        let vars: Vec<VarId> = after
            .iter()
            .copied()
            .filter(|var| written.contains(var))
            .collect();
        let (mut distinct, mut of_state) = (Vec::new(), Vec::new());
        let mut places: Map<Key, usize> = Map::default();
        for key in keys {
            let seen: Key = relevant.iter().map(|at| key[*at]).collect();
            let place = match places.get(&seen) {
                Some(place) => *place,
                None => {
                    let made = self.run(&script, &own, States::certain(&seen))?;
                    distinct.push(project(made, after, &vars));
                    places.insert(seen, distinct.len() - 1);
                    distinct.len() - 1
                }
            };
            of_state.push(place);
        }
        Ok(Made {
            vars,
            distinct,
            of_state,
        })
    }

    /// Numbers that follow from states one after the other.
    pub(super) fn lay_numbers(
        &mut self,
        layers: &mut Layers,
        layer: usize,
        steps: &[Step],
        before: &[VarId],
        after: &[VarId],
    ) -> Result<usize, Error> {
        let keys = std::mem::take(&mut layers.layers[layer].keys);
        self.account
            .charge_states(keys.len().saturating_mul(steps.len()), &UBig::ONE)?;
        layers.charge(&self.account, keys.len(), after.len())?;
        let numbers: Vec<(VarId, &Expr)> = steps.iter().filter_map(number).collect();
        // A variable that is set twice has the last value: what is found first of the list that is turned round.
        let vars: Vec<VarId> = numbers.iter().rev().map(|(var, _)| *var).collect();
        let sources = Source::find_all(after, &vars, before);
        let given = numbers.iter().copied();
        let columns = columns::of_keys(self, before, &keys.iter(), given);
        let next = layers.add();
        let mut nodes = Vec::with_capacity(keys.len());
        let mut made = Key::new();
        for (row, key) in keys.iter().enumerate() {
            made.clear();
            let found = columns.iter().flatten().rev();
            made.extend(found.map(|column| columns::at(column, row)));
            if made.len() < numbers.len() || made.contains(&FAILED) {
                self.numbers_of(&numbers, before, key, &mut made)?;
            }
            let (_, node) = layers.node(next, Source::values(&sources, key, &made));
            nodes.push(node);
        }
        layers.layers[layer].keys = keys;
        layers.link(layer, Link::Sure(next, nodes));
        Ok(next)
    }

    /// The numbers that follow from one state, the last one first.
    fn numbers_of(
        &mut self,
        numbers: &[(VarId, &Expr)],
        before: &[VarId],
        key: &[i64],
        made: &mut Key,
    ) -> Result<(), Error> {
        made.clear();
        self.bind_all(before, key);
        let found = numbers.iter().try_for_each(|(var, value)| {
            let value = self.number(value)?;
            self.bind(*var, value);
            made.push(value);
            Ok(())
        });
        numbers.iter().for_each(|(var, _)| self.unbind(*var));
        self.unbind_all(before);
        made.reverse();
        found
    }
}

/// A step that makes a number of what is known.
pub(super) fn number(step: &Step) -> Option<(VarId, &Expr)> {
    match step {
        Step::Let { var, value } | Step::Set { var, value } if value.is_arithmetic() => {
            Some((*var, value))
        }
        _ => None,
    }
}

/// What a step binds, which is no choice and no loop.
fn written(step: &Step) -> Vec<VarId> {
    match step {
        Step::Let { var, .. } | Step::Set { var, .. } | Step::Roll { var, .. } => vec![*var],
        Step::Read { readings, .. } => readings.iter().map(|(var, _)| *var).collect(),
        Step::Choose { .. } | Step::Repeat { .. } => Vec::new(),
    }
}

//! Statements: from states before a step to states after it.

use std::collections::HashMap;

use oddsmith_dist::{BitTest as _, Dist, UBig, least_common_multiple};
use oddsmith_rules::program::{Expr, Statement, VarId};

use crate::Error;
use crate::evaluate::{Env, PAIR_STEPS, Roll};
use crate::residual::{Script, Step, collect_vars};
use crate::states::{Key, States};

/// What a step makes of one state: values of the variables that it binds, with weights.
struct Outcomes {
    rows: Vec<(Vec<i64>, UBig)>,
    total: UBig,
}

impl Outcomes {
    fn known(row: Vec<i64>) -> Self {
        Self {
            rows: vec![(row, UBig::ONE)],
            total: UBig::ONE,
        }
    }

    fn of_roll(roll: Roll) -> Self {
        match roll {
            Roll::Known(value) => Self::known(vec![value]),
            Roll::Rolled(dist) => Self::of_dist(&dist),
        }
    }

    fn of_dist(dist: &Dist) -> Self {
        let rows = dist
            .iter()
            .map(|(value, weight)| (vec![value], weight))
            .collect();
        Self {
            rows,
            total: dist.total().clone(),
        }
    }
}

impl Env<'_> {
    /// Runs a script from `states` over the variables `before`; afterwards the states are over the last of
    /// `script.live`.
    pub(crate) fn run(
        &mut self,
        script: &Script,
        before: &[VarId],
        mut states: States,
    ) -> Result<States, Error> {
        let mut before = before;
        for (step, after) in script.steps.iter().zip(&script.live) {
            states = self.step(step, before, after, &states)?;
            before = after;
        }
        Ok(states)
    }

    fn step(
        &mut self,
        step: &Step,
        before: &[VarId],
        after: &[VarId],
        states: &States,
    ) -> Result<States, Error> {
        match step {
            Step::Let { var, value } | Step::Set { var, value } => {
                let outcomes = |env: &mut Self| env.roll(value).map(Outcomes::of_roll);
                self.bind_step(&[*var], &[value], before, after, states, outcomes)
            }
            Step::Roll { var, pool } => {
                let outcomes =
                    |env: &mut Self| env.roll_pool(pool).map(|dist| Outcomes::of_dist(&dist));
                self.bind_step(&[*var], &[pool], before, after, states, outcomes)
            }
            Step::Read {
                pool_var,
                pool,
                readings,
            } => {
                let vars: Vec<VarId> = readings.iter().map(|(var, _)| *var).collect();
                let exprs: Vec<&Expr> = std::iter::once(pool)
                    .chain(readings.iter().map(|(_, r)| r))
                    .collect();
                let outcomes = |env: &mut Self| {
                    let joint = env.read_jointly(*pool_var, pool, readings)?;
                    let rows = joint
                        .iter()
                        .map(|(row, weight)| (row.clone(), weight.clone()))
                        .collect();
                    Ok(Outcomes {
                        rows,
                        total: joint.total().clone(),
                    })
                };
                self.bind_step(&vars, &exprs, before, after, states, outcomes)
            }
            Step::Repeat {
                count,
                until,
                body,
                head,
            } => {
                let rounds = self.number(count)?;
                if rounds < 0 {
                    let message = "the number of rounds can't be below 0";
                    return Err(self.error(count, message, format!("it is {rounds} here")));
                }
                self.repeat(rounds, until.as_ref(), body, head, before, after, states)
            }
        }
    }

    /// Binds `vars` in every state to what `outcomes` makes of it. `exprs` are all that it reads: states that
    /// agree on those variables share the work.
    fn bind_step(
        &mut self,
        vars: &[VarId],
        exprs: &[&Expr],
        before: &[VarId],
        after: &[VarId],
        states: &States,
        mut outcomes: impl FnMut(&mut Self) -> Result<Outcomes, Error>,
    ) -> Result<States, Error> {
        let mut read = Vec::new();
        exprs
            .iter()
            .for_each(|expr| collect_vars(expr, self.fixed_definitions(), &mut read));
        let relevant: Vec<usize> = (0..before.len())
            .filter(|&at| read.contains(&before[at]))
            .collect();
        let mut distinct: Vec<Outcomes> = Vec::new();
        let mut places: HashMap<Key, usize> = HashMap::new();
        let mut of_state = Vec::with_capacity(states.entries.len());
        for (key, _) in &states.entries {
            let seen: Key = relevant.iter().map(|&at| key[at]).collect();
            let place = match places.get(&seen) {
                Some(place) => *place,
                None => {
                    before
                        .iter()
                        .zip(key)
                        .for_each(|(var, value)| self.bind(*var, *value));
                    let made = outcomes(self);
                    before.iter().for_each(|var| self.unbind(*var));
                    let made = made?;
                    self.charge(made.rows.len(), &made.total)?;
                    distinct.push(made);
                    places.insert(seen, distinct.len() - 1);
                    distinct.len() - 1
                }
            };
            of_state.push(place);
        }
        self.join(vars, before, after, states, &distinct, &of_state)
    }

    /// Every state with every outcome, over the variables that are still needed.
    fn join(
        &mut self,
        vars: &[VarId],
        before: &[VarId],
        after: &[VarId],
        states: &States,
        distinct: &[Outcomes],
        of_state: &[usize],
    ) -> Result<States, Error> {
        let pairs: usize = of_state
            .iter()
            .map(|&place| distinct[place].rows.len())
            .sum();
        self.charge(pairs, &states.total)?;
        let sources: Vec<Source> = after
            .iter()
            .filter_map(|var| Source::find(*var, vars, before))
            .collect();
        let common = least_common_multiple(distinct.iter().map(|outcomes| &outcomes.total));
        let scales: Vec<UBig> = distinct
            .iter()
            .map(|outcomes| &common / &outcomes.total)
            .collect();
        let mut entries = Vec::with_capacity(pairs);
        for ((key, weight), &place) in states.entries.iter().zip(of_state) {
            let scaled = weight * &scales[place];
            for (row, part) in &distinct[place].rows {
                let next: Key = sources
                    .iter()
                    .map(|source| source.value(key, row))
                    .collect();
                entries.push((next, &scaled * part));
            }
        }
        let mut joined = States {
            entries,
            total: &states.total * common,
        };
        joined.merge();
        Ok(joined)
    }

    /// Charges for so many states with weights over such a total.
    fn charge(&self, states: usize, total: &UBig) -> Result<(), Error> {
        // A product and a sum of weights, word by word.
        const WORD_STEPS: u128 = 8;
        let words = (total.bit_len() / 64) as u128;
        let each = PAIR_STEPS + words * WORD_STEPS;
        let steps = each.saturating_mul(states as u128);
        self.budget.charge(steps).map_err(|error| match error {
            oddsmith_dist::Error::OverBudget { predicted, limit } => Error::over_budget(
                "the joint of the script's values".to_owned(),
                predicted,
                limit,
            ),
            other => unreachable!("charging only goes over budget: {other}"),
        })
    }

    #[expect(clippy::too_many_arguments, reason = "a loop is all of these")]
    fn repeat(
        &mut self,
        rounds: i64,
        until: Option<&Expr>,
        body: &Script,
        head: &[VarId],
        before: &[VarId],
        after: &[VarId],
        states: &States,
    ) -> Result<States, Error> {
        let mut running = project(states, before, head);
        // Over the total of `running`, which grows by a factor with every step.
        let mut finished: Vec<(Key, UBig)> = Vec::new();
        for _ in 0..rounds {
            let total = running.total.clone();
            if let Some(condition) = until {
                let (done, going) = self.split(&running, head, condition)?;
                scale(&mut finished, &(&going.total / &total));
                finished.extend(project(&done, head, after).entries);
                running = going;
            }
            if running.entries.is_empty() {
                break;
            }
            let total = running.total.clone();
            running = self.run(body, head, running)?;
            scale(&mut finished, &(&running.total / total));
            self.charge(finished.len(), &running.total)?;
        }
        finished.extend(project(&running, head, after).entries);
        let mut all = States {
            entries: finished,
            total: running.total,
        };
        all.merge();
        Ok(all)
    }

    /// The states in which a condition holds, and the others.
    fn split(
        &mut self,
        states: &States,
        vars: &[VarId],
        condition: &Expr,
    ) -> Result<(States, States), Error> {
        self.charge(states.entries.len(), &states.total)?;
        let mut rolls = Vec::with_capacity(states.entries.len());
        for (key, _) in &states.entries {
            vars.iter()
                .zip(key)
                .for_each(|(var, value)| self.bind(*var, *value));
            let roll = self.roll(condition);
            vars.iter().for_each(|var| self.unbind(*var));
            rolls.push(roll?.into_dist());
        }
        let common = least_common_multiple(rolls.iter().map(Dist::total));
        let total = &states.total * &common;
        let mut parts = [Vec::new(), Vec::new()];
        for ((key, weight), roll) in states.entries.iter().zip(&rolls) {
            let scaled = weight * (&common / roll.total());
            for (value, part) in roll.iter() {
                parts[usize::from(value == 0)].push((key.clone(), &scaled * part));
            }
        }
        let [holds, fails] = parts;
        Ok((
            States {
                entries: holds,
                total: total.clone(),
            },
            States {
                entries: fails,
                total,
            },
        ))
    }

    /// The number that a block ends in, over everything that it rolls first.
    pub(crate) fn block(
        &mut self,
        statements: &[Statement],
        value: &Expr,
        at: &Expr,
    ) -> Result<Roll, Error> {
        let mut parts = Vec::new();
        self.block_states(statements, value, false, at, &mut |env, value, weight| {
            let roll = env.roll(value)?;
            if let Roll::Rolled(dist) = &roll {
                env.charge_keeping(dist, at)?;
            }
            parts.push((weight, roll));
            Ok(())
        })?;
        if let [(_, only)] = parts.as_slice() {
            return Ok(only.clone());
        }
        let dist = |(weight, roll): (UBig, Roll)| (weight, roll.into_dist());
        let parts: Vec<(UBig, Dist)> = parts.into_iter().map(dist).collect();
        self.wrapped(Dist::mix(&parts), at)
    }

    /// Calls `then` with the value of a block for every state that its statements can end in, with that
    /// state's weight.
    pub(crate) fn block_states(
        &mut self,
        statements: &[Statement],
        value: &Expr,
        is_pool: bool,
        at: &Expr,
        then: &mut dyn FnMut(&mut Self, &Expr, UBig) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let block = self.block_script(statements, value, is_pool, at);
        let outer: Vec<Option<i64>> = block.before.iter().map(|var| self.peek(*var)).collect();
        let start: Key = outer
            .iter()
            .map(|value| value.expect("what a block reads is bound around it"))
            .collect();
        let states = self.run(&block.script, &block.before, States::certain(start))?;
        let vars = block.script.final_vars(&block.before);
        for (key, weight) in states.entries {
            for (var, value) in vars.iter().zip(&key) {
                self.bind(*var, *value);
            }
            then(self, &block.value, weight)?;
            vars.iter().for_each(|var| self.unbind(*var));
        }
        for (var, value) in block.before.iter().zip(outer) {
            self.restore(*var, value);
        }
        Ok(())
    }
}

/// Multiplies all weights.
fn scale(entries: &mut [(Key, UBig)], factor: &UBig) {
    if *factor != UBig::ONE {
        entries.iter_mut().for_each(|(_, weight)| *weight *= factor);
    }
}

/// States over fewer variables.
fn project(states: &States, from: &[VarId], to: &[VarId]) -> States {
    let sources: Vec<Source> = to
        .iter()
        .filter_map(|var| Source::find(*var, &[], from))
        .collect();
    let pick = |(key, weight): &(Key, UBig)| {
        let next: Key = sources
            .iter()
            .map(|source| source.value(key, &[]))
            .collect();
        (next, weight.clone())
    };
    let mut projected = States {
        entries: states.entries.iter().map(pick).collect(),
        total: states.total.clone(),
    };
    projected.merge();
    projected
}

/// Where a variable's next value comes from.
enum Source {
    /// The state before.
    Old(usize),
    /// What the step binds.
    New(usize),
}

impl Source {
    fn find(var: VarId, new: &[VarId], old: &[VarId]) -> Option<Self> {
        let place = |vars: &[VarId]| vars.iter().position(|other| *other == var);
        place(new)
            .map(Self::New)
            .or_else(|| place(old).map(Self::Old))
    }

    fn value(&self, old: &[i64], new: &[i64]) -> i64 {
        match self {
            Self::Old(at) => old[*at],
            Self::New(at) => new[*at],
        }
    }
}

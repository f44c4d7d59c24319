//! Statements: from states before a step to states after it.

use oddsmith_dist::{Dist, UBig, least_common_multiple};
use oddsmith_rules::program::{Expr, Reading, VarId};

use crate::Error;
use crate::account::JOINT;
use crate::choices::{Decide as _, Place, Visit};
use crate::evaluate::{Composite, Env, Roll};
use crate::hash::Map;
use crate::residual::{BlockScript, Script, Step, collect_vars};
use crate::states::{Key, States};

/// What a step makes of several states.
pub(crate) struct Made {
    /// The variables that it binds.
    pub(crate) vars: Vec<VarId>,
    /// Over these, what it makes of one state.
    pub(crate) distinct: Vec<States>,
    /// For each state, which of them.
    pub(crate) of_state: Vec<usize>,
}

impl Made {
    /// The least common total, and what each outcome's weights are to be multiplied by for it.
    pub(crate) fn scales(&self) -> (UBig, Vec<UBig>) {
        let common = least_common_multiple(self.distinct.iter().map(|made| &made.total));
        let scale = |made: &States| &common / &made.total;
        let scales = self.distinct.iter().map(scale).collect();
        (common, scales)
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
        let first_choice = script.first_choice();
        for (at, (step, after)) in script.steps.iter().zip(&script.live).enumerate() {
            if first_choice == Some(at) {
                self.decide(script, at, before, &states)?;
            }
            let combinations = states.len();
            let played = self.step(step, before, after, states);
            states = played.map_err(|error| self.too_joint(error, step, before, combinations))?;
            before = after;
        }
        Ok(states)
    }

    /// A refusal of too many states, with the line whose step would make them and what is told apart before it.
    fn too_joint(&self, error: Error, step: &Step, before: &[VarId], combinations: usize) -> Error {
        let is_joint = matches!(&error, Error::OverBudget { what, .. } if what == JOINT);
        let var = match step {
            Step::Let { var, .. }
            | Step::Set { var, .. }
            | Step::Roll { var, .. }
            | Step::Choose { var, .. } => Some(*var),
            Step::Read { pools, .. } => pools.first().map(|(var, _)| *var),
            Step::Repeat { .. } => None,
        };
        match var {
            Some(var) if is_joint => self.scope.too_joint(error, var, before, combinations),
            _ => error,
        }
    }

    fn step(
        &mut self,
        step: &Step,
        before: &[VarId],
        after: &[VarId],
        states: States,
    ) -> Result<States, Error> {
        match step {
            Step::Choose { var, .. } => self.choose_step((step, *var), before, after, &states),
            Step::Repeat {
                count: Some(count),
                until,
                body,
                head,
                ..
            } => {
                let rounds = self.round_count(count)?;
                self.repeat(rounds, until.as_ref(), body, head, before, after, states)
            }
            Step::Let { var, value } | Step::Set { var, value } if !value.rolls_dice() => {
                match self.numbers(value, before, &states)? {
                    Some(made) => {
                        let sources = Source::find_all(after, &[*var], before);
                        let mut next = states.rekeyed(sources.len(), |at, key, values| {
                            values.extend(Source::values(&sources, key, &made[at..=at]));
                        });
                        next.merge(0);
                        Ok(next)
                    }
                    None => self.rolled_step(step, before, after, &states),
                }
            }
            _ => self.rolled_step(step, before, after, &states),
        }
    }

    fn rolled_step(
        &mut self,
        step: &Step,
        before: &[VarId],
        after: &[VarId],
        states: &States,
    ) -> Result<States, Error> {
        let made = self.outcomes(step, before, after, states.keys())?;
        self.join(made, before, after, states)
    }

    /// The number of rounds of a loop.
    pub(crate) fn round_count(&mut self, count: &Expr) -> Result<i64, Error> {
        let rounds = self.number(count)?;
        if rounds < 0 {
            let message = "the number of rounds can't be below 0";
            return Err(self
                .scope
                .error(count, message, format!("it is {rounds} here")));
        }
        Ok(rounds)
    }

    /// What a step that rolls makes of each state. States that agree on what it reads share the work.
    pub(crate) fn outcomes<'k>(
        &mut self,
        step: &Step,
        before: &[VarId],
        after: &[VarId],
        keys: impl ExactSizeIterator<Item = &'k [i64]>,
    ) -> Result<Made, Error> {
        if let Step::Repeat {
            played: Some(track),
            ..
        } = step
        {
            return self.played_out(track, step, before, after, keys);
        }
        let mut read = Vec::new();
        // A state by itself shares with none, whatever is read of it.
        if keys.len() > 1 {
            step.for_each_expr(&mut |expr| collect_vars(expr, self.scope.fixed, &mut read));
        }
        let relevant: Vec<usize> = (0..before.len())
            .filter(|&at| read.contains(&before[at]))
            .collect();
        let mut distinct: Vec<States> = Vec::new();
        let mut outcomes = 0;
        let mut places: Map<Key, usize> = Map::default();
        let mut of_state = Vec::with_capacity(keys.len());
        let mut seen = Key::new();
        for key in keys {
            seen.clear();
            seen.extend(relevant.iter().map(|&at| key[at]));
            let place = match places.get(&seen) {
                Some(place) => *place,
                None => {
                    self.bind_all(before, key);
                    let made = self.rolled(step);
                    self.unbind_all(before);
                    let made = made?;
                    outcomes += made.len();
                    self.account.charge_states(made.len(), &made.total)?;
                    self.account.hold_outcomes(outcomes, &made.total)?;
                    distinct.push(made);
                    places.insert(seen.clone(), distinct.len() - 1);
                    distinct.len() - 1
                }
            };
            of_state.push(place);
        }
        let vars = match step {
            Step::Let { var, .. } | Step::Set { var, .. } | Step::Roll { var, .. } => vec![*var],
            Step::Read { readings, .. } => readings.iter().map(|(var, _)| *var).collect(),
            Step::Choose { .. } | Step::Repeat { .. } => Vec::new(),
        };
        Ok(Made {
            vars,
            distinct,
            of_state,
        })
    }

    /// What a step makes of the state whose values are bound.
    fn rolled(&mut self, step: &Step) -> Result<States, Error> {
        match step {
            Step::Let { value, .. } | Step::Set { value, .. } => {
                self.roll(value).map(|roll| match roll {
                    Roll::Known(value) => States::certain(&[value]),
                    Roll::Rolled(dist) => States::of_dist(&dist),
                })
            }
            Step::Roll { pool, .. } => self.roll_pool(pool).map(|dist| States::of_dist(&dist)),
            Step::Read { pools, readings } => {
                let joint = match pools.as_slice() {
                    [ours, theirs] => self.compare_jointly(ours, theirs, readings)?,
                    [(var, pool)] => self.read_jointly(*var, pool, readings)?,
                    _ => unreachable!("one pool is read, or two are compared"),
                };
                let total = joint.total().clone();
                let mut made = States::with_capacity(joint.len(), readings.len(), total);
                for (row, weight) in joint {
                    made.push(row.iter().copied(), weight);
                }
                Ok(made)
            }
            Step::Choose { .. } | Step::Repeat { .. } => {
                unreachable!("these roll nothing themselves")
            }
        }
    }

    /// Every state with the option that was found best for it.
    fn choose_step(
        &mut self,
        (step, var): (&Step, VarId),
        before: &[VarId],
        after: &[VarId],
        states: &States,
    ) -> Result<States, Error> {
        self.account.charge_states(states.len(), &states.total)?;
        let place = self.choices.place(var);
        let options = self.chosen((step, &place), before, states.keys())?;
        let sources = Source::find_all(after, &[var], before);
        let mut chosen = States::with_capacity(states.len(), sources.len(), states.total.clone());
        for ((key, weight), option) in states.iter().zip(options) {
            chosen.push(Source::values(&sources, key, &[option]), weight.clone());
        }
        chosen.merge(0);
        if let Some(visits) = &mut self.choices.visits {
            let (vars, states) = (before.to_vec(), states.clone());
            visits.push(Visit {
                place,
                vars,
                states,
            });
        }
        Ok(chosen)
    }

    /// What is chosen in each of these states over `before`.
    pub(crate) fn chosen<'k>(
        &mut self,
        (step, place): (&Step, &Place),
        before: &[VarId],
        keys: impl Iterator<Item = &'k [i64]> + Clone,
    ) -> Result<Vec<i64>, Error> {
        let chooser = self.choices.chooser(place, before);
        let known = keys.clone().map(|key| chooser.option(key));
        let known: Vec<Option<i64>> = known.collect();
        let all = known.into_iter().zip(keys).map(|(known, key)| match known {
            Some(option) => Ok(option),
            None => self.only_option(step, before, key),
        });
        all.collect()
    }

    /// Every state with every outcome, over the variables that are still needed.
    fn join(
        &mut self,
        mut made: Made,
        before: &[VarId],
        after: &[VarId],
        states: &States,
    ) -> Result<States, Error> {
        let distinct = &mut made.distinct;
        let lens = made.of_state.iter().map(|&place| distinct[place].len());
        self.account.charge_states(lens.sum(), &states.total)?;
        let sources = Source::find_all(after, &made.vars, before);
        if states.is_certain() {
            let rows = distinct.pop().expect("something is made of a state");
            let mut joined = rows.rekeyed(sources.len(), |_, row, values| {
                values.extend(Source::values(&sources, states.key(0), row));
            });
            joined.merge(0);
            return Ok(joined);
        }
        let (common, scales) = made.scales();
        let Made {
            distinct, of_state, ..
        } = &made;
        let pairs = of_state.iter().map(|&place| distinct[place].len()).sum();
        let mut joined = States::with_capacity(pairs, sources.len(), &states.total * common);
        for ((key, weight), &place) in states.iter().zip(of_state) {
            let scaled = weight * &scales[place];
            for (row, part) in distinct[place].iter() {
                joined.push(Source::values(&sources, key, row), &scaled * part);
            }
        }
        joined.merge(0);
        Ok(joined)
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
        states: States,
    ) -> Result<States, Error> {
        let mut running = project(states, before, head);
        if until.is_none() && !running.is_empty() && !body.steps.is_empty() {
            self.account.foresee_rounds(rounds)?;
        }
        // Over the total of `running`, which grows by a factor with every step.
        let nothing = States::with_capacity(0, head.len(), running.total.clone());
        let mut finished = project(nothing, head, after);
        for round in 0..rounds {
            let total = running.total.clone();
            if let Some(condition) = until {
                let (done, going) = self.split(&running, head, condition)?;
                finished.scale(&(&going.total / &total));
                finished.append(project(done, head, after));
                running = going;
            }
            if running.is_empty() {
                break;
            }
            let total = running.total.clone();
            let round = usize::try_from(round).expect("fewer rounds than memory has places");
            self.choices.rounds.push(round);
            let played = self.run(body, head, running);
            self.choices.rounds.pop();
            running = played?;
            finished.scale(&(&running.total / total));
            self.account.charge_states(finished.len(), &running.total)?;
        }
        finished.append(project(running, head, after));
        finished.merge(0);
        Ok(finished)
    }

    /// The states in which a condition holds, and the others.
    fn split(
        &mut self,
        states: &States,
        vars: &[VarId],
        condition: &Expr,
    ) -> Result<(States, States), Error> {
        self.account.charge_states(states.len(), &states.total)?;
        let mut rolls = Vec::with_capacity(states.len());
        for key in states.keys() {
            self.bind_all(vars, key);
            let roll = self.roll(condition);
            self.unbind_all(vars);
            rolls.push(roll?.into_dist());
        }
        let common = least_common_multiple(rolls.iter().map(Dist::total));
        let total = &states.total * &common;
        let mut holds = States::with_capacity(0, vars.len(), total);
        let mut fails = holds.clone();
        for ((key, weight), roll) in states.iter().zip(&rolls) {
            let scaled = weight * (&common / roll.total());
            for (value, part) in roll.iter() {
                let side = if value == 0 { &mut fails } else { &mut holds };
                side.push(key.iter().copied(), &scaled * part);
            }
        }
        Ok((holds, fails))
    }

    /// The weights of a condition's being true and false, in the state that is bound.
    pub(crate) fn chances(&mut self, condition: &Expr) -> Result<(UBig, UBig), Error> {
        let dist = self.roll(condition)?.into_dist();
        let fails = dist.weight(0);
        Ok((dist.total() - &fails, fails))
    }
}

impl Composite for Env<'_> {
    fn read(&mut self, pool: &Expr, reading: &Reading, at: &Expr) -> Result<Roll, Error> {
        self.read_pool(pool, reading, at)
    }

    fn wins(&mut self, left: &Expr, right: &Expr, at: &Expr) -> Result<Roll, Error> {
        self.pairs_won(left, right, at)
    }

    fn block_states(
        &mut self,
        block: &BlockScript,
        then: &mut dyn FnMut(&mut Self, &Expr, UBig) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let outer: Vec<Option<i64>> = block.before.iter().map(|var| self.peek(*var)).collect();
        let start: Key = outer
            .iter()
            .map(|value| value.expect("what a block reads is bound around it"))
            .collect();
        // Choices in here are made for a part of the whole, again and again.
        let visits = self.choices.visits.take();
        let states = self.run(&block.script, &block.before, States::certain(&start));
        self.choices.visits = visits;
        let states = states?;
        let vars = block.script.final_vars(&block.before);
        for (key, weight) in states.iter() {
            self.bind_all(vars, key);
            then(self, &block.value, weight.clone())?;
            self.unbind_all(vars);
        }
        for (var, value) in block.before.iter().zip(outer) {
            self.restore(*var, value);
        }
        Ok(())
    }
}

/// States over fewer variables.
pub(crate) fn project(states: States, from: &[VarId], to: &[VarId]) -> States {
    let sources = Source::find_all(to, &[], from);
    let mut projected = states.rekeyed(sources.len(), |_, key, values| {
        values.extend(Source::values(&sources, key, &[]));
    });
    projected.merge(0);
    projected
}

/// Where a variable's next value comes from.
pub(crate) enum Source {
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

    /// For each of the variables that is known at all.
    pub(crate) fn find_all(vars: &[VarId], new: &[VarId], old: &[VarId]) -> Vec<Self> {
        vars.iter()
            .filter_map(|var| Self::find(*var, new, old))
            .collect()
    }

    /// The state after a step.
    pub(crate) fn key(sources: &[Self], old: &[i64], new: &[i64]) -> Key {
        Self::values(sources, old, new).collect()
    }

    /// The values of the state after a step.
    pub(crate) fn values(
        sources: &[Self],
        old: &[i64],
        new: &[i64],
    ) -> impl ExactSizeIterator<Item = i64> {
        sources.iter().map(|source| source.value(old, new))
    }

    fn value(&self, old: &[i64], new: &[i64]) -> i64 {
        match self {
            Self::Old(at) => old[*at],
            Self::New(at) => new[*at],
        }
    }
}

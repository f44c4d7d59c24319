//! Choices: at each of them the option with the greatest mean of what the check strives for, or with the least where the
//! opponent chooses.
//!
//! Which option is best depends on what may still be rolled, so it is found backwards. From the first choice of
//! a script to the step that binds what its choices strive for, every state that any choice could lead to is
//! laid out in layers, one for each step; then the mean is carried back from the last layer to the first, and at
//! each choice the option that is best for whoever chooses is kept. After that the script is run like any other, with the
//! choices made.
//!
//! The mean of a state is an integer over a total that the layer's states share, so that comparing options
//! needs no division. What is striven for is the goal itself, or what its values are [`crate::Worth`].

mod enclosure;
mod graph;
mod layers;
mod leap;
mod leaving;
mod proof;
mod rounds;
mod search;
mod together;
mod web;

pub(crate) use graph::Loop;
pub(crate) use rounds::Rounds;

use std::rc::Rc;

use oddsmith_dist::{IBig, UBig, least_common_multiple};
use oddsmith_rules::Span;
use oddsmith_rules::program::{Expr, Options, VarId};

use crate::Error;
use crate::account::PAIR_STEPS;
use crate::choices::Decide;
use crate::evaluate::Env;
use crate::hash::Map;
use crate::residual::{Script, Step};
use crate::run::{Made, Source};
use crate::states::States;
use layers::{Fork, Layers, Link, Means, Node};

/// What making a part of a roll costs: it is sorted among the others and looked up; and what each die adds.
const PART_STEPS: u128 = 100;
const DIE_STEPS: u128 = 10;

impl Decide for Env<'_> {
    fn decide(
        &mut self,
        script: &Script,
        first: usize,
        before: &[VarId],
        states: &States,
    ) -> Result<(), Error> {
        let is_goal =
            |step: &Step| matches!(step, Step::Let { var, .. } if script.goals().contains(var));
        let last = script.steps.iter().rposition(is_goal).unwrap_or(first);
        let mut layers = Layers::closing(&script.steps[first..=last]);
        let start = layers.add();
        layers.charge(&self.account, states.len(), before.len())?;
        for key in states.keys() {
            layers.node(start, key.iter().copied());
        }
        let (steps, live) = (&script.steps[first..=last], &script.live[first..=last]);
        self.lay_out(&mut layers, start, steps, live, before)?;
        layers.decide(&mut self.choices.policies);
        layers.free(&self.account);
        Ok(())
    }

    fn only_option(&mut self, step: &Step, before: &[VarId], key: &[i64]) -> Result<i64, Error> {
        let Step::Choose {
            var,
            options,
            condition,
            span,
            ..
        } = step
        else {
            unreachable!("only choices have options")
        };
        self.bind_all(before, key);
        let found = self.options(*var, options, condition.as_ref(), *span);
        self.unbind_all(before);
        match found?.as_slice() {
            [only] => Ok(*only),
            _ => unreachable!("what is best of several options is known"),
        }
    }
}

impl Env<'_> {
    /// Lays out what steps can make of a layer; the layer after them.
    fn lay_out(
        &mut self,
        layers: &mut Layers,
        mut layer: usize,
        steps: &[Step],
        live: &[Vec<VarId>],
        before: &[VarId],
    ) -> Result<usize, Error> {
        let (mut before, mut at) = (before, 0);
        while at < steps.len() {
            let until = at + self.together(layers, &steps[at..]);
            let (some, after) = (&steps[at..until], live[until - 1].as_slice());
            layer = match &steps[at] {
                Step::Choose {
                    party,
                    var,
                    options,
                    condition,
                    goal,
                    span,
                } if layers.closes(*goal) => {
                    let choose = (*var, options, condition.as_ref(), *span);
                    let options = self.lay_options(layers, layer, choose, before, after)?;
                    let (next, options) = options;
                    let place = self.choices.place(*var);
                    self.choices.note(*party, *var);
                    if let Some(keys) = self.choices.keys.as_mut().filter(|_| !layers.is_round) {
                        keys.note(&place, before);
                    }
                    let fork = Fork {
                        party: *party,
                        place,
                        goal: layers.goal(*goal),
                        options,
                        best: Vec::new(),
                    };
                    layers.link(layer, Link::Fork(fork));
                    next
                }
                step @ Step::Choose { var, .. } => {
                    self.lay_chosen(layers, layer, (step, *var), before, after)?
                }
                Step::Repeat {
                    count: Some(count),
                    until,
                    body,
                    head,
                    ..
                } => {
                    let rounds = self.round_count(count)?;
                    self.lay_rounds(
                        layers,
                        layer,
                        (rounds, until.as_ref(), body, head),
                        before,
                        after,
                    )?
                }
                step if until > at + 1 && together::number(step).is_some() => {
                    self.lay_numbers(layers, layer, some, before, after)?
                }
                _ => self.lay_chance(layers, layer, (some, &live[at..until]), before)?,
            };
            layers.settle(&self.account);
            (before, at) = (after, until);
        }
        Ok(layer)
    }

    /// A choice for what is bound outside of these steps: it has been made already.
    fn lay_chosen(
        &mut self,
        layers: &mut Layers,
        layer: usize,
        (step, var): (&Step, VarId),
        before: &[VarId],
        after: &[VarId],
    ) -> Result<usize, Error> {
        let sources = Source::find_all(after, &[var], before);
        let keys = std::mem::take(&mut layers.layers[layer].keys);
        self.account.charge_states(keys.len(), &UBig::ONE)?;
        layers.charge(&self.account, keys.len(), after.len())?;
        let place = self.choices.place(var);
        let options = self.chosen((step, &place), before, keys.iter())?;
        let next = layers.add();
        let to = |(key, option): (&[i64], i64)| {
            let option = [option];
            let values = Source::values(&sources, key, &option);
            layers.node(next, values).1
        };
        let nodes = keys.iter().zip(options).map(to).collect();
        layers.layers[layer].keys = keys;
        layers.link(layer, Link::Sure(next, nodes));
        Ok(next)
    }

    fn lay_chance(
        &mut self,
        layers: &mut Layers,
        layer: usize,
        (steps, live): (&[Step], &[Vec<VarId>]),
        before: &[VarId],
    ) -> Result<usize, Error> {
        let after = live[live.len() - 1].as_slice();
        let keys = std::mem::take(&mut layers.layers[layer].keys);
        let each = keys.iter();
        let made = match steps {
            [step] => self.outcomes(step, before, after, each)?,
            steps => self.outcomes_together(steps, live, before, each)?,
        };
        let pairs = made
            .of_state
            .iter()
            .map(|&at| made.distinct[at].len())
            .sum();
        let (common, scales) = made.scales();
        self.account.charge_states(pairs, &common)?;
        layers.charge(&self.account, pairs, after.len())?;
        if let [Step::Let { var, .. }] = steps
            && layers.goals.iter().any(|goal| goal.var == *var)
        {
            layers.reach(*var, layer, self.means(*var, &made, &common, &scales));
        }
        let sources = Source::find_all(after, &made.vars, before);
        // What differs before or by what is made differs after it, if nothing of both is left out.
        let all_differ = sources.len() == before.len() + made.vars.len();
        let next = layers.add();
        let mut edges = Vec::with_capacity(keys.len());
        for (key, &at) in keys.iter().zip(&made.of_state) {
            let rows = made.distinct[at].iter();
            let edge = rows.map(|(row, weight)| {
                let values = Source::values(&sources, key, row);
                (
                    layers.node_of(next, values, all_differ),
                    weight * &scales[at],
                )
            });
            edges.push(edge.collect());
        }
        layers.layers[layer].keys = keys;
        layers.link(layer, Link::Chance(edges, common));
        Ok(next)
    }

    /// What each state of the layer that binds a goal is worth. A roll that nothing else reads may be a part of the
    /// goal.
    fn means(&self, goal: VarId, made: &Made, common: &UBig, scales: &[UBig]) -> Means {
        let worth = self.choices.worth.filter(|(own, _)| *own == goal);
        let of = |value| match worth {
            Some((_, worth)) => (worth.of)(value),
            None => Some(IBig::from(value)),
        };
        let mean = |&at: &usize| {
            let mut rows = made.distinct[at].iter();
            let sum = rows.try_fold(IBig::ZERO, |sum, (row, weight)| {
                Some(sum + of(row[0])? * IBig::from(weight.clone()))
            });
            Some(sum? * IBig::from(scales[at].clone()))
        };
        let unit = worth.map_or(UBig::ONE, |(_, worth)| worth.total.clone());
        Means {
            values: made.of_state.iter().map(mean).collect(),
            total: Rc::new(common * unit),
        }
    }

    /// The layer after a choice, and each state's options with where they lead.
    #[expect(clippy::type_complexity, reason = "two lists, made together")]
    fn lay_options(
        &mut self,
        layers: &mut Layers,
        layer: usize,
        (var, options, condition, span): (VarId, &Options, Option<&Expr>, Span),
        before: &[VarId],
        after: &[VarId],
    ) -> Result<(usize, Vec<Vec<(i64, Node)>>), Error> {
        let sources = Source::find_all(after, &[var], before);
        let all_differ = sources.len() == before.len() + 1;
        let next = layers.add();
        let keys = std::mem::take(&mut layers.layers[layer].keys);
        let mut all = Vec::with_capacity(keys.len());
        for key in keys.iter() {
            self.bind_all(before, key);
            let found = self.options(var, options, condition, span);
            self.unbind_all(before);
            let found = found?;
            self.account.charge_states(found.len(), &UBig::ONE)?;
            layers.charge(&self.account, found.len(), after.len())?;
            let to = |&option: &i64| {
                let option = [option];
                let values = Source::values(&sources, key, &option);
                (option[0], layers.node_of(next, values, all_differ))
            };
            all.push(found.iter().map(to).collect());
        }
        layers.layers[layer].keys = keys;
        Ok((next, all))
    }

    /// The options that a state has, in their order.
    fn options(
        &mut self,
        var: VarId,
        options: &Options,
        condition: Option<&Expr>,
        span: Span,
    ) -> Result<Vec<i64>, Error> {
        let mut found = match options {
            Options::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                let options = u128::from(from.abs_diff(to));
                self.charge_options(options.saturating_mul(PAIR_STEPS), span)?;
                (from..=to).collect()
            }
            Options::Subsets(pool) => self.subsets(pool, span)?,
        };
        if let Some(condition) = condition {
            let mut allowed = Vec::with_capacity(found.len());
            for option in found {
                self.bind(var, option);
                let is_allowed = self.number(condition);
                self.unbind(var);
                if is_allowed? != 0 {
                    allowed.push(option);
                }
            }
            found = allowed;
        }
        if found.is_empty() {
            return Err(self.scope.error_at(
                span,
                "nothing to choose from",
                "no option is left here",
            ));
        }
        Ok(found)
    }

    /// The distinct parts of a roll, as places in the table of rolls: fewest dice first, and of those with as
    /// many dice the one whose highest die is lower, then its next.
    fn subsets(&mut self, pool: &Expr, span: Span) -> Result<Vec<i64>, Error> {
        let roll = self.roll_pool(pool)?;
        let place = roll
            .as_constant()
            .expect("what is chosen from has been rolled");
        let faces = self.rolls.roll(place).to_vec();
        let sets: Vec<&[i64]> = faces.chunk_by(|a, b| a == b).collect();
        let count = sets.iter().fold(1_u64, |count, set| {
            count.saturating_mul(set.len() as u64 + 1)
        });
        let part_steps = PART_STEPS + DIE_STEPS * faces.len() as u128;
        self.charge_options(u128::from(count).saturating_mul(part_steps), span)?;
        let mut parts: Vec<Vec<i64>> = vec![Vec::new()];
        for set in sets {
            let with = |part: &Vec<i64>| {
                let part = part.clone();
                (0..=set.len()).map(move |n| [part.as_slice(), &set[..n]].concat())
            };
            parts = parts.iter().flat_map(with).collect();
        }
        parts.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        Ok(parts
            .into_iter()
            .map(|part| self.rolls.place(part))
            .collect())
    }

    fn charge_options(&self, steps: u128, span: Span) -> Result<(), Error> {
        let charged = self.account.budget.charge(steps);
        charged.map_err(|error| self.scope.wrap_at(span, &error))
    }

    fn lay_rounds(
        &mut self,
        layers: &mut Layers,
        layer: usize,
        (rounds, until, body, head): (i64, Option<&Expr>, &Script, &[VarId]),
        before: &[VarId],
        after: &[VarId],
    ) -> Result<usize, Error> {
        let exit = layers.add();
        let mut running = layers.add();
        self.lay_moves(
            layers,
            layer,
            before,
            |_, _| Ok(vec![(running, UBig::ONE)]),
            &[(running, head)],
        )?;
        for round in 0..rounds {
            if let Some(condition) = until {
                let going = layers.add();
                let split = |env: &mut Self, _: &[i64]| {
                    let (stops, goes) = env.chances(condition)?;
                    Ok(vec![(exit, stops), (going, goes)])
                };
                self.lay_moves(
                    layers,
                    running,
                    head,
                    split,
                    &[(exit, after), (going, head)],
                )?;
                running = going;
            }
            if layers.layers[running].keys.is_empty() {
                return Ok(exit);
            }
            let round = usize::try_from(round).expect("fewer rounds than memory has places");
            self.choices.rounds.push(round);
            let played = self.lay_out(layers, running, &body.steps, &body.live, head);
            self.choices.rounds.pop();
            running = played?;
        }
        let stop = |_: &mut Self, _: &[i64]| Ok(vec![(exit, UBig::ONE)]);
        self.lay_moves(layers, running, head, stop, &[(exit, after)])?;
        Ok(exit)
    }

    /// Links a layer to others that hold some of its variables: each state moves to those layers for which
    /// `weights` gives it a weight above 0.
    fn lay_moves(
        &mut self,
        layers: &mut Layers,
        layer: usize,
        before: &[VarId],
        mut weights: impl FnMut(&mut Self, &[i64]) -> Result<Vec<(usize, UBig)>, Error>,
        targets: &[(usize, &[VarId])],
    ) -> Result<(), Error> {
        let sources: Map<usize, Vec<Source>> = targets
            .iter()
            .map(|(to, vars)| (*to, Source::find_all(vars, &[], before)))
            .collect();
        let keys = std::mem::take(&mut layers.layers[layer].keys);
        self.account.charge_states(keys.len(), &UBig::ONE)?;
        let mut moves: Vec<Vec<(usize, UBig)>> = Vec::with_capacity(keys.len());
        for key in keys.iter() {
            self.bind_all(before, key);
            let found = weights(self, key);
            self.unbind_all(before);
            moves.push(found?);
        }
        let totals: Vec<UBig> = moves
            .iter()
            .map(|to| to.iter().map(|(_, weight)| weight).sum())
            .collect();
        let common = least_common_multiple(totals.iter());
        let ways = moves.iter().map(Vec::len).sum();
        let values = targets.iter().map(|(_, vars)| vars.len()).max();
        layers.charge(&self.account, ways, values.unwrap_or(0))?;
        let mut edges = Vec::with_capacity(keys.len());
        for ((key, to), total) in keys.iter().zip(moves).zip(&totals) {
            let to = to.into_iter().filter(|(_, weight)| *weight != UBig::ZERO);
            let edge = to.map(|(to, weight)| {
                (
                    layers.node(to, Source::values(&sources[&to], key, &[])),
                    weight * (&common / total),
                )
            });
            edges.push(edge.collect());
        }
        layers.layers[layer].keys = keys;
        layers.link(layer, Link::Chance(edges, common));
        Ok(())
    }
}

//! A track's rounds with everything that may be rolled and chosen in them, as a graph.
//!
//! A node is a roll, whose ways have weights, or a choice, whose ways are its options. What only makes a number of what is
//! known is no node, nor is a choice of one option, unless each choice is told. Rounds are laid out for all states that any choice
//! can lead to, wave after wave.

use oddsmith_dist::{Budget, UBig};
use oddsmith_rules::program::{Expr, Party, VarId};

use super::layers::{Layers, Link};
use crate::Error;
use crate::evaluate::Env;
use crate::hash::Map;
use crate::residual::{Script, Step};
use crate::run::Source;
use crate::states::{Key, Keys, States};
use crate::widest::{Variable, advice};

/// A track's loop, as those see it who choose in it.
pub(crate) struct Loop<'s> {
    pub(crate) body: &'s Script,
    /// What matters before and after a round.
    pub(crate) head: &'s [VarId],
    pub(crate) until: &'s Expr,
    /// Those of the head that rounds only add to: no choice depends on them.
    pub(crate) sums: &'s [VarId],
    pub(crate) goal: VarId,
}

/// Where something leads: to a node of the same round, or to the state after it with what the round has added to the sums,
/// as a place in [`Graph::gains`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    Node(usize),
    State(usize, usize),
}

pub(super) enum Node {
    Roll(Vec<(Way, UBig)>),
    Choice(Choice),
}

impl<'s> Loop<'s> {
    /// What is known at a choice of a round.
    fn before(&self, var: VarId) -> &'s [VarId] {
        let chooses = |step: &Step| matches!(step, Step::Choose { var: own, .. } if *own == var);
        match self.body.steps.iter().position(chooses) {
            Some(at @ 1..) => &self.body.live[at - 1],
            _ => self.head,
        }
    }

    /// The choices of a round, each with what the keys of its policy hold: all that is known, but for the sums.
    pub(super) fn choices(&self) -> impl Iterator<Item = (VarId, Vec<VarId>)> {
        self.body.steps.iter().filter_map(|step| {
            let Step::Choose { var, .. } = step else {
                return None;
            };
            let is_seen = |known: &&VarId| !self.sums.contains(known);
            let seen = self.before(*var).iter().filter(is_seen);
            Some((*var, seen.copied().collect()))
        })
    }
}

/// A choice in one state.
pub(super) struct Choice {
    pub(super) party: Party,
    pub(super) var: VarId,
    /// What is known, without sums.
    pub(super) key: Key,
    /// What the round has added to the sums so far, as a place in [`Graph::gains`].
    pub(super) gains: usize,
    pub(super) options: Vec<(i64, Way)>,
}

/// States are numbered as they are met; the nodes of a round come after those that they lead to.
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    /// Over the head, with all sums at 0: the place of a key is the number of its state.
    pub(super) keys: Keys,
    /// Where the round of a state begins; none if there is none.
    pub(super) first: Vec<Option<Way>>,
    /// What rounds add to the sums; the first is nothing.
    pub(super) gains: Vec<Box<[i64]>>,
    gain_places: Map<Box<[i64]>, usize>,
    /// Whether what is chosen is told, and not played alone.
    is_told: bool,
    /// What the values of a key are called.
    names: Vec<String>,
    memory: Budget,
}

/// The bytes of a node and of one of its ways: an option, or a weight in two forms.
const NODE_BYTES: u128 = 160;
const WAY_BYTES: u128 = 96;
/// The bytes of a state, beside its values, which are there twice.
const STATE_BYTES: u128 = 160;
/// What a way takes to be made.
const WAY_STEPS: u128 = 60;

impl Graph {
    /// The rounds that can follow these states, which are over the head with all sums at 0.
    pub(super) fn new(env: &mut Env<'_>, lap: &Loop<'_>, starts: &States) -> Result<Self, Error> {
        let nothing: Box<[i64]> = vec![0; lap.sums.len()].into();
        let mut graph = Self {
            nodes: Vec::new(),
            keys: Keys::default(),
            first: Vec::new(),
            gains: vec![nothing.clone()],
            gain_places: Map::from_iter([(nothing, 0)]),
            is_told: env.choices.are_told(),
            names: { lap.head.iter() }
                .map(|var| env.scope.name(*var).to_owned())
                .collect(),
            memory: env.account.budget.part(),
        };
        for key in starts.keys() {
            graph.state(key)?;
        }
        let mut next = 0;
        while next < graph.keys.len() {
            let last = graph.keys.len();
            let mut going = Vec::new();
            for state in next..last {
                env.bind_all(lap.head, graph.keys.get(state));
                let is_over = env.number(lap.until);
                env.unbind_all(lap.head);
                if is_over? == 0 {
                    going.push(state);
                }
            }
            if !going.is_empty() {
                graph.wave(env, lap, &going)?;
            }
            next = last;
        }
        Ok(graph)
    }

    /// The choices, each with its place.
    pub(super) fn choices(&self) -> impl Iterator<Item = (usize, &Choice)> {
        let nodes = self.nodes.iter().zip(self.keys.len()..);
        nodes.filter_map(|(node, at)| match node {
            Node::Choice(choice) => Some((at, choice)),
            Node::Roll(_) => None,
        })
    }

    /// Whether an opponent chooses somewhere.
    pub(super) fn is_opposed(&self) -> bool {
        self.choices()
            .any(|(_, choice)| choice.party == Party::Opponent)
    }

    /// How many ways there are.
    pub(super) fn ways(&self) -> usize {
        let of_node = |node: &Node| match node {
            Node::Roll(ways) => ways.len(),
            Node::Choice(choice) => choice.options.len(),
        };
        self.nodes.iter().map(of_node).sum()
    }

    /// How many places there are: all states, then all nodes.
    pub(super) fn places(&self) -> usize {
        self.keys.len() + self.nodes.len()
    }

    /// The place of a state that has been met.
    pub(super) fn place(&self, key: &[i64]) -> usize {
        let place = self.keys.find(key);
        place.expect("the state has been met")
    }

    /// The place that a way leads to, and what the round has added to the sums by then.
    pub(super) fn chain_place(&self, way: Way) -> (usize, usize) {
        match way {
            Way::State(state, gain) => (state, gain),
            Way::Node(node) => (self.keys.len() + node, 0),
        }
    }

    /// The rounds of these states.
    fn wave(&mut self, env: &mut Env<'_>, lap: &Loop<'_>, going: &[usize]) -> Result<(), Error> {
        let mut layers = Layers::of_round(lap.goal);
        let start = layers.add();
        layers.charge(&env.account, going.len(), lap.head.len())?;
        for state in going {
            layers.node(start, self.keys.get(*state).iter().copied());
        }
        let (steps, live) = (&lap.body.steps, &lap.body.live);
        let end = env.lay_out(&mut layers, start, steps, live, lap.head)?;
        let mut ways: Vec<Vec<Way>> = vec![Vec::new(); layers.layers.len()];
        ways[end] = self.after(&layers, end, lap)?;
        for at in layers.order.clone().into_iter().rev() {
            let layer = &layers.layers[at];
            ways[at] = match &layer.link {
                Link::End => Vec::new(),
                Link::Chance(edges, _) => {
                    let edges = edges.iter().map(|edges| self.roll(edges, &ways));
                    edges.collect::<Result<_, _>>()?
                }
                Link::Sure(layer, nodes) => nodes.iter().map(|node| ways[*layer][*node]).collect(),
                Link::Fork(fork) => {
                    let before = lap.before(fork.place.0);
                    let options = layer.keys.iter().zip(&fork.options);
                    let options = options.map(|(key, options)| {
                        let options = options.iter();
                        let options =
                            options.map(|(option, (layer, node))| (*option, ways[*layer][*node]));
                        let choice = (fork.place.0, before, key);
                        self.choice(lap, fork.party, choice, options.collect())
                    });
                    options.collect::<Result<_, _>>()?
                }
            };
        }
        for (state, way) in going.iter().zip(&ways[start]) {
            self.first[*state] = Some(*way);
        }
        layers.free(&env.account);
        Ok(())
    }

    /// Where the last layer of a round leads: to states with their sums at 0.
    fn after(&mut self, layers: &Layers, end: usize, lap: &Loop<'_>) -> Result<Vec<Way>, Error> {
        let vars = lap.body.final_vars(lap.head);
        let sources = Source::find_all(lap.head, &[], vars);
        let place = |sum: &VarId| lap.head.iter().position(|var| var == sum);
        let sums: Vec<usize> = lap.sums.iter().filter_map(place).collect();
        let mut ways = Vec::new();
        for key in layers.layers[end].keys.iter() {
            let mut key = Source::key(&sources, key, &[]);
            let gains = sums.iter().map(|at| std::mem::take(&mut key[*at]));
            let gains = self.gain(gains.collect());
            ways.push(Way::State(self.state(&key)?, gains));
        }
        Ok(ways)
    }

    /// A roll; what always leads to the same is none.
    fn roll(&mut self, edges: &[((usize, usize), UBig)], ways: &[Vec<Way>]) -> Result<Way, Error> {
        let edges = edges.iter();
        let edges = edges.map(|((layer, node), weight)| (ways[*layer][*node], weight.clone()));
        let mut merged: Vec<(Way, UBig)> = edges.collect();
        merged.sort_unstable_by_key(|(way, _)| *way);
        merged.dedup_by(|(next, weight), (way, sum)| {
            let is_same = next == way;
            if is_same {
                *sum += &*weight;
            }
            is_same
        });
        match merged.as_slice() {
            [(only, _)] => Ok(*only),
            _ => self.add(merged.len(), Node::Roll(merged)),
        }
    }

    fn choice(
        &mut self,
        lap: &Loop<'_>,
        party: Party,
        (var, before, key): (VarId, &[VarId], &[i64]),
        options: Vec<(i64, Way)>,
    ) -> Result<Way, Error> {
        if let ([(_, only)], false) = (options.as_slice(), self.is_told) {
            return Ok(*only);
        }
        let known = || before.iter().zip(key);
        let is_sum = |var: &VarId| lap.sums.contains(var);
        let so_far = |sum: &VarId| {
            known()
                .find(|(var, _)| *var == sum)
                .map_or(0, |(_, value)| *value)
        };
        let gains = self.gain(lap.sums.iter().map(so_far).collect());
        let own = known().filter(|(var, _)| !is_sum(var));
        let choice = Choice {
            party,
            var,
            key: own.map(|(_, value)| *value).collect(),
            gains,
            options,
        };
        self.add(choice.options.len(), Node::Choice(choice))
    }

    fn add(&mut self, ways: usize, node: Node) -> Result<Way, Error> {
        self.pay(
            NODE_BYTES + WAY_BYTES * ways as u128,
            WAY_STEPS * ways as u128,
        )?;
        self.nodes.push(node);
        Ok(Way::Node(self.nodes.len() - 1))
    }

    fn gain(&mut self, gains: Box<[i64]>) -> usize {
        let next = self.gains.len();
        let place = *self.gain_places.entry(gains.clone()).or_insert(next);
        if place == next {
            self.gains.push(gains);
        }
        place
    }

    /// The place of a state, which is found or made.
    fn state(&mut self, key: &[i64]) -> Result<usize, Error> {
        let state = self.keys.place(key);
        if state == self.first.len() {
            self.pay(STATE_BYTES + 16 * key.len() as u128, WAY_STEPS)?;
            self.first.push(None);
        }
        Ok(state)
    }

    fn pay(&self, bytes: u128, steps: u128) -> Result<(), Error> {
        let charged = self.memory.charge(steps);
        let charged = charged.and_then(|()| self.memory.charge_memory(bytes));
        charged.map_err(|error| {
            let what = format!("choosing in a track of {} states and more", self.keys.len());
            Error::of_charge(what, &error).with_way_out(self.too_wide())
        })
    }

    /// What to do about too many states.
    fn too_wide(&self) -> Option<String> {
        let names = self.names.iter().enumerate();
        let variables = names.map(|(at, name)| {
            let states = 0..self.keys.len();
            let values = states.map(|state| self.keys.get(state)[at]);
            Variable::new(name, values)
        });
        advice(&variables.collect::<Vec<_>>())
    }
}

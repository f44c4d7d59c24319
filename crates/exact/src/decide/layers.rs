//! The states between choices and what they strive for, and the way back from there.

use std::rc::Rc;

use oddsmith_dist::{IBig, UBig, least_common_multiple};
use oddsmith_rules::program::{Party, VarId};

use crate::Error;
use crate::account::Account;
use crate::choices::{Chosen, Place, Policy, Value, lead};
use crate::hash::Map;
use crate::residual::Step;
use crate::states::{Key, Keys};

/// A state of a layer.
pub(super) type Node = (usize, usize);

/// The bytes of a state: its place among the others, what it is worth, what is chosen there, and what leads on from it. Lists
/// of values have room for more of them.
const STATE_BYTES: u128 = 180;
const VALUE_BYTES: u128 = 16;
/// As many bytes are no memory to speak of, and not charged.
const FREE_BYTES: u128 = 4 << 20;
/// The bytes of a way from a state to another one.
const WAY_BYTES: u128 = 72;
/// What a way costs: a key is made, looked up and kept, and on the way back a mean is carried along.
const WAY_STEPS: u128 = 100;
/// With more bytes than this, looking a key up waits for memory, and a way costs twice as much.
const CACHE_BYTES: u128 = 32 << 20;

/// All states that the steps between a choice and its goal can be in.
#[derive(Default)]
pub(super) struct Layers {
    pub(super) layers: Vec<Layer>,
    /// Each layer stands behind those that lead to it.
    pub(super) order: Vec<usize>,
    pub(super) goals: Vec<Goal>,
    /// The goals that are bound on the way, of which choices are made here.
    closed: Vec<VarId>,
    /// Whether these are the steps of a track's round, whose goal is bound after all rounds.
    pub(super) is_round: bool,
    /// The values that are looked up.
    key: Key,
    /// The bytes that all this takes.
    bytes: u128,
    /// The bytes that it may take: more while a layer is made.
    foreseen: u128,
    /// The bytes that were charged for it.
    charged: u128,
}

#[derive(Default)]
pub(super) struct Layer {
    pub(super) keys: Keys,
    pub(super) link: Link,
}

/// How a layer goes on.
#[derive(Default)]
pub(super) enum Link {
    #[default]
    End,
    /// Each state's next states, with weights over one total.
    Chance(Vec<Vec<(Node, UBig)>>, UBig),
    /// Each state's only next state, all of them in one layer.
    Sure(usize, Vec<usize>),
    Fork(Fork),
}

impl Link {
    /// How many ways lead on.
    fn ways(&self) -> usize {
        match self {
            Self::End => 0,
            Self::Chance(edges, _) => edges.iter().map(Vec::len).sum(),
            Self::Sure(_, nodes) => nodes.len(),
            Self::Fork(fork) => fork.options.iter().map(Vec::len).sum(),
        }
    }
}

pub(super) struct Fork {
    pub(super) party: Party,
    pub(super) place: Place,
    /// The place of what it strives for in [`Layers::goals`].
    pub(super) goal: usize,
    /// Each state's options and the states that they lead to.
    pub(super) options: Vec<Vec<(i64, Node)>>,
    /// For each state the place of its best option, once it is known.
    pub(super) best: Vec<usize>,
}

/// What choices strive for.
pub(super) struct Goal {
    pub(super) var: VarId,
    /// Once it is known: the layer, and what its states are worth.
    reached: Option<(usize, Means)>,
}

/// The mean of what the goal is worth in each state of a layer: integers over one total. None where something
/// barred may happen, which is worse than every number, whoever chooses.
pub(super) struct Means {
    pub(super) values: Vec<Option<IBig>>,
    pub(super) total: Rc<UBig>,
}

impl Layers {
    /// No states yet, for steps that bind what they strive for.
    pub(super) fn closing(steps: &[Step]) -> Self {
        let mut closed = Vec::new();
        collect_bound(steps, &mut closed);
        Self {
            closed,
            ..Self::default()
        }
    }

    /// No states yet, for the steps of a round that chooses for this goal.
    pub(super) fn of_round(goal: VarId) -> Self {
        Self {
            closed: vec![goal],
            is_round: true,
            ..Self::default()
        }
    }

    /// Whether choices for this goal are made here.
    pub(super) fn closes(&self, goal: VarId) -> bool {
        self.closed.contains(&goal)
    }

    pub(super) fn add(&mut self) -> usize {
        self.layers.push(Layer::default());
        self.layers.len() - 1
    }

    /// Charges for ways to be made from states to others of so many values, as if they all led to states of their own.
    pub(super) fn charge(
        &mut self,
        account: &Account<'_>,
        ways: usize,
        values: usize,
    ) -> Result<(), Error> {
        let wrap = |error: oddsmith_dist::Error| {
            Error::of_charge("weighing the states between choices and their goal", &error)
        };
        let bytes = WAY_BYTES + STATE_BYTES + VALUE_BYTES * values as u128;
        self.foreseen = self
            .foreseen
            .saturating_add(bytes.saturating_mul(ways as u128));
        let waits = if self.foreseen > CACHE_BYTES { 2 } else { 1 };
        let steps = (ways as u128).saturating_mul(waits * WAY_STEPS);
        account.budget.charge(steps).map_err(wrap)?;
        let over = self.foreseen.saturating_sub(FREE_BYTES);
        let more = over.saturating_sub(self.charged);
        if more > 0 {
            account.hold_more(more).map_err(wrap)?;
            self.charged += more;
        }
        Ok(())
    }

    /// Gives back what was charged for and not taken.
    pub(super) fn settle(&mut self, account: &Account<'_>) {
        self.foreseen = self.bytes;
        let over = self.bytes.saturating_sub(FREE_BYTES);
        account.give_back(self.charged.saturating_sub(over));
        self.charged = self.charged.min(over);
    }

    /// Gives back all that was charged for: nothing of this is needed any more.
    pub(super) fn free(self, account: &Account<'_>) {
        account.give_back(self.charged);
    }

    /// The state of a layer with these values.
    pub(super) fn node(&mut self, layer: usize, values: impl Iterator<Item = i64>) -> Node {
        self.node_of(layer, values, false)
    }

    /// The state of a layer with these values; a new one if it is known that all states of the layer differ.
    pub(super) fn node_of(
        &mut self,
        layer: usize,
        values: impl Iterator<Item = i64>,
        all_differ: bool,
    ) -> Node {
        let keys = &mut self.layers[layer].keys;
        let known = keys.len();
        let node = match all_differ {
            true => keys.push(values),
            false => {
                self.key.clear();
                self.key.extend(values);
                keys.place(&self.key)
            }
        };
        if node == known {
            self.bytes += STATE_BYTES + VALUE_BYTES * keys.width() as u128;
        }
        (layer, node)
    }

    pub(super) fn link(&mut self, layer: usize, link: Link) {
        self.bytes += WAY_BYTES * link.ways() as u128;
        self.layers[layer].link = link;
        self.order.push(layer);
    }

    /// What a choice that comes now strives for.
    pub(super) fn goal(&mut self, var: VarId) -> usize {
        let is_open = |goal: &Goal| goal.var == var && goal.reached.is_none();
        self.goals.iter().position(is_open).unwrap_or_else(|| {
            self.goals.push(Goal { var, reached: None });
            self.goals.len() - 1
        })
    }

    /// A goal is known in a layer.
    pub(super) fn reach(&mut self, var: VarId, layer: usize, worth: Means) {
        let goal = self.goal(var);
        self.goals[goal].reached = Some((layer, worth));
    }

    /// Decides all choices; those of a check that is called before those of its caller.
    pub(super) fn decide(&mut self, policies: &mut Map<Place, Policy>) {
        let place: Map<usize, usize> = self
            .order
            .iter()
            .enumerate()
            .map(|(at, &layer)| (layer, at))
            .collect();
        let mut goals = Vec::new();
        for (at, goal) in self.goals.iter_mut().enumerate() {
            let reached = goal.reached.take();
            let (layer, worth) = reached.expect("a goal is bound after its choices");
            goals.push((place[&layer], at, layer, worth));
        }
        goals.sort_unstable_by_key(|(place, ..)| *place);
        for (end, goal, layer, worth) in goals {
            let first = self.order[..end].iter().position(
                |&layer| matches!(&self.layers[layer].link, Link::Fork(fork) if fork.goal == goal),
            );
            let mut means = Map::from_iter([(layer, worth)]);
            for at in (first.unwrap_or(end)..end).rev() {
                let layer = self.order[at];
                let made = self.layers[layer].means(goal, &means, policies);
                means.insert(layer, made);
            }
        }
    }
}

/// What steps bind by `let`, at any depth.
fn collect_bound(steps: &[Step], out: &mut Vec<VarId>) {
    for step in steps {
        match step {
            Step::Let { var, .. } => out.push(*var),
            Step::Repeat { body, .. } => collect_bound(&body.steps, out),
            _ => {}
        }
    }
}

impl Layer {
    /// The means of `goal`, whose choices are made on the way.
    fn means(
        &mut self,
        goal: usize,
        later: &Map<usize, Means>,
        policies: &mut Map<Place, Policy>,
    ) -> Means {
        match &mut self.link {
            Link::End => unreachable!("a layer before a goal leads to it"),
            Link::Chance(edges, common) => means_of_chance(edges, common, later),
            Link::Sure(layer, nodes) => {
                let Means { values, total } = &later[layer];
                Means {
                    values: nodes.iter().map(|node| values[*node].clone()).collect(),
                    total: Rc::clone(total),
                }
            }
            Link::Fork(fork) => {
                if fork.goal == goal {
                    let chosen = fork.decide(later);
                    let keys = std::mem::take(&mut self.keys);
                    let policy = policies.entry(fork.place.clone()).or_default();
                    policy.extend(Policy::new(keys, chosen));
                }
                fork.means(later)
            }
        }
    }
}

fn means_of_chance(edges: &[Vec<(Node, UBig)>], common: &UBig, later: &Map<usize, Means>) -> Means {
    let mut targets: Vec<usize> = edges
        .iter()
        .flatten()
        .map(|((layer, _), _)| *layer)
        .collect();
    targets.sort_unstable();
    targets.dedup();
    let total = least_common_multiple(targets.iter().map(|layer| &*later[layer].total));
    // One or two of them: no state leads farther.
    let known = targets.iter().map(|layer| {
        let means = &later[layer];
        let scale = IBig::from(&total / &*means.total);
        (
            *layer,
            &means.values,
            Some(scale).filter(|scale| !scale.is_one()),
        )
    });
    let known: Vec<_> = known.collect();
    let mean = |edges: &Vec<(Node, UBig)>| {
        edges
            .iter()
            .try_fold(IBig::ZERO, |sum, ((layer, node), weight)| {
                let target = known.iter().find(|(known, ..)| known == layer);
                let (_, values, scale) = target.expect("every target is known");
                let value = values[*node].as_ref()? * IBig::from(weight.clone());
                Some(match scale {
                    Some(scale) => sum + value * scale,
                    None => sum + value,
                })
            })
    };
    Means {
        values: edges.iter().map(mean).collect(),
        total: Rc::new(common * total),
    }
}

impl Fork {
    /// Takes the first of the best options in each state.
    fn decide(&mut self, later: &Map<usize, Means>) -> Vec<Chosen> {
        self.best.clear();
        let mut all = Vec::with_capacity(self.options.len());
        for options in &self.options {
            let value = |at: usize| {
                let (layer, node) = options[at].1;
                &later[&layer].values[node]
            };
            let is_better = |at: usize, than: usize| match (value(at), value(than)) {
                (Some(worth), Some(other)) => self.party.prefers(worth, other),
                (worth, None) => worth.is_some(),
                (None, Some(_)) => false,
            };
            let first_of_best = |best, at| if is_better(at, best) { at } else { best };
            let best = (1..options.len()).fold(0, first_of_best);
            let others = (0..options.len()).filter(|&at| at != best);
            let next = others
                .reduce(first_of_best)
                .and_then(|at| value(at).as_ref());
            // Where everything is barred nothing is worth anything.
            let most = value(best).clone().unwrap_or_default();
            let chosen = Chosen {
                option: options[best].0,
                value: Some(Value {
                    lead: next.map(|next| lead(self.party, &most, next)),
                    worth: most,
                    total: Rc::clone(&later[&options[best].1.0].total),
                }),
            };
            all.push(chosen);
            self.best.push(best);
        }
        all
    }

    fn means(&self, later: &Map<usize, Means>) -> Means {
        let chosen = self.options.iter().zip(&self.best);
        let nodes: Vec<Node> = chosen.map(|(options, &best)| options[best].1).collect();
        let total = nodes.first().map_or_else(
            || Rc::new(UBig::ONE),
            |(layer, _)| Rc::clone(&later[layer].total),
        );
        let values = nodes
            .iter()
            .map(|(layer, node)| later[layer].values[*node].clone());
        Means {
            values: values.collect(),
            total,
        }
    }
}

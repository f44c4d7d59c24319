//! The moves that matter, by where they lead, with each weight and each number that is added once.

use std::collections::HashMap;
use std::ops::Range;

use dashu_int::{IBig, UBig};

use super::graph::Graph;
use super::scales::{Scales, leads};
use super::states::{Chain, Form};
use super::system::System;
use crate::number::bits;
use crate::{Budget, Error};

/// A state that is left with a number that is added on the way.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) place: u32,
    /// Which of [`Network::gains`].
    pub(super) gain: u32,
}

/// A move from another block.
#[derive(Clone, Copy, Default)]
pub(super) struct Incoming {
    /// Which of [`Network::sources`].
    pub(super) source: u32,
    /// Which of [`Network::weights`].
    pub(super) weight: u32,
}

/// A move inside a block that adds something.
#[derive(Clone, Copy)]
pub(super) struct Inner {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) weight: u32,
    pub(super) gain: u32,
}

/// States that can return to one another.
pub(super) struct Block {
    pub(super) places: Range<usize>,
    /// Which of [`Network::inner`] are its own.
    pub(super) inner: Range<usize>,
    /// Which of [`Network::systems`] it is.
    pub(super) system: usize,
    /// The product of the totals of its states is below the power of two with this exponent.
    pub(super) bits: u128,
}

pub(super) struct Network {
    /// The weights that there are, each over what those of its state are divided by.
    pub(super) weights: Vec<UBig>,
    /// The numbers that moves add; the first is 0.
    pub(super) gains: Vec<IBig>,
    /// In the order of their places.
    pub(super) sources: Vec<Source>,
    sources_until: Vec<usize>,
    incoming: Vec<Incoming>,
    incoming_until: Vec<usize>,
    pub(super) inner: Vec<Inner>,
    pub(super) blocks: Vec<Block>,
    pub(super) systems: Vec<System>,
    /// The totals that systems are made of.
    pub(super) totals: Vec<UBig>,
}

/// A number as a place in a list.
pub(super) fn index(number: usize) -> u32 {
    u32::try_from(number).expect("memory holds no list of 2^32 moves")
}

/// Weights below this are found without a hash.
const SMALL: usize = 1 << 12;

/// What lists numbers once.
struct Listed {
    small: Vec<u32>,
    large: HashMap<UBig, u32>,
    gains: HashMap<IBig, u32>,
    totals: HashMap<UBig, u32>,
    systems: HashMap<System, usize>,
    scales: Scales,
}

/// Moves from block to block, as they are found.
struct Found {
    to: u32,
    incoming: Incoming,
}

/// A move of one state: where it leads, its weight and what it adds.
type Step = (usize, u32, u32);

impl Network {
    /// Of a form in which something is added up, only if `adds` says so.
    ///
    /// # Errors
    /// [`Error::OverBudget`], before whatever is too large.
    pub(super) fn new(
        chain: &Chain,
        graph: &Graph,
        form: Option<&Form>,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let moves = graph.states.iter().map(|state| chain.moves[*state].len());
        let (moves, states) = (moves.sum::<usize>() as u128, graph.states.len() as u128);
        budget.charge(30 * moves + 60 * states)?;
        budget.charge_memory(28 * moves + 200 * states)?;
        let mut network = Self {
            weights: Vec::new(),
            gains: vec![IBig::ZERO],
            sources: Vec::with_capacity(graph.states.len()),
            sources_until: Vec::with_capacity(graph.states.len()),
            incoming: Vec::new(),
            incoming_until: Vec::new(),
            inner: Vec::new(),
            blocks: Vec::with_capacity(graph.blocks.len()),
            systems: Vec::new(),
            totals: Vec::new(),
        };
        let mut listed = Listed {
            small: vec![u32::MAX; SMALL],
            large: HashMap::new(),
            gains: HashMap::new(),
            totals: HashMap::new(),
            systems: HashMap::new(),
            scales: Scales::new(chain, graph, form),
        };
        let mut found = Vec::new();
        for places in &graph.blocks {
            network.add_block(chain, graph, form, places.clone(), &mut listed, &mut found);
        }
        network.order(&found, graph.lost() + 1);
        Ok(network)
    }

    /// Turns the systems round: each equation is then about where its state leads, not about what leads there.
    pub(super) fn turn(&mut self) {
        let moves = self.systems.iter_mut().flat_map(|system| &mut system.moves);
        moves.for_each(|(from, to, _)| std::mem::swap(from, to));
    }

    /// The sources of a place.
    pub(super) fn sources_of(&self, place: usize) -> Range<usize> {
        before(&self.sources_until, place)..self.sources_until[place]
    }

    /// The moves that come to a place from other blocks.
    pub(super) fn incoming(&self, place: usize) -> &[Incoming] {
        &self.incoming[before(&self.incoming_until, place)..self.incoming_until[place]]
    }

    /// The number of states.
    pub(super) fn states(&self) -> usize {
        self.sources_until.len()
    }

    /// Whether a move that stays in its state adds something.
    pub(super) fn stays(&self, block: &Block) -> bool {
        let mut inner = self.inner[block.inner.clone()].iter();
        inner.any(|step| step.from == step.to)
    }

    /// The number of moves from block to block.
    pub(super) fn outer_moves(&self) -> usize {
        self.incoming.len()
    }

    fn add_block(
        &mut self,
        chain: &Chain,
        graph: &Graph,
        form: Option<&Form>,
        places: Range<usize>,
        listed: &mut Listed,
        found: &mut Vec<Found>,
    ) {
        let mut system = System {
            diagonal: Vec::with_capacity(places.len()),
            moves: Vec::new(),
        };
        let (inner, mut bits_of_all) = (self.inner.len(), 0);
        let mut steps = Vec::new();
        for place in places.clone() {
            let mut total = self.row(chain, graph, form, place, listed, &mut steps);
            bits_of_all += bits(&(&total - UBig::ONE)) as u128;
            let first = self.sources.len();
            for (to, weight, gain) in steps.drain(..) {
                if !places.contains(&to) {
                    let source = self.source(first, place, gain);
                    let incoming = Incoming { source, weight };
                    let to = index(to);
                    found.push(Found { to, incoming });
                    continue;
                }
                if gain != 0 {
                    let (from, to) = (index(place), index(to));
                    self.inner.push(Inner {
                        from,
                        to,
                        weight,
                        gain,
                    });
                }
                if to == place {
                    total -= &self.weights[weight as usize];
                } else {
                    let local = |place: usize| index(place - places.start);
                    system.moves.push((local(place), local(to), weight));
                }
            }
            self.sources_until.push(self.sources.len());
            system.diagonal.push(self.total(total, listed));
        }
        let block = Block {
            places,
            inner: inner..self.inner.len(),
            system: self.system(system, listed),
            bits: bits_of_all,
        };
        self.blocks.push(block);
    }

    /// The place of a system among all, of which neighbours are often the same.
    fn system(&mut self, system: System, listed: &mut Listed) -> usize {
        let last = self.blocks.last().map(|block| block.system);
        if let Some(last) = last.filter(|last| self.systems[*last] == system) {
            return last;
        }
        let next = self.systems.len();
        if let Some(place) = listed.systems.get(&system) {
            return *place;
        }
        self.systems.push(System {
            diagonal: system.diagonal.clone(),
            moves: system.moves.clone(),
        });
        listed.systems.insert(system, next);
        next
    }

    fn total(&mut self, total: UBig, listed: &mut Listed) -> u32 {
        let next = index(self.totals.len());
        if let Some(place) = listed.totals.get(&total) {
            return *place;
        }
        self.totals.push(total.clone());
        listed.totals.insert(total, next);
        next
    }

    /// The totals of a system.
    pub(super) fn diagonal(&self, system: usize) -> impl Iterator<Item = &UBig> {
        let diagonal = self.systems[system].diagonal.iter();
        diagonal.map(|total| &self.totals[*total as usize])
    }

    /// A source of the state whose sources begin at `first`.
    fn source(&mut self, first: usize, place: usize, gain: u32) -> u32 {
        let known = self.sources[first..].iter();
        let known = known.clone().position(|source| source.gain == gain);
        let at = known.map_or(self.sources.len(), |known| first + known);
        if at == self.sources.len() {
            let place = index(place);
            self.sources.push(Source { place, gain });
        }
        index(at)
    }

    /// The moves of a place, over what they are divided by; the total of their weights.
    fn row(
        &mut self,
        chain: &Chain,
        graph: &Graph,
        form: Option<&Form>,
        place: usize,
        listed: &mut Listed,
        steps: &mut Vec<Step>,
    ) -> UBig {
        let state = graph.states[place];
        let (total, shared) = listed.scales.of(place).clone();
        let moves = chain.moves[state].iter();
        for step in moves.filter(|step| leads(step, state, form)) {
            let gain = form.map_or(0, |form| self.gain(form.of(&step.gains), listed));
            let weight = match shared.is_one() {
                true => self.weight(&step.weight, listed),
                false => self.weight(&(&step.weight / &shared), listed),
            };
            steps.push((graph.place(step.to), weight, gain));
        }
        total / shared
    }

    fn weight(&mut self, weight: &UBig, listed: &mut Listed) -> u32 {
        let next = index(self.weights.len());
        let small = usize::try_from(weight).ok();
        let place = match small.and_then(|small| listed.small.get_mut(small)) {
            Some(place) if *place != u32::MAX => return *place,
            Some(place) => place,
            None => match listed.large.get(weight) {
                Some(place) => return *place,
                None => listed.large.entry(weight.clone()).or_insert(next),
            },
        };
        *place = next;
        self.weights.push(weight.clone());
        next
    }

    fn gain(&mut self, gain: IBig, listed: &mut Listed) -> u32 {
        if gain.is_zero() {
            return 0;
        }
        if self.gains.len() > 1 && self.gains[self.gains.len() - 1] == gain {
            return index(self.gains.len() - 1);
        }
        let next = index(self.gains.len());
        let place = *listed.gains.entry(gain.clone()).or_insert(next);
        if place == next {
            self.gains.push(gain);
        }
        place
    }

    /// Orders the moves by where they lead.
    fn order(&mut self, found: &[Found], places: usize) {
        let mut next = vec![0; places + 1];
        for step in found {
            next[step.to as usize + 1] += 1;
        }
        for place in 0..places {
            next[place + 1] += next[place];
        }
        self.incoming = vec![Incoming::default(); found.len()];
        for step in found {
            let at = &mut next[step.to as usize];
            self.incoming[*at] = step.incoming;
            *at += 1;
        }
        next.pop();
        self.incoming_until = next;
    }
}

fn before(until: &[usize], place: usize) -> usize {
    place.checked_sub(1).map_or(0, |before| until[before])
}

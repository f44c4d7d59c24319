//! The proof that a way to choose is the best: exactly what everything is worth with it, and no option that is worth more.

use std::collections::BTreeMap;

use oddsmith_dist::{Budget, Chain, Form, IBig, Move, RBig, StateNumbers, UBig};

use super::graph::{Choice, Graph, Node, Way};
use super::leaving::Marks;
use crate::Error;
use crate::states::States;

/// The bytes of a move of the chain, and of a place.
const MOVE_BYTES: u128 = 96;
const PLACE_BYTES: u128 = 64;

/// What is striven for in a track.
pub(super) struct Proof<'g> {
    pub(super) graph: &'g Graph,
    /// From where it can be made certain that there is an end, if it must be.
    pub(super) inside: &'g Marks,
    /// What ends are worth, over `unit`.
    pub(super) ends: Vec<(usize, IBig)>,
    pub(super) unit: UBig,
    /// How often each sum counts, times `unit`.
    pub(super) form: Form,
    pub(super) budget: &'g Budget,
}

/// What everything is worth with what is chosen.
pub(super) struct Values<'g> {
    graph: &'g Graph,
    worths: StateNumbers,
    /// What is added to the goal for each of the graph's gains, over the total.
    gains: Vec<IBig>,
    known: BTreeMap<usize, IBig>,
    /// What all values are over.
    total: UBig,
    memory: Budget,
}

impl<'g> Proof<'g> {
    /// The rounds with what is chosen as a chain: all states, then all nodes.
    fn chain(&self, chosen: &[usize]) -> Chain {
        let adds = self.form.coefficients.iter().any(|count| *count != 0);
        let step = |way: Way, weight: UBig| {
            let (to, gain) = self.graph.chain_place(way);
            let gains = match adds {
                true => self.graph.gains[gain].clone(),
                false => Box::default(),
            };
            Move { to, weight, gains }
        };
        let graph = self.graph;
        let states = graph.first.iter().enumerate().map(|(state, first)| {
            let first = first.filter(|_| self.inside.states[state]);
            first.map(|way| step(way, UBig::ONE)).into_iter().collect()
        });
        let nodes = graph.nodes.iter().enumerate().map(|(at, node)| match node {
            _ if !self.inside.nodes[at] => Vec::new(),
            Node::Roll(ways) => {
                let ways = ways.iter();
                ways.map(|(way, weight)| step(*way, weight.clone()))
                    .collect()
            }
            Node::Choice(choice) => vec![step(choice.options[chosen[at]].1, UBig::ONE)],
        });
        Chain::new(states.chain(nodes).collect())
    }

    /// What everything is worth with what is chosen.
    pub(super) fn values(&self, chosen: &[usize]) -> Result<Values<'g>, Error> {
        let wrap = |error: oddsmith_dist::Error| {
            Error::of_charge("solving the rounds of this track for what is best", &error)
        };
        let memory = self.budget.part();
        let places = (self.graph.keys.len() + self.graph.nodes.len()) as u128;
        let bytes = MOVE_BYTES * self.graph.ways() as u128 + PLACE_BYTES * places;
        memory.charge_memory(bytes).map_err(wrap)?;
        let form = match self.form.coefficients.iter().any(|count| *count != 0) {
            true => self.form.clone(),
            false => Form::none(),
        };
        let worths = self.chain(chosen).worths(&self.ends, &form, self.budget);
        let worths = worths.map_err(wrap)?;
        let total = IBig::from(worths.total().clone());
        let added = |gains: &[i64]| {
            let terms = self.form.coefficients.iter().zip(gains);
            let terms = terms.map(|(count, gain)| IBig::from(*count) * IBig::from(*gain));
            terms.fold(IBig::ZERO, |sum, term| sum + term) * &total
        };
        Ok(Values {
            graph: self.graph,
            gains: self.graph.gains.iter().map(|gains| added(gains)).collect(),
            known: BTreeMap::new(),
            total: worths.total() * &self.unit,
            worths,
            memory,
        })
    }

    /// How often each node is come to with what is chosen, over one total.
    pub(super) fn visits(
        &self,
        chosen: &[usize],
        starts: &States,
    ) -> Result<impl Fn(usize) -> Result<UBig, Error> + use<'g>, Error> {
        let wrap = |error: oddsmith_dist::Error| {
            Error::of_charge(
                "counting how often each choice of this track is come to",
                &error,
            )
        };
        let starts = starts.iter();
        let starts = starts.map(|(key, weight)| (self.graph.place(key), weight.clone()));
        let starts: Vec<(usize, UBig)> = starts.collect();
        let visits = self
            .chain(chosen)
            .visits(&starts, self.budget)
            .map_err(wrap)?;
        let graph = self.graph;
        Ok(move |node: usize| {
            let (place, _) = graph.chain_place(Way::Node(node));
            let (_, visits) = visits.of(place).map_err(wrap)?.into_parts();
            Ok(visits)
        })
    }

    /// The places of the options of a choice that may be taken.
    pub(super) fn allowed(&self, choice: &'g Choice) -> impl Iterator<Item = usize> {
        let options = choice.options.iter().enumerate();
        let allowed = options.filter(|(_, (_, way))| self.inside.at(*way));
        allowed.map(|(option, _)| option)
    }

    /// Puts the best option in the place of each that is worth less; whether there was one.
    pub(super) fn improve(
        &self,
        chosen: &mut [usize],
        values: &mut Values<'_>,
    ) -> Result<bool, Error> {
        let mut has_changed = false;
        for (at, choice) in self
            .graph
            .choices()
            .filter(|(at, _)| self.inside.nodes[*at])
        {
            let mut most = values.of(choice.options[chosen[at]].1)?;
            for option in self.allowed(choice) {
                let worth = values.of(choice.options[option].1)?;
                if worth > most {
                    (most, chosen[at], has_changed) = (worth, option, true);
                }
            }
        }
        Ok(has_changed)
    }
}

impl Values<'_> {
    /// What it is worth to go this way, times the total.
    pub(super) fn of(&mut self, way: Way) -> Result<IBig, Error> {
        let (place, gain) = self.graph.chain_place(way);
        if !self.known.contains_key(&place) {
            let wrap = |error| Error::of_charge("comparing what is best in this track", &error);
            let worth = self.worths.of(place).map_err(wrap)?;
            let bytes = u128::from(oddsmith_dist::BitTest::bit_len(&worth) as u64) / 8 + 64;
            self.memory.charge_memory(bytes).map_err(wrap)?;
            self.known.insert(place, worth);
        }
        Ok(&self.known[&place] + &self.gains[gain])
    }

    /// A worth as a fraction.
    pub(super) fn ratio(&self, worth: IBig) -> RBig {
        RBig::from_parts(worth, self.total.clone())
    }

    /// What has been added to the goal so far, times the total.
    pub(super) fn gain(&self, gain: usize) -> &IBig {
        &self.gains[gain]
    }
}

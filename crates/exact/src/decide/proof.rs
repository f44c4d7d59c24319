//! The proof that a way to choose is the best: exactly what everything is worth with it, and no option that is worth more.

use std::collections::BTreeMap;

use oddsmith_dist::{Budget, Chain, Form, IBig, Move, StateNumbers, UBig};

use oddsmith_rules::program::Party;

use super::graph::{Choice, Graph, Node, Way};
use super::leaving::{Marks, reaching_against};
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

    /// Puts the best option in the place of each that is worse for this party, whose choice it is; whether there was one.
    pub(super) fn improve(
        &self,
        party: Party,
        chosen: &mut [usize],
        values: &mut Values<'_>,
    ) -> Result<bool, Error> {
        let mut has_changed = false;
        let own = self.graph.choices();
        let own = own.filter(|(at, choice)| self.inside.nodes[*at] && choice.party == party);
        for (at, choice) in own {
            let mut best = values.of(choice.options[chosen[at]].1)?;
            for option in self.allowed(choice) {
                let worth = values.of(choice.options[option].1)?;
                if party.prefers(&worth, &best) {
                    (best, chosen[at], has_changed) = (worth, option, true);
                }
            }
        }
        Ok(has_changed)
    }

    /// Makes the opponent's choices the best against what the player has chosen; what everything is worth then.
    ///
    /// Better options take the place of worse ones, with the worth of everything found anew each time. It falls, so this comes
    /// to an end, and then no option is better than what is chosen. That makes it the least worth wherever something good is
    /// come to whatever the opponent does. Elsewhere a worth that only going on for ever avoids could pass for the least: there
    /// the opponent stays where nothing good is come to from the beginning, if not to end is allowed.
    pub(super) fn answered(
        &self,
        may_not_end: bool,
        chosen: &mut [usize],
    ) -> Result<Values<'g>, Error> {
        if !self.graph.is_opposed() {
            return self.values(chosen);
        }
        if may_not_end {
            self.avoid(chosen)?;
        }
        let mut values = self.values(chosen)?;
        while self.improve(Party::Opponent, chosen, &mut values)? {
            values = self.values(chosen)?;
        }
        Ok(values)
    }

    /// The opponent's choices stay where no end that is worth something is come to, if they can.
    fn avoid(&self, chosen: &mut [usize]) -> Result<(), Error> {
        let graph = self.graph;
        let mut is_good = vec![false; graph.keys.len()];
        for (state, worth) in &self.ends {
            is_good[*state] = *worth > IBig::ZERO;
        }
        let good = {
            let may_be_taken = |node: usize, option: usize| match &graph.nodes[node] {
                Node::Choice(choice) if choice.party == Party::Player => chosen[node] == option,
                _ => true,
            };
            let (is_wanted, against) = (
                |state: usize| is_good[state],
                |party| party == Party::Opponent,
            );
            reaching_against(graph, &is_wanted, &may_be_taken, &against, self.budget)?
        };
        let own = graph
            .choices()
            .filter(|(_, choice)| choice.party == Party::Opponent);
        for (at, choice) in own.filter(|(at, _)| !good.nodes[*at]) {
            if good.at(choice.options[chosen[at]].1) {
                let mut options = choice.options.iter();
                let bad = options.position(|(_, way)| !good.at(*way));
                chosen[at] = bad.expect("one of them is, or this would not be bad");
            }
        }
        Ok(())
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

    /// What worths are over.
    pub(super) fn total(&self) -> UBig {
        self.total.clone()
    }

    /// What has been added to the goal so far, times the total.
    pub(super) fn gain(&self, gain: usize) -> &IBig {
        &self.gains[gain]
    }
}

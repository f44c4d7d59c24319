//! A track's graph in machine words, in an order to come back through.

use std::ops::Range;

use oddsmith_dist::{BitTest as _, Budget, Components, UBig};
use oddsmith_rules::program::Party;

use super::graph::{Choice, Graph, Node, Way};
use crate::Error;

/// A way from a place.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) to: u32,
    /// What the round has added to the sums, as a place in [`Graph::gains`].
    pub(super) gain: u32,
    /// Of a roll.
    pub(super) weight: u64,
}

/// Places are numbered block by block: those of a block can come back to one another, and lead on to blocks before it.
pub(super) struct Web<'g> {
    pub(super) graph: &'g Graph,
    /// By the places of the graph; and these by the numbers.
    numbers: Vec<u32>,
    of_graph: Vec<u32>,
    /// Where each block ends.
    blocks: Vec<u32>,
    steps: Vec<Step>,
    /// Where the steps of each place end.
    until: Vec<u32>,
    /// The sums of their weights; of a choice nothing.
    totals: Vec<u64>,
    parties: Vec<Option<Party>>,
    /// Whether no weight had to be rounded.
    pub(super) is_exact: bool,
}

/// Weights of a roll add up to less than two to this power.
const MOST_BITS: usize = 62;
/// The bytes of a place, also while they are put in order and their worths are enclosed, and of a step.
const PLACE_BYTES: u128 = 160;
const STEP_BYTES: u128 = 34;

impl<'g> Web<'g> {
    pub(super) fn new(graph: &'g Graph, memory: &Budget) -> Result<Self, Error> {
        let (places, ways) = (graph.places(), graph.ways() + graph.keys.len());
        let bytes = PLACE_BYTES * places as u128 + STEP_BYTES * ways as u128;
        let charged = memory.charge(30 * (places + ways) as u128);
        let charged = charged.and_then(|()| memory.charge_memory(bytes));
        charged
            .map_err(|error| Error::of_charge("choosing in the rounds of this track", &error))?;
        let mut web = Self {
            graph,
            numbers: Vec::new(),
            of_graph: Vec::new(),
            blocks: Vec::new(),
            steps: Vec::with_capacity(ways),
            until: Vec::with_capacity(places),
            totals: Vec::with_capacity(places),
            parties: Vec::with_capacity(places),
            is_exact: true,
        };
        for first in &graph.first {
            first.iter().for_each(|way| web.step(*way, 1));
            web.close(1, None);
        }
        graph.nodes.iter().for_each(|node| web.node(node));
        Ok(web.in_order())
    }

    /// The same places, which have been numbered as in the graph, block by block: first what the search for blocks has left first.
    fn in_order(self) -> Self {
        let found = Components::reached(self.places(), 0..self.places(), |place, nth| {
            Some(self.steps(place).get(nth)?.to as usize)
        });
        let of_graph: Vec<u32> = found.all().map(index).collect();
        let mut numbers = vec![0; of_graph.len()];
        for (number, place) in of_graph.iter().enumerate() {
            numbers[*place as usize] = index(number);
        }
        let mut until = 0;
        let blocks = (0..found.len()).map(|block| {
            until += found.places(block).len();
            index(until)
        });
        let blocks = blocks.collect();
        let mut steps = Vec::with_capacity(self.steps.len());
        let mut ends = Vec::with_capacity(of_graph.len());
        for place in found.all() {
            let own = self.steps(place).iter();
            steps.extend(own.map(|step| Step {
                to: numbers[step.to as usize],
                ..*step
            }));
            ends.push(index(steps.len()));
        }
        Self {
            totals: found.all().map(|place| self.totals[place]).collect(),
            parties: found.all().map(|place| self.parties[place]).collect(),
            until: ends,
            numbers,
            of_graph,
            blocks,
            steps,
            ..self
        }
    }

    /// A step of the next place, to a place of the graph.
    fn step(&mut self, way: Way, weight: u64) {
        let (to, gain) = self.graph.chain_place(way);
        self.steps.push(Step {
            to: index(to),
            gain: index(gain),
            weight,
        });
    }

    /// The steps since the last place are all of the next one's.
    fn close(&mut self, total: u64, party: Option<Party>) {
        self.until.push(index(self.steps.len()));
        self.totals.push(total);
        self.parties.push(party);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Choice(choice) => {
                let options = choice.options.iter();
                options.for_each(|(_, way)| self.step(*way, 0));
                self.close(0, Some(choice.party));
            }
            Node::Roll(ways) => {
                let whole: UBig = ways.iter().map(|(_, weight)| weight).sum();
                let beyond = whole.bit_len().saturating_sub(MOST_BITS);
                self.is_exact &= beyond == 0;
                let mut total = 0;
                for (way, weight) in ways {
                    let weight = u64::try_from(weight >> beyond);
                    let weight = weight.expect("it is less than the sum, which fits");
                    self.step(*way, weight);
                    total += weight;
                }
                self.close(total, None);
            }
        }
    }

    pub(super) fn places(&self) -> usize {
        self.until.len()
    }

    /// The place that has been a state or a node of the graph, by its place there.
    pub(super) fn place(&self, of_graph: usize) -> usize {
        self.numbers[of_graph] as usize
    }

    /// The weights of the steps of a place that chooses nothing, as they are.
    pub(super) fn weights(&self, place: usize) -> impl Iterator<Item = UBig> {
        let states = self.graph.keys.len();
        let node = (self.of_graph[place] as usize).checked_sub(states);
        let ways = match node.map(|node| &self.graph.nodes[node]) {
            Some(Node::Roll(ways)) => ways.as_slice(),
            _ => &[],
        };
        let weights = ways.iter().map(|(_, weight)| weight.clone());
        weights.chain(ways.is_empty().then_some(UBig::ONE))
    }

    /// The choices of the graph, each with its place.
    pub(super) fn choices(&self) -> impl Iterator<Item = (usize, &'g Choice)> {
        let choices = self.graph.choices();
        choices.map(|(place, choice)| (self.place(place), choice))
    }

    /// The steps of a place: of a state the way into its round, if there is one; of a node its ways or options.
    pub(super) fn steps(&self, place: usize) -> &[Step] {
        &self.steps[self.first_step(place)..self.until[place] as usize]
    }

    /// The number of all steps before those of a place.
    pub(super) fn first_step(&self, place: usize) -> usize {
        let first = place.checked_sub(1).map_or(0, |before| self.until[before]);
        first as usize
    }

    /// How many steps there are.
    pub(super) fn all_steps(&self) -> usize {
        self.steps.len()
    }

    /// What the weights of a roll add up to.
    pub(super) fn total(&self, place: usize) -> u64 {
        self.totals[place]
    }

    /// Whose choice a place is, if it is one.
    pub(super) fn party(&self, place: usize) -> Option<Party> {
        self.parties[place]
    }

    /// The places of each block: in all blocks together nearly always after those that they lead to.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let begins = std::iter::once(&0).chain(&self.blocks);
        let ranges = begins.zip(&self.blocks);
        ranges.map(|(first, last)| *first as usize..*last as usize)
    }

    /// Charges for looking once at every step.
    pub(super) fn pay(&self, budget: &Budget) -> Result<(), Error> {
        pay(3 * (self.steps.len() + self.places()), budget)
    }
}

/// Charges for looking at places and steps.
pub(super) fn pay(steps: usize, budget: &Budget) -> Result<(), Error> {
    let charged = budget.charge(steps as u128);
    charged.map_err(|error| Error::of_charge("choosing in the rounds of this track", &error))
}

fn index(place: usize) -> u32 {
    u32::try_from(place).expect("memory holds fewer places")
}

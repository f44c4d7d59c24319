//! What the odds of a chain's ends are over, and how long their numerators may be.
//!
//! On the way to an end each block is passed once at the most, and what is divided by there is its determinant. So the
//! product of the determinants on a way is a denominator of that way, and a common one of all ways needs each factor only as
//! often as it comes on the one way on which it comes most often. Of a small prime even less is needed: what the weights on
//! that way are multiples of as well ([`Powers`]).

use std::collections::HashMap;

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::graph::Graph;
use super::network::{Network, index};
use super::powers::Powers;
use crate::combine::least_common_multiple;
use crate::number::{bits, words};
use crate::{Budget, Error};

/// Primes that most dice are made of: what is left of a determinant is a factor as a whole.
const SMALL: [u8; 6] = [2, 3, 5, 7, 11, 13];

/// Ways are looked through for each factor, if that takes no more steps for a move than this.
const STEPS_OF_MOVE: usize = 64;

/// Denominators: `total * unit^n` of moments of order `n`.
pub(super) struct Denominators {
    pub(super) total: UBig,
    pub(super) unit: UBig,
    /// A moment of order `n` over these is below `2^(bits(total) + n * bits_of_moment + 2)`.
    bits_of_moment: u128,
}

/// Moves between blocks, each once.
struct Ways {
    from: Vec<u32>,
    until: Vec<usize>,
}

impl Denominators {
    /// From the determinant of each system.
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    pub(super) fn new(
        network: &Network,
        graph: &Graph,
        determinants: &[UBig],
        budget: &Budget,
    ) -> Result<Self, Error> {
        let moves = (network.outer_moves() + network.blocks.len()) as u128;
        budget.charge(20 * moves)?;
        budget.charge_memory(8 * moves)?;
        let ways = Ways::new(network, graph.states.len());
        let total = common(network, graph, determinants, &ways, budget)?;
        let adding = network.blocks.iter();
        let adding = adding.filter(|block| !block.inner.is_empty());
        let mut adding: Vec<usize> = adding.map(|block| block.system).collect();
        adding.sort_unstable();
        adding.dedup();
        let mut unit = UBig::ONE;
        for system in adding {
            include(&mut unit, &determinants[system], budget)?;
        }
        // A state is come back to `product of the totals / determinant` times at the most, so that many moves times the
        // number of states are made in a block, on average from wherever one comes to it.
        let stays = network.blocks.iter().map(|block| {
            let size = block.places.len().bit_len() as u128;
            size + block.bits + 1 - bits(&determinants[block.system]) as u128
        });
        let made = stays.max().unwrap_or(0) + graph.levels.len().bit_len() as u128;
        let widest = network.gains.iter().map(BitTest::bit_len).max();
        let widest = widest.unwrap_or(0) as u128;
        Ok(Self {
            bits_of_moment: bits(&unit) as u128 + made + widest,
            total,
            unit,
        })
    }

    /// Numerators of moments up to this order are below `2^bits`: the mean number `m` of moves from wherever one is bounds
    /// the mean of its square by `2 m^2`.
    pub(super) fn bits(&self, begun: &UBig, order: usize) -> u128 {
        let total = (bits(begun) + bits(&self.total)) as u128;
        total + order as u128 * self.bits_of_moment + 2
    }
}

impl Ways {
    fn new(network: &Network, states: usize) -> Self {
        let mut block_of = vec![0; states];
        for (at, block) in network.blocks.iter().enumerate() {
            block_of[block.places.clone()].fill(index(at));
        }
        let mut ways = Self {
            from: Vec::new(),
            until: Vec::with_capacity(network.blocks.len()),
        };
        let mut from = Vec::new();
        for block in &network.blocks {
            let incoming = block
                .places
                .clone()
                .flat_map(|place| network.incoming(place));
            let places = incoming.map(|step| network.sources[step.source as usize].place);
            from.extend(places.map(|place| block_of[place as usize]));
            from.sort_unstable();
            from.dedup();
            ways.from.append(&mut from);
            ways.until.push(ways.from.len());
        }
        ways
    }

    /// The most often that something comes on a way, by how often it is in each block.
    fn most(&self, of_block: impl Fn(usize) -> usize) -> usize {
        let mut so_far = vec![0; self.until.len()];
        let mut first = 0;
        for (block, until) in self.until.iter().enumerate() {
            let before = self.from[first..*until].iter();
            let before = before.map(|from| so_far[*from as usize]).max();
            so_far[block] = before.unwrap_or(0) + of_block(block);
            first = *until;
        }
        so_far.into_iter().max().unwrap_or(0)
    }
}

/// A common multiple of the products of determinants on all ways.
fn common(
    network: &Network,
    graph: &Graph,
    determinants: &[UBig],
    ways: &Ways,
    budget: &Budget,
) -> Result<UBig, Error> {
    let mut rests = determinants.to_vec();
    let system = |block: usize| network.blocks[block].system;
    let mut total = UBig::ONE;
    for prime in SMALL.map(UBig::from) {
        let times = rests.iter_mut().map(|rest| rest.remove(&prime));
        let times: Vec<usize> = times.map(Option::unwrap_or_default).collect();
        if times.iter().any(|times| *times > 0) {
            let numbers = (network.weights.len() + network.totals.len()) as u128;
            budget.charge(4 * network.outer_moves() as u128 + 100 * numbers)?;
            total *= prime.pow(Powers::new(network, &prime, &times).most());
        }
    }
    let mut places: HashMap<&UBig, usize> = HashMap::new();
    for rest in rests.iter().filter(|rest| !rest.is_one()) {
        let next = places.len();
        places.entry(rest).or_insert(next);
    }
    let moves = network.outer_moves() + network.blocks.len();
    if places.len().saturating_mul(ways.from.len()) <= STEPS_OF_MOVE * moves {
        budget.charge(3 * (places.len() * ways.from.len()) as u128)?;
        let of_system = rests.iter().map(|rest| places.get(rest).copied());
        let of_system: Vec<Option<usize>> = of_system.collect();
        let mut factors: Vec<(&UBig, usize)> = places.into_iter().collect();
        factors.sort_unstable_by_key(|(_, place)| *place);
        for (factor, place) in factors {
            let is_one = |block| usize::from(of_system[system(block)] == Some(place));
            let power = ways.most(is_one);
            let length = words(bits(factor) as u128 * power as u128);
            budget.charge(length * (length + words(bits(&total) as u128)))?;
            total *= factor.pow(power);
        }
        return Ok(total);
    }
    for level in &graph.levels {
        let mut factor = UBig::ONE;
        for block in level.clone() {
            include(&mut factor, &rests[system(block)], budget)?;
        }
        total *= factor;
    }
    Ok(total)
}

/// Makes `common` a multiple of `number` too.
fn include(common: &mut UBig, number: &UBig, budget: &Budget) -> Result<(), Error> {
    let width = words(bits(number) as u128);
    budget.charge((words(bits(common) as u128) + width) * width)?;
    *common = least_common_multiple([&*common, number].into_iter());
    Ok(())
}

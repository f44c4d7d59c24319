//! What every state of a chain is worth on average, modulo primes.
//!
//! Mass moves forward through a chain, worth comes back: a state is worth the mean of what its moves lead to and add. The
//! equations are those of [`super::flow`], each read the other way round, so the determinants and the denominators are the same.
//!
//! ```text
//! from y one of two moves leads to the end, which is worth 4, and the other one back to y, for a price of 1
//! 2 y = 4 + (y - 1), so y is worth 3
//! ```

use dashu_int::{IBig, UBig};

use super::denominators::Denominators;
use super::flow::{Flow, Solver, Solvers};
use super::graph::Graph;
use super::network::{Block, Network, index};
use super::numbers::StateNumbers;
use super::primes::{LANES, Lanes, Prime, Sums};
use super::states::{Chain, Form};
use crate::number::bits;
use crate::{Budget, Error};

/// A move to another block, as it is met on the way back.
#[derive(Clone, Copy)]
struct Outgoing {
    from: u32,
    to: u32,
    weight: u32,
    gain: u32,
}

/// A chain to come back through.
struct Back<'g> {
    flow: Flow<'g, 2>,
    /// In the order of the places that they leave.
    outgoing: Vec<Outgoing>,
    /// For each place where its moves end.
    until: Vec<usize>,
    /// The ends that are worth something, by place.
    ends: Vec<(usize, IBig)>,
    places: usize,
}

/// See [`Chain::worths`].
pub(super) fn worths(
    chain: &Chain,
    ends: &[(usize, IBig)],
    form: Option<&Form>,
    memory: Budget,
) -> Result<StateNumbers, Error> {
    let budget = &memory;
    let start: Vec<(usize, UBig)> = (0..chain.moves.len()).map(|s| (s, UBig::ONE)).collect();
    chain.begin(&start, budget)?;
    let graph = Graph::new(&chain.moves, &start);
    let back = Back::new(chain, &graph, form, ends, budget)?;
    let determinants = back.flow.determinants(budget)?;
    let over = Denominators::new(&back.flow.network, &graph, &determinants, budget)?;
    let longest = ends.iter().map(|(_, worth)| bits_of(worth)).max();
    let wide = over.bits(&UBig::ONE, 1) + longest.unwrap_or(0) + 1;
    let count = back.flow.primes_for(wide, budget)?;
    back.charge(count, budget)?;
    let (primes, rests) = back.flow.by_prime(count, budget, |solvers, primes| {
        Ok(back.run(solvers, primes))
    });
    let factor = over.total.clone();
    StateNumbers::new(&graph, primes, rests, (&factor, over.total), memory)
}

impl<'g> Back<'g> {
    fn new(
        chain: &Chain,
        graph: &'g Graph,
        form: Option<&Form>,
        ends: &[(usize, IBig)],
        budget: &Budget,
    ) -> Result<Self, Error> {
        let mut network = Network::new(chain, graph, form, budget)?;
        network.turn();
        let outer = network.outer_moves() as u128;
        budget.charge(20 * outer)?;
        budget.charge_memory(16 * outer)?;
        let places = graph.lost() + 1;
        let mut outgoing = Vec::with_capacity(network.outer_moves());
        for place in 0..places {
            let to = index(place);
            for step in network.incoming(place) {
                let source = network.sources[step.source as usize];
                outgoing.push(Outgoing {
                    from: source.place,
                    to,
                    weight: step.weight,
                    gain: source.gain,
                });
            }
        }
        outgoing.sort_by_key(|step| step.from);
        let mut until = vec![0; graph.states.len()];
        outgoing
            .iter()
            .for_each(|step| until[step.from as usize] += 1);
        let mut sum = 0;
        for count in &mut until {
            sum += *count;
            *count = sum;
        }
        let place = |(state, worth): &(usize, IBig)| {
            assert!(
                chain.moves[*state].is_empty(),
                "only ends are worth something"
            );
            (graph.place(*state), worth.clone())
        };
        Ok(Self {
            ends: ends.iter().map(place).collect(),
            flow: Flow::through(network, graph, &[], budget)?,
            outgoing,
            until,
            places,
        })
    }

    /// Charges for [`Self::run`] modulo so many primes.
    fn charge(&self, count: usize, budget: &Budget) -> Result<(), Error> {
        let network = &self.flow.network;
        let moved = 6 * (network.outer_moves() + network.inner.len()) as u128;
        let steps = self.flow.elimination_steps() + moved + self.flow.solution_steps();
        budget.charge(steps.saturating_mul(count as u128))?;
        budget.charge_memory((8 * self.places as u128).saturating_mul(count as u128))
    }

    fn outgoing(&self, place: usize) -> &[Outgoing] {
        let first = place.checked_sub(1).map_or(0, |before| self.until[before]);
        &self.outgoing[first..self.until[place]]
    }

    /// The worth of each place, from the last block to the first.
    fn run(&self, solvers: &Solvers, primes: &[Prime; LANES]) -> Vec<Lanes> {
        let network = &self.flow.network;
        let plain = |form: &Lanes| -> Lanes {
            std::array::from_fn(|lane| primes[lane].product(form[lane], 1))
        };
        let gains: Vec<Lanes> = solvers.gains.iter().map(plain).collect();
        let mut worths = vec![[0; LANES]; self.places];
        for (place, worth) in &self.ends {
            worths[*place] = std::array::from_fn(|lane| primes[lane].signed_rest(worth));
        }
        let mut sums: Vec<Sums> = Vec::new();
        for block in network.blocks.iter().rev() {
            sums.clear();
            for place in block.places.clone() {
                sums.push(self.beyond(place, &worths, (solvers, &gains), primes));
            }
            for inner in &network.inner[block.inner.clone()] {
                let sum = &mut sums[inner.from as usize - block.places.start];
                let weight = &solvers.weights[inner.weight as usize];
                for (lane, prime) in primes.iter().enumerate() {
                    prime.add_product(
                        &mut sum[lane],
                        gains[inner.gain as usize][lane],
                        weight[lane],
                    );
                }
            }
            self.solve(block, &sums, solvers, &mut worths, primes);
        }
        worths
    }

    /// What the moves of a place to other blocks bring.
    fn beyond(
        &self,
        place: usize,
        worths: &[Lanes],
        (solvers, gains): (&Solvers, &[Lanes]),
        primes: &[Prime; LANES],
    ) -> Sums {
        let mut sums: Sums = [0; LANES];
        for step in self.outgoing(place) {
            let (worth, gain) = (&worths[step.to as usize], &gains[step.gain as usize]);
            let weight = &solvers.weights[step.weight as usize];
            for (lane, prime) in primes.iter().enumerate() {
                let brought = prime.sum(worth[lane], gain[lane]);
                prime.add_product(&mut sums[lane], brought, weight[lane]);
            }
        }
        sums
    }

    /// Solves the equations of a block for what its states are worth.
    fn solve(
        &self,
        block: &Block,
        sums: &[Sums],
        solvers: &Solvers,
        worths: &mut [Lanes],
        primes: &[Prime; LANES],
    ) {
        let here = &mut worths[block.places.clone()];
        match (
            &solvers.systems[block.system],
            &self.flow.patterns[block.system],
        ) {
            (Solver::Several(triangles), Some(pattern)) => {
                for (place, worth) in pattern.solve(triangles, sums, &mut Vec::new(), primes) {
                    here[place] = worth;
                }
            }
            (Solver::Single(inverse), _) => {
                for (lane, prime) in primes.iter().enumerate() {
                    here[0][lane] = prime.product(inverse[lane], prime.reduce(sums[0][lane]));
                }
            }
            (Solver::Several(_), None) => unreachable!("several states have a pattern"),
        }
    }
}

/// The bits of a number without its sign.
fn bits_of(number: &IBig) -> u128 {
    bits(&dashu_int::ops::UnsignedAbs::unsigned_abs(number.clone())) as u128
}

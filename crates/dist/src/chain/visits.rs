//! How often a chain comes to each of its states, modulo primes.

use dashu_int::UBig;

use super::denominators::Denominators;
use super::flow::Flow;
use super::graph::Graph;
use super::numbers::StateNumbers;
use super::primes::{LANES, Lanes};
use super::states::Chain;
use crate::{Budget, Error};

/// See [`Chain::visits`].
pub(super) fn visits(
    chain: &Chain,
    start: &[(usize, UBig)],
    memory: Budget,
) -> Result<StateNumbers, Error> {
    let budget = &memory;
    let begun = chain.begin(start, budget)?;
    let graph = Graph::new(&chain.moves, start);
    let flow = Flow::<1>::new(chain, &graph, None, &[start], budget)?;
    let determinants = flow.determinants(budget)?;
    let over = Denominators::new(&flow.network, &graph, &determinants, budget)?;
    let count = flow.primes_for(over.bits(&begun, 1), budget)?;
    flow.charge(count, budget)?;
    let places = graph.lost() + 1;
    budget.charge_memory((8 * places as u128).saturating_mul(count as u128))?;
    let network = &flow.network;
    let (primes, rests) = flow.by_prime(count, budget, |solvers, primes| {
        let form = |total: &UBig| -> Lanes {
            std::array::from_fn(|lane| primes[lane].form(primes[lane].rest(total)))
        };
        let totals: Vec<Lanes> = network.totals.iter().map(form).collect();
        let mut visits = vec![[0; LANES]; places];
        let start = &solvers.starts[0];
        let ends = flow.run((solvers, start), primes, &mut |block, masses| {
            let diagonal = &network.systems[block.system].diagonal;
            for ((place, mass), total) in block.places.clone().zip(masses).zip(diagonal) {
                let total = &totals[*total as usize];
                let visited = |lane: usize| primes[lane].product(total[lane], mass[0][lane]);
                visits[place] = std::array::from_fn(visited);
            }
        });
        for (place, mass) in (graph.states.len()..).zip(ends) {
            visits[place] = mass[0];
        }
        Ok(visits)
    });
    let total = begun * &over.total;
    StateNumbers::new(&graph, primes, rests, (&over.total, total), memory)
}

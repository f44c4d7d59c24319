//! How many moves a chain makes.

use dashu_int::UBig;

use super::graph::Graph;
use super::{Chain, Lengths, greatest_common_divisor};
use crate::combine::least_common_multiple;
use crate::number::{Number, bits, with_limbs, words};
use crate::{Budget, Error};

/// See [`Chain::lengths`].
pub(super) fn lengths(
    chain: &Chain,
    start: &[(usize, UBig)],
    horizon: usize,
    budget: &Budget,
) -> Result<Lengths, Error> {
    let begun = chain.begin(start, budget)?;
    let graph = Graph::new(&chain.moves, start);
    let rows = Rows::new(chain, &graph);
    let horizon = if rows.returns {
        horizon
    } else {
        horizon.min(graph.levels.len())
    };
    let length = bits(&rows.total) as u128 * horizon as u128 + bits(&begun) as u128;
    let width = words(length);
    let moves = graph.states.len() + rows.moves.len();
    let products = (moves as u128 + 1) * (horizon as u128 + 1);
    budget.charge(products.saturating_mul(4 * width))?;
    let numbers = horizon as u128 + moves as u128;
    budget.charge_memory(numbers.saturating_mul(32 + 8 * width))?;

    let total = &begun * rows.total.pow(horizon);
    let width = bits(&total).max(bits(&rows.total));
    let mut weights = with_limbs!(width, W => rows.run::<W>(&graph, start, horizon));
    let mut rest = UBig::ONE;
    for weight in weights.iter_mut().rev() {
        *weight *= &rest;
        rest *= &rows.total;
    }
    let ended: UBig = weights.iter().sum();
    Ok(Lengths {
        weights,
        beyond: &total - ended,
        total,
    })
}

/// Moves by place, with weights over one total.
struct Rows {
    /// Where each move leads, and its weight; moves after which nothing ends are left out.
    moves: Vec<(usize, UBig)>,
    /// Where the moves of each place end.
    until: Vec<usize>,
    total: UBig,
    /// Whether a state can be come to twice.
    returns: bool,
}

impl Rows {
    fn new(chain: &Chain, graph: &Graph) -> Self {
        let weights = |state: usize| chain.moves[state].iter().map(|step| &step.weight);
        let scales = graph.states.iter().map(|state| {
            let shared = greatest_common_divisor(weights(*state));
            let total: UBig = weights(*state).sum();
            (total / &shared, shared)
        });
        let scales: Vec<_> = scales.collect();
        let total = least_common_multiple(scales.iter().map(|(total, _)| total));
        let mut moves = Vec::new();
        let mut until = Vec::with_capacity(graph.states.len());
        let mut returns = graph.blocks.len() < graph.states.len();
        for (place, (state, (own, shared))) in graph.states.iter().zip(&scales).enumerate() {
            let factor = &total / own;
            for step in &chain.moves[*state] {
                let to = graph.place(step.to);
                returns |= to == place;
                if to != graph.lost() {
                    moves.push((to, &step.weight / shared * &factor));
                }
            }
            until.push(moves.len());
        }
        Self {
            moves,
            until,
            total,
            returns,
        }
    }

    /// What ends after `n` moves, over `total^n`; the width holds the
    /// start times `total^horizon`.
    fn run<W: Number>(&self, graph: &Graph, start: &[(usize, UBig)], horizon: usize) -> Vec<UBig> {
        let moves = self
            .moves
            .iter()
            .map(|(to, weight)| (*to, W::from_big(weight)));
        let moves: Vec<_> = moves.collect();
        let states = graph.states.len();
        let mut mass = vec![W::zero(); states];
        let mut next = mass.clone();
        let mut ended = W::zero();
        for (state, weight) in start.iter().filter(|(_, weight)| !weight.is_zero()) {
            let place = graph.place(*state);
            if place < states {
                mass[place].add(&W::from_big(weight));
            } else if graph.is_end(place) {
                ended.add(&W::from_big(weight));
            }
        }
        let mut weights = vec![ended.into_big()];
        for _ in 0..horizon {
            let mut ended = W::zero();
            let mut first = 0;
            for (here, until) in mass.iter_mut().zip(&self.until) {
                let row = &moves[first..*until];
                first = *until;
                if here.is_zero() {
                    continue;
                }
                for (to, weight) in row {
                    let sum = next.get_mut(*to).unwrap_or(&mut ended);
                    sum.add_product(weight, here); // the short factor first
                }
                *here = W::zero();
            }
            std::mem::swap(&mut mass, &mut next);
            weights.push(ended.into_big());
        }
        weights
    }
}

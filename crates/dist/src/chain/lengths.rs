//! How many moves a chain makes.

use dashu_int::UBig;

use super::graph::Graph;
use super::limbs::add_product;
use super::{Chain, Lengths, greatest_common_divisor};
use crate::combine::least_common_multiple;
use crate::number::{Number, bits, words};
use crate::weights::Row;
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
    budget.charge(rows.steps(horizon, words(length)))?;
    let numbers = 2 * graph.states.len() as u128 + horizon as u128;
    budget.charge_memory(numbers.saturating_mul(32 + 8 * words(length)))?;

    let mut weights = rows.run(&graph, start, &begun, horizon);
    let mut rest = UBig::ONE;
    for weight in weights.iter_mut().rev() {
        *weight *= &rest;
        rest *= &rows.total;
    }
    let total = begun * rows.total.pow(horizon);
    let mut beyond = total.clone();
    weights.iter().for_each(|weight| beyond -= weight);
    Ok(Lengths {
        weights,
        beyond,
        total,
    })
}

/// Moves by place, with weights over one total.
struct Rows {
    /// Where each move leads; moves after which nothing ends are left out.
    moves: Vec<usize>,
    weights: Row,
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
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        let mut until = Vec::with_capacity(graph.states.len());
        let mut returns = graph.blocks.len() < graph.states.len();
        for (place, (state, (own, shared))) in graph.states.iter().zip(&scales).enumerate() {
            let factor = &total / own;
            for step in &chain.moves[*state] {
                let to = graph.place(step.to);
                returns |= to == place;
                if to != graph.lost() {
                    moves.push(to);
                    weights.push(&step.weight / shared * &factor);
                }
            }
            until.push(moves.len());
        }
        Self {
            moves,
            weights: Row::from_big(weights.iter()),
            until,
            total,
            returns,
        }
    }

    /// What [`run`](Self::run) takes, with numbers that grow to so many words, and what turns its weights into
    /// those over one total.
    fn steps(&self, horizon: usize, width: u128) -> u128 {
        let factor = words(bits(&self.total) as u128);
        let each = 4 + factor.saturating_mul(2 + width / 2);
        let moves = (self.moves.len() + self.until.len()) as u128;
        let moves = moves.saturating_mul(each);
        let whole = 100 + width.saturating_mul(width) / 2;
        (moves.saturating_add(whole)).saturating_mul(horizon as u128 + 1)
    }

    /// What ends after `n` moves, over `begun * total^n`.
    fn run(
        &self,
        graph: &Graph,
        start: &[(usize, UBig)],
        begun: &UBig,
        horizon: usize,
    ) -> Vec<UBig> {
        let states = graph.states.len();
        let width = |moves: usize| (bits(begun) + moves * bits(&self.total)).div_ceil(64);
        // The last place is that of all that ends.
        let mut mass = Row::zeros(width(horizon), states + 1);
        let mut next = Row::zeros(width(horizon), states + 1);
        let one = Row::from_big(std::iter::once(&UBig::ONE));
        for (state, weight) in start.iter().filter(|(_, weight)| !weight.is_zero()) {
            let place = graph.place(*state);
            if place != graph.lost() {
                let weight = Row::from_big(std::iter::once(weight));
                add_product(mass.get_mut(place.min(states)), weight.get(0), one.get(0));
            }
        }
        let mut weights = vec![<UBig as Number>::from_words(mass.get(states))];
        for moves in 0..horizon {
            let (before, after) = (width(moves), width(moves + 1));
            next.get_mut(states)[..after].fill(0);
            let mut first = 0;
            for (place, until) in self.until.iter().enumerate() {
                let here = &mut mass.get_mut(place)[..before];
                if here.iter().any(|word| *word != 0) {
                    for at in first..*until {
                        let sum = next.get_mut(self.moves[at].min(states));
                        add_product(&mut sum[..after], here, self.weights.get(at));
                    }
                    here.fill(0);
                }
                first = *until;
            }
            std::mem::swap(&mut mass, &mut next);
            weights.push(<UBig as Number>::from_words(&mass.get(states)[..after]));
        }
        weights
    }
}

//! Mass that moves through a chain until all of it has come to an end.
//!
//! The mass of a state is `E[R^n; the state]`, for `n` below `K`: with moments added up to
//! there, summed over all visits. All masses of one level have one denominator, `T * D * G^n`:
//! `T` is the total of the start, `D` the product of the determinants on the way (of a state
//! that does not return, just the total of its weights), and `G` a common multiple of the
//! determinants of those blocks in which something is added up. So masses are integers, and
//! nothing is reduced, on the way or at the end.

use dashu_int::ops::{BitTest, UnsignedAbs as _};
use dashu_int::{IBig, UBig};

use super::graph::Graph;
use super::network::{Block, Network};
use super::states::{Chain, End, Ends, Form};
use crate::number::{bits, words};
use crate::{Budget, Error};

/// Binomial coefficients: `(a b)_n = sum of C(n, j) a_(n-j) b_j`.
const BINOMIALS: [[u8; 3]; 3] = [[1, 0, 0], [1, 1, 0], [1, 2, 1]];

/// See [`Chain::ends`], with the moments below `K`.
pub(super) fn ends<const K: usize>(
    chain: &Chain,
    start: &[(usize, UBig)],
    form: &Form,
    budget: &Budget,
) -> Result<Ends, Error> {
    let total = chain.begin(start, budget)?;
    let graph = Graph::new(&chain.moves, start);
    let network = Network::<K>::new(chain, &graph, form, budget)?;
    let mut masses = vec![Mass::<K>::none(); graph.lost() + 1];
    for (state, weight) in start.iter().filter(|(_, weight)| !weight.is_zero()) {
        masses[graph.place(*state)].moments[0] += weight;
    }
    network.charge(&total, &masses, budget)?;
    network.run(&mut masses);
    Ok(network.collect(&graph, masses, total))
}

/// The mass that has come to a place, with the denominator of a level.
#[derive(Clone)]
struct Mass<const K: usize> {
    level: usize,
    moments: [IBig; K],
}

impl<const K: usize> Network<K> {
    /// Charges for [`run`](Self::run) and [`collect`](Self::collect).
    fn charge(&self, total: &UBig, masses: &[Mass<K>], budget: &Budget) -> Result<(), Error> {
        let widest = self.moments().map(BitTest::bit_len).max().unwrap_or(0) as u128;
        let unit = bits(&self.units[K.min(2) - 1]) as u128 + widest + 32;
        let pairs = (K * (K + 1) / 2) as u128;
        let mut length = bits(total) as u128 + (K as u128 - 1) * unit;
        let (mut steps, mut memory) = (0_u128, 0_u128);
        let held = |mass: &Mass<K>| !mass.moments[0].is_zero();
        let mut held: Vec<bool> = masses.iter().map(held).collect();
        let mut count = held.iter().filter(|held| **held).count();
        for (level, factor) in self.factors.all().iter().enumerate() {
            let factor = bits(&(factor - UBig::ONE)) as u128;
            length += factor;
            let width = words(length);
            let mut products = 0;
            for block in self.blocks(level) {
                for place in block.places.clone() {
                    let edges = self.edges(place);
                    products += (edges.len() as u128 * pairs + 8 * K as u128) * words(widest);
                    for edge in edges {
                        count += usize::from(!std::mem::replace(&mut held[edge.to], true));
                    }
                }
                if let Some(elimination) = &block.elimination {
                    let solution = elimination.len() as u128 * K as u128;
                    products += 3 * solution * words(factor);
                }
            }
            steps = steps.saturating_add(products.saturating_mul(2 * width + 16));
            memory = memory.max(count as u128 * K as u128 * (32 + 8 * width));
            let places = self.blocks(level).iter();
            count -= places.map(|block| block.places.len()).sum::<usize>();
        }
        // What remains is brought to one denominator.
        let width = words(length);
        let lifted = count as u128 * K as u128;
        budget.charge(steps.saturating_add(lifted.saturating_mul(4 * width * width + 64)))?;
        budget.charge_memory(memory)
    }

    /// Moves all mass until it has come to an end.
    fn run(&self, masses: &mut [Mass<K>]) {
        let mut here: Vec<[IBig; K]> = Vec::new();
        for (level, factor) in self.factors.all().iter().enumerate() {
            for block in self.blocks(level) {
                here.clear();
                for place in block.places.clone() {
                    let mut mass = std::mem::replace(&mut masses[place], Mass::none());
                    self.lift(&mut mass, level);
                    here.push(mass.moments);
                }
                self.solve(block, &mut here);
                let factor = factor / &block.determinant;
                for (place, mass) in block.places.clone().zip(&mut here) {
                    multiply(mass, &factor);
                    self.leave(block, place, mass, level + 1, masses);
                }
            }
        }
    }

    /// Turns what comes to each state of a block from outside into the sum over all visits,
    /// over the total of the state, and multiplied by the determinant.
    fn solve(&self, block: &Block, here: &mut [[IBig; K]]) {
        let first = block.places.start;
        for n in 0..K {
            for j in 1..=if block.adds { n } else { 0 } {
                // What is added up inside, after the moments below, which are solved.
                let unit = &self.units[j] * BINOMIALS[n][j] / &block.determinant;
                for place in block.places.clone() {
                    let mass = &here[place - first][n - j] * &unit;
                    for edge in self.edges(place) {
                        if block.places.contains(&edge.to) && !edge.moments[j].is_zero() {
                            here[edge.to - first][n] += &mass * &edge.moments[j];
                        }
                    }
                }
            }
            if let Some(elimination) = &block.elimination {
                let column = here.iter_mut().map(|mass| std::mem::take(&mut mass[n]));
                let mut column: Vec<IBig> = column.collect();
                elimination.solve(&mut column);
                for (mass, value) in here.iter_mut().zip(column) {
                    mass[n] = value;
                }
            }
        }
    }

    /// Moves the mass of a state out of its block.
    fn leave(
        &self,
        block: &Block,
        place: usize,
        mass: &[IBig; K],
        level: usize,
        masses: &mut [Mass<K>],
    ) {
        let moves = self.edges(place).iter();
        let mut leaving = moves.filter(|edge| !block.places.contains(&edge.to));
        let adds = leaving.any(|edge| edge.moments[1..].iter().any(|moment| !moment.is_zero()));
        // All that the moments of a move are multiplied by.
        let terms: [[IBig; K]; K] = std::array::from_fn(|n| {
            std::array::from_fn(|j| match j {
                0 => mass[n].clone(),
                j if j <= n && adds => &mass[n - j] * (&self.units[j] * BINOMIALS[n][j]),
                _ => IBig::ZERO,
            })
        });
        for edge in self.edges(place) {
            if block.places.contains(&edge.to) {
                continue;
            }
            let target = &mut masses[edge.to];
            self.lift(target, level);
            for (n, sum) in target.moments.iter_mut().enumerate() {
                for (term, moment) in terms[n][..=n].iter().zip(&edge.moments) {
                    if !moment.is_zero() {
                        *sum += term * moment;
                    }
                }
            }
        }
    }

    /// Gives a mass the denominator of a later level.
    fn lift(&self, mass: &mut Mass<K>, level: usize) {
        if mass.level < level && !mass.moments[0].is_zero() {
            match &self.factors.all()[mass.level..level] {
                [factor] => multiply(&mut mass.moments, factor),
                _ => multiply(&mut mass.moments, &self.factors.product(mass.level..level)),
            }
        }
        mass.level = level;
    }

    /// The mass of each end, all over the denominator of the last level that anything came to.
    fn collect(&self, graph: &Graph, masses: Vec<Mass<K>>, total: UBig) -> Ends {
        let masses = masses.into_iter().enumerate().skip(graph.states.len());
        let mut masses: Vec<_> = masses.collect();
        masses.sort_by_key(|(_, mass)| mass.level);
        let last = masses.last().map_or(0, |(_, mass)| mass.level);
        let (mut level, mut rest) = (last, UBig::ONE);
        let mut ends = Vec::with_capacity(graph.ends.len());
        let mut never = UBig::ZERO;
        for (place, mut mass) in masses.into_iter().rev() {
            rest *= self.factors.product(mass.level..level);
            level = mass.level;
            multiply(&mut mass.moments, &rest);
            let mut moments = mass.moments.into_iter();
            let weight = moments.next().map_or(UBig::ZERO, IBig::unsigned_abs);
            if graph.is_end(place) {
                ends.push(End {
                    state: graph.ends[place - graph.states.len()],
                    weight,
                    first: moments.next().unwrap_or(IBig::ZERO),
                    second: moments.next().unwrap_or(IBig::ZERO),
                });
            } else {
                never = weight;
            }
        }
        ends.sort_by_key(|end| end.state);
        Ends {
            ends,
            never,
            total: total * self.factors.product(0..last),
            unit: self.units[K.min(2) - 1].clone(),
        }
    }
}

impl<const K: usize> Mass<K> {
    fn none() -> Self {
        Self {
            level: 0,
            moments: std::array::from_fn(|_| IBig::ZERO),
        }
    }
}

fn multiply<const K: usize>(values: &mut [IBig; K], factor: &UBig) {
    if !factor.is_one() {
        for value in values {
            *value *= factor;
        }
    }
}

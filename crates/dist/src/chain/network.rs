//! The moves that matter, block by block, in integers.

use std::ops::Range;

use dashu_int::ops::UnsignedAbs;
use dashu_int::{IBig, UBig};

use super::eliminate::Elimination;
use super::factors::Factors;
use super::graph::Graph;
use super::states::{Chain, Form};
use crate::combine::greatest_common_divisor;
use crate::combine::least_common_multiple;
use crate::number::{bits, words};
use crate::{Budget, Error};

/// All moves from one place to another: `moments[n]` is the sum of `weight * r^n`.
pub(super) struct Edge<const K: usize> {
    pub(super) to: usize,
    pub(super) moments: [IBig; K],
}

/// States that can return to one another, as a system of equations.
pub(super) struct Block {
    pub(super) places: Range<usize>,
    /// The determinant: what its solutions are to be divided by.
    pub(super) determinant: UBig,
    /// How it is solved, if it is more than one state.
    pub(super) elimination: Option<Elimination>,
    /// Whether something is added up by moves inside.
    pub(super) adds: bool,
}

pub(super) struct Network<const K: usize> {
    edges: Vec<Edge<K>>,
    /// The edges of each place.
    ranges: Vec<Range<usize>>,
    blocks: Vec<Block>,
    /// Blocks that are done together.
    levels: Vec<Range<usize>>,
    /// For each level the least common multiple of the determinants of its blocks.
    pub(super) factors: Factors,
    /// `G^n`.
    pub(super) units: [UBig; K],
}

impl<const K: usize> Network<K> {
    /// # Errors
    /// [`Error::OverBudget`], before whatever is too large.
    pub(super) fn new(
        chain: &Chain,
        graph: &Graph,
        form: &Form,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let moves = graph.states.iter().map(|state| chain.moves[*state].len());
        let size = moves.sum::<usize>() * size_of::<Edge<K>>()
            + graph.states.len() * size_of::<Range<usize>>()
            + graph.blocks.len() * size_of::<Block>();
        budget.charge_memory(size as u128)?;
        let mut network = Self {
            edges: Vec::new(),
            ranges: Vec::with_capacity(graph.states.len()),
            blocks: Vec::with_capacity(graph.blocks.len()),
            levels: graph.levels.clone(),
            factors: Factors::default(),
            units: std::array::from_fn(|_| UBig::ONE),
        };
        let mut unit = UBig::ONE;
        let mut factors = Vec::with_capacity(graph.levels.len());
        for level in &graph.levels {
            let mut factor = UBig::ONE;
            for places in &graph.blocks[level.clone()] {
                let block = network.block(chain, graph, form, places.clone(), budget)?;
                include(&mut factor, &block.determinant, budget)?;
                if block.adds {
                    include(&mut unit, &block.determinant, budget)?;
                }
                network.blocks.push(block);
            }
            factors.push(factor);
        }
        network.factors = Factors::new(factors, budget)?;
        network.units = std::array::from_fn(|n| unit.pow(n));
        Ok(network)
    }

    /// The edges of a place.
    pub(super) fn edges(&self, place: usize) -> &[Edge<K>] {
        &self.edges[self.ranges[place].clone()]
    }

    /// All weights and what they add, of all edges.
    pub(super) fn moments(&self) -> impl Iterator<Item = &IBig> {
        self.edges.iter().flat_map(|edge| &edge.moments)
    }

    /// The blocks of a level.
    pub(super) fn blocks(&self, level: usize) -> &[Block] {
        &self.blocks[self.levels[level].clone()]
    }

    fn block(
        &mut self,
        chain: &Chain,
        graph: &Graph,
        form: &Form,
        places: Range<usize>,
        budget: &Budget,
    ) -> Result<Block, Error> {
        let totals = places
            .clone()
            .map(|place| self.row(chain, graph, form, place));
        let totals: Vec<UBig> = totals.collect();
        let inside = |edge: &&Edge<K>| places.contains(&edge.to);
        let row = |place: usize| self.edges(place).iter().filter(inside);
        let adds = |edge: &Edge<K>| edge.moments[1..].iter().any(|moment| !moment.is_zero());
        let adds = places.clone().flat_map(row).any(adds);
        if let [total] = &totals[..] {
            let returns: IBig = row(places.start).map(|edge| &edge.moments[0]).sum();
            return Ok(Block {
                places,
                determinant: (total - returns).unsigned_abs(),
                elimination: None,
                adds,
            });
        }
        let weights = places.clone().flat_map(|from| {
            row(from).map(move |edge| (from, edge.to, edge.moments[0].clone().unsigned_abs()))
        });
        let first = places.start;
        let weights: Vec<_> = weights.collect();
        let weights = weights
            .iter()
            .map(|(from, to, weight)| (from - first, to - first, weight));
        let elimination = Elimination::new(totals.iter(), weights, budget)?;
        Ok(Block {
            places,
            determinant: elimination.determinant().clone(),
            elimination: Some(elimination),
            adds,
        })
    }

    /// Adds the edges of the next place, in lowest terms; the total of their weights.
    fn row(&mut self, chain: &Chain, graph: &Graph, form: &Form, place: usize) -> UBig {
        let state = graph.states[place];
        let moves = chain.moves[state].iter();
        let adds = |gains: &[i64]| if K > 1 { form.of(gains) } else { IBig::ZERO };
        let moves = moves.map(|step| (step, adds(&step.gains)));
        // To stay where one is changes nothing, unless it adds something.
        let moves = moves.filter(|(step, adds)| step.to != state || !adds.is_zero());
        let mut moves: Vec<_> = moves
            .map(|(step, adds)| (graph.place(step.to), &step.weight, adds))
            .collect();
        moves.sort_by_key(|(to, _, _)| *to);
        let shared = greatest_common_divisor(moves.iter().map(|(_, weight, _)| *weight));
        let first = self.edges.len();
        let mut total = UBig::ZERO;
        for (to, weight, adds) in moves {
            let weight = if shared.is_one() {
                weight.clone()
            } else {
                weight / &shared
            };
            total += &weight;
            let mut moments = std::array::from_fn(|_| IBig::ZERO);
            moments[0] = weight.into();
            for n in 1..if adds.is_zero() { 1 } else { K } {
                moments[n] = &moments[n - 1] * &adds;
            }
            match self.edges[first..].last_mut() {
                Some(edge) if edge.to == to => add(&mut edge.moments, moments),
                _ => self.edges.push(Edge { to, moments }),
            }
        }
        self.ranges.push(first..self.edges.len());
        total
    }
}

fn add<const K: usize>(sum: &mut [IBig; K], terms: [IBig; K]) {
    for (sum, term) in sum.iter_mut().zip(terms) {
        *sum += term;
    }
}

/// Makes `common` a multiple of `number` too.
fn include(common: &mut UBig, number: &UBig, budget: &Budget) -> Result<(), Error> {
    let width = words(bits(number) as u128);
    budget.charge((words(bits(common) as u128) + width) * width)?;
    *common = least_common_multiple([&*common, number].into_iter());
    Ok(())
}

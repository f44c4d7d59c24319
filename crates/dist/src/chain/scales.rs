//! What the weights of each state are divided by.
//!
//! Lowest terms make short numbers, but also many different ones: of states whose moves have one total, those near an end have
//! less in common with it. So states with the same total, if it is long, are divided by what all of them have in common, unless
//! that makes their numbers much longer: then their equations are the same as well, and are solved once.

use std::collections::HashMap;

use dashu_int::UBig;

use super::graph::Graph;
use super::states::{Chain, Form, Move};
use crate::combine::greatest_common_divisor;
use crate::number::{bits, gcd};

/// For each place the total of its moves that matter, and what they are divided by.
pub(super) struct Scales(Vec<(UBig, UBig)>);

/// States with one total.
struct Alike {
    shared: UBig,
    count: usize,
    /// The bits of the totals in lowest terms.
    bits: usize,
}

impl Scales {
    pub(super) fn new(chain: &Chain, graph: &Graph, form: Option<&Form>) -> Self {
        let mut alike: HashMap<UBig, Alike> = HashMap::new();
        let mut scales = Vec::with_capacity(graph.states.len());
        for state in &graph.states {
            let moves = &chain.moves[*state];
            let (total, shared) = lowest(&moves.iter().filter(|step| leads(step, *state, form)));
            if u64::try_from(&total).is_err() {
                let known = alike.entry(total.clone());
                let known = known.or_insert_with(|| Alike {
                    shared: UBig::ZERO,
                    count: 0,
                    bits: 0,
                });
                known.shared = greatest_common_divisor([&known.shared, &shared].into_iter());
                known.count += 1;
                known.bits += bits(&(&total / &shared));
            }
            scales.push((total, shared));
        }
        alike.retain(|total, all| {
            let common = bits(&(total / &all.shared)) * all.count;
            2 * common <= 3 * all.bits
        });
        for (total, shared) in &mut scales {
            if let Some(all) = alike.get(total) {
                *shared = all.shared.clone();
            }
        }
        Self(scales)
    }

    /// The total of a place, and what it is divided by.
    pub(super) fn of(&self, place: usize) -> &(UBig, UBig) {
        &self.0[place]
    }
}

/// Whether a move matters: to stay where one is changes nothing, unless it adds something.
pub(super) fn leads(step: &Move, state: usize, form: Option<&Form>) -> bool {
    let adds = || form.is_some_and(|form| !form.of(&step.gains).is_zero());
    step.to != state || adds()
}

/// The total of weights, and their greatest common divisor.
fn lowest<'m>(moves: &(impl Iterator<Item = &'m Move> + Clone)) -> (UBig, UBig) {
    let words = moves
        .clone()
        .try_fold((0, 0_u128), |(shared, total), step| {
            let weight = u64::try_from(&step.weight).ok()?;
            Some((gcd(weight, shared), total + u128::from(weight)))
        });
    match words {
        Some((shared, total)) => (UBig::from(total), UBig::from(shared)),
        None => {
            let weights = || moves.clone().map(|step| &step.weight);
            (weights().sum(), greatest_common_divisor(weights()))
        }
    }
}

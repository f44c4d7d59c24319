//! How often a prime is in the denominators of what a chain comes to.
//!
//! On a way each block divides by its determinant, and multiplies, as does each move between blocks, by weights. Where a
//! prime is in the determinant and in the weights too, it goes.
//!
//! ```text
//! two strike in turn, each with 27 ways, 21 of which do nothing: the determinant is 27·27 - 21·21 = 9·32
//! what comes to one of the two states leaves them times 27/288 or 21/288, so 3 is below the line once, not twice
//! ```

use dashu_int::UBig;

use super::network::{Block, Network};

/// A prime in the numbers of a network.
pub(super) struct Powers<'n> {
    network: &'n Network,
    /// How often it is in each determinant.
    of_system: &'n [usize],
    of_weight: Vec<i64>,
    of_total: Vec<i64>,
}

impl<'n> Powers<'n> {
    pub(super) fn new(network: &'n Network, prime: &UBig, of_system: &'n [usize]) -> Self {
        let times = |number: &UBig| {
            let times = number.clone().remove(prime).unwrap_or(0);
            i64::try_from(times).expect("memory holds no number of 2^63 bits")
        };
        Self {
            network,
            of_system,
            of_weight: network.weights.iter().map(times).collect(),
            of_total: network.totals.iter().map(times).collect(),
        }
    }

    /// The most often that it is below the line on a way from anywhere to anywhere.
    pub(super) fn most(&self) -> usize {
        // Of ways that end at each place.
        let mut below = vec![0; self.network.states()];
        let mut comes = Vec::new();
        for block in &self.network.blocks {
            comes.clear();
            comes.extend(block.places.clone().map(|place| {
                let incoming = self.network.incoming(place).iter();
                let ways = incoming.map(|step| {
                    let from = self.network.sources[step.source as usize].place;
                    below[from as usize] - self.of_weight[step.weight as usize]
                });
                ways.max().unwrap_or(0).max(0)
            }));
            self.pass(block, &comes, &mut below[block.places.clone()]);
        }
        let most = below.into_iter().max().unwrap_or(0);
        usize::try_from(most).unwrap_or(0)
    }

    /// What it is after a block of what it is before: the equations of two states are solved by a weight or a total over
    /// the determinant; of more states nothing is known of what is above the line.
    fn pass(&self, block: &Block, comes: &[i64], below: &mut [i64]) {
        let system = &self.network.systems[block.system];
        let determinant = i64::try_from(self.of_system[block.system]).unwrap_or(i64::MAX);
        let most = comes.iter().max().copied().unwrap_or(0);
        match (comes, &system.diagonal[..]) {
            ([one, other], [total, other_total]) if !self.network.stays(block) => {
                let weights = system.moves.iter().map(|(_, _, weight)| *weight as usize);
                let weight = weights.map(|weight| self.of_weight[weight]).min();
                let weight = weight.unwrap_or(0);
                let (total, other_total) = (*total as usize, *other_total as usize);
                let stay = [
                    one - self.of_total[other_total],
                    other - self.of_total[total],
                ];
                let cross = [other - weight, one - weight];
                for (below, (stay, cross)) in below.iter_mut().zip(stay.into_iter().zip(cross)) {
                    *below = determinant + stay.max(cross);
                }
            }
            _ => below.fill(determinant + most),
        }
    }
}

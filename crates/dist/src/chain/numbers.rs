//! A number for each state of a chain, found modulo primes.

use dashu_int::{IBig, UBig};

use super::graph::Graph;
use super::primes::{Lanes, Prime};
use super::remainders::Remainders;
use crate::{Budget, Error};

/// A number for each state of a chain, as integers over one total: what [`Chain::worths`] and [`Chain::visits`] find.
///
/// [`Chain::worths`]: crate::Chain::worths
/// [`Chain::visits`]: crate::Chain::visits
pub struct StateNumbers {
    remainders: Remainders,
    /// For each state its place; none if its number is 0.
    places: Vec<Option<usize>>,
    /// For some primes at a time what is left of the number of each place.
    rests: Vec<Vec<Lanes>>,
    /// For each prime what is left of what makes numbers whole, in form.
    scales: Vec<u64>,
    total: UBig,
    /// What all this takes, until it is dropped.
    _memory: Budget,
}

impl std::fmt::Debug for StateNumbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StateNumbers")
            .field("states", &self.places.len())
            .field("total", &self.total)
            .finish_non_exhaustive()
    }
}

impl StateNumbers {
    /// From what is left of the number of each place modulo primes; times `factor` they are whole, and over `total`.
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    pub(super) fn new(
        graph: &Graph,
        primes: Vec<Prime>,
        rests: Vec<Vec<Lanes>>,
        (factor, total): (&UBig, UBig),
        memory: Budget,
    ) -> Result<Self, Error> {
        let scale = |prime: &Prime| prime.form(prime.rest(factor));
        Ok(Self {
            scales: primes.iter().map(scale).collect(),
            remainders: Remainders::new(primes, &memory)?,
            places: graph.useful_places(),
            rests,
            total,
            _memory: memory,
        })
    }

    /// The number of a state, times the total.
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    ///
    /// # Panics
    /// If there is no such state.
    pub fn of(&self, state: usize) -> Result<IBig, Error> {
        let Some(place) = self.places[state] else {
            return Ok(IBig::ZERO);
        };
        let rests = self.rests.iter().flat_map(|rests| rests[place]);
        let known = self.remainders.primes().iter().zip(&self.scales).zip(rests);
        let rests: Vec<u64> = known
            .map(|((prime, scale), rest)| prime.product(*scale, rest))
            .collect();
        self.remainders.number(&rests)
    }

    /// What all numbers are over.
    pub fn total(&self) -> &UBig {
        &self.total
    }
}

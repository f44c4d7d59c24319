//! Numbers from what is left of them modulo primes (Chinese remainders).
//!
//! Modulo 5 a number leaves 3, modulo 7 it leaves 2. `7 · 3` is 1 modulo 5 and 0 modulo 7, `5 · 3` the other way round:
//!
//! ```text
//! 3·(7·3) + 2·(5·3) = 93, which modulo 35 is 23
//! ```

use dashu_int::{IBig, UBig};

use super::factors::Factors;
use super::primes::Prime;
use crate::number::words;
use crate::{Budget, Error};

/// Some primes, and what it takes to find numbers from remainders.
pub(super) struct Remainders {
    primes: Vec<Prime>,
    products: Factors,
    /// For each prime one over the product of all others, in form.
    inverses: Vec<u64>,
    all: UBig,
    budget: Budget,
}

/// What each pair of primes takes.
const PRIME_STEPS: u128 = 4;

/// The steps of a number of so many words.
fn number_steps(width: u128) -> u128 {
    width * width + 40 * width
}

impl Remainders {
    /// # Errors
    /// [`Error::OverBudget`].
    pub(super) fn new(primes: Vec<Prime>, budget: &Budget) -> Result<Self, Error> {
        let budget = budget.part();
        let count = primes.len() as u128;
        budget.charge(PRIME_STEPS * count * count)?;
        let values = primes.iter().map(|prime| UBig::from(prime.value()));
        let products = Factors::new(values.collect(), &budget)?;
        let inverse = |prime: &Prime| {
            let others = primes.iter().filter(|other| *other != prime);
            let product = others.fold(prime.form(1), |product, other| {
                let other = prime.form(other.value() % prime.value());
                prime.product(product, other)
            });
            prime
                .inverted(product)
                .expect("primes do not divide one another")
        };
        Ok(Self {
            inverses: primes.iter().map(inverse).collect(),
            all: products.product(0..primes.len()),
            products,
            primes,
            budget,
        })
    }

    /// The steps of finding so many numbers from remainders modulo so many primes.
    pub(super) fn steps(primes: usize, numbers: usize) -> u128 {
        let width = primes as u128;
        let all = number_steps(width).saturating_mul(numbers as u128);
        all.saturating_add(PRIME_STEPS * width * width)
    }

    pub(super) fn primes(&self) -> &[Prime] {
        &self.primes
    }

    /// The number whose size is less than half of the product of all primes.
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    pub(super) fn number(&self, rests: &[u64]) -> Result<IBig, Error> {
        let width = words(64 * rests.len() as u128);
        self.budget.charge(number_steps(width))?;
        let parts = self.primes.iter().zip(&self.inverses).zip(rests);
        let parts = parts.map(|((prime, inverse), rest)| prime.product(*inverse, *rest));
        let parts: Vec<u64> = parts.collect();
        let number = self.sum(&parts, 0) % &self.all;
        Ok(match &number + &number > self.all {
            true => IBig::from(number) - IBig::from(self.all.clone()),
            false => number.into(),
        })
    }

    /// The sum of each part times the product of the other primes, among those from `first` on that there are parts of.
    fn sum(&self, parts: &[u64], first: usize) -> UBig {
        if let [part] = parts {
            return UBig::from(*part);
        }
        // Halves at multiples of powers of two have products that are known.
        let half = parts.len().next_power_of_two() / 2;
        let (low, high) = parts.split_at(half);
        let (middle, end) = (first + half, first + parts.len());
        self.sum(low, first) * self.products.product(middle..end)
            + self.sum(high, middle) * self.products.product(first..middle)
    }
}

#[cfg(test)]
mod tests {
    use super::super::primes::primes;
    use super::*;

    #[test]
    fn numbers_are_found_from_their_remainders() {
        for count in 1..9 {
            let found = Remainders::new(primes(0, count), &Budget::unlimited());
            let found = found.expect("no limit");
            let half = IBig::from(&found.all / 2_u8);
            for size in [0, 1, 2, 1_i64 << 40, 1 << 50].map(IBig::from) {
                for number in [size.clone(), -&size, &half - &size, size - &half] {
                    let rests = found
                        .primes()
                        .iter()
                        .map(|prime| prime.signed_rest(&number));
                    let rests: Vec<u64> = rests.collect();
                    assert_eq!(found.number(&rests), Ok(number));
                }
            }
        }
    }
}

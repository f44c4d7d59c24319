//! Arithmetic modulo primes of 62 bits, several primes side by side.
//!
//! P. L. Montgomery, *Modular Multiplication Without Trial Division*, 1985: for an odd `p` and a number below `2^64 p`
//! there is a multiple of `p` that makes its low word 0, so it can be divided by `2^64` with two multiplications. A number
//! `x` that stands for `x / 2^64` is in *form*: the product of one in form and a plain one is plain.

use std::sync::{Mutex, PoisonError};

use dashu_int::{IBig, UBig};

use crate::number::split;

/// How many primes are worked with at once.
pub(super) const LANES: usize = 4;

/// A number for each prime.
pub(super) type Lanes = [u64; LANES];

/// Sums of products, each below `2^64 p`.
pub(super) type Sums = [u128; LANES];

/// So many products of numbers below `2^62` are together below `2^127`.
pub(super) const AT_ONCE: usize = 8;

/// Every prime has so many bits at the least: a number of `n` bits is known by more than `n / PRIME_BITS` of them.
pub(super) const PRIME_BITS: u128 = 61;

/// A prime above `2^61` and below `2^62`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prime {
    value: u64,
    /// `1 / value` modulo `2^64`.
    inverse: u64,
    /// `2^128` modulo the prime.
    square: u64,
}

/// The largest primes below `2^62` so far, in falling order.
static KNOWN: Mutex<Vec<Prime>> = Mutex::new(Vec::new());

/// The `count` primes from number `first` on, the largest one below `2^62` being number 0.
pub(super) fn primes(first: usize, count: usize) -> Vec<Prime> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    while known.len() < first + count {
        let last = known.last().map_or(1 << 62, |prime| prime.value);
        let below = (1..).map(|step| Prime::modulus((last | 1) - 2 * step));
        let mut primes = below.filter(Prime::is_prime);
        known.extend(primes.next());
    }
    known[first..first + count].to_vec()
}

/// One over a number modulo each prime, all in form: the products of several primes wait for each other less than those of one.
///
/// # Errors
/// The lane in which the number is 0.
pub(super) fn all_inverted(forms: &Lanes, primes: &[Prime; LANES]) -> Result<Lanes, usize> {
    if let Some(lane) = forms.iter().position(|form| *form == 0) {
        return Err(lane);
    }
    let ones: Lanes = std::array::from_fn(|lane| primes[lane].form(1));
    let mut powers = ones;
    for bit in (0..62).rev() {
        for (lane, prime) in primes.iter().enumerate() {
            let is_set = (prime.value - 2) >> bit & 1 == 1;
            let factor = if is_set { forms[lane] } else { ones[lane] };
            let square = prime.product(powers[lane], powers[lane]);
            powers[lane] = prime.product(square, factor);
        }
    }
    Ok(powers)
}

impl Prime {
    /// What arithmetic modulo an odd number takes.
    pub(super) fn modulus(value: u64) -> Self {
        // Each step doubles the bits that are right; an odd number is its own inverse modulo 8.
        let mut inverse = value;
        for _ in 0..5 {
            let product = value.wrapping_mul(inverse);
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(product));
        }
        let word = (u128::from(u64::MAX) + 1) % u128::from(value);
        let (square, _) = split(word * word % u128::from(value));
        Self {
            value,
            inverse,
            square,
        }
    }

    pub(super) fn value(&self) -> u64 {
        self.value
    }

    /// `sum / 2^64`, where the sum is below `2^64 p`.
    #[inline]
    pub(super) fn reduce(&self, sum: u128) -> u64 {
        let (low, high) = split(sum);
        let (high, _) = split(high);
        let factor = low.wrapping_mul(self.inverse);
        let (_, multiple) = split(u128::from(factor) * u128::from(self.value));
        let (multiple, _) = split(multiple);
        self.difference(high, multiple)
    }

    /// The product of a number in form and a plain one is plain.
    #[inline]
    pub(super) fn product(&self, left: u64, right: u64) -> u64 {
        self.reduce(u128::from(left) * u128::from(right))
    }

    /// A sum itself, where [`Self::reduce`] gives it divided by `2^64`.
    #[inline]
    pub(super) fn plain(&self, sum: u128) -> u64 {
        self.product(self.reduce(sum), self.square)
    }

    /// A plain number in form.
    #[inline]
    pub(super) fn form(&self, plain: u64) -> u64 {
        self.product(plain, self.square)
    }

    // Of two numbers that differ by a prime only the right one does not wrap, and it is the lesser one: to take that needs no
    // branch, which could not be foreseen.

    #[inline]
    pub(super) fn sum(&self, left: u64, right: u64) -> u64 {
        let sum = left + right;
        sum.min(sum.wrapping_sub(self.value))
    }

    #[inline]
    pub(super) fn difference(&self, left: u64, right: u64) -> u64 {
        let difference = left.wrapping_sub(right);
        difference.min(difference.wrapping_add(self.value))
    }

    /// Adds a product of two numbers below the prime to a sum below `2^64 p`, which it stays.
    #[inline]
    pub(super) fn add_product(&self, sum: &mut u128, left: u64, right: u64) {
        *sum = self.below(*sum + u128::from(left) * u128::from(right));
    }

    /// A sum below `2^65 p`, less `2^64 p` if it is not below that.
    #[inline]
    fn below(&self, sum: u128) -> u128 {
        let (low, high) = split(sum);
        let (high, _) = split(high);
        let high = high.min(high.wrapping_sub(self.value));
        u128::from(high) << 64 | u128::from(low)
    }

    /// Adds a sum of up to [`AT_ONCE`] products of numbers below the prime to a sum below `2^64 p`, which it stays.
    #[inline]
    pub(super) fn add_products(&self, sum: &mut u128, products: u128) {
        // They are below 2^127, so that their high word is below 4 p.
        let (low, high) = split(products);
        let (high, _) = split(high);
        let high = high.min(high.wrapping_sub(2 * self.value));
        let products = u128::from(high) << 64 | u128::from(low);
        *sum = self.below(*sum + self.below(products));
    }

    /// What is left of a number.
    pub(super) fn rest(&self, number: &UBig) -> u64 {
        match u64::try_from(number) {
            Ok(word) => word % self.value,
            Err(_) => number % self.value,
        }
    }

    /// What is left of a number that may be negative.
    pub(super) fn signed_rest(&self, number: &IBig) -> u64 {
        let (sign, size) = number.clone().into_parts();
        let rest = self.rest(&size);
        match sign {
            dashu_int::Sign::Positive => rest,
            dashu_int::Sign::Negative => self.difference(0, rest),
        }
    }

    /// A power of a number in form, in form.
    fn power(&self, base: u64, exponent: u64) -> u64 {
        let mut power = self.form(1);
        for bit in (0..64 - exponent.leading_zeros()).rev() {
            power = self.product(power, power);
            if exponent >> bit & 1 == 1 {
                power = self.product(power, base);
            }
        }
        power
    }

    /// One over a number in form, in form; none of 0.
    pub(super) fn inverted(&self, form: u64) -> Option<u64> {
        (form != 0).then(|| self.power(form, self.value - 2))
    }

    /// Whether it is one, by the test of Miller and Rabin to the first twelve primes, which no composite number below
    /// 3·10^24 passes (J. Sorenson and J. Webster, 2015).
    fn is_prime(&self) -> bool {
        const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
        if BASES.iter().any(|base| self.value.is_multiple_of(*base)) {
            return false;
        }
        let twos = (self.value - 1).trailing_zeros();
        let (one, odd) = (self.form(1), (self.value - 1) >> twos);
        let minus_one = self.value - one;
        BASES.iter().all(|base| {
            let mut power = self.power(self.form(*base), odd);
            let mut passes = power == one || power == minus_one;
            for _ in 1..twos {
                power = self.product(power, power);
                passes |= power == minus_one;
            }
            passes
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The primes just below `2^62`, from a table of `2^n - k` (Chris Caldwell's Prime Pages).
    #[test]
    fn the_largest_primes_below_a_power_of_two() {
        let below = primes(0, 10)
            .into_iter()
            .map(|prime| (1 << 62) - prime.value);
        let below: Vec<u64> = below.collect();
        assert_eq!(below, [57, 87, 117, 143, 153, 167, 171, 195, 203, 273]);
        assert_eq!(primes(3, 2), primes(0, 5)[3..]);
    }

    #[test]
    fn numbers_are_inverted_side_by_side_as_one_by_one() {
        let primes: [Prime; LANES] = primes(5, LANES).try_into().expect("as many");
        for n in [1, 2, 3, 1 << 61, (1 << 62) - 300] {
            let forms: Lanes = std::array::from_fn(|lane| n - lane as u64 / 2);
            let inverses = all_inverted(&forms, &primes);
            let one_by_one = (0..LANES).map(|lane| primes[lane].inverted(forms[lane]).ok_or(lane));
            let one_by_one: Result<Vec<u64>, usize> = one_by_one.collect();
            assert_eq!(inverses.map(Vec::from), one_by_one);
        }
        assert_eq!(all_inverted(&[1, 2, 0, 0], &primes), Err(2));
    }

    #[test]
    fn products_are_those_of_longer_words() {
        for prime in primes(0, 3) {
            let (p, wide) = (prime.value, u128::from(prime.value));
            for left in [0, 1, 2, 12345, p / 3, p - 2, p - 1] {
                assert_eq!(prime.plain(u128::from(left)), left);
                for right in [0, 1, 7, p / 2, p - 1] {
                    let expected = u128::from(left) * u128::from(right) % wide;
                    assert_eq!(u128::from(prime.product(prime.form(left), right)), expected);
                    let mut sum = (wide << 64) - 1;
                    let before = u128::from(prime.plain(sum));
                    prime.add_product(&mut sum, left, right);
                    assert_eq!(u128::from(prime.plain(sum)), (before + expected) % wide);
                    let mut sum = (wide << 64) - 1;
                    let many = AT_ONCE as u128 * u128::from(left) * u128::from(right);
                    prime.add_products(&mut sum, many);
                    assert!(sum < wide << 64);
                    assert_eq!(u128::from(prime.plain(sum)), (before + many) % wide);
                    let sum = u128::from(prime.sum(left, right));
                    assert_eq!(sum, (u128::from(left) + u128::from(right)) % wide);
                    assert_eq!(prime.difference(prime.sum(left, right), right), left);
                }
                if let Some(inverse) = prime.inverted(prime.form(left)) {
                    assert_eq!(prime.product(inverse, left), 1);
                }
            }
            assert_eq!(prime.inverted(0), None);
            assert_eq!(prime.signed_rest(&IBig::from(-1)), p - 1);
            assert_eq!(prime.rest(&(UBig::from(p) * UBig::from(p) + 5_u8)), 5);
        }
    }
}

//! Products of neighbours in a long list of factors.

use std::ops::Range;

use dashu_int::UBig;

use crate::number::{bits, words};
use crate::{Budget, Error};

/// Factors, then the products of every two of them, every four, and so on.
#[derive(Default)]
pub(super) struct Factors {
    first: Vec<UBig>,
    above: Vec<Vec<UBig>>,
}

impl Factors {
    /// # Errors
    /// [`Error::OverBudget`].
    pub(super) fn new(first: Vec<UBig>, budget: &Budget) -> Result<Self, Error> {
        let length: u128 = first.iter().map(|factor| bits(factor) as u128).sum();
        let width = words(length);
        budget.charge(width.saturating_mul(width))?;
        let rows = u128::from(first.len().checked_ilog2().unwrap_or(0));
        budget.charge_memory(rows * 8 * width + 48 * first.len() as u128)?;
        let mut above: Vec<Vec<UBig>> = Vec::new();
        loop {
            let below = above.last().unwrap_or(&first);
            let (pairs, _) = below.as_chunks();
            if pairs.is_empty() {
                break;
            }
            above.push(pairs.iter().map(|[left, right]| left * right).collect());
        }
        Ok(Self { first, above })
    }

    /// The product of the factors in `range`, of about the binary logarithm of their number.
    pub(super) fn product(&self, range: Range<usize>) -> UBig {
        let Range { mut start, mut end } = range;
        let mut product = UBig::ONE;
        for row in std::iter::once(&self.first).chain(&self.above) {
            if start >= end {
                break;
            }
            if start % 2 == 1 {
                product *= &row[start];
                start += 1;
            }
            if end % 2 == 1 {
                end -= 1;
                product *= &row[end];
            }
            (start, end) = (start / 2, end / 2);
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_all_ranges() {
        for count in 0..20_u8 {
            let all: Vec<UBig> = (0..count).map(|i| UBig::from(i + 2)).collect();
            let factors = Factors::new(all.clone(), &Budget::unlimited()).expect("no limit");
            for start in 0..=all.len() {
                for end in start..=all.len() {
                    let expected = all[start..end].iter().product::<UBig>();
                    assert_eq!(factors.product(start..end), expected);
                }
            }
        }
    }
}

//! Sums of products of numbers whose length is known before, so that nothing is allocated while they are added up.

use crate::number::split;

/// Adds `term * factor`; `sum` holds the result.
pub(super) fn add_product(sum: &mut [u64], term: &[u64], factor: &[u64]) {
    match factor {
        [digit] => add_multiple(sum, term, *digit),
        _ => {
            for (shift, digit) in factor.iter().enumerate().filter(|(_, digit)| **digit != 0) {
                add_multiple(&mut sum[shift..], term, *digit);
            }
        }
    }
}

fn add_multiple(sum: &mut [u64], term: &[u64], digit: u64) {
    let mut carry = 0;
    let length = term.len().min(sum.len());
    let (low, high) = sum.split_at_mut(length);
    for (word, other) in low.iter_mut().zip(term) {
        let product = u128::from(*other) * u128::from(digit);
        (*word, carry) = split(product + u128::from(*word) + carry);
    }
    for word in high {
        if carry == 0 {
            break;
        }
        (*word, carry) = split(u128::from(*word) + carry);
    }
}

#[cfg(test)]
mod tests {
    use dashu_int::UBig;

    use super::*;
    use crate::number::Number;
    use crate::weights::Row;

    #[test]
    fn products_are_those_of_big_integers() {
        let power = |base: u8, n: usize| UBig::from(base).pow(n);
        let numbers = (0..40).flat_map(|n| {
            [
                power(3, 5 * n),
                power(2, 7 * n),
                power(2, 7 * n) - UBig::ONE,
            ]
        });
        let numbers: Vec<UBig> = numbers.collect();
        let row = Row::from_big(numbers.iter());
        for (i, left) in numbers.iter().enumerate() {
            assert_eq!(<UBig as Number>::from_words(row.get(i)), *left);
            for (j, right) in numbers.iter().enumerate() {
                let mut sum = vec![u64::MAX; 1];
                sum.resize(12, 0);
                add_product(&mut sum, row.get(i), row.get(j));
                assert_eq!(
                    <UBig as Number>::from_words(&sum),
                    left * right + UBig::from(u64::MAX)
                );
            }
        }
    }
}

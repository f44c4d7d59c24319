//! Sums of products of numbers whose length is known before, so that nothing is allocated while they are added up.

use std::ops::Range;

use crate::number::split;

/// A number times a word.
#[derive(Clone, Copy)]
pub(super) struct Term {
    /// The place at which the number begins among many words, which go on as far as the sum does.
    pub(super) at: usize,
    pub(super) digit: u64,
}

/// A sum of terms, while it is made.
#[derive(Clone)]
pub(super) struct Sum {
    /// The place that the word goes to.
    pub(super) at: usize,
    /// The terms that it is the sum of.
    pub(super) terms: Range<usize>,
    /// The carry that its words so far have left over; 0 once they hold the sum.
    pub(super) carry: u128,
}

/// Makes sums of so many words, which hold them, of numbers among `from`. They are `WIDE` unless the digits of each are
/// together no more than a word.
pub(super) fn set_sums<const WIDE: bool>(
    to: &mut [u64],
    sums: &mut [Sum],
    terms: &[Term],
    from: &[u64],
    words: usize,
) {
    // Two words for each of four columns are what the registers of a processor hold.
    for done in (0..words).step_by(4) {
        let (to, from) = (&mut to[done..], &from[done..]);
        match words - done {
            1 => set_columns::<1, WIDE>(to, sums, terms, from),
            2 => set_columns::<2, WIDE>(to, sums, terms, from),
            3 => set_columns::<3, WIDE>(to, sums, terms, from),
            _ => set_columns::<4, WIDE>(to, sums, terms, from),
        }
    }
    debug_assert!(sums.iter().all(|sum| sum.carry == 0), "words hold the sum");
}

/// The next words of sums, so many of each.
fn set_columns<const N: usize, const WIDE: bool>(
    to: &mut [u64],
    sums: &mut [Sum],
    terms: &[Term],
    from: &[u64],
) {
    // Two words, and one more if it is wide.
    let add = |(low, high): &mut (u128, u64), more: u128| {
        if WIDE {
            let over;
            (*low, over) = low.overflowing_add(more);
            *high += u64::from(over);
        } else {
            *low += more;
        }
    };
    for sum in sums {
        let mut columns = [(0, 0); N];
        for term in &terms[sum.terms.clone()] {
            let number = from[term.at..].first_chunk::<N>();
            let number = number.expect("the words go on as far as the sum");
            for (column, word) in columns.iter_mut().zip(number) {
                add(column, u128::from(*word) * u128::from(term.digit));
            }
        }
        for (word, mut column) in to[sum.at..][..N].iter_mut().zip(columns) {
            add(&mut column, sum.carry);
            (*word, sum.carry) = split(column.0);
            sum.carry |= u128::from(column.1) << 64;
        }
    }
}

#[cfg(test)]
mod tests {
    use dashu_int::UBig;

    use super::*;
    use crate::number::Number;
    use crate::number::weights::WeightRow;

    /// Three sums of any length, with digits that are together a word at most, and with any.
    #[test]
    fn sums_are_those_of_big_integers() {
        let (width, stride) = (9, 10);
        let numbers = (0..6_usize).map(|n| UBig::from(3_u8).pow(n * n * 10) - UBig::ONE);
        let numbers: Vec<UBig> = numbers.chain([(UBig::ONE << 500) - UBig::ONE]).collect();
        let mut from = WeightRow::zeros(stride, numbers.len());
        for (n, number) in numbers.iter().enumerate() {
            // One word of room below.
            from.set(n, &(number << 64));
        }
        let from = from.split_at_mut(numbers.len()).0.to_vec();
        for (digit, is_wide) in [(1, false), (u64::MAX / 7, false), (u64::MAX, true)] {
            let term = |n: usize| Term {
                at: n * stride + 1,
                digit,
            };
            let mut terms: Vec<Term> = (0..numbers.len()).map(term).collect();
            terms[0].at -= 1; // stands one word higher
            let sum_of = |terms: Range<usize>| {
                let higher = |n: usize| {
                    if n == 0 {
                        &numbers[0] << 64
                    } else {
                        numbers[n].clone()
                    }
                };
                terms.map(|n| higher(n) * digit).sum::<UBig>()
            };
            let parts = [0..7, 2..2, 0..3];
            for words in 1..=width {
                let sums = parts.iter().zip(0..).map(|(terms, n)| Sum {
                    at: n * stride,
                    terms: terms.clone(),
                    carry: 0,
                });
                let fits = |terms: &Range<usize>| sum_of(terms.clone()) < UBig::ONE << (64 * words);
                let mut sums: Vec<Sum> = sums.filter(|sum| fits(&sum.terms)).collect();
                let mut to = vec![u64::MAX; 3 * stride];
                let set_sums = if is_wide {
                    set_sums::<true>
                } else {
                    set_sums::<false>
                };
                set_sums(&mut to, &mut sums, &terms, &from, words);
                for sum in sums {
                    let found = <UBig as Number>::from_words(&to[sum.at..][..words]);
                    assert_eq!(found, sum_of(sum.terms));
                }
            }
        }
    }
}

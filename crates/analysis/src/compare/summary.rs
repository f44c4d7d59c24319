//! Summaries of all configurations of a sweep.

use oddsmith_dist::{BitTest, RBig};

use crate::compare::difference::{Difference, Order};
use crate::compare::pair::PairRow;

/// A mean over a sweep with a larger denominator is not worked out: its digits would cost more than they say.
const MOST_BITS: usize = 1 << 16;

/// Many configurations in a few numbers. Rows are named by their places in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many configurations there are.
    pub rows: usize,
    /// Rows in which the two sides stand in each order of [`Order::ALL`].
    pub orders: [usize; 4],
    /// How many are allowed by the rules of A only, and of B only.
    pub only: [usize; 2],
    /// The first row in each order of [`Order::ALL`].
    pub first: [Option<usize>; 4],
    /// The total variation.
    pub variation: LineSummary,
    /// The Wasserstein distance.
    pub distance: LineSummary,
    /// B less A, for each line.
    pub lines: Vec<LineSummary>,
}

/// One number over many configurations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSummary {
    /// The number that is farthest from 0, with its row: the first of equals. None if there is none in any row.
    pub largest: Option<(usize, RBig)>,
    /// The mean over the rows that have the number; none too if its fraction is too long to be of use, as can be for
    /// conditional probabilities in a large sweep.
    pub mean: Option<RBig>,
}

impl Summary {
    /// The summary of all rows, each of them with `lines` lines.
    #[must_use]
    pub fn of(rows: &[PairRow], lines: usize) -> Self {
        let is = |order: Order| {
            move |row: &&PairRow| {
                row.difference
                    .as_ref()
                    .is_some_and(|own| own.order == order)
            }
        };
        let only = |side: usize| {
            rows.iter()
                .filter(move |row| !row.allowed[1 - side])
                .count()
        };
        let number = |of: fn(&Difference) -> &RBig| {
            LineSummary::of(
                rows.iter()
                    .map(|row| row.difference.as_ref().map(of).cloned()),
            )
        };
        Self {
            rows: rows.len(),
            orders: Order::ALL.map(|order| rows.iter().filter(is(order)).count()),
            only: [only(0), only(1)],
            first: Order::ALL.map(|order| rows.iter().position(|row| is(order)(&row))),
            variation: number(|difference| &difference.variation),
            distance: number(|difference| &difference.distance),
            lines: (0..lines)
                .map(|line| LineSummary::of(rows.iter().map(|row| row.line_difference(line))))
                .collect(),
        }
    }
}

impl LineSummary {
    /// The summary of a number for each row.
    fn of(numbers: impl Iterator<Item = Option<RBig>>) -> Self {
        let mut largest: Option<(usize, RBig)> = None;
        let mut all = Vec::new();
        for (row, number) in numbers.enumerate() {
            let Some(number) = number else { continue };
            if largest
                .as_ref()
                .is_none_or(|(_, most)| size(&number) > size(most))
            {
                largest = Some((row, number.clone()));
            }
            all.push(number);
        }
        let count = RBig::from(all.len());
        let mean = sum(all).filter(|_| largest.is_some());
        Self {
            largest,
            mean: mean.map(|sum| sum / count),
        }
    }
}

fn size(number: &RBig) -> RBig {
    number.clone().max(-number.clone())
}

/// Sums neighbours, then neighbouring sums: numbers of about the same length are added.
fn sum(mut numbers: Vec<RBig>) -> Option<RBig> {
    while numbers.len() > 1 {
        let pairs = numbers.chunks(2);
        numbers = pairs
            .map(|pair| pair.iter().fold(RBig::ZERO, |sum, number| sum + number))
            .collect();
        if numbers
            .iter()
            .any(|sum| sum.denominator().bit_len() > MOST_BITS)
        {
            return None;
        }
    }
    Some(numbers.pop().unwrap_or(RBig::ZERO))
}

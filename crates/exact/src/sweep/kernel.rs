//! Kernels: moments as a function of the cut value.

use std::ops::Range;

use oddsmith_dist::{BitTest as _, IBig, UBig, least_common_multiple};

use crate::Error;
use crate::sweep::integers::Integers;

/// Moments that stand side by side.
pub(super) const FOUR: usize = 4;

/// What follows from each value: stretches of values with the same moments.
///
/// The sum of a moment over a shape is the moment of the last stretch that the shape meets times the shape's total,
/// less, for each start of a stretch between its outcomes, the weight below times the change of the moment there.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// Where stretches start, ascending; each reaches up to the next one's start, the last as far as it is asked.
    pub(super) starts: Vec<i64>,
    /// How many moments there are.
    pub(super) count: usize,
    /// For each four moments the stretches from the first to the last at whose start one of them changes.
    pub(super) within: Vec<Range<usize>>,
    /// Four moments after four moments (what is missing to four is 0), each four in stretch after stretch; then their
    /// changes in the same order; then the total.
    pub(super) numbers: Integers,
    /// The bits of the longest sum of a moment over a shape whose total is 1, or of a part of it.
    pub(super) bits: usize,
    /// The stretches that have no moments, and why.
    pub(super) failures: Vec<(usize, Error)>,
}

/// The moments that follow from one value, over a total; or why there are none.
pub(crate) type Cell = Result<(Vec<IBig>, UBig), Error>;

impl Kernel {
    /// Cells in ascending order of their values, each with so many moments.
    pub(crate) fn new(cells: Vec<(i64, Cell)>, count: usize) -> Self {
        let good = cells.iter().filter_map(|(_, cell)| cell.as_ref().ok());
        let total = least_common_multiple(good.map(|cell| &cell.1));
        let mut starts = Vec::new();
        let mut stretches: Vec<Result<Vec<IBig>, Error>> = Vec::new();
        for (value, cell) in cells {
            let now = cell.map(|(moments, own)| {
                let scale = &total / own;
                moments.into_iter().map(|moment| moment * &scale).collect()
            });
            let goes_on = match (stretches.last(), &now) {
                (Some(Ok(before)), Ok(now)) => before == now,
                _ => false,
            };
            if !goes_on {
                starts.push(value);
                stretches.push(now);
            }
        }
        Self::of_stretches(starts, stretches, count, total)
    }

    fn of_stretches(
        starts: Vec<i64>,
        stretches: Vec<Result<Vec<IBig>, Error>>,
        count: usize,
        total: UBig,
    ) -> Self {
        let mut failures = Vec::new();
        let or_none = |(at, stretch): (usize, Result<Vec<IBig>, Error>)| {
            stretch.unwrap_or_else(|error| {
                failures.push((at, error));
                vec![IBig::ZERO; count]
            })
        };
        let stretches: Vec<Vec<IBig>> = stretches.into_iter().enumerate().map(or_none).collect();
        let mut longest = IBig::from(total.clone());
        let (mut moments, mut changes, mut within) = (Vec::new(), Vec::new(), Vec::new());
        for moment in 0..count {
            let own: Vec<IBig> = stretches.iter().map(|all| all[moment].clone()).collect();
            let own_changes: Vec<IBig> = std::iter::once(IBig::ZERO)
                .chain(own.windows(2).map(|pair| &pair[1] - &pair[0]))
                .collect();
            longest = longest.max(most(&own) + own_changes.iter().map(magnitude).sum::<IBig>());
            moments.push(own);
            changes.push(own_changes);
        }
        for four in changes.chunks(FOUR) {
            let is_change = |at: &usize| four.iter().any(|changes| changes[*at] != IBig::ZERO);
            let mut changing = (0..starts.len()).filter(is_change);
            let first = changing.next().unwrap_or(0);
            within.push(first..changing.next_back().unwrap_or(first) + 1);
        }
        let mut numbers = by_fours(&moments);
        numbers.extend(by_fours(&changes));
        numbers.push(IBig::from(total));
        Self {
            starts,
            count,
            within,
            numbers: Integers::narrowest(numbers),
            bits: longest.bit_len(),
            failures,
        }
    }
}

/// Four columns after four columns, each four side by side; what is missing to four is 0.
fn by_fours(columns: &[Vec<IBig>]) -> Vec<IBig> {
    let rows = |four: &[Vec<IBig>]| {
        let row = |at: usize| {
            (0..FOUR).map(move |lane| four.get(lane).map_or(IBig::ZERO, |own| own[at].clone()))
        };
        (0..four[0].len()).flat_map(row).collect::<Vec<IBig>>()
    };
    columns.chunks(FOUR).flat_map(rows).collect()
}

fn magnitude(number: &IBig) -> IBig {
    number.clone().max(-number)
}

/// The greatest magnitude.
fn most(numbers: &[IBig]) -> IBig {
    numbers.iter().map(magnitude).max().unwrap_or(IBig::ZERO)
}

#[cfg(test)]
mod tests {
    use oddsmith_dist::{Dist, IBig, UBig};
    use proptest::prelude::*;

    use super::{Cell, Kernel};
    use crate::Error;
    use crate::sweep::moment_sums::{Scratch, Sums};
    use crate::sweep::shape::Shape;

    fn refusal() -> Error {
        let (query, config) = ("a query".to_owned(), String::new());
        Error::NeverHappens { query, config }
    }

    /// Positive numbers of up to so many bits, many of them as long as that.
    fn numbers(bits: u32) -> impl Strategy<Value = UBig> {
        let shift = prop_oneof![Just(0), 0..bits];
        let below = prop::collection::vec(any::<u64>(), 3);
        (below, shift, any::<bool>()).prop_map(move |(words, shift, is_round)| {
            let most = UBig::ONE << usize::try_from(bits - shift).expect("few bits");
            let number = words
                .iter()
                .fold(UBig::ZERO, |sum, word| (sum << 64) + word);
            // Powers of 2 and their neighbours are where widths change.
            if is_round {
                most - number % 2_u8
            } else {
                number % &most + UBig::ONE
            }
        })
    }

    fn shapes() -> impl Strategy<Value = Dist> {
        let widths = prop_oneof![
            Just(4_u32),
            Just(61),
            Just(63),
            Just(64),
            Just(124),
            Just(130)
        ];
        let outcomes = widths
            .prop_flat_map(|bits| prop::collection::btree_map(-9_i64..9, numbers(bits), 1..8));
        outcomes.prop_map(|pairs| Dist::from_weights(pairs).expect("there is weight"))
    }

    fn cells() -> impl Strategy<Value = Vec<Cell>> {
        let widths = prop_oneof![
            Just(1_u32),
            Just(3),
            Just(62),
            Just(64),
            Just(126),
            Just(128)
        ];
        widths.prop_flat_map(|bits| {
            let moment = prop_oneof![
                Just(IBig::ZERO),
                Just(IBig::ONE),
                (numbers(bits), any::<bool>()).prop_map(|(size, is_negative)| {
                    if is_negative {
                        -IBig::from(size)
                    } else {
                        IBig::from(size)
                    }
                }),
            ];
            let total = prop_oneof![Just(UBig::ONE), Just(UBig::from(6_u8)), numbers(bits)];
            let good = (prop::collection::vec(moment, 2), total).prop_map(Ok);
            let cell = prop_oneof![29 => good, 1 => Just(Err(refusal()))];
            // Stretches: a few cells, each several times.
            prop::collection::vec((cell, 1_usize..6), 48).prop_map(|stretches| {
                let repeat = |(cell, times): (Cell, usize)| std::iter::repeat_n(cell, times);
                stretches.into_iter().flat_map(repeat).take(48).collect()
            })
        })
    }

    /// The sums of two moments over a shape, and their total, term by term.
    fn by_terms(cells: &[Cell], shape: &Dist, shift: i64, total: &UBig) -> Cell {
        let mut sums = vec![IBig::ZERO; 2];
        for (outcome, weight) in shape.iter() {
            let place = usize::try_from(outcome + shift + 12).expect("it is in the kernel");
            let (moments, own) = cells[place].as_ref().map_err(Clone::clone)?;
            let scale = IBig::from(&weight * (total / shape.total() / own));
            sums.iter_mut()
                .zip(moments)
                .for_each(|(sum, moment)| *sum += moment * &scale);
        }
        Ok((sums, total.clone()))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn sums_are_those_of_the_terms(
            cells in cells(), shape in shapes(), from in -3_i64..3, rows in 1_i64..24,
        ) {
            let placed = cells.iter().cloned().zip(-12..).map(|(cell, value)| (value, cell));
            let kernel = Kernel::new(placed.collect(), 2);
            let mut scratch = Scratch::default();
            // The rows before, of which the first has no shift, must not change the last.
            let shifts: Vec<Result<i64, Error>> = std::iter::once(0).chain(from..from + rows).map(Ok).collect();
            let shape_sums = Shape::new(&shape);
            let mut row = |shifts: &[Result<i64, Error>]| {
                let (sums, stop) = kernel.sum_moments(&shape_sums, shifts.iter(), &mut scratch);
                stop.map(|()| {
                    let (mut sums, total) = match sums {
                        Sums::Words(sums, total) => (sums.iter().map(|sum| IBig::from(*sum)).collect(), total.into()),
                        Sums::Doubles(sums, total) => (sums.iter().map(|sum| IBig::from(*sum)).collect(), total.into()),
                        Sums::Big(sums, total) => (sums, IBig::from(total)),
                    };
                    let last: Vec<IBig> = sums.split_off((shifts.len() - 1) * 2);
                    (last, UBig::try_from(total).expect("it is not negative"))
                })
            };
            let (all, found) = (row(&shifts), row(&shifts[shifts.len() - 1..]));
            if all.is_ok() {
                prop_assert_eq!(&all, &found);
            }
            let own = cells.iter().flatten().map(|(_, own)| own);
            let total = shape.total() * oddsmith_dist::least_common_multiple(own);
            prop_assert_eq!(found, by_terms(&cells, &shape, from + rows - 1, &total));
        }
    }
}

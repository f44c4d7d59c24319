//! Cumulative weights and the kernels that they meet.

use std::ops::{Add, Mul, Range, Sub};

use oddsmith_dist::{BitTest as _, Dist, IBig, UBig, least_common_multiple};

use crate::Error;
use crate::sweep::integers::Integers;

/// What leads to the cut value: its weights, cumulated.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The lowest outcome.
    low: i64,
    /// The highest outcome.
    high: i64,
    /// At place `i` the weight of outcomes below `low + i`; the last is the total.
    cumulative: Integers,
    /// The bits of the total.
    bits: usize,
}

impl Shape {
    pub(crate) fn new(dist: &Dist) -> Self {
        let (low, high, bits) = (dist.min(), dist.max(), dist.total().bit_len());
        let weights = (low..=high).map(|x| dist.weight(x));
        let cumulative = match dist.dense_u128() {
            Some((_, weights)) if bits < 64 => {
                let words = weights.iter().map(|&weight| i64::try_from(weight));
                Integers::Word(sums(words.map(|word| word.expect(BELOW_THE_TOTAL)), 0))
            }
            Some((_, weights)) => {
                let doubles = weights.iter().map(|&weight| i128::try_from(weight));
                Integers::Double(sums(doubles.map(|word| word.expect(BELOW_THE_TOTAL)), 0))
            }
            None => Integers::narrowest(sums(weights.map(IBig::from), IBig::ZERO)),
        };
        Self {
            low,
            high,
            cumulative,
            bits,
        }
    }

    /// The bytes that a distribution and its cumulated weights take.
    pub(crate) fn bytes(dist: &Dist) -> u64 {
        let span = dist.max().abs_diff(dist.min()).saturating_add(1);
        let words = (dist.total().bit_len() / 64).max(2) as u64 + 3;
        span.saturating_mul(16 * words)
    }
}

const BELOW_THE_TOTAL: &str = "a weight is no longer than the total";

/// Running sums, from `zero` on.
fn sums<T: Clone + for<'x> Add<&'x T, Output = T>>(
    weights: impl Iterator<Item = T>,
    zero: T,
) -> Vec<T> {
    let mut sums = vec![zero];
    for weight in weights {
        let next = sums[sums.len() - 1].clone() + &weight;
        sums.push(next);
    }
    sums
}

/// Moments that are summed side by side.
const FOUR: usize = 4;

/// What follows from each value: stretches of values with the same moments.
///
/// The sum of a moment over a shape is the moment of the last stretch that the shape meets times the shape's total,
/// less, for each start of a stretch between its outcomes, the weight below times the change of the moment there.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// Where stretches start, ascending; each reaches up to the next one's start, the last as far as it is asked.
    starts: Vec<i64>,
    /// How many moments there are.
    count: usize,
    /// For each four moments the stretches from the first to the last at whose start one of them changes.
    within: Vec<Range<usize>>,
    /// Four moments after four moments (what is missing to four is 0), each four in stretch after stretch; then their
    /// changes in the same order; then the total.
    numbers: Integers,
    /// The bits of the longest sum of a moment over a shape whose total is 1, or of a part of it.
    bits: usize,
    /// The stretches that have no moments, and why.
    failures: Vec<(usize, Error)>,
}

/// The moments that follow from one value, over a total; or why there are none.
pub(crate) type Cell = Result<(Vec<IBig>, UBig), Error>;

/// The sums of the moments of rows, and the total that they share.
#[derive(Debug)]
pub(crate) enum Sums<'s> {
    /// Row after row, each as wide as it says.
    Small {
        sums: &'s [i128],
        width: usize,
        total: i128,
    },
    Big(Vec<Vec<IBig>>, UBig),
}

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

    /// The sums of the moments over a shape at each shift, up to the first error; all outcomes are among the kernel's
    /// values.
    pub(crate) fn meet<'s, 'e>(
        &self,
        shape: &Shape,
        shifts: impl Iterator<Item = &'e Result<i64, Error>>,
        scratch: &'s mut Scratch,
    ) -> (Sums<'s>, Result<(), Error>) {
        use Integers::{Double, Word};
        let Scratch {
            words,
            doubles,
            sums,
            met,
        } = scratch;
        met.clear();
        let stop = self.met(shape, shifts, met);
        sums.clear();
        let bits = self.bits + shape.bits;
        let total = match (&shape.cumulative, &self.numbers) {
            (Word(weights), Word(numbers)) if bits < 63 => {
                self.small::<i64, _, _>(met, weights, numbers, words, sums)
            }
            (weights, _) if bits >= 127 => return (self.big(met, &weights.to_big()), stop),
            (Word(weights), Word(numbers)) => {
                self.small::<i128, _, _>(met, weights, numbers, words, sums)
            }
            (Word(weights), Double(numbers)) => {
                self.small::<i128, _, _>(met, weights, numbers, words, sums)
            }
            (Double(weights), Word(numbers)) => {
                self.small::<i128, _, _>(met, weights, numbers, doubles, sums)
            }
            (Double(weights), Double(numbers)) => {
                self.small::<i128, _, _>(met, weights, numbers, doubles, sums)
            }
            (weights, _) => return (self.big(met, &weights.to_big()), stop),
        };
        let width = FOUR * self.within.len();
        (Sums::Small { sums, width, total }, stop)
    }

    /// The stretches that a shape meets at each shift, up to the first error.
    fn met<'e>(
        &self,
        shape: &Shape,
        shifts: impl Iterator<Item = &'e Result<i64, Error>>,
        met: &mut Vec<Met>,
    ) -> Result<(), Error> {
        let (mut begun, mut end) = (0, 0);
        for shift in shifts {
            let shift = *shift.as_ref().map_err(Clone::clone)?;
            let low = shape.low + shift;
            begun = self.begun_at(low, begun);
            end = self.begun_at(shape.high + shift, end);
            let row = Met { low, begun, end };
            if !self.failures.is_empty() {
                self.refuse(&shape.cumulative, &row)?;
            }
            met.push(row);
        }
        Ok(())
    }

    /// How many stretches start at a value or below; the guess is what it was for the row before.
    fn begun_at(&self, value: i64, guess: usize) -> usize {
        let is_it = |count: usize| {
            self.starts[..count]
                .last()
                .is_some_and(|start| *start <= value)
                && self.starts.get(count).is_none_or(|start| *start > value)
        };
        // Most often a row is shifted by one more than the row before.
        if is_it(guess) {
            return guess;
        }
        if guess < self.starts.len() && is_it(guess + 1) {
            return guess + 1;
        }
        self.starts.partition_point(|start| *start <= value)
    }

    /// An error if a stretch that has weight failed.
    fn refuse(&self, cumulative: &Integers, met: &Met) -> Result<(), Error> {
        let place_of = |at: usize| match at {
            _ if at < met.begun => 0,
            _ if at >= met.end => cumulative.len() - 1,
            _ => place(self.starts[at], met.low),
        };
        let has_weight =
            |at: usize| cumulative.get(place_of(at)) != cumulative.get(place_of(at + 1));
        let mut failures = self.failures.iter();
        match failures.find(|(at, _)| has_weight(*at)) {
            Some((_, error)) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// Adds the sums of rows, by fours, to `sums`; returns their total. Nothing is longer than [`Self::bits`] and the
    /// shape's.
    fn small<S: Sum, W: Copy + Into<S>, N: Copy + Into<S>>(
        &self,
        met: &[Met],
        cumulative: &[W],
        numbers: &[N],
        room: &mut Vec<W>,
        sums: &mut Vec<i128>,
    ) -> i128 {
        let shape_total: S = cumulative[cumulative.len() - 1].into();
        let (fours, total) = numbers.as_chunks::<FOUR>();
        let (moments, changes) = fours.split_at(self.within.len() * self.starts.len());
        for met in met {
            let inner = &self.starts[met.begun..met.end];
            let below = weights_below(inner, cumulative, met.low, room);
            for (at, within) in self.within.iter().enumerate() {
                let from = at * self.starts.len();
                let inner = met.inner(within);
                let changes = &changes[from + inner.start..from + inner.end];
                let less = products(&below[inner.start - met.begun..][..changes.len()], changes);
                let last = moments[from + met.end - 1];
                let sum = |lane: usize| (last[lane].into() * shape_total - less[lane]).into();
                sums.extend_from_slice(&std::array::from_fn::<i128, FOUR, _>(sum));
            }
        }
        (shape_total * total[0].into()).into()
    }

    fn big<'s>(&self, met: &[Met], cumulative: &[IBig]) -> Sums<'s> {
        let row = |met: &Met| {
            let sum = |moment: usize| self.big_sum(moment, cumulative, met);
            (0..self.count).map(sum).collect()
        };
        let total = &cumulative[cumulative.len() - 1] * self.numbers.get(self.numbers.len() - 1);
        let total = UBig::try_from(total).expect("totals are not negative");
        Sums::Big(met.iter().map(row).collect(), total)
    }

    fn big_sum(&self, moment: usize, cumulative: &[IBig], met: &Met) -> IBig {
        let (four, lane) = (moment / FOUR, moment % FOUR);
        let number = |four: usize, at: usize| {
            let row = four * self.starts.len() + at;
            self.numbers.get(FOUR * row + lane)
        };
        let products = met.inner(&self.within[four]).map(|at| {
            let change = number(self.within.len() + four, at);
            &cumulative[place(self.starts[at], met.low)] * change
        });
        let less = products.sum::<IBig>();
        number(four, met.end - 1) * &cumulative[cumulative.len() - 1] - less
    }
}

/// The stretches that a shifted shape meets.
#[derive(Clone, Copy, Debug)]
struct Met {
    /// The lowest outcome.
    low: i64,
    /// The first stretch that starts above it; the one before is the first that is met.
    begun: usize,
    /// One more than the last that is met.
    end: usize,
}

impl Met {
    /// Those of some changes that lie between the shape's outcomes.
    fn inner(&self, within: &Range<usize>) -> Range<usize> {
        let from = within.start.clamp(self.begun, self.end);
        from..within.end.clamp(from, self.end)
    }
}

/// A width in which sums are made.
trait Sum:
    Copy + From<i64> + Into<i128> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
}

impl Sum for i64 {}

impl Sum for i128 {}

/// The sums of four columns, each row times its weight.
fn products<S: Sum, W: Copy + Into<S>, N: Copy + Into<S>>(
    weights: &[W],
    rows: &[[N; FOUR]],
) -> [S; FOUR] {
    let mut sums = [S::from(0); FOUR];
    for (&weight, row) in weights.iter().zip(rows) {
        let weight: S = weight.into();
        for (sum, &number) in sums.iter_mut().zip(row) {
            *sum = *sum + weight * number.into();
        }
    }
    sums
}

/// The weights below starts that lie between a shape's outcomes.
fn weights_below<'w, W: Copy>(
    starts: &[i64],
    cumulative: &'w [W],
    low: i64,
    room: &'w mut Vec<W>,
) -> &'w [W] {
    let [first, .., last] = starts else {
        return starts.first().map_or(&[], |start| {
            std::slice::from_ref(&cumulative[place(*start, low)])
        });
    };
    if place(*last, *first) == starts.len() - 1 {
        // They lie side by side there as well.
        return &cumulative[place(*first, low)..][..starts.len()];
    }
    room.clear();
    room.extend(starts.iter().map(|start| cumulative[place(*start, low)]));
    room
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

/// The place of a value in the cumulative weights of a shape that begins below it.
fn place(value: i64, low: i64) -> usize {
    usize::try_from(value.abs_diff(low)).unwrap_or(usize::MAX)
}

fn magnitude(number: &IBig) -> IBig {
    number.clone().max(-number)
}

/// The greatest magnitude.
fn most(numbers: &[IBig]) -> IBig {
    numbers.iter().map(magnitude).max().unwrap_or(IBig::ZERO)
}

/// Room for the sums of rows, used again for the next ones.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The weights below the starts of stretches, in their width.
    words: Vec<i64>,
    doubles: Vec<i128>,
    sums: Vec<i128>,
    met: Vec<Met>,
}

#[cfg(test)]
mod tests {
    use oddsmith_dist::{Dist, IBig, UBig};
    use proptest::prelude::*;

    use super::{Cell, Kernel, Scratch, Shape, Sums};
    use crate::Error;

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
            let cell = prop_oneof![9 => good, 1 => Just(Err(refusal()))];
            // Stretches: a few cells, each several times.
            prop::collection::vec((cell, 1_usize..6), 24).prop_map(|stretches| {
                let repeat = |(cell, times): (Cell, usize)| std::iter::repeat_n(cell, times);
                stretches.into_iter().flat_map(repeat).take(24).collect()
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
        fn sums_are_those_of_the_terms(cells in cells(), shape in shapes(), shift in -3_i64..3) {
            let placed = cells.iter().cloned().zip(-12..).map(|(cell, value)| (value, cell));
            let kernel = Kernel::new(placed.collect(), 2);
            let mut scratch = Scratch::default();
            // The row before, of no shift, must not change the next.
            let shifts = [Ok(0), Ok(shift)];
            let shape_sums = Shape::new(&shape);
            let mut row = |shifts: &[Result<i64, Error>]| {
                let (sums, stop) = kernel.meet(&shape_sums, shifts.iter(), &mut scratch);
                stop.map(|()| match sums {
                    Sums::Small { sums, width, total } => {
                        let total = UBig::try_from(total).expect("it is not negative");
                        let last = &sums[(shifts.len() - 1) * width..][..2];
                        (last.iter().map(|sum| IBig::from(*sum)).collect(), total)
                    }
                    Sums::Big(mut rows, total) => (rows.pop().expect("there are rows"), total),
                })
            };
            let (both, found) = (row(&shifts), row(&shifts[1..]));
            if both.is_ok() {
                prop_assert_eq!(&both, &found);
            }
            let own = cells.iter().flatten().map(|(_, own)| own);
            let total = shape.total() * oddsmith_dist::least_common_multiple(own);
            prop_assert_eq!(found, by_terms(&cells, &shape, shift, &total));
        }
    }
}

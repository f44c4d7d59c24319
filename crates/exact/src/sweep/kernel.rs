//! Cumulative weights and the kernels that they meet.

use oddsmith_dist::{BitTest as _, Dist, IBig, UBig, least_common_multiple};

use crate::Error;

/// What leads to the cut value: its weights, cumulated.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The lowest outcome.
    pub(crate) low: i64,
    /// `cumulative[i]` is the weight of outcomes below `low + i`; the last is the total.
    cumulative: Cumulative,
    pub(crate) total: UBig,
}

#[derive(Clone, Debug)]
enum Cumulative {
    Small(Vec<i128>),
    Big(Vec<IBig>),
}

impl Shape {
    pub(crate) fn new(dist: &Dist) -> Self {
        let (low, total) = (dist.min(), dist.total().clone());
        let cumulative = match dist.dense_u128() {
            Some((_, weights)) => {
                let signed =
                    |weight: u128| i128::try_from(weight).expect("dense weights are below 2^127");
                Cumulative::Small(sums(weights.into_iter().map(signed), 0))
            }
            None => Cumulative::Big(sums(
                (low..=dist.max()).map(|x| IBig::from(dist.weight(x))),
                IBig::ZERO,
            )),
        };
        Self {
            low,
            cumulative,
            total,
        }
    }

    /// The bytes that a distribution and its cumulated weights take.
    pub(crate) fn bytes(dist: &Dist) -> u64 {
        let span = dist.max().abs_diff(dist.min()).saturating_add(1);
        let words = (dist.total().bit_len() / 64).max(2) as u64 + 3;
        span.saturating_mul(16 * words)
    }

    /// The number of outcomes from the lowest to the highest.
    pub(crate) fn len(&self) -> i64 {
        let len = match &self.cumulative {
            Cumulative::Small(sums) => sums.len(),
            Cumulative::Big(sums) => sums.len(),
        };
        i64::try_from(len).expect("a length fits 64 bits") - 1
    }
}

/// Running sums, from `zero` on.
fn sums<T: Clone + for<'x> std::ops::Add<&'x T, Output = T>>(
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

/// What follows from each value: stretches of values with the same moments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kernel {
    /// Ascending; each reaches up to the next one's start, the last up to `end`.
    stretches: Vec<Stretch>,
    end: i64,
    pub(crate) total: UBig,
    /// No moment is longer than this many bits.
    bits: usize,
}

#[derive(Clone, Debug)]
struct Stretch {
    start: i64,
    moments: Result<Moments, Error>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Moments {
    Small(Vec<i128>),
    Big(Vec<IBig>),
}

/// The moments that follow from one value, over a total; or why there are none.
pub(crate) type Cell = Result<(Vec<IBig>, UBig), Error>;

impl Kernel {
    /// Cells in ascending order of their values.
    pub(crate) fn new(cells: Vec<(i64, Cell)>) -> Self {
        let total = least_common_multiple(
            cells
                .iter()
                .filter_map(|(_, cell)| cell.as_ref().ok())
                .map(|cell| &cell.1),
        );
        let end = cells.last().map_or(0, |(value, _)| value + 1);
        let mut kernel = Self {
            stretches: Vec::new(),
            end,
            total: total.clone(),
            bits: 0,
        };
        let mut next_start = None;
        for (start, cell) in cells {
            let moments = cell.map(|(moments, own)| kernel.scaled(moments, &(&total / own)));
            let continues = next_start == Some(start)
                && match (
                    kernel.stretches.last().map(|stretch| &stretch.moments),
                    &moments,
                ) {
                    (Some(Ok(before)), Ok(now)) => before == now,
                    _ => false,
                };
            if !continues {
                kernel.stretches.push(Stretch { start, moments });
            }
            next_start = Some(start + 1);
        }
        kernel
    }

    fn scaled(&mut self, moments: Vec<IBig>, scale: &UBig) -> Moments {
        let moments: Vec<IBig> = moments.into_iter().map(|moment| moment * scale).collect();
        let small: Option<Vec<i128>> = moments
            .iter()
            .map(|moment| i128::try_from(moment).ok())
            .collect();
        let longest = moments.iter().map(bits).max().unwrap_or(0);
        self.bits = self.bits.max(longest);
        small.map_or(Moments::Big(moments), Moments::Small)
    }

    /// The sums of the moments over a shifted shape.
    pub(crate) fn meet(
        &self,
        shape: &Shape,
        shift: i64,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        let fits = self.bits + bits(&IBig::from(shape.total.clone())) < 127;
        let low = shape.low + shift;
        let high = low + shape.len();
        let first = self
            .stretches
            .partition_point(|stretch| stretch.start <= low)
            .saturating_sub(1);
        scratch.clear();
        for (at, stretch) in self.stretches.iter().enumerate().skip(first) {
            if stretch.start >= high {
                break;
            }
            let until = self
                .stretches
                .get(at + 1)
                .map_or(self.end, |next| next.start);
            let place = |value: i64| {
                usize::try_from(value.clamp(low, high) - low).expect("clamped above low")
            };
            let (from, to) = (place(stretch.start), place(until));
            match (&shape.cumulative, &stretch.moments) {
                (Cumulative::Small(sums), Ok(Moments::Small(moments))) if fits => {
                    scratch.add_small(sums[to] - sums[from], moments);
                }
                (Cumulative::Small(sums), moments) => {
                    scratch.add_big(&IBig::from(sums[to] - sums[from]), moments.as_ref())?;
                }
                (Cumulative::Big(sums), moments) => {
                    scratch.add_big(&(&sums[to] - &sums[from]), moments.as_ref())?;
                }
            }
        }
        Ok(())
    }
}

fn bits(number: &IBig) -> usize {
    number.bit_len()
}

/// Sums of moments, reused from row to row.
#[derive(Debug)]
pub(crate) struct Scratch {
    small: Vec<i128>,
    big: Option<Vec<IBig>>,
}

impl Scratch {
    pub(crate) fn new(moments: usize) -> Self {
        Self {
            small: vec![0; moments],
            big: None,
        }
    }

    fn clear(&mut self) {
        self.small.fill(0);
        self.big = None;
    }

    fn add_small(&mut self, mass: i128, moments: &[i128]) {
        for (sum, moment) in self.small.iter_mut().zip(moments) {
            *sum += mass * moment;
        }
    }

    fn add_big(&mut self, mass: &IBig, moments: Result<&Moments, &Error>) -> Result<(), Error> {
        if *mass == IBig::ZERO {
            return Ok(());
        }
        let moments = moments.map_err(Clone::clone)?;
        let sums = self
            .big
            .get_or_insert_with(|| vec![IBig::ZERO; self.small.len()]);
        match moments {
            Moments::Small(moments) => {
                sums.iter_mut()
                    .zip(moments)
                    .for_each(|(sum, moment)| *sum += mass * IBig::from(*moment));
            }
            Moments::Big(moments) => {
                sums.iter_mut()
                    .zip(moments)
                    .for_each(|(sum, moment)| *sum += mass * moment);
            }
        }
        Ok(())
    }

    /// The sums as integers of any length.
    pub(crate) fn sums(&self, out: &mut Vec<IBig>) {
        out.clear();
        match &self.big {
            // Both kinds of stretch may have met one shape: the sums add up.
            Some(big) => out.extend(
                big.iter()
                    .zip(&self.small)
                    .map(|(big, small)| big + IBig::from(*small)),
            ),
            None => out.extend(self.small.iter().map(|small| IBig::from(*small))),
        }
    }
}

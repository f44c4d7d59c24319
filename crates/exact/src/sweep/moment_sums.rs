//! Sums of a kernel's moments over shapes.

use std::ops::{Add, Mul, Range, Sub};

use oddsmith_dist::{IBig, UBig};
use pulp::{Arch, Simd, WithSimd};

use crate::Error;
use crate::sweep::integers::Integers;
use crate::sweep::kernel::{FOUR, Kernel};
use crate::sweep::shape::{RUN, RUN_LEN, Shape};

/// The sums of the moments of row after row, and the total that they share, in the narrowest width that holds them.
#[derive(Debug)]
pub(crate) enum Sums<'s> {
    Words(&'s [i64], i64),
    Doubles(&'s [i128], i128),
    Big(Vec<IBig>, UBig),
}

impl Kernel {
    /// The sums of the moments over a shape at each shift, up to the first error; all outcomes are among the kernel's
    /// values.
    pub(crate) fn sum_moments<'s, 'e>(
        &self,
        shape: &Shape,
        shifts: impl Iterator<Item = &'e Result<i64, Error>>,
        scratch: &'s mut Scratch,
    ) -> (Sums<'s>, Result<(), Error>) {
        use Integers::{Double, Word};
        let Scratch {
            words,
            doubles,
            runs,
            arch,
        } = scratch;
        runs.clear();
        let stop = self.runs(shape, shifts, runs);
        let met = Met { shape, runs };
        let bits = self.bits + shape.bits;
        let sums = match (&shape.below, &self.numbers) {
            (Word(below), Word(numbers)) if bits < 63 => {
                let total = arch.dispatch(Task(self, &met, below, numbers, words));
                Sums::Words(words, total)
            }
            (below, numbers) if bits < 127 => {
                let total = match (below, numbers) {
                    (Word(below), Word(numbers)) => self.sums(&met, below, numbers, doubles),
                    (Word(below), Double(numbers)) => self.sums(&met, below, numbers, doubles),
                    (Double(below), Word(numbers)) => self.sums(&met, below, numbers, doubles),
                    (Double(below), Double(numbers)) => self.sums(&met, below, numbers, doubles),
                    _ => unreachable!("a number is no longer than the sums"),
                };
                Sums::Doubles(doubles, total)
            }
            (below, _) => self.big(&met, &below.to_big()),
        };
        (sums, stop)
    }

    /// The rows at each shift, up to the first error.
    fn runs<'e>(
        &self,
        shape: &Shape,
        shifts: impl Iterator<Item = &'e Result<i64, Error>>,
        runs: &mut Vec<Run>,
    ) -> Result<(), Error> {
        for shift in shifts {
            let shift = *shift.as_ref().map_err(Clone::clone)?;
            if !self.failures.is_empty() {
                self.refuse(shape, shift)?;
            }
            match runs.last_mut() {
                Some(run)
                    if run.rows < RUN
                        && run.shift.checked_add(i64::from(run.rows)) == Some(shift) =>
                {
                    run.rows += 1;
                }
                _ => runs.push(Run { shift, rows: 1 }),
            }
        }
        Ok(())
    }

    /// How many stretches start at a value or below.
    fn begun_at(&self, value: i64) -> usize {
        self.starts.partition_point(|start| *start <= value)
    }

    /// An error if a stretch that has weight failed.
    fn refuse(&self, shape: &Shape, shift: i64) -> Result<(), Error> {
        let begun = self.begun_at(shape.low + shift);
        let end = self.begun_at(shape.high + shift);
        let below = |at: usize| match at {
            _ if at < begun => IBig::ZERO,
            _ if at >= end => shape.below.get(0),
            _ => shape.below.get(shape.place(self.starts[at], shift)),
        };
        let has_weight = |at: usize| below(at) != below(at + 1);
        let mut failures = self.failures.iter();
        match failures.find(|(at, _)| has_weight(*at)) {
            Some((_, error)) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// The stretches that start between the outcomes of any row of a run.
    fn inner(&self, shape: &Shape, run: Run) -> Range<usize> {
        let more = i64::from(run.rows) - 1;
        self.begun_at(shape.low + run.shift)..self.begun_at(shape.high + run.shift + more)
    }

    /// Makes the sums of rows; returns their total. Nothing is longer than [`Self::bits`] and the shape's.
    #[inline(always)]
    fn sums<S: Sum, W: Copy + Into<S>, N: Copy + Into<S>>(
        &self,
        met: &Met<'_>,
        below: &[W],
        numbers: &[N],
        sums: &mut Vec<S>,
    ) -> S {
        sums.clear();
        sums.resize(met.rows() * self.count, S::from(0));
        let mut rest = sums.as_mut_slice();
        for &run in met.runs {
            let rows;
            (rows, rest) = rest.split_at_mut(usize::from(run.rows) * self.count);
            if run.rows == 1 {
                self.row(met.shape, run, (below, numbers), rows);
            } else {
                self.run(met.shape, run, (below, numbers), rows);
            }
        }
        let total: S = numbers[numbers.len() - 1].into();
        total * below[0].into()
    }

    /// Makes the sums of a row that stands alone: of four moments side by side.
    #[inline(always)]
    fn row<S: Sum, W: Copy + Into<S>, N: Copy + Into<S>>(
        &self,
        shape: &Shape,
        run: Run,
        (below, numbers): (&[W], &[N]),
        row: &mut [S],
    ) {
        let inner = self.inner(shape, run);
        let (moments, changes) = self.by_stretch(numbers);
        let total: S = below[0].into();
        for ((four, within), sums) in self.within.iter().enumerate().zip(row.chunks_mut(FOUR)) {
            let own = four * self.starts.len();
            let mut less = [S::from(0); FOUR];
            for at in common(&inner, within) {
                let weight: S = below[shape.place(self.starts[at], run.shift)].into();
                for (less, &change) in less.iter_mut().zip(&changes[own + at]) {
                    *less = *less + weight * change.into();
                }
            }
            let last = &moments[own + inner.end - 1];
            for ((sum, &last), less) in sums.iter_mut().zip(last).zip(less) {
                *sum = last.into() * total - less;
            }
        }
    }

    /// Makes the sums of a run: of a moment for all rows side by side.
    #[inline(always)]
    fn run<S: Sum, W: Copy + Into<S>, N: Copy + Into<S>>(
        &self,
        shape: &Shape,
        run: Run,
        (below, numbers): (&[W], &[N]),
        rows: &mut [S],
    ) {
        let inner = self.inner(shape, run);
        let (moments, changes) = self.by_stretch(numbers);
        let total: S = below[0].into();
        for moment in 0..self.count {
            let (four, lane) = (moment / FOUR, moment % FOUR);
            let own = four * self.starts.len();
            let mut column = [moments[own + inner.end - 1][lane].into() * total; RUN_LEN];
            for at in common(&inner, &self.within[four]) {
                let change: S = changes[own + at][lane].into();
                if change == S::from(0) {
                    continue;
                }
                let place = shape.place(self.starts[at], run.shift);
                let weights = below[place..].first_chunk::<RUN_LEN>();
                let weights = weights.expect("0 stands often enough behind the other weights");
                for (sum, &weight) in column.iter_mut().zip(weights) {
                    *sum = *sum - weight.into() * change;
                }
            }
            for (row, sum) in rows.chunks_exact_mut(self.count).zip(column) {
                row[moment] = sum;
            }
        }
    }

    /// The fours of moments and of changes.
    fn by_stretch<'n, N>(&self, numbers: &'n [N]) -> (&'n [[N; FOUR]], &'n [[N; FOUR]]) {
        let (fours, _) = numbers.as_chunks();
        fours.split_at(self.within.len() * self.starts.len())
    }

    fn big<'s>(&self, met: &Met<'_>, below: &[IBig]) -> Sums<'s> {
        let mut sums = Vec::with_capacity(met.rows() * self.count);
        for &run in met.runs {
            let inner = self.inner(met.shape, run);
            for row in 0..usize::from(run.rows) {
                let place = |at: usize| met.shape.place(self.starts[at], run.shift) + row;
                let sum = |moment| self.big_sum(moment, below, &inner, &place);
                sums.extend((0..self.count).map(sum));
            }
        }
        let total = &below[0] * self.numbers.get(self.numbers.len() - 1);
        Sums::Big(
            sums,
            UBig::try_from(total).expect("totals are not negative"),
        )
    }

    /// The sum of a moment; `place` tells where the weight below a stretch stands.
    fn big_sum(
        &self,
        moment: usize,
        below: &[IBig],
        inner: &Range<usize>,
        place: &dyn Fn(usize) -> usize,
    ) -> IBig {
        let (four, lane) = (moment / FOUR, moment % FOUR);
        let number = |four: usize, at: usize| {
            let row = four * self.starts.len() + at;
            self.numbers.get(FOUR * row + lane)
        };
        let products = common(inner, &self.within[four]).filter_map(|at| {
            let change = number(self.within.len() + four, at);
            (change != IBig::ZERO).then(|| &below[place(at)] * change)
        });
        let less = products.sum::<IBig>();
        number(four, inner.end - 1) * &below[0] - less
    }
}

/// Rows of which each is shifted by one more than the row before.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Of the first row.
    shift: i64,
    /// How many there are.
    rows: u8,
}

/// What a kernel meets.
struct Met<'m> {
    shape: &'m Shape,
    runs: &'m [Run],
}

impl Met<'_> {
    fn rows(&self) -> usize {
        self.runs.iter().map(|run| usize::from(run.rows)).sum()
    }
}

/// What lies in both of two ranges; if nothing does, nothing of the first.
fn common(one: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    let start = other.start.clamp(one.start, one.end);
    start..other.end.clamp(start, one.end)
}

/// [`Kernel::sums`], compiled for each set of vector instructions.
struct Task<'t, S, W, N>(&'t Kernel, &'t Met<'t>, &'t [W], &'t [N], &'t mut Vec<S>);

impl<S: Sum, W: Copy + Into<S>, N: Copy + Into<S>> WithSimd for Task<'_, S, W, N> {
    type Output = S;

    #[inline(always)]
    fn with_simd<V: Simd>(self, _: V) -> S {
        self.0.sums(self.1, self.2, self.3, self.4)
    }
}

/// A width in which sums are made.
trait Sum:
    Copy + PartialEq + From<i64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
}

impl Sum for i64 {}

impl Sum for i128 {}

/// Room for the sums of rows, used again for the next ones.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    words: Vec<i64>,
    doubles: Vec<i128>,
    runs: Vec<Run>,
    arch: Arch,
}

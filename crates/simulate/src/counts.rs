//! Counts of trials: cases, and sums of powers.

use pulp::{Arch, Simd, WithSimd};

use crate::Error;
use crate::column::{Column, Columns, Range, by_width};
use crate::kernels;
use crate::lane::Lane;
use crate::program::{Program, Tallied};

/// The counts that trials have added up to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) trials: u64,
    pub(crate) unfinished: u64,
    pub(crate) dice: u64,
    /// For each of [`Program::tallied`]: how often each case was met.
    pub(crate) cases: Vec<Vec<u64>>,
    /// For each of [`Program::tallied`]: trials and sums of powers, where these are added up one by one.
    pub(crate) powers: Vec<Vec<i128>>,
}

impl Counts {
    /// The counts of no trials.
    pub(crate) fn new(program: &Program) -> Self {
        let cases = |tallied: &Tallied| match tallied {
            Tallied::AtLeast { .. } => vec![0],
            Tallied::Histogram { size, .. } => vec![0; *size],
            Tallied::Powers { .. } => Vec::new(),
        };
        let powers = |tallied: &Tallied| match tallied {
            Tallied::Powers { powers, .. } => vec![0; powers + 1],
            _ => Vec::new(),
        };
        Self {
            cases: program.tallied.iter().map(cases).collect(),
            powers: program.tallied.iter().map(powers).collect(),
            ..Self::default()
        }
    }

    /// Adds what a batch of so many trials shows.
    pub(crate) fn add_batch(
        &mut self,
        program: &Program,
        columns: &Columns,
        len: usize,
        arch: Arch,
    ) -> Result<(), Error> {
        let counts = self.cases.iter_mut().zip(&mut self.powers);
        for (tallied, (cases, sums)) in program.tallied.iter().zip(counts) {
            match tallied {
                Tallied::AtLeast { column, at } => by_width!(column.width, T => {
                    let values = &T::all(columns)[column.at][..len];
                    let at = T::wrap(*at);
                    cases[0] += arch.dispatch(CountAtLeast(values, at));
                }),
                Tallied::Histogram { column, low, .. } => by_width!(column.width, T => {
                    for value in &T::all(columns)[column.at][..len] {
                        let at = usize::try_from(value.wide() - low);
                        cases[at.expect("not below the lowest")] += 1;
                    }
                }),
                Tallied::Powers {
                    value,
                    given,
                    range,
                    ..
                } => {
                    let given = given.map(|given| &columns.w8[given.at][..len]);
                    let added = if are_small(*range, sums.len()) {
                        add_small_powers(sums, columns, len, *value, given, arch)
                    } else {
                        add_powers(sums, columns, len, *value, given)
                    };
                    added.ok_or_else(|| tallied.overflow())?;
                }
            }
        }
        Ok(())
    }
}

/// Counting, with the best instructions.
struct CountAtLeast<'c, T>(&'c [T], T);

impl<T: Lane> WithSimd for CountAtLeast<'_, T> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        kernels::count_at_least(self.0, self.1)
    }
}

/// Trials whose powers are added up in 64 bits: few enough for the fourth powers of numbers of rounds.
const BLOCK: usize = 512;

/// Whether the sums over a block of so many powers, of values in a range, surely fit 64 bits.
fn are_small(range: Range, powers: usize) -> bool {
    let most = i128::from(range.0).abs().max(i128::from(range.1).abs());
    let sum = (1..powers).try_fold(BLOCK as i128, |sum, _| sum.checked_mul(most));
    sum.is_some_and(|sum| sum <= i128::from(i64::MAX))
}

/// Adds numbers to sums; none if one goes beyond 128 bits.
fn add_all(sums: &mut [i128], more: impl Iterator<Item = i128>) -> Option<()> {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum = sum.checked_add(more)?;
    }
    Some(())
}

/// Adds 1, `value`, `value²`, … to sums for each trial in which `given` is not 0; none beyond 128 bits.
fn add_powers(
    sums: &mut [i128],
    columns: &Columns,
    len: usize,
    value: Column,
    given: Option<&[i8]>,
) -> Option<()> {
    for trial in 0..len {
        if given.is_some_and(|given| given[trial] == 0) {
            continue;
        }
        let value = i128::from(columns.value(value, trial));
        let mut power = 1_i128;
        for (exponent, sum) in sums.iter_mut().enumerate() {
            if exponent > 0 {
                power = power.checked_mul(value)?;
            }
            *sum = sum.checked_add(power)?;
        }
    }
    Some(())
}

/// Adds powers up where 64 bits are enough for a block.
fn add_small_powers(
    sums: &mut [i128],
    columns: &Columns,
    len: usize,
    value: Column,
    given: Option<&[i8]>,
    arch: Arch,
) -> Option<()> {
    /// The most sums: those of a variance, up to the fourth power.
    const MOST: usize = 5;
    for from in (0..len).step_by(BLOCK) {
        let block = from..len.min(from + BLOCK);
        let given = given.map(|given| &given[block.clone()]);
        let added: [i64; MOST] = by_width!(value.width, T => {
            let values = &T::all(columns)[value.at][block];
            if sums.len() <= 3 {
                let [a, b, c] = arch.dispatch(SmallPowers::<T, 3>(values, given));
                [a, b, c, 0, 0]
            } else {
                arch.dispatch(SmallPowers::<T, MOST>(values, given))
            }
        });
        add_all(sums, added.into_iter().map(i128::from))?;
    }
    Some(())
}

struct SmallPowers<'c, T, const N: usize>(&'c [T], Option<&'c [i8]>);

impl<T: Lane, const N: usize> WithSimd for SmallPowers<'_, T, N> {
    type Output = [i64; N];

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        match self.1 {
            None => kernels::power_sums(self.0.iter().map(|value| (value.wide(), 1))),
            Some(given) => {
                let applies = given.iter().map(|given| i64::from(*given != 0));
                kernels::power_sums(self.0.iter().map(|value| value.wide()).zip(applies))
            }
        }
    }
}

//! A compiled script.

use crate::column::{Column, Needs, Range};
use crate::counts::Counts;
use crate::error::Halt;
use crate::op::Op;
use crate::{Error, Sums, Tally};

/// A compiled script: what is done with a batch of trials, and what is counted then.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) ops: Vec<Op>,
    pub(crate) needs: Needs,
    /// The errors that a trial may meet.
    pub(crate) errors: Vec<Halt>,
    pub(crate) tallied: Vec<Tallied>,
    pub(crate) asked: Vec<CompiledQuery>,
    /// What becomes of a chunk with a trial in which values go farther than was guessed; none if nothing was. It is begun anew
    /// with a program of wider columns if that rolls the same dice, so that the chunk consists of the same trials; were it
    /// replaced by other trials, values that go far would come too rarely.
    pub(crate) beyond: Option<Result<Box<Self>, Error>>,
}

/// A tally of each batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tallied {
    /// Trials in which a column is `at` or more.
    AtLeast { column: Column, at: i64 },
    /// Trials by the column's value, which is `low`, `low + 1`, … (`size` of them).
    Histogram {
        column: Column,
        low: i64,
        size: usize,
    },
    /// Trials in which `given` is not 0, and the sums of so many powers of a value.
    Powers {
        value: Column,
        given: Option<Column>,
        /// The bounds of the value.
        range: Range,
        powers: usize,
        /// The query's place.
        query: usize,
    },
}

impl Tallied {
    /// The error that its sums are beyond 128 bits.
    pub(crate) fn overflow(&self) -> Error {
        let query = match self {
            Self::Powers { query, .. } => *query,
            Self::AtLeast { .. } | Self::Histogram { .. } => {
                unreachable!("counts of trials are small")
            }
        };
        Error::Overflow { query }
    }
}

/// A query.
#[derive(Clone, Debug)]
pub(crate) struct CompiledQuery {
    pub(crate) plan: TrialPlan,
    /// The count of trials whose value is not known because they were stopped; none if there are none.
    pub(crate) unfinished: Option<usize>,
}

/// How a query's sums follow from what is counted. A row holds the number of trials in which the query applies
/// and the sums of the powers of its value, for trials that are alike.
#[derive(Clone, Debug)]
pub(crate) enum TrialPlan {
    /// Every trial counts `first`; those that reach a threshold count what is listed for it besides.
    Thresholds {
        first: Vec<i128>,
        changes: Vec<(usize, Vec<i128>)>,
    },
    /// Each case of a histogram counts a row.
    Cases { at: usize, rows: Vec<Vec<i128>> },
    /// The sums are those that are added up.
    Powers { at: usize },
}

impl TrialPlan {
    /// A query's sums; none if one goes beyond 128 bits.
    pub(crate) fn sums(&self, counts: &Counts) -> Option<Sums> {
        let add = |mut sums: Vec<i128>, row: &[i128], count: u64| {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum = sum.checked_add(value.checked_mul(count.into())?)?;
            }
            Some(sums)
        };
        let sums = match self {
            Self::Thresholds { first, changes } => {
                let start = add(vec![0; first.len()], first, counts.trials);
                changes.iter().try_fold(start?, |sums, (at, row)| {
                    add(sums, row, counts.cases[*at][0])
                })?
            }
            Self::Cases { at, rows } => {
                let width = rows.first().map_or(0, Vec::len);
                let cases = rows.iter().zip(&counts.cases[*at]);
                cases
                    .into_iter()
                    .try_fold(vec![0; width], |sums, (row, count)| add(sums, row, *count))?
            }
            Self::Powers { at } => counts.powers[*at].clone(),
        };
        let (trials, powers) = sums.split_first()?;
        Some(Sums {
            trials: u64::try_from(*trials).ok()?,
            powers: powers.to_vec(),
            unfinished: 0,
        })
    }
}

impl Program {
    /// The tally that trials' counts add up to.
    pub(crate) fn tally(&self, counts: &Counts) -> Result<Tally, Error> {
        let sums = self.asked.iter().enumerate().map(|(query, asked)| {
            let sums = asked.plan.sums(counts).ok_or(Error::Overflow { query })?;
            let unfinished = asked.unfinished.map_or(0, |at| counts.cases[at][0]);
            Ok(Sums { unfinished, ..sums })
        });
        Ok(Tally {
            trials: counts.trials,
            unfinished: counts.unfinished,
            dice: counts.dice,
            sums: sums.collect::<Result<_, _>>()?,
        })
    }
}

//! A row and its answers.

use std::ops::Range;

use oddsmith_dist::{IBig, UBig};
use oddsmith_rules::{Query, QueryKind};

use crate::Answer;
use crate::question::{answer, moment_count};
use crate::sweep::kernel::Sums;

/// One configuration's answers.
#[derive(Debug)]
pub struct Row<'a> {
    /// The values of the swept inputs, in the order asked.
    pub values: &'a [i64],
    /// One per query; a total of 0 where a query's condition never happens, a mean is infinite, or a track may
    /// never come to the end that is asked about.
    pub answers: &'a [RowAnswer],
}

/// An [`Answer`] in a row: its two parts are plain integers when they fit, which is nearly always.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowAnswer {
    /// Both parts fit.
    Small {
        /// The numerator; negative only for means.
        weight: i128,
        /// The denominator; not negative.
        total: i128,
    },
    /// At least one of them does not.
    Big(Box<Answer>),
}

impl RowAnswer {
    /// `0 / 0`: a place for an answer to come.
    pub(crate) const NOTHING: Self = Self::Small {
        weight: 0,
        total: 0,
    };

    /// The answer to a query from small sums; none if it does not fit.
    fn small(query: &Query, sums: &[i128], total: i128) -> Option<Self> {
        let total = if query.given.is_some() {
            sums[sums.len() - 1]
        } else {
            total
        };
        Some(match query.kind {
            QueryKind::Probability(_) | QueryKind::Mean(_) => Self::Small {
                weight: sums[0],
                total,
            },
            QueryKind::Variance(_) => Self::Small {
                weight: sums[0]
                    .checked_mul(total)?
                    .checked_sub(sums[1].checked_mul(sums[1])?)?,
                total: total.checked_mul(total)?,
            },
        })
    }
}

/// Narrow if it fits.
impl From<Answer> for RowAnswer {
    fn from(answer: Answer) -> Self {
        match (
            i128::try_from(&answer.weight),
            i128::try_from(&answer.total),
        ) {
            (Ok(weight), Ok(total)) => Self::Small { weight, total },
            _ => Self::Big(Box::new(answer)),
        }
    }
}

impl From<&RowAnswer> for Answer {
    fn from(answer: &RowAnswer) -> Self {
        match answer {
            RowAnswer::Small { weight, total } => Self {
                weight: IBig::from(*weight),
                total: UBig::try_from(*total).expect("a total is not negative"),
            },
            RowAnswer::Big(answer) => (**answer).clone(),
        }
    }
}

/// Puts the answers to the queries at `places` there in row after row, from the sums of their moments; returns how many
/// rows that are.
pub(crate) fn put_answers(
    queries: &[Query],
    places: &[usize],
    sums: &Sums<'_>,
    answers: &mut [RowAnswer],
) -> usize {
    let moments: usize = places.iter().map(|&at| moment_count(&queries[at])).sum();
    let answers = answers.chunks_exact_mut(queries.len());
    match sums {
        Sums::Small { sums, width, total } => {
            for (answers, sums) in answers.zip(sums.chunks_exact(*width)) {
                if moments == places.len() {
                    // Each is one sum: there is nothing to work out.
                    for (&place, &weight) in places.iter().zip(sums) {
                        let total = *total;
                        answers[place] = RowAnswer::Small { weight, total };
                    }
                } else {
                    put_small(queries, places, (sums, *total), answers);
                }
            }
            sums.len() / width
        }
        Sums::Big(rows, total) => {
            for (answers, sums) in answers.zip(rows) {
                for_each_query(queries, places, |place, query, moments| {
                    answers[place] = answer(query, &sums[moments], total).into();
                });
            }
            rows.len()
        }
    }
}

fn put_small(
    queries: &[Query],
    places: &[usize],
    (sums, total): (&[i128], i128),
    answers: &mut [RowAnswer],
) {
    for_each_query(queries, places, |place, query, moments| {
        let sums = &sums[moments];
        answers[place] = RowAnswer::small(query, sums, total).unwrap_or_else(|| {
            let sums: Vec<IBig> = sums.iter().map(|sum| IBig::from(*sum)).collect();
            let total = UBig::try_from(total).expect("a total is not negative");
            answer(query, &sums, &total).into()
        });
    });
}

/// The places of queries with the queries and the places of their moments.
fn for_each_query(
    queries: &[Query],
    places: &[usize],
    mut put: impl FnMut(usize, &Query, Range<usize>),
) {
    let mut from = 0;
    for &place in places {
        let until = from + moment_count(&queries[place]);
        put(place, &queries[place], from..until);
        from = until;
    }
}

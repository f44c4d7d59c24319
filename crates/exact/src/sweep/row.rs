//! A row and its answers.

use std::ops::Range;
use std::sync::Arc;

use oddsmith_dist::{IBig, UBig};
use oddsmith_rules::{Query, QueryKind};

use crate::moments::{answer, moment_count};
use crate::sweep::moment_sums::Sums;
use crate::{Answer, Error};

/// One configuration's answers.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its place among all configurations, from 0: the last swept input goes fastest.
    pub number: u64,
    /// The values of the swept inputs, in the order asked.
    pub values: &'a [i64],
    /// One per query; a total of 0 where a query's condition never happens, a mean is infinite, or a track may
    /// never come to the end that is asked about.
    pub answers: Answers<'a>,
    /// The rule that can't be carried out in this configuration; there are no answers then. Only rows of
    /// [`crate::Sweep::run_with_gaps`] have it.
    pub broken: Option<&'a Error>,
}

/// The answers of a row, in the order of the queries.
#[derive(Clone, Copy, Debug)]
pub struct Answers<'a>(Kept<'a>);

#[derive(Clone, Copy, Debug)]
enum Kept<'a> {
    Shared(&'a [i64], i64),
    Each(&'a [Stored]),
}

impl<'a> Answers<'a> {
    /// Those of a configuration that has none.
    pub(crate) const fn none() -> Self {
        Self(Kept::Each(&[]))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.0 {
            Kept::Shared(weights, _) => weights.len(),
            Kept::Each(each) => each.len(),
        }
    }

    /// Whether nothing was asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The answer to the query at a place.
    #[must_use]
    pub fn get(&self, at: usize) -> RowAnswer<'a> {
        match self.0 {
            Kept::Shared(weights, total) => RowAnswer::Small {
                weight: weights[at].into(),
                total: total.into(),
            },
            Kept::Each(each) => each[at].view(),
        }
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = RowAnswer<'a>> + use<'a> {
        let answers = *self;
        (0..answers.len()).map(move |at| answers.get(at))
    }

    /// The weights of all answers and the total that they share, where they are kept so: which is nearly always if
    /// all queries are plain probabilities of the same outcomes.
    #[must_use]
    pub fn shared(&self) -> Option<(&'a [i64], i64)> {
        match self.0 {
            Kept::Shared(weights, total) => Some((weights, total)),
            Kept::Each(_) => None,
        }
    }
}

/// An [`Answer`] in a row: its two parts are plain integers when they fit, which is nearly always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowAnswer<'a> {
    /// Both parts fit.
    Small {
        /// The numerator; negative only for means.
        weight: i128,
        /// The denominator; not negative.
        total: i128,
    },
    /// At least one of them does not.
    Big(&'a Answer),
}

impl From<RowAnswer<'_>> for Answer {
    fn from(answer: RowAnswer<'_>) -> Self {
        match answer {
            RowAnswer::Small { weight, total } => Self {
                weight: IBig::from(weight),
                total: UBig::try_from(total).expect("a total is not negative"),
            },
            RowAnswer::Big(answer) => answer.clone(),
        }
    }
}

/// Answers of a row that are kept apart from its sweep, as where they were read from a file.
///
/// ```
/// use oddsmith_exact::{IBig, KeptAnswers, RowAnswer, UBig};
/// let mut kept = KeptAnswers::default();
/// kept.push_small(1, 6);
/// kept.push(IBig::ONE << 200, UBig::ONE << 201);
/// let answers = kept.answers();
/// assert_eq!(answers.get(0), RowAnswer::Small { weight: 1, total: 6 });
/// assert!(matches!(answers.get(1), RowAnswer::Big(_)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct KeptAnswers(Vec<Stored>);

impl KeptAnswers {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds an answer, a weight over a total.
    pub fn push_small(&mut self, weight: i128, total: i128) {
        self.0.push(Stored::Small { weight, total });
    }

    /// Adds an answer of any size.
    pub fn push(&mut self, weight: IBig, total: UBig) {
        self.0.push(Stored::from(Answer { weight, total }));
    }

    /// All of them, as those of a row.
    #[must_use]
    pub fn answers(&self) -> Answers<'_> {
        Answers(Kept::Each(&self.0))
    }
}

/// A [`RowAnswer`] that is kept.
#[derive(Clone, Debug)]
pub(crate) enum Stored {
    Small { weight: i128, total: i128 },
    Big(Arc<Answer>),
}

/// The answers of a configuration that is played from the beginning.
pub(crate) type Made = Result<Vec<Stored>, Error>;

impl Stored {
    /// `0 / 0`: a place for an answer to come.
    const NOTHING: Self = Self::Small {
        weight: 0,
        total: 0,
    };

    fn view(&self) -> RowAnswer<'_> {
        match self {
            Self::Small { weight, total } => RowAnswer::Small {
                weight: *weight,
                total: *total,
            },
            Self::Big(answer) => RowAnswer::Big(answer),
        }
    }

    /// The answer to a query from small sums; none if it does not fit.
    fn small<S: Copy + Into<i128>>(query: &Query, sums: &[S], total: S) -> Option<Self> {
        let total = match query.given {
            Some(_) => sums[sums.len() - 1].into(),
            None => total.into(),
        };
        let first: i128 = sums[0].into();
        Some(match query.kind {
            QueryKind::Probability(_) | QueryKind::Mean(_) => Self::Small {
                weight: first,
                total,
            },
            QueryKind::Variance(_) => {
                let mean: i128 = sums[1].into();
                Self::Small {
                    weight: first
                        .checked_mul(total)?
                        .checked_sub(mean.checked_mul(mean)?)?,
                    total: total.checked_mul(total)?,
                }
            }
            // A root has more digits.
            QueryKind::Deviation(_) | QueryKind::Statistic(..) => return None,
        })
    }
}

/// Narrow if it fits.
impl From<Answer> for Stored {
    fn from(answer: Answer) -> Self {
        match (
            i128::try_from(&answer.weight),
            i128::try_from(&answer.total),
        ) {
            (Ok(weight), Ok(total)) => Self::Small { weight, total },
            _ => Self::Big(Arc::new(answer)),
        }
    }
}

/// The answers of rows in which only the last swept input varies; its memory is used again for the next ones.
#[derive(Debug, Default)]
pub(crate) struct LineAnswers {
    /// The answers of a row.
    width: usize,
    /// Row after row, where a row has a total.
    weights: Vec<i64>,
    totals: Vec<Option<i64>>,
    /// Row after row, where a row has none.
    each: Vec<Stored>,
}

impl LineAnswers {
    /// Makes room for the answers of other rows.
    pub(crate) fn begin(&mut self, rows: usize, width: usize) {
        self.width = width;
        self.totals.clear();
        self.totals.resize(rows, None);
        self.weights.resize(rows * width, 0);
    }

    pub(crate) fn row(&self, at: usize) -> Answers<'_> {
        let own = at * self.width..(at + 1) * self.width;
        Answers(match self.totals[at] {
            Some(total) => Kept::Shared(&self.weights[own], total),
            None => Kept::Each(&self.each[own]),
        })
    }

    /// The answers of a row, each for itself.
    pub(crate) fn each(&mut self, at: usize) -> &mut [Stored] {
        if self.each.len() < self.totals.len() * self.width {
            let len = self.totals.len() * self.width;
            self.each.resize(len, Stored::NOTHING);
        }
        &mut self.each[at * self.width..][..self.width]
    }

    /// Puts the answers to the queries at `places` there from row `from` on, from the sums of their moments; returns
    /// how many rows that are.
    pub(crate) fn put(
        &mut self,
        (queries, places): (&[Query], &[usize]),
        sums: Sums<'_>,
        from: usize,
    ) -> usize {
        let count: usize = places.iter().map(|&at| moment_count(&queries[at])).sum();
        let asked = (queries, places);
        match sums {
            // All queries, and each is one sum: there is nothing to work out.
            Sums::Words(sums, total) if places.len() == queries.len() && count == places.len() => {
                let rows = sums.len() / count;
                self.weights[from * count..][..sums.len()].copy_from_slice(sums);
                self.totals[from..from + rows].fill(Some(total));
                rows
            }
            Sums::Words(sums, total) => {
                self.put_each(from, sums.chunks_exact(count), |sums, row| {
                    put_small(asked, sums, total, row);
                })
            }
            Sums::Doubles(sums, total) => {
                self.put_each(from, sums.chunks_exact(count), |sums, row| {
                    put_small(asked, sums, total, row);
                })
            }
            Sums::Big(mut sums, total) => {
                self.put_each(from, sums.chunks_exact_mut(count), |sums, row| {
                    for_each_query(asked, |place, query, moments| {
                        row[place] = answer(query, &mut sums[moments], &total).into();
                    });
                })
            }
        }
    }

    /// Puts answers in row after row from row `from` on; returns how many rows that are.
    fn put_each<T>(
        &mut self,
        from: usize,
        rows: impl ExactSizeIterator<Item = T>,
        put: impl Fn(T, &mut [Stored]),
    ) -> usize {
        let count = rows.len();
        for (at, sums) in rows.enumerate() {
            put(sums, self.each(from + at));
        }
        count
    }
}

fn put_small<S: Copy + Into<i128>>(
    asked: (&[Query], &[usize]),
    sums: &[S],
    total: S,
    row: &mut [Stored],
) {
    for_each_query(asked, |place, query, moments| {
        let sums = &sums[moments];
        row[place] = Stored::small(query, sums, total).unwrap_or_else(|| {
            let sums = sums.iter().map(|&sum| IBig::from(sum.into()));
            let total = UBig::try_from(total.into()).expect("a total is not negative");
            answer(query, &mut sums.collect::<Vec<IBig>>(), &total).into()
        });
    });
}

/// The places of queries with the queries and the places of their moments.
fn for_each_query(
    (queries, places): (&[Query], &[usize]),
    mut put: impl FnMut(usize, &Query, Range<usize>),
) {
    let mut from = 0;
    for &place in places {
        let until = from + moment_count(&queries[place]);
        put(place, &queries[place], from..until);
        from = until;
    }
}

//! What the exact engine knows of the questions that are put to trials.

use oddsmith_exact::{Answer, Error, IBig, RBig, UBig, answers, distribution};
use oddsmith_rules::program::{BinaryOp, Expr, Kind as ExprKind};
use oddsmith_rules::{Check, Config, Query, QueryKind};

use crate::answer::{AnswerKind, decimal};
use crate::{Limits, number};

/// Steps that what only helps to judge or to ask may cost.
pub(super) const CHEAP: u64 = 100_000_000;

/// What is known of one question.
pub(super) struct Known {
    pub(super) exact: Exact,
    pub(super) spread: Spread,
}

/// The exact answer.
pub(super) enum Exact {
    Answer(Answer),
    /// What stands after `|` never happens.
    NeverHappens,
    /// It could not be had, for this reason.
    Unknown(String),
    /// A rule can't be carried out with what some rolls show.
    Broken(Error),
    /// Nobody asked.
    Unasked,
}

impl Known {
    /// Of what is only rolled.
    pub(super) fn unasked() -> Self {
        Self {
            exact: Exact::Unasked,
            spread: Spread::default(),
        }
    }
}

/// How the values behind a mean or a variance are spread, as far as that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spread {
    /// Of a single value.
    pub(super) variance: Option<f64>,
    /// The fourth central moment of a single value.
    pub(super) fourth: Option<f64>,
    /// The farthest that a value can be from the mean.
    pub(super) reach: Option<f64>,
}

impl Exact {
    pub(super) fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answer(answer) => Some(answer),
            Self::NeverHappens | Self::Unknown(_) | Self::Broken(_) | Self::Unasked => None,
        }
    }
}

/// A check in a configuration.
pub(super) struct Oracle<'c> {
    pub(super) check: &'c Check,
    pub(super) config: &'c Config,
    pub(super) limits: &'c Limits,
}

impl Oracle<'_> {
    /// What is known of each question. One that can't be answered leaves the others their answers.
    pub(super) fn known(&self, questions: &[(AnswerKind, Query)]) -> Vec<Known> {
        let queries: Vec<Query> = questions.iter().map(|(_, query)| query.clone()).collect();
        let together = answers(self.check, self.config, &queries, &self.limits.budget());
        let exact: Vec<Exact> = match together {
            Ok(answers) => answers.into_iter().map(Exact::Answer).collect(),
            Err(_) => queries.iter().map(|query| self.exact(query)).collect(),
        };
        let known = exact.into_iter().zip(&queries).map(|(exact, query)| Known {
            spread: self.spread(query, &exact),
            exact,
        });
        known.collect()
    }

    fn exact(&self, query: &Query) -> Exact {
        let query = std::slice::from_ref(query);
        match answers(self.check, self.config, query, &self.limits.budget()) {
            Ok(mut answers) => Exact::Answer(answers.remove(0)),
            Err(Error::NeverHappens { .. }) => Exact::NeverHappens,
            Err(Error::NeverEnds { track, chance, .. }) => {
                Exact::Unknown(format!("with a chance of {chance} `{track}` never ends"))
            }
            Err(Error::Unsupported(diagnostic)) => Exact::Unknown(diagnostic.message),
            Err(error @ Error::OverBudget { .. }) => Exact::Unknown(error.to_string()),
            Err(error) => Exact::Broken(error),
        }
    }

    /// How the values of a mean or a variance are spread; nothing for a probability.
    fn spread(&self, query: &Query, exact: &Exact) -> Spread {
        let Some(answer) = exact.answer().filter(|answer| !answer.is_infinite()) else {
            return Spread::default();
        };
        match &query.kind {
            QueryKind::Probability(_) => Spread::default(),
            QueryKind::Mean(value) => Spread {
                variance: self.variance(query, value),
                reach: self.reach(query, value, answer),
                fourth: None,
            },
            QueryKind::Variance(value) => Spread {
                variance: decimal(answer),
                fourth: self.fourth(query, value),
                reach: None,
            },
            QueryKind::Deviation(value) => Spread {
                variance: decimal(answer).map(|deviation| deviation * deviation),
                fourth: self.fourth(query, value),
                reach: None,
            },
            QueryKind::Statistic(..) => Spread::default(),
        }
    }

    fn cheaply(&self, queries: &[Query]) -> Option<Vec<RBig>> {
        let budget = self.limits.at_most(CHEAP).budget();
        let found = answers(self.check, self.config, queries, &budget).ok()?;
        found.iter().map(Answer::to_ratio).collect()
    }

    fn variance(&self, query: &Query, value: &Expr) -> Option<f64> {
        let kind = QueryKind::Variance(value.clone());
        let query = Query {
            kind,
            ..query.clone()
        };
        Some(number::decimal(&self.cheaply(&[query])?[0]))
    }

    /// For a value that is shown as it is: where its distribution begins and ends is known.
    fn reach(&self, query: &Query, value: &Expr, mean: &Answer) -> Option<f64> {
        let ExprKind::Var(var) = value.kind else {
            return None;
        };
        if query.after.is_some() {
            return None;
        }
        let outcome = self
            .check
            .outcomes
            .iter()
            .find(|outcome| outcome.var == var)?;
        let budget = self.limits.at_most(CHEAP).budget();
        let dist = distribution(self.check, self.config, outcome, &budget).ok()?;
        let mean = decimal(mean)?;
        Some((dist.max() as f64 - mean).max(mean - dist.min() as f64))
    }

    /// The fourth central moment, from the means of the first four powers: with these as `m1` to `m4` it is
    /// `m4 - 4 m1 m3 + 6 m1² m2 - 3 m1⁴`, in whole fractions.
    fn fourth(&self, query: &Query, value: &Expr) -> Option<f64> {
        let power = |exponent: usize| Query {
            kind: QueryKind::Mean(power(value, exponent)),
            ..query.clone()
        };
        let moments = self.cheaply(&[1, 2, 3, 4].map(power))?;
        let [m1, m2, m3, m4] = <[RBig; 4]>::try_from(moments).ok()?;
        let times = |factor: i64| RBig::from_parts(IBig::from(factor), UBig::ONE);
        let square = &m1 * &m1;
        let fourth =
            m4 - times(4) * &m1 * m3 + times(6) * &square * m2 - times(3) * &square * &square;
        Some(number::decimal(&fourth))
    }
}

/// `value * value * …`
fn power(value: &Expr, exponent: usize) -> Expr {
    let product = |product: Expr, factor: &Expr| {
        Expr::binary(BinaryOp::Multiply, product, factor.clone(), factor.span)
    };
    let more = std::iter::repeat_n(value, exponent - 1);
    more.fold(value.clone(), product)
}

//! Answers: a question's name, what it is about, and its exact answer.

use oddsmith_exact::{Answer, Dist, IBig, RBig};
use oddsmith_rules::{Query, QueryKind};

use crate::number;

/// What an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// The probability of a band, such as a Hit.
    Band,
    /// The probability of a flag that the rules show.
    Flag,
    /// The probability of what the user asked about.
    Probability,
    /// The mean of a number.
    Mean,
    /// The variance of a number: the mean square of its distance from the mean.
    Variance,
    /// The standard deviation of a number: the root of its variance.
    Deviation,
    /// A value that is picked out of the distribution of a number, such as its median.
    Value,
}

impl AnswerKind {
    /// What a query of the user's asks for.
    pub fn of(query: &Query) -> Self {
        match query.kind {
            QueryKind::Probability(_) => Self::Probability,
            QueryKind::Mean(_) => Self::Mean,
            QueryKind::Variance(_) => Self::Variance,
            QueryKind::Deviation(_) => Self::Deviation,
            QueryKind::Statistic(..) => Self::Value,
        }
    }

    /// Whether the answer lies from 0 to 1 and is shown as odds.
    pub fn is_probability(self) -> bool {
        match self {
            Self::Band | Self::Flag | Self::Probability => true,
            Self::Mean | Self::Variance | Self::Deviation | Self::Value => false,
        }
    }

    /// The word for it in data: `band`, `flag`, `probability`, `mean`, `variance`, `sd`, `value`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Band => "band",
            Self::Flag => "flag",
            Self::Probability => "probability",
            Self::Mean => "mean",
            Self::Variance => "variance",
            Self::Deviation => "sd",
            Self::Value => "value",
        }
    }
}

/// A question and its exact answer.
#[derive(Clone, Debug)]
pub struct NamedAnswer {
    /// The band, the flag, or the query as it was asked.
    pub name: String,
    /// What the answer is about.
    pub kind: AnswerKind,
    /// The answer, as a weight over a total.
    pub answer: Answer,
}

impl NamedAnswer {
    /// The answer as the nearest float, without end as infinity.
    pub fn decimal(&self) -> f64 {
        decimal(&self.answer).unwrap_or(f64::NAN)
    }

    /// The answer in lowest terms; none if it is infinite.
    pub fn ratio(&self) -> Option<RBig> {
        self.answer.to_ratio()
    }
}

/// A number that a check shows, with its whole distribution.
#[derive(Clone, Debug)]
pub struct NamedNumber {
    /// The name that the rules give it.
    pub name: String,
    /// None if it is over the budget, which only a number beside other answers may be.
    pub dist: Option<Dist>,
}

/// How a mean without end is written.
pub const INFINITE: &str = "inf";

/// How an answer without end is written: `inf`, or `-inf` for a mean that falls without end.
pub fn infinite(answer: &Answer) -> &'static str {
    if answer.weight < IBig::ZERO {
        "-inf"
    } else {
        INFINITE
    }
}

/// The float nearest to an answer, infinity included; none if there is no answer.
pub fn decimal(answer: &Answer) -> Option<f64> {
    if answer.is_infinite() {
        let falls = answer.weight < IBig::ZERO;
        return Some(if falls {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        });
    }
    number::quotient(&answer.weight, &answer.total)
}

/// The shortest decimal that reads back as the same float: `0.36`; without end `inf` or `-inf`.
pub fn shortest(value: f64) -> String {
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{INFINITE}");
    }
    let mut text = Vec::new();
    number::push_decimal(value, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

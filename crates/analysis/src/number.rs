//! Exact values of queries, infinite ones among them.

use std::fmt;
use std::str::FromStr;

use oddsmith_dist::{IBig, RBig, UBig};
use oddsmith_exact::{Answer, RowAnswer};

/// The exact answer to a query, or a sum of several. Their order is that of numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Less than any number: a mean that falls without end.
    Falling,
    /// A number.
    Finite(RBig),
    /// More than any number: a mean that no finite number of rounds reaches.
    Infinite,
}

/// `27/80`, `inf` or `-inf`; it is read back as it was.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(ratio) => write!(f, "{ratio}"),
            Self::Infinite => f.write_str("inf"),
            Self::Falling => f.write_str("-inf"),
        }
    }
}

impl FromStr for Value {
    type Err = <RBig as FromStr>::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "inf" => Self::Infinite,
            "-inf" => Self::Falling,
            ratio => Self::Finite(ratio.parse()?),
        })
    }
}

impl Value {
    /// 0.
    pub(crate) const ZERO: Self = Self::Finite(RBig::ZERO);

    /// An answer; none if there is none, as where the condition of a query never happens.
    pub(crate) fn of(answer: RowAnswer<'_>) -> Option<Self> {
        Self::of_answer(&answer.into())
    }

    /// The value of an answer that is kept; none if there is none.
    pub(crate) fn of_answer(answer: &Answer) -> Option<Self> {
        let Answer { weight, total } = answer.clone();
        if total != UBig::ZERO {
            return Some(Self::Finite(RBig::from_parts(weight, total)));
        }
        match weight.cmp(&IBig::ZERO) {
            std::cmp::Ordering::Less => Some(Self::Falling),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Self::Infinite),
        }
    }

    /// The number; none if it is infinite.
    #[must_use]
    pub fn finite(&self) -> Option<&RBig> {
        match self {
            Self::Finite(number) => Some(number),
            Self::Falling | Self::Infinite => None,
        }
    }

    /// The sum; none if that has no meaning, as for what rises without end and what falls without end.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Finite(a), Self::Finite(b)) => Some(Self::Finite(a + b)),
            (Self::Finite(_), infinite) | (infinite, Self::Finite(_)) => Some(infinite.clone()),
            (a, b) if a == b => Some(a.clone()),
            _ => None,
        }
    }

    /// How far it is from 0.
    #[must_use]
    pub fn size(&self) -> Self {
        let opposite = Self::ZERO.minus(self);
        opposite.map_or_else(|| self.clone(), |opposite| opposite.max(self.clone()))
    }

    /// `self - other`; none if that has no meaning.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Option<Self> {
        let negative = match other {
            Self::Falling => Self::Infinite,
            Self::Finite(number) => Self::Finite(-number.clone()),
            Self::Infinite => Self::Falling,
        };
        self.plus(&negative)
    }
}

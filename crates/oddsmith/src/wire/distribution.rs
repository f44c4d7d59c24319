//! Whole distributions.

use oddsmith_exact::{Dist, IBig, UBig};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::Exact;
use crate::number;

/// The answer of `oddsmith dist`: a whole distribution.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Distribution {
    /// The expression.
    pub expression: String,
    /// The total that all weights are over: a whole number.
    pub total: Exact,
    /// The mean, as a fraction.
    pub mean: Exact,
    /// The variance, as a fraction.
    pub variance: Exact,
    /// Every value that can come up, ascending.
    pub outcomes: Vec<Value>,
}

/// A value that can come up.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Value {
    /// The value.
    pub outcome: i64,
    /// Its weight: a whole number.
    pub weight: Exact,
    /// The probability of it.
    pub probability: f64,
    /// The probability of it or more.
    pub at_least: f64,
    /// The probability of it or less.
    pub at_most: f64,
}

/// A value with its weight and the weights of what is not less, and not more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The value.
    pub value: i64,
    /// Its weight.
    pub weight: UBig,
    /// The weight of it or more.
    pub at_least: UBig,
    /// The weight of it or less.
    pub at_most: UBig,
}

/// Every value of a distribution's support, ascending; the sums run along, so the cost is linear, and one point is there
/// at a time.
pub fn points(dist: &Dist) -> impl Iterator<Item = Point> {
    let mut below = UBig::ZERO;
    dist.iter().map(move |(value, weight)| {
        let at_least = dist.total() - &below;
        below += &weight;
        Point {
            value,
            weight,
            at_least,
            at_most: below.clone(),
        }
    })
}

/// What is made of every point, in pieces that are made one after the other, each on all threads.
pub fn of_points<T: Send>(
    dist: &Dist,
    make: impl Fn(Point) -> T + Sync,
) -> impl Iterator<Item = Vec<T>> {
    /// Points of a piece: enough for all threads, few enough to be little memory.
    const PIECE: usize = 4096;
    let mut points = points(dist);
    std::iter::from_fn(move || {
        let piece: Vec<Point> = points.by_ref().take(PIECE).collect();
        (!piece.is_empty()).then(|| piece.into_par_iter().map(&make).collect())
    })
}

/// A weight's share of a distribution's total, as the nearest float.
pub fn share(weight: &UBig, total: &UBig) -> f64 {
    number::quotient(&IBig::from(weight.clone()), total)
        .expect("a distribution's total is positive")
}

impl Distribution {
    /// The distribution of an expression.
    pub fn of(expression: &str, dist: &Dist) -> Self {
        let total = dist.total();
        let value = |point: Point| Value {
            outcome: point.value,
            weight: Exact::of(&point.weight),
            probability: share(&point.weight, total),
            at_least: share(&point.at_least, total),
            at_most: share(&point.at_most, total),
        };
        Self {
            expression: expression.to_owned(),
            total: Exact::of(total),
            mean: Exact::of(&dist.mean()),
            variance: Exact::of(&dist.variance()),
            outcomes: of_points(dist, value).flatten().collect(),
        }
    }
}

//! A whole distribution for programs.

use oddsmith_exact::{Dist, IBig, UBig};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::number;

/// The columns that stand beside `outcome,weight,total,probability`.
pub(crate) const CUMULATIVE: [&str; 2] = ["at_least", "at_most"];

/// A value with its weight and the weights of what is not less, and not more.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) value: i64,
    pub(crate) weight: UBig,
    pub(crate) at_least: UBig,
    pub(crate) at_most: UBig,
}

/// Every value of the support, ascending; the sums run along, so the cost is linear.
pub(crate) fn points(dist: &Dist) -> Vec<Point> {
    let mut below = UBig::ZERO;
    let point = |(value, weight): (i64, UBig)| {
        let at_least = dist.total() - &below;
        below += &weight;
        Point {
            value,
            weight,
            at_least,
            at_most: below.clone(),
        }
    };
    dist.iter().map(point).collect()
}

/// A weight's share of the total.
pub(crate) fn share(weight: &UBig, total: &UBig) -> f64 {
    number::quotient(&IBig::from(weight.clone()), total)
        .expect("a distribution's total is positive")
}

/// `outcome,weight,total,probability,at_least,at_most`; the last three are decimals.
pub(crate) fn csv(dist: &Dist) -> Vec<u8> {
    let total = dist.total();
    let shown_total = total.to_string();
    let row = |point: &Point| {
        let mut row = Vec::new();
        number::push_int(point.value, &mut row);
        row.push(b',');
        number::push_ubig(&point.weight, &mut row);
        row.push(b',');
        row.extend_from_slice(shown_total.as_bytes());
        for weight in [&point.weight, &point.at_least, &point.at_most] {
            row.push(b',');
            number::push_decimal(share(weight, total), &mut row);
        }
        row.push(b'\n');
        row
    };
    let rows: Vec<Vec<u8>> = points(dist).par_iter().map(row).collect();
    let mut text = format!(
        "outcome,weight,total,probability,{}\n",
        CUMULATIVE.join(",")
    )
    .into_bytes();
    rows.iter().for_each(|row| text.extend_from_slice(row));
    text
}

/// The distribution with its moments; whole numbers and fractions as text.
pub(crate) fn json(expression: &str, dist: &Dist) -> Value {
    let total = dist.total();
    let object = |point: &Point| {
        json!({
            "outcome": point.value,
            "weight": point.weight.to_string(),
            "probability": share(&point.weight, total),
            "at_least": share(&point.at_least, total),
            "at_most": share(&point.at_most, total),
        })
    };
    json!({
        "expression": expression,
        "total": total.to_string(),
        "mean": dist.mean().to_string(),
        "variance": dist.variance().to_string(),
        "outcomes": points(dist).par_iter().map(object).collect::<Vec<Value>>(),
    })
}

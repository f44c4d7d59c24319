//! A whole distribution for programs.

pub(crate) use oddsmith::wire::{Point, points, share};
use oddsmith_exact::Dist;
use rayon::prelude::*;

use crate::number;

/// The columns that stand beside `outcome,weight,total,probability`.
pub(crate) const CUMULATIVE: [&str; 2] = ["at_least", "at_most"];

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

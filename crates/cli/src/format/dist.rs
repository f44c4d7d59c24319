//! A whole distribution for programs.

pub(crate) use oddsmith::wire::{Point, of_points, points, share};
use oddsmith_exact::Dist;

use crate::number;

/// The columns that stand beside `outcome,weight,total,probability`.
pub(crate) const CUMULATIVE: [&str; 2] = ["at_least", "at_most"];

/// `outcome,weight,total,probability,at_least,at_most`; the last three are decimals. In pieces, since all of it can be
/// many times as long as the distribution.
pub(crate) fn csv(dist: &Dist) -> impl Iterator<Item = Vec<u8>> {
    let total = dist.total();
    let shown_total = total.to_string();
    let row = move |point: Point| {
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
    let columns = CUMULATIVE.join(",");
    let head = format!("outcome,weight,total,probability,{columns}\n").into_bytes();
    let rows = of_points(dist, row).map(|rows| rows.concat());
    std::iter::once(head).chain(rows)
}

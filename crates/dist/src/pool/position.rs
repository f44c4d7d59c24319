//! One place of the sorted roll, for dice of any kinds.

use dashu_int::UBig;

use super::layers::{binomial_row, powers};
use crate::combine::convolve_rows;
use crate::number::{Number, bits, with_width, words};
use crate::{Budget, Dist, Error};

/// The die in place `place` from the highest, counted from 0.
///
/// It lies below `v` if at most `place` dice reach `v`. How many do is the product over all
/// dice of `below + reaching x`, cut off after `x^place`; near the low end the dice that stay
/// below `v` are fewer, and are counted instead.
pub(super) fn read(groups: &[(Dist, u32)], place: u32, budget: &Budget) -> Result<Dist, Error> {
    let size: u32 = groups.iter().map(|(_, count)| count).sum();
    let from_below = size - 1 - place;
    let most = place.min(from_below);
    let mut faces: Vec<i64> = groups.iter().flat_map(|(die, _)| die.support()).collect();
    faces.sort_unstable();
    faces.dedup();
    let width = groups
        .iter()
        .map(|(die, n)| die.bits() as u128 * u128::from(*n))
        .sum();
    let terms = (u128::from(most) + 1).pow(2) + 32;
    let products = faces.len() as u128 * groups.len() as u128 * terms;
    budget.charge(products.saturating_mul(words(width)))?;
    let total: UBig = groups
        .iter()
        .map(|(die, n)| die.total().pow(*n as usize))
        .product();
    Ok(with_width!(bits(&total), W => {
        let weights = by_face::<W>(groups, faces, (place, from_below), &W::from_big(&total));
        Dist::from_unsorted(weights, total)
    }))
}

/// The weight of each face, where `above` dice lie before the place and `below` after it.
fn by_face<W: Number>(
    groups: &[(Dist, u32)],
    faces: Vec<i64>,
    (above, below): (u32, u32),
    total: &W,
) -> Vec<(i64, W)> {
    let mut dice: Vec<_> = groups.iter().map(|(die, n)| Split::new(die, *n)).collect();
    let mut reached = W::zero();
    let mut weights = Vec::with_capacity(faces.len());
    for face in faces {
        for die in &mut dice {
            die.pass(face);
        }
        // The weight of the place being at most `face`.
        let at_most = if above <= below {
            few(&dice, above, |die| (&die.at_most, &die.above))
        } else {
            let mut rest = total.clone();
            rest.sub(&few(&dice, below, |die| (&die.above, &die.at_most)));
            rest
        };
        let mut here = at_most.clone();
        here.sub(&reached);
        weights.push((face, here));
        reached = at_most;
    }
    weights
}

/// Equal dice, split at a face.
struct Split<W> {
    count: u32,
    faces: std::iter::Peekable<std::vec::IntoIter<(i64, W)>>,
    at_most: W,
    above: W,
}

impl<W: Number> Split<W> {
    fn new(die: &Dist, count: u32) -> Self {
        Self {
            count,
            faces: die.pairs().into_iter().peekable(),
            at_most: W::zero(),
            above: W::from_big(die.total()),
        }
    }

    /// Moves the split to just above `face`.
    fn pass(&mut self, face: i64) {
        while let Some((_, weight)) = self.faces.next_if(|(x, _)| *x <= face) {
            self.at_most.add(&weight);
            self.above.sub(&weight);
        }
    }
}

/// The weight of at most `most` dice lying on the second side of the split.
fn few<W: Number>(dice: &[Split<W>], most: u32, sides: impl Fn(&Split<W>) -> (&W, &W)) -> W {
    let mut product = vec![W::from_u64(1)];
    for die in dice {
        let (first, second) = sides(die);
        product = convolve_rows(&product, &power_row(first, second, die.count, most));
        product.truncate(most as usize + 1);
    }
    product.iter().fold(W::zero(), |mut sum, ways| {
        sum.add(ways);
        sum
    })
}

/// `C(n, i) first^(n-i) second^i` for `i` up to `most`.
fn power_row<W: Number>(first: &W, second: &W, n: u32, most: u32) -> Vec<W> {
    let most = most.min(n);
    if first.is_zero() {
        let mut row = vec![W::zero(); most as usize + 1];
        if most == n {
            row[n as usize] = second.power(n);
        }
        return row;
    }
    if second.is_zero() {
        return vec![first.power(n)];
    }
    let rest = first.power(n - most);
    let row = binomial_row::<W>(n, 0, most).into_iter();
    row.zip(
        powers(second, most)
            .iter()
            .zip(powers(first, most).iter().rev()),
    )
    .map(|(ways, (seconds, firsts))| ways.times(seconds).times(firsts).times(&rest))
    .collect()
}

//! One place of the sorted roll, for dice of any kinds.

use dashu_int::UBig;

use crate::Dist;
use crate::combine::convolve_rows;
use crate::number::{Number, bits, bytes_of_number, power_bits_guess, with_limbs, words};

/// The die in place `place` from the highest, counted from 0.
///
/// It lies below `v` if at most `place` dice reach `v`. How many do is the product over all
/// dice of `below + reaching x`, cut off after `x^place`; near the low end the dice that stay
/// below `v` are fewer, and are counted instead.
pub(super) fn read(groups: &[(Dist, u32)], place: u32) -> Dist {
    let size = size(groups);
    let faces = faces(groups);
    let total: UBig = groups
        .iter()
        .map(|(die, n)| die.total().pow(*n as usize))
        .product();
    // Binomial coefficients are multiplied before they are divided; where dice have one face, they
    // exceed the rolls.
    let slack = 32 - size.leading_zeros() as usize;
    with_limbs!(bits(&total).max(size as usize) + slack, W => {
        let sides = (place, size - 1 - place);
        let weights = by_face::<W>(groups, faces, sides, &W::from_big(&total));
        Dist::from_unsorted(weights, total)
    })
}

fn size(groups: &[(Dist, u32)]) -> u32 {
    groups.iter().map(|(_, count)| count).sum()
}

fn faces(groups: &[(Dist, u32)]) -> Vec<i64> {
    let mut faces: Vec<i64> = groups.iter().flat_map(|(die, _)| die.support()).collect();
    faces.sort_unstable();
    faces.dedup();
    faces
}

/// Steps of `read`: for each face, powers of either side of each kind of dice, and their product.
pub(super) fn cost(groups: &[(Dist, u32)], place: u32) -> u128 {
    let most = u128::from(place.min(size(groups) - 1 - place));
    let widths = groups
        .iter()
        .map(|(die, n)| die.bits() as u128 * u128::from(*n));
    let words = words(widths.sum());
    let kinds = groups.len() as u128;
    // All kinds may have faces of their own.
    let faces: u128 = groups.iter().map(|(die, _)| die.len() as u128).sum();
    let powers = (4 * most + 4).saturating_mul(words * words / 4 + 4);
    let products = if kinds > 1 { most * most } else { 0 };
    let each = powers.saturating_add(products.saturating_mul(words * words));
    faces
        .saturating_mul(kinds)
        .saturating_mul(each)
        .saturating_add(200)
}

/// The most bytes of `read`: all faces, their weights on each kind of dice, and those of the place; and the powers of a face.
pub(super) fn bytes(groups: &[(Dist, u32)], place: u32) -> u128 {
    let most = u128::from(place.min(size(groups) - 1 - place));
    let widths = groups
        .iter()
        .map(|(die, n)| power_bits_guess(die.total(), *n));
    let bits = usize::try_from(widths.sum::<u128>()).unwrap_or(usize::MAX);
    let faces: u128 = groups.iter().map(|(die, _)| die.places_count()).sum();
    let number = bytes_of_number(bits.saturating_add(32));
    let kinds = groups.len() as u128;
    let powers = (most + 1).saturating_mul(4 + kinds).saturating_mul(number);
    let pairs = faces.saturating_mul(16 + number);
    Dist::bytes_to_make(faces, bits)
        .saturating_add(pairs)
        .saturating_add(powers)
}

/// The weight of each face, where `above` dice lie before the place and `below` after it.
fn by_face<W: Number>(
    groups: &[(Dist, u32)],
    faces: Vec<i64>,
    (above, below): (u32, u32),
    total: &W,
) -> Vec<(i64, W)> {
    let most = above.min(below);
    let split = |(die, count): &(Dist, u32)| Split::new(die, *count, most);
    let mut dice: Vec<_> = groups.iter().map(split).collect();
    let mut reached = W::zero();
    let mut weights = Vec::with_capacity(faces.len());
    for face in faces {
        for die in &mut dice {
            die.pass(face);
        }
        // The weight of the place being at most `face`.
        let at_most = if above <= below {
            weight_of_at_most(&dice, above, |die| (&die.at_most, &die.above))
        } else {
            let mut rest = total.clone();
            rest.sub(&weight_of_at_most(&dice, below, |die| {
                (&die.above, &die.at_most)
            }));
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
    /// `C(count, i)`, for as many dice as can lie on the other side.
    choices: Vec<W>,
    faces: std::iter::Peekable<std::vec::IntoIter<(i64, W)>>,
    at_most: W,
    above: W,
}

impl<W: Number> Split<W> {
    fn new(die: &Dist, count: u32, most: u32) -> Self {
        let mut choices = vec![W::from_u64(1)];
        for i in 0..most.min(count) {
            let mut next = choices[i as usize].clone();
            next.scale((count - i).into());
            next.divide_exactly((i + 1).into());
            choices.push(next);
        }
        Self {
            count,
            choices,
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

    /// `C(n, i) first^(n-i) second^i` for `i` up to `most`.
    fn power_row(&self, first: &W, second: &W, most: u32) -> Vec<W> {
        let most = most.min(self.count);
        if first.is_zero() {
            // All dice lie on the second side; fewer there might be more ways than rolls.
            let mut row = vec![W::zero(); most as usize];
            row.push(if most == self.count {
                second.power(most)
            } else {
                W::zero()
            });
            return row;
        }
        let mut firsts = vec![first.power(self.count - most)];
        for i in 0..most as usize {
            firsts.push(first.times(&firsts[i]));
        }
        let mut seconds = W::from_u64(1);
        let mut row = Vec::with_capacity(firsts.len());
        for (i, (choice, firsts)) in self.choices.iter().zip(firsts.iter().rev()).enumerate() {
            if i > 0 {
                seconds = second.times(&seconds);
            }
            row.push(choice.times(&seconds).times(firsts));
        }
        row
    }
}

/// The weight of at most `most` dice lying on the second side of the split.
fn weight_of_at_most<W: Number>(
    dice: &[Split<W>],
    most: u32,
    sides: impl Fn(&Split<W>) -> (&W, &W),
) -> W {
    if most == 0 {
        let powers = dice.iter().map(|die| sides(die).0.power(die.count));
        return powers.fold(W::from_u64(1), |product, power| product.times(&power));
    }
    let mut product = vec![W::from_u64(1)];
    for die in dice {
        let (first, second) = sides(die);
        product = convolve_rows(&product, &die.power_row(first, second, most));
        product.truncate(most as usize + 1);
    }
    product.iter().fold(W::zero(), |mut sum, ways| {
        sum.add(ways);
        sum
    })
}

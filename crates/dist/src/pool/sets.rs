//! The largest set of equal faces among equal, fair dice.

use dashu_int::UBig;

use crate::number::{Number, bits, with_width, words};
use crate::{Budget, Dist, Error};

/// The size of the largest set in `n` dice that show each face with the same weight, if they
/// are such dice, with two faces or more.
pub(super) fn largest(die: &Dist, n: u32, budget: &Budget) -> Result<Option<Dist>, Error> {
    let faces = die.len();
    let weight = die.weight(die.min());
    if faces < 2 || die.iter().any(|(_, other)| other != weight) {
        return Ok(None);
    }
    let width = words(u128::from(n) * die.bits() as u128);
    let steps = (u128::from(n) * u128::from(n)).saturating_mul(faces as u128 * width);
    budget.charge(steps)?;
    let total = die.total().pow(n as usize);
    Ok(Some(with_width!(bits(&total), W => {
        let weights = by_size(n, faces, &W::from_big(&weight.pow(n as usize)));
        Dist::from_unsorted(weights, total)
    })))
}

/// The weight of each size: rolls with sets up to there, without those with smaller sets only.
fn by_size<W: Number>(n: u32, faces: usize, scale: &W) -> Vec<(i64, W)> {
    let mut reached = W::zero();
    let mut weights = Vec::with_capacity(n as usize);
    for (size, most) in (1..).zip(1..=n) {
        let at_most = sets_up_to::<W>(most, n, faces).times(scale);
        let mut here = at_most.clone();
        here.sub(&reached);
        weights.push((size, here));
        reached = at_most;
    }
    weights
}

/// The rolls of `n` dice with `faces` faces in which no face is shown more than `most` times.
///
/// With `a(F, i)` for `i` dice and `F` faces, `a(F, i+1) = F a(F, i) - F C(i, most)
/// a(F-1, i-most)`: the last die may show any face, unless it is the one too many of a face
/// that the others do not show further.
fn sets_up_to<W: Number>(most: u32, n: u32, faces: usize) -> W {
    let (len, most) = (n as usize + 1, most as usize);
    let choices = choices::<W>(most, n);
    let mut fewer = vec![W::zero(); len];
    fewer[0] = W::from_u64(1); // no faces, no dice
    for count in 1..=faces as u64 {
        let factor = W::from_u64(count);
        let mut row = Vec::with_capacity(len);
        row.push(W::from_u64(1));
        for i in 0..n as usize {
            let mut ways = row[i].clone();
            if i >= most {
                ways.sub(&choices[i - most].times(&fewer[i - most]));
            }
            row.push(ways.times(&factor));
        }
        fewer = row;
    }
    fewer.pop().expect("a row has n + 1 places")
}

/// `C(i, most)` for `i` from `most` to `n - 1`.
fn choices<W: Number>(most: usize, n: u32) -> Vec<W> {
    let mut ways = UBig::ONE;
    let mut row = Vec::new();
    for i in most..n as usize {
        row.push(W::from_big(&ways));
        ways = ways * (i + 1) / (i + 1 - most);
    }
    row
}

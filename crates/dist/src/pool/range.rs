//! Sums of kept dice in pools of one family, such as the best three of d6 and d8 together.

use super::Pool;
use super::kept::Kept;
use super::layers::{Layer, layers, powers};
use crate::number::{Number, bits, with_limbs, words};
use crate::{Budget, Dist, Error};

/// The sum of the kept dice; `None` if the dice are of several families, or have their faces
/// too far apart for rows.
///
/// A fold from the highest face whose states are rows: for each number of dice placed so far,
/// the weights of all sums. It stops for dice below the kept ones.
pub(super) fn read(pool: &Pool, kept: Kept, budget: &Budget) -> Result<Option<Dist>, Error> {
    let faces = pool.faces();
    let (Some(low), Some(high)) = (pool.min_face(), pool.max_face()) else {
        return Ok(None);
    };
    let places = u128::from(high.abs_diff(low));
    if places > 4 * faces.len() as u128 + 16 {
        return Ok(None);
    }
    let total = pool.total();
    let width = words(bits(&total) as u128);
    let (end, size) = (u128::from(kept.end), u128::from(pool.size()));
    let row = u128::from(kept.len()) * places + 1;
    Ok(with_limbs!(bits(&total), W => {
        let (layers, _) = layers::<W>(pool, 1).ok_or_else(|| budget.refusal())?;
        if layers.iter().any(|layer| layer.shares.len() > 1) || several_families(&layers) {
            return Ok(None);
        }
        let terms = (end * size.min(end) * row / 2).saturating_add(end * row + size * size);
        budget.charge(terms.saturating_mul(faces.len() as u128 * width))?;
        let row = walk(&layers, kept, usize::try_from(places).expect("a row in memory"), low);
        Some(Dist::from_row(low * i64::from(kept.len()), row, total))
    }))
}

/// Whether dice of different families share no face, so that each layer has one share only.
fn several_families<W>(layers: &[Layer<W>]) -> bool {
    let unit = layers.first().map(|layer| layer.shares[0].unit);
    layers
        .iter()
        .any(|layer| Some(layer.shares[0].unit) != unit)
}

/// Sums of all rolls, as a row from the lowest face times the number of kept dice.
fn walk<W: Number>(layers: &[Layer<W>], kept: Kept, places: usize, low: i64) -> Vec<W> {
    let end = kept.end as usize;
    let rests = rests(layers);
    let mut done = vec![W::zero(); kept.len() as usize * places + 1];
    // The row of `placed` dice counts from the lowest face for each of them that is kept.
    let mut rows: Vec<Vec<W>> = vec![Vec::new(); end];
    rows[0].push(W::from_u64(1));
    let mut joined = 0;
    for (layer, rest) in layers.iter().zip(&rests) {
        let share = &layer.shares[0];
        joined += share.joining;
        let step = usize::try_from(layer.face.abs_diff(low)).expect("a place of the row");
        let options = share.options();
        let mut next: Vec<Vec<W>> = vec![Vec::new(); end];
        for (placed, row) in (0..=joined).zip(&rows).filter(|(_, row)| !row.is_empty()) {
            let waiting = joined - placed;
            let option = &options[waiting as usize];
            let mut complete = W::zero();
            for (count, ways) in (option.least..).zip(&option.ways) {
                let after = (placed + count) as usize;
                if after < end {
                    let taken = kept.overlap(placed, count) as usize;
                    add_moved(&mut next[after], row, taken * step, ways);
                } else {
                    complete.add_product(ways, &rest.of(waiting - count));
                }
            }
            if !complete.is_zero() {
                let taken = kept.overlap(placed, waiting) as usize;
                add_moved(&mut done, row, taken * step, &complete);
            }
        }
        rows = next;
    }
    done
}

/// Adds `factor * row`, moved up by `by` places.
fn add_moved<W: Number>(sums: &mut Vec<W>, row: &[W], by: usize, factor: &W) {
    if sums.len() < row.len() + by {
        sums.resize(row.len() + by, W::zero());
    }
    for (sum, weight) in sums[by..].iter_mut().zip(row) {
        sum.add_product(weight, factor);
    }
}

/// What dice not yet placed can show below a face.
struct Rest<W> {
    /// Powers of the weight of all lower faces, by the number of waiting dice.
    waiting: Vec<W>,
    /// All rolls of the dice that join later.
    joining: W,
}

impl<W: Number> Rest<W> {
    fn of(&self, waiting: u32) -> W {
        self.waiting[waiting as usize].times(&self.joining)
    }
}

/// For each layer, what may follow it.
fn rests<W: Number>(layers: &[Layer<W>]) -> Vec<Rest<W>> {
    let mut below = W::zero();
    let mut joining = W::from_u64(1);
    let mut rests = Vec::with_capacity(layers.len());
    for layer in layers.iter().rev() {
        let share = &layer.shares[0];
        rests.push(Rest {
            waiting: powers(&below, share.most),
            joining: joining.clone(),
        });
        below.add(&share.weight());
        joining = joining.times(&below.power(share.joining));
    }
    rests.reverse();
    rests
}

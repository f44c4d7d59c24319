//! The largest set of equal faces among equal, fair dice.

use dashu_int::UBig;

use crate::number::{
    Number, bits, log2_sixteenths, power_bits_guess, product_steps, with_limbs, words,
};
use crate::{Budget, Dist, Error};

/// The size of the largest set in `n` dice that show each of two faces or more with the same weight.
pub(super) fn largest(die: &Dist, n: u32, budget: &Budget) -> Result<Dist, Error> {
    let faces = die.len();
    budget.charge(cost(n, faces, die.total()))?;
    let total = die.total().pow(n as usize);
    let scale = die.weight(die.min()).pow(n as usize);
    Ok(with_limbs!(bits(&total), W => {
        let weights = by_size(n, faces, &W::from_big(&scale));
        // Not all dice differ if there are more of them than faces.
        let smallest = weights.iter().position(|weight| !weight.is_zero()).unwrap_or(0);
        let first = i64::try_from(smallest).expect("a size is a number of dice") + 1;
        Dist::from_row(first, 1, weights[smallest..].to_vec(), total)
    }))
}

/// Steps of `by_size`: for each size that can be the largest, rows for as many faces as can have more dice than that.
fn cost(n: u32, faces: usize, total: &UBig) -> u128 {
    let width = words(power_bits_guess(total, n));
    let (n, faces) = (u128::from(n), faces as u128);
    let half = n / 2;
    let sizes = half - half.min(n / faces);
    // Size `m` has rows of `n`, `n - m`, `n - 2m` … places, `n n / 2m + n / 2` in all; the sum of `1 / m` over the
    // sizes is a logarithm: in thousandths, `ln 2 = 0.693`, in sixteenths 43.
    let logarithm = 43 * log2_sixteenths((faces.min(n) / 2).max(1));
    let places = (n * n / 2).saturating_mul(logarithm) / 1000 + n * sizes / 2;
    // A product with a binomial coefficient of about so many bits, one with a number of faces, and a sum.
    let product = (2 * (width + product_steps(width, words(n * 2 / 3)))).div_ceil(3);
    let sums = (n * half).saturating_mul(1 + width) / 6;
    (places + 4 * n)
        .saturating_mul(product)
        .saturating_add(sums)
        .saturating_add(200)
}

/// The weight of each size from 1: rolls with sets up to there, without those with smaller ones.
fn by_size<W: Number>(n: u32, faces: usize, scale: &W) -> Vec<W> {
    let n = n as usize;
    let half = n / 2;
    let mut choices = vec![W::from_u64(1); n + 1]; // C(i, size), for every i
    let mut of_all = Vec::with_capacity(half + 1); // C(n, size)
    of_all.push(W::from_u64(1));
    let mut rows = Rows::new(n, faces);
    let mut reached = W::zero();
    let mut weights = Vec::with_capacity(n);
    for size in 1..=half {
        sum_before(&mut choices);
        of_all.push(choices[n].clone());
        let at_most = rows.sets_up_to(size, &choices).times(scale);
        let mut here = at_most.clone();
        here.sub(&reached);
        weights.push(here);
        reached = at_most;
    }
    weights.resize(n, W::zero());
    // A set of more than half of the dice is the only one so large: any face, `rest` dice of the
    // others in any order.
    let others = W::from_u64(faces as u64 - 1);
    let mut ways = W::from_u64(faces as u64).times(scale);
    for (rest, choice) in of_all.iter().enumerate().take(n - half) {
        weights[n - 1 - rest] = choice.times(&ways);
        if rest + 1 < n - half {
            ways = others.times(&ways);
        }
    }
    weights
}

/// Puts into each place the sum of the places before: `C(i, size+1)` from `C(i, size)`.
fn sum_before<W: Number>(row: &mut [W]) {
    let mut sum = W::zero();
    for place in row {
        let here = std::mem::replace(place, sum.clone());
        sum.add(&here);
    }
}

/// Rolls of fewer dice with fewer faces.
struct Rows<W> {
    n: usize,
    faces: usize,
    row: Vec<W>,
    /// The row for one face less.
    fewer: Vec<W>,
}

impl<W: Number> Rows<W> {
    fn new(n: usize, faces: usize) -> Self {
        let row = || Vec::with_capacity(n + 1);
        Self {
            n,
            faces,
            row: row(),
            fewer: row(),
        }
    }

    /// The rolls of all dice in which no face is shown more than `most` times; `choices` are
    /// `C(i, most)`.
    ///
    /// With `a(F, i)` for `i` dice and `F` faces, `a(F, i+1) = F a(F, i) - F C(i, most)
    /// a(F-1, i-most)`: the last die may show any face, unless it is the one too many of a face
    /// that the others do not show further. So each face less comes with `most + 1` dice less, and
    /// where at most `most` dice are left, `a(F, i) = F^i`.
    fn sets_up_to(&mut self, most: usize, choices: &[W]) -> W {
        if self.n > self.faces.saturating_mul(most) {
            return W::zero();
        }
        let depth = self.faces.min(self.n / (most + 1));
        for less in (0..=depth).rev() {
            let factor = (self.faces - less) as u64;
            std::mem::swap(&mut self.row, &mut self.fewer);
            self.row.clear();
            self.row.push(W::from_u64(1));
            for (i, choices) in choices.iter().enumerate().take(self.n - less * (most + 1)) {
                let mut ways = self.row[i].clone();
                if i >= most && less < depth {
                    ways.sub(&choices.times(&self.fewer[i - most]));
                }
                ways.scale(factor);
                self.row.push(ways);
            }
        }
        self.row[self.n].clone()
    }
}

//! The highest or lowest of equal dice, by Horner's scheme over the lowest kept face.

use dashu_int::UBig;

use crate::combine::{convolve_rows, strided};
use crate::number::{Number, bits, with_limbs, words};
use crate::{Budget, Dist, Error};

/// The sum of the highest `k` of `n` equal dice; `1 <= k < n`. `None` if the faces lie too
/// far apart for a row.
pub(super) fn highest(die: &Dist, n: u32, k: u32, budget: &Budget) -> Result<Option<Dist>, Error> {
    let Some(die) = Faces::of(die) else {
        return Ok(None);
    };
    let width = u128::from(n) * bits(&die.total) as u128;
    budget.charge(die.steps(n, k).saturating_mul(words(width)))?;
    let total = die.total.pow(n as usize);
    Ok(Some(with_limbs!(bits(&total), W => {
        let row = horner::<W>(&die, n, k);
        die.place(row, k, total)
    })))
}

/// The sum of the lowest `k` of `n` equal dice: the highest of the mirrored dice, mirrored.
pub(super) fn lowest(die: &Dist, n: u32, k: u32, budget: &Budget) -> Result<Option<Dist>, Error> {
    if die.min() <= -(i64::MAX / i64::from(k)) {
        return Ok(None); // mirrored sums might leave the range
    }
    let sum = highest(&die.mirrored(), n, k, budget)?;
    Ok(sum.map(|sum| sum.mirrored()))
}

/// A die as a row of weights, counted in strides from its lowest face.
struct Faces {
    low: i64,
    stride: u64,
    row: Vec<UBig>,
    total: UBig,
}

impl Faces {
    fn of(die: &Dist) -> Option<Self> {
        let (low, stride) = (die.min(), die.stride());
        let places = die.max().abs_diff(low) / stride + 1;
        if places > 4 * die.len() as u64 + 16 {
            return None;
        }
        let mut row = vec![UBig::ZERO; usize::try_from(places).ok()?];
        for (x, weight) in die.iter() {
            row[usize::try_from(x.abs_diff(low) / stride).ok()?] = weight;
        }
        let total = die.total().clone();
        Some(Self {
            low,
            stride,
            row,
            total,
        })
    }

    /// Whether all faces above place `v` have the weight 1.
    fn is_even_above(&self, v: usize) -> bool {
        self.row[v + 1..].iter().all(UBig::is_one)
    }

    /// Places of the lowest kept face times the terms of its Horner scheme.
    fn steps(&self, n: u32, k: u32) -> u128 {
        let (n, k, faces) = (u128::from(n), u128::from(k), self.row.len() as u128);
        let per_term = if self.is_even_above(0) { 2 } else { faces };
        let terms = (k * k)
            .saturating_mul(faces * faces)
            .saturating_mul(per_term);
        (terms / 4).saturating_add(faces * (8 * k + n))
    }

    fn place<W: Number>(&self, row: Vec<W>, k: u32, total: UBig) -> Dist {
        let first = self.low * i64::from(k);
        if self.stride == 1 {
            return Dist::from_row(first, row, total);
        }
        let places = row.into_iter().enumerate();
        let pairs = places.map(|(i, weight)| (strided(first, i, self.stride), weight));
        Dist::from_unsorted(pairs.collect(), total)
    }
}

/// Sums of the highest `k` of `n`, as a row from `k` times the lowest place.
///
/// Let `v` be the lowest kept face, `j < k` the number of dice above it, and `Q` the
/// polynomial of the faces above, counted from `v`. Then
/// `A(x) = sum over v of x^(k v) * sum over j of C(n, j) T(n-j) Q^j`, where `T(N)` counts how
/// `N` dice lie at or below `v`, at most `n - k` of them below.
fn horner<W: Number>(die: &Faces, n: u32, k: u32) -> Vec<W> {
    let top = die.row.len() - 1;
    let weights: Vec<W> = die.row.iter().map(W::from_big).collect();
    let mut sums = vec![W::zero(); k as usize * top + 1];
    let mut below = UBig::ZERO;
    for (v, here) in die.row.iter().enumerate().filter(|(_, w)| !w.is_zero()) {
        let mut ways = ways_at_or_below(here, &below, n, k);
        if v == top {
            ways.truncate(1); // no die can lie above
        }
        let ways: Vec<W> = ways.iter().map(W::from_big).collect();
        let above = &weights[v + 1..];
        let row = if die.is_even_above(v) {
            scheme(&ways, |row| times_run(row, above.len()))
        } else {
            let mut above = above.to_vec();
            above.insert(0, W::zero());
            scheme(&ways, |row| convolve_rows(row, &above))
        };
        for (sum, value) in sums[k as usize * v..].iter_mut().zip(&row) {
            sum.add(value);
        }
        below += here;
    }
    sums
}

/// `coefficients[0] + Q (coefficients[1] + Q (...))`.
fn scheme<W: Number>(coefficients: &[W], times_q: impl Fn(&[W]) -> Vec<W>) -> Vec<W> {
    let mut row = vec![W::zero()];
    for (j, coefficient) in coefficients.iter().enumerate().rev() {
        if j + 1 < coefficients.len() {
            row = times_q(&row);
        }
        row[0].add(coefficient);
    }
    row
}

/// `row` times `x + x^2 + ... + x^m`: each place is the sum of the `m` places before.
fn times_run<W: Number>(row: &[W], m: usize) -> Vec<W> {
    let mut window = W::zero();
    let mut product = Vec::with_capacity(row.len() + m);
    product.push(W::zero());
    for place in 1..row.len() + m {
        if let Some(entering) = row.get(place - 1) {
            window.add(entering);
        }
        if place > m {
            window.sub(&row[place - 1 - m]);
        }
        product.push(window.clone());
    }
    product
}

/// `C(n, j) T(n-j)` for `j` in `0..k`, where the face has the weight `here` and lower faces
/// `below`.
///
/// From `T(n-k) = (here + below)^(n-k)` upwards by
/// `T(N+1) = (here + below) T(N) - C(N, n-k) below^(n-k+1) here^(N-(n-k))`: the last die may
/// lie anywhere, unless `n - k` dice are below already.
fn ways_at_or_below(here: &UBig, below: &UBig, n: u32, k: u32) -> Vec<UBig> {
    let dropped = n - k;
    let either = here + below;
    let mut count = either.pow(dropped as usize);
    let mut excess = below.pow(dropped as usize + 1); // C(N, n-k) below^(n-k+1) here^(N-n+k)
    let mut choices = binomials_down(n, k); // C(n, k-1), then C(n, k-2), ...
    let mut ways = Vec::with_capacity(k as usize);
    for size in dropped..n {
        count = count * &either - &excess;
        excess = excess * here * (size + 1) / (size + 1 - dropped);
        let choice = choices.next().expect("one for each number of dice above");
        ways.push(choice * &count);
    }
    ways.reverse();
    ways
}

/// `C(n, j)` for `j` from `k - 1` down to 0.
fn binomials_down(n: u32, k: u32) -> impl Iterator<Item = UBig> {
    let mut row = vec![UBig::ONE];
    for j in 0..k as usize - 1 {
        let next = &row[j] * (u128::from(n) - j as u128) / (j as u128 + 1);
        row.push(next);
    }
    row.into_iter().rev()
}

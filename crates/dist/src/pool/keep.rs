//! The highest of equal dice, by Horner's scheme over the lowest kept face.

use crate::Dist;
use crate::combine::convolve_rows;
use crate::dist::bytes_of_row;
use crate::number::{
    MOST_LIMBS, Number, binomials, bits, bytes_of_number, power_bits_guess, product_steps,
    with_limbs, words,
};

/// A die counted in strides from its lowest face.
pub(super) struct Faces<'a> {
    die: &'a Dist,
    stride: u64,
    /// The place of the highest face.
    top: u64,
    /// Whether every place has the weight 1.
    even: bool,
}

impl<'a> Faces<'a> {
    pub(super) fn of(die: &'a Dist) -> Self {
        let stride = die.stride();
        let top = die.steps(stride);
        let even = die.total() == &(top + 1).into() && die.len() as u64 == top + 1;
        Self {
            die,
            stride,
            top,
            even,
        }
    }

    /// The sum of the highest `k` of `n` such dice; `1 <= k < n`.
    pub(super) fn highest(&self, n: u32, k: u32) -> Dist {
        let total = self.die.total().pow(n as usize);
        let first = self.die.min() * i64::from(k);
        with_limbs!(bits(&total), W => {
            Dist::from_row(first, self.stride, self.horner::<W>(n, k), total)
        })
    }

    /// The most bytes of `highest`: the faces, the sums, the row of a scheme and the one that follows it, twice where some
    /// of it is narrower; the coefficients; and the answer.
    pub(super) fn bytes(&self, n: u32, k: u32) -> u128 {
        let bits = usize::try_from(power_bits_guess(self.die.total(), n)).unwrap_or(usize::MAX);
        let number = bytes_of_number(bits);
        let (k, top) = (u128::from(k), u128::from(self.top));
        let sums = k * top + 1;
        let rows = sums.saturating_mul(3).saturating_add(2 * (top + 1) + 4 * k);
        bytes_of_row(sums, self.stride, bits).saturating_add(rows.saturating_mul(number))
    }

    /// Steps of `highest`: each of the `k` terms of each face's scheme is a row of half the sums of
    /// so many dice on average, and its coefficient a few products.
    pub(super) fn cost(&self, n: u32, k: u32) -> u128 {
        let bits = power_bits_guess(self.die.total(), n);
        let (n, k, top) = (u128::from(n), u128::from(k), u128::from(self.top));
        let faces = self.die.len() as u128;
        let words = words(bits);
        // Big integers lie apart in memory, and each product is one more.
        let is_big = words > MOST_LIMBS;
        let per_place = match (is_big, self.even) {
            // The first steps are narrower.
            (false, true) => 1 + words / 3,
            (true, true) => 6 + (20 + 3 * words / 2) * (words - MOST_LIMBS) / words,
            // A product by the weight of each face above: those of half the faces, with more
            // places where there are more of them.
            (_, false) => 1 + product_steps(words, 1) * 2 * faces / 3,
        };
        let places = (k * (k - 1) / 2)
            .saturating_mul(top / 2 + 1)
            .saturating_mul(faces);
        // For each face a power of so many dice, and one more product for each coefficient.
        let squares = if is_big {
            words * words // all but the last are short
        } else {
            2 * u128::from((n - k + 1).ilog2()) * (words * words / 2 + 1)
        };
        let power = squares + 20;
        let coefficients = faces.saturating_mul(power + k.saturating_mul(words * 4 + 4));
        places
            .saturating_mul(per_place)
            .saturating_add(coefficients)
            .saturating_add(200)
    }

    /// Sums of the highest `k` of `n`, as a row from `k` times the lowest place.
    ///
    /// Let `v` be the lowest kept face, `j < k` the number of dice above it, and `Q` the
    /// polynomial of the faces above, counted from `v`. Then
    /// `A(x) = sum over v of x^(k v) * sum over j of C(n, j) T(n-j) Q^j`, where `T(N)` counts how
    /// `N` dice lie at or below `v`, at most `n - k` of them below.
    fn horner<W: Number>(&self, n: u32, k: u32) -> Vec<W> {
        let weights: Vec<W> = self.die.strided_row(self.stride);
        let mut sums = vec![W::zero(); k as usize * (weights.len() - 1) + 1];
        let mut ladder = Ladder::new(n, k);
        let mut scheme = Scheme::new();
        let places = weights.iter().enumerate();
        for (v, here) in places.filter(|(_, weight)| !weight.is_zero()) {
            let above = &weights[v + 1..];
            let count = ladder.climb(here, above.is_empty());
            if above.is_empty() {
                scheme.row = vec![count];
            } else if self.even {
                scheme.of_run(&ladder.ways, &ladder.totals(above.len()), above.len());
            } else {
                let above: Vec<W> = std::iter::once(W::zero())
                    .chain(above.iter().cloned())
                    .collect();
                scheme.of_row(&ladder.ways, &above);
            }
            for (sum, value) in sums[k as usize * v..].iter_mut().zip(&scheme.row) {
                sum.add(value);
            }
        }
        sums
    }
}

/// Horner's scheme `coefficients[0] + Q (coefficients[1] + Q (...))`.
struct Scheme<W> {
    row: Vec<W>,
    /// The row that is written next; kept, as allocating it would take longer in small pools.
    next: Vec<W>,
}

impl<W: Number> Scheme<W> {
    fn new() -> Self {
        Self {
            row: Vec::new(),
            next: Vec::new(),
        }
    }

    /// For any polynomial `q`.
    fn of_row(&mut self, coefficients: &[W], q: &[W]) {
        self.row = vec![W::zero()];
        for (j, coefficient) in coefficients.iter().enumerate().rev() {
            if j + 1 < coefficients.len() {
                self.row = convolve_rows(&self.row, q);
            }
            self.row[0].add(coefficient);
        }
    }

    /// For `Q = x + x^2 + ... + x^m`. The partial results sum to numbers of `totals` bits each, the
    /// last coefficient's the least, so the first steps are taken in narrower numbers.
    fn of_run(&mut self, coefficients: &[W], totals: &[usize], m: usize) {
        let narrow = <W::Narrower as Number>::BITS;
        let wide = totals.partition_point(|bits| *bits > narrow);
        self.row.clear();
        let open = if narrow < W::BITS && wide + 1 < coefficients.len() {
            let converted = coefficients[wide..].iter().map(Number::converted);
            let mut inner = Scheme::<W::Narrower>::new();
            inner.of_run(&converted.collect::<Vec<_>>(), &totals[wide..], m);
            self.row.extend(inner.row.iter().map(Number::converted));
            &coefficients[..wide]
        } else {
            let (last, before) = coefficients.split_last().expect("k is positive");
            self.row.push(last.clone());
            before
        };
        for coefficient in open.iter().rev() {
            times_run(&self.row, m, &mut self.next);
            self.next[0].add(coefficient);
            std::mem::swap(&mut self.row, &mut self.next);
        }
    }
}

/// `row` times `x + x^2 + ... + x^m`: each place is the sum of the `m` places before.
fn times_run<W: Number>(row: &[W], m: usize, product: &mut Vec<W>) {
    let mut window = W::zero();
    product.clear();
    product.reserve(row.len() + m);
    product.push(W::zero());
    for entering in &row[..m.min(row.len())] {
        window.add(entering);
        product.push(window.clone());
    }
    for (entering, leaving) in row.iter().skip(m).zip(row) {
        window.add(entering);
        window.sub(leaving);
        product.push(window.clone());
    }
    product.resize(product.len().max(m + 1), window.clone());
    for leaving in &row[row.len().saturating_sub(m)..row.len() - 1] {
        window.sub(leaving);
        product.push(window.clone());
    }
}

/// The coefficients `C(n, j) T(n-j)` for `j` in `0..k`, face by face from the lowest.
///
/// With the weight `here` of the face and `below` of all lower ones: from
/// `T(n-k) = (here + below)^(n-k)` upwards by
/// `T(N+1) = (here + below) T(N) - C(N, n-k) below^(n-k+1) here^(N-(n-k))`: the last die may
/// lie anywhere, unless `n - k` dice are below already.
struct Ladder<W> {
    dropped: u32,
    /// `C(n, j)`, and `C(n-k+j, j)`, for `j` in `0..k`.
    above: Vec<W>,
    dropping: Vec<W>,
    below: W,
    /// `below^(n-k+1)`
    lower: W,
    ways: Vec<W>,
}

impl<W: Number> Ladder<W> {
    fn new(n: u32, k: u32) -> Self {
        let dropped = n - k;
        Self {
            dropped,
            above: binomials(n).take(k as usize).collect(),
            dropping: rising_binomials(dropped, k),
            below: W::zero(),
            lower: W::zero(),
            ways: Vec::with_capacity(k as usize),
        }
    }

    /// Goes on to the next face and returns `T(n)`. No die can lie above the top face, so there
    /// the other coefficients are left out: they might be more than all rolls.
    fn climb(&mut self, here: &W, is_top: bool) -> W {
        let mut either = here.clone();
        either.add(&self.below);
        let mut count = either.power(self.dropped);
        let next_lower = either.times(&count);
        let mut excess = std::mem::replace(&mut self.lower, next_lower);
        self.ways.clear();
        for (j, shares) in self.dropping.iter().enumerate() {
            if j > 0 {
                excess = here.times(&excess);
            }
            count = either.times(&count);
            count.sub(&shares.times(&excess));
            if !is_top {
                let choice = &self.above[self.above.len() - 1 - j];
                self.ways.push(choice.times(&count));
            }
        }
        self.ways.reverse();
        self.below = either;
        count
    }

    /// Bits of the sums of the partial results of Horner's scheme at `Q(1) = m`.
    fn totals(&self, m: usize) -> Vec<usize> {
        let m = W::from_u64(m as u64);
        let mut total = W::zero();
        let ways = self.ways.iter().rev();
        let totals = ways.map(|ways| {
            total = m.times(&total);
            total.add(ways);
            total.bits()
        });
        let mut totals: Vec<usize> = totals.collect();
        totals.reverse();
        totals
    }
}

/// `C(n + j, j)` for `j` in `0..len`.
fn rising_binomials<W: Number>(n: u32, len: u32) -> Vec<W> {
    let mut ways = W::from_u64(1);
    let mut row = vec![ways.clone()];
    for j in 1..len {
        ways.scale_by_ratio(n + j, j);
        row.push(ways.clone());
    }
    row
}

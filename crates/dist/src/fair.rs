//! Sums of very many dice: coefficients of many words, in one flat row.
//!
//! Everything is counted modulo a power of two, so partial sums may be negative. Each coefficient
//! is a sum over a divisor that leaves no remainder, so the division is a multiplication by an
//! inverse, without any division of words.

use dashu_int::UBig;

use crate::number::weights::WeightRow;

/// `scale` times the first `half + 1` coefficients of `(1 + x + ... + x^(s-1))^n`, each of at most
/// `words` words, by the recurrence of three terms (see `fair_power`).
pub(crate) fn coefficients(
    sides: usize,
    n: u32,
    half: usize,
    (scale, words): (&UBig, usize),
) -> WeightRow {
    let (s, n) = (sides as u64, u64::from(n));
    let mut row = WeightRow::zeros(words, half + 1);
    row.set(0, scale);
    let mut used = used_words(row.get(0)); // of the last; up to the middle none is smaller
    let zero = vec![0; words];
    for place in 1..=half {
        let i = place as u64 - 1;
        let (done, open) = row.split_at_mut(place);
        let before = |distance: usize| match place.checked_sub(distance) {
            Some(at) => &done[at * words..][..words],
            None => &zero,
        };
        let terms = [
            (before(1), n + i),
            (before(sides), n * s + s - i - 1),
            (before(sides + 1), n * s - n + s - i),
        ];
        // The quotient is at most `n + i` times the last coefficient.
        let next = &mut open[..words.min(used + 1)];
        combine(next, terms);
        divide_exactly(next, place as u64);
        used = used_words(next);
    }
    row
}

/// The coefficients of `(a + b x)^n`, by the ratio of neighbours:
/// `w[k] = w[k-1] * (n-k+1) b / (k a)`.
///
/// From both ends to the middle, as neither half waits for the other.
pub(crate) fn binomial(
    n: u32,
    [a, b]: [&UBig; 2],
    [low, high]: [u64; 2],
    words: usize,
) -> WeightRow {
    let len = n as usize + 1;
    let mut row = WeightRow::zeros(words, len);
    row.set(0, &a.pow(n as usize));
    row.set(len - 1, &b.pow(n as usize));
    let middle = len.div_ceil(2);
    let (lower, upper) = row.split_at_mut(middle);
    let mut used = [
        used_words(&lower[..words]),
        used_words(&upper[upper.len() - words..]),
    ];
    for k in 1..middle {
        let (rest, place) = (u64::from(n) + 1 - k as u64, k as u64);
        let (done, open) = lower.split_at_mut(k * words);
        let last = &done[(k - 1) * words..];
        used[0] = neighbour(
            last,
            &mut open[..words],
            used[0],
            (rest * high, place * low),
        );
        if let Some(end) = upper.len().checked_sub((k + 1) * words) {
            let (open, done) = upper.split_at_mut(end + words);
            let next = &mut open[end..];
            used[1] = neighbour(&done[..words], next, used[1], (rest * low, place * high));
        }
    }
    row
}

/// `next = last * factor / divisor`, and how many words that takes, where `last` takes `used`.
fn neighbour(last: &[u64], next: &mut [u64], used: usize, (factor, divisor): (u64, u64)) -> usize {
    let len = next.len().min(used + 1);
    let next = &mut next[..len];
    add_scaled(next, last, factor);
    divide_exactly(next, divisor);
    used_words(next)
}

/// A face as a term of a polynomial: its place, and the words of its weight.
pub(crate) struct Term {
    pub(crate) place: usize,
    pub(crate) weight: Vec<u64>,
}

/// The coefficients of `(a + terms)^n` up to `x^last`, where `a` is the constant term, by the
/// recurrence of J. C. P. Miller (see `weighted_power`); `a * last` is less than `2^64`.
pub(crate) fn weighted(terms: &[Term], a: u64, n: u32, last: usize, words: usize) -> WeightRow {
    let mut row = WeightRow::zeros(words, last + 1);
    row.set(0, &UBig::from(a).pow(n as usize));
    for i in 1..=last {
        let (done, open) = row.split_at_mut(i);
        let next = &mut open[..words];
        for term in terms.iter().take_while(|term| term.place <= i) {
            let before = &done[(i - term.place) * words..][..words];
            let (forward, back) = ((u128::from(n) + 1) * term.place as u128, i as u128);
            let factor = u64::try_from(forward.abs_diff(back)).expect("places fit in memory");
            for (at, weight) in term.weight.iter().enumerate().take(words) {
                let product = u128::from(*weight) * u128::from(factor);
                for (at, part) in (at..words)
                    .zip(halves(product))
                    .filter(|(_, part)| *part != 0)
                {
                    if forward >= back {
                        add_scaled(&mut next[at..], before, part);
                    } else {
                        sub_scaled(&mut next[at..], before, part);
                    }
                }
            }
        }
        divide_exactly(next, a * i as u64);
    }
    row
}

/// Words of a number up to its highest that is not zero, at least 1.
fn used_words(number: &[u64]) -> usize {
    let highest = number.iter().rposition(|word| *word != 0);
    highest.map_or(1, |top| top + 1)
}

/// The low and the high word.
#[expect(clippy::cast_possible_truncation, reason = "both words are kept")]
fn halves(value: u128) -> [u64; 2] {
    [value as u64, (value >> 64) as u64]
}

/// Adds `number * factor`, modulo the length of `out`.
fn add_scaled(out: &mut [u64], number: &[u64], factor: u64) {
    let mut carry = 0;
    for (word, other) in out.iter_mut().zip(number) {
        let sum = u128::from(*other) * u128::from(factor) + u128::from(*word) + u128::from(carry);
        [*word, carry] = halves(sum);
    }
}

/// Subtracts `number * factor`, modulo the length of `out`.
fn sub_scaled(out: &mut [u64], number: &[u64], factor: u64) {
    let mut carry = 0;
    for (word, other) in out.iter_mut().zip(number) {
        let [low, high] = halves(u128::from(*other) * u128::from(factor) + u128::from(carry));
        let (rest, under) = word.overflowing_sub(low);
        *word = rest;
        carry = high + u64::from(under); // a high half is below the greatest word
    }
}

/// `a * x - b * y + c * z`, modulo the length of `out`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the low word of the sum is meant, the rest is carried"
)]
fn combine(out: &mut [u64], [(a, x), (b, y), (c, z)]: [(&[u64], u64); 3]) {
    let mut carry = 0_i128;
    let (x, y, z) = (i128::from(x), i128::from(y), i128::from(z));
    for (((word, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
        // Factors are far below 2^60: a row of more places would not fit in memory.
        let sum = i128::from(*a) * x - i128::from(*b) * y + i128::from(*c) * z + carry;
        *word = sum as u64;
        carry = sum >> 64;
    }
}

/// Divides by a positive divisor of the number.
///
/// # Source
/// T. Jebelean, *J. Symbolic Computation* 15 (1993) 169-180.
pub(crate) fn divide_exactly(number: &mut [u64], divisor: u64) {
    let twos = divisor.trailing_zeros();
    let odd = divisor >> twos;
    let inverse = inverse(odd);
    let mut borrow = 0;
    for i in 0..number.len() {
        let high = number.get(i + 1).copied().unwrap_or(0);
        let shifted = if twos == 0 {
            number[i]
        } else {
            number[i] >> twos | high << (u64::BITS - twos)
        };
        let (rest, under) = shifted.overflowing_sub(borrow);
        let quotient = rest.wrapping_mul(inverse);
        number[i] = quotient;
        borrow = high_word(quotient, odd) + u64::from(under);
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each turn doubles the bits.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd; // right in the lowest 3 bits
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

fn high_word(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    u64::try_from(product >> 64).expect("the high half is one word")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;

    #[test]
    fn inverses_of_odd_numbers() {
        for odd in (1..2000).step_by(2).chain([u64::MAX, u64::MAX / 3]) {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }

    /// By divisors with and without powers of two; one quotient makes a word borrow from a zero.
    #[test]
    fn exact_division_undoes_multiplication() {
        let thirds = (UBig::ONE << 128) / 3_u8 + 1_u8;
        for quotient in [UBig::from(7_u8).pow(60), thirds, UBig::ONE] {
            for divisor in [1_u64, 2, 3, 6, 1024, 999_999, 1 << 40] {
                let mut row = WeightRow::zeros(4, 1);
                row.set(0, &(&quotient * divisor));
                divide_exactly(row.get_mut(0), divisor);
                assert_eq!(<UBig as Number>::from_words(row.get(0)), quotient);
            }
        }
    }

    #[test]
    fn coefficients_of_small_powers() {
        let row = coefficients(6, 2, 5, (&UBig::ONE, 1));
        assert_eq!(bigs(&row), [1, 2, 3, 4, 5, 6_u8].map(UBig::from));
        let row = coefficients(2, 100, 50, (&UBig::ONE, 2)); // binomials
        let mut ways = UBig::ONE;
        for (k, found) in bigs(&row).into_iter().enumerate() {
            assert_eq!(found, ways);
            ways = ways * (100 - k) / (k + 1);
        }
    }

    /// Odd and even numbers of dice, down to none; ratios with and without common divisors.
    #[test]
    fn binomials_from_both_ends() {
        for n in 1..12 {
            for (low, high) in [(1_u64, 1), (3, 2), (1, 1 << 20), (7, 1)] {
                let scaled = [low, high].map(|weight| UBig::from(weight) * 5_u8);
                let row = binomial(n, [&scaled[0], &scaled[1]], [low, high], 6);
                let mut ways = UBig::ONE;
                for (k, found) in (0..).zip(bigs(&row)) {
                    let powers = scaled[0].pow((n - k) as usize) * scaled[1].pow(k as usize);
                    assert_eq!(found, &ways * powers);
                    ways = ways * (n - k) / (k + 1);
                }
            }
        }
    }

    /// `(3 + 2^70 x^2 + x^3)^2`, with a weight of two words.
    #[test]
    fn weights_of_several_words() {
        let terms = [(2, vec![0, 1 << 6]), (3, vec![1])];
        let terms = terms.map(|(place, weight)| Term { place, weight });
        let big = UBig::ONE << 70;
        let expected = [
            UBig::from(9_u8),
            UBig::ZERO,
            &big * 6_u8,
            UBig::from(6_u8),
            &big * &big,
            &big * 2_u8,
            UBig::ONE,
        ];
        assert_eq!(bigs(&weighted(&terms, 3, 2, 6, 3)), expected);
    }

    fn bigs(row: &WeightRow) -> Vec<UBig> {
        row.iter().map(<UBig as Number>::from_words).collect()
    }
}

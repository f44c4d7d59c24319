//! Sums of very many fair dice: coefficients of many words, in one flat row.

use dashu_int::UBig;

/// The first `half + 1` coefficients of `(1 + x + ... + x^(s-1))^n`, each of at most `words`
/// words.
///
/// By the recurrence of three terms (see `fair_power`). All its terms are taken modulo a
/// power of two, so partial sums may be negative; the division leaves no remainder, so it is a
/// multiplication by an inverse, without any division of words.
pub(crate) fn coefficients(sides: usize, n: u32, half: usize, words: usize) -> Vec<UBig> {
    let (s, n) = (sides as u64, u64::from(n));
    let mut row = vec![0; (half + 1) * words];
    row[0] = 1;
    let mut used = 1; // words of the last coefficient; up to the middle none is smaller
    let zero = vec![0; words];
    for place in 1..=half {
        let i = place as u64 - 1;
        let (done, open) = row.split_at_mut(place * words);
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
        let len = words.min(used + 1);
        let next = &mut open[..len];
        combine(next, terms);
        divide_exactly(next, place as u64);
        used = next
            .iter()
            .rposition(|word| *word != 0)
            .map_or(1, |top| top + 1);
    }
    row.chunks(words).map(from_words).collect()
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
fn divide_exactly(number: &mut [u64], divisor: u64) {
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

fn from_words(words: &[u64]) -> UBig {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

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
                let mut words = vec![0; 4];
                for (i, word) in words.iter_mut().enumerate() {
                    let low = ((&quotient * divisor) >> (64 * i)) % (UBig::ONE << 64);
                    *word = u64::try_from(&low).unwrap();
                }
                divide_exactly(&mut words, divisor);
                assert_eq!(from_words(&words), quotient);
            }
        }
    }

    #[test]
    fn coefficients_of_small_powers() {
        let row = coefficients(6, 2, 5, 1);
        assert_eq!(row, [1, 2, 3, 4, 5, 6_u8].map(UBig::from));
        let row = coefficients(2, 100, 50, 2); // binomials
        let mut ways = UBig::ONE;
        for (k, found) in row.iter().enumerate() {
            assert_eq!(found, &ways);
            ways = ways * (100 - k) / (k + 1);
        }
    }
}

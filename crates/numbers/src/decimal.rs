//! Exact numbers as text and as decimals, fast enough for the rows of a large table.

use std::io::Write as _;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// `weight / total` as the nearest `f64`; none if the total is 0.
///
/// Below 2^53 the quotient of the two floats is correctly rounded. Up to 2^127 it is corrected once by its
/// exact remainder, which leaves a relative error of about 2^-100 before the last rounding. Beyond, whole
/// numbers are divided and the remainder is kept as a sticky bit.
#[must_use]
pub fn quotient(weight: &IBig, total: &UBig) -> Option<f64> {
    if *total == UBig::ZERO {
        return None;
    }
    if let (Ok(weight), Ok(total)) = (i128::try_from(weight), i128::try_from(total)) {
        return small_quotient(weight, total);
    }
    let magnitude = big_quotient(
        &UBig::try_from(weight.clone().max(-weight)).expect("not negative"),
        total,
    );
    Some(if *weight < IBig::ZERO {
        -magnitude
    } else {
        magnitude
    })
}

/// [`quotient`] of a weight and a total that fit.
#[must_use]
pub fn small_quotient(weight: i128, total: i128) -> Option<f64> {
    if total == 0 {
        return None;
    }
    if let (Some(weight), Some(total)) = (exact(weight), exact(total)) {
        return Some(weight / total);
    }
    let (weight_high, weight_low) = split(weight);
    let (total_high, total_low) = split(total);
    let first = weight_high / total_high;
    // Exact but for the terms below 2^-53 of a term that is itself below 2^-53.
    let rest = (-first).mul_add(total_high, weight_high) + (-first).mul_add(total_low, weight_low);
    Some(first + rest / total_high)
}

/// The same number as a float, if it is below 2^53.
fn exact(x: i128) -> Option<f64> {
    let word = i64::try_from(x).ok()?;
    (word.unsigned_abs() < 1 << f64::MANTISSA_DIGITS).then_some(word as f64)
}

/// A number as a float and what the float leaves out.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a float that came from an i128 is whole; it saturates at 2^127"
)]
fn split(x: i128) -> (f64, f64) {
    let high = x as f64;
    (high, x.wrapping_sub(high as i128) as f64)
}

fn big_quotient(weight: &UBig, total: &UBig) -> f64 {
    // Two words more than needed for a quotient near 1: at least 64 bits of it.
    let missing = (total.as_words().len() + 2).saturating_sub(weight.as_words().len());
    let shift = missing * UBig::from(u64::MAX).as_words().len().max(1) * 64;
    let shifted = weight << shift;
    let mut quotient = &shifted / total;
    if &quotient * total != shifted {
        quotient |= UBig::ONE;
    }
    let mut value = quotient.to_f64().value();
    let mut left = i32::try_from(shift).unwrap_or(i32::MAX);
    while left > 0 && value > 0.0 {
        let step = left.min(960);
        value *= 2_f64.powi(-step);
        left -= step;
    }
    value
}

/// The `f64` nearest to a fraction.
///
/// ```
/// use oddsmith_numbers::{RBig, decimal::decimal};
/// assert_eq!(decimal(&RBig::from_parts(1.into(), 8_u8.into())).to_string(), "0.125");
/// ```
#[must_use]
pub fn decimal(ratio: &RBig) -> f64 {
    quotient(ratio.numerator(), ratio.denominator()).expect("a fraction's denominator is not 0")
}

/// Appends the shortest decimal that reads back as the same float: `0.36`, `1.0`, `1e-16`.
pub fn push_decimal(value: f64, out: &mut Vec<u8>) {
    out.extend_from_slice(ryu::Buffer::new().format(value).as_bytes());
}

/// Appends a whole number.
pub fn push_int(value: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends a longer whole number.
pub fn push_i128(value: i128, out: &mut Vec<u8>) {
    match i64::try_from(value) {
        Ok(short) => push_int(short, out),
        Err(_) => out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes()),
    }
}

/// Appends a whole number of any size.
pub fn push_ubig(value: &UBig, out: &mut Vec<u8>) {
    write!(out, "{value}").expect("memory takes what is written");
}

/// Appends a whole number of any size and sign.
pub fn push_ibig(value: &IBig, out: &mut Vec<u8>) {
    write!(out, "{value}").expect("memory takes what is written");
}

/// The number that a decimal stands for: `0.5`, `-3`, `1e-3`, `1_000`; none if it is no number, or has more than 99
/// zeros.
#[must_use]
pub fn exact_decimal(text: &str) -> Option<RBig> {
    let plain = text.trim().replace('_', "");
    let (mantissa, exponent) = plain.split_once(['e', 'E']).unwrap_or((&plain, "0"));
    let (sign, digits) = match mantissa.strip_prefix('-') {
        Some(digits) => (IBig::NEG_ONE, digits),
        None => (IBig::ONE, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = format!("{before}{after}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: UBig = digits.parse().ok()?;
    let exponent = exponent
        .parse::<i32>()
        .ok()?
        .checked_sub(after.len().try_into().ok()?)?;
    let power = UBig::from(10_u8).pow(usize::try_from(exponent.unsigned_abs()).ok()?.min(100));
    let is_large = exponent.unsigned_abs() >= 100;
    let (up, down) = if exponent < 0 {
        (UBig::ONE, power)
    } else {
        (power, UBig::ONE)
    };
    (!is_large).then(|| RBig::from_parts(sign * IBig::from(number * up), down))
}

#[cfg(test)]
mod tests {
    use super::{IBig, RBig, UBig, exact_decimal, quotient};

    #[test]
    fn decimals_are_exact() {
        let of = |weight: i64, total: u64| Some(RBig::from_parts(weight.into(), total.into()));
        for (text, expected) in [
            ("0.1", of(1, 10)),
            ("-3", of(-3, 1)),
            ("1e-3", of(1, 1000)),
            ("1_000.50", of(2001, 2)),
            (".5", of(1, 2)),
            ("2.5E+1", of(25, 1)),
            ("", None),
            (".", None),
            ("inf", None),
            ("nan", None),
            ("1e", None),
            ("1e100", None),
            ("--1", None),
        ] {
            assert_eq!(exact_decimal(text), expected, "{text}");
        }
    }

    fn both(weight: &IBig, total: &UBig) -> (f64, f64) {
        let exact = RBig::from_parts(weight.clone(), total.clone())
            .to_f64()
            .value();
        (quotient(weight, total).expect("the total is not 0"), exact)
    }

    #[test]
    fn quotients_are_the_nearest_floats_at_every_size() {
        let mut total = UBig::from(7_u8);
        for size in 0..60 {
            total = total * UBig::from(1_000_003_u32) + UBig::from(11_u8);
            for part in 1_u32..20 {
                let weight = IBig::from(&total * UBig::from(part) / UBig::from(17_u8));
                let (ours, exact) = both(&weight, &total);
                assert_eq!(ours.to_bits(), exact.to_bits(), "size {size}, {part}/17");
                assert_eq!(both(&-weight, &total).0.to_bits(), (-exact).to_bits());
            }
        }
    }

    #[test]
    fn extremes_are_right() {
        let huge = UBig::from(10_u8).pow(300);
        assert_eq!(quotient(&IBig::ONE, &huge), Some(1e-300));
        assert_eq!(quotient(&IBig::ZERO, &huge), Some(0.0));
        assert_eq!(quotient(&IBig::from(huge.clone()), &huge), Some(1.0));
        assert_eq!(quotient(&IBig::from(huge), &UBig::ONE), Some(1e300));
        assert_eq!(
            quotient(&IBig::from(i128::MAX), &UBig::from(3_u8)),
            Some(5.671_372_782_015_641e37)
        );
        assert_eq!(quotient(&IBig::ONE, &UBig::ZERO), None);
    }
}

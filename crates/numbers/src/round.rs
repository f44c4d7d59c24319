//! From fractions to digits.

use dashu_int::ops::SquareRoot;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// A number without its sign.
pub(crate) fn size(number: &IBig) -> UBig {
    number.clone().into_parts().1
}

/// A power of ten.
pub(crate) fn ten(power: u64) -> UBig {
    UBig::from(10_u8).pow(usize::try_from(power).expect("a number has fewer digits than memory"))
}

/// A fraction that is not negative, times `10^places`, as numerator and denominator.
fn scaled(part: &UBig, whole: &UBig, places: i64) -> (UBig, UBig) {
    let power = ten(places.unsigned_abs());
    match places < 0 {
        true => (part.clone(), whole * power),
        false => (part * power, whole.clone()),
    }
}

/// The whole number nearest to `part / whole * 10^places`; of a half the greater one.
pub(crate) fn nearest(part: &UBig, whole: &UBig, places: i64) -> UBig {
    let (part, whole) = scaled(part, whole, places);
    let two = UBig::from(2_u8);
    (part * &two + &whole) / (whole * two)
}

/// A number that is not negative: a fraction, or the square root of one.
#[derive(Clone, Debug)]
pub(crate) struct Magnitude {
    part: UBig,
    whole: UBig,
    is_root: bool,
}

impl Magnitude {
    /// Of a number without its sign.
    pub(crate) fn of(ratio: &RBig) -> Self {
        Self {
            part: size(ratio.numerator()),
            whole: ratio.denominator().clone(),
            is_root: false,
        }
    }

    /// The square root of a number that is not negative.
    pub(crate) fn root(square: &RBig) -> Self {
        Self {
            is_root: true,
            ..Self::of(square)
        }
    }

    /// The whole number nearest to `10^places` times it; of a half the greater one.
    pub(crate) fn times_ten_to(&self, places: i64) -> UBig {
        if !self.is_root {
            return nearest(&self.part, &self.whole, places);
        }
        let (part, whole) = scaled(&self.part, &self.whole, 2 * places);
        // Twice the root, rounded down, is odd from a half on.
        let twice = (part * UBig::from(4_u8) / whole).sqrt();
        (twice + UBig::ONE) / UBig::from(2_u8)
    }

    /// The power of ten that its first digit stands for; it is not 0.
    pub(crate) fn exponent(&self) -> i64 {
        let digits = |n: &UBig| i64::try_from(n.to_string().len()).unwrap_or(i64::MAX);
        let guess = digits(&self.part) - digits(&self.whole);
        let (part, whole) = scaled(&self.part, &self.whole, -guess);
        let exponent = if part < whole { guess - 1 } else { guess };
        if self.is_root {
            exponent.div_euclid(2)
        } else {
            exponent
        }
    }

    /// How it compares with a whole number.
    pub(crate) fn cmp_whole(&self, other: &UBig) -> std::cmp::Ordering {
        let other = if self.is_root {
            other * other
        } else {
            other.clone()
        };
        self.part.cmp(&(other * &self.whole))
    }

    /// Whether it is below a power of ten.
    pub(crate) fn is_below_ten_to(&self, power: i64) -> bool {
        let power = if self.is_root { 2 * power } else { power };
        let (part, whole) = scaled(&self.part, &self.whole, -power);
        part < whole
    }
}

/// A number of tenths, hundredths and so on: `1235` with two digits is `12.35`.
#[must_use]
pub fn with_point(number: &UBig, digits: usize) -> String {
    let width = digits + 1;
    let mut text = format!("{:0>width$}", number.to_string());
    if digits > 0 {
        text.insert(text.len() - digits, '.');
    }
    text
}

/// The digits without zeros at the end of those after the point.
pub(crate) fn trimmed(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

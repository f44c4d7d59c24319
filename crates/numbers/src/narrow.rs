//! Numbers in narrow places, such as the cells and the scales of pictures; as they are printed.

use std::ops::RangeInclusive;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::difference::size;
use crate::round::{self, Magnitude, with_point};
use crate::{Style, decimals, grouped};

/// The text after a minus sign, but before nothing.
fn signed(number: &RBig, steps: &UBig, text: String) -> String {
    let is_negative = *number.numerator() < IBig::ZERO && *steps != UBig::ZERO;
    Style::Print.signed(is_negative, text)
}

/// A number in `digits` significant digits.
///
/// ```
/// use oddsmith_numbers::{RBig, narrow::rough};
/// let of = |part: i64, whole: u64| rough(&RBig::from_parts(part.into(), whole.into()), 3);
/// assert_eq!([of(1234, 100), of(1234, 10_000), of(123_456, 1)], ["12.3", "0.12", "1.2 × 10⁵"]);
/// ```
#[must_use]
pub fn rough(number: &RBig, digits: usize) -> String {
    let size = Magnitude::of(number);
    if *number == RBig::ZERO {
        return with_point(&UBig::ZERO, digits.saturating_sub(1));
    }
    if size.is_below_ten_to(-3) || !size.is_below_ten_to(5) {
        let text = size.scientific(digits.saturating_sub(2), Style::Print);
        return signed(number, &UBig::ONE, text);
    }
    let before = usize::try_from(size.exponent()).unwrap_or(0) + 1;
    let places = digits.saturating_sub(before);
    let steps = size.times_ten_to(i64::try_from(places).unwrap_or(i64::MAX));
    signed(number, &steps, with_point(&steps, places))
}

/// A difference of numbers in `digits` significant digits; what is not nothing does not read as if it were: `+1.23`,
/// `−<0.01`.
#[must_use]
pub fn rough_difference(difference: &RBig, digits: usize) -> String {
    let places = digits.saturating_sub(1);
    let least = RBig::from_parts(IBig::ONE, round::ten(places as u64));
    Style::Print.difference(difference, |size| match *size < &least / RBig::from(2) {
        true => format!("<{}", Style::Print.fixed(&least, places)),
        false => rough(size, digits),
    })
}

/// The multiples of a step, all in the same form. The step is a decimal and above 0.
///
/// ```
/// use oddsmith_numbers::{RBig, narrow::marks};
/// let half = RBig::from_parts(1.into(), 2_u8.into());
/// assert_eq!(marks(-1..=1, &half), ["−0.5", "0.0", "0.5"]);
/// assert_eq!(marks(1..=2, &RBig::from(5000)), ["5000", "10,000"]);
/// ```
///
/// # Panics
/// If no number of decimals writes the step.
#[must_use]
pub fn marks(multiples: RangeInclusive<i64>, step: &RBig) -> Vec<String> {
    let furthest = multiples
        .start()
        .unsigned_abs()
        .max(multiples.end().unsigned_abs());
    let most = Magnitude::of(&(step * RBig::from(furthest)));
    let numbers = multiples.map(|multiple| step * RBig::from(multiple));
    if most.is_below_ten_to(7) && !Magnitude::of(step).is_below_ten_to(-4) {
        let places = places(step);
        let shown = |number: RBig| {
            let size = grouped(decimals(&size(&number), places));
            signed(&number, &UBig::ONE, size)
        };
        return numbers.map(shown).collect();
    }
    let shift = most.exponent();
    let unit = RBig::from(round::ten(shift.unsigned_abs()));
    let places = places(&match shift < 0 {
        true => step * unit,
        false => step / unit,
    });
    let shown = |number: RBig| match number == RBig::ZERO {
        true => "0".to_owned(),
        false => {
            let size = Magnitude::of(&number).scientific(places.min(8), Style::Print);
            signed(&number, &UBig::ONE, size)
        }
    };
    numbers.map(shown).collect()
}

/// How many digits after the point a decimal has.
fn places(decimal: &RBig) -> usize {
    let is_whole = |places: &usize| {
        let power = RBig::from(round::ten(*places as u64));
        *(decimal * power).denominator() == UBig::ONE
    };
    // Steps are small numbers times a power of ten that a float can have.
    (0..2000).find(is_whole).expect("a step is a decimal")
}

#[cfg(test)]
mod tests {
    use super::{marks, rough, rough_difference};
    use crate::{RBig, Style};

    fn ratio(part: i64, whole: u64) -> RBig {
        RBig::from_parts(part.into(), whole.into())
    }

    #[test]
    fn minus_signs_never_stand_before_nothing() {
        assert_eq!(Style::Print.fixed(&ratio(-1, 1000), 2), "0.00");
        assert_eq!(rough(&ratio(0, 1), 3), "0.00");
        assert_eq!(rough(&ratio(-7, 2), 3), "−3.50");
    }

    #[test]
    fn differences_have_a_sign_unless_there_is_none() {
        let differences = [(3, 2), (-1, 250), (1, 1_000_000_000), (0, 1)];
        let shown = differences.map(|(part, whole)| rough_difference(&ratio(part, whole), 3));
        assert_eq!(shown, ["+1.50", "−<0.01", "+<0.01", "0"]);
    }

    #[test]
    fn marks_share_a_form() {
        let large = RBig::from(500_000_000_000_i64);
        assert_eq!(marks(0..=2, &large), ["0", "5 × 10¹¹", "1 × 10¹²"]);
        assert_eq!(marks(0..=1, &ratio(1, 4_000_000)), ["0", "2.5 × 10⁻⁷"]);
        assert_eq!(marks(-1..=1, &ratio(1, 40)), ["−0.025", "0.000", "0.025"]);
        assert_eq!(marks(0..=2, &RBig::from(5000)), ["0", "5000", "10,000"]);
    }
}

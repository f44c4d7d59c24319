//! Means, standard deviations and the like.

use std::cmp::Ordering;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::Style;
use crate::round::{self, Magnitude, nearest, ten, trimmed, with_point};

/// Fractions of at most this many characters are shown as they are.
pub(crate) const SHORT: usize = 28;
/// Digits after the point at the most.
const PLACES: u8 = 4;

/// A mean and the like in plain text, as [`Style::value`] has it.
///
/// ```
/// use oddsmith_numbers::{RBig, value};
/// let of = |part: i64, whole: u64| value(&RBig::from_parts(part.into(), whole.into()));
/// assert_eq!([of(15_869, 1296), of(-14, 2), of(1, 3_000_000)], ["12.2446", "-7", "3.333e-7"]);
/// assert_eq!(of(999_999, 1_000_000), ">0.9999");
/// ```
#[must_use]
pub fn value(ratio: &RBig) -> String {
    Style::Plain.value(ratio)
}

/// The fraction itself if it is short and not whole; nothing otherwise.
#[must_use]
pub fn exact_value(ratio: &RBig) -> String {
    let text = ratio.to_string();
    if text.len() <= SHORT && *ratio.denominator() != UBig::ONE {
        text
    } else {
        String::new()
    }
}

/// A standard deviation in plain text, of its variance, as [`Style::value`] writes numbers.
///
/// ```
/// use oddsmith_numbers::{RBig, deviation};
/// assert_eq!([2, 9].map(|variance| deviation(&RBig::from(variance))), ["1.4142", "3"]);
/// ```
#[must_use]
pub fn deviation(variance: &RBig) -> String {
    match *variance == RBig::ZERO {
        true => "0".to_owned(),
        false => Style::Plain.magnitude(&Magnitude::root(variance), false),
    }
}

impl Style {
    /// A mean and the like: four places at the most, none where it is whole. What is not whole does not read as if it
    /// were: `>0.9999`, `<7.0001`. Numbers below a thousandth and very large ones are written with a power of ten.
    ///
    /// ```
    /// use oddsmith_numbers::{RBig, Style};
    /// let number = RBig::from_parts((-12_345_678).into(), 1000_u16.into());
    /// assert_eq!(Style::Plain.value(&number), "-12345.678");
    /// assert_eq!(Style::Print.value(&number), "−12,345.678");
    /// assert_eq!(Style::Print.value(&RBig::from(2_000_000_000_000_i64)), "2 × 10¹²");
    /// ```
    #[must_use]
    pub fn value(self, ratio: &RBig) -> String {
        if self == Self::Plain && *ratio.denominator() == UBig::ONE {
            let digits = ratio.numerator().to_string();
            if digits.len() <= SHORT {
                return digits;
            }
        }
        if *ratio == RBig::ZERO {
            return "0".to_owned();
        }
        let is_negative = *ratio.numerator() < IBig::ZERO;
        self.magnitude(&Magnitude::of(ratio), is_negative)
    }

    /// A number that is not 0.
    fn magnitude(self, size: &Magnitude, is_negative: bool) -> String {
        let most = match self {
            Self::Plain => 12,
            Self::Print => 9,
        };
        if size.is_below_ten_to(-3) || !size.is_below_ten_to(most) {
            return self.signed(is_negative, size.scientific(3, self));
        }
        let one = ten(PLACES.into());
        let steps = size.times_ten_to(PLACES.into());
        let whole = &steps / &one;
        let compared = match &whole * &one == steps {
            true => size.cmp_whole(&whole),
            false => Ordering::Equal,
        };
        // The whole number that it would read as is not it: the bound beside that is.
        let (steps, is_more) = match compared {
            Ordering::Equal => {
                let digits = with_point(&steps, PLACES.into());
                return self.signed(is_negative, self.grouped(trimmed(&digits).to_owned()));
            }
            Ordering::Less => (steps - UBig::ONE, true),
            Ordering::Greater => (steps + UBig::ONE, false),
        };
        let sign = if is_more == is_negative { '<' } else { '>' };
        let digits = self.grouped(with_point(&steps, PLACES.into()));
        format!("{sign}{}", self.signed(is_negative, digits))
    }
}

/// A number with so many digits after the point in plain text, as [`Style::fixed`] has it.
#[must_use]
pub fn decimals(number: &RBig, digits: usize) -> String {
    Style::Plain.fixed(number, digits)
}

impl Style {
    /// A number with so many digits after the point, halves away from 0; no minus sign stands before nothing.
    ///
    /// ```
    /// use oddsmith_numbers::{RBig, Style};
    /// let number = RBig::from_parts((-5).into(), 8_u8.into());
    /// assert_eq!([2, 0].map(|digits| Style::Print.fixed(&number, digits)), ["−0.63", "−1"]);
    /// ```
    #[must_use]
    pub fn fixed(self, number: &RBig, digits: usize) -> String {
        let places = i64::try_from(digits).unwrap_or(i64::MAX);
        let size = round::size(number.numerator());
        let steps = nearest(&size, number.denominator(), places);
        let is_negative = *number.numerator() < IBig::ZERO && steps != UBig::ZERO;
        self.signed(is_negative, with_point(&steps, digits))
    }
}

impl Magnitude {
    /// A number that is not 0 with so many digits after the first, and the power of ten: `3.333e-7`.
    pub(crate) fn scientific(&self, places: usize, style: Style) -> String {
        let mut exponent = self.exponent();
        let digits = i64::try_from(places).unwrap_or(i64::MAX);
        let mut mantissa = self.times_ten_to(digits - exponent);
        // Rounded up to the next power of ten.
        if mantissa == ten(places as u64 + 1) {
            mantissa = ten(places as u64);
            exponent += 1;
        }
        style.power(&with_point(&mantissa, places), exponent)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{deviation, value};
    use crate::{Form, IBig, RBig, Style, UBig};

    fn ratio(weight: i64, total: u64) -> RBig {
        RBig::from_parts(weight.into(), total.into())
    }

    #[test]
    fn what_is_too_small_for_a_float_is_not_nothing() {
        let tiny = RBig::from_parts(IBig::from(2_u8), UBig::from(10_u8).pow(400));
        assert_eq!(value(&tiny), "2.000e-400");
        assert_eq!(deviation(&tiny), "1.414e-200");
        assert_eq!(Form::USUAL.show_ratio(&tiny), "<0.01%");
        assert_eq!(Form::USUAL.show_ratio(&(RBig::ONE - tiny)), ">99.99%");
        assert_eq!(value(&ratio(-99_999_999, 100_000_000_000_000)), "-1.000e-6");
        assert_eq!(value(&ratio(0, 7)), "0");
        assert_eq!(deviation(&ratio(0, 7)), "0");
    }

    #[test]
    fn values_keep_four_places() {
        assert_eq!(value(&ratio(15869, 1296)), "12.2446");
        assert_eq!(value(&ratio(7, 2)), "3.5");
        assert_eq!(value(&ratio(-14, 2)), "-7");
        assert_eq!(value(&ratio(1, 3_000_000)), "3.333e-7");
    }

    #[test]
    fn what_is_not_whole_does_not_read_as_if_it_were() {
        let million = |above| value(&ratio(above, 1_000_000));
        assert_eq!(million(999_950), ">0.9999");
        assert_eq!(million(999_949), "0.9999");
        assert_eq!(million(999_999), ">0.9999");
        assert_eq!(million(7_000_001), "<7.0001");
        assert_eq!(million(6_999_999), ">6.9999");
        assert_eq!(million(-999_999), "<-0.9999");
        assert_eq!(million(-7_000_001), ">-7.0001");
        assert_eq!(value(&ratio(4_999_999_999_999, 10)), "499999999999.9");
        assert_eq!(deviation(&ratio(9, 1)), "3");
        assert_eq!(deviation(&ratio(9_000_001, 1_000_000)), "<3.0001");
        assert_eq!(deviation(&ratio(8_999_999, 1_000_000)), ">2.9999");
    }

    #[test]
    fn halves_go_up_whatever_a_float_would_do() {
        assert_eq!(
            [33, 35].map(|part| value(&ratio(part, 32))),
            ["1.0313", "1.0938"]
        );
        // As floats these lie a little beside the half that they are.
        assert_eq!(value(&ratio(100_005, 100_000)), "1.0001");
        assert_eq!(value(&ratio(100_015, 100_000)), "1.0002");
        assert_eq!(value(&ratio(100_025, 100_000)), "1.0003");
        assert_eq!(
            deviation(&ratio(100_025 * 100_025, 10_000_000_000)),
            "1.0003"
        );
    }

    #[test]
    fn print_has_minus_signs_and_groups() {
        let shown = [
            (-7, 2),
            (-1, 3_000_000),
            (0, 7),
            (123_456_789, 1000),
            (-3, 1),
        ];
        assert_eq!(
            shown.map(|(part, whole)| Style::Print.value(&ratio(part, whole))),
            ["−3.5", "−3.333 × 10⁻⁷", "0", "123,456.789", "−3"]
        );
        assert_eq!(Style::Print.value(&ratio(-999_999, 1_000_000)), "<−0.9999");
        let huge = RBig::from(IBig::from(10_u8).pow(300));
        assert_eq!(Style::Print.value(&huge), "1 × 10³⁰⁰");
    }

    proptest! {
        /// Where a float is far from a half its digits are those of the number.
        #[test]
        fn digits_are_those_of_floats(part in -1_000_000_000_i64..1_000_000_000, whole in 1_u64..1_000_000) {
            let number = ratio(part, whole);
            let (float, root) = (part as f64 / whole as f64, (part.unsigned_abs() as f64 / whole as f64).sqrt());
            let shown = value(&number);
            let square = ratio(part.abs(), whole);
            for (x, shown) in [(float, shown), (root, deviation(&square))] {
                let steps = (x * 1e4).abs();
                let is_plain = !shown.contains(['e', '<', '>']);
                if is_plain && (steps.fract() - 0.5).abs() > 1e-3 {
                    let digits = format!("{x:.4}");
                    prop_assert_eq!(shown, digits.trim_end_matches('0').trim_end_matches('.'));
                } else if !is_plain && shown.contains('e') {
                    let read: f64 = shown.parse().expect("a number");
                    prop_assert!((read / x - 1.0).abs() < 6e-4, "{} for {}", shown, x);
                }
            }
        }
    }
}

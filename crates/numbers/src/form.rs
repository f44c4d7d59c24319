//! Probabilities.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::decimal;
use crate::round::{Magnitude, nearest, size, with_point};
use crate::value::SHORT;
use crate::{Style, decimals, grouped};

/// How probabilities are written for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `12.35%`, with so many digits after the point.
    Percent(usize),
    /// `0.1235`, likewise.
    Decimal(usize),
    /// `1 in 8.1`, likewise; by itself one digit below 20, and none from there on. Of two thirds or more it is
    /// `all but 1 in 8.1`.
    OneIn(Option<usize>),
    /// `10/81`; one that is too long to read as `≈ 1 in 8.1`.
    Fraction,
}

impl Form {
    /// What there is unless another one is asked for: `12.35%`.
    pub const USUAL: Self = Self::Percent(2);

    /// The probability `weight / total` in words: rounded from the whole numbers, halves up. What is not quite
    /// nothing or certain does not read as if it were: `<0.01%`, `>99.99%`. The total is not 0.
    #[must_use]
    pub fn show(self, weight: &IBig, total: &UBig) -> String {
        match self {
            Self::Percent(digits) => share_of(100, weight, total, digits) + "%",
            Self::Decimal(digits) => share_of(1, weight, total, digits),
            Self::OneIn(digits) => one_in(&RBig::from_parts(weight.clone(), total.clone()), digits),
            Self::Fraction => odds(&RBig::from_parts(weight.clone(), total.clone())),
        }
    }

    /// A fraction, as [`Form::show`] has it.
    ///
    /// ```
    /// use oddsmith_numbers::{Form, RBig};
    ///
    /// let eighth = RBig::from_parts(1.into(), 8_u8.into());
    /// let forms = [Form::Percent(0), Form::Decimal(4), Form::OneIn(None), Form::Fraction];
    /// let shown = forms.map(|form| form.show_ratio(&eighth));
    /// assert_eq!(shown, ["13%", "0.1250", "1 in 8", "1/8"]);
    /// ```
    #[must_use]
    pub fn show_ratio(self, ratio: &RBig) -> String {
        self.show(ratio.numerator(), ratio.denominator())
    }

    /// A distribution's weight, as [`Form::show`] has it.
    #[must_use]
    pub fn show_weight(self, weight: &UBig, total: &UBig) -> String {
        self.show(&IBig::from(weight.clone()), total)
    }

    /// For a difference between two probabilities: no chance of anything, so neither one in so many nor `never`.
    #[must_use]
    pub fn of_differences(self) -> Self {
        match self {
            Self::Percent(_) | Self::Decimal(_) => self,
            Self::OneIn(_) | Self::Fraction => Self::USUAL,
        }
    }

    /// Whether a fraction beside it would say the same again.
    #[must_use]
    pub fn is_fraction(self) -> bool {
        self == Self::Fraction
    }
}

/// So many `units` times a probability.
fn share_of(units: u8, weight: &IBig, total: &UBig, digits: usize) -> String {
    let is_negative = *weight < IBig::ZERO;
    let (weight, units) = (size(weight), UBig::from(units));
    let places = i64::try_from(digits).unwrap_or(i64::MAX);
    let certain = nearest(&units, &UBig::ONE, places);
    let share = nearest(&(&weight * units), total, places);
    let (sign, share) = if share == UBig::ZERO && weight != UBig::ZERO {
        ("<", UBig::ONE)
    } else if share == certain && weight < *total {
        (">", certain - UBig::ONE)
    } else {
        ("", share)
    };
    Style::Plain.signed(is_negative, format!("{sign}{}", with_point(&share, digits)))
}

/// A share of the whole as a float, for bars and comparisons: 0 and 1 only if it is exactly that.
#[must_use]
pub fn share(weight: &IBig, total: &UBig) -> f64 {
    let p = decimal::quotient(weight, total).unwrap_or(f64::NAN);
    if p <= 0.0 && *weight > IBig::ZERO {
        return f64::MIN_POSITIVE;
    }
    if p >= 1.0 && *weight < IBig::from(total.clone()) {
        return 1.0 - f64::EPSILON;
    }
    p
}

/// `9/25`, `always`, `never`; a long fraction as `≈ 1 in 1.3e7` or `≈ all but 1 in 4000`. An event and its opposite are
/// both written as fractions, or neither is.
#[must_use]
pub fn odds(ratio: &RBig) -> String {
    let exact = ratio.to_string();
    let opposite = (RBig::ONE - ratio).to_string();
    if is_settled(ratio) || exact.len().max(opposite.len()) > SHORT {
        let about = if is_settled(ratio) { "" } else { "≈ " };
        return about.to_owned() + &one_in(ratio, None);
    }
    exact
}

/// Whether it is certain or impossible.
fn is_settled(ratio: &RBig) -> bool {
    *ratio == RBig::ZERO || *ratio == RBig::ONE
}

/// `1 in 36`, `1 in 1.7`; from two thirds on, where that says little, `all but 1 in 36`; `always`, `never`.
fn one_in(ratio: &RBig, digits: Option<usize>) -> String {
    if is_settled(ratio) {
        let is_certain = *ratio == RBig::ONE;
        return if is_certain { "always" } else { "never" }.to_owned();
    }
    let rest = RBig::ONE - ratio;
    if rest > RBig::from_parts(1.into(), 3_u8.into()) {
        format!("1 in {}", many(&(RBig::ONE / ratio), digits))
    } else {
        format!("all but 1 in {}", many(&(RBig::ONE / rest), digits))
    }
}

/// From here on one in so many is a power of ten.
const MANY: u32 = 1_000_000;

/// About this many: `3.7`, `42`, `12,345`, `1.3e9`; what is whole has no digits after the point.
fn many(ratio: &RBig, digits: Option<usize>) -> String {
    let number = Magnitude::of(ratio);
    if number.cmp_whole(&UBig::from(MANY)).is_ge() {
        return number.scientific(1, Style::Plain);
    }
    let digits = match digits {
        _ if *ratio.denominator() == UBig::ONE => 0,
        Some(digits) => digits,
        // Below 19.95, which reads 20.0.
        None => usize::from(*ratio < RBig::from_parts(399.into(), 20_u8.into())),
    };
    grouped(decimals(ratio, digits))
}

#[cfg(test)]
mod tests {
    use super::{Form, odds};
    use crate::{IBig, RBig, UBig};

    fn ratio(weight: i64, total: u64) -> RBig {
        RBig::from_parts(weight.into(), total.into())
    }

    fn shown(form: Form, weight: i64, total: u64) -> String {
        form.show_ratio(&ratio(weight, total))
    }

    #[test]
    fn what_is_nearly_certain_does_not_read_as_if_it_were() {
        let all =
            |form| [0, 1, 360_000, 999_999, 1_000_000].map(|weight| shown(form, weight, 1_000_000));
        assert_eq!(
            all(Form::Percent(2)),
            ["0.00%", "<0.01%", "36.00%", ">99.99%", "100.00%"]
        );
        assert_eq!(all(Form::Percent(0)), ["0%", "<1%", "36%", ">99%", "100%"]);
        assert_eq!(
            all(Form::Percent(6)),
            [
                "0.000000%",
                "0.000100%",
                "36.000000%",
                "99.999900%",
                "100.000000%"
            ]
        );
        assert_eq!(
            all(Form::Decimal(4)),
            ["0.0000", "<0.0001", "0.3600", ">0.9999", "1.0000"]
        );
        assert_eq!(all(Form::Decimal(0)), ["0", "<1", "<1", ">0", "1"]);
    }

    #[test]
    fn halves_are_rounded_up_whatever_a_float_would_do() {
        // As floats these are a little less than the half that they stand for.
        assert_eq!(shown(Form::Percent(2), 1_005, 100_000), "1.01%");
        assert_eq!(shown(Form::Percent(2), 97, 800), "12.13%");
        assert_eq!(shown(Form::Percent(0), 365, 1_000), "37%");
        assert_eq!(shown(Form::Decimal(2), 1_005, 100_000), "0.01");
    }

    #[test]
    fn one_in_so_many() {
        let default = |weight, total| shown(Form::OneIn(None), weight, total);
        assert_eq!(default(1, 13), "1 in 13");
        assert_eq!(default(10, 63), "1 in 6.3");
        assert_eq!(default(1, 2), "1 in 2");
        assert_eq!(default(7, 12), "1 in 1.7");
        assert_eq!(default(2, 3), "all but 1 in 3");
        assert_eq!(default(100, 1_997), "1 in 20");
        assert_eq!(default(2, 24_691), "1 in 12,346");
        assert_eq!(default(1, 60_466_176), "1 in 6.0e7");
        assert_eq!([default(0, 5), default(5, 5)], ["never", "always"]);
        let two = |weight, total| shown(Form::OneIn(Some(2)), weight, total);
        assert_eq!([two(7, 36), two(1, 6)], ["1 in 5.14", "1 in 6"]);
        assert_eq!(two(2, 24_691), "1 in 12,345.50");
        assert_eq!(shown(Form::OneIn(Some(0)), 10, 63), "1 in 6");
    }

    #[test]
    fn odds_are_exact_while_short() {
        assert_eq!(odds(&ratio(36, 100)), "9/25");
        assert_eq!(odds(&ratio(0, 100)), "never");
        assert_eq!(odds(&ratio(100, 100)), "always");
        assert_eq!(
            odds(&ratio(1_000_003, 10_000_000_019)),
            "1000003/10000000019"
        );
        let long = RBig::from_parts(
            IBig::from(10_u8).pow(15),
            UBig::from(10_u8).pow(19) + UBig::ONE,
        );
        assert_eq!(odds(&long), "≈ 1 in 10,000");
        assert_eq!(odds(&(RBig::ONE - &long)), "≈ all but 1 in 10,000");
        let tiny = RBig::from_parts(IBig::ONE, UBig::from(6_u8).pow(1000));
        assert_eq!(odds(&tiny), "≈ 1 in 1.4e778");
    }

    /// Probabilities at and near 0, 1/3, 1/2, 2/3 and 1, over totals of all sizes, each with its opposite.
    fn pairs() -> impl Iterator<Item = (RBig, RBig)> {
        let totals = (1_usize..40).map(|power| UBig::from(10_u8).pow(power) * UBig::from(6_u8));
        let places = totals.flat_map(|total| {
            let parts = [(0_u8, 1_u8), (1, 3), (1, 2), (2, 3), (1, 1)];
            parts.map(|(above, below)| {
                (
                    &total * UBig::from(above) / UBig::from(below),
                    total.clone(),
                )
            })
        });
        let near = places.flat_map(|(part, total)| {
            [-7, -1, 0, 1, 7].map(|off| {
                RBig::from_parts(IBig::from(part.clone()) + IBig::from(off), total.clone())
            })
        });
        near.filter(|p| *p >= RBig::ZERO && *p <= RBig::ONE)
            .map(|p| (p.clone(), RBig::ONE - p))
    }

    #[test]
    fn an_event_and_its_opposite_are_written_alike() {
        let third = ratio(1, 3);
        for (p, opposite) in pairs() {
            let both = |form: Form| [&p, &opposite].map(|p| form.show_ratio(p));
            let [one, other] = both(Form::OneIn(None));
            match one.as_str() {
                "never" => assert_eq!(other, "always"),
                "always" => assert_eq!(other, "never"),
                _ if p <= third => assert_eq!(other, format!("all but {one}"), "{p}"),
                _ if opposite <= third => assert_eq!(one, format!("all but {other}"), "{p}"),
                _ => assert!(
                    one.starts_with("1 in ") && other.starts_with("1 in "),
                    "{p}"
                ),
            }
            let [one, other] = both(Form::Fraction);
            assert_eq!(one.contains('/'), other.contains('/'), "{one} and {other}");
            let [one, other] = both(Form::USUAL);
            assert_eq!(one == "<0.01%", other == ">99.99%", "{one} and {other}");
            assert_eq!(one == "0.00%", other == "100.00%", "{one} and {other}");
        }
    }
}

//! Numbers in words: probabilities in the form that was asked for, means, counts.

use std::cmp::Ordering;
use std::fmt::Write as _;

use oddsmith_exact::{IBig, RBig, UBig};

pub(crate) use oddsmith_rules::grouped;

use crate::number;

/// Fractions of at most this many characters are shown as they are.
const SHORT: usize = 28;
/// From here on one in so many is a power of ten.
const MANY: f64 = 1e6;

/// How probabilities are written for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
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
    pub(crate) const USUAL: Self = Self::Percent(2);

    /// The probability `weight / total` in words: rounded from the whole numbers, halves up. What is not quite
    /// nothing or certain does not read as if it were: `<0.01%`, `>99.99%`.
    pub(crate) fn show(self, weight: &IBig, total: &UBig) -> String {
        match self {
            Self::Percent(digits) => share_of(100, weight, total, digits) + "%",
            Self::Decimal(digits) => share_of(1, weight, total, digits),
            Self::OneIn(digits) => one_in(&RBig::from_parts(weight.clone(), total.clone()), digits),
            Self::Fraction => odds(&RBig::from_parts(weight.clone(), total.clone())),
        }
    }

    /// The same of a fraction.
    pub(crate) fn show_ratio(self, ratio: &RBig) -> String {
        self.show(ratio.numerator(), ratio.denominator())
    }

    /// The same of a distribution's weight.
    pub(crate) fn show_weight(self, weight: &UBig, total: &UBig) -> String {
        self.show(&IBig::from(weight.clone()), total)
    }

    /// For a difference between two probabilities: no chance of anything, so neither one in so many nor `never`.
    pub(crate) fn of_differences(self) -> Self {
        match self {
            Self::Percent(_) | Self::Decimal(_) => self,
            Self::OneIn(_) | Self::Fraction => Self::USUAL,
        }
    }

    /// Whether a fraction beside it would say the same again.
    pub(crate) fn is_fraction(self) -> bool {
        self == Self::Fraction
    }
}

/// So many `units` times a probability.
fn share_of(units: u8, weight: &IBig, total: &UBig, digits: usize) -> String {
    let weight = UBig::try_from(weight.clone()).expect("a probability is not negative");
    let certain = UBig::from(units) * UBig::from(10_u8).pow(digits);
    let share = rounded(&(&weight * &certain), total);
    let (sign, share) = if share == UBig::ZERO && weight != UBig::ZERO {
        ("<", UBig::ONE)
    } else if share == certain && weight < *total {
        (">", certain - UBig::ONE)
    } else {
        ("", share)
    };
    format!("{sign}{}", with_point(&share, digits))
}

/// A number that is not negative with so many digits after the point, halves up.
pub(crate) fn decimals(ratio: &RBig, digits: usize) -> String {
    let numerator = UBig::try_from(ratio.numerator().clone()).expect("not negative");
    let parts = numerator * UBig::from(10_u8).pow(digits);
    with_point(&rounded(&parts, ratio.denominator()), digits)
}

/// The whole number nearest to `part / whole`, halves up.
fn rounded(part: &UBig, whole: &UBig) -> UBig {
    let two = UBig::from(2_u8);
    (part * &two + whole) / (whole * two)
}

/// A number of tenths, hundredths and so on: `1235` with two digits is `12.35`.
pub(crate) fn with_point(number: &UBig, digits: usize) -> String {
    let width = digits + 1;
    let mut text = format!("{:0>width$}", number.to_string());
    if digits > 0 {
        text.insert(text.len() - digits, '.');
    }
    text
}

/// A share of the whole as a float, for bars and comparisons: 0 and 1 only if it is exactly that.
pub(crate) fn share(weight: &IBig, total: &UBig) -> f64 {
    let p = number::quotient(weight, total).unwrap_or(f64::NAN);
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
pub(crate) fn odds(ratio: &RBig) -> String {
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

/// About this many: `3.7`, `42`, `12,345`, `1.3e9`; what is whole has no digits after the point.
fn many(ratio: &RBig, digits: Option<usize>) -> String {
    let x = number::decimal(ratio);
    if x >= MANY {
        return Scientific::of(ratio).show(1);
    }
    let digits = match digits {
        _ if *ratio.denominator() == UBig::ONE => 0,
        Some(digits) => digits,
        None => usize::from(x < 19.95),
    };
    let text = decimals(ratio, digits);
    let (whole, after) = text.split_once('.').unwrap_or((&text, ""));
    let mut shown = grouped(whole);
    if !after.is_empty() {
        let _ = write!(shown, ".{after}");
    }
    shown
}

/// A number of any size as `mantissa * 10^exponent`, the mantissa from 1 up to 10.
struct Scientific {
    mantissa: f64,
    exponent: i64,
}

impl Scientific {
    fn of(ratio: &RBig) -> Self {
        let digits = |n: &UBig| i64::try_from(n.to_string().len()).unwrap_or(i64::MAX);
        let magnitude = UBig::try_from(ratio.numerator().clone().max(-ratio.numerator()));
        let magnitude = magnitude.expect("not negative");
        let guess = digits(&magnitude) - digits(ratio.denominator());
        let ten = |power: i64| UBig::from(10_u8).pow(usize::try_from(power).unwrap_or(0));
        // Without the power of ten it is from 0.1 up to 10.
        let scaled = RBig::from_parts(
            ratio.numerator() * IBig::from(ten(-guess)),
            ratio.denominator() * ten(guess),
        );
        Self {
            mantissa: number::decimal(&scaled),
            exponent: guess,
        }
        .normal()
    }

    fn normal(mut self) -> Self {
        if self.mantissa.abs() < 1.0 {
            self.mantissa *= 10.0;
            self.exponent -= 1;
        }
        self
    }

    fn sqrt(mut self) -> Self {
        if self.exponent % 2 != 0 {
            self.mantissa *= 10.0;
            self.exponent -= 1;
        }
        Self {
            mantissa: self.mantissa.sqrt(),
            exponent: self.exponent / 2,
        }
        .normal()
    }

    /// `3.333e-7`
    fn show(&self, places: usize) -> String {
        let text = format!("{:.places$}", self.mantissa);
        match text.strip_prefix("10").or(text.strip_prefix("-10")) {
            // Rounded up.
            Some(zeros) => {
                let sign = if text.starts_with('-') { "-" } else { "" };
                format!("{sign}1{zeros}e{}", self.exponent + 1)
            }
            None => format!("{text}e{}", self.exponent),
        }
    }
}

/// A mean and the like: four places at the most, none where it is whole. What is not does not read as if it were:
/// `>0.9999`, `<7.0001`.
pub(crate) fn value(ratio: &RBig) -> String {
    if *ratio.denominator() == UBig::ONE {
        let digits = ratio.numerator().to_string();
        if digits.len() <= SHORT {
            return digits;
        }
    }
    let x = number::decimal(ratio);
    if x.abs() < 1e-3 || x.abs() >= 1e12 {
        return Scientific::of(ratio).show(3);
    }
    // A decimal that ends is the number itself.
    near(x, |whole| ratio.cmp(&RBig::from(whole.clone())))
}

/// A number that is not whole with four places at the most; `compare` tells on which side of a whole number it is.
fn near(x: f64, compare: impl Fn(&IBig) -> Ordering) -> String {
    let text = trimmed(&format!("{x:.4}"));
    let Ok(whole) = text.parse::<IBig>() else {
        return text;
    };
    let (sign, step) = match compare(&whole) {
        Ordering::Less => (">", IBig::NEG_ONE),
        Ordering::Equal => return text,
        Ordering::Greater => ("<", IBig::ONE),
    };
    let parts = whole * IBig::from(10_000) + step;
    let minus = if parts < IBig::ZERO { "-" } else { "" };
    let size = UBig::try_from(parts.clone().max(-parts)).expect("not negative");
    format!("{sign}{minus}{}", with_point(&size, 4))
}

fn trimmed(text: &str) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The fraction itself if it is short.
pub(crate) fn exact_value(ratio: &RBig) -> String {
    let text = ratio.to_string();
    if text.len() <= SHORT && *ratio.denominator() != UBig::ONE {
        text
    } else {
        String::new()
    }
}

/// A standard deviation.
pub(crate) fn deviation(variance: &RBig) -> String {
    if *variance == RBig::ZERO {
        return "0".to_owned();
    }
    let x = number::decimal(variance).sqrt();
    if (1e-3..1e12).contains(&x) {
        return near(x, |whole| variance.cmp(&RBig::from(whole * whole)));
    }
    Scientific::of(variance).sqrt().show(3)
}

/// `1,296`; beyond 24 digits `1.42e778`.
pub(crate) fn count(n: &UBig) -> String {
    let digits = n.to_string();
    if digits.len() <= 24 {
        return grouped(digits);
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1)
}

/// `a`, `a and b`, `a, b and c`
pub(crate) fn list(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// `1 candidate`, `12,345 candidates`
pub(crate) fn plural(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(number))
}

/// `1 configuration`, `12,345 configurations`
pub(crate) fn configurations(number: u64) -> String {
    plural(number, "configuration")
}

#[cfg(test)]
mod tests {
    use super::{Form, IBig, RBig, UBig, count, deviation, grouped, odds, value};

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

    #[test]
    fn what_is_too_small_for_a_float_is_not_nothing() {
        let tiny = RBig::from_parts(IBig::from(2_u8), UBig::from(10_u8).pow(400));
        assert_eq!(value(&tiny), "2.000e-400");
        assert_eq!(deviation(&tiny), "1.414e-200");
        assert_eq!(Form::USUAL.show_ratio(&tiny), "<0.01%");
        assert_eq!(Form::USUAL.show_ratio(&(RBig::ONE - tiny)), ">99.99%");
        assert_eq!(value(&ratio(-99_999_999, 100_000_000_000_000)), "-1.000e-6");
        assert_eq!(value(&ratio(0, 7)), "0");
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

    #[test]
    fn counts_are_grouped_and_then_rounded() {
        assert_eq!(grouped("1296"), "1296");
        assert_eq!(grouped("-46656"), "-46,656");
        assert_eq!(count(&UBig::from(6_u8).pow(1000)), "1.41e778");
    }
}

//! Numbers in words: percentages, odds, bars.

use anstyle::{Ansi256Color, Color, Style};
use oddsmith_exact::{IBig, RBig, UBig};

use crate::number;

/// Headings and what is beside the point.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Titles.
pub(crate) const BOLD: Style = Style::new().bold();

/// Fractions of at most this many characters are shown as they are.
const SHORT: usize = 28;

/// `12.35%`; what is not quite nothing or certain does not read as if it were.
pub(crate) fn percent(p: f64) -> String {
    let text = format!("{:.2}%", p * 100.0);
    match text.as_str() {
        "0.00%" if p > 0.0 => "<0.01%".to_owned(),
        "100.00%" if p < 1.0 => ">99.99%".to_owned(),
        _ => text,
    }
}

/// A share for [`percent`]: 0 and 1 only if it is exactly that.
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

/// `9/25`, `always`, `never`; a long fraction as `≈ 1 in 1.3e7` or `≈ all but 1 in 4000`.
pub(crate) fn odds(ratio: &RBig) -> String {
    if *ratio == RBig::ZERO {
        return "never".to_owned();
    }
    if *ratio == RBig::ONE {
        return "always".to_owned();
    }
    let exact = ratio.to_string();
    if exact.len() <= SHORT {
        return exact;
    }
    if number::decimal(ratio) <= 0.5 {
        return format!("≈ 1 in {}", rough(ratio));
    }
    format!("≈ all but 1 in {}", rough(&(RBig::ONE - ratio)))
}

/// One in about this many: `3.7`, `42`, `12,345`, `1.3e9`.
fn rough(ratio: &RBig) -> String {
    let inverse = RBig::ONE / ratio;
    let x = number::decimal(&inverse);
    if x < 20.0 {
        format!("{x:.1}")
    } else if x < 1e6 {
        grouped(&format!("{x:.0}"))
    } else {
        Scientific::of(&inverse).show(1)
    }
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

/// A mean and the like: four places at the most, none where it is whole.
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
    trimmed(&format!("{x:.4}"))
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
        return trimmed(&format!("{x:.4}"));
    }
    Scientific::of(variance).sqrt().show(3)
}

/// `1,296`; beyond 24 digits `1.42e778`.
pub(crate) fn count(n: &UBig) -> String {
    let digits = n.to_string();
    if digits.len() <= 24 {
        return grouped(&digits);
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1)
}

/// Digits in groups of three from 10,000 on.
pub(crate) fn grouped(digits: &str) -> String {
    let (sign, digits) = digits
        .strip_prefix('-')
        .map_or(("", digits), |rest| ("-", rest));
    if digits.len() < 5 {
        return format!("{sign}{digits}");
    }
    let head = digits.len() % 3;
    let mut groups: Vec<&str> = Vec::new();
    if head > 0 {
        groups.push(&digits[..head]);
    }
    groups.extend(
        (head..digits.len())
            .step_by(3)
            .map(|at| &digits[at..at + 3]),
    );
    format!("{sign}{}", groups.join(","))
}

/// A bar of up to `width` cells for a share of the whole, to an eighth of a cell; never empty for what is
/// possible.
pub(crate) fn bar(share: f64, width: u32) -> String {
    let eighths = (share.clamp(0.0, 1.0) * f64::from(width * 8)).round();
    let mut left = if share > 0.0 { eighths.max(1.0) } else { 0.0 };
    let mut bar = String::new();
    while left >= 8.0 {
        bar.push('█');
        left -= 8.0;
    }
    let parts = [
        (7.0, '▉'),
        (6.0, '▊'),
        (5.0, '▋'),
        (4.0, '▌'),
        (3.0, '▍'),
        (2.0, '▎'),
        (1.0, '▏'),
    ];
    bar.extend(
        parts
            .iter()
            .find(|(eighths, _)| left >= *eighths)
            .map(|(_, block)| *block),
    );
    bar
}

/// Vermillion, orange, grey, sky blue, blue of the terminal's 256 colours: from worst to best, and apart for
/// every kind of colour vision (after Okabe and Ito's palette).
const DIVERGING: [u8; 5] = [166, 214, 246, 75, 32];
/// For bars without an order.
pub(crate) const PLAIN: Style = foreground(75);

const fn foreground(color: u8) -> Style {
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(color))))
}

/// The colour of a band by its place among `count`, worst first.
pub(crate) fn band_color(place: usize, count: usize) -> Style {
    let steps = count.saturating_sub(1).max(1);
    foreground(DIVERGING[(place * (DIVERGING.len() - 1) + steps / 2) / steps])
}

#[cfg(test)]
mod tests {
    use super::{IBig, RBig, UBig, bar, count, deviation, grouped, odds, percent, share, value};

    fn ratio(weight: i64, total: u64) -> RBig {
        RBig::from_parts(weight.into(), total.into())
    }

    #[test]
    fn percentages_do_not_claim_certainty() {
        let shown: Vec<String> = [0.0, 1e-9, 0.36, 0.999_999_9, 1.0]
            .into_iter()
            .map(percent)
            .collect();
        assert_eq!(shown, ["0.00%", "<0.01%", "36.00%", ">99.99%", "100.00%"]);
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
        assert_eq!(
            percent(share(tiny.numerator(), tiny.denominator())),
            "<0.01%"
        );
        let nearly = RBig::ONE - tiny;
        assert_eq!(
            percent(share(nearly.numerator(), nearly.denominator())),
            ">99.99%"
        );
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
    fn counts_are_grouped_and_then_rounded() {
        assert_eq!(grouped("1296"), "1296");
        assert_eq!(grouped("-46656"), "-46,656");
        assert_eq!(count(&UBig::from(6_u8).pow(1000)), "1.41e778");
    }

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(0.29, 4), "█▏");
        assert_eq!(bar(1e-9, 4), "▏");
        assert_eq!(bar(0.0, 4), "");
        assert_eq!(bar(1.0, 4), "████");
    }
}

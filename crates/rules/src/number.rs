//! Exact numbers as designers write them: `0.55`, `55 %`, `11/20`.

use std::cmp::Ordering;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// A number may have so many digits: more than any odds of a game have.
const MOST_DIGITS: usize = 10_000;

/// A number in print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// What it says.
    pub number: Number,
    /// One over the worth of its last digit: 100 for `0.36` and for `36 %`. It stands for all numbers that round to it,
    /// halves up: from half a last digit below, which belongs to it, to half a last digit above, which does not. A
    /// fraction, which has none, stands for itself.
    pub last_digit: Option<UBig>,
}

/// An exact number as written, such as `0.55`, `55 %` or `11/20`.
#[derive(Clone, Debug)]
pub struct Number {
    /// As written.
    pub text: String,
    /// What it says, in lowest terms.
    pub value: RBig,
}

impl Number {
    /// The number that a text says: a decimal, a percentage or a fraction.
    ///
    /// # Errors
    /// What is wrong with the text, in a few words.
    ///
    /// ```
    /// use oddsmith_rules::Number;
    /// assert_eq!(Number::parse("55 %"), Number::parse("11/20"));
    /// assert!(Number::parse("half").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        parse(text).map(|printed| printed.number)
    }

    /// A whole number.
    pub fn whole(number: i64) -> Self {
        Self {
            text: number.to_string(),
            value: number.into(),
        }
    }

    /// Whether it is from 0 to 1, as probabilities are.
    #[must_use]
    pub fn is_chance(&self) -> bool {
        (RBig::ZERO..=RBig::ONE).contains(&self.value)
    }

    /// How it compares with another one.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

/// The same number, however it is written.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Ordering::Equal
    }
}

impl Eq for Number {}

/// The number of a text, or what is wrong with it.
pub(crate) fn parse(text: &str) -> Result<Printed, &'static str> {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if digits > MOST_DIGITS {
        return Err("it has more than 10,000 digits");
    }
    let (value, last_digit) = match text.split_once('/') {
        Some((above, below)) => {
            let below = whole(below.trim()).ok_or("not a fraction")?;
            if below == UBig::ZERO {
                return Err("nothing is divided by 0");
            }
            let above = signed(above.trim()).ok_or("not a fraction")?;
            (RBig::from_parts(above, below), None)
        }
        None => {
            let (number, unit) = match text.strip_suffix('%') {
                Some(number) => (number.trim(), 2),
                None => (text, 0),
            };
            let (before, after) = number.split_once('.').unwrap_or((number, "0"));
            let decimals = if number.contains('.') { after.len() } else { 0 };
            whole(after).ok_or("not a decimal")?;
            let all = format!("{before}{}", &after[..decimals]);
            // A sign alone is no number.
            whole(before.trim_start_matches(['+', '-'])).ok_or("not a decimal")?;
            let scale = UBig::from(10_u8).pow(decimals + unit);
            let above = signed(&all).ok_or("not a decimal")?;
            (RBig::from_parts(above, scale.clone()), Some(scale))
        }
    };
    Ok(Printed {
        number: Number {
            text: text.to_owned(),
            value,
        },
        last_digit,
    })
}

/// Digits, perhaps behind a sign.
fn signed(text: &str) -> Option<IBig> {
    match text.strip_prefix('-') {
        Some(rest) => whole(rest).map(|number| -IBig::from(number)),
        None => whole(text.strip_prefix('+').unwrap_or(text)).map(IBig::from),
    }
}

/// Digits and nothing else.
fn whole(text: &str) -> Option<UBig> {
    let are_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use dashu_int::{IBig, UBig};
    use dashu_ratio::RBig;

    use super::parse;

    #[test]
    fn numbers_are_exact() {
        let cases = [
            ("0.55", 55, 100_u64, Some(100_u64)),
            ("0.550", 550, 1000_u64, Some(1000_u64)),
            ("55%", 55, 100_u64, Some(100_u64)),
            ("55 %", 55, 100_u64, Some(100_u64)),
            ("5.5%", 55, 1000_u64, Some(1000_u64)),
            ("11/20", 11, 20, None),
            ("-1 / 3", -1, 3, None),
            ("3", 3, 1_u64, Some(1_u64)),
            ("+3", 3, 1_u64, Some(1_u64)),
            ("-0.5", -5, 10_u64, Some(10_u64)),
            (
                "0.0000000000001",
                1,
                10_000_000_000_000,
                Some(10_000_000_000_000),
            ),
        ];
        for (text, numerator, denominator, last_digit) in cases {
            let printed = parse(text).expect(text);
            let value = RBig::from_parts(IBig::from(numerator), UBig::from(denominator));
            assert_eq!(printed.number.value, value, "{text}");
            assert_eq!(printed.last_digit, last_digit.map(UBig::from), "{text}");
        }
        let long = "123456789012345678901234567890";
        let third = parse(&format!("{long}/{long}0")).expect("a long fraction");
        assert_eq!(
            third.number.value,
            parse("0.1").expect("a tenth").number.value
        );
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let cases = [
            "", "-", "+", "%", ".", ".5", "5.", "1e3", "inf", "nan", "0x10", "1/0", "1/-2", "1/2%",
            "1/2/3", "--1", "+-1", "1.-5", "1.5.2", "5%%", "half", "1 000",
        ];
        for text in cases {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&"9".repeat(10_001)).is_err());
    }
}

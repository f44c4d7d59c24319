//! Numbers as readers see them.

/// A difference of probabilities in points: `+12.35`, `−0.50`; what is not nothing does not read as if it were: `+<0.01`.
pub(crate) fn points(x: f64, places: usize) -> String {
    signed(x, |size| percent_to(size, places).replace('%', ""))
}

/// A difference of other numbers in `digits` significant digits, likewise: `+1.23`, `−<0.01`.
pub(crate) fn rough_difference(x: f64, digits: usize) -> String {
    let places = digits.saturating_sub(1);
    let least = 0.1_f64.powi(i32::try_from(places).unwrap_or(0));
    signed(x, |size| match size < least / 2.0 {
        true => format!("<{least:.places$}"),
        false => rough(size, digits),
    })
}

/// A difference with its sign; `0` if there is none.
pub(crate) fn signed(x: f64, show: impl Fn(f64) -> String) -> String {
    match x {
        0.0 => "0".to_owned(),
        x if x < 0.0 => format!("−{}", show(-x)),
        x => format!("+{}", show(x)),
    }
}

/// `12.35%`; what is not quite nothing or certain does not read as if it were.
pub(crate) fn percent(p: f64) -> String {
    percent_to(p, 2)
}

/// `12%`, and with places `12.3%` or `12.35%`, likewise. Halves are rounded up, as readers do it: 12.5 % is 13 %; what a
/// float can't tell from a half is one, as 0.01005 is.
pub(crate) fn percent_to(p: f64, places: usize) -> String {
    let shift = 10_f64.powi(i32::try_from(places).unwrap_or(0));
    let steps = (p * 100.0 * shift * (1.0 + 2.0 * f64::EPSILON)).round();
    let shown = |steps: f64| format!("{:.places$}%", steps / shift);
    if steps <= 0.0 && p > 0.0 {
        return format!("<{}", shown(1.0));
    }
    if steps >= 100.0 * shift && p < 1.0 {
        return format!(">{}", shown(100.0 * shift - 1.0));
    }
    minus(&shown(steps))
}

/// A number with so many digits after the point, halves rounded away from 0.
pub(crate) fn fixed(x: f64, places: usize) -> String {
    let shift = 10_f64.powi(i32::try_from(places).unwrap_or(0));
    minus(&format!("{:.places$}", (x * shift).round() / shift + 0.0))
}

/// A mean and the like: four places at the most, none where it is whole; `1.235 × 10⁻⁶` where that says too little.
pub(crate) fn value(x: f64) -> String {
    if x.abs() > 0.0 && !(1e-3..1e9).contains(&x.abs()) {
        return scientific(x, 3);
    }
    minus(&grouped(&trimmed(&format!("{x:.4}"))))
}

/// A number in `digits` significant digits, for narrow places.
pub(crate) fn rough(x: f64, digits: usize) -> String {
    if x.abs() > 0.0 && !(1e-3..1e5).contains(&x.abs()) {
        return scientific(x, digits.saturating_sub(2));
    }
    let whole = if x.abs() < 1.0 {
        1
    } else {
        format!("{:.0}", x.abs().floor()).len()
    };
    minus(&format!("{x:.*}", digits.saturating_sub(whole)))
}

/// Numbers that are told apart by multiples of `step`, all in the same form.
pub(crate) fn ticks(values: &[f64], step: f64) -> Vec<String> {
    let most = values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if most >= 1e7 || step < 1e-4 {
        let places = significant(most, step);
        return values.iter().map(|x| scientific(*x, places)).collect();
    }
    let places = decimals(step);
    let shown = |x: &f64| minus(&grouped(&format!("{:.places$}", x + 0.0)));
    values.iter().map(shown).collect()
}

/// How many decimals tell multiples of `step` apart.
pub(crate) fn decimals(step: f64) -> usize {
    (0..12)
        .find(|places| {
            let scaled = step * 10_f64.powi(*places);
            (scaled - scaled.round()).abs() < 1e-6 * scaled
        })
        .map_or(12, |places| places.unsigned_abs() as usize)
}

/// How many digits after the first tell multiples of `step` apart near `most`.
fn significant(most: f64, step: f64) -> usize {
    let mantissa = step / 10_f64.powf(most.log10().floor());
    decimals(mantissa).min(8)
}

/// `−1.5 × 10⁹`
fn scientific(x: f64, places: usize) -> String {
    let text = format!("{x:.places$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = if mantissa.contains('.') {
        trimmed(mantissa)
    } else {
        mantissa.to_owned()
    };
    if mantissa == "0" {
        return mantissa;
    }
    let raised: String = exponent.chars().map(superscript).collect();
    minus(&format!("{mantissa} × 10{raised}"))
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    }
}

/// A whole number, grouped from 10,000 on.
pub(crate) fn whole(n: i64) -> String {
    minus(&grouped(&n.to_string()))
}

/// Words with a minus sign for each hyphen that is one: before a digit, with no letter or digit before it. The hyphen
/// of `1-3` stays.
pub(crate) fn typeset(words: &str) -> String {
    let mut typeset = String::with_capacity(words.len());
    let mut characters = words.chars().peekable();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        let negative = character == '-'
            && characters.peek().is_some_and(char::is_ascii_digit)
            && !before.is_alphanumeric()
            && before != ')';
        typeset.push(if negative { '−' } else { character });
        before = character;
    }
    typeset
}

/// A minus sign where a hyphen stood.
fn minus(text: &str) -> String {
    let nothing = text.starts_with('-') && text.chars().all(|c| !c.is_ascii_digit() || c == '0');
    if nothing {
        return text[1..].to_owned();
    }
    text.replace('-', "−")
}

fn trimmed(text: &str) -> String {
    if !text.contains('.') {
        return text.to_owned();
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Digits before the point in groups of three from 10,000 on.
pub(crate) fn grouped(number: &str) -> String {
    let (sign, rest) = number
        .strip_prefix('-')
        .map_or(("", number), |rest| ("-", rest));
    let (whole, decimals) = rest
        .find('.')
        .map_or((rest, ""), |point| rest.split_at(point));
    if whole.len() < 5 {
        return number.to_owned();
    }
    let mut groups = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            groups.push(',');
        }
        groups.push(digit);
    }
    format!("{sign}{groups}{decimals}")
}

#[cfg(test)]
mod tests {
    use super::{
        percent, percent_to, points, rough, rough_difference, signed, ticks, typeset, value, whole,
    };

    #[test]
    fn percentages_do_not_claim_certainty() {
        let shown = [0.0, 1e-9, 0.1235, 0.999_999_9, 1.0].map(percent);
        assert_eq!(shown, ["0.00%", "<0.01%", "12.35%", ">99.99%", "100.00%"]);
        let shown = [0.0, 0.004, 0.36, 0.996, 1.0].map(|p| percent_to(p, 0));
        assert_eq!(shown, ["0%", "<1%", "36%", ">99%", "100%"]);
        assert_eq!(percent_to(0.125, 0), "13%");
        assert_eq!(percent_to(0.1234, 1), "12.3%");
        assert_eq!([0.01005, 0.88625].map(percent), ["1.01%", "88.63%"]);
    }

    #[test]
    fn minus_signs_are_minus_signs_and_never_before_nothing() {
        assert_eq!(value(-3.5), "−3.5");
        assert_eq!(value(-0.0), "0");
        assert_eq!(rough(-0.0, 3), "0.00");
        assert_eq!(whole(-12_345), "−12,345");
    }

    #[test]
    fn differences_have_a_sign_unless_there_is_none() {
        let shown = [0.123_45, -0.5, -1e-9, 0.0, -0.0].map(|x| points(x, 2));
        assert_eq!(shown, ["+12.35", "−50.00", "−<0.01", "0", "0"]);
        assert_eq!(points(0.123_45, 0), "+12");
        let shown = [1.5, -12.0, 0.0].map(|x| signed(x, value));
        assert_eq!(shown, ["+1.5", "−12", "0"]);
        let shown = [1.5, -0.004, 1e-9, 0.0].map(|x| rough_difference(x, 3));
        assert_eq!(shown, ["+1.50", "−<0.01", "+<0.01", "0"]);
    }

    #[test]
    fn hyphens_stay_hyphens() {
        assert_eq!(typeset("extra = -2"), "extra = −2");
        assert_eq!(typeset("-5..=-1"), "−5..=−1");
        assert_eq!(
            typeset("1-3, d6-1, (x)-1, well-known"),
            "1-3, d6-1, (x)-1, well-known"
        );
    }

    #[test]
    fn numbers_of_any_size_can_be_read() {
        assert_eq!(value(12.244_598_8), "12.2446");
        assert_eq!(value(-1.234_56e-7), "−1.235 × 10⁻⁷");
        assert_eq!(value(1.5e300), "1.5 × 10³⁰⁰");
        assert_eq!(rough(123_456.0, 3), "1.2 × 10⁵");
        assert_eq!(rough(0.123_4, 3), "0.12");
        assert_eq!(rough(12.34, 3), "12.3");
    }

    #[test]
    fn ticks_share_a_form() {
        assert_eq!(ticks(&[-0.5, 0.0, 0.5], 0.5), ["−0.5", "0.0", "0.5"]);
        assert_eq!(
            ticks(&[0.0, 5000.0, 10_000.0], 5000.0),
            ["0", "5000", "10,000"]
        );
        assert_eq!(
            ticks(&[0.0, 5e11, 1e12], 5e11),
            ["0", "5 × 10¹¹", "1 × 10¹²"]
        );
        assert_eq!(ticks(&[0.0, 2.5e-7], 2.5e-7), ["0", "2.5 × 10⁻⁷"]);
    }
}

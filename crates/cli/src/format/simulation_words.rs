//! What trials say, number by number, in words: with as many digits as the errors are worth.

use oddsmith_exact::Answer;
use oddsmith_simulate::Estimate;

use crate::format::outcomes::{decimal, infinite};
use crate::format::simulation::{SimulatedRow, shortest};
use crate::format::words::{Form, share};

/// Digits after the point, at the least and at the most.
const DIGITS: (i32, i32) = (2, 12);

/// The odds of what can't happen.
pub(crate) const NEVER: &str = "never";

/// A probability of being as far off: `0.43`, `0.0034`, `3.1e-7`.
pub(crate) fn chance(p: f64) -> String {
    match p {
        p if p >= 0.1 => format!("{p:.2}"),
        p if p >= 0.01 => format!("{p:.3}"),
        p if p >= 0.001 => format!("{p:.4}"),
        p if p < 1e-300 => "less than 1e-300".to_owned(),
        p => format!("{p:.1e}"),
    }
}

/// How many digits after the point rows are shown with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digits {
    /// Of percentages.
    chances: usize,
    /// Of means and variances.
    numbers: usize,
}

/// A row in words; what there is none of is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) estimate: String,
    pub(crate) error: String,
    pub(crate) exact: String,
    pub(crate) z: String,
}

impl Digits {
    /// Enough for all of these rows.
    pub(crate) fn of(rows: &[SimulatedRow]) -> Self {
        let errors = |is_chance: bool, unit: f64| {
            let rows = rows
                .iter()
                .filter(|row| row.kind.is_probability() == is_chance);
            let errors = rows.filter_map(|row| Some(unit * row.estimate?.std_error));
            let errors = errors.filter(|error| *error > 0.0 && error.is_finite());
            enough(&errors.collect::<Vec<f64>>())
        };
        Self {
            chances: errors(true, 100.0),
            numbers: errors(false, 1.0),
        }
    }

    /// The row in words.
    pub(crate) fn show(self, row: &SimulatedRow) -> Shown {
        let show = |x: f64| match row.kind.is_probability() {
            true => percent(x, self.chances),
            false if is_whole(row) => fixed(x, 0),
            false => fixed(x, self.numbers),
        };
        let error = |estimate: &Estimate| match row.kind.is_probability() {
            true => self.error_of_chance(estimate, row.trials),
            false => show(estimate.std_error),
        };
        let exact = row.exact.as_ref().map(|answer| match decimal(answer) {
            _ if answer.is_infinite() => infinite(answer).to_owned(),
            Some(exact) if row.kind.is_probability() && exact <= 0.0 => NEVER.to_owned(),
            _ if row.kind.is_probability() => self.exact_chance(answer),
            exact => exact.map(show).unwrap_or_default(),
        });
        let estimate = row.estimate.as_ref();
        Shown {
            estimate: estimate.map_or("–".to_owned(), |estimate| show(estimate.value)),
            error: estimate.map_or(String::new(), error),
            exact: exact.unwrap_or_default(),
            z: row.z.map(|z| fixed(z, 2)).unwrap_or_default(),
        }
    }

    /// The odds of what can happen: rounded as everywhere, but of what is rarer than that two digits.
    fn exact_chance(self, answer: &Answer) -> String {
        let shown = Form::Percent(self.chances).show(&answer.weight, &answer.total);
        if shown.starts_with('<') {
            return rare(100.0 * share(&answer.weight, &answer.total));
        }
        shown
    }

    /// `0.04%`; of what never or always happened, how far from that it may well be: `< 0.0004%`.
    fn error_of_chance(self, estimate: &Estimate, trials: u64) -> String {
        let bound = estimate.high - estimate.low;
        if estimate.std_error > 0.0 || trials == 0 {
            return format!("{}%", fixed(100.0 * estimate.std_error, self.chances));
        }
        if estimate.value > 0.0 {
            let near = 100.0 * (1.0 - bound);
            let text = fixed(near, self.chances);
            return match places(100.0 * bound) {
                Some(places) if text.starts_with("100") => format!("> {}%", fixed(near, places)),
                _ => format!("> {text}%"),
            };
        }
        format!("< {}", percent(bound, self.chances))
    }
}

/// For two digits of the largest error, and for one of the smallest if that takes but two more.
fn enough(errors: &[f64]) -> usize {
    let place = |error: f64| -error.log10().floor();
    let largest = errors.iter().copied().reduce(f64::max);
    let smallest = errors.iter().copied().reduce(f64::min);
    let places = match (largest.map(place), smallest.map(place)) {
        (Some(large), Some(small)) => (large + 1.0).max(small.min(large + 3.0)),
        _ => f64::from(DIGITS.0),
    };
    let all = DIGITS.0..=DIGITS.1;
    let enough = all.take_while(|digits| f64::from(*digits) <= places);
    usize::try_from(enough.last().unwrap_or(DIGITS.0)).unwrap_or(0)
}

/// With this many digits; 0 has no sign.
pub(crate) fn fixed(x: f64, digits: usize) -> String {
    if x.is_infinite() {
        return shortest(x);
    }
    let text = format!("{x:.digits$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    match text.strip_prefix('-') {
        Some(zero) if is_zero => zero.to_owned(),
        _ => text,
    }
}

/// What is not quite nothing or certain does not read as if it were.
fn percent(p: f64, digits: usize) -> String {
    let text = fixed(100.0 * p, digits);
    let last = (0..digits).fold(1.0, |last, _| last / 10.0);
    let is_nothing = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if is_nothing && p > 0.0 {
        return rare(100.0 * p);
    }
    if text.starts_with("100") && p < 1.0 {
        return format!(">{}%", fixed(100.0 - last, digits));
    }
    format!("{text}%")
}

/// Two digits of a small percentage: `0.0000099%`, `3.1e-12%`.
fn rare(percent: f64) -> String {
    match places(percent) {
        Some(places) => format!("{percent:.places$}%"),
        None => format!("{percent:.1e}%"),
    }
}

/// Places after the point for two digits of a small number, if they are not too many.
fn places(small: f64) -> Option<usize> {
    let powers = std::iter::successors(Some(10.0), |power| Some(power * 10.0));
    let is_seen = |power: f64| small * power > 0.999_999;
    let first = powers.take(10).position(is_seen)?;
    Some(first + 2)
}

/// Whether a number never changed, in the trials as by the exact odds.
fn is_whole(row: &SimulatedRow) -> bool {
    let is_constant = row
        .estimate
        .is_some_and(|estimate| estimate.std_error == 0.0);
    let exact = row.exact.as_ref().and_then(decimal);
    is_constant && exact.is_some_and(|exact| exact.fract() == 0.0)
}

#[cfg(test)]
mod tests {
    use super::{chance, enough, fixed, percent, rare};

    #[test]
    fn chances_keep_two_digits() {
        let shown = [1.0, 0.432, 0.0432, 0.00432, 4.32e-7, 0.0].map(chance);
        assert_eq!(
            shown,
            [
                "1.00",
                "0.43",
                "0.043",
                "0.0043",
                "4.3e-7",
                "less than 1e-300"
            ]
        );
    }

    #[test]
    fn digits_are_what_the_errors_are_worth() {
        assert_eq!(enough(&[]), 2);
        assert_eq!(enough(&[5.0, 0.3]), 2);
        assert_eq!(enough(&[0.05, 0.03]), 3);
        assert_eq!(enough(&[0.05, 0.0003]), 4);
        assert_eq!(enough(&[0.05, 1e-9]), 5);
        assert_eq!(enough(&[1e-30]), 12);
    }

    #[test]
    fn percentages_do_not_claim_certainty() {
        let shown = [0.0, 1e-9, 0.36, 0.999_999_9, 1.0].map(|p| percent(p, 3));
        assert_eq!(
            shown,
            ["0.000%", "0.00000010%", "36.000%", ">99.999%", "100.000%"]
        );
    }

    #[test]
    fn rare_things_have_two_digits() {
        let shown = [0.000_009_922, 0.012, 4.5e-14].map(rare);
        assert_eq!(shown, ["0.0000099%", "0.012%", "4.5e-14%"]);
    }

    #[test]
    fn nothing_has_no_sign() {
        let shown = [-0.001, -0.01, 0.0, f64::NEG_INFINITY].map(|x| fixed(x, 2));
        assert_eq!(shown, ["0.00", "-0.01", "0.00", "-inf"]);
    }
}

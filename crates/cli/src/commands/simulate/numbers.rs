//! Counts of trials and how fast they are rolled, in words.

use std::time::Duration;

use crate::format::words;

/// `1.9 G trials/s`
pub(super) fn rate(count: u64, time: Duration, what: &str) -> String {
    let per_second = count as f64 / time.as_secs_f64().max(1e-9);
    let (factor, unit) = match per_second {
        x if x >= 1e9 => (1e9, " G"),
        x if x >= 1e6 => (1e6, " M"),
        x if x >= 1e3 => (1e3, " k"),
        _ => (1.0, ""),
    };
    format!("{:.1}{unit} {what}/s", per_second / factor)
}

/// `1e8`, `2.5e6`; what is not so round as it is, `1,234,567`.
pub(super) fn round_number(n: u64) -> String {
    let digits = n.to_string();
    let significant = digits.trim_end_matches('0');
    if digits.len() < 6 || significant.len() > 3 {
        return words::grouped(&digits);
    }
    let (first, rest) = significant.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    format!("{first}{point}{rest}e{}", digits.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::{Duration, rate, round_number};

    #[test]
    fn round_numbers_are_short() {
        let shown = [
            1,
            65_536,
            100_000,
            100_000_000,
            2_500_000,
            1_234_567,
            123_000_000,
        ]
        .map(round_number);
        assert_eq!(
            shown,
            ["1", "65,536", "1e5", "1e8", "2.5e6", "1,234,567", "1.23e8"]
        );
    }

    #[test]
    fn rates_have_units() {
        let second = Duration::from_secs(1);
        let shown =
            [0, 999, 1500, 2_000_000, 1_940_000_000].map(|count| rate(count, second, "dice"));
        assert_eq!(
            shown,
            [
                "0.0 dice/s",
                "999.0 dice/s",
                "1.5 k dice/s",
                "2.0 M dice/s",
                "1.9 G dice/s"
            ]
        );
    }
}

//! Numbers as users write them.

/// `10_000`, `1e12`
pub(super) fn parse_steps(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    if let Ok(steps) = plain.parse() {
        return Ok(steps);
    }
    let steps = plain.parse::<f64>().ok().filter(|steps| *steps >= 1.0);
    // By way of its digits: nothing is cut off silently.
    steps
        .and_then(|steps| format!("{steps:.0}").parse().ok())
        .ok_or_else(|| format!("not a number of steps from 0 to {}, such as 1e12", u64::MAX))
}

/// `1e8`, `2.5e6`, `100_000_000`, `1,000,000`
pub(super) fn parse_trials(text: &str) -> Result<u64, String> {
    let plain = without_commas(&text.replace('_', ""));
    let trials = whole(&plain).filter(|trials| *trials > 0);
    let most = u64::MAX as f64;
    let is_too_many = plain.parse::<f64>().is_ok_and(|trials| trials >= most);
    trials.ok_or_else(|| match is_too_many {
        true => format!("too many trials: at most {}", u64::MAX),
        false => "not a whole number of trials from 1 on, such as 1e8".to_owned(),
    })
}

/// The same for rounds, of which there are fewer.
pub(super) fn parse_rounds(text: &str) -> Result<u32, String> {
    /// More than that nobody waits for, and queries may compare with a number that is larger still.
    const MOST: u64 = 1_000_000_000;
    let rounds = parse_trials(text).ok().filter(|rounds| *rounds <= MOST);
    let rounds = rounds.and_then(|rounds| u32::try_from(rounds).ok());
    rounds.ok_or_else(|| "not a whole number of rounds from 1 to 1e9".to_owned())
}

/// Without the commas between groups of three digits; other commas stay.
fn without_commas(text: &str) -> String {
    let mut groups = text.split(',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    match is_grouped {
        true => text.replace(',', ""),
        false => text.to_owned(),
    }
}

/// Where random numbers start.
pub(super) fn parse_seed(text: &str) -> Result<u64, String> {
    let seed = text.parse();
    seed.map_err(|_| format!("not a whole number from 0 to {}", u64::MAX))
}

/// A whole number, by its digits: nothing is rounded.
fn whole(text: &str) -> Option<u64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let after = after.trim_end_matches('0');
    let zeros = exponent.parse::<usize>().ok()?.checked_sub(after.len())?;
    let digits = format!("{before}{after}");
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || zeros > 19 {
        return None;
    }
    format!("{digits}{}", "0".repeat(zeros)).parse().ok()
}

/// A standard error.
pub(super) fn parse_error(text: &str) -> Result<f64, String> {
    let error = text.parse::<f64>().ok();
    error
        .filter(|error| *error > 0.0 && error.is_finite())
        .ok_or_else(|| "not a number above 0, such as 0.001".to_owned())
}

/// A probability that is neither 0 nor 1.
pub(super) fn parse_level(text: &str) -> Result<f64, String> {
    let level = text.parse::<f64>().ok();
    level
        .filter(|level| *level > 0.0 && *level < 1.0)
        .ok_or_else(|| "not a number between 0 and 1, such as 1e-6".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{parse_error, parse_level, parse_steps, parse_trials};

    #[test]
    fn steps_are_whole_numbers_or_powers_of_ten() {
        assert_eq!(parse_steps("1e12"), Ok(1_000_000_000_000));
        assert_eq!(parse_steps("2.5e3"), Ok(2500));
        assert_eq!(parse_steps("10_000"), Ok(10_000));
        assert_eq!(parse_steps("0"), Ok(0));
        for wrong in ["", "-1", "1e30", "inf", "NaN", "ten"] {
            assert!(parse_steps(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn trials_are_whole_and_at_least_one() {
        for (text, trials) in [
            ("1", 1),
            ("1e8", 100_000_000),
            ("2.5e6", 2_500_000),
            ("2.50e1", 25),
            ("1.0", 1),
            ("100_000_000", 100_000_000),
            ("12E0", 12),
            ("1,000,000", 1_000_000),
            ("18446744073709551615", u64::MAX),
            ("1e19", 10_000_000_000_000_000_000),
        ] {
            assert_eq!(parse_trials(text), Ok(trials), "{text}");
        }
        for wrong in [
            "", "0", "0e5", "1.5", "2.55e1", "-1", "+1", "1e-3", "1e20", "e5", ".e5", "inf", "ten",
            "1e1.5", "1 000", "1,5", ",100", "1000,000",
        ] {
            assert!(parse_trials(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn errors_and_levels_have_their_ranges() {
        assert_eq!(parse_error("1e-3"), Ok(0.001));
        assert_eq!(parse_level("0.5"), Ok(0.5));
        for wrong in ["0", "-1", "inf", "NaN", "little"] {
            assert!(
                parse_error(wrong).is_err() && parse_level(wrong).is_err(),
                "{wrong}"
            );
        }
        assert!(parse_level("1").is_err());
    }
}

//! Whole numbers.

use std::fmt::Display;

use dashu_int::UBig;

/// A number with the digits before its point in groups of three from 10,000 on.
///
/// ```
/// use oddsmith_numbers::grouped;
/// assert_eq!([grouped(1296), grouped(-46_656)], ["1296", "-46,656"]);
/// assert_eq!(grouped("12345.6789"), "12,345.6789");
/// ```
#[must_use]
pub fn grouped(number: impl Display) -> String {
    let text = number.to_string();
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", text.as_str()),
    };
    let point = size.find('.').unwrap_or(size.len());
    let (whole, after) = size.split_at(point);
    if whole.len() < 5 {
        return text;
    }
    let (head, rest) = whole.split_at(whole.len() % 3);
    let groups = (0..rest.len()).step_by(3).map(|at| &rest[at..at + 3]);
    let head = (!head.is_empty()).then_some(head);
    let groups: Vec<&str> = head.into_iter().chain(groups).collect();
    format!("{sign}{}{after}", groups.join(","))
}

/// How many: `1,296,000`; beyond 24 digits `1.42e778`.
///
/// ```
/// use oddsmith_numbers::{UBig, count};
/// assert_eq!(count(&UBig::from(46_656_u32)), "46,656");
/// assert_eq!(count(&UBig::from(6_u8).pow(1000)), "1.41e778");
/// ```
#[must_use]
pub fn count(n: &UBig) -> String {
    let digits = n.to_string();
    if digits.len() <= 24 {
        return grouped(digits);
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1)
}

/// A count with its noun: `1 candidate`, `12,345 candidates`.
///
/// ```
/// use oddsmith_numbers::plural;
/// assert_eq!([plural(1, "case"), plural(12_345, "case")], ["1 case", "12,345 cases"]);
/// ```
#[must_use]
pub fn plural(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(number))
}

/// Words one after the other, as in a sentence.
///
/// ```
/// use oddsmith_numbers::list;
/// assert_eq!(list(&["Hit"]), "Hit");
/// assert_eq!(list(&["Miss", "Graze", "Hit"]), "Miss, Graze and Hit");
/// ```
#[must_use]
pub fn list(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

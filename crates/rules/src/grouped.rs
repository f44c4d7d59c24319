//! How large whole numbers are written.

use std::fmt::Display;

/// A whole number with its digits in groups of three from 10,000 on.
///
/// ```
/// use oddsmith_rules::grouped;
/// assert_eq!([grouped(1296), grouped(-46_656)], ["1296", "-46,656"]);
/// ```
#[must_use]
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let (sign, digits) = digits
        .strip_prefix('-')
        .map_or(("", digits.as_str()), |rest| ("-", rest));
    if digits.len() < 5 {
        return format!("{sign}{digits}");
    }
    let (head, rest) = digits.split_at(digits.len() % 3);
    let places = (0..rest.len()).step_by(3);
    let groups = places.map(|at| &rest[at..at + 3]);
    let head = (!head.is_empty()).then_some(head);
    let groups: Vec<&str> = head.into_iter().chain(groups).collect();
    format!("{sign}{}", groups.join(","))
}

//! Numbers in words, as `oddsmith_numbers` writes them, and what stands around them in a sentence.

use oddsmith_exact::Dist;

pub(crate) use oddsmith_numbers::{
    Form, count, decimals, deviation, exact_value, grouped, list, odds, plural, share, value,
};

/// What is said where a variance stands.
pub(crate) const VARIANCE: &str = "variance: the mean of the squared distance from the mean; its square root is sd, the standard deviation";

/// The least and the greatest value.
pub(crate) fn range(dist: &Dist) -> String {
    match dist.as_constant() {
        Some(value) => format!("always {value}"),
        None => format!("{} to {}", dist.min(), dist.max()),
    }
}

/// `1 configuration`, `12,345 configurations`
pub(crate) fn configurations(number: u64) -> String {
    plural(number, "configuration")
}

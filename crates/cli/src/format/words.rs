//! Numbers in words, as `oddsmith_numbers` writes them, and what stands around them in a sentence.

pub(crate) use oddsmith_numbers::{
    Form, count, decimals, deviation, exact_value, grouped, list, odds, plural, share, value,
};

/// `1 configuration`, `12,345 configurations`
pub(crate) fn configurations(number: u64) -> String {
    plural(number, "configuration")
}

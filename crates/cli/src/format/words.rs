//! Numbers in words, as `oddsmith_numbers` writes them, and what stands around them in a sentence.

pub(crate) use oddsmith_numbers::{
    Form, count, decimals, deviation, exact_value, grouped, odds, plural, share, value,
};

/// `a`, `a and b`, `a, b and c`
pub(crate) fn list(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// `1 configuration`, `12,345 configurations`
pub(crate) fn configurations(number: u64) -> String {
    plural(number, "configuration")
}

//! Differences in words: points between two probabilities, and what is between two numbers.

use oddsmith_exact::RBig;

use super::words::{self, Form};

/// A difference of probabilities in points, and else of numbers: `+0.75`, `-12`, `0` if there is none.
pub(crate) fn signed(difference: &RBig, is_probability: bool, form: Form) -> String {
    if *difference == RBig::ZERO {
        return "0".to_owned();
    }
    let sign = if *difference > RBig::ZERO { '+' } else { '-' };
    format!(
        "{sign}{}",
        magnitude(&size(difference), is_probability, form)
    )
}

/// The same of a difference that is not negative, without a sign.
pub(crate) fn magnitude(size: &RBig, is_probability: bool, form: Form) -> String {
    if is_probability {
        points(size, form)
    } else {
        words::value(size)
    }
}

/// How large a difference is, whichever way.
pub(crate) fn size(difference: &RBig) -> RBig {
    difference.clone().max(-difference.clone())
}

/// Percentage points of a difference that is not negative: `0.75`; as decimals, `0.0075`. What is not nothing does not
/// read as if it were.
pub(crate) fn points(size: &RBig, form: Form) -> String {
    let mut text = share(size, form);
    if text.ends_with('%') {
        text.pop();
    }
    text
}

/// A share of all rolls that is a difference too.
pub(crate) fn share(ratio: &RBig, form: Form) -> String {
    form.of_differences().show_ratio(ratio)
}

//! Differences: points between two probabilities, and what is between two numbers.

use dashu_ratio::RBig;

use crate::{Form, Style, value};

/// A difference of probabilities in points, and else of numbers: `+0.75`, `-12`, `0` if there is none.
///
/// ```
/// use oddsmith_numbers::{Form, RBig, difference::signed};
/// let difference = RBig::from_parts((-1).into(), 8_u8.into());
/// assert_eq!(signed(&difference, true, Form::USUAL), "-12.50");
/// assert_eq!(signed(&difference, false, Form::USUAL), "-0.125");
/// ```
#[must_use]
pub fn signed(difference: &RBig, is_probability: bool, form: Form) -> String {
    Style::Plain.difference(difference, |size| magnitude(size, is_probability, form))
}

/// A difference that is not negative, without a sign, as [`signed`] has it.
#[must_use]
pub fn magnitude(size: &RBig, is_probability: bool, form: Form) -> String {
    if is_probability {
        points(size, form)
    } else {
        value(size)
    }
}

/// How large a difference is, whichever way.
#[must_use]
pub fn size(difference: &RBig) -> RBig {
    difference.clone().max(-difference.clone())
}

/// Percentage points of a difference that is not negative: `0.75`; as decimals, `0.0075`. What is not nothing does not
/// read as if it were.
#[must_use]
pub fn points(size: &RBig, form: Form) -> String {
    let mut text = share(size, form);
    if text.ends_with('%') {
        text.pop();
    }
    text
}

/// A share of all rolls that is a difference too.
#[must_use]
pub fn share(ratio: &RBig, form: Form) -> String {
    form.of_differences().show_ratio(ratio)
}

impl Style {
    /// A difference with its sign, its size as `show` writes it; `0` if there is none.
    pub fn difference(self, difference: &RBig, show: impl FnOnce(&RBig) -> String) -> String {
        if *difference == RBig::ZERO {
            return "0".to_owned();
        }
        let sign = match *difference > RBig::ZERO {
            true => '+',
            false => self.minus(),
        };
        format!("{sign}{}", show(&size(difference)))
    }
}

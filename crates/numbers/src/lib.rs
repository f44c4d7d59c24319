//! Exact numbers as people and programs read them.
//!
//! The one place where numbers are written: tables, messages, pictures and pages all ask here, so that equal numbers read
//! alike. All are rounded from exact fractions; no float comes between a number and its digits.
//!
//! | number | written by |
//! |---|---|
//! | a probability | [`Form`]: `12.35%`, `0.1235`, `1 in 8.1`, `10/81` |
//! | a mean and the like | [`value()`]; with its fraction [`exact_value`]; of a variance [`deviation`] |
//! | a difference | [`difference`] |
//! | a count | [`count()`], [`grouped`]; with its noun [`plural`]; several words [`list`] |
//! | a number in a narrow place, the marks of a scale | [`narrow`] |
//! | a decimal for programs | [`decimal`] |
//!
//! [`Style`] tells plain text, which has hyphens, from what is printed, which has minus signs.
//!
//! ```
//! use oddsmith_numbers::{Form, RBig, Style, value};
//!
//! let share = RBig::from_parts(1.into(), 3_u8.into());
//! assert_eq!(Form::Percent(2).show_ratio(&share), "33.33%");
//! assert_eq!(value(&-share), "-0.3333");
//! assert_eq!(Style::Print.value(&RBig::from(-12_345)), "−12,345");
//! ```

mod count;
pub mod decimal;
pub mod difference;
mod form;
pub mod narrow;
mod round;
mod style;
mod value;

pub use count::{count, grouped, list, plural};
pub use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig;
pub use form::{Form, odds, share};
pub use round::with_point;
pub use style::{Style, typeset};
pub use value::{decimals, deviation, exact_value, value};

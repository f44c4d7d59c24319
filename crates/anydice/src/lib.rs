//! AnyDice programs, answered exactly.
//!
//! A [`Program`] is read from a text in the language of AnyDice, and run within a budget; each of its outputs has a
//! distribution with integer weights, and says how much of it a limit of the language cut off.

mod source;
mod token;

pub use source::{Error, ErrorKind, Span};

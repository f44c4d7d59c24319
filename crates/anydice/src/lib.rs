//! AnyDice programs, answered exactly.
//!
//! A [`Program`] is read from a text in the language of AnyDice, and run within a budget; each of its outputs has a
//! distribution with integer weights, and says how much of it a limit of the language cut off.

mod builtin;
mod dice;
mod expand;
mod fault;
mod numbers;
mod operators;
mod parse;
mod places;
mod source;
mod syntax;
mod token;
mod value;

use source::Result;
pub use source::{Error, ErrorKind, Span};

/// A program that was read.
#[derive(Clone, Debug)]
pub struct Program {
    code: syntax::Code,
}

impl Program {
    /// Reads a program.
    ///
    /// # Errors
    /// An error of [`ErrorKind::Syntax`], or a refusal of a text whose parts lie too deep in one another.
    pub fn parse(text: &str) -> Result<Self> {
        Ok(Self {
            code: parse::parse(text)?,
        })
    }
}

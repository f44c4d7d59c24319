//! From text to a syntax tree.

mod cursor;
mod expression;
mod statement;

use crate::source::Result;
use crate::syntax::Code;
use cursor::Cursor;

/// Reads a whole program.
pub(crate) fn parse(text: &str) -> Result<Code> {
    let mut cursor = Cursor::new(text)?;
    let body = cursor.program()?;
    Ok(Code {
        body,
        ..cursor.code
    })
}

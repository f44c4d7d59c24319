//! From text to a syntax tree.

mod cursor;
mod expression;
mod recovery;
mod statement;

use crate::source::Errors;
use crate::syntax::Code;
use cursor::Cursor;

/// Reads a whole program.
pub(crate) fn parse(text: &str) -> Result<Code, Errors> {
    let mut cursor = Cursor::new(text);
    let body = cursor.program();
    cursor.finish(body)
}

//! From text to syntax: scripts, functions, conditions and queries.

pub(crate) mod ast;
mod choose;
mod dice;
mod expr;
mod lexer;
mod parser;
mod query;
mod script;
mod slips;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use lexer::{is_keyword, refuse_die};
pub(crate) use parser::{parse_expr, parse_function};
pub(crate) use query::parse_query;
pub(crate) use script::parse_script;

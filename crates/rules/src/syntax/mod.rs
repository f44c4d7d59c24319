//! From text to syntax: scripts, functions, conditions and queries.

pub(crate) mod ast;
mod choose;
mod dice;
mod expr;
mod fold;
mod items;
mod lexemes;
mod lexer;
mod parser;
mod passes;
mod query;
mod script;
mod slips;
mod taught;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use lexemes::{Lexeme, LexemeKind, lexemes, word_in};
pub(crate) use lexer::{is_keyword, narrow, refuse_die};
pub(crate) use parser::{parse_expr, parse_function};
pub(crate) use query::{QUERY_WORDS, parse_query};
pub(crate) use script::parse_script;
pub(crate) use taught::{function as taught_function, or_taught};

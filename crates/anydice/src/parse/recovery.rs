//! What is read after an error, so that others are found and none is told that follows from it.

use oddsmith_diagnostics::nearest;

use super::cursor::Cursor;
use super::statement::{Place, STATEMENTS};
use crate::source::Error;
use crate::syntax::Statement;
use crate::token::Token;

impl Cursor<'_> {
    /// A statement, or nothing if there is an error: then what is left of it is passed.
    pub(super) fn recovered(&mut self, place: Place) -> Option<Statement> {
        let (start, first) = (self.place(), self.token());
        match self.statement(place) {
            Ok(statement) => Some(statement),
            Err(error) => {
                // What has no meaning was told while the characters were read.
                if self.token() != Token::Wrong {
                    self.tell(error);
                }
                if self.place() == start {
                    self.advance();
                }
                self.pass(&first, place);
                None
            }
        }
    }

    /// Passes what is left of a statement that began with some token, up to the next statement, or to the end of the block.
    /// The statements of its own blocks are read.
    fn pass(&mut self, first: &Token<'_>, place: Place) {
        let is_function = matches!(first, Token::Word(word) if is_function(word));
        let inside = if is_function { Place::Function } else { place };
        let has_block = is_function || matches!(first, Token::Word("if" | "loop" | "else"));
        loop {
            match self.token() {
                Token::End => break,
                Token::Sign("}") if self.sequences == 0 => break,
                Token::Sign("}") => {
                    self.sequences -= 1;
                    self.advance();
                }
                Token::Sign("{") if self.begins_block(has_block) => {
                    self.sequences = 0;
                    if let Err(error) = self.block(inside) {
                        self.tell(error);
                    }
                }
                Token::Sign("{") => {
                    self.sequences += 1;
                    self.advance();
                }
                // The parameters of a function look like variables that get values.
                Token::Name(_) if is_function => {
                    self.advance();
                }
                Token::Word(word) if is_misspelt(word) => break,
                _ if self.begins_statement(0) => break,
                _ => {
                    self.advance();
                }
            }
        }
        self.sequences = 0;
    }

    /// Whether the bracket at hand begins a block, and no sequence.
    fn begins_block(&self, has_block: bool) -> bool {
        match self.second() {
            Token::Name(_) => has_block && self.begins_statement(1),
            _ => self.begins_statement(1),
        }
    }

    /// Whether a statement begins so many tokens after the one at hand.
    fn begins_statement(&self, by: usize) -> bool {
        let next = self.later(by + 1);
        match self.later(by) {
            Token::Word("output" | "if") => true,
            Token::Word("function" | "result") => next == Token::Sign(":"),
            Token::Word("loop") => matches!(next, Token::Name(_)),
            Token::Word("set") => matches!(next, Token::Text(_)),
            Token::Name(_) => self.sequences == 0 && next == Token::Sign(":"),
            _ => false,
        }
    }

    /// Passes a bracket that closes no block. It may be there because of what was told before.
    pub(super) fn closed_too_often(&mut self) {
        if self.told() == 0 {
            self.tell(self.no_statement());
        }
        self.advance();
    }

    /// Whether the statement at hand is none that a function can have.
    pub(super) fn is_outside_only(&self) -> bool {
        matches!(self.token(), Token::Word("output" | "function" | "set"))
    }

    /// Tells, once for a function, that the statement at hand stands where its block should have ended; whether it is a part of
    /// the block all the same, since that ends later.
    pub(super) fn goes_on(&mut self, after_result: bool) -> bool {
        if self.closes.is_none() {
            self.tell(self.misplaced(after_result));
            self.closes = Some(self.closes_later());
        }
        self.closes == Some(true)
    }

    /// The error that the statement at hand can't be here.
    fn misplaced(&self, after_result: bool) -> Error {
        let start = self.span();
        match self.token() {
            _ if after_result => self
                .expected("`}` after a result")
                .with_help("`result:` ends the function, so it is the last statement of its block"),
            Token::Word("output") => Error::syntax(start, "`output` stands inside a function")
                .with_help(
                    "end the function with `result: …`, and write `output [its name]` after it",
                ),
            token => Error::syntax(start, format!("{} stands inside a function", token.words()))
                .with_help("put it before the function"),
        }
    }
}

/// Whether a word begins a function, or is most likely meant to.
fn is_function(word: &str) -> bool {
    nearest(word, STATEMENTS) == Some("function")
}

/// Whether a word is most likely meant to begin a statement.
fn is_misspelt(word: &str) -> bool {
    word.len() > 3 && !STATEMENTS.contains(&word) && nearest(word, STATEMENTS).is_some()
}

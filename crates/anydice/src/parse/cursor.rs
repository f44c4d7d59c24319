//! The place in the tokens of a program.

use std::collections::HashMap;

use crate::source::{Error, ErrorKind, Errors, Result, Span};
use crate::syntax::{Block, Code, Shape};
use crate::token::{Token, tokens};

/// How deep expressions and blocks may lie in one another.
const DEEPEST: u32 = 200;

/// Tokens, how far they are read, and what was found so far.
pub(super) struct Cursor<'a> {
    tokens: Vec<(Token<'a>, Span)>,
    at: usize,
    depth: u32,
    errors: Vec<Error>,
    /// Whether more errors were found than are told.
    has_more: bool,
    /// How many sequences are open.
    pub(super) sequences: u32,
    /// Once something was told of the function at hand that may hang on a bracket that is missing at its end: whether the bracket
    /// is there.
    pub(super) closes: Option<bool>,
    pub(super) code: Code,
    names: HashMap<&'a str, usize>,
    shapes: HashMap<Shape, usize>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let tokens = tokens(text);
        Self {
            tokens: tokens.list,
            at: 0,
            depth: 0,
            errors: tokens.errors,
            has_more: false,
            sequences: 0,
            closes: None,
            code: Code::default(),
            names: HashMap::new(),
            shapes: HashMap::new(),
        }
    }

    /// What was read, or what is wrong with it.
    pub(super) fn finish(self, body: Block) -> std::result::Result<Code, Errors> {
        let has_more = self.has_more || self.errors.len() == Errors::MOST;
        match Errors::of(self.errors, has_more) {
            Some(errors) => Err(errors),
            None => Ok(Code { body, ..self.code }),
        }
    }

    /// Keeps an error, the first one of a place. Where there are too many, or a text lies too deep, no more is read.
    pub(super) fn tell(&mut self, error: Error) {
        let start = error.span.start;
        if self.errors.iter().any(|told| told.span.start == start) {
            return;
        }
        let is_last = error.kind == ErrorKind::Refused;
        self.has_more = self.errors.len() + 1 >= Errors::MOST;
        if !self.has_more {
            self.errors.push(error);
        }
        if is_last || self.has_more {
            self.at = self.tokens.len() - 1;
        }
    }

    /// How many errors were told so far.
    pub(super) fn told(&self) -> usize {
        self.errors.len()
    }

    /// How many tokens are passed.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    /// Whether a block that is open at the token at hand is closed later.
    pub(super) fn closes_later(&self) -> bool {
        let mut open = 1;
        self.tokens[self.at..].iter().any(|(token, _)| {
            match token {
                Token::Sign("{") => open += 1,
                Token::Sign("}") => open -= 1,
                _ => {}
            }
            open == 0
        })
    }

    /// The token at hand.
    pub(super) fn token(&self) -> Token<'a> {
        self.tokens[self.at].0
    }

    /// Its place.
    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The token after the one at hand.
    pub(super) fn second(&self) -> Token<'a> {
        self.later(1)
    }

    /// The token so many after the one at hand.
    pub(super) fn later(&self, by: usize) -> Token<'a> {
        self.tokens[(self.at + by).min(self.tokens.len() - 1)].0
    }

    /// The place of the token before the one at hand.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    /// Goes on to the next token; the end is never passed.
    pub(super) fn advance(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    /// Passes a token if it is the one at hand.
    pub(super) fn take(&mut self, token: &Token<'_>) -> bool {
        let is_here = self.token() == *token;
        if is_here {
            self.advance();
        }
        is_here
    }

    /// Passes a sign that must be here.
    pub(super) fn sign(&mut self, sign: &'static str, why: &str) -> Result<Span> {
        match self.token() == Token::Sign(sign) {
            true => Ok(self.advance()),
            false => Err(self.expected(&format!("`{sign}` {why}"))),
        }
    }

    /// Passes a keyword that must be here.
    pub(super) fn word(&mut self, word: &str, why: &str) -> Result<Span> {
        match self.token() == Token::Word(word) {
            true => Ok(self.advance()),
            false => Err(self.expected(&format!("`{word}` {why}"))),
        }
    }

    /// Passes the name of a variable that must be here.
    pub(super) fn name(&mut self, why: &str) -> Result<usize> {
        let Token::Name(name) = self.token() else {
            let error = self.expected(&format!("the name of a variable {why}"));
            return Err(error.with_help("names of variables are written in capitals, such as ROLL"));
        };
        self.advance();
        Ok(self.variable(name))
    }

    /// The number of a variable.
    pub(super) fn variable(&mut self, name: &'a str) -> usize {
        *self.names.entry(name).or_insert_with(|| {
            self.code.names.push(name.to_owned());
            self.code.names.len() - 1
        })
    }

    /// The number of a shape.
    pub(super) fn shape(&mut self, shape: Shape) -> usize {
        *self.shapes.entry(shape).or_insert_with_key(|shape| {
            self.code.shapes.push(shape.clone());
            self.code.shapes.len() - 1
        })
    }

    /// The error that something else was expected here.
    pub(super) fn expected(&self, what: &str) -> Error {
        let found = self.token().words();
        Error::syntax(self.span(), format!("expected {what}, found {found}"))
    }

    /// Reads something that lies a level deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            let message = format!("brackets and blocks lie more than {DEEPEST} deep here");
            return Err(Error::refused(self.span(), message)
                .with_help("give a part a name: PART: …, and use it here"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }
}

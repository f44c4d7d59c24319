//! Expressions: operators by their ranks, sequences, calls.

use super::cursor::Cursor;
use crate::source::Result;
use crate::syntax::{Element, Expr, ExprKind, Operator, Prefix};
use crate::token::Token;

impl Cursor<'_> {
    pub(super) fn expression(&mut self) -> Result<Expr> {
        self.deeper(|cursor| cursor.rank(0))
    }

    /// Operators of a rank, and all that bind tighter.
    fn rank(&mut self, rank: usize) -> Result<Expr> {
        let Some(operators) = Operator::RANKS.get(rank) else {
            return self.prefixed();
        };
        let first = self.rank(rank + 1)?;
        let mut rest = Vec::new();
        while let Some(operator) = self.operator(operators) {
            rest.push((operator, self.rank(rank + 1)?));
        }
        let Some((_, last)) = rest.last() else {
            return Ok(first);
        };
        let span = first.span.to(last.span);
        let kind = ExprKind::Chain(Box::new(first), rest);
        Ok(Expr { kind, span })
    }

    /// Passes an operator of a rank.
    fn operator(&mut self, rank: &[(&'static str, Operator)]) -> Option<Operator> {
        let (Token::Sign(sign) | Token::Word(sign)) = self.token() else {
            return None;
        };
        let found = rank.iter().find(|(written, _)| *written == sign);
        let (_, operator) = found?;
        self.advance();
        Some(*operator)
    }

    fn prefixed(&mut self) -> Result<Expr> {
        let prefix = match self.token() {
            Token::Sign("#") => Prefix::Count,
            Token::Sign("!") => Prefix::Not,
            Token::Sign("-") => Prefix::Minus,
            Token::Sign("+") => Prefix::Plus,
            Token::Word("d") => Prefix::Die,
            _ => return self.atom(),
        };
        let start = self.advance();
        let operand = self.deeper(Self::prefixed)?;
        let span = start.to(operand.span);
        let kind = ExprKind::Prefix(prefix, Box::new(operand));
        Ok(Expr { kind, span })
    }

    fn atom(&mut self) -> Result<Expr> {
        let start = self.span();
        let kind = match self.token() {
            Token::Number(number) => {
                self.advance();
                ExprKind::Number(number)
            }
            Token::Name(name) => {
                self.advance();
                ExprKind::Name(self.variable(name))
            }
            Token::Sign("(") => {
                self.advance();
                let inside = self.expression()?;
                self.sign(")", "that closes this bracket")?;
                inside.kind
            }
            Token::Sign("{") => self.sequence()?,
            Token::Sign("[") => self.call()?,
            _ => return Err(self.no_value()),
        };
        let span = start.to(self.last_span());
        Ok(Expr { kind, span })
    }

    /// The error that there is no value here.
    fn no_value(&self) -> crate::Error {
        let error = self.expected("a value");
        match self.token() {
            Token::Word(word) if word.starts_with('d') && word.trim_matches('d').is_empty() => {
                error.with_help("a die of a die is written with brackets: d(d6)")
            }
            Token::Word(word) => error.with_help(format!(
                "names of variables are written in capitals, {}, and calls in square brackets, [{word} …]",
                word.to_uppercase()
            )),
            Token::Text(_) => {
                error.with_help("texts stand only after `named`, and in `set \"…\" to \"…\"`")
            }
            _ => error.with_help("values are numbers, dice such as 2d6, sequences such as {1..3}, names and calls"),
        }
    }

    fn sequence(&mut self) -> Result<ExprKind> {
        self.advance();
        let mut elements = Vec::new();
        self.sequences += 1;
        if self.take(&Token::Sign("}")) {
            self.sequences -= 1;
            return Ok(ExprKind::Sequence(elements));
        }
        loop {
            elements.push(self.element()?);
            if !self.take(&Token::Sign(",")) {
                break;
            }
        }
        self.sign("}", "that closes this sequence")?;
        self.sequences -= 1;
        Ok(ExprKind::Sequence(elements))
    }

    fn element(&mut self) -> Result<Element> {
        let from = self.expression()?;
        let to = match self.take(&Token::Sign(".")) {
            true => {
                self.sign(".", "of a range such as 1..6")?;
                Some(self.expression()?)
            }
            false => None,
        };
        let times = match self.take(&Token::Sign(":")) {
            true => Some(self.expression()?),
            false => None,
        };
        Ok(Element { from, to, times })
    }

    /// A call: words, and an argument in every gap between them.
    fn call(&mut self) -> Result<ExprKind> {
        self.advance();
        let mut shape = Vec::new();
        let mut arguments = Vec::new();
        while !self.take(&Token::Sign("]")) {
            match self.token() {
                Token::Word(word) if word != "d" => {
                    self.advance();
                    shape.push(Some(word.to_owned()));
                }
                Token::End => return Err(self.expected("`]` that closes this call")),
                _ => {
                    arguments.push(self.expression()?);
                    shape.push(None);
                }
            }
        }
        let shape = self.shape(shape);
        Ok(ExprKind::Call(shape, arguments))
    }
}

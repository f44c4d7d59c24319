//! Statements: outputs, variables, functions, loops, conditions, settings.

use oddsmith_diagnostics::nearest;

use super::cursor::Cursor;
use crate::source::{Error, Result, Span};
use crate::syntax::{
    Block, Function, Order, Parameter, ParameterKind, Piece, Setting, Shape, Statement,
};
use crate::token::Token;

/// Whether a block is a part of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Outside,
    Function,
}

pub(super) const STATEMENTS: [&str; 6] = ["output", "function", "loop", "if", "set", "result"];

impl<'a> Cursor<'a> {
    pub(super) fn program(&mut self) -> Block {
        let mut body = Vec::new();
        while self.token() != Token::End {
            if self.token() == Token::Sign("}") {
                self.closed_too_often();
            } else {
                body.extend(self.recovered(Place::Outside));
            }
        }
        body
    }

    /// Statements between `{` and `}`.
    pub(super) fn block(&mut self, place: Place) -> Result<Block> {
        self.sign("{", "that begins a block")?;
        let told = self.told();
        let body = self.deeper(|cursor| Ok(cursor.statements(place)))?;
        // What was told may be why there is none.
        if !self.take(&Token::Sign("}")) && self.told() == told {
            return Err(self.expected("`}` that ends this block"));
        }
        Ok(body)
    }

    fn statements(&mut self, place: Place) -> Block {
        let mut body = Vec::new();
        while !matches!(self.token(), Token::Sign("}") | Token::End) {
            let after_result = matches!(body.last(), Some(Statement::Result(_)));
            if (after_result || place == Place::Function && self.is_outside_only())
                && !self.goes_on(after_result)
            {
                break;
            }
            body.extend(self.recovered(place));
        }
        body
    }

    pub(super) fn statement(&mut self, place: Place) -> Result<Statement> {
        let inside = place == Place::Function;
        let start = self.span();
        match self.token() {
            Token::Name(_) => self.assignment(),
            Token::Word("if") => self.condition(place),
            Token::Word("loop") => self.repetition(place),
            Token::Word("result") if inside => self.result(),
            Token::Word("output") => self.output(),
            Token::Word("function") => self.function(),
            Token::Word("set") => self.setting(),
            Token::Word("result") => Err(Error::syntax(
                start,
                "`result:` stands outside of a function",
            )
            .with_help("write `output` to show a value")),
            _ => Err(self.no_statement()),
        }
    }

    /// The error that no statement begins here.
    pub(super) fn no_statement(&self) -> Error {
        let error = self.expected("a statement");
        match self.token() {
            Token::Word(word) => match nearest(word, STATEMENTS) {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => error.with_help(
                    "write `output` before a value to show it; names of variables are written in capitals",
                ),
            },
            Token::Number(_) | Token::Sign("{" | "[" | "(" | "#" | "!" | "-") => {
                error.with_help("write `output` before a value to show it, or NAME: to keep it")
            }
            _ => error.with_help("statements begin with output, function:, loop, if, set, or NAME:"),
        }
    }

    fn assignment(&mut self) -> Result<Statement> {
        let name = self.name("")?;
        self.sign(":", "after the name of a variable that gets a value")?;
        let value = self.expression()?;
        Ok(Statement::Assign { name, value })
    }

    fn result(&mut self) -> Result<Statement> {
        self.advance();
        self.sign(":", "after `result`")?;
        Ok(Statement::Result(self.expression()?))
    }

    fn output(&mut self) -> Result<Statement> {
        let start = self.advance();
        let value = self.expression()?;
        let span = start.to(value.span);
        let label = match self.take(&Token::Word("named")) {
            true => Some(self.label()?),
            false => None,
        };
        Ok(Statement::Output { value, label, span })
    }

    /// A text with names of variables in square brackets.
    fn label(&mut self) -> Result<Vec<Piece>> {
        let Token::Text(text) = self.token() else {
            return Err(self.expected("a text in quotes after `named`"));
        };
        let start = self.advance().start + 1;
        let (mut pieces, mut done) = (Vec::new(), 0);
        for (open, _) in text.match_indices('[') {
            let inside = &text[open + 1..];
            let name = inside.split_once(']').map_or("", |(name, _)| name);
            if open < done || !is_name(name) {
                continue;
            }
            pieces.push(Piece::Text(text[done..open].to_owned()));
            done = open + name.len() + 2;
            let span = Span::new(start + open, start + done);
            pieces.push(Piece::Name(self.variable(name), span));
        }
        pieces.push(Piece::Text(text[done..].to_owned()));
        Ok(pieces)
    }

    fn function(&mut self) -> Result<Statement> {
        self.advance();
        self.sign(":", "after `function`")?;
        let (shape, parameters) = self.heading()?;
        let shape = self.shape(shape);
        let closes = self.closes.take();
        let body = self.block(Place::Function);
        self.closes = closes;
        let body = body?;
        self.code.functions.push(Function {
            shape,
            parameters,
            body,
        });
        Ok(Statement::Define(self.code.functions.len() - 1))
    }

    /// The words and parameters of a function.
    fn heading(&mut self) -> Result<(Shape, Vec<Parameter>)> {
        let (mut shape, mut parameters) = (Vec::new(), Vec::new());
        loop {
            match self.token() {
                Token::Word(word) => {
                    self.advance();
                    shape.push(Some(word.to_owned()));
                }
                Token::Name(name) => {
                    self.advance();
                    shape.push(None);
                    let name = self.variable(name);
                    let kind = self.parameter_kind()?;
                    parameters.push(Parameter { name, kind });
                }
                _ => return Ok((shape, parameters)),
            }
        }
    }

    fn parameter_kind(&mut self) -> Result<ParameterKind> {
        if !self.take(&Token::Sign(":")) {
            return Ok(ParameterKind::Any);
        }
        let kind = match self.token() {
            Token::Word("n") => ParameterKind::Number,
            Token::Word("s") => ParameterKind::Sequence,
            Token::Word("d") => ParameterKind::Die,
            Token::Sign("?") => ParameterKind::Any,
            _ => {
                return Err(self
                    .expected("n, s or d after `:` of a parameter")
                    .with_help(
                        "n is a number, s a sequence, d a die; without `:` it is whatever it gets",
                    ));
            }
        };
        self.advance();
        Ok(kind)
    }

    fn repetition(&mut self, place: Place) -> Result<Statement> {
        self.advance();
        let name = self.name("after `loop`")?;
        self.word("over", "and a sequence after the name of a loop")?;
        let over = self.expression()?;
        let body = self.block(place)?;
        Ok(Statement::Loop { name, over, body })
    }

    fn condition(&mut self, place: Place) -> Result<Statement> {
        let mut arms = Vec::new();
        loop {
            self.advance();
            let condition = self.expression()?;
            arms.push((condition, self.block(place)?));
            if self.token() != Token::Word("else") || self.second() != Token::Word("if") {
                break;
            }
            self.advance();
        }
        let otherwise = match self.take(&Token::Word("else")) {
            true => self.block(place)?,
            false => Vec::new(),
        };
        Ok(Statement::If { arms, otherwise })
    }

    fn setting(&mut self) -> Result<Statement> {
        let start = self.advance();
        let Token::Text(key) = self.token() else {
            return Err(self.expected("the name of a setting in quotes after `set`"));
        };
        let place = self.advance();
        self.word("to", "after the name of a setting")?;
        let setting = self.setting_of(key, place)?;
        let span = start.to(self.last_span());
        Ok(Statement::Set { setting, span })
    }

    fn setting_of(&mut self, key: &'a str, place: Span) -> Result<Setting> {
        const KEYS: [&str; 3] = ["position order", "explode depth", "maximum function depth"];
        match key {
            "position order" => {
                let order = match self.token() {
                    Token::Text("highest first") => Order::HighestFirst,
                    Token::Text("lowest first") => Order::LowestFirst,
                    _ => return Err(self.expected("\"highest first\" or \"lowest first\"")),
                };
                self.advance();
                Ok(Setting::PositionOrder(order))
            }
            "explode depth" => Ok(Setting::ExplodeDepth(self.expression()?)),
            "maximum function depth" => Ok(Setting::FunctionDepth(self.expression()?)),
            _ => {
                let help = match nearest(key, KEYS) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => format!("there are \"{}\"", KEYS.join("\", \"")),
                };
                Err(Error::syntax(place, format!("there is no setting \"{key}\"")).with_help(help))
            }
        }
    }
}

/// Whether a text is the name of a variable.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

//! Statements, and how reading goes on after an error in one of them.

use super::ast::{Expr, ExprKind, Name, Party, Script, Statement};
use super::lexer::{Bracket, DieHead, Keyword, Token, TokenKind};
use super::parser::{Failure, Parsed, Parser};
use crate::source::{Reporter, Span};

/// Reads a check's or track's `rules`; `text` starts at byte `offset` of the reporter's source.
///
/// After an error it goes on with the next statement, so that one run reports an error for each
/// statement that has one. A `let` whose value could not be read binds [`ExprKind::Error`].
pub(crate) fn parse_script(text: &str, offset: usize, reporter: &mut Reporter) -> Script {
    let mut parser = Parser::new(text, offset, &reporter.source);
    let mut reader = Statements {
        reporter,
        blocks: 0,
    };
    let statements = reader.read(&mut parser);
    Script { statements }
}

struct Statements<'r> {
    reporter: &'r mut Reporter,
    /// Blocks that are open here.
    blocks: usize,
}

impl Statements<'_> {
    /// Statements up to the end, or up to the `}` of the block they are in.
    fn read(&mut self, parser: &mut Parser<'_>) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            let token = parser.operand();
            match token.kind {
                TokenKind::End => return statements,
                TokenKind::Close(Bracket::Curly) if self.blocks > 0 => return statements,
                _ => {
                    let open_before = parser.begin_statement();
                    if let Err(error) = self.statement(parser, token, &mut statements) {
                        parser.tell(*error, self.reporter);
                        parser.recover(self.blocks > 0);
                    }
                    parser.open_before = open_before;
                }
            }
        }
    }

    fn statement(
        &mut self,
        parser: &mut Parser<'_>,
        token: Token,
        statements: &mut Vec<Statement>,
    ) -> Parsed<()> {
        let meant = parser.meant_keyword(token);
        if let Some(keyword) = meant {
            self.reporter.push(parser.misspelt(token, keyword.word()));
        }
        match meant.map_or(token.kind, TokenKind::Keyword) {
            TokenKind::Keyword(keyword @ (Keyword::Let | Keyword::Show | Keyword::Set)) => {
                parser.take(token);
                let name = parser.expect_name("a name")?;
                if keyword == Keyword::Show && parser.ends_here() {
                    statements.push(Statement::Show { name });
                    return Ok(());
                }
                if keyword == Keyword::Show && parser.calculates() {
                    // The name is that of another value: nothing is bound.
                    return parser.assigned(&name).map(|_| ());
                }
                let place = parser.item_place(keyword, &name)?;
                let value = parser.assigned(&name);
                // The name is bound even so, or every later use of it would be an error too.
                let (value, failure) =
                    value.map_or_else(|e| (error_at(&name), Some(e)), |v| (v, None));
                statements.push(match keyword {
                    Keyword::Set => Statement::Set { name, place, value },
                    _ => Statement::Let {
                        name,
                        value,
                        shown: keyword == Keyword::Show,
                    },
                });
                failure.map_or(Ok(()), Err)
            }
            TokenKind::Keyword(keyword @ (Keyword::Choose | Keyword::Oppose)) => {
                parser.take(token);
                let party = match keyword {
                    Keyword::Oppose => Party::Opponent,
                    _ => Party::Player,
                };
                let name = parser.chosen_name(party)?;
                let (statement, failure) = match parser.choice(token, party, name.clone()) {
                    Ok(choice) => (choice, None),
                    // The name is bound even so.
                    Err(error) => {
                        let (value, shown) = (error_at(&name), false);
                        (Statement::Let { name, value, shown }, Some(error))
                    }
                };
                statements.push(statement);
                failure.map_or(Ok(()), Err)
            }
            TokenKind::Keyword(Keyword::Repeat) => {
                statements.push(parser.nested(|parser| self.repeat(parser, token))?);
                Ok(())
            }
            kind if parser.begins_passes(kind, token) => {
                statements.push(parser.nested(|parser| self.passes(parser, token))?);
                Ok(())
            }
            _ => Err(parser.no_statement(token)),
        }
    }

    fn repeat(&mut self, parser: &mut Parser<'_>, keyword: Token) -> Parsed<Statement> {
        parser.take(keyword);
        let (count, until) = parser.repeat_header(keyword)?;
        let span = Span::new(keyword.span.start, parser.pos);
        let body = self.block(parser)?;
        Ok(Statement::Repeat {
            count,
            until,
            body,
            span,
        })
    }

    fn passes(&mut self, parser: &mut Parser<'_>, keyword: Token) -> Parsed<Statement> {
        parser.take(keyword);
        let (name, from, to) = parser.passes_header(keyword)?;
        let span = Span::new(keyword.span.start, parser.pos);
        let body = self.block(parser)?;
        Ok(Statement::For {
            name,
            from,
            to,
            body,
            span,
        })
    }

    /// `{ … }`, the statements of a loop.
    fn block(&mut self, parser: &mut Parser<'_>) -> Parsed<Vec<Statement>> {
        let brace = parser.operator();
        if brace.kind != TokenKind::Open(Bracket::Curly) {
            return Err(parser.unexpected(brace, "an operator or the `{` of what is repeated"));
        }
        parser.enter(brace, Bracket::Curly);
        self.blocks += 1;
        let body = self.read(parser);
        self.blocks -= 1;
        parser.close("`}`")?;
        Ok(body)
    }
}

/// Stands for a value that could not be read.
fn error_at(name: &Name) -> Expr {
    Expr {
        kind: ExprKind::Error,
        span: name.span,
    }
}

impl Parser<'_> {
    /// Brackets opened from here on belong to a new statement; returns how many did not before.
    fn begin_statement(&mut self) -> usize {
        self.reset_height();
        std::mem::replace(&mut self.open_before, self.open.len())
    }

    /// `= value` and then a statement's end.
    pub(super) fn assigned(&mut self, name: &Name) -> Parsed<Expr> {
        let token = self.operator();
        if self.text(token.span) == "==" {
            let error = self
                .error(token.span, "`==` compares")
                .with_help("write `=`")
                .mended("=");
            return Err(error.into());
        }
        let assign = self.expect(TokenKind::Assign, "`=`")?;
        let next = self.operand();
        if let TokenKind::Keyword(Keyword::Choose | Keyword::Oppose) = next.kind {
            return Err(self.choice_as_value(next, name));
        }
        if next.kind == TokenKind::End || self.begins_statement(next) {
            let error = self.error(assign.span, "`=` needs a value");
            return Err(error.with_label("none follows").into());
        }
        let value = self.expr()?;
        self.statement_end("an operator or the next statement")?;
        Ok(value)
    }

    /// Whether a statement ends here.
    fn ends_here(&self) -> bool {
        let next = self.operator();
        match next.kind {
            TokenKind::End => true,
            TokenKind::Close(Bracket::Curly) => !self.open.is_empty(),
            _ => self.begins_statement(next),
        }
    }

    /// Whether a value goes on here, as in `show pool + skill`.
    fn calculates(&self) -> bool {
        let next = self.operator();
        matches!(self.text(next.span), "+" | "-" | "*")
    }

    /// Nothing, the next statement, or the end of the block; all of which stay.
    pub(super) fn statement_end(&self, expected: &str) -> Parsed<()> {
        if self.ends_here() {
            Ok(())
        } else {
            Err(self.unexpected(self.operator(), expected))
        }
    }

    /// The count and the condition of a `repeat`, at least one of them.
    fn repeat_header(&mut self, keyword: Token) -> Parsed<(Option<Expr>, Option<Expr>)> {
        let count = match self.operand().kind {
            TokenKind::Keyword(Keyword::Until) => None,
            _ => Some(self.repeat_part(keyword)?),
        };
        let token = self.operator();
        if token.kind != TokenKind::Keyword(Keyword::Until) {
            return Ok((count, None));
        }
        self.take(token);
        Ok((count, Some(self.repeat_part(token)?)))
    }

    /// A value; but a `{` here is the block of someone who forgot the value.
    fn repeat_part(&mut self, keyword: Token) -> Parsed<Expr> {
        if self.operand().kind != TokenKind::Open(Bracket::Curly) {
            return self.expr();
        }
        let (missing, help) = if keyword.kind == TokenKind::Keyword(Keyword::Until) {
            ("`until` needs a condition", "write `until left == 0 { … }`")
        } else {
            (
                "`repeat` needs a count or `until`",
                "write `repeat 3 { … }` or `repeat until left == 0 { … }`",
            )
        };
        Err(self.error(keyword.span, missing).with_help(help).into())
    }

    fn no_statement(&self, token: Token) -> Failure {
        let failure = self.unexpected(
            token,
            "a statement (`let`, `show`, `set`, `choose`, `oppose`, `repeat` or `for`)",
        );
        if failure.help.is_some() || !failure.message.starts_with("expected") {
            return failure;
        }
        let next = self.after(token);
        if token.kind == TokenKind::Name && self.assigns(next) {
            // `var x = 3`, `int x = 3`
            let name = self.text(next.span);
            return failure
                .with_help(format!(
                    "write `let {name} = …`, or `show {name} = …` for what the check shows"
                ))
                .into();
        }
        failure
            .with_help("write `show x = …` for what the check shows")
            .into()
    }

    /// Skips to where the next statement begins, or to the `}` of the block this one is in.
    ///
    /// Statements within a `{` met on the way are skipped with it: it is the block of a loop
    /// that could not be read. Within other brackets a statement shows that they are unclosed.
    fn recover(&mut self, in_block: bool) {
        let mut open: Vec<(Bracket, bool)> = self
            .open
            .drain(self.open_before..)
            .map(|opening| (opening.bracket, false))
            .collect();
        loop {
            let token = self.operand();
            match token.kind {
                TokenKind::End => return,
                TokenKind::Open(bracket) | TokenKind::Die(DieHead::Open(bracket)) => {
                    open.push((bracket, bracket == Bracket::Curly));
                }
                TokenKind::Close(bracket) => {
                    match open.iter().rposition(|(other, _)| *other == bracket) {
                        Some(place) => open.truncate(place),
                        None if in_block && bracket == Bracket::Curly => return,
                        None => {}
                    }
                }
                _ if self.begins_statement(token) && !open.iter().any(|(_, block)| *block) => {
                    return;
                }
                _ => {}
            }
            self.take(token);
        }
    }
}

//! The parser's footing: tokens, brackets, limits, and the words for what was not expected.
//!
//! Statements are in `script`, expressions in `expr`, dice in `dice`, queries in `query`. Each
//! function either returns what it read or the one error that stopped it; `script` goes on after
//! one at the next statement.

use std::sync::Arc;

use super::ast::{Expr, Function, Name};
use super::lexer::{Bad, Bracket, Due, Lexer, Token, TokenKind, is_keyword, narrow, refuse_die};
use crate::source::{Diagnostic, Reporter, Source, Span};

/// Bounds both the recursion of the parser and the height of what it builds, so that nothing that
/// walks a tree later has to fear for its stack.
const MAX_LEVELS: usize = 200;

pub(super) type Failure = Box<Diagnostic>;
pub(super) type Parsed<T> = Result<T, Failure>;

/// Reads `(a, b) => body`; `text` starts at byte `offset` of the reporter's source.
pub(crate) fn parse_function(
    text: &str,
    offset: usize,
    reporter: &mut Reporter,
) -> Option<Function> {
    whole(text, offset, reporter, Parser::function)
}

/// Reads a text that is one expression; it starts at byte `offset` of the reporter's source.
pub(crate) fn parse_expr(text: &str, offset: usize, reporter: &mut Reporter) -> Option<Expr> {
    whole(text, offset, reporter, Parser::expr)
}

pub(super) fn whole<'a, T>(
    text: &'a str,
    offset: usize,
    reporter: &mut Reporter,
    parse: impl FnOnce(&mut Parser<'a>) -> Parsed<T>,
) -> Option<T> {
    let mut parser = Parser::new(text, offset, &reporter.source);
    let parsed =
        parse(&mut parser).and_then(|value| parser.end("an operator or the end").map(|()| value));
    let told = |error: Failure| parser.tell(*error, reporter);
    parsed.map_err(told).ok()
}

#[derive(Clone)]
pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    pub(super) source: Arc<Source>,
    /// The end of the last token taken.
    pub(super) pos: usize,
    /// The brackets that are open here, outermost first.
    pub(super) open: Vec<Opening>,
    /// How many of them were open before this statement.
    pub(super) open_before: usize,
    /// Calls of [`Self::nested`] that are under way.
    depth: usize,
    /// The height of the tallest expression read since the innermost of those calls began.
    height: usize,
    /// In a query `&` is `and`.
    pub(super) query: bool,
    /// The parts of items of lists that have been written once for several.
    pub(super) copied: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) bracket: Bracket,
    pub(super) span: Span,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, offset: usize, source: &Arc<Source>) -> Self {
        Self {
            lexer: Lexer::new(text, offset),
            source: Arc::clone(source),
            pos: offset,
            open: Vec::new(),
            open_before: 0,
            depth: 0,
            height: 0,
            query: false,
            copied: 0,
        }
    }

    /// The next token where a value is due.
    pub(super) fn operand(&self) -> Token {
        self.lexer.token(self.pos, Due::Operand)
    }

    /// The next token where a value has just ended.
    pub(super) fn operator(&self) -> Token {
        self.lexer.token(self.pos, Due::Operator)
    }

    /// The token after `token`, where a value is due.
    pub(super) fn after(&self, token: Token) -> Token {
        self.lexer.token(token.span.end, Due::Operand)
    }

    pub(super) fn take(&mut self, token: Token) {
        self.pos = token.span.end;
    }

    pub(super) fn text(&self, span: Span) -> &'a str {
        self.lexer.slice(span)
    }

    /// The whole text, and the byte of its file that it begins at.
    pub(super) fn whole_text(&self) -> (&'a str, usize) {
        self.lexer.whole()
    }

    /// The text of all that stands behind a token.
    pub(super) fn behind(&self, token: Token) -> &'a str {
        self.lexer.rest(token.span.end)
    }

    /// The text of all that has not been taken.
    pub(super) fn rest(&self) -> &'a str {
        self.lexer.rest(self.pos)
    }

    /// The text of all that has been taken.
    pub(super) fn before(&self) -> &'a str {
        self.lexer.before(self.pos)
    }

    pub(super) fn name(&self, token: Token) -> Name {
        Name {
            text: self.text(token.span).to_owned(),
            span: token.span,
        }
    }

    /// Whether `token` is a name that `=` follows: a statement that lacks its keyword.
    pub(super) fn assigns(&self, token: Token) -> bool {
        token.kind == TokenKind::Name && self.after(token).kind == TokenKind::Assign
    }

    /// Takes `kind`, or says that `expected` was.
    pub(super) fn expect(&mut self, kind: TokenKind, expected: &str) -> Parsed<Token> {
        let token = self.operator();
        if token.kind != kind {
            return Err(self.unexpected(token, expected));
        }
        self.take(token);
        Ok(token)
    }

    pub(super) fn expect_name(&mut self, expected: &str) -> Parsed<Name> {
        let token = self.operand();
        if token.kind != TokenKind::Name
            && let Some(refused) = self.refused_die(token)
        {
            return Err(refused.into());
        }
        match token.kind {
            TokenKind::Name if !is_keyword(self.text(token.span)) => {
                self.take(token);
                Ok(self.name(token))
            }
            TokenKind::Name | TokenKind::Keyword(_) if !self.begins_statement(token) => Err(self
                .error(
                    token.span,
                    format!("`{}` is a reserved word", self.text(token.span)),
                )
                .with_label("cannot be a name")
                .into()),
            _ => Err(self.unexpected(token, expected)),
        }
    }

    /// The error of a die where a name is due.
    fn refused_die(&self, token: Token) -> Option<Diagnostic> {
        let word = self.lexer.word_at(token.span.start);
        let follows = self.text(token.span).strip_prefix(word).unwrap_or_default();
        refuse_die(word, follows, |message| self.error(token.span, message))
    }

    /// Nothing but the end, or one of the errors a value with something behind it deserves.
    pub(super) fn end(&mut self, expected: &str) -> Parsed<()> {
        let token = self.operator();
        if token.kind == TokenKind::End {
            Ok(())
        } else {
            Err(self.unexpected(token, expected))
        }
    }

    /// Takes an opening bracket; [`Self::close`] must follow.
    pub(super) fn enter(&mut self, token: Token, bracket: Bracket) {
        self.take(token);
        // A die's bracket is the last byte of its token.
        let span = Span::new(token.span.end - 1, token.span.end);
        self.open.push(Opening { bracket, span });
    }

    /// Takes the closing bracket of the last that was opened.
    pub(super) fn close(&mut self, expected: &str) -> Parsed<()> {
        let token = self.operator();
        let opening = self.open.last().copied();
        match (token.kind, opening) {
            (TokenKind::Close(closing), Some(opening)) if closing == opening.bracket => {
                self.take(token);
                self.open.pop();
                Ok(())
            }
            _ => Err(self.unexpected(token, expected)),
        }
    }

    /// Items with commas between them up to and with the closing bracket.
    pub(super) fn items<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        let bracket = self.open.last().map(|opening| opening.bracket);
        let closes = |token: Token| bracket.map(TokenKind::Close) == Some(token.kind);
        let expected = format!("`,` or `{}`", bracket.map_or(')', Bracket::closing));
        if !closes(self.operand()) {
            items.push(item(self)?);
            while self.operator().kind == TokenKind::Comma {
                self.take(self.operator());
                items.push(item(self)?);
            }
        }
        self.close(&expected)?;
        Ok(items)
    }

    /// One level deeper, as far as the limit allows.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_LEVELS {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let beside = std::mem::take(&mut self.height);
        let parsed = parse(self).and_then(|value| self.grow().map(|()| value));
        self.height = self.height.max(beside);
        self.depth -= 1;
        parsed
    }

    /// What was read last becomes a part of something one level taller.
    pub(super) fn grow(&mut self) -> Parsed<()> {
        self.height += 1;
        if self.height > MAX_LEVELS {
            Err(self.too_deep())
        } else {
            Ok(())
        }
    }

    /// Forgets the heights of earlier statements.
    pub(super) fn reset_height(&mut self) {
        self.height = 0;
    }

    fn too_deep(&self) -> Failure {
        let span = self.operand().span;
        self.error(
            span,
            format!("an expression of more than {MAX_LEVELS} levels"),
        )
        .with_label("too deep")
        .with_help("name its parts with `let`; a `match` without a subject is a level deeper with each arm")
        .into()
    }

    fn function(&mut self) -> Parsed<Function> {
        let open = self.operand();
        if open.kind != TokenKind::Open(Bracket::Round) {
            let error = self.error(
                open.span,
                "a function begins with its parameters in parentheses",
            );
            return Err(error.with_help("write `(a, b) => a + b`").into());
        }
        self.enter(open, Bracket::Round);
        let params = self.items(|parser| parser.expect_name("a parameter"))?;
        self.expect(TokenKind::Arrow, "`=>` and the function's body")?;
        Ok(Function {
            params,
            body: self.expr()?,
        })
    }

    pub(super) fn error(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(&self.source, span, message)
    }

    pub(super) fn begins_statement(&self, token: Token) -> bool {
        match token.kind {
            TokenKind::Keyword(keyword) => keyword.starts_statement(),
            _ => self.meant_keyword(token).is_some(),
        }
    }

    /// `expected` was, `token` is; unless something else explains it better.
    pub(super) fn unexpected(&self, token: Token, expected: &str) -> Failure {
        if let Some(error) = self.bracket_error(token).or_else(|| self.foreign(token)) {
            return error.into();
        }
        if self.assigns(token) {
            return self.no_keyword(token).into();
        }
        if let Some(error) = self.no_set(token) {
            return error.into();
        }
        if let Some(error) = self.slip(token, expected) {
            return error.into();
        }
        let error = self.error(
            token.span,
            format!("expected {expected}, found {}", self.describe(token)),
        );
        let starts_value = matches!(
            token.kind,
            TokenKind::Int(_) | TokenKind::Name | TokenKind::Open(Bracket::Round)
        );
        if starts_value && expected.starts_with("an operator or the ") {
            return error
                .with_help(format!("is {} missing here?", meant_operator(self.query)))
                .into();
        }
        error.into()
    }

    fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::End => "the end".to_owned(),
            _ => format!("`{}`", self.text(token.span)),
        }
    }

    /// A bracket that is never closed, or never opened, if `token` shows one.
    fn bracket_error(&self, token: Token) -> Option<Diagnostic> {
        let innermost = self.open.last();
        match token.kind {
            TokenKind::End => innermost.map(|opening| self.unclosed(*opening)),
            TokenKind::Keyword(keyword) if keyword.starts_statement() => innermost
                .filter(|_| self.open.len() > self.open_before)
                .map(|opening| self.unclosed(*opening)),
            TokenKind::Close(bracket) => {
                if innermost.is_some_and(|opening| opening.bracket == bracket) {
                    return None;
                }
                if self.open.iter().any(|opening| opening.bracket == bracket) {
                    return innermost.map(|opening| self.unclosed(*opening));
                }
                let closing = bracket.closing();
                Some(match innermost {
                    Some(opening) => self
                        .error(
                            token.span,
                            format!("`{closing}` does not close `{}`", opening.bracket.opening()),
                        )
                        .with_related(opening.span, "opened here"),
                    None => self
                        .error(token.span, format!("unmatched `{closing}`"))
                        .with_label(format!("no `{}` before it", bracket.opening())),
                })
            }
            _ => None,
        }
    }

    pub(super) fn unclosed(&self, opening: Opening) -> Diagnostic {
        let Opening { bracket, span } = opening;
        self.error(span, format!("unclosed `{}`", bracket.opening()))
            .with_label(format!("no `{}` closes it", bracket.closing()))
    }

    fn no_keyword(&self, token: Token) -> Diagnostic {
        let name = self.text(token.span);
        let mut rest = self.clone();
        rest.take(self.after(token));
        let value = rest.expr().map_or("…", |value| self.text(value.span));
        let error = self
            .error(token.span, "a statement begins with a keyword")
            .with_label("not one");
        let is_bound = self.before().contains(&format!("let {name} ="));
        error.with_help(match name {
            "band" => format!("write `show band = {value}`"),
            _ if is_bound => format!("write `set {name} = {value}`"),
            _ => format!(
                "write `let {name} = {value}` or, to change an earlier value, `set {name} = {value}`"
            ),
        })
    }

    /// `mean(damage | hit)`, where `mean(damage) | hit` is written.
    fn given_within(&self, pipe: Token) -> Option<String> {
        let call = self.before().trim().strip_suffix(')')?;
        let (name, inside) = call.split_once('(')?;
        // Behind a query in a file stand its quotes, once.
        let rest = self.source.text[pipe.span.end..].lines().next()?;
        let mut parts = rest.split(['"', '\'']);
        let condition = parts.next()?.trim();
        let is_whole = parts.count() < 2 && !condition.split(' ').any(|word| word == "after");
        let is_plain =
            |text: &str| is_whole && !text.is_empty() && !text.contains(['(', ')', '|', '"', '#']);
        let is_call = name.chars().all(char::is_alphanumeric) && is_plain(inside);
        (is_call && is_plain(condition)).then(|| format!("write `{name}({inside} | {condition})`"))
    }

    /// What other languages write, and what is no token at all.
    fn foreign(&self, token: Token) -> Option<Diagnostic> {
        let text = self.text(token.span);
        let error = |message: String| self.error(token.span, message);
        Some(match token.kind {
            TokenKind::Bad(Bad::IntTooLarge) => {
                error("a number that does not fit in 64 bits".to_owned())
            }
            TokenKind::Bad(Bad::UnclosedLabel) => {
                let quote = Span::new(token.span.start, token.span.start + 1);
                self.error(quote, "unclosed `\"`")
                    .with_label("no `\"` closes it on this line")
            }
            TokenKind::Bad(Bad::Comment) => {
                let slashes = Span::new(token.span.start, token.span.start + 2);
                self.error(slashes, "`//` does not begin a comment")
                    .with_help("comments begin with `#`; a division is `floor(a / b)`")
            }
            TokenKind::Bad(Bad::Doubled) => {
                let word = if text == "&&" { "and" } else { "or" };
                error(format!("`{text}` is not an operator"))
                    .with_help(format!("write `{word}`"))
                    .mended(word)
            }
            TokenKind::Bad(Bad::Unknown(character)) => {
                // The text itself, but for a character that would not show.
                let shown = if character.is_ascii_punctuation() {
                    text.to_owned()
                } else {
                    character.escape_debug().to_string()
                };
                let error = error(format!("unknown character `{shown}`"));
                match (meant_by(character), narrow(character)) {
                    (Some(help), _) => error.with_help(help),
                    (None, Some(narrow)) => error
                        .with_help(format!("write `{narrow}`, which is not wide"))
                        .mended(&narrow.to_string()),
                    (None, None) => error,
                }
            }
            TokenKind::Ampersand => {
                error("`&` belongs to queries".to_owned()).with_help("write `and`")
            }
            TokenKind::Pipe if self.query => error(
                "`|`, \"given\", is possible once, outside of all inner parentheses".to_owned(),
            )
            .with_help(
                self.given_within(token)
                    .unwrap_or_else(|| "write `or` if one of two things is meant".to_owned()),
            ),
            TokenKind::Pipe => error("`|` belongs to queries".to_owned()).with_help("write `or`"),
            TokenKind::Bang => error("`!` explodes dice and must follow a die".to_owned())
                .with_help("write `not` for the opposite, `!=` for unequal"),
            _ => return None,
        })
    }
}

/// An operator that may have been left out.
pub(super) fn meant_operator(query: bool) -> &'static str {
    if query {
        "an operator such as `&` or `>=`"
    } else {
        "an operator such as `*` or `+`"
    }
}

fn meant_by(character: char) -> Option<&'static str> {
    Some(match character {
        '≥' => "write `>=`",
        '≤' => "write `<=`",
        '≠' => "write `!=`",
        '×' | '·' => "write `*`",
        '−' | '–' => "write `-`",
        '÷' => "write `floor(x / y)` or `ceil(x / y)`",
        '\'' => "labels stand in double quotes: `\"4/5\"`",
        '‘' | '’' | '‚' | '“' | '”' | '„' => {
            "labels stand in straight double quotes: `\"4/5\"`"
        }
        ';' => "statements need nothing between them; a list of three items, each 8, is `[8: 3]`",
        '%' => "`%` is only the hundred sides of `d%`; the remainder of x by y is `mod(x, y)`",
        _ => return None,
    })
}

//! What is opened in a file and never closed.
//!
//! A TOML parser takes all that follows for a part of it, so that its errors are about what is sound. An entry or a heading at
//! the beginning of a line tells that what is open there should have been closed before.

use toml_parser::lexer::{Token, TokenKind};

use crate::source::Span;

/// A bracket, or the quotes of a text, that nothing closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unclosed {
    pub(super) opening: Span,
    pub(super) what: Delimited,
    /// The end of what it should have been closed behind, where that is known.
    pub(super) last: Option<usize>,
    /// The beginning of a line that can't be inside of it; none at the end of the file.
    pub(super) next: Option<Span>,
}

/// What has a beginning and an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delimited {
    List,
    Table,
    /// A text in quotes of this kind.
    Text(&'static str),
}

impl Delimited {
    pub(super) fn closing(self) -> &'static str {
        match self {
            Self::List => "]",
            Self::Table => "}",
            Self::Text(quotes) => quotes,
        }
    }

    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Table => "table",
            Self::Text(_) => "string",
        }
    }
}

/// The first thing that is not closed; none if that can't be told.
pub(super) fn first(text: &str) -> Option<Unclosed> {
    let tokens = toml_parser::Source::new(text).lex().into_vec();
    let mut walk = Walk {
        text,
        open: Vec::new(),
        last: None,
        in_value: false,
    };
    let is_seen =
        |token: &&Token| !matches!(token.kind(), TokenKind::Whitespace | TokenKind::Comment);
    let tokens: Vec<Token> = tokens.iter().filter(is_seen).copied().collect();
    (0..tokens.len()).find_map(|at| walk.step(&tokens[at..]))
}

struct Walk<'t> {
    text: &'t str,
    open: Vec<Open>,
    /// What was read last, on this line or an earlier one.
    last: Option<Token>,
    /// Whether the `=` of the line's entry has been read.
    in_value: bool,
}

struct Open {
    token: Token,
    what: Delimited,
    /// Whether its first item stands on the line that opens it.
    is_of_one_line: bool,
}

impl Walk<'_> {
    /// Reads the first of these tokens.
    fn step(&mut self, tokens: &[Token]) -> Option<Unclosed> {
        let (token, rest) = tokens.split_first()?;
        let found = match token.kind() {
            TokenKind::Newline if self.open.is_empty() => {
                self.in_value = false;
                None
            }
            TokenKind::Newline => self.line(rest),
            TokenKind::Eof => self.open.last().map(|open| self.unclosed(open, None)),
            TokenKind::Equals => {
                self.in_value = true;
                None
            }
            TokenKind::LeftSquareBracket if self.in_value => {
                self.open(*token, Delimited::List, rest);
                None
            }
            TokenKind::LeftCurlyBracket if self.in_value => {
                self.open(*token, Delimited::Table, rest);
                None
            }
            TokenKind::RightSquareBracket if self.in_value => self.close(*token, Delimited::List),
            TokenKind::RightCurlyBracket if self.in_value => self.close(*token, Delimited::Table),
            TokenKind::BasicString | TokenKind::LiteralString if !self.is_closed(*token) => {
                self.quote(*token)
            }
            TokenKind::MlLiteralString => self.text(*token, "'''"),
            TokenKind::MlBasicString => self.text(*token, "\"\"\""),
            _ => None,
        };
        if token.kind() != TokenKind::Newline {
            self.last = Some(*token);
        }
        found
    }

    fn open(&mut self, token: Token, what: Delimited, rest: &[Token]) {
        let is_of_one_line = rest
            .first()
            .is_some_and(|next| next.kind() != TokenKind::Newline);
        self.open.push(Open {
            token,
            what,
            is_of_one_line,
        });
    }

    /// A bracket that closes another kind than the one that is open tells that this one is not closed, if it closes one
    /// further out.
    fn close(&mut self, token: Token, what: Delimited) -> Option<Unclosed> {
        let open = self.open.pop()?;
        let is_meant = open.what != what && self.open.iter().any(|outer| outer.what == what);
        is_meant.then(|| self.unclosed(&open, Some(place(token))))
    }

    /// A line that begins while something is open.
    fn line(&self, rest: &[Token]) -> Option<Unclosed> {
        let open = self.open.last()?;
        let first = *rest.first()?;
        let is_over = match self.line_of(rest) {
            Line::Heading => true,
            // The entries of a table may stand on lines of their own, behind commas.
            Line::Entry => match open.what {
                Delimited::List => true,
                _ => {
                    let last = self.last.map(|last| last.kind());
                    open.is_of_one_line && last != Some(TokenKind::Comma)
                }
            },
            Line::Other => false,
        };
        is_over.then(|| self.unclosed(open, Some(place(first))))
    }

    fn line_of(&self, tokens: &[Token]) -> Line {
        let end = |token: &Token| matches!(token.kind(), TokenKind::Newline | TokenKind::Eof);
        let line = tokens.split(end).next().unwrap_or_default();
        let is_name = |token: &Token| match token.kind() {
            TokenKind::Atom => {
                let word = &self.text[token.span().start()..token.span().end()];
                word.starts_with(char::is_alphabetic)
                    && !["true", "false", "inf", "nan"].contains(&word)
            }
            _ => false,
        };
        let is_key = |token: &Token| {
            is_name(token)
                || matches!(
                    token.kind(),
                    TokenKind::Dot | TokenKind::BasicString | TokenKind::LiteralString
                )
        };
        let bracket = |kind| move |token: &&Token| token.kind() == kind;
        let opening = line
            .iter()
            .take_while(bracket(TokenKind::LeftSquareBracket))
            .count();
        let closing = line
            .iter()
            .rev()
            .take_while(bracket(TokenKind::RightSquareBracket))
            .count();
        if opening > 0 && opening + closing < line.len() && opening == closing {
            let inside = &line[opening..line.len() - closing];
            let is_heading = inside.iter().all(is_key) && inside.iter().any(is_name);
            return if is_heading {
                Line::Heading
            } else {
                Line::Other
            };
        }
        let keys = line.iter().take_while(|token| is_key(token)).count();
        match line.get(keys) {
            Some(next) if keys > 0 && next.kind() == TokenKind::Equals => Line::Entry,
            _ => Line::Other,
        }
    }

    /// A text of several lines that ends where the next one begins, or not at all.
    fn text(&self, token: Token, quotes: &'static str) -> Option<Unclosed> {
        let Span { start, end } = place(token);
        let opening = Span::new(start, start + quotes.len());
        let inner = &self.text[opening.end..end];
        let inside = inner.strip_suffix(quotes);
        let (before, last_line) = match inside {
            Some(inside) => inside.rsplit_once('\n')?,
            None => (inner, ""),
        };
        let is_next = inside.is_none()
            || last_line
                .trim_end()
                .strip_suffix('=')
                .is_some_and(is_key_text);
        is_next.then(|| {
            let next = foreign_line(before).or(inside.map(|_| (before.len() + 1, last_line)));
            let next = next.map(|(at, line)| {
                let at = opening.end + at;
                Span::new(at, at + line.trim_end().len())
            });
            Unclosed {
                opening,
                what: Delimited::Text(quotes),
                last: None,
                next,
            }
        })
    }

    /// A text of one line without its last quote, in something whose closing bracket then stands in it.
    fn quote(&self, token: Token) -> Option<Unclosed> {
        let start = place(token).start;
        (!self.open.is_empty()).then(|| Unclosed {
            opening: Span::new(start, start + 1),
            what: Delimited::Text(match token.kind() {
                TokenKind::LiteralString => "'",
                _ => "\"",
            }),
            last: None,
            next: None,
        })
    }

    /// Whether a text of one line ends in its quote.
    fn is_closed(&self, token: Token) -> bool {
        let Span { start, end } = place(token);
        let inner = self.text[start..end].get(1..).unwrap_or_default();
        let inner = match token.kind() {
            TokenKind::LiteralString => return inner.ends_with('\''),
            _ => inner.strip_suffix('"'),
        };
        inner.is_some_and(|inner| {
            let slashes = inner.bytes().rev().take_while(|byte| *byte == b'\\');
            slashes.count() % 2 == 0
        })
    }

    fn unclosed(&self, open: &Open, next: Option<Span>) -> Unclosed {
        Unclosed {
            opening: place(open.token),
            what: open.what,
            last: self.last.map(|last| last.span().end()),
            next,
        }
    }
}

/// What a line inside of brackets looks like.
enum Line {
    Heading,
    Entry,
    Other,
}

fn place(token: Token) -> Span {
    Span::new(token.span().start(), token.span().end())
}

fn is_key_text(text: &str) -> bool {
    let text = text.trim();
    let is_of_key = |c: char| c.is_alphanumeric() || "_-.\"'".contains(c);
    text.starts_with(char::is_alphabetic) && text.chars().all(is_of_key)
}

/// The first line of a text that is a heading of a file and none of a script, and where it begins.
fn foreign_line(text: &str) -> Option<(usize, &str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let name = line.trim().trim_start_matches('[').trim_end_matches(']');
        if line.starts_with('[') && line.trim_end().ends_with(']') && is_key_text(name) {
            return Some((at, line));
        }
        at += line.len();
    }
    None
}

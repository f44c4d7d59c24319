//! Tokens: numbers, words, names, texts and signs of a program.

use crate::source::{Error, Errors, Span};

/// A piece of a program that has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    Number(i64),
    /// Small letters: a keyword, the operator `d`, or a part of the name of a function.
    Word(&'a str),
    /// Capitals and underscores: the name of a variable.
    Name(&'a str),
    /// What stands between two quotes.
    Text(&'a str),
    /// An operator, a bracket, or another sign.
    Sign(&'static str),
    /// What has no meaning, and was told.
    Wrong,
    End,
}

impl Token<'_> {
    /// The token as messages call it.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Number(number) => format!("`{number}`"),
            Self::Word(word) | Self::Name(word) => format!("`{word}`"),
            Self::Text(_) => "a text in quotes".to_owned(),
            Self::Sign(sign) => format!("`{sign}`"),
            Self::Wrong => "what has no meaning".to_owned(),
            Self::End => "the end of the program".to_owned(),
        }
    }
}

/// Signs, those of two characters first.
const SIGNS: [&str; 26] = [
    "!=", "<=", ">=", "+", "-", "*", "/", "^", "@", "#", "!", "=", "<", ">", "&", "|", "(", ")",
    "{", "}", "[", "]", ":", ",", ".", "?",
];

/// The tokens of a text.
pub(crate) struct Tokens<'a> {
    /// The last one is the end.
    pub(crate) list: Vec<(Token<'a>, Span)>,
    /// What is wrong with the characters, and no more than is told.
    pub(crate) errors: Vec<Error>,
}

/// All tokens of a text.
pub(crate) fn tokens(text: &str) -> Tokens<'_> {
    let mut list: Vec<(Token<'_>, Span)> = Vec::new();
    let mut errors = Vec::new();
    let mut at = 0;
    loop {
        let found = after_space(text, at).and_then(|start| {
            at = start;
            let first = text[at..].chars().next();
            first.map(|first| token(text, at, first)).transpose()
        });
        let found = found.unwrap_or_else(|wrong| {
            let span = wrong.error.span;
            // Of characters in a row that have no meaning the first one is told.
            let is_told =
                matches!(list.last(), Some((Token::Wrong, last)) if last.end == span.start);
            if !is_told || wrong.token != Token::Wrong {
                errors.push(*wrong.error);
            }
            at = span.start;
            Some((wrong.token, wrong.length))
        });
        let is_full = errors.len() == Errors::MOST;
        let Some((token, length)) = found.filter(|_| !is_full) else {
            let end = text.len();
            list.push((Token::End, Span::new(end, end)));
            return Tokens { list, errors };
        };
        list.push((token, Span::new(at, at + length)));
        at += length;
    }
}

/// An error in the characters, and the token that stands for them.
struct Wrong<'a> {
    error: Box<Error>,
    token: Token<'a>,
    length: usize,
}

type Read<'a, T> = std::result::Result<T, Wrong<'a>>;

/// The first byte after white space and comments, which stand between two backslashes.
fn after_space(text: &str, mut at: usize) -> Read<'static, usize> {
    loop {
        let rest = &text[at..];
        at += rest.len()
            - rest
                .trim_start_matches([' ', '\t', '\r', '\n', '\u{a0}', '\u{feff}'])
                .len();
        let Some(comment) = text[at..].strip_prefix('\\') else {
            return Ok(at);
        };
        let Some(length) = comment.find('\\') else {
            let error = Error::syntax(Span::new(at, at + 1), "this comment has no end");
            let error = error
                .with_label("it begins here")
                .with_help("a comment stands between two backslashes: \\ like this \\");
            return Err(Wrong {
                error: error.into(),
                token: Token::Wrong,
                length: text.len() - at,
            });
        };
        at += length + 2;
    }
}

/// The token at a byte, and its length.
fn token(text: &str, at: usize, first: char) -> Read<'_, (Token<'_>, usize)> {
    let rest = &text[at..];
    let run = |is_part: fn(char) -> bool| &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
    if first.is_ascii_digit() {
        let digits = run(|c| c.is_ascii_digit());
        let span = Span::new(at, at + digits.len());
        let number = digits.parse().map_err(|_| Wrong {
            error: Error::syntax(span, "this number does not fit in 64 bits")
                .with_help(format!("the greatest one is {}", i64::MAX))
                .into(),
            token: Token::Number(i64::MAX),
            length: digits.len(),
        })?;
        return Ok((Token::Number(number), digits.len()));
    }
    if first.is_ascii_lowercase() {
        let word = run(|c| c.is_ascii_lowercase());
        return Ok((Token::Word(word), word.len()));
    }
    if first.is_ascii_uppercase() || first == '_' {
        let name = run(|c| c.is_ascii_uppercase() || c == '_');
        return Ok((Token::Name(name), name.len()));
    }
    if let Some(inside) = rest.strip_prefix('"') {
        let length = inside.find('"').ok_or_else(|| Wrong {
            error: Error::syntax(Span::new(at, at + 1), "this text has no end")
                .with_label("it begins here")
                .with_help("a text stands between two double quotes")
                .into(),
            token: Token::Wrong,
            length: rest.len(),
        })?;
        return Ok((Token::Text(&inside[..length]), length + 2));
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    let sign = sign.ok_or_else(|| unknown(rest, at, first))?;
    Ok((Token::Sign(sign), sign.len()))
}

/// A character that no program has, and what was probably meant.
fn unknown(rest: &str, at: usize, character: char) -> Wrong<'_> {
    let length = character.len_utf8();
    let (token, help) = match character {
        '“' | '”' | '\'' => (None, "texts stand between two double quotes: \"like this\""),
        '×' => (Some("*"), "multiplication is written `*`"),
        '÷' | '%' => (
            Some("/"),
            "division is written `/`, and there is no remainder",
        ),
        '–' | '−' | '—' => (Some("-"), "subtraction is written `-`"),
        '≥' => (Some(">="), "write `>=`"),
        '≤' => (Some("<="), "write `<=`"),
        '≠' => (Some("!="), "write `!=`"),
        ';' => (None, "a statement needs no sign at its end"),
        _ => (
            None,
            "a comment stands between two backslashes: \\ like this \\",
        ),
    };
    let (token, length) = match (token, quoted(rest, character)) {
        (Some(sign), _) => (Token::Sign(sign), length),
        (None, Some((inside, length))) => (Token::Text(inside), length),
        (None, None) => (Token::Wrong, length),
    };
    let span = Span::new(at, at + character.len_utf8());
    let message = format!("`{character}` has no meaning in a program");
    Wrong {
        error: Error::syntax(span, message).with_help(help).into(),
        token,
        length,
    }
}

/// A text between other quotes on one line, and its length with them.
fn quoted(rest: &str, open: char) -> Option<(&str, usize)> {
    let close = match open {
        '“' => '”',
        '\'' => '\'',
        _ => return None,
    };
    let inside = rest.strip_prefix(open)?.lines().next()?;
    let (inside, _) = inside.split_once(close)?;
    let length = open.len_utf8() + inside.len() + close.len_utf8();
    Some((inside, length))
}

//! Tokens: numbers, words, names, texts and signs of a program.

use crate::source::{Error, Result, Span};

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
            Self::End => "the end of the program".to_owned(),
        }
    }
}

/// Signs, those of two characters first.
const SIGNS: [&str; 26] = [
    "!=", "<=", ">=", "+", "-", "*", "/", "^", "@", "#", "!", "=", "<", ">", "&", "|", "(", ")",
    "{", "}", "[", "]", ":", ",", ".", "?",
];

/// All tokens of a text, the last of which is its end.
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token<'_>, Span)>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at = after_space(text, at)?;
        let Some(first) = text[at..].chars().next() else {
            tokens.push((Token::End, Span::new(text.len(), text.len())));
            return Ok(tokens);
        };
        let (token, length) = token(text, at, first)?;
        tokens.push((token, Span::new(at, at + length)));
        at += length;
    }
}

/// The first byte after white space and comments, which stand between two backslashes.
fn after_space(text: &str, mut at: usize) -> Result<usize> {
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
            return Err(
                Error::syntax(Span::new(at, at + 1), "this comment has no end")
                    .with_label("it begins here")
                    .with_help("a comment stands between two backslashes: \\ like this \\"),
            );
        };
        at += length + 2;
    }
}

/// The token at a byte, and its length.
fn token(text: &str, at: usize, first: char) -> Result<(Token<'_>, usize)> {
    let rest = &text[at..];
    let run = |is_part: fn(char) -> bool| &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
    if first.is_ascii_digit() {
        let digits = run(|c| c.is_ascii_digit());
        let span = Span::new(at, at + digits.len());
        let number = digits.parse().map_err(|_| {
            Error::syntax(span, "this number does not fit in 64 bits")
                .with_help(format!("the greatest one is {}", i64::MAX))
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
        let length = inside.find('"').ok_or_else(|| {
            Error::syntax(Span::new(at, at + 1), "this text has no end")
                .with_label("it begins here")
                .with_help("a text stands between two double quotes")
        })?;
        return Ok((Token::Text(&inside[..length]), length + 2));
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    let sign = sign.ok_or_else(|| unknown(Span::new(at, at + first.len_utf8()), first))?;
    Ok((Token::Sign(sign), sign.len()))
}

/// A character that no program has, and what was probably meant.
fn unknown(span: Span, character: char) -> Error {
    let help = match character {
        '“' | '”' | '\'' => "texts stand between two double quotes: \"like this\"",
        '×' => "multiplication is written `*`",
        '÷' | '%' => "division is written `/`, and there is no remainder",
        '–' | '−' | '—' => "subtraction is written `-`",
        '≥' => "write `>=`",
        '≤' => "write `<=`",
        '≠' => "write `!=`",
        ';' => "a statement needs no sign at its end",
        _ => "a comment stands between two backslashes: \\ like this \\",
    };
    Error::syntax(span, format!("`{character}` has no meaning in a program")).with_help(help)
}

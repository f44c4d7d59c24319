//! The tokens of a script, as far as a change of one of them needs to know.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `12`
    Number,
    /// A name, a label without quotes or a word of the language.
    Word,
    /// A label with its quotes.
    Label,
    /// `d6`: a die with its sides.
    Die,
    /// `kh3`, `kh`: what is kept or dropped.
    Keep,
    /// `==`, `{` and other symbols, and `d[`, `d{`, `d(`.
    Symbol,
}

/// A token with its place in the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: Kind,
    /// As written.
    pub text: &'t str,
    /// Its place in the file.
    pub at: Range<usize>,
}

impl Token<'_> {
    /// Whether it is this symbol or word.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// Whether a value may end with it, so that what follows is an operator.
    #[must_use]
    pub fn ends_value(&self) -> bool {
        match self.kind {
            Kind::Number | Kind::Label | Kind::Die | Kind::Keep => true,
            Kind::Word => !WORDS.contains(&self.text),
            Kind::Symbol => matches!(self.text, ")" | "]" | "}"),
        }
    }
}

/// Words of the language, after which a value begins.
pub const WORDS: [&str; 16] = [
    "let", "show", "set", "choose", "in", "where", "repeat", "for", "until", "if", "then", "else",
    "match", "and", "or", "not",
];

/// Symbols of several characters, those first that begin like another.
const SYMBOLS: [&str; 12] = [
    "..=", "..", "!==", "!=", "==", "=>", "<=", ">=", "d[", "d{", "d(", "d%",
];

/// The tokens of the text at `range`; comments are left out.
#[must_use]
pub fn tokens(file: &str, range: Range<usize>) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    let mut at = range.start;
    while let Some(first) = file[at..range.end].chars().next() {
        let rest = &file[at..range.end];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            let (kind, length) = token(rest, first);
            found.push(Token {
                kind,
                text: &rest[..length],
                at: at..at + length,
            });
            at += length;
        }
    }
    found
}

fn token(rest: &str, first: char) -> (Kind, usize) {
    let leading = |belongs: fn(char) -> bool| rest.find(|c| !belongs(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        return (Kind::Number, leading(|c| c.is_ascii_digit()));
    }
    if first == '"' {
        let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
        return (Kind::Label, end);
    }
    if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        return (Kind::Symbol, symbol.len());
    }
    if !(first.is_alphabetic() || first == '_') {
        return (Kind::Symbol, first.len_utf8());
    }
    if rest.starts_with('d') && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        let digits = rest[1..].find(|c: char| !c.is_ascii_digit());
        return (Kind::Die, digits.map_or(rest.len(), |digits| digits + 1));
    }
    let word = &rest[..leading(|c| c.is_alphanumeric() || c == '_')];
    let keeps = ["kh", "kl", "dh", "dl"].iter();
    let mut keeps = keeps.filter_map(|keep| word.strip_prefix(keep));
    match keeps.next() {
        Some(digits) if digits.chars().all(|c| c.is_ascii_digit()) => (Kind::Keep, word.len()),
        _ => (Kind::Word, word.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, tokens};

    #[test]
    fn dice_names_and_symbols_are_told_apart() {
        let text = "let a = (n)d6 kh3 + d{1: 2} # no\nshow b = x_d6 <= \"4/5\"";
        let words: Vec<(Kind, &str)> = tokens(text, 0..text.len())
            .iter()
            .map(|token| (token.kind, token.text))
            .collect();
        use Kind::{Die, Keep, Label, Number, Symbol, Word};
        let expected = [
            (Word, "let"),
            (Word, "a"),
            (Symbol, "="),
            (Symbol, "("),
            (Word, "n"),
            (Symbol, ")"),
            (Die, "d6"),
            (Keep, "kh3"),
            (Symbol, "+"),
            (Symbol, "d{"),
            (Number, "1"),
            (Symbol, ":"),
            (Number, "2"),
            (Symbol, "}"),
            (Word, "show"),
            (Word, "b"),
            (Symbol, "="),
            (Word, "x_d6"),
            (Symbol, "<="),
            (Label, "\"4/5\""),
        ];
        assert_eq!(words, expected);
    }
}

//! From text to tokens, one at a time, as the parser asks for them.
//!
//! Dice notation is only notation where it can be: in `4d6kh3` an operator is due after `4`, so `d`
//! is one, while `let dice = kh3` names two values. The parser knows what is [`Due`] and says so
//! with each request; tokens are small enough to be read again in the other state.

use super::ast::{CompareOp, Keep};
use crate::source::{Diagnostic, Span};

/// What the parser expects next: a value, or something that goes on after one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Operand,
    Operator,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Int(i64),
    Name,
    /// `"4/5"`, quotes included.
    Label,
    Keyword(Keyword),
    Open(Bracket),
    Close(Bracket),
    Comma,
    Colon,
    Dot,
    DotDot,
    DotDotEqual,
    Assign,
    Arrow,
    Plus,
    Minus,
    Star,
    Slash,
    Ampersand,
    Pipe,
    Compare(CompareOp),
    /// `d6`, `d%`, `dF`, or `d` with the opening bracket it touches.
    Die(DieHead),
    /// `kh`, `kh3`
    Keep(Keep, Option<i64>),
    /// `r` or `ro`
    Reroll,
    /// `cs`
    Successes,
    /// `!`
    Bang,
    Bad(Bad),
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DieHead {
    Sides(i64),
    Percent,
    Fate,
    Open(Bracket),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    Round,
    Square,
    Curly,
}

/// What is no token of the language; the parser finds the words for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bad {
    IntTooLarge,
    UnclosedLabel,
    /// `&&` or `||`
    Doubled,
    /// `//` and the rest of its line.
    Comment,
    Unknown(char),
}

/// The reserved words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Let,
    Show,
    Set,
    Choose,
    Oppose,
    Repeat,
    For,
    Until,
    In,
    Where,
    If,
    Then,
    Else,
    Match,
    And,
    Or,
    Not,
    True,
    False,
}

impl Keyword {
    pub(super) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "let" => Self::Let,
            "show" => Self::Show,
            "set" => Self::Set,
            "choose" => Self::Choose,
            "oppose" => Self::Oppose,
            "repeat" => Self::Repeat,
            "for" => Self::For,
            "until" => Self::Until,
            "in" => Self::In,
            "where" => Self::Where,
            "if" => Self::If,
            "then" => Self::Then,
            "else" => Self::Else,
            "match" => Self::Match,
            "and" => Self::And,
            "or" => Self::Or,
            "not" => Self::Not,
            "true" => Self::True,
            "false" => Self::False,
            _ => return None,
        })
    }

    /// How a statement's keyword is written.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Let => "let",
            Self::Show => "show",
            Self::Set => "set",
            Self::Choose => "choose",
            Self::Oppose => "oppose",
            Self::For => "for",
            _ => "repeat",
        }
    }

    /// Whether a statement begins with it, and nothing else does.
    pub(super) fn starts_statement(self) -> bool {
        matches!(
            self,
            Self::Let
                | Self::Show
                | Self::Set
                | Self::Choose
                | Self::Oppose
                | Self::Repeat
                | Self::For
        )
    }
}

impl Bracket {
    pub(super) fn opening(self) -> char {
        match self {
            Self::Round => '(',
            Self::Square => '[',
            Self::Curly => '{',
        }
    }

    pub(super) fn closing(self) -> char {
        match self {
            Self::Round => ')',
            Self::Square => ']',
            Self::Curly => '}',
        }
    }

    fn from_opening(first: char) -> Option<Self> {
        [Self::Round, Self::Square, Self::Curly]
            .into_iter()
            .find(|b| b.opening() == first)
    }
}

/// A part of a source; every place it takes and gives is one of the whole source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, offset: usize) -> Self {
        Self { text, offset }
    }

    /// The whole text, and the byte of its file that it begins at.
    pub(super) fn whole(&self) -> (&'a str, usize) {
        (self.text, self.offset)
    }

    /// The text of a span.
    pub(super) fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start - self.offset..span.end - self.offset]
    }

    /// The word that begins at `at`.
    pub(super) fn word_at(&self, at: usize) -> &'a str {
        leading_word(&self.text[at - self.offset..])
    }

    /// The text from `at` on.
    pub(super) fn rest(&self, at: usize) -> &'a str {
        &self.text[at - self.offset..]
    }

    /// The text before `at`.
    pub(super) fn before(&self, at: usize) -> &'a str {
        &self.text[..at - self.offset]
    }

    /// The first token at or after `at`; [`TokenKind::End`] for ever once there is none.
    pub(super) fn token(&self, at: usize, due: Due) -> Token {
        let text = &self.text[at - self.offset..];
        if is_glued_mark(self.before(at), text) {
            return Token {
                kind: TokenKind::Bad(Bad::Unknown('#')),
                span: Span::new(at, at + 1),
            };
        }
        let rest = skip_blank(text);
        let (kind, length) = read(rest, due);
        let start = at + (text.len() - rest.len());
        Token {
            kind,
            span: Span::new(start, start + length),
        }
    }
}

/// Whether a `#` is that of `6#1d20`, which is several rolls elsewhere, and begins no comment.
fn is_glued_mark(before: &str, text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let dice = text
        .strip_prefix('#')
        .filter(|_| before.ends_with(is_digit));
    dice.is_some_and(|dice| dice.strip_prefix('d').unwrap_or(dice).starts_with(is_digit))
}

/// The kind and length of the token that `rest` starts with.
fn read(rest: &str, due: Due) -> (TokenKind, usize) {
    match rest.chars().next() {
        None => (TokenKind::End, 0),
        Some('0'..='9') => {
            let digits = leading(rest, |c| c.is_ascii_digit());
            (
                int(digits).map_or_else(TokenKind::Bad, TokenKind::Int),
                digits.len(),
            )
        }
        Some('"') => label(rest),
        Some(first) if first.is_alphabetic() || first == '_' => word(rest, due),
        Some(first) => symbol(rest, first),
    }
}

/// `text` without the white space and comments it starts with.
fn skip_blank(text: &str) -> &str {
    if text.starts_with(|c: char| c.is_ascii_graphic() && c != '#') {
        return text;
    }
    let mut rest = text.trim_start();
    while rest.starts_with('#') {
        rest = rest.find('\n').map_or("", |end| &rest[end..]).trim_start();
    }
    rest
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word that a text starts with. Nearly all are ASCII, whose bytes are their characters.
fn leading_word(text: &str) -> &str {
    let is_other = |byte: u8| !byte.is_ascii_alphanumeric() && byte != b'_';
    match text.bytes().position(is_other) {
        Some(end) if text.as_bytes()[end].is_ascii() => &text[..end],
        None => text,
        Some(_) => leading(text, is_of_word),
    }
}

fn leading(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !belongs(c)).unwrap_or(text.len())]
}

fn int(digits: &str) -> Result<i64, Bad> {
    digits.parse().map_err(|_| Bad::IntTooLarge)
}

/// A label ends on its own line, so that a forgotten quote costs one line and not the rest.
fn label(rest: &str) -> (TokenKind, usize) {
    let inner = leading(&rest[1..], |c| c != '"' && c != '\n');
    if rest[1 + inner.len()..].starts_with('"') {
        (TokenKind::Label, inner.len() + 2)
    } else {
        (
            TokenKind::Bad(Bad::UnclosedLabel),
            rest[..=inner.len()].trim_end().len(),
        )
    }
}

fn word(rest: &str, due: Due) -> (TokenKind, usize) {
    let word = leading_word(rest);
    if let Some(keyword) = Keyword::from_word(word)
        && (keyword != Keyword::For || goes_through_range(&rest[word.len()..]))
    {
        return (TokenKind::Keyword(keyword), word.len());
    }
    die(rest, word, due)
        .or_else(|| {
            (due == Due::Operator)
                .then(|| modifier(rest, word))
                .flatten()
        })
        .unwrap_or((TokenKind::Name, word.len()))
}

/// Whether `i in` follows a `for`, which may also be a word of a label: `Cut for effect`.
fn goes_through_range(rest: &str) -> bool {
    let rest = skip_blank(rest);
    let name = leading_word(rest);
    !name.is_empty() && leading_word(skip_blank(&rest[name.len()..])) == "in"
}

/// `d` and what it touches, if that makes a die.
fn die(rest: &str, word: &str, due: Due) -> Option<(TokenKind, usize)> {
    let tail = rest.strip_prefix('d')?;
    let digits = leading(tail, |c| c.is_ascii_digit());
    if !digits.is_empty() {
        let sides = |n| TokenKind::Die(DieHead::Sides(n));
        return Some((
            int(digits).map_or_else(TokenKind::Bad, sides),
            1 + digits.len(),
        ));
    }
    let head = match tail.chars().next()? {
        '%' => DieHead::Percent,
        // As an operand `dFoo` is a name; as an operator it could only be `dF` and a modifier.
        'F' if word == "dF" || due == Due::Operator => DieHead::Fate,
        first => DieHead::Open(Bracket::from_opening(first)?),
    };
    Some((TokenKind::Die(head), 2))
}

/// `kh3`, `kh`, `cs`, `r`, `ro`: what may follow a pool.
fn modifier(rest: &str, word: &str) -> Option<(TokenKind, usize)> {
    let keeps = [
        ("kh", Keep::KeepHighest),
        ("kl", Keep::KeepLowest),
        ("dh", Keep::DropHighest),
        ("dl", Keep::DropLowest),
    ];
    for (prefix, keep) in keeps {
        let Some(tail) = word.strip_prefix(prefix) else {
            continue;
        };
        let digits = leading(tail, |c| c.is_ascii_digit());
        if !digits.is_empty() {
            let kind = |n| TokenKind::Keep(keep, Some(n));
            return Some((
                int(digits).map_or_else(TokenKind::Bad, kind),
                2 + digits.len(),
            ));
        }
        if tail.is_empty() {
            return Some((TokenKind::Keep(keep, None), 2));
        }
    }
    let starts_number = |tail: &str| tail.starts_with(|c: char| c.is_ascii_digit());
    if let Some(tail) = word.strip_prefix("cs")
        && (tail.is_empty() || starts_number(tail))
    {
        return Some((TokenKind::Successes, 2));
    }
    // `r` alone is too good a name to be taken: it is a reroll only before a comparison, a number or a range.
    let length = if word.starts_with("ro") { 2 } else { 1 };
    let tail = word.strip_prefix("ro").or_else(|| word.strip_prefix('r'))?;
    let next = skip_blank(&rest[length..]);
    let reroll = starts_number(tail)
        || tail.is_empty()
            && (starts_comparison(next) || starts_number(next) || starts_range(next));
    reroll.then_some((TokenKind::Reroll, length))
}

/// Whether the lower end of a range stands there, and `..=` behind it: `-2..=0`, `low..=high`, `(a + 1)..=b`.
fn starts_range(rest: &str) -> bool {
    /// Nobody writes longer ends, and looking for a bracket further away would take its time at each word.
    const MOST: usize = 200;
    let rest = rest.strip_prefix('-').map_or(rest, skip_blank);
    let length = if rest.starts_with('(') {
        let mut depth = 0_usize;
        let end = rest.char_indices().take(MOST).find(|(_, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        end.map_or(0, |(at, _)| at + 1)
    } else {
        leading(rest, |c| c.is_alphanumeric() || c == '_').len()
    };
    length > 0 && skip_blank(&rest[length..]).starts_with("..=")
}

fn starts_comparison(rest: &str) -> bool {
    ["<", ">", "==", "!="].iter().any(|op| rest.starts_with(op))
}

fn symbol(rest: &str, first: char) -> (TokenKind, usize) {
    let follows = |next: &str| rest[first.len_utf8()..].starts_with(next);
    let compare = |op, length| (TokenKind::Compare(op), length);
    match first {
        '.' if follows(".=") => (TokenKind::DotDotEqual, 3),
        '.' if follows(".") => (TokenKind::DotDot, 2),
        '.' => (TokenKind::Dot, 1),
        // `!==` is an explosion on one face, `3d6!==6(2)`.
        '!' if follows("=") && !follows("==") => compare(CompareOp::NotEqual, 2),
        '!' => (TokenKind::Bang, 1),
        '=' if follows("=") => compare(CompareOp::Equal, 2),
        '=' if follows(">") => (TokenKind::Arrow, 2),
        '=' => (TokenKind::Assign, 1),
        '<' if follows("=") => compare(CompareOp::LessEqual, 2),
        '<' => compare(CompareOp::Less, 1),
        '>' if follows("=") => compare(CompareOp::GreaterEqual, 2),
        '>' => compare(CompareOp::Greater, 1),
        '&' if follows("&") => (TokenKind::Bad(Bad::Doubled), 2),
        '&' => (TokenKind::Ampersand, 1),
        '|' if follows("|") => (TokenKind::Bad(Bad::Doubled), 2),
        '|' => (TokenKind::Pipe, 1),
        '(' => (TokenKind::Open(Bracket::Round), 1),
        '[' => (TokenKind::Open(Bracket::Square), 1),
        '{' => (TokenKind::Open(Bracket::Curly), 1),
        ')' => (TokenKind::Close(Bracket::Round), 1),
        ']' => (TokenKind::Close(Bracket::Square), 1),
        '}' => (TokenKind::Close(Bracket::Curly), 1),
        ',' => (TokenKind::Comma, 1),
        ':' => (TokenKind::Colon, 1),
        '+' => (TokenKind::Plus, 1),
        '-' => (TokenKind::Minus, 1),
        '*' => (TokenKind::Star, 1),
        '/' if follows("/") => {
            let line = leading(rest, |c| c != '\n');
            (TokenKind::Bad(Bad::Comment), line.trim_end().len())
        }
        '/' => (TokenKind::Slash, 1),
        _ => (TokenKind::Bad(Bad::Unknown(first)), first.len_utf8()),
    }
}

/// The error of a name in which scripts would read a die, made by `error` of its message; `follows` is what stands
/// behind the name where it is used, such as the bracket of a call.
pub(crate) fn refuse_die(
    name: &str,
    follows: &str,
    error: impl FnOnce(String) -> Diagnostic,
) -> Option<Diagnostic> {
    let used = format!("{name}{follows}");
    let (_, length) = die(&used, name, Due::Operand)?;
    let error = error(format!("`{}` begins a die", &used[..length]));
    let help = format!("a script would roll it; another name is needed, such as `n_{name}`");
    Some(error.with_label("cannot begin a name").with_help(help))
}

/// Whether a word belongs to the language and so can't be a name.
pub(crate) fn is_keyword(word: &str) -> bool {
    Keyword::from_word(word).is_some()
}

/// The letter, the digit or the sign of a keyboard that a wide one of East Asian text stands for.
pub(crate) fn narrow(wide: char) -> Option<char> {
    let at = u32::from(wide).checked_sub(0xff01)?;
    (at < 0x5e).then(|| char::from_u32(0x21 + at))?
}

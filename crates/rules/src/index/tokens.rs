//! The words of a file, for those who show it in colours.

use crate::file::keys::Holds;
use crate::index::kinds::SymbolKind;
use crate::index::names::Names;
use crate::layout::{Layout, Place, Scalar};
use crate::source::{Source, Span};
use crate::syntax::{self, Lexeme, LexemeKind, word_in};
use crate::words::{BUILT_INS, FORMS, QUERIES};

/// A word of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A key of the language, or a name of a heading.
    Key,
    /// A word of the language in a script.
    Keyword,
    /// A number.
    Number,
    /// A die, or a modifier of dice.
    Dice,
    /// A name or a label.
    Name(SymbolKind),
    /// A function that is built in.
    BuiltIn,
    /// A word that means nothing, or nothing yet.
    Unknown,
    /// An operator.
    Operator,
    /// A comment.
    Comment,
    /// A text for people, or another string.
    Text,
}

/// The words of a text, in its order; none overlaps another one.
#[must_use]
pub fn tokens(source: &Source, names: &Names) -> Vec<Token> {
    let layout = &names.layout;
    let mut tokens: Vec<Token> = Vec::new();
    for key in &layout.keys {
        let span = word_in(&source.text, key.span).unwrap_or(key.span);
        let kind = names.number_at(span).map_or(TokenKind::Key, |number| {
            TokenKind::Name(names.symbols[number].kind)
        });
        tokens.push(Token { span, kind });
    }
    for scalar in &layout.scalars {
        of_scalar(source, names, scalar, &mut tokens);
    }
    let comments = comments(layout);
    tokens.extend(comments);
    tokens.retain(|token| token.span.start < token.span.end);
    tokens.sort_unstable_by_key(|token| token.span);
    tokens.dedup_by(|next, before| next.span.start < before.span.end);
    tokens
}

fn comments(layout: &Layout) -> impl Iterator<Item = Token> {
    let kind = TokenKind::Comment;
    layout
        .comments
        .iter()
        .map(move |span| Token { span: *span, kind })
}

fn of_scalar(source: &Source, names: &Names, scalar: &Scalar, tokens: &mut Vec<Token>) {
    let Some(text) = scalar.text else {
        let kind = match names.number_at(scalar.span) {
            Some(number) => TokenKind::Name(names.symbols[number].kind),
            None => TokenKind::Number,
        };
        let span = scalar.span;
        return tokens.push(Token { span, kind });
    };
    let (opening, closing) = (
        Span::new(scalar.span.start, text.start),
        Span::new(text.end, scalar.span.end),
    );
    let written = &source.text[text.start..text.end];
    let holds = Place::holds(&scalar.path);
    let is_words = matches!(holds, Holds::Words | Holds::Finding) || written.contains('\\');
    if is_words {
        return around_names(names, scalar.span, tokens);
    }
    if let Some(number) = names.number_at(text) {
        let kind = TokenKind::Name(names.symbols[number].kind);
        return tokens.push(Token { span: text, kind });
    }
    let kind = TokenKind::Text;
    tokens.push(Token {
        span: opening,
        kind,
    });
    for lexeme in syntax::lexemes(written, text.start) {
        tokens.extend(of_lexeme(source, names, lexeme));
    }
    tokens.push(Token {
        span: closing,
        kind,
    });
}

/// A text in which names may stand, such as the id of a finding.
fn around_names(names: &Names, span: Span, tokens: &mut Vec<Token>) {
    let places = names.places();
    let first = places.partition_point(|(place, _)| place.start < span.start);
    let mut at = span.start;
    for (place, number) in places[first..]
        .iter()
        .take_while(|(place, _)| place.end <= span.end)
    {
        let kind = TokenKind::Text;
        tokens.push(Token {
            span: Span::new(at, place.start),
            kind,
        });
        let kind = TokenKind::Name(names.symbols[*number].kind);
        tokens.push(Token { span: *place, kind });
        at = place.end;
    }
    let kind = TokenKind::Text;
    tokens.push(Token {
        span: Span::new(at, span.end),
        kind,
    });
}

fn of_lexeme(source: &Source, names: &Names, lexeme: Lexeme) -> Option<Token> {
    let span = lexeme.span;
    let named = |span: Span| {
        let number = names.number_at(span)?;
        Some(TokenKind::Name(names.symbols[number].kind))
    };
    let kind = match lexeme.kind {
        LexemeKind::Keyword => TokenKind::Keyword,
        LexemeKind::Number => named(span).unwrap_or(TokenKind::Number),
        LexemeKind::Dice => TokenKind::Dice,
        LexemeKind::Operator => TokenKind::Operator,
        LexemeKind::Comment => TokenKind::Comment,
        LexemeKind::Quoted => {
            let inner = word_in(&source.text, span).and_then(named);
            inner.unwrap_or(TokenKind::Text)
        }
        LexemeKind::Word => named(span).unwrap_or_else(|| plain_word(source, span)),
        LexemeKind::Mark | LexemeKind::Dot => return None,
        LexemeKind::Bad => TokenKind::Unknown,
    };
    Some(Token { span, kind })
}

/// A word that names nothing of the file.
fn plain_word(source: &Source, span: Span) -> TokenKind {
    let word = &source.text[span.start..span.end];
    if ["fold", "of", "with"].contains(&word) {
        return TokenKind::Keyword;
    }
    let mut called = BUILT_INS.iter().chain(&FORMS).chain(&QUERIES);
    match called.any(|known| known.name == word) {
        true => TokenKind::BuiltIn,
        false => TokenKind::Unknown,
    }
}

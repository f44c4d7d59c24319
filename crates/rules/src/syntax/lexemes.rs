//! The words of a script for those who show it: as far as can be told, also of a text that is no script.

use super::ast::CompareOp;
use super::lexer::{Bad, Bracket, DieHead, Due, Keyword, Lexer, TokenKind};
use crate::source::Span;

/// A word of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    pub(crate) kind: LexemeKind,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LexemeKind {
    Keyword,
    Number,
    /// A die, a modifier of dice, or the mark of an explosion.
    Dice,
    Word,
    /// A label in quotes, with these.
    Quoted,
    Operator,
    /// A bracket, a comma or a colon.
    Mark,
    Dot,
    Comment,
    Bad,
}

/// The words of a text that begins at byte `offset` of a file, in their order.
pub(crate) fn lexemes(text: &str, offset: usize) -> Vec<Lexeme> {
    let lexer = Lexer::new(text, offset);
    let mut lexemes = Vec::new();
    let (mut at, mut due) = (offset, Due::Operand);
    loop {
        let token = lexer.token(at, due);
        comments(
            &text[at - offset..token.span.start - offset],
            at,
            &mut lexemes,
        );
        if token.kind == TokenKind::End {
            return lexemes;
        }
        let (kind, next) = kind_of(token.kind);
        if let TokenKind::Die(DieHead::Open(_)) = token.kind {
            let end = token.span.end;
            let (die, bracket) = (
                Span::new(token.span.start, end - 1),
                Span::new(end - 1, end),
            );
            lexemes.push(Lexeme { kind, span: die });
            let kind = LexemeKind::Mark;
            lexemes.push(Lexeme {
                kind,
                span: bracket,
            });
        } else {
            let span = token.span;
            lexemes.push(Lexeme { kind, span });
        }
        (at, due) = (token.span.end, next);
    }
}

/// The comments in what the lexer skipped.
fn comments(skipped: &str, start: usize, lexemes: &mut Vec<Lexeme>) {
    let mut at = start;
    for line in skipped.split_inclusive('\n') {
        if let Some(begin) = line.find('#') {
            let span = Span::new(at + begin, at + line.trim_end().len().max(begin + 1));
            let kind = LexemeKind::Comment;
            lexemes.push(Lexeme { kind, span });
        }
        at += line.len();
    }
}

/// What a token is, and what is due behind it.
fn kind_of(token: TokenKind) -> (LexemeKind, Due) {
    use Due::{Operand, Operator};
    match token {
        TokenKind::Int(_) => (LexemeKind::Number, Operator),
        TokenKind::Name => (LexemeKind::Word, Operator),
        TokenKind::Label => (LexemeKind::Quoted, Operator),
        TokenKind::Keyword(Keyword::True | Keyword::False) => (LexemeKind::Keyword, Operator),
        TokenKind::Keyword(_) => (LexemeKind::Keyword, Operand),
        TokenKind::Open(_) | TokenKind::Comma | TokenKind::Colon => (LexemeKind::Mark, Operand),
        TokenKind::Close(Bracket::Round | Bracket::Square | Bracket::Curly) => {
            (LexemeKind::Mark, Operator)
        }
        TokenKind::Dot => (LexemeKind::Dot, Operand),
        TokenKind::DotDot
        | TokenKind::DotDotEqual
        | TokenKind::Assign
        | TokenKind::Arrow
        | TokenKind::Plus
        | TokenKind::Minus
        | TokenKind::Star
        | TokenKind::Slash
        | TokenKind::Ampersand
        | TokenKind::Pipe => (LexemeKind::Operator, Operand),
        TokenKind::Compare(
            CompareOp::Equal
            | CompareOp::NotEqual
            | CompareOp::Less
            | CompareOp::LessEqual
            | CompareOp::Greater
            | CompareOp::GreaterEqual,
        ) => (LexemeKind::Operator, Operand),
        TokenKind::Die(DieHead::Open(_)) | TokenKind::Bang | TokenKind::Reroll => {
            (LexemeKind::Dice, Operand)
        }
        TokenKind::Die(_) | TokenKind::Keep(_, Some(_)) => (LexemeKind::Dice, Operator),
        TokenKind::Keep(_, None) | TokenKind::Successes => (LexemeKind::Dice, Operand),
        TokenKind::Bad(Bad::Comment) => (LexemeKind::Bad, Operand),
        TokenKind::Bad(_) | TokenKind::End => (LexemeKind::Bad, Operator),
    }
}

/// The first name or label of a span of a file, without parentheses around it and quotes; `text` is the whole file.
pub(crate) fn word_in(text: &str, span: Span) -> Option<Span> {
    let written = text.get(span.start..span.end)?;
    if let Some((inner, start)) = crate::source::inside_quotes(written) {
        let start = span.start + start;
        return Some(Span::new(start, start + inner.len()));
    }
    if !written.starts_with('(') {
        return Some(span);
    }
    let lexemes = lexemes(written, span.start);
    let word = lexemes.into_iter().find(|lexeme| {
        let is_word = matches!(lexeme.kind, LexemeKind::Word | LexemeKind::Number);
        is_word || lexeme.kind == LexemeKind::Quoted
    })?;
    match word.kind {
        LexemeKind::Quoted => word_in(text, word.span),
        _ => Some(word.span),
    }
}

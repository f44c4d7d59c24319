//! `fold face, count of pool with best = 0 { set best = … }`: what is carried from face to face.
//!
//! Its words are no reserved ones: `fold` is a word of the language where a name follows it, which is no other expression,
//! `of` and `with` where they are due.

use super::ast::{Expr, ExprKind, Fold, FoldStep, Name};
use super::lexer::{Bracket, Keyword, Token, TokenKind};
use super::parser::{Parsed, Parser};
use crate::source::Span;

impl Parser<'_> {
    /// Whether a name begins a fold.
    pub(super) fn is_fold(&self, token: Token) -> bool {
        self.text(token.span) == "fold" && self.after(token).kind == TokenKind::Name
    }

    pub(super) fn fold(&mut self, token: Token) -> Parsed<Expr> {
        self.take(token);
        let face = self.expect_name("a name for the face")?;
        let mut pools = Vec::new();
        while pools.is_empty() || self.operator().kind == TokenKind::Comma {
            self.expect(
                TokenKind::Comma,
                "`,` and a name for how many dice show the face",
            )?;
            let count = self.expect_name("a name for how many dice show the face")?;
            self.expect_word("of")?;
            pools.push((count, self.expr()?));
        }
        self.expect_word("with")?;
        let mut states = vec![self.carried()?];
        while self.operator().kind == TokenKind::Comma {
            self.take(self.operator());
            states.push(self.carried()?);
        }
        let steps = self.steps()?;
        let span = Span::new(token.span.start, self.pos);
        let fold = Fold {
            face,
            pools,
            states,
            steps,
        };
        let kind = ExprKind::Fold(Box::new(fold));
        Ok(Expr { kind, span })
    }

    /// `best = 0`
    fn carried(&mut self) -> Parsed<(Name, Expr)> {
        let name = self.expect_name("a name for what is carried")?;
        self.expect(TokenKind::Assign, "`=` and what it is at first")?;
        Ok((name, self.expr()?))
    }

    /// `{ let … set … }`
    fn steps(&mut self) -> Parsed<Vec<FoldStep>> {
        let brace = self.operator();
        if brace.kind != TokenKind::Open(Bracket::Curly) {
            return Err(
                self.unexpected(brace, "an operator or the `{` of what happens at each face")
            );
        }
        self.enter(brace, Bracket::Curly);
        let mut steps = Vec::new();
        loop {
            let token = self.operand();
            let is_new = match token.kind {
                TokenKind::Keyword(Keyword::Let) => true,
                TokenKind::Keyword(Keyword::Set) => false,
                _ => break,
            };
            self.take(token);
            let name = self.expect_name("a name")?;
            let value = self.assigned(&name)?;
            steps.push(FoldStep {
                name,
                value,
                is_new,
            });
        }
        self.close("`set`, `let` or `}`")?;
        Ok(steps)
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        let token = self.operator();
        if token.kind != TokenKind::Name || self.text(token.span) != word {
            return Err(self.unexpected(token, &format!("an operator or `{word}`")));
        }
        self.take(token);
        Ok(())
    }
}

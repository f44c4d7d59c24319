//! `for i in 0..=2 { … }`: statements once for each number of a range.

use super::ast::{Expr, ExprKind, Name};
use super::lexer::{Bracket, Keyword, Token, TokenKind};
use super::parser::{Failure, Parsed, Parser};

impl Parser<'_> {
    /// Whether a `for` stands where a statement is due, be it complete or not.
    pub(super) fn begins_passes(&self, kind: TokenKind, token: Token) -> bool {
        kind == TokenKind::Keyword(Keyword::For)
            || self.text(token.span) == Keyword::For.word() && !self.assigns(token)
    }

    /// The name and both ends of a `for`.
    pub(super) fn passes_header(&mut self, keyword: Token) -> Parsed<(Name, Expr, Expr)> {
        let name = self.expect_name("a name for the number")?;
        let token = self.operator();
        if token.kind != TokenKind::Keyword(Keyword::In) {
            let error = self.error(keyword.span, "`for` needs `in` and a range");
            return Err(error.with_help(form(&name)).into());
        }
        self.take(token);
        let next = self.operand();
        let ends = next.kind == TokenKind::End || self.begins_statement(next);
        if ends || next.kind == TokenKind::Open(Bracket::Curly) {
            let error = self.error(token.span, "`in` needs a range");
            return Err(error.with_help(form(&name)).into());
        }
        let from = self.sum()?;
        match self.upper_end()? {
            Some(to) => Ok((name, from, to)),
            None => Err(self.no_range(&name, &from)),
        }
    }

    /// What is said of a value where a range was due.
    fn no_range(&self, name: &Name, value: &Expr) -> Failure {
        let text = self.text(value.span);
        let help = match &value.kind {
            ExprKind::Name(_) => format!(
                "for the places of a list write `for {} in 0..=size({text}) - 1 {{ … }}`; `{text}[{}]` is the item at one",
                name.text, name.text
            ),
            _ => form(name),
        };
        self.error(value.span, "`for` goes through a range of numbers")
            .with_label("this is no range")
            .with_help(help)
            .into()
    }
}

fn form(Name { text, .. }: &Name) -> String {
    format!("write `for {text} in 0..=2 {{ … }}`")
}

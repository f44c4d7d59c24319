//! `choose name in options where condition`, and the same with `oppose`.

use super::ast::{Arg, Expr, ExprKind, Name, Options, Party, Statement};
use super::lexer::{Keyword, Token, TokenKind};
use super::parser::{Failure, Parsed, Parser};
use crate::source::{Span, nearest};

/// What people write for `where`.
const FOR_WHERE: [&str; 6] = ["where", "were", "when", "whenever", "with", "if"];

impl Parser<'_> {
    /// The name behind the keyword.
    pub(super) fn chosen_name(&mut self, party: Party) -> Parsed<Name> {
        let token = self.operand();
        if token.kind == TokenKind::Keyword(Keyword::In) {
            let word = party.keyword();
            let error = self.error(
                token.span,
                format!("`{word}` needs a name for what is chosen"),
            );
            let help = format!("write `{word} spent in 0..=3`");
            return Err(error.with_help(help).into());
        }
        self.expect_name("a name")
    }

    /// What follows the name.
    pub(super) fn choice(&mut self, keyword: Token, party: Party, name: Name) -> Parsed<Statement> {
        let token = self.operator();
        if token.kind != TokenKind::Keyword(Keyword::In) {
            let ends = token.kind == TokenKind::End || self.begins_statement(token);
            let place = if ends { keyword.span } else { token.span };
            let message = format!("`{}` needs `in` and what can be chosen", party.keyword());
            let error = self.error(place, message);
            return Err(error.with_help(forms(party, &name)).into());
        }
        self.take(token);
        let options = self.options(party, &name, token)?;
        let condition = self.choice_condition(&name)?;
        let span = Span::new(keyword.span.start, self.pos);
        self.statement_end("an operator or the next statement")?;
        Ok(Statement::Choose {
            party,
            name,
            options,
            condition,
            span,
        })
    }

    /// `from..=to` or `subsets(pool)`
    fn options(&mut self, party: Party, name: &Name, keyword: Token) -> Parsed<Options> {
        let next = self.operand();
        if next.kind == TokenKind::End || self.begins_statement(next) {
            let error = self.error(keyword.span, "`in` needs what can be chosen");
            return Err(error.with_help(forms(party, name)).into());
        }
        let start = self.operand().span;
        let first = self
            .sum()
            .map_err(|error| self.range_in_parentheses(start, error))?;
        let last = self.upper_end()?;
        if self.operator().kind == TokenKind::DotDotEqual && last.is_some() {
            let error = self.error(self.operator().span, "a range has two ends");
            return Err(error.with_label("a third one").into());
        }
        match (last, first.kind) {
            (Some(last), kind) => {
                let span = first.span;
                Ok(Options::Range(Expr { kind, span }, last))
            }
            (
                None,
                ExprKind::Call {
                    name: function,
                    args,
                },
            ) if function.text == "subsets" => match <[Arg; 1]>::try_from(args) {
                Ok([Arg::Value(pool)]) => Ok(Options::Subsets(pool)),
                _ => {
                    let error = self.error(first.span, "`subsets` takes one pool");
                    Err(error.with_help("write `subsets(roll)`").into())
                }
            },
            (None, kind) => Err(self.no_options(party, name, &kind, first.span)),
        }
    }

    /// `where condition`, if it is there.
    fn choice_condition(&mut self, name: &Name) -> Parsed<Option<Expr>> {
        let token = self.operator();
        if token.kind != TokenKind::Keyword(Keyword::Where) {
            let word = self.text(token.span);
            let meant = token.kind == TokenKind::Keyword(Keyword::If)
                || token.kind == TokenKind::Name
                    && (nearest(word, FOR_WHERE).is_some() || word == name.text);
            if meant && !self.begins_statement(token) {
                let message = format!("expected `where` or the next statement, found `{word}`");
                let condition = match token.kind {
                    TokenKind::Keyword(_) => {
                        let rest = self.behind(token).lines().next().unwrap_or_default().trim();
                        let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_');
                        match words.any(|word| word == name.text) {
                            true => rest.to_owned(),
                            false => format!("{} <= 0 or {rest}", name.text),
                        }
                    }
                    _ => format!("{} > 1", name.text),
                };
                let help = format!(
                    "a condition on what is chosen begins with `where`: `where {condition}`"
                );
                return Err(self.error(token.span, message).with_help(help).into());
            }
            return Ok(None);
        }
        self.take(token);
        let next = self.operand();
        if next.kind == TokenKind::End || self.begins_statement(next) {
            let error = self.error(token.span, "`where` needs a condition");
            let help = format!("write `where {} > 1`, or leave it out", name.text);
            return Err(error.with_help(help).into());
        }
        self.expr().map(Some)
    }

    /// `(0..=3)` is no value, but a range was right.
    fn range_in_parentheses(&self, start: Span, error: Failure) -> Failure {
        if self.text(start) != "(" || self.text(error.span) != "..=" {
            return error;
        }
        self.error(start, "what can be chosen stands without parentheses")
            .with_help("write `0..=3`")
            .into()
    }

    /// What is said of a value where what can be chosen was due.
    fn no_options(&self, party: Party, name: &Name, kind: &ExprKind, span: Span) -> Failure {
        let text = self.text(span);
        let help = match kind {
            ExprKind::Call { name, .. } if nearest(&name.text, ["subsets"]).is_some() => {
                "did you mean `subsets`?".to_owned()
            }
            ExprKind::Name(word) if nearest(word, ["subsets"]).is_some() => {
                "write `subsets(roll)`".to_owned()
            }
            _ if text.contains('\n') => forms(party, name),
            ExprKind::List(items) => format!(
                "choose a place in it, as in `{} at in 0..={}`, and read `{text}[at]`",
                party.keyword(),
                items.len().saturating_sub(1)
            ),
            ExprKind::Dice { .. } | ExprKind::Keep { .. } | ExprKind::Pool(_) => {
                format!("write `subsets({text})` for some of its dice")
            }
            ExprKind::Name(_) | ExprKind::Field { .. } | ExprKind::Call { .. } => {
                format!(
                    "write `0..={text}` for a number up to it, or `subsets({text})` for some of its dice"
                )
            }
            ExprKind::Int(_) => format!("write `0..={text}` for a number up to it"),
            _ => forms(party, name),
        };
        self.error(span, "this is nothing to choose from")
            .with_help(help)
            .into()
    }

    /// `let x = choose …`
    pub(super) fn choice_as_value(&mut self, token: Token, name: &Name) -> Failure {
        self.take(token);
        let word = self.text(token.span);
        self.error(token.span, format!("`{word}` is a statement of its own"))
            .with_help(format!("write `{word} {} in 0..=3`", name.text))
            .into()
    }
}

fn forms(party: Party, Name { text, .. }: &Name) -> String {
    let word = party.keyword();
    format!("write `{word} {text} in 0..=3`, or `{word} {text} in subsets(roll)`")
}

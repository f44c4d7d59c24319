//! Queries: `Hit & Twist`, `P(total >= 15 | Hit)`, `mean(total)`.

use super::ast::{Expr, Query};
use super::lexer::{Bracket, Token, TokenKind};
use super::parser::{Parsed, Parser, whole};
use crate::source::Reporter;

/// Reads a question; `text` starts at byte `offset` of the reporter's source.
///
/// A text that is a label as a whole (`4/5`) is for the caller to recognise before this.
pub(crate) fn parse_query(text: &str, offset: usize, reporter: &mut Reporter) -> Option<Query> {
    whole(text, offset, reporter, |parser| {
        parser.query = true;
        parser.query()
    })
}

impl Parser<'_> {
    fn query(&mut self) -> Parsed<Query> {
        let token = self.operand();
        let word = self.text(token.span);
        let known = ["P", "mean", "variance"].contains(&word);
        if !known && self.is_call(token) {
            self.refuse_statistic(token)?;
        }
        if !known || !self.is_call(token) {
            let (event, given) = self.given()?;
            return Ok(Query::Probability { event, given });
        }
        self.take(token);
        self.enter(self.operand(), Bracket::Round);
        let (value, given) = self.given()?;
        self.close("an operator, `|` or `)`")?;
        Ok(match word {
            "mean" => Query::Mean { value, given },
            "variance" => Query::Variance { value, given },
            _ => Query::Probability {
                event: value,
                given,
            },
        })
    }

    /// `median(total)` and the like.
    fn refuse_statistic(&self, name: Token) -> Parsed<()> {
        let word = self.text(name.span);
        let lower = word.to_lowercase();
        let meant = match lower.as_str() {
            "p" | "pr" | "prob" | "probability" | "chance" | "odds" => "P",
            "mean" | "avg" | "average" | "ev" | "e" | "expected" | "expectation" => "mean",
            "variance" | "var" => "variance",
            "median" | "mode" | "quantile" | "percentile" | "sd" | "std" | "stdev" | "stddev"
            | "deviation" | "quartile" => "",
            _ => return Ok(()),
        };
        let error = self
            .error(name.span, format!("`{word}` is not a query"))
            .with_help("queries are P(…), mean(…) and variance(…)");
        Err(if meant.is_empty() {
            error
        } else {
            error.with_label(format!("did you mean `{meant}`?"))
        }
        .into())
    }

    /// `event` or `event | condition`.
    fn given(&mut self) -> Parsed<(Expr, Option<Expr>)> {
        let value = self.expr()?;
        let token = self.operator();
        if token.kind != TokenKind::Pipe {
            return Ok((value, None));
        }
        self.take(token);
        Ok((value, Some(self.expr()?)))
    }
}

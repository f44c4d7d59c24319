//! Queries: `Hit & Twist`, `P(total >= 15 | Hit)`, `mean(total)`, `quantile(total, 0.9 | Hit)`.

use super::ast::{Ask, Expr, Query};
use super::lexer::{Bracket, Token, TokenKind};
use super::parser::{Parsed, Parser, whole};
use crate::number::Number;
use crate::source::{Reporter, Span};
use crate::statistic::Statistic;

/// What queries may ask, for messages.
const QUERIES: &str = "queries are P(…), mean(…), median(…), quantile(…, 0.9), mode(…), min(…), max(…), sd(…) and variance(…)";

/// The words that begin a query, but for `quantile`.
pub(crate) const QUERY_WORDS: [&str; 8] = [
    "P", "mean", "variance", "sd", "median", "mode", "min", "max",
];

/// Reads a question; `text` starts at byte `offset` of the reporter's source.
///
/// A text that is a label as a whole (`4/5`) is for the caller to recognise before this.
pub(crate) fn parse_query(text: &str, offset: usize, reporter: &mut Reporter) -> Option<Query> {
    whole(text, offset, reporter, |parser| {
        parser.query = true;
        let query = parser.query()?;
        let after = parser.rounds()?;
        Ok(Query { after, ..query })
    })
}

/// What a word asks for, if a query begins with it; `quantile` asks for more than its word says.
fn asked_by(word: &str) -> Option<Ask> {
    let half = || Number::parse("1/2").expect("it is a fraction");
    Some(match word {
        "P" => Ask::Probability,
        "mean" => Ask::Mean,
        "variance" => Ask::Variance,
        "sd" => Ask::Deviation,
        "median" => Ask::Statistic(Statistic::Quantile(half())),
        "mode" => Ask::Statistic(Statistic::Mode),
        "min" => Ask::Statistic(Statistic::Min),
        "max" => Ask::Statistic(Statistic::Max),
        _ => return None,
    })
}

impl Parser<'_> {
    fn query(&mut self) -> Parsed<Query> {
        let token = self.operand();
        let word = self.text(token.span);
        if !self.is_call(token) {
            return self.event();
        }
        match (word, asked_by(word)) {
            ("quantile", _) => self.quantile(token),
            // `min(total, 9) >= 3` is an event.
            ("min" | "max", Some(_)) if !self.is_whole(token) => self.event(),
            (_, Some(ask)) => self.asked(token, ask),
            _ => {
                self.refuse_statistic(token)?;
                self.event()
            }
        }
    }

    /// `after 4`, behind a question about a track.
    fn rounds(&mut self) -> Parsed<Option<(i64, Span)>> {
        let word = self.operator();
        if word.kind != TokenKind::Name || self.text(word.span) != "after" {
            return Ok(None);
        }
        let token = self.after(word);
        let TokenKind::Int(rounds) = token.kind else {
            let whole = Span::new(word.span.start, token.span.end);
            let error = self.error(whole, "`after` needs a number of rounds");
            return Err(error
                .with_help("write it last and as a plain number, as in `P(hits >= 2) after 4`")
                .into());
        };
        let unit = self.after(token);
        if unit.kind == TokenKind::Name {
            let told = self.text(unit.span).to_owned();
            let error = self.error(
                unit.span,
                format!("`after {rounds}` says it without `{told}`"),
            );
            return Err(error.with_help(format!("write `after {rounds}`")).into());
        }
        self.take(token);
        Ok(Some((rounds, word.span.to(token.span))))
    }

    /// An event by itself: its probability is asked for.
    fn event(&mut self) -> Parsed<Query> {
        let (subject, given) = self.given()?;
        let ask = Ask::Probability;
        Ok(Query {
            ask,
            subject,
            given,
            after: None,
        })
    }

    /// `word(subject | condition)`
    fn asked(&mut self, word: Token, ask: Ask) -> Parsed<Query> {
        self.take(word);
        self.enter(self.operand(), Bracket::Round);
        let (subject, given) = self.given()?;
        self.close("an operator, `|` or `)`")?;
        Ok(Query {
            ask,
            subject,
            given,
            after: None,
        })
    }

    /// Whether a call with one argument is all that is written.
    fn is_whole(&self, word: Token) -> bool {
        let mut ahead = self.clone();
        if ahead.asked(word, Ask::Mean).is_err() {
            return false;
        }
        let next = ahead.operator();
        next.kind == TokenKind::End || self.text(next.span) == "after"
    }

    /// `quantile(number, share | condition)`
    fn quantile(&mut self, word: Token) -> Parsed<Query> {
        self.take(word);
        self.enter(self.operand(), Bracket::Round);
        let subject = self.expr()?;
        let comma = self.operator();
        if comma.kind != TokenKind::Comma {
            let whole = Span::new(word.span.start, comma.span.end);
            let error = self.error(whole, "`quantile` needs a number and a share");
            return Err(error
                .with_help("write `quantile(total, 0.9)`: the least value that is not exceeded in nine of ten rolls; a condition stands last, as in `quantile(total, 0.9 | Hit)`")
                .into());
        }
        self.take(comma);
        let share = self.share()?;
        let token = self.operator();
        let given = match token.kind {
            TokenKind::Pipe => {
                self.take(token);
                Some(self.expr()?)
            }
            _ => None,
        };
        self.close("`|` or `)`")?;
        let ask = Ask::Statistic(Statistic::Quantile(share));
        Ok(Query {
            ask,
            subject,
            given,
            after: None,
        })
    }

    /// A decimal, a percentage or a fraction above 0 and up to 1.
    fn share(&mut self) -> Parsed<Number> {
        let rest = self.rest();
        let blank = rest.len() - rest.trim_start().len();
        let written = rest.trim_start();
        let length = written.find(['|', ')', ',']).unwrap_or(written.len());
        let written = written[..length].trim_end();
        let start = self.pos + blank;
        let span = Span::new(start, start + written.len());
        let help = "a share is a decimal, a percentage or a fraction: `0.9`, `90 %` or `9/10`";
        let refused = |message: String| self.error(span, message).with_help(help);
        let number = Number::parse(written)
            .map_err(|reason| refused(format!("`{written}` is not a share: {reason}")))?;
        if !number.is_chance() || number == Number::whole(0) {
            let message = format!("`{written}` is not a share: it lies above 0 and is at most 1");
            return Err(refused(message).into());
        }
        self.pos = span.end;
        Ok(number)
    }

    /// What statistics are called elsewhere.
    fn refuse_statistic(&self, name: Token) -> Parsed<()> {
        let word = self.text(name.span);
        let lower = word.to_lowercase();
        let meant = match lower.as_str() {
            "p" | "pr" | "prob" | "probability" | "chance" | "odds" => "P",
            "mean" | "avg" | "average" | "ev" | "e" | "expected" | "expectation" => "mean",
            "variance" | "var" => "variance",
            "sd" | "std" | "stdev" | "stddev" | "deviation" | "sigma" => "sd",
            "median" | "med" => "median",
            "mode" => "mode",
            "quantile" | "percentile" | "quartile" => "quantile",
            "min" | "minimum" | "least" => "min",
            "max" | "maximum" | "greatest" => "max",
            _ => return Ok(()),
        };
        let error = self
            .error(name.span, format!("`{word}` is not a query"))
            .with_help(QUERIES);
        Err(error.meant(meant).into())
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

//! Dice and what modifies them, in their one order: reroll, explode, keep or drop, count.

use super::ast::{Die, Explode, Expr, ExprKind, Faces, Keep, Reroll, Test, TestKind, UnaryOp};
use super::expr::{Level, expr, range};
use super::lexer::{Bracket, DieHead, Token, TokenKind};
use super::parser::{Failure, Parsed, Parser};
use crate::source::{Diagnostic, Span};

/// When a part of a term applies; a term's parts must be written in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Pool,
    Reroll,
    Explode,
    Keep,
    Count,
}

impl Stage {
    /// The subject of "… before …".
    fn noun(self) -> &'static str {
        match self {
            Self::Pool => "the dice",
            Self::Reroll => "rerolling",
            Self::Explode => "exploding",
            Self::Keep => "keeping",
            Self::Count => "counting",
        }
    }
}

/// The parts of a pool as they are written, to name the right order when they are in a wrong one.
pub(super) struct Term {
    parts: Vec<(Stage, Span)>,
    /// Whether it begins with dice, not with some other pool.
    dice: bool,
}

impl Term {
    pub(super) fn new(pool: Span) -> Self {
        Self {
            parts: vec![(Stage::Pool, pool)],
            dice: false,
        }
    }

    fn span(&self) -> Span {
        self.parts
            .iter()
            .map(|(_, span)| *span)
            .reduce(Span::to)
            .unwrap_or_default()
    }

    fn last(&self) -> Stage {
        self.parts.last().map_or(Stage::Pool, |(stage, _)| *stage)
    }
}

impl Parser<'_> {
    /// Dice with their rerolls and explosions, from the token of their `d`.
    pub(super) fn dice(
        &mut self,
        count: Option<Expr>,
        token: Token,
        head: DieHead,
    ) -> Parsed<(Expr, Term)> {
        let start = count
            .as_ref()
            .map_or(token.span.start, |count| count.span.start);
        let faces = self.faces(token, head)?;
        let mut term = Term {
            dice: true,
            ..Term::new(Span::new(start, self.pos))
        };
        let reroll = match self.operator() {
            token if token.kind == TokenKind::Reroll => Some(self.reroll(token, &mut term)?),
            _ => None,
        };
        let explode = match self.operator() {
            token if token.kind == TokenKind::Bang => Some(self.explode(token, &mut term)?),
            _ => None,
        };
        let die = Die {
            faces,
            reroll,
            explode,
            span: Span::new(token.span.start, self.pos),
        };
        let kind = ExprKind::Dice {
            count: count.map(Box::new),
            die: Box::new(die),
        };
        Ok((expr(kind, Span::new(start, self.pos)), term))
    }

    fn faces(&mut self, token: Token, head: DieHead) -> Parsed<Faces> {
        let bracket = match head {
            DieHead::Open(bracket) => bracket,
            DieHead::Sides(_) | DieHead::Percent | DieHead::Fate => {
                self.take(token);
                let digits = Span::new(token.span.start + 1, token.span.end);
                return Ok(match head {
                    DieHead::Sides(sides) => Faces::Sides(expr(ExprKind::Int(sides), digits)),
                    DieHead::Percent => Faces::Percent,
                    _ => Faces::Fate,
                });
            }
        };
        self.enter(token, bracket);
        match bracket {
            Bracket::Round => {
                let sides = self.expr()?;
                self.close("an operator or `)`")?;
                Ok(Faces::Sides(sides))
            }
            Bracket::Square => {
                let roll = self.expr()?;
                self.close("an operator or `]`")?;
                Ok(Faces::Of(roll))
            }
            Bracket::Curly => {
                let faces = self.items(Self::face)?;
                if faces.is_empty() {
                    let span = Span::new(token.span.start, self.pos);
                    return Err(self.error(span, "a die needs at least one face").into());
                }
                Ok(Faces::Listed(faces))
            }
        }
    }

    fn reroll(&mut self, token: Token, term: &mut Term) -> Parsed<Reroll> {
        self.take(token);
        let once = self.text(token.span) == "ro";
        let test = self.condition(token)?;
        term.parts.push((Stage::Reroll, token.span.to(test.span)));
        self.refuse_sum(term, &test)?;
        Ok(Reroll { once, test })
    }

    fn explode(&mut self, token: Token, term: &mut Term) -> Parsed<Explode> {
        self.take(token);
        let next = self.operand();
        let tested = match next.kind {
            TokenKind::Compare(_) | TokenKind::Assign => true,
            // A negative number may begin a range; else it is taken away from dice that have no depth.
            TokenKind::Minus => self.after(self.after(next)).kind == TokenKind::DotDotEqual,
            // Anything else is more likely a depth without its parentheses.
            _ => self.after(next).kind == TokenKind::DotDotEqual,
        };
        let test = if tested {
            Some(self.condition(token)?)
        } else {
            None
        };
        let open = self.operator();
        let depth = if open.kind == TokenKind::Open(Bracket::Round) {
            self.enter(open, Bracket::Round);
            let depth = Box::new(self.expr()?);
            self.close("an operator or `)`")?;
            Some(depth)
        } else {
            self.demand_endless(token, &test, term)?;
            None
        };
        term.parts
            .push((Stage::Explode, Span::new(token.span.start, self.pos)));
        Ok(Explode { test, depth })
    }

    /// Without a depth there is none: not a number that was meant as one, nor a comparison that was not meant for the faces.
    fn demand_endless(&mut self, token: Token, test: &Option<Test>, term: &Term) -> Parsed<()> {
        let dice = self.text(term.span());
        if let Some(test) = test
            .as_ref()
            .filter(|test| test.span.start > token.span.end)
        {
            let test = self.text(test.span);
            let written = Span::new(token.span.start, self.pos);
            let error = self.error(written, "a comparison after `!` may be meant in two ways");
            let tight: String = test.split_whitespace().collect();
            return Err(error.with_help(format!(
                "write `{dice}!{tight}` if these faces explode, or `({dice}!) {test}` to compare what is rolled"
            )).into());
        }
        let next = self.operator();
        if test.is_none() && matches!(next.kind, TokenKind::Int(_)) {
            let number = self.text(next.span);
            let error = self.error(next.span, "a depth stands in brackets");
            return Err(error
                .with_help(format!(
                    "`{dice}!({number})` explodes at most {number} times; `{dice}!` without an end"
                ))
                .into());
        }
        if test.is_none() && next.kind == TokenKind::Name && next.span.start == token.span.end {
            let message = format!(
                "`!` is followed by `{}`, which is no modifier",
                self.text(next.span)
            );
            return Err(self.error(token.span.to(next.span), message).into());
        }
        Ok(())
    }

    pub(super) fn keep(
        &mut self,
        pool: Expr,
        token: Token,
        which: Keep,
        attached: Option<i64>,
        term: &mut Term,
    ) -> Parsed<Expr> {
        self.take(token);
        let digits = Span::new(token.span.start + 2, token.span.end);
        let amount = match attached {
            Some(amount) => Some(expr(ExprKind::Int(amount), digits)),
            None => self.amount()?,
        };
        let span = Span::new(pool.span.start, self.pos);
        term.parts
            .push((Stage::Keep, Span::new(token.span.start, self.pos)));
        if let Some(amount) = &amount {
            self.refuse_postfix(amount)?;
            self.refuse_sum_after(term, amount)?;
        }
        self.refuse_disorder(term)?;
        Ok(expr(
            ExprKind::Keep {
                pool: Box::new(pool),
                which,
                amount: amount.map(Box::new),
            },
            span,
        ))
    }

    /// What may follow `kh`. A `-` is a subtraction: `2d20kh - 5` keeps one die.
    fn amount(&mut self) -> Parsed<Option<Expr>> {
        let token = self.operator();
        match token.kind {
            TokenKind::Int(_) | TokenKind::Open(Bracket::Round) => self.atom().map(Some),
            // The name of a statement that lacks its keyword is not one either.
            TokenKind::Name if !self.assigns(token) && !self.begins_statement(token) => {
                self.atom().map(Some)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn successes(&mut self, pool: Expr, token: Token, term: &mut Term) -> Parsed<Expr> {
        self.take(token);
        let test = self.condition(token)?;
        let span = pool.span.to(test.span);
        term.parts.push((Stage::Count, token.span.to(test.span)));
        self.refuse_sum(term, &test)?;
        self.refuse_disorder(term)?;
        Ok(expr(
            ExprKind::Successes {
                pool: Box::new(pool),
                test: Box::new(test),
            },
            span,
        ))
    }

    /// `>= 7` or `4..=5` after `cs`, `r`, `ro` or `!`, which is `modifier`.
    fn condition(&mut self, modifier: Token) -> Parsed<Test> {
        let word = self.text(modifier.span);
        let token = self.operand();
        let test = match token.kind {
            TokenKind::Compare(op) => {
                self.take(token);
                let value = self.atom()?;
                let span = token.span.to(value.span);
                Test {
                    kind: TestKind::Compare { op, value },
                    span,
                }
            }
            TokenKind::Int(_)
            | TokenKind::Minus
            | TokenKind::Name
            | TokenKind::Open(Bracket::Round) => {
                let from = self.atom()?;
                if self.operator().kind != TokenKind::DotDotEqual {
                    return Err(self.no_comparison(modifier, &from));
                }
                self.take(self.operator());
                range(from, self.atom()?)
            }
            TokenKind::Assign => {
                let error = self.error(token.span, "`=` does not compare");
                return Err(error.with_help("write `==`").into());
            }
            _ => {
                return Err(self.unexpected(
                    token,
                    &format!("a comparison after `{word}`, such as `>= 5`"),
                ));
            }
        };
        if word != "!" {
            self.refuse_postfix(last_number(&test))?;
        }
        Ok(test)
    }

    fn no_comparison(&self, modifier: Token, number: &Expr) -> Failure {
        let [word, number_text] = [modifier.span, number.span].map(|span| self.text(span));
        let more = if word.starts_with('r') { "<=" } else { ">=" };
        self.error(
            modifier.span.to(number.span),
            format!("`{word}` needs a comparison"),
        )
        .with_help(format!(
            "write `{word} == {number_text}` or `{word} {more} {number_text}`"
        ))
        .into()
    }

    /// A number, a name or something in parentheses, maybe with a minus.
    fn atom(&mut self) -> Parsed<Expr> {
        let token = self.operand();
        let minus = (token.kind == TokenKind::Minus).then_some(token);
        let token = minus.map_or(token, |minus| self.after(minus));
        self.pos = minus.map_or(self.pos, |minus| minus.span.end);
        let value = match token.kind {
            TokenKind::Int(value) => {
                self.take(token);
                expr(ExprKind::Int(value), token.span)
            }
            TokenKind::Name => {
                self.take(token);
                expr(ExprKind::Name(self.text(token.span).to_owned()), token.span)
            }
            TokenKind::Open(Bracket::Round) => {
                self.enter(token, Bracket::Round);
                let inner = self.expr()?;
                self.close("an operator or `)`")?;
                expr(inner.kind, Span::new(token.span.start, self.pos))
            }
            _ => return Err(self.unexpected(token, "a number, a name or `(`")),
        };
        let Some(minus) = minus else { return Ok(value) };
        let span = minus.span.to(value.span);
        Ok(expr(
            ExprKind::Unary {
                op: UnaryOp::Negate,
                operand: Box::new(value),
            },
            span,
        ))
    }

    /// A modifier's number is an atom: `cs >= ranks[0]` would index the count.
    fn refuse_postfix(&self, number: &Expr) -> Parsed<()> {
        let token = self.operator();
        let goes_on = matches!(
            token.kind,
            TokenKind::Open(Bracket::Round | Bracket::Square) | TokenKind::Dot
        );
        if !goes_on || !is_name(number) || token.span.start != number.span.end {
            return Ok(());
        }
        let name = self.text(number.span);
        let closed = match token.kind {
            TokenKind::Dot => format!("({name}.…)"),
            TokenKind::Open(Bracket::Square) => format!("({name}[…])"),
            _ => format!("({name}(…))"),
        };
        let error = self.error(
            number.span.to(token.span),
            "more than a name needs parentheses here",
        );
        Err(error.with_help(format!("write `{closed}`")).into())
    }

    fn refuse_sum(&mut self, term: &Term, test: &Test) -> Parsed<()> {
        self.refuse_sum_after(term, last_number(test))
    }

    /// After a modifier whose number is a name, arithmetic reads two ways; neither is taken.
    fn refuse_sum_after(&mut self, term: &Term, number: &Expr) -> Parsed<()> {
        let token = self.operator();
        let level = match token.kind {
            TokenKind::Plus | TokenKind::Minus => Level::Product,
            TokenKind::Star => Level::Unary,
            _ => return Ok(()),
        };
        if !is_name(number) {
            return Ok(());
        }
        self.take(token);
        let right = self.binary(level)?;
        let term = term.span();
        let before = self.text(Span::new(term.start, number.span.start));
        let [number_text, op, right_text] =
            [number.span, token.span, right.span].map(|span| self.text(span));
        let error = self.error(
            number.span.to(right.span),
            format!("`{op}` after a name here reads two ways"),
        );
        let help = format!(
            "write `({before}{number_text}) {op} {right_text}` or `{before}({number_text} {op} {right_text})`"
        );
        Err(error.with_help(help).into())
    }

    pub(super) fn refuse_second_die(&mut self, token: Token, term: &Term) -> Parsed<()> {
        if !term.dice && term.last() == Stage::Pool {
            return Ok(());
        }
        let [first, second] = [term.span(), token.span].map(|span| self.text(span));
        let error = self.error(token.span, "dice cannot be followed by a `d`");
        let sides = &second[1..];
        Err(match token.kind {
            TokenKind::Die(DieHead::Sides(_)) => error.with_help(format!(
                "write `({first}){second}` for as many dice as `{first}` shows, \
                 or `{first}dl{sides}` to drop the lowest {sides}"
            )),
            _ => error.with_help(format!(
                "write `({first}){second}…` for as many dice as `{first}` shows"
            )),
        }
        .into())
    }

    /// A reroll or explosion that does not stand where the die could take it.
    pub(super) fn misplaced(&mut self, token: Token, term: &Term) -> Parsed<Failure> {
        let bang = token.kind == TokenKind::Bang;
        if !term.dice {
            let what = if bang { "exploding" } else { "rerolling" };
            let error = self.error(
                token.span,
                format!("{what} belongs to dice, not to any pool"),
            );
            let example = if bang { "4d6!(2)" } else { "4d6r<2" };
            return Ok(error
                .with_help(format!("write it right after the die: `{example}`"))
                .into());
        }
        let mut more = Term {
            parts: term.parts.clone(),
            dice: true,
        };
        if bang {
            self.explode(token, &mut more)?;
        } else {
            self.reroll(token, &mut more)?;
        }
        self.refuse_disorder(&more)?;
        Ok(self.unexpected(token, "an operator"))
    }

    /// The last part of `term` must not belong before what it follows.
    fn refuse_disorder(&self, term: &Term) -> Parsed<()> {
        let [.., (before, _), (last, span)] = term.parts.as_slice() else {
            return Ok(());
        };
        let repeated = match last {
            Stage::Reroll => Some("one die takes one reroll"),
            Stage::Explode => Some("one die takes one `!`"),
            _ => None,
        };
        if let Some(message) = repeated.filter(|_| before == last) {
            return Err(self.error(*span, message).into());
        }
        if before <= last {
            return Ok(());
        }
        let mut parts = term.parts.clone();
        parts.sort_by_key(|(stage, _)| *stage);
        let error = self.error(
            *span,
            format!("{} comes before {}", last.noun(), before.noun()),
        );
        let written = self.joined(&parts, term.span());
        if (before, last) == (&Stage::Explode, &Stage::Reroll) {
            return Err(error.with_help(self.rerolled(&written, term)).into());
        }
        Err(error.with_help(format!("write `{written}`")).into())
    }

    /// The two rules that `4d6!(1)r<2` may be meant as: the language has one order, and dice of dice for the other one.
    fn rerolled(&self, first: &str, term: &Term) -> String {
        let text = |(_, span): &(Stage, Span)| self.text(*span);
        let [dice, explode, reroll] = term.parts.as_slice() else {
            return format!("write `{first}`");
        };
        let [dice, explode, reroll] = [dice, explode, reroll].map(text);
        let Some((count, die)) = dice.split_once('d') else {
            return format!("write `{first}`");
        };
        format!(
            "write `{first}` if each face is rerolled before it may explode, or `{count}d[1d{die}{explode}]{reroll}` if a die is rerolled by what it shows after it has exploded"
        )
    }

    /// The parts as one text, spaced as the original was.
    fn joined(&self, parts: &[(Stage, Span)], original: Span) -> String {
        let spaced = self.text(original).contains(char::is_whitespace);
        let mut joined = String::new();
        for (_, span) in parts {
            let part = self.text(*span);
            let word = joined
                .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
                .next();
            // After a name the next word would become a part of it.
            let runs_on = word.is_some_and(|word| word.starts_with(char::is_alphabetic));
            if !joined.is_empty() && (spaced || runs_on) {
                joined.push(' ');
            }
            joined.push_str(part);
        }
        joined
    }

    /// A word after a pool that means something in other tools, or is glued to a die.
    pub(super) fn refuse_alias(&self, token: Token, left: &Expr, term: &Term) -> Parsed<()> {
        self.refuse_words(token, left, term.dice)?;
        let word = self.text(token.span);
        let number = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let counts = number.chars().all(|c| c.is_ascii_digit());
        let letters = &word[..word.len() - number.len()];
        let is_glued = term.dice && token.span.start == left.span.end;
        if is_glued && word.starts_with('_') {
            return Err(self.glued(token, left).into());
        }
        if self.assigns(token) || !counts || !(term.dice || word == "d") {
            return Ok(());
        }
        let pool = self.text(left.span);
        let (message, help) = match letters {
            "k" => (
                "`k` does not say which dice to keep".to_owned(),
                format!("write `{pool}kh{number}` to keep the highest"),
            ),
            "r" | "ro" => (
                format!("`{word}` needs a comparison"),
                format!("write `{pool}{word}<2` or `{pool}{word}==1`"),
            ),
            "d" if self.after(token).kind == TokenKind::Minus => (
                "a die can't have fewer than 1 side".to_owned(),
                "a die has a whole number of sides, from 1 on".to_owned(),
            ),
            "d" => (
                "`d` must touch its sides".to_owned(),
                format!("write `{pool} d6` or `{pool} d(sides)`"),
            ),
            _ if token.span.start == left.span.end => return Err(self.glued(token, left).into()),
            _ => return Ok(()),
        };
        Err(self.error(token.span, message).with_help(help).into())
    }

    /// A word that goes on after a die, such as `d6_bonus`.
    fn glued(&self, token: Token, left: &Expr) -> Diagnostic {
        let written = format!("{}{}", self.text(left.span), self.text(token.span));
        let message = format!("`{written}` is neither dice nor a name");
        let help = format!("a name cannot begin like a die; a label needs quotes: `\"{written}\"`");
        self.error(token.span, message).with_help(help)
    }
}

fn is_name(number: &Expr) -> bool {
    match &number.kind {
        ExprKind::Unary { operand, .. } => matches!(operand.kind, ExprKind::Name(_)),
        kind => matches!(kind, ExprKind::Name(_)),
    }
}

fn last_number(test: &Test) -> &Expr {
    match &test.kind {
        TestKind::Compare { value, .. } | TestKind::Value(value) => value,
        TestKind::Range { to, .. } => to,
    }
}

//! Expressions: operators by precedence, values, calls, `if` and `match`.

use super::ast::{
    Arg, Arm, BinaryOp, CompareOp, Division, Expr, ExprKind, Face, Test, TestKind, UnaryOp,
};
use super::dice::Term;
use super::lexer::{Bracket, Keyword, Token, TokenKind};
use super::parser::{Failure, Parsed, Parser};
use crate::source::Span;

/// How tightly an operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    Compare,
    Sum,
    Product,
    Unary,
}

/// The most arms of a `match`.
const MOST_ARMS: usize = 2000;

impl Level {
    fn tighter(self) -> Self {
        match self {
            Self::Or => Self::And,
            Self::And => Self::Not,
            Self::Not => Self::Compare,
            Self::Compare => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product | Self::Unary => Self::Unary,
        }
    }
}

pub(super) fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    expr(
        ExprKind::Binary {
            op,
            left: Box::new(left),
            right: Box::new(right),
        },
        span,
    )
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let token = self.operand();
        if token.kind == TokenKind::Keyword(Keyword::If) {
            self.nested(|parser| parser.conditional(token))
        } else {
            self.binary(Level::Or)
        }
    }

    /// What stands in a pattern, a face or a range: arithmetic without a comparison.
    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        self.binary(Level::Sum)
    }

    /// Operators that bind at least as tightly as `least`.
    pub(super) fn binary(&mut self, least: Level) -> Parsed<Expr> {
        self.nested(|parser| {
            let mut left = parser.prefix(least)?;
            while let Some((token, op, level)) = parser.infix(&left, least)? {
                parser.take(token);
                let right = parser.binary(level.tighter())?;
                left = binary(op, left, right);
                if level == Level::Compare {
                    left = parser.chain(left)?;
                }
                parser.grow()?;
            }
            Ok(left)
        })
    }

    /// The operator that goes on after `left`, if it binds tightly enough.
    fn infix(&mut self, left: &Expr, least: Level) -> Parsed<Option<(Token, BinaryOp, Level)>> {
        if least == Level::Unary {
            return Ok(None);
        }
        let token = self.operator();
        let (op, level) = match token.kind {
            TokenKind::Keyword(Keyword::Or) => (BinaryOp::Or, Level::Or),
            TokenKind::Keyword(Keyword::And) => (BinaryOp::And, Level::And),
            TokenKind::Ampersand if self.query => (BinaryOp::And, Level::And),
            TokenKind::Compare(op) => (BinaryOp::Compare(op), Level::Compare),
            TokenKind::Plus => (BinaryOp::Add, Level::Sum),
            TokenKind::Minus => (BinaryOp::Subtract, Level::Sum),
            TokenKind::Star => (BinaryOp::Multiply, Level::Product),
            TokenKind::Slash => return Err(self.unrounded(token, left)?),
            TokenKind::Assign => {
                let error = self.error(token.span, "`=` does not compare");
                return Err(error.with_help("write `==`").into());
            }
            TokenKind::Keyword(Keyword::In) if least <= Level::Compare => {
                return Err(self.no_membership(token, left)?);
            }
            TokenKind::Arrow => {
                let error = self.error(token.span, "`=>` only stands before a function's body");
                return Err(error
                    .with_help("write `>=` to compare, and `:` after the pattern of an arm")
                    .into());
            }
            _ => return Ok(None),
        };
        Ok((level >= least).then_some((token, op, level)))
    }

    /// `left / right` where nothing rounds it.
    fn unrounded(&mut self, slash: Token, left: &Expr) -> Parsed<Failure> {
        self.take(slash);
        let right = self.binary(Level::Unary)?;
        let span = left.span.to(right.span);
        let text = format!("{} / {}", self.text(left.span), self.text(right.span));
        let error = self.error(span, "a division must say how it rounds");
        let alone = match self.query {
            true => "; answers of several questions are not divided here",
            false => "",
        };
        Ok(error
            .with_help(format!("write `floor({text})` or `ceil({text})`{alone}"))
            .into())
    }

    /// `left in 3..=5`
    fn no_membership(&mut self, token: Token, left: &Expr) -> Parsed<Failure> {
        self.take(token);
        let error = self.error(token.span, "`in` is not an operator");
        let low = self.sum()?;
        let Some(high) = self.upper_end()? else {
            let help = "write a comparison for each value, with `or` between them";
            return Ok(error.with_help(help).into());
        };
        let and = if self.query { "&" } else { "and" };
        let [left_text, low, high] = [left.span, low.span, high.span].map(|span| self.text(span));
        let help = if matches!(left.kind, ExprKind::Name(_)) {
            format!("write `{left_text} >= {low} {and} {left_text} <= {high}`")
        } else {
            // Written twice, its dice would be rolled twice.
            format!("name it with `let m = …` and write `m >= {low} {and} m <= {high}`")
        };
        Ok(error.with_help(help).into())
    }

    /// `a < b` goes on with `< c` in queries alone, and only upwards or downwards: what stands in the middle is there
    /// twice then, which in a script would roll its dice twice.
    fn chain(&mut self, first: Expr) -> Parsed<Expr> {
        let token = self.operator();
        let (
            TokenKind::Compare(op),
            ExprKind::Binary {
                op: before, right, ..
            },
        ) = (token.kind, &first.kind)
        else {
            return Ok(first);
        };
        self.take(token);
        let last = self.sum()?;
        let goes_on = match before {
            BinaryOp::Compare(before) => before.goes_on_with(op),
            _ => false,
        };
        if !self.query || !goes_on {
            return Err(self.refuse_chain(&first, token, &last));
        }
        let middle = right.as_ref().clone();
        let whole = binary(
            BinaryOp::And,
            first,
            binary(BinaryOp::Compare(op), middle, last),
        );
        self.grow()?;
        match self.operator().kind {
            TokenKind::Compare(_) => Err(self
                .error(whole.span, "three comparisons in a chain")
                .with_help("a chain has two ends: `4 <= total <= 7`; join others with `&`")
                .into()),
            _ => Ok(whole),
        }
    }

    /// Says how two comparisons are written.
    fn refuse_chain(&self, first: &Expr, token: Token, last: &Expr) -> Failure {
        let ExprKind::Binary { right: middle, .. } = &first.kind else {
            unreachable!("a comparison has two sides")
        };
        let plain = matches!(
            middle.kind,
            ExprKind::Int(_) | ExprKind::Name(_) | ExprKind::Field { .. }
        );
        let [first_text, middle, op, last_text] =
            [first.span, middle.span, token.span, last.span].map(|span| self.text(span));
        let error = self.error(first.span.to(last.span), "comparisons cannot be chained");
        let help = if plain {
            format!("write `{first_text} and {middle} {op} {last_text}`")
        } else {
            // Written twice, its dice would be rolled twice.
            format!("name `{middle}` with `let m = …` and join two comparisons with `and`")
        };
        error.with_help(help).into()
    }

    fn prefix(&mut self, least: Level) -> Parsed<Expr> {
        let token = self.operand();
        let (op, operand) = match token.kind {
            TokenKind::Minus => {
                self.take(token);
                (UnaryOp::Negate, self.binary(Level::Unary)?)
            }
            TokenKind::Keyword(Keyword::Not) if least <= Level::Not => {
                self.take(token);
                (UnaryOp::Not, self.binary(Level::Not)?)
            }
            TokenKind::Keyword(keyword @ (Keyword::If | Keyword::Not)) => {
                return Err(self.unparenthesised(token, keyword));
            }
            _ => return self.postfix(),
        };
        let span = token.span.to(operand.span);
        Ok(expr(
            ExprKind::Unary {
                op,
                operand: Box::new(operand),
            },
            span,
        ))
    }

    fn unparenthesised(&self, token: Token, keyword: Keyword) -> Failure {
        let (word, help) = match keyword {
            Keyword::If => ("if", "write `(if … then … else …)`"),
            _ => ("not", "write `(not …)`"),
        };
        self.error(
            token.span,
            format!("`{word}` inside a larger expression needs parentheses"),
        )
        .with_help(help)
        .into()
    }

    /// A value and what is done to it from the right.
    fn postfix(&mut self) -> Parsed<Expr> {
        let token = self.operand();
        let (mut left, mut term) = match token.kind {
            TokenKind::Die(head) => self.dice(None, token, head)?,
            _ => {
                let value = self.primary(token)?;
                let term = Term::new(value.span);
                (value, term)
            }
        };
        loop {
            let token = self.operator();
            left = match token.kind {
                TokenKind::Open(Bracket::Square) => {
                    let value = self.index(left, token)?;
                    term = Term::new(value.span);
                    value
                }
                TokenKind::Dot => {
                    let value = self.field(left, token)?;
                    term = Term::new(value.span);
                    value
                }
                TokenKind::Die(head) => {
                    self.refuse_second_die(token, &term)?;
                    let (value, dice) = self.dice(Some(left), token, head)?;
                    term = dice;
                    value
                }
                TokenKind::Keep(which, amount) => {
                    self.keep(left, token, which, amount, &mut term)?
                }
                TokenKind::Successes => self.successes(left, token, &mut term)?,
                TokenKind::Reroll | TokenKind::Bang => return Err(self.misplaced(token, &term)?),
                TokenKind::Open(Bracket::Round) if matches!(left.kind, ExprKind::Name(_)) => {
                    return Err(self.spaced_call(&left, token));
                }
                TokenKind::Name => {
                    self.refuse_alias(token, &left, &term)?;
                    return Ok(left);
                }
                _ => return Ok(left),
            };
            self.grow()?;
        }
    }

    fn index(&mut self, list: Expr, open: Token) -> Parsed<Expr> {
        self.enter(open, Bracket::Square);
        let index = self.expr()?;
        self.close("`]`")?;
        let span = Span::new(list.span.start, self.pos);
        Ok(expr(
            ExprKind::Index {
                list: Box::new(list),
                index: Box::new(index),
            },
            span,
        ))
    }

    fn field(&mut self, record: Expr, dot: Token) -> Parsed<Expr> {
        self.take(dot);
        let token = self.operand();
        if matches!(
            (&record.kind, token.kind),
            (ExprKind::Int(_), TokenKind::Int(_))
        ) {
            let span = record.span.to(token.span);
            let error = self.error(span, "numbers are whole");
            return Err(error
                .with_help("scale the values, or count in halves or tenths")
                .into());
        }
        let field = self.expect_name("a field's name")?;
        let span = record.span.to(field.span);
        Ok(expr(
            ExprKind::Field {
                record: Box::new(record),
                field,
            },
            span,
        ))
    }

    fn spaced_call(&self, name: &Expr, open: Token) -> Failure {
        let gap = Span::new(name.span.end, open.span.end);
        self.error(gap, "no space between a function's name and its `(`")
            .with_help(format!("write `{}(`", self.text(name.span)))
            .into()
    }

    fn primary(&mut self, token: Token) -> Parsed<Expr> {
        let kind = match token.kind {
            TokenKind::Int(value) => ExprKind::Int(value),
            TokenKind::Keyword(Keyword::True) => ExprKind::Bool(true),
            TokenKind::Keyword(Keyword::False) => ExprKind::Bool(false),
            TokenKind::Label => ExprKind::Label(self.text(token.span).trim_matches('"').to_owned()),
            TokenKind::Name if self.is_call(token) => return self.call(token),
            TokenKind::Name if self.is_fold(token) => {
                return self.nested(|parser| parser.fold(token));
            }
            TokenKind::Name => ExprKind::Name(self.text(token.span).to_owned()),
            TokenKind::Keyword(Keyword::Match) => {
                return self.nested(|parser| parser.match_expr(token));
            }
            TokenKind::Open(bracket) => return self.bracketed(token, bracket),
            _ => return Err(self.unexpected(token, "a value")),
        };
        self.take(token);
        Ok(expr(kind, token.span))
    }

    /// `(a)`, `[a, b]`, `{a, b}` or `{6: 2, 4: 4}`.
    fn bracketed(&mut self, open: Token, bracket: Bracket) -> Parsed<Expr> {
        // The block of a `repeat` whose count or condition is not complete.
        if self.begins_statement(self.after(open)) {
            return Err(self.unexpected(open, "a value"));
        }
        self.enter(open, bracket);
        let kind = match bracket {
            Bracket::Round => {
                let inner = self.expr()?;
                self.close("an operator or `)`")?;
                inner.kind
            }
            Bracket::Square => ExprKind::List(self.list_items()?),
            Bracket::Curly => {
                let faces = self.items(Self::face)?;
                if faces
                    .iter()
                    .any(|face| face.to.is_some() || face.weight.is_some())
                {
                    ExprKind::Bag(faces)
                } else {
                    ExprKind::Pool(faces.into_iter().map(|face| face.from).collect())
                }
            }
        };
        Ok(expr(kind, Span::new(open.span.start, self.pos)))
    }

    /// `1`, `1..=4`, `6: 2`, `1..=4: 2`
    pub(super) fn face(&mut self) -> Parsed<Face> {
        let from = self.expr()?;
        let to = self.upper_end()?;
        let weight = if self.operator().kind == TokenKind::Colon {
            self.take(self.operator());
            Some(self.sum()?)
        } else {
            None
        };
        Ok(Face { from, to, weight })
    }

    /// `..=to`, if it is there.
    pub(super) fn upper_end(&mut self) -> Parsed<Option<Expr>> {
        let token = self.operator();
        match token.kind {
            TokenKind::DotDotEqual => {
                self.take(token);
                self.sum().map(Some)
            }
            TokenKind::DotDot => {
                let error = self.error(token.span, "a range includes both ends");
                self.take(token);
                let end = self.sum().map(|end| self.text(end.span).to_owned());
                let help = match end {
                    Ok(end) => format!("write `..={end}`"),
                    Err(_) => "write `4..=5`".to_owned(),
                };
                Err(error.with_help(help).into())
            }
            _ => Ok(None),
        }
    }

    pub(super) fn is_call(&self, name: Token) -> bool {
        let next = self.after(name);
        next.kind == TokenKind::Open(Bracket::Round) && next.span.start == name.span.end
    }

    fn call(&mut self, token: Token) -> Parsed<Expr> {
        let name = self.name(token);
        self.take(token);
        self.enter(self.operand(), Bracket::Round);
        let kind = match name.text.as_str() {
            "floor" => self.divide(token, Division::Floor)?,
            "ceil" => self.divide(token, Division::Ceil)?,
            _ => ExprKind::Call {
                name,
                args: self.items(Self::arg)?,
            },
        };
        Ok(expr(kind, Span::new(token.span.start, self.pos)))
    }

    /// What `floor(` and `ceil(` have before their `)`: one division.
    fn divide(&mut self, name: Token, division: Division) -> Parsed<ExprKind> {
        let word = self.text(name.span);
        let mut numerator = self.binary(Level::Unary)?;
        while self.operator().kind == TokenKind::Star {
            self.take(self.operator());
            numerator = binary(BinaryOp::Multiply, numerator, self.binary(Level::Unary)?);
            self.grow()?;
        }
        let token = self.operator();
        match token.kind {
            TokenKind::Slash => self.take(token),
            TokenKind::Plus | TokenKind::Minus => {
                let error = self.error(token.span, format!("`{word}` rounds one division"));
                let help = format!("write `{word}((a + b) / c)` or `a + {word}(b / c)`");
                return Err(error.with_help(help).into());
            }
            TokenKind::Close(Bracket::Round) => {
                let span = name.span.to(token.span);
                let error = self.error(span, format!("`{word}` needs a division to round"));
                return Err(error.with_help(format!("write `{word}(a / b)`")).into());
            }
            _ => return Err(self.unexpected(token, "`/`")),
        }
        let denominator = self.binary(Level::Unary)?;
        self.close("`)` after the divisor")?;
        Ok(ExprKind::Divide {
            division,
            numerator: Box::new(numerator),
            denominator: Box::new(denominator),
        })
    }

    fn arg(&mut self) -> Parsed<Arg> {
        let token = self.operand();
        match token.kind {
            TokenKind::DotDot => {
                self.take(token);
                Ok(Arg::Rest(token.span))
            }
            TokenKind::Compare(op) => self.compared(token, op).map(Arg::Test),
            TokenKind::Name if self.after(token).kind == TokenKind::Assign => {
                let name = self.name(token);
                self.take(self.after(token));
                Ok(Arg::Named(name, self.expr()?))
            }
            _ => {
                let from = self.expr()?;
                Ok(match self.upper_end()? {
                    Some(to) => Arg::Test(range(from, to)),
                    None => Arg::Value(from),
                })
            }
        }
    }

    /// `>= 7`, as an argument or a pattern.
    fn compared(&mut self, token: Token, op: CompareOp) -> Parsed<Test> {
        self.take(token);
        let value = self.sum()?;
        let span = token.span.to(value.span);
        Ok(Test {
            kind: TestKind::Compare { op, value },
            span,
        })
    }

    fn conditional(&mut self, token: Token) -> Parsed<Expr> {
        self.take(token);
        let condition = Box::new(self.expr()?);
        self.expect(TokenKind::Keyword(Keyword::Then), "an operator or `then`")?;
        let then = Box::new(self.expr()?);
        self.expect_else(token)?;
        let otherwise = Box::new(self.expr()?);
        let span = token.span.to(otherwise.span);
        Ok(expr(
            ExprKind::If {
                condition,
                then,
                otherwise,
            },
            span,
        ))
    }

    /// The `else` of the `if` at `token`; where the next statement comes instead, it was forgotten.
    fn expect_else(&mut self, token: Token) -> Parsed<()> {
        let next = self.operator();
        let is_over = next.kind == TokenKind::End || self.begins_statement(next);
        if is_over && self.open.len() <= self.open_before {
            let error = self
                .error(token.span, "`if` needs an `else`")
                .with_label("none follows");
            return Err(error.with_help("write `if … then … else …`").into());
        }
        self.expect(TokenKind::Keyword(Keyword::Else), "an operator or `else`")
            .map(|_| ())
    }

    fn match_expr(&mut self, token: Token) -> Parsed<Expr> {
        self.take(token);
        let curly = TokenKind::Open(Bracket::Curly);
        // A pool as the subject needs parentheses: `match ({2d6, 1d8}) { … }`.
        let subject = if self.operand().kind == curly {
            None
        } else {
            Some(Box::new(self.expr()?))
        };
        let brace = self.operator();
        if brace.kind != curly {
            return Err(self.unexpected(brace, "an operator or `{`"));
        }
        self.enter(brace, Bracket::Curly);
        let mut arms = Vec::new();
        let mut otherwise = None;
        while self.operand().kind != TokenKind::Close(Bracket::Curly) {
            self.arm(subject.is_some(), &mut arms, &mut otherwise)?;
            if self.operator().kind != TokenKind::Comma {
                break;
            }
            self.take(self.operator());
        }
        self.close("an operator, `,` or `}`")?;
        let span = Span::new(token.span.start, self.pos);
        if arms.is_empty() && otherwise.is_none() {
            let error = self.error(span, "a `match` needs arms");
            return Err(error
                .with_help("write `match x { 1: a, 2..=3: b, else: c }`")
                .into());
        }
        Ok(expr(
            ExprKind::Match {
                subject,
                arms,
                otherwise,
            },
            span,
        ))
    }

    fn arm(
        &mut self,
        has_subject: bool,
        arms: &mut Vec<Arm>,
        otherwise: &mut Option<Box<Expr>>,
    ) -> Parsed<()> {
        let token = self.operand();
        let is_else = token.kind == TokenKind::Keyword(Keyword::Else);
        match (otherwise.as_ref(), is_else) {
            (Some(_), true) => {
                return Err(self
                    .error(token.span, "a second `else` in one `match`")
                    .into());
            }
            (Some(first), false) => {
                let error = self.error(token.span, "`else` must be the last arm of a `match`");
                let error = error.with_label("never reached");
                return Err(error
                    .with_related(first.span, "`else` takes all that is left")
                    .into());
            }
            (None, true) => {
                self.take(token);
                self.expect(TokenKind::Colon, "`:`")?;
                *otherwise = Some(Box::new(self.expr()?));
            }
            (None, false) if !has_subject && matches!(token.kind, TokenKind::Compare(_)) => {
                let error = self.error(token.span, "a pattern needs something to be matched with");
                let error = error.with_label("there is no subject");
                return Err(error.with_help("write `match x { < 3: … }`").into());
            }
            (None, false) => {
                let patterns = if has_subject {
                    self.patterns()?
                } else {
                    vec![self.case()?]
                };
                self.arm_colon(has_subject)?;
                let value = self.expr()?;
                if !has_subject {
                    // Each condition is asked if those before do not hold, as in a chain of `if … else if …`.
                    self.grow()?;
                }
                if arms.len() == MOST_ARMS {
                    let message = format!("a `match` of more than {MOST_ARMS} arms");
                    let help =
                        "a list has as many items as you like: `[3, 5, 8][x]` is 3 where x is 0";
                    return Err(self.error(token.span, message).with_help(help).into());
                }
                arms.push(Arm { patterns, value });
            }
        }
        Ok(())
    }

    fn arm_colon(&mut self, has_subject: bool) -> Parsed<()> {
        let token = self.operator();
        if has_subject
            && matches!(
                token.kind,
                TokenKind::Compare(_) | TokenKind::Keyword(Keyword::And)
            )
        {
            let error = self.error(
                token.span,
                "an arm of a `match` with a subject is a pattern, not a condition",
            );
            let help =
                "write `>= 3`, `4..=5`, `a or b`; or leave out the subject to write conditions";
            return Err(error.with_help(help).into());
        }
        self.expect(TokenKind::Colon, "an operator or `:`")
            .map(|_| ())
    }

    /// A condition: an arm where nothing is matched.
    fn case(&mut self) -> Parsed<Test> {
        let condition = self.expr()?;
        let span = condition.span;
        Ok(Test {
            kind: TestKind::Value(condition),
            span,
        })
    }

    fn patterns(&mut self) -> Parsed<Vec<Test>> {
        let mut patterns = vec![self.pattern()?];
        while self.operator().kind == TokenKind::Keyword(Keyword::Or) {
            self.take(self.operator());
            patterns.push(self.pattern()?);
        }
        Ok(patterns)
    }

    fn pattern(&mut self) -> Parsed<Test> {
        let token = self.operand();
        if let TokenKind::Compare(op) = token.kind {
            return self.compared(token, op);
        }
        let from = self.sum()?;
        Ok(match self.upper_end()? {
            Some(to) => range(from, to),
            None => {
                let span = from.span;
                Test {
                    kind: TestKind::Value(from),
                    span,
                }
            }
        })
    }
}

pub(super) fn range(from: Expr, to: Expr) -> Test {
    let span = from.span.to(to.span);
    Test {
        kind: TestKind::Range { from, to },
        span,
    }
}

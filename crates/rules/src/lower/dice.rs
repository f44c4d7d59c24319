//! Dice and pools.

use crate::lower::expr::Want;
use crate::lower::symbols::times;
use crate::lower::{Binding, Lowered, Lowerer, Reported, Scalar, Value};
use crate::program::{
    CompareOp, Die, Explode, Expr, FaceRange, Faces, Keep, Kind, Reading, Reroll, Statement, Test,
};
use crate::source::Span;
use crate::syntax::ast::{self, Arg, ExprKind, TestKind};

impl Lowerer<'_> {
    /// Lowers to a pool.
    pub(crate) fn pool(&mut self, expr: &ast::Expr) -> Lowered<Expr> {
        match self.value(expr, None)? {
            Value::Pool(pool) => Ok(pool),
            Value::Error => Err(Reported),
            other => {
                let help = match &other {
                    Value::List(..) => Self::help_with_list(),
                    _ => "a sum or a comparison is a number: read the dice before adding them up"
                        .to_owned(),
                };
                let error = self
                    .reporter
                    .error(expr.span, "a pool of dice is needed")
                    .with_label(format!("this is {}", other.describe()))
                    .with_help(help);
                self.fail(error)
            }
        }
    }

    pub(crate) fn dice(
        &mut self,
        count: Option<&ast::Expr>,
        die: &ast::Die,
        span: Span,
    ) -> Lowered<Value> {
        let count = match count {
            Some(count) => {
                self.refuse_negative(count, "a pool can't have fewer than 0 dice")?;
                self.number(count)
            }
            None => {
                self.refuse_item(die)?;
                Ok(Expr::constant(1, span))
            }
        };
        // Zero dice need no faces.
        let is_rolled = count
            .as_ref()
            .is_ok_and(|count| count.as_constant() != Some(0));
        let mut statements = Vec::new();
        let die = self.die(die, is_rolled, &mut statements)?;
        let mut count = count?;
        if !statements.is_empty() && !count.is_arithmetic() {
            // How many they are is rolled first, as it is written first.
            let mut first = Vec::new();
            count = self.rolled_before(count, "count", &mut first);
            statements.splice(0..0, first);
        }
        let (count, die) = (Box::new(count), Box::new(die));
        let dice = Value::Pool(Expr::new(Kind::Dice { count, die }, span));
        Ok(Self::block(statements, dice))
    }

    /// A number that dice or a bag are made of, which is known when they are rolled: what has to be rolled for it is rolled
    /// by a statement before.
    fn made_of(&mut self, expr: &ast::Expr, out: &mut Vec<Statement>) -> Lowered<Expr> {
        let number = self.number(expr)?;
        if number.fixed || number.is_arithmetic() {
            return Ok(number);
        }
        Ok(self.rolled_before(number, "part", out))
    }

    /// A die where a label that is written like it was meant.
    pub(super) fn refuse_label(&mut self, span: Span, want: Want<'_>) -> Lowered<()> {
        let text = self.reporter.source.text[span.start..span.end].to_owned();
        if want.is_none_or(|labels| labels.place(&text).is_none()) {
            return Ok(());
        }
        let message = format!("`{text}` is a die, and the name of a label too");
        let error = self.reporter.error(span, message).with_label("a die");
        self.fail(error.with_help(format!("write `\"{text}\"` for the label")))
    }

    /// `d[…]` where `d` is a list: its item was meant, and a die would be rolled.
    fn refuse_item(&mut self, die: &ast::Die) -> Lowered<()> {
        let is_list = |binding: &&Binding| matches!(binding.value, Value::List(..));
        let list = self.scope.find("d").filter(is_list).map(|list| list.span);
        let (ast::Faces::Of(_), Some(list)) = (&die.faces, list) else {
            return Ok(());
        };
        let error = self
            .reporter
            .error(die.span, "`d[` begins a die, and `d` is a list here")
            .with_label("a die, not an item of the list")
            .with_related(list, "the list")
            .with_help("call the list something else, such as `n_d`");
        self.fail(error)
    }

    /// A die; what has to be rolled for it is rolled in `out`.
    fn die(&mut self, die: &ast::Die, is_rolled: bool, out: &mut Vec<Statement>) -> Lowered<Die> {
        let faces = match &die.faces {
            ast::Faces::Sides(sides) => Faces::Sides(self.sides(sides, is_rolled, out)?),
            ast::Faces::Percent => Faces::Sides(Expr::constant(100, die.span)),
            ast::Faces::Fate => {
                let (from, to) = (
                    Expr::constant(-1, die.span),
                    Some(Expr::constant(1, die.span)),
                );
                Faces::Listed(vec![FaceRange {
                    from,
                    to,
                    weight: None,
                }])
            }
            ast::Faces::Listed(faces) => Faces::Listed(self.face_ranges(faces, die.span, out)?),
            ast::Faces::Of(expr) => {
                let mark = self.scope.open();
                let of = self.number(expr);
                self.scope.close(&mark);
                Faces::Of(of?)
            }
        };
        if die.reroll.is_some() || die.explode.is_some() {
            self.refuse_symbols_of(&faces, die.span)?;
        }
        let reroll = match &die.reroll {
            Some(reroll) => Some(Reroll {
                once: reroll.once,
                test: self.fixed_test(&reroll.test)?,
            }),
            None => None,
        };
        let explode = match &die.explode {
            Some(explode) => {
                let depth = match &explode.depth {
                    Some(depth) => {
                        self.refuse_negative(depth, "a die can't explode fewer than 0 times")?;
                        self.fixed_number(depth, "the depth of an explosion")?
                    }
                    None => {
                        self.has_endless = true;
                        Expr::constant(Explode::ENDLESS, die.span)
                    }
                };
                let test = explode
                    .test
                    .as_ref()
                    .map(|test| self.fixed_test(test))
                    .transpose()?;
                Some(Explode { test, depth })
            }
            None => None,
        };
        Ok(Die {
            faces,
            reroll,
            explode,
            span: die.span,
        })
    }

    fn sides(
        &mut self,
        sides: &ast::Expr,
        is_rolled: bool,
        out: &mut Vec<Statement>,
    ) -> Lowered<Expr> {
        if is_rolled && written_number(sides).is_some_and(|n| n < 1) {
            let error = self
                .reporter
                .error(sides.span, "a die needs at least one face")
                .with_label("no faces")
                .with_help("what a null die means is the game's rule: `if sides == 0 then … else d(sides)`");
            return self.fail(error);
        }
        self.made_of(sides, out)
    }

    /// Reports a place below 1 that stands in the text: the highest die is the first.
    pub(crate) fn refuse_zeroth(&mut self, expr: &ast::Expr, message: &str) -> Lowered<()> {
        match written_number(expr) {
            Some(n) if n < 1 => self.fail_at(expr.span, message, format!("this is {n}")),
            _ => Ok(()),
        }
    }

    /// Reports a negative number that stands in the text; computed ones are found when they are reached.
    pub(crate) fn refuse_negative(&mut self, expr: &ast::Expr, message: &str) -> Lowered<()> {
        match written_number(expr) {
            Some(n) if n < 0 => {
                let error = self
                    .reporter
                    .error(expr.span, message)
                    .with_label(format!("this is {n}"))
                    .with_help("write `max(0, …)` where a rule may go below 0");
                self.fail(error)
            }
            _ => Ok(()),
        }
    }

    fn face_ranges(
        &mut self,
        faces: &[ast::Face],
        span: Span,
        out: &mut Vec<Statement>,
    ) -> Lowered<Vec<FaceRange>> {
        if faces.is_empty() {
            return self.fail_at(span, "a die needs at least one face", "no faces");
        }
        let mut ranges = Vec::with_capacity(faces.len());
        for face in faces {
            if let Some(symbols) = self.symbol_faces(face, span) {
                let weight = self.face_weight(face, out)?;
                ranges.extend(symbols.into_iter().map(|own| times(own, weight.as_ref())));
                continue;
            }
            let from = self.made_of(&face.from, out)?;
            let to = face
                .to
                .as_ref()
                .map(|to| self.made_of(to, out))
                .transpose()?;
            let weight = self.face_weight(face, out)?;
            if let (Some(low), Some(high)) =
                (from.as_constant(), to.as_ref().and_then(Expr::as_constant))
                && low > high
            {
                let place = face
                    .from
                    .span
                    .to(face.to.as_ref().map_or(face.from.span, |to| to.span));
                return self.fail_at(
                    place,
                    "an empty range of faces",
                    format!("{low} is above {high}"),
                );
            }
            ranges.push(FaceRange { from, to, weight });
        }
        Ok(ranges)
    }

    fn face_weight(&mut self, face: &ast::Face, out: &mut Vec<Statement>) -> Lowered<Option<Expr>> {
        let Some(weight) = &face.weight else {
            return Ok(None);
        };
        self.refuse_negative(weight, "a face can't have a weight below 0")?;
        self.made_of(weight, out).map(Some)
    }

    /// A test of a die's own faces: part of the die, so it must be fixed.
    fn fixed_test(&mut self, test: &ast::Test) -> Lowered<Test> {
        let lowered = self.face_test(test)?;
        for bound in lowered.bounds() {
            self.require_fixed(bound, "what a face is compared with here")?;
        }
        Ok(lowered)
    }

    /// A test of faces.
    pub(crate) fn face_test(&mut self, test: &ast::Test) -> Lowered<Test> {
        Ok(match &test.kind {
            TestKind::Compare { op, value } => Test::Compare(*op, self.number(value)?),
            TestKind::Value(value) => Test::Compare(CompareOp::Equal, self.number(value)?),
            TestKind::Range { from, to } => {
                let (low, high) = (self.number(from)?, self.number(to)?);
                self.ascending(low, high, test.span)?
            }
        })
    }

    /// A range that is not empty as far as can be told.
    pub(crate) fn ascending(&mut self, from: Expr, to: Expr, span: Span) -> Lowered<Test> {
        if let (Some(low), Some(high)) = (from.as_constant(), to.as_constant())
            && low > high
        {
            return self.fail_at(span, "an empty range", format!("{low} is above {high}"));
        }
        Ok(Test::Range(from, to))
    }

    pub(crate) fn keep(
        &mut self,
        pool: &ast::Expr,
        which: Keep,
        amount: Option<&ast::Expr>,
        span: Span,
    ) -> Lowered<Value> {
        let pool = self.pool(pool);
        let amount = match amount {
            Some(amount) => {
                self.refuse_negative(amount, "can't keep or drop fewer than 0 dice")?;
                self.number(amount)?
            }
            None => Expr::constant(1, span),
        };
        let pool = pool?;
        self.refuse_symbols(&pool)?;
        Ok(Value::Pool(pool.keep(which, amount, span)))
    }

    pub(crate) fn count(
        &mut self,
        pool: &ast::Expr,
        test: &ast::Test,
        span: Span,
    ) -> Lowered<Value> {
        let pool = self.pool(pool);
        let test = self.face_test(test)?;
        self.count_of(pool?, test, span)
    }

    /// How many dice of a pool fit a test.
    pub(crate) fn count_of(&mut self, pool: Expr, test: Test, span: Span) -> Lowered<Value> {
        let mut statements = Vec::new();
        let test = self.settle(test, &mut statements);
        let count = match self.count_of_numbers(&pool, &test, span)? {
            Some(count) => count,
            None => pool.read(Reading::Count(vec![test]), span),
        };
        Ok(Self::block(statements, Value::Scalar(count, Scalar::Int)))
    }

    pub(crate) fn gather(&mut self, items: &[ast::Expr], span: Span) -> Lowered<Value> {
        let mut pools = Vec::with_capacity(items.len());
        for item in items {
            pools.push(match self.value(item, None)? {
                Value::Pool(pool) => pool,
                Value::Scalar(expr, Scalar::Int | Scalar::Bool) => expr,
                Value::Error => return Err(Reported),
                other => {
                    let label = format!("this is {}", other.describe());
                    return self.fail_at(item.span, "a pool is made of dice and numbers", label);
                }
            });
        }
        Ok(Value::Pool(Expr::new(Kind::Gather(pools), span)))
    }

    /// `draw(n, {face: copies, …})`
    pub(crate) fn draw(&mut self, args: &[Arg], span: Span) -> Lowered<Value> {
        let [Arg::Value(count), Arg::Value(bag)] = args else {
            return self.fail_at(
                span,
                "`draw` takes a number and a bag",
                "write draw(3, {6: 2, 4: 4, 1: 6})",
            );
        };
        self.refuse_negative(count, "can't draw fewer than 0")?;
        let mut statements = Vec::new();
        let count = self.made_of(count, &mut statements)?;
        let faces = match &bag.kind {
            ExprKind::Bag(faces) => self.face_ranges(faces, bag.span, &mut statements)?,
            // Without copies, `{6, 4, 1}` reads as a pool: one of each.
            ExprKind::Pool(items) => {
                let face = |item: &ast::Expr| ast::Face {
                    from: item.clone(),
                    to: None,
                    weight: None,
                };
                let faces: Vec<ast::Face> = items.iter().map(face).collect();
                self.face_ranges(&faces, bag.span, &mut statements)?
            }
            _ => return self.fail_at(bag.span, "`draw` takes a bag", "write {face: copies, …}"),
        };
        let kind = Kind::Draw {
            count: Box::new(count),
            bag: faces,
        };
        let drawn = Value::Pool(Expr::new(kind, span));
        Ok(Self::block(statements, drawn))
    }

    /// Lowers an expression that stands alone, as on the command line, to its sum.
    pub(crate) fn lone_number(&mut self, expr: &ast::Expr) -> Lowered<(Expr, Scalar)> {
        match self.value(expr, None)? {
            Value::Pool(pool) => Ok((pool.sum(), Scalar::Int)),
            Value::Scalar(expr, scalar) => Ok((expr, scalar)),
            Value::Error => Err(Reported),
            other => {
                let label = format!("this is {}", other.describe());
                self.fail_at(expr.span, "dice or a number are needed", label)
            }
        }
    }
}

/// The number that stands in the text, with its sign.
fn written_number(expr: &ast::Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Unary {
            op: ast::UnaryOp::Negate,
            operand,
        } => written_number(operand)?.checked_neg(),
        _ => None,
    }
}

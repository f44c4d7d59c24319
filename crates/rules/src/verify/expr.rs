//! Expressions: what kind each part has to be, and what has to be fixed.

use super::{Binder, Place, Verified, Verifier, demand};
use crate::program::{
    Arm, Die, Expr, FaceRange, Faces, Fold, Form, Kind, Reading, Test, UnaryOp, VarId,
};

impl<'p> Verifier<'p> {
    /// An expression that has to be a pool, or has to be a number.
    pub(super) fn expr(&mut self, expr: &'p Expr, is_pool: bool) -> Verified {
        let word = if is_pool { "a pool" } else { "a number" };
        demand(self.program.is_pool(expr) == is_pool, expr.span, || {
            format!("{word} is needed here")
        })?;
        match &expr.kind {
            Kind::Const(_) | Kind::Input(_) | Kind::Var(_) => return self.leaf(expr),
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                self.condition(condition)?;
                self.expr(then, is_pool)?;
                self.expr(otherwise, is_pool)?;
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                self.number(subject)?;
                for arm in arms {
                    self.arm(arm, is_pool)?;
                }
                if let Some(otherwise) = otherwise {
                    self.expr(otherwise, is_pool)?;
                }
                some(arms.len() + otherwise.iter().len(), expr)?;
            }
            Kind::Select { index, items } => {
                self.number(index)?;
                for item in items {
                    self.expr(item, is_pool)?;
                }
                some(items.len(), expr)?;
            }
            Kind::Block { statements, value } => {
                let length = self.scope.len();
                let block = std::mem::replace(&mut self.block, length);
                let rests = std::mem::take(&mut self.rests);
                self.statements(statements, Place::Block)?;
                self.expr(value, is_pool)?;
                self.rests = rests;
                self.block = block;
                self.close(length);
            }
            _ if is_pool => self.dice(expr)?,
            _ => self.operation(expr)?,
        }
        Ok(())
    }

    fn leaf(&self, expr: &Expr) -> Verified {
        match expr.kind {
            Kind::Input(id) => demand(id.0 < self.inputs, expr.span, || {
                format!("there is no input {}", id.0)
            }),
            Kind::Var(var) => {
                // Who reads it may say that it is rolled; then it is not looked behind.
                let variable = self.seen(var, expr.span)?;
                demand(variable.fixed || !expr.fixed, expr.span, || {
                    format!("`{}` is read as if it were fixed", variable.name)
                })
            }
            _ => Ok(()),
        }
    }

    pub(super) fn number(&mut self, expr: &'p Expr) -> Verified {
        self.expr(expr, false)
    }

    pub(super) fn fixed_number(&mut self, expr: &'p Expr) -> Verified {
        self.number(expr)?;
        demand(expr.fixed, expr.span, || {
            "what has to be fixed here is rolled".to_owned()
        })
    }

    /// What is made of faces, one after the other: what it rolled would be rolled anew for each.
    fn known_number(&mut self, expr: &'p Expr) -> Verified {
        self.number(expr)?;
        demand(expr.fixed || !expr.rolls_dice(), expr.span, || {
            "what is made of a face rolls dice of its own".to_owned()
        })
    }

    /// What dice and bags are made of, which is known when they are rolled.
    fn arithmetic(&mut self, expr: &'p Expr) -> Verified {
        self.number(expr)?;
        demand(expr.fixed || expr.is_arithmetic(), expr.span, || {
            "what has to be known here is rolled here".to_owned()
        })
    }

    pub(super) fn condition(&mut self, expr: &'p Expr) -> Verified {
        self.number(expr)?;
        demand(
            super::truth::is_truth(expr, &self.truths),
            expr.span,
            || "a condition has other values than 0 and 1".to_owned(),
        )
    }

    /// Numbers that are made of numbers or read from pools.
    fn operation(&mut self, expr: &'p Expr) -> Verified {
        match &expr.kind {
            Kind::Unary(UnaryOp::Not, operand) => self.condition(operand),
            Kind::Unary(_, operand) => self.number(operand),
            Kind::Binary(op, left, right) => {
                for side in [left, right] {
                    match op.is_logical() {
                        true => self.condition(side)?,
                        false => self.number(side)?,
                    }
                }
                Ok(())
            }
            Kind::Divide {
                numerator,
                denominator,
                ..
            } => {
                self.number(numerator)?;
                self.number(denominator)
            }
            Kind::Wins(left, right) => {
                self.expr(left, true)?;
                self.expr(right, true)
            }
            Kind::Read { pool, reading } => {
                self.expr(pool, true)?;
                self.reading(reading, expr)
            }
            _ => Ok(()),
        }
    }

    fn reading(&mut self, reading: &'p Reading, expr: &Expr) -> Verified {
        match reading.form() {
            Form::Sum | Form::Size => Ok(()),
            Form::Count(tests) => {
                some(tests.len(), expr)?;
                tests.iter().try_for_each(|test| self.test(test))
            }
            Form::Whole(whole) => whole
                .place()
                .map_or(Ok(()), |place| self.fixed_number(place)),
            Form::Map(face, value) => self.face(face, value),
            Form::Fold(fold) => self.fold(fold, expr),
        }
    }

    /// What is made of a face.
    fn face(&mut self, face: VarId, value: &'p Expr) -> Verified {
        let length = self.scope.len();
        self.bound_fixed(face, Binder::Face(value), value)?;
        self.known_number(value)?;
        self.close(length);
        Ok(())
    }

    fn fold(&mut self, fold: &'p Fold, at: &Expr) -> Verified {
        some(fold.counts.len().min(fold.states.len()), at)?;
        for (_, start) in &fold.states {
            self.known_number(start)?;
        }
        let length = self.scope.len();
        for var in fold.bound() {
            self.bound_fixed(var, Binder::Fold(fold), at)?;
        }
        for (_, value) in &fold.steps {
            self.known_number(value)?;
        }
        self.close(length);
        Ok(())
    }

    /// A number that a reading binds anew for each die or face.
    fn bound_fixed(&mut self, var: VarId, binder: Binder<'p>, at: &Expr) -> Verified {
        let variable = self.variable(var, at.span)?;
        let is_number = variable.fixed && !variable.is_pool;
        demand(is_number, at.span, || {
            format!("`{}` is no face", variable.name)
        })?;
        self.bind(var, binder, at.span)
    }

    fn arm(&mut self, arm: &'p Arm, is_pool: bool) -> Verified {
        some(arm.patterns.len(), &arm.value)?;
        for pattern in &arm.patterns {
            self.test(pattern)?;
        }
        self.expr(&arm.value, is_pool)
    }

    /// A test of values one after the other: what they are compared with is rolled before, once.
    fn test(&mut self, test: &'p Test) -> Verified {
        for bound in test.bounds() {
            self.number(bound)?;
            let is_settled = bound.fixed || matches!(bound.kind, Kind::Var(_));
            demand(is_settled, bound.span, || {
                "what is compared with is rolled anew for each value".to_owned()
            })?;
        }
        Ok(())
    }

    /// Pools that are made of something.
    fn dice(&mut self, expr: &'p Expr) -> Verified {
        match &expr.kind {
            Kind::Dice { count, die } => {
                self.number(count)?;
                self.die(die, expr)
            }
            Kind::Gather(parts) => parts.iter().try_for_each(|part| {
                let is_pool = self.program.is_pool(part);
                self.expr(part, is_pool)
            }),
            Kind::Keep { pool, amount, .. } => {
                self.expr(pool, true)?;
                self.number(amount)
            }
            Kind::Each { pool, face, value } => {
                self.expr(pool, true)?;
                self.face(*face, value)
            }
            Kind::Draw { count, bag } => {
                self.arithmetic(count)?;
                self.faces(bag, expr)
            }
            _ => Ok(()),
        }
    }

    fn die(&mut self, die: &'p Die, expr: &Expr) -> Verified {
        match &die.faces {
            Faces::Sides(sides) => self.arithmetic(sides)?,
            Faces::Listed(faces) => self.faces(faces, expr)?,
            Faces::Of(rolled) => self.number(rolled)?,
        }
        let explode = die.explode.as_ref();
        let tests = die.reroll.as_ref().map(|reroll| &reroll.test);
        let tests = tests
            .into_iter()
            .chain(explode.and_then(|explode| explode.test.as_ref()));
        let depth = explode.map(|explode| &explode.depth);
        let mut bounds = tests.flat_map(Test::bounds).chain(depth);
        bounds.try_for_each(|bound| self.fixed_number(bound))
    }

    fn faces(&mut self, faces: &'p [FaceRange], expr: &Expr) -> Verified {
        some(faces.len(), expr)?;
        let mut parts = faces.iter().flat_map(FaceRange::parts);
        parts.try_for_each(|part| self.arithmetic(part))
    }
}

/// There is at least one item.
fn some(count: usize, expr: &Expr) -> Verified {
    demand(count > 0, expr.span, || {
        "a list has no items, and needs one".to_owned()
    })
}

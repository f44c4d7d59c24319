//! Visiting every part of an expression.

use crate::program::{
    Arm, Die, Explode, Expr, FaceRange, Faces, Kind, Options, Reroll, Statement, Test, VarId,
    bound_in,
};

impl Expr {
    /// Calls `visit` with each direct part, in the order written. Parts of a block's statements count too.
    pub fn for_each_part<'e>(&'e self, visit: &mut (impl FnMut(&'e Expr) + ?Sized)) {
        match &self.kind {
            Kind::Const(_) | Kind::Input(_) | Kind::Var(_) => {}
            Kind::Unary(_, operand) => visit(operand),
            Kind::Binary(_, left, right) | Kind::Wins(left, right) => {
                visit(left);
                visit(right);
            }
            Kind::Divide {
                numerator,
                denominator,
                ..
            } => {
                visit(numerator);
                visit(denominator);
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                visit(subject);
                for arm in arms {
                    arm.patterns
                        .iter()
                        .flat_map(Test::bounds)
                        .for_each(&mut *visit);
                    visit(&arm.value);
                }
                otherwise.iter().for_each(|value| visit(value));
            }
            Kind::Select { index, items } => {
                visit(index);
                items.iter().for_each(visit);
            }
            Kind::Block { statements, value } => {
                for statement in statements.iter() {
                    statement.for_each_part(visit);
                }
                visit(value);
            }
            Kind::Read { pool, reading } => {
                visit(pool);
                reading.parts().for_each(visit);
            }
            Kind::Dice { count, die } => {
                visit(count);
                die.for_each_part(visit);
            }
            Kind::Gather(parts) => parts.iter().for_each(visit),
            Kind::Keep { pool, amount, .. } => {
                visit(pool);
                visit(amount);
            }
            Kind::Each { pool, value, .. } => {
                visit(pool);
                visit(value);
            }
            Kind::Draw { count, bag } => {
                visit(count);
                bag.iter().flat_map(FaceRange::parts).for_each(visit);
            }
        }
    }

    /// Whether it has no parts.
    fn is_leaf(&self) -> bool {
        matches!(self.kind, Kind::Const(_) | Kind::Input(_) | Kind::Var(_))
    }

    /// Calls `visit` with this expression, then with every part of it, at any depth.
    pub fn for_each<'e>(&'e self, visit: &mut (impl FnMut(&'e Expr) + ?Sized)) {
        visit(self);
        if !self.is_leaf() {
            self.for_each_part(&mut |part| part.for_each(visit));
        }
    }

    /// Whether `test` holds for this expression or any part of it, at any depth.
    pub fn any(&self, test: &mut (impl FnMut(&Expr) -> bool + ?Sized)) -> bool {
        let mut found = test(self);
        if found || self.is_leaf() {
            return found;
        }
        self.for_each_part(&mut |part| found = found || part.any(test));
        found
    }

    /// Whether it is arithmetic over names and numbers alone, so that it has one value wherever these have.
    #[must_use]
    pub fn is_arithmetic(&self) -> bool {
        !self.any(&mut |part| {
            matches!(
                part.kind,
                Kind::Block { .. }
                    | Kind::Read { .. }
                    | Kind::Wins(..)
                    | Kind::Dice { .. }
                    | Kind::Gather(_)
                    | Kind::Keep { .. }
                    | Kind::Each { .. }
                    | Kind::Draw { .. }
            )
        })
    }

    /// Adds the variables that it binds for its parts: those of a block, and those of what is made of each face.
    // Apart from those that walk over all parts, which are short without it.
    #[inline(never)]
    pub fn collect_bound(&self, out: &mut Vec<VarId>) {
        match &self.kind {
            Kind::Block { statements, .. } => out.extend(bound_in(statements)),
            Kind::Read { reading, .. } => out.extend(reading.bound()),
            Kind::Each { face, .. } => out.push(*face),
            _ => {}
        }
    }

    /// Whether evaluating it rolls dice of its own; if not, it has one value wherever the names that it reads have one.
    #[must_use]
    pub fn rolls_dice(&self) -> bool {
        self.any(&mut |part| matches!(part.kind, Kind::Dice { .. } | Kind::Draw { .. }))
    }
}

impl Statement {
    /// Calls `visit` with each expression of the statement, not with their parts.
    pub fn for_each_part<'e>(&'e self, visit: &mut (impl FnMut(&'e Expr) + ?Sized)) {
        match self {
            Self::Let { value, .. } | Self::Set { value, .. } => visit(value),
            Self::Choose {
                options, condition, ..
            } => options.parts().chain(condition).for_each(visit),
            Self::Repeat {
                count, until, body, ..
            } => {
                count.iter().chain(until).for_each(&mut *visit);
                for statement in body {
                    statement.for_each_part(visit);
                }
            }
        }
    }
}

impl Die {
    /// Calls `visit` with each expression of the die.
    pub fn for_each_part<'e>(&'e self, visit: &mut (impl FnMut(&'e Expr) + ?Sized)) {
        match &self.faces {
            Faces::Sides(expr) | Faces::Of(expr) => visit(expr),
            Faces::Listed(faces) => faces
                .iter()
                .flat_map(FaceRange::parts)
                .for_each(&mut *visit),
        }
        if let Some(reroll) = &self.reroll {
            reroll.test.bounds().for_each(&mut *visit);
        }
        if let Some(explode) = &self.explode {
            explode
                .test
                .iter()
                .flat_map(Test::bounds)
                .for_each(&mut *visit);
            visit(&explode.depth);
        }
    }
}

impl FaceRange {
    /// The expressions of the range: ends, then weight.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(&self.from)
            .chain(&self.to)
            .chain(&self.weight)
    }
}

impl Expr {
    /// The same expression with one of its parts, at any depth, replaced by another. `part` is told from parts like it by its
    /// address.
    #[must_use]
    pub fn with_part(&self, part: &Expr, other: &Expr) -> Expr {
        match std::ptr::eq(self, part) {
            true => other.clone(),
            false => self.map_parts(&mut |own| own.with_part(part, other)),
        }
    }

    /// The same expression with each direct part replaced by `change(part)`, in the order written; `fixed` is
    /// kept right.
    #[must_use]
    pub fn map_parts(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
        let kind = match &self.kind {
            kind @ (Kind::Const(_) | Kind::Input(_) | Kind::Var(_)) => kind.clone(),
            Kind::Unary(op, operand) => Kind::Unary(*op, boxed(operand, change)),
            Kind::Binary(op, left, right) => {
                Kind::Binary(*op, boxed(left, change), boxed(right, change))
            }
            Kind::Wins(left, right) => Kind::Wins(boxed(left, change), boxed(right, change)),
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => Kind::Divide {
                division: *division,
                numerator: boxed(numerator, change),
                denominator: boxed(denominator, change),
            },
            Kind::If {
                condition,
                then,
                otherwise,
            } => Kind::If {
                condition: boxed(condition, change),
                then: boxed(then, change),
                otherwise: boxed(otherwise, change),
            },
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => Kind::Match {
                subject: boxed(subject, change),
                arms: arms.iter().map(|arm| arm.map_parts(change)).collect(),
                otherwise: otherwise.as_ref().map(|value| boxed(value, change)),
            },
            Kind::Select { index, items } => Kind::Select {
                index: boxed(index, change),
                items: items.iter().map(change).collect(),
            },
            Kind::Block { statements, value } => Kind::Block {
                statements: statements
                    .iter()
                    .map(|statement| statement.map_parts(change))
                    .collect(),
                value: boxed(value, change),
            },
            Kind::Read { pool, reading } => Kind::Read {
                pool: boxed(pool, change),
                reading: reading.map_parts(change),
            },
            Kind::Dice { count, die } => Kind::Dice {
                count: boxed(count, change),
                die: Box::new(die.map_parts(change)),
            },
            Kind::Gather(parts) => Kind::Gather(parts.iter().map(change).collect()),
            Kind::Keep {
                pool,
                which,
                amount,
            } => Kind::Keep {
                pool: boxed(pool, change),
                which: *which,
                amount: boxed(amount, change),
            },
            Kind::Each { pool, face, value } => Kind::Each {
                pool: boxed(pool, change),
                face: *face,
                value: boxed(value, change),
            },
            Kind::Draw { count, bag } => Kind::Draw {
                count: boxed(count, change),
                bag: bag.iter().map(|face| face.map_parts(change)).collect(),
            },
        };
        Expr::made(kind, self.span, self.fixed)
    }
}

fn boxed(expr: &Expr, change: &mut dyn FnMut(&Expr) -> Expr) -> Box<Expr> {
    Box::new(change(expr))
}

impl Statement {
    /// The same statement with each of its expressions replaced.
    #[must_use]
    pub fn map_parts(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        match self {
            Self::Let { var, value } => Self::Let {
                var: *var,
                value: change(value),
            },
            Self::Set { var, value } => Self::Set {
                var: *var,
                value: change(value),
            },
            Self::Choose {
                party,
                var,
                options,
                condition,
                goal,
                span,
            } => Self::Choose {
                party: *party,
                var: *var,
                options: options.map_parts(change),
                condition: condition.as_ref().map(change),
                goal: *goal,
                span: *span,
            },
            Self::Repeat {
                count,
                until,
                body,
                played,
                span,
            } => Self::Repeat {
                count: count.as_ref().map(&mut *change),
                until: until.as_ref().map(&mut *change),
                body: body
                    .iter()
                    .map(|statement| statement.map_parts(change))
                    .collect(),
                played: played.clone(),
                span: *span,
            },
        }
    }
}

impl Options {
    /// The same options with each expression replaced.
    #[must_use]
    pub fn map_parts(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        match self {
            Self::Range(from, to) => Self::Range(change(from), change(to)),
            Self::Subsets(pool) => Self::Subsets(change(pool)),
        }
    }
}

impl Arm {
    fn map_parts(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        Self {
            patterns: self
                .patterns
                .iter()
                .map(|test| test.map_parts(change))
                .collect(),
            span: self.span,
            value: change(&self.value),
        }
    }
}

impl Test {
    pub(crate) fn map_parts(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        match self {
            Self::Compare(op, value) => Self::Compare(*op, change(value)),
            Self::Range(from, to) => Self::Range(change(from), change(to)),
        }
    }
}

impl FaceRange {
    fn map_parts(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        Self {
            from: change(&self.from),
            to: self.to.as_ref().map(&mut *change),
            weight: self.weight.as_ref().map(change),
        }
    }
}

impl Die {
    fn map_parts(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        let faces = match &self.faces {
            Faces::Sides(sides) => Faces::Sides(change(sides)),
            Faces::Of(expr) => Faces::Of(change(expr)),
            Faces::Listed(faces) => {
                Faces::Listed(faces.iter().map(|face| face.map_parts(change)).collect())
            }
        };
        let reroll = self.reroll.as_ref().map(|reroll| Reroll {
            once: reroll.once,
            test: reroll.test.map_parts(change),
        });
        let explode = self.explode.as_ref().map(|explode| Explode {
            test: explode.test.as_ref().map(|test| test.map_parts(change)),
            depth: change(&explode.depth),
        });
        Self {
            faces,
            reroll,
            explode,
            span: self.span,
        }
    }
}

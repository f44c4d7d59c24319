//! Visiting syntax, where names matter before anything is lowered.

use crate::syntax::ast::{Arg, Expr, ExprKind, Face, Faces, Options, Statement, Test, TestKind};

impl Expr {
    /// Calls `visit` with each direct part.
    pub(crate) fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Name(_)
            | ExprKind::Label(_)
            | ExprKind::Error => {}
            ExprKind::List(items) | ExprKind::Pool(items) => items.iter().for_each(visit),
            ExprKind::Bag(faces) => faces.iter().for_each(|face| face.for_each_part(visit)),
            ExprKind::Dice { count, die } => {
                count.iter().for_each(|count| visit(count));
                match &die.faces {
                    Faces::Sides(expr) | Faces::Of(expr) => visit(expr),
                    Faces::Listed(faces) => faces.iter().for_each(|face| face.for_each_part(visit)),
                    Faces::Percent | Faces::Fate => {}
                }
                die.reroll
                    .iter()
                    .for_each(|reroll| reroll.test.for_each_part(visit));
                if let Some(explode) = &die.explode {
                    explode
                        .test
                        .iter()
                        .for_each(|test| test.for_each_part(visit));
                    explode.depth.iter().for_each(|depth| visit(depth));
                }
            }
            ExprKind::Keep { pool, amount, .. } => {
                visit(pool);
                amount.iter().for_each(|amount| visit(amount));
            }
            ExprKind::Successes { pool, test } => {
                visit(pool);
                test.for_each_part(visit);
            }
            ExprKind::Index { list, index } => {
                visit(list);
                visit(index);
            }
            ExprKind::Field { record, .. } => visit(record),
            ExprKind::Unary { operand, .. } => visit(operand),
            ExprKind::Binary { left, right, .. } => {
                visit(left);
                visit(right);
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
            ExprKind::Match {
                subject,
                arms,
                otherwise,
            } => {
                subject.iter().for_each(|subject| visit(subject));
                for arm in arms {
                    arm.patterns
                        .iter()
                        .for_each(|test| test.for_each_part(visit));
                    visit(&arm.value);
                }
                otherwise.iter().for_each(|value| visit(value));
            }
            ExprKind::Call { args, .. } => {
                for arg in args {
                    match arg {
                        Arg::Value(expr) | Arg::Named(_, expr) => visit(expr),
                        Arg::Test(test) => test.for_each_part(visit),
                        Arg::Rest(_) => {}
                    }
                }
            }
            ExprKind::Fold(fold) => {
                let pools = fold.pools.iter().map(|(_, pool)| pool);
                let states = fold.states.iter().map(|(_, start)| start);
                let steps = fold.steps.iter().map(|step| &step.value);
                pools.chain(states).chain(steps).for_each(visit);
            }
            ExprKind::Divide {
                numerator,
                denominator,
                ..
            } => {
                visit(numerator);
                visit(denominator);
            }
        }
    }

    /// Calls `visit` with this expression and everything in it.
    pub(crate) fn for_each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        self.for_each_part(&mut |part| part.for_each(visit));
    }
}

impl Statement {
    /// Calls `visit` with every expression in the statement, at any depth.
    pub(crate) fn for_each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        self.for_each_part(&mut |part| part.for_each(visit));
    }

    /// Calls `visit` with each expression of the statement and of those inside it, not with their parts.
    pub(crate) fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Self::Let { value, .. } => visit(value),
            Self::Set { place, value, .. } => place.iter().chain([value]).for_each(visit),
            Self::Show { .. } => {}
            Self::Choose {
                options, condition, ..
            } => {
                match options {
                    Options::Range(from, to) => {
                        visit(from);
                        visit(to);
                    }
                    Options::Subsets(pool) => visit(pool),
                }
                condition.iter().for_each(visit);
            }
            Self::Repeat {
                count, until, body, ..
            } => {
                count.iter().chain(until).for_each(&mut *visit);
                body.iter()
                    .for_each(|statement| statement.for_each_part(visit));
            }
            Self::For { from, to, body, .. } => {
                visit(from);
                visit(to);
                body.iter()
                    .for_each(|statement| statement.for_each_part(visit));
            }
        }
    }
}

impl Test {
    fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            TestKind::Compare { value, .. } | TestKind::Value(value) => visit(value),
            TestKind::Range { from, to } => {
                visit(from);
                visit(to);
            }
        }
    }
}

impl Face {
    fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(&self.from);
        self.to.iter().chain(&self.weight).for_each(visit);
    }
}

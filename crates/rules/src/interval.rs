//! Between which numbers an expression lies, over all configurations and rolls.
//!
//! Bounds are safe, not tight: whatever an expression can be lies within them. They saturate at the ends of
//! `i64`, and a changing (`set`) variable may be anything.

pub(crate) use crate::bounds::{Interval, union};

use crate::bounds::{self, clamped};
use crate::check::Input;
use crate::program::{
    BinaryOp, Die, Division, Expr, Faces, Fold, Form, Keep, Kind, Options, Program, Statement,
    UnaryOp, VarId,
};

const ANYTHING: Interval = (i64::MIN, i64::MAX);

/// Bounds of a pool: of its size and of its faces. A number is a pool of one die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) size: Interval,
    pub(crate) faces: Interval,
}

impl Shape {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Self = Self {
        size: ANYTHING,
        faces: ANYTHING,
    };

    /// A number is a pool of one die.
    pub(crate) fn number(faces: Interval) -> Self {
        Self {
            size: (1, 1),
            faces,
        }
    }
}

/// The bounds of an expression, given those of the variables and inputs in it.
pub(crate) fn of(expr: &Expr, is_pool: bool, shapes: &[Shape], inputs: &[Input]) -> Shape {
    let analysis = Analysis { shapes, inputs };
    if is_pool {
        analysis.pool(expr)
    } else {
        Shape::number(analysis.number(expr))
    }
}

/// The bounds of the faces of a die before any modifier, given those of the variables and inputs in it.
pub(crate) fn faces(faces: &Faces, shapes: &[Shape], inputs: &[Input]) -> Interval {
    Analysis { shapes, inputs }.faces(faces)
}

/// The bounds of what is chosen.
pub(crate) fn of_options(options: &Options, shapes: &[Shape], inputs: &[Input]) -> Shape {
    match options {
        Options::Range(from, to) => {
            let (from, to) = (
                of(from, false, shapes, inputs),
                of(to, false, shapes, inputs),
            );
            Shape::number((from.faces.0, to.faces.1.max(from.faces.0)))
        }
        Options::Subsets(pool) => {
            let shape = of(pool, true, shapes, inputs);
            Shape {
                size: (0, shape.size.1),
                ..shape
            }
        }
    }
}

/// The shapes of a program's variables, for inputs that lie in these domains.
pub(crate) fn shapes(program: &Program, inputs: &[Input]) -> Vec<Shape> {
    let shapes = vec![Shape::UNKNOWN; program.variables.len()];
    let mut bindings = Bindings {
        program,
        inputs,
        shapes,
    };
    bindings.statements(&program.statements);
    bindings.shapes
}

struct Bindings<'a> {
    program: &'a Program,
    inputs: &'a [Input],
    shapes: Vec<Shape>,
}

impl Bindings<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Let { var, value } => {
                    self.expr(value);
                    let variable = self.program.variable(*var);
                    if !variable.mutable {
                        self.shapes[var.0] = of(value, variable.is_pool, &self.shapes, self.inputs);
                    }
                }
                Statement::Set { value, .. } => self.expr(value),
                Statement::Choose { var, options, .. } => {
                    if !self.program.variable(*var).mutable {
                        self.shapes[var.0] = of_options(options, &self.shapes, self.inputs);
                    }
                }
                Statement::Repeat { body, .. } => self.statements(body),
            }
        }
    }

    /// Binds what the blocks in an expression bind.
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            Kind::Block { statements, value } => {
                self.statements(statements);
                self.expr(value);
                return;
            }
            Kind::Each { pool, face, .. } => self.face(*face, pool),
            Kind::Read { pool, reading } => match reading.form() {
                Form::Map(face, _) => self.face(face, pool),
                Form::Fold(fold) => {
                    let pool = of(pool, true, &self.shapes, self.inputs);
                    settle_fold(fold, pool, &mut self.shapes, self.inputs);
                }
                _ => {}
            },
            _ => {}
        }
        expr.for_each_part(&mut |part| self.expr(part));
    }

    /// Binds the face of a die of a pool.
    fn face(&mut self, face: VarId, pool: &Expr) {
        let pool = of(pool, true, &self.shapes, self.inputs);
        self.shapes[face.0] = Shape::number(pool.faces);
    }
}

struct Analysis<'a> {
    /// Indexed by [`crate::program::VarId`].
    shapes: &'a [Shape],
    /// Indexed by [`crate::program::InputId`].
    inputs: &'a [Input],
}

impl Analysis<'_> {
    fn number(&self, expr: &Expr) -> Interval {
        match &expr.kind {
            Kind::Const(value) => (*value, *value),
            Kind::Input(id) => self
                .inputs
                .get(id.0)
                .map_or(ANYTHING, |input| input.domain.bounds()),
            Kind::Var(var) => self.shapes.get(var.0).map_or(ANYTHING, |shape| shape.faces),
            Kind::Unary(op, operand) => unary(*op, self.number(operand)),
            Kind::Binary(op, left, right) => binary(*op, self.number(left), self.number(right)),
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => divide(*division, self.number(numerator), self.number(denominator)),
            Kind::If {
                condition,
                then,
                otherwise,
            } => match self.number(condition) {
                (1, 1) => self.number(then),
                (0, 0) => self.number(otherwise),
                _ => union(self.number(then), self.number(otherwise)),
            },
            Kind::Match {
                arms, otherwise, ..
            } => {
                let arms: Vec<Interval> = arms.iter().map(|arm| self.number(&arm.value)).collect();
                let otherwise = otherwise.as_ref().map(|value| self.number(value));
                arms.into_iter()
                    .chain(otherwise)
                    .reduce(union)
                    .unwrap_or(ANYTHING)
            }
            Kind::Select { items, .. } => items
                .iter()
                .map(|item| self.number(item))
                .reduce(union)
                .unwrap_or(ANYTHING),
            Kind::Block { value, .. } => self.number(value),
            Kind::Read { pool, reading } => {
                of_reading(reading.form(), || self.pool(pool), |part| self.number(part))
            }
            Kind::Wins(left, right) => (0, self.pool(left).size.1.min(self.pool(right).size.1)),
            Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Each { .. }
            | Kind::Draw { .. } => sum(self.pool(expr)),
        }
    }

    fn pool(&self, expr: &Expr) -> Shape {
        match &expr.kind {
            Kind::Var(var) => self.shapes.get(var.0).copied().unwrap_or(Shape::UNKNOWN),
            Kind::Dice { count, die } => Shape {
                size: self.number(count),
                faces: self.die(die),
            },
            Kind::Gather(parts) => {
                let mut joint = Shape {
                    size: (0, 0),
                    faces: (i64::MAX, i64::MIN),
                };
                for part in parts {
                    let shape = self.pool(part);
                    joint.size = clamped(BinaryOp::Add.bounds(joint.size, shape.size));
                    joint.faces = union(joint.faces, shape.faces);
                }
                if joint.faces.0 > joint.faces.1 {
                    Shape {
                        faces: (0, 0),
                        ..joint
                    }
                } else {
                    joint
                }
            }
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let shape = self.pool(pool);
                let (least, most) = self.number(amount);
                let size = match which {
                    Keep::KeepHighest | Keep::KeepLowest => {
                        (shape.size.0.min(least), shape.size.1.min(most))
                    }
                    Keep::DropHighest | Keep::DropLowest => (0, shape.size.1),
                };
                Shape { size, ..shape }
            }
            Kind::Each { pool, value, .. } => Shape {
                faces: self.number(value),
                ..self.pool(pool)
            },
            Kind::Draw { count, bag } => {
                let faces = bag.iter().map(|face| {
                    let from = self.number(&face.from);
                    face.to
                        .as_ref()
                        .map_or(from, |to| union(from, self.number(to)))
                });
                let faces = faces
                    .collect::<Vec<_>>()
                    .into_iter()
                    .reduce(union)
                    .unwrap_or((0, 0));
                Shape {
                    size: self.number(count),
                    faces,
                }
            }
            Kind::If {
                then, otherwise, ..
            } => join(self.pool(then), self.pool(otherwise)),
            Kind::Match {
                arms, otherwise, ..
            } => {
                let values: Vec<&Expr> = arms
                    .iter()
                    .map(|arm| &arm.value)
                    .chain(otherwise.as_deref())
                    .collect();
                let shapes: Vec<Shape> = values.into_iter().map(|value| self.pool(value)).collect();
                shapes.into_iter().reduce(join).unwrap_or(Shape::UNKNOWN)
            }
            Kind::Block { value, .. } => self.pool(value),
            _ => Shape::number(self.number(expr)),
        }
    }

    /// The faces of a die before any modifier.
    fn faces(&self, faces: &Faces) -> Interval {
        match faces {
            Faces::Sides(sides) => (1, self.number(sides).1),
            Faces::Of(expr) => self.number(expr),
            Faces::Listed(ranges) => {
                let ends = ranges
                    .iter()
                    .flat_map(|range| [Some(&range.from), range.to.as_ref()])
                    .flatten();
                let ends: Vec<Interval> = ends.map(|end| self.number(end)).collect();
                ends.into_iter().reduce(union).unwrap_or(ANYTHING)
            }
        }
    }

    fn die(&self, die: &Die) -> Interval {
        let faces = self.faces(&die.faces);
        match &die.explode {
            None => faces,
            Some(explode) => {
                let times = self.number(&explode.depth).1.saturating_add(1);
                (
                    faces.0.min(faces.0.saturating_mul(times)),
                    faces.1.max(faces.1.saturating_mul(times)),
                )
            }
        }
    }
}

pub(crate) fn join(a: Shape, b: Shape) -> Shape {
    Shape {
        size: union(a.size, b.size),
        faces: union(a.faces, b.faces),
    }
}

/// The bounds of what is read from a pool; `number` says those of an expression.
fn of_reading(
    form: Form<'_>,
    pool: impl FnOnce() -> Shape,
    number: impl Fn(&Expr) -> Interval,
) -> Interval {
    match form {
        Form::Sum => sum(pool()),
        Form::Size | Form::Count(_) => (0, pool().size.1),
        Form::Whole(whole) => {
            let pool = pool();
            whole.bounds(pool.size, pool.faces)
        }
        Form::Map(_, value) => sum(Shape {
            faces: number(value),
            ..pool()
        }),
        // What it carries was bound before.
        Form::Fold(fold) => {
            let (var, start) = &fold.states[0];
            number(&Expr::new(Kind::Var(*var), start.span))
        }
    }
}

/// Who knows what variables can be, and what expressions come to.
pub(crate) trait Bounding {
    /// Indexed by variable.
    fn shapes(&mut self) -> &mut Vec<Shape>;

    /// The bounds of a number.
    fn bounds_of(&mut self, expr: &Expr) -> Interval;
}

/// Variables by themselves.
struct Known<'a> {
    shapes: &'a mut Vec<Shape>,
    inputs: &'a [Input],
}

impl Bounding for Known<'_> {
    fn shapes(&mut self) -> &mut Vec<Shape> {
        self.shapes
    }

    fn bounds_of(&mut self, expr: &Expr) -> Interval {
        of(expr, false, self.shapes, self.inputs).faces
    }
}

/// Binds what a fold over such a pool binds.
pub(crate) fn settle_fold(fold: &Fold, pool: Shape, shapes: &mut Vec<Shape>, inputs: &[Input]) {
    settle(fold, pool, &mut Known { shapes, inputs });
}

/// The most faces at which what a fold carries is looked at; beyond, what still grows may be anything.
const MOST_ROUNDS: i64 = 64;

/// Binds what a fold over such a pool binds, for one who knows the rest.
pub(crate) fn settle(fold: &Fold, pool: Shape, on: &mut dyn Bounding) {
    let put = |on: &mut dyn Bounding, var: VarId, faces: Interval| {
        on.shapes()[var.0] = Shape::number(faces);
    };
    let most = pool.size.1.max(0);
    let faces = (fold.shown(pool.faces.0).0, fold.shown(pool.faces.1).0);
    put(on, fold.face, faces);
    for count in &fold.counts {
        put(on, *count, (i64::from(fold.counts.len() == 1), most.max(1)));
    }
    let mut carried: Vec<Interval> = Vec::with_capacity(fold.states.len());
    for (_, start) in &fold.states {
        carried.push(on.bounds_of(start));
    }
    let span = faces.1.saturating_sub(faces.0).saturating_add(1);
    let rounds = most.min(span);
    for round in 0..=rounds.min(MOST_ROUNDS) {
        for ((var, _), now) in fold.states.iter().zip(&carried) {
            put(on, *var, *now);
        }
        if round == rounds {
            break;
        }
        for (var, value) in &fold.steps {
            let now = on.bounds_of(value);
            put(on, *var, now);
        }
        let before = carried.clone();
        for ((var, _), now) in fold.states.iter().zip(&mut carried) {
            *now = union(*now, on.shapes()[var.0].faces);
            if round == MOST_ROUNDS - 1 && rounds > MOST_ROUNDS {
                *now = ANYTHING;
            }
        }
        if carried == before {
            break;
        }
    }
    for ((var, _), now) in fold.states.iter().zip(&carried) {
        put(on, *var, *now);
    }
}

/// The bounds of what is made of one number.
pub(crate) fn unary(op: UnaryOp, operand: Interval) -> Interval {
    match op {
        UnaryOp::Not => {
            let (low, high) = truth(operand);
            (1 - high, 1 - low)
        }
        op => clamped(op.bounds(operand)),
    }
}

/// The bounds of two numbers put together; of a condition that never depends on them 0 or 1 alone.
pub(crate) fn binary(op: BinaryOp, left: Interval, right: Interval) -> Interval {
    match op {
        BinaryOp::Compare(op) => match op.decided(left, right) {
            Some(holds) => (i64::from(holds), i64::from(holds)),
            None => (0, 1),
        },
        BinaryOp::And | BinaryOp::Or => {
            let (left, right) = (truth(left), truth(right));
            match op {
                BinaryOp::And => (left.0.min(right.0), left.1.min(right.1)),
                _ => (left.0.max(right.0), left.1.max(right.1)),
            }
        }
        op => clamped(op.bounds(left, right)),
    }
}

/// The bounds of a truth value of which these are known.
fn truth((low, high): Interval) -> Interval {
    (low.max(0), high.min(1))
}

/// The sum of between `size.0` and `size.1` dice with such faces.
fn sum(shape: Shape) -> Interval {
    let size = (shape.size.0.max(0), shape.size.1.max(0));
    clamped(bounds::sum(size, shape.faces))
}

/// The bounds of quotients and remainders; if a divisor may be 0, no quotient is farther from 0 than its numerator, and no
/// remainder farther than its divisor.
pub(crate) fn divide(division: Division, (low, high): Interval, by: Interval) -> Interval {
    division.bounds((low, high), by).unwrap_or_else(|| {
        let (low, high) = match division {
            Division::Floor | Division::Ceil => (low, high),
            Division::Remainder => by,
        };
        let most = low.saturating_abs().max(high.saturating_abs());
        (most.saturating_neg(), most)
    })
}

#[cfg(test)]
mod tests {
    use super::{ANYTHING, binary, divide};
    use crate::program::{BinaryOp, CompareOp, Division};

    #[test]
    fn conditions_are_decided_by_their_bounds_alone() {
        let less = BinaryOp::Compare(CompareOp::Less);
        assert_eq!(binary(less, (1, 3), (4, 9)), (1, 1));
        assert_eq!(binary(less, (4, 9), (1, 4)), (0, 0));
        assert_eq!(binary(less, (1, 4), (4, 9)), (0, 1));
        for (op, decided, result) in [
            (BinaryOp::And, (0, 0), (0, 0)),
            (BinaryOp::Or, (1, 1), (1, 1)),
        ] {
            for open in [(0, 1), ANYTHING] {
                assert_eq!(binary(op, decided, open), result);
                assert_eq!(binary(op, open, decided), result);
                assert_eq!(binary(op, open, open), (0, 1));
            }
        }
    }

    #[test]
    fn quotients_lie_within_their_bounds_and_reach_them() {
        let ranges = || (-7..=7).flat_map(|low| (low..=7).map(move |high| (low, high)));
        for division in [Division::Floor, Division::Ceil, Division::Remainder] {
            for (numerators, by) in ranges().flat_map(|n| ranges().map(move |by| (n, by))) {
                let quotients = (numerators.0..=numerators.1)
                    .flat_map(|n| (by.0..=by.1).filter_map(move |by| division.divide(n, by)));
                let quotients: Vec<i64> = quotients.collect();
                let bounds = divide(division, numerators, by);
                let (least, most) = (quotients.iter().min(), quotients.iter().max());
                assert!(least.is_none_or(|least| *least >= bounds.0));
                assert!(most.is_none_or(|most| *most <= bounds.1));
                if division != Division::Remainder && (by.0 > 0 || by.1 < 0) {
                    assert_eq!((least, most), (Some(&bounds.0), Some(&bounds.1)));
                }
            }
        }
    }
}

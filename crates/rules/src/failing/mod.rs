//! Which statements of a script may fail, by the bounds of the numbers in it and without rolling a die.
//!
//! Bounds are safe, not tight: a statement that is not found here fails on no roll, and one that is found may turn out
//! never to fail. So what is found must be carried out by whoever wants to know, and nothing else.
//!
//! What a track only adds to, round after round, is a sum without an end: that it might leave the range of 64 bits after
//! more rounds than anybody plays is not counted.

mod arms;
mod assume;
mod dice;
mod parts;
mod rounds;
mod sums;

use assume::Place;

use self::sums::Sum;
use crate::bounds::{self, Wide};
use crate::check::{Check, Input};
use crate::interval::{self, Bounding, Interval, Shape};
use crate::program::{
    BinaryOp, Expr, Form, Kind, Options, Program, Reading, Statement, UnaryOp, VarId,
};

/// More dice than this are more than a pool can have.
const MOST_DICE: i64 = u32::MAX as i64;

impl Check {
    /// The variables whose `let`, `set` or `choose` may fail on some roll, where each input lies between these bounds;
    /// also those that a `repeat` changes or binds whose count or condition may fail. Empty if the script can be carried
    /// out whatever is rolled.
    ///
    /// # Panics
    /// If there are not as many bounds as inputs.
    ///
    /// ```
    /// let check = oddsmith_rules::expression("[1, 2, 3][1d3 - 1]", "<expression>").unwrap();
    /// assert!(check.may_fail(&[]).is_empty());
    /// let check = oddsmith_rules::expression("[1, 2, 3][1d3]", "<expression>").unwrap();
    /// assert_eq!(check.may_fail(&[]).len(), 1);
    /// ```
    #[must_use]
    pub fn may_fail(&self, bounds: &[(i64, i64)]) -> Vec<VarId> {
        assert_eq!(bounds.len(), self.inputs.len(), "bounds for each input");
        let is_legal = |(input, bounds): (&Input, &(i64, i64))| {
            input.domain.contains(bounds.0) && input.domain.contains(bounds.1)
        };
        if self.inputs.iter().zip(bounds).all(is_legal) && self.is_sure() {
            return Vec::new();
        }
        self.unsure(bounds)
    }

    /// Whether the script can be carried out in every legal configuration, whatever is rolled. It is found out once, and known to
    /// copies that are made after that.
    pub fn is_sure(&self) -> bool {
        *self.found.is_sure.get_or_init(|| {
            let domains = self.inputs.iter().map(|input| input.domain.bounds());
            self.unsure(&domains.collect::<Vec<_>>()).is_empty()
        })
    }

    fn unsure(&self, bounds: &[(i64, i64)]) -> Vec<VarId> {
        let mut failing = Failing::new(&self.program, bounds.to_vec());
        failing.statements(&self.program.statements);
        failing.found
    }
}

/// What each variable of a check may hold at any time, for inputs that lie in their domains.
pub(crate) fn held(check: &Check) -> Vec<Shape> {
    let domains = check.inputs.iter().map(|input| input.domain.bounds());
    let mut failing = Failing::new(&check.program, domains.collect());
    failing.held = vec![None; check.program.variables.len()];
    failing.statements(&check.program.statements);
    let held = failing.held.into_iter();
    held.map(|shape| shape.unwrap_or(Shape::UNKNOWN)).collect()
}

/// A walk through a script in the order in which it is carried out.
struct Failing<'p> {
    program: &'p Program,
    inputs: Vec<Interval>,
    /// What each variable holds at this place of the script.
    shapes: Vec<Shape>,
    /// Of dice and of counts of dice that do not change: a number that they are no more than.
    most: Vec<Option<Place>>,
    /// What the rounds of a track only add to.
    sums: Vec<Sum>,
    /// Whether something in the expression at hand may fail.
    fails: bool,
    /// Whether the shapes are what they will be: those of a loop are first looked for.
    is_final: bool,
    found: Vec<VarId>,
    /// What each variable has held at any time, if anybody asks; none of those that nothing was bound to.
    held: Vec<Option<Shape>>,
}

impl<'p> Failing<'p> {
    fn new(program: &'p Program, inputs: Vec<Interval>) -> Self {
        Self {
            program,
            inputs,
            shapes: vec![Shape::UNKNOWN; program.variables.len()],
            most: vec![None; program.variables.len()],
            sums: Vec::new(),
            fails: false,
            is_final: true,
            found: Vec::new(),
            held: Vec::new(),
        }
    }
}

impl Failing<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            let outer = std::mem::take(&mut self.fails);
            match statement {
                Statement::Let { var, value } | Statement::Set { var, value } => {
                    let shape = self.shape(value, self.program.variable(*var).is_pool);
                    self.shapes[var.0] = self.within_sum(*var, shape);
                    self.note_held(*var);
                    self.most[var.0] = self.most_of(*var, value);
                    self.note(&[*var]);
                }
                Statement::Choose {
                    var,
                    options,
                    condition,
                    ..
                } => {
                    self.shapes[var.0] = self.options(options);
                    self.note_held(*var);
                    if let Some(condition) = condition {
                        // Perhaps it allows nothing.
                        self.fails |= self.number(condition) != (1, 1);
                    }
                    self.note(&[*var]);
                }
                Statement::Repeat {
                    count, until, body, ..
                } => self.repeat(count.as_ref(), until.as_ref(), body),
            }
            self.fails |= outer;
        }
    }

    /// Notes what a variable holds now.
    fn note_held(&mut self, var: VarId) {
        let now = self.shapes[var.0];
        if let Some(held) = self.held.get_mut(var.0).filter(|_| self.is_final) {
            *held = Some(held.map_or(now, |held| interval::join(held, now)));
        }
    }

    /// Notes that what binds these variables may fail, if it may.
    fn note(&mut self, vars: &[VarId]) {
        if self.fails && self.is_final {
            for var in vars {
                if !self.found.contains(var) {
                    self.found.push(*var);
                }
            }
        }
    }

    fn options(&mut self, options: &Options) -> Shape {
        match options {
            Options::Range(from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                self.fails |= from.1 > to.0;
                Shape::number((from.0, to.1.max(from.0)))
            }
            Options::Subsets(pool) => {
                let shape = self.pool(pool);
                Shape {
                    size: (0, shape.size.1),
                    ..shape
                }
            }
        }
    }

    fn shape(&mut self, expr: &Expr, is_pool: bool) -> Shape {
        if is_pool {
            self.pool(expr)
        } else {
            Shape::number(self.number(expr))
        }
    }

    /// The part of a range that fits 64 bits; what is beyond fails.
    fn fitting(&mut self, range: Wide) -> Interval {
        self.fails |= bounds::fitting(range).is_none();
        bounds::clamped(range)
    }

    /// Between which numbers an expression lies, where it does not fail.
    fn number(&mut self, expr: &Expr) -> Interval {
        match &expr.kind {
            Kind::Const(value) => (*value, *value),
            Kind::Input(id) => self.inputs[id.0],
            Kind::Var(var) => self.shapes[var.0].faces,
            Kind::Unary(op, operand) => {
                let operand = self.number(operand);
                self.unary(*op, operand)
            }
            Kind::Binary(op, left, right) => self.binary(*op, left, right),
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => {
                let (numerator, by) = (self.number(numerator), self.number(denominator));
                let contains = |range: Interval, number| range.0 <= number && number <= range.1;
                let is_beyond = contains(numerator, i64::MIN) && contains(by, -1);
                self.fails |= contains(by, 0) || is_beyond;
                interval::divide(*division, numerator, by)
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } | Kind::Block { .. } => {
                self.turned(expr, &mut |this, part| Shape::number(this.number(part)))
                    .faces
            }
            Kind::Read { pool, reading } => self.reading(pool, reading),
            Kind::Wins(left, right) => {
                let (left, right) = (self.pool(left), self.pool(right));
                (0, left.size.1.min(right.size.1).max(0))
            }
            Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Each { .. }
            | Kind::Draw { .. } => {
                let shape = self.pool(expr);
                self.sum(shape)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, (low, high): Interval) -> Interval {
        match op {
            UnaryOp::Not => (1 - high.clamp(0, 1), 1 - low.clamp(0, 1)),
            _ => self.fitting(op.bounds((low, high))),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Interval {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.logic(op == BinaryOp::And, left, right);
        }
        let is_rest = op == BinaryOp::Subtract && self.is_part(right, left);
        let (left, right) = (self.number(left), self.number(right));
        match op {
            BinaryOp::Compare(op) => truth(op.decided(left, right)),
            _ if is_rest => (left.0.saturating_sub(right.1).max(0), left.1.max(0)),
            _ => self.fitting(op.bounds(left, right)),
        }
    }

    /// `and` or `or`: the right side matters where the left leaves it open.
    fn logic(&mut self, is_and: bool, left: &Expr, right: &Expr) -> Interval {
        let first = self.number(left);
        let goes_on = i64::from(is_and);
        if first == (1 - goes_on, 1 - goes_on) {
            return first;
        }
        let second = self.assuming(left, is_and, &mut |this| this.number(right));
        match second {
            Some(second) if first == (goes_on, goes_on) => second,
            Some(second) => interval::union((1 - goes_on, 1 - goes_on), second),
            None => (1 - goes_on, 1 - goes_on),
        }
    }

    /// What becomes of an expression that turns on a number, or of a block; `made` says what becomes of a part.
    fn turned(&mut self, expr: &Expr, made: &mut dyn FnMut(&mut Self, &Expr) -> Shape) -> Shape {
        match &expr.kind {
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let holds = self.number(condition);
                let mut parts = Vec::new();
                if holds != (0, 0) {
                    parts.extend(self.assuming(condition, true, &mut |this| made(this, then)));
                }
                if holds.0 <= 0 {
                    let part = self.assuming(condition, false, &mut |this| made(this, otherwise));
                    parts.extend(part);
                }
                joined(parts)
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => self.arms(subject, arms, otherwise.as_deref(), made),
            Kind::Select { index, items } => {
                let (low, high) = self.number(index);
                let last = i64::try_from(items.len()).map_or(i64::MAX, |len| len - 1);
                self.fails |= low < 0 || high > last;
                let inside = items.iter().zip(0..);
                let inside = inside.filter(|(_, at)| (low..=high).contains(at));
                joined(inside.map(|(item, _)| made(self, item)).collect())
            }
            Kind::Block { statements, value } => {
                self.statements(statements);
                made(self, value)
            }
            _ => unreachable!("nothing else turns on a number"),
        }
    }

    /// What is read of a pool.
    fn reading(&mut self, pool: &Expr, reading: &Reading) -> Interval {
        let shape = self.pool(pool);
        let most = shape.size.1.max(0);
        match reading.form() {
            Form::Sum => self.sum(shape),
            Form::Size => (shape.size.0.max(0), most),
            Form::Count(tests) => {
                for bound in tests.iter().flat_map(crate::program::Test::bounds) {
                    self.number(bound);
                }
                (0, most)
            }
            Form::Whole(whole) => {
                if let Some(place) = whole.place() {
                    let (least, greatest) = self.number(place);
                    self.fails |= least < 1 || greatest > MOST_DICE;
                }
                whole.bounds(shape.size, shape.faces)
            }
            Form::Map(face, value) => {
                self.shapes[face.0] = Shape::number(shape.faces);
                let faces = if most == 0 {
                    (0, 0)
                } else {
                    self.number(value)
                };
                self.sum(Shape { faces, ..shape })
            }
            Form::Fold(fold) => {
                interval::settle(fold, shape, self);
                self.shapes[fold.states[0].0.0].faces
            }
        }
    }

    /// The sum of a pool.
    fn sum(&mut self, shape: Shape) -> Interval {
        let size = (shape.size.0.max(0), shape.size.1.max(0));
        self.fitting(bounds::sum(size, shape.faces))
    }
}

impl Bounding for Failing<'_> {
    fn shapes(&mut self) -> &mut Vec<Shape> {
        &mut self.shapes
    }

    fn bounds_of(&mut self, expr: &Expr) -> Interval {
        self.number(expr)
    }
}

/// The bounds of a truth value, if it is known or not.
fn truth(known: Option<bool>) -> Interval {
    known.map_or((0, 1), |holds| (i64::from(holds), i64::from(holds)))
}

/// What any of these may be; if it is none of them, it is never reached.
fn joined(parts: Vec<Shape>) -> Shape {
    parts
        .into_iter()
        .reduce(interval::join)
        .unwrap_or(Shape::number((0, 0)))
}

//! Dice that explode without an end, where nothing that a script shows can tell how far they go.
//!
//! A die that has shown seven sixes has come to 42 at least, whatever it shows next: a hit at 40 is a hit. So such a die is
//! followed no further than what is shown may turn on it, and all odds are what they are without an end.
//!
//! How far that is follows from bounds. In thought the script is carried out twice with the same rolls: once with dice that
//! stop after so many explosions, once with dice that go on. Of every number it is known where both may differ, and between
//! which numbers both lie there ([`Apart`]). Where that range is a single number they do not differ: `min(x, 30)` of any x
//! in `[42, ∞)` is 30, and `x >= 40` is true.

use crate::bounds::{self, Interval};
use crate::check::{Check, Input, Outcome, OutcomeKind};
use crate::failing;
use crate::interval::{self, Shape, union};
use crate::program::{
    Arm, BinaryOp, CompareOp, Die, Explode, Expr, FaceRange, Faces, Form, Kind, Program, Reading,
    Statement, Test, VarId,
};
use crate::source::{Diagnostic, Reporter, Span};

/// Dice are followed for so many explosions at most.
const MOST: i64 = 1000;

/// What is not settled after so many explosions never is.
const FOREVER: i64 = 1 << 40;

/// Whatever goes on for ever lies beyond this by then.
const FAR: i64 = 1 << 20;

/// So often a walk through the script moves the bounds of what its loops change, before these may be anything.
const PASSES: usize = 8;

const ANYTHING: Interval = (i64::MIN, i64::MAX);

/// Between which numbers both lie where they differ, one with dice that stop and one with dice that go on; none if they
/// never differ. Of a pool it is its dice that do.
type Apart = Option<Interval>;

/// Gives the dice of a check that explode without an end the depth beyond which nothing that is shown changes, and marks
/// the variables that would change; reports what is shown and would change at any depth.
pub(crate) fn settle(check: &mut Check, reporter: &mut Reporter) {
    let Some(die) = first_endless(&check.program) else {
        return;
    };
    let found = match reporter.is_empty() {
        true => least_depth(check).map_err(|unsettled| unsettled.told(check, die, reporter)),
        false => Ok((1, Vec::new())),
    };
    let (depth, apart) = found.unwrap_or_else(|error| {
        reporter.push(error);
        (1, Vec::new())
    });
    let mut program = check.program().clone();
    let statements = program.statements.iter();
    program.statements = statements
        .map(|statement| statement.map_parts(&mut |part| with_depth(part, depth)))
        .collect();
    for (variable, apart) in program.variables.iter_mut().zip(apart) {
        variable.endless = apart.is_some();
    }
    check.set_program(program);
}

/// Where the first die stands that explodes without an end.
fn first_endless(program: &Program) -> Option<Span> {
    let mut found = None;
    for statement in &program.statements {
        statement.for_each_part(&mut |part| {
            part.for_each(&mut |part| match &part.kind {
                Kind::Dice { die, .. } if is_endless(die) => found = found.or(Some(part.span)),
                _ => {}
            });
        });
    }
    found
}

fn is_endless(die: &Die) -> bool {
    let depth = |explode: &Explode| explode.depth.as_constant();
    die.explode.as_ref().and_then(depth) == Some(Explode::ENDLESS)
}

/// An expression whose dice explode so often at most, if they would without an end.
fn with_depth(expr: &Expr, depth: i64) -> Expr {
    let mut settled = expr.map_parts(&mut |part| with_depth(part, depth));
    if let Kind::Dice { die, .. } = &mut settled.0.kind
        && is_endless(die)
        && let Some(explode) = &mut die.explode
    {
        explode.depth = Expr::constant(depth, explode.depth.span);
    }
    settled
}

/// The fewest explosions after which nothing that is shown changes, and which variables do.
fn least_depth(check: &Check) -> Result<(i64, Vec<Apart>), Unsettled> {
    let held = failing::held(check);
    let after = |depth: i64| Walk::new(check, held.clone(), depth).apart(check);
    after(FOREVER)?;
    let mut apart = after(MOST).map_err(|_| Unsettled::TooDeep)?;
    // Whatever is enough, more of it is.
    let (mut least, mut enough) = (0, MOST);
    while least < enough {
        let half = least.midpoint(enough);
        match after(half) {
            Ok(found) => (enough, apart) = (half, found),
            Err(_) => least = half + 1,
        }
    }
    Ok((enough, apart))
}

/// What changes however far dice are followed.
enum Unsettled {
    /// Something that is shown, by its place, and between which numbers it lies where it changes.
    Shown(usize, Interval),
    /// What happens next turns on it: how many dice are rolled, which option is chosen.
    Turns(Span),
    /// No face of a die explodes, or every one does.
    Die {
        span: Span,
        message: &'static str,
        help: &'static str,
    },
    /// Nothing does, but only after more explosions than are followed.
    TooDeep,
}

impl Unsettled {
    /// The error, where the first die without an end stands here.
    fn told(&self, check: &Check, dice: Span, reporter: &Reporter) -> Diagnostic {
        let text = |span: Span| &check.source.text[span.start..span.end];
        let inner = |text| str::strip_prefix(text, "(").and_then(|text| text.strip_suffix(")"));
        let dice_text = inner(text(dice)).unwrap_or(text(dice));
        let depth = format!("`{dice_text}(4)` explodes at most 4 times");
        match self {
            Self::Shown(at, apart) => {
                let shown = &check.outcomes[*at];
                let error = |message: &str| {
                    let error = reporter.error(shown.span, format!("`{}` {message}", shown.name));
                    error.with_label("dice in it explode without an end")
                };
                let is_near = apart.0 > -FAR && apart.1 < FAR;
                if shown.kind != OutcomeKind::Observable || is_near {
                    return error("may turn on every single explosion").with_help(depth);
                }
                let value = check.value_of(shown.var).map(|value| text(value.span));
                let value = value.filter(|text| text.len() <= 60 && !text.contains('\n'));
                let value = value.unwrap_or("…");
                let help = match *apart {
                    (low, _) if low > FAR => {
                        format!(
                            "`min({value}, 60)` has the odds of each value below 60, and of 60 or more as one; {depth}"
                        )
                    }
                    (_, high) if high < -FAR => {
                        format!(
                            "`max({value}, -60)` has the odds of each value above -60, and of -60 or less as one; {depth}"
                        )
                    }
                    _ => depth,
                };
                error("has no end").with_help(help)
            }
            Self::Turns(span) => reporter
                .error(*span, "this turns on dice that explode without an end")
                .with_label("it has no end")
                .with_help(format!("`min(…, 20)` gives it one; {depth}")),
            Self::Die {
                span,
                message,
                help,
            } => reporter.error(*span, *message).with_help(*help),
            Self::TooDeep => reporter
                .error(dice, "these dice explode without an end")
                .with_label(format!(
                    "something shown turns on more than {MOST} explosions"
                ))
                .with_help(depth),
        }
    }
}

/// A walk through a script, to find what differs after so many explosions.
struct Walk<'p> {
    inputs: &'p [Input],
    program: &'p Program,
    /// What each variable may ever hold.
    shapes: Vec<Shape>,
    apart: Vec<Apart>,
    depth: i64,
    /// What goes one way here and another way there.
    turns: Option<Unsettled>,
}

impl<'p> Walk<'p> {
    fn new(check: &'p Check, held: Vec<Shape>, depth: i64) -> Self {
        Self {
            inputs: &check.inputs,
            program: &check.program,
            shapes: held,
            apart: vec![None; check.program.variables.len()],
            depth,
            turns: None,
        }
    }

    /// Which variables differ in the end, if nothing that is shown does.
    fn apart(mut self, check: &Check) -> Result<Vec<Apart>, Unsettled> {
        let program = self.program;
        for pass in 0.. {
            let before = self.apart.clone();
            self.statements(&program.statements);
            if let Some(turns) = self.turns.take() {
                return Err(turns);
            }
            if self.apart == before {
                break;
            }
            let moved = self.apart.iter_mut().zip(&before);
            for (apart, _) in moved.filter(|(apart, before)| pass >= PASSES && *apart != *before) {
                *apart = Some(ANYTHING);
            }
        }
        let differs = |(at, outcome): (usize, &Outcome)| Some((at, self.apart[outcome.var.0]?));
        match check.outcomes.iter().enumerate().find_map(differs) {
            Some((at, apart)) => Err(Unsettled::Shown(at, apart)),
            None => Ok(self.apart),
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Let { var, value } | Statement::Set { var, value } => {
                    let apart = match self.program.variable(*var).is_pool {
                        true => self.pool(value),
                        false => self.number(value),
                    };
                    self.apart[var.0] = either(self.apart[var.0], apart);
                }
                Statement::Choose {
                    options,
                    condition,
                    goal,
                    span,
                    ..
                } => {
                    options
                        .parts()
                        .chain(condition)
                        .for_each(|part| self.settled(part));
                    if self.apart[goal.0].is_some() {
                        self.turn(*span);
                    }
                }
                Statement::Repeat {
                    count, until, body, ..
                } => {
                    count
                        .iter()
                        .chain(until)
                        .for_each(|part| self.settled(part));
                    self.statements(body);
                }
            }
        }
    }

    /// The runs go different ways from here on.
    fn turn(&mut self, span: Span) {
        self.turns.get_or_insert(Unsettled::Turns(span));
    }

    /// What must not differ: it says how things go on.
    fn settled(&mut self, expr: &Expr) {
        if self.number(expr).is_some() {
            self.turn(expr.span);
        }
    }

    fn number(&mut self, expr: &Expr) -> Apart {
        match &expr.kind {
            Kind::Const(_) | Kind::Input(_) => None,
            Kind::Var(var) => self.apart[var.0],
            Kind::Unary(op, operand) => {
                let apart = self.number(operand)?;
                differing(interval::unary(*op, apart))
            }
            Kind::Binary(op @ (BinaryOp::Min | BinaryOp::Max), left, right) => {
                let apart = [self.number(left), self.number(right)];
                // Of what grows for many rounds the bounds are those of as many as anybody plays.
                let wide =
                    |own: Interval, apart: Apart| apart.map_or(own, |apart| union(own, apart));
                let (left, right) = (self.bounds(left), self.bounds(right));
                let bounds = interval::binary(*op, wide(left, apart[0]), wide(right, apart[1]));
                either(apart[0], apart[1]).and_then(|apart| within(apart, bounds))
            }
            Kind::Binary(op, left, right) => {
                self.of_two(left, right, |l, r| interval::binary(*op, l, r))
            }
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => {
                self.settled(denominator);
                self.of_two(numerator, denominator, |l, r| {
                    interval::divide(*division, l, r)
                })
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } | Kind::Block { .. } => {
                self.turned(expr, false)
            }
            Kind::Read { pool, reading } => self.reading(pool, reading, expr),
            Kind::Wins(left, right) => self.wins(left, right, expr),
            Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Each { .. }
            | Kind::Draw { .. } => {
                let apart = self.pool(expr);
                self.sum(apart, self.shape(expr))
            }
        }
    }

    /// How many dice beat those of the other side, the highest against the highest and so on: the same number in both runs
    /// where all that differs is above or below whatever the other side may show.
    fn wins(&mut self, left: &Expr, right: &Expr, expr: &Expr) -> Apart {
        let is_settled = match (self.pool(left), self.pool(right)) {
            (None, None) => true,
            (Some(left), None) => CompareOp::Greater
                .decided(left, self.shape(right).faces)
                .is_some(),
            (None, Some(right)) => CompareOp::Greater
                .decided(self.shape(left).faces, right)
                .is_some(),
            (Some(_), Some(_)) => false,
        };
        match is_settled {
            true => None,
            false => differing(self.bounds(expr)),
        }
    }

    /// What is made of two numbers, of which `made` says the bounds.
    fn of_two(
        &mut self,
        left: &Expr,
        right: &Expr,
        made: impl Fn(Interval, Interval) -> Interval,
    ) -> Apart {
        let apart = (self.number(left), self.number(right));
        let first = apart
            .0
            .and_then(|left| differing(made(left, self.bounds(right))));
        let second = apart
            .1
            .and_then(|right| differing(made(self.bounds(left), right)));
        either(first, second)
    }

    /// What an expression comes to that turns on a number, or a block.
    fn turned(&mut self, expr: &Expr, is_pool: bool) -> Apart {
        match &expr.kind {
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                if self.number(condition).is_some() {
                    return self.either_way(expr, is_pool);
                }
                match self.bounds(condition) {
                    (1, 1) => self.part(then, is_pool),
                    (0, 0) => self.part(otherwise, is_pool),
                    _ => either(self.part(then, is_pool), self.part(otherwise, is_pool)),
                }
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                if !self.takes_one(subject, arms) {
                    return self.either_way(expr, is_pool);
                }
                let values = arms.iter().map(|arm| &arm.value);
                self.parts(values.chain(otherwise.as_deref()), is_pool)
            }
            Kind::Select { index, items } => {
                self.settled(index);
                self.parts(items.iter(), is_pool)
            }
            Kind::Block { statements, value } => {
                self.statements(statements);
                self.part(value, is_pool)
            }
            _ => unreachable!("nothing else turns on a number"),
        }
    }

    fn part(&mut self, expr: &Expr, is_pool: bool) -> Apart {
        match is_pool {
            true => self.pool(expr),
            false => self.number(expr),
        }
    }

    fn parts<'e>(&mut self, parts: impl Iterator<Item = &'e Expr>, is_pool: bool) -> Apart {
        parts.fold(None, |apart, part| either(apart, self.part(part, is_pool)))
    }

    /// The runs may go different ways, and come to anything that this may be.
    fn either_way(&mut self, expr: &Expr, is_pool: bool) -> Apart {
        if is_pool {
            self.turn(expr.span);
            return None;
        }
        differing(self.bounds(expr))
    }

    /// Whether both runs take the same arm.
    fn takes_one(&mut self, subject: &Expr, arms: &[Arm]) -> bool {
        let patterns = arms.iter().flat_map(|arm| &arm.patterns);
        if self.are_bounds_apart(patterns) {
            return false;
        }
        let Some(apart) = self.number(subject) else {
            return true;
        };
        for arm in arms {
            match self.fits(apart, &arm.patterns) {
                Some(true) => return true,
                Some(false) => {}
                None => return false,
            }
        }
        true
    }

    fn are_bounds_apart<'t>(&mut self, tests: impl Iterator<Item = &'t Test>) -> bool {
        let mut bounds = tests.flat_map(Test::bounds);
        bounds.any(|bound| self.number(bound).is_some())
    }

    /// Whether all numbers of a range fit one of these, or none does; none if it is neither.
    fn fits(&self, range: Interval, tests: &[Test]) -> Option<bool> {
        let mut is_open = false;
        for test in tests {
            match self.takes(range, test) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => is_open = true,
            }
        }
        (!is_open).then_some(false)
    }

    fn takes(&self, (low, high): Interval, test: &Test) -> Option<bool> {
        match test {
            Test::Compare(op, bound) => op.decided((low, high), self.bounds(bound)),
            Test::Range(from, to) => {
                let (from, to) = (self.bounds(from), self.bounds(to));
                let are_within = low >= from.1 && high <= to.0;
                let are_outside = high < from.0 || low > to.1;
                (are_within || are_outside).then_some(are_within)
            }
        }
    }

    /// What is read of a pool.
    fn reading(&mut self, pool: &Expr, reading: &Reading, expr: &Expr) -> Apart {
        let (apart, shape) = (self.pool(pool), self.shape(pool));
        match reading.form() {
            Form::Sum => self.sum(apart, shape),
            Form::Size => None,
            Form::Count(tests) => {
                let is_same = !self.are_bounds_apart(tests.iter())
                    && apart.is_none_or(|apart| self.fits(apart, tests).is_some());
                (!is_same).then(|| self.bounds(expr)).and_then(differing)
            }
            Form::Whole(whole) => {
                whole
                    .place()
                    .into_iter()
                    .for_each(|place| self.settled(place));
                apart.and_then(|_| differing(self.bounds(expr)))
            }
            Form::Map(face, value) => {
                self.face(face, shape, apart);
                let apart = self.number(value);
                let faces = self.bounds(value);
                self.sum(apart, Shape { faces, ..shape })
            }
            Form::Fold(fold) => {
                interval::settle_fold(fold, shape, &mut self.shapes, self.inputs);
                let mut parts = fold.parts();
                let differs = apart.is_some() || parts.any(|part| self.number(part).is_some());
                differs.then(|| self.bounds(expr)).and_then(differing)
            }
        }
    }

    /// The face of a die of a pool.
    fn face(&mut self, face: VarId, shape: Shape, apart: Apart) {
        self.shapes[face.0] = Shape::number(shape.faces);
        self.apart[face.0] = apart;
    }

    /// The sum of a pool of which dice differ: one at least, and others may too.
    fn sum(&self, apart: Apart, shape: Shape) -> Apart {
        let apart = apart?;
        let (fewest, most) = shape.size;
        let others = (
            fewest.saturating_sub(1).max(0),
            most.saturating_sub(1).max(0),
        );
        let others = bounds::clamped(bounds::sum(others, union(shape.faces, apart)));
        differing(interval::binary(BinaryOp::Add, apart, others))
    }

    /// Which dice of a pool differ. Sorted, both runs' dice are the same outside of that range, so that what is kept of
    /// them differs within it.
    fn pool(&mut self, expr: &Expr) -> Apart {
        match &expr.kind {
            Kind::Var(var) => self.apart[var.0],
            Kind::Dice { count, die } => {
                self.settled(count);
                match self.bounds(count) {
                    (0, 0) => None,
                    _ => self.die(die),
                }
            }
            Kind::Gather(parts) => self.parts(parts.iter(), true),
            Kind::Keep { pool, amount, .. } => {
                self.settled(amount);
                self.pool(pool)
            }
            Kind::Each { pool, face, value } => {
                let apart = self.pool(pool);
                self.face(*face, self.shape(pool), apart);
                self.number(value)
            }
            Kind::Draw { count, bag } => {
                self.settled(count);
                bag.iter()
                    .flat_map(FaceRange::parts)
                    .for_each(|part| self.settled(part));
                None
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } | Kind::Block { .. } => {
                self.turned(expr, true)
            }
            _ => self.number(expr),
        }
    }

    fn die(&mut self, die: &Die) -> Apart {
        let rolled = match &die.faces {
            Faces::Of(expr) => self.number(expr),
            Faces::Sides(_) | Faces::Listed(_) => None,
        };
        let is_changed = die.reroll.is_some() || die.explode.is_some();
        if rolled.is_some() && is_changed {
            self.turn(die.span);
        }
        if let Faces::Sides(expr) = &die.faces {
            self.settled(expr);
        }
        if let Faces::Listed(ranges) = &die.faces {
            ranges
                .iter()
                .flat_map(FaceRange::parts)
                .for_each(|part| self.settled(part));
        }
        let Some(explode) = die.explode.as_ref().filter(|_| is_endless(die)) else {
            return rolled;
        };
        let faces = interval::faces(&die.faces, &self.shapes, self.inputs);
        self.demand_sense(die, explode, faces);
        let least = self.least_exploding(die, explode, faces);
        if least < 1 {
            return Some(ANYTHING);
        }
        let reached = least.saturating_mul(self.depth.saturating_add(1));
        Some((reached.saturating_add(faces.0.min(0)), i64::MAX))
    }

    /// Some faces explode, and some don't.
    fn demand_sense(&mut self, die: &Die, explode: &Explode, faces: Interval) {
        let explodes = match &explode.test {
            Some(test) => self.takes(faces, test),
            None => (faces.0 == faces.1).then_some(true),
        };
        let (message, help) = match explodes {
            Some(true) => (
                "every face of this die explodes: it never ends",
                "a comparison behind `!` says which faces do, as in `1d6!>=5`",
            ),
            Some(false) => (
                "no face of this die explodes",
                "a comparison behind `!` says which faces do; `(1d6!) >= 10` compares what is rolled",
            ),
            None => return,
        };
        let span = die.span;
        self.turns.get_or_insert(Unsettled::Die {
            span,
            message,
            help,
        });
    }

    /// No face below this one explodes.
    fn least_exploding(&self, die: &Die, explode: &Explode, (low, high): Interval) -> i64 {
        let highest = || match &die.faces {
            Faces::Sides(sides) => self.bounds(sides).0,
            Faces::Listed(ranges) => {
                let ends = ranges.iter().filter(|range| range.weight.is_none());
                let ends =
                    ends.map(|range| self.bounds(range.to.as_ref().unwrap_or(&range.from)).0);
                ends.max().unwrap_or(low)
            }
            Faces::Of(_) => low,
        };
        match &explode.test {
            None if die.reroll.is_none() => highest().max(low),
            None => low,
            Some(Test::Compare(op, bound)) => op.narrow((low, high), self.bounds(bound)).0,
            Some(Test::Range(from, _)) => self.bounds(from).0.max(low),
        }
    }

    /// Between which numbers an expression lies in either run.
    fn bounds(&self, expr: &Expr) -> Interval {
        interval::of(expr, false, &self.shapes, self.inputs).faces
    }

    fn shape(&self, expr: &Expr) -> Shape {
        interval::of(expr, true, &self.shapes, self.inputs)
    }
}

/// A range of more than one number; what is beyond 64 bits is at their ends, and may be any of it.
fn differing((low, high): Interval) -> Apart {
    let is_one = low == high && low > i64::MIN && high < i64::MAX;
    (!is_one).then_some((low, high))
}

/// Where the least or the greatest of two numbers differs, which lies between these bounds: where one of the two does. What is less
/// than all that differs is the least in both runs, or is in neither; what is greater likewise.
fn within(apart: Interval, bounds: Interval) -> Apart {
    let (low, high) = (apart.0.max(bounds.0), apart.1.min(bounds.1));
    (low <= high).then_some((low, high)).and_then(differing)
}

fn either(left: Apart, right: Apart) -> Apart {
    match (left, right) {
        (Some(left), Some(right)) => Some(union(left, right)),
        (left, right) => left.or(right),
    }
}

//! What could go wrong in a program, with the conditions under which it is reached.

use std::collections::BTreeMap;

use crate::evaluate::{FixedError, arm_taken, fits};
use crate::program::{Arm, BinaryOp, Die, Expr, FaceRange, Faces, Kind, Statement, Test, VarId};
use crate::program::{Program, UnaryOp};
use crate::source::Span;

/// A place where some configuration may break a rule.
#[derive(Clone, Debug)]
pub(super) struct Hazard<'p> {
    pub(super) rule: Rule<'p>,
    /// It is reached only where all of these hold; what dice decide is left out.
    pub(super) guards: Vec<Guard<'p>>,
    /// The call of the function that it stands in.
    pub(super) call: Option<Span>,
}

/// What must hold there; the expressions are fixed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule<'p> {
    /// It has a value.
    Evaluates(&'p Expr),
    /// A divisor is not 0.
    NotZero(&'p Expr),
    /// An amount is not below its least value.
    AtLeast(&'p Expr, Amount),
    /// A range of faces is not empty.
    Ascending(&'p Expr, &'p Expr),
    /// Some face has a weight.
    SomeWeight(&'p [FaceRange], Span),
    /// Some face is not rerolled.
    SomeFaceStays(&'p Die, &'p Test),
    /// The list of so many items has this place.
    Inside(&'p Expr, usize),
    /// The bag holds as many.
    Holds(&'p Expr, &'p [FaceRange]),
    /// The arms make sense together; the subject may be rolled.
    Arms {
        subject: &'p Expr,
        arms: &'p [Arm],
        has_else: bool,
    },
}

/// What an amount counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    Sides,
    Dice,
    Kept,
    /// The place of the die that `nth` asks for.
    Place,
    Depth,
    Rounds,
    Weight,
    Drawn,
}

impl Amount {
    /// The least that makes sense.
    pub(super) fn least(self) -> i64 {
        i64::from(matches!(self, Self::Sides | Self::Place))
    }
}

/// A condition on inputs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guard<'p> {
    /// The expression is true, or false.
    Is(&'p Expr, bool),
    /// The arm at this place is the first to take the subject; past the end: none does.
    Takes(&'p Expr, &'p [Arm], usize),
    /// The index is this.
    Item(&'p Expr, usize),
    /// The number is above 0.
    Positive(&'p Expr),
}

impl<'p> Guard<'p> {
    /// Whether it holds, for values from `value`. Where it can't be known it may hold; where it has no
    /// value what it guards is never reached.
    pub(super) fn holds(self, value: &mut dyn FnMut(&Expr) -> Result<i64, FixedError>) -> bool {
        let known = match self {
            Self::Is(condition, wanted) => value(condition).map(|truth| (truth != 0) == wanted),
            Self::Takes(subject, arms, taken) => value(subject)
                .and_then(|subject| arm_taken(arms, subject, value))
                .map(|first| first == taken),
            Self::Item(index, item) => value(index).map(|index| usize::try_from(index) == Ok(item)),
            Self::Positive(number) => value(number).map(|number| number > 0),
        };
        known.unwrap_or_else(|error| matches!(error, FixedError::NotFixed { .. }))
    }

    /// The expressions it reads.
    pub(super) fn parts(self) -> Vec<&'p Expr> {
        match self {
            Self::Is(expr, _) | Self::Item(expr, _) | Self::Positive(expr) => vec![expr],
            Self::Takes(subject, arms, _) => [subject].into_iter().chain(bounds(arms)).collect(),
        }
    }
}

impl<'p> Rule<'p> {
    /// The expressions it reads.
    pub(super) fn parts(self) -> Vec<&'p Expr> {
        match self {
            Self::Evaluates(expr)
            | Self::NotZero(expr)
            | Self::AtLeast(expr, _)
            | Self::Inside(expr, _) => vec![expr],
            Self::Ascending(from, to) => vec![from, to],
            Self::SomeWeight(faces, _) => faces.iter().flat_map(FaceRange::parts).collect(),
            Self::Holds(count, bag) => [count]
                .into_iter()
                .chain(bag.iter().flat_map(FaceRange::parts))
                .collect(),
            Self::SomeFaceStays(die, test) => {
                let sides = match &die.faces {
                    Faces::Sides(sides) => Some(sides),
                    Faces::Listed(_) | Faces::Of(_) => None,
                };
                let faces = listed(die).iter().flat_map(FaceRange::parts);
                sides
                    .into_iter()
                    .chain(faces)
                    .chain(test.bounds())
                    .collect()
            }
            Self::Arms { arms, .. } => bounds(arms).collect(),
        }
    }

    /// Whether some face of the die stays, by the values from `value`.
    pub(super) fn some_face_stays(
        die: &Die,
        test: &Test,
        value: &mut dyn FnMut(&Expr) -> Result<i64, FixedError>,
    ) -> Result<bool, FixedError> {
        let mut ranges = Vec::new();
        if let Faces::Sides(sides) = &die.faces {
            ranges.push((1, value(sides)?));
        }
        for range in listed(die) {
            let weight = range.weight.as_ref().map_or(Ok(1), &mut *value)?;
            let from = value(&range.from)?;
            let to = range.to.as_ref().map_or(Ok(from), &mut *value)?;
            if weight > 0 {
                ranges.push((from, to));
            }
        }
        for (from, to) in &ranges {
            for face in *from..=*to {
                if !fits(test, face, value)? {
                    return Ok(true);
                }
            }
        }
        // A die without any face is another fault.
        Ok(ranges.iter().all(|(from, to)| from > to))
    }
}

fn listed(die: &Die) -> &[FaceRange] {
    match &die.faces {
        Faces::Listed(faces) => faces,
        Faces::Sides(_) | Faces::Of(_) => &[],
    }
}

fn bounds(arms: &[Arm]) -> impl Iterator<Item = &Expr> {
    arms.iter()
        .flat_map(|arm| &arm.patterns)
        .flat_map(Test::bounds)
}

/// The `k` of `nth(pool, k)`, which drops the dice before it: `k - 1`, where `k` is written.
fn nth_place(amount: &Expr) -> Option<&Expr> {
    match &amount.kind {
        Kind::Binary(BinaryOp::Subtract, place, one)
            if amount.span == place.span && one.as_constant() == Some(1) =>
        {
            Some(place)
        }
        _ => None,
    }
}

/// The call of a function in whose body the part at `target` stands, if `expr` calls one.
pub(super) fn call_around(expr: &Expr, target: Span, call: Option<Span>) -> Option<Span> {
    if expr.span == target {
        return call;
    }
    let mut found = None;
    expr.for_each_part(&mut |part| {
        let inner = if expr.span.contains(part.span) {
            call
        } else {
            Some(expr.span)
        };
        found = found.or_else(|| call_around(part, target, inner));
    });
    found
}

/// The hazards of a program, and what its fixed variables are bound to.
#[derive(Debug, Default)]
pub(super) struct Hazards<'p> {
    pub(super) found: Vec<Hazard<'p>>,
    pub(super) definitions: BTreeMap<VarId, &'p Expr>,
    guards: Vec<Guard<'p>>,
    call: Option<Span>,
}

impl<'p> Hazards<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut hazards = Self::default();
        hazards.statements(&program.statements);
        hazards
    }

    fn push(&mut self, rule: Rule<'p>) {
        self.found.push(Hazard {
            rule,
            guards: self.guards.clone(),
            call: self.call,
        });
    }

    /// Amounts that are rolled are the engine's to watch.
    fn at_least(&mut self, expr: &'p Expr, amount: Amount) {
        let is_fine = expr
            .as_constant()
            .is_some_and(|value| value >= amount.least());
        if expr.fixed && !is_fine {
            self.push(Rule::AtLeast(expr, amount));
        }
    }

    fn guarded(&mut self, guard: Option<Guard<'p>>, visit: impl FnOnce(&mut Self)) {
        let outer = self.guards.len();
        self.guards.extend(guard);
        visit(self);
        self.guards.truncate(outer);
    }

    /// Visits where `condition` is `wanted`, as far as inputs decide it.
    fn assuming(&mut self, condition: &'p Expr, wanted: bool, visit: impl FnOnce(&mut Self)) {
        let outer = self.guards.len();
        self.assume(condition, wanted);
        visit(self);
        self.guards.truncate(outer);
    }

    fn assume(&mut self, condition: &'p Expr, wanted: bool) {
        match &condition.kind {
            _ if condition.fixed => self.guards.push(Guard::Is(condition, wanted)),
            Kind::Unary(UnaryOp::Not, operand) => self.assume(operand, !wanted),
            Kind::Binary(BinaryOp::And, left, right) if wanted => {
                self.assume(left, true);
                self.assume(right, true);
            }
            Kind::Binary(BinaryOp::Or, left, right) if !wanted => {
                self.assume(left, false);
                self.assume(right, false);
            }
            _ => {}
        }
    }

    fn statements(&mut self, statements: &'p [Statement]) {
        for statement in statements {
            match statement {
                Statement::Let { var, value } => {
                    self.expr(value, false);
                    if value.fixed {
                        self.definitions.insert(*var, value);
                    }
                }
                Statement::Set { value, .. } => self.expr(value, false),
                Statement::Repeat {
                    count, until, body, ..
                } => {
                    self.expr(count, false);
                    self.at_least(count, Amount::Rounds);
                    self.guarded(count.fixed.then_some(Guard::Positive(count)), |this| {
                        if let Some(until) = until {
                            this.expr(until, false);
                            this.assuming(until, false, |this| this.statements(body));
                        } else {
                            this.statements(body);
                        }
                    });
                }
            }
        }
    }

    /// Visits an expression; `covered` says that it is part of one that must have a value as a whole.
    fn expr(&mut self, expr: &'p Expr, covered: bool) {
        let is_atom = matches!(expr.kind, Kind::Const(_) | Kind::Input(_) | Kind::Var(_));
        if expr.fixed && !covered && !is_atom {
            self.push(Rule::Evaluates(expr));
        }
        let covered = covered || expr.fixed;
        match &expr.kind {
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                self.part(expr, condition, covered);
                self.assuming(condition, true, |this| this.part(expr, then, covered));
                self.assuming(condition, false, |this| this.part(expr, otherwise, covered));
            }
            Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.part(expr, left, covered);
                let goes_on = *op == BinaryOp::And;
                self.assuming(left, goes_on, |this| this.part(expr, right, covered));
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                self.arms(expr, subject, arms, otherwise.as_deref(), covered);
            }
            Kind::Select { index, items } => {
                self.part(expr, index, covered);
                if index.fixed && !covered {
                    self.push(Rule::Inside(index, items.len()));
                }
                for (at, item) in items.iter().enumerate() {
                    let guard = index.fixed.then_some(Guard::Item(index, at));
                    self.guarded(guard, |this| this.part(expr, item, covered));
                }
            }
            Kind::Block { statements, value } => {
                self.statements(statements);
                self.part(expr, value, covered);
            }
            Kind::Divide { denominator, .. } => {
                expr.for_each_part(&mut |part| self.part(expr, part, covered));
                if !covered && denominator.as_constant().is_none_or(|by| by == 0) {
                    self.push(Rule::NotZero(denominator));
                }
            }
            Kind::Dice { count, die } => {
                self.part(expr, count, covered);
                self.at_least(count, Amount::Dice);
                self.inside(expr, die.span, |this| this.die(die));
            }
            Kind::Keep { amount, .. } => {
                expr.for_each_part(&mut |part| self.part(expr, part, covered));
                match nth_place(amount) {
                    Some(place) => self.at_least(place, Amount::Place),
                    None => self.at_least(amount, Amount::Kept),
                }
            }
            Kind::Draw { count, bag } => {
                self.part(expr, count, covered);
                self.at_least(count, Amount::Drawn);
                self.faces(bag);
                self.push(Rule::Holds(count, bag));
            }
            _ => expr.for_each_part(&mut |part| self.part(expr, part, covered)),
        }
    }

    /// A part of `whole`; one that stands elsewhere is the body of a function called here.
    fn part(&mut self, whole: &'p Expr, part: &'p Expr, covered: bool) {
        self.inside(whole, part.span, |this| this.expr(part, covered));
    }

    fn inside(&mut self, whole: &'p Expr, part: Span, visit: impl FnOnce(&mut Self)) {
        let outer = self.call;
        if !whole.span.contains(part) {
            self.call = Some(whole.span);
        }
        visit(self);
        self.call = outer;
    }

    fn arms(
        &mut self,
        whole: &'p Expr,
        subject: &'p Expr,
        arms: &'p [Arm],
        otherwise: Option<&'p Expr>,
        covered: bool,
    ) {
        self.part(whole, subject, covered);
        let is_fixed = |arms: &[Arm]| bounds(arms).all(|bound| bound.fixed);
        for (at, arm) in arms.iter().enumerate() {
            for bound in arm.patterns.iter().flat_map(Test::bounds) {
                self.part(whole, bound, covered);
            }
            let known = subject.fixed && is_fixed(&arms[..=at]);
            let guard = known.then_some(Guard::Takes(subject, arms, at));
            self.guarded(guard, |this| this.part(whole, &arm.value, covered));
        }
        if let Some(otherwise) = otherwise {
            let known = subject.fixed && is_fixed(arms);
            let guard = known.then_some(Guard::Takes(subject, arms, arms.len()));
            self.guarded(guard, |this| this.part(whole, otherwise, covered));
        }
        // Arms of plain numbers were judged when the file was read.
        if is_fixed(arms) && bounds(arms).any(|bound| bound.as_constant().is_none()) {
            // An expression that is fixed as a whole has no value in a gap.
            let has_else = otherwise.is_some() || covered;
            self.inside(whole, subject.span, |this| {
                this.push(Rule::Arms {
                    subject,
                    arms,
                    has_else,
                });
            });
        }
    }

    fn die(&mut self, die: &'p Die) {
        match &die.faces {
            Faces::Sides(sides) => {
                self.expr(sides, false);
                self.at_least(sides, Amount::Sides);
            }
            Faces::Of(expr) => self.expr(expr, false),
            Faces::Listed(faces) => {
                self.faces(faces);
                if faces.iter().all(|face| face.weight.is_some()) {
                    self.push(Rule::SomeWeight(faces, die.span));
                }
            }
        }
        if let Some(reroll) = &die.reroll {
            reroll
                .test
                .bounds()
                .for_each(|bound| self.expr(bound, false));
            if !reroll.once && !matches!(die.faces, Faces::Of(_)) {
                self.push(Rule::SomeFaceStays(die, &reroll.test));
            }
        }
        if let Some(explode) = &die.explode {
            let bounds = explode.test.iter().flat_map(Test::bounds);
            bounds.for_each(|bound| self.expr(bound, false));
            self.expr(&explode.depth, false);
            self.at_least(&explode.depth, Amount::Depth);
        }
    }

    fn faces(&mut self, faces: &'p [FaceRange]) {
        for face in faces {
            face.parts().for_each(|part| self.expr(part, false));
            if let Some(to) = &face.to {
                self.push(Rule::Ascending(&face.from, to));
            }
            if let Some(weight) = &face.weight {
                self.at_least(weight, Amount::Weight);
            }
        }
    }
}

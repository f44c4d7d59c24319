//! The places of a check where something could go wrong.

use std::collections::BTreeMap;

use crate::check::Check;
use crate::program::{
    Arm, BinaryOp, Die, Expr, FaceRange, Faces, Kind, Options, Statement, Test, UnaryOp, VarId,
};
use crate::source::Span;
use crate::validate::hazard::{Amount, Guard, Hazard, RangeOf, Rule, bounds};
use crate::validate::known::Known;

/// The hazards of a check, and what its fixed variables are bound to.
#[derive(Debug)]
pub(super) struct Hazards<'p> {
    pub(super) found: Vec<Hazard<'p>>,
    pub(super) definitions: BTreeMap<VarId, &'p Expr>,
    /// What is known without a try.
    known: Known,
    guards: Vec<Guard<'p>>,
    call: Option<Span>,
}

impl<'p> Hazards<'p> {
    pub(super) fn of(check: &'p Check) -> Self {
        let mut hazards = Self {
            found: Vec::new(),
            definitions: BTreeMap::new(),
            known: Known::of(check),
            guards: Vec::new(),
            call: None,
        };
        hazards.statements(&check.program.statements);
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
        if expr.fixed && self.known.bounds(expr).0 < amount.least() {
            self.push(Rule::AtLeast(expr, amount));
        }
    }

    fn ascending(&mut self, from: &'p Expr, to: &'p Expr, what: RangeOf) {
        let is_fixed = from.fixed && to.fixed;
        if is_fixed && self.known.bounds(from).1 > self.known.bounds(to).0 {
            self.push(Rule::Ascending(from, to, what));
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
                Statement::Choose {
                    options, condition, ..
                } => {
                    options.parts().for_each(|part| self.expr(part, false));
                    if let Options::Range(from, to) = options
                        && from.fixed
                        && to.fixed
                    {
                        self.ascending(from, to, RangeOf::Options);
                    }
                    condition
                        .iter()
                        .for_each(|condition| self.expr(condition, false));
                }
                Statement::Repeat {
                    count, until, body, ..
                } => {
                    if let Some(count) = count {
                        self.expr(count, false);
                        self.at_least(count, Amount::Rounds);
                    }
                    let positive = count
                        .as_ref()
                        .filter(|count| count.fixed)
                        .map(Guard::Positive);
                    self.guarded(positive, |this| {
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
        if expr.fixed && !covered && !is_atom && !self.known.has_value(expr) {
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
                let is_inside = self.known.is_inside(index, items.len());
                if index.fixed && !covered && !is_inside {
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
                if denominator.fixed && !covered && !self.known.is_not_zero(denominator) {
                    self.push(Rule::NotZero(denominator));
                }
            }
            Kind::Dice { count, die } => {
                self.part(expr, count, covered);
                self.at_least(count, Amount::Dice);
                let some = count.fixed.then_some(Guard::Positive(count));
                self.guarded(some, |this| {
                    this.inside(expr, die.span, |this| this.die(die));
                });
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
                if count.fixed && are_fixed(bag) {
                    self.push(Rule::Holds(count, bag));
                }
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
                let is_sure = |face: &FaceRange| match &face.weight {
                    Some(weight) => self.known.bounds(weight).0 > 0,
                    None => true,
                };
                if are_fixed(faces) && !faces.iter().any(is_sure) {
                    self.push(Rule::SomeWeight(faces, die.span));
                }
            }
        }
        if let Some(reroll) = &die.reroll {
            reroll
                .test
                .bounds()
                .for_each(|bound| self.expr(bound, false));
            let is_known = match &die.faces {
                Faces::Sides(sides) => sides.fixed,
                Faces::Listed(faces) => are_fixed(faces),
                Faces::Of(_) => false,
            };
            if !reroll.once && is_known {
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
                self.ascending(&face.from, to, RangeOf::Faces);
            }
            if let Some(weight) = &face.weight {
                self.at_least(weight, Amount::Weight);
            }
        }
    }
}

/// Whether no part of these is rolled.
fn are_fixed(faces: &[FaceRange]) -> bool {
    let mut parts = faces.iter().flat_map(FaceRange::parts);
    parts.all(|part| part.fixed)
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

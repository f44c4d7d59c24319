//! Which inputs decide which way a script goes, as far as its text tells.
//!
//! A way depends on the inputs that its statement reads, directly or through variables that are made of inputs alone, and
//! on those around it, where the statement is part of a played-out call. What dice decide is left to the dice.

use std::collections::{BTreeMap, BTreeSet};

use oddsmith_rules::Check;
use oddsmith_rules::program::{Expr, InputId, Kind, Statement, VarId};

/// A place of the ruleset, in bytes from its start.
type Place = (usize, usize);

/// For each place of a script the inputs that decide about it; for each input those that act together with it.
#[derive(Debug, Default)]
pub(super) struct Slice {
    places: BTreeMap<Place, BTreeSet<InputId>>,
    companions: BTreeMap<InputId, BTreeSet<InputId>>,
    /// The inputs that fixed variables are made of.
    variables: BTreeMap<VarId, BTreeSet<InputId>>,
}

impl Slice {
    pub(super) fn of(check: &Check) -> Self {
        let mut slice = Self::default();
        let nothing = BTreeSet::new();
        slice.statements(check, check.program().statements(), &nothing);
        for required in &check.requires {
            slice.expression(check, &required.condition, &nothing);
        }
        slice
    }

    /// The inputs that decide which way the script goes at a place.
    pub(super) fn at(&self, place: Place) -> Vec<InputId> {
        let inputs = self.places.get(&place).into_iter().flatten();
        inputs.copied().collect()
    }

    /// The inputs that act together with another one.
    pub(super) fn beside(&self, input: InputId) -> Vec<InputId> {
        let inputs = self.companions.get(&input).into_iter().flatten();
        inputs.copied().filter(|id| *id != input).collect()
    }

    fn statements(&mut self, check: &Check, list: &[Statement], around: &BTreeSet<InputId>) {
        for statement in list {
            if let Statement::Repeat {
                count,
                until,
                body,
                span,
                ..
            } = statement
            {
                let mut own = around.clone();
                for expr in count.iter().chain(until) {
                    own.extend(self.expression(check, expr, around));
                }
                self.note((span.start, span.end), &own);
                self.statements(check, body, &own);
                continue;
            }
            let mut own = around.clone();
            statement.for_each_part(&mut |part| own.extend(self.expression(check, part, around)));
            match statement {
                Statement::Let { var, .. } if check.program().variable(*var).is_fixed() => {
                    self.variables.insert(*var, own);
                }
                Statement::Choose { span, .. } => self.note((span.start, span.end), &own),
                _ => {}
            }
        }
    }

    /// Notes every place of an expression; the inputs that decide about it.
    fn expression(
        &mut self,
        check: &Check,
        expr: &Expr,
        around: &BTreeSet<InputId>,
    ) -> BTreeSet<InputId> {
        let mut own = around.clone();
        self.collect(expr, &mut own);
        let mut blocks = Vec::new();
        outside_blocks(expr, &mut |part| {
            if let Kind::Block { statements, .. } = &part.kind {
                blocks.push(statements);
            }
        });
        for statements in blocks {
            self.statements(check, statements, &own);
        }
        // Once more: variables of the blocks are known now.
        self.collect(expr, &mut own);
        outside_blocks(expr, &mut |part| {
            self.note((part.span.start, part.span.end), &own);
        });
        own
    }

    /// The inputs that an expression reads outside of the statements of its blocks.
    fn collect(&self, expr: &Expr, own: &mut BTreeSet<InputId>) {
        outside_blocks(expr, &mut |part| match &part.kind {
            Kind::Input(id) => {
                own.insert(*id);
            }
            Kind::Var(var) => own.extend(self.variables.get(var).into_iter().flatten()),
            _ => {}
        });
    }

    fn note(&mut self, place: Place, inputs: &BTreeSet<InputId>) {
        self.places.entry(place).or_default().extend(inputs);
        for input in inputs {
            self.companions.entry(*input).or_default().extend(inputs);
        }
    }
}

/// Visits an expression and its parts, of a block only its value.
fn outside_blocks<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    match &expr.kind {
        Kind::Block { value, .. } => outside_blocks(value, visit),
        _ => expr.for_each_part(&mut |part| outside_blocks(part, visit)),
    }
}

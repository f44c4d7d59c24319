//! Which expressions are truth values: 0 or 1, whatever is rolled.

use crate::program::{BinaryOp, Expr, Form, Kind, Program, Reading, Statement, UnaryOp, VarId};

/// For each variable, whether all that it is given are truth values.
pub(super) fn truths(program: &Program) -> Vec<bool> {
    let mut given = Vec::new();
    for statement in &program.statements {
        given_by(statement, &mut given);
        statement.for_each_part(&mut |part| {
            part.for_each(&mut |part| match &part.kind {
                Kind::Block { statements, .. } => {
                    let statements = statements.iter();
                    statements.for_each(|statement| given_by(statement, &mut given));
                }
                Kind::Read { reading, .. } => given_by_reading(reading, &mut given),
                Kind::Each { face, .. } => given.push((*face, None)),
                _ => {}
            });
        });
    }
    // All are, until one is given something else.
    let mut truths = vec![true; program.variables.len()];
    let mut is_done = false;
    while !is_done {
        is_done = true;
        for (VarId(at), value) in &given {
            let is_other = !value.is_some_and(|value| is_truth(value, &truths));
            if is_other && let Some(truth @ true) = truths.get_mut(*at) {
                *truth = false;
                is_done = false;
            }
        }
    }
    truths
}

/// What a statement gives to variables, in its rounds too; none if it is not an expression.
fn given_by<'p>(statement: &'p Statement, given: &mut Vec<(VarId, Option<&'p Expr>)>) {
    match statement {
        Statement::Let { var, value } | Statement::Set { var, value } => {
            given.push((*var, Some(value)));
        }
        Statement::Choose { var, .. } => given.push((*var, None)),
        Statement::Repeat { body, .. } => body.iter().for_each(|inner| given_by(inner, given)),
    }
}

/// What a reading gives to the variables that it binds.
fn given_by_reading<'p>(reading: &'p Reading, given: &mut Vec<(VarId, Option<&'p Expr>)>) {
    match reading.form() {
        Form::Fold(fold) => {
            given.extend(
                std::iter::once(&fold.face)
                    .chain(&fold.counts)
                    .map(|var| (*var, None)),
            );
            let bound = fold.states.iter().chain(&fold.steps);
            given.extend(bound.map(|(var, value)| (*var, Some(value))));
        }
        _ => given.extend(reading.bound().into_iter().map(|var| (var, None))),
    }
}

/// Whether an expression is 0 or 1, where these variables are.
pub(super) fn is_truth(expr: &Expr, truths: &[bool]) -> bool {
    let all = |part: &Expr| is_truth(part, truths);
    match &expr.kind {
        Kind::Const(value) => matches!(value, 0 | 1),
        Kind::Var(var) => truths.get(var.0) == Some(&true),
        Kind::Unary(op, _) => *op == UnaryOp::Not,
        Kind::Binary(op, ..) => op.is_logical() || matches!(op, BinaryOp::Compare(_)),
        Kind::If {
            then, otherwise, ..
        } => all(then) && all(otherwise),
        Kind::Match {
            arms, otherwise, ..
        } => {
            let mut values = arms
                .iter()
                .map(|arm| &arm.value)
                .chain(otherwise.as_deref());
            values.all(all)
        }
        Kind::Select { items, .. } => items.iter().all(all),
        Kind::Block { value, .. } => all(value),
        Kind::Read { reading, .. } => match reading.form() {
            Form::Fold(fold) => fold.states.first().is_some_and(|(var, _)| truths[var.0]),
            _ => false,
        },
        _ => false,
    }
}

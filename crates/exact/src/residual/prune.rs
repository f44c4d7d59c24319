//! Fixed bindings, and bindings that nothing reads.

use oddsmith_rules::program::{Expr, Statement, VarId, Variable};

use super::names::{collect_vars, goals_in};
use crate::hash::Map;

/// Takes the fixed bindings out of the statements: they need no place in the order of things.
pub(super) fn take_fixed(
    statements: &mut Vec<Statement>,
    variables: &[Variable],
) -> Map<VarId, Expr> {
    let mut fixed = Map::default();
    statements.retain(|statement| match statement {
        Statement::Let { var, value } if variables[var.0].is_fixed() && value.fixed => {
            fixed.insert(*var, value.clone());
            false
        }
        _ => true,
    });
    for statement in statements {
        if let Statement::Repeat { body, .. } = statement {
            fixed.extend(take_fixed(body, variables));
        }
    }
    fixed
}

/// Drops bindings that nothing reads, last to first.
pub(super) fn remove_unread(
    statements: &mut Vec<Statement>,
    results: &[Expr],
    fixed: &Map<VarId, Expr>,
) {
    let mut wanted = Vec::new();
    results
        .iter()
        .for_each(|result| collect_vars(result, fixed, &mut wanted));
    if goals_in(statements).is_empty() {
        return sweep_unread(statements, fixed, &mut wanted);
    }
    // A choice that matters needs what it strives for, which may need more.
    loop {
        let (mut trial, mut read) = (statements.clone(), wanted.clone());
        sweep_unread(&mut trial, fixed, &mut read);
        let goals: Vec<VarId> = goals_in(&trial)
            .into_iter()
            .filter(|goal| !wanted.contains(goal))
            .collect();
        if goals.is_empty() {
            *statements = trial;
            return;
        }
        wanted.extend(goals);
    }
}

/// If a statement binds something which is read later, adds to `read` what it reads itself; whether that has been done for
/// good.
fn follow(statement: &Statement, fixed: &Map<VarId, Expr>, read: &mut Vec<VarId>) -> bool {
    match statement {
        Statement::Let { var, .. } | Statement::Set { var, .. } | Statement::Choose { var, .. } => {
            let is_read = read.contains(var);
            if is_read {
                statement.for_each_part(&mut |part| collect_vars(part, fixed, read));
            }
            is_read
        }
        Statement::Repeat {
            count, until, body, ..
        } => {
            // A count may be bound before; it is fixed, so that it is no state.
            let parts = count.iter().chain(until);
            parts.for_each(|part| collect_vars(part, fixed, read));
            // What a round reads, a round before it must set: go round until nothing new is read.
            let mut open: Vec<&Statement> = body.iter().rev().collect();
            let mut before = usize::MAX;
            while read.len() != before {
                before = read.len();
                open.retain(|statement| !follow(statement, fixed, read));
            }
            false
        }
    }
}

/// Drops the statements that bind nothing which is read later.
fn sweep_unread(statements: &mut Vec<Statement>, fixed: &Map<VarId, Expr>, read: &mut Vec<VarId>) {
    let mut kept = Vec::with_capacity(statements.len());
    for mut statement in std::mem::take(statements).into_iter().rev() {
        follow(&statement, fixed, read);
        if is_kept(&mut statement, read) {
            kept.push(statement);
        }
    }
    kept.reverse();
    *statements = kept;
}

/// Whether a statement binds something that is read, in a loop with its statements that do; those that don't are dropped. A loop
/// that goes round until something holds is kept without any: it goes round for ever, unless that holds from the start.
fn is_kept(statement: &mut Statement, read: &[VarId]) -> bool {
    match statement {
        Statement::Let { var, .. } | Statement::Set { var, .. } | Statement::Choose { var, .. } => {
            read.contains(var)
        }
        Statement::Repeat {
            count, until, body, ..
        } => {
            body.retain_mut(|statement| is_kept(statement, read));
            let holds = |until: &Expr| until.as_constant().is_some_and(|holds| holds != 0);
            !body.is_empty() || count.is_none() && !until.as_ref().is_some_and(holds)
        }
    }
}

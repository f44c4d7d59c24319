//! What is left of a script that is played for its choices.

use oddsmith_rules::program::{Expr, Kind, Statement, VarId, bound_in, set_in};

use super::names::{goals_in, name_of};
use super::prune::remove_unread;
use crate::hash::Map;

/// The variables that are chosen, and those whose values are made with choices inside.
pub(super) fn variables_that_choose(statements: &[Statement]) -> Vec<Expr> {
    let mut vars = Vec::new();
    collect_choosing(statements, &mut vars);
    vars.into_iter().map(name_of).collect()
}

fn collect_choosing(statements: &[Statement], out: &mut Vec<VarId>) {
    for statement in statements {
        match statement {
            Statement::Choose { var, .. } => out.push(*var),
            Statement::Let { var, value } | Statement::Set { var, value } => {
                if chooses(value) {
                    out.push(*var);
                }
            }
            Statement::Repeat { until, body, .. } => {
                if until.as_ref().is_some_and(chooses) {
                    // The loop is there as long as its rounds do something.
                    out.extend(bound_in(body));
                    out.extend(set_in(body));
                }
                collect_choosing(body, out);
            }
        }
    }
}

/// Whether a choice is made inside an expression.
fn chooses(expr: &Expr) -> bool {
    expr.any(&mut |part| match &part.kind {
        Kind::Block { statements, .. } => !goals_in(statements).is_empty(),
        _ => false,
    })
}

/// A track with a single round in place of its loop, if all rounds are alike to what is kept: nothing that it
/// needs depends on what rounds change, and no choice in them strives for what is bound at their end.
pub(super) fn one_round(
    statements: &[Statement],
    kept: &[Expr],
    fixed: &Map<VarId, Expr>,
) -> Option<Vec<Statement>> {
    let at = statements.iter().position(Statement::is_own_loop)?;
    let Statement::Repeat { body, .. } = &statements[at] else {
        unreachable!("just found")
    };
    let own = bound_in(body);
    if goals_in(body).iter().any(|goal| !own.contains(goal)) {
        return None;
    }
    let mut round = [&statements[..at], body, &statements[at + 1..]].concat();
    remove_unread(&mut round, kept, fixed);
    let mut changed = set_in(body);
    changed.retain(|var| !own.contains(var));
    let mut is_read = false;
    for statement in &round {
        statement.for_each_part(&mut |expr| {
            is_read |=
                expr.any(&mut |part| matches!(part.kind, Kind::Var(var) if changed.contains(&var)));
        });
    }
    (!is_read).then_some(round)
}

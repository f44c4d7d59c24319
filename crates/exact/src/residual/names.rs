//! What expressions and statements read and bind.

use oddsmith_rules::Span;
use oddsmith_rules::program::{Expr, Kind, Statement, VarId, Variable};

use crate::hash::Map;

/// The rolled variables that an expression reads, also by way of fixed bindings (which read none).
pub(crate) fn collect_vars(expr: &Expr, fixed: &Map<VarId, Expr>, out: &mut Vec<VarId>) {
    // What a part binds is met before the parts that read it.
    let mut own = Vec::new();
    expr.for_each(&mut |part| match &part.kind {
        Kind::Var(var) if !out.contains(var) && !own.contains(var) && !fixed.contains_key(var) => {
            out.push(*var);
        }
        Kind::Block { .. } | Kind::Read { .. } | Kind::Each { .. } => {
            part.collect_bound(&mut own);
        }
        _ => {}
    });
}

/// What the choices among the statements strive for.
pub(super) fn goals_in(statements: &[Statement]) -> Vec<VarId> {
    let mut goals = Vec::new();
    for statement in statements {
        match statement {
            Statement::Choose { goal, .. } if !goals.contains(goal) => goals.push(*goal),
            Statement::Repeat { body, .. } => goals.extend(goals_in(body)),
            _ => {}
        }
    }
    goals
}

/// Whether an expression reads a variable that `set` changes.
pub(super) fn reads_mutable(expr: &Expr, variables: &[Variable]) -> bool {
    expr.any(&mut |part| matches!(part.kind, Kind::Var(var) if variables[var.0].is_mutable()))
}

/// A variable as an expression.
pub(super) fn name_of(var: VarId) -> Expr {
    Expr::new(Kind::Var(var), Span::default())
}

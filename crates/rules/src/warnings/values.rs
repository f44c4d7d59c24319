//! What variables are bound to.

use std::collections::BTreeMap;

use crate::program::{Expr, Statement, VarId};

/// Adds all that each variable is bound or set to by some statements, and in their rounds.
pub(super) fn add_values<'c>(
    statements: &'c [Statement],
    values: &mut BTreeMap<VarId, Vec<&'c Expr>>,
) {
    for statement in statements {
        match statement {
            Statement::Let { var, value } | Statement::Set { var, value } => {
                values.entry(*var).or_default().push(value);
            }
            Statement::Repeat { body, .. } => add_values(body, values),
            Statement::Choose { .. } => {}
        }
    }
}

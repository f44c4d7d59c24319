//! Which inputs are read.

use std::collections::HashSet;

use oddsmith_rules::program::{Expr, InputId, Kind, VarId};

use crate::hash::Map;
use crate::residual::Script;

/// The inputs that an expression reads itself.
pub(crate) fn inputs_of(expr: &Expr) -> Vec<InputId> {
    let mut inputs = Vec::new();
    expr.any(&mut |part| {
        if let Kind::Input(id) = part.kind {
            inputs.push(id);
        }
        false
    });
    inputs
}

/// The inputs that steps read, also by way of fixed values.
pub(crate) fn inputs_of_script(script: &Script, fixed: &Map<VarId, Expr>) -> Vec<InputId> {
    let mut reach = Reach::new(fixed);
    for step in &script.steps {
        step.for_each_expr(&mut |expr| reach.add(expr));
    }
    reach.inputs
}

/// The inputs that an expression reads, also by way of fixed values.
pub(crate) fn inputs_through(expr: &Expr, fixed: &Map<VarId, Expr>) -> Vec<InputId> {
    let mut reach = Reach::new(fixed);
    reach.add(expr);
    reach.inputs
}

/// Inputs met on the way through fixed values, each of which is looked into once.
struct Reach<'f> {
    fixed: &'f Map<VarId, Expr>,
    seen: HashSet<VarId>,
    inputs: Vec<InputId>,
}

impl<'f> Reach<'f> {
    fn new(fixed: &'f Map<VarId, Expr>) -> Self {
        Self {
            fixed,
            seen: HashSet::new(),
            inputs: Vec::new(),
        }
    }

    fn add(&mut self, expr: &Expr) {
        let mut open = Vec::new();
        expr.any(&mut |part| {
            match part.kind {
                Kind::Input(id) if !self.inputs.contains(&id) => self.inputs.push(id),
                Kind::Var(var) if self.seen.insert(var) => open.extend(self.fixed.get(&var)),
                _ => {}
            }
            false
        });
        open.into_iter().for_each(|definition| self.add(definition));
    }
}

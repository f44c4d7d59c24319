//! From statements to steps, with what is live after each.

use std::cell::OnceCell;

use oddsmith_dist::Dist;
use oddsmith_rules::program::{Expr, Statement, VarId, Variable, bound_in};

use super::names::collect_vars;
use super::readings::{DraftStep, bind_readings};
use super::script::{Script, Step};
use crate::hash::Map;

/// A block's statements as steps, and the value that it ends in.
#[derive(Clone, Debug)]
pub(crate) struct BlockScript {
    /// Variables bound outside that the block reads, ascending.
    pub(crate) before: Vec<VarId>,
    pub(crate) script: Script,
    pub(crate) value: Expr,
    /// What it comes to, once that is known of a block that reads nothing from outside and chooses nothing.
    pub(crate) played: OnceCell<Dist>,
}

impl BlockScript {
    /// Prepares a block; the variables of joint readings are added to `variables`.
    pub(crate) fn new(
        statements: &[Statement],
        value: &Expr,
        is_pool: bool,
        variables: &mut Vec<Variable>,
        fixed: &Map<VarId, Expr>,
    ) -> Self {
        // The value stands as a last statement while pools look for their readings, and is taken off again.
        let result = VarId(variables.len());
        variables.push(match is_pool {
            true => Variable::pool("result", value.span),
            false => Variable::rolled("result", value.span),
        });
        let mut statements = statements.to_vec();
        statements.push(Statement::Let {
            var: result,
            value: value.clone(),
        });
        let (mut script, before) = script_of(statements, variables, fixed, &[result]);
        script.live.pop();
        let Some(Step::Let { value, .. } | Step::Roll { pool: value, .. }) = script.steps.pop()
        else {
            unreachable!("the last statement binds the result")
        };
        Self {
            before,
            script,
            value,
            played: OnceCell::new(),
        }
    }

    /// Whether it is the same whatever is bound around it.
    pub(crate) fn stands_alone(&self) -> bool {
        self.before.is_empty() && self.script.goals().is_empty() && !self.script.has_open_choice()
    }
}

/// Turns statements into steps; `needed` are the variables that matter at the end. Also the variables that
/// matter at the beginning.
pub(super) fn script_of(
    statements: Vec<Statement>,
    variables: &mut Vec<Variable>,
    fixed: &Map<VarId, Expr>,
    needed: &[VarId],
) -> (Script, Vec<VarId>) {
    let statements = bind_readings(statements, variables);
    let mut steps = Vec::with_capacity(statements.len());
    let mut live_after: Vec<Vec<VarId>> = Vec::with_capacity(statements.len());
    let mut live: Vec<VarId> = needed.to_vec();
    for draft in statements.into_iter().rev() {
        live.sort_unstable();
        live_after.push(live.clone());
        let step = match draft {
            DraftStep::Done(step) => step,
            DraftStep::Statement(Statement::Set { var, value }) if variables[var.0].is_pool() => {
                Step::Roll { var, pool: value }
            }
            DraftStep::Statement(Statement::Set { var, value }) => Step::Set { var, value },
            DraftStep::Statement(Statement::Let { var, value }) => Step::Let { var, value },
            DraftStep::Statement(Statement::Choose {
                party,
                var,
                options,
                condition,
                goal,
                span,
            }) => Step::Choose {
                party,
                var,
                options,
                condition,
                goal,
                span,
            },
            DraftStep::Statement(Statement::Repeat { .. }) => {
                unreachable!("a loop is its own draft")
            }
            DraftStep::Loop {
                count,
                until,
                body,
                played,
            } => {
                let mut head = live.clone();
                for statement in &body {
                    statement.for_each_part(&mut |part| collect_vars(part, fixed, &mut head));
                }
                until
                    .iter()
                    .for_each(|condition| collect_vars(condition, fixed, &mut head));
                let bound = bound_in(&body);
                head.retain(|var| !bound.contains(var));
                head.sort_unstable();
                let shown: Vec<VarId> = live
                    .iter()
                    .filter(|var| bound.contains(var))
                    .copied()
                    .collect();
                let left: Vec<VarId> = head.iter().chain(&shown).copied().collect();
                let (body, _) = script_of(body, variables, fixed, &left);
                Step::Repeat {
                    count,
                    until,
                    body,
                    head,
                    shown,
                    played,
                }
            }
        };
        step.update_live(fixed, &mut live);
        steps.push(step);
    }
    steps.reverse();
    live_after.reverse();
    live.sort_unstable();
    let script = Script {
        steps,
        live: live_after,
    };
    (script, live)
}

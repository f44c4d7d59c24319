//! What is left of a script: steps, with what is live after each.

use std::sync::Arc;

use oddsmith_rules::program::{Expr, Options, Party, VarId, Variable};
use oddsmith_rules::{Check, Span};

use super::names::collect_vars;
use crate::hash::Map;

/// A script without what is known, and the expressions that hold the wanted results at its end.
#[derive(Clone, Debug)]
pub(crate) struct Residual {
    pub(crate) variables: Vec<Variable>,
    pub(crate) script: Script,
    /// One per wanted variable: a number, a variable, or a fixed expression.
    pub(crate) results: Vec<Expr>,
    /// Values of fixed variables that are still bound by statements.
    pub(crate) fixed: Map<VarId, Expr>,
    /// Whether its steps are to be carried out in the order in which the ruleset has them, so that the first failure is found.
    pub(crate) in_order: bool,
}

impl Residual {
    /// No script: for conditions on inputs.
    pub(crate) fn without_script(check: &Check) -> Self {
        Self {
            variables: check.program().variables().to_vec(),
            script: Script::default(),
            results: Vec::new(),
            fixed: Map::default(),
            in_order: true,
        }
    }
}

/// Steps, and which rolled variables are still needed after each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Script {
    pub(crate) steps: Vec<Step>,
    /// `live[i]`: variables whose values matter after step `i`, ascending.
    pub(crate) live: Vec<Vec<VarId>>,
}

impl Script {
    /// The first step that chooses for a goal which this script binds, if there is one.
    pub(crate) fn first_choice(&self) -> Option<usize> {
        let goals = self.goals();
        let chooses = |step: &Step| {
            let mut found = Vec::new();
            step.collect_goals(&mut found);
            found.iter().any(|goal| goals.contains(goal))
        };
        if goals.is_empty() {
            None
        } else {
            self.steps.iter().position(chooses)
        }
    }

    /// Whether it chooses for a goal that it does not bind.
    pub(crate) fn has_open_choice(&self) -> bool {
        let mut goals = Vec::new();
        self.steps
            .iter()
            .for_each(|step| step.collect_goals(&mut goals));
        goals.len() > self.goals().len()
    }

    /// The goals of choices in this script that it binds itself.
    pub(crate) fn goals(&self) -> Vec<VarId> {
        let mut goals = Vec::new();
        self.steps
            .iter()
            .for_each(|step| step.collect_goals(&mut goals));
        let binds = |goal: &VarId| {
            self.steps
                .iter()
                .any(|step| matches!(step, Step::Let { var, .. } if var == goal))
        };
        goals.retain(binds);
        goals
    }

    /// The readings of pools that its steps make, by the variables that hold them.
    pub(crate) fn collect_readings(&self, out: &mut Map<VarId, Expr>) {
        for step in &self.steps {
            match step {
                Step::Read { readings, .. } => out.extend(readings.iter().cloned()),
                Step::Repeat { body, .. } => body.collect_readings(out),
                _ => {}
            }
        }
    }

    /// What it comes to for these variables alone, without what nothing reads then.
    pub(crate) fn narrowed(&self, needed: &[VarId], fixed: &Map<VarId, Expr>) -> Self {
        let mut live = needed.to_vec();
        let mut narrowed = Self::default();
        for step in self.steps.iter().rev() {
            if step.is_read(&live) {
                live.sort_unstable();
                narrowed.live.push(live.clone());
                step.update_live(fixed, &mut live);
                narrowed.steps.push(step.clone());
            }
        }
        narrowed.steps.reverse();
        narrowed.live.reverse();
        narrowed
    }

    /// The variables of the states at the end, if those of the states at the beginning are `before`.
    pub(crate) fn final_vars<'s>(&'s self, before: &'s [VarId]) -> &'s [VarId] {
        self.live.last().map_or(before, Vec::as_slice)
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// Rolls a number.
    Let { var: VarId, value: Expr },
    /// Rolls a pool once and reads it in several ways, or rolls two and compares them with each other: readings
    /// name the pools by their variables.
    Read {
        pools: Vec<(VarId, Expr)>,
        readings: Vec<(VarId, Expr)>,
    },
    /// Rolls a pool whose faces themselves are needed later.
    Roll { var: VarId, pool: Expr },
    /// Gives a variable a new value.
    Set { var: VarId, value: Expr },
    /// Takes the best option of whose choice it is, for what the step that binds `goal` gives.
    Choose {
        party: Party,
        var: VarId,
        options: Options,
        condition: Option<Expr>,
        goal: VarId,
        span: Span,
    },
    /// Up to `count` rounds (or as many as it takes), stopping before one in which `until` holds.
    Repeat {
        count: Option<Expr>,
        until: Option<Expr>,
        body: Script,
        /// What matters before and after a round.
        head: Vec<VarId>,
        /// What a round binds that matters at the end: what a track's first round shows.
        shown: Vec<VarId>,
        /// The name of the track that is played here, if these are not the script's own rounds.
        played: Option<Arc<str>>,
    },
}

impl Step {
    /// What the choices of a step strive for.
    fn collect_goals(&self, out: &mut Vec<VarId>) {
        match self {
            Self::Choose { goal, .. } if !out.contains(goal) => out.push(*goal),
            Self::Repeat { body, .. } => body.steps.iter().for_each(|step| step.collect_goals(out)),
            _ => {}
        }
    }
}

impl Step {
    /// Calls `visit` with each expression of the step.
    pub(crate) fn for_each_expr<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Self::Let { value, .. } | Self::Set { value, .. } => visit(value),
            Self::Roll { pool, .. } => visit(pool),
            Self::Read { pools, readings } => {
                let bound = pools.iter().chain(readings);
                bound.for_each(|(_, expr)| visit(expr));
            }
            Self::Choose {
                options, condition, ..
            } => options.parts().chain(condition).for_each(visit),
            Self::Repeat {
                count, until, body, ..
            } => {
                count.iter().chain(until).for_each(&mut *visit);
                body.steps.iter().for_each(|step| step.for_each_expr(visit));
            }
        }
    }

    /// Whether it binds something that matters after it; loops and choices may matter in other ways.
    fn is_read(&self, live: &[VarId]) -> bool {
        match self {
            Self::Let { var, .. } | Self::Set { var, .. } | Self::Roll { var, .. } => {
                live.contains(var)
            }
            Self::Read { readings, .. } => readings.iter().any(|(var, _)| live.contains(var)),
            Self::Choose { .. } | Self::Repeat { .. } => true,
        }
    }

    /// From the variables that matter after the step to those that matter before it.
    pub(super) fn update_live(&self, fixed: &Map<VarId, Expr>, live: &mut Vec<VarId>) {
        let read = |expr: &Expr, live: &mut Vec<VarId>| collect_vars(expr, fixed, live);
        match self {
            Self::Let { var, value } | Self::Set { var, value } => {
                live.retain(|other| other != var);
                read(value, live);
            }
            Self::Roll { var, pool } => {
                live.retain(|other| other != var);
                read(pool, live);
            }
            Self::Read { pools, readings } => {
                for bound in [readings, pools] {
                    live.retain(|other| bound.iter().all(|(var, _)| var != other));
                    bound.iter().for_each(|(_, expr)| read(expr, live));
                }
            }
            Self::Choose {
                var,
                options,
                condition,
                ..
            } => {
                options
                    .parts()
                    .chain(condition)
                    .for_each(|part| read(part, live));
                live.retain(|other| other != var);
            }
            Self::Repeat { head, shown, .. } => {
                live.retain(|other| !shown.contains(other));
                for var in head {
                    if !live.contains(var) {
                        live.push(*var);
                    }
                }
            }
        }
    }
}

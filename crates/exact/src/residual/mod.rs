//! What is left of a script once everything known has been put in.
//!
//! Known inputs become numbers, branches that can't be taken go, bindings that nothing reads go, a roll that
//! is read once moves to where it is read (so that sums become convolutions), and a pool that is read in
//! several ways is bound to the joint result of those readings.

mod choices;
mod fold;
mod inline;
mod prune;
mod reach;
mod readings;
mod steps;

use oddsmith_rules::program::{Expr, InputId, Kind, Options, Program, Statement, VarId, Variable};
use oddsmith_rules::{Check, Config, Span};

use crate::hash::Map;
use choices::{one_round, variables_that_choose};
use fold::Folder;
use inline::{inline_single_reads, outline_subjects};
pub(crate) use prune::collect_vars;
use prune::{remove_unread, take_fixed};
use reach::Reach;
pub(crate) use steps::BlockScript;
use steps::script_of;

/// A script without what is known, and the expressions that hold the wanted results at its end.
#[derive(Clone, Debug)]
pub(crate) struct Residual {
    pub(crate) variables: Vec<Variable>,
    pub(crate) script: Script,
    /// One per wanted variable: a number, a variable, or a fixed expression.
    pub(crate) results: Vec<Expr>,
    /// Values of fixed variables that are still bound by statements.
    pub(crate) fixed: Map<VarId, Expr>,
}

impl Residual {
    /// No script: for conditions on inputs.
    pub(crate) fn without_script(check: &Check) -> Self {
        Self {
            variables: check.program.variables.clone(),
            script: Script::default(),
            results: Vec::new(),
            fixed: Map::default(),
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
    /// Takes the best option for what the step that binds `goal` gives.
    Choose {
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

/// What a residual script is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be run from beginning to end: what is rolled and looked at in one place stays one expression.
    Run,
    /// To be cut in two where something is looked at.
    Cut,
}

/// Specialises a script to the inputs that `known` gives, keeping what `wanted` needs.
pub(crate) fn specialise(
    program: &Program,
    known: &dyn Fn(InputId) -> Option<i64>,
    wanted: &[VarId],
    purpose: Purpose,
) -> Residual {
    let reach = Reach::of(program, known, wanted);
    let mut folder = Folder::new(program, &reach, wanted);
    let mut statements = Vec::new();
    folder.statements(&program.statements, &mut statements);
    let results: Vec<Expr> = wanted.iter().map(|var| folder.result(*var)).collect();
    let mut variables = program.variables.clone();
    let fixed = take_fixed(&mut statements, &variables);
    remove_unread(&mut statements, &results, &fixed);
    inline_single_reads(&mut statements, &results, &variables);
    if purpose == Purpose::Cut {
        outline_subjects(&mut statements, &mut variables);
    }
    let mut needed: Vec<VarId> = Vec::new();
    results
        .iter()
        .for_each(|result| collect_vars(result, &fixed, &mut needed));
    let (script, _) = script_of(statements, &mut variables, &fixed, &needed);
    Residual {
        variables,
        script,
        results,
        fixed,
    }
}

/// A script with the inputs that `known` gives put in and without what `wanted` does not need: shorter, to be specialised
/// again and again once all inputs are known.
pub(crate) fn narrowed(
    program: &Program,
    known: &dyn Fn(InputId) -> Option<i64>,
    wanted: &[VarId],
) -> Program {
    let reach = Reach::of(program, known, wanted);
    let mut folder = Folder::new(program, &reach, wanted);
    let mut statements = Vec::new();
    folder.statements(&program.statements, &mut statements);
    for var in wanted {
        let value = folder.result(*var);
        // What came to be another name for something is bound again.
        if !matches!(value.kind, Kind::Var(own) if own == *var) {
            statements.push(Statement::Let { var: *var, value });
        }
    }
    let results: Vec<Expr> = wanted.iter().copied().map(name_of).collect();
    remove_unread(&mut statements, &results, &Map::default());
    Program {
        variables: program.variables.clone(),
        statements,
    }
}

/// Specialises `check`'s script to what its choices need: those on which something depends that is shown, what
/// they know, and what they strive for. Nothing is left of a script in which there are none.
pub(crate) fn specialise_choices(
    check: &Check,
    known: &dyn Fn(InputId) -> Option<i64>,
) -> Residual {
    let shown: Vec<VarId> = check.outcomes.iter().map(|outcome| outcome.var).collect();
    let reach = Reach::all(&check.program, known);
    let mut folder = Folder::new(&check.program, &reach, &shown);
    let mut statements = Vec::new();
    folder.statements(&check.program.statements, &mut statements);
    let results: Vec<Expr> = shown.iter().map(|var| folder.result(*var)).collect();
    let mut variables = check.program.variables.clone();
    let fixed = take_fixed(&mut statements, &variables);
    remove_unread(&mut statements, &results, &fixed);
    // What chooses is kept for its own sake and where it stands; what it comes to is not wanted.
    let kept = variables_that_choose(&statements);
    if let Some(round) = one_round(&statements, &kept, &fixed) {
        statements = round;
    }
    remove_unread(&mut statements, &kept, &fixed);
    inline_single_reads(&mut statements, &kept, &variables);
    let (script, _) = script_of(statements, &mut variables, &fixed, &[]);
    Residual {
        variables,
        script,
        results: Vec::new(),
        fixed,
    }
}

/// Specialises `check`'s script to what binds the variables `unsure` and what that needs: each statement stands where the
/// script has it, so that carrying it out fails if and only if the script does.
pub(crate) fn specialise_unsure(
    check: &Check,
    known: &dyn Fn(InputId) -> Option<i64>,
    unsure: &[VarId],
) -> Residual {
    let reach = Reach::all(&check.program, known);
    let mut folder = Folder::strict(&check.program, &reach, unsure);
    let mut statements = Vec::new();
    folder.statements(&check.program.statements, &mut statements);
    let mut variables = check.program.variables.clone();
    let numbers = unsure.iter().filter(|var| !variables[var.0].is_pool);
    let mut kept: Vec<VarId> = numbers.copied().collect();
    for span in folder.sizes() {
        kept.push(VarId(variables.len()));
        variables.push(Variable::rolled("size", span));
    }
    let kept: Vec<Expr> = kept.into_iter().map(name_of).collect();
    // Fixed bindings have their place in the order of things here, too.
    let fixed = Map::default();
    remove_unread(&mut statements, &kept, &fixed);
    let (script, _) = script_of(statements, &mut variables, &fixed, &[]);
    Residual {
        variables,
        script,
        results: Vec::new(),
        fixed,
    }
}

/// A variable as an expression.
fn name_of(var: VarId) -> Expr {
    Expr {
        kind: Kind::Var(var),
        span: Span::default(),
        fixed: false,
    }
}

/// Every input at its configured value.
pub(crate) fn all_known(config: &Config) -> impl Fn(InputId) -> Option<i64> {
    |id| config.0.get(id.0).copied()
}

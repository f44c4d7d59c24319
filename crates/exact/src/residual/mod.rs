//! What is left of a script once everything known has been put in.
//!
//! Known inputs become numbers, branches that can't be taken go, bindings that nothing reads go, a roll that
//! is read once moves to where it is read (so that sums become convolutions), and a pool that is read in
//! several ways is bound to the joint result of those readings.

mod choices;
mod enclose;
mod fold;
mod inline;
mod names;
mod prune;
mod reach;
mod readings;
mod script;
mod steps;

use oddsmith_rules::program::{Expr, InputId, Kind, Program, Statement, VarId, Variable};
use oddsmith_rules::{Check, Config};

use crate::hash::Map;
use choices::{one_round, variables_that_choose};
use enclose::enclose_independent;
use fold::Folder;
use inline::{inline_single_reads, outline_subjects};
pub(crate) use names::collect_vars;
use names::name_of;
use prune::{remove_unread, take_fixed};
use reach::Reach;
pub(crate) use script::{Residual, Script, Step};
pub(crate) use steps::BlockScript;
use steps::script_of;

/// What a residual script is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be run from beginning to end: what is rolled and looked at in one place stays one expression.
    Run,
    /// To be cut in two where something is looked at.
    Cut,
}

/// Specialises a script to the inputs that `value_of` gives, keeping what `wanted` needs.
pub(crate) fn specialise(
    program: &Program,
    value_of: &dyn Fn(InputId) -> Option<i64>,
    wanted: &[VarId],
    purpose: Purpose,
) -> Residual {
    let reach = Reach::of(program, value_of, wanted);
    let mut folder = Folder::new(program, &reach, wanted);
    let mut statements = Vec::new();
    folder.statements(program.statements(), &mut statements);
    let results: Vec<Expr> = wanted.iter().map(|var| folder.result(*var)).collect();
    let mut variables = program.variables().to_vec();
    let fixed = take_fixed(&mut statements, &variables);
    remove_unread(&mut statements, &results, &fixed);
    enclose_independent(&mut statements, &results, &variables, &fixed);
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
        in_order: false,
    }
}

/// A script with the inputs that `value_of` gives put in and without what `wanted` does not need: shorter, to be specialised
/// again and again once all inputs are known.
pub(crate) fn narrowed(
    program: &Program,
    value_of: &dyn Fn(InputId) -> Option<i64>,
    wanted: &[VarId],
) -> Program {
    let reach = Reach::of(program, value_of, wanted);
    let mut folder = Folder::new(program, &reach, wanted);
    let mut statements = Vec::new();
    folder.statements(program.statements(), &mut statements);
    for var in wanted {
        let value = folder.result(*var);
        // What came to be another name for something is bound again.
        if !matches!(value.kind, Kind::Var(own) if own == *var) {
            statements.push(Statement::Let { var: *var, value });
        }
    }
    let results: Vec<Expr> = wanted.iter().copied().map(name_of).collect();
    remove_unread(&mut statements, &results, &Map::default());
    program.with_derived(statements)
}

/// Specialises `check`'s script to what its choices need: those on which something depends that is shown, what
/// they know, and what they strive for. Nothing is left of a script in which there are none.
pub(crate) fn specialise_choices(
    check: &Check,
    value_of: &dyn Fn(InputId) -> Option<i64>,
) -> Residual {
    let shown = check.outcomes.iter().map(|outcome| outcome.var);
    // What reads nothing of the rounds may still hang on whether they end.
    let shown: Vec<VarId> = shown.chain(check.rounds).collect();
    let reach = Reach::all(check.program(), value_of);
    let mut folder = Folder::new(check.program(), &reach, &shown);
    let mut statements = Vec::new();
    folder.statements(check.program().statements(), &mut statements);
    let results: Vec<Expr> = shown.iter().map(|var| folder.result(*var)).collect();
    let mut variables = check.program().variables().to_vec();
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
        in_order: false,
    }
}

/// Specialises `check`'s script to what binds the variables `unsure` and what that needs: each statement stands where the
/// script has it, so that carrying it out fails if and only if the script does.
pub(crate) fn specialise_unsure(
    check: &Check,
    value_of: &dyn Fn(InputId) -> Option<i64>,
    unsure: &[VarId],
) -> Residual {
    let reach = Reach::all(check.program(), value_of);
    let mut folder = Folder::strict(check.program(), &reach, unsure);
    let mut statements = Vec::new();
    folder.statements(check.program().statements(), &mut statements);
    let mut variables = check.program().variables().to_vec();
    let numbers = unsure.iter().filter(|var| !variables[var.0].is_pool());
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
        in_order: true,
    }
}

/// Every input at its configured value.
pub(crate) fn all_known(config: &Config) -> impl Fn(InputId) -> Option<i64> {
    |id| config.get(id)
}

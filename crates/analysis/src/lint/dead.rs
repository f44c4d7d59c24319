//! Levers and steps that change nothing.

use oddsmith_exact::{Error, inputs_that_matter};
use oddsmith_rules::program::{InputId, Kind};
use oddsmith_rules::{Check, Domain, LintRule, OutcomeKind, Query};

use crate::lint::finding::{Facts, Finding, Severity};
use crate::lint::grid::Grid;
use crate::lint::lever::whole_range;
use crate::lint::whole_space::WholeSpace;

/// The finding that an axis changes no odds. Odds are bands, flags, labels, and of every number the mean and, of a
/// check, the variance. An error if that is certain, for nothing that is shown reads it.
pub(crate) fn axis(grid: &Grid<'_>, whole: Option<&WholeSpace<'_>>) -> Finding {
    let severity = match is_unread(grid.check, grid.lever().input) {
        true => Severity::Error,
        false => Severity::Warning,
    };
    let mut finding = Finding::of(LintRule::DeadAxis, severity, grid, "", Facts::DeadAxis);
    finding.looked_at(whole);
    finding
}

/// Whether a contest compares something that an axis decides: then it need not change what is shown.
pub(crate) fn is_compared(check: &Check, axis: InputId) -> bool {
    let compared = check.contest.iter();
    let mut parts = compared.map(|compared| {
        compared
            .value
            .any(&mut |part| matches!(part.kind, Kind::Input(id) if id == axis))
    });
    parts.any(|is_read| is_read)
}

/// Whether no outcome can depend on an input, whatever all inputs are.
fn is_unread(check: &Check, input: InputId) -> bool {
    let numbers = check.outcomes.iter();
    let numbers = numbers.filter(|outcome| outcome.kind == OutcomeKind::Observable);
    let means = numbers.map(|outcome| check.query(&format!("mean({})", outcome.name), "<query>"));
    let Ok(means) = means.collect::<Result<Vec<Query>, _>>() else {
        return false;
    };
    let queries = [check.own_queries(), means].concat();
    let all: Vec<InputId> = (0..check.inputs.len()).map(InputId).collect();
    !inputs_that_matter(check, &check.defaults(), &queries, &all).contains(&input)
}

/// Steps of an axis that change nothing in any configuration, nor where `wakes` looks further, nor in the last place where
/// `whole` does. A warning if that is all there is, and else a note.
///
/// # Errors
/// Those of `wakes`.
pub(crate) fn steps<'a>(
    grid: &Grid<'_>,
    wakes: impl Fn([i64; 2]) -> Result<bool, Error>,
    whole: impl Fn() -> Option<WholeSpace<'a>>,
) -> Result<Option<Finding>, Error> {
    let input = &grid.check.inputs[grid.lever().input.0];
    let mut idle = idle_steps(grid);
    let values = &grid.lever().values;
    for (step, is_idle) in idle.iter_mut().enumerate().filter(|(_, is_idle)| **is_idle) {
        *is_idle = !wakes([values[step], values[step + 1]])?;
    }
    let whole = idle.contains(&true).then(whole).flatten();
    if let Some(whole) = &whole {
        let further = steps_seen(&whole.grid).into_iter();
        let both = idle.iter_mut().zip(further);
        both.for_each(|(is_idle, moves)| *is_idle &= moves != Some(true));
    }
    let runs = runs(&idle);
    if runs.is_empty() {
        return Ok(None);
    }
    let stretches = runs
        .iter()
        .map(|run| run.map(|place| input.domain.show(values[place])));
    let facts = Facts::DeadStep(stretches.collect());
    let severity = match whole.as_ref().is_some_and(WholeSpace::is_all) {
        true => Severity::Warning,
        false => Severity::Note,
    };
    let mut finding = Finding::of(LintRule::DeadStep, severity, grid, "", facts);
    let count = idle.iter().filter(|is_idle| **is_idle).count();
    finding.seen = [count as u64, idle.len() as u64];
    finding.looked_at(whole.as_ref());
    Ok(Some(finding))
}

/// For each step whether it changes nothing on any line; not so if the rules forbid it on all of them.
fn idle_steps(grid: &Grid<'_>) -> Vec<bool> {
    let steps = steps_seen(grid).into_iter();
    steps.map(|moves| moves == Some(false)).collect()
}

/// For each step whether it changes anything on some line; none if the rules forbid it on all of them.
fn steps_seen(grid: &Grid<'_>) -> Vec<Option<bool>> {
    let mut steps = vec![None; grid.lever().values.len() - 1];
    for line in grid.lines() {
        for (step, pair) in steps.iter_mut().zip(line.cells.windows(2)) {
            if let [Some(from), Some(to)] = pair {
                *step = Some(*step == Some(true) || from != to);
            }
        }
    }
    steps
}

/// The first and the last value of each stretch of such steps.
fn runs(idle: &[bool]) -> Vec<[usize; 2]> {
    let mut runs: Vec<[usize; 2]> = Vec::new();
    for (step, _) in idle.iter().enumerate().filter(|(_, is_idle)| **is_idle) {
        match runs.last_mut() {
            Some([_, last]) if *last == step => *last = step + 1,
            _ => runs.push([step, step + 1]),
        }
    }
    runs
}

/// So many values at least are alike where an axis changes nothing from one of them on.
const PLATEAU: usize = 3;

/// The value from which on an axis changes nothing by default; `domain` asks about all values, beside the defaults of
/// everything else. It does so elsewhere, or this is a dead step.
///
/// # Errors
/// Those of `domain`.
pub(crate) fn plateau<'a>(
    grid: &Grid<'a>,
    domain: impl FnOnce() -> Result<Grid<'a>, Error>,
    dead: Option<&Finding>,
) -> Result<Option<Finding>, Error> {
    let lever = grid.lever().input;
    let range = whole_range(grid.check, lever);
    let is_number = matches!(grid.check.inputs[lever.0].domain, Domain::Range(..));
    if !is_number || range.values.len() <= PLATEAU {
        return Ok(None);
    }
    // Beside nothing that is swept all values have been asked about.
    if grid.ranges() == [range] {
        return Ok(plateau_in(grid, grid, dead));
    }
    Ok(plateau_in(grid, &domain()?, dead))
}

/// The plateau of an axis, where `whole` has all of its values.
fn plateau_in(grid: &Grid<'_>, whole: &Grid<'_>, dead: Option<&Finding>) -> Option<Finding> {
    let input = &grid.check.inputs[grid.lever().input.0];
    let line = whole.lines().next()?;
    let cells: Vec<_> = line.present().collect();
    let last = cells.last()?;
    let same = cells
        .iter()
        .rev()
        .take_while(|(_, cell)| *cell == last.1)
        .count();
    let stretch = [cells[cells.len() - same].0, last.0];
    let first = whole.lever().values[stretch[0]];
    // What only begins where the ruleset sweeps no more is of no use in play anyway.
    let is_in_use = grid.lever().values.last().is_some_and(|last| first < *last);
    if same < PLATEAU || same == cells.len() || !is_in_use {
        return None;
    }
    let stretch = stretch.map(|place| input.domain.show(whole.lever().values[place]));
    let is_dead = dead.is_some_and(
        |dead| matches!(&dead.facts, Facts::DeadStep(runs) if runs.contains(&stretch)),
    );
    if is_dead {
        return None;
    }
    let facts = Facts::Plateau { stretch };
    let mut finding = Finding::of(LintRule::Plateau, Severity::Note, whole, "", facts);
    finding.seen = [same as u64 - 1, cells.len() as u64 - 1];
    Some(finding)
}

//! What is odd about a ruleset's odds: bands that are never reached, levers that change nothing, go back and forth, or
//! move odds by leaps; options that nobody should take; readings that matter.
//!
//! Each rule is a file, and a function of exact answers along a lever.

mod alike;
mod asymmetric;
mod cases;
mod cliff;
mod dead;
mod direction;
mod finding;
mod grid;
mod lever;
mod measure;
mod options;
mod reading;
mod unreachable;

use oddsmith_dist::{Budget, RBig};
use oddsmith_exact::Error;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, LintRule, Model, Role};
use rayon::prelude::*;

use crate::levers::is_read;
pub use finding::{Evidence, Facts, Finding, Pairing, Severity, Wins};
use grid::Grid;
use measure::Asked;
pub use measure::{Measure, MeasureKind};

/// From how much on a rule speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A step that moves a probability by more than this is a cliff.
    pub cliff: RBig,
    /// A reading that changes a probability by more than this, or a mean by more than this share of it, matters; so do
    /// opposite steps whose effects differ by more.
    pub change: RBig,
}

impl Default for Limits {
    /// 25 points, and 5.
    fn default() -> Self {
        let percent = |number: u8| RBig::from_parts(number.into(), 100_u8.into());
        Self {
            cliff: percent(25),
            change: percent(5),
        }
    }
}

/// All that was found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The most severe first, and of equals in the order of the file; accepted ones are among them.
    pub findings: Vec<Finding>,
    /// The acceptances that no finding meets, by their places in [`Model::acceptances`]. Of those that are about other
    /// checks than were looked at nothing is said.
    pub stale: Vec<usize>,
}

/// Looks at checks and tracks of a ruleset, with a budget of `steps` for each lever of each.
///
/// # Errors
/// The first error of the first check that has one, as for [`oddsmith_exact::answers`].
///
/// ```
/// use oddsmith_analysis::lint::{Limits, lint};
/// let text = r#"
/// name = "Demo"
/// [checks.check]
/// bands = ["Miss", "Hit"]
/// axes.stat = { default = 0, domain = "0..=9" }
/// rules = """
/// show band = if 1d6 <= 2 + stat then Hit else Miss
/// """
/// "#;
/// let model = oddsmith_rules::load("demo.toml", text.as_bytes()).unwrap();
/// let checks: Vec<_> = model.checks.iter().collect();
/// let report = lint(&model, &checks, &Limits::default(), 1_000_000_000).unwrap();
/// assert_eq!(report.findings[0].id, "dead-step/check/stat"); // From 4 on everything is a hit.
/// ```
pub fn lint(
    model: &Model,
    checks: &[&Check],
    limits: &Limits,
    steps: u64,
) -> Result<Report, Error> {
    let found = checks.par_iter();
    let found: Vec<Result<Vec<Finding>, Error>> = found
        .map(|check| of_check(model, check, limits, steps))
        .collect();
    let mut findings = Vec::new();
    for found in found {
        findings.extend(found?);
    }
    let stale = accept(model, checks, &mut findings);
    let mut findings = one_per_cause(findings);
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(Report { findings, stale })
}

/// What all rules say of a check.
fn of_check(
    model: &Model,
    check: &Check,
    limits: &Limits,
    steps: u64,
) -> Result<Vec<Finding>, Error> {
    let asked = Asked::of(check);
    if asked.queries.is_empty() {
        return Ok(Vec::new());
    }
    let of_lever = |&lever: &InputId| {
        if base(model, check, lever).is_some() {
            return inherited(check, &asked, lever, steps);
        }
        let grid = lever::grid(check, &asked, lever, steps)?;
        let findings = of_grid(&grid, &asked, limits, &Budget::new(steps))?;
        Ok((grid, findings))
    };
    let levers = lever::levers(check);
    let found: Vec<Result<(Grid<'_>, Vec<Finding>), Error>> =
        levers.par_iter().map(of_lever).collect();
    let found = found.into_iter().collect::<Result<Vec<_>, Error>>()?;
    let (grids, of_levers): (Vec<Grid<'_>>, Vec<Vec<Finding>>) = found.into_iter().unzip();
    let budget = &Budget::new(steps);
    let mut findings = unreachable::find(check, &grids, budget)?;
    findings.extend(alike::one_each(&grids, of_levers));
    if check.rounds.is_none() {
        let pairs = asymmetric::pairs(check, &asked, &limits.change, budget)?;
        findings.extend(pairs);
    }
    Ok(findings)
}

/// The earlier check or track where it is told what a lever does, if there is one. A check inherits from another one if
/// they have an axis in common, and then an axis of its own with the same name stands in the place of the inherited one;
/// a reading is told where it is first read.
fn base<'m>(model: &'m Model, check: &Check, lever: InputId) -> Option<&'m Check> {
    let input = &check.inputs[lever.0];
    let is_base = |other: &Check| {
        let axes = other.inputs.iter().filter(|input| input.role == Role::Axis);
        axes.clone()
            .any(|axis| check.inputs.iter().any(|own| own.span == axis.span))
    };
    let has_lever = |other: &Check| {
        let own = other.input(&input.name);
        own.is_some_and(|own| input.role == Role::Axis || is_read(other, own))
    };
    let all = model.checks.iter().chain(&model.tracks);
    let mut earlier = all.take_while(|other| other.name != check.name);
    earlier.find(|other| is_base(other) && has_lever(other))
}

/// What is said of an inherited lever: that it changes nothing here, if it is an axis. Of a track even that takes too
/// long to find out.
fn inherited<'a>(
    check: &'a Check,
    asked: &'a Asked,
    lever: InputId,
    steps: u64,
) -> Result<(Grid<'a>, Vec<Finding>), Error> {
    let whole = lever::whole(check, asked, lever, &Budget::new(steps))?;
    let is_axis = check.inputs[lever.0].role == Role::Axis;
    if !is_axis || check.rounds.is_some() || whole.is_live() {
        return Ok((whole, Vec::new()));
    }
    let grid = lever::grid(check, asked, lever, steps)?;
    let findings = match grid.is_live() {
        true => Vec::new(),
        false => vec![dead::axis(&grid)],
    };
    Ok((grid, findings))
}

/// What the rules say of a lever. Of a track, whose ends move by leaps with whatever moves its rounds, only a few are
/// asked.
fn of_grid(
    grid: &Grid<'_>,
    asked: &Asked,
    limits: &Limits,
    budget: &Budget,
) -> Result<Vec<Finding>, Error> {
    let (check, lever) = (grid.check, grid.lever().input);
    if check.inputs[lever.0].role == Role::Parameter {
        return Ok(reading::find(grid, &limits.change).into_iter().collect());
    }
    if !grid.is_live() {
        return Ok(vec![dead::axis(grid)]);
    }
    let mut findings = direction::find(grid);
    if check.rounds.is_some() {
        return Ok(findings);
    }
    let wakes = |step| lever::step_wakes(check, asked, (lever, step), budget);
    let dead = dead::steps(grid, wakes)?;
    let whole = lever::whole(check, asked, lever, budget)?;
    let plateau = dead::plateau(grid, &whole, dead.as_ref());
    findings.extend(dead.into_iter().chain(plateau));
    findings.extend(cliff::find(grid, &limits.cliff));
    findings.extend(options::find(grid));
    findings.extend(asymmetric::find(grid, &limits.change));
    Ok(findings)
}

/// Notes which findings are accepted; returns the acceptances that meet none.
fn accept(model: &Model, checks: &[&Check], findings: &mut [Finding]) -> Vec<usize> {
    let mut stale = Vec::new();
    for (at, acceptance) in model.acceptances.iter().enumerate() {
        let mut is_met = false;
        for finding in findings.iter_mut() {
            if acceptance.finding.matches(&finding.id) {
                finding.accepted.get_or_insert(at);
                is_met = true;
            }
        }
        // What holds for any check, or for the whole ruleset, may be met in one that was not looked at.
        let about = acceptance.finding.text.split('/').nth(1);
        let is_whole = checks.len() == model.checks.len() + model.tracks.len();
        let is_looked_at = checks
            .iter()
            .any(|check| Some(check.name.as_str()) == about)
            && acceptance.finding.rule != LintRule::Reading;
        if !is_met && (is_whole || is_looked_at) {
            stale.push(at);
        }
    }
    stale
}

/// Findings of several checks that have one cause, which is that they share a lever, as one: the first one.
fn one_per_cause(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let is_same = |known: &&mut Finding| {
            known.cause() == finding.cause()
                && known.accepted.is_some() == finding.accepted.is_some()
        };
        match kept.iter_mut().find(is_same) {
            Some(known) => known.also.push(finding.check),
            None => kept.push(finding),
        }
    }
    kept
}

//! Oddities of a ruleset's odds: bands that are never reached, levers that change nothing, go back and forth, or move
//! odds by leaps; options that nobody should take; readings that matter.
//!
//! Each rule is a file, and a function of exact answers along a lever.

mod asymmetric;
mod cases;
mod cliff;
mod dead;
mod direction;
mod finding;
mod grid;
mod lever;
mod measure;
mod merge_duplicates;
mod names;
mod opposed;
mod options;
mod reading;
mod unreachable;
mod whole_space;
mod wins;

use std::cmp::Reverse;
use std::ops::Range;

use oddsmith_dist::RBig;
use oddsmith_exact::Error;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, LintRule, Model, Role};
use rayon::prelude::*;

use crate::Questions;
use crate::levers::is_read;
pub use finding::{Evidence, Facts, Finding, Severity};
use grid::Grid;
use measure::Measures;
pub use measure::{Measure, MeasureKind};
use names::Slope;
use opposed::Pair;
use whole_space::Along;
pub use wins::{Pairing, Stretch, Wins};

/// The part of a question's steps, one in so many, that is for pairs of axes.
const PAIRS: u64 = 8;

/// Limits: from how much on a rule speaks.
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

/// A report: all findings about some checks.
#[derive(Clone, Debug)]
pub struct Report {
    /// The most severe first, of equals those that move odds the most, and then in the order of the file; accepted ones
    /// are among them.
    pub findings: Vec<Finding>,
    /// The acceptances that no finding meets, by their places in [`Model::acceptances`]. Of those that are about other
    /// checks than were looked at nothing is said.
    pub stale: Vec<usize>,
}

/// Looks at checks and tracks of a ruleset. Each lever of each is a question of the run: once that is used up the report
/// says too little. Who watches its budget can cancel the work.
///
/// # Errors
/// The first error of the first check that has one, as for [`oddsmith_exact::answers`].
///
/// ```
/// use oddsmith_analysis::Questions;
/// use oddsmith_analysis::lint::{Limits, lint};
/// use oddsmith_dist::Budget;
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
/// let run = Questions { budget: &Budget::new(1_000_000_000), limit: 100_000_000 };
/// let report = lint(&model, &checks, &Limits::default(), run).unwrap();
/// assert_eq!(report.findings[0].id, "dead-step/check/stat"); // From 4 on everything is a hit.
/// ```
pub fn lint(
    model: &Model,
    checks: &[&Check],
    limits: &Limits,
    run: Questions<'_>,
) -> Result<Report, Error> {
    let watch = run.budget.watch();
    watch.announce_items(checks.iter().map(|check| items(check)).sum());
    let found = checks.par_iter();
    let found: Vec<Result<Found<'_>, Error>> = found
        .map(|check| of_check(model, check, limits, run))
        .collect();
    let (mut findings, mut slopes) = (Vec::new(), Vec::new());
    for found in found {
        let found = found?;
        findings.extend(found.findings);
        slopes.extend(found.slopes);
    }
    findings.extend(names::find(&slopes));
    let stale = accept(model, checks, &mut findings);
    let mut findings = one_per_cause(findings);
    findings.sort_by_cached_key(|finding| Reverse((finding.severity, finding.size())));
    Ok(Report { findings, stale })
}

/// How many things of a check are looked at: every lever by itself, and then two of them together.
fn items(check: &Check) -> u64 {
    lever::levers(check).len() as u64 + 1
}

/// How many levers [`lint`] looks at.
pub fn levers(checks: &[&Check]) -> u64 {
    checks
        .iter()
        .map(|check| lever::levers(check).len() as u64)
        .sum()
}

/// Asks what [`lint`] asks of some of the levers, for the transcript of the run's budget; what it asks of two levers
/// together is asked with all of them. What has no answer is passed over: whoever looks at all of them meets it.
pub fn note(
    model: &Model,
    checks: &[&Check],
    limits: &Limits,
    (wanted, run): (Range<u64>, Questions<'_>),
) {
    let mut numbers = 0_u64..;
    let own = checks.iter().map(|check| {
        let levers = lever::levers(check).into_iter().zip(numbers.by_ref());
        let levers = levers.filter(|(_, number)| wanted.contains(number));
        let levers: Vec<InputId> = levers.map(|(lever, _)| lever).collect();
        (*check, levers)
    });
    let own: Vec<(&Check, Vec<InputId>)> = own.filter(|(_, own)| !own.is_empty()).collect();
    own.par_iter().for_each(|(check, levers)| {
        let asked = Measures::of(check, &run.share());
        if !asked.queries.is_empty() {
            levers.par_iter().for_each(|lever| {
                let _ = of_lever((model, check), &asked, *lever, (limits, run));
            });
        }
    });
}

/// The findings of a check, with what they are told from.
#[derive(Default)]
struct Found<'a> {
    findings: Vec<Finding>,
    /// The axes that move bands one way only.
    slopes: Vec<Slope<'a>>,
}

/// The findings of all rules about a check.
fn of_check<'a>(
    model: &Model,
    check: &'a Check,
    limits: &Limits,
    run: Questions<'_>,
) -> Result<Found<'a>, Error> {
    let asked = Measures::of(check, &run.share());
    let watch = run.budget.watch();
    if asked.queries.is_empty() {
        (0..items(check)).for_each(|_| watch.complete_item());
        return Ok(Found::default());
    }
    let is_told = |lever: InputId| base(model, check, lever).is_none();
    let levers = lever::levers(check);
    let found: Vec<Result<(Grid<'_>, Vec<Finding>), Error>> = { levers.par_iter() }
        .map(|lever| {
            let found = of_lever((model, check), &asked, *lever, (limits, run));
            watch.complete_item();
            found
        })
        .collect();
    let found = found.into_iter().collect::<Result<Vec<_>, Error>>()?;
    let (grids, of_levers): (Vec<Grid<'_>>, Vec<Vec<Finding>>) = found.into_iter().unzip();
    let mut findings = unreachable::find(check, &asked, &grids, run)?;
    findings.extend(merge_duplicates::of_levers(&grids, of_levers));
    let pairs = Questions {
        limit: run.limit / PAIRS,
        ..run
    };
    if check.rounds.is_none() {
        for pair in Pair::all(check, &asked, is_told, &pairs.share())? {
            let asymmetric = asymmetric::opposed(&pair, &asked, &limits.change, &pairs.share());
            findings.extend(affordable(asymmetric)?);
            findings.extend(pair.finding());
        }
    }
    let role = |grid: &&Grid<'_>| check.inputs[grid.lever().input.0].role;
    let (readings, axes): (Vec<&Grid<'_>>, Vec<&Grid<'_>>) =
        grids.iter().partition(|grid| role(grid) == Role::Parameter);
    for reading in readings.iter().filter(|grid| is_told(grid.lever().input)) {
        let flips = reading::flips(reading, &axes, &asked, pairs)?;
        findings.extend(merge_duplicates::of_pairs(flips));
    }
    let slopes = axes.iter();
    let slopes = slopes.filter_map(|grid| Slope::of(check, grid, is_told(grid.lever().input)));
    watch.complete_item();
    Ok(Found {
        findings,
        slopes: slopes.collect(),
    })
}

/// A lever in its surroundings, and the findings of all rules about it alone.
fn of_lever<'a>(
    (model, check): (&Model, &'a Check),
    asked: &'a Measures,
    lever: InputId,
    (limits, run): (&Limits, Questions<'_>),
) -> Result<(Grid<'a>, Vec<Finding>), Error> {
    match base(model, check, lever) {
        None => told(check, asked, lever, (limits, run)),
        Some(_) => inherited(check, asked, lever, run),
    }
}

/// The findings about two levers, or nothing where that is over the budget: there are many pairs.
fn affordable<T: Default>(found: Result<T, Error>) -> Result<T, Error> {
    match found {
        Err(Error::OverBudget { .. }) => Ok(T::default()),
        found => found,
    }
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

/// The finding about an inherited lever: that it changes nothing here, if it is an axis. Of a track even that takes too
/// long to find out.
fn inherited<'a>(
    check: &'a Check,
    asked: &'a Measures,
    lever: InputId,
    run: Questions<'_>,
) -> Result<(Grid<'a>, Vec<Finding>), Error> {
    let whole = lever::whole(check, asked, lever, &run.share())?;
    let is_axis = check.inputs[lever.0].role == Role::Axis;
    if !is_axis || check.rounds.is_some() || whole.is_live() {
        return Ok((whole, Vec::new()));
    }
    let (grid, dead) = awake(check, asked, lever, run)?;
    Ok((grid, dead.into_iter().collect()))
}

/// A lever in surroundings in which it changes something; or that it is an axis and changes nothing, as far as there is
/// room to look.
fn awake<'a>(
    check: &'a Check,
    asked: &'a Measures,
    lever: InputId,
    run: Questions<'_>,
) -> Result<(Grid<'a>, Option<Finding>), Error> {
    let grid = lever::grid(check, asked, lever, run)?;
    let is_axis = check.inputs[lever.0].role == Role::Axis;
    if grid.is_live() || !is_axis || dead::is_compared(check, lever) {
        return Ok((grid, None));
    }
    let whole = match is_read(check, lever) {
        true => whole_space::look(check, asked, Along::Axis(lever), run),
        false => None,
    };
    match whole {
        Some(whole) if whole.grid.is_live() => Ok((whole.grid, None)),
        whole => {
            let dead = dead::axis(&grid, whole.as_ref());
            Ok((grid, Some(dead)))
        }
    }
}

/// The findings of the rules about a lever.
fn told<'a>(
    check: &'a Check,
    asked: &'a Measures,
    lever: InputId,
    (limits, run): (&Limits, Questions<'_>),
) -> Result<(Grid<'a>, Vec<Finding>), Error> {
    let (grid, dead) = awake(check, asked, lever, run)?;
    let findings = match (dead, check.inputs[lever.0].role) {
        (Some(dead), _) => vec![dead],
        (None, Role::Parameter) => reading::find(&grid, &limits.change).into_iter().collect(),
        (None, Role::Axis) if !grid.is_live() => Vec::new(),
        (None, Role::Axis) => of_axis(&grid, asked, limits, run)?,
    };
    Ok((grid, findings))
}

/// The findings of the rules about an axis that changes something. The ends of a track move by leaps with whatever
/// moves its rounds, so that of it nobody asks for cliffs.
fn of_axis(
    grid: &Grid<'_>,
    asked: &Measures,
    limits: &Limits,
    run: Questions<'_>,
) -> Result<Vec<Finding>, Error> {
    let (check, lever, own) = (grid.check, grid.lever().input, &run.share());
    let mut findings = direction::find(grid);
    let wakes = |step| lever::step_wakes(check, asked, (lever, step), own);
    let whole = || whole_space::look(check, asked, Along::Steps(grid.lever()), run);
    let dead = dead::steps(grid, wakes, whole)?;
    let domain = || lever::whole(check, asked, lever, own);
    let plateau = dead::plateau(grid, domain, dead.as_ref())?;
    findings.extend(dead.into_iter().chain(plateau));
    if check.rounds.is_none() {
        findings.extend(cliff::find(grid, &limits.cliff));
    }
    findings.extend(options::find(grid));
    findings.extend(asymmetric::find(grid, asked, &limits.change, own)?);
    Ok(findings)
}

/// Notes which findings are accepted; returns the acceptances that meet none.
fn accept(model: &Model, checks: &[&Check], findings: &mut [Finding]) -> Vec<usize> {
    let mut stale = Vec::new();
    let acceptances = model.acceptances.iter().enumerate();
    // What a file is warned of when it is read is accepted there.
    let of_lint = acceptances.filter(|(_, of)| of.finding.rule != LintRule::BestFirst);
    for (at, acceptance) in of_lint {
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

//! Levers that turn round: odds rise and fall along them, or rise here and fall there.

use oddsmith_dist::RBig;
use oddsmith_rules::{Domain, LintRule};

use crate::lint::cases::Cases;
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::{Grid, Line};
use crate::lint::measure::{Measure, MeasureKind};

/// What a line does.
struct Course {
    /// The sum of all rises, and of all falls.
    rise: RBig,
    fall: RBig,
}

/// For each outcome: lines along which it rises and falls; or, if there are none, lines along which it rises beside
/// others along which it falls. Means are looked at only where there is no probability: what a number is for is not
/// known, and bands and flags mostly tell the same.
pub(crate) fn find(grid: &Grid<'_>) -> Vec<Finding> {
    let input = &grid.check.inputs[grid.lever().input.0];
    if !matches!(input.domain, Domain::Range(..)) {
        return Vec::new();
    }
    let has_chances = grid.measures.iter().any(Measure::is_probability);
    let is_told = |measure: &&Measure| match has_chances {
        true => measure.is_probability(),
        false => measure.kind == MeasureKind::Mean,
    };
    let mut outcomes: Vec<&str> = Vec::new();
    for measure in grid.measures.iter().filter(is_told) {
        if !outcomes.contains(&measure.outcome()) {
            outcomes.push(measure.outcome());
        }
    }
    let findings = outcomes.into_iter();
    findings.filter_map(|outcome| of(grid, outcome)).collect()
}

/// What is to be said of an outcome.
fn of(grid: &Grid<'_>, outcome: &str) -> Option<Finding> {
    let measures = grid.measures.iter().enumerate();
    let measures: Vec<usize> = measures
        .filter(|(_, m)| m.outcome() == outcome && m.kind != MeasureKind::Variance)
        .map(|(at, _)| at)
        .collect();
    let severity = match grid.measures[measures[0]].is_probability() {
        true => Severity::Warning,
        false => Severity::Note,
    };
    let mut turning = Cases::default();
    let (mut rising, mut falling) = (Cases::default(), Cases::default());
    for line in grid.lines() {
        for &measure in &measures {
            let course = course(&line, measure);
            let smaller = course.rise.clone().min(course.fall.clone());
            let evidence = || evidence(&line, measure);
            match (course.rise > RBig::ZERO, course.fall > RBig::ZERO) {
                (true, true) => turning.take(smaller, &line, evidence),
                (true, false) => rising.take(course.rise, &line, evidence),
                (false, true) => falling.take(course.fall, &line, evidence),
                (false, false) => {}
            }
        }
    }
    let lines = turning.count() + rising.count() + falling.count();
    if turning.count() > 0 {
        let (rule, facts) = (LintRule::NonMonotone, Facts::NonMonotone);
        let mut finding = Finding::of(rule, severity, grid, outcome, facts);
        finding.seen = [turning.count(), lines];
        finding.evidence = turning.kept();
        return Some(finding);
    }
    if rising.count() == 0 || falling.count() == 0 {
        return None;
    }
    let mut finding = Finding::of(LintRule::Sign, severity, grid, outcome, Facts::Sign);
    finding.seen = [falling.count(), lines];
    let both = [rising, falling].into_iter();
    finding.evidence = both
        .flat_map(|way| way.kept().into_iter().take(2))
        .collect();
    Some(finding)
}

fn course(line: &Line<'_>, measure: usize) -> Course {
    let mut course = Course {
        rise: RBig::ZERO,
        fall: RBig::ZERO,
    };
    for pair in line.numbers(measure).windows(2) {
        let (from, to) = (pair[0].1, pair[1].1);
        match to > from {
            true => course.rise += to - from,
            false => course.fall += from - to,
        }
    }
    course
}

/// The numbers of a line, without those between which nothing turns.
fn evidence(line: &Line<'_>, measure: usize) -> Evidence {
    let numbers = line.numbers(measure);
    let is_told = |at: usize| {
        let is_end = at == 0 || at + 1 == numbers.len();
        is_end || {
            let [before, own, after] = [at - 1, at, at + 1].map(|at| numbers[at].1);
            (before < own) != (own < after) || (before > own) != (own > after)
        }
    };
    let told = (0..numbers.len()).filter(|&at| is_told(at));
    let told: Vec<(usize, &RBig)> = told.map(|at| numbers[at]).collect();
    Evidence {
        configuration: line.name(),
        measure: line.grid.measures[measure].clone(),
        stands: line.stands(&told),
    }
}

//! Levers that turn round: odds rise and fall along them, or rise here and fall there.

use std::cmp::Ordering;

use oddsmith_dist::RBig;
use oddsmith_rules::{Domain, LintRule};

use crate::lint::cases::Cases;
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::{Grid, Line};
use crate::lint::measure::{Measure, MeasureKind};

/// The course of a line: how far it rises and falls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    /// The sum of all rises, and of all falls.
    pub(crate) rise: RBig,
    pub(crate) fall: RBig,
}

impl Course {
    /// The course along some numbers.
    pub(crate) fn of<'n>(numbers: impl Iterator<Item = &'n RBig>) -> Self {
        let mut course = Self::default();
        let mut before: Option<&RBig> = None;
        for to in numbers {
            if let Some(from) = before.replace(to) {
                match to > from {
                    true => course.rise += to - from,
                    false => course.fall += from - to,
                }
            }
        }
        course
    }

    /// Whether it only rises (greater) or only falls (less); none if it does neither or both.
    pub(crate) fn way(&self) -> Option<Ordering> {
        match (self.rise > RBig::ZERO, self.fall > RBig::ZERO) {
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            _ => None,
        }
    }
}

/// For each outcome: lines along which it rises and falls; or, if there are none, lines along which it rises beside
/// others along which it falls. Means are looked at only where there is neither a band nor a flag: what a number is for is
/// not known, and these mostly tell the same.
pub(crate) fn find(grid: &Grid<'_>) -> Vec<Finding> {
    let input = &grid.check.inputs[grid.lever().input.0];
    if !matches!(input.domain, Domain::Range(..)) {
        return Vec::new();
    }
    let has_chances = grid.measures.iter().any(Measure::is_outcome);
    let is_told = |measure: &&Measure| match has_chances {
        true => measure.is_outcome(),
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

/// The finding about an outcome, if there is one.
fn of(grid: &Grid<'_>, outcome: &str) -> Option<Finding> {
    let measures = grid.measures.iter().enumerate();
    let measures: Vec<usize> = measures
        .filter(|(_, own)| own.outcome() == outcome)
        .filter(|(_, own)| own.is_outcome() || own.kind == MeasureKind::Mean)
        .map(|(at, _)| at)
        .collect();
    let severity = match grid.measures[measures[0]].is_outcome() {
        true => Severity::Warning,
        false => Severity::Note,
    };
    let mut turning = Cases::default();
    let (mut rising, mut falling) = (Cases::default(), Cases::default());
    for line in grid.lines() {
        for &measure in &measures {
            let course = Course::of(line.numbers(measure).into_iter().map(|(_, number)| number));
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
    let measure = line.grid.measures[measure].clone();
    Evidence::of(line.name(), measure, line.stands(&told))
}

/// The way that an outcome goes along a lever that moves it one way only, wherever it moves it; with the line that
/// shows it best.
pub(crate) fn way(grid: &Grid<'_>, outcome: &str) -> Option<(Ordering, Evidence)> {
    let mut cases = [Cases::default(), Cases::default()];
    for line in grid.lines() {
        let measures = grid.measures.iter().enumerate();
        for (at, _) in measures.filter(|(_, own)| own.is_outcome() && own.outcome() == outcome) {
            let course = Course::of(line.numbers(at).into_iter().map(|(_, number)| number));
            let [rises, falls] = &mut cases;
            if course.rise > RBig::ZERO {
                rises.take(course.rise, &line, || evidence(&line, at));
            }
            if course.fall > RBig::ZERO {
                falls.take(course.fall, &line, || evidence(&line, at));
            }
        }
    }
    let [rises, falls] = cases;
    let (way, cases) = match (rises.count() > 0, falls.count() > 0) {
        (true, false) => (Ordering::Greater, rises),
        (false, true) => (Ordering::Less, falls),
        _ => return None,
    };
    cases.kept().into_iter().next().map(|case| (way, case))
}

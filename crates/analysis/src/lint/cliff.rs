//! Steps that move odds by much.

use oddsmith_dist::RBig;
use oddsmith_rules::{Domain, LintRule};

use crate::lint::cases::Cases;
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::{Grid, Line, size};

/// What is known of the steps along a lever, for one outcome.
#[derive(Default)]
struct Steps {
    all: u64,
    cliffs: Cases,
    /// Whether a cliff is where everything else has its default.
    is_by_default: bool,
}

/// For each outcome that is a probability the steps of one that move it by more than `most`. It is a warning where
/// everything else has its default, and a note if it takes more than that.
pub(crate) fn find(grid: &Grid<'_>, most: &RBig) -> Vec<Finding> {
    let input = &grid.check.inputs[grid.lever().input.0];
    if !matches!(input.domain, Domain::Range(..)) {
        return Vec::new();
    }
    let mut found: Vec<(&str, Steps)> = Vec::new();
    for (at, measure) in grid.measures.iter().enumerate() {
        if measure.is_probability() {
            let outcome = measure.outcome();
            if found.last().is_none_or(|(known, _)| *known != outcome) {
                found.push((outcome, Steps::default()));
            }
            let (_, steps) = found.last_mut().expect("one is there");
            grid.lines().for_each(|line| steps.take(&line, at, most));
        }
    }
    let found = found
        .into_iter()
        .filter(|(_, steps)| steps.cliffs.count() > 0);
    let findings = found.map(|(outcome, steps)| {
        let severity = match steps.is_by_default {
            true => Severity::Warning,
            false => Severity::Note,
        };
        let mut finding = Finding::of(LintRule::Cliff, severity, grid, outcome, Facts::Cliff);
        finding.seen = [steps.cliffs.count(), steps.all];
        finding.evidence = steps.cliffs.kept();
        finding
    });
    findings.collect()
}

impl Steps {
    fn take(&mut self, line: &Line<'_>, measure: usize, most: &RBig) {
        let grid = line.grid;
        for pair in line.numbers(measure).windows(2) {
            let [from, to] = [pair[0].0, pair[1].0].map(|at| grid.lever().values[at]);
            if to != from + 1 {
                continue;
            }
            self.all += 1;
            let by = size(&(pair[1].1 - pair[0].1));
            if by > *most {
                self.is_by_default |= line.distance() == 0;
                self.cliffs.take(by, line, || {
                    let measure = grid.measures[measure].clone();
                    Evidence::of(line.name(), measure, line.stands(pair))
                });
            }
        }
    }
}

//! Steps that move odds by much.

use std::cmp::Reverse;

use oddsmith_dist::RBig;
use oddsmith_rules::{Domain, LintRule};

use crate::lint::cases::Cases;
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::{Cell, Grid, Line, size};

/// The steps along a lever, as far as they are known for one outcome.
#[derive(Default)]
struct Steps {
    /// The measures of the outcome: of bands each one.
    measures: Vec<usize>,
    all: u64,
    cliffs: Cases,
    /// Whether a cliff is where everything else has its default.
    is_by_default: bool,
}

/// For each outcome that is a probability the steps of one that move it by more than `most`: of bands any one of them. It
/// is a warning where everything else has its default, and a note if it takes more than that.
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
            steps.measures.push(at);
        }
    }
    for (_, steps) in &mut found {
        grid.lines().for_each(|line| steps.take(&line, most));
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
    /// Counts the steps of a line; each shows the measure that it moves by the most, of equals the first.
    fn take(&mut self, line: &Line<'_>, most: &RBig) {
        let values = &line.grid.lever().values;
        let present: Vec<(usize, &Cell)> = line.present().collect();
        for ends in present.windows(2) {
            let [from, to] = [ends[0], ends[1]];
            if values[to.0] != values[from.0] + 1 {
                continue;
            }
            self.all += 1;
            let moved = self.measures.iter().filter_map(|&at| {
                let [from, to] = [from, to].map(|(_, cell)| cell[at].as_ref()?.finite());
                Some((size(&(to? - from?)), Reverse(at)))
            });
            let Some((by, Reverse(measure))) = moved.max().filter(|(by, _)| by > most) else {
                continue;
            };
            self.is_by_default |= line.distance() == 0;
            self.cliffs.take(by, line, || {
                let numbers = line.numbers(measure).into_iter();
                let ends = numbers.filter(|(place, _)| [from.0, to.0].contains(place));
                let stands = line.stands(&ends.collect::<Vec<_>>());
                Evidence::of(line.name(), line.grid.measures[measure].clone(), stands)
            });
        }
    }
}

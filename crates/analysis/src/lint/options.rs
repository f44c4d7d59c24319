//! Labels of an axis as options: which of them is better, and where.

use std::cmp::Ordering;

use oddsmith_dist::RBig;
use oddsmith_rules::{Domain, LintRule};

use crate::expect::Value;
use crate::grading::Grading;
use crate::lint::cases::Cases;
use crate::lint::finding::{Evidence, Facts, Finding, Pairing, Severity, Wins};
use crate::lint::grid::{Cell, Grid, Line};
use crate::lint::measure::MeasureKind;

/// How two labels stand to each other.
struct Pair {
    /// Their places; the first is the lower one.
    places: [usize; 2],
    wins: Wins,
    /// Whether another number differs between them, which may be a price.
    has_price: bool,
}

/// Labels that reach no band more often than another label does, anywhere; and labels that are each the better one
/// somewhere. Better is first-order stochastic dominance of bands. Three labels or more of which each is better than
/// the next are no options but a scale, about which there is nothing to say. Nor is there of labels that differ in
/// another number as well, which may be a price; and the default may be worse than all others: it stands for doing
/// nothing.
pub(crate) fn find(grid: &Grid<'_>) -> Vec<Finding> {
    let input = &grid.check.inputs[grid.lever().input.0];
    let has_labels = matches!(input.domain, Domain::Choice(_));
    let has_bands = grid.measures.iter().any(|m| m.kind == MeasureKind::AtLeast);
    if !has_labels || !has_bands {
        return Vec::new();
    }
    let labels = grid.lever().values.len();
    let places = (0..labels).flat_map(|a| (a + 1..labels).map(move |b| [a, b]));
    let pairs: Vec<Pair> = places.map(|places| Pair::of(grid, places)).collect();
    let is_chain = pairs.iter().all(|pair| !pair.wins.is_crossing());
    let mut findings = Vec::new();
    if !is_chain || labels == 2 {
        let dominated = (0..labels).filter_map(|label| dominated(grid, label, &pairs));
        findings.extend(dominated);
    }
    let crossing = pairs.iter().filter(|pair| pair.wins.is_crossing());
    let crossing: Vec<&Pair> = crossing.filter(|pair| !pair.has_price).collect();
    if !crossing.is_empty() {
        let pairings = crossing.iter().map(|pair| pair.pairing(grid));
        let facts = Facts::Crossing(pairings.collect());
        let mut finding = Finding::of(LintRule::Crossing, Severity::Note, grid, "", facts);
        finding.seen = [crossing.len() as u64, pairs.len() as u64];
        let best = crossing.iter().flat_map(|pair| pair.best(grid));
        finding.evidence = best.collect();
        findings.push(finding);
    }
    findings
}

/// The finding that a label is worse than another one, if there is one.
fn dominated(grid: &Grid<'_>, label: usize, pairs: &[Pair]) -> Option<Finding> {
    let input = &grid.check.inputs[grid.lever().input.0];
    let name = |place: usize| input.domain.show(grid.lever().values[place]);
    if grid.lever().values[label] == input.default {
        return None;
    }
    let worse_than = |pair: &&Pair| {
        let own = pair.places.iter().position(|place| *place == label);
        own.is_some_and(|own| {
            let Wins {
                better, neither, ..
            } = pair.wins;
            better[own] == 0 && neither == 0 && better[1 - own] > 0 && !pair.has_price
        })
    };
    let pair = pairs.iter().find(worse_than)?;
    let other = pair.places[usize::from(pair.places[0] == label)];
    let facts = Facts::Dominated {
        label: name(label),
        by: name(other),
    };
    let (rule, rest) = (LintRule::Dominated, name(label));
    let mut finding = Finding::of(rule, Severity::Warning, grid, &rest, facts);
    let wins = pair.wins;
    finding.seen = [wins.better[0] + wins.better[1], wins.total()];
    let mut worst = Cases::default();
    for line in grid.lines() {
        take_gap(&line, [other, label], &mut worst);
    }
    finding.evidence = worst.kept();
    Some(finding)
}

/// Keeps where the first label reaches a band or a better one more often than the second, by the most.
fn take_gap(line: &Line<'_>, [better, worse]: [usize; 2], worst: &mut Cases) {
    let mut most: Option<(RBig, usize)> = None;
    for at in bands(line.grid) {
        let numbers = line.numbers(at);
        let of = |place: usize| numbers.iter().find(|(known, _)| *known == place);
        if let (Some(better), Some(worse)) = (of(better), of(worse)) {
            let by = better.1 - worse.1;
            if by > RBig::ZERO && most.as_ref().is_none_or(|(known, _)| by > *known) {
                most = Some((by, at));
            }
        }
    }
    if let Some((by, at)) = most {
        worst.take(by, line, || {
            let numbers = line.numbers(at);
            let told = numbers
                .into_iter()
                .filter(|(place, _)| [better, worse].contains(place));
            let told: Vec<(usize, &RBig)> = told.collect();
            Evidence {
                configuration: line.name(),
                measure: line.grid.measures[at].clone(),
                stands: line.stands(&told),
            }
        });
    }
}

/// The measures of bands.
fn bands<'g>(grid: &'g Grid<'_>) -> impl Iterator<Item = usize> + use<'g> {
    let measures = grid.measures.iter().enumerate();
    let bands = measures.filter(|(_, measure)| measure.kind == MeasureKind::AtLeast);
    bands.map(|(at, _)| at)
}

impl Pair {
    fn of(grid: &Grid<'_>, places: [usize; 2]) -> Self {
        let mut wins = Wins::default();
        let mut has_price = false;
        // The number behind the bands says the same as they do.
        let score = Grading::of(grid.check).map(|grading| grading.number.name);
        for line in grid.lines() {
            let [Some(a), Some(b)] = places.map(|place| line.cells[place].as_ref()) else {
                continue;
            };
            wins.take(grid, a, b);
            has_price |= grid.measures.iter().enumerate().any(|(at, measure)| {
                let is_other =
                    measure.kind == MeasureKind::Mean && Some(&measure.name) != score.as_ref();
                is_other && a[at] != b[at]
            });
        }
        Self {
            places,
            wins,
            has_price,
        }
    }

    /// Where each of the two is better, by the axis that tells it best.
    fn pairing(&self, grid: &Grid<'_>) -> Pairing {
        let values = &grid.lever().values;
        let domain = &grid.check.inputs[grid.lever().input.0].domain;
        let splits = (0..grid.surroundings().len()).map(|axis| self.split(grid, axis));
        // Of equal ones the first.
        let telling = splits.reduce(|best, split| match told(&split) > told(&best) {
            true => split,
            false => best,
        });
        Pairing {
            labels: self.places.map(|place| domain.show(values[place])),
            wins: self.wins,
            split: telling.unwrap_or_default(),
        }
    }

    /// How often each is better for each value of an axis.
    fn split(&self, grid: &Grid<'_>, axis: usize) -> Vec<(String, Wins)> {
        let range = &grid.surroundings()[axis];
        let values = range.values.iter();
        let mut split: Vec<(String, Wins)> = values
            .map(|value| (grid.show(range.input, *value), Wins::default()))
            .collect();
        for line in grid.lines() {
            if let [Some(a), Some(b)] = self.places.map(|place| line.cells[place].as_ref()) {
                split[line.places()[axis]].1.take(grid, a, b);
            }
        }
        split
    }

    /// Where each of the two is better by the most.
    fn best(&self, grid: &Grid<'_>) -> Vec<Evidence> {
        let [a, b] = self.places;
        let ways = [[a, b], [b, a]].into_iter();
        let best = ways.flat_map(|way| {
            let mut worst = Cases::default();
            for line in grid.lines() {
                take_gap(&line, way, &mut worst);
            }
            worst.kept().into_iter().take(1)
        });
        best.collect()
    }
}

/// How many configurations an axis explains: those in which the better label is the one that mostly is.
fn told(split: &[(String, Wins)]) -> u64 {
    split
        .iter()
        .map(|(_, wins)| wins.better[0].max(wins.better[1]))
        .sum()
}

impl Wins {
    /// Counts a configuration.
    fn take(&mut self, grid: &Grid<'_>, a: &Cell, b: &Cell) {
        let (mut more, mut less) = (false, false);
        for at in bands(grid) {
            match order(a[at].as_ref(), b[at].as_ref()) {
                Ordering::Less => less = true,
                Ordering::Equal => {}
                Ordering::Greater => more = true,
            }
        }
        match (more, less) {
            (true, false) => self.better[0] += 1,
            (false, true) => self.better[1] += 1,
            (true, true) => self.neither += 1,
            (false, false) => self.equal += 1,
        }
    }

    /// Whether each is better somewhere, or both are in one configuration.
    fn is_crossing(self) -> bool {
        self.neither > 0 || self.better.iter().all(|count| *count > 0)
    }

    fn total(self) -> u64 {
        self.better[0] + self.better[1] + self.neither + self.equal
    }
}

fn order(a: Option<&Value>, b: Option<&Value>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.cmp(b),
        _ => Ordering::Equal,
    }
}

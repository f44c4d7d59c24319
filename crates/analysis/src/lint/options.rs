//! Labels of an axis as options: which of them is better, and where.

use std::cmp::Reverse;

use oddsmith_dist::RBig;
use oddsmith_rules::{Domain, LintRule};

use crate::grading::Grading;
use crate::lint::cases::Cases;
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::{Grid, Line};
use crate::lint::measure::MeasureKind;
use crate::lint::wins::{Case, Pairing, Verdict, Wins, grades, split};

/// How two labels stand to each other.
struct Pair {
    /// Their places; the first is the lower one.
    places: [usize; 2],
    wins: Wins,
    /// Every configuration.
    cases: Vec<Case>,
    /// Whether another number differs between them, which may be a price.
    has_price: bool,
}

/// Labels that reach no band more often than another label does, anywhere; and labels that are each the better one
/// somewhere. Better is first-order stochastic dominance of bands. Three labels or more of which each is better than
/// the next are no options but a scale, about which there is nothing to say. Nor is there of labels that differ in
/// another number as well, which may be a price. That the default is worse than another one is a note: it may stand for
/// doing nothing. Of a track without bands it is not known whether sooner is better, so that labels only cross.
pub(crate) fn find(grid: &Grid<'_>) -> Vec<Finding> {
    let input = &grid.check.inputs[grid.lever().input.0];
    let has_labels = matches!(input.domain, Domain::Choice(_));
    if !has_labels || grades(grid).next().is_none() {
        return Vec::new();
    }
    let labels = grid.lever().values.len();
    let places = (0..labels).flat_map(|a| (a + 1..labels).map(move |b| [a, b]));
    let pairs: Vec<Pair> = places.map(|places| Pair::of(grid, places)).collect();
    let is_chain = pairs.iter().all(|pair| pair.wins.is_ordered());
    let has_bands = grid.measures.iter().any(|m| m.kind == MeasureKind::AtLeast);
    let mut findings = Vec::new();
    if has_bands && (!is_chain || labels == 2) {
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
        let cases = crossing.iter().flat_map(|pair| pair.turn(grid));
        finding.evidence = cases.collect();
        findings.push(finding);
    }
    findings
}

/// The finding that a label is worse than another one, if there is one.
fn dominated(grid: &Grid<'_>, label: usize, pairs: &[Pair]) -> Option<Finding> {
    let input = &grid.check.inputs[grid.lever().input.0];
    let name = |place: usize| input.domain.show(grid.lever().values[place]);
    let severity = match grid.lever().values[label] == input.default {
        true => Severity::Note,
        false => Severity::Warning,
    };
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
    let mut finding = Finding::of(rule, severity, grid, &rest, facts);
    let wins = pair.wins;
    finding.seen = [wins.better[0] + wins.better[1], wins.total()];
    let mut worst = Cases::default();
    for line in grid.lines() {
        if let Some((by, measure)) = gap(&line, [other, label]) {
            worst.take(by, &line, || labels_at(&line, measure, [other, label]));
        }
    }
    finding.evidence = worst.kept();
    Some(finding)
}

/// The largest gap by which the first label reaches a band or a better one more often than the second, and which.
fn gap(line: &Line<'_>, [better, worse]: [usize; 2]) -> Option<(RBig, usize)> {
    let mut most: Option<(RBig, usize)> = None;
    for at in grades(line.grid) {
        let numbers = line.numbers(at);
        let of = |place: usize| numbers.iter().find(|(known, _)| *known == place);
        if let (Some(better), Some(worse)) = (of(better), of(worse)) {
            let by = better.1 - worse.1;
            if by > RBig::ZERO && most.as_ref().is_none_or(|(known, _)| by > *known) {
                most = Some((by, at));
            }
        }
    }
    most
}

/// The numbers of two labels.
fn labels_at(line: &Line<'_>, measure: usize, labels: [usize; 2]) -> Evidence {
    let told = line.numbers(measure).into_iter();
    let told: Vec<(usize, &RBig)> = told.filter(|(place, _)| labels.contains(place)).collect();
    let own = line.grid.measures[measure].clone();
    Evidence::of(line.name(), own, line.stands(&told))
}

impl Pair {
    fn of(grid: &Grid<'_>, places: [usize; 2]) -> Self {
        let (mut wins, mut cases) = (Wins::default(), Vec::new());
        let mut has_price = false;
        // The number behind the bands says the same as they do, and so does how long a track takes without bands.
        let has_bands = grid.measures.iter().any(|m| m.kind == MeasureKind::AtLeast);
        let score = match has_bands {
            true => Grading::of(grid.check).map(|grading| grading.number.name),
            false => grades(grid).next().map(|at| grid.measures[at].name.clone()),
        };
        for line in grid.lines() {
            let [Some(a), Some(b)] = places.map(|place| line.cells[place].as_ref()) else {
                continue;
            };
            let verdict = Verdict::of(grid, a, b);
            wins.take(verdict);
            cases.push((line.places(), verdict));
            has_price |= grid.measures.iter().enumerate().any(|(at, measure)| {
                let is_other =
                    measure.kind == MeasureKind::Mean && Some(&measure.name) != score.as_ref();
                is_other && a[at] != b[at]
            });
        }
        Self {
            places,
            wins,
            cases,
            has_price,
        }
    }

    /// The pairing of the two options: where each of them is better.
    fn pairing(&self, grid: &Grid<'_>) -> Pairing {
        let values = &grid.lever().values;
        let domain = &grid.check.inputs[grid.lever().input.0].domain;
        Pairing {
            labels: self.places.map(|place| domain.show(values[place])),
            wins: self.wins,
            split: split(grid, &self.cases.iter().collect::<Vec<_>>()),
        }
    }

    /// Two configurations, in each of which another label is better: those that are the fewest steps apart, mostly one step
    /// of one axis; of equals those nearest to the defaults, and then where the smaller lead is the largest.
    fn turn(&self, grid: &Grid<'_>) -> Vec<Evidence> {
        let lines: Vec<Line<'_>> = grid.lines().collect();
        let leads: Vec<Option<Lead>> = lines.iter().map(|line| self.lead(line)).collect();
        let spots: Vec<(Vec<usize>, usize)> = lines
            .iter()
            .map(|line| (line.places(), line.distance()))
            .collect();
        let of_label = |label: usize| {
            let own = leads.iter().enumerate();
            let own = own.filter_map(|(at, lead)| Some((at, lead.as_ref()?)));
            own.filter(move |(_, lead)| lead.label == label)
        };
        let pairs = of_label(0).flat_map(|one| of_label(1).map(move |two| [one, two]));
        let best = pairs.min_by_key(|[one, two]| {
            let [(from, near), (to, far)] = [one, two].map(|(at, _)| &spots[*at]);
            let steps = from.iter().zip(to).map(|(from, to)| from.abs_diff(*to));
            let lead = (&one.1.by).min(&two.1.by);
            (steps.sum::<usize>(), near + far, Reverse(lead))
        });
        let mut shown = best.map_or(Vec::new(), |ends| ends.map(|(at, _)| at).to_vec());
        shown.sort_unstable();
        let evidence = |at: usize| {
            let lead = leads[at].as_ref()?;
            Some(labels_at(&lines[at], lead.measure, self.places))
        };
        shown.into_iter().filter_map(evidence).collect()
    }

    /// The label that is the better one on a line.
    fn lead(&self, line: &Line<'_>) -> Option<Lead> {
        let [Some(a), Some(b)] = self.places.map(|place| line.cells[place].as_ref()) else {
            return None;
        };
        let Verdict::Better(label) = Verdict::of(line.grid, a, b) else {
            return None;
        };
        let way = [self.places[label], self.places[1 - label]];
        let (by, measure) = gap(line, way)?;
        Some(Lead { label, by, measure })
    }
}

/// The better one of two labels: by how much at most, and of which measure.
struct Lead {
    label: usize,
    by: RBig,
    measure: usize,
}

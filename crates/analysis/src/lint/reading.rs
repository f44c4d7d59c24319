//! Readings of ambiguous rules that change odds by much, or turn what an axis does.

use std::cmp::Ordering;

use oddsmith_dist::RBig;
use oddsmith_exact::Error;
use oddsmith_rules::{Domain, LintRule};

use crate::Questions;
use crate::expect::Value;
use crate::lint::affordable;
use crate::lint::cases::Cases;
use crate::lint::direction::{self, Course};
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::{Grid, size};
use crate::lint::measure::{MeasureKind, Measures};

/// Whether some other value of a reading changes a probability by more than `most`, or a mean by more than that share of
/// it, in some configuration.
pub(crate) fn find(grid: &Grid<'_>, most: &RBig) -> Option<Finding> {
    let default = default_place(grid)?;
    // Probabilities before means, whose shares are of another kind.
    let mut worst = [Cases::default(), Cases::default()];
    let mut seen = 0;
    for line in grid.lines() {
        for (at, measure) in grid.measures.iter().enumerate() {
            if measure.kind == MeasureKind::Variance {
                continue;
            }
            let numbers = line.numbers(at);
            let Some(own) = numbers.iter().find(|(place, _)| *place == default) else {
                continue;
            };
            for other in numbers.iter().filter(|(place, _)| *place != default) {
                seen += 1;
                let by = change(own.1, other.1, measure.is_probability());
                if by.as_ref().is_some_and(|by| by > most) {
                    let worst = &mut worst[usize::from(!measure.is_probability())];
                    worst.take(by.unwrap_or_default(), &line, || {
                        Evidence::of(line.name(), measure.clone(), line.stands(&[*own, *other]))
                    });
                }
            }
        }
    }
    let count = worst.iter().map(Cases::count).sum();
    if count == 0 {
        return None;
    }
    let facts = Facts::Reading {
        default: shown_default(grid),
    };
    let mut finding = Finding::of(LintRule::Reading, Severity::Note, grid, "", facts);
    finding.seen = [count, seen];
    let kept = worst.into_iter().flat_map(Cases::kept);
    finding.evidence = kept.take(5).collect();
    Some(finding)
}

/// The place of the reading that stands in the file.
fn default_place(grid: &Grid<'_>) -> Option<usize> {
    let lever = grid.lever();
    let default = grid.check.inputs[lever.input.0].default;
    lever.values.iter().position(|value| *value == default)
}

fn shown_default(grid: &Grid<'_>) -> String {
    let input = &grid.check.inputs[grid.lever().input.0];
    input.domain.show(input.default)
}

/// The change of a number: in points of a probability; a mean as a share of what it was, none if that is 0.
fn change(from: &RBig, to: &RBig, is_probability: bool) -> Option<RBig> {
    let by = size(&(to - from));
    match is_probability {
        true => Some(by),
        false => (*from != RBig::ZERO).then(|| by / size(from)),
    }
}

/// The axes that only raise an outcome, or only lower it, and that under another value of a reading do the opposite
/// beside the same values of everything else. Axes beside which the reading was not looked at anyway are looked at beside
/// the defaults, each within the limit by itself, or not. `grids` has the axes, `reading` the reading.
///
/// # Errors
/// As [`oddsmith_exact::answers`].
pub(crate) fn flips(
    reading: &Grid<'_>,
    grids: &[&Grid<'_>],
    asked: &Measures,
    run: Questions<'_>,
) -> Result<Vec<Finding>, Error> {
    let check = reading.check;
    let mut findings = Vec::new();
    for grid in grids {
        let axis = grid.lever();
        let outcomes = one_way(grid);
        if outcomes.is_empty() || !matches!(check.inputs[axis.input.0].domain, Domain::Range(..)) {
            continue;
        }
        let around = reading.surroundings();
        let place = around.iter().position(|range| range.input == axis.input);
        let alone = match place {
            None if check.rounds.is_none() => {
                let ranges = vec![axis.clone(), reading.lever().clone()];
                let budget = run.share();
                let grid = Grid::new(check, asked, check.defaults(), ranges, &budget);
                affordable(grid.map(Some))?
            }
            _ => None,
        };
        let looked = match (place, &alone) {
            (Some(place), _) => (reading, place),
            (None, Some(alone)) => (alone, 0),
            (None, None) => continue,
        };
        let flips = outcomes.into_iter();
        findings.extend(flips.filter_map(|(outcome, way)| flip_of(looked, outcome, way)));
    }
    Ok(findings)
}

/// The outcomes that an axis moves one way only, and which.
fn one_way<'g>(grid: &'g Grid<'_>) -> Vec<(&'g str, Ordering)> {
    let mut outcomes: Vec<&str> = Vec::new();
    for measure in grid.measures.iter().filter(|own| own.is_outcome()) {
        if !outcomes.contains(&measure.outcome()) {
            outcomes.push(measure.outcome());
        }
    }
    let ways = outcomes.into_iter();
    ways.filter_map(|outcome| Some((outcome, direction::way(grid, outcome)?.0)))
        .collect()
}

/// The finding about one outcome, which goes this way along the axis, by its place among what is swept.
fn flip_of((grid, axis): (&Grid<'_>, usize), outcome: &str, way: Ordering) -> Option<Finding> {
    let default = default_place(grid)?;
    let places = grid.lever().values.len();
    let measures = grid.measures.iter().enumerate();
    let measures = measures.filter(|(_, own)| own.outcome() == outcome && own.is_outcome());
    let measures: Vec<usize> = measures.map(|(at, _)| at).collect();
    let (mut cases, mut lines) = (Cases::default(), 0);
    let (starts, stride) = grid.starts(axis);
    // Lines along the axis start under every reading; those under the default one stand for all.
    for start in starts.filter(|at| at % places == default) {
        let others = (0..places).filter(|place| *place != default);
        let pairs = others.flat_map(|place| measures.iter().map(move |at| (place, *at)));
        for (place, measure) in pairs {
            let [own, other] = [start, start - default + place]
                .map(|start| Run::of(grid, (axis, start, stride), measure));
            lines += 1;
            if own.course.way() == Some(way) && other.course.way() == Some(way.reverse()) {
                let by = own.size().min(other.size());
                let line = grid.line_of(start);
                cases.take(by, &line, || evidence(grid, axis, [&own, &other]));
            }
        }
    }
    if cases.count() == 0 {
        return None;
    }
    let facts = Facts::Flip {
        default: shown_default(grid),
        rises: way == Ordering::Greater,
    };
    let severity = match grid.measures[measures[0]].kind {
        MeasureKind::AtLeast => Severity::Warning,
        _ => Severity::Note,
    };
    let levers = [grid.ranges()[axis].input, grid.lever().input];
    let mut finding = Finding::about(LintRule::Sign, severity, grid.check, &levers, facts);
    finding.id = format!("{}/{outcome}", finding.id);
    finding.configurations = grid.configurations();
    finding.seen = [cases.count(), lines];
    finding.evidence = cases.kept();
    Some(finding)
}

/// The numbers of a measure along an axis.
struct Run<'g> {
    measure: usize,
    /// With their places in the grid.
    numbers: Vec<(usize, &'g RBig)>,
    course: Course,
}

impl<'g> Run<'g> {
    fn of(
        grid: &'g Grid<'_>,
        (axis, start, stride): (usize, usize, usize),
        measure: usize,
    ) -> Self {
        let places = (0..grid.ranges()[axis].values.len()).map(|step| start + step * stride);
        let numbers = places.filter_map(|at| {
            let value = grid.cell(at)?[measure].as_ref()?;
            Some((at, value.finite()?))
        });
        let numbers: Vec<(usize, &RBig)> = numbers.collect();
        let course = Course::of(numbers.iter().map(|(_, number)| *number));
        Self {
            measure,
            numbers,
            course,
        }
    }

    /// The size by which it rises or falls.
    fn size(&self) -> RBig {
        self.course.fall.clone().max(self.course.rise.clone())
    }
}

/// Both ends of the axis under both readings.
fn evidence(grid: &Grid<'_>, axis: usize, runs: [&Run<'_>; 2]) -> Evidence {
    let range = &grid.ranges()[axis];
    let ends = runs.iter().flat_map(|run| {
        let [first, last] = [run.numbers.first(), run.numbers.last()];
        first.into_iter().chain(last)
    });
    let stands = ends.map(|(at, number)| {
        let places = grid.line_of(*at).places();
        let axis = grid.show(range.input, range.values[places[axis]]);
        let width = grid.lever().values.len();
        let mut stand = grid.stand(at % width, &Value::Finite((*number).clone()));
        stand.at = format!("{} {axis}", stand.at);
        stand
    });
    let name = runs[0].numbers.first();
    let name = name.map(|(at, _)| grid.line_of(*at).name_beside(range.input));
    Evidence::of(
        name.unwrap_or_default(),
        grid.measures[runs[0].measure].clone(),
        stands.collect(),
    )
}

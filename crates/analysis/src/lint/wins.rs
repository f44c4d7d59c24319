//! Which of two labels is the better one, and where.

use std::cmp::{Ordering, Reverse};

use crate::expect::Value;
use crate::lint::grid::{Cell, Grid};
use crate::lint::measure::{Measure, MeasureKind};

/// The most axes that are asked, one after the other, which label is better.
const DEPTH: usize = 2;

/// How often each of two labels is the better one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The two.
    pub labels: [String; 2],
    /// The configurations that are won, by label.
    pub wins: Wins,
    /// Where, by the axis that tells it best.
    pub split: Vec<Stretch>,
}

/// Neighbouring values of an axis beside which the same label is mostly better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The axis.
    pub axis: String,
    /// The values.
    pub values: Vec<String>,
    /// How often each label is better there.
    pub wins: Wins,
    /// The stretches within it, by the axis that tells it best, if one does.
    pub split: Vec<Stretch>,
}

/// Counts of configurations, by which of two labels is better there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wins {
    /// Those in which the first one is better, and the second one.
    pub better: [u64; 2],
    /// Those in which each reaches some bands more often.
    pub neither: u64,
    /// Those in which they are the same.
    pub equal: u64,
}

impl Wins {
    /// Counts a configuration.
    pub(crate) fn take(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Better(label) => self.better[label] += 1,
            Verdict::Neither => self.neither += 1,
            Verdict::Equal => self.equal += 1,
        }
    }

    fn add(&mut self, other: Self) {
        for (own, more) in self.better.iter_mut().zip(other.better) {
            *own += more;
        }
        self.neither += other.neither;
        self.equal += other.equal;
    }

    /// Whether each is better somewhere.
    pub(crate) fn is_crossing(self) -> bool {
        self.better.iter().all(|count| *count > 0)
    }

    /// Whether one is as good as the other or better everywhere.
    pub(crate) fn is_ordered(self) -> bool {
        self.neither == 0 && !self.is_crossing()
    }

    pub(crate) fn total(self) -> u64 {
        self.better[0] + self.better[1] + self.neither + self.equal
    }

    /// The label that is mostly better; none if neither is.
    #[must_use]
    pub fn mostly(self) -> Option<usize> {
        match self.better[0].cmp(&self.better[1]) {
            Ordering::Greater => Some(0),
            Ordering::Less => Some(1),
            Ordering::Equal => None,
        }
    }

    /// The number of configurations in which the label that mostly is better is so.
    fn told(self) -> u64 {
        self.better[0].max(self.better[1])
    }
}

/// A verdict on one configuration: which of two labels is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The first one or the second one.
    Better(usize),
    Neither,
    Equal,
}

impl Verdict {
    /// The verdict by how often each band or a better one is reached; of a track without bands, by how soon it is done.
    pub(crate) fn of(grid: &Grid<'_>, a: &Cell, b: &Cell) -> Self {
        let (mut more, mut less) = (false, false);
        for at in grades(grid) {
            match order(a[at].as_ref(), b[at].as_ref()) {
                Ordering::Less => less = true,
                Ordering::Equal => {}
                Ordering::Greater => more = true,
            }
        }
        match (more, less) {
            (true, false) => Self::Better(0),
            (false, true) => Self::Better(1),
            (true, true) => Self::Neither,
            (false, false) => Self::Equal,
        }
    }
}

fn order(a: Option<&Value>, b: Option<&Value>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.cmp(b),
        _ => Ordering::Equal,
    }
}

/// The measures of which more is better: those of bands, or else how soon a track is done.
pub(crate) fn grades<'g>(grid: &'g Grid<'_>) -> impl Iterator<Item = usize> + use<'g> {
    let is_band = |measure: &Measure| measure.kind == MeasureKind::AtLeast;
    let has_bands = grid.measures.iter().any(is_band);
    let measures = grid.measures.iter().enumerate();
    let grades = measures.filter(move |(_, measure)| match has_bands {
        true => is_band(measure),
        false => matches!(measure.kind, MeasureKind::DoneBy(_)),
    });
    grades.map(|(at, _)| at)
}

/// A configuration, by its places in the ranges beside the labels, and which label is better there.
pub(crate) type Case = (Vec<usize>, Verdict);

/// The stretches in which each label is better: those of the axis that tells it best, and in each of them of the next
/// one.
pub(crate) fn split(grid: &Grid<'_>, cases: &[&Case]) -> Vec<Stretch> {
    split_further(grid, cases, DEPTH)
}

fn split_further(grid: &Grid<'_>, cases: &[&Case], depth: usize) -> Vec<Stretch> {
    let known = wins(cases);
    if depth == 0 || !known.is_crossing() {
        return Vec::new();
    }
    let splits = (0..grid.surroundings().len()).map(|axis| (axis, runs(grid, cases, axis)));
    let told = |runs: &[(Vec<usize>, Wins)]| runs.iter().map(|(_, wins)| wins.told()).sum::<u64>();
    // Of equal ones the one with the fewest stretches, and then the first.
    let best = splits.reduce(|best, next| {
        let key = |runs: &[(Vec<usize>, Wins)]| (told(runs), Reverse(runs.len()));
        match key(&next.1) > key(&best.1) {
            true => next,
            false => best,
        }
    });
    let Some((axis, runs)) = best.filter(|(_, runs)| told(runs) > known.told()) else {
        return Vec::new();
    };
    let range = &grid.surroundings()[axis];
    let input = &grid.check.inputs[range.input.0];
    let stretches = runs.into_iter().map(|(places, wins)| {
        let inside = cases.iter().filter(|(at, _)| places.contains(&at[axis]));
        let inside: Vec<&Case> = inside.copied().collect();
        let values = places
            .iter()
            .map(|place| input.domain.show(range.values[*place]));
        Stretch {
            axis: input.name.clone(),
            values: values.collect(),
            wins,
            split: split_further(grid, &inside, depth - 1),
        }
    });
    stretches.collect()
}

/// Neighbouring values of an axis that have the same better label as one; those that tell nothing go with their
/// neighbours.
fn runs(grid: &Grid<'_>, cases: &[&Case], axis: usize) -> Vec<(Vec<usize>, Wins)> {
    let mut runs: Vec<(Vec<usize>, Wins)> = Vec::new();
    for place in 0..grid.surroundings()[axis].values.len() {
        let here = cases.iter().filter(|(at, _)| at[axis] == place);
        let own = wins(&here.copied().collect::<Vec<_>>());
        if own.total() == 0 {
            continue;
        }
        match runs.last_mut() {
            Some((places, wins))
                if own.mostly().is_none()
                    || wins.mostly().is_none()
                    || wins.mostly() == own.mostly() =>
            {
                places.push(place);
                wins.add(own);
            }
            _ => runs.push((vec![place], own)),
        }
    }
    runs
}

fn wins(cases: &[&Case]) -> Wins {
    let mut wins = Wins::default();
    cases.iter().for_each(|(_, verdict)| wins.take(*verdict));
    wins
}

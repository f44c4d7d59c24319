//! Steps up that gain other than what the same steps down lose.

use std::collections::HashMap;

use oddsmith_dist::{Budget, RBig};
use oddsmith_exact::Error;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Domain, Input, InputRange, LintRule};

use crate::expect::{Stand, Value};
use crate::grading::Grading;
use crate::levers::{Field, Lever, Step};
use crate::lint::cases::Cases;
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::{Cell, Grid, Line, size};
use crate::lint::measure::{Measure, MeasureKind, Measures};
use crate::lint::opposed::Pair;
use crate::value::Values;

/// Flat modifiers that do the same as a step down and as a step up, by the line and the measure: the flat modifiers
/// that do the same.
type Flats = HashMap<(usize, usize), [RBig; 2]>;

/// An axis around 0, such as net Boons: gain of the first step up and loss of the first step down that differ by more
/// than `most`. Where a number stands behind the bands, a flat modifier does that as well, for bands begin where they
/// begin; so the flat modifiers that do the same must differ, too, by more than that share of the larger one.
///
/// # Errors
/// As [`Values::along`].
pub(crate) fn find(
    grid: &Grid<'_>,
    asked: &Measures,
    most: &RBig,
    budget: &Budget,
) -> Result<Option<Finding>, Error> {
    let (check, axis) = (grid.check, grid.lever().input);
    let lever = grid.lever();
    let place = |value: i64| lever.values.iter().position(|own| *own == value);
    let (true, Some(below), Some(middle), Some(above)) = (
        is_signed(&check.inputs[axis.0]),
        place(-1),
        place(0),
        place(1),
    ) else {
        return Ok(None);
    };
    let sides = |flats: Option<&Flats>| {
        let mut sides = Sides::default();
        for (at, line) in grid.lines().enumerate() {
            let cells = [below, middle, above].map(|at| line.cells[at].as_ref());
            if let [Some(below), Some(middle), Some(above)] = cells {
                let names = [-1, 0, 1].map(|value| grid.show(axis, value));
                let flats = flats.map(|flats| (flats, at));
                sides.compare(&line, [below, middle, above], &names, (most, flats));
            }
        }
        sides
    };
    let mut found = sides(None);
    if let (true, Some(grading)) = (found.worst.count() > 0, Grading::of(check)) {
        let steps = [(axis, -1), (axis, 1)];
        let around = grid.surroundings();
        let flats = flats(check, asked, &grading, (around, steps), budget)?;
        found = sides(Some(&flats));
    }
    let (rule, facts) = (LintRule::Asymmetric, Facts::Asymmetric);
    Ok(found.finding(Finding::of(rule, Severity::Note, grid, "", facts)))
}

/// Two axes of which one takes back what the other gives, such as bonus and penalty: the same of the first step of each,
/// from the defaults of everything.
///
/// # Errors
/// As [`find`].
pub(crate) fn opposed(
    pair: &Pair<'_>,
    asked: &Measures,
    most: &RBig,
    budget: &Budget,
) -> Result<Option<Finding>, Error> {
    let (check, grid) = (pair.grid.check, &pair.grid);
    let cells = [pair.cell(0, 1), pair.cell(0, 0), pair.cell(1, 0)];
    let [Some(below), Some(middle), Some(above)] = cells else {
        return Ok(None);
    };
    let Some(line) = grid.lines().next().filter(|_| pair.are_opposed()) else {
        return Ok(None);
    };
    let [up, down] = pair.axes;
    let one_of = |axis: InputId| grid.show(axis, check.inputs[axis.0].default + 1);
    let names = [one_of(down), "neither".to_owned(), one_of(up)];
    let sides = |flats: Option<&Flats>| {
        let mut sides = Sides::default();
        let flats = flats.map(|flats| (flats, 0));
        sides.compare(&line, [below, middle, above], &names, (most, flats));
        sides
    };
    let mut found = sides(None);
    if let (true, Some(grading)) = (found.worst.count() > 0, Grading::of(check)) {
        let steps = [down, up].map(|axis| (axis, check.inputs[axis.0].default + 1));
        found = sides(Some(&flats(check, asked, &grading, (&[], steps), budget)?));
    }
    let (rule, facts) = (LintRule::Asymmetric, Facts::Asymmetric);
    let mut finding = Finding::about(rule, Severity::Note, check, &pair.axes, facts);
    finding.configurations = grid.configurations();
    Ok(found.finding(finding))
}

/// The flat modifiers that do what two steps do, from the defaults of their axes, wherever there is one for both.
fn flats(
    check: &Check,
    asked: &Measures,
    grading: &Grading,
    (around, steps): (&[InputRange], [(InputId, i64); 2]),
    budget: &Budget,
) -> Result<Flats, Error> {
    let check = grading.show(check);
    let (config, bands) = (check.defaults(), asked.bands());
    let field = Field::of(&check, &config, around, &asked.queries[..bands], budget)?;
    let values = Values::of(&field, bands, Some(grading), budget)?;
    let mut sides = Vec::new();
    for (input, to) in steps {
        let lever = Lever {
            input,
            values: vec![config[input], to],
            steps: vec![Step { from: 0, to: 1 }],
        };
        let mut side = HashMap::new();
        for worth in values.along(&field.line(&lever)?, budget)? {
            let flats = worth.flats.into_iter().enumerate();
            side.extend(flats.filter_map(|(band, flat)| Some(((worth.row, band), flat?))));
        }
        sides.push(side);
    }
    let [down, up] = <[_; 2]>::try_from(sides).expect("one for each of two steps");
    let both = down.into_iter();
    let both = both.filter_map(|(at, down)| Some((at, [down, up.get(&at)?.clone()])));
    Ok(both.collect())
}

/// The sides: what two directions were found to do.
#[derive(Default)]
struct Sides {
    worst: Cases,
    pairs: u64,
}

impl Sides {
    /// Compares what a step up gains with what the same step down loses; with flat modifiers only those of bands.
    fn compare(
        &mut self,
        line: &Line<'_>,
        cells: [&Cell; 3],
        names: &[String; 3],
        (most, flats): (&RBig, Option<(&Flats, usize)>),
    ) {
        for (at, measure) in line.grid.measures.iter().enumerate() {
            let numbers = cells.map(|cell| cell[at].as_ref().and_then(Value::finite));
            let [Some(below), Some(middle), Some(above)] = numbers else {
                continue;
            };
            let Some(least) = least(line.grid, measure, middle, most) else {
                continue;
            };
            self.pairs += 1;
            // (above - middle) - (middle - below)
            let by = size(&(above + below - middle * RBig::from(2)));
            let flat = flats.map(|(flats, line)| flats.get(&(line, at)));
            let is_uneven = match flat {
                None => true,
                Some(flat) => flat.is_some_and(|flat| are_uneven(flat, most)),
            };
            if by > least && is_uneven {
                let stand = |side: usize| Stand {
                    at: names[side].clone(),
                    value: cells[side][at].clone().expect("it is finite"),
                };
                self.worst.take(by, line, || Evidence {
                    configuration: line.name(),
                    measure: measure.clone(),
                    stands: (0..3).map(stand).collect(),
                    flat: flat.flatten().cloned(),
                });
            }
        }
    }

    fn finding(self, mut finding: Finding) -> Option<Finding> {
        if self.worst.count() == 0 {
            return None;
        }
        finding.seen = [self.worst.count(), self.pairs];
        finding.evidence = self.worst.kept();
        Some(finding)
    }
}

/// The least difference that matters: so many points of a probability, and of the mean of a track that share of it.
/// None of other numbers; nor of how often a track is done by some round, which leaps where that round is.
fn least(grid: &Grid<'_>, measure: &Measure, middle: &RBig, most: &RBig) -> Option<RBig> {
    match measure.kind {
        MeasureKind::Mean if grid.check.rounds.is_some() => Some(size(middle) * most),
        _ => measure.is_outcome().then(|| most.clone()),
    }
}

/// Whether a flat modifier down and one up differ by more than a share of the larger one.
fn are_uneven([down, up]: &[RBig; 2], most: &RBig) -> bool {
    size(&(down + up)) > size(down).max(size(up)) * most
}

/// Whether an axis goes up and down from 0.
fn is_signed(input: &Input) -> bool {
    let (low, high) = input.domain.bounds();
    matches!(input.domain, Domain::Range(..)) && input.default == 0 && low < 0 && high > 0
}

//! Steps up that gain other than what the same steps down lose.

use oddsmith_dist::{Budget, RBig};
use oddsmith_exact::Error;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Domain, Input, InputRange, LintRule, Role};

use crate::expect::Stand;
use crate::lint::cases::Cases;
use crate::lint::finding::{Evidence, Facts, Finding, Severity};
use crate::lint::grid::{Cell, Grid, Line, size};
use crate::lint::measure::Asked;

/// An axis around 0, such as net Boons: gain of the first step up and loss of the first step down that differ by more
/// than `most`.
pub(crate) fn find(grid: &Grid<'_>, most: &RBig) -> Option<Finding> {
    let lever = grid.lever();
    let input = &grid.check.inputs[lever.input.0];
    let place = |value: i64| lever.values.iter().position(|own| *own == value);
    let places = [place(-1)?, place(0)?, place(1)?];
    if !is_signed(input) {
        return None;
    }
    let mut sides = Sides::default();
    for line in grid.lines() {
        let cells = places.map(|at| line.cells[at].as_ref());
        if let [Some(below), Some(middle), Some(above)] = cells {
            let names = [-1, 0, 1].map(|value| grid.show(lever.input, value));
            sides.compare(&line, [below, middle, above], &names, most);
        }
    }
    let (rule, facts) = (LintRule::Asymmetric, Facts::Asymmetric);
    sides.finding(Finding::of(rule, Severity::Note, grid, "", facts))
}

/// What two directions were found to do.
#[derive(Default)]
struct Sides {
    worst: Cases,
    pairs: u64,
}

impl Sides {
    /// Compares what a step up gains with what the same step down loses.
    fn compare(&mut self, line: &Line<'_>, cells: [&Cell; 3], names: &[String; 3], most: &RBig) {
        for (at, measure) in line.grid.measures.iter().enumerate() {
            if !measure.is_probability() {
                continue;
            }
            let numbers =
                cells.map(|cell| cell[at].as_ref().and_then(crate::expect::Value::finite));
            let [Some(below), Some(middle), Some(above)] = numbers else {
                continue;
            };
            self.pairs += 1;
            // (above - middle) - (middle - below)
            let by = size(&(above + below - middle * RBig::from(2)));
            if by > *most {
                self.worst.take(by, line, || Evidence {
                    configuration: line.name(),
                    measure: measure.clone(),
                    stands: (0..3)
                        .map(|side| Stand {
                            at: names[side].clone(),
                            value: cells[side][at].clone().expect("it is finite"),
                        })
                        .collect(),
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

/// Two axes of which one takes back what the other gives, such as bonus and penalty: the same of the first step of each,
/// from the defaults of everything.
///
/// # Errors
/// As [`oddsmith_exact::answers`].
pub(crate) fn pairs(
    check: &Check,
    asked: &Asked,
    most: &RBig,
    budget: &Budget,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let inputs = check.inputs.iter().enumerate();
    let ones: Vec<InputId> = inputs
        .filter(|(_, input)| is_one_sided(input))
        .map(|(at, _)| InputId(at))
        .collect();
    for (at, &one) in ones.iter().enumerate() {
        for &two in &ones[at + 1..] {
            findings.extend(pair(check, asked, [one, two], most, budget)?);
        }
    }
    Ok(findings)
}

fn pair(
    check: &Check,
    asked: &Asked,
    axes: [InputId; 2],
    most: &RBig,
    budget: &Budget,
) -> Result<Option<Finding>, Error> {
    let ranges = axes.map(|input| InputRange {
        input,
        values: (0..=2).collect(),
    });
    let grid = Grid::new(check, asked, check.defaults(), ranges.to_vec(), budget)?;
    if !are_opposed(&grid) {
        return Ok(None);
    }
    let lines: Vec<Line<'_>> = grid.lines().collect();
    let [below, middle, above] = [&lines[0].cells[1], &lines[0].cells[0], &lines[1].cells[0]];
    let mut sides = Sides::default();
    if let [Some(below), Some(middle), Some(above)] = [below, middle, above] {
        let [up, down] = axes.map(|axis| grid.show(axis, 1));
        let names = [down, "neither".to_owned(), up];
        sides.compare(&lines[0], [below, middle, above], &names, most);
    }
    let (rule, facts) = (LintRule::Asymmetric, Facts::Asymmetric);
    let mut finding = Finding::about(rule, Severity::Note, check, &axes, facts);
    finding.configurations = grid.configurations();
    Ok(sides.finding(finding))
}

/// Whether one of each axis, and two of each, leave everything as it is, while one of either does not.
fn are_opposed(grid: &Grid<'_>) -> bool {
    let lines: Vec<_> = grid.lines().collect();
    let cell = |one: usize, two: usize| lines[one].cells[two].as_ref();
    let none = cell(0, 0);
    none.is_some()
        && cell(1, 1) == none
        && cell(2, 2) == none
        && cell(1, 0) != none
        && cell(0, 1) != none
}

/// Whether an axis goes up and down from 0.
fn is_signed(input: &Input) -> bool {
    let (low, high) = input.domain.bounds();
    matches!(input.domain, Domain::Range(..)) && input.default == 0 && low < 0 && high > 0
}

/// Whether an axis goes up from 0 only, and far enough.
fn is_one_sided(input: &Input) -> bool {
    let (low, high) = input.domain.bounds();
    let is_range = matches!(input.domain, Domain::Range(..)) && input.role == Role::Axis;
    is_range && input.default == 0 && low == 0 && high >= 2
}

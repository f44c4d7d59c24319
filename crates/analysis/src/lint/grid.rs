//! Exact answers along a lever, in many configurations of everything else.

use oddsmith_dist::{Budget, RBig};
use oddsmith_exact::Error;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, InputRange};
use rayon::prelude::*;

use crate::expect::{Stand, Value};
use crate::levers::Field;
use crate::lint::measure::{Measure, Measures};

/// The values of the measures in a configuration; none where there is no number.
pub(crate) type Cell = Vec<Option<Value>>;

/// A lever in its surroundings.
#[derive(Debug)]
pub(crate) struct Grid<'a> {
    pub(crate) check: &'a Check,
    pub(crate) measures: &'a [Measure],
    /// The values of all inputs that are not swept.
    config: Config,
    /// The inputs that are swept: the surroundings, and last the lever.
    ranges: Vec<InputRange>,
    /// A cell for each configuration, the lever's values side by side; none where the rules forbid it.
    cells: Vec<Option<Cell>>,
}

impl<'a> Grid<'a> {
    /// Asks in every configuration.
    ///
    /// # Errors
    /// As [`oddsmith_exact::answers`].
    pub(crate) fn new(
        check: &'a Check,
        asked: &'a Measures,
        config: Config,
        ranges: Vec<InputRange>,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let cells = match Field::of(check, &config, &ranges, &asked.queries, budget) {
            // The rules forbid all of them.
            Err(Error::Requirement { .. }) => {
                vec![None; ranges.iter().map(|range| range.values.len()).product()]
            }
            field => {
                let field = field?;
                let cells = (0..field.len()).into_par_iter();
                let cells = cells.map(|at| field.answers(at).map(|row| asked.values(row)));
                cells.collect()
            }
        };
        Ok(Self {
            check,
            measures: &asked.measures,
            config,
            ranges,
            cells,
        })
    }

    /// The lever, along which the lines run.
    pub(crate) fn lever(&self) -> &InputRange {
        self.ranges.last().expect("a grid has a lever")
    }

    /// The inputs that are swept, the lever last.
    pub(crate) fn ranges(&self) -> &[InputRange] {
        &self.ranges
    }

    /// The surroundings: the inputs that differ from line to line.
    pub(crate) fn surroundings(&self) -> &[InputRange] {
        &self.ranges[..self.ranges.len() - 1]
    }

    /// How many configurations the rules allow.
    pub(crate) fn configurations(&self) -> u64 {
        self.cells.iter().flatten().count() as u64
    }

    /// All lines, in the order of the sweep.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let width = self.lever().values.len();
        let cells = self.cells.chunks(width).enumerate();
        cells.map(|(at, cells)| Line {
            grid: self,
            at,
            cells,
        })
    }

    /// The configurations that differ only in the value of one of the ranges, by its place: the places of those that
    /// begin a line along it, and how far apart the next ones are.
    pub(crate) fn starts(&self, range: usize) -> (impl Iterator<Item = usize>, usize) {
        let lengths = self.ranges.iter().map(|range| range.values.len());
        let stride: usize = lengths.skip(range + 1).product();
        let length = self.ranges[range].values.len();
        let starts = (0..self.cells.len()).filter(move |at| (at / stride).is_multiple_of(length));
        (starts, stride)
    }

    /// The answers in the configuration at a place; none if the rules forbid it.
    pub(crate) fn cell(&self, at: usize) -> Option<&Cell> {
        self.cells[at].as_ref()
    }

    /// The line on which a configuration lies.
    pub(crate) fn line_of(&self, at: usize) -> Line<'_> {
        let width = self.lever().values.len();
        let at = at / width;
        Line {
            grid: self,
            at,
            cells: &self.cells[at * width..(at + 1) * width],
        }
    }

    /// Whether the lever changes any odds.
    pub(crate) fn is_live(&self) -> bool {
        self.lines()
            .any(|line| line.present().any(|(_, cell)| line.first() != Some(cell)))
    }

    /// `name=value` of a value of the lever.
    pub(crate) fn stand(&self, place: usize, value: &Value) -> Stand {
        Stand {
            at: self.show(self.lever().input, self.lever().values[place]),
            value: value.clone(),
        }
    }

    /// A value as users write it, with the name of its input.
    pub(crate) fn show(&self, input: InputId, value: i64) -> String {
        let input = &self.check.inputs[input.0];
        input.written(value)
    }
}

/// The configurations that differ only in the value of the lever.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'g> {
    pub(crate) grid: &'g Grid<'g>,
    /// The line's place among all lines.
    at: usize,
    /// The cells, by the places of the lever's values.
    pub(crate) cells: &'g [Option<Cell>],
}

impl<'g> Line<'g> {
    /// The places of the values of what is swept beside the lever.
    pub(crate) fn places(&self) -> Vec<usize> {
        let mut at = self.at;
        let surroundings = self.grid.surroundings().iter().rev();
        let mut places: Vec<usize> = surroundings
            .map(|range| {
                let place = at % range.values.len();
                at /= range.values.len();
                place
            })
            .collect();
        places.reverse();
        places
    }

    /// The values of all inputs but the lever.
    fn config(&self) -> Config {
        let mut config = self.grid.config.clone();
        for (range, place) in self.grid.surroundings().iter().zip(self.places()) {
            config.put(range.input, range.values[place]);
        }
        config
    }

    /// The line's name: what differs from the defaults.
    pub(crate) fn name(&self) -> String {
        self.name_beside(self.grid.lever().input)
    }

    /// The line's name, of which another input is no part either.
    pub(crate) fn name_beside(&self, other: InputId) -> String {
        let mut config = self.config();
        for input in [self.grid.lever().input, other] {
            config.put(input, self.grid.check.inputs[input.0].default);
        }
        self.grid.check.describe(&config)
    }

    /// How many inputs differ from their defaults, beside the lever.
    pub(crate) fn distance(&self) -> usize {
        let lever = self.grid.lever().input.0;
        let config = self.config();
        let inputs = self.grid.check.inputs.iter().zip(config.values());
        let others = inputs.enumerate().filter(|(at, _)| *at != lever);
        others
            .filter(|(_, (input, value))| input.default != **value)
            .count()
    }

    /// The configurations that the rules allow, with the places of the lever's values.
    pub(crate) fn present(&self) -> impl Iterator<Item = (usize, &'g Cell)> + use<'g> {
        let cells = self.cells.iter().enumerate();
        cells.filter_map(|(place, cell)| Some((place, cell.as_ref()?)))
    }

    fn first(&self) -> Option<&'g Cell> {
        self.present().next().map(|(_, cell)| cell)
    }

    /// The numbers of a measure that are finite, with the places of the lever's values.
    pub(crate) fn numbers(&self, measure: usize) -> Vec<(usize, &'g RBig)> {
        let numbers = self
            .present()
            .filter_map(|(place, cell)| match &cell[measure] {
                Some(Value::Finite(number)) => Some((place, number)),
                _ => None,
            });
        numbers.collect()
    }

    /// The numbers of a measure as evidence.
    pub(crate) fn stands(&self, numbers: &[(usize, &RBig)]) -> Vec<Stand> {
        let stand = |(place, number): &(usize, &RBig)| {
            self.grid.stand(*place, &Value::Finite((*number).clone()))
        };
        numbers.iter().map(stand).collect()
    }
}

/// The size of a number without its sign.
pub(crate) fn size(number: &RBig) -> RBig {
    number.clone().max(-number.clone())
}

//! A table with the values of one swept axis side by side, as rulebooks print it.

use std::collections::HashMap;

use oddsmith::questions::query_title;
use oddsmith::told_apart;
use oddsmith_exact::Row;
use oddsmith_rules::{Check, Domain, Input, InputRange, Query};

use crate::document::{Align, Block, Column, Document, Markup, Table};
use crate::format::columns::Columns;
use crate::format::rows::csv_record;
use crate::format::words::Form;

/// Where each configuration of a sweep stands: which axis runs across, and which ones down.
#[derive(Debug)]
pub(crate) struct Pivot<'a> {
    across: Axis<'a>,
    /// In the order of the sweep, the last one fastest.
    down: Vec<Axis<'a>>,
    /// What is asked of each: as it was asked, and as people read it.
    outcomes: Vec<(&'a str, String)>,
    style: PivotStyle,
    /// The answers of a row.
    answers: Columns,
}

/// What a pivot is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PivotStyle {
    Csv,
    Document(Markup, Form),
    View(Form),
}

/// A swept axis.
#[derive(Debug)]
struct Axis<'a> {
    /// Its place among the values of a row.
    place: usize,
    input: &'a Input,
    values: &'a [i64],
    /// Where each of the values stands.
    places: HashMap<i64, usize>,
}

/// The cells that have come so far; none where there is no such configuration.
#[derive(Debug)]
pub(crate) struct Cells(Vec<Option<String>>);

/// The answers of a configuration, and where the first of them stands.
#[derive(Debug)]
pub(crate) struct Placed {
    first: usize,
    answers: Vec<String>,
}

impl Cells {
    /// Takes the answers of a configuration to where they stand.
    pub(crate) fn fill(&mut self, placed: Placed) {
        let cells = self.0[placed.first..].iter_mut();
        for (cell, answer) in cells.zip(placed.answers) {
            *cell = Some(answer);
        }
    }
}

impl<'a> Pivot<'a> {
    /// The range at `across` runs across, the others down, and every query is a table of its own.
    pub(crate) fn new(
        style: PivotStyle,
        check: &'a Check,
        ranges: &'a [InputRange],
        across: usize,
        queries: &'a [Query],
    ) -> Self {
        let axes = ranges.iter().enumerate().map(|(place, range)| {
            let input = &check.inputs[range.input.0];
            Axis {
                place,
                input,
                values: &range.values,
                places: range.values.iter().copied().zip(0..).collect(),
            }
        });
        let mut down: Vec<Axis<'a>> = axes.collect();
        Self {
            across: down.remove(across),
            down,
            outcomes: queries
                .iter()
                .map(|query| (query.text.as_str(), query_title(check, &query.text)))
                .collect(),
            style,
            answers: Columns::new(check, &[], queries, false),
        }
    }

    /// How many cells there are: one for each answer of each configuration.
    pub(crate) fn size(&self) -> u128 {
        let axes = self.down.iter().chain([&self.across]);
        axes.fold(self.outcomes.len() as u128, |size, axis| {
            size.saturating_mul(axis.values.len() as u128)
        })
    }

    /// No cell yet; [`Pivot::size`] must have been looked at.
    pub(crate) fn cells(&self) -> Cells {
        let width = self.across.values.len() * self.outcomes.len();
        Cells(vec![None; self.lines() * width])
    }

    /// How many configurations the axes that run down have.
    fn lines(&self) -> usize {
        self.down.iter().map(|axis| axis.values.len()).product()
    }

    /// Where a configuration stands, and its answers.
    pub(crate) fn place(&self, row: &Row<'_>) -> Placed {
        let axes = self.down.iter().chain([&self.across]);
        let at = axes.fold(0, |at, axis| {
            at * axis.values.len() + axis.place_in(row.values)
        });
        let form = match self.style {
            PivotStyle::Csv => None,
            PivotStyle::Document(_, form) | PivotStyle::View(form) => Some(form),
        };
        Placed {
            first: at * self.outcomes.len(),
            answers: self.answers.texts(row, form),
        }
    }

    /// All of it in the style that was asked for, coloured if it is to be viewed.
    pub(crate) fn show(&self, cells: &Cells, width: Option<usize>) -> String {
        match self.style {
            PivotStyle::Csv => self.csv(cells),
            PivotStyle::Document(markup, _) => self.document(cells).markup(markup),
            PivotStyle::View(_) => self.document(cells).within(width),
        }
    }

    /// `outcome`, the axes that run down, and a column for each value of the one that runs across.
    fn csv(&self, cells: &Cells) -> String {
        let down = self.down.iter().map(|axis| axis.input.name.clone());
        let named = told_apart(&["outcome"], down.chain(self.across.values()));
        let head = std::iter::once("outcome".to_owned()).chain(named);
        let mut text = csv_record(&head.collect::<Vec<_>>());
        for (at, (outcome, _)) in self.outcomes.iter().enumerate() {
            for row in self.rows(cells, at, |input, value| input.domain.show(value)) {
                let row = [vec![(*outcome).to_owned()], row].concat();
                text.extend(csv_record(&row));
            }
        }
        String::from_utf8(text).expect("made of text")
    }

    /// A table for each outcome; if nothing runs down, one with a row for each.
    fn document(&self, cells: &Cells) -> Document {
        let mut document = Document::default();
        let outcomes = self.outcomes.iter().enumerate();
        if self.down.is_empty() {
            let mut table = self.table(&[(self.across.input.title(), Align::Left)]);
            for (at, (_, outcome)) in outcomes {
                let rows = self.rows(cells, at, Input::told).into_iter();
                let named = rows.map(|row| std::iter::once(outcome.clone()).chain(row));
                table = table.with_rows(named);
            }
            document.push([Block::table(table)]);
            return document;
        }
        let down = self
            .down
            .iter()
            .map(|axis| (axis.input.title(), axis.align()));
        let down: Vec<(&str, Align)> = down.collect();
        for (at, (_, outcome)) in outcomes {
            let title = format!("{outcome}, {} across", self.across.input.title());
            let table = self
                .table(&down)
                .with_rows(self.rows(cells, at, Input::told));
            document.push(Block::titled(title, table));
        }
        document
    }

    /// The columns that run down, and those of the values.
    fn table(&self, down: &[(&str, Align)]) -> Table {
        let names = down.iter().map(|(name, _)| (*name).to_owned());
        let names = told_apart(&[], names.chain(self.across.told()));
        let aligns = down.iter().map(|(_, align)| *align);
        let aligns = aligns.chain(std::iter::repeat(Align::Right));
        let columns = names.into_iter().zip(aligns);
        Table::new(columns.map(|(name, align)| Column::new(name, align))).flush()
    }

    /// The rows of one outcome, with swept values as `word` has them; configurations that are forbidden all across have
    /// none.
    fn rows(
        &self,
        cells: &Cells,
        outcome: usize,
        word: fn(&Input, i64) -> String,
    ) -> Vec<Vec<String>> {
        let width = self.across.values.len() * self.outcomes.len();
        let lines = cells.0.chunks(width).enumerate();
        let lines = lines.filter(|(_, cells)| cells.iter().any(Option::is_some));
        lines
            .map(|(line, cells)| {
                let answers = cells.iter().skip(outcome).step_by(self.outcomes.len());
                let answers = answers.map(|cell| cell.clone().unwrap_or_default());
                self.down_values(line, word)
                    .into_iter()
                    .chain(answers)
                    .collect()
            })
            .collect()
    }

    /// The values of the axes that run down, in a line.
    fn down_values(&self, line: usize, word: fn(&Input, i64) -> String) -> Vec<String> {
        let mut rest = line;
        let mut values: Vec<String> = Vec::new();
        for axis in self.down.iter().rev() {
            values.push(word(axis.input, axis.values[rest % axis.values.len()]));
            rest /= axis.values.len();
        }
        values.reverse();
        values
    }
}

impl Axis<'_> {
    /// Where its value in a row stands among its values.
    fn place_in(&self, row: &[i64]) -> usize {
        self.places[&row[self.place]]
    }

    /// Its values as data has them.
    fn values(&self) -> impl Iterator<Item = String> {
        self.values
            .iter()
            .map(|value| self.input.domain.show(*value))
    }

    /// Its values as people read them.
    fn told(&self) -> impl Iterator<Item = String> {
        self.values.iter().map(|value| self.input.told(*value))
    }

    fn align(&self) -> Align {
        match self.input.domain {
            Domain::Range(..) => Align::Right,
            Domain::Choice(_) => Align::Left,
        }
    }
}

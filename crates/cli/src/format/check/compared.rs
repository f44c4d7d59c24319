//! How two tables differ, in words and cells.

use oddsmith_analysis::drift::{Drift, Measure, Moved, Summary};
use oddsmith_analysis::expect::Value;
use oddsmith_exact::RBig;

use super::Compared;
use crate::document::{Block, Column, Medium, Table, Text};
use crate::format::difference::{magnitude, signed};
use crate::format::outcomes::INFINITE;
use crate::format::words::{self, Form, configurations, grouped};

impl Compared {
    /// How much moved, and which configurations are new or gone.
    pub(super) fn summary(&self) -> String {
        let drift = &self.drift;
        let (moved, all) = (drift.moved_configurations(), drift.configurations());
        let mut parts = Vec::new();
        if moved > 0 {
            parts.push(format!(
                "{} of {} moved",
                grouped(moved),
                configurations(all)
            ));
        } else if !drift.is_any() {
            let what = if self.is_renamed {
                "has other names; what it had is"
            } else if self.has_other_columns {
                "has other columns; what it had is"
            } else {
                "is"
            };
            parts.push(format!("{what} as accepted in {}", configurations(all)));
        }
        for (unmatched, word) in [
            (drift.new_configurations(), "new"),
            (drift.gone_configurations(), "gone"),
        ] {
            if let Some((number, first)) = unmatched {
                let first = if number == 1 {
                    first.to_owned()
                } else {
                    format!("the first is {first}")
                };
                let is = if number == 1 { "is" } else { "are" };
                parts.push(format!("{} {is} {word} ({first})", configurations(number)));
            }
        }
        if let Some((number, first)) = drift.moved_elsewhere() {
            let configurations = configurations(number);
            parts.push(format!(
                "in {configurations} the same answers are spread or fall together otherwise (the first is {first})"
            ));
        }
        if drift.within_tolerance() > 0 {
            let (within, most) = (configurations(drift.within_tolerance()), within([drift]));
            parts.push(format!(
                "{within} moved within the tolerance, by at most {most}"
            ));
        }
        parts.join("; ")
    }

    /// The largest difference, in one line.
    pub(crate) fn largest(&self) -> Option<String> {
        let moved = self.drift.moved().first()?;
        let [before, after, by] = self.cells(moved);
        let measure = &self.drift.measures()[moved.measure].name;
        let place = &moved.configuration;
        let by = if by.is_empty() {
            by
        } else {
            format!(", {by}{}", self.unit(moved.measure))
        };
        Some(format!("{measure} {before} -> {after}{by} at {place}"))
    }

    fn unit(&self, measure: usize) -> &'static str {
        if self.drift.measures()[measure].is_probability {
            " points"
        } else {
            ""
        }
    }

    /// Before, after, and the difference.
    pub(crate) fn cells(&self, moved: &Moved) -> [String; 3] {
        let is_probability = self.drift.measures()[moved.measure].is_probability;
        let difference = moved.difference();
        [
            answer(moved.before.as_ref(), is_probability),
            answer(moved.after.as_ref(), is_probability),
            difference.map_or(String::new(), |by| self::difference(&by, is_probability)),
        ]
    }

    /// The configurations that moved, the most first, and how many more there are.
    pub(super) fn moves(&self) -> [Block; 3] {
        let [configuration, column] = ["configuration", "column"].map(Column::left);
        let [before, after, difference] = ["before", "after", "difference"].map(Column::right);
        let moved = self.drift.moved();
        let row = |moved: &Moved| {
            let measure = self.drift.measures()[moved.measure].name.clone();
            let first = [moved.configuration.clone(), measure];
            first.into_iter().chain(self.cells(moved))
        };
        let table = Table::new([configuration, column, before, after, difference]);
        let table = table.with_rows(moved.iter().map(row));
        let more = match self.drift.moved_answers() - moved.len() as u64 {
            0 => [Text::default(), Text::default()],
            more => {
                let more = format!("... and {} more", grouped(more));
                let all = Text::with_code(&format!("{more}: `--all` shows them"));
                [all, more.into()]
            }
        };
        let [on_terminal, on_page] = more.map(Block::note);
        [
            Block::table(table),
            on_terminal.only(Medium::Terminal),
            on_page.only(Medium::Page),
        ]
    }

    /// For each measure that moved: its name, in how many configurations, the mean of the differences, the largest, and
    /// where that is.
    pub(super) fn summaries(&self) -> Block {
        let measures = self.drift.measures().iter().zip(self.drift.summaries());
        let moved = measures.filter(|(_, summary)| summary.configurations > 0);
        let row = |(measure, summary): (&Measure, &Summary)| {
            let is_probability = measure.is_probability;
            let mean = summary.mean().map(|mean| match mean {
                Value::Finite(mean) => magnitude(&mean, is_probability, Form::USUAL),
                infinite => value(&infinite, is_probability),
            });
            let largest = summary.largest.as_ref();
            let largest = largest.map(|largest| {
                let by = difference(&largest.difference, is_probability);
                (by, largest.configuration.clone())
            });
            let (by, place) = largest.unwrap_or_default();
            let moved = grouped(summary.configurations);
            [
                measure.name.clone(),
                moved,
                mean.unwrap_or_default(),
                by,
                place,
            ]
        };
        let head = ["column", "configurations", "mean", "largest"];
        let mut columns = Column::of_numbers(head);
        columns.push(Column::left("at"));
        Block::table(Table::new(columns).with_rows(moved.map(row)))
    }
}

/// The largest differences within the tolerances: `0.5 points`, `0.25 of mean(total)`.
pub(super) fn within<'d>(drifts: impl IntoIterator<Item = &'d Drift>) -> String {
    let mut most: [Option<(&RBig, &Measure)>; 2] = [None; 2];
    for drift in drifts {
        for (measure, summary) in drift.measures().iter().zip(drift.summaries()) {
            let most = &mut most[usize::from(!measure.is_probability)];
            if let Some(size) = &summary.within
                && most.is_none_or(|(largest, _)| size > largest)
            {
                *most = Some((size, measure));
            }
        }
    }
    let shown = |(size, measure): (&RBig, &Measure)| {
        let size = magnitude(size, measure.is_probability, Form::USUAL);
        match measure.is_probability {
            true => format!("{size} points"),
            false => format!("{size} of {}", measure.name),
        }
    };
    let kinds: Vec<String> = most.into_iter().flatten().map(shown).collect();
    kinds.join(" and ")
}

/// `+17.13`, `-0.5`, `+inf`
fn difference(by: &Value, is_probability: bool) -> String {
    match by {
        Value::Finite(by) => signed(by, is_probability, Form::USUAL),
        Value::Infinite => format!("+{INFINITE}"),
        Value::Falling => format!("-{INFINITE}"),
    }
}

/// `36.00%`, `7.5`, `inf`, or `-` where there is no answer.
fn answer(answer: Option<&Value>, is_probability: bool) -> String {
    answer.map_or("-".to_owned(), |answer| value(answer, is_probability))
}

/// `36.00%`, `7.5`, `inf`.
pub(crate) fn value(value: &Value, is_probability: bool) -> String {
    match value {
        Value::Finite(ratio) if is_probability && *ratio >= RBig::ZERO => {
            Form::USUAL.show_ratio(ratio)
        }
        Value::Finite(ratio) => words::value(ratio),
        Value::Infinite => INFINITE.to_owned(),
        Value::Falling => format!("-{INFINITE}"),
    }
}

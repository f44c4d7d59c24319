//! How two tables differ, in words and cells.

use oddsmith::project::{ComparedTable, Measure, Moved, Summary, Value, value, within};

use crate::document::{Block, Column, Medium, Table, Text};
use crate::format::difference::{magnitude, signed};
use crate::format::outcomes::INFINITE;
use crate::format::words::{Form, configurations, grouped};

/// How much moved, and which configurations are new or gone.
pub(super) fn summary(compared: &ComparedTable) -> String {
    let drift = &compared.drift;
    let (moved, all) = (drift.moved_configurations(), drift.configurations());
    let mut parts = Vec::new();
    if moved > 0 {
        parts.push(format!(
            "{} of {} moved",
            grouped(moved),
            configurations(all)
        ));
    } else if !drift.is_any() {
        let what = if compared.is_renamed {
            "has other names; what it had is"
        } else if compared.has_other_columns {
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
            let first = compared.told(first);
            let first = match number {
                1 => first,
                _ => format!("the first is {first}"),
            };
            let is = if number == 1 { "is" } else { "are" };
            parts.push(format!("{} {is} {word} ({first})", configurations(number)));
        }
    }
    if let Some((number, first)) = drift.moved_elsewhere() {
        let configurations = configurations(number);
        let first = compared.told(first);
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
pub(crate) fn largest(compared: &ComparedTable) -> Option<String> {
    let moved = compared.drift.moved().first()?;
    let [before, after, by] = cells(compared, moved);
    let measure = compared.told_column(&compared.drift.measures()[moved.measure].name);
    let place = compared.told(&moved.configuration);
    let by = if by.is_empty() {
        by
    } else {
        format!(", {by}{}", unit(compared, moved.measure))
    };
    Some(format!("{measure} {before} -> {after}{by} at {place}"))
}

fn unit(compared: &ComparedTable, measure: usize) -> &'static str {
    if compared.drift.measures()[measure].is_probability {
        " points"
    } else {
        ""
    }
}

/// Before, after, and the difference.
pub(crate) fn cells(compared: &ComparedTable, moved: &Moved) -> [String; 3] {
    let is_probability = compared.drift.measures()[moved.measure].is_probability;
    let by = moved.difference();
    [
        answer(moved.before.as_ref(), is_probability),
        answer(moved.after.as_ref(), is_probability),
        by.map_or(String::new(), |by| difference(&by, is_probability)),
    ]
}

/// The configurations that moved, the most first, and how many more there are.
pub(super) fn moves(compared: &ComparedTable) -> [Block; 3] {
    let [configuration, column] = ["configuration", "column"].map(Column::left);
    let [before, after, difference] = ["before", "after", "difference"].map(Column::right);
    let moved = compared.drift.moved();
    let row = |moved: &Moved| {
        let measure = compared.told_column(&compared.drift.measures()[moved.measure].name);
        let first = [compared.told(&moved.configuration), measure];
        first.into_iter().chain(cells(compared, moved))
    };
    let table = Table::new([configuration, column, before, after, difference]);
    let table = table.with_rows(moved.iter().map(row));
    let more = match compared.drift.moved_answers() - moved.len() as u64 {
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
pub(super) fn summaries(compared: &ComparedTable) -> Block {
    let measures = compared
        .drift
        .measures()
        .iter()
        .zip(compared.drift.summaries());
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
            (by, compared.told(&largest.configuration))
        });
        let (by, place) = largest.unwrap_or_default();
        let moved = grouped(summary.configurations);
        [
            compared.told_column(&measure.name),
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

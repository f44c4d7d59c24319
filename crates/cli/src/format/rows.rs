//! The rows of a table as bytes, one after the other. Every style but CSV, which the library writes, is the same cells
//! between different marks.

use oddsmith::csv_rows::CsvRows;
use oddsmith_exact::{Answer, Row, RowAnswer};
use oddsmith_rules::{Check, InputRange, Query};

use crate::document::Markup;
use crate::format::columns::{self, Cell, Column, ColumnKind, Columns};
use crate::format::outcomes::infinite;
use crate::format::words::Form;
use crate::number;

pub(crate) use oddsmith::csv_rows::record as csv_record;

/// What stands around cells and rows, and how probabilities are written: as decimals for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowStyle {
    Csv,
    Jsonl,
    Document(Markup, Form),
}

/// The columns of a table in one style.
#[derive(Clone, Debug)]
pub(crate) enum Layout {
    Csv(CsvRows),
    Marked(Marked),
}

impl Layout {
    /// The swept axes, then the answers, then with `exact` their weights and totals.
    pub(crate) fn new(
        style: RowStyle,
        check: &Check,
        ranges: &[InputRange],
        queries: &[Query],
        exact: bool,
    ) -> Self {
        let columns = Columns::new(check, ranges, queries, exact);
        let style = match style {
            RowStyle::Csv => return Self::Csv(CsvRows::new(columns)),
            RowStyle::Jsonl => Marking::Jsonl,
            RowStyle::Document(markup, form) => Marking::Document(markup, form),
        };
        Self::Marked(Marked::new(style, columns))
    }

    /// What comes before the rows.
    pub(crate) fn head(&self) -> Vec<u8> {
        match self {
            Self::Csv(rows) => rows.head(),
            Self::Marked(marked) => marked.head(),
        }
    }

    /// What comes after the rows.
    pub(crate) fn foot(&self) -> &'static [u8] {
        match self {
            Self::Marked(Marked {
                style: Marking::Document(markup, _),
                ..
            }) => markup.foot().as_bytes(),
            Self::Csv(_) | Self::Marked(_) => b"",
        }
    }

    /// Appends a row.
    pub(crate) fn render(&self, row: &Row<'_>, out: &mut Vec<u8>) {
        match self {
            Self::Csv(rows) => rows.push(row, out),
            Self::Marked(marked) => marked.render(row, out),
        }
    }
}

/// What marks stand between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marking {
    Jsonl,
    Document(Markup, Form),
}

/// Columns whose cells stand between marks.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    style: Marking,
    columns: Columns,
    /// Of each column what its cells are written with.
    marks: Vec<Marks>,
    /// The end of a row.
    end: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Marks {
    /// The bytes between the cell before and this one.
    before: Vec<u8>,
    /// The labels as they stand in a cell.
    labels: Vec<Vec<u8>>,
}

impl Marked {
    fn new(style: Marking, columns: Columns) -> Self {
        let mut last_quote = "";
        let mut marks = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            let quote = quote(style, column);
            let before = format!("{last_quote}{}{quote}", opening(style, at, &column.name));
            marks.push(Marks {
                before: before.into_bytes(),
                labels: labels(style, column),
            });
            last_quote = quote;
        }
        let end = match style {
            Marking::Jsonl => "}\n",
            Marking::Document(markup, _) => markup.row_marks()[2],
        };
        Self {
            style,
            columns,
            marks,
            end: [last_quote, end].concat().into_bytes(),
        }
    }

    fn head(&self) -> Vec<u8> {
        match self.style {
            Marking::Document(markup, _) => {
                let aligns = columns::aligns(&self.columns);
                markup.head(&self.columns.titles(), &aligns).into_bytes()
            }
            Marking::Jsonl => Vec::new(),
        }
    }

    fn render(&self, row: &Row<'_>, out: &mut Vec<u8>) {
        self.columns.cells(row, |at, column, cell| {
            let marks = &self.marks[at];
            out.extend_from_slice(&marks.before);
            match cell {
                Cell::Whole(value) => match (self.style, column.value_label(value)) {
                    (Marking::Document(markup, _), Some(label)) => {
                        out.extend_from_slice(markup.escape(label).as_bytes());
                    }
                    _ => number::push_int(value, out),
                },
                Cell::Label(place) => out.extend_from_slice(&marks.labels[place]),
                Cell::WeightPart(part, answer, common) => {
                    columns::push_part(part, answer, common, out);
                }
                Cell::Nothing if self.style == Marking::Jsonl && !column.is_part() => {
                    out.extend_from_slice(b"null");
                }
                Cell::Nothing => {}
                Cell::Answer(answer, kind) => match self.style {
                    Marking::Jsonl => push_json(answer, out),
                    Marking::Document(_, form) => {
                        out.extend_from_slice(columns::answer_text(answer, kind, form).as_bytes());
                    }
                },
            }
        });
        out.extend_from_slice(&self.end);
    }
}

/// A decimal as JSON, which has no infinity: that is text there. `null` where a query has no answer: what stands after its
/// `|` never happens.
#[inline]
fn push_json(answer: RowAnswer<'_>, out: &mut Vec<u8>) {
    match columns::decimal(answer) {
        Some(value) if value.is_finite() => number::push_decimal(value, out),
        Some(_) => {
            let text = infinite(&Answer::from(answer));
            out.extend_from_slice(json_text(text).as_bytes());
        }
        None => out.extend_from_slice(b"null"),
    }
}

/// What a cell stands between: whole numbers without bound are text in JSON.
fn quote(style: Marking, column: &Column) -> &'static str {
    let is_unbounded = column.kind() == ColumnKind::Text && column.labels.is_none();
    match style {
        Marking::Jsonl if is_unbounded => "\"",
        _ => "",
    }
}

/// What comes before the cell at a place of the row.
fn opening(style: Marking, at: usize, name: &str) -> String {
    match style {
        Marking::Document(markup, _) => markup.row_marks()[at.min(1)].to_owned(),
        Marking::Jsonl => {
            let open = if at == 0 { '{' } else { ',' };
            format!("{open}{}:", json_text(name))
        }
    }
}

/// The labels of a column as they stand in a cell.
fn labels(style: Marking, column: &Column) -> Vec<Vec<u8>> {
    let places = 0..column.labels.as_ref().map_or(0, Vec::len);
    let shown = |place| match style {
        Marking::Jsonl => json_text(column.label(place)).into_bytes(),
        Marking::Document(markup, _) => markup.escape(column.label_for(place, true)).into_bytes(),
    };
    places.map(shown).collect()
}

fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

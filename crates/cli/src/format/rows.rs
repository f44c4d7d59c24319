//! The rows of a table as bytes, one after the other: every style is the same cells between different marks.

use oddsmith_exact::{Answer, Row, RowAnswer};
use oddsmith_rules::{Check, InputRange, Query};

use crate::document::Markup;
use crate::format::columns::{self, Cell, Column, ColumnKind, Columns};
use crate::format::outcomes::infinite;
use crate::format::words::Form;
use crate::number;

/// What stands around cells and rows, and how probabilities are written: as decimals for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowStyle {
    Csv,
    Jsonl,
    Document(Markup, Form),
}

/// The columns of a table in one style.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    style: RowStyle,
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
            RowStyle::Csv => "\n",
            RowStyle::Jsonl => "}\n",
            RowStyle::Document(markup, _) => markup.row_marks()[2],
        };
        Self {
            style,
            columns,
            marks,
            end: [last_quote, end].concat().into_bytes(),
        }
    }

    /// What comes before the rows.
    pub(crate) fn head(&self) -> Vec<u8> {
        let names = self.columns.names();
        match self.style {
            RowStyle::Csv => csv_record(&names),
            RowStyle::Document(markup, _) => {
                markup.head(&names, &self.columns.aligns()).into_bytes()
            }
            RowStyle::Jsonl => Vec::new(),
        }
    }

    /// What comes after the rows.
    pub(crate) fn foot(&self) -> &'static [u8] {
        match self.style {
            RowStyle::Document(markup, _) => markup.foot().as_bytes(),
            RowStyle::Csv | RowStyle::Jsonl => b"",
        }
    }

    /// Appends a row.
    pub(crate) fn render(&self, row: &Row<'_>, out: &mut Vec<u8>) {
        self.columns.cells(row, |at, column, cell| {
            let marks = &self.marks[at];
            out.extend_from_slice(&marks.before);
            match cell {
                Cell::Whole(value) => number::push_int(value, out),
                Cell::Label(place) => out.extend_from_slice(&marks.labels[place]),
                Cell::Part(part, answer, common) => columns::push_part(part, answer, common, out),
                Cell::Nothing if self.style == RowStyle::Jsonl && !column.is_part() => {
                    out.extend_from_slice(b"null");
                }
                Cell::Nothing => {}
                Cell::Answer(answer, kind) => match self.style {
                    RowStyle::Csv => push_decimal(answer, false, out),
                    RowStyle::Jsonl => push_decimal(answer, true, out),
                    RowStyle::Document(_, form) => {
                        out.extend_from_slice(columns::answer_text(answer, kind, form).as_bytes());
                    }
                },
            }
        });
        out.extend_from_slice(&self.end);
    }
}

/// Nothing (in JSON `null`) where a query has no answer: what stands after its `|` never happens.
#[inline]
fn push_decimal(answer: RowAnswer<'_>, is_json: bool, out: &mut Vec<u8>) {
    match columns::decimal(answer) {
        Some(value) if value.is_finite() => number::push_decimal(value, out),
        Some(_) => {
            let text = infinite(&Answer::from(answer));
            // JSON has no infinity: it is text there.
            let text = if is_json {
                json_text(text)
            } else {
                text.to_owned()
            };
            out.extend_from_slice(text.as_bytes());
        }
        None if is_json => out.extend_from_slice(b"null"),
        None => {}
    }
}

/// What a cell stands between: whole numbers without bound are text in JSON.
fn quote(style: RowStyle, column: &Column) -> &'static str {
    let is_unbounded = column.kind() == ColumnKind::Text && column.labels.is_none();
    match style {
        RowStyle::Jsonl if is_unbounded => "\"",
        _ => "",
    }
}

/// What comes before the cell at a place of the row.
fn opening(style: RowStyle, at: usize, name: &str) -> String {
    match style {
        RowStyle::Document(markup, _) => markup.row_marks()[at.min(1)].to_owned(),
        RowStyle::Jsonl => {
            let open = if at == 0 { '{' } else { ',' };
            format!("{open}{}:", json_text(name))
        }
        RowStyle::Csv if at == 0 => String::new(),
        RowStyle::Csv => ",".to_owned(),
    }
}

/// The labels of a column as they stand in a cell.
fn labels(style: RowStyle, column: &Column) -> Vec<Vec<u8>> {
    let shown = |label: &String| match style {
        RowStyle::Csv => quoted(label),
        RowStyle::Jsonl => json_text(label).into_bytes(),
        RowStyle::Document(markup, _) => markup.escape(label).into_bytes(),
    };
    column.labels.iter().flatten().map(shown).collect()
}

fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Text as a line of a CSV file.
pub(crate) fn csv_record(fields: &[impl AsRef<str>]) -> Vec<u8> {
    let fields: Vec<Vec<u8>> = fields.iter().map(|field| quoted(field.as_ref())).collect();
    [fields.join(&b','), b"\n".to_vec()].concat()
}

/// Text as a CSV field.
fn quoted(text: &str) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::Any(b'\n'))
        .from_writer(Vec::new());
    // A second field, since an only field that is empty would be quoted.
    writer
        .write_record([text, ""])
        .expect("memory takes what is written");
    let mut field = writer.into_inner().expect("memory takes what is written");
    field.truncate(field.len() - 2);
    field
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_are_quoted_when_they_must_be() {
        assert_eq!(quoted("4/5"), b"4/5");
        assert_eq!(quoted("P(value>=1, 2)"), b"\"P(value>=1, 2)\"");
        assert_eq!(quoted("so \"called\""), b"\"so \"\"called\"\"\"");
        assert_eq!(quoted(""), b"");
    }
}

//! The rows of a large table: every style is the same cells between different bytes.

use oddsmith_exact::{Answer, Answers, IBig, RBig, Row, RowAnswer, UBig};
use oddsmith_rules::{Check, Domain, InputRange, Query};

use crate::format::grid::{Align, Cell as GridCell, Grid};
use crate::format::markup::Markup;
use crate::format::outcomes::{Kind, infinite};
use crate::format::words::{self, Form};
use crate::number;

/// Between cells and rows of what is to be aligned; not in any label.
pub(crate) const CELL: char = '\u{1f}';

/// What stands around cells and rows, and how probabilities are written: as decimals where there is no form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowStyle {
    Csv,
    Jsonl,
    Document(Markup, Form),
    /// Cells that stand apart, to be aligned, typed or laid out later.
    Cells(Option<Form>),
}

impl RowStyle {
    fn form(self) -> Option<Form> {
        match self {
            Self::Csv | Self::Jsonl => None,
            Self::Document(_, form) => Some(form),
            Self::Cells(form) => form,
        }
    }
}

/// What a cell shows of a row.
#[derive(Clone, Debug)]
enum Content {
    /// A swept value: a number, or the text of the label at that place.
    Axis {
        place: usize,
        labels: Option<Vec<Vec<u8>>>,
    },
    /// An answer.
    Answer { answer: usize, kind: Kind },
    /// An answer's weight; over the common total if it is a plain probability.
    Weight { answer: usize, is_common: bool },
    /// An answer's total; or the common one.
    Total { answer: usize, is_common: bool },
}

#[derive(Clone, Debug)]
struct Column {
    name: String,
    content: Content,
    /// The bytes between the cell before and this one.
    before: Vec<u8>,
}

/// The columns of a table in one style.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    style: RowStyle,
    columns: Vec<Column>,
    /// Answers that are plain probabilities and so share one total.
    common: Vec<usize>,
    /// The end of a row.
    end: Vec<u8>,
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
        let is_common = |query: &Query| Kind::of(query).is_probability() && query.given.is_none();
        let common: Vec<usize> = (0..queries.len())
            .filter(|&at| is_common(&queries[at]))
            .collect();
        let mut columns: Vec<(String, Content)> = Vec::new();
        for (place, range) in ranges.iter().enumerate() {
            let input = &check.inputs[range.input.0];
            columns.push((
                input.name.clone(),
                Content::Axis {
                    place,
                    labels: labels(style, &input.domain),
                },
            ));
        }
        for (answer, query) in queries.iter().enumerate() {
            columns.push((
                query.text.clone(),
                Content::Answer {
                    answer,
                    kind: Kind::of(query),
                },
            ));
        }
        if exact {
            push_exact(queries, &common, &mut columns);
        }
        let (columns, end) = with_bytes_between(style, columns);
        Self {
            style,
            columns,
            common,
            end,
        }
    }

    /// What comes before the rows.
    pub(crate) fn head(&self) -> Vec<u8> {
        let names = self.names();
        match self.style {
            RowStyle::Csv => csv_record(&names),
            RowStyle::Document(markup, _) => markup.head(&names, &self.aligns()).into_bytes(),
            RowStyle::Jsonl | RowStyle::Cells(_) => Vec::new(),
        }
    }

    /// What comes after the rows.
    pub(crate) fn foot(&self) -> &'static [u8] {
        match self.style {
            RowStyle::Document(markup, _) => markup.foot().as_bytes(),
            RowStyle::Csv | RowStyle::Jsonl | RowStyle::Cells(_) => b"",
        }
    }

    fn names(&self) -> Vec<&str> {
        let names = self.columns.iter().map(|column| column.name.as_str());
        names.collect()
    }

    fn aligns(&self) -> Vec<Align> {
        self.columns.iter().map(Column::align).collect()
    }

    /// Appends a row.
    pub(crate) fn render(&self, row: &Row<'_>, out: &mut Vec<u8>) {
        let common = self.common_total(row.answers);
        for column in &self.columns {
            out.extend_from_slice(&column.before);
            self.push_content(&column.content, row, common.as_ref(), out);
        }
        out.extend_from_slice(&self.end);
    }

    /// The total over which all plain probabilities of a row can be written, if they do not all have the same:
    /// questions about different outcomes may come with different totals.
    fn common_total(&self, answers: Answers<'_>) -> Option<UBig> {
        if answers.shared().is_some() {
            return None;
        }
        let (&first, rest) = self.common.split_first()?;
        let is_same = |&at: &usize| match (answers.get(first), answers.get(at)) {
            (RowAnswer::Small { total, .. }, RowAnswer::Small { total: other, .. }) => {
                total == other
            }
            (one, other) => Answer::from(one).total == Answer::from(other).total,
        };
        if rest.iter().all(is_same) {
            return None;
        }
        let first = Answer::from(answers.get(first)).total;
        let multiple = rest.iter().fold(first, |lcm, &at| {
            // a/b in lowest terms is (lcm/b)/(lcm/a).
            let total = Answer::from(answers.get(at)).total;
            let ratio = RBig::from_parts(IBig::from(lcm.clone()), total);
            lcm * ratio.denominator()
        });
        Some(multiple)
    }

    fn push_content(
        &self,
        content: &Content,
        row: &Row<'_>,
        common: Option<&UBig>,
        out: &mut Vec<u8>,
    ) {
        match content {
            Content::Axis {
                place,
                labels: None,
            } => number::push_int(row.values[*place], out),
            Content::Axis {
                place,
                labels: Some(labels),
            } => {
                let label = usize::try_from(row.values[*place])
                    .ok()
                    .and_then(|at| labels.get(at));
                out.extend_from_slice(label.expect("a label's value is its place"));
            }
            Content::Answer { answer, kind } => {
                self.push_answer(row.answers.get(*answer), *kind, out);
            }
            Content::Weight { answer, is_common } => {
                let answer = row.answers.get(*answer);
                match (common.filter(|_| *is_common), answer) {
                    (Some(common), answer) => {
                        let Answer { weight, total } = Answer::from(answer);
                        number::push_ibig(&(weight * IBig::from(common / total)), out);
                    }
                    (None, RowAnswer::Small { weight, .. }) => number::push_i128(weight, out),
                    (None, RowAnswer::Big(answer)) => number::push_ibig(&answer.weight, out),
                }
            }
            Content::Total { answer, is_common } => {
                match (common.filter(|_| *is_common), row.answers.get(*answer)) {
                    (Some(common), _) => number::push_ubig(common, out),
                    (None, RowAnswer::Small { total, .. }) => number::push_i128(total, out),
                    (None, RowAnswer::Big(answer)) => number::push_ubig(&answer.total, out),
                }
            }
        }
    }

    fn push_answer(&self, answer: RowAnswer<'_>, kind: Kind, out: &mut Vec<u8>) {
        if let Some(form) = self.style.form() {
            let answer = Answer::from(answer);
            match answer.to_ratio() {
                Some(_) if kind.is_probability() => {
                    out.extend_from_slice(form.show(&answer.weight, &answer.total).as_bytes());
                }
                Some(ratio) => out.extend_from_slice(words::value(&ratio).as_bytes()),
                None => push_no_number(&answer, self.style, out),
            }
            return;
        }
        let value = match answer {
            RowAnswer::Small { weight, total } => number::small_quotient(weight, total),
            RowAnswer::Big(answer) => number::quotient(&answer.weight, &answer.total),
        };
        match value {
            Some(value) => number::push_decimal(value, out),
            None => push_no_number(&Answer::from(answer), self.style, out),
        }
    }

    /// The names and kinds of the columns, for those that want types.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&str, ColumnKind)> {
        self.columns.iter().map(|column| {
            let kind = match &column.content {
                Content::Axis { labels: None, .. } => ColumnKind::Whole,
                Content::Answer { .. } => ColumnKind::Decimal,
                // Weights have no bound: they are text, as in JSON.
                Content::Axis { .. } | Content::Weight { .. } | Content::Total { .. } => {
                    ColumnKind::Text
                }
            };
            (column.name.as_str(), kind)
        })
    }

    /// The cells of rendered rows; only for styles whose cells stand apart.
    pub(crate) fn cells(rows: &str) -> impl Iterator<Item = impl Iterator<Item = &str>> {
        rows.lines().map(|line| line.split(CELL))
    }

    /// The rendered rows in aligned columns; only for styles whose cells stand apart.
    pub(crate) fn align(&self, rows: &[u8]) -> String {
        let mut grid = Grid::new(&self.aligns());
        grid.head(&self.names());
        for line in String::from_utf8_lossy(rows).lines() {
            grid.push(line.split(CELL).map(GridCell::from).collect());
        }
        grid.render("")
    }
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// 64-bit integers.
    Whole,
    /// Floats; some may be missing.
    Decimal,
    /// Labels, and integers without bound.
    Text,
}

impl Column {
    fn align(&self) -> Align {
        match &self.content {
            Content::Axis {
                labels: Some(_), ..
            } => Align::Left,
            _ => Align::Right,
        }
    }
}

/// Weights over the common total first, then weight and total of every other question.
fn push_exact(queries: &[Query], common: &[usize], columns: &mut Vec<(String, Content)>) {
    for &answer in common {
        columns.push((
            format!("weight:{}", queries[answer].text),
            Content::Weight {
                answer,
                is_common: true,
            },
        ));
    }
    if let Some(&answer) = common.first() {
        let is_common = true;
        columns.push(("total".to_owned(), Content::Total { answer, is_common }));
    }
    for (answer, query) in queries
        .iter()
        .enumerate()
        .filter(|(at, _)| !common.contains(at))
    {
        columns.push((
            format!("weight:{}", query.text),
            Content::Weight {
                answer,
                is_common: false,
            },
        ));
        columns.push((
            format!("total:{}", query.text),
            Content::Total {
                answer,
                is_common: false,
            },
        ));
    }
}

/// Columns with the bytes before their cells, and the end of a row.
fn with_bytes_between(style: RowStyle, columns: Vec<(String, Content)>) -> (Vec<Column>, Vec<u8>) {
    let mut last_quote = "";
    let columns = columns
        .into_iter()
        .enumerate()
        .map(|(at, (name, content))| {
            let quote = quote(style, &content);
            let before = format!("{last_quote}{}{quote}", opening(style, at, &name)).into_bytes();
            last_quote = quote;
            Column {
                name,
                content,
                before,
            }
        });
    let columns = columns.collect();
    let end = match style {
        RowStyle::Csv | RowStyle::Cells(_) => "\n",
        RowStyle::Jsonl => "}\n",
        RowStyle::Document(markup, _) => markup.row_marks()[2],
    };
    (columns, [last_quote, end].concat().into_bytes())
}

/// What a cell stands between: whole numbers without bound are text in JSON.
fn quote(style: RowStyle, content: &Content) -> &'static str {
    match content {
        Content::Weight { .. } | Content::Total { .. } if style == RowStyle::Jsonl => "\"",
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
        _ if at == 0 => String::new(),
        RowStyle::Csv => ",".to_owned(),
        RowStyle::Cells(_) => CELL.to_string(),
    }
}

/// The labels of a choice as they stand in a cell.
fn labels(style: RowStyle, domain: &Domain) -> Option<Vec<Vec<u8>>> {
    let Domain::Choice(choice) = domain else {
        return None;
    };
    let shown = |label: &String| match style {
        RowStyle::Csv => quoted(label),
        RowStyle::Jsonl => json_text(label).into_bytes(),
        RowStyle::Document(markup, _) => markup.escape(label).into_bytes(),
        RowStyle::Cells(_) => label.clone().into_bytes(),
    };
    Some(choice.labels.iter().map(shown).collect())
}

/// Nothing (`null`) where a query has no answer: what stands after its `|` never happens.
fn push_no_number(answer: &Answer, style: RowStyle, out: &mut Vec<u8>) {
    match style {
        // JSON has no infinity: it is text there.
        RowStyle::Jsonl if answer.is_infinite() => {
            out.extend_from_slice(json_text(infinite(answer)).as_bytes());
        }
        _ if answer.is_infinite() => out.extend_from_slice(infinite(answer).as_bytes()),
        RowStyle::Jsonl => out.extend_from_slice(b"null"),
        _ => {}
    }
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

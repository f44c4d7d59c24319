//! The rows of a large table: every style is the same cells between different bytes.

use oddsmith_exact::{Answer, Answers, IBig, RBig, Row, RowAnswer, UBig};
use oddsmith_rules::{Check, Domain, InputRange, Query};

use crate::args::TableFormat;
use crate::format::grid::{Align, Cell as GridCell, Grid, escape};
use crate::format::outcomes::{Kind, infinite};
use crate::format::words;
use crate::number;

/// Between cells and rows of what is to be aligned; not in any label.
const CELL: char = '\u{1f}';

/// What a cell shows of a row.
#[derive(Clone, Debug)]
enum Content {
    /// A swept value: a number, or the text of the label at that place.
    Axis {
        place: usize,
        labels: Option<Vec<Vec<u8>>>,
    },
    /// An answer as a decimal.
    Decimal { answer: usize, kind: Kind },
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
    format: TableFormat,
    columns: Vec<Column>,
    /// Answers that are plain probabilities and so share one total.
    common: Vec<usize>,
    /// The end of a row.
    end: Vec<u8>,
}

impl Layout {
    /// The swept axes, then the answers, then with `exact` their weights and totals.
    pub(crate) fn new(
        format: TableFormat,
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
                    labels: labels(format, &input.domain),
                },
            ));
        }
        for (answer, query) in queries.iter().enumerate() {
            columns.push((
                query.text.clone(),
                Content::Decimal {
                    answer,
                    kind: Kind::of(query),
                },
            ));
        }
        if exact {
            push_exact(queries, &common, &mut columns);
        }
        let (columns, end) = with_bytes_between(format, columns);
        Self {
            format,
            columns,
            common,
            end,
        }
    }

    /// What comes before the rows.
    pub(crate) fn head(&self) -> Vec<u8> {
        let names = self.columns.iter().map(|column| column.name.as_str());
        match self.format {
            TableFormat::Csv => {
                let names: Vec<Vec<u8>> = names.map(quoted).collect();
                [names.join(&b','), b"\n".to_vec()].concat()
            }
            TableFormat::Markdown => {
                let names: Vec<String> = names.map(escape).collect();
                let rules: String = self.columns.iter().map(Column::markdown_rule).collect();
                format!("| {} |\n{rules}|\n", names.join(" | ")).into_bytes()
            }
            TableFormat::Jsonl | TableFormat::Table | TableFormat::Parquet => Vec::new(),
        }
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
            Content::Decimal { answer, kind } => {
                self.push_decimal(row.answers.get(*answer), *kind, out);
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

    fn push_decimal(&self, answer: RowAnswer<'_>, kind: Kind, out: &mut Vec<u8>) {
        let value = match answer {
            RowAnswer::Small { weight, total } => number::small_quotient(weight, total),
            RowAnswer::Big(answer) => number::quotient(&answer.weight, &answer.total),
        };
        match (value, self.format) {
            (Some(value), TableFormat::Table) if kind.is_probability() => {
                out.extend_from_slice(words::percent(value).as_bytes());
            }
            (Some(_), TableFormat::Table) => {
                let ratio = Answer::from(answer).to_ratio().expect("its total is not 0");
                out.extend_from_slice(words::value(&ratio).as_bytes());
            }
            (Some(value), _) => number::push_decimal(value, out),
            (None, format) => push_no_number(&Answer::from(answer), format, out),
        }
    }

    /// The names and kinds of the columns, for [`TableFormat::Parquet`].
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&str, ColumnKind)> {
        self.columns.iter().map(|column| {
            let kind = match &column.content {
                Content::Axis { labels: None, .. } => ColumnKind::Whole,
                Content::Decimal { .. } => ColumnKind::Decimal,
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

    /// The rendered rows in aligned columns; only for [`TableFormat::Table`].
    pub(crate) fn align(&self, rows: &[u8]) -> String {
        let aligns: Vec<Align> = self.columns.iter().map(Column::align).collect();
        let mut grid = Grid::new(&aligns);
        let names: Vec<&str> = self
            .columns
            .iter()
            .map(|column| column.name.as_str())
            .collect();
        grid.head(&names);
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
        if matches!(
            self.content,
            Content::Axis {
                labels: Some(_),
                ..
            }
        ) {
            Align::Left
        } else {
            Align::Right
        }
    }

    fn markdown_rule(&self) -> &'static str {
        if self.align() == Align::Left {
            "|---"
        } else {
            "|---:"
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
fn with_bytes_between(
    format: TableFormat,
    columns: Vec<(String, Content)>,
) -> (Vec<Column>, Vec<u8>) {
    let mut last_quote = "";
    let columns = columns
        .into_iter()
        .enumerate()
        .map(|(at, (name, content))| {
            let quote = quote(format, &content);
            let before = format!("{last_quote}{}{quote}", opening(format, at, &name)).into_bytes();
            last_quote = quote;
            Column {
                name,
                content,
                before,
            }
        });
    let columns = columns.collect();
    let end = match format {
        TableFormat::Csv | TableFormat::Table | TableFormat::Parquet => "\n",
        TableFormat::Jsonl => "}\n",
        TableFormat::Markdown => " |\n",
    };
    (columns, [last_quote, end].concat().into_bytes())
}

/// What a cell stands between: whole numbers without bound are text in JSON.
fn quote(format: TableFormat, content: &Content) -> &'static str {
    match content {
        Content::Weight { .. } | Content::Total { .. } if format == TableFormat::Jsonl => "\"",
        _ => "",
    }
}

/// What comes before the cell at a place of the row.
fn opening(format: TableFormat, at: usize, name: &str) -> String {
    match format {
        TableFormat::Markdown if at == 0 => "| ".to_owned(),
        TableFormat::Markdown => " | ".to_owned(),
        TableFormat::Jsonl => {
            let open = if at == 0 { '{' } else { ',' };
            format!("{open}{}:", json_text(name))
        }
        _ if at == 0 => String::new(),
        TableFormat::Csv => ",".to_owned(),
        TableFormat::Table | TableFormat::Parquet => CELL.to_string(),
    }
}

/// The labels of a choice as they stand in a cell.
fn labels(format: TableFormat, domain: &Domain) -> Option<Vec<Vec<u8>>> {
    let Domain::Choice(choice) = domain else {
        return None;
    };
    let shown = |label: &String| match format {
        TableFormat::Csv => quoted(label),
        TableFormat::Jsonl => json_text(label).into_bytes(),
        TableFormat::Markdown => escape(label).into_bytes(),
        TableFormat::Table | TableFormat::Parquet => label.clone().into_bytes(),
    };
    Some(choice.labels.iter().map(shown).collect())
}

/// Nothing (`null`) where a query has no answer: what stands after its `|` never happens.
fn push_no_number(answer: &Answer, format: TableFormat, out: &mut Vec<u8>) {
    match format {
        // JSON has no infinity: it is text there.
        TableFormat::Jsonl if answer.is_infinite() => {
            out.extend_from_slice(json_text(infinite(answer)).as_bytes());
        }
        _ if answer.is_infinite() => out.extend_from_slice(infinite(answer).as_bytes()),
        TableFormat::Jsonl => out.extend_from_slice(b"null"),
        _ => {}
    }
}

fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
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

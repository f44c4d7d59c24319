//! The rows of a large table: every style is the same cells between different bytes.

use oddsmith_exact::{Answer, IBig, RBig, Row, UBig};
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
    /// An answer's own total, or the common one.
    Total { answer: Option<usize> },
}

#[derive(Clone, Debug)]
struct Column {
    name: String,
    content: Content,
    /// The bytes around the cell.
    before: Vec<u8>,
    after: &'static [u8],
}

/// The columns of a table in one style.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    format: TableFormat,
    columns: Vec<Column>,
    /// Answers that are plain probabilities and so share one total.
    common: Vec<usize>,
    /// The end of a row.
    end: &'static [u8],
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
        let columns = columns.into_iter().enumerate();
        let columns = columns
            .map(|(at, (name, content))| column(format, at, name, content))
            .collect();
        let end: &[u8] = match format {
            TableFormat::Csv => b"\n",
            TableFormat::Jsonl => b"}\n",
            TableFormat::Markdown => b" |\n",
            TableFormat::Table | TableFormat::Parquet => b"\n",
        };
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
            out.extend_from_slice(column.after);
        }
        out.extend_from_slice(self.end);
    }

    /// The total over which all plain probabilities of a row can be written. Questions about different
    /// outcomes may come with different totals; almost always they have the same.
    fn common_total<'r>(&self, answers: &'r [Answer]) -> Option<CommonTotal<'r>> {
        let (&first, rest) = self.common.split_first()?;
        let first = &answers[first].total;
        if rest.iter().all(|&at| answers[at].total == *first) {
            return Some(CommonTotal::Same(first));
        }
        let multiple = rest.iter().fold(first.clone(), |lcm, &at| {
            // a/b in lowest terms is (lcm/b)/(lcm/a).
            let ratio = RBig::from_parts(IBig::from(lcm.clone()), answers[at].total.clone());
            lcm * ratio.denominator()
        });
        Some(CommonTotal::Multiple(multiple))
    }

    fn push_content(
        &self,
        content: &Content,
        row: &Row<'_>,
        common: Option<&CommonTotal<'_>>,
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
                self.push_decimal(&row.answers[*answer], *kind, out);
            }
            Content::Weight { answer, is_common } => {
                let Answer { weight, total } = &row.answers[*answer];
                match common.filter(|_| *is_common) {
                    Some(CommonTotal::Multiple(multiple)) => {
                        number::push_ibig(&(weight * IBig::from(multiple / total)), out);
                    }
                    _ => number::push_ibig(weight, out),
                }
            }
            Content::Total {
                answer: Some(answer),
            } => number::push_ubig(&row.answers[*answer].total, out),
            Content::Total { answer: None } => match common {
                Some(CommonTotal::Same(total)) => number::push_ubig(total, out),
                Some(CommonTotal::Multiple(total)) => number::push_ubig(total, out),
                None => {}
            },
        }
    }

    /// Nothing (`null`) where a query has no answer: what stands after its `|` never happens.
    fn push_decimal(&self, answer: &Answer, kind: Kind, out: &mut Vec<u8>) {
        let value = number::quotient(&answer.weight, &answer.total);
        match (value, self.format) {
            // JSON has no infinity: it is text there.
            (None, TableFormat::Jsonl) if answer.is_infinite() => {
                out.extend_from_slice(json_text(infinite(answer)).as_bytes());
            }
            (None, _) if answer.is_infinite() => {
                out.extend_from_slice(infinite(answer).as_bytes());
            }
            (Some(value), TableFormat::Table) if kind.is_probability() => {
                out.extend_from_slice(words::percent(value).as_bytes());
            }
            (Some(_), TableFormat::Table) => {
                let ratio = answer.to_ratio().expect("its total is not 0");
                out.extend_from_slice(words::value(&ratio).as_bytes());
            }
            (Some(value), _) => number::push_decimal(value, out),
            (None, TableFormat::Jsonl) => out.extend_from_slice(b"null"),
            (None, _) => {}
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

/// What the plain probabilities of a row are written over.
enum CommonTotal<'r> {
    /// The total that they all have.
    Same(&'r UBig),
    /// A multiple of all their totals.
    Multiple(UBig),
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
    if !common.is_empty() {
        columns.push(("total".to_owned(), Content::Total { answer: None }));
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
                answer: Some(answer),
            },
        ));
    }
}

fn column(format: TableFormat, at: usize, name: String, content: Content) -> Column {
    // Whole numbers without bound are text in JSON.
    let is_text = format == TableFormat::Jsonl
        && matches!(content, Content::Weight { .. } | Content::Total { .. });
    let before = match format {
        TableFormat::Csv if at == 0 => String::new(),
        TableFormat::Csv => ",".to_owned(),
        TableFormat::Table | TableFormat::Parquet if at == 0 => String::new(),
        TableFormat::Table | TableFormat::Parquet => CELL.to_string(),
        TableFormat::Markdown if at == 0 => "| ".to_owned(),
        TableFormat::Markdown => " | ".to_owned(),
        TableFormat::Jsonl => {
            let open = if at == 0 { '{' } else { ',' };
            format!(
                "{open}{}:{}",
                json_text(&name),
                if is_text { "\"" } else { "" }
            )
        }
    };
    Column {
        name,
        content,
        before: before.into_bytes(),
        after: if is_text { b"\"" } else { b"" },
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

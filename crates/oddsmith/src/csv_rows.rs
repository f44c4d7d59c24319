//! Rows of a table as CSV, one after the other.

use oddsmith_exact::{Answer, Row, RowAnswer};

use crate::answer::infinite;
use crate::columns::{self, Cell, Columns};
use crate::number;

/// The columns of a table with what their cells are written with.
///
/// ```
/// use oddsmith::columns::Columns;
/// use oddsmith::csv_rows::CsvRows;
/// use oddsmith::{Game, TableRequest};
/// let game = Game::open("stars-and-signs")?;
/// let sweeps = vec!["circ_boons=-2..=2".to_owned()];
/// let table = game.table(&TableRequest { sweeps, only: vec!["mean(total)".into()], ..TableRequest::default() })?;
/// let rows = CsvRows::new(Columns::new(&table.check, &table.ranges, &table.queries, false));
/// assert_eq!(rows.head(), b"circ_boons,mean(total)\n");
/// # Ok::<(), oddsmith::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CsvRows {
    columns: Columns,
    /// Of each column the labels as they stand in a cell.
    labels: Vec<Vec<Vec<u8>>>,
}

impl CsvRows {
    /// Rows of these columns.
    pub fn new(columns: Columns) -> Self {
        let labels = columns.iter().map(|column| {
            let labels = column.labels.iter().flatten();
            labels.map(|label| field(label)).collect()
        });
        Self {
            labels: labels.collect(),
            columns,
        }
    }

    /// The names of the columns as a line.
    pub fn head(&self) -> Vec<u8> {
        record(&self.columns.names())
    }

    /// Appends a row as a line. A cell is empty where a query has no answer: what stands after its `|` never happens.
    pub fn push(&self, row: &Row<'_>, out: &mut Vec<u8>) {
        self.columns.cells(row, |at, _, cell| {
            if at > 0 {
                out.push(b',');
            }
            match cell {
                Cell::Whole(value) => number::push_int(value, out),
                Cell::Label(place) => out.extend_from_slice(&self.labels[at][place]),
                Cell::WeightPart(part, answer, common) => {
                    columns::push_part(part, answer, common, out);
                }
                Cell::Answer(answer, _) => push_decimal(answer, out),
                Cell::Nothing => {}
            }
        });
        out.push(b'\n');
    }
}

#[inline]
fn push_decimal(answer: RowAnswer<'_>, out: &mut Vec<u8>) {
    match columns::decimal(answer) {
        Some(value) if value.is_finite() => number::push_decimal(value, out),
        Some(_) => out.extend_from_slice(infinite(&Answer::from(answer)).as_bytes()),
        None => {}
    }
}

/// Texts as a line of a CSV file.
pub fn record(fields: &[impl AsRef<str>]) -> Vec<u8> {
    let fields: Vec<Vec<u8>> = fields.iter().map(|text| field(text.as_ref())).collect();
    [fields.join(&b','), b"\n".to_vec()].concat()
}

/// A text as a CSV field.
fn field(text: &str) -> Vec<u8> {
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
    use super::field;

    #[test]
    fn fields_are_quoted_when_they_must_be() {
        assert_eq!(field("4/5"), b"4/5");
        assert_eq!(field("P(value>=1, 2)"), b"\"P(value>=1, 2)\"");
        assert_eq!(field("so \"called\""), b"\"so \"\"called\"\"\"");
        assert_eq!(field(""), b"");
    }
}

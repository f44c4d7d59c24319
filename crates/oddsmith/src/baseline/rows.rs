//! The lines of an accepted table, one after the other.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use oddsmith_analysis::expect::Value;
use oddsmith_exact::{IBig, RBig, UBig};

use super::remedy::Remedy;
use super::table::ManifestTable;
use crate::Error;

/// A table's file as it is read; its head comes first.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    remedy: Remedy,
    file: BufReader<File>,
    line: Vec<u8>,
}

impl Lines {
    /// Opens the file.
    ///
    /// # Errors
    /// If it can't be read.
    pub(super) fn open(path: &Path, remedy: &Remedy) -> Result<Self, Error> {
        let missing = || remedy.damaged(format!("`{}` is missing", path.display()));
        let file = remedy.open(path)?.ok_or_else(missing)?;
        Ok(Self {
            path: path.to_owned(),
            remedy: remedy.clone(),
            file: BufReader::with_capacity(1 << 16, file),
            line: Vec::new(),
        })
    }

    /// The next line without its end.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, Error> {
        self.line.clear();
        let read = self.file.read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| {
            Error::advice(format!("can't read `{}`: {error}", self.path.display()), "")
        })?;
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Ok((read > 0).then_some(line))
    }

    /// The line that was read last.
    pub(crate) fn unreadable(&self) -> Error {
        let name = self.path.display();
        self.remedy
            .damaged(format!("`{name}` has a row that is none"))
    }
}

/// Bytes as text, for messages.
pub(super) fn text_of(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

/// Where in a line everything is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    axes: usize,
    fields: usize,
    /// Of each question the places of its weight and of its total.
    answers: Vec<(usize, usize)>,
}

/// A line as it is understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parsed {
    /// The swept axes.
    pub(crate) axes: Vec<String>,
    /// The answers, in the order of the table's questions.
    pub(crate) values: Vec<Option<Value>>,
}

impl Columns {
    /// From the head of a table; none if it is the head of another one.
    pub(crate) fn of(head: &[u8], table: &ManifestTable) -> Option<Self> {
        let head = fields(head)?;
        let axes = table.sweep.len();
        let first = axes + table.columns.len();
        let names = table.sweep.iter().map(|(axis, _)| axis);
        let names: Vec<&String> = names.chain(&table.columns).collect();
        if head.len() < first || !head[..first].iter().eq(names) {
            return None;
        }
        let place = |name: &str| {
            let place = head[first..].iter().position(|known| known == name)?;
            Some(first + place)
        };
        let answer = |query: &String| {
            let total = place(&format!("total:{query}")).or_else(|| place("total"));
            Some((place(&format!("weight:{query}"))?, total?))
        };
        let answers: Option<Vec<(usize, usize)>> = table.columns.iter().map(answer).collect();
        Some(Self {
            axes,
            fields: head.len(),
            answers: answers?,
        })
    }

    /// A line; none if it is no row of this table.
    pub(crate) fn parse(&self, line: &[u8]) -> Option<Parsed> {
        let fields = fields(line)?;
        if fields.len() != self.fields {
            return None;
        }
        let answers = self.answers.iter();
        let values: Option<Vec<Option<Value>>> = answers
            .map(|&(weight, total)| value(&fields[weight], &fields[total]))
            .collect();
        Some(Parsed {
            axes: fields[..self.axes].to_vec(),
            values: values?,
        })
    }
}

/// The fields of a line.
fn fields(line: &[u8]) -> Option<Vec<String>> {
    let text = std::str::from_utf8(line).ok()?;
    if !text.contains('"') {
        return Some(text.split(',').map(str::to_owned).collect());
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(line);
    let record = reader.records().next()?.ok()?;
    Some(record.iter().map(str::to_owned).collect())
}

/// `9` and `25`; `1` and `0` is a mean without end, `0` and `0` no answer, nothing at all the cells of a configuration that
/// breaks a rule. None of all if it is none of these.
fn value(weight: &str, total: &str) -> Option<Option<Value>> {
    if weight.is_empty() && total.is_empty() {
        return Some(None);
    }
    let (weight, total): (IBig, UBig) = (weight.parse().ok()?, total.parse().ok()?);
    Some(if total != UBig::ZERO {
        Some(Value::Finite(RBig::from_parts(weight, total)))
    } else {
        match weight.cmp(&IBig::ZERO) {
            Ordering::Less => Some(Value::Falling),
            Ordering::Equal => None,
            Ordering::Greater => Some(Value::Infinite),
        }
    })
}

#[cfg(test)]
mod tests {
    use oddsmith_analysis::expect::Value;
    use oddsmith_exact::RBig;

    use super::{Columns, ManifestTable};

    fn table() -> ManifestTable {
        ManifestTable {
            check: "check".to_owned(),
            columns: ["Miss", "a, \"b\"", "mean(x)"].map(str::to_owned).into(),
            sweep: vec![("total".to_owned(), Vec::new())],
            ..ManifestTable::default()
        }
    }

    const HEAD: &[u8] = b"total,Miss,\"a, \"\"b\"\"\",mean(x),weight:Miss,\"weight:a, \"\"b\"\"\",total,weight:mean(x),total:mean(x)";

    #[test]
    fn answers_are_where_the_head_says() {
        let columns = Columns::of(HEAD, &table()).expect("it is the head of this table");
        let row = columns.parse(b"\"4,5\",0.25,0.5,inf,1,2,4,1,0");
        let row = row.expect("it is a row of this table");
        let number =
            |n: i32, total: u8| Some(Value::Finite(RBig::from_parts(n.into(), total.into())));
        let infinite = Some(Value::Infinite);
        assert_eq!(row.axes, ["4,5"]);
        assert_eq!(row.values, [number(1, 4), number(1, 2), infinite]);
        let broken = columns
            .parse(b"0,,,,,,,,")
            .expect("it is a row without answers");
        assert_eq!(broken.values, [None, None, None]);
        assert_eq!(columns.parse(b"0,0.25,0.5,,1,2,4,0"), None);
        assert_eq!(columns.parse(b"0,0.25,0.5,,1,2,4,0,x"), None);
    }

    #[test]
    fn another_table_has_another_head() {
        let mut other = table();
        other.columns[0] = "Fail".to_owned();
        assert_eq!(Columns::of(HEAD, &other), None);
        assert_eq!(Columns::of(b"total", &table()), None);
        assert_eq!(Columns::of(b"", &table()), None);
    }
}

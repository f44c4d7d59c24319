//! Rows of a sweep as lines: the answers alone, since a row's place says which values it is of.
//!
//! ```text
//! 300 200 100/600      three answers over a total that they share
//! 1/2 7/3              answers with totals of their own
//! -                    a configuration in which a rule can't be carried out
//! +12                  twelve configurations without a row, which break a requirement
//! ```

use std::str::{self, FromStr};

use oddsmith_exact::{Error, IBig, KeptAnswers, Row, RowAnswer, UBig};
use oddsmith_numbers::decimal as number;
use oddsmith_rules::InputRange;

use super::configurations;

/// Lines of rows that follow one another.
#[derive(Debug, Default)]
pub struct RowLines {
    bytes: Vec<u8>,
    /// The numbers of the first row, and of the one after the last.
    ends: Option<(u64, u64)>,
}

impl RowLines {
    /// As what renders rows: adds the line of one.
    pub(crate) fn take(row: &Row<'_>, lines: &mut Self) {
        lines.push(row);
    }

    /// Adds the line of a row.
    pub fn push(&mut self, row: &Row<'_>) {
        let first = match self.ends {
            None => row.number,
            Some((first, next)) => {
                push_skipped(row.number - next, &mut self.bytes);
                first
            }
        };
        self.ends = Some((first, row.number + 1));
        push_answers(row, &mut self.bytes);
    }

    /// The lines, of which the first says what is skipped from `next` on; and the number after the last row.
    pub fn after(self, next: u64) -> (Vec<u8>, u64) {
        let Some((first, end)) = self.ends else {
            return (Vec::new(), next);
        };
        let mut lines = Vec::new();
        push_skipped(first - next, &mut lines);
        if lines.is_empty() {
            return (self.bytes, end);
        }
        lines.extend(self.bytes);
        (lines, end)
    }
}

/// The line of configurations that have no row, if there are any.
pub fn push_skipped(count: u64, out: &mut Vec<u8>) {
    if count > 0 {
        out.extend_from_slice(format!("+{count}\n").as_bytes());
    }
}

fn push_answers(row: &Row<'_>, out: &mut Vec<u8>) {
    if row.broken.is_some() {
        out.extend_from_slice(b"-\n");
        return;
    }
    if let Some((weights, total)) = row.answers.shared() {
        for (at, weight) in weights.iter().enumerate() {
            if at > 0 {
                out.push(b' ');
            }
            number::push_int(*weight, out);
        }
        out.push(b'/');
        number::push_int(total, out);
    } else {
        for (at, answer) in row.answers.iter().enumerate() {
            if at > 0 {
                out.push(b' ');
            }
            push_answer(answer, out);
        }
    }
    out.push(b'\n');
}

fn push_answer(answer: RowAnswer<'_>, out: &mut Vec<u8>) {
    match answer {
        RowAnswer::Small { weight, total } => {
            number::push_i128(weight, out);
            out.push(b'/');
            number::push_i128(total, out);
        }
        RowAnswer::Big(answer) => {
            number::push_ibig(&answer.weight, out);
            out.push(b'/');
            number::push_ubig(&answer.total, out);
        }
    }
}

/// What stands for the rule that a row breaks, which is looked for only of the first one.
const BROKEN: Error = Error::NeverHappens {
    query: String::new(),
    config: String::new(),
};

/// What a line says.
#[derive(Debug, PartialEq, Eq)]
enum Read {
    Answers,
    Broken,
    Skipped(u64),
}

/// Where lines of rows are read.
pub trait LineSource {
    /// Why a line can't be read.
    type Error;

    /// The next line without its end; none after the last.
    ///
    /// # Errors
    /// If it can't be read.
    fn next_line(&mut self) -> Result<Option<&[u8]>, Self::Error>;

    /// The error that the line at hand is none of the rows that are read.
    fn broken(&self, why: &str) -> Self::Error;
}

/// Configurations in which a rule can't be carried out, among rows that were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BrokenRows {
    /// How many there are.
    pub count: u64,
    /// The number of the first one.
    pub first: Option<u64>,
}

/// The rows of all configurations of a sweep, one after the other, from lines.
pub struct RowReader<'r, L> {
    lines: L,
    ranges: &'r [InputRange],
    /// How many configurations there are.
    all: u64,
    /// The number of the next row, and the places of its values.
    next: u64,
    places: Vec<usize>,
    values: Vec<i64>,
    answers: KeptAnswers,
    columns: usize,
    broken: BrokenRows,
}

/// Rows that are handed on together.
const ROWS_AT_ONCE: usize = 2048;

impl<'r, L: LineSource> RowReader<'r, L> {
    /// At the first row of a sweep with so many columns.
    pub fn new(lines: L, ranges: &'r [InputRange], columns: usize) -> Self {
        Self {
            lines,
            ranges,
            all: configurations(ranges),
            next: 0,
            places: vec![0; ranges.len()],
            values: Vec::new(),
            answers: KeptAnswers::default(),
            columns,
            broken: BrokenRows::default(),
        }
    }

    /// Hands on all rows in order, some of them together. If it is strict, a configuration in which a rule can't be carried
    /// out ends the rows.
    ///
    /// # Errors
    /// If a row can't be read, or there are more or fewer than the sweep has; the first error of `write`.
    pub fn run<B: Default, E: From<L::Error>>(
        mut self,
        is_strict: bool,
        render: impl Fn(&Row<'_>, &mut B),
        mut write: impl FnMut(B) -> Result<(), E>,
    ) -> Result<BrokenRows, E> {
        loop {
            let mut made = B::default();
            for _ in 0..ROWS_AT_ONCE {
                if !self.next(|row| render(row, &mut made), is_strict)? {
                    write(made)?;
                    return Ok(self.broken);
                }
            }
            write(made)?;
        }
    }

    /// Hands the next row on; whether there was one.
    fn next(&mut self, take: impl FnOnce(&Row<'_>), is_strict: bool) -> Result<bool, L::Error> {
        loop {
            let Some(line) = self.lines.next_line()? else {
                return match self.next == self.all {
                    true => Ok(false),
                    false => Err(self.lines.broken("its rows are not those of the table")),
                };
            };
            let read = read(line, self.columns, &mut self.answers);
            let left = self.all - self.next;
            match read {
                Some(Read::Skipped(count)) if count <= left => self.advance(count),
                Some(Read::Broken) if left > 0 => {
                    self.broken.first.get_or_insert(self.next);
                    self.broken.count += 1;
                    if is_strict {
                        return Ok(false);
                    }
                    self.answers.clear();
                    self.hand_on(take, Some(&BROKEN));
                    return Ok(true);
                }
                Some(Read::Answers) if left > 0 => {
                    self.hand_on(take, None);
                    return Ok(true);
                }
                _ => return Err(self.lines.broken("a line is no row of the table")),
            }
        }
    }

    fn hand_on(&mut self, take: impl FnOnce(&Row<'_>), broken: Option<&Error>) {
        self.values.clear();
        let places = self.ranges.iter().zip(&self.places);
        let values = places.map(|(range, place)| range.values[*place]);
        self.values.extend(values);
        take(&Row {
            number: self.next,
            values: &self.values,
            answers: self.answers.answers(),
            broken,
        });
        self.advance(1);
    }

    /// Goes on by so many configurations.
    fn advance(&mut self, count: u64) {
        self.next += count;
        let mut carry = count;
        for (place, range) in self.places.iter_mut().zip(self.ranges).rev() {
            if carry == 0 {
                return;
            }
            let len = range.values.len() as u64;
            let sum = *place as u64 + carry % len;
            *place = usize::try_from(sum % len).expect("less than a length");
            carry = carry / len + sum / len;
        }
    }
}

/// Reads a line; none if it is none of a table with so many columns.
fn read(line: &[u8], columns: usize, answers: &mut KeptAnswers) -> Option<Read> {
    if let Some(count) = line.strip_prefix(b"+") {
        return Some(Read::Skipped(parse(count)?));
    }
    if line == b"-" {
        return Some(Read::Broken);
    }
    answers.clear();
    let mut slashes = line.iter().filter(|byte| **byte == b'/');
    let is_shared = slashes.next().is_some() && slashes.next().is_none();
    let count = match is_shared {
        true => read_shared(line, answers)?,
        false => {
            let mut count = 0;
            for text in line
                .split(|byte| *byte == b' ')
                .filter(|text| !text.is_empty())
            {
                let (weight, total) = halves(text)?;
                push(weight, total, answers)?;
                count += 1;
            }
            count
        }
    };
    (count == columns).then_some(Read::Answers)
}

/// Weights over one total; how many they are.
fn read_shared(line: &[u8], answers: &mut KeptAnswers) -> Option<usize> {
    let (weights, total) = halves(line)?;
    let mut count = 0;
    for weight in weights.split(|byte| *byte == b' ') {
        push(weight, total, answers)?;
        count += 1;
    }
    Some(count)
}

fn halves(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|byte| *byte == b'/')?;
    Some((&text[..at], &text[at + 1..]))
}

fn push(weight: &[u8], total: &[u8], answers: &mut KeptAnswers) -> Option<()> {
    // A total that does not fit is not negative either way.
    if let (Some(weight), Some(total)) = (parse::<i128>(weight), parse::<i128>(total)) {
        if total < 0 {
            return None;
        }
        answers.push_small(weight, total);
        return Some(());
    }
    answers.push(parse::<IBig>(weight)?, parse::<UBig>(total)?);
    Some(())
}

fn parse<T: FromStr>(text: &[u8]) -> Option<T> {
    str::from_utf8(text).ok()?.parse().ok()
}

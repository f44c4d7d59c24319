//! Many answers in little text.
//!
//! Rows that occur more than once are written once. A row is its answers with a space between them, each a weight,
//! or `weight/place` where its total differs from that of the answer before; the place is one in the list of totals.
//! Where the last band has what the other bands leave of the total, its weight is `~`. Which row belongs to which
//! configuration is a list of runs: `a` is row a, `a+n` goes on with the n rows after it, `a*n` repeats it n times
//! more, and `-` is a configuration that the rules forbid.
//!
//! Numbers are to base 36, or decimal after a `.` if they exceed 128 bits. `data.js` reads all this back.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::contents::{Column, ColumnKind, ExactAnswer, Explorer};

/// The answers of an explorer as text.
#[derive(Debug)]
pub(super) struct Packed {
    /// The totals that occur, in decimal digits.
    pub(super) totals: Vec<String>,
    /// The rows that occur, in the order in which they first do, with commas between them.
    pub(super) rows: String,
    /// Which row each configuration has.
    pub(super) places: String,
}

/// Packs all answers.
pub(super) fn pack(explorer: &Explorer) -> Packed {
    let bands = leading_bands(&explorer.columns);
    let mut totals = Places::default();
    let mut rows = Places::default();
    let places: Vec<Option<usize>> = explorer
        .answers
        .iter()
        .map(|answers| {
            let row = row(answers.as_ref()?, bands, &mut totals);
            Some(rows.place(row))
        })
        .collect();
    Packed {
        totals: totals.listed,
        rows: rows.listed.join(","),
        places: runs(&places),
    }
}

/// How many columns are bands; they come first.
fn leading_bands(columns: &[Column]) -> usize {
    columns
        .iter()
        .take_while(|column| column.kind == ColumnKind::Band)
        .count()
}

/// Different texts, each with its place in the order of first occurrence.
#[derive(Default)]
struct Places {
    listed: Vec<String>,
    places: HashMap<String, usize>,
}

impl Places {
    fn place(&mut self, text: String) -> usize {
        if let Some(&place) = self.places.get(&text) {
            return place;
        }
        let place = self.listed.len();
        self.listed.push(text.clone());
        self.places.insert(text, place);
        place
    }
}

fn row(answers: &[ExactAnswer], bands: usize, totals: &mut Places) -> String {
    let mut row = String::new();
    let mut before = None;
    for (at, answer) in answers.iter().enumerate() {
        if at > 0 {
            row.push(' ');
        }
        if at + 1 == bands && is_rest(&answers[..bands]) {
            row.push('~');
        } else {
            row.push_str(&number(&answer.weight));
        }
        if before != Some(&answer.total) {
            let place = totals.place(answer.total.clone());
            write!(row, "/{}", base36(place as u128)).expect("a string takes what is written");
        }
        before = Some(&answer.total);
    }
    row
}

/// Whether the bands have one total, of which the last has what the others leave.
fn is_rest(bands: &[ExactAnswer]) -> bool {
    let total = &bands[0].total;
    let sum = bands.iter().try_fold(0_u128, |sum, band| {
        sum.checked_add(band.weight.parse().ok()?)
    });
    bands.iter().all(|band| band.total == *total) && sum.is_some() && sum == total.parse().ok()
}

/// Decimal digits as the shortest text that says the same.
fn number(decimal: &str) -> String {
    let (sign, digits) = match decimal.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", decimal),
    };
    match digits.parse() {
        Ok(number) => format!("{sign}{}", base36(number)),
        Err(_) => format!(".{decimal}"),
    }
}

fn base36(mut number: u128) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(b"0123456789abcdefghijklmnopqrstuvwxyz"[(number % 36) as usize]);
        number /= 36;
        if number == 0 {
            break;
        }
    }
    digits
        .iter()
        .rev()
        .map(|&digit| char::from(digit))
        .collect()
}

/// Places as runs of the same and of successive ones, whichever is longer.
fn runs(places: &[Option<usize>]) -> String {
    let mut runs = Vec::new();
    let mut rest = places;
    while let Some(&first) = rest.first() {
        let same = length(rest, |_| first);
        let rising = length(rest, |step| first.map(|place| place + step));
        let (mark, length) = if first.is_some() && rising > same {
            ('+', rising)
        } else {
            ('*', same)
        };
        let mut run = first.map_or("-".to_owned(), |place| base36(place as u128));
        if length > 1 {
            write!(run, "{mark}{}", base36(length as u128 - 1))
                .expect("a string takes what is written");
        }
        runs.push(run);
        rest = &rest[length..];
    }
    runs.join(" ")
}

/// How many places from the first are as foreseen.
fn length(places: &[Option<usize>], foreseen: impl Fn(usize) -> Option<usize>) -> usize {
    places
        .iter()
        .enumerate()
        .take_while(|&(step, place)| *place == foreseen(step))
        .count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Packed, base36, number, pack, runs};
    use crate::figure::Values;
    use crate::page::{Column, ColumnKind, ExactAnswer, Explorer, ExplorerAxis};

    /// The other way round, from what the module says of the text.
    fn unpack(packed: &Packed) -> Vec<Option<Vec<ExactAnswer>>> {
        let row = |place: usize| {
            let row = packed.rows.split(',').nth(place).expect("a row");
            let (mut total, mut left) = (String::new(), 0);
            let answers = row.split(' ').map(|answer| {
                let (weight, place) = answer.split_once('/').unwrap_or((answer, ""));
                if !place.is_empty() {
                    let place = usize::from_str_radix(place, 36).expect("a place");
                    total = packed.totals[place].clone();
                    left = total.parse().unwrap_or(i128::MAX);
                }
                let weight = match weight.strip_prefix('.') {
                    _ if weight == "~" => left.to_string(),
                    Some(decimal) => decimal.to_owned(),
                    None => i128::from_str_radix(weight, 36)
                        .expect("a number")
                        .to_string(),
                };
                left = left.saturating_sub(weight.parse().unwrap_or(0));
                ExactAnswer {
                    weight,
                    total: total.clone(),
                }
            });
            answers.collect()
        };
        places(&packed.places)
            .into_iter()
            .map(|place| place.map(row))
            .collect()
    }

    fn places(runs: &str) -> Vec<Option<usize>> {
        let number = |digits: &str| usize::from_str_radix(digits, 36).expect("a number");
        let run = |run: &str| -> Vec<Option<usize>> {
            let at = run.find(['+', '*']).unwrap_or(run.len());
            let (first, more) = run.split_at(at);
            let first = (first != "-").then(|| number(first));
            let more = if more.is_empty() { "*0" } else { more };
            let step = usize::from(more.starts_with('+'));
            (0..=number(&more[1..]))
                .map(|n| first.map(|first| first + n * step))
                .collect()
        };
        runs.split(' ').flat_map(run).collect()
    }

    fn explorer(kinds: &[ColumnKind], answers: Vec<Option<Vec<ExactAnswer>>>) -> Explorer {
        let values = (0..).take(answers.len()).collect();
        Explorer {
            axes: vec![ExplorerAxis {
                name: "x".to_owned(),
                help: String::new(),
                values: Values::Numbers(values),
                default: Some(0),
                label: String::new(),
                value_labels: Vec::new(),
                legal: None,
            }],
            fixed: Vec::new(),
            columns: kinds
                .iter()
                .map(|&kind| Column {
                    name: "q".to_owned(),
                    title: String::new(),
                    kind,
                    is_told: true,
                })
                .collect(),
            answers,
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "numbers and digits alike")]
    fn answer(weight: impl ToString, total: impl ToString) -> ExactAnswer {
        ExactAnswer {
            weight: weight.to_string(),
            total: total.to_string(),
        }
    }

    proptest! {
        /// Whatever is packed is there again: bands that sum to their total or do not, and means of any sign.
        #[test]
        fn packed_answers_are_the_same_answers(
            rows in prop::collection::vec(
                prop::option::of((0_u64..5, 0_u64..5, 0_u64..12, -3_i64..3, 0_u32..3)), 1..60),
        ) {
            let kinds = [ColumnKind::Band, ColumnKind::Band, ColumnKind::Number];
            let answers = rows.into_iter().map(|row| {
                let (miss, hit, total, mean, rolls) = row?;
                Some(vec![answer(miss, total), answer(hit, total), answer(mean, rolls)])
            });
            let explorer = explorer(&kinds, answers.collect());
            prop_assert_eq!(unpack(&pack(&explorer)), explorer.answers);
        }
    }

    #[test]
    fn numbers_of_any_size_are_kept() {
        let huge = format!("-{}", "9".repeat(60));
        let answers = vec![
            Some(vec![
                answer(u128::MAX, u128::MAX),
                answer(0, u128::MAX),
                answer(&huge, "1"),
            ]),
            None,
            Some(vec![
                answer("9".repeat(50), "9".repeat(50)),
                answer(0, 0),
                answer(1, 0),
            ]),
        ];
        let kinds = [ColumnKind::Band, ColumnKind::Number, ColumnKind::Number];
        let packed = pack(&explorer(&kinds, answers));
        assert_eq!(
            packed.rows,
            format!("~/0 0 .{huge}/1,.{0}/2 0/3 1", "9".repeat(50))
        );
        assert_eq!(packed.places, "0 - 1");
        assert_eq!(number(&huge), format!(".{huge}"));
        assert_eq!(base36(u128::MAX), "f5lxx1zz5pnorynqglhzmsp33");
    }

    #[test]
    fn the_longer_run_is_taken() {
        let places = [0, 1, 2, 2, 2, 2, 7].map(Some);
        let places = [places.as_slice(), &[None, None]].concat();
        assert_eq!(runs(&places), "0+2 2*2 7 -*1");
    }
}

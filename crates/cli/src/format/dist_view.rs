//! A whole distribution, to be read; a long one in groups of values.

use oddsmith_exact::{Dist, UBig};

use crate::document::{Block, Column, Document, Medium, Role, Span, Table};
use crate::format::dist::{Point, points, share};
use crate::format::view;
use crate::format::words::{self, Form};

/// Cells of the longest bar.
const BAR: u32 = 40;
/// Supports up to this long are shown whole.
const WHOLE: usize = 60;
/// Groups of values that a longer one is shown in, about.
const GROUPS: u64 = 30;
/// What the two tails together may hold of a long support: one part in this many.
const TAILS: u32 = 1000;

/// A row per value; on a terminal below its moments, and of a long one a row per group of values.
pub(crate) fn document(expression: &str, dist: &Dist, form: Form, medium: Medium) -> Document {
    let points = points(dist);
    let (rows, note) = if medium == Medium::Page || points.len() <= WHOLE {
        (
            points.into_iter().map(ValueLine::of_point).collect(),
            String::new(),
        )
    } else {
        condensed(&points, dist)
    };
    let mut document = Document::default();
    document.push_on(Medium::Terminal, view::opening(expression, &moments(dist)));
    document.push([Block::table(table(&rows, dist.total(), form, medium))]);
    document.push([Block::paragraph(Span::muted(note))]);
    document
}

fn moments(dist: &Dist) -> String {
    let range = match dist.as_constant() {
        Some(value) => format!("always {value}"),
        None => format!("range {} to {}", dist.min(), dist.max()),
    };
    let (mean, sd) = (
        words::value(&dist.mean()),
        words::deviation(&dist.variance()),
    );
    let total = words::count(dist.total());
    format!("mean {mean}, sd {sd}, {range}, total weight {total}")
}

/// One line of the table.
struct ValueLine {
    name: String,
    weight: UBig,
    at_least: UBig,
    at_most: UBig,
}

impl ValueLine {
    fn of_point(point: Point) -> Self {
        Self {
            name: point.value.to_string(),
            weight: point.weight,
            at_least: point.at_least,
            at_most: point.at_most,
        }
    }

    /// Neighbouring points as one.
    fn of_group(name: String, group: &[Point]) -> Option<Self> {
        let (first, last) = (group.first()?, group.last()?);
        let weight = &last.at_most - (&first.at_most - &first.weight);
        Some(Self {
            name,
            weight,
            at_least: first.at_least.clone(),
            at_most: last.at_most.clone(),
        })
    }
}

fn table(rows: &[ValueLine], total: &UBig, form: Form, medium: Medium) -> Table {
    let most = rows.iter().map(|row| &row.weight).max().unwrap_or(total);
    let right = ["value", "odds", "at least", "at most"].map(Column::right);
    // A page shows no bars, and may have very many rows.
    let bar = |row: &ValueLine| match medium {
        Medium::Terminal => Span::bar(share(&row.weight, most), BAR, Role::Bar),
        Medium::Page => Span::default(),
    };
    let mut columns = right.to_vec();
    columns.insert(2, Column::left("").only(Medium::Terminal));
    Table::new(columns).with_rows(rows.iter().map(|row| {
        let odds = |weight| Span::from(form.show_weight(weight, total));
        [
            row.name.as_str().into(),
            odds(&row.weight),
            bar(row),
            odds(&row.at_least),
            odds(&row.at_most),
        ]
    }))
}

/// The middle in groups of equal width between two tails, and a note that says so.
fn condensed(points: &[Point], dist: &Dist) -> (Vec<ValueLine>, String) {
    let tail = dist.total() / UBig::from(2 * TAILS);
    let low = points
        .iter()
        .position(|point| point.at_most > tail)
        .unwrap_or(0);
    let high = points
        .iter()
        .rposition(|point| point.at_least > tail)
        .unwrap_or(points.len() - 1);
    let (first, last) = (points[low].value, points[high].value);
    let width = group_width(first.abs_diff(last).saturating_add(1));
    // Groups begin at round numbers, so the outer ones may reach into the tails; without a tail at the least value, so
    // that each group of a d100 has as many.
    let start = match low {
        0 => first,
        _ => first.div_euclid(width).saturating_mul(width),
    };
    let mut rows = Vec::new();
    let before = points.partition_point(|point| point.value < start);
    rows.extend(ValueLine::of_group(
        format!("below {start}"),
        &points[..before],
    ));
    let (mut from, mut begin) = (before, start);
    while begin <= last {
        // The last group may reach to the end of the numbers.
        let next = begin.checked_add(width);
        let to = next.map_or(points.len(), |next| {
            points.partition_point(|point| point.value < next)
        });
        let end = points[to - 1..].first().filter(|_| to == points.len());
        let end = end
            .map(|greatest| greatest.value)
            .or(next.map(|next| next - 1));
        let end = end.expect("without a next group, this one has the greatest value");
        rows.extend(ValueLine::of_group(
            group_name(begin, end),
            &points[from..to],
        ));
        from = to;
        let Some(next) = next else { break };
        begin = next;
    }
    rows.extend(ValueLine::of_group(
        format!("{begin} or more"),
        &points[from..],
    ));
    let count = words::grouped(points.len());
    let how = if width == 1 {
        ", the outermost together".to_owned()
    } else {
        format!(" in groups of {width}")
    };
    let note = format!("{count} values{how}; `--format csv` shows each of them");
    (rows, note)
}

fn group_name(first: i64, last: i64) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first} to {last}")
    }
}

/// 1, 2, 5, 10, 20, …: the first that needs about [`GROUPS`] groups or fewer.
pub(crate) fn group_width(values: u64) -> i64 {
    let mut scale: i64 = 1;
    loop {
        for factor in [1, 2, 5] {
            let width = scale.saturating_mul(factor);
            if values.div_ceil(width.unsigned_abs()) <= GROUPS + GROUPS / 3 || width == i64::MAX {
                return width;
            }
        }
        scale = scale.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use oddsmith_exact::Dist;

    use super::{condensed, group_width, points};

    #[test]
    fn groups_are_round_and_few() {
        assert_eq!(group_width(40), 1);
        assert_eq!(group_width(41), 2);
        assert_eq!(group_width(360), 10);
        assert_eq!(group_width(u64::MAX), 500_000_000_000_000_000);
    }

    /// Each group of a die has as many faces, from its lowest to its highest.
    #[test]
    fn groups_have_as_many_faces() {
        let names = |sides| {
            let die = Dist::die(sides).expect("a die");
            let (rows, _) = condensed(&points(&die), &die);
            let names: Vec<String> = rows.into_iter().map(|row| row.name).collect();
            (
                names[0].clone(),
                names.len(),
                names[names.len() - 1].clone(),
            )
        };
        let expected = ("1 to 5".to_owned(), 20, "96 to 100".to_owned());
        assert_eq!(names(100), expected);
        assert_eq!(names(66).2, "65 to 66");
        assert_eq!(names(103).2, "101 to 103");
    }
}

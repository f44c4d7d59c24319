//! A whole distribution, to be read; a long one in groups of values.

use oddsmith::Tail;
use oddsmith_exact::{Dist, OpenEnd, UBig};

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

/// The distribution alone, as [`push`] shows it.
pub(crate) fn document(expression: &str, dist: &Dist, form: Form, medium: Medium) -> Document {
    let mut document = Document::default();
    push(&mut document, expression, (dist, None), form, medium);
    document
}

/// A row per value; on a terminal below its moments, and of a long one a row per group of values. The tail of a number
/// without an end, which is one value of the distribution, is a row by itself.
pub(crate) fn push(
    document: &mut Document,
    expression: &str,
    (dist, tail): (&Dist, Option<&Tail>),
    form: Form,
    medium: Medium,
) {
    let is_long = dist.len() > WHOLE;
    let (table, note) = match medium {
        Medium::Terminal if is_long => {
            let (rows, note) = condensed(dist, tail);
            (with_bars(&rows, dist.total(), form), note)
        }
        Medium::Terminal => {
            let rows: Vec<ValueLine> = lines(dist, tail).collect();
            (with_bars(&rows, dist.total(), form), String::new())
        }
        // A page shows no bars, and may have very many rows.
        Medium::Page => {
            let rows =
                lines(dist, tail).map(|line| line.cells(dist.total(), form, Span::default()));
            (Table::new(columns()).with_rows(rows), String::new())
        }
    };
    document.push_on(
        Medium::Terminal,
        view::opening(expression, &moments(dist, tail)),
    );
    document.push([Block::table(table)]);
    document.push([Block::paragraph(Span::muted(note))]);
}

fn moments(dist: &Dist, tail: Option<&Tail>) -> String {
    let range = match (tail, dist.as_constant()) {
        (Some(tail), Some(value)) if value == tail.place() => format!("always {}", tail.name()),
        (_, Some(value)) => format!("always {value}"),
        (Some(tail), None) => match tail.end {
            OpenEnd::Above => format!("{} or more", dist.min()),
            OpenEnd::Below => format!("{} or less", dist.max()),
        },
        (None, None) => format!("range {} to {}", dist.min(), dist.max()),
    };
    let moments = match tail {
        Some(tail) => tail.moments.clone(),
        None => Some([dist.mean(), dist.variance()]),
    };
    let moments = moments.map_or(String::new(), |[mean, variance]| {
        let (mean, sd) = (words::value(&mean), words::deviation(&variance));
        format!("mean {mean}, sd {sd}, ")
    });
    let total = words::count(dist.total());
    format!("{moments}{range}, total weight {total}")
}

/// A line for each value, and for the tail.
fn lines(dist: &Dist, tail: Option<&Tail>) -> impl Iterator<Item = ValueLine> {
    points(dist).map(move |point| match tail {
        Some(tail) if tail.place() == point.value => ValueLine::of_tail(tail, point),
        _ => ValueLine::of_point(point),
    })
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

    fn of_tail(tail: &Tail, point: Point) -> Self {
        Self {
            name: tail.name(),
            ..Self::of_point(point)
        }
    }

    /// Neighbouring points as one; none if there are none.
    fn of_group(name: String, mut group: impl Iterator<Item = Point>) -> Option<Self> {
        let first = Self::of_point(group.next()?);
        let add = |line: Self, point: Point| Self {
            weight: line.weight + point.weight,
            at_most: point.at_most,
            ..line
        };
        Some(Self {
            name,
            ..group.fold(first, add)
        })
    }

    fn cells(&self, total: &UBig, form: Form, bar: Span) -> [Span; 5] {
        let odds = |weight| Span::from(form.show_weight(weight, total));
        [
            self.name.as_str().into(),
            odds(&self.weight),
            bar,
            odds(&self.at_least),
            odds(&self.at_most),
        ]
    }
}

fn columns() -> Vec<Column> {
    let right = ["value", "odds", "at least", "at most"].map(Column::right);
    let mut columns = right.to_vec();
    columns.insert(2, Column::left("").only(Medium::Terminal));
    columns
}

fn with_bars(rows: &[ValueLine], total: &UBig, form: Form) -> Table {
    let most = rows.iter().map(|row| &row.weight).max().unwrap_or(total);
    Table::new(columns()).with_rows(rows.iter().map(|row| {
        let bar = Span::bar(share(&row.weight, most), BAR, Role::Bar);
        row.cells(total, form, bar)
    }))
}

/// The middle in groups of equal width between two tails, and a note that says so.
fn condensed(dist: &Dist, tail: Option<&Tail>) -> (Vec<ValueLine>, String) {
    let place = tail.map(Tail::place);
    let beyond = points(dist).find(|point| Some(point.value) == place);
    let beyond = tail
        .zip(beyond)
        .map(|(tail, point)| ValueLine::of_tail(tail, point));
    let (min, max) = match tail.map(|tail| (tail.end, tail.last)) {
        Some((OpenEnd::Above, last)) => (dist.min(), last),
        Some((OpenEnd::Below, last)) => (last, dist.max()),
        None => (dist.min(), dist.max()),
    };
    let (low, high) = middle(dist);
    let (low, high) = (low.max(min), high.min(max));
    let width = group_width(low.abs_diff(high).saturating_add(1));
    // Groups begin at round numbers, so the outer ones may reach into the tails; without a tail at the least value, so
    // that each group of a d100 has as many.
    let start = if low == min {
        low
    } else {
        low.div_euclid(width).saturating_mul(width)
    };
    let mut points = points(dist)
        .filter(|point| Some(point.value) != place)
        .peekable();
    let mut rows = Vec::new();
    let before = std::iter::from_fn(|| points.next_if(|point| point.value < start));
    rows.extend(ValueLine::of_group(format!("below {start}"), before));
    let mut begin = start;
    while begin <= high {
        // The last group ends where the values do, which may be the end of all numbers.
        let next = begin.checked_add(width).filter(|next| *next <= max);
        let end = next.map_or(max, |next| next - 1);
        let group = std::iter::from_fn(|| points.next_if(|point| point.value <= end));
        rows.extend(ValueLine::of_group(group_name(begin, end), group));
        let Some(next) = next else { break };
        begin = next;
    }
    rows.extend(ValueLine::of_group(format!("{begin} or more"), points));
    let count = words::grouped(dist.len() - usize::from(beyond.is_some()));
    let at = match tail.map(|tail| tail.end) {
        Some(OpenEnd::Below) => 0,
        _ => rows.len(),
    };
    rows.splice(at..at, beyond);
    let how = if width == 1 {
        ", the outermost together".to_owned()
    } else {
        format!(" in groups of {width}")
    };
    let note = format!("{count} values{how}; `--format csv` shows each of them");
    (rows, note)
}

/// The least and the greatest value between the tails.
fn middle(dist: &Dist) -> (i64, i64) {
    let tail = dist.total() / UBig::from(2 * TAILS);
    let (mut low, mut high) = (None, dist.max());
    for point in points(dist) {
        if low.is_none() && point.at_most > tail {
            low = Some(point.value);
        }
        if point.at_least <= tail {
            break;
        }
        high = point.value;
    }
    (low.unwrap_or(dist.min()), high)
}

pub(crate) fn group_name(first: i64, last: i64) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first} to {last}")
    }
}

/// Ascending values, each from itself to itself; very many in groups of equal width, as far as they have any.
pub(crate) fn groups(values: &[i64]) -> Vec<(i64, i64)> {
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else {
        return Vec::new();
    };
    if values.len() <= WHOLE {
        return values.iter().map(|value| (*value, *value)).collect();
    }
    let width = group_width(low.abs_diff(high).saturating_add(1));
    let mut groups: Vec<(i64, i64)> = Vec::new();
    for value in values {
        if groups.last().is_none_or(|(_, end)| value > end) {
            let start = low + (value - low).div_euclid(width) * width;
            groups.push((start, start.saturating_add(width - 1).min(high)));
        }
    }
    groups
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

    use super::{condensed, group_width};

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
            let (rows, _) = condensed(&die, None);
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

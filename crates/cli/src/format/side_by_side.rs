//! Several distributions of numbers side by side.

use anyhow::Result;
use oddsmith::ask::DiceMode;
use oddsmith::{Dist, RBig, shortest};

use crate::document::{Block, Column, Document, Medium, Role, Span, Table};
use crate::format::dist::{CUMULATIVE, points, share};
use crate::format::dist_view::{group_name, groups};
use crate::format::words::{self, Form};
use crate::number;

/// A name and what it rolls.
pub(crate) type Named = (String, Dist);

/// Cells of all bars of a row together.
const BARS: usize = 60;
/// Cells of the longest bar at the most.
const BAR: usize = 24;

/// A row for each: its mean, deviation and range; then the odds of every value, a column for each.
pub(crate) fn document(named: &[Named], mode: DiceMode, form: Form, medium: Medium) -> Document {
    let mut document = Document::default();
    let summary = summary(
        "",
        named.iter().map(|(name, dist)| (name.as_str(), Some(dist))),
    );
    document.push([Block::table(summary)]);
    let rows = rows(named, medium);
    document.push([Block::paragraph(title(mode))]);
    document.push([Block::table(table(named, mode, form, &rows))]);
    let is_grouped = rows.iter().any(|(low, high)| low < high);
    let note = "values in groups; `--format csv` shows each of them";
    document.push(is_grouped.then(|| Block::paragraph(Span::muted(note))));
    document
}

fn title(mode: DiceMode) -> Span {
    Span::muted(match mode {
        DiceMode::Exactly => "exactly each value",
        DiceMode::AtLeast => "at least each value",
        DiceMode::AtMost => "at most each value",
    })
}

/// What is said of a die without faces.
pub(crate) const EMPTY: &str = "the empty die: it has no value";

/// A row for each: its name, mean, deviation and range; none is the empty die.
pub(crate) fn summary<'d>(
    head: &str,
    named: impl Iterator<Item = (&'d str, Option<&'d Dist>)>,
) -> Table {
    let mut columns = Column::of_numbers([head, "mean", "sd"]);
    columns.push(Column::left("range"));
    Table::new(columns).with_rows(named.map(|(name, dist)| {
        let Some(dist) = dist else {
            let why = Span::muted(EMPTY);
            return [name.into(), Span::default(), Span::default(), why];
        };
        [
            name.into(),
            words::value(&dist.mean()).into(),
            words::deviation(&dist.variance()).into(),
            words::range(dist).into(),
        ]
    }))
}

/// The values that come up anywhere, each from itself to itself; on a terminal of very many in groups of equal width.
fn rows(named: &[Named], medium: Medium) -> Vec<(i64, i64)> {
    let mut values: Vec<i64> = named
        .iter()
        .flat_map(|(_, dist)| dist.iter().map(|(value, _)| value))
        .collect();
    values.sort_unstable();
    values.dedup();
    match medium {
        Medium::Page => values.into_iter().map(|value| (value, value)).collect(),
        Medium::Terminal => groups(&values),
    }
}

/// The odds of each row: of a group those of all its values, or those of its least, or of its greatest.
fn odds(dist: &Dist, mode: DiceMode, rows: &[(i64, i64)]) -> Vec<RBig> {
    let ends: Vec<i64> = rows.iter().map(|(_, high)| *high).collect();
    let starts: Vec<i64> = rows.iter().map(|(low, _)| *low).collect();
    match mode {
        DiceMode::AtLeast => mode.odds(dist, &starts),
        DiceMode::AtMost => mode.odds(dist, &ends),
        DiceMode::Exactly => {
            let reached = DiceMode::AtMost.odds(dist, &ends);
            let mut before = RBig::ZERO;
            let difference =
                |reached: RBig| reached.clone() - std::mem::replace(&mut before, reached);
            reached.into_iter().map(difference).collect()
        }
    }
}

fn table(named: &[Named], mode: DiceMode, form: Form, rows: &[(i64, i64)]) -> Table {
    let columns: Vec<Vec<RBig>> = named
        .iter()
        .map(|(_, dist)| odds(dist, mode, rows))
        .collect();
    let most = columns.iter().flatten().max().cloned().unwrap_or(RBig::ONE);
    let width = (BARS / named.len().max(1)).clamp(4, BAR);
    let width = u32::try_from(width).unwrap_or(0);
    let mut heads = vec![Column::right("value")];
    for (name, _) in named {
        heads.push(Column::right(name.as_str()));
        heads.push(Column::left("").only(Medium::Terminal));
    }
    Table::new(heads).with_rows(rows.iter().enumerate().map(|(at, (low, high))| {
        let mut cells = vec![Span::from(group_name(*low, *high))];
        for column in &columns {
            let odds = &column[at];
            let length = number::decimal(&(odds / &most));
            cells.push(form.show_ratio(odds).into());
            cells.push(Span::bar(length, width, Role::Bar));
        }
        cells
    }))
}

/// `expression,outcome,weight,total,probability,at_least,at_most`, one expression after the other.
pub(crate) fn csv(named: &[Named]) -> impl Iterator<Item = Result<Vec<u8>>> {
    let columns = CUMULATIVE.join(",");
    let head = format!("expression,outcome,weight,total,probability,{columns}\n").into_bytes();
    std::iter::once(Ok(head)).chain(named.iter().map(rows_of))
}

fn rows_of((name, dist): &Named) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let total = dist.total();
    let shown_total = total.to_string();
    for point in points(dist) {
        writer.write_field(name)?;
        writer.write_field(point.value.to_string())?;
        writer.write_field(point.weight.to_string())?;
        writer.write_field(&shown_total)?;
        for weight in [&point.weight, &point.at_least, &point.at_most] {
            let probability = shortest(share(weight, total));
            writer.write_field(probability)?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(writer.into_inner()?)
}

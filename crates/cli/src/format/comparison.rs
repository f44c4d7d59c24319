//! Two sides compared, and that for programs: a row per configuration.

use anyhow::Result;
use oddsmith::comparison::{BOTH, SweptAxis};
use oddsmith::wire::order;
use oddsmith::{ComparisonAnswer, shortest, told_apart};
use oddsmith_analysis::compare::PairRow;
use oddsmith_exact::RBig;
use oddsmith_report::Values;

use crate::format::outcomes;
use crate::number;

/// `Stars & Signs · check: circ_boons=2; A: boon_cap=5; B: boon_cap=3`: a title with what is set.
pub(crate) fn headline(title: &str, settings: &[(&str, String)]) -> String {
    let words = settings.iter().map(|(side, words)| match *side {
        BOTH => format!(": {words}"),
        side => format!("; {side}: {words}"),
    });
    title.to_owned() + &words.collect::<String>()
}

/// What is set for each side, in lines.
pub(crate) fn in_lines(sides: &[(&str, String)]) -> String {
    let width = sides.iter().map(|(side, _)| side.len()).max().unwrap_or(0);
    let lines = sides
        .iter()
        .map(|(side, words)| format!("{side:<width$}  {words}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// An axis, as an axis of a picture.
pub(crate) fn drawn(axis: &SweptAxis) -> oddsmith_report::Axis {
    oddsmith_report::Axis {
        name: axis.title.clone(),
        values: match axis.numbers() {
            Some(numbers) => Values::Numbers(numbers),
            None => Values::Labels(axis.told.clone()),
        },
    }
}

pub(crate) fn decimal(ratio: &RBig) -> String {
    shortest(number::decimal(ratio))
}

/// The swept axes; `NAME:a,NAME:b,NAME:difference` for each line; then `variation,distance,order`. Nothing stands
/// where a side has no answer.
pub(crate) fn csv(comparison: &ComparisonAnswer) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let whole = match comparison.is_compared() {
        true => &["variation", "distance", "order"][..],
        false => &[],
    };
    let axes = told_apart(whole, comparison.axes.iter().map(|axis| axis.name.clone()));
    let lines = comparison.line_names().into_iter();
    let lines = lines.flat_map(|name| ["a", "b", "difference"].map(|of| format!("{name}:{of}")));
    let whole = whole.iter().map(|name| (*name).to_owned());
    writer.write_record(axes.into_iter().chain(lines).chain(whole))?;
    for row in &comparison.rows {
        csv_row(comparison, row, &mut writer)?;
    }
    Ok(writer.into_inner()?)
}

fn csv_row(
    comparison: &ComparisonAnswer,
    row: &PairRow,
    writer: &mut csv::Writer<Vec<u8>>,
) -> Result<()> {
    for (axis, place) in comparison.axes.iter().zip(&row.places) {
        writer.write_field(&axis.values[*place])?;
    }
    for line in 0..comparison.heads.len() {
        for answers in &row.answers {
            writer.write_field(outcomes::csv_cell(answers[line].as_ref()))?;
        }
        let difference = row.line_difference(line);
        writer.write_field(difference.as_ref().map(decimal).unwrap_or_default())?;
    }
    match &row.difference {
        Some(difference) => {
            writer.write_field(decimal(&difference.variation))?;
            writer.write_field(decimal(&difference.distance))?;
            writer.write_field(order(difference.order))?;
        }
        None if comparison.is_compared() => (0..3).try_for_each(|_| writer.write_field(""))?,
        None => {}
    }
    Ok(writer.write_record(None::<&[u8]>)?)
}

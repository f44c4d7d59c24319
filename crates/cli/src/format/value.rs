//! What steps are worth, as CSV: a row for each step in each configuration.

use anyhow::Result;
use oddsmith::told_apart;
use oddsmith::valuation::{Valuation, ValuedStep};
use oddsmith_exact::RBig;

use crate::format::comparison::decimal;

/// The swept axes; `lever,from,to`; the change of each band, of reaching it, and of each query; and `flat:BAND`, the
/// flat modifier with which a band is reached as often.
pub(crate) fn csv_head(valuation: &Valuation) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let step = ["lever", "from", "to"];
    let axes = told_apart(&step, valuation.axes.iter().map(|axis| axis.name.clone()));
    let flat = match valuation.number {
        Some(_) => &valuation.bands[1..],
        None => &[],
    };
    let bands = valuation.bands.iter().cloned();
    let changes = (0..valuation.columns.len()).map(|at| valuation.column(at));
    let flat = flat.iter().map(|band| format!("flat:{band}"));
    let own: Vec<&str> = step
        .into_iter()
        .chain(axes.iter().map(String::as_str))
        .collect();
    let others = told_apart(&own, bands.chain(changes).chain(flat));
    writer.write_record(
        axes.iter()
            .map(String::as_str)
            .chain(step)
            .chain(others.iter().map(String::as_str)),
    )?;
    Ok(writer.into_inner()?)
}

/// A step in a configuration, after the values of the swept axes.
pub(crate) fn csv_row(valued: &ValuedStep<'_>, writer: &mut csv::Writer<Vec<u8>>) -> Result<()> {
    let ValuedStep {
        valuation,
        moved,
        worth,
        ..
    } = valued;
    for value in valued.configuration() {
        writer.write_field(value)?;
    }
    let step = moved.lever.steps[worth.step];
    for text in [moved.name(), moved.value(step.from), moved.value(step.to)] {
        writer.write_field(text)?;
    }
    let cell = |number: Option<&RBig>| number.map(decimal).unwrap_or_default();
    let reached = &worth.changes[..valuation.reached()];
    for band in 0..valuation.bands.len() {
        writer.write_field(cell(of_band(reached, band).as_ref()))?;
    }
    for change in &worth.changes {
        writer.write_field(cell(change.as_ref()))?;
    }
    if valuation.number.is_some() {
        for flat in &worth.flats {
            writer.write_field(cell(flat.as_ref()))?;
        }
    }
    Ok(writer.write_record(None::<&[u8]>)?)
}

/// The change of a band by itself, from those of reaching each band but the worst.
fn of_band(reached: &[Option<RBig>], band: usize) -> Option<RBig> {
    let reaching = match band.checked_sub(1) {
        Some(at) => reached[at].clone()?,
        None => RBig::ZERO,
    };
    let beyond = match reached.get(band) {
        Some(next) => next.clone()?,
        None => RBig::ZERO,
    };
    Some(reaching - beyond)
}

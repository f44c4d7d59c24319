//! What a search over parameters found, for programs: a row per candidate.

use anyhow::Result;
use oddsmith::tuning::Distance;
use oddsmith::{TuningAnswer, shortest, told_apart};

use crate::format::outcomes::{INFINITE, csv_cell};
use crate::number;

/// `candidate`, the dials, a column for each goal, `total`, `pareto`, `changed` and `by`; a row for each candidate that is
/// shown. By `total`, `changed`, `by` and `candidate` the rows of several searches can be put in order.
pub(crate) fn csv(answer: &TuningAnswer) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let (first, last) = (["candidate"], ["total", "pareto", "changed", "by"]);
    let dials = answer.dials.iter().map(|dial| &dial.name);
    let names = dials.chain(&answer.subjects).cloned();
    let names = told_apart(&[&first[..], &last].concat(), names);
    let names = names.iter().map(String::as_str);
    writer.write_record(first.into_iter().chain(names).chain(last))?;
    for candidate in answer.candidates() {
        writer.write_field(candidate.number.to_string())?;
        for value in answer.values(candidate) {
            writer.write_field(value)?;
        }
        for found in &candidate.answers {
            writer.write_field(csv_cell(found.as_ref()))?;
        }
        let total = match answer.total(candidate) {
            Some(Distance::Finite(sum)) => shortest(number::decimal(sum)),
            Some(_) => INFINITE.to_owned(),
            None => String::new(),
        };
        writer.write_field(total)?;
        let is_pareto = answer.tuned.pareto.as_ref().map(|_| candidate.is_pareto);
        writer.write_field(is_pareto.map_or(String::new(), |is_pareto| is_pareto.to_string()))?;
        writer.write_field(candidate.change.dials.to_string())?;
        writer.write_field(candidate.change.size.to_string())?;
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(writer.into_inner()?)
}

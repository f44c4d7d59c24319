//! What trials say, beside the exact odds: for programs and documents.

use std::ops::Deref;

use anyhow::Result;
pub(crate) use oddsmith::shortest;
pub(crate) use oddsmith::simulation::{Fit, Group, SimulatedRow, Simulation};

use oddsmith::told_apart;

/// A run as it is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'s>(pub(crate) &'s Simulation);

impl Deref for Run<'_> {
    type Target = Simulation;

    fn deref(&self) -> &Simulation {
        self.0
    }
}

impl Run<'_> {
    /// The swept axes, then `outcome,count,trials,estimate,std_error,low,high,exact,z`.
    pub(crate) fn csv(&self) -> Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let axes = told_apart(&COLUMNS, self.axes.iter().cloned());
        writer.write_record(axes.iter().map(String::as_str).chain(COLUMNS))?;
        for group in &self.groups {
            for row in &group.rows {
                let values = group.values.iter().cloned();
                writer.write_record(values.chain(fields(row)))?;
            }
        }
        Ok(writer.into_inner()?)
    }
}

const COLUMNS: [&str; 9] = [
    "outcome",
    "count",
    "trials",
    "estimate",
    "std_error",
    "low",
    "high",
    "exact",
    "z",
];

fn fields(row: &SimulatedRow) -> impl Iterator<Item = String> {
    let count = row.count.map(|count| count.to_string());
    let whole = [
        row.name.clone(),
        count.unwrap_or_default(),
        row.trials.to_string(),
    ];
    let number = |number: Option<f64>| number.map(shortest).unwrap_or_default();
    whole.into_iter().chain(row.numbers().map(number))
}

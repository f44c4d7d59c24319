//! The table of a check, as a manifest tells of it.

use std::fmt::Write as _;

use oddsmith_rules::{Check, Diagnostic, Input, Query, Role};

use super::probes::{Kind, Probes};
use super::setting::Setting;
use crate::toml_file::{Entry, key, list, quoted};

/// The table of a check or a track.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ManifestTable {
    pub(crate) check: String,
    pub(crate) rows: u64,
    /// The fingerprint of the file.
    pub(crate) csv: String,
    /// What is asked.
    pub(crate) columns: Vec<String>,
    /// Worst first; the first of the columns. None for a check without bands.
    pub(crate) bands: Vec<String>,
    /// The swept axes with their values, in order.
    pub(crate) sweep: Vec<(String, Vec<Setting>)>,
    /// The other axes.
    pub(crate) fixed: Vec<(String, Setting)>,
    /// The probes of the check itself, then those of its contest.
    pub(crate) probes: [Option<Probes>; 2],
}

impl ManifestTable {
    /// Of a check's default sweep; its rows are yet to be counted.
    pub(crate) fn of(check: &Check, queries: &[Query]) -> Self {
        let setting = |input: &Input| Setting::of(&input.domain, input.default);
        let sweep = check.default_sweep().into_iter().map(|range| {
            let input = &check.inputs[range.input.0];
            let values = range.values.iter();
            let values = values.map(|value| Setting::of(&input.domain, *value));
            (input.name.clone(), values.collect())
        });
        let is_fixed = |input: &&Input| input.role == Role::Axis && input.sweep.is_empty();
        let fixed = check.inputs.iter().filter(is_fixed);
        let mut fixed: Vec<(String, Setting)> = fixed
            .map(|input| (input.name.clone(), setting(input)))
            .collect();
        fixed.sort_by(|(a, _), (b, _)| a.cmp(b));
        let columns: Vec<String> = queries.iter().map(|query| query.text.clone()).collect();
        let bands = check.band().map_or(&[][..], |(_, bands)| bands.labels());
        let bands = bands.iter().filter(|band| columns.contains(band));
        Self {
            check: check.name.clone(),
            bands: bands.cloned().collect(),
            columns,
            sweep: sweep.collect(),
            fixed,
            ..Self::default()
        }
    }

    pub(super) fn render(&self, text: &mut String) {
        let name = key(&self.check);
        let _ = write!(text, "\n[tables.{name}]\n");
        let _ = writeln!(text, "rows = {}", self.rows);
        let _ = writeln!(text, "csv = {}", quoted(&self.csv));
        let quoted_list = |items: &[String]| list(items.iter().map(|item| quoted(item)));
        if !self.bands.is_empty() {
            let _ = writeln!(text, "bands = {}", quoted_list(&self.bands));
        }
        let _ = writeln!(text, "columns = {}", quoted_list(&self.columns));
        if !self.sweep.is_empty() {
            let _ = write!(text, "\n[tables.{name}.sweep]\n");
        }
        for (axis, values) in &self.sweep {
            let values = list(values.iter().map(Setting::render));
            let _ = writeln!(text, "{} = {values}", key(axis));
        }
        if !self.fixed.is_empty() {
            let _ = write!(text, "\n[tables.{name}.fixed]\n");
        }
        for (axis, value) in &self.fixed {
            let _ = writeln!(text, "{} = {}", key(axis), value.render());
        }
        for (kind, probes) in Kind::ALL.into_iter().zip(&self.probes) {
            if let Some(probes) = probes {
                probes.render(&name, kind, text);
            }
        }
    }

    /// What is watched beside the sweep, if there is any.
    pub(crate) fn probes(&self, kind: Kind) -> Option<&Probes> {
        self.probes[kind as usize].as_ref()
    }

    pub(super) fn read(check: &str, entry: &Entry<'_>) -> Result<Self, Diagnostic> {
        let rows = entry.need("rows")?;
        let is_count = |rows: i64| u64::try_from(rows).ok();
        let count = is_count(rows.integer()?).ok_or_else(|| rows.wrong("a number of rows"))?;
        let bands = entry.get("bands").map(|bands| bands.strings());
        let mut table = Self {
            check: check.to_owned(),
            rows: count,
            csv: entry.need("csv")?.string()?.to_owned(),
            columns: entry.need("columns")?.strings()?,
            bands: bands.transpose()?.unwrap_or_default(),
            ..Self::default()
        };
        if let Some(sweep) = entry.get("sweep") {
            for (axis, values) in sweep.entries()? {
                let values: Result<_, _> = values.items()?.iter().map(Setting::read).collect();
                table.sweep.push((axis, values?));
            }
        }
        if let Some(fixed) = entry.get("fixed") {
            for (axis, value) in fixed.entries()? {
                table.fixed.push((axis, Setting::read(&value)?));
            }
        }
        for kind in Kind::ALL {
            let probes = entry.get(kind.key());
            let probes = probes.map(|probes| Probes::read(&probes)).transpose()?;
            table.probes[kind as usize] = probes;
        }
        Ok(table)
    }
}

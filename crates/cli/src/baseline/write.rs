//! Writing tables with their manifest: what `report` and `check --update` have in common.

use anyhow::Result;
use oddsmith::staging::Staging;
use oddsmith_exact::{Budget, Gaps, Row, Sweep};
use oddsmith_rules::{Check, Model, Query};

use super::digest::Digest;
use super::manifest::{MANIFEST, Manifest, Table};
use super::probes::{Kind, Probes};
use crate::format::rows::{Layout, RowStyle};
use crate::{answers, gaps};

/// Adds the tables of some checks of a ruleset, whose files are called `id`, and the manifest of these tables, which it
/// returns.
pub(crate) fn add<'m>(
    files: &mut Staging<'_>,
    id: &str,
    model: &Model,
    checks: impl Iterator<Item = &'m Check>,
    budget: u64,
) -> Result<Manifest> {
    let mut tables = Vec::new();
    for check in checks {
        tables.push(add_table(files, id, (model, check), budget)?);
    }
    let manifest = Manifest::of(id, model, tables);
    files.add(format!("{id}/{MANIFEST}"), manifest.render().as_bytes())?;
    Ok(manifest)
}

/// Adds the table of a check's default sweep, with exact weights, and the odds of its probes.
fn add_table(
    files: &mut Staging<'_>,
    id: &str,
    (model, check): (&Model, &Check),
    budget: u64,
) -> Result<Table> {
    let (config, ranges) = (check.defaults(), check.default_sweep());
    let columns = answers::of_report(check)?.into_iter();
    let queries: Vec<Query> = columns.map(|(_, query)| query).collect();
    let budget = Budget::new(budget);
    let sweep = Sweep::new(check, &config, &ranges, &queries, &budget)?;
    let layout = Layout::new(RowStyle::Csv, check, &ranges, &queries, true);
    let mut table = Table::of(check, &queries);
    let mut digest = Digest::default();
    let mut gaps = Gaps::default();
    files.add_pieces(super::table_file(id, &check.name), |write| {
        let head = layout.head();
        digest.lines(&head);
        write(&head)?;
        let render = |row: &Row<'_>, (rows, bytes): &mut (u64, Vec<u8>)| {
            *rows += 1;
            layout.render(row, bytes);
        };
        gaps = sweep.run_with_gaps(render, |(rows, bytes): (u64, Vec<u8>)| {
            table.rows += rows;
            digest.lines(&bytes);
            write(&bytes)
        })?;
        Ok(())
    })?;
    gaps::tell(&gaps, ["its cells are empty", "their cells are empty"]);
    table.csv = digest.finish();
    let all = model.checks.iter().chain(&model.tracks);
    let before: Vec<&Check> = all.take_while(|other| other.name != check.name).collect();
    for kind in Kind::ALL {
        if let Some(subject) = kind.check(check) {
            let before = match kind {
                Kind::Own => &before,
                Kind::Contest => &vec![check],
            };
            let (probes, bytes) = Probes::of(kind, &subject, before)?;
            let name = format!("{id}/{}.{}.csv", table.check, kind.key());
            files.add(name, &bytes)?;
            table.probes[kind as usize] = Some(probes);
        }
    }
    Ok(table)
}

//! Writing tables with their manifest: what reports and new accepted odds have in common.

use oddsmith_exact::{Gaps, Row, Sweep};
use oddsmith_rules::{Check, Model, Query};

use super::digest::Digest;
use super::manifest::{MANIFEST, Manifest};
use super::probes::{Kind, Probes};
use super::table::ManifestTable;
use crate::columns::Columns;
use crate::csv_rows::CsvRows;
use crate::file_set::FileSet;
use crate::report::table_file;
use crate::{Error, Limits, questions};

/// The manifest of the tables of some checks of a ruleset, whose files are called `id`: they are added to `files`, tables,
/// probes and manifest. `tell` is told of each table which of its configurations break a rule.
///
/// # Errors
/// If odds are over the limits, or beyond the exact engine; if a file can't be written.
pub fn add<'m>(
    files: &mut FileSet<'_>,
    (id, model): (&str, &Model),
    checks: impl Iterator<Item = &'m Check>,
    limits: &Limits,
    tell: &mut dyn FnMut(&Gaps),
) -> Result<Manifest, Error> {
    let mut tables = Vec::new();
    for check in checks {
        let (mut table, gaps) = add_table(files, id, check, limits)?;
        tell(&gaps);
        add_probes(files, id, (model, check), &mut table, limits)?;
        tables.push(table);
    }
    let manifest = Manifest::of(id, model, tables);
    files.add(format!("{id}/{MANIFEST}"), manifest.render().as_bytes())?;
    Ok(manifest)
}

/// Adds the table of a check's default sweep, with exact weights.
fn add_table(
    files: &mut FileSet<'_>,
    id: &str,
    check: &Check,
    limits: &Limits,
) -> Result<(ManifestTable, Gaps), Error> {
    let (config, ranges) = (check.defaults(), check.default_sweep());
    let columns = questions::of_report(check)?.into_iter();
    let queries: Vec<Query> = columns.map(|(_, query)| query).collect();
    let budget = limits.share();
    let sweep = Sweep::new(check, &config, &ranges, &queries, &budget)?;
    let style = CsvRows::new(Columns::new(check, &ranges, &queries, true));
    let mut table = ManifestTable::of(check, &queries);
    let mut digest = Digest::default();
    let mut gaps = Gaps::default();
    files.add_pieces(table_file(id, &check.name), |write| {
        let head = style.head();
        digest.lines(&head);
        write(&head)?;
        let render = |row: &Row<'_>, (rows, bytes): &mut (u64, Vec<u8>)| {
            *rows += 1;
            style.push(row, bytes);
        };
        gaps = sweep.run_with_gaps(render, |(rows, bytes): (u64, Vec<u8>)| {
            table.rows += rows;
            digest.lines(&bytes);
            write(&bytes)
        })?;
        Ok(())
    })?;
    table.csv = digest.finish();
    Ok((table, gaps))
}

/// Adds the odds of a check's probes, and of those of its contest.
fn add_probes(
    files: &mut FileSet<'_>,
    id: &str,
    (model, check): (&Model, &Check),
    table: &mut ManifestTable,
    limits: &Limits,
) -> Result<(), Error> {
    let all = model.checks.iter().chain(&model.tracks);
    let before: Vec<&Check> = all.take_while(|other| other.name != check.name).collect();
    for kind in Kind::ALL {
        if let Some(subject) = kind.check(check) {
            let before = match kind {
                Kind::Own => &before,
                Kind::Contest => &vec![check],
            };
            let (probes, bytes) = Probes::of(kind, &subject, before, limits)?;
            let name = format!("{id}/{}.{}.csv", table.check, kind.key());
            files.add(name, &bytes)?;
            table.probes[kind as usize] = Some(probes);
        }
    }
    Ok(())
}

//! Writing tables with their manifest: what reports and new accepted odds have in common.

use oddsmith_analysis::rows::Rows;
use oddsmith_exact::{Gaps, Row};
use oddsmith_rules::{Check, Model, Query};

use super::digest::Digest;
use super::manifest::{MANIFEST, Manifest};
use super::probes::{Kind, Probes};
use super::table::ManifestTable;
use crate::columns::Columns;
use crate::csv_rows::CsvRows;
use crate::file_set::FileSet;
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
    let checks: Vec<&Check> = checks.collect();
    limits.watch.announce_items(checks.len() as u64);
    for check in checks {
        let (mut table, gaps) = add_table(files, id, check, limits)?;
        tell(&gaps);
        add_probes(files, id, (model, check), &mut table, limits)?;
        tables.push(table);
        limits.watch.complete_item();
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
    let rows = Rows::of(check, &config, &ranges, &queries, &budget)?;
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
        gaps = rows.run_with_gaps(render, |(rows, bytes): (u64, Vec<u8>)| {
            table.rows += rows;
            digest.lines(&bytes);
            write(&bytes)
        })?;
        Ok(())
    })?;
    table.csv = digest.finish();
    Ok((table, gaps))
}

/// Asks what the probes of a check ask while they are looked for, for the transcript of the limits.
pub(crate) fn ask_probes(model: &Model, check: &Check, limits: &Limits) {
    for kind in Kind::ALL {
        // What has no odds is told by whoever writes them.
        let _ = probes(kind, (model, check), limits);
    }
}

/// The probes of a check, or of its contest, with their file; none if it has no such probes.
fn probes(
    kind: Kind,
    (model, check): (&Model, &Check),
    limits: &Limits,
) -> Result<Option<(Probes, Vec<u8>)>, Error> {
    let Some(subject) = kind.check(check) else {
        return Ok(None);
    };
    let all = model.checks.iter().chain(&model.tracks);
    let before: Vec<&Check> = match kind {
        Kind::Own => all.take_while(|other| other.name != check.name).collect(),
        Kind::Contest => vec![check],
    };
    Probes::of(kind, &subject, &before, limits).map(Some)
}

/// Adds the odds of a check's probes, and of those of its contest.
fn add_probes(
    files: &mut FileSet<'_>,
    id: &str,
    (model, check): (&Model, &Check),
    table: &mut ManifestTable,
    limits: &Limits,
) -> Result<(), Error> {
    for kind in Kind::ALL {
        if let Some((probes, bytes)) = probes(kind, (model, check), limits)? {
            let name = format!("{id}/{}.{}.csv", table.check, kind.key());
            files.add(name, &bytes)?;
            table.probes[kind as usize] = Some(probes);
        }
    }
    Ok(())
}

/// The file of a check's table, relative to the directory of the report.
pub fn table_file(id: &str, check: &str) -> String {
    format!("{id}/{check}.csv")
}

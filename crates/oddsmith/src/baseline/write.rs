//! Writing tables, which reports have as well, and what makes them accepted odds: probes and a manifest.

use oddsmith_analysis::rows::Rows;
use oddsmith_exact::{Gaps, Row};
use oddsmith_rules::{Check, Model, Query};
use rayon::prelude::*;

use super::digest::Digest;
use super::manifest::{MANIFEST, Manifest};
use super::probes::{Kind, Probes};
use super::table::ManifestTable;
use crate::columns::Columns;
use crate::csv_rows::CsvRows;
use crate::file_set::FileSet;
use crate::{Error, Limits, questions};

/// Checks of a ruleset whose tables are written.
#[derive(Debug)]
pub(crate) struct Listed<'m> {
    /// The name of its files.
    pub(crate) id: &'m str,
    /// The ruleset.
    pub(crate) model: &'m Model,
    /// Checks and tracks of it, in the order of the manifest.
    pub(crate) checks: Vec<&'m Check>,
}

/// The probes of a check and of its contest, each with their file, as far as there are such.
type CheckProbes = [Option<(Probes, Vec<u8>)>; Kind::ALL.len()];

/// Adds the tables of some rulesets to `files`, each check's over its default sweep, and returns what a manifest would say of
/// them, ruleset by ruleset. `tell` is told of each table which of its configurations break a rule.
///
/// # Errors
/// If odds are over the limits, or beyond the exact engine; if a file can't be written.
pub(crate) fn add_tables(
    files: &mut FileSet<'_>,
    rulesets: &[Listed<'_>],
    limits: &Limits,
    tell: &mut dyn FnMut(&Gaps),
) -> Result<Vec<Vec<ManifestTable>>, Error> {
    let mut tables = Vec::with_capacity(rulesets.len());
    for listed in rulesets {
        let mut own = Vec::with_capacity(listed.checks.len());
        for check in &listed.checks {
            let (table, gaps) = add_table(files, listed.id, check, limits)?;
            tell(&gaps);
            own.push(table);
        }
        tables.push(own);
    }
    Ok(tables)
}

/// Adds what makes tables accepted odds: their probes and the manifests, which are returned. Probes take most of the time;
/// those of all checks are looked for at the same time.
///
/// # Errors
/// If odds are over the limits, or beyond the exact engine; if a file can't be written.
pub(crate) fn add_manifests(
    files: &mut FileSet<'_>,
    rulesets: &[Listed<'_>],
    tables: Vec<Vec<ManifestTable>>,
    limits: &Limits,
) -> Result<Vec<Manifest>, Error> {
    let of_ruleset = |listed: &Listed<'_>| listed.checks.len() as u64;
    let items = rulesets.iter().map(of_ruleset).sum();
    limits.watch.announce_items(items);
    let mut probes = all_probes(rulesets, limits).into_iter();
    let mut manifests = Vec::with_capacity(rulesets.len());
    for (listed, mut tables) in rulesets.iter().zip(tables) {
        let id = listed.id;
        for (table, own) in tables.iter_mut().zip(&mut probes) {
            for (kind, found) in Kind::ALL.into_iter().zip(own?) {
                if let Some((probes, bytes)) = found {
                    let name = format!("{id}/{}.{}.csv", table.check, kind.key());
                    files.add(name, &bytes)?;
                    table.probes[kind as usize] = Some(probes);
                }
            }
        }
        let manifest = Manifest::of(id, listed.model, tables);
        files.add(format!("{id}/{MANIFEST}"), manifest.render().as_bytes())?;
        manifests.push(manifest);
    }
    Ok(manifests)
}

/// The probes of every check of all rulesets, in their order.
fn all_probes(rulesets: &[Listed<'_>], limits: &Limits) -> Vec<Result<CheckProbes, Error>> {
    let checks = rulesets.iter().flat_map(|listed| {
        let checks = listed.checks.iter();
        checks.map(|check| (listed.model, *check))
    });
    let checks: Vec<(&Model, &Check)> = checks.collect();
    // One at a time, as some take a hundred times as long as others.
    let checks = checks.par_iter().with_max_len(1);
    let found = checks.map(|(model, check)| {
        let [own, contest] = Kind::ALL.map(|kind| probes(kind, (model, check), limits));
        limits.watch.complete_item();
        Ok([own?, contest?])
    });
    found.collect()
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

/// The file of a check's table, relative to the directory of the report.
pub(crate) fn table_file(id: &str, check: &str) -> String {
    format!("{id}/{check}.csv")
}

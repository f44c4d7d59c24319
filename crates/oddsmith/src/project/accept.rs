//! Accepting the odds of a project as they are now.

use std::path::PathBuf;

use super::asked::ProjectFiles;
use super::request::Observer;
use super::subject::Subject;
use crate::baseline::{self, Listed, Manifest, ManifestTable, Remedy, refuse_foreign, table_file};
use crate::file_set::FileSet;
use crate::{Error, Limits};

/// Writes the baselines that would not be the same again, all together or not at all, without the tables of checks that are gone. For each
/// subject the configurations that are accepted now, if its baseline was written.
pub(super) fn accept(
    asked: &ProjectFiles,
    subjects: &[(Subject, bool)],
    mut files: FileSet<'_>,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Vec<Option<u64>>, Error> {
    let mut accepted = vec![None; subjects.len()];
    let stale = subjects.iter().filter(|(_, is_stale)| *is_stale);
    let stale: Vec<&Subject> = stale.map(|(subject, _)| subject).collect();
    if stale.is_empty() {
        return Ok(accepted);
    }
    let tell = &mut |gaps: &_| observer.gaps(gaps);
    let listed = stale.iter().map(|subject| Listed {
        id: &subject.id,
        model: &subject.model,
        checks: subject.checks().collect(),
    });
    let listed: Vec<Listed<'_>> = listed.collect();
    let tables = baseline::add_tables(&mut files, &listed, limits, tell)?;
    for (subject, tables) in stale.iter().zip(&tables) {
        refuse_to_overwrite(asked, subject, tables)?;
    }
    let manifests = baseline::add_manifests(&mut files, &listed, tables, limits)?;
    for path in stale.iter().flat_map(|subject| gone_files(subject)) {
        files.remove(path.strip_prefix(&asked.baseline).unwrap_or(&path));
    }
    let mut manifests = manifests.iter();
    for ((_, is_stale), accepted) in subjects.iter().zip(&mut accepted) {
        if *is_stale {
            *accepted = manifests.next().map(Manifest::configurations);
        }
    }
    if limits.watch.is_cancelled() {
        return Err(Error::Cancelled);
    }
    files.persist()?;
    Ok(accepted)
}

/// Refuses files at the places of new tables that are others.
fn refuse_to_overwrite(
    asked: &ProjectFiles,
    subject: &Subject,
    tables: &[ManifestTable],
) -> Result<(), Error> {
    let accepted = subject.baseline.as_ref();
    let is_accepted = |check: &str| accepted.is_some_and(|b| b.table(check).is_some());
    let remedy = Remedy::new(&asked.baseline.join(&subject.id), &asked.command);
    for table in tables.iter().filter(|table| !is_accepted(&table.check)) {
        let file = table_file(&subject.id, &table.check);
        refuse_foreign(&asked.baseline.join(file), table, &remedy)?;
    }
    Ok(())
}

/// The files of tables whose check is gone, and of contests that checks do not declare any more.
fn gone_files(subject: &Subject) -> Vec<PathBuf> {
    let Some(accepted) = &subject.baseline else {
        return Vec::new();
    };
    let old = accepted.manifest.tables.iter();
    let old = old.filter(|table| subject.manifest.table(&table.check).is_none());
    let mut gone: Vec<PathBuf> = old.flat_map(|table| accepted.paths(table)).collect();
    gone.extend(accepted.stale_probes(&subject.model));
    gone
}

//! Accepted odds on disk: for each ruleset a directory with the table of every check, and a manifest that says what they
//! are tables of.

mod digest;
mod lines;
mod manifest;
mod probes;
mod remedy;
mod rows;
mod setting;
mod table;
mod write;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use oddsmith_rules::{Model, Source};

pub(crate) use digest::Digest;
pub use manifest::MANIFEST;
pub(crate) use manifest::{Manifest, game};
pub(crate) use probes::{Accepted as AcceptedProbe, Kind as ProbeKind, Seen, way_text};
pub(crate) use remedy::Remedy;
pub(crate) use rows::{Columns, Lines, Parsed};
pub(crate) use setting::Setting;
pub(crate) use table::ManifestTable;
pub(crate) use write::{Listed, add_manifests, add_tables, table_file};

use crate::{Error, reason};
use rows::text_of;

/// Bytes of the largest manifest that is read: far more than any has, and no strain on the memory.
const MOST_BYTES: u64 = 1 << 24;

/// The accepted odds of one ruleset, found to be just what was accepted.
#[derive(Debug)]
pub(crate) struct Baseline {
    directory: PathBuf,
    pub(crate) manifest: Manifest,
    /// The manifest as it stands in its file.
    pub(crate) text: String,
    remedy: Remedy,
}

impl Baseline {
    /// The accepted odds of a directory, every table held against the manifest; none if there is no manifest. The game
    /// is called `game`, and errors say what `remedy` knows.
    ///
    /// # Errors
    /// Whatever is not as it was written: such a baseline says nothing.
    pub(crate) fn open(
        directory: &Path,
        game: &str,
        remedy: Remedy,
    ) -> Result<Option<Self>, Error> {
        let Some((manifest, text)) = read(directory, game, &remedy)? else {
            return Ok(None);
        };
        let baseline = Self {
            directory: directory.to_owned(),
            manifest,
            text,
            remedy,
        };
        for table in &baseline.manifest.tables {
            baseline.verify(table)?;
            for kind in ProbeKind::ALL {
                baseline.probes(table, kind)?;
            }
        }
        Ok(Some(baseline))
    }

    /// Where a table is.
    fn path(&self, table: &ManifestTable) -> PathBuf {
        self.directory.join(format!("{}.csv", table.check))
    }

    /// Where the odds of probes are.
    fn probes_path(&self, table: &ManifestTable, kind: ProbeKind) -> PathBuf {
        self.directory
            .join(format!("{}.{}.csv", table.check, kind.key()))
    }

    /// The files of a table: its own, and those of its probes.
    pub(crate) fn paths(&self, table: &ManifestTable) -> Vec<PathBuf> {
        let probes = ProbeKind::ALL.into_iter();
        let probes = probes.filter(|kind| table.probes(*kind).is_some());
        let probes = probes.map(|kind| self.probes_path(table, kind));
        std::iter::once(self.path(table)).chain(probes).collect()
    }

    /// The files of contests that checks do not declare any more.
    pub(crate) fn stale_probes(&self, model: &Model) -> Vec<PathBuf> {
        let declares = |check: &str| model.check(check).is_some_and(|one| one.contest.is_some());
        let tables = self.manifest.tables.iter();
        let stale = tables
            .filter(|table| table.probes(ProbeKind::Contest).is_some() && !declares(&table.check));
        stale
            .map(|table| self.probes_path(table, ProbeKind::Contest))
            .collect()
    }

    /// The columns and the rows of accepted probes; nothing if there are none.
    ///
    /// # Errors
    /// If the file is not the one that was accepted.
    pub(crate) fn probes(
        &self,
        table: &ManifestTable,
        kind: ProbeKind,
    ) -> Result<(Vec<String>, Vec<AcceptedProbe>), Error> {
        let Some(probes) = table.probes(kind) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let path = self.probes_path(table, kind);
        let mut lines = Lines::open(&path, &self.remedy)?;
        let (mut digest, mut text, mut number) = (Digest::default(), Vec::new(), 0);
        while let Some(line) = lines.next()? {
            number += 1;
            if let Some(conflict) = self.remedy.conflict(&path, number, line) {
                return Err(conflict);
            }
            digest.line(line);
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        let found = probes::parse(&text).filter(|(_, rows)| rows.len() as u64 == probes.rows);
        match found {
            Some(found) if digest.finish() == probes.csv => Ok(found),
            _ => {
                let message = format!("`{}` was changed after it was accepted", path.display());
                Err(self.remedy.damaged(message))
            }
        }
    }

    /// The accepted table of a check.
    pub(crate) fn table(&self, check: &str) -> Option<&ManifestTable> {
        self.manifest.table(check)
    }

    /// The lines of a table.
    ///
    /// # Errors
    /// If the file can't be read.
    pub(crate) fn lines(&self, table: &ManifestTable) -> Result<Lines, Error> {
        Lines::open(&self.path(table), &self.remedy)
    }

    /// Refuses a file that is not the table that was accepted.
    fn verify(&self, table: &ManifestTable) -> Result<(), Error> {
        let path = self.path(table);
        let refuse =
            |what: String| Err(self.remedy.damaged(format!("`{}` {what}", path.display())));
        let mut lines = self.lines(table)?;
        let (mut digest, mut count) = (Digest::default(), 0_u64);
        while let Some(line) = lines.next()? {
            if let Some(conflict) = self.remedy.conflict(&path, count + 1, line) {
                return Err(conflict);
            }
            if count == 0 && Columns::of(line, table).is_none() {
                let columns = text_of(line);
                return refuse(format!("is another table: its columns are {columns}"));
            }
            digest.line(line);
            count += 1;
        }
        let rows = count.saturating_sub(1);
        if count == 0 || rows != table.rows {
            let accepted = table.rows;
            return refuse(format!("has {rows} rows, but {accepted} were accepted"));
        }
        if digest.finish() != table.csv {
            return refuse(
                "was changed after it was accepted: rows are edited or re-ordered".into(),
            );
        }
        Ok(())
    }
}

/// The manifest of the accepted odds of a game in a directory, and its text; none if there is none.
fn read(
    directory: &Path,
    game: &str,
    remedy: &Remedy,
) -> Result<Option<(Manifest, String)>, Error> {
    let path = directory.join(MANIFEST);
    let Some(text) = text(&path, remedy)? else {
        return Ok(None);
    };
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(conflict) = remedy.conflict(&path, number, line.as_bytes()) {
            return Err(conflict);
        }
    }
    let source = Source::new(path.display().to_string(), text.as_str());
    let manifest = Manifest::read(&source, &remedy.of_damage())?;
    if manifest.ruleset != game {
        let accepted = &manifest.ruleset;
        let name = directory.display();
        let message = format!("`{name}` has the odds of \"{accepted}\", not of \"{game}\"");
        let help = format!("if it is the same game under another name, remove `{name}` first");
        return Err(Error::advice(message, help));
    }
    Ok(Some((manifest, text)))
}

/// What was accepted in a directory that tables are to be written to.
#[derive(Debug)]
pub(crate) struct Kept {
    directory: PathBuf,
    manifest: Option<Manifest>,
    remedy: Remedy,
}

impl Kept {
    /// What is accepted of a game in a directory, as far as its manifest tells; `accept` is the command that accepts odds there.
    ///
    /// # Errors
    /// If the manifest is not as it was written, or that of another game.
    pub(crate) fn read(directory: PathBuf, game: &str, accept: &str) -> Result<Self, Error> {
        let remedy = Remedy::new(&directory, accept);
        let manifest = read(&directory, game, &remedy)?.map(|(manifest, _)| manifest);
        Ok(Self {
            directory,
            manifest,
            remedy,
        })
    }

    /// Refuses tables that would take the place of accepted ones and are others: `check --update` alone accepts odds.
    ///
    /// # Errors
    /// If one is.
    pub(crate) fn refuse_others(&self, tables: &[ManifestTable]) -> Result<(), Error> {
        let Some(accepted) = &self.manifest else {
            return Ok(());
        };
        let directory = self.directory.display();
        for table in tables {
            let check = &table.check;
            let what = match accepted.table(check) {
                Some(known) if known.csv == table.csv => continue,
                Some(_) => format!("and those of `{check}` are others now"),
                None => format!("but none of `{check}`"),
            };
            let message = format!("`{directory}` has accepted odds, {what}");
            return Err(Error::advice(message, self.remedy.of_moved()));
        }
        Ok(())
    }
}

/// A manifest with the line ends of this system; none if there is none.
fn text(path: &Path, remedy: &Remedy) -> Result<Option<String>, Error> {
    let Some(file) = remedy.open(path)? else {
        return Ok(None);
    };
    let mut text = String::new();
    let read = file.take(MOST_BYTES).read_to_string(&mut text);
    let name = path.display();
    match read {
        Err(error) => Err(remedy.damaged(format!("can't read `{name}`: {}", reason(&error)))),
        Ok(bytes) if bytes as u64 == MOST_BYTES => {
            Err(remedy.damaged(format!("`{name}` is too long for a manifest")))
        }
        Ok(_) => Ok(Some(text.replace("\r\n", "\n"))),
    }
}

/// Whether a file is a table: as many lines, and the same.
fn is_table(path: &Path, table: &ManifestTable, remedy: &Remedy) -> Result<bool, Error> {
    let (mut lines, mut digest) = (Lines::open(path, remedy)?, Digest::default());
    for _ in 0..=table.rows {
        let Some(line) = lines.next()? else {
            return Ok(false);
        };
        digest.line(line);
    }
    Ok(lines.next()?.is_none() && digest.finish() == table.csv)
}

/// Refuses a file at the place of a table that no manifest knows of, unless it is that table.
pub(crate) fn refuse_foreign(
    path: &Path,
    table: &ManifestTable,
    remedy: &Remedy,
) -> Result<(), Error> {
    // Whatever can't be read is not that table.
    if !path.exists() || is_table(path, table, remedy).unwrap_or(false) {
        return Ok(());
    }
    let name = path.display();
    let message = format!("`{name}` would be overwritten, and no `{MANIFEST}` says what it is");
    Err(Error::advice(message, "remove it first, if it may go"))
}

//! Accepted odds on disk: for each ruleset a directory with the table of every check, and a manifest that says what they
//! are tables of.

mod digest;
mod manifest;
mod rows;
mod write;

use std::path::{Path, PathBuf};

use anyhow::Result;
use oddsmith_rules::Source;

use crate::failure::Advice;
use crate::target::reason;

pub(crate) use manifest::{Manifest, Setting, Table, game};
pub(crate) use rows::{Columns, Lines, Parsed};
pub(crate) use write::{add, table_file};

use digest::Digest;
use rows::text_of;

/// What a manifest is called.
pub(crate) const MANIFEST: &str = "baseline.toml";

/// What to do about files that are not what was accepted.
const HELP: &str =
    "restore it from version control; or, to accept the odds as they are now, remove it";

/// The accepted odds of one ruleset, found to be just what was accepted.
#[derive(Debug)]
pub(crate) struct Baseline {
    directory: PathBuf,
    pub(crate) manifest: Manifest,
    /// The manifest as it stands in its file.
    pub(crate) text: String,
}

impl Baseline {
    /// Reads the manifest and holds every table against it; none if there is no manifest.
    ///
    /// # Errors
    /// Whatever is not as it was written: such a baseline says nothing.
    pub(crate) fn open(directory: &Path, game: &str) -> Result<Option<Self>> {
        let path = directory.join(MANIFEST);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let message = format!("can't read `{}`: {}", path.display(), reason(&error));
                return Err(Advice::error(message, HELP));
            }
        };
        let text = text.replace("\r\n", "\n");
        let manifest = Manifest::read(&Source::new(path.display().to_string(), text.as_str()))?;
        if manifest.ruleset != game {
            let accepted = &manifest.ruleset;
            let name = directory.display();
            let message = format!("`{name}` has the odds of \"{accepted}\", not of \"{game}\"");
            let help = format!("if it is the same game under another name, remove `{name}` first");
            return Err(Advice::error(message, help));
        }
        let baseline = Self {
            directory: directory.to_owned(),
            manifest,
            text,
        };
        for table in &baseline.manifest.tables {
            baseline.verify(table)?;
        }
        Ok(Some(baseline))
    }

    /// Where a table is.
    pub(crate) fn path(&self, table: &Table) -> PathBuf {
        self.directory.join(format!("{}.csv", table.check))
    }

    /// The accepted table of a check.
    pub(crate) fn table(&self, check: &str) -> Option<&Table> {
        self.manifest.table(check)
    }

    /// Refuses a file that is not the table that was accepted.
    fn verify(&self, table: &Table) -> Result<()> {
        let path = self.path(table);
        let refuse = |what: String| {
            let message = format!("`{}` {what}", path.display());
            Err(Advice::error(message, HELP))
        };
        let mut lines = Lines::open(&path)?;
        let (mut digest, mut count) = (Digest::default(), 0_u64);
        while let Some(line) = lines.next()? {
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

/// What can't be overwritten: a file at the place of a table that no manifest knows of.
pub(crate) fn refuse_foreign(path: &Path) -> Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let name = path.display();
    let message = format!("`{name}` would be overwritten, and no `{MANIFEST}` says what it is");
    let help = "remove it first, if it may go; `oddsmith report -o DIR` writes all files anew";
    Err(Advice::error(message, help))
}

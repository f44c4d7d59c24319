//! Journals: what a run has decided to rename and to remove, which the next run completes if this one can't.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::claim::cant_write;
use super::unfinished::{DRAFT, JOURNAL, NEW};
use crate::within::leads_out;
use crate::{Error, text_file};

/// What is decided as soon as the journal has its name. Carrying it out twice is the same as once.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    /// The new files that get their names, in order: paths in both directories.
    pub(super) renamed: Vec<PathBuf>,
    /// The files that go after that.
    pub(super) removed: Vec<PathBuf>,
}

impl Journal {
    /// Writes it: from here on all that it says is going to happen, whatever ends this run.
    pub(super) fn write(&self, partial: &Path) -> Result<(), Error> {
        let (draft, path) = (partial.join(DRAFT), partial.join(JOURNAL));
        let write = || {
            let mut file = File::create(&draft)?;
            file.write_all(&serde_json::to_vec(self)?)?;
            file.sync_all()?;
            fs::rename(&draft, &path)?;
            sync(partial)
        };
        write().map_err(cant_write(&path))
    }

    /// The one that a run before has left, if it left any. It may come from a stranger: its paths stay below `directory`.
    pub(super) fn read(partial: &Path, directory: &Path) -> Result<Option<Self>, Error> {
        let path = partial.join(JOURNAL);
        if fs::symlink_metadata(&path).is_err() {
            return Ok(None);
        }
        let read = || {
            let bytes = text_file::read(&path, oddsmith_rules::MOST_BYTES)?;
            let journal: Self = serde_json::from_slice(&bytes)?;
            if let Some(out) = journal.paths().find(|path| !is_plain(path)) {
                return Err(io::Error::other(format!("`{}` leads out", out.display())));
            }
            Ok(journal)
        };
        let unusable = |error: io::Error| {
            let (shown, partial) = (path.display(), partial.display());
            let message = format!("`{shown}` of an earlier run can't be completed: {error}");
            Error::advice(message, format!("remove `{partial}`"))
        };
        let journal = read().map_err(unusable)?;
        journal.demand_within(directory)?;
        Ok(Some(journal))
    }

    /// Refuses links out of the directory.
    pub(super) fn demand_within(&self, directory: &Path) -> Result<(), Error> {
        let mut parents = BTreeSet::new();
        for path in self.paths() {
            let place = directory.join(path);
            let parent = place.parent().unwrap_or(directory);
            if parents.insert(parent.to_owned()) && leads_out(directory, parent) {
                let (place, directory) = (place.display(), directory.display());
                let message = format!("`{place}` lies outside of `{directory}`");
                let help = "a link leads there: remove it, or name the directory that it leads to";
                return Err(Error::advice(message, help));
            }
        }
        Ok(())
    }

    /// Carries it out.
    pub(super) fn complete(&self, partial: &Path, directory: &Path) -> Result<(), Error> {
        let new = partial.join(NEW);
        let mut changed = BTreeSet::new();
        for path in &self.renamed {
            let (from, to) = (new.join(path), directory.join(path));
            // What is not there any more has its name already.
            if from.exists() {
                let parent = to.parent().unwrap_or(directory).to_owned();
                fs::create_dir_all(&parent).map_err(cant_write(&to))?;
                fs::rename(&from, &to).map_err(cant_write(&to))?;
                changed.insert(parent);
            }
        }
        for path in &self.removed {
            let path = directory.join(path);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(cant_write(&path)(error));
                }
                _ => {}
            }
        }
        changed.insert(directory.to_owned());
        changed
            .iter()
            .try_for_each(|directory| sync(directory).map_err(cant_write(directory)))?;
        // Nothing is left to do: what is left now may go.
        let path = partial.join(JOURNAL);
        fs::remove_file(&path).map_err(cant_write(&path))
    }

    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.renamed.iter().chain(&self.removed)
    }
}

/// Whether a path leads down only, by its words.
fn is_plain(path: &Path) -> bool {
    let mut components = path.components();
    components.all(|part| matches!(part, Component::Normal(_)))
}

/// Has the names in a directory outlast a loss of power; a file of its own is synced by its writer.
pub(super) fn sync(directory: &Path) -> io::Result<()> {
    // Elsewhere directories can't be opened, and the system writes them by itself.
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    let _ = directory;
    Ok(())
}

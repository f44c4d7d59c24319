//! Partial directories: where files are made that belong together. One run at a time has the one of a directory.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::claim::{PAUSE, claim, try_claim, unwritable_in};
use super::guard::Guard;
use super::journal::Journal;
use super::unfinished::{JOURNAL, LOCK, NEW, Unfinished, empty, missing};
use crate::Error;
use crate::within::leads_out;

/// What it is called in the directory that the files are for.
const PARTIAL: &str = ".oddsmith.partial";

/// The partial directory of a run, which has it alone. It goes in the end, but for what a journal decided.
#[derive(Debug)]
pub(super) struct PartialDirectory {
    unfinished: Unfinished,
    /// Locked until the directory is gone.
    _lock: File,
}

impl PartialDirectory {
    /// Makes it in a directory, which is made where there is none; waits while another run has it, and completes or undoes
    /// what that one left.
    pub(super) fn begin(directory: &Path, guard: &dyn Guard) -> Result<Self, Error> {
        let made = missing(directory);
        claim(directory, guard, || {
            let Some(partial) = Self::try_begin(directory, made.clone())? else {
                return Ok(None);
            };
            partial.settle(directory)?;
            Ok(Some((partial.unfinished.clone(), partial)))
        })
    }

    fn try_begin(directory: &Path, made: Vec<PathBuf>) -> Result<Option<Self>, Error> {
        let unwritable = |error| unwritable_in(directory, &error);
        let partial = directory.join(PARTIAL);
        fs::create_dir_all(directory).map_err(unwritable)?;
        if leads_out(directory, &partial) {
            let message = format!("`{}` is a link out of its directory", partial.display());
            return Err(Error::advice(message, "remove it"));
        }
        match fs::create_dir(&partial) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(unwritable(error));
            }
            _ => {}
        }
        let unfinished = Unfinished { partial, made };
        match try_claim(&unfinished.partial.join(LOCK)) {
            Ok(lock) => Ok(lock.map(|_lock| Self { unfinished, _lock })),
            // The run before has just removed the directory.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => {
                // Only if it is empty, and so not another run's.
                let _ = fs::remove_dir(&unfinished.partial);
                let _ = unfinished.made.iter().try_for_each(fs::remove_dir);
                Err(unwritable(error))
            }
        }
    }

    /// Completes what the run before has decided, or else removes what it has made.
    fn settle(&self, directory: &Path) -> Result<(), Error> {
        if let Some(journal) = Journal::read(self.path(), directory)? {
            journal.complete(self.path(), directory)?;
        }
        empty(self.path());
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.unfinished.partial
    }

    /// Where the files are until they have their names.
    pub(super) fn new_files(&self) -> PathBuf {
        self.path().join(NEW)
    }
}

impl Drop for PartialDirectory {
    fn drop(&mut self) {
        self.unfinished.remove();
    }
}

/// Completes or undoes what a run before has left in a directory that was ended while it wrote there; waits for one that
/// renames its files right now. Whoever reads files that belong together calls this first.
///
/// # Errors
/// If something is left that can't be completed here, because nothing can be written or it was tampered with.
pub fn recover(directory: &Path, guard: &dyn Guard) -> Result<(), Error> {
    let partial = directory.join(PARTIAL);
    loop {
        if fs::symlink_metadata(&partial).is_err() {
            return Ok(());
        }
        let has_decided = fs::symlink_metadata(partial.join(JOURNAL)).is_ok();
        match PartialDirectory::try_begin(directory, Vec::new()) {
            Ok(Some(partial)) => {
                let mut partial = Some(partial);
                return guard.complete(&mut || {
                    let partial = partial.take();
                    partial.map_or(Ok(()), |partial| partial.settle(directory))
                });
            }
            Err(error) if has_decided => return Err(error),
            // Nothing is changed yet by a run that has decided nothing.
            Ok(None) | Err(_) if !has_decided => return Ok(()),
            Ok(None) | Err(_) => std::thread::sleep(PAUSE),
        }
    }
}

//! What is made on the way to a file, and has to go if the program ends before the file is there.

use std::fs;
use std::path::{Path, PathBuf};

/// What is in a partial directory: the file that its run locks.
pub(super) const LOCK: &str = "lock";
/// The new files.
pub(super) const NEW: &str = "new";
/// What is decided.
pub(super) const JOURNAL: &str = "journal";
/// The journal until it is written whole.
pub(super) const DRAFT: &str = "journal.partial";

/// What is made on the way to a file, or to files that belong together.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// A file that is not complete, or the directory of those that are not.
    pub(super) partial: PathBuf,
    /// The directories that were made for it, innermost first.
    pub(super) made: Vec<PathBuf>,
}

impl Unfinished {
    /// Removes it, and the directories that were made for it if they are empty; not what a journal decided. What can't
    /// be removed stays: the next run that writes at this place removes it.
    pub fn remove(&self) {
        if self.partial.is_dir() {
            clear(&self.partial);
        } else {
            let _ = fs::remove_file(&self.partial);
        }
        // Only empty directories can be removed this way.
        let _ = self.made.iter().try_for_each(fs::remove_dir);
    }
}

/// The directories that are missing on the way to one, innermost first.
pub(super) fn missing(directory: &Path) -> Vec<PathBuf> {
    let missing = directory.ancestors().take_while(|path| !path.exists());
    let named = missing.filter(|path| !path.as_os_str().is_empty());
    named.map(Path::to_owned).collect()
}

/// Removes a partial directory, unless a journal has decided what comes of it. Its lock goes last: as long as it is there no
/// other run makes anything.
fn clear(partial: &Path) {
    if !partial.join(JOURNAL).exists() {
        empty(partial);
        let _ = fs::remove_file(partial.join(LOCK));
        let _ = fs::remove_dir(partial);
    }
}

/// Removes what a run has made that decided nothing.
pub(super) fn empty(partial: &Path) {
    let _ = fs::remove_dir_all(partial.join(NEW));
    let _ = fs::remove_file(partial.join(DRAFT));
}

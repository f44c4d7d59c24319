//! What is made on the way to a file, and has to go if the program ends before the file is there.

use std::fs;
use std::path::{Path, PathBuf};

use super::partial_directory;

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
            partial_directory::clear(&self.partial);
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

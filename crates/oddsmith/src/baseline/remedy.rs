//! What to do about a baseline that is not as it was written.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use crate::{Error, reason, shell_words, text_file};

/// The advice that names the directory and the command which accepts the odds as they are.
#[derive(Clone, Debug)]
pub(crate) struct Remedy {
    directory: String,
    accept: String,
}

impl Remedy {
    /// The advice for a baseline in a directory; `accept` is the command with the options of this run.
    pub(crate) fn new(directory: &Path, accept: &str) -> Self {
        Self {
            directory: shell_words::path(directory),
            accept: accept.to_owned(),
        }
    }

    /// For files that are missing, or not what was written.
    pub(crate) fn of_damage(&self) -> String {
        let Self { directory, accept } = self;
        format!(
            "restore it from version control; or remove the directory {directory} and accept the odds as they are now: {accept}"
        )
    }

    /// For a report over accepted odds that are others.
    pub(super) fn of_moved(&self) -> String {
        let accept = &self.accept;
        format!(
            "write the report to another directory; or accept the odds as they are now first: {accept}"
        )
    }

    /// An error about damage.
    pub(super) fn damaged(&self, message: impl Into<String>) -> Error {
        Error::advice(message, self.of_damage())
    }

    /// An error about a line that version control has left in a file; none about any other line.
    pub(super) fn conflict(&self, path: &Path, number: u64, line: &[u8]) -> Option<Error> {
        let is_marker = [&b"<<<<<<< "[..], b">>>>>>> "]
            .iter()
            .any(|marker| line.starts_with(marker));
        let Self { directory, accept } = self;
        let name = path.display();
        let help = format!("take either side of all the files of {directory}, then: {accept}");
        is_marker.then(|| {
            let message =
                format!("`{name}` has conflict markers of a merge, first in line {number}");
            Error::advice(message, help)
        })
    }

    /// Opens a file; none if it is not there.
    ///
    /// # Errors
    /// If it can't be read, or is not a file that lies on a disk: reading might not end.
    pub(super) fn open(&self, path: &Path) -> Result<Option<File>, Error> {
        let unreadable =
            |why: &str| self.damaged(format!("can't read `{}`: {why}", path.display()));
        match text_file::open(path) {
            Ok(file) => Ok(Some(file)),
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                Ok(None)
            }
            Err(error) => Err(unreadable(&reason(&error))),
        }
    }
}

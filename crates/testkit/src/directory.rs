//! A directory for the files of a test.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A directory; it goes when this does. Files are named as seen from it.
#[derive(Debug)]
pub struct Directory(TempDir);

impl Directory {
    /// One with nothing in it.
    ///
    /// # Panics
    /// If there can't be one.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it makes something on the disk")]
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    /// One with nothing in it that lies in memory, where the system has a place for that: a disk takes its time for every file
    /// that has to be on it for good.
    ///
    /// # Panics
    /// If there can't be one.
    #[must_use]
    pub fn in_memory() -> Self {
        match tempfile::tempdir_in("/dev/shm") {
            Ok(directory) => Self(directory),
            Err(_) => Self::new(),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.0.path()
    }

    /// Where a file is.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Writes a file.
    ///
    /// # Panics
    /// If it can't be written.
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// The text of a file.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Changes a file where a text stands for the first time.
    ///
    /// # Panics
    /// If the text is not there.
    pub fn change(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{from}");
        self.write(name, &text.replacen(from, to, 1));
    }

    /// Makes a directory in it.
    ///
    /// # Panics
    /// If it can't be made.
    pub fn make(&self, name: &str) {
        fs::create_dir_all(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Removes a file.
    ///
    /// # Panics
    /// If it is not there.
    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Removes a directory in it, with all that is there.
    ///
    /// # Panics
    /// If it is not there.
    pub fn remove_all(&self, name: &str) {
        fs::remove_dir_all(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// A text that names files of the directory by their paths, as if it were told there.
    #[must_use]
    pub fn shown(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.root().display()), "")
    }

    /// Every file at any depth below a directory in it, by name, with its content; none if there is no such directory.
    ///
    /// # Panics
    /// If one can't be read.
    #[must_use]
    pub fn contents(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        collect(&self.path(name), &mut files);
        for (name, _) in &mut files {
            *name = self.shown(name);
        }
        files.sort();
        files
    }
}

fn collect(directory: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("a file or directory").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            let bytes = fs::read(&path).expect("a file can be read");
            files.push((path.display().to_string(), bytes));
        }
    }
}

//! The files that one page has open, and what it was told of them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::content::FileText;
use super::error::FileError;
use super::listing::Listing;
use super::name::uri;
use super::served::Files;
use super::stamp::Stamp;
use super::text;
use crate::lock::lock;

/// The most files that one page has open.
const MOST: usize = 64;

/// A file has another content than its page was told last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file.
    pub uri: String,
    /// What it has now, or why it can't be read any more.
    pub now: Result<FileText, FileError>,
}

/// The files that one page has open. The page is told of every content but those that it has read or saved itself; so what one
/// page saves is news to the others.
pub struct OpenFiles {
    files: Arc<Files>,
    open: Mutex<BTreeMap<String, Known>>,
}

/// What a page knows of a file, and what was seen of it.
struct Known {
    /// The digest that the page was told last; none if it was told that the file can't be read.
    told: Option<String>,
    /// How the file looked when it was read last.
    read: Option<Stamp>,
    /// How the file looked the last time.
    seen: Option<Stamp>,
    /// Whether every change since then would show.
    is_settled: bool,
}

impl OpenFiles {
    /// Nothing is open yet.
    pub fn new(files: Arc<Files>) -> Self {
        let open = Mutex::default();
        Self { files, open }
    }

    /// The rulesets there are, by name.
    pub fn list(&self) -> Listing {
        self.files.list()
    }

    /// Opens a file, and has it watched.
    ///
    /// # Errors
    /// If there is no such ruleset, it can't be read, or 64 files are open.
    pub fn open(&self, uri: &str) -> Result<FileText, FileError> {
        self.demand_room(uri)?;
        let mut open = lock(&self.open);
        let path = self.files.place(uri)?;
        let stamp = Stamp::of(&path);
        let found = text::read(uri, &path)?;
        open.insert(uri.to_owned(), Known::new(&found.digest, stamp));
        Ok(found)
    }

    /// Refuses one file more than may be open.
    fn demand_room(&self, uri: &str) -> Result<(), FileError> {
        let open = lock(&self.open);
        match open.len() < MOST || open.contains_key(uri) {
            true => Ok(()),
            false => Err(FileError::TooMany { most: MOST }),
        }
    }

    /// The text of a file as it is on the disk, without opening it.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn read(&self, uri: &str) -> Result<FileText, FileError> {
        self.files.read(uri)
    }

    /// Where a ruleset lies on the disk, without links.
    ///
    /// # Errors
    /// If there is no such ruleset.
    pub fn path(&self, uri: &str) -> Result<PathBuf, FileError> {
        self.files.place(uri)
    }

    /// Saves a text over the content that has the digest `known`, and returns the digest of the text. The file is replaced
    /// whole or not at all.
    ///
    /// # Errors
    /// [`FileError::Changed`] if the file has another content by now; if the text is longer than 4 MB, or can't be written. The
    /// file is as it was then.
    pub fn save(&self, uri: &str, text: &str, known: &str) -> Result<String, FileError> {
        let mut open = lock(&self.open);
        let digest = self.files.save(uri, text, known)?;
        if let Some(known) = open.get_mut(uri) {
            known.told = Some(digest.clone());
        }
        Ok(digest)
    }

    /// Whether new files can be saved: a directory is served, not one file, or none.
    pub fn takes_new(&self) -> bool {
        self.files.takes_new()
    }

    /// Saves a text as a new file, and opens it; returns its URI as well. `name` is its path below the directory that is
    /// served, with `/`.
    ///
    /// # Errors
    /// [`FileError::Exists`] if there is a file of this name; if its directory is not there, the text is longer than 4 MB or
    /// can't be written, or 64 files are open.
    pub fn create(&self, name: &str, text: &str) -> Result<(String, FileText), FileError> {
        let uri = uri(name.split('/'));
        self.demand_room(&uri)?;
        self.files.create(&uri, text)?;
        let file = self.open(&uri)?;
        Ok((uri, file))
    }

    /// Has a file watched no longer.
    pub fn close(&self, uri: &str) {
        lock(&self.open).remove(uri);
    }

    /// What has changed since the page was told last, of files that look the same as the last time that this was asked: a
    /// file that is being written is left alone.
    pub fn changes(&self) -> Vec<FileChange> {
        let mut open = lock(&self.open);
        let news = open.iter_mut().filter_map(|(uri, known)| {
            let now = known.look(&self.files, uri)?;
            let uri = uri.clone();
            Some(FileChange { uri, now })
        });
        news.collect()
    }
}

impl Known {
    fn new(digest: &str, stamp: Option<Stamp>) -> Self {
        Self {
            told: Some(digest.to_owned()),
            is_settled: stamp.as_ref().is_some_and(Stamp::is_settled),
            read: stamp.clone(),
            seen: stamp,
        }
    }

    /// What the file has, if the page does not know it.
    fn look(&mut self, files: &Files, uri: &str) -> Option<Result<FileText, FileError>> {
        let stamp = files.place(uri).ok().and_then(|path| Stamp::of(&path));
        if stamp != self.seen {
            self.seen = stamp;
            return None;
        }
        if stamp == self.read && self.is_settled {
            return None;
        }
        self.is_settled = stamp.as_ref().is_none_or(Stamp::is_settled);
        self.read = stamp;
        let now = files.read(uri);
        let digest = now.as_ref().ok().map(|now| now.digest.clone());
        if digest == self.told {
            return None;
        }
        self.told = digest;
        Some(now)
    }
}

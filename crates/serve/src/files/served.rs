//! What is served, and how it is saved.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::content::{FileText, digest};
use super::error::FileError;
use super::listing::{self, Listing};
use super::name;
use super::place::Root;
use super::text::{self, demand_short};
use crate::lock::lock;

/// What writes a file whole or not at all: `(path, bytes, is_unchanged)`. When the new file is complete and only has to get its
/// name, it calls `is_unchanged`; if that says no, it leaves the old file as it is and fails. Its error says why in words.
pub type Save = dyn Fn(&Path, &[u8], &mut dyn FnMut() -> bool) -> Result<(), String> + Send + Sync;

/// The rulesets of one file or one directory.
pub struct Files {
    /// Nothing is served without one.
    root: Option<Root>,
    save: Box<Save>,
    /// Held while a file is saved, so that of two that save the same text at once the second sees the first.
    saving: Mutex<()>,
}

impl Files {
    /// No files.
    pub fn none() -> Self {
        let save = |_: &Path, _: &[u8], _: &mut dyn FnMut() -> bool| Err(String::new());
        Self {
            root: None,
            save: Box::new(save),
            saving: Mutex::new(()),
        }
    }

    /// The ruleset at a path, or those in a directory and below; `save` writes a file, as [`Save`] says.
    ///
    /// # Errors
    /// If there is nothing, or neither a file nor a directory.
    pub fn new(
        path: &Path,
        save: impl Fn(&Path, &[u8], &mut dyn FnMut() -> bool) -> Result<(), String>
        + Send
        + Sync
        + 'static,
    ) -> io::Result<Self> {
        Ok(Self {
            root: Some(Root::new(path)?),
            save: Box::new(save),
            saving: Mutex::new(()),
        })
    }

    /// The rulesets there are, by name.
    pub fn list(&self) -> Listing {
        self.root.as_ref().map(listing::list).unwrap_or_default()
    }

    /// Where the file of a URI is.
    pub(super) fn place(&self, uri: &str) -> Result<PathBuf, FileError> {
        let name = name::parse(uri)?;
        let root = self.root.as_ref();
        let root = root.ok_or_else(|| FileError::missing(uri))?;
        root.find(uri, &name)
    }

    /// The text of a file.
    pub(super) fn read(&self, uri: &str) -> Result<FileText, FileError> {
        text::read(uri, &self.place(uri)?)
    }

    /// Whether new files can be saved: a directory is served.
    pub(super) fn takes_new(&self) -> bool {
        self.root.as_ref().is_some_and(|root| root.only().is_none())
    }

    /// Saves a text over the content that has this digest, and returns the new digest.
    pub(super) fn save(&self, uri: &str, text: &str, known: &str) -> Result<String, FileError> {
        demand_short(uri, text.len())?;
        let _saving = lock(&self.saving);
        let path = self.place(uri)?;
        self.write(uri, &path, text, || demand_unchanged(uri, &path, known))
    }

    /// Saves a text as a file that is not there yet, in a directory that is, and returns its digest.
    pub(super) fn create(&self, uri: &str, text: &str) -> Result<String, FileError> {
        demand_short(uri, text.len())?;
        let name = name::parse(uri)?;
        let root = self.root.as_ref();
        let root = root.ok_or_else(|| FileError::missing(uri))?;
        let _saving = lock(&self.saving);
        let path = root.place_of_new(uri, &name)?;
        self.write(uri, &path, text, || demand_absent(uri, &path))
    }

    /// Writes a text where `demand` allows it, which is asked before the work and just before the file gets its name.
    fn write(
        &self,
        uri: &str,
        path: &Path,
        text: &str,
        demand: impl Fn() -> Result<(), FileError>,
    ) -> Result<String, FileError> {
        demand()?;
        let mut refusal = None;
        let saved = (self.save)(path, text.as_bytes(), &mut || {
            refusal = demand().err();
            refusal.is_none()
        });
        match (refusal, saved) {
            (Some(refusal), _) => Err(refusal),
            (None, Err(why)) => Err(FileError::System {
                uri: uri.to_owned(),
                why,
            }),
            (None, Ok(())) => Ok(digest(text.as_bytes())),
        }
    }
}

/// Refuses a name that something has.
fn demand_absent(uri: &str, path: &Path) -> Result<(), FileError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(FileError::io(uri, &error)),
        Ok(_) => Err(FileError::Exists {
            uri: uri.to_owned(),
        }),
    }
}

/// Refuses a file that has another content than that of a digest.
fn demand_unchanged(uri: &str, path: &Path, known: &str) -> Result<(), FileError> {
    let now = text::read(uri, path)?;
    match now.digest == known {
        true => Ok(()),
        false => Err(FileError::Changed {
            uri: uri.to_owned(),
            now,
        }),
    }
}

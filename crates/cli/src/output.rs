//! Where a table goes: standard output, or a file that is written whole or not at all.

use std::fs;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result};
use tempfile::NamedTempFile;

use crate::exit;
use crate::failure::Advice;
use crate::target::reason;

/// The file that an interruption has to remove.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An open destination.
#[derive(Debug)]
pub(crate) enum Output {
    Stdout(StdoutLock<'static>),
    File(PartialFile),
}

impl Output {
    /// Opens the destination.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self> {
        Ok(match path {
            Some(path) => Self::File(PartialFile::create(path)?),
            None => Self::Stdout(io::stdout().lock()),
        })
    }

    /// Adds bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Stdout(out) => Ok(out.write_all(bytes)?),
            Self::File(file) => file.add(bytes),
        }
    }

    /// Completes it; without this call a file is not there.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::File(file) => file.persist(),
        }
    }
}

/// A file under another name in the same directory until it is complete.
#[derive(Debug)]
pub(crate) struct PartialFile {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl PartialFile {
    /// Opens it; nothing is there under its own name until [`PartialFile::persist`].
    pub(crate) fn create(path: &Path) -> Result<Self> {
        // A link is written through, not replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        remove_when_interrupted()?;
        let mut slot = unfinished();
        let file = temporary(directory).map_err(|error| {
            let message = format!(
                "can't write in `{}`: {}",
                directory.display(),
                reason(&error)
            );
            Advice::error(message, "")
        })?;
        *slot = Some(file.path().to_owned());
        drop(slot);
        Ok(Self {
            path,
            file: BufWriter::with_capacity(1 << 16, file),
        })
    }

    fn add(&mut self, bytes: &[u8]) -> Result<()> {
        self.file
            .write_all(bytes)
            .with_context(|| format!("can't write `{}`", self.path.display()))
    }

    /// Gives it its name.
    pub(crate) fn persist(self) -> Result<()> {
        let name = self.path.display().to_string();
        let file = self
            .file
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error);
        let file = file.with_context(|| format!("can't write `{name}`"))?;
        // Held across the renaming, so that an interruption sees the one file or the other.
        let mut slot = unfinished();
        file.persist(&self.path)
            .map_err(|error| error.error)
            .with_context(|| format!("can't write `{name}`"))?;
        *slot = None;
        Ok(())
    }
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn temporary(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".oddsmith-").suffix(".partial");
    // Temporary files are private; this one will be an ordinary file, with the modes that the user's mask leaves.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory)
}

/// From here on Ctrl-C, a hang-up and a polite kill remove the unfinished file.
fn remove_when_interrupted() -> Result<()> {
    let handler = || {
        // Never released: the file can't be completed any more.
        if let Some(path) = unfinished().take() {
            let _ = fs::remove_file(path);
        }
        std::process::exit(i32::from(exit::INTERRUPTED));
    };
    ctrlc::set_handler(handler).context("can't listen for Ctrl-C")
}

//! Where a table goes: standard output, a pipe or device, or a file that is written whole or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, StdoutLock, Write};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result};
use oddsmith::Error;
use oddsmith::file_set::{Guard, unwritable_in};
use tempfile::NamedTempFile;

use crate::advice::Advice;
use crate::advice::reason;
use crate::{exit, interrupt};

/// The file, or the directory of files, that an interruption has to remove.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a table is to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Standard output, by any of its names.
    Stdout,
    /// What exists and is no regular file, such as a pipe or `/dev/null`: written as the bytes come.
    Device(PathBuf),
    /// A regular file, here or to be.
    File(PathBuf),
}

impl Destination {
    /// What `-o` says; links are followed.
    pub(crate) fn of(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Stdout);
        };
        let links = links(path);
        if links.iter().any(|link| is_stdout(link)) {
            return Ok(Self::Stdout);
        }
        match fs::metadata(path) {
            Ok(what) if what.is_dir() => {
                let message = format!("`{}` is a directory", path.display());
                Err(Advice::error(message, "name a file in it"))
            }
            Ok(what) if !what.is_file() => Ok(Self::Device(path.to_owned())),
            Ok(what) if what.permissions().readonly() => {
                let message = format!("`{}` is read-only", path.display());
                Err(Advice::error(message, ""))
            }
            Ok(_) => Ok(Self::File(
                fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
            )),
            Err(_) => Ok(Self::File(links.last().unwrap_or(&path.to_owned()).clone())),
        }
    }

    /// Whether there is a directory for the file.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn has_place(&self) -> Result<()> {
        let Self::File(path) = self else {
            return Ok(());
        };
        let directory = path.parent().filter(|parent| *parent != Path::new(""));
        let directory = directory.unwrap_or(Path::new("."));
        match fs::read_dir(directory) {
            Ok(_) => Ok(()),
            Err(error) => Err(unwritable_in(directory, &error).into()),
        }
    }

    /// Whether this file is the one at `path`.
    pub(crate) fn is(&self, path: &Path) -> bool {
        let Self::File(ours) = self else { return false };
        match (fs::canonicalize(ours), fs::canonicalize(path)) {
            (Ok(ours), Ok(theirs)) => ours == theirs,
            _ => false,
        }
    }
}

/// The path and what it links to, one link after the other.
fn links(path: &Path) -> Vec<PathBuf> {
    let mut links = vec![path.to_owned()];
    let mut at = path.to_owned();
    while let Ok(next) = fs::read_link(&at)
        && links.len() < 40
    {
        at = at.parent().unwrap_or(Path::new("")).join(next);
        links.push(at.clone());
    }
    links
}

fn is_stdout(path: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
        .iter()
        .any(|name| path == Path::new(name))
}

/// An open destination.
#[derive(Debug)]
pub(crate) enum Output {
    Stdout(StdoutLock<'static>),
    Device(PathBuf, BufWriter<File>),
    File(PartialFile),
}

impl Output {
    /// Opens the destination.
    pub(crate) fn open(destination: &Destination) -> Result<Self> {
        Ok(match destination {
            Destination::Stdout => Self::Stdout(io::stdout().lock()),
            Destination::Device(path) => {
                let file = File::options().write(true).open(path);
                let file = file.map_err(|error| unwritable(path, &error))?;
                Self::Device(path.clone(), BufWriter::with_capacity(1 << 16, file))
            }
            Destination::File(path) => Self::File(PartialFile::create(path)?),
        })
    }

    /// Adds bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Stdout(out) => Ok(out.write_all(bytes)?),
            Self::Device(path, out) => cant_write(out.write_all(bytes), path),
            Self::File(file) => file.add(bytes),
        }
    }

    /// Completes it; without this call a file is not there.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::Device(path, mut out) => cant_write(out.flush(), &path),
            Self::File(file) => file.persist(),
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> anyhow::Error {
    let message = format!("can't write `{}`: {}", path.display(), reason(error));
    Advice::error(message, "")
}

fn cant_write<T>(result: io::Result<T>, path: &Path) -> Result<T> {
    result.with_context(|| format!("can't write `{}`", path.display()))
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
        let old = fs::metadata(path).ok().map(|old| old.permissions());
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let file = temporary_until_complete(|| temporary(directory, old), NamedTempFile::path)?;
        let file = file.map_err(|error| unwritable_in(directory, &error))?;
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 16, file),
        })
    }

    fn add(&mut self, bytes: &[u8]) -> Result<()> {
        cant_write(self.file.write_all(bytes), &self.path)
    }

    /// Gives it its name.
    pub(crate) fn persist(self) -> Result<()> {
        let name = self.path.display().to_string();
        let file = self
            .file
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error);
        let file = file.with_context(|| format!("can't write `{name}`"))?;
        complete(|| {
            let persisted = file.persist(&self.path).map_err(|error| error.error);
            persisted.with_context(|| format!("can't write `{name}`"))
        })?;
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

/// A new file; with the modes of the `old` one, if there is one.
fn temporary(directory: &Path, old: Option<Permissions>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".oddsmith-").suffix(".partial");
    // Temporary files are private; this one will be an ordinary file, with the modes that the user's mask leaves.
    #[cfg(unix)]
    builder.permissions(
        old.clone()
            .unwrap_or_else(|| PermissionsExt::from_mode(0o666)),
    );
    let file = builder.tempfile_in(directory)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old)?;
    }
    Ok(file)
}

/// What `make` makes, a file or a directory for a while; until [`complete`] an interruption removes it.
fn temporary_until_complete<T, E>(
    make: impl FnOnce() -> Result<T, E>,
    path: impl FnOnce(&T) -> &Path,
) -> Result<Result<T, E>> {
    interrupt::clean_up_with(remove_unfinished)?;
    let mut slot = unfinished();
    let made = make();
    *slot = made.as_ref().ok().map(|made| path(made).to_owned());
    Ok(made)
}

/// Gives what was made for a while its name. An interruption comes before that or after it.
fn complete<T, E>(rename: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let mut slot = unfinished();
    let renamed = rename()?;
    *slot = None;
    Ok(renamed)
}

/// Guards the files of the library: an interruption removes what is not complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interruptions;

impl Guard for Interruptions {
    fn begin(&self, make: &mut dyn FnMut() -> Result<PathBuf, Error>) -> Result<(), Error> {
        let made = temporary_until_complete(make, PathBuf::as_path);
        let unguarded = |error| Error::advice(format!("{error:#}"), "");
        made.map_err(unguarded)?.map(|_| ())
    }

    fn complete(&self, rename: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), Error> {
        complete(rename)
    }
}

/// Removes what is unfinished. The program ends then, and it ends anyway unless an interruption is a request.
fn remove_unfinished(is_request: bool) {
    // Held until the end: the file can't be completed any more.
    let mut slot = unfinished();
    let path = slot.take();
    if let Some(path) = &path {
        let _ = if path.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
    }
    if path.is_some() || !is_request {
        std::process::exit(i32::from(exit::INTERRUPTED));
    }
}

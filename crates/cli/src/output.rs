//! Where a table goes: standard output, a pipe or device, or a file that is written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result};
use oddsmith::Error;
use oddsmith::file_set::{Guard, PartialFile, Unfinished, unwritable_in};

use crate::advice::{Advice, reason};
use crate::{exit, interrupt, terminal};

/// What an interruption has to remove.
static UNFINISHED: Mutex<Option<Unfinished>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<Unfinished>> {
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
pub(crate) enum Output {
    Stdout(StdoutLock<'static>),
    Device(PathBuf, BufWriter<File>),
    File(PartialFile<'static>),
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
            Destination::File(path) => Self::File(partial_file(path)?),
        })
    }

    /// Adds bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Stdout(out) => Ok(out.write_all(bytes)?),
            Self::Device(path, out) => cant_write(out.write_all(bytes), path),
            Self::File(file) => cant_write(file.write_all(bytes), file.path()),
        }
    }

    /// Completes it; without this call a file is not there.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::Device(path, mut out) => cant_write(out.flush(), &path),
            Self::File(file) => Ok(file.persist()?),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::Device(_, out) => out.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::Device(_, out) => out.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

/// The error that nothing can be written to a file.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> anyhow::Error {
    let message = format!("can't write `{}`: {}", path.display(), reason(error));
    Advice::error(message, "")
}

fn cant_write<T>(result: io::Result<T>, path: &Path) -> Result<T> {
    result.with_context(|| format!("can't write `{}`", path.display()))
}

/// A file that is not there until it is complete; an interruption removes what there is of it.
pub(crate) fn partial_file(path: &Path) -> Result<PartialFile<'static>> {
    Ok(PartialFile::create(path, &Interruptions)?)
}

/// Guards the files of the library: an interruption removes what is not complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interruptions;

impl Guard for Interruptions {
    fn begin(
        &self,
        make: &mut dyn FnMut() -> Result<Option<Unfinished>, Error>,
    ) -> Result<(), Error> {
        let handled = interrupt::clean_up_with(remove_unfinished);
        handled.map_err(|error| Error::advice(format!("{error:#}"), ""))?;
        let mut slot = unfinished();
        *slot = make()?;
        Ok(())
    }

    fn go_on(&self, make: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), Error> {
        // An interruption that has begun to remove things holds it until the end.
        let _slot = unfinished();
        make()
    }

    fn waits_for(&self, path: &Path) {
        let path = path.display();
        terminal::tell(&format!(
            "another run writes `{path}`: this one waits for it\n"
        ));
    }

    fn complete(&self, rename: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), Error> {
        let mut slot = unfinished();
        rename()?;
        *slot = None;
        Ok(())
    }
}

/// Removes what is unfinished. The program ends then, and it ends anyway unless an interruption is a request.
fn remove_unfinished(is_request: bool) {
    // Held until the end: the file can't be completed any more.
    let mut slot = unfinished();
    let unfinished = slot.take();
    if let Some(unfinished) = &unfinished {
        unfinished.remove();
    }
    if unfinished.is_some() || !is_request {
        std::process::exit(i32::from(exit::INTERRUPTED));
    }
}

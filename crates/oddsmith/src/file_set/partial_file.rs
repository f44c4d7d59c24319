//! A file that is written under another name until it is complete.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::claim::{cant_write, claim, try_claim, unwritable_in};
use super::guard::Guard;
use super::journal::sync;
use super::unfinished::Unfinished;
use crate::Error;

/// How much of a file's name its partial one has: file systems have a limit, often of 255 bytes.
const MOST_OF_A_NAME: usize = 200;

/// A file under another name in the same directory, `.NAME.partial`, until it is complete. One run at a time writes it: others
/// wait. What a run leaves there that was killed is overwritten by the next one.
///
/// ```
/// use oddsmith::file_set::PartialFile;
/// use std::io::Write as _;
/// let path = std::env::temp_dir().join(format!("odds-{}.csv", std::process::id()));
/// let mut file = PartialFile::create(&path, &())?;
/// file.write_all(b"Hit\n50\n").expect("there is room");
/// assert!(!path.exists());
/// file.persist()?;
/// assert_eq!(std::fs::read(&path).expect("it is there"), b"Hit\n50\n");
/// # std::fs::remove_file(&path).expect("it is there");
/// # Ok::<(), oddsmith::Error>(())
/// ```
pub struct PartialFile<'g> {
    path: PathBuf,
    /// Removed in the end, unless it got its name: before the file is closed, after which it is another run's.
    partial: Removed,
    file: BufWriter<File>,
    guard: &'g dyn Guard,
}

/// A file that is removed as soon as nobody needs it.
#[derive(Debug)]
struct Removed(Option<PathBuf>);

impl Drop for Removed {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

impl<'g> PartialFile<'g> {
    /// Opens it; nothing is there under its own name until [`PartialFile::persist`]. It gets the modes of the file that it
    /// replaces.
    ///
    /// # Errors
    /// If nothing can be written in its directory.
    pub fn create(path: &Path, guard: &'g dyn Guard) -> Result<Self, Error> {
        let old = fs::metadata(path).ok().map(|old| old.permissions());
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let partial = directory.join(partial_name(path));
        let file = claim(path, guard, || {
            let file = empty(&partial, old.clone());
            let file = file.map_err(|error| unwritable_in(directory, &error))?;
            let unfinished = Unfinished {
                partial: partial.clone(),
                made: Vec::new(),
            };
            Ok(file.map(|file| (unfinished, file)))
        })?;
        Ok(Self {
            path: path.to_owned(),
            partial: Removed(Some(partial)),
            file: BufWriter::with_capacity(1 << 16, file),
            guard,
        })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name; what it replaces is gone.
    ///
    /// # Errors
    /// If it can't be written whole, or can't get its name: nothing is changed then.
    pub fn persist(self) -> Result<(), Error> {
        let Self {
            path,
            mut file,
            mut partial,
            guard,
        } = self;
        let cant_write = cant_write(&path);
        file.flush().map_err(&cant_write)?;
        file.get_ref().sync_all().map_err(&cant_write)?;
        guard.complete(&mut || {
            if let Some(from) = &partial.0 {
                fs::rename(from, &path).map_err(&cant_write)?;
            }
            partial.0 = None;
            Ok(())
        })?;
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        sync(parent.unwrap_or(Path::new("."))).map_err(cant_write)
    }
}

impl Write for PartialFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// `.NAME.partial`, of as much of the name as fits.
fn partial_name(path: &Path) -> OsString {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let end = (0..=MOST_OF_A_NAME.min(name.len()))
        .rev()
        .find(|&end| name.is_char_boundary(end));
    format!(".{}.partial", &name[..end.unwrap_or(0)]).into()
}

/// The file, empty, unless another run has it.
fn empty(partial: &Path, old: Option<Permissions>) -> io::Result<Option<File>> {
    let Some(file) = try_claim(partial)? else {
        return Ok(None);
    };
    let empty = || {
        file.set_len(0)?;
        old.map_or(Ok(()), |old| file.set_permissions(old))
    };
    if let Err(error) = empty() {
        let _ = fs::remove_file(partial);
        return Err(error);
    }
    Ok(Some(file))
}

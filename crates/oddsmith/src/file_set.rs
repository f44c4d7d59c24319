//! Files that belong together: they are made beside their places, and get their names when all are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::within::leads_out;
use crate::{Error, reason};

/// Who may end the program while files are made, and removes what is not complete before that.
pub trait Guard {
    /// Has `make` make a directory, whose path it returns: until [`Guard::complete`] the end of the program removes it. The
    /// program does not end while `make` runs.
    ///
    /// # Errors
    /// What `make` returns; if the end of the program can't be guarded.
    fn begin(&self, make: &mut dyn FnMut() -> Result<PathBuf, Error>) -> Result<(), Error> {
        make()?;
        Ok(())
    }

    /// Has `rename` give what was made its names. The program ends before that or after it.
    ///
    /// # Errors
    /// What `rename` returns.
    fn complete(&self, rename: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), Error> {
        rename()
    }
}

/// A guard for where nobody ends the program early.
impl Guard for () {}

/// A writer of a file, piece by piece.
pub type Pieces<'p> = dyn FnMut(&[u8]) -> Result<(), Error> + 'p;

/// Files on their way to a directory.
///
/// ```
/// use oddsmith::file_set::FileSet;
/// let directory = std::env::temp_dir().join(format!("staging-{}", std::process::id()));
/// let mut files = FileSet::new(&directory, &())?;
/// files.add("game/check.csv", b"stat,Hit\n")?;
/// assert!(!directory.join("game/check.csv").exists());
/// files.persist()?;
/// assert!(directory.join("game/check.csv").exists());
/// # std::fs::remove_dir_all(&directory).expect("it is there");
/// # Ok::<(), oddsmith::Error>(())
/// ```
pub struct FileSet<'g> {
    directory: PathBuf,
    staged: TempDir,
    /// Goes after what is staged in it.
    _made: Made,
    /// Their paths in both directories, in the order in which they were made.
    paths: Vec<PathBuf>,
    guard: &'g dyn Guard,
}

impl<'g> FileSet<'g> {
    /// No files yet, on their way to a directory, which is made where there is none; files that are in it stay until
    /// [`FileSet::persist`].
    ///
    /// # Errors
    /// If it is no directory, or can't be written in.
    pub fn new(directory: &Path, guard: &'g dyn Guard) -> Result<Self, Error> {
        if directory.exists() && !directory.is_dir() {
            let message = format!("`{}` is not a directory", directory.display());
            return Err(Error::advice(message, "name one, or one to be made"));
        }
        let made = Made::missing(directory);
        let unwritable = |error| unwritable_in(directory, &error);
        fs::create_dir_all(directory).map_err(unwritable)?;
        let mut staged = None;
        guard.begin(&mut || {
            let mut builder = tempfile::Builder::new();
            builder.prefix(".oddsmith-").suffix(".partial");
            let new = builder.tempdir_in(directory).map_err(unwritable)?;
            Ok(staged.insert(new).path().to_owned())
        })?;
        Ok(Self {
            directory: directory.to_owned(),
            staged: staged.expect("a guard has it made"),
            _made: made,
            paths: Vec::new(),
            guard,
        })
    }

    /// Adds a file of this content.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn add(&mut self, path: impl Into<PathBuf>, bytes: &[u8]) -> Result<(), Error> {
        let (path, mut file) = self.create(path.into())?;
        cant_write(file.write_all(bytes).and_then(|()| file.flush()), &path)
    }

    /// Adds a file that `fill` fills piece by piece.
    ///
    /// # Errors
    /// What `fill` returns; if the file can't be written.
    pub fn add_pieces(
        &mut self,
        path: impl Into<PathBuf>,
        fill: impl FnOnce(&mut Pieces<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (path, mut file) = self.create(path.into())?;
        fill(&mut |bytes| cant_write(file.write_all(bytes), &path))?;
        cant_write(file.flush(), &path)
    }

    /// An empty file, and what messages call it.
    fn create(&mut self, path: PathBuf) -> Result<(PathBuf, BufWriter<File>), Error> {
        let (shown, staged) = (self.directory.join(&path), self.staged.path().join(&path));
        if leads_out(&self.directory, shown.parent().unwrap_or(&shown)) {
            let (shown, directory) = (shown.display(), self.directory.display());
            let message = format!("`{shown}` lies outside of `{directory}`");
            return Err(Error::advice(
                message,
                "a link leads there: remove it, or name the directory that it leads to",
            ));
        }
        let parent = staged.parent().expect("it is in a directory");
        cant_write(fs::create_dir_all(parent), &shown)?;
        let file = cant_write(File::create(&staged), &shown)?;
        self.paths.push(path);
        Ok((shown, BufWriter::with_capacity(1 << 16, file)))
    }

    /// Gives all files their names, in the order in which they were added; what they replace is gone.
    ///
    /// # Errors
    /// If one of them can't get its name; those before it have theirs then.
    pub fn persist(self) -> Result<(), Error> {
        let Self {
            directory,
            staged,
            paths,
            guard,
            _made,
        } = self;
        let mut staged = Some(staged);
        guard.complete(&mut || {
            let Some(staged) = staged.take() else {
                return Ok(());
            };
            let mut paths = paths.iter();
            paths.try_for_each(|path| rename(path, staged.path(), &directory))?;
            cant_write(staged.close(), &directory)
        })
    }
}

/// Gives a file its name in another directory.
fn rename(path: &Path, staged: &Path, directory: &Path) -> Result<(), Error> {
    let (from, to) = (staged.join(path), directory.join(path));
    let parent = to.parent().expect("it is in a directory");
    cant_write(fs::create_dir_all(parent), &to)?;
    cant_write(fs::rename(from, &to), &to)
}

fn cant_write<T>(result: io::Result<T>, path: &Path) -> Result<T, Error> {
    result.map_err(|error| Error::advice(format!("can't write `{}`: {error}", path.display()), ""))
}

/// The error that no file can be made in a directory.
pub fn unwritable_in(directory: &Path, error: &io::Error) -> Error {
    let message = format!(
        "can't write in `{}`: {}",
        directory.display(),
        reason(error)
    );
    Error::advice(message, "")
}

/// Directories that were not there, innermost first: those that nothing came into go in the end.
#[derive(Debug)]
struct Made(Vec<PathBuf>);

impl Made {
    fn missing(directory: &Path) -> Self {
        let missing = directory.ancestors().take_while(|path| !path.exists());
        let named = missing.filter(|path| !path.as_os_str().is_empty());
        Self(named.map(Path::to_owned).collect())
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // Only empty directories can be removed this way.
        let _ = self.0.iter().try_for_each(fs::remove_dir);
    }
}

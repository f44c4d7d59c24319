//! Files that belong together: they are made beside their places, and get their names when all are complete.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Result;
use tempfile::TempDir;

use crate::advice::Advice;
use crate::output::{cant_write, complete, temporary_until_complete, unwritable_in};

/// Files on their way to a directory.
#[derive(Debug)]
pub(crate) struct Staging {
    directory: PathBuf,
    staged: TempDir,
    /// Goes after what is staged in it.
    _made: Made,
    /// Their paths in both directories, in the order in which they were made.
    paths: Vec<PathBuf>,
}

impl Staging {
    /// Makes the directory where there is none; files that are in it stay until [`Staging::persist`].
    pub(crate) fn new(directory: &Path) -> Result<Self> {
        if directory.exists() && !directory.is_dir() {
            let message = format!("`{}` is not a directory", directory.display());
            return Err(Advice::error(message, "name one, or one to be made"));
        }
        let made = Made::missing(directory);
        fs::create_dir_all(directory).map_err(|error| unwritable_in(directory, &error))?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".oddsmith-").suffix(".partial");
        let staged = temporary_until_complete(|| builder.tempdir_in(directory), TempDir::path)?;
        Ok(Self {
            directory: directory.to_owned(),
            staged: staged.map_err(|error| unwritable_in(directory, &error))?,
            _made: made,
            paths: Vec::new(),
        })
    }

    /// Adds a file of this content.
    pub(crate) fn add(&mut self, path: impl Into<PathBuf>, bytes: &[u8]) -> Result<()> {
        let (path, mut file) = self.create(path.into())?;
        cant_write(file.write_all(bytes).and_then(|()| file.flush()), &path)
    }

    /// Adds a file that `write` fills piece by piece.
    pub(crate) fn add_pieces(
        &mut self,
        path: impl Into<PathBuf>,
        fill: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        let (path, mut file) = self.create(path.into())?;
        fill(&mut |bytes| cant_write(file.write_all(bytes), &path))?;
        cant_write(file.flush(), &path)
    }

    /// An empty file, and what messages call it.
    fn create(&mut self, path: PathBuf) -> Result<(PathBuf, BufWriter<File>)> {
        let (shown, staged) = (self.directory.join(&path), self.staged.path().join(&path));
        let parent = staged.parent().expect("it is in a directory");
        cant_write(fs::create_dir_all(parent), &shown)?;
        let file = cant_write(File::create(&staged), &shown)?;
        self.paths.push(path);
        Ok((shown, BufWriter::with_capacity(1 << 16, file)))
    }

    /// Gives all files their names, in the order in which they were added; what they replace is gone.
    pub(crate) fn persist(self) -> Result<()> {
        complete(|| {
            self.paths.iter().try_for_each(|path| self.rename(path))?;
            cant_write(self.staged.close(), &self.directory)
        })
    }

    fn rename(&self, path: &Path) -> Result<()> {
        let (from, to) = (self.staged.path().join(path), self.directory.join(path));
        let parent = to.parent().expect("it is in a directory");
        cant_write(fs::create_dir_all(parent), &to)?;
        cant_write(fs::rename(from, &to), &to)
    }
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

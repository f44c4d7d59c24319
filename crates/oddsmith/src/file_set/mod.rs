//! Files that are written whole or not at all: a single one ([`PartialFile`]), or several that belong together ([`FileSet`]).
//! Neither a kill nor a full disk nor two runs at once leave a mixture: see `README.md` of this crate.

mod claim;
mod guard;
mod journal;
mod partial_directory;
mod partial_file;
mod unfinished;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::Error;
use claim::cant_write;
pub use claim::unwritable_in;
pub use guard::Guard;
use journal::{Journal, sync};
use partial_directory::PartialDirectory;
pub use partial_directory::recover;
pub use partial_file::PartialFile;
pub use unfinished::Unfinished;

/// A writer of a file, piece by piece.
pub type Pieces<'p> = dyn FnMut(&[u8]) -> Result<(), Error> + 'p;

/// Files on their way to a directory.
///
/// ```
/// use oddsmith::file_set::FileSet;
/// let directory = std::env::temp_dir().join(format!("partial-{}", std::process::id()));
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
    partial: PartialDirectory,
    /// What is renamed and removed in the end.
    journal: Journal,
    /// The directories of the new files, which are made once.
    parents: BTreeSet<PathBuf>,
    /// The paths as they are where upper and lower case are the same.
    taken: BTreeSet<String>,
    guard: &'g dyn Guard,
}

impl<'g> FileSet<'g> {
    /// No files yet, on their way to a directory, which is made where there is none; files that are in it stay until
    /// [`FileSet::persist`]. Waits for another run that has files on their way there, and completes or undoes what one has
    /// left that was killed.
    ///
    /// # Errors
    /// If it is no directory, or can't be written in.
    pub fn new(directory: &Path, guard: &'g dyn Guard) -> Result<Self, Error> {
        if directory.exists() && !directory.is_dir() {
            let message = format!("`{}` is not a directory", directory.display());
            return Err(Error::advice(message, "name one, or one to be made"));
        }
        Ok(Self {
            directory: directory.to_owned(),
            partial: PartialDirectory::begin(directory, guard)?,
            journal: Journal::default(),
            parents: BTreeSet::new(),
            taken: BTreeSet::new(),
            guard,
        })
    }

    /// Adds a file of this content.
    ///
    /// # Errors
    /// If it can't be written, or there is a file of this name, whatever its case, among those that were added.
    pub fn add(&mut self, path: impl Into<PathBuf>, bytes: &[u8]) -> Result<(), Error> {
        self.add_pieces(path, |write| write(bytes))
    }

    /// Adds a file that `fill` fills piece by piece.
    ///
    /// # Errors
    /// What `fill` returns; what [`FileSet::add`] returns.
    pub fn add_pieces(
        &mut self,
        path: impl Into<PathBuf>,
        fill: impl FnOnce(&mut Pieces<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let path = path.into();
        let shown = self.directory.join(&path);
        let cant_write = cant_write(&shown);
        let mut file = BufWriter::with_capacity(1 << 16, self.create(&path, &shown)?);
        fill(&mut |bytes| file.write_all(bytes).map_err(&cant_write))?;
        file.flush().map_err(&cant_write)?;
        file.get_ref().sync_all().map_err(&cant_write)?;
        self.journal.renamed.push(path);
        Ok(())
    }

    /// Has a file of the directory removed when the others get their names, if it is there.
    pub fn remove(&mut self, path: impl Into<PathBuf>) {
        self.journal.removed.push(path.into());
    }

    /// An empty file; `shown` is where it will be.
    fn create(&mut self, path: &Path, shown: &Path) -> Result<File, Error> {
        if !self.taken.insert(path.to_string_lossy().to_lowercase()) {
            let message = format!("`{}` would be written twice", shown.display());
            let help = "rename one of the two: many systems see no difference between upper and lower case";
            return Err(Error::advice(message, help));
        }
        let new = self.partial.new_files().join(path);
        let parent = new.parent().unwrap_or(&new);
        let is_first = self.parents.insert(parent.to_owned());
        let mut file = None;
        self.guard.go_on(&mut || {
            if is_first {
                fs::create_dir_all(parent).map_err(cant_write(shown))?;
            }
            file = Some(File::create(&new).map_err(cant_write(shown))?);
            Ok(())
        })?;
        Ok(file.expect("a guard has it made"))
    }

    /// Gives all files their names, in the order in which they were added, then removes what is to go. From the moment that
    /// this is decided it happens: if it is ended half-way, the next run completes it.
    ///
    /// # Errors
    /// If links lead a file out of the directory, or it can't be decided, and nothing is changed then; if one of the files can't get its name, and then the next run
    /// tries again.
    pub fn persist(self) -> Result<(), Error> {
        let Self {
            directory,
            partial,
            journal,
            parents,
            guard,
            ..
        } = self;
        journal.demand_within(&directory)?;
        let mut partial = Some(partial);
        guard.complete(&mut || {
            let Some(partial) = partial.take() else {
                return Ok(());
            };
            for parent in &parents {
                sync(parent).map_err(cant_write(&directory))?;
            }
            journal.write(partial.path())?;
            journal.complete(partial.path(), &directory)
        })
    }
}

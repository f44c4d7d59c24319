//! Who sees to it that nothing half-made is left when the program ends early.

use std::path::Path;

use super::unfinished::Unfinished;
use crate::Error;

/// Who may end the program while files are made, and removes what is not complete before that.
pub trait Guard: Sync {
    /// Has `make` make what is not complete yet, if it can: until [`Guard::complete`] the end of the program removes it. The
    /// program does not end while `make` runs.
    ///
    /// # Errors
    /// What `make` returns; if the end of the program can't be guarded.
    fn begin(
        &self,
        make: &mut dyn FnMut() -> Result<Option<Unfinished>, Error>,
    ) -> Result<(), Error> {
        make()?;
        Ok(())
    }

    /// Has `make` make more of what is not complete. The program does not end while `make` runs.
    ///
    /// # Errors
    /// What `make` returns.
    fn go_on(&self, make: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), Error> {
        make()
    }

    /// Another run writes at this place: this one waits for it.
    fn waits_for(&self, _path: &Path) {}

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

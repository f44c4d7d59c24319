//! Claims: a file that one run at a time has for itself, and gives back however it ends.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use same_file::Handle;

use super::guard::Guard;
use super::unfinished::Unfinished;
use crate::{Error, reason};

/// How long a run waits before it asks again whether another one has ended.
pub(super) const PAUSE: Duration = Duration::from_millis(20);

/// Makes `path` and locks it: the file, as long as it was left by the run before; none while another run has it. The
/// operating system unlocks it when the file is closed, also if the run is killed.
///
/// # Errors
/// If the file can't be made, or is none: links are not followed.
pub(super) fn try_claim(path: &Path) -> io::Result<Option<File>> {
    loop {
        if fs::symlink_metadata(path).is_ok_and(|old| !old.is_file()) {
            let message = format!("`{}` is not a file", path.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        let mut options = File::options();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Some network drives have no locks: there two runs at once are not told apart.
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                return Err(error);
            }
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // The run before may have removed or renamed the file between the two calls: then this one has no name any more.
        let claimed = Handle::from_file(file.try_clone()?)?;
        if Handle::from_path(path).is_ok_and(|named| named == claimed) {
            return Ok(Some(file));
        }
    }
}

/// What `claim` claims, which is tried until no other run has it: the guard is told once that there is one, and what to
/// remove if the program ends.
///
/// # Errors
/// What `claim` returns; what the guard returns.
pub(super) fn claim<T>(
    path: &Path,
    guard: &dyn Guard,
    mut claim: impl FnMut() -> Result<Option<(Unfinished, T)>, Error>,
) -> Result<T, Error> {
    let mut is_told = false;
    loop {
        let mut claimed = None;
        guard.begin(&mut || {
            let (unfinished, what) = claim()?.unzip();
            claimed = what;
            Ok(unfinished)
        })?;
        if let Some(claimed) = claimed {
            return Ok(claimed);
        }
        if !std::mem::replace(&mut is_told, true) {
            guard.waits_for(path);
        }
        std::thread::sleep(PAUSE);
    }
}

/// The error that nothing can be written at a place.
pub(super) fn cant_write(path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| {
        let message = format!("can't write `{}`: {}", path.display(), reason(&error));
        Error::advice(message, "")
    }
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

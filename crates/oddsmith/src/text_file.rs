//! Files that people write, which may come from strangers.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result};
use std::path::Path;

/// Opens a file that lies on a disk. What else a path may lead to, such as a pipe, is not opened: reading it might not end.
///
/// # Errors
/// As [`File::open`]; if it is no regular file.
pub fn open(path: &Path) -> Result<File> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    File::open(path)
}

/// The bytes of a file that lies on a disk, no more than one beyond `most`.
///
/// # Errors
/// As [`open`]; what reading fails by.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

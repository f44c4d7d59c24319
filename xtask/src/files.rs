//! Files below a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

/// Adds all files at any depth below a folder whose names end so; none if there is no such folder.
pub(crate) fn collect(folder: &Path, end: &str, files: &mut BTreeSet<PathBuf>) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, end, files)?;
        } else if path.extension().is_some_and(|own| own == end) {
            files.insert(path);
        }
    }
    Ok(())
}

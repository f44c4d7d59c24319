//! Accepted snapshots that no test looks at any more.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::files::collect;

/// Snapshots below `root/crates` that are not among the `references`: the file to which tests that are run with
/// `INSTA_SNAPSHOT_REFERENCES_FILE` write the snapshots that they look at, a path in each line.
///
/// # Errors
/// If a file can't be read.
pub fn unused(root: &Path, references: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(references)
        .with_context(|| format!("can't read {}", references.display()))?;
    let used: BTreeSet<PathBuf> = text
        .lines()
        .filter_map(|line| fs::canonicalize(line).ok())
        .collect();
    let mut all = BTreeSet::new();
    collect(&root.join("crates"), "snap", &mut all)?;
    let unused = all.iter().filter(|path| {
        let path = fs::canonicalize(path).unwrap_or_default();
        !used.contains(&path)
    });
    Ok(unused
        .map(|path| {
            let path = path.strip_prefix(root).unwrap_or(path);
            format!("{} is looked at by no test", path.display())
        })
        .collect())
}

//! Paths that documents name.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// Paths in the architecture's tour and in the `README.md` of crates that are not there: words in backticks that end in `.rs`
/// or `/`. A path begins at the root of the workspace, at the document, or at the sources of its crate; in the tour at
/// those of any crate.
///
/// # Errors
/// If a document can't be read.
pub fn lost_paths(root: &Path) -> Result<Vec<String>> {
    let mut homes = vec![root.join("mutants")];
    for entry in fs::read_dir(root.join("crates"))? {
        homes.push(entry?.path());
    }
    homes.sort();
    let sources: Vec<PathBuf> = homes.iter().map(|home| home.join("src")).collect();
    let mut wrong = missing(root, &root.join("ARCHITECTURE.md"), &sources)?;
    for home in &homes {
        let document = home.join("README.md");
        if document.is_file() {
            wrong.extend(missing(root, &document, &[home.clone(), home.join("src")])?);
        }
    }
    Ok(wrong)
}

/// What a document names that is neither below the root nor below one of these folders.
fn missing(root: &Path, document: &Path, folders: &[PathBuf]) -> Result<Vec<String>> {
    let text = fs::read_to_string(document)
        .with_context(|| format!("can't read {}", document.display()))?;
    let shown = document.strip_prefix(root).unwrap_or(document).display();
    let is_there = |path: &String| {
        let below = |folder: &PathBuf| folder.join(path).exists();
        root.join(path).exists() || folders.iter().any(below)
    };
    let lost = paths(&text).into_iter().filter(|path| !is_there(path));
    Ok(lost
        .map(|path| format!("{shown} names `{path}`, which is not there"))
        .collect())
}

/// The paths that a text has between backticks, `{a,b}.rs` as one for each name.
#[must_use]
pub fn paths(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./{},".contains(c);
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    });
    let words = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_path = |word: &&str| {
        let ends = word.ends_with(".rs") || word.ends_with('/');
        ends || word.contains('/') && word.ends_with('}')
    };
    let paths = words.filter(is_path);
    let paths = paths.filter(|word| word.chars().all(is_part));
    paths.flat_map(spread).collect()
}

/// A path for each name in braces.
fn spread(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else {
        return vec![path.to_owned()];
    };
    let (names, after) = rest.split_once('}').unwrap_or((rest, ""));
    names
        .split(',')
        .map(|name| format!("{before}{name}{after}"))
        .collect()
}

//! Paths that documents name, and links between documents.

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
    let words = outside_blocks(text).flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_path = |word: &&str| {
        let ends = word.ends_with(".rs") || word.ends_with('/');
        ends || word.contains('/') && word.ends_with('}')
    };
    let paths = words.filter(is_path);
    let paths = paths.filter(|word| word.chars().all(is_part));
    paths.flat_map(spread).collect()
}

/// The lines of a document that stand in no block of code.
fn outside_blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    })
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

/// Links of Markdown documents that lead nowhere: to a file that is not there, or to a heading that its document does not
/// have. Looked at are the documents at the root, those below `docs`, and the `README.md` of crates and folders.
///
/// # Errors
/// If a document can't be read.
pub fn dead_links(root: &Path) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for document in below(root)? {
        let text = fs::read_to_string(&document)?;
        let folder = document.parent().unwrap_or(root);
        let shown = document.strip_prefix(root).unwrap_or(&document).display();
        for link in links(&text) {
            if !leads_somewhere(&document, folder, &link) {
                wrong.push(format!("{shown} links to `{link}`, which is not there"));
            }
        }
    }
    Ok(wrong)
}

/// The Markdown documents at a place and in its folders, two deep, in order.
///
/// # Errors
/// If a folder can't be read.
pub fn below(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![(root.to_path_buf(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_apart = name.starts_with('.') || ["target", "node_modules"].contains(&&*name);
            if path.is_dir() && !is_apart && depth < 2 {
                folders.push((path, depth + 1));
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The targets of a text's links that lie in the project, without those in code.
#[must_use]
pub fn links(text: &str) -> Vec<String> {
    let prose =
        outside_blocks(text).map(|line| line.split('`').step_by(2).collect::<Vec<_>>().join("``"));
    let targets = prose.flat_map(|line| {
        let parts = line.split("](").skip(1);
        let targets = parts.filter_map(|part| part.split_once(')'));
        targets
            .map(|(target, _)| target.to_owned())
            .collect::<Vec<_>>()
    });
    let is_outside = |target: &String| target.contains("://") || target.starts_with("mailto:");
    targets.filter(|target| !is_outside(target)).collect()
}

/// Whether the file of a link is there, with its heading.
fn leads_somewhere(document: &Path, folder: &Path, link: &str) -> bool {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => document.to_path_buf(),
        path => folder.join(path),
    };
    let is_document = target
        .extension()
        .is_some_and(|extension| extension == "md");
    match fs::read_to_string(&target) {
        Ok(text) if !anchor.is_empty() && is_document => anchors(&text).any(|own| own == anchor),
        _ => target.exists(),
    }
}

/// What links call the headings of a document, as forges do: small letters, digits and hyphens for spaces.
fn anchors(text: &str) -> impl Iterator<Item = String> + '_ {
    let headings = outside_blocks(text).filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

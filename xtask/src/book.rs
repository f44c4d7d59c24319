//! The book: whether `docs/SUMMARY.md` lists all that belongs to it, and whether the pages that were made lead somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::Result;

use crate::documents::{below, links};
use crate::files::collect;

/// What `docs/SUMMARY.md` leaves out or has twice: documents below `docs`, and documents that a page of the book links to. Other
/// files that a page links to have to be among those that the book has. Without that file there is no book, and nothing is wrong.
///
/// # Errors
/// If a document can't be read.
pub fn left_out(root: &Path) -> Result<Vec<String>> {
    let docs = root.join("docs");
    let summary = docs.join("SUMMARY.md");
    if !summary.is_file() {
        return Ok(Vec::new());
    }
    let mut wrong = Vec::new();
    let mut listed = BTreeSet::new();
    for page in { linked(root, &summary)?.into_iter() }.filter(|page| is_document(page)) {
        let shown = page.display().to_string();
        if !listed.insert(page) {
            wrong.push(format!("docs/SUMMARY.md lists {shown} twice"));
        }
    }
    for document in below(&docs)? {
        let own = document.strip_prefix(root).unwrap_or(&document);
        if document != summary && !listed.contains(own) {
            wrong.push(format!("docs/SUMMARY.md does not list {}", own.display()));
        }
    }
    for page in &listed {
        let targets: BTreeSet<PathBuf> = linked(root, &root.join(page))?.into_iter().collect();
        for target in targets.difference(&listed) {
            let (from, to) = (page.display(), target.display());
            if is_document(target) {
                wrong.push(format!(
                    "{from} links to {to}, which docs/SUMMARY.md does not list"
                ));
            } else if !is_carried(root, target) {
                wrong.push(format!("{from} links to {to}, which the book leaves out"));
            }
        }
    }
    Ok(wrong)
}

/// Whether a path is one of a document, which becomes a page.
fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// Whether a path from the root is in the book without being a page: `scripts/book` takes these along.
fn is_carried(root: &Path, path: &Path) -> bool {
    let is_below = ["docs", "reports"]
        .iter()
        .any(|folder| path.starts_with(folder));
    let is_licence = path.to_string_lossy().starts_with("LICENSE-");
    root.join(path).is_dir() || is_below || is_licence
}

/// The files of the project that a document links to, as paths from the root, in its order; none of a document that is not
/// there.
fn linked(root: &Path, document: &Path) -> Result<Vec<PathBuf>> {
    if !document.is_file() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(document)?;
    let folder = document.parent().unwrap_or(root);
    let paths = links(&text).into_iter().filter_map(|link| {
        let path = link.split('#').next().filter(|path| !path.is_empty())?;
        let target = plain(&folder.join(path));
        Some(target.strip_prefix(root).ok()?.to_path_buf())
    });
    Ok(paths.collect())
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Links of the pages in a folder that lead nowhere: to a file that is not there, or to a place that its page does not have.
///
/// # Errors
/// If a page can't be read, or there is none.
pub fn dead_ends(folder: &Path) -> Result<Vec<String>> {
    let mut files = BTreeSet::new();
    collect(folder, "html", &mut files)?;
    let read = |path: PathBuf| anyhow::Ok((path.clone(), fs::read_to_string(path)?));
    let pages: BTreeMap<PathBuf, String> = files.into_iter().map(read).collect::<Result<_>>()?;
    anyhow::ensure!(
        !pages.is_empty(),
        "there is no page in {}",
        folder.display()
    );
    let mut wrong = BTreeSet::new();
    for (page, text) in &pages {
        let targets = [" href=\"", " src=\""]
            .into_iter()
            .flat_map(|name| values(text, name));
        for target in targets.filter(|target| !leads_somewhere(&pages, page, target)) {
            let shown = page.strip_prefix(folder).unwrap_or(page).display();
            wrong.insert(format!("{shown} links to `{target}`, which is not there"));
        }
    }
    Ok(wrong.into_iter().collect())
}

/// What stands between quotes behind a name.
fn values<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let parts = text.split(name).skip(1);
    parts.filter_map(|part| Some(part.split_once('"')?.0))
}

/// Whether a link of a page leads out of the book, or to a file or a place in it. `/` is where the book will lie.
///
/// What follows `?` behind a place says what a script sets there (`#check?pool=7`), so the place ends before it.
fn leads_somewhere(pages: &BTreeMap<PathBuf, String>, page: &Path, link: &str) -> bool {
    let is_outside = ["://", "mailto:", "data:"]
        .iter()
        .any(|mark| link.contains(mark));
    let (path, place) = link.split_once('#').unwrap_or((link, ""));
    let place = place.split('?').next().unwrap_or_default();
    let mut target = match path {
        "" => page.to_path_buf(),
        path => plain(&page.with_file_name(path)),
    };
    if target.is_dir() {
        target.push("index.html");
    }
    let has_place =
        |text: &String| place.is_empty() || values(text, " id=\"").any(|id| id == place);
    is_outside || link == "/" || target.is_file() && pages.get(&target).is_none_or(has_place)
}

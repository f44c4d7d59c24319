//! What the language server has files for: charts that are shown, and the project that a ruleset belongs to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oddsmith::text_file;
use oddsmith_protocol::{Failure, Host, ProjectFile};
use oddsmith_rules::MOST_BYTES;
use oddsmith_rules::layout::{Layout, Step};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde_json::Value;
use tempfile::TempDir;

/// What the file of a project is called.
const PROJECT: &str = "oddsmith.toml";
/// What begins the address of a file.
const SCHEME: &str = "file://";
/// What is no part of a path in an address as it is.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`');

/// The files of this machine.
#[derive(Debug, Default)]
pub(super) struct Disk(Mutex<Charts>);

/// Where charts are kept as long as the server lives.
#[derive(Debug, Default)]
enum Charts {
    /// No chart was shown yet.
    #[default]
    Nowhere,
    Kept(TempDir),
    /// The server ends, or nothing can be kept.
    Closed,
}

impl Disk {
    /// Takes away what was kept, and keeps nothing any more. Threads that still answer hold the disk, so that its own end would
    /// come too late.
    pub(super) fn close(&self) {
        *self.charts() = Charts::Closed;
    }

    fn charts(&self) -> MutexGuard<'_, Charts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Disk {
    fn request(&self, method: &str, _: &Value) -> Result<Value, Failure> {
        Err(Failure::method(method))
    }

    fn text(&self, uri: &str, _: &str) -> Result<String, Failure> {
        Err(Failure::refused(
            format!("`{uri}` is not read here"),
            "pin the text as it is",
        ))
    }

    fn picture(&self, title: &str, svg: &str) -> Option<String> {
        let mut charts = self.charts();
        if let Charts::Nowhere = *charts {
            *charts = TempDir::with_prefix("oddsmith-").map_or(Charts::Closed, Charts::Kept);
        }
        let Charts::Kept(directory) = &*charts else {
            return None;
        };
        let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let name: String = title.chars().take(60).map(plain).collect();
        let path = directory.path().join(format!("{name}.svg"));
        fs::write(&path, svg).ok()?;
        Some(address(&path))
    }

    fn project(&self, uri: &str) -> Option<ProjectFile> {
        let own = path(uri)?;
        // The nearest one, as `oddsmith check` takes it.
        let file = own
            .ancestors()
            .skip(1)
            .map(|directory| directory.join(PROJECT))
            .find(|file| file.is_file())?;
        let text = read(&file)?;
        let others = rulesets(&file, &text).into_iter();
        let is_other = |path: &PathBuf| fs::canonicalize(path).ok() != fs::canonicalize(&own).ok();
        let others = others.filter(is_other).filter_map(|path| read(&path));
        Some(ProjectFile {
            uri: beside(uri, &own, &file)?,
            others: others.collect(),
            text,
        })
    }
}

/// The text of a file; none if it is no text of a usual length.
fn read(path: &Path) -> Option<String> {
    let bytes = text_file::read(path, MOST_BYTES).ok()?;
    String::from_utf8(bytes).ok()
}

/// The files that a project names: those of its directories lie directly in them. What leads out of its own directory is left out:
/// it may come from a stranger.
fn rulesets(file: &Path, text: &str) -> Vec<PathBuf> {
    let root = file.parent().unwrap_or(Path::new(""));
    let layout = Layout::of(text);
    let named = layout
        .scalars
        .iter()
        .filter_map(|scalar| match scalar.path.as_slice() {
            [Step::Key(key), Step::At(_)] if key == "rulesets" => scalar.text,
            _ => None,
        });
    let paths = named.map(|place| root.join(&text[place.start..place.end]));
    let mut found = Vec::new();
    for path in paths {
        match fs::read_dir(&path) {
            Ok(entries) => {
                let entries = entries.filter_map(|entry| Some(entry.ok()?.path()));
                found.extend(
                    entries.filter(|path| path.extension().is_some_and(|end| end == "toml")),
                );
            }
            Err(_) => found.push(path),
        }
    }
    let root = fs::canonicalize(root).unwrap_or_default();
    found.retain(|path| fs::canonicalize(path).is_ok_and(|path| path.starts_with(&root)));
    found
}

/// The path of a file's address.
fn path(uri: &str) -> Option<PathBuf> {
    let path = percent_decode_str(uri.strip_prefix(SCHEME)?)
        .decode_utf8()
        .ok()?;
    // `file:///C:/…` on Windows.
    let path = match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => &path[1..],
        _ => &path,
    };
    Some(PathBuf::from(path))
}

/// The address of a file.
fn address(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("{SCHEME}{slash}{}", utf8_percent_encode(&path, ESCAPED))
}

/// The address of a file above another one, as the editor writes that of the latter.
fn beside(uri: &str, own: &Path, file: &Path) -> Option<String> {
    let up = own
        .ancestors()
        .skip(1)
        .position(|directory| Some(directory) == file.parent())?;
    let parts: Vec<&str> = uri.rsplitn(up + 2, '/').collect();
    Some(format!("{}/{PROJECT}", parts.last()?))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{address, beside, path};

    #[test]
    fn addresses_are_those_of_their_paths() {
        assert_eq!(
            path("file:///a/b%20c.toml").as_deref(),
            Some(Path::new("/a/b c.toml"))
        );
        assert_eq!(
            path("file:///c%3A/b.toml").as_deref(),
            Some(Path::new("c:/b.toml"))
        );
        assert_eq!(path("untitled:one"), None);
        assert_eq!(address(Path::new("/a/50 %.svg")), "file:///a/50%20%25.svg");
        let own = path("file:///a%2B/rules/b%20c.toml").expect("a path");
        let above = |file: &str| beside("file:///a%2B/rules/b%20c.toml", &own, Path::new(file));
        assert_eq!(
            above("/a+/oddsmith.toml").as_deref(),
            Some("file:///a%2B/oddsmith.toml")
        );
        assert_eq!(
            above("/a+/rules/oddsmith.toml").as_deref(),
            Some("file:///a%2B/rules/oddsmith.toml")
        );
    }
}

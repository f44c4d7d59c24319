//! Which rulesets there are.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use super::name::{DEEPEST, is_ruleset, refusal, uri};
use super::place::Root;

/// The most files of a list, and the most names that are looked at for it.
const MOST_FILES: usize = 1000;
const MOST_NAMES: usize = 50_000;

/// The most sentences about what a list lacks.
const MOST_SENTENCES: usize = 20;

/// The rulesets there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Those that can be opened, in the order of their names.
    pub files: Vec<ListedFile>,
    /// What the list lacks, and why; a sentence each.
    pub left_out: Vec<String>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// What it is opened by.
    pub uri: String,
    /// Its path below the directory that is served, with `/`.
    pub name: String,
    /// When it was changed last, if the system knows.
    pub modified: Option<SystemTime>,
}

/// A list on its way.
struct Walk<'r> {
    root: &'r Root,
    listing: Listing,
    names_left: usize,
}

/// The rulesets below a root. Hidden directories and those behind links are left alone.
pub(super) fn list(root: &Root) -> Listing {
    let mut walk = Walk {
        root,
        listing: Listing::default(),
        names_left: MOST_NAMES,
    };
    match root.only() {
        Some(name) => walk.file(&[name.to_owned()]),
        None => walk.directory(root.directory(), &mut Vec::new()),
    }
    let mut listing = walk.listing;
    listing
        .files
        .sort_by(|one, other| one.name.cmp(&other.name));
    listing
}

impl Walk<'_> {
    /// Adds what is in a directory, to which the names `above` lead, and below it.
    fn directory(&mut self, path: &Path, above: &mut Vec<String>) {
        let read = match fs::read_dir(path) {
            Ok(read) => read,
            Err(error) => return self.lacks(above, &error.to_string()),
        };
        let mut entries: Vec<_> = read.flatten().take(self.names_left + 1).collect();
        if entries.len() > self.names_left {
            let why = format!("no more than {MOST_NAMES} names are looked at");
            self.lacks(above, &why);
            entries.truncate(self.names_left);
        }
        self.names_left -= entries.len();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                Err(name) => {
                    self.lacks(
                        &[name.to_string_lossy().into_owned()],
                        "its name is not UTF-8",
                    );
                    continue;
                }
            };
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            above.push(name);
            self.entry(&entry.path(), is_directory, above);
            above.pop();
        }
    }

    fn entry(&mut self, path: &Path, is_directory: bool, names: &mut Vec<String>) {
        let name = names.last().map_or("", |name| name);
        let is_wanted = is_directory || name.ends_with(".toml");
        match refusal(name) {
            _ if name.starts_with('.') || !is_wanted => {}
            Some(why) => self.lacks(names, why),
            None if !is_directory && is_ruleset(name) => self.file(names),
            None if !is_directory => {}
            None if names.len() > DEEPEST => self.lacks(names, "it is too deep"),
            None => self.directory(path, names),
        }
    }

    /// Adds a file, if it can be opened.
    fn file(&mut self, names: &[String]) {
        let uri = uri(names);
        let path = match self.root.find(&uri, names) {
            Ok(path) => path,
            Err(error) => return self.lacks(names, &error.to_string()),
        };
        if self.listing.files.len() >= MOST_FILES {
            let why = format!("no more than {MOST_FILES} rulesets are listed");
            return self.lacks(names, &why);
        }
        let data = fs::metadata(path);
        self.listing.files.push(ListedFile {
            uri,
            name: names.join("/"),
            modified: data.and_then(|data| data.modified()).ok(),
        });
    }

    /// Says that something is not in the list.
    fn lacks(&mut self, names: &[String], why: &str) {
        let said = &mut self.listing.left_out;
        match said.len().cmp(&(MOST_SENTENCES - 1)) {
            std::cmp::Ordering::Less => {
                said.push(format!(
                    "`{}` is left out: {why}",
                    names.join("/").escape_debug()
                ));
            }
            std::cmp::Ordering::Equal => said.push("more is left out".to_owned()),
            std::cmp::Ordering::Greater => {}
        }
    }
}

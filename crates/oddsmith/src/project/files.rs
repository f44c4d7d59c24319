//! The files of a project's rulesets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::config::CONFIG;
use crate::game::refuse_name;
use crate::{Error, Game, reason};

/// The files, those of directories by name; each once, however it is written. No two may have the same name, which is
/// that of their baseline.
pub(super) fn rulesets(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut known: BTreeSet<PathBuf> = BTreeSet::new();
    for path in paths {
        for file in files_of(path)? {
            refuse_name(&file)?;
            let canonical = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            if !known.insert(canonical) {
                continue;
            }
            let twin = files
                .iter()
                .find(|known| known.file_stem() == file.file_stem());
            if let Some(twin) = twin {
                let (one, other) = (twin.display(), file.display());
                let message = format!("`{one}` and `{other}` would have the same baseline");
                return Err(Error::advice(message, "rename one of them"));
            }
            files.push(file);
        }
    }
    Ok(files)
}

/// The file itself, or the `.toml` files directly in a directory.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let name = path.display();
    if !path.is_dir() {
        if path.is_file() {
            return Ok(vec![path.to_owned()]);
        }
        let shipped = path.to_str().filter(|name| Game::open(name).is_ok());
        if let Some(game) = shipped {
            let message = format!("`{game}` comes along, and what is checked is a file");
            let help =
                format!("`oddsmith rules show {game} --source > {game}.toml` writes it as one");
            return Err(Error::advice(message, help));
        }
        let message = format!("there is no ruleset `{name}`");
        let help = "what is checked is a file, or a directory of files; `oddsmith rules show NAME --source > NAME.toml` writes one that comes along";
        return Err(Error::advice(message, help));
    }
    let unreadable = |error| Error::advice(format!("can't read `{name}`: {}", reason(&error)), "");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        let is_ruleset = file
            .extension()
            .is_some_and(|extension| extension == "toml")
            && file.file_name().is_some_and(|name| name != CONFIG)
            && file.is_file();
        files.extend(is_ruleset.then_some(file));
    }
    if files.is_empty() {
        let message = format!("there are no rulesets in `{name}`");
        return Err(Error::advice(
            message,
            "a ruleset is a file that ends in .toml",
        ));
    }
    files.sort();
    Ok(files)
}

//! Files as the workbench saves them, and as they were committed.

use std::io::Write as _;
use std::path::{Component, Path};

use oddsmith::Error;
use oddsmith::file_set::PartialFile;
use oddsmith::revision::Revision;

/// Writes a file whole or not at all, and only over what is still as it was.
pub(super) fn save(
    path: &Path,
    bytes: &[u8],
    is_unchanged: &mut dyn FnMut() -> bool,
) -> Result<(), String> {
    let mut file = PartialFile::create(path, &()).map_err(|error| error.to_string())?;
    let written = file.write_all(bytes).and_then(|()| file.flush());
    written.map_err(|error| format!("can't write `{}`: {error}", path.display()))?;
    if !is_unchanged() {
        return Err(format!("`{}` was changed meanwhile", path.display()));
    }
    file.persist().map_err(|error| error.to_string())
}

/// The text of a file as it was committed last.
pub(super) fn committed(path: &Path) -> Result<String, Error> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let below = here
        .ok()
        .and_then(|here| Some(path.strip_prefix(here).ok()?.to_owned()));
    let Some(below) = below else {
        let message = format!("`{}` is not below the current directory", path.display());
        let help = "start the workbench in the directory of the repository";
        return Err(Error::advice(message, help));
    };
    let name = format!("HEAD:./{}", with_slashes(&below));
    let revision = Revision::parse(&name);
    let revision = revision.ok_or_else(|| Error::advice(format!("there is no `{name}`"), ""))?;
    let bytes = revision.read()?;
    String::from_utf8(bytes).map_err(|_| Error::advice(format!("`{name}` is not UTF-8"), ""))
}

/// A path as git writes it on every system.
fn with_slashes(path: &Path) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

//! Where served files are, wherever links lead.

use std::fs;
use std::io::{self, Error, ErrorKind};
use std::path::{Path, PathBuf};

use super::error::FileError;

/// What is served.
pub(super) struct Root {
    /// As the system knows it, without links.
    directory: PathBuf,
    /// The one file that is served of it, if not all are.
    only: Option<String>,
}

impl Root {
    /// The file at a path, or the directory.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        if path.is_dir() {
            let (directory, only) = (path, None);
            return Ok(Self { directory, only });
        }
        if !path.is_file() {
            let why = "neither a file nor a directory";
            return Err(Error::new(ErrorKind::InvalidInput, why));
        }
        let name = path.file_name().and_then(|name| name.to_str());
        let only = name.filter(|name| super::name::is_ruleset(name));
        let Some(only) = only.map(str::to_owned) else {
            let why = "the file of a ruleset has a name that ends in `.toml`";
            return Err(Error::new(ErrorKind::InvalidInput, why));
        };
        let directory = path.parent().unwrap_or(Path::new("")).to_owned();
        let only = Some(only);
        Ok(Self { directory, only })
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The one file that is served of the directory, if not all are.
    pub(super) fn only(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// Where a file is, without links; `segments` are the names that lead to it, none of which has a separator.
    pub(super) fn find(&self, uri: &str, segments: &[String]) -> Result<PathBuf, FileError> {
        let is_other = |only: &str| !matches!(segments, [name] if name == only);
        if self.only.as_deref().is_some_and(is_other) {
            return Err(FileError::missing(uri));
        }
        let real = self.real(uri, segments)?;
        let uri = uri.to_owned();
        if real.extension().is_none_or(|end| end != "toml") {
            return Err(FileError::Outside { uri });
        }
        let data = fs::metadata(&real).map_err(|error| FileError::io(&uri, &error))?;
        match data.is_file() {
            true => Ok(real),
            false => Err(FileError::NotRegular { uri }),
        }
    }

    /// Where a file would be, in a directory that is there; `segments` as in [`Root::find`].
    pub(super) fn place_of_new(
        &self,
        uri: &str,
        segments: &[String],
    ) -> Result<PathBuf, FileError> {
        match (&self.only, segments) {
            (None, [above @ .., name]) => Ok(self.real(uri, above)?.join(name)),
            _ => Err(FileError::missing(uri)),
        }
    }

    /// Where names lead, without links: to something that is there, in the directory.
    fn real(&self, uri: &str, segments: &[String]) -> Result<PathBuf, FileError> {
        let join = |path: PathBuf, name: &String| path.join(name);
        let path = segments.iter().fold(self.directory.clone(), join);
        let real = path.canonicalize();
        let real = real.map_err(|error| FileError::io(uri, &error))?;
        match real.starts_with(&self.directory) {
            true => Ok(real),
            false => Err(FileError::Outside {
                uri: uri.to_owned(),
            }),
        }
    }
}

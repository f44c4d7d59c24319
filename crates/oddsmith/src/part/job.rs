//! What a part is part of.

use std::path::Path;

use oddsmith_rules::one_line;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::baseline::Digest;
use crate::{Error, Game, reason, text_file};

/// What a part is part of: the question, the files that it is about, and who answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The version of Oddsmith.
    pub engine: String,
    /// What is asked, such as `table`.
    pub kind: String,
    /// The request.
    pub request: Value,
    /// The files that are read, each with its SHA-256.
    pub files: Vec<JobFile>,
    /// The words of the command that asks; none if no command does.
    pub command: Vec<String>,
}

/// A file that a job reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFile {
    /// The name of the ruleset, or the path.
    pub name: String,
    /// `sha256:` and 64 hexadecimal digits, of its lines.
    pub sha256: String,
}

impl JobFile {
    /// The ruleset of a game.
    pub fn of(game: &Game) -> Self {
        Self {
            name: game.name().to_owned(),
            sha256: Digest::of(&game.model().source.text),
        }
    }
}

impl Job {
    /// A question of some kind to a game.
    ///
    /// # Errors
    /// If the request can't be written as JSON.
    pub fn of(game: &Game, kind: &str, request: &impl Serialize) -> Result<Self, Error> {
        Self::new(kind, request, vec![JobFile::of(game)])
    }

    /// A question of some kind about dice, for which no file is read.
    ///
    /// # Errors
    /// If the request can't be written as JSON.
    pub fn of_dice(kind: &str, request: &impl Serialize) -> Result<Self, Error> {
        Self::new(kind, request, Vec::new())
    }

    /// A question of some kind about these files.
    ///
    /// # Errors
    /// If the request can't be written as JSON.
    pub fn new(kind: &str, request: &impl Serialize, files: Vec<JobFile>) -> Result<Self, Error> {
        let unwritable = |error| Error::advice(format!("can't write the request: {error}"), "");
        Ok(Self {
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            kind: kind.to_owned(),
            request: serde_json::to_value(request).map_err(unwritable)?,
            files,
            command: Vec::new(),
        })
    }

    /// The same with the words of a command that asks it.
    #[must_use]
    pub fn asked_by(self, command: Vec<String>) -> Self {
        Self { command, ..self }
    }

    /// The same with another file that is read.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn reading(mut self, path: &Path, most: u64) -> Result<Self, Error> {
        let name = path.display().to_string();
        let bytes = text_file::read(path, most).map_err(|error| {
            Error::advice(format!("can't read `{name}`: {}", reason(&error)), "")
        })?;
        let sha256 = Digest::of(&String::from_utf8_lossy(&bytes));
        self.files.push(JobFile { name, sha256 });
        Ok(self)
    }

    /// How another job is another one; none if it is the same.
    pub(crate) fn differs(&self, other: &Self) -> Option<String> {
        if self.engine != other.engine {
            return Some(format!(
                "it is of version {}, and the others are of {}",
                one_line(&other.engine),
                one_line(&self.engine)
            ));
        }
        if self.kind != other.kind {
            return Some(format!(
                "it is part of a {}, and the others are of a {}",
                one_line(&other.kind),
                one_line(&self.kind)
            ));
        }
        let names = |job: &Self| -> Vec<String> {
            job.files
                .iter()
                .map(|file| one_line(&file.name).into_owned())
                .collect()
        };
        if names(self) != names(other) {
            return Some(format!(
                "it is about `{}`, and the others are about `{}`",
                names(other).join("`, `"),
                names(self).join("`, `")
            ));
        }
        let mut files = self.files.iter().zip(&other.files);
        if let Some((file, _)) = files.find(|(own, other)| own.sha256 != other.sha256) {
            return Some(format!("`{}` was another file when it was made", file.name));
        }
        (self.request != other.request || self.command != other.command)
            .then(|| "something else was asked".to_owned())
    }
}

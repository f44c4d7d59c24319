//! `oddsmith check`, asked about a changed ruleset.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// A ruleset whose odds are accepted, and the program that compares with them.
#[derive(Debug)]
pub struct Guard {
    program: PathBuf,
    directory: PathBuf,
    baseline: PathBuf,
    file: String,
}

/// What the program says of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Status 0: all is as accepted.
    Nothing,
    /// Status 1: something moved.
    Moved,
    /// Status 2: the changed rules can't be carried out.
    Refused,
}

impl Guard {
    /// Accepts the odds of a ruleset as they are, below `directory`.
    ///
    /// # Errors
    /// If the program can't be run, or finds something wrong with them.
    pub fn new(program: &Path, directory: &Path, name: &str, text: &str) -> Result<Self> {
        let guard = Self {
            program: program.to_owned(),
            directory: directory.to_owned(),
            baseline: directory.join("accepted"),
            file: format!("{name}.toml"),
        };
        match guard.run(&directory.join("original"), text, true)? {
            Seen::Nothing => Ok(guard),
            seen => bail!("the odds of `{name}` can't be accepted: {seen:?}"),
        }
    }

    /// What the program says of a changed text; `id` is a name that no other change has.
    ///
    /// # Errors
    /// If the program can't be run.
    pub fn sees(&self, id: &str, text: &str) -> Result<Seen> {
        let place = self.directory.join(id);
        let seen = self.run(&place, text, false);
        fs::remove_dir_all(&place).context("a directory of its own")?;
        seen
    }

    fn run(&self, place: &Path, text: &str, update: bool) -> Result<Seen> {
        fs::create_dir_all(place)?;
        let file = place.join(&self.file);
        fs::write(&file, text)?;
        let mut command = Command::new(&self.program);
        command.args(["check".as_ref(), file.as_os_str(), "--baseline".as_ref()]);
        command.arg(&self.baseline).args(["--threads", "1"]);
        command.args(update.then_some("--update"));
        command.current_dir(place).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let program = self.program.display();
        let status = command
            .status()
            .with_context(|| format!("can't run `{program}`"))?;
        match status.code() {
            Some(0) => Ok(Seen::Nothing),
            Some(1) => Ok(Seen::Moved),
            Some(2) => Ok(Seen::Refused),
            _ => bail!("`{program} check` ended with {status} on this change:\n{text}"),
        }
    }
}

//! What is to be checked: by `oddsmith.toml`, or by the request.

use std::path::{Path, PathBuf};

use super::config::{CONFIG, nearest_config, read};
use super::files::rulesets;
use super::request::ProjectRequest;
use super::tolerances::{Tolerances, tolerance};
use crate::baseline::MANIFEST;
use crate::within::leads_out;
use crate::{Error, reason};

/// The directory of accepted odds where nothing else is said.
const BASELINE: &str = "reports";

/// What is to be checked.
#[derive(Clone, Debug)]
pub(super) struct ProjectFiles {
    /// The directory that the configuration stands in, as seen from here; empty if it is this one, or if there is none.
    root: PathBuf,
    /// In order; each is a file.
    pub(super) rulesets: Vec<PathBuf>,
    /// Where the baselines of all rulesets are.
    pub(super) baseline: PathBuf,
    pub(super) tolerances: Tolerances,
    /// The command that accepts the odds as they are.
    pub(super) command: String,
    /// Whether it is the whole of a repository: no ruleset was named.
    is_whole: bool,
    /// The differences of a table that are told; none is all.
    pub(super) most: Option<usize>,
    /// Whether the odds are accepted as they are.
    pub(super) accept: bool,
}

impl ProjectFiles {
    /// From the request, and the nearest configuration if there is one.
    pub(super) fn read(request: &ProjectRequest) -> Result<Self, Error> {
        let is_whole = request.rulesets.is_empty();
        let path = request.config.clone().or_else(nearest_config);
        let root = path.as_deref().and_then(Path::parent);
        let root = root.unwrap_or(Path::new("")).to_owned();
        let config = path.as_deref().map(read).transpose()?;
        if is_whole && config.as_ref().is_none_or(|c| c.rulesets.is_empty()) {
            let message = format!(
                "there is nothing to check: no `{CONFIG}` here or above names any rulesets"
            );
            let help = "name a ruleset, as in `oddsmith check mine.toml --baseline odds`, or write the file: `oddsmith check --help`";
            return Err(Error::advice(message, help));
        }
        let config = config.unwrap_or_default();
        let own = config.rulesets.iter().filter(|_| is_whole);
        let baseline = config.baseline.as_ref();
        let baseline = baseline.filter(|_| request.baseline.is_none());
        config.demand_within(&root, own.clone().chain(baseline))?;
        let paths: Vec<PathBuf> = match is_whole {
            true => own.map(|written| root.join(&written.path)).collect(),
            false => request.rulesets.clone(),
        };
        let rulesets = rulesets(&paths)?;
        let accepted = baseline.map_or(Path::new(BASELINE), |written| &written.path);
        let accepted = root.join(accepted);
        let own = rulesets.iter().filter(|_| is_whole);
        demand_within(
            &root,
            own.chain(request.baseline.is_none().then_some(&accepted)),
        )?;
        Ok(Self {
            rulesets,
            baseline: request.baseline.clone().unwrap_or(accepted),
            root,
            tolerances: tolerances(request, config.tolerances)?,
            command: request.command.clone(),
            is_whole,
            most: request.most,
            accept: request.accept,
        })
    }

    /// The baselines that no ruleset has: their directories, by name. None unless the whole of a repository is checked.
    ///
    /// # Errors
    /// If the directory of the baselines can't be read.
    pub(super) fn orphans(&self) -> Result<Vec<String>, Error> {
        if !self.is_whole || !self.baseline.is_dir() {
            return Ok(Vec::new());
        }
        let unreadable = |error| {
            let name = self.baseline.display();
            Error::advice(format!("can't read `{name}`: {}", reason(&error)), "")
        };
        let mut orphans = Vec::new();
        for entry in std::fs::read_dir(&self.baseline).map_err(unreadable)? {
            let directory = entry.map_err(unreadable)?.path();
            let id = directory.file_name();
            let is_known = self.rulesets.iter().any(|path| path.file_stem() == id);
            if !is_known && directory.join(MANIFEST).exists() {
                orphans.push(self.shown(&directory));
            }
        }
        orphans.sort();
        Ok(orphans)
    }

    /// A file as seen from the configuration, which is where a repository begins.
    pub(super) fn shown(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        path.display().to_string().replace('\\', "/")
    }
}

/// Refuses links out of the directory of the configuration: both may come from a stranger.
fn demand_within<'p>(
    root: &Path,
    mut paths: impl Iterator<Item = &'p PathBuf>,
) -> Result<(), Error> {
    let Some(out) = paths.find(|path| leads_out(root, path)) else {
        return Ok(());
    };
    let out = out.display();
    let message = format!("`{out}` is a link out of the directory of `{CONFIG}`");
    let help = "remove it; or name what it leads to on the command line";
    Err(Error::advice(message, help))
}

/// The tolerances of the request, or else those of the configuration.
fn tolerances(request: &ProjectRequest, config: Tolerances) -> Result<Tolerances, Error> {
    let Some(text) = &request.tolerance else {
        // Of a part of the rulesets it is unknown which columns there could be.
        let source = config.source.filter(|_| request.rulesets.is_empty());
        return Ok(Tolerances { source, ..config });
    };
    let message = || format!("`{text}` is no tolerance");
    let usual = tolerance(text)
        .ok_or_else(|| Error::advice(message(), "write a number from 0 on, such as 0.5"))?;
    Ok(Tolerances {
        usual,
        ..Tolerances::default()
    })
}

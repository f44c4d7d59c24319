//! What is to be checked: by `oddsmith.toml`, or by what was typed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use oddsmith_exact::RBig;
use oddsmith_rules::{Diagnostic, Diagnostics, Source, Span};

use crate::advice::Advice;
use crate::advice::reason;
use crate::args::{CheckArgs, DEFAULT_BUDGET};
use crate::baseline::MANIFEST;
use crate::number;
use crate::paste;
use crate::toml_file::Entry;
use oddsmith_rules::nearest;

const CONFIG: &str = "oddsmith.toml";
const KEYS: [&str; 4] = ["rulesets", "baseline", "tolerance", "tolerances"];
const BASELINE: &str = "reports";

/// What is to be checked.
#[derive(Debug)]
pub(super) struct Project {
    /// The directory that the configuration stands in, as seen from here; empty if it is this one, or if there is none.
    root: PathBuf,
    /// In order; each is a file.
    pub(super) rulesets: Vec<PathBuf>,
    /// Where the baselines of all rulesets are.
    pub(super) baseline: PathBuf,
    pub(super) tolerances: Tolerances,
    /// The command that accepts the odds as they are, with the options of this run.
    pub(super) accept: String,
    /// Whether it is the whole of a repository: no ruleset was named.
    is_whole: bool,
}

/// The largest differences that are no drift: probabilities in points, other numbers as they are.
#[derive(Debug, Default)]
pub(super) struct Tolerances {
    usual: RBig,
    /// By column, with the place where each is said.
    columns: BTreeMap<String, (RBig, Span)>,
    source: Option<Arc<Source>>,
}

impl Tolerances {
    /// That of a column, as a difference of its values.
    pub(super) fn of(&self, column: &str, is_probability: bool) -> RBig {
        let own = self.columns.get(column).map(|(tolerance, _)| tolerance);
        let tolerance = own.unwrap_or(&self.usual).clone();
        if is_probability {
            return tolerance / RBig::from(100);
        }
        tolerance
    }

    /// Refuses tolerances of columns that no table has.
    pub(super) fn demand_columns(&self, known: &[&str]) -> Result<(), Diagnostics> {
        let Some(source) = &self.source else {
            return Ok(());
        };
        let unknown = self.columns.iter();
        let unknown = unknown.filter(|(column, _)| !known.contains(&column.as_str()));
        let errors = unknown.map(|(column, (_, span))| {
            let message = format!("no table has a column `{column}`");
            let error = Diagnostic::new(source, *span, message);
            match nearest(column, known.iter().copied()) {
                Some(near) => error.with_label(format!("did you mean `{near}`?")),
                None => error.with_label("not a band, flag or mean that is accepted"),
            }
        });
        let errors: Vec<Diagnostic> = errors.collect();
        if errors.is_empty() {
            Ok(())
        } else {
            Err(Diagnostics(errors))
        }
    }
}

/// What the file says.
#[derive(Debug, Default)]
struct Config {
    rulesets: Vec<PathBuf>,
    baseline: Option<PathBuf>,
    tolerances: Tolerances,
}

impl Project {
    /// From the arguments, and the nearest configuration if there is one.
    pub(super) fn find(args: &CheckArgs) -> Result<Self> {
        let path = args.config.clone().or_else(nearest_config);
        let root = path.as_deref().and_then(Path::parent);
        let root = root.unwrap_or(Path::new("")).to_owned();
        let config = path.as_deref().map(read).transpose()?;
        if args.paths.is_empty() && config.as_ref().is_none_or(|c| c.rulesets.is_empty()) {
            let message = format!(
                "there is nothing to check: no `{CONFIG}` here or above names any rulesets"
            );
            let help = "name a ruleset, as in `oddsmith check mine.toml --baseline odds`, or write the file: `oddsmith check --help`";
            return Err(Advice::error(message, help));
        }
        let config = config.unwrap_or_default();
        let paths = match args.paths.is_empty() {
            true => config.rulesets.iter().map(|path| root.join(path)).collect(),
            false => args.paths.clone(),
        };
        let accepted = config.baseline.unwrap_or(BASELINE.into());
        let baseline = args.baseline.clone().unwrap_or(root.join(accepted));
        let tolerances = match &args.tolerance {
            Some(usual) => Tolerances {
                usual: usual.clone(),
                ..Tolerances::default()
            },
            // Of a part of the rulesets it is unknown which columns there could be.
            None if !args.paths.is_empty() => Tolerances {
                source: None,
                ..config.tolerances
            },
            None => config.tolerances,
        };
        Ok(Self {
            rulesets: rulesets(&paths)?,
            root,
            baseline,
            tolerances,
            accept: accept(args),
            is_whole: args.paths.is_empty(),
        })
    }

    /// The baselines that no ruleset has: their directories, by name. None unless the whole of a repository is checked.
    ///
    /// # Errors
    /// If the directory of the baselines can't be read.
    pub(super) fn orphans(&self) -> Result<Vec<String>> {
        if !self.is_whole || !self.baseline.is_dir() {
            return Ok(Vec::new());
        }
        let unreadable = |error| {
            let name = self.baseline.display();
            Advice::error(format!("can't read `{name}`: {}", reason(&error)), "")
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

/// The command that accepts what this run compares.
fn accept(args: &CheckArgs) -> String {
    let mut words = vec!["oddsmith check".to_owned()];
    words.extend(args.paths.iter().map(|path| paste::path(path)));
    for (option, value) in [("--baseline", &args.baseline), ("--config", &args.config)] {
        words.extend(
            value
                .iter()
                .map(|path| format!("{option} {}", paste::path(path))),
        );
    }
    if args.cost.budget != DEFAULT_BUDGET {
        words.push(format!("--budget {}", args.cost.budget));
    }
    words.push("--update".to_owned());
    words.join(" ")
}

/// The configuration in this directory or the nearest one above it, as seen from here.
fn nearest_config() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut up = PathBuf::new();
    for _ in here.ancestors() {
        let path = up.join(CONFIG);
        if path.is_file() {
            return Some(path);
        }
        up.push("..");
    }
    None
}

fn read(path: &Path) -> Result<Config> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| {
        let message = format!("can't read `{name}`: {}", reason(&error));
        Advice::error(message, "")
    })?;
    Ok(config(&Source::new(name, text))?)
}

/// All the errors of the file at once.
fn config(source: &Arc<Source>) -> Result<Config, Diagnostics> {
    let document = oddsmith_rules::toml(source)?;
    let root = Entry::root(source, &document);
    let mut errors = Vec::new();
    let mut config = Config::default();
    config.tolerances.source = Some(Arc::clone(source));
    for (key, span, value) in root.keys()? {
        let read = match key.as_str() {
            "rulesets" => value.strings().map(|paths| {
                config.rulesets = paths.into_iter().map(PathBuf::from).collect();
            }),
            "baseline" => value
                .string()
                .map(|path| config.baseline = Some(path.into())),
            "tolerance" => tolerance(&value).map(|usual| config.tolerances.usual = usual),
            "tolerances" => columns(&value, &mut config.tolerances),
            _ => Err(unknown(source, &key, span)),
        };
        errors.extend(read.err());
    }
    if errors.is_empty() {
        Ok(config)
    } else {
        Err(Diagnostics(errors))
    }
}

fn unknown(source: &Arc<Source>, key: &str, span: Span) -> Diagnostic {
    let error = Diagnostic::new(source, span, format!("unknown key `{key}`"));
    let error = match nearest(key, KEYS) {
        Some(near) => error.with_label(format!("did you mean `{near}`?")),
        None => error.with_label("not a key here"),
    };
    error.with_help(format!("the keys of {CONFIG} are {}", KEYS.join(", ")))
}

fn columns(value: &Entry<'_>, tolerances: &mut Tolerances) -> Result<(), Diagnostic> {
    for (column, span, value) in value.keys()? {
        let tolerance = tolerance(&value)?;
        tolerances.columns.insert(column, (tolerance, span));
    }
    Ok(())
}

fn tolerance(value: &Entry<'_>) -> Result<RBig, Diagnostic> {
    let tolerance = number::exact_decimal(value.number()?);
    let tolerance = tolerance.filter(|tolerance| *tolerance >= RBig::ZERO);
    tolerance.ok_or_else(|| value.wrong("a number from 0 on, such as 0.5"))
}

/// The files, those of directories by name; each once, however it is written. No two may have the same name, which is
/// that of their baseline.
fn rulesets(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut known: BTreeSet<PathBuf> = BTreeSet::new();
    for path in paths {
        for file in files_of(path)? {
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
                return Err(Advice::error(message, "rename one of them"));
            }
            files.push(file);
        }
    }
    Ok(files)
}

/// The file itself, or the `.toml` files directly in a directory.
fn files_of(path: &Path) -> Result<Vec<PathBuf>> {
    let name = path.display();
    if !path.is_dir() {
        if path.is_file() {
            return Ok(vec![path.to_owned()]);
        }
        let message = format!("there is no ruleset `{name}`");
        let help = "what is checked is a file, or a directory of files; `oddsmith rules show NAME --source > NAME.toml` writes one that comes along";
        return Err(Advice::error(message, help));
    }
    let unreadable = |error| Advice::error(format!("can't read `{name}`: {}", reason(&error)), "");
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
        return Err(Advice::error(
            message,
            "a ruleset is a file that ends in .toml",
        ));
    }
    files.sort();
    Ok(files)
}

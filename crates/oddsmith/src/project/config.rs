//! What a project's file, `oddsmith.toml`, says.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oddsmith_exact::RBig;
use oddsmith_rules::{Diagnostic, Diagnostics, Source, Span, nearest};

use super::tolerances::{self, Tolerances};
use crate::toml_file::Entry;
use crate::within::leads_out;
use crate::{Error, reason, text_file};

/// What the file is called.
pub(super) const CONFIG: &str = "oddsmith.toml";
const KEYS: [&str; 4] = ["rulesets", "baseline", "tolerance", "tolerances"];

/// What the file says.
#[derive(Debug, Default)]
pub(super) struct Config {
    pub(super) rulesets: Vec<WrittenPath>,
    pub(super) baseline: Option<WrittenPath>,
    pub(super) tolerances: Tolerances,
}

/// A path in the file, and its place.
#[derive(Clone, Debug)]
pub(super) struct WrittenPath {
    pub(super) path: PathBuf,
    span: Span,
}

impl Config {
    /// Refuses paths that lead out of the directory that the file stands in: it may come from a stranger. All errors at once.
    pub(super) fn demand_within<'p>(
        &self,
        root: &Path,
        paths: impl Iterator<Item = &'p WrittenPath>,
    ) -> Result<(), Diagnostics> {
        let Some(source) = &self.tolerances.source else {
            return Ok(());
        };
        let out = paths.filter(|written| leads_out(root, &root.join(&written.path)));
        let errors = out.map(|WrittenPath { path, span }| {
            let message = format!("`{}` leads out of the directory of this file", path.display());
            Diagnostic::new(source, *span, message).with_help(
                "put this file above all that it names; or name what is elsewhere on the command line: `oddsmith check ../mine.toml --baseline ../odds`",
            )
        });
        Diagnostics::if_any(errors)
    }
}

/// The configuration in this directory or the nearest one above it, as seen from here.
pub(super) fn nearest_config() -> Option<PathBuf> {
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

/// The file at a path.
pub(super) fn read(path: &Path) -> Result<Config, Error> {
    let name = path.display().to_string();
    let bytes = text_file::read(path, oddsmith_rules::MOST_BYTES);
    let text = bytes.and_then(|bytes| {
        let not_text = |_| std::io::Error::new(ErrorKind::InvalidData, "it is not UTF-8");
        String::from_utf8(bytes).map_err(not_text)
    });
    let text = text.map_err(|error| {
        let message = format!("can't read `{name}`: {}", reason(&error));
        Error::advice(message, "")
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
            "rulesets" => paths(&value).map(|paths| config.rulesets = paths),
            "baseline" => path(&value).map(|path| config.baseline = Some(path)),
            "tolerance" => tolerance(&value).map(|usual| config.tolerances.usual = usual),
            "tolerances" => columns(&value, &mut config.tolerances),
            _ => Err(unknown(source, &key, span)),
        };
        errors.extend(read.err());
    }
    Diagnostics::if_any(errors)?;
    Ok(config)
}

fn path(value: &Entry<'_>) -> Result<WrittenPath, Diagnostic> {
    let (path, span) = (value.string()?.into(), value.span());
    Ok(WrittenPath { path, span })
}

fn paths(value: &Entry<'_>) -> Result<Vec<WrittenPath>, Diagnostic> {
    value.items()?.iter().map(path).collect()
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
    let tolerance = tolerances::tolerance(value.number()?);
    tolerance.ok_or_else(|| value.wrong("a number from 0 on, such as 0.5"))
}

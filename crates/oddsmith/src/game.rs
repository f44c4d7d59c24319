//! Games: rulesets by a shipped name, a path, or as the file of another revision, `REV:PATH`; and their checks by name,
//! as in `RULESET:CHECK`.

use std::path::Path;

use oddsmith_rules::{Check, Model, all_games, in_turn, nearest, one_line};

use crate::error::reason;
use crate::revision::Revision;
use crate::{Dice, Error, text_file};

/// A target as typed, in its two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetName<'a> {
    /// The ruleset.
    pub ruleset: &'a str,
    /// The check or track of it, if one is named.
    pub check: Option<&'a str>,
}

impl<'a> TargetName<'a> {
    /// The check is what follows the last `:` if it is a word; a file whose name holds a `:` is a file.
    pub fn parse(text: &'a str) -> Self {
        let whole = Self {
            ruleset: text,
            check: None,
        };
        if text.contains(':') && Path::new(text).is_file() {
            return whole;
        }
        match text.rsplit_once(':') {
            Some((ruleset, check)) if !ruleset.is_empty() && is_word(check) => Self {
                ruleset,
                check: Some(check),
            },
            _ => whole,
        }
    }
}

/// Values of a check as typed: `RULESET:CHECK.VALUE`, `RULESET.VALUE`, or several values with commas between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueName<'a> {
    /// The ruleset and the check.
    pub target: TargetName<'a>,
    /// The values; none if a ruleset is named, or a check of it, and no value.
    pub values: Vec<&'a str>,
}

impl<'a> ValueName<'a> {
    /// What a text names; none if it names no ruleset, so that it may be a dice expression.
    ///
    /// ```
    /// use oddsmith::ValueName;
    /// let name = ValueName::parse("stars-and-signs:check.total,band").unwrap();
    /// assert_eq!((name.target.check, name.values), (Some("check"), vec!["total", "band"]));
    /// assert_eq!(ValueName::parse("4d6kh3"), None);
    /// ```
    pub fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let whole = TargetName::parse(text);
        if is_ruleset(whole.ruleset) {
            let values = Vec::new();
            return Some(Self {
                target: whole,
                values,
            });
        }
        let (before, values) = text.rsplit_once('.')?;
        let values: Vec<&str> = values.split(',').map(str::trim).collect();
        if !values.iter().all(|value| is_word(value)) {
            return None;
        }
        let target = TargetName::parse(before);
        // A check is named behind a colon; dice have one in brackets alone.
        let is_meant = is_ruleset(target.ruleset)
            || target.check.is_some() && !target.ruleset.contains(['{', '[', '(', ' ']);
        is_meant.then_some(Self { target, values })
    }
}

/// Whether a text names a ruleset, as far as can be seen from it, or is the path of a file.
fn is_ruleset(text: &str) -> bool {
    let is_toml = Path::new(text).extension().is_some_and(|end| end == "toml");
    is_toml || all_games().any(|(name, _)| name == text) || Path::new(text).is_file()
}

fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !text.is_empty() && text.chars().all(is_part)
}

/// What a command asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// What is rolled once.
    Check,
    /// What is rolled until something is full.
    Track,
    /// Without a name the first check, or the first track if there are no checks.
    Either,
}

impl Wanted {
    fn noun(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Track => "track",
            Self::Either => "check or track",
        }
    }
}

/// A ruleset that was read and checked: what all questions are put to.
///
/// ```
/// use oddsmith::Game;
/// let game = Game::open("stars-and-signs")?;
/// assert_eq!(game.title(), "Stars & Signs");
/// assert_eq!(game.model().checks[0].name, "check");
/// # Ok::<(), oddsmith::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    name: String,
    model: Model,
}

impl Game {
    /// A shipped game by its name, a file by its path, or the file of a git revision as `REV:PATH`.
    ///
    /// # Errors
    /// If there is no such ruleset, it can't be read, or it has errors.
    pub fn open(name: &str) -> Result<Self, Error> {
        Self::parse(name, &source(name)?)
    }

    /// A ruleset by its text; errors call it `name`.
    ///
    /// # Errors
    /// All errors of the ruleset at once.
    ///
    /// ```
    /// use oddsmith::{Game, Limits, OddsRequest};
    /// let text = r#"
    /// name = "Coins"
    /// [checks.toss]
    /// rules = "show heads = 1d2 == 2"
    /// "#;
    /// let game = Game::parse("coins.toml", text.as_bytes())?;
    /// let odds = game.odds(&OddsRequest::default(), &Limits::default())?;
    /// assert_eq!(odds.outcomes[0].decimal(), 0.5);
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn parse(name: &str, text: &[u8]) -> Result<Self, Error> {
        let model = oddsmith_rules::load(name, text).map_err(|errors| Error::Ruleset {
            name: name.to_owned(),
            errors,
        })?;
        Ok(Self::of(name, model))
    }

    /// A ruleset that was read already.
    pub fn of(name: &str, model: Model) -> Self {
        Self {
            name: name.to_owned(),
            model,
        }
    }

    /// The ruleset as it was named.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The title that the ruleset gives itself, or else its name.
    pub fn title(&self) -> &str {
        if self.model.name.is_empty() {
            &self.name
        } else {
            &self.model.name
        }
    }

    /// The title of one of its checks: `Stars & Signs · check`.
    pub fn title_of(&self, check: &Check) -> String {
        format!("{} · {}", self.title(), check.title())
    }

    /// The checks, tracks, charts and expectations of the ruleset.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Takes the model out.
    pub fn into_model(self) -> Model {
        self.model
    }

    /// The check or track of a name, or the first one that is wanted.
    ///
    /// # Errors
    /// If there is none, with the nearest right name.
    pub fn find(&self, check: Option<&str>, wanted: Wanted) -> Result<&Check, Error> {
        let name = TargetName {
            ruleset: &self.name,
            check,
        };
        let found = find(&self.model, name, wanted)?;
        // Each question is put to a copy, which need not find it out again.
        found.is_sure();
        Ok(found)
    }
}

/// The check or track that is asked; without a name the first.
pub fn find<'m>(
    model: &'m Model,
    name: TargetName<'_>,
    wanted: Wanted,
) -> Result<&'m Check, Error> {
    let (checks, tracks) = (&model.checks, &model.tracks);
    let Some(word) = name.check else {
        let first = match wanted {
            Wanted::Check => checks.first(),
            Wanted::Track => tracks.first(),
            Wanted::Either => checks.first().or(tracks.first()),
        };
        return first.ok_or_else(|| {
            let message = format!("`{}` has no {}s", name.ruleset, wanted.noun());
            Error::advice(message, names_of(model, name.ruleset, wanted))
        });
    };
    match (model.check(word), model.track(word), wanted) {
        (Some(check), _, Wanted::Check | Wanted::Either) => Ok(check),
        (_, Some(track), Wanted::Track | Wanted::Either) => Ok(track),
        (Some(_), _, Wanted::Track) => Err(Error::advice(
            format!("`{word}` is a check: it is rolled once"),
            format!("use `oddsmith odds {}:{word}`", name.ruleset),
        )),
        (_, Some(_), Wanted::Check) => Err(Error::advice(
            format!("`{word}` is a track: it goes on until it ends"),
            format!("use `oddsmith track {}:{word}`", name.ruleset),
        )),
        (None, None, _) => Err(unknown_check(model, name.ruleset, word, wanted)),
    }
}

fn unknown_check(model: &Model, ruleset: &str, word: &str, wanted: Wanted) -> Error {
    let message = format!("`{ruleset}` has no {} `{word}`", wanted.noun());
    let both = model.checks.iter().chain(&model.tracks);
    let help = match nearest(word, both.map(|check| check.name.as_str())) {
        Some(near) => {
            let is_track = model.track(near).is_some();
            let what = match wanted {
                Wanted::Check if is_track => ", a track: use `oddsmith track`",
                Wanted::Track if !is_track => ", a check: use `oddsmith odds`",
                _ => "",
            };
            format!("did you mean `{ruleset}:{near}`?{what}")
        }
        None => match shown_by(model, word) {
            Some(check) => format!("a value stands behind its check: `{ruleset}:{check}.{word}`"),
            None => names_of(model, ruleset, wanted),
        },
    };
    Error::advice(message, help)
}

/// The first check or track that shows a value of that name.
fn shown_by<'m>(model: &'m Model, name: &str) -> Option<&'m str> {
    let mut both = model.checks.iter().chain(&model.tracks);
    let shows = |check: &&Check| check.outcomes.iter().any(|outcome| outcome.name == name);
    both.find(shows).map(|check| check.name.as_str())
}

/// What there is, the wanted kind first.
fn names_of(model: &Model, ruleset: &str, wanted: Wanted) -> String {
    let names = |of: &[Check], kind: &str| {
        let names: Vec<&str> = of.iter().map(|check| check.name.as_str()).collect();
        match names.len() {
            0 => format!("it has no {kind}s"),
            1 => format!("its {kind} is {}", names[0]),
            _ => format!("its {kind}s are {}", names.join(", ")),
        }
    };
    let checks = names(&model.checks, "check");
    let tracks = names(&model.tracks, "track");
    match wanted {
        Wanted::Check if model.checks.is_empty() => {
            format!("{tracks}: ask `oddsmith track {ruleset}`")
        }
        Wanted::Track if model.tracks.is_empty() => {
            format!("{checks}: ask `oddsmith odds {ruleset}`")
        }
        Wanted::Check => checks,
        Wanted::Track => tracks,
        Wanted::Either => format!("{checks}; {tracks}"),
    }
}

/// The file of a ruleset that is not a shipped one: what exists as a file, holds a `/` or a `.` is a path. Of a file of
/// another revision it is the path there.
pub fn path_of(ruleset: &str) -> Option<&Path> {
    if let Some(revision) = Revision::parse(ruleset) {
        return Some(revision.path());
    }
    let path = Path::new(ruleset);
    (path.is_file() || ruleset.contains(['/', '\\', '.'])).then_some(path)
}

/// The bytes of a ruleset.
pub fn source(ruleset: &str) -> Result<Vec<u8>, Error> {
    if let Some(revision) = Revision::parse(ruleset) {
        return revision.read();
    }
    if let Some(path) = path_of(ruleset) {
        if path.is_dir() {
            return Err(directory(path));
        }
        refuse_name(path)?;
        let bytes = text_file::read(path, oddsmith_rules::MOST_BYTES);
        return bytes.map_err(|error| unreadable(path, &error));
    }
    match all_games().find(|(name, _)| *name == ruleset) {
        Some((_, text)) => Ok(text.as_bytes().to_vec()),
        None => Err(unknown(ruleset)),
    }
}

/// Refuses a file whose name would act on a terminal or a log, or whose own files would stand outside of their directory.
pub(crate) fn refuse_name(path: &Path) -> Result<(), Error> {
    let name = path.to_string_lossy();
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    let is_unseen = one_line(&name) != name;
    if !is_unseen && stem != "." && stem != ".." {
        return Ok(());
    }
    let help = match is_unseen {
        true => {
            "rename it: what is shown as `\\` and letters here is not seen, or acts on a terminal"
        }
        false => "rename it: its tables would be written outside of their directory",
    };
    let message = format!("`{name}` can't be the name of a ruleset");
    Err(Error::advice(message, help))
}

fn names() -> impl Iterator<Item = &'static str> {
    all_games().map(|(name, _)| name)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    let near = || {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let near = nearest(stem.unwrap_or_default(), names())?;
        Some(format!("a ruleset that comes along is `{near}`"))
    };
    let new = || {
        let is_new = !path.exists() && path.extension().is_some_and(|own| own == "toml");
        is_new.then(|| format!("`oddsmith new {}` writes one to begin with", path.display()))
    };
    let help = near_file(path).or_else(near).or_else(new);
    Error::advice(
        format!("can't read `{}`: {}", path.display(), reason(error)),
        help.unwrap_or_default(),
    )
}

/// The error of a directory where a ruleset is asked for.
fn directory(path: &Path) -> Error {
    const MOST: usize = 3;
    let files = stems_in(path).into_iter().take(MOST);
    let files = files.map(|stem| path.join(format!("{stem}.toml")));
    let files: Vec<String> = files
        .map(|file| format!("`{}`", one_line(&file.to_string_lossy())))
        .collect();
    let help = match files.as_slice() {
        [] => "a ruleset is a file: `oddsmith new FILE` writes one to begin with".to_owned(),
        files => format!("name a file in it, such as {}", files.join(", ")),
    };
    Error::advice(
        format!("`{}` is a directory", one_line(&path.to_string_lossy())),
        help,
    )
}

/// The names of the ruleset files in a directory, sorted, without `.toml`; none if it can't be read.
fn stems_in(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut stems: Vec<String> = names
        .filter_map(|name| Some(name.strip_suffix(".toml")?.to_owned()))
        .collect();
    stems.sort();
    stems
}

/// A ruleset file in the same directory whose name is nearly this one.
fn near_file(path: &Path) -> Option<String> {
    if path.exists() {
        return None;
    }
    let directory = path.parent().filter(|parent| *parent != Path::new(""));
    let stems = stems_in(directory.unwrap_or(Path::new(".")));
    let near = nearest(
        path.file_stem()?.to_str()?,
        stems.iter().map(String::as_str),
    )?;
    let near = path.with_file_name(format!("{near}.toml"));
    Some(format!("did you mean `{}`?", near.display()))
}

/// The games whose names have this within them, if there are any.
fn alike(name: &str) -> Option<String> {
    let has_it = |known: &&str| name.len() > 1 && known.contains(&name.to_lowercase());
    let found: Vec<String> = names()
        .filter(has_it)
        .map(|known| format!("`{known}`"))
        .collect();
    (!found.is_empty()).then(|| in_turn(&found))
}

fn unknown(name: &str) -> Error {
    let file = format!("{name}.toml");
    let is_dice = || name.contains('d') && Dice::parse(name).is_ok();
    let help = if is_dice() {
        format!("dice alone are asked by `oddsmith dist '{name}'`")
    } else if Path::new(&file).is_file() {
        format!("there is a file of that name: `{file}`")
    } else if let Some(near) = nearest(name, names()) {
        format!("did you mean `{near}`?")
    } else if let Some(near) = near_file(Path::new(&file)) {
        near
    } else if let Some(alike) = alike(name) {
        format!("those of that name are {alike}")
    } else {
        format!(
            "`oddsmith rules list` has those that come along; a file is given by its path, such as `{file}`"
        )
    };
    Error::advice(format!("there is no ruleset `{name}`"), help)
}

#[cfg(test)]
mod tests {
    use super::TargetName;

    fn parts(text: &str) -> (&str, Option<&str>) {
        let name = TargetName::parse(text);
        (name.ruleset, name.check)
    }

    #[test]
    fn the_check_follows_the_last_colon_if_it_is_a_word() {
        assert_eq!(parts("stars-and-signs"), ("stars-and-signs", None));
        assert_eq!(
            parts("stars-and-signs:test"),
            ("stars-and-signs", Some("test"))
        );
        assert_eq!(parts("odd:dir/mine.toml"), ("odd:dir/mine.toml", None));
        assert_eq!(
            parts("odd:dir/mine.toml:test"),
            ("odd:dir/mine.toml", Some("test"))
        );
        assert_eq!(parts(r"C:\mine.toml"), (r"C:\mine.toml", None));
        let old = "HEAD~3:rules/d20.toml";
        assert_eq!(parts(old), (old, None));
        assert_eq!(parts("HEAD~3:rules/d20.toml:test"), (old, Some("test")));
        assert_eq!(parts("mine.toml:"), ("mine.toml:", None));
        assert_eq!(parts(":test"), (":test", None));
    }
}

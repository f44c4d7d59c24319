//! Targets: `RULESET[:CHECK]` or `RULESET[:TRACK]`, where RULESET is a shipped name, a path, or the file of another
//! revision, `REV:PATH`.

use std::path::Path;

use anyhow::Result;
use oddsmith_rules::{Check, Model, nearest, shipped};

use crate::advice::{Advice, BrokenRuleset, reason};
use crate::failure;
use crate::output::Destination;
use crate::revision::Revision;

/// A target as typed, in its two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TargetName<'a> {
    pub(crate) ruleset: &'a str,
    pub(crate) check: Option<&'a str>,
}

impl<'a> TargetName<'a> {
    /// The check is what follows the last `:` if it is a word; a file whose name holds a `:` is a file.
    pub(crate) fn parse(text: &'a str) -> Self {
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

fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !text.is_empty() && text.chars().all(is_part)
}

/// What a command asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Check,
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

/// A ruleset, and which of its checks or tracks is asked.
#[derive(Debug)]
pub(crate) struct Target {
    /// As typed, without the check.
    pub(crate) ruleset: String,
    pub(crate) model: Model,
    /// A copy, so that it may be given other goals than the ruleset's.
    pub(crate) check: Check,
}

impl Target {
    /// Reads the ruleset, tells its warnings, and finds the check or track.
    pub(crate) fn resolve(text: &str, wanted: Wanted) -> Result<Self> {
        let name = TargetName::parse(text);
        let model = load(name.ruleset)?;
        failure::warn(&model.warnings);
        let check = find(&model, name, wanted)?.clone();
        Ok(Self {
            ruleset: name.ruleset.to_owned(),
            model,
            check,
        })
    }

    /// Nothing that is made from the rules takes their place.
    pub(crate) fn protect_from(&self, destination: &Destination) -> Result<()> {
        match path_of(&self.ruleset) {
            Some(path) if destination.is(path) => {
                let message = format!(
                    "`{}` is the ruleset itself and would be replaced",
                    path.display()
                );
                Err(Advice::error(message, "give another name to `-o`"))
            }
            _ => Ok(()),
        }
    }

    /// The game and the check, as a title.
    pub(crate) fn title(&self) -> String {
        format!("{} · {}", self.game(), self.check.name)
    }

    /// What the game is called.
    pub(crate) fn game(&self) -> &str {
        if self.model.name.is_empty() {
            &self.ruleset
        } else {
            &self.model.name
        }
    }
}

/// The check or track that is asked; without a name the first.
pub(crate) fn find<'m>(
    model: &'m Model,
    name: TargetName<'_>,
    wanted: Wanted,
) -> Result<&'m Check> {
    let (checks, tracks) = (&model.checks, &model.tracks);
    let Some(word) = name.check else {
        let first = match wanted {
            Wanted::Check => checks.first(),
            Wanted::Track => tracks.first(),
            Wanted::Either => checks.first().or(tracks.first()),
        };
        return first.ok_or_else(|| {
            let message = format!("`{}` has no {}s", name.ruleset, wanted.noun());
            Advice::error(message, known(model, name.ruleset, wanted))
        });
    };
    match (model.check(word), model.track(word), wanted) {
        (Some(check), _, Wanted::Check | Wanted::Either) => Ok(check),
        (_, Some(track), Wanted::Track | Wanted::Either) => Ok(track),
        (Some(_), _, Wanted::Track) => Err(Advice::error(
            format!("`{word}` is a check: it is rolled once"),
            format!("use `oddsmith odds {}:{word}`", name.ruleset),
        )),
        (_, Some(_), Wanted::Check) => Err(Advice::error(
            format!("`{word}` is a track: its rolls go on until something is full"),
            format!("use `oddsmith track {}:{word}`", name.ruleset),
        )),
        (None, None, _) => Err(unknown_check(model, name.ruleset, word, wanted)),
    }
}

fn unknown_check(model: &Model, ruleset: &str, word: &str, wanted: Wanted) -> anyhow::Error {
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
        None => known(model, ruleset, wanted),
    };
    Advice::error(message, help)
}

/// What there is, the wanted kind first.
fn known(model: &Model, ruleset: &str, wanted: Wanted) -> String {
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

/// A shipped ruleset, or a file.
pub(crate) fn load(ruleset: &str) -> Result<Model> {
    let text = source(ruleset)?;
    oddsmith_rules::load(ruleset, &text).map_err(|errors| {
        BrokenRuleset {
            name: ruleset.to_owned(),
            errors,
        }
        .into()
    })
}

/// The file of a ruleset that is not a shipped one: what exists as a file, holds a `/` or a `.` is a path. Of a file of
/// another revision it is the path there.
pub(crate) fn path_of(ruleset: &str) -> Option<&Path> {
    if let Some(revision) = Revision::parse(ruleset) {
        return Some(revision.path());
    }
    let path = Path::new(ruleset);
    (path.is_file() || ruleset.contains(['/', '\\', '.'])).then_some(path)
}

/// The bytes of a ruleset.
pub(crate) fn source(ruleset: &str) -> Result<Vec<u8>> {
    if let Some(revision) = Revision::parse(ruleset) {
        return revision.read();
    }
    if let Some(path) = path_of(ruleset) {
        return std::fs::read(path).map_err(|error| unreadable(path, &error));
    }
    match shipped().iter().find(|(name, _)| *name == ruleset) {
        Some((_, text)) => Ok(text.as_bytes().to_vec()),
        None => Err(unknown(ruleset)),
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    shipped().iter().map(|(name, _)| *name)
}

fn unreadable(path: &Path, error: &std::io::Error) -> anyhow::Error {
    let help = near_file(path).or_else(|| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let near = nearest(stem.unwrap_or_default(), names())?;
        Some(format!("a ruleset that comes along is `{near}`"))
    });
    Advice::error(
        format!("can't read `{}`: {}", path.display(), reason(error)),
        help.unwrap_or_default(),
    )
}

/// A ruleset file in the same directory whose name is nearly this one.
fn near_file(path: &Path) -> Option<String> {
    if path.exists() {
        return None;
    }
    let directory = path.parent().filter(|parent| *parent != Path::new(""));
    let entries = std::fs::read_dir(directory.unwrap_or(Path::new("."))).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut stems: Vec<String> = names
        .filter_map(|name| Some(name.strip_suffix(".toml")?.to_owned()))
        .collect();
    stems.sort();
    let near = nearest(
        path.file_stem()?.to_str()?,
        stems.iter().map(String::as_str),
    )?;
    let near = path.with_file_name(format!("{near}.toml"));
    Some(format!("did you mean `{}`?", near.display()))
}

fn unknown(name: &str) -> anyhow::Error {
    let file = format!("{name}.toml");
    let help = if Path::new(&file).is_file() {
        format!("there is a file of that name: `{file}`")
    } else if let Some(near) = nearest(name, names()) {
        format!("did you mean `{near}`?")
    } else if let Some(near) = near_file(Path::new(&file)) {
        near
    } else {
        let known: Vec<&str> = names().collect();
        let known = known.join(", ");
        format!("those that come along: {known}; a file is given by its path, such as `{file}`")
    };
    Advice::error(format!("there is no ruleset `{name}`"), help)
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

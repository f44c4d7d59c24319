//! Other values of parameters as a change of the ruleset's file: new values, and everything else as it was.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oddsmith_rules::{Check, Config, Domain, Role, Source};
use toml::de::DeTable;

use crate::game::path_of;
use crate::{Error, Game};

/// Lines that a patch shows around what it changes.
const CONTEXT: usize = 3;

/// A change of a ruleset's file that gives its parameters other values; every other byte stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The whole new text of the ruleset.
    pub text: String,
    /// The difference from the old one, as `git apply` and `patch -p1` read it; empty if nothing changes.
    pub diff: String,
}

impl Patch {
    /// The change of a game's file that makes the values of parameters in a configuration of one of its checks their
    /// defaults.
    ///
    /// # Errors
    /// If the text of the ruleset is not TOML, or the check is another game's and has a parameter that this one lacks.
    ///
    /// ```
    /// use oddsmith::Game;
    /// use oddsmith::tuning::Patch;
    /// let game = Game::open("stars-and-signs")?;
    /// let check = &game.model().checks[0];
    /// let mut config = check.defaults();
    /// check.set(&mut config, "boon_cap=3", "set").expect("3 is in its domain");
    /// let patch = Patch::of(&game, check, &config)?;
    /// assert!(patch.diff.contains("+boon_cap     = { default = 3,"));
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn of(game: &Game, check: &Check, config: &Config) -> Result<Self, Error> {
        let source = &game.model().source;
        let text = changed(source, check, config)?;
        let path = path_of(game.name());
        let name = path.map_or(format!("{}.toml", game.name()), name_of);
        Ok(Self {
            diff: diff(&name, &source.text, &text),
            text,
        })
    }
}

/// The text of a ruleset with the defaults of its parameters as they are in `config`.
fn changed(source: &Arc<Source>, check: &Check, config: &Config) -> Result<String, Error> {
    let document = oddsmith_rules::toml(source)?;
    let mut edits = Vec::new();
    for (input, value) in check.inputs.iter().zip(config.values()) {
        if input.role == Role::Parameter && input.default != *value {
            let place = place(&document, &input.name);
            let lost = || Error::advice(format!("can't find `{}` in the file", input.name), "");
            let place = place.ok_or_else(lost)?;
            edits.push((place, written(&input.domain, *value)));
        }
    }
    // From the end on, so that the places before stay what they are.
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut text = source.text.clone();
    for (place, value) in edits {
        text.replace_range(place, &value);
    }
    Ok(text)
}

/// Where the value of a parameter stands, or of an element of a list: `ladder[3]` is in `params.ladder.default`.
fn place(document: &DeTable<'_>, name: &str) -> Option<Range<usize>> {
    let (list, element) = match name.split_once('[') {
        Some((list, element)) => (list, Some(element.trim_end_matches(']'))),
        None => (name, None),
    };
    let params = document.get("params")?.get_ref().as_table()?;
    let value = params.get(list)?.get_ref().as_table()?.get("default")?;
    match element {
        None => Some(value.span()),
        Some(element) => {
            let mut items = value.get_ref().as_array()?.iter();
            Some(items.nth(element.parse().ok()?)?.span())
        }
    }
}

/// A value as TOML.
fn written(domain: &Domain, value: i64) -> String {
    match domain {
        Domain::Range(..) => value.to_string(),
        Domain::Choice(_) => toml::Value::from(domain.show(value)).to_string(),
    }
}

/// What a patch calls a file: as seen from the working directory if it is below that, else its own name, so that nothing
/// else than this file can be meant.
fn name_of(path: &Path) -> String {
    let below = || {
        let here = std::env::current_dir().ok()?.canonicalize().ok()?;
        let path = path.canonicalize().ok()?;
        Some(path.strip_prefix(here).ok()?.to_owned())
    };
    let path = below().or_else(|| path.file_name().map(PathBuf::from));
    path.unwrap_or_default()
        .display()
        .to_string()
        .replace('\\', "/")
}

/// The difference between two texts, as `git apply` and `patch -p1` read it; nothing if there is none.
fn diff(name: &str, old: &str, new: &str) -> String {
    let (old, new) = (lines(old), lines(new));
    let changes = if old.len() == new.len() {
        runs(&old, &new)
    } else {
        one_run(&old, &new)
    };
    if changes.is_empty() {
        return String::new();
    }
    let mut text = format!("--- a/{name}\n+++ b/{name}\n");
    let mut changes = changes.into_iter().peekable();
    while let Some(first) = changes.next() {
        let mut hunk = vec![first];
        // Changes so near to one another that what stands between is shown whole are told together.
        while let Some(next) =
            changes.next_if(|next| next.0.start <= hunk[hunk.len() - 1].0.end + 2 * CONTEXT)
        {
            hunk.push(next);
        }
        push_hunk((&old, &new), &hunk, &mut text);
    }
    text
}

/// A stretch of lines of the old text, and what takes its place in the new one.
type Change = (std::ops::Range<usize>, std::ops::Range<usize>);

/// Lines with their ends.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The stretches of lines that differ, where every line has one line in its place.
fn runs(old: &[&str], new: &[&str]) -> Vec<Change> {
    let mut runs: Vec<Change> = Vec::new();
    for at in (0..old.len()).filter(|&at| old[at] != new[at]) {
        match runs.last_mut() {
            Some((one, other)) if one.end == at => (one.end, other.end) = (at + 1, at + 1),
            _ => runs.push((at..at + 1, at..at + 1)),
        }
    }
    runs
}

/// Everything between the lines that both begin and end with.
fn one_run(old: &[&str], new: &[&str]) -> Vec<Change> {
    let alike = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(old, new)| old == new).count()
    };
    let start = alike(&mut old.iter().zip(new));
    let most = old.len().min(new.len()) - start;
    let end = alike(&mut old.iter().rev().zip(new.iter().rev()).take(most));
    vec![(start..old.len() - end, start..new.len() - end)]
}

fn push_hunk((old, new): (&[&str], &[&str]), hunk: &[Change], text: &mut String) {
    let (first, last) = (&hunk[0], &hunk[hunk.len() - 1]);
    let before = first.0.start.min(CONTEXT);
    let after = (old.len() - last.0.end).min(CONTEXT);
    let head = |start: usize, end: usize| {
        let count = end + after - (start - before);
        format!("{},{count}", start - before + 1)
    };
    *text += &format!(
        "@@ -{} +{} @@\n",
        head(first.0.start, last.0.end),
        head(first.1.start, last.1.end)
    );
    let mut at = first.0.start - before;
    for (one, other) in hunk {
        push_lines(' ', &old[at..one.start], text);
        push_lines('-', &old[one.clone()], text);
        push_lines('+', &new[other.clone()], text);
        at = one.end;
    }
    push_lines(' ', &old[at..at + after], text);
}

fn push_lines(mark: char, lines: &[&str], text: &mut String) {
    for line in lines {
        text.push(mark);
        *text += line;
        if !line.ends_with('\n') {
            *text += "\n\\ No newline at end of file\n";
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{changed, diff};

    const GAME: &str = "\
# A game.
name = \"Game\"

[params]
cap = { default = 2, domain = \"0..=5\" } # how many
ladder = { default = [
  0, # none
  4,  6,
], domain = \"0..=12\" }
[params.mode]
domain  = [\"plain\", 'odd']
default = 'odd'   # what the text says
[checks.check]
rules = '''
show total = (1 + cap)d(ladder[1]) + ladder[2] + (if mode == odd then 1 else 0)
'''";

    fn with(sets: &[&str]) -> String {
        let model = oddsmith_rules::load("game.toml", GAME.as_bytes()).expect("it is right");
        let check = model.check("check").expect("it is there");
        let mut config = check.defaults();
        for set in sets {
            check.set(&mut config, set, "--set").expect("it is right");
        }
        changed(&model.source, check, &config).expect("it is TOML")
    }

    #[test]
    fn only_values_change() {
        assert_eq!(with(&[]), GAME);
        let new = with(&["cap=4", "ladder[2]=8", "mode=plain"]);
        let expected = GAME
            .replace("default = 2,", "default = 4,")
            .replace("4,  6,", "4,  8,")
            .replace("'odd'   #", "\"plain\"   #");
        assert_eq!(new, expected);
        assert!(!GAME.ends_with('\n') && !new.ends_with('\n'));
    }

    #[test]
    fn differences_are_patches() {
        assert_eq!(diff("a", "x\ny\n", "x\ny\n"), "");
        assert_eq!(
            diff(
                "a",
                "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
                "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"
            ),
            "--- a/a\n+++ b/a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        );
        assert_eq!(
            diff("a", "1\n2", "1\n3"),
            "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+3\n\\ No newline at end of file\n"
        );
        assert_eq!(
            diff("a", "1\n2\n3\n", "1\n3\n"),
            "--- a/a\n+++ b/a\n@@ -1,3 +1,2 @@\n 1\n-2\n 3\n"
        );
    }
}

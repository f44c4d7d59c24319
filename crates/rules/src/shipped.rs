//! The rulesets that come with Oddsmith, as text in the binary: those whose odds are accepted, and the shelf of known
//! games.

/// Name and text of every file of `rulesets/`: the one to begin with, then the others by name.
///
/// ```
/// for (name, text) in oddsmith_rules::shipped() {
///     assert!(oddsmith_rules::load(name, text.as_bytes()).is_ok());
/// }
/// ```
#[must_use]
pub fn shipped() -> &'static [(&'static str, &'static str)] {
    SHIPPED
}

/// A ruleset of the shelf: it models a game that many people know.
#[derive(Clone, Copy, Debug)]
pub struct KnownGame {
    /// The games that it stands among, such as `d20`: the folder of its file.
    pub family: &'static str,
    /// The name that it is asked by.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// Every ruleset of `rulesets/shelf/`, by family and then by name.
///
/// ```
/// let pbta = oddsmith_rules::shelf().iter().find(|game| game.name == "pbta").unwrap();
/// let model = oddsmith_rules::load(pbta.name, pbta.text.as_bytes()).unwrap();
/// assert_eq!(model.name, "Powered by the Apocalypse");
/// ```
#[must_use]
pub fn shelf() -> &'static [KnownGame] {
    SHELF
}

/// Name and text of every ruleset that comes along: those of [`shipped()`], then those of [`shelf()`].
pub fn all_games() -> impl Iterator<Item = (&'static str, &'static str)> {
    let shelf = SHELF.iter().map(|game| (game.name, game.text));
    SHIPPED.iter().copied().chain(shelf)
}

macro_rules! rulesets {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!(env!("ODDSMITH_RULESETS"), "/", $name, ".toml")))),*]
    };
}

const SHIPPED: &[(&str, &str)] = rulesets![
    "stars-and-signs",
    "action-checks",
    "action-primer",
    "buried-secrets",
];

const SHELF: &[KnownGame] = include!(concat!(env!("OUT_DIR"), "/shelf.rs"));

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::{all_games, shelf, shipped};

    #[test]
    fn lists_every_file_of_the_directory() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulesets");
        let mut files: Vec<String> = std::fs::read_dir(directory)
            .expect("the repository has rulesets")
            .map(|entry| entry.expect("a readable entry").path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "toml")
            })
            .map(|path| {
                path.file_stem()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        files.sort_by_key(|name| (name != "stars-and-signs", name.clone()));
        let names: Vec<&str> = shipped().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, files);
    }

    #[test]
    fn each_is_right() {
        for (name, text) in all_games() {
            let model = crate::load(name, text.as_bytes());
            let model = model.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
            crate::validate(&model).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        }
    }

    #[test]
    fn names_are_told_apart() {
        let names: Vec<&str> = all_games().map(|(name, _)| name).collect();
        let set: HashSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), set.len());
    }

    #[test]
    fn each_game_of_the_shelf_has_pictures_and_says_what_it_is() {
        for game in shelf() {
            let model = crate::load(game.name, game.text.as_bytes()).expect("it is right");
            assert!(!model.charts.is_empty(), "{} has no chart", game.name);
            assert!(!model.expectations.is_empty(), "{}", game.name);
            let mut sources = model.expectations.iter().map(|expected| &expected.source);
            assert!(sources.any(|source| !source.is_empty()), "{}", game.name);
            assert!(!model.help.is_empty(), "{}", game.name);
            assert!(model.warnings.0.is_empty(), "{}", game.name);
            let checks = model.checks.iter().chain(&model.tracks);
            for check in checks {
                assert!(!check.help.is_empty(), "{}:{}", game.name, check.name);
                for input in check.inputs.iter() {
                    assert!(!input.help.is_empty(), "{}: {}", game.name, input.name);
                    assert!(!input.label.is_empty(), "{}: {}", game.name, input.name);
                }
            }
        }
    }
}

//! Targets: `RULESET[:CHECK]` or `RULESET[:TRACK]`, as they are typed.

use anyhow::Result;
use oddsmith::Game;
pub(crate) use oddsmith::game::{TargetName, Wanted, path_of, source};
use oddsmith_rules::{Check, Model};

use crate::advice::Advice;
use crate::failure;
use crate::output::Destination;

/// A game, and which of its checks or tracks is asked.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) game: Game,
    /// A copy, so that it may be given other goals than the ruleset's.
    pub(crate) check: Check,
}

impl Target {
    /// Reads the ruleset, tells its warnings, and finds the check or track.
    pub(crate) fn resolve(text: &str, wanted: Wanted) -> Result<Self> {
        let name = TargetName::parse(text);
        let game = open(name.ruleset)?;
        let check = game.find(name.check, wanted)?.clone();
        Ok(Self { game, check })
    }

    /// The ruleset as typed, without the check.
    pub(crate) fn ruleset(&self) -> &str {
        self.game.name()
    }

    /// The ruleset's checks and tracks.
    pub(crate) fn model(&self) -> &Model {
        self.game.model()
    }

    /// Nothing that is made from the rules takes their place.
    pub(crate) fn protect_from(&self, destination: &Destination) -> Result<()> {
        protect(self.ruleset(), destination)
    }

    /// The game and the check, as a title.
    pub(crate) fn title(&self) -> String {
        self.game.title_of(&self.check)
    }
}

/// Nothing that is made from a ruleset takes its place.
pub(crate) fn protect(ruleset: &str, destination: &Destination) -> Result<()> {
    match path_of(ruleset) {
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

/// Reads a ruleset and tells its warnings.
pub(crate) fn open(ruleset: &str) -> Result<Game> {
    let game = Game::open(ruleset)?;
    failure::warn(&game.model().warnings);
    Ok(game)
}

/// The model of a shipped ruleset, or of a file.
pub(crate) fn load(ruleset: &str) -> Result<Model> {
    Ok(Game::open(ruleset)?.into_model())
}

//! Games that are reported, and the names of their files.

use std::collections::BTreeSet;

use oddsmith_rules::Check;

use crate::Game;

/// A game that is reported, or some of its checks and tracks.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The game.
    pub game: Game,
    /// The name of its files.
    pub id: String,
    /// The only checks or tracks that are asked for; none is all of them.
    pub(super) only: BTreeSet<String>,
}

impl Reported {
    /// The checks and tracks that are reported, in the order of the file.
    pub fn checks(&self) -> impl Iterator<Item = &Check> {
        let model = self.game.model();
        let all = model.checks.iter().chain(&model.tracks);
        all.filter(|check| self.only.is_empty() || self.only.contains(&check.name))
    }

    pub(super) fn title(&self) -> &str {
        match self.game.model().name.as_str() {
            "" => &self.id,
            name => name,
        }
    }
}

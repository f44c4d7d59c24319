//! Accepted odds where a report goes, which it leaves as they are.

use std::path::Path;

use super::reported::Reported;
use crate::baseline::{self, Kept, ManifestTable};
use crate::{Error, shell_words};

/// The odds that were accepted in the directory of a report, of each of its games.
#[derive(Debug)]
pub struct AcceptedOdds(Vec<Kept>);

impl AcceptedOdds {
    pub(super) fn read(games: &[Reported], directory: &Path) -> Result<Self, Error> {
        let kept = games.iter().map(|reported| {
            let game = baseline::game(&reported.id, reported.game.model());
            let accept = accepting(reported, directory);
            Kept::read(directory.join(&reported.id), game, &accept)
        });
        kept.collect::<Result<_, _>>().map(Self)
    }

    /// Refuses tables of the games, in their order, that would take the place of accepted ones and are others.
    pub(super) fn refuse_others(&self, tables: &[Vec<ManifestTable>]) -> Result<(), Error> {
        let mut games = self.0.iter().zip(tables);
        games.try_for_each(|(kept, tables)| kept.refuse_others(tables))
    }
}

/// The command that accepts the odds of a game in a directory, as far as the game is a file.
fn accepting(reported: &Reported, directory: &Path) -> String {
    let path = Path::new(reported.game.name());
    if !path.is_file() {
        return "oddsmith check --update".to_owned();
    }
    let (path, directory) = (shell_words::path(path), shell_words::path(directory));
    format!("oddsmith check {path} --baseline {directory} --update")
}

//! The tables of a report.

use std::path::Path;

use oddsmith_exact::Gaps;

use super::{Report, Reported};
use crate::baseline::{self, Kept, Listed};
use crate::file_set::FileSet;
use crate::{Error, Limits, shell_words};

/// The odds that were accepted in the directory of a report.
#[derive(Debug)]
pub struct AcceptedOdds(Vec<Kept>);

impl Report {
    /// What was accepted in a directory that the report is to be written to.
    ///
    /// # Errors
    /// If a manifest there is not as it was written, or that of another game.
    pub fn accepted(&self, directory: &Path) -> Result<AcceptedOdds, Error> {
        let kept = self.games.iter().map(|reported| {
            let game = baseline::game(&reported.id, reported.game.model());
            let accept = accepting(reported, directory);
            Kept::read(directory.join(&reported.id), game, &accept)
        });
        kept.collect::<Result<_, _>>().map(AcceptedOdds)
    }

    /// Adds the table of every check and track over its default sweep, as CSV with exact weights. Returns of each which of its
    /// configurations break a rule.
    ///
    /// # Errors
    /// If odds are over the limits, or beyond the exact engine; if a file can't be written; if a table would take the place of
    /// accepted odds that are others: a check of a [`Project`](crate::Project) alone accepts odds.
    pub fn add_tables(
        &self,
        files: &mut FileSet<'_>,
        accepted: &AcceptedOdds,
        limits: &Limits,
    ) -> Result<Vec<Gaps>, Error> {
        let listed = self.games.iter().map(|reported| Listed {
            id: &reported.id,
            model: reported.game.model(),
            checks: reported.checks().collect(),
        });
        let listed: Vec<Listed<'_>> = listed.collect();
        let mut gaps = Vec::new();
        let tell = &mut |of_table: &Gaps| gaps.push(of_table.clone());
        let tables = baseline::add_tables(files, &listed, limits, tell)?;
        for (kept, tables) in accepted.0.iter().zip(&tables) {
            kept.refuse_others(tables)?;
        }
        Ok(gaps)
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

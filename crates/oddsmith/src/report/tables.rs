//! The tables of a report.

use oddsmith_exact::Gaps;

use super::{Report, Reported};
use crate::baseline::{self, Listed, Remedy};
use crate::file_set::FileSet;
use crate::game::path_of;
use crate::{Error, Limits, shell_words};

impl Report {
    /// Adds the table of every check and track over its default sweep, as CSV with exact weights. Returns of each which of its
    /// configurations break a rule.
    ///
    /// # Errors
    /// If odds are over the limits, or beyond the exact engine; if a file can't be written; if the directory of the files has
    /// accepted odds of a game, and they are others: [`check`](crate::ProjectRequest) alone accepts odds.
    pub fn add_tables(&self, files: &mut FileSet<'_>, limits: &Limits) -> Result<Vec<Gaps>, Error> {
        let listed = self.games.iter().map(|reported| Listed {
            id: &reported.id,
            model: reported.game.model(),
            checks: reported.checks().collect(),
        });
        let listed: Vec<Listed<'_>> = listed.collect();
        let mut gaps = Vec::new();
        let tell = &mut |of_table: &Gaps| gaps.push(of_table.clone());
        let tables = baseline::add_tables(files, &listed, limits, tell)?;
        for (reported, tables) in self.games.iter().zip(&tables) {
            let directory = files.directory().join(&reported.id);
            let remedy = Remedy::new(&directory, &accepting(reported, files));
            baseline::refuse_moved(&directory, tables, &remedy)?;
        }
        Ok(gaps)
    }
}

/// The command that accepts the odds of a game in the directory of the report.
fn accepting(reported: &Reported, files: &FileSet<'_>) -> String {
    let directory = shell_words::path(files.directory());
    match path_of(reported.game.name()) {
        Some(path) => {
            let path = shell_words::path(path);
            format!("oddsmith check {path} --baseline {directory} --update")
        }
        None => format!("oddsmith check --baseline {directory} --update"),
    }
}

//! The tables of a report.

use std::path::Path;

use oddsmith_exact::Gaps;

use super::Report;
use super::accepted::AcceptedOdds;
use crate::baseline::{self, Listed};
use crate::file_set::FileSet;
use crate::{Error, Limits};

impl Report {
    /// What was accepted in a directory that the report is to be written to.
    ///
    /// # Errors
    /// If a manifest there is not as it was written, or that of another game.
    pub fn accepted(&self, directory: &Path) -> Result<AcceptedOdds, Error> {
        AcceptedOdds::read(&self.games, directory)
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
        accepted.refuse_others(&tables)?;
        Ok(gaps)
    }
}

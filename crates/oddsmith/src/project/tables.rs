//! How the table of a check stands to the one that was accepted.

use std::sync::Arc;

use oddsmith_analysis::drift::Drift;
use oddsmith_rules::Input;

use super::cause::{Cause, Place};
use crate::questions::with_titles;
use crate::told;

/// The table of a check or a track.
#[derive(Clone, Debug)]
pub struct TableDrift {
    /// The check or track.
    pub check: String,
    /// The place of the check.
    pub place: Place,
    /// How it stands to the accepted one.
    pub state: State,
}

/// How a table stands to the one that was accepted.
#[derive(Clone, Debug)]
pub enum State {
    /// It was not there.
    New,
    /// Its check is no longer there.
    Gone,
    /// Both are there.
    Compared(Box<ComparedTable>),
}

/// Both tables, side by side.
#[derive(Clone, Debug)]
pub struct ComparedTable {
    /// The axes and parameters of the check, for their labels.
    pub(crate) inputs: Arc<[Input]>,
    /// Names that columns are about, each with what people read in its place.
    pub(crate) titles: Vec<(String, String)>,
    /// How they differ.
    pub drift: Drift,
    /// The parameters that moved it.
    pub parameters: Vec<Cause>,
    /// What changed about this table, and what else moved it.
    pub causes: Vec<Cause>,
    /// Whether other things are asked than before.
    pub has_other_columns: bool,
    /// Whether names are all that is not as accepted.
    pub is_renamed: bool,
    /// Whether the file would be the same again.
    pub is_identical: bool,
}

impl TableDrift {
    /// Whether it is not as accepted: new, gone, with other columns, or beyond a tolerance.
    pub fn is_moved(&self) -> bool {
        self.compared()
            .is_none_or(|compared| compared.has_other_columns || compared.drift.is_any())
    }

    /// Whether there is something to say even if it did not move.
    pub fn has_news(&self) -> bool {
        let compared = self.compared();
        compared.is_some_and(|compared| {
            compared.drift.within_tolerance() > 0 || !compared.causes.is_empty()
        })
    }

    /// Both tables, if both are there.
    pub fn compared(&self) -> Option<&ComparedTable> {
        match &self.state {
            State::Compared(compared) => Some(compared),
            State::New | State::Gone => None,
        }
    }

    /// What moved it, or changed about it.
    pub fn all_causes(&self) -> impl Iterator<Item = &Cause> {
        let compared = self.compared().into_iter();
        compared.flat_map(|compared| compared.parameters.iter().chain(&compared.causes))
    }
}

impl ComparedTable {
    /// What people read in place of a configuration: labels where the check has some.
    #[must_use]
    pub fn told(&self, configuration: &str) -> String {
        let contest = "a contest with ";
        match configuration.strip_prefix(contest) {
            Some(sides) => format!("{contest}{}", told::settings(&self.inputs, sides)),
            None => told::settings(&self.inputs, configuration),
        }
    }

    /// What people read in place of the name of a column: labels, and a track's rounds as it calls them.
    #[must_use]
    pub fn told_column(&self, column: &str) -> String {
        with_titles(column, &self.titles)
    }
}

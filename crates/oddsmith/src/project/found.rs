//! What was found in a ruleset that was compared with its accepted odds.

use super::cause::Cause;
use super::expectations::{Intent, IntentVerdict};
use super::gaps::Gap;
use super::tables::{ComparedTable, TableDrift};
use super::words::within;

/// What is said of a change that has no effect.
const NOTHING: &str = ", which moves nothing";

/// A ruleset that was compared with its accepted odds.
#[derive(Clone, Debug)]
pub struct Found {
    /// The parameters that have another value, whatever they moved.
    pub causes: Vec<Cause>,
    /// Parameters that are new, and those that are gone.
    pub other_parameters: Vec<Cause>,
    /// Whether the text of the ruleset is another one.
    pub has_other_rules: bool,
    /// The tables of its checks and tracks, then those whose check is gone.
    pub tables: Vec<TableDrift>,
    /// What the ruleset says of its own odds.
    pub intents: Vec<Intent>,
    /// What the compared configurations do not look at, if the rules changed and no odds moved.
    pub gaps: Vec<Gap>,
    /// Whether there were no accepted odds before.
    pub is_first: bool,
    /// Whether there are some now.
    pub is_accepted: bool,
    /// The number of configurations that were just accepted, if that was done.
    pub accepted: Option<u64>,
}

impl Found {
    /// Whether any odds are not as accepted; none are where none were accepted.
    pub fn is_moved(&self) -> bool {
        self.is_accepted && self.moved().next().is_some()
    }

    /// The number of expectations that do not hold.
    pub fn failures(&self) -> u64 {
        let is_broken = |intent: &&Intent| intent.verdict.is_broken();
        self.intents.iter().filter(is_broken).count() as u64
    }

    /// Whether anything is not as accepted but for names.
    pub fn has_drift(&self) -> bool {
        let is_renamed = |table: &TableDrift| table.compared().is_some_and(|c| c.is_renamed);
        self.moved().any(|table| !is_renamed(table))
    }

    /// Whether any answer differs at all, or another table is there.
    pub fn is_different(&self) -> bool {
        let is_different = |table: &TableDrift| {
            let compared = table.compared();
            compared
                .is_none_or(|compared| compared.has_other_columns || compared.drift.is_different())
        };
        self.tables.iter().any(is_different)
    }

    /// The causes that are told of a table below those of all tables: of the parameters those that moved it, if others
    /// did not.
    pub fn told_of<'c>(
        &self,
        compared: &'c ComparedTable,
    ) -> impl Iterator<Item = &'c Cause> + use<'c> {
        let parameters: &[Cause] = match compared.parameters.len() < self.causes.len() {
            true => &compared.parameters,
            false => &[],
        };
        parameters.iter().chain(&compared.causes)
    }

    /// Whether nothing is told of any table, nor of what changed for all of them.
    pub fn says_nothing(&self) -> bool {
        let is_quiet = |table: &TableDrift| !table.is_moved() && !table.has_news();
        self.common_causes().is_empty() && self.tables.iter().all(is_quiet)
    }

    /// What changed for all tables alike, each with what it did.
    pub fn common_causes(&self) -> Vec<Cause> {
        let effect = self.effect();
        let told = |cause: &Cause, effect: &str| Cause {
            text: format!("{}{effect}", cause.text),
            place: cause.place,
        };
        let others = if self.is_different() { "" } else { NOTHING };
        let changed = self.causes.iter().map(|cause| told(cause, &effect));
        let other = self.other_parameters.iter();
        changed
            .chain(other.map(|cause| told(cause, others)))
            .collect()
    }

    /// What the parameters did that have other values, unless they moved odds beyond a tolerance.
    fn effect(&self) -> String {
        let compared = self.tables.iter().filter_map(TableDrift::compared);
        let moved: Vec<&ComparedTable> = compared
            .filter(|compared| !compared.parameters.is_empty())
            .collect();
        if moved.is_empty() {
            NOTHING.to_owned()
        } else if moved.iter().any(|compared| compared.drift.is_any()) {
            String::new()
        } else {
            let most = within(moved.iter().map(|compared| &compared.drift));
            format!(", which moves at most {most}, within the tolerance")
        }
    }

    /// The expectations that do not hold, or of which that can't be told.
    pub fn broken(&self) -> impl Iterator<Item = &Intent> {
        let intents = self.intents.iter();
        intents.filter(|intent| intent.verdict != IntentVerdict::Holds)
    }

    /// The tables that are not as accepted.
    pub fn moved(&self) -> impl Iterator<Item = &TableDrift> {
        self.tables.iter().filter(|table| table.is_moved())
    }

    /// The number of configurations that were compared; that are accepted now, if that has just been done.
    pub fn configurations(&self) -> u64 {
        if let Some(accepted) = self.accepted {
            return accepted;
        }
        let compared = self.tables.iter().filter_map(TableDrift::compared);
        compared
            .map(|compared| compared.drift.configurations())
            .sum()
    }
}

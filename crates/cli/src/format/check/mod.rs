//! What `check` found, for people ([`text`], [`markdown`]) and for CI ([`github`], [`junit`]).

mod compared;
pub(crate) mod github;
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod text;

use oddsmith::project::{Found, State, TableDrift};

use crate::format::words::{configurations, plural};

/// What became of a table, in a few words.
fn summary(table: &TableDrift) -> String {
    match &table.state {
        State::New => "is new".to_owned(),
        State::Gone => "is gone".to_owned(),
        State::Compared(both) => compared::summary(both),
    }
}

/// The largest difference of a table in one line, if there is one.
fn largest(table: &TableDrift) -> Option<String> {
    table.compared().and_then(compared::largest)
}

/// How far it can be said that no odds moved.
fn extent(found: &Found) -> String {
    let all = configurations(found.configurations());
    match found.gaps.len() {
        0 => format!("{all}, which move every input and reach every branch"),
        gaps => {
            let parts = plural(gaps as u64, "part");
            format!("{all}; they do not look at {parts} of the rules")
        }
    }
}

/// What is said of a baseline that no ruleset has.
fn orphan(directory: &str) -> String {
    format!("{directory}: no ruleset has these odds any more")
}

/// What to do about it.
const ORPHAN_HELP: &str = "remove the directory, or give it the new name of its ruleset";

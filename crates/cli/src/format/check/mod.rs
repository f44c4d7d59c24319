//! What `check` found, for people ([`text`], [`markdown`]), for CI ([`github`], [`junit`]) and for programs ([`json`]).

mod compared;
pub(crate) mod github;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod text;

use oddsmith_analysis::drift::Drift;
use oddsmith_analysis::expect::Value;
use oddsmith_rules::{Source, Span};

use crate::format::words::{configurations, plural};

pub(crate) use compared::value;
use compared::within;

/// What is said of a change that has no effect.
const NOTHING: &str = ", which moves nothing";

/// All rulesets.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) games: Vec<Game>,
    /// Directories of baselines that no ruleset has.
    pub(crate) orphans: Vec<String>,
    /// The command that accepts what moved.
    pub(crate) accept: String,
    /// Whether what moved is accepted.
    pub(crate) is_update: bool,
}

/// A ruleset.
#[derive(Debug)]
pub(crate) struct Game {
    /// What its baseline is called.
    pub(crate) id: String,
    /// The file, as seen from the root of the repository.
    pub(crate) file: String,
    /// What was found, or why nothing was.
    pub(crate) found: Result<Found, Trouble>,
}

/// Why a ruleset could not be checked.
#[derive(Debug)]
pub(crate) struct Trouble {
    /// Each reason in one line, with its place if it is one of the ruleset.
    pub(crate) reasons: Vec<(String, Option<Place>)>,
    pub(crate) error: anyhow::Error,
}

/// A ruleset that was compared with its baseline.
#[derive(Debug)]
pub(crate) struct Found {
    /// The parameters that have another value, whatever they moved.
    pub(crate) causes: Vec<Cause>,
    /// Parameters that are new, and those that are gone.
    pub(crate) other_parameters: Vec<Cause>,
    /// Whether the text of the ruleset is another one.
    pub(crate) has_other_rules: bool,
    pub(crate) tables: Vec<Table>,
    /// What the ruleset says of its own odds.
    pub(crate) intents: Vec<Intent>,
    /// If the rules changed and no odds moved: what the compared configurations do not look at.
    pub(crate) gaps: Vec<Gap>,
    /// Whether there was no baseline before.
    pub(crate) is_first: bool,
    /// Whether there is one now.
    pub(crate) is_accepted: bool,
    /// If a baseline was just written: how many configurations it has.
    pub(crate) accepted: Option<u64>,
}

/// An input or a way of the script that no accepted configuration looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// What it is, and why.
    pub(crate) text: String,
    pub(crate) place: Place,
}

/// The table of a check or a track.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) check: String,
    pub(crate) place: Place,
    pub(crate) state: State,
}

/// An expectation of the ruleset, and what became of it.
#[derive(Debug)]
pub(crate) struct Intent {
    /// As its ruleset says it.
    pub(crate) intent: String,
    pub(crate) check: String,
    pub(crate) place: Place,
    pub(crate) verdict: IntentVerdict,
}

/// Whether an expectation holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IntentVerdict {
    Holds,
    /// How often it does not, and where it is farthest off.
    Broken {
        failures: u64,
        /// In how many configurations was looked.
        configurations: u64,
        worst: Vec<Failing>,
    },
    /// Why it can't be told.
    Unknown(String),
}

/// A statement that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failing {
    /// All of it in a line.
    pub(crate) text: String,
    /// Where; empty if nowhere in particular.
    pub(crate) configuration: String,
    pub(crate) query: String,
    /// What it is; of a change both ends. Empty if there is no number.
    pub(crate) values: Vec<Value>,
}

/// How a table stands to the one that was accepted.
#[derive(Debug)]
pub(crate) enum State {
    /// It was not there.
    New,
    /// Its check is no longer there.
    Gone,
    /// Both are there.
    Compared(Box<Compared>),
}

/// Both tables, side by side.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) drift: Drift,
    /// The parameters that moved it.
    pub(crate) parameters: Vec<Cause>,
    /// What changed about this table, and what else moved it.
    pub(crate) causes: Vec<Cause>,
    /// Whether other things are asked than before.
    pub(crate) has_other_columns: bool,
    /// Whether names are all that is not as accepted.
    pub(crate) is_renamed: bool,
    /// Whether the file would be the same again.
    pub(crate) is_identical: bool,
}

/// Why odds moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) text: String,
    pub(crate) place: Place,
}

/// A place in a ruleset; lines and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    pub(crate) fn of(source: &Source, span: Span) -> Self {
        let (line, column) = source.line_column(span.start);
        Self { line, column }
    }
}

impl Report {
    /// Whether any odds are not as accepted, and still are not.
    pub(crate) fn is_moved(&self) -> bool {
        self.has_moved_games() && !self.is_update || !self.orphans.is_empty()
    }

    /// Whether any odds of a ruleset are not as accepted.
    pub(crate) fn has_moved_games(&self) -> bool {
        self.found().any(|(_, found)| found.is_moved())
    }

    /// Whether a ruleset could not be checked.
    pub(crate) fn has_failed(&self) -> bool {
        self.games.iter().any(|game| game.found.is_err())
    }

    /// Whether a ruleset has no baseline.
    pub(crate) fn has_unaccepted(&self) -> bool {
        self.found().any(|(_, found)| !found.is_accepted)
    }

    /// Whether an expectation does not hold.
    pub(crate) fn is_broken(&self) -> bool {
        self.intents()
            .any(|(_, intent)| matches!(intent.verdict, IntentVerdict::Broken { .. }))
    }

    /// The expectations of which it can't be told whether they hold, each with why.
    pub(crate) fn unknown(&self) -> impl Iterator<Item = (&Game, &Intent, &str)> {
        self.intents()
            .filter_map(|(game, intent)| match &intent.verdict {
                IntentVerdict::Unknown(why) => Some((game, intent, why.as_str())),
                _ => None,
            })
    }

    fn intents(&self) -> impl Iterator<Item = (&Game, &Intent)> {
        let found = self.found();
        found.flat_map(|(game, found)| found.intents.iter().map(move |intent| (game, intent)))
    }

    /// Those that could be checked.
    pub(crate) fn found(&self) -> impl Iterator<Item = (&Game, &Found)> {
        let games = self.games.iter();
        games.filter_map(|game| Some((game, game.found.as_ref().ok()?)))
    }
}

impl Found {
    /// Whether any odds are not as accepted; none are where none were accepted.
    pub(crate) fn is_moved(&self) -> bool {
        self.is_accepted && self.moved().next().is_some()
    }

    /// How far it can be said that no odds moved.
    pub(crate) fn extent(&self) -> String {
        let all = configurations(self.configurations());
        match self.gaps.len() {
            0 => format!("{all}, which move every input and reach every branch"),
            gaps => {
                let parts = plural(gaps as u64, "part");
                format!("{all}; they do not look at {parts} of the rules")
            }
        }
    }

    /// How many expectations do not hold.
    pub(crate) fn failures(&self) -> u64 {
        let is_broken = |intent: &&Intent| matches!(intent.verdict, IntentVerdict::Broken { .. });
        self.intents.iter().filter(is_broken).count() as u64
    }

    /// Whether anything is not as accepted but for names.
    pub(crate) fn has_drift(&self) -> bool {
        let is_renamed = |table: &Table| table.compared().is_some_and(|c| c.is_renamed);
        self.moved().any(|table| !is_renamed(table))
    }

    /// Whether any answer differs at all, or another table is there.
    pub(crate) fn is_different(&self) -> bool {
        let is_different = |table: &Table| {
            let compared = table.compared();
            compared
                .is_none_or(|compared| compared.has_other_columns || compared.drift.is_different())
        };
        self.tables.iter().any(is_different)
    }

    /// What moved a table, or changed about it.
    pub(crate) fn causes_of<'t>(
        &self,
        table: &'t Table,
    ) -> impl Iterator<Item = &'t Cause> + use<'t> {
        let compared = table.compared().into_iter();
        compared.flat_map(|compared| compared.parameters.iter().chain(&compared.causes))
    }

    /// What is told of a table below what is told of all: of the parameters those that moved it, if others did not.
    pub(crate) fn told_of<'c>(
        &self,
        compared: &'c Compared,
    ) -> impl Iterator<Item = &'c Cause> + use<'c> {
        let parameters: &[Cause] = match compared.parameters.len() < self.causes.len() {
            true => &compared.parameters,
            false => &[],
        };
        parameters.iter().chain(&compared.causes)
    }

    /// Whether nothing is told of any table, nor of what changed for all of them.
    pub(crate) fn says_nothing(&self) -> bool {
        let is_quiet = |table: &Table| !table.is_moved() && !table.has_news();
        self.common_causes().is_empty() && self.tables.iter().all(is_quiet)
    }

    /// What changed for all tables alike, each with what it did.
    pub(crate) fn common_causes(&self) -> Vec<Cause> {
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
        let compared = self.tables.iter().filter_map(Table::compared);
        let moved: Vec<&Compared> = compared
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
    pub(crate) fn broken(&self) -> impl Iterator<Item = &Intent> {
        let intents = self.intents.iter();
        intents.filter(|intent| intent.verdict != IntentVerdict::Holds)
    }

    /// The tables that are not as accepted.
    pub(crate) fn moved(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().filter(|table| table.is_moved())
    }

    /// Configurations that were compared; that are accepted now, if that has just been done.
    pub(crate) fn configurations(&self) -> u64 {
        if let Some(accepted) = self.accepted {
            return accepted;
        }
        let compared = self.tables.iter().filter_map(Table::compared);
        compared
            .map(|compared| compared.drift.configurations())
            .sum()
    }
}

impl IntentVerdict {
    /// In one line.
    pub(crate) fn summary(&self) -> String {
        match self {
            Self::Holds => "holds".to_owned(),
            Self::Broken { failures, .. } => {
                format!("does not hold in {}", plural(*failures, "case"))
            }
            Self::Unknown(why) => format!("can't be told: {why}"),
        }
    }

    /// Where it is farthest off.
    pub(crate) fn worst(&self) -> &[Failing] {
        match self {
            Self::Broken { worst, .. } => worst,
            Self::Holds | Self::Unknown(_) => &[],
        }
    }
}

impl Table {
    pub(crate) fn is_moved(&self) -> bool {
        self.compared()
            .is_none_or(|compared| compared.has_other_columns || compared.drift.is_any())
    }

    /// Whether there is something to say even if it did not move.
    pub(crate) fn has_news(&self) -> bool {
        let compared = self.compared();
        compared.is_some_and(|compared| {
            compared.drift.within_tolerance() > 0 || !compared.causes.is_empty()
        })
    }

    pub(crate) fn compared(&self) -> Option<&Compared> {
        match &self.state {
            State::Compared(compared) => Some(compared),
            State::New | State::Gone => None,
        }
    }

    /// What became of it, in a few words.
    pub(crate) fn summary(&self) -> String {
        match &self.state {
            State::New => "is new".to_owned(),
            State::Gone => "is gone".to_owned(),
            State::Compared(compared) => compared.summary(),
        }
    }
}

/// What is said of a baseline that no ruleset has.
fn orphan(directory: &str) -> String {
    format!("{directory}: no ruleset has these odds any more")
}

/// What to do about it.
const ORPHAN_HELP: &str = "remove the directory, or give it the new name of its ruleset";

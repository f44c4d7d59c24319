//! Projects beside their accepted odds, as they are written for programs.

use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::Exact;
use crate::INFINITE;
use crate::project::{
    Cause, ComparedTable, Failing, Found, Intent, IntentVerdict, Measure, Moved, Place,
    ProjectAnswer, RulesetAnswer, State, Summary, TableDrift, Trouble, Value,
};

/// The answer of `oddsmith check`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProjectOdds {
    /// `as accepted`, `moved`, `accepted` if what moved was accepted just now, or `error`.
    pub status: &'static str,
    /// Whether all expectations hold; none if that can't be told.
    pub as_intended: Option<bool>,
    /// The rulesets, in order.
    pub rulesets: Vec<RulesetOdds>,
    /// Directories of accepted odds that no ruleset has.
    pub without_ruleset: Vec<String>,
}

/// A ruleset beside its accepted odds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum RulesetOdds {
    /// What was found.
    Found(RulesetDrift),
    /// Why nothing was.
    Failed(RulesetTrouble),
}

/// A ruleset that could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulesetTrouble {
    /// What its accepted odds are called.
    pub name: String,
    /// The file, as seen from the root of the project.
    pub file: String,
    /// `error`.
    pub status: &'static str,
    /// The reasons.
    pub errors: Vec<TroubleReason>,
}

/// Why a ruleset could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TroubleReason {
    /// The reason in words.
    pub message: String,
    /// The line of the ruleset, from 1; none if the reason is not in it.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
}

/// A ruleset that was compared with its accepted odds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulesetDrift {
    /// What its accepted odds are called.
    pub name: String,
    /// The file, as seen from the root of the project.
    pub file: String,
    /// `as accepted`, `moved`, or `accepted` if what moved was accepted just now.
    pub status: &'static str,
    /// What changed for all tables alike, each with what it did.
    pub causes: Vec<DriftCause>,
    /// Whether the text of the ruleset is another one.
    pub rules_changed: bool,
    /// The tables of checks and tracks.
    pub tables: Vec<TableOdds>,
    /// What the ruleset says of its own odds.
    pub expectations: Vec<ExpectationOdds>,
}

/// Why odds moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DriftCause {
    /// The reason in words.
    pub cause: String,
    /// The line of the ruleset, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// The table of a check or a track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableOdds {
    /// The check or track.
    pub name: String,
    /// `as accepted`, `moved`, `new` or `gone`.
    pub status: &'static str,
    /// The line of the check, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// How it stands to the accepted table, if both are there.
    #[serde(flatten)]
    pub drift: Option<TableComparison>,
}

/// A table beside the one that was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableComparison {
    /// What moved the table, or changed about it.
    pub causes: Vec<DriftCause>,
    /// The number of configurations that were compared.
    pub configurations: u64,
    /// The number of those in which an answer moved beyond its tolerance.
    pub moved_configurations: u64,
    /// The number of those in which answers moved, but none beyond its tolerance.
    pub within_tolerance: u64,
    /// The number of configurations that are new.
    pub new_configurations: u64,
    /// The number of configurations that are gone.
    pub gone_configurations: u64,
    /// The number of answers that moved beyond their tolerance.
    pub moved_answers: u64,
    /// The columns of the table, and of its probes.
    pub columns: Vec<ColumnDrift>,
    /// The answers that moved, the largest difference first.
    pub moved: Vec<MovedAnswer>,
}

/// The drift of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ColumnDrift {
    /// The band, the flag or the query.
    pub name: String,
    /// Whether its answers are probabilities.
    pub is_probability: bool,
    /// The largest difference that is no drift: a fraction.
    pub tolerance: Exact,
    /// The number of configurations in which it moved beyond that.
    pub moved: u64,
    /// The largest difference, a fraction or `inf` or `-inf`; none if none moved or could be measured.
    pub largest: Option<Exact>,
    /// The configuration of the largest difference.
    pub at: Option<String>,
    /// The largest difference within the tolerance, a fraction; none if there is none.
    pub largest_within: Option<Exact>,
}

/// An answer that is no longer what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MovedAnswer {
    /// The configuration.
    pub configuration: String,
    /// The column.
    pub column: String,
    /// The accepted answer, a fraction or `inf` or `-inf`; none if there was none.
    pub before: Option<Exact>,
    /// The answer now; none if there is none.
    pub after: Option<Exact>,
    /// The difference; none if there was no answer or is none now.
    pub difference: Option<Exact>,
}

/// An expectation of a ruleset, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExpectationOdds {
    /// The sentence of the ruleset.
    pub intent: String,
    /// Where what it says can be read, if the ruleset says so.
    pub source: Option<String>,
    /// The check or track that it is about.
    pub check: String,
    /// `holds`, `broken`, or `error` if it can't be told.
    pub status: &'static str,
    /// The verdict in words.
    pub summary: String,
    /// The number of cases in which it does not hold; none if it can't be told.
    pub failures: Option<u64>,
    /// The number of configurations that were looked at, if it does not hold.
    pub configurations: Option<u64>,
    /// The cases in which it is farthest off.
    pub worst: Vec<FailingCase>,
    /// The line of the ruleset, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// A case in which an expectation does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailingCase {
    /// All of it in words.
    pub text: String,
    /// The configuration; empty if it is none in particular.
    pub configuration: String,
    /// The query that was asked.
    pub query: String,
    /// The answers, fractions or `inf` or `-inf`; of a change both ends. Empty if there is no number.
    pub values: Vec<Exact>,
}

impl ProjectOdds {
    /// The answer about a project.
    pub fn of(answer: &ProjectAnswer) -> Self {
        let rulesets = answer.rulesets.iter();
        Self {
            status: match (answer.has_failed(), answer.is_moved()) {
                (true, _) => "error",
                (false, true) => "moved",
                (false, false) if answer.has_moved_rulesets() => "accepted",
                (false, false) => "as accepted",
            },
            as_intended: match (answer.is_broken(), answer.unknown()) {
                (true, _) => Some(false),
                (false, 0) => Some(!answer.has_failed()),
                (false, _) => None,
            },
            rulesets: rulesets.map(|own| ruleset(answer, own)).collect(),
            without_ruleset: answer.orphans.clone(),
        }
    }
}

fn ruleset(answer: &ProjectAnswer, ruleset: &RulesetAnswer) -> RulesetOdds {
    match &ruleset.found {
        Ok(found) => RulesetOdds::Found(RulesetDrift::of(answer, ruleset, found)),
        Err(trouble) => RulesetOdds::Failed(RulesetTrouble::of(ruleset, trouble)),
    }
}

impl RulesetTrouble {
    fn of(ruleset: &RulesetAnswer, trouble: &Trouble) -> Self {
        let reason = |(message, place): &(String, Option<Place>)| TroubleReason {
            message: message.clone(),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
        };
        Self {
            name: ruleset.id.clone(),
            file: ruleset.file.clone(),
            status: "error",
            errors: trouble.reasons.iter().map(reason).collect(),
        }
    }
}

impl RulesetDrift {
    fn of(answer: &ProjectAnswer, ruleset: &RulesetAnswer, found: &Found) -> Self {
        Self {
            name: ruleset.id.clone(),
            file: ruleset.file.clone(),
            status: match (found.is_moved(), answer.is_update) {
                (true, true) => "accepted",
                (true, false) => "moved",
                (false, _) => "as accepted",
            },
            causes: found.common_causes().iter().map(DriftCause::from).collect(),
            rules_changed: found.has_other_rules,
            tables: found.tables.iter().map(TableOdds::from).collect(),
            expectations: found.intents.iter().map(ExpectationOdds::from).collect(),
        }
    }
}

impl From<&Cause> for DriftCause {
    fn from(cause: &Cause) -> Self {
        let Place { line, column } = cause.place;
        Self {
            cause: cause.text.clone(),
            line,
            column,
        }
    }
}

impl From<&TableDrift> for TableOdds {
    fn from(table: &TableDrift) -> Self {
        let Place { line, column } = table.place;
        let causes = || table.all_causes().map(DriftCause::from).collect();
        let compared = table.compared();
        Self {
            name: table.check.clone(),
            status: match &table.state {
                State::New => "new",
                State::Gone => "gone",
                State::Compared(_) if table.is_moved() => "moved",
                State::Compared(_) => "as accepted",
            },
            line,
            column,
            drift: compared.map(|compared| TableComparison::of(compared, causes())),
        }
    }
}

impl TableComparison {
    fn of(compared: &ComparedTable, causes: Vec<DriftCause>) -> Self {
        let drift = &compared.drift;
        let count = |unmatched: Option<(u64, &str)>| unmatched.map_or(0, |(count, _)| count);
        let measures = drift.measures().iter().zip(drift.summaries());
        let moved = drift.moved().iter();
        Self {
            causes,
            configurations: drift.configurations(),
            moved_configurations: drift.moved_configurations(),
            within_tolerance: drift.within_tolerance(),
            new_configurations: count(drift.new_configurations()),
            gone_configurations: count(drift.gone_configurations()),
            moved_answers: drift.moved_answers(),
            columns: measures.map(ColumnDrift::from).collect(),
            moved: moved.map(|own| MovedAnswer::of(compared, own)).collect(),
        }
    }
}

impl From<(&Measure, &Summary)> for ColumnDrift {
    fn from((measure, summary): (&Measure, &Summary)) -> Self {
        let largest = summary.largest.as_ref();
        Self {
            name: measure.name.clone(),
            is_probability: measure.is_probability,
            tolerance: Exact::of(&measure.tolerance),
            moved: summary.configurations,
            largest: largest.map(|largest| Exact::from(&largest.difference)),
            at: largest.map(|largest| largest.configuration.clone()),
            largest_within: summary.within.as_ref().map(Exact::of),
        }
    }
}

impl MovedAnswer {
    fn of(compared: &ComparedTable, moved: &Moved) -> Self {
        Self {
            configuration: moved.configuration.clone(),
            column: compared.drift.measures()[moved.measure].name.clone(),
            before: moved.before.as_ref().map(Exact::from),
            after: moved.after.as_ref().map(Exact::from),
            difference: moved.difference().as_ref().map(Exact::from),
        }
    }
}

impl From<&Intent> for ExpectationOdds {
    fn from(intent: &Intent) -> Self {
        let Place { line, column } = intent.place;
        let (status, failures, configurations) = match intent.verdict {
            IntentVerdict::Holds => ("holds", Some(0), None),
            IntentVerdict::Broken {
                failures,
                configurations,
                ..
            } => ("broken", Some(failures), Some(configurations)),
            IntentVerdict::Unknown(_) => ("error", None, None),
        };
        let worst = intent.verdict.worst().iter();
        Self {
            intent: intent.intent.clone(),
            source: (!intent.source.is_empty()).then(|| intent.source.clone()),
            check: intent.check.clone(),
            status,
            summary: intent.verdict.summary(),
            failures,
            configurations,
            worst: worst.map(FailingCase::from).collect(),
            line,
            column,
        }
    }
}

impl From<&Failing> for FailingCase {
    fn from(failing: &Failing) -> Self {
        Self {
            text: failing.text.clone(),
            configuration: failing.configuration.clone(),
            query: failing.query.clone(),
            values: failing.values.iter().map(Exact::from).collect(),
        }
    }
}

impl From<&Value> for Exact {
    fn from(value: &Value) -> Self {
        match value {
            Value::Finite(ratio) => Self::of(ratio),
            Value::Infinite => Self::of(&INFINITE),
            Value::Falling => Self::of(&format!("-{INFINITE}")),
        }
    }
}

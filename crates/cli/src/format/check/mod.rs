//! What `check` found, for people ([`text`], [`markdown`]), for CI ([`github`], [`junit`]) and for programs ([`json`]).

pub(crate) mod github;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod text;

use oddsmith_analysis::drift::{Drift, Moved};
use oddsmith_analysis::expect::Value;
use oddsmith_exact::RBig;
use oddsmith_rules::{Source, Span};

use crate::format::difference::{magnitude, signed};
use crate::format::outcomes::INFINITE;
use crate::format::words::{self, Form};

/// All rulesets.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) games: Vec<Game>,
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
    /// What changed for all tables alike.
    pub(crate) causes: Vec<Cause>,
    pub(crate) tables: Vec<Table>,
    /// What the ruleset says of its own odds.
    pub(crate) intents: Vec<Intent>,
    /// Whether there was no baseline before.
    pub(crate) is_first: bool,
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
        worst: Vec<String>,
    },
    /// Why it can't be told.
    Unknown(String),
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
    /// Which of its measures are probabilities.
    pub(crate) are_probabilities: Vec<bool>,
    /// What changed about this table.
    pub(crate) causes: Vec<Cause>,
    /// Whether other things are asked than before.
    pub(crate) has_other_columns: bool,
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
    /// Whether any odds are not as accepted.
    pub(crate) fn is_moved(&self) -> bool {
        self.found().any(|(_, found)| found.is_moved())
    }

    /// Whether a ruleset could not be checked, or not all of it.
    pub(crate) fn is_in_trouble(&self) -> bool {
        let is_unknown = |intent: &Intent| matches!(intent.verdict, IntentVerdict::Unknown(_));
        let mut games = self.games.iter();
        games.any(|game| match &game.found {
            Ok(found) => found.intents.iter().any(is_unknown),
            Err(_) => true,
        })
    }

    /// Whether an expectation does not hold.
    pub(crate) fn is_broken(&self) -> bool {
        self.found()
            .any(|(_, found)| found.broken().next().is_some())
    }

    /// Those that could be checked.
    pub(crate) fn found(&self) -> impl Iterator<Item = (&Game, &Found)> {
        let games = self.games.iter();
        games.filter_map(|game| Some((game, game.found.as_ref().ok()?)))
    }
}

impl Found {
    /// Whether any odds are not as accepted.
    pub(crate) fn is_moved(&self) -> bool {
        self.moved().next().is_some()
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

    /// Configurations that were compared.
    pub(crate) fn configurations(&self) -> u64 {
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
    pub(crate) fn worst(&self) -> &[String] {
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

impl Compared {
    /// How much moved, and which configurations are new or gone.
    fn summary(&self) -> String {
        let drift = &self.drift;
        let (moved, all) = (drift.moved_configurations(), drift.configurations());
        let mut parts = Vec::new();
        if moved > 0 {
            parts.push(format!("{} of {} moved", count(moved), configurations(all)));
        } else if !drift.is_any() {
            let what = if self.has_other_columns {
                "has other columns; what it had is"
            } else {
                "is"
            };
            parts.push(format!("{what} as accepted in {}", configurations(all)));
        }
        for (unmatched, word) in [
            (drift.new_configurations(), "new"),
            (drift.gone_configurations(), "gone"),
        ] {
            if let Some((number, first)) = unmatched {
                let first = if number == 1 {
                    first.to_owned()
                } else {
                    format!("the first is {first}")
                };
                let is = if number == 1 { "is" } else { "are" };
                parts.push(format!("{} {is} {word} ({first})", configurations(number)));
            }
        }
        if drift.within_tolerance() > 0 {
            let within = configurations(drift.within_tolerance());
            parts.push(format!("{within} moved within the tolerance"));
        }
        parts.join("; ")
    }

    /// The largest difference, in one line.
    pub(crate) fn largest(&self) -> Option<String> {
        let moved = self.drift.moved().first()?;
        let [before, after, by] = self.cells(moved);
        let measure = &self.drift.measures()[moved.measure].name;
        let place = &moved.configuration;
        let by = if by.is_empty() {
            by
        } else {
            format!(", {by}{}", self.unit(moved.measure))
        };
        Some(format!("{measure} {before} -> {after}{by} at {place}"))
    }

    fn unit(&self, measure: usize) -> &'static str {
        if self.are_probabilities[measure] {
            " points"
        } else {
            ""
        }
    }

    /// Before, after, and the difference.
    pub(crate) fn cells(&self, moved: &Moved) -> [String; 3] {
        let is_probability = self.are_probabilities[moved.measure];
        let difference = moved.difference();
        [
            answer(moved.before.as_ref(), is_probability),
            answer(moved.after.as_ref(), is_probability),
            difference.map_or(String::new(), |by| signed(&by, is_probability, Form::USUAL)),
        ]
    }

    /// For each measure that moved: its name, in how many configurations, the largest difference, and their mean.
    pub(crate) fn summaries(&self) -> Vec<[String; 4]> {
        let measures = self.drift.measures().iter().zip(self.drift.summaries());
        let measures = measures.zip(&self.are_probabilities);
        let moved = measures.filter(|((_, summary), _)| summary.configurations > 0);
        moved
            .map(|((measure, summary), &is_probability)| {
                let largest = summary.largest.as_ref();
                let mean = summary.mean();
                [
                    measure.name.clone(),
                    count(summary.configurations),
                    largest.map_or(String::new(), |by| signed(by, is_probability, Form::USUAL)),
                    mean.map_or(String::new(), |by| {
                        magnitude(&by, is_probability, Form::USUAL)
                    }),
                ]
            })
            .collect()
    }
}

/// `36.00%`, `7.5`, `inf`, or `-` where there is no answer.
fn answer(answer: Option<&Value>, is_probability: bool) -> String {
    answer.map_or("-".to_owned(), |answer| value(answer, is_probability))
}

/// `36.00%`, `7.5`, `inf`.
pub(crate) fn value(value: &Value, is_probability: bool) -> String {
    match value {
        Value::Finite(ratio) if is_probability && *ratio >= RBig::ZERO => {
            Form::USUAL.show_ratio(ratio)
        }
        Value::Finite(ratio) => words::value(ratio),
        Value::Infinite => INFINITE.to_owned(),
        Value::Falling => format!("-{INFINITE}"),
    }
}

/// `12,345`
fn count(number: u64) -> String {
    words::grouped(&number.to_string())
}

/// `1 configuration`, `12,345 configurations`
fn configurations(number: u64) -> String {
    plural(number, "configuration")
}

fn plural(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {noun}{s}", count(number))
}

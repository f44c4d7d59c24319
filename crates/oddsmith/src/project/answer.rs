//! Whether the odds of a project are the accepted ones.

use oddsmith_exact::Error as ExactError;
use oddsmith_rules::Diagnostic;

use super::cause::Place;
use super::expectations::{Intent, IntentVerdict};
use super::found::Found;
use crate::Error;

/// The rulesets of a project, each against its accepted odds.
#[derive(Debug)]
pub struct ProjectAnswer {
    /// The rulesets, in order.
    pub rulesets: Vec<RulesetAnswer>,
    /// Directories of accepted odds that no ruleset has.
    pub orphans: Vec<String>,
    /// The command that accepts what moved.
    pub command: String,
    /// Whether what moved was accepted.
    pub is_update: bool,
}

/// A ruleset of a project.
#[derive(Debug)]
pub struct RulesetAnswer {
    /// What its accepted odds are called.
    pub id: String,
    /// The file, as seen from the root of the project.
    pub file: String,
    /// What was found, or why nothing was.
    pub found: Result<Found, Trouble>,
}

/// Why a ruleset could not be checked.
#[derive(Debug)]
pub struct Trouble {
    /// Each reason in one line, with its place if it is one of the ruleset.
    pub reasons: Vec<(String, Option<Place>)>,
    /// All of it.
    pub error: Error,
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        let of = |diagnostic: &Diagnostic| {
            let place = Place::of(&diagnostic.source, diagnostic.span);
            (diagnostic.message.clone(), Some(place))
        };
        let reasons = match &error {
            Error::Ruleset { errors, .. } => errors.0.iter().map(of).collect(),
            Error::Exact(ExactError::Rule(rule) | ExactError::Unsupported(rule))
            | Error::ExactOf {
                error: ExactError::Rule(rule) | ExactError::Unsupported(rule),
                ..
            } => vec![of(rule)],
            // Of the manifest: its places are none of the ruleset.
            Error::Request(errors) => { errors.0.iter() }
                .map(|error| (error.to_string(), None))
                .collect(),
            other => vec![(other.to_string(), None)],
        };
        Self { reasons, error }
    }
}

impl ProjectAnswer {
    /// Whether any odds are not as accepted, and still are not.
    pub fn is_moved(&self) -> bool {
        self.has_moved_rulesets() && !self.is_update || !self.orphans.is_empty()
    }

    /// Whether any odds of a ruleset are not as accepted, or were not before they were.
    pub fn has_moved_rulesets(&self) -> bool {
        self.found().any(|(_, found)| found.is_moved())
    }

    /// Whether a ruleset could not be checked.
    pub fn has_failed(&self) -> bool {
        self.rulesets.iter().any(|ruleset| ruleset.found.is_err())
    }

    /// Whether a ruleset has no accepted odds.
    pub fn has_unaccepted(&self) -> bool {
        self.found().any(|(_, found)| !found.is_accepted)
    }

    /// Whether an expectation does not hold.
    pub fn is_broken(&self) -> bool {
        self.intents().any(|intent| intent.verdict.is_broken())
    }

    /// The number of expectations of which it can't be told whether they hold.
    pub fn unknown(&self) -> usize {
        let is_unknown = |intent: &&Intent| matches!(intent.verdict, IntentVerdict::Unknown(_));
        self.intents().filter(is_unknown).count()
    }

    fn intents(&self) -> impl Iterator<Item = &Intent> {
        self.found().flat_map(|(_, found)| &found.intents)
    }

    /// The rulesets that could be checked.
    pub fn found(&self) -> impl Iterator<Item = (&RulesetAnswer, &Found)> {
        let rulesets = self.rulesets.iter();
        rulesets.filter_map(|ruleset| Some((ruleset, ruleset.found.as_ref().ok()?)))
    }
}

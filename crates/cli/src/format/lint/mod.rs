//! What is odd about a ruleset's odds, as text: for reading, for GitHub, for comments and for programs.

pub(crate) mod github;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod text;
mod words;

use oddsmith::project::Place;
use oddsmith_analysis::lint::{Finding, Report, Severity};
use oddsmith_rules::{Acceptance, Model};

use super::words::plural;

/// So many cases are told; JSON has some more.
const CASES: usize = 3;

/// A ruleset with what is to be told of it.
#[derive(Debug)]
pub(crate) struct Game<'a> {
    /// As it was asked for.
    pub(crate) name: String,
    /// What places are places in.
    pub(crate) file: String,
    pub(crate) told: Vec<Told<'a>>,
    pub(crate) stale: Vec<Stale>,
    /// How many findings are accepted, told or not.
    accepted: usize,
}

/// A finding in words.
#[derive(Debug)]
pub(crate) struct Told<'a> {
    pub(crate) finding: &'a Finding,
    pub(crate) place: Place,
    /// What is so.
    pub(crate) sentence: String,
    /// Where it shows, a line each.
    pub(crate) evidence: Vec<String>,
    /// What may be done.
    pub(crate) advice: &'static str,
    /// Why it is accepted.
    pub(crate) reason: Option<String>,
}

/// An acceptance that meets no finding.
#[derive(Debug)]
pub(crate) struct Stale {
    pub(crate) id: String,
    pub(crate) place: Place,
}

impl<'a> Game<'a> {
    /// What is to be told of a report, of whose findings `accepted` are.
    pub(crate) fn new(
        name: &str,
        file: String,
        model: &Model,
        report: &'a Report,
        accepted: usize,
    ) -> Self {
        let told = report.findings.iter().map(|finding| Told {
            finding,
            place: Place::of(&model.source, finding.place),
            sentence: words::sentence(finding),
            evidence: words::evidence(finding, CASES),
            advice: words::advice(finding.rule),
            reason: finding
                .accepted
                .map(|at| model.acceptances[at].reason.clone()),
        });
        let stale = |at: &usize| {
            let Acceptance { finding, span, .. } = &model.acceptances[*at];
            Stale {
                id: finding.text.clone(),
                place: Place::of(&model.source, *span),
            }
        };
        Self {
            name: name.to_owned(),
            file,
            told: told.collect(),
            stale: report.stale.iter().map(stale).collect(),
            accepted,
        }
    }

    /// `1 error, 2 warnings and 12 notes; 3 accepted`.
    pub(crate) fn summary(&self) -> String {
        let open = self.told.iter().filter(|told| told.reason.is_none());
        let mut parts: Vec<String> = Vec::new();
        for (name, severity) in Severity::ALL.iter().rev() {
            let mut count = open
                .clone()
                .filter(|t| t.finding.severity == *severity)
                .count();
            if *severity == Severity::Warning {
                count += self.stale.len();
            }
            if count > 0 {
                parts.push(plural(count as u64, name));
            }
        }
        let found = match parts.as_slice() {
            [] => "nothing".to_owned(),
            [only] => only.clone(),
            [most @ .., last] => format!("{} and {last}", most.join(", ")),
        };
        match self.accepted {
            0 => found,
            accepted => format!("{found}; {accepted} accepted"),
        }
    }
}

impl Told<'_> {
    /// Whether it comes before the acceptances that are stale, as warnings and errors do.
    fn is_loud(&self) -> bool {
        self.finding.severity >= Severity::Warning
    }
}

impl Stale {
    /// What is wrong.
    pub(crate) fn sentence(&self) -> String {
        format!(
            "`{}` is accepted, and there is no such finding any more",
            self.id
        )
    }

    /// What may be done.
    pub(crate) const ADVICE: &'static str = "take the acceptance out";
}

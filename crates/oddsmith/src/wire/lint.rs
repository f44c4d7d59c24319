//! Findings as they are written for programs.

use oddsmith_analysis::expect::Stand;
use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::Exact;
use crate::LintAnswer;
use crate::lint::{
    Evidence, Facts, FindingAnswer, MeasureKind, Pairing, StaleAcceptance, Stretch, Wins,
};

/// The answer of `oddsmith balance lint`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintFindings {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The file that lines and columns are of.
    pub file: String,
    /// The findings: the most severe first, of equals those that move odds the most.
    pub findings: Vec<LintFinding>,
    /// The number of findings that are accepted, told or not.
    pub accepted: usize,
    /// The acceptances that meet no finding.
    pub stale: Vec<UnmetAcceptance>,
}

/// An acceptance that meets no finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnmetAcceptance {
    /// The id that is accepted.
    pub finding: String,
    /// The line of the ruleset, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// Something that is odd about the odds of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintFinding {
    /// `RULE/CHECK/LEVER/OUTCOME`, or less.
    pub id: String,
    /// The rule that found it.
    pub rule: &'static str,
    /// `note`, `warning` or `error`.
    pub severity: &'static str,
    /// The check or track.
    pub check: String,
    /// Further ones with the same finding.
    pub also: Vec<String>,
    /// Further levers that take the same steps between the same numbers.
    pub alike: Vec<String>,
    /// The levers that it is about.
    pub levers: Vec<String>,
    /// What is so, in a sentence.
    pub message: String,
    /// What may be done.
    pub advice: &'static str,
    /// Why the ruleset accepts it; none if it does not.
    pub accepted: Option<String>,
    /// The number of configurations in which it was looked for.
    pub configurations: u64,
    /// The number of all configurations there are; none if that does not matter.
    pub of_configurations: Option<u64>,
    /// The number of cases in which it is so.
    pub seen: u64,
    /// The number of cases that were looked at.
    pub of: u64,
    /// What the rule tells beside numbers.
    pub facts: LintFacts,
    /// The worst cases, the worst one first.
    pub evidence: Vec<LintEvidence>,
    /// The line of the ruleset, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// What a rule tells beside numbers; a rule has only what it speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintFacts {
    /// The event that never happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The first and the last value of each stretch that changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretches: Option<Vec<[String; 2]>>,
    /// The label that is never better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The label that is at least as good everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Pairs of labels of which each is the better one somewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Vec<LintPair>>,
    /// The value of the reading that stands in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Whether odds rise along the lever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rises: Option<bool>,
    /// The word that means the opposite elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
    /// The axis of which the word is first used, and its check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<[String; 2]>,
    /// Two axes that are opposed, each with its check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opposed: Option<[[String; 2]; 2]>,
}

/// Two labels, and where each is the better one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintPair {
    /// The labels.
    pub labels: [String; 2],
    /// In how many configurations which is the better one.
    pub wins: LintWins,
    /// The stretches of an axis that it depends on.
    pub split: Vec<LintStretch>,
}

/// Values of an axis for which one of two labels is mostly the better one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintStretch {
    /// The axis.
    pub axis: String,
    /// The values.
    pub values: Vec<String>,
    /// In how many of these configurations which is the better one.
    pub wins: LintWins,
    /// What it depends on further.
    pub split: Vec<Self>,
}

/// The numbers of configurations in which one of two labels is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintWins {
    /// In which the first is better, and the second.
    pub better: [u64; 2],
    /// In which neither is: each has a band of which it is more likely to reach it.
    pub neither: u64,
    /// In which both are the same.
    pub equal: u64,
}

/// A case of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintEvidence {
    /// What differs from the defaults, beside the lever.
    pub configuration: String,
    /// The outcome that the numbers are of.
    pub outcome: String,
    /// `at least`, `event`, `done by`, `mean` or `variance`.
    pub kind: &'static str,
    /// The numbers along the lever.
    pub values: Vec<LintValue>,
    /// The number of rolls by which a track is done, if that is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolls: Option<i64>,
    /// The flat modifiers, fractions, that do what a step down and what a step up does, if that is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flat: Option<[Exact; 2]>,
}

/// A number along a lever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintValue {
    /// The value of the lever.
    pub at: String,
    /// The number: a fraction, `inf` or `-inf`.
    pub value: Exact,
}

impl From<&LintAnswer> for LintFindings {
    fn from(answer: &LintAnswer) -> Self {
        Self {
            ruleset: answer.ruleset.clone(),
            file: answer.file.clone(),
            findings: answer.findings.iter().map(LintFinding::from).collect(),
            accepted: answer.accepted,
            stale: answer.stale.iter().map(UnmetAcceptance::from).collect(),
        }
    }
}

impl From<&StaleAcceptance> for UnmetAcceptance {
    fn from(stale: &StaleAcceptance) -> Self {
        Self {
            finding: stale.id.clone(),
            line: stale.place.line,
            column: stale.place.column,
        }
    }
}

impl From<&FindingAnswer> for LintFinding {
    fn from(answer: &FindingAnswer) -> Self {
        let finding = &answer.finding;
        let [seen, of] = finding.seen;
        Self {
            id: finding.id.clone(),
            rule: finding.rule.name(),
            severity: finding.severity.name(),
            check: finding.check.clone(),
            also: finding.also.clone(),
            alike: finding.alike.clone(),
            levers: finding.levers.clone(),
            message: answer.sentence.clone(),
            advice: answer.advice(),
            accepted: answer.reason.clone(),
            configurations: finding.configurations,
            of_configurations: (finding.all > 0).then_some(finding.all),
            seen,
            of,
            facts: LintFacts::from(&finding.facts),
            evidence: finding.evidence.iter().map(LintEvidence::from).collect(),
            line: answer.place.line,
            column: answer.place.column,
        }
    }
}

impl From<&Facts> for LintFacts {
    fn from(facts: &Facts) -> Self {
        let mut told = Self::default();
        match facts.clone() {
            Facts::Unreachable { event } => told.event = Some(event),
            Facts::DeadStep(runs) => told.stretches = Some(runs),
            Facts::Plateau { stretch } => told.stretches = Some(vec![stretch]),
            Facts::Dominated { label, by } => {
                (told.label, told.by) = (Some(label), Some(by));
            }
            Facts::Crossing(pairings) => {
                told.pairs = Some(pairings.iter().map(LintPair::from).collect());
            }
            Facts::Reading { default } => told.default = Some(default),
            Facts::Flip { default, rises } => {
                (told.default, told.rises) = (Some(default), Some(rises));
            }
            Facts::Turned { word, rises, first } => {
                (told.word, told.rises, told.first) = (Some(word), Some(rises), Some(first));
            }
            Facts::Allied { rises, opposed } => {
                (told.rises, told.opposed) = (Some(rises), Some(opposed));
            }
            Facts::DeadAxis
            | Facts::NonMonotone
            | Facts::Cliff
            | Facts::Sign
            | Facts::Undone
            | Facts::Asymmetric => {}
        }
        told
    }
}

impl From<&Pairing> for LintPair {
    fn from(pairing: &Pairing) -> Self {
        Self {
            labels: pairing.labels.clone(),
            wins: LintWins::from(pairing.wins),
            split: pairing.split.iter().map(LintStretch::from).collect(),
        }
    }
}

impl From<&Stretch> for LintStretch {
    fn from(stretch: &Stretch) -> Self {
        Self {
            axis: stretch.axis.clone(),
            values: stretch.values.clone(),
            wins: LintWins::from(stretch.wins),
            split: stretch.split.iter().map(Self::from).collect(),
        }
    }
}

impl From<Wins> for LintWins {
    fn from(wins: Wins) -> Self {
        let Wins {
            better,
            neither,
            equal,
        } = wins;
        Self {
            better,
            neither,
            equal,
        }
    }
}

impl From<&Evidence> for LintEvidence {
    fn from(evidence: &Evidence) -> Self {
        let kind = evidence.measure.kind;
        let value = |stand: &Stand| LintValue {
            at: stand.at.clone(),
            value: Exact::from(&stand.value),
        };
        let flat = evidence.flat.as_ref();
        Self {
            configuration: evidence.configuration.clone(),
            outcome: evidence.measure.name.clone(),
            kind: match kind {
                MeasureKind::AtLeast => "at least",
                MeasureKind::Event => "event",
                MeasureKind::DoneBy(_) => "done by",
                MeasureKind::Mean => "mean",
                MeasureKind::Variance => "variance",
            },
            values: evidence.stands.iter().map(value).collect(),
            rolls: match kind {
                MeasureKind::DoneBy(rolls) => Some(rolls),
                _ => None,
            },
            flat: flat.map(|flats| flats.each_ref().map(Exact::of)),
        }
    }
}

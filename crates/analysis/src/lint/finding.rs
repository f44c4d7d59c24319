//! Findings of rules.

use oddsmith_dist::RBig;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, LintRule, Span};

use crate::expect::Stand;
use crate::lint::grid::{Grid, size};
use crate::lint::measure::Measure;
use crate::lint::whole_space::WholeSpace;
use crate::lint::wins::Pairing;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Note,
    /// A warning: it may be meant, and then it should be said.
    Warning,
    /// An error: it can hardly be meant.
    Error,
}

impl Severity {
    /// Each with its name.
    pub const ALL: [(&'static str, Self); 3] = [
        ("note", Self::Note),
        ("warning", Self::Warning),
        ("error", Self::Error),
    ];

    /// The name of the severity.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// Something that is odd about a ruleset's odds.
#[derive(Clone, Debug)]
pub struct Finding {
    /// `RULE/CHECK/LEVER/OUTCOME`, or less. It has no number in it that moves when odds move.
    pub id: String,
    /// The rule that found it.
    pub rule: LintRule,
    /// How much it matters.
    pub severity: Severity,
    /// The check or the track.
    pub check: String,
    /// Further ones with the same finding, by its id there; of them the evidence says nothing.
    pub also: Vec<String>,
    /// Further levers that take the same steps between the same numbers.
    pub alike: Vec<String>,
    /// The place in the file of what it is about.
    pub place: Span,
    /// The levers that it is about: the lever, or two that are opposed; nothing if it is about an outcome alone.
    pub levers: Vec<String>,
    /// The facts that the rule tells.
    pub facts: Facts,
    /// The number of cases in which it is so, and how many were looked at.
    pub seen: [u64; 2],
    /// The number of configurations in which it was looked for.
    pub configurations: u64,
    /// How many there are: every value of every axis that is read. It is told of what never happens or changes nothing;
    /// [`u64::MAX`] stands for that many or more.
    pub all: u64,
    /// The worst cases, the worst one first.
    pub evidence: Vec<Evidence>,
    /// The acceptance that says it is meant, by its place in [`oddsmith_rules::Model::acceptances`].
    pub accepted: Option<usize>,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Where: what differs from the defaults, beside the lever.
    pub configuration: String,
    /// The measure that the numbers are of.
    pub measure: Measure,
    /// The numbers, along the lever.
    pub stands: Vec<Stand>,
    /// The flat modifiers that do what a step down and what a step up does, where that is asked.
    pub flat: Option<[RBig; 2]>,
}

impl Evidence {
    /// Evidence without flat modifiers.
    pub(crate) fn of(configuration: String, measure: Measure, stands: Vec<Stand>) -> Self {
        Self {
            configuration,
            measure,
            stands,
            flat: None,
        }
    }

    /// How far apart its numbers are; of probabilities in points, of others as a share of the first one.
    pub(crate) fn reach(&self) -> RBig {
        let numbers = self.stands.iter().filter_map(|stand| stand.value.finite());
        let (Some(least), Some(most)) = (numbers.clone().min(), numbers.clone().max()) else {
            return RBig::ZERO;
        };
        let reach = most - least;
        match numbers.clone().next() {
            Some(first) if !self.measure.is_probability() && *first != RBig::ZERO => {
                reach / size(first)
            }
            _ => reach,
        }
    }
}

/// Facts: what a rule has to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Facts {
    /// The event never happens.
    Unreachable {
        /// What.
        event: String,
    },
    /// The axis changes nothing.
    DeadAxis,
    /// Stretches of values that are the same everywhere: the first one and the last one of each.
    DeadStep(Vec<[String; 2]>),
    /// With the defaults of everything else nothing changes from one value to the last one.
    Plateau {
        /// The first value that changes nothing more, and the last one.
        stretch: [String; 2],
    },
    /// Odds rise and fall along the lever; cases are lines.
    NonMonotone,
    /// A step moves odds by much; cases are steps.
    Cliff,
    /// Odds rise along some lines and fall along others; cases are the lines on which they fall.
    Sign,
    /// Odds rise along the axis under one reading and fall under another; cases are lines beside one another.
    Flip {
        /// The value of the reading that stands in the file.
        default: String,
        /// Whether odds rise under that one.
        rises: bool,
    },
    /// The last word of the axis's name goes the other way in an earlier check; the cases are one of each.
    Turned {
        /// The word.
        word: String,
        /// Whether odds rise along the axis.
        rises: bool,
        /// The axis where it is first used, and its check.
        first: [String; 2],
    },
    /// Two axes go the same way whose words are opposed elsewhere; the cases are one of each.
    Allied {
        /// Whether odds rise along both.
        rises: bool,
        /// Two axes that are opposed, each with its check.
        opposed: [[String; 2]; 2],
    },
    /// A step of one axis takes back a step of the other here, and does the same as that there: the two cases.
    Undone,
    /// A label is worse than another one, and never better; cases are configurations in which it is worse.
    Dominated {
        /// The worse one.
        label: String,
        /// The better one.
        by: String,
    },
    /// Labels are each the better one somewhere.
    Crossing(Vec<Pairing>),
    /// Steps up gain other than what steps down lose; cases are pairs of steps.
    Asymmetric,
    /// Another reading changes odds; cases are configurations beside values.
    Reading {
        /// The value that stands in the file.
        default: String,
    },
}

impl Finding {
    /// A finding about a lever and what stands behind it in the id.
    pub(crate) fn of(
        rule: LintRule,
        severity: Severity,
        grid: &Grid<'_>,
        rest: &str,
        facts: Facts,
    ) -> Self {
        let check = grid.check;
        let mut finding = Self::about(rule, severity, check, &[grid.lever().input], facts);
        if !rest.is_empty() {
            finding.id = format!("{}/{rest}", finding.id);
        }
        finding.configurations = grid.configurations();
        finding
    }

    /// A finding about some levers of a check.
    pub(crate) fn about(
        rule: LintRule,
        severity: Severity,
        check: &Check,
        levers: &[InputId],
        facts: Facts,
    ) -> Self {
        let inputs: Vec<_> = levers.iter().map(|id| &check.inputs[id.0]).collect();
        let levers: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
        let about = levers.join("+");
        Self {
            id: match rule {
                // A parameter is of the whole ruleset.
                LintRule::Reading => format!("{}/{about}", rule.name()),
                _ => format!("{}/{}/{about}", rule.name(), check.name),
            },
            rule,
            severity,
            check: check.name.clone(),
            also: Vec::new(),
            alike: Vec::new(),
            place: inputs.first().map_or(check.span, |input| input.span),
            levers,
            facts,
            seen: [0; 2],
            configurations: 0,
            all: 0,
            evidence: Vec::new(),
            accepted: None,
        }
    }

    /// Notes how much was looked at of all that there is. Other looks, beside axes that are not read, don't count: all of
    /// theirs need not be all.
    pub(crate) fn looked_at(&mut self, whole: Option<&WholeSpace<'_>>) {
        if let Some(whole) = whole {
            self.configurations = whole.grid.configurations();
            self.all = whole.all;
        }
    }

    /// How large it is among findings of one severity: probabilities before other numbers, then by how much the worst
    /// case moves.
    pub(crate) fn size(&self) -> (bool, RBig) {
        let worst = self.evidence.first();
        worst.map_or((false, RBig::ZERO), |worst| {
            (worst.measure.is_probability(), worst.reach())
        })
    }

    /// The cause, without the check: what it has in common with the same finding about another one.
    pub(crate) fn cause(&self) -> (LintRule, String) {
        let rest = self.id.splitn(3, '/').nth(2);
        (self.rule, rest.unwrap_or(&self.id).to_owned())
    }
}

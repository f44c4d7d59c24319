//! Acceptances: findings of `oddsmith balance lint` that a ruleset says are meant to be.

use crate::source::Span;

/// A finding, or several of them, that is as the game intends.
#[derive(Clone, Debug)]
pub struct Acceptance {
    /// Which findings.
    pub finding: FindingPattern,
    /// Why that is right, as a sentence.
    pub reason: String,
    /// Where the id stands in the file.
    pub span: Span,
}

/// The id of a finding, in which `*` stands for any one part: `cliff/check/mood/*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingPattern {
    /// Which rule made the finding.
    pub rule: LintRule,
    /// As written.
    pub text: String,
}

impl FindingPattern {
    /// Whether a finding of that id is meant.
    ///
    /// ```
    /// use oddsmith_rules::{FindingPattern, LintRule};
    /// let pattern = FindingPattern { rule: LintRule::Cliff, text: "cliff/*/mood/band".to_owned() };
    /// assert!(pattern.matches("cliff/check/mood/band"));
    /// assert!(!pattern.matches("cliff/check/mood/Special"));
    /// ```
    #[must_use]
    pub fn matches(&self, id: &str) -> bool {
        let [own, other] = [self.text.as_str(), id].map(|id| self.rule.parts(id));
        own.len() == other.len()
            && own
                .iter()
                .zip(&other)
                .all(|(own, other)| *own == "*" || own == other)
    }
}

/// The kinds of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LintRule {
    /// A band, a flag or a label that never happens.
    Unreachable,
    /// An axis that changes nothing.
    DeadAxis,
    /// Steps of an axis that change nothing, whatever the other axes are.
    DeadStep,
    /// An axis that changes nothing from some value on.
    Plateau,
    /// An axis along which odds rise and fall.
    NonMonotone,
    /// One step of an axis that moves odds by much.
    Cliff,
    /// An axis that raises odds here and lowers them there: beside other values, under another reading, or other than its
    /// name has it.
    Sign,
    /// A label of an axis that is worse than another one, and never better.
    Dominated,
    /// Labels of an axis of which each is the best one somewhere.
    Crossing,
    /// Steps up that gain other than what the same steps down lose.
    Asymmetric,
    /// A reading of an ambiguous rule that changes odds by much.
    Reading,
    /// Bands that are listed best first; told with the warnings of a file, not by `balance lint`.
    BestFirst,
}

/// What a part of an id names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdPart {
    Check,
    /// An axis of the check.
    Axis,
    /// One axis of the check, or two that are opposed, with a `+` between them.
    Axes,
    /// One axis of the check, or it and another lever, with a `+` between them: an axis, or a reading.
    Levers,
    /// `band`, or something else that the check shows.
    Shown,
    /// A band, a flag or a label that could happen.
    Event,
    /// A label of the axis.
    Label,
    /// A parameter that is a reading.
    Reading,
}

impl LintRule {
    /// Each rule with the first part of its ids.
    pub const ALL: [(&'static str, Self); 12] = [
        ("unreachable", Self::Unreachable),
        ("dead-axis", Self::DeadAxis),
        ("dead-step", Self::DeadStep),
        ("plateau", Self::Plateau),
        ("non-monotone", Self::NonMonotone),
        ("cliff", Self::Cliff),
        ("sign", Self::Sign),
        ("dominated", Self::Dominated),
        ("crossing", Self::Crossing),
        ("asymmetric", Self::Asymmetric),
        ("reading", Self::Reading),
        ("best-first", Self::BestFirst),
    ];

    /// The first part of its ids.
    ///
    /// # Panics
    /// Never: every rule is in [`Self::ALL`].
    #[must_use]
    pub fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|(_, rule)| *rule == self);
        known.expect("every rule has a name").0
    }

    /// What stands behind the name.
    pub(crate) fn shape(self) -> &'static [IdPart] {
        use IdPart::{Axes, Axis, Check, Event, Label, Levers, Reading, Shown};
        match self {
            Self::Unreachable => &[Check, Event],
            Self::DeadAxis | Self::DeadStep | Self::Plateau | Self::Crossing => &[Check, Axis],
            Self::NonMonotone | Self::Cliff => &[Check, Axis, Shown],
            Self::Sign => &[Check, Levers, Shown],
            Self::Dominated => &[Check, Axis, Label],
            Self::Asymmetric => &[Check, Axes],
            Self::Reading => &[Reading],
            Self::BestFirst => &[Check],
        }
    }

    /// Its ids as they are written: `cliff/CHECK/AXIS/OUTCOME`.
    #[must_use]
    pub fn form(self) -> String {
        let parts = self.shape().iter().map(|part| match part {
            IdPart::Check => "/CHECK",
            IdPart::Axis => "/AXIS",
            IdPart::Axes => "/AXIS or /AXIS+AXIS",
            IdPart::Levers => "/AXIS or /AXIS+LEVER",
            IdPart::Shown | IdPart::Event => "/OUTCOME",
            IdPart::Label => "/LABEL",
            IdPart::Reading => "/PARAMETER",
        });
        self.name().to_owned() + &parts.collect::<String>()
    }

    /// The parts of an id of this rule. The last one takes the rest: a label may hold a `/`.
    pub(crate) fn parts(self, id: &str) -> Vec<&str> {
        id.splitn(self.shape().len() + 1, '/').collect()
    }
}

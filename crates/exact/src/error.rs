//! Why a question could not be answered.

use oddsmith_rules::{Check, Config, Diagnostic, Source, Span};
use thiserror::Error as ThisError;

/// What helps where nothing better is known.
const OVER_BUDGET: &str =
    "ask for fewer dice, smaller dice or fewer outcomes at once; or raise the budget (`--budget`)";

/// Why a question could not be answered.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A rule can't be carried out in this configuration; the place is in the ruleset.
    #[error("{0}")]
    Rule(Box<Diagnostic>),
    /// A question that has an answer, but not one that this engine can find; the place is in the ruleset or in
    /// the question.
    #[error("{0}")]
    Unsupported(Box<Diagnostic>),
    /// The configuration breaks a requirement of its ruleset.
    #[error("{config} breaks a requirement: `{requirement}`{defaults}")]
    Requirement {
        /// As written in the ruleset.
        requirement: String,
        /// The inputs in it that stand at their defaults, which `config` leaves out: ` (with who=us)`, or nothing.
        defaults: String,
        /// The configuration, in words.
        config: String,
    },
    /// A conditional query's condition never happens.
    #[error("`{query}` has no answer in {config}: what stands after `|` never happens")]
    NeverHappens {
        /// As asked.
        query: String,
        /// The configuration, in words.
        config: String,
    },
    /// A question about the end of a track that may never come.
    #[error("`{query}` has no answer: with a chance of {chance} `{track}` never ends")]
    NeverEnds {
        /// The track.
        track: String,
        /// As asked.
        query: String,
        /// The exact probability of going on for ever.
        chance: String,
    },
    /// The predicted cost is over the budget.
    #[error("{what} needs {} steps or more; the budget is {}", show(*.predicted), show(u128::from(*.limit)))]
    OverBudget {
        /// What was asked.
        what: String,
        /// Predicted steps.
        predicted: u128,
        /// The budget.
        limit: u64,
        /// What would help.
        help: String,
    },
}

impl Error {
    pub(crate) fn over_budget(what: String, predicted: u128, limit: u64) -> Self {
        Self::OverBudget {
            what,
            predicted,
            limit,
            help: OVER_BUDGET.to_owned(),
        }
    }

    /// The same error with another way out than to raise the budget, if there is one.
    #[must_use]
    pub(crate) fn with_way_out(mut self, way: Option<String>) -> Self {
        if let (Self::OverBudget { help, .. }, Some(way)) = (&mut self, way) {
            *help = format!("{way}; or raise the budget (`--budget`)");
        }
        self
    }

    /// What a charge, or work on positive weights, can fail by.
    pub(crate) fn of_charge(what: impl Into<String>, error: &oddsmith_dist::Error) -> Self {
        Self::refused(error, what, OVER_BUDGET)
    }

    /// The refusal of a charge, with what it was for and what would help.
    ///
    /// # Panics
    /// If it is another error than that something goes over budget: a charge fails by no other.
    #[must_use]
    pub fn refused(charge: &oddsmith_dist::Error, what: impl Into<String>, help: &str) -> Self {
        match charge {
            oddsmith_dist::Error::OverBudget { predicted, limit } => Self::OverBudget {
                what: what.into(),
                predicted: *predicted,
                limit: *limit,
                help: help.to_owned(),
            },
            other => unreachable!("this only goes over budget: {other}"),
        }
    }

    /// The same error with the configuration in which it was met.
    #[must_use]
    pub(crate) fn in_config(mut self, check: &Check, config: &Config) -> Self {
        if let Self::Rule(diagnostic) | Self::Unsupported(diagnostic) = &mut self
            && !check.inputs.is_empty()
        {
            diagnostic.message = format!("{}, for {}", diagnostic.message, check.describe(config));
            // What is played unless somebody asks for something else can't be ruled out.
            if *config != check.defaults() {
                let forbid = "what is never played is ruled out by a `require` of the check";
                diagnostic.help.get_or_insert_with(|| forbid.to_owned());
            }
        }
        self
    }

    /// The error of a question with this text that can't be answered, where the rules are fine: its place is the question.
    #[must_use]
    pub(crate) fn about(mut self, query: &str) -> Self {
        if let Self::Rule(diagnostic) | Self::Unsupported(diagnostic) = &mut self {
            diagnostic.source = Source::new("query", query);
            diagnostic.span = Span::new(0, query.len());
        }
        self
    }

    /// A refusal with the configuration, one of many, that is too much.
    #[must_use]
    pub(crate) fn refused_in(mut self, check: &Check, config: &Config) -> Self {
        if let Self::OverBudget { what, .. } = &mut self {
            *what = format!("for {} in `{}`, {what}", check.describe(config), check.name);
        }
        self
    }

    /// A rule that can be carried out, though not here: what is said of it is a limit of this engine.
    #[must_use]
    pub(crate) fn unsupported(self) -> Self {
        match self {
            Self::Rule(diagnostic) => Self::Unsupported(diagnostic),
            other => other,
        }
    }
}

/// `12`, `3.4e9`
fn show(steps: u128) -> String {
    if steps < 1_000_000 {
        return steps.to_string();
    }
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    let approximate = steps as f64;
    format!("{approximate:.1e}")
}

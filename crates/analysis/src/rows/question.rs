//! The text under which an answer stands in a transcript.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use oddsmith_exact::Budget;
use oddsmith_rules::{Check, Config, InputRange, Outcome, Query};
use sha2::{Digest as _, Sha256};

/// Bytes of a digest that are written: as many as nobody finds twice.
const BYTES: usize = 16;

/// A check of which much is asked.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    pub(super) check: &'a Check,
    /// What its answers hang on, beside the configuration and the question.
    rules: Digest,
}

impl<'a> Asked<'a> {
    /// Reads its rules.
    ///
    /// # Cost
    /// One look at every expression of its program.
    pub fn of(check: &'a Check) -> Self {
        let mut rules = Digest::default();
        check.program().statements().hash(&mut rules);
        for required in &check.requires {
            required.condition.hash(&mut rules);
        }
        for input in check.inputs.iter() {
            input.domain.bounds().hash(&mut rules);
        }
        let goal = check.goal.as_ref();
        goal.map(|goal| &goal.value).hash(&mut rules);
        check.rounds.hash(&mut rules);
        Self { check, rules }
    }

    /// The question for the rows of `ranges` around a configuration.
    pub(super) fn rows(
        &self,
        config: &Config,
        ranges: &[InputRange],
        (queries, budget): (&[Query], &Budget),
    ) -> String {
        let mut asked = self.within(config, budget);
        for range in ranges {
            range.input.hash(&mut asked);
            range.values.hash(&mut asked);
        }
        for query in queries {
            // The text says which quantile, among the rest.
            query.text.hash(&mut asked);
            discriminant(&query.kind).hash(&mut asked);
            query.subject().hash(&mut asked);
            query.given.hash(&mut asked);
            query.after.hash(&mut asked);
        }
        asked.text("rows", &self.check.name)
    }

    /// The question for the distribution of an outcome.
    pub(super) fn outcome(&self, config: &Config, outcome: &Outcome, budget: &Budget) -> String {
        let mut asked = self.within(config, budget);
        outcome.var.hash(&mut asked);
        asked.text("outcome", &self.check.name)
    }

    /// The question for all odds of one configuration.
    pub(crate) fn odds(&self, config: &Config, budget: &Budget) -> String {
        self.within(config, budget).text("odds", &self.check.name)
    }

    /// A configuration of the check, within the limit of a budget: what has an answer within one may have none within a
    /// lower one.
    fn within(&self, config: &Config, budget: &Budget) -> Digest {
        let mut asked = self.rules.clone();
        budget.limit().hash(&mut asked);
        config.values().hash(&mut asked);
        asked
    }
}

/// A digest of values that are hashed, the same on every machine of the same kind.
#[derive(Clone, Debug, Default)]
struct Digest(Sha256);

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("it is asked for as a text")
    }
}

impl Digest {
    /// `rows of check 0123…`
    fn text(self, what: &str, check: &str) -> String {
        let mut text = format!("{what} of {check} ");
        for byte in &self.0.finalize()[..BYTES] {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

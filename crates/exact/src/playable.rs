//! Configurations that can be played, and what can be asked of one.

use oddsmith_dist::{Budget, Dist};
use oddsmith_rules::{Check, Config, Outcome, Query};

use crate::carried::{Unsure, carried_out};
use crate::requirements::check_requirements;
use crate::{Answer, Error, Joint, Rounds, question, track};

/// A check that is asked in one configuration after the other: what can be known of all of them beforehand is.
///
/// ```
/// use oddsmith_exact::{Budget, Prepared};
///
/// let rules = r#"
/// name = "Stat"
/// [checks.check]
/// axes.stat = { default = 0, domain = "0..=3" }
/// rules = "show total = 2d6 + stat"
/// "#;
/// let model = oddsmith_rules::load("stat.toml", rules.as_bytes()).unwrap();
/// let check = model.check("check").unwrap();
/// let query = check.query("mean(total)", "<query>").unwrap();
/// let (prepared, budget) = (Prepared::new(check), Budget::unlimited());
/// let mut config = check.defaults();
/// config.put(check.input("stat").unwrap(), 3);
/// let answers = prepared.at(&config, &budget).unwrap().answers(&[query]).unwrap();
/// assert_eq!(answers[0].to_ratio().unwrap().to_string(), "10");
/// ```
#[derive(Debug)]
pub struct Prepared<'a> {
    check: &'a Check,
    /// What is known of configurations in which something may fail; none if nothing can.
    unsure: Option<Unsure>,
}

/// A configuration that meets the requirements, and in which no statement fails on any roll.
#[derive(Clone, Copy, Debug)]
pub struct Playable<'a> {
    check: &'a Check,
    config: &'a Config,
    budget: &'a Budget,
}

impl<'a> Prepared<'a> {
    /// Looks at the bounds of everything that may fail.
    #[must_use]
    pub fn new(check: &'a Check) -> Self {
        let inputs = check.inputs.iter();
        let bounds: Vec<(i64, i64)> = inputs.map(|input| input.domain.bounds()).collect();
        Self {
            check,
            unsure: Unsure::within(check, &bounds),
        }
    }

    /// Asks of a configuration whether it can be played; what is asked of it then is charged to the budget, too.
    ///
    /// # Errors
    /// As [`crate::carried_out`].
    pub fn at<'p>(&'p self, config: &'p Config, budget: &'p Budget) -> Result<Playable<'p>, Error> {
        let check = self.check;
        check_requirements(check, config)?;
        if let Some(unsure) = &self.unsure {
            let found = unsure.at(check, config, budget);
            found.map_err(|error| error.in_config(check, config))?;
        }
        Ok(Playable {
            check,
            config,
            budget,
        })
    }
}

impl<'a> Playable<'a> {
    /// Asks whether one configuration can be played.
    ///
    /// # Errors
    /// As [`crate::carried_out`].
    pub fn new(check: &'a Check, config: &'a Config, budget: &'a Budget) -> Result<Self, Error> {
        carried_out(check, config, budget)?;
        Ok(Self {
            check,
            config,
            budget,
        })
    }

    /// See [`crate::answers`].
    ///
    /// # Errors
    /// Of those of [`crate::answers`] all that are about a question.
    pub fn answers(&self, queries: &[Query]) -> Result<Vec<Answer>, Error> {
        question::answers(self.check, self.config, queries, self.budget)
    }

    /// See [`crate::answers_together`].
    ///
    /// # Errors
    /// Of those of [`crate::answers_together`] all that are about a question.
    pub fn answers_together(&self, queries: &[Query]) -> Result<Vec<Answer>, Error> {
        question::answers_together(self.check, self.config, queries, self.budget)
    }

    /// [`Self::answers_together`] and [`Self::rounds`] at once: quicker, since the rounds are laid out once. None if the questions
    /// are not about the end of a track, or if one has no answer: then each has to be asked by itself.
    ///
    /// # Errors
    /// As [`Self::answers_together`].
    pub fn answers_and_rounds(
        &self,
        queries: &[Query],
    ) -> Result<Option<(Vec<Answer>, Rounds)>, Error> {
        question::answers_and_rounds(self.check, self.config, queries, self.budget)
    }

    /// See [`crate::joint()`].
    ///
    /// # Errors
    /// Of those of [`crate::joint()`] all that are about a question.
    ///
    /// # Panics
    /// As [`crate::joint()`].
    pub fn joint(&self, outcomes: &[&Outcome]) -> Result<Joint, Error> {
        question::joint(self.check, self.config, outcomes, self.budget)
    }

    /// See [`crate::distribution`].
    ///
    /// # Errors
    /// Of those of [`crate::distribution`] all that are about a question.
    pub fn distribution(&self, outcome: &Outcome) -> Result<Dist, Error> {
        question::distribution(self.check, self.config, outcome, None, self.budget)
    }

    /// See [`Rounds::new`].
    ///
    /// # Errors
    /// Of those of [`Rounds::new`] all that are about a question.
    ///
    /// # Panics
    /// As [`Rounds::new`].
    pub fn rounds(&self) -> Result<Rounds, Error> {
        track::rounds(self.check, self.config, self.budget)
    }
}

impl Rounds {
    /// Lays out the rounds of one configuration.
    ///
    /// # Errors
    /// As [`crate::answers`].
    ///
    /// # Panics
    /// If `check` is neither a track nor a contest.
    pub fn new(check: &Check, config: &Config, budget: &Budget) -> Result<Self, Error> {
        Playable::new(check, config, budget)?.rounds()
    }

    /// What else can be asked of the track or contest whose rounds these are: that it can be played is known.
    ///
    /// # Panics
    /// If `config` is another configuration.
    #[must_use]
    pub fn playable<'a>(
        &self,
        check: &'a Check,
        config: &'a Config,
        budget: &'a Budget,
    ) -> Playable<'a> {
        assert_eq!(config.values(), self.config.values(), "what was played");
        Playable {
            check,
            config,
            budget,
        }
    }
}

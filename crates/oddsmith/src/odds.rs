//! The odds of one configuration.

use oddsmith_exact::{Error as ExactError, distribution, policy};
use oddsmith_rules::{Check, Config, Outcome, OutcomeKind, Query};

use crate::answer::{AnswerKind, NamedAnswer, NamedNumber};
use crate::{Error, Game, Limits, OddsRequest, Wanted, questions, settings};

/// The odds of one configuration.
#[derive(Clone, Debug)]
pub struct OddsAnswer {
    /// The check, with the goal that was asked for.
    pub check: Check,
    /// The configuration.
    pub config: Config,
    /// Bands, worst first, then flags, labels of lists beside the bands, and what was asked; there may be none of these, where a
    /// check shows numbers alone.
    pub outcomes: Vec<NamedAnswer>,
    /// Whether another goal was asked for, though nothing is chosen here.
    pub has_vain_goal: bool,
}

impl Game {
    /// The odds of one configuration of a check.
    ///
    /// # Errors
    /// If there is no such check, a setting or query does not fit it, or the exact engine has no answer.
    ///
    /// ```
    /// use oddsmith::{Game, Limits, OddsRequest};
    /// let game = Game::open("stars-and-signs")?;
    /// let mut request = OddsRequest::default();
    /// request.settings.set("circ_boons", 2).set("ability_rank", 6);
    /// request.queries.push("P(total>=18)".to_owned());
    /// let odds = game.odds(&request, &Limits::default())?;
    /// let hit = odds.outcomes.iter().find(|outcome| outcome.name == "Hit").expect("the game has Hits");
    /// assert!((hit.decimal() - 0.4).abs() < 0.2);
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn odds(&self, request: &OddsRequest, limits: &Limits) -> Result<OddsAnswer, Error> {
        let check = self.find(request.check.as_deref(), Wanted::Check)?.clone();
        let check = settings::with_goal(check, request.maximise.as_deref())?;
        let config = request.settings.config(&check)?;
        let asked = settings::queries(&check, &request.queries)?;
        limits.run(|| answer(check, config, asked, request, limits))
    }
}

fn answer(
    check: Check,
    config: Config,
    asked: Vec<Query>,
    request: &OddsRequest,
    limits: &Limits,
) -> Result<OddsAnswer, Error> {
    let mut queries = questions::own(&check);
    queries.extend(questions::asked(asked));
    let outcomes = questions::answered(&check, &config, queries, &limits.budget())?;
    let has_vain_goal = request.maximise.is_some() && chooses_nothing(&check, &config, limits);
    Ok(OddsAnswer {
        check,
        config,
        outcomes,
        has_vain_goal,
    })
}

/// Whether it is known that there is nothing to choose.
fn chooses_nothing(check: &Check, config: &Config, limits: &Limits) -> bool {
    policy(check, config, &limits.budget()).is_ok_and(|policy| policy.choices.is_empty())
}

impl OddsAnswer {
    /// The bands alone, worst first.
    pub fn bands(&self) -> impl Iterator<Item = &NamedAnswer> {
        let outcomes = self.outcomes.iter();
        outcomes.filter(|outcome| outcome.kind == AnswerKind::Band)
    }

    /// The same answer; where there would be no outcomes, with the mean of every number that the check shows.
    ///
    /// # Errors
    /// If a mean is over the limits.
    pub fn or_means(mut self, limits: &Limits) -> Result<Self, Error> {
        if self.outcomes.is_empty() {
            let means = questions::asked(settings::means(&self.check)?).collect();
            let (check, config) = (&self.check, &self.config);
            self.outcomes =
                limits.run(|| Ok(questions::answered(check, config, means, &limits.budget())?))?;
        }
        Ok(self)
    }

    /// The numbers that the check shows, with their whole distributions, each within the limits by itself. Beside other
    /// answers one that is over the budget may be left out.
    ///
    /// # Errors
    /// If there are no other answers, and a number is over the limits.
    pub fn numbers(&self, limits: &Limits) -> Result<Vec<NamedNumber>, Error> {
        let outcomes = self.check.outcomes.iter();
        let numbers = outcomes.filter(|outcome| outcome.kind == OutcomeKind::Observable);
        limits.run(|| numbers.map(|number| self.number(number, limits)).collect())
    }

    fn number(&self, outcome: &Outcome, limits: &Limits) -> Result<NamedNumber, Error> {
        let dist = match distribution(&self.check, &self.config, outcome, &limits.budget()) {
            Ok(dist) => Some(dist),
            Err(ExactError::OverBudget { .. }) if !self.outcomes.is_empty() => None,
            Err(error) => return Err(error.into()),
        };
        let name = outcome.name.clone();
        Ok(NamedNumber { name, dist })
    }
}

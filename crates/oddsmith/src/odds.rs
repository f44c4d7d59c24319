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
    /// Bands, worst first, then flags, then what was asked. If there would be none of these, the mean of every number.
    pub outcomes: Vec<NamedAnswer>,
    /// Every number that the check shows.
    pub numbers: Vec<NamedNumber>,
    /// Whether the outcomes are there only because there would be none.
    pub has_means_only: bool,
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
    let has_means_only = queries.is_empty();
    if has_means_only {
        queries.extend(questions::asked(settings::means(&check)?));
    }
    let outcomes = questions::answered(&check, &config, queries, &limits.budget())?;
    let numbers = numbers(&check, &config, limits, !has_means_only)?;
    let has_vain_goal = request.maximise.is_some() && chooses_nothing(&check, &config, limits);
    Ok(OddsAnswer {
        check,
        config,
        outcomes,
        numbers,
        has_means_only,
        has_vain_goal,
    })
}

/// Whether it is known that there is nothing to choose.
fn chooses_nothing(check: &Check, config: &Config, limits: &Limits) -> bool {
    policy(check, config, &limits.budget()).is_ok_and(|policy| policy.choices.is_empty())
}

/// The numbers that a check shows, each within the limits by itself. Beside other answers one that is over the budget may
/// be left out.
fn numbers(
    check: &Check,
    config: &Config,
    limits: &Limits,
    may_lack: bool,
) -> Result<Vec<NamedNumber>, Error> {
    let numbers = check
        .outcomes
        .iter()
        .filter(|outcome| outcome.kind == OutcomeKind::Observable);
    let number = |outcome: &Outcome| {
        let dist = match distribution(check, config, outcome, &limits.budget()) {
            Ok(dist) => Some(dist),
            Err(ExactError::OverBudget { .. }) if may_lack => None,
            Err(error) => return Err(error.into()),
        };
        Ok(NamedNumber {
            name: outcome.name.clone(),
            dist,
        })
    };
    numbers.map(number).collect()
}

impl OddsAnswer {
    /// The bands alone, worst first.
    pub fn bands(&self) -> impl Iterator<Item = &NamedAnswer> {
        let outcomes = self.outcomes.iter();
        outcomes.filter(|outcome| outcome.kind == AnswerKind::Band)
    }
}

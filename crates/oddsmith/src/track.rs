//! Tracks: rolls until something is full.

use oddsmith_exact::{Answer, Error as ExactError, RBig, Rounds, distribution};
use oddsmith_rules::{Check, Config, Outcome, Query};

use crate::answer::{AnswerKind, NamedAnswer, NamedNumber};
use crate::lengths::{FARTHEST, MOST, TrackLengths};
use crate::{Error, Game, Limits, TrackRequest, Wanted, questions, settings};

/// A track in a configuration, laid out once for all that is asked of its rolls.
#[derive(Debug)]
pub struct Track {
    /// The track.
    pub check: Check,
    /// The configuration.
    pub config: Config,
    asked: Vec<Query>,
    horizon: Option<usize>,
    rounds: Rounds,
    /// Whether there surely is a first roll; if not, nothing is said of one.
    pub begins: bool,
    limits: Limits,
}

/// Everything that there is to say of a track for people.
#[derive(Debug)]
pub struct TrackSummary {
    /// How many rolls it takes.
    pub lengths: TrackLengths,
    /// Bands and flags of its end.
    pub ends: Vec<NamedAnswer>,
    /// Numbers at its end.
    pub last: Vec<LastNumber>,
    /// Bands and flags of one roll.
    pub shows: Vec<NamedAnswer>,
    /// Numbers of one roll.
    pub first: Vec<NamedNumber>,
    /// What was asked.
    pub asked: Vec<NamedAnswer>,
}

/// A number at the end of a track.
#[derive(Debug)]
pub struct LastNumber {
    /// The name that the rules give it.
    pub name: String,
    /// Its mean and variance, or why there are none.
    pub moments: Result<Vec<Answer>, &'static str>,
}

/// A track's answers as data.
#[derive(Clone, Debug)]
pub struct TrackAnswer {
    /// What the track ends in and what a roll shows; then what was asked, or, if nothing was, all there is to say of its
    /// rolls: their mean and variance, the means of all else, and the odds of every number of rolls.
    pub outcomes: Vec<NamedAnswer>,
    /// What is left out, and why.
    pub notes: Vec<String>,
}

impl Game {
    /// A track in a configuration.
    ///
    /// # Errors
    /// If there is no such track, a setting or query does not fit it, or it can't be laid out within the limits.
    ///
    /// ```
    /// use oddsmith::{Game, Limits, TrackRequest};
    /// let game = Game::open("stars-and-signs")?;
    /// let track = game.track(&TrackRequest::default(), &Limits::default())?;
    /// let answer = track.answer()?;
    /// assert!(answer.outcomes.iter().any(|outcome| outcome.name.starts_with("mean(")));
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn track(&self, request: &TrackRequest, limits: &Limits) -> Result<Track, Error> {
        let check = self.find(request.track.as_deref(), Wanted::Track)?.clone();
        let config = request.settings.config(&check)?;
        let horizon = request.horizon.map(|horizon| horizon as usize);
        let asked = settings::queries(&check, &request.queries)?;
        let rounds = limits.run(|| Ok(Rounds::new(&check, &config, &limits.budget())?))?;
        Ok(Track {
            check,
            config,
            asked,
            horizon,
            begins: rounds.begins(),
            rounds,
            limits: limits.clone(),
        })
    }
}

impl Track {
    /// The answers as data.
    ///
    /// # Errors
    /// If one is over the limits, or what was asked has no answer.
    pub fn answer(&self) -> Result<TrackAnswer, Error> {
        self.limits.run(|| {
            let mut notes = Vec::new();
            let own = if self.begins {
                questions::own(&self.check)
            } else {
                notes.push("nothing of one roll: it may be over before the first".to_owned());
                questions::own_of(&self.check, false)
            };
            let mut outcomes = self.answered(own)?;
            if self.asked.is_empty() {
                self.add_all(&mut outcomes, &mut notes)?;
            } else {
                outcomes.extend(self.asked()?);
            }
            Ok(TrackAnswer { outcomes, notes })
        })
    }

    /// The answers to the queries of the request alone.
    ///
    /// # Errors
    /// If one is over the limits, or has no answer.
    pub fn answers(&self) -> Result<Vec<NamedAnswer>, Error> {
        self.limits.run(|| Ok(self.asked()?))
    }

    /// Moments of the number of rolls, means of all else, and the odds of every number of rolls.
    fn add_all(
        &self,
        outcomes: &mut Vec<NamedAnswer>,
        notes: &mut Vec<String>,
    ) -> Result<(), Error> {
        let lengths = self.lengths(MOST)?;
        let name = &lengths.name;
        let (mean, variance) = (lengths.mean.clone(), lengths.variance.clone());
        outcomes.push(named(format!("mean({name})"), AnswerKind::Mean, mean));
        outcomes.push(named(
            format!("variance({name})"),
            AnswerKind::Variance,
            variance,
        ));
        for number in self.numbers() {
            if self.begins || !number.first_round {
                self.add_mean(number, outcomes, notes)?;
            }
        }
        for (n, weight) in lengths.rows() {
            let share = RBig::from_parts(weight.clone().into(), lengths.total.clone());
            outcomes.push(chance(format!("P({name}=={n})"), share));
        }
        let beyond = &lengths.later + &lengths.never;
        outcomes.push(chance(format!("P({name}>{})", lengths.horizon()), beyond));
        Ok(())
    }

    /// The mean of a number, unless it may have none; then that is noted.
    fn add_mean(
        &self,
        number: &Outcome,
        outcomes: &mut Vec<NamedAnswer>,
        notes: &mut Vec<String>,
    ) -> Result<(), Error> {
        let mean = settings::queries(&self.check, &[format!("mean({})", number.name)])?;
        match self.answered(questions::asked(mean).collect()) {
            Err(ExactError::NeverEnds { query, chance, .. }) => {
                notes.push(format!(
                    "no `{query}`: with a chance of {chance} there is no end"
                ));
            }
            found => outcomes.extend(found?),
        }
        Ok(())
    }

    /// All there is to say of the track for people.
    ///
    /// # Errors
    /// If a part that can't be left out is over the limits, or what was asked has no answer.
    pub fn summary(&self) -> Result<TrackSummary, Error> {
        self.limits.run(|| {
            let (first, last): (Vec<&Outcome>, Vec<&Outcome>) =
                self.numbers().partition(|outcome| outcome.first_round);
            let first = first.into_iter().filter(|_| self.begins);
            let first = first.map(|outcome| self.first(outcome));
            let shows = if self.begins {
                questions::own_of(&self.check, true)
            } else {
                Vec::new()
            };
            let last = last.into_iter().map(|outcome| self.last(outcome));
            Ok(TrackSummary {
                lengths: self.lengths(FARTHEST)?,
                ends: self.answered(questions::own_of(&self.check, false))?,
                last: last.collect::<Result<_, Error>>()?,
                shows: self.answered(shows)?,
                first: first.collect::<Result<_, Error>>()?,
                asked: self.asked()?,
            })
        })
    }

    fn lengths(&self, farthest: usize) -> Result<TrackLengths, Error> {
        let (check, config, rounds) = (&self.check, &self.config, &self.rounds);
        let budget = self.limits.budget();
        TrackLengths::of(check, config, rounds, self.horizon, farthest, &budget)
    }

    fn answered(&self, queries: Vec<(AnswerKind, Query)>) -> Result<Vec<NamedAnswer>, ExactError> {
        questions::answered(&self.check, &self.config, queries, &self.limits.budget())
    }

    fn asked(&self) -> Result<Vec<NamedAnswer>, ExactError> {
        self.answered(questions::asked(self.asked.clone()).collect())
    }

    fn numbers(&self) -> impl Iterator<Item = &Outcome> {
        questions::numbers_of(&self.check)
    }

    /// A number of one roll.
    fn first(&self, outcome: &Outcome) -> Result<NamedNumber, Error> {
        let budget = self.limits.budget();
        let dist = match distribution(&self.check, &self.config, outcome, &budget) {
            Ok(dist) => Some(dist),
            Err(ExactError::OverBudget { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let name = outcome.name.clone();
        Ok(NamedNumber { name, dist })
    }

    /// A number at the end.
    fn last(&self, outcome: &Outcome) -> Result<LastNumber, Error> {
        let name = outcome.name.clone();
        let moments = [format!("mean({name})"), format!("variance({name})")];
        let queries = settings::queries(&self.check, &moments)?;
        let found = match self.answered(questions::asked(queries).collect()) {
            Ok(found) => Ok(found),
            Err(ExactError::NeverEnds { .. }) => Err("none: there may be no end"),
            Err(ExactError::OverBudget { .. }) => Err("over the budget"),
            Err(error) => return Err(error.into()),
        };
        let moments = found.map(|found| found.into_iter().map(|named| named.answer).collect());
        Ok(LastNumber { name, moments })
    }
}

fn named(name: String, kind: AnswerKind, answer: Answer) -> NamedAnswer {
    NamedAnswer { name, kind, answer }
}

fn chance(name: String, share: RBig) -> NamedAnswer {
    let (weight, total) = share.into_parts();
    named(name, AnswerKind::Probability, Answer { weight, total })
}

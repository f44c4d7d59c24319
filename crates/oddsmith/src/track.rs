//! Tracks: rolls until something is full.

use oddsmith_exact::{Answer, Error as ExactError, RBig, Rounds};
use oddsmith_rules::{Check, Config, Outcome, Query};

use crate::answer::{AnswerKind, NamedAnswer, NamedNumber};
use crate::lengths::{self, FARTHEST, MOST, TrackLengths};
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
            let mut outcomes = Vec::new();
            if self.asked.is_empty() {
                self.add_all(own, &mut outcomes, &mut notes)?;
            } else {
                outcomes.extend(self.answered(own)?);
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

    /// The answers to these questions; moments of the number of rolls, means of all else, and the odds of every number of rolls.
    fn add_all(
        &self,
        own: Vec<(AnswerKind, Query)>,
        outcomes: &mut Vec<NamedAnswer>,
        notes: &mut Vec<String>,
    ) -> Result<(), Error> {
        let mut lists = vec![own, self.questions_of_lengths()?];
        for number in self.numbers() {
            if self.begins || !number.first_round {
                let mean = settings::queries(&self.check, &[format!("mean({})", number.name)])?;
                lists.push(questions::asked(mean).collect());
            }
        }
        let mut answers = self.answered_each(lists).into_iter();
        let mut next = || answers.next().expect("an answer for each list");
        outcomes.extend(next()?);
        let lengths = self.lengths(next()?, MOST)?;
        let name = &lengths.name;
        let (mean, variance) = (lengths.mean.clone(), lengths.variance.clone());
        outcomes.push(named(format!("mean({name})"), AnswerKind::Mean, mean));
        outcomes.push(named(
            format!("variance({name})"),
            AnswerKind::Variance,
            variance,
        ));
        for mean in answers {
            match mean {
                Err(ExactError::NeverEnds { query, chance, .. }) => {
                    notes.push(format!(
                        "no `{query}`: with a chance of {chance} there is no end"
                    ));
                }
                found => outcomes.extend(found?),
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
            let mut lists = vec![
                self.questions_of_lengths()?,
                questions::own_of(&self.check, false),
                questions::asked(self.asked.clone()).collect(),
            ];
            for outcome in &last {
                lists.push(self.questions_of_last(outcome)?);
            }
            let mut answers = self.answered_each(lists).into_iter();
            let mut next = || answers.next().expect("an answer for each list");
            let (lengths, ends, asked) = (next(), next(), next());
            let last = last.into_iter().map(|outcome| last_number(outcome, next()));
            Ok(TrackSummary {
                lengths: self.lengths(lengths?, FARTHEST)?,
                ends: ends?,
                last: last.collect::<Result<_, Error>>()?,
                shows: self.answered(shows)?,
                first: first.collect::<Result<_, Error>>()?,
                asked: asked?,
            })
        })
    }

    fn questions_of_lengths(&self) -> Result<Vec<(AnswerKind, Query)>, Error> {
        Ok(questions::asked(lengths::moments(&self.check)?).collect())
    }

    /// Questions about a number at the end.
    fn questions_of_last(&self, outcome: &Outcome) -> Result<Vec<(AnswerKind, Query)>, Error> {
        let name = &outcome.name;
        let moments = [format!("mean({name})"), format!("variance({name})")];
        let queries = settings::queries(&self.check, &moments)?;
        Ok(questions::asked(queries).collect())
    }

    fn lengths(&self, moments: Vec<NamedAnswer>, farthest: usize) -> Result<TrackLengths, Error> {
        let moments = moments.into_iter().map(|named| named.answer).collect();
        let reach = (self.horizon, farthest);
        let budget = self.limits.budget();
        TrackLengths::with_moments(&self.check, &self.rounds, moments, reach, &budget)
    }

    /// The answers to several lists of questions: to all at once, since those about the same rounds are one; or to each list
    /// by itself, where one has no answer.
    fn answered_each(
        &self,
        lists: Vec<Vec<(AnswerKind, Query)>>,
    ) -> Vec<Result<Vec<NamedAnswer>, ExactError>> {
        let counts: Vec<usize> = lists.iter().map(Vec::len).collect();
        match self.answered(lists.concat()) {
            Ok(answers) => {
                let mut answers = answers.into_iter();
                let own = |count| Ok(answers.by_ref().take(count).collect());
                counts.into_iter().map(own).collect()
            }
            Err(_) => lists.into_iter().map(|list| self.answered(list)).collect(),
        }
    }

    fn answered(&self, queries: Vec<(AnswerKind, Query)>) -> Result<Vec<NamedAnswer>, ExactError> {
        let budget = self.limits.budget();
        let playable = self.rounds.playable(&self.check, &self.config, &budget);
        questions::answered_in(&playable, queries)
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
        let playable = self.rounds.playable(&self.check, &self.config, &budget);
        let dist = match playable.distribution(outcome) {
            Ok(dist) => Some(dist),
            Err(ExactError::OverBudget { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let name = outcome.name.clone();
        Ok(NamedNumber { name, dist })
    }
}

/// A number at the end, from the answers about it.
fn last_number(
    outcome: &Outcome,
    found: Result<Vec<NamedAnswer>, ExactError>,
) -> Result<LastNumber, Error> {
    let found = match found {
        Ok(found) => Ok(found),
        Err(ExactError::NeverEnds { .. }) => Err("none: there may be no end"),
        Err(ExactError::OverBudget { .. }) => Err("over the budget"),
        Err(error) => return Err(error.into()),
    };
    let name = outcome.name.clone();
    let moments = found.map(|found| found.into_iter().map(|named| named.answer).collect());
    Ok(LastNumber { name, moments })
}

fn named(name: String, kind: AnswerKind, answer: Answer) -> NamedAnswer {
    NamedAnswer { name, kind, answer }
}

fn chance(name: String, share: RBig) -> NamedAnswer {
    let (weight, total) = share.into_parts();
    named(name, AnswerKind::Probability, Answer { weight, total })
}

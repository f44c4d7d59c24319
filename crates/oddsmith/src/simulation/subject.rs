//! What is rolled: a check, a track, a contest or dice, and what is asked of it.

use std::ops::Range;

use oddsmith_exact::{Dist, Error as ExactError, Rounds, UBig, answers, distribution};
use oddsmith_rules::program::plays_track;
use oddsmith_rules::{Check, Config, InputRange, Query};
use oddsmith_simulate::MOST_ROUNDS;

use super::known::CHEAP;
use super::picked::put_to_trials;
use super::request::SimulationRequest;
use crate::answer::AnswerKind;
use crate::lengths::TrackLengths;
use crate::names::{ContestNames, SimulationNames};
use crate::{ContestRequest, Dice, Error, Game, Limits, Wanted, questions, settings};

/// Configurations that are rolled in one run at the most.
const MOST_CONFIGURATIONS: u128 = 100_000;
/// Values of dice that have a row each.
const MOST_VALUES: usize = 100;
/// More rows than this are made fewer: values at either end have one row for all of them,
const LONG: usize = 40;
/// if together they are rarer than one in this many.
const RARE: u32 = 1000;

/// What is rolled.
pub(super) struct Subject {
    pub(super) title: String,
    /// What it is called in data.
    pub(super) names: SimulationNames,
    pub(super) check: Check,
    pub(super) config: Config,
    sort: Sort,
    /// What the user asks.
    asked: Vec<Query>,
    /// What the user sets.
    sets: Vec<String>,
    /// For what is asked where the user asks nothing.
    limits: Limits,
    /// Rounds after which a trial of a track is stopped.
    pub(super) most_rounds: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Check,
    Track,
    Contest,
    Dice,
}

/// What is asked in one configuration.
#[derive(Default)]
pub(super) struct Questions {
    pub(super) list: Vec<(AnswerKind, Query)>,
    /// Those of which exactly one happens in each trial.
    pub(super) partition: Range<usize>,
    /// What these are.
    pub(super) partition_name: String,
    /// Whether they are about a track's end, to which a trial that was stopped does not come.
    pub(super) is_of_end: bool,
}

impl Subject {
    /// A check, a track or a contest of a game.
    pub(super) fn of_game(game: &Game, request: &SimulationRequest) -> Result<Self, Error> {
        let subject = match &request.sides {
            Some(sides) => Self::contest(game, sides, request)?,
            None => Self::check(game, request)?,
        };
        subject.asked(request)
    }

    /// A dice expression.
    pub(super) fn of_expression(dice: &Dice, request: &SimulationRequest) -> Result<Self, Error> {
        let subject = Self {
            title: dice.text.clone(),
            names: SimulationNames::Dice {
                expression: dice.text.clone(),
            },
            check: dice.check.clone(),
            config: dice.check.defaults(),
            sort: Sort::Dice,
            asked: Vec::new(),
            sets: Vec::new(),
            limits: Limits::default(),
            most_rounds: MOST_ROUNDS,
        };
        subject.asked(request)
    }

    /// With what the request says of all subjects alike.
    fn asked(mut self, request: &SimulationRequest) -> Result<Self, Error> {
        self.asked = settings::queries(&self.check, &request.queries)?;
        let has_rounds =
            self.check.rounds.is_some() || plays_track(self.check.program().statements());
        if request.rounds.is_some() && !has_rounds {
            let message = "`--rounds` is for what goes on until it ends: tracks and contests";
            return Err(Error::advice(message, "leave it out: a check is one roll"));
        }
        self.most_rounds = request.rounds.unwrap_or(MOST_ROUNDS);
        Ok(self)
    }

    /// What it costs to find out what to ask; where nothing exact is wanted, only what is cheap.
    pub(super) fn within(mut self, request: &SimulationRequest, limits: &Limits) -> Self {
        self.limits = match request.is_rolled_only {
            true => limits.at_most(CHEAP),
            false => limits.clone(),
        };
        self
    }

    fn check(game: &Game, request: &SimulationRequest) -> Result<Self, Error> {
        let check = game.find(request.check.as_deref(), Wanted::Either)?.clone();
        let check = settings::with_goal(check, request.maximise.as_deref())?;
        let (ruleset, name) = (game.name().to_owned(), check.name.clone());
        let (sort, names) = match check.rounds {
            None => (
                Sort::Check,
                SimulationNames::Check {
                    ruleset,
                    check: name,
                },
            ),
            Some(_) => (
                Sort::Track,
                SimulationNames::Track {
                    ruleset,
                    track: name,
                },
            ),
        };
        Ok(Self {
            title: game.title_of(&check),
            names,
            config: request.settings.config(&check)?,
            check,
            sort,
            asked: Vec::new(),
            sets: request.settings.texts().map(str::to_owned).collect(),
            limits: Limits::default(),
            most_rounds: MOST_ROUNDS,
        })
    }

    fn contest(
        game: &Game,
        sides: &ContestRequest,
        request: &SimulationRequest,
    ) -> Result<Self, Error> {
        if request.maximise.is_some() {
            let message = "`--maximise` is for one side; both sides of a contest have the goals of the ruleset";
            return Err(Error::advice(message, "change `maximise` in a copy of it"));
        }
        let either = game.find(sides.check.as_deref(), Wanted::Either)?;
        if either.rounds.is_some() {
            let message = format!(
                "`{}` is a track, and a contest is between checks",
                either.name
            );
            let target = match &sides.check {
                Some(check) => format!("{}:{check}", game.name()),
                None => game.name().to_owned(),
            };
            let help = format!("`oddsmith simulate {target}` without `--a`, `--b` and `--against`");
            return Err(Error::advice(message, help));
        }
        let contest = game.contest(sides)?;
        let [a, b] = contest.names();
        Ok(Self {
            title: format!("{} · {a} against {b}", game.title()),
            names: SimulationNames::Contest(ContestNames::of(game, &contest)),
            sets: contest.settings.texts().map(str::to_owned).collect(),
            check: contest.check,
            config: contest.config,
            sort: Sort::Contest,
            asked: Vec::new(),
            limits: Limits::default(),
            most_rounds: MOST_ROUNDS,
        })
    }

    /// The swept axes.
    pub(super) fn ranges(&self, sweeps: &[String]) -> Result<Vec<InputRange>, Error> {
        settings::ranges(&self.check, sweeps, &self.sets)
    }

    /// Every combination of the ranges' values, the last range fastest, but for those that break a requirement
    /// of the ruleset. If all do, the first one's error.
    pub(super) fn configurations(&self, ranges: &[InputRange]) -> Result<Vec<Config>, Error> {
        let sizes = ranges.iter().map(|range| range.values.len() as u128);
        let count = sizes.fold(1, u128::saturating_mul);
        if count > MOST_CONFIGURATIONS {
            let message = format!("a sweep of {count} configurations is too long to roll");
            return Err(Error::advice(message, "sweep fewer axes or fewer values"));
        }
        let mut broken = None;
        let mut legal = Vec::new();
        for config in self.combinations(ranges) {
            match answers(&self.check, &config, &[], &self.limits.budget()) {
                Err(error @ ExactError::Requirement { .. }) => broken = broken.or(Some(error)),
                // What can't be carried out is told beside what the trials meet.
                _ => legal.push(config),
            }
        }
        match broken {
            Some(error) if legal.is_empty() => Err(error.into()),
            _ => Ok(legal),
        }
    }

    fn combinations(&self, ranges: &[InputRange]) -> Vec<Config> {
        let mut configs = vec![self.config.clone()];
        for range in ranges {
            let with = |config: &Config, value: i64| {
                let mut config = config.clone();
                config.put(range.input, value);
                config
            };
            let all = configs
                .iter()
                .flat_map(|config| range.values.iter().map(move |&value| with(config, value)));
            configs = all.collect();
        }
        configs
    }

    /// What is asked in a configuration: what the command for it shows by itself, and what the user asks.
    pub(super) fn questions(&self, config: &Config) -> Result<Questions, Error> {
        let mut questions = match self.sort {
            Sort::Check => self.of_check()?,
            Sort::Track => self.of_track(config)?,
            Sort::Contest => self.of_contest()?,
            Sort::Dice => self.of_dice(config)?,
        };
        for query in &self.asked {
            let put = put_to_trials(&self.check, config, query, &self.limits.budget())?;
            questions::asked(put).for_each(|asked| questions.push_new(asked));
        }
        Ok(questions)
    }

    fn ask(&self, texts: &[String]) -> Result<Vec<(AnswerKind, Query)>, Error> {
        let queries = settings::queries(&self.check, texts)?;
        Ok(questions::asked(queries).collect())
    }

    /// Bands and flags; without them and without other questions the means.
    fn of_check(&self) -> Result<Questions, Error> {
        let mut questions = Questions::of(questions::own(&self.check), &self.check);
        if questions.list.is_empty() && self.asked.is_empty() {
            questions.list = questions::asked(settings::means(&self.check)?).collect();
        }
        Ok(questions)
    }

    /// Bands and flags, of the end and of one roll; if nothing was asked, also the number of rolls and the means.
    fn of_track(&self, config: &Config) -> Result<Questions, Error> {
        let rounds = Rounds::new(&self.check, config, &self.limits.budget()).ok();
        let begins = rounds.as_ref().is_none_or(Rounds::begins);
        let own = if begins {
            questions::own(&self.check)
        } else {
            questions::own_of(&self.check, false)
        };
        let mut questions = Questions::of(own, &self.check);
        if self.asked.is_empty() {
            let name = questions::rounds_name(&self.check);
            let mut texts = vec![format!("mean({name})"), format!("variance({name})")];
            let numbers = questions::numbers_of(&self.check);
            let numbers = numbers.filter(|number| begins || !number.first_round);
            texts.extend(numbers.map(|number| format!("mean({})", number.name)));
            questions.list.extend(self.ask(&texts)?);
            if let Some(rounds) = &rounds {
                self.push_lengths(config, rounds, &mut questions)?;
            }
        }
        Ok(questions)
    }

    /// The odds of every number of rolls, as far as `oddsmith track` lists them; they are what is compared as a
    /// whole unless there are bands.
    fn push_lengths(
        &self,
        config: &Config,
        rounds: &Rounds,
        questions: &mut Questions,
    ) -> Result<(), Error> {
        let budget = self.limits.budget();
        let rolls = TrackLengths::of(&self.check, config, rounds, &budget);
        let Ok(rolls) = rolls else { return Ok(()) };
        let name = &rolls.name;
        let most = self.most_rounds as usize;
        let last = rolls.horizon().min(most);
        let rows = rolls.rows().take_while(|(n, _)| *n <= last);
        let mut texts: Vec<String> = rows.map(|(n, _)| format!("P({name}=={n})")).collect();
        texts.push(format!("P({name}>{last})"));
        let from = questions.list.len();
        questions.list.extend(self.ask(&texts)?);
        if questions.partition.is_empty() {
            questions.partition = from..questions.list.len();
            name.clone_into(&mut questions.partition_name);
        }
        Ok(())
    }

    /// In the order of `oddsmith contest`.
    fn of_contest(&self) -> Result<Questions, Error> {
        let own = questions::own(&self.check).into_iter();
        let (mut bands, flags): (Vec<_>, Vec<_>) =
            own.partition(|(kind, _)| *kind == AnswerKind::Band);
        bands.reverse();
        let mut questions = Questions::of(bands, &self.check);
        let texts = ["A|decided", "B|decided", "mean(rounds)"].map(str::to_owned);
        questions.list.extend(self.ask(&texts)?);
        questions.list.extend(flags);
        Ok(questions)
    }

    /// What was asked; if nothing was, the mean and, if they are not too many, the odds of every value.
    fn of_dice(&self, config: &Config) -> Result<Questions, Error> {
        let mut questions = Questions::default();
        if !self.asked.is_empty() {
            return Ok(questions);
        }
        let budget = self.limits.budget();
        let dist = if_answered(distribution(
            &self.check,
            config,
            &self.check.outcomes[0],
            &budget,
        ))?;
        let mut texts = vec!["mean(value)".to_owned()];
        texts.extend(dist.iter().flat_map(value_by_value));
        questions.list = self.ask(&texts)?;
        questions.partition = 1..questions.list.len();
        "values".clone_into(&mut questions.partition_name);
        Ok(questions)
    }
}

impl Questions {
    /// A check's own questions, whose bands come first.
    fn of(list: Vec<(AnswerKind, Query)>, check: &Check) -> Self {
        let bands = list
            .iter()
            .filter(|(kind, _)| *kind == AnswerKind::Band)
            .count();
        let band = check.band().filter(|_| check.rounds.is_some());
        Self {
            list,
            partition: 0..bands,
            partition_name: "bands".to_owned(),
            is_of_end: bands > 0 && band.is_some_and(|(outcome, _)| !outcome.first_round),
        }
    }

    /// The place behind the bands of a track's end, or else behind all that is asked.
    pub(super) fn after_ends(&self) -> usize {
        if self.is_of_end {
            self.partition.end
        } else {
            self.list.len()
        }
    }

    fn push_new(&mut self, question: (AnswerKind, Query)) {
        let is_known = |(_, known): &(AnswerKind, Query)| known.text == question.1.text;
        if !self.list.iter().any(is_known) {
            self.list.push(question);
        }
    }
}

/// The odds of every value; nothing if they are too many.
fn value_by_value(dist: &Dist) -> Vec<String> {
    let all: Vec<(i64, UBig)> = dist.iter().collect();
    let (low, high) = if all.len() > LONG {
        let last = all.iter().rev();
        (rare(all.iter(), dist.total()), rare(last, dist.total()))
    } else {
        (0, 0)
    };
    let (tail, rest) = all.split_at(low);
    let (middle, head) = rest.split_at(rest.len() - high);
    if middle.len() > MOST_VALUES {
        return Vec::new();
    }
    let tail = tail.last().map(|(value, _)| format!("P(value<={value})"));
    let head = head.first().map(|(value, _)| format!("P(value>={value})"));
    let middle = middle.iter().map(|(value, _)| format!("P(value=={value})"));
    tail.into_iter().chain(middle).chain(head).collect()
}

/// How many of the first values are rare together; none if that is but one.
fn rare<'w>(values: impl Iterator<Item = &'w (i64, UBig)>, total: &UBig) -> usize {
    let mut sum = UBig::ZERO;
    let is_rare = |value: &&(i64, UBig)| {
        sum += &value.1;
        &sum * UBig::from(RARE) < *total
    };
    let count = values.take_while(is_rare).count();
    if count > 1 { count } else { 0 }
}

/// What is over the budget or beyond the exact engine is not known, but no failure.
fn if_answered<T>(found: Result<T, ExactError>) -> Result<Option<T>, ExactError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(ExactError::OverBudget { .. } | ExactError::Unsupported(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

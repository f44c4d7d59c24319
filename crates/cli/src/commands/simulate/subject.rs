//! What is rolled: a check, a track, a contest or dice, and what is asked of it.

use std::ops::Range;

use anyhow::Result;
use oddsmith::Contest;
use oddsmith::wire::ContestNames;
use oddsmith_exact::{Budget, Dist, Error, Rounds, UBig, answers as exact_answers, distribution};
use oddsmith_rules::{Check, Config, InputRange, Query, expression_warnings};
use oddsmith_simulate::MOST_ROUNDS;
use serde_json::{Map, Value, json};

use super::known::CHEAP;
use crate::advice::Advice;
use crate::args::SimulateArgs;
use crate::commands::contest::{request, title};
use crate::failure;
use crate::format::outcomes::Kind;
use crate::rolls::{self, MOST, TrackLengths};
use crate::target::{Target, Wanted};
use crate::{answers, settings};

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
    /// The same for programs.
    pub(super) names: Map<String, Value>,
    pub(super) check: Check,
    pub(super) config: Config,
    sort: Sort,
    /// What the user asks.
    asked: Vec<Query>,
    /// What the user sets.
    sets: Vec<String>,
    /// For what is asked where the user asks nothing.
    budget: u64,
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
    pub(super) list: Vec<(Kind, Query)>,
    /// Those of which exactly one happens in each trial.
    pub(super) partition: Range<usize>,
    /// What these are.
    pub(super) partition_name: String,
    /// Whether they are about a track's end, to which a trial that was stopped does not come.
    pub(super) is_of_end: bool,
}

impl Subject {
    /// What the arguments name.
    pub(super) fn of(args: &SimulateArgs) -> Result<Self> {
        let mut subject = match (&args.dice, &args.target) {
            (Some(dice), _) => Self::dice(dice.trim())?,
            (None, Some(target)) if args.sides.is_given() => Self::contest(target, args)?,
            (None, target) => Self::check(target.as_deref().unwrap_or_default(), args)?,
        };
        subject.asked = settings::queries(&subject.check, &args.asked.queries)?;
        subject.stop_after(args.rounds)?;
        subject.budget = if args.no_exact {
            CHEAP.min(args.cost.budget)
        } else {
            args.cost.budget
        };
        Ok(subject)
    }

    fn stop_after(&mut self, rounds: Option<u32>) -> Result<()> {
        if let (Some(_), None) = (rounds, self.check.rounds) {
            let message = "`--rounds` is for what goes on until it ends: tracks and contests";
            return Err(Advice::error(message, "leave it out: a check is one roll"));
        }
        self.most_rounds = rounds.unwrap_or(MOST_ROUNDS);
        Ok(())
    }

    fn dice(dice: &str) -> Result<Self> {
        let check = oddsmith_rules::expression(dice, "<expression>")?;
        failure::warn(&expression_warnings(dice, "<expression>"));
        let config = check.defaults();
        let names = [("expression", dice)];
        Ok(Self::new(
            dice.to_owned(),
            names.as_slice(),
            check,
            config,
            Sort::Dice,
        ))
    }

    fn check(target: &str, args: &SimulateArgs) -> Result<Self> {
        let target = Target::resolve(target, Wanted::Either)?;
        let check = settings::with_goal(target.check.clone(), args.striving.maximise.as_deref())?;
        let config = settings::config(&check, &args.asked.sets, "--set")?;
        let (sort, noun) = match check.rounds {
            None => (Sort::Check, "check"),
            Some(_) => (Sort::Track, "track"),
        };
        let names = [("ruleset", target.ruleset()), (noun, &target.check.name)];
        let mut subject = Self::new(target.title(), names.as_slice(), check, config, sort);
        subject.sets.clone_from(&args.asked.sets);
        Ok(subject)
    }

    fn contest(target: &str, args: &SimulateArgs) -> Result<Self> {
        if args.striving.maximise.is_some() {
            let message = "`--maximise` is for one side; both sides of a contest have the goals of the ruleset";
            return Err(Advice::error(message, "change `maximise` in a copy of it"));
        }
        let either = Target::resolve(target, Wanted::Either)?;
        if either.check.rounds.is_some() {
            let message = format!(
                "`{}` is a track, and a contest is between checks",
                either.check.name
            );
            let help = format!("`oddsmith simulate {target}` without `--a`, `--b` and `--against`");
            return Err(Advice::error(message, help));
        }
        let target = Target::resolve(target, Wanted::Check)?;
        let contest = target
            .game
            .contest(&request(&target, &args.sides, &args.asked.sets))?;
        let title = title(&target, &contest);
        let names = serde_json::to_value(ContestNames::of(&target.game, &contest))?;
        let Contest {
            check,
            config,
            settings,
            ..
        } = contest;
        let mut subject = Self::new(title, &[], check, config, Sort::Contest);
        subject.names = names.as_object().cloned().unwrap_or_default();
        subject.sets = settings.texts().map(str::to_owned).collect();
        Ok(subject)
    }

    fn new(
        title: String,
        names: &[(&str, &str)],
        check: Check,
        config: Config,
        sort: Sort,
    ) -> Self {
        let names = names
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)));
        Self {
            title,
            names: names.collect(),
            check,
            config,
            sort,
            asked: Vec::new(),
            sets: Vec::new(),
            budget: 0,
            most_rounds: MOST_ROUNDS,
        }
    }

    /// The swept axes.
    pub(super) fn ranges(&self, sweeps: &[String]) -> Result<Vec<InputRange>> {
        Ok(settings::ranges(&self.check, sweeps, &self.sets)?)
    }

    /// Every combination of the ranges' values, the last range fastest, but for those that break a requirement
    /// of the ruleset. If all do, the first one's error.
    pub(super) fn configurations(&self, ranges: &[InputRange]) -> Result<Vec<Config>> {
        let sizes = ranges.iter().map(|range| range.values.len() as u128);
        let count = sizes.fold(1, u128::saturating_mul);
        if count > MOST_CONFIGURATIONS {
            let message = format!("a sweep of {count} configurations is too long to roll");
            return Err(Advice::error(message, "sweep fewer axes or fewer values"));
        }
        let mut broken = None;
        let mut legal = Vec::new();
        for config in self.combinations(ranges) {
            match exact_answers(&self.check, &config, &[], &Budget::new(self.budget)) {
                Err(error @ Error::Requirement { .. }) => broken = broken.or(Some(error)),
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
    pub(super) fn questions(&self, config: &Config) -> Result<Questions> {
        let mut questions = match self.sort {
            Sort::Check => self.of_check()?,
            Sort::Track => self.of_track(config)?,
            Sort::Contest => self.of_contest()?,
            Sort::Dice => self.of_dice(config)?,
        };
        for asked in answers::asked(self.asked.clone()) {
            questions.push_new(asked);
        }
        Ok(questions)
    }

    fn ask(&self, texts: &[String]) -> Result<Vec<(Kind, Query)>> {
        let queries = settings::queries(&self.check, texts)?;
        Ok(answers::asked(queries).collect())
    }

    /// Bands and flags; without them and without other questions the means.
    fn of_check(&self) -> Result<Questions> {
        let mut questions = Questions::of(answers::own(&self.check), &self.check);
        if questions.list.is_empty() && self.asked.is_empty() {
            questions.list = answers::asked(settings::means(&self.check)?).collect();
        }
        Ok(questions)
    }

    /// Bands and flags, of the end and of one roll; if nothing was asked, also the number of rolls and the means.
    fn of_track(&self, config: &Config) -> Result<Questions> {
        let rounds = Rounds::new(&self.check, config, &Budget::new(self.budget)).ok();
        let begins = rounds
            .as_ref()
            .map(|rounds| rolls::begins(rounds, self.budget));
        let begins = begins.and_then(Result::ok).unwrap_or(true);
        let own = if begins {
            answers::own(&self.check)
        } else {
            answers::own_of(&self.check, false)
        };
        let mut questions = Questions::of(own, &self.check);
        if self.asked.is_empty() {
            let name = answers::rounds_name(&self.check);
            let mut texts = vec![format!("mean({name})"), format!("variance({name})")];
            let numbers = answers::numbers_of(&self.check);
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
    ) -> Result<()> {
        let budget = Budget::new(self.budget);
        let rolls = TrackLengths::of(&self.check, config, rounds, None, MOST, &budget);
        let Ok(rolls) = rolls else { return Ok(()) };
        let name = &rolls.name;
        let most = usize::try_from(self.most_rounds)?;
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
    fn of_contest(&self) -> Result<Questions> {
        let own = answers::own(&self.check).into_iter();
        let (mut bands, flags): (Vec<_>, Vec<_>) = own.partition(|(kind, _)| *kind == Kind::Band);
        bands.reverse();
        let mut questions = Questions::of(bands, &self.check);
        let texts = ["A|decided", "B|decided", "mean(rounds)"].map(str::to_owned);
        questions.list.extend(self.ask(&texts)?);
        questions.list.extend(flags);
        Ok(questions)
    }

    /// What was asked; if nothing was, the mean and, if they are not too many, the odds of every value.
    fn of_dice(&self, config: &Config) -> Result<Questions> {
        let mut questions = Questions::default();
        if !self.asked.is_empty() {
            return Ok(questions);
        }
        let budget = Budget::new(self.budget);
        let dist = known(distribution(
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
    fn of(list: Vec<(Kind, Query)>, check: &Check) -> Self {
        let bands = list.iter().filter(|(kind, _)| *kind == Kind::Band).count();
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

    fn push_new(&mut self, question: (Kind, Query)) {
        let is_known = |(_, known): &(Kind, Query)| known.text == question.1.text;
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
fn known<T>(found: Result<T, Error>) -> Result<Option<T>, Error> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::OverBudget { .. } | Error::Unsupported(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

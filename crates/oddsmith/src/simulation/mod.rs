//! Simulations: the dice rolled, and the exact odds held against what comes up.

mod broken;
mod data;
mod judge;
mod known;
mod parts;
mod picked;
mod request;
mod rolling;
mod stopped;
mod subject;

use std::io::Write;
use std::ops::Range;

use oddsmith_exact::{Error as ExactError, policy};
use oddsmith_rules::{Check, Config, InputRange, Policy, Query, setting};
use oddsmith_simulate::{CHUNK, Simulation as Rolls, Sums, Tally};

use crate::answer::AnswerKind;
use crate::part::{Job, PartNumber, PartWriter, Whole, unwritable};
use crate::questions::query_title;
use crate::settings::in_turns;
use crate::{Dice, Error, Game, Limits};

pub use broken::{Broken, How};
pub use data::{Fit, Group, Notes, SimulatedRow, Simulation};
pub use request::{Observer, Progress, SimulationRequest};
pub use rolling::Missed;

use known::{Exact, Known, Oracle};
use parts::{Counts, Rolled};
use rolling::{Awaited, Rolling, TRIALS};
use stopped::{Ending, is_decided};
use subject::{Questions, Subject};

impl Game {
    /// Rolls a check, a track or a contest, and holds the exact odds against what comes up.
    ///
    /// # Errors
    /// If the request does not fit the game; if nothing can be chosen, or nothing be rolled, within the limits.
    ///
    /// ```
    /// use oddsmith::{Game, Limits, SimulationRequest};
    /// let game = Game::open("stars-and-signs")?;
    /// let request = SimulationRequest { trials: Some(10_000), ..SimulationRequest::default() };
    /// let simulation = game.simulate(&request, &Limits::default(), &mut ())?;
    /// assert_eq!(simulation.groups[0].trials, 10_000);
    /// assert_eq!(simulation.contrary(), 0); // the trials are what the exact odds say
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn simulate(
        &self,
        request: &SimulationRequest,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Simulation, Error> {
        let subject = Subject::of_game(self, request)?;
        limits.run(|| simulate(subject, (request, None), limits, observer))
    }

    /// Rolls a part of the trials and writes what they come to; `out` is handed back. None if the observer wanted no more.
    ///
    /// # Errors
    /// As [`Game::simulate`]; if it is not said how many trials there are to be, or the part can't be written.
    pub fn simulate_part<W: Write + Send>(
        &self,
        request: &SimulationRequest,
        part: (&Job, PartNumber),
        limits: &Limits,
        observer: &mut dyn Observer,
        out: W,
    ) -> Result<Option<W>, Error> {
        let subject = Subject::of_game(self, request)?;
        limits.run(|| roll_part(subject, request, part, limits, observer, out))
    }

    /// [`Game::simulate`] with trials that were rolled in parts. [`Whole::demand`] says whether these are parts of it.
    ///
    /// # Errors
    /// As [`Game::simulate`]; if a part can't be read.
    pub fn simulate_merged(
        &self,
        request: &SimulationRequest,
        whole: &Whole,
        limits: &Limits,
    ) -> Result<Simulation, Error> {
        let subject = Subject::of_game(self, request)?;
        limits.run(|| simulate(subject, (request, Some(whole)), limits, &mut ()))
    }
}

impl Dice {
    /// Rolls the dice, and holds their exact odds against what comes up.
    ///
    /// # Errors
    /// As [`Game::simulate`].
    pub fn simulate(
        &self,
        request: &SimulationRequest,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Simulation, Error> {
        let subject = Subject::of_expression(self, request)?;
        limits.run(|| simulate(subject, (request, None), limits, observer))
    }

    /// As [`Game::simulate_part`].
    ///
    /// # Errors
    /// As [`Game::simulate_part`].
    pub fn simulate_part<W: Write + Send>(
        &self,
        request: &SimulationRequest,
        part: (&Job, PartNumber),
        limits: &Limits,
        observer: &mut dyn Observer,
        out: W,
    ) -> Result<Option<W>, Error> {
        let subject = Subject::of_expression(self, request)?;
        limits.run(|| roll_part(subject, request, part, limits, observer, out))
    }

    /// As [`Game::simulate_merged`].
    ///
    /// # Errors
    /// As [`Game::simulate_merged`].
    pub fn simulate_merged(
        &self,
        request: &SimulationRequest,
        whole: &Whole,
        limits: &Limits,
    ) -> Result<Simulation, Error> {
        let subject = Subject::of_expression(self, request)?;
        limits.run(|| simulate(subject, (request, Some(whole)), limits, &mut ()))
    }
}

fn simulate(
    subject: Subject,
    (request, whole): (&SimulationRequest, Option<&Whole>),
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Simulation, Error> {
    let limits = &Limits {
        watch: limits.watch.or(&observer.enough()),
        ..limits.clone()
    };
    let subject = subject.within(request, limits);
    let ranges = subject.ranges(&request.sweeps)?;
    let configs = subject.configurations(&ranges)?;
    let mut rolling = Rolling::new(request, configs.len(), observer, limits).rolled_in(whole)?;
    let (mut groups, mut notes) = (Vec::new(), Notes::default());
    for (at, config) in configs.iter().enumerate() {
        rolling.configuration = at;
        let case = Case::of(&subject, config, (request, limits));
        if rolling.is_over() {
            break;
        }
        match case {
            Ok(case) => groups.extend(case.roll(&ranges, &mut rolling, &mut notes)?),
            Err(error) => notes.broken.push(Broken::unrolled(error)?),
        }
    }
    if rolling.is_over() && rolling.done == 0 {
        return Err(Error::Cancelled);
    }
    let has_settings = subject.config != subject.check.defaults();
    let says_so = !subject.check.inputs.is_empty() && ranges.is_empty();
    let axis = |range: &InputRange| &subject.check.inputs[range.input.0];
    let titles = ranges.iter().map(|range| axis(range).title().to_owned());
    let titles: Vec<String> = titles.collect();
    let words = |group: &Group| {
        let words = titles.iter().zip(&group.told);
        words.map(|(axis, told)| setting(axis, told)).collect()
    };
    let words = in_turns(groups.iter().map(words).collect());
    for (group, words) in groups.iter_mut().zip(words) {
        group.settings = words;
    }
    notes.missed = rolling.missed();
    notes.trials = [rolling.done, rolling.planned()];
    notes.elapsed = rolling.elapsed;
    let mut simulation = Simulation {
        settings: if has_settings || says_so {
            subject.check.tell(&subject.config)
        } else {
            String::new()
        },
        axis_titles: titles,
        axes: ranges.iter().map(|own| axis(own).name.clone()).collect(),
        title: subject.title,
        names: subject.names,
        groups,
        seed: request.seed,
        level: request.level,
        most_rounds: subject.check.rounds.map(|_| subject.most_rounds),
        check: subject.check,
        comparisons: 0,
        limit: request.level,
        is_interrupted: rolling.done < rolling.planned() && rolling.is_over(),
        notes,
    };
    simulation.judge(rolling.looks());
    Ok(simulation)
}

/// Rolls a part of the trials and writes what they come to; none if nobody wanted more.
fn roll_part<W: Write>(
    subject: Subject,
    request: &SimulationRequest,
    (job, number): (&Job, PartNumber),
    limits: &Limits,
    observer: &mut dyn Observer,
    out: W,
) -> Result<Option<W>, Error> {
    demand_number_of_trials(request)?;
    let limits = &Limits {
        watch: limits.watch.or(&observer.enough()),
        ..limits.clone()
    };
    let subject = subject.within(request, limits);
    let configs = subject.configurations(&subject.ranges(&request.sweeps)?)?;
    let most = request.trials.unwrap_or(TRIALS);
    let chunks = most.div_ceil(CHUNK);
    let wanted = number.of_units(chunks.saturating_mul(configs.len() as u64));
    // The exact odds are compared once all is rolled.
    let rolled_only = SimulationRequest {
        is_rolled_only: true,
        ..request.clone()
    };
    let mut rolling = Rolling::new(request, configs.len(), observer, limits);
    let mut writer = PartWriter::new(out, job, number).map_err(|error| unwritable(&error))?;
    for (configuration, config) in configs.iter().enumerate() {
        let first = chunks * configuration as u64;
        let chunk = |number: u64| number.clamp(first, first + chunks) - first;
        let trials = chunk(wanted.start) * CHUNK..most.min(chunk(wanted.end).saturating_mul(CHUNK));
        if trials.is_empty() {
            continue;
        }
        let counts = match Case::of(&subject, config, (&rolled_only, limits)) {
            Ok(case) => counted(&case, trials.clone(), &mut rolling)?,
            // It is told by whoever puts the parts together, and nothing is rolled there.
            Err(error) => Broken::unrolled(error).map(|_| None)?,
        };
        if rolling.is_over() {
            return Ok(None);
        }
        let rolled = Rolled {
            configuration,
            trials,
            counts,
        };
        writer.result(&rolled).map_err(|error| unwritable(&error))?;
    }
    let out = writer.finish().map_err(|error| unwritable(&error))?;
    Ok(Some(out))
}

/// The counts of some trials; none if one met a rule that can't be carried out.
fn counted(
    case: &Case<'_>,
    trials: Range<u64>,
    rolling: &mut Rolling<'_>,
) -> Result<Option<Counts>, Error> {
    let tally = { case.rolls() }.and_then(|rolls| rolling.roll_some(&rolls, trials));
    match tally {
        Ok(tally) => Ok(Some(Counts::of(&tally))),
        Err(error) => Broken::met(error, None).map(|_| None),
    }
}

/// Refuses trials that go on until they say enough: how many there will be is not known before.
fn demand_number_of_trials(request: &SimulationRequest) -> Result<(), Error> {
    if request.until_error.is_none() {
        return Ok(());
    }
    let message = "trials that go on until an error is small enough can't be cut into parts";
    let help = "say how many there are to be: `--trials 1e9` in place of `--until-error`";
    Err(Error::advice(message, help))
}

/// A configuration, and what is known of it before it is rolled.
struct Case<'s> {
    check: &'s Check,
    config: &'s Config,
    questions: Questions,
    known: Vec<Known>,
    policy: Policy,
    most_rounds: u32,
    /// Of a track, if it is known.
    ending: Option<Ending<'s>>,
}

impl<'s> Case<'s> {
    fn of(
        subject: &'s Subject,
        config: &'s Config,
        (request, limits): (&SimulationRequest, &'s Limits),
    ) -> Result<Self, Error> {
        let check = &subject.check;
        let questions = subject.questions(config)?;
        let oracle = Oracle {
            check,
            config,
            limits,
        };
        let policy = best_policy(check, config, limits)?;
        let most_rounds = subject.most_rounds;
        let ending =
            (!request.is_rolled_only).then(|| Ending::of(check, config, most_rounds, limits));
        Ok(Self {
            known: if request.is_rolled_only {
                questions.list.iter().map(|_| Known::unasked()).collect()
            } else {
                oracle.known(&questions.list)
            },
            policy,
            most_rounds,
            ending: ending.flatten(),
            check,
            config,
            questions,
        })
    }

    /// The rows, and what is to be said of them. If a trial meets a rule that can't be carried out there are none, and
    /// that is noted.
    fn roll(
        &self,
        ranges: &[InputRange],
        rolling: &mut Rolling<'_>,
        notes: &mut Notes,
    ) -> Result<Option<Group>, Error> {
        let broken = self.broken();
        let tally = match self.tally(rolling) {
            Ok(tally) if tally.trials == 0 => return Ok(None),
            Ok(tally) => tally,
            Err(error) => {
                notes.broken.push(Broken::met(error, broken)?);
                return Ok(None);
            }
        };
        notes
            .broken
            .extend(broken.map(|error| Broken::unmet(error, tally.trials)));
        notes.unknown.extend(self.unknown());
        notes.choosing += usize::from(!self.policy.choices.is_empty());
        Ok(Some(self.group(ranges, &tally)))
    }

    fn tally(&self, rolling: &mut Rolling<'_>) -> Result<Tally, Error> {
        let dice = self.rolls()?;
        let awaited = |((kind, query), known): (&(AnswerKind, Query), &Known)| {
            let is_awaited =
                !judge::is_spread(*kind) && !matches!(known.exact, Exact::NeverHappens);
            is_awaited.then(|| Awaited {
                kind: query.kind.clone(),
                variance: known.spread.variance,
            })
        };
        let questions = self.questions.list.iter().zip(&self.known);
        let awaited: Vec<Option<Awaited>> = questions.map(awaited).collect();
        rolling.roll(&dice, &awaited)
    }

    /// The dice, ready to be rolled.
    fn rolls(&self) -> Result<Rolls, Error> {
        let queries: Vec<Query> = self.queries().cloned().collect();
        let (check, config) = (self.check, self.config);
        let dice = Rolls::stopped_after(self.most_rounds, check, config, &queries, &self.policy);
        Ok(dice?)
    }

    fn queries(&self) -> impl Iterator<Item = &Query> {
        self.questions.list.iter().map(|(_, query)| query)
    }

    fn group(&self, ranges: &[InputRange], tally: &Tally) -> Group {
        let is_settled = tally.unfinished == 0 || self.is_settled(tally.trials);
        let rows = self.questions.list.iter().zip(&self.known).zip(&tally.sums);
        let row = |((question, known), sums): ((&(AnswerKind, Query), &Known), &Sums)| {
            let is_known = is_settled || is_decided(self.check, &question.1, self.most_rounds);
            let row = judge::row(question, known, sums, is_known);
            let title = query_title(self.check, &row.name);
            SimulatedRow { title, ..row }
        };
        let mut rows: Vec<SimulatedRow> = rows.map(row).collect();
        let unended = self.unended(tally, is_settled);
        let fit = judge::fit(
            &self.questions,
            &self.known,
            (&rows, unended.as_ref()),
            &tally.sums,
        );
        let place = self.questions.after_ends();
        rows.splice(place..place, unended);
        let value = |range: &InputRange| {
            let value = self.config[range.input];
            (&self.check.inputs[range.input.0], value)
        };
        let values = ranges.iter().map(value);
        Group {
            settings: String::new(),
            told: values.clone().map(|(input, own)| input.told(own)).collect(),
            values: values.map(|(input, own)| input.domain.show(own)).collect(),
            config: self.config.clone(),
            rows,
            fit,
            trials: tally.trials,
            unfinished: tally.unfinished,
            is_settled,
            dice: tally.dice,
        }
    }

    fn is_settled(&self, trials: u64) -> bool {
        let ending = self.ending.as_ref();
        ending.is_some_and(|ending| ending.is_settled(trials))
    }

    /// The trials that were stopped, as a row of their own; none if there are none and could be none.
    fn unended(&self, tally: &Tally, is_settled: bool) -> Option<SimulatedRow> {
        let ending = self.ending.as_ref();
        if tally.unfinished == 0 && !ending.is_some_and(Ending::may_never_be) {
            return None;
        }
        let exact = ending.and_then(|ending| ending.unended(is_settled));
        Some(judge::unended(tally, exact))
    }

    /// Why a rule can't be carried out with what some rolls show.
    fn broken(&self) -> Option<&ExactError> {
        self.known.iter().find_map(|known| match &known.exact {
            Exact::Broken(error) => Some(error),
            _ => None,
        })
    }

    /// Questions without an exact answer, and why.
    fn unknown(&self) -> impl Iterator<Item = (String, String)> {
        let all = self.queries().zip(&self.known);
        all.filter_map(|(query, known)| match &known.exact {
            Exact::Unknown(why) => Some((query.text.clone(), why.clone())),
            _ => None,
        })
    }
}

/// What is chosen wherever the player may choose.
fn best_policy(check: &Check, config: &Config, limits: &Limits) -> Result<Policy, Error> {
    policy(check, config, &limits.budget()).map_err(|error| match &error {
        ExactError::OverBudget { help, .. } => {
            let message = format!("the best policy could not be found: {error}");
            Error::advice(message, help)
        }
        _ => error.into(),
    })
}

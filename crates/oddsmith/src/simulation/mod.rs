//! Simulations: the dice rolled, and the exact odds held against what comes up.

mod broken;
mod data;
mod judge;
mod known;
mod picked;
mod request;
mod rolling;
mod stopped;
mod subject;

use oddsmith_exact::{Error as ExactError, policy};
use oddsmith_rules::{Check, Config, InputRange, Policy, Query};
use oddsmith_simulate::{Simulation as Rolls, Sums, Tally};

use crate::answer::AnswerKind;
use crate::{Dice, Error, Game, Limits};

pub use broken::{Broken, How};
pub use data::{Fit, Group, Notes, SimulatedRow, Simulation};
pub use request::{Observer, Progress, SimulationRequest};
pub use rolling::Missed;

use known::{Exact, Known, Oracle};
use rolling::{Awaited, Rolling};
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
        limits.run(|| simulate(subject, request, limits, observer))
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
        limits.run(|| simulate(subject, request, limits, observer))
    }
}

fn simulate(
    subject: Subject,
    request: &SimulationRequest,
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
    let mut rolling = Rolling::new(request, configs.len(), observer, limits);
    let (mut groups, mut notes) = (Vec::new(), Notes::default());
    for config in &configs {
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
    let axis = |range: &InputRange| subject.check.inputs[range.input.0].name.clone();
    notes.missed = rolling.missed();
    notes.trials = [rolling.done, rolling.planned()];
    notes.elapsed = rolling.elapsed;
    let mut simulation = Simulation {
        settings: if has_settings || says_so {
            subject.check.tell(&subject.config)
        } else {
            String::new()
        },
        axes: ranges.iter().map(axis).collect(),
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
        let queries: Vec<Query> = self.queries().cloned().collect();
        let (check, config) = (self.check, self.config);
        let dice = Rolls::stopped_after(self.most_rounds, check, config, &queries, &self.policy)?;
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

    fn queries(&self) -> impl Iterator<Item = &Query> {
        self.questions.list.iter().map(|(_, query)| query)
    }

    fn group(&self, ranges: &[InputRange], tally: &Tally) -> Group {
        let is_settled = tally.unfinished == 0 || self.is_settled(tally.trials);
        let rows = self.questions.list.iter().zip(&self.known).zip(&tally.sums);
        let row = |((question, known), sums): ((&(AnswerKind, Query), &Known), &Sums)| {
            let is_known = is_settled || is_decided(self.check, &question.1, self.most_rounds);
            judge::row(question, known, sums, is_known)
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
            let domain = &self.check.inputs[range.input.0].domain;
            domain.show(self.config[range.input])
        };
        Group {
            values: ranges.iter().map(value).collect(),
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

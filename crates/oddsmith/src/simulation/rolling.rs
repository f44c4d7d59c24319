//! Trials in waves: as many as were asked for, or until they say enough, or until nobody wants more.

use std::ops::Range;
use std::time::{Duration, Instant};

use oddsmith_exact::Error as ExactError;
use oddsmith_rules::QueryKind;
use oddsmith_simulate::{CHUNK, Estimate, SPREAD, Simulation, Sums, Tally};

use super::parts::RolledParts;
use super::request::{Observer, Progress, SimulationRequest};
use crate::part::Whole;
use crate::{Error, Limits};

/// Trials of a configuration where nothing is said.
pub(super) const TRIALS: u64 = 1_000_000;
/// Trials at the most until an error is small enough.
const MOST_TRIALS: u64 = 100_000_000_000;
/// What a wave should take: then the progress bar is seen to move.
const WAVE: Duration = Duration::from_millis(100);
/// The trials of one configuration after the other.
pub(super) struct Rolling<'o> {
    seed: u64,
    /// Trials of a configuration, at the most.
    most: u64,
    until_error: Option<f64>,
    configurations: u64,
    observer: &'o mut dyn Observer,
    /// Their watch is cancelled when nobody wants more.
    limits: &'o Limits,
    /// Trials of all configurations so far, and what they took.
    pub(super) done: u64,
    pub(super) elapsed: Duration,
    /// Chunks in a wave, by the time that they take.
    wave: u64,
    /// The largest error with which trials were over before it was small enough.
    missed: f64,
    /// What was rolled in parts already, if it was.
    parts: Option<RolledParts>,
    /// The place of the configuration at hand.
    pub(super) configuration: usize,
}

/// An error that trials did not make as small as was asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
    /// The largest standard error after all trials.
    pub error: f64,
    /// The standard error that was asked for.
    pub asked: f64,
    /// The trials of a configuration.
    pub trials: u64,
}

impl<'o> Rolling<'o> {
    /// Nothing rolled yet.
    pub(super) fn new(
        request: &SimulationRequest,
        configurations: usize,
        observer: &'o mut dyn Observer,
        limits: &'o Limits,
    ) -> Self {
        let most = match request.until_error {
            None => TRIALS,
            Some(_) => MOST_TRIALS,
        };
        let most = request.trials.unwrap_or(most);
        let configurations = configurations as u64;
        observer.plan(most.saturating_mul(configurations));
        Self {
            seed: request.seed,
            most,
            until_error: request.until_error,
            configurations,
            observer,
            limits,
            done: 0,
            elapsed: Duration::ZERO,
            wave: threads(),
            missed: 0.0,
            parts: None,
            configuration: 0,
        }
    }

    /// The same with trials that were rolled in parts.
    pub(super) fn rolled_in(mut self, whole: Option<&Whole>) -> Result<Self, Error> {
        if let Some(whole) = whole {
            let configurations = usize::try_from(self.configurations).unwrap_or(usize::MAX);
            self.parts = Some(RolledParts::read(whole, configurations, self.most)?);
        }
        Ok(self)
    }

    /// Rolls some trials of a configuration, which begin with a chunk.
    pub(super) fn roll_some(
        &mut self,
        simulation: &Simulation,
        trials: Range<u64>,
    ) -> Result<Tally, Error> {
        self.demand_steps(simulation, trials.end - trials.start)?;
        let mut tally = Tally::default();
        self.roll_to(trials, simulation, &mut tally)?;
        Ok(tally)
    }

    /// Whether nobody wants more.
    pub(super) fn is_over(&self) -> bool {
        self.limits.watch.is_cancelled()
    }

    /// What `--until-error` asked for in vain.
    pub(super) fn missed(&self) -> Option<Missed> {
        let missed = Missed {
            error: self.missed,
            asked: self.until_error?,
            trials: self.most,
        };
        (missed.error > missed.asked).then_some(missed)
    }

    /// Trials of all configurations, at the most.
    pub(super) fn planned(&self) -> u64 {
        self.most.saturating_mul(self.configurations)
    }

    /// How often it may be looked at the counts: once, or each time that they have doubled.
    pub(super) fn looks(&self) -> u32 {
        match self.until_error {
            None => 1,
            Some(_) => 1 + self.most.div_ceil(CHUNK).next_power_of_two().ilog2(),
        }
    }

    /// Rolls one configuration; `awaited` are the queries whose errors must be small enough, at their places.
    ///
    /// Whether they are is looked at after certain numbers of trials, so that it depends neither on the threads
    /// nor on the time; only an observer who wants no more ends it anywhere else.
    pub(super) fn roll(
        &mut self,
        simulation: &Simulation,
        awaited: &[Option<Awaited>],
    ) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        if let Some(parts) = &self.parts {
            let tally = parts.tally(self.configuration, simulation, self.seed)?;
            self.count(tally.trials, Duration::ZERO);
            return Ok(tally);
        }
        let mut next = match self.until_error {
            None => self.most,
            Some(_) => CHUNK.min(self.most),
        };
        self.demand_steps(simulation, next)?;
        loop {
            self.roll_to(tally.trials..next, simulation, &mut tally)?;
            let error = largest_error(awaited, &tally);
            let is_enough = self.until_error.is_none_or(|enough| error <= enough);
            if !is_enough && tally.trials == self.most {
                self.missed = self.missed.max(error);
            }
            if is_enough || next == self.most || self.is_over() {
                return Ok(tally);
            }
            next = next.saturating_mul(2).min(self.most);
            self.expect(&tally, error);
        }
    }

    /// Refuses trials whose dice alone are over the budget.
    fn demand_steps(&self, simulation: &Simulation, trials: u64) -> Result<(), Error> {
        let (least, most) = (simulation.least_steps(trials), self.limits.steps);
        if least <= u128::from(most) {
            return Ok(());
        }
        let error = ExactError::OverBudget {
            what: format!("rolling {trials} trials"),
            predicted: least,
            limit: most,
            help: "ask for fewer (`--trials`), or for fewer dice; or raise the budget (`--budget`)"
                .to_owned(),
        };
        Err(error.into())
    }

    /// In waves.
    fn roll_to(
        &mut self,
        trials: Range<u64>,
        simulation: &Simulation,
        tally: &mut Tally,
    ) -> Result<(), Error> {
        let Range {
            mut start,
            end: goal,
        } = trials;
        while start < goal {
            let end = goal.min(start.saturating_add(self.wave.saturating_mul(CHUNK)));
            let began = Instant::now();
            let watch = &self.limits.watch;
            let is_over = || watch.is_cancelled();
            let rolled = simulation.run_until(self.seed, start..end, &is_over)?;
            let Some(rolled) = rolled else {
                break;
            };
            self.count(rolled.trials, began.elapsed());
            tally.add(&rolled)?;
            start = end;
        }
        Ok(())
    }

    /// Takes notice of a wave, and makes the next one as long as it should be.
    fn count(&mut self, trials: u64, took: Duration) {
        self.done = self.done.saturating_add(trials);
        self.elapsed += took;
        let fit = WAVE.as_micros() * u128::from(self.wave) / took.as_micros().max(1);
        let fit = u64::try_from(fit).unwrap_or(u64::MAX);
        self.wave = fit
            .clamp(self.wave / 2, self.wave.saturating_mul(2))
            .max(threads());
        let progress = Progress {
            done: self.done,
            elapsed: self.elapsed,
        };
        self.observer.rolled(progress);
    }

    /// Moves the end of the progress bar to where the error should be small enough: it falls with the square
    /// root of the trials.
    fn expect(&mut self, tally: &Tally, error: f64) {
        let Some(enough) = self.until_error else {
            return;
        };
        let needed = tally.trials as f64 * (error / enough).powi(2);
        let mut end = tally.trials;
        while (end as f64) < needed && end < self.most {
            end = end.saturating_mul(2).min(self.most);
        }
        let before = self.done - tally.trials;
        self.observer.expect(before.saturating_add(end));
    }
}

fn threads() -> u64 {
    u64::try_from(rayon::current_num_threads()).unwrap_or(1)
}

/// A query whose error must be small enough.
pub(super) struct Awaited {
    pub(super) kind: QueryKind,
    /// Of a mean's single values, if it is known.
    pub(super) variance: Option<f64>,
}

impl Awaited {
    /// The standard error, infinite where nothing is known yet. What never happened or always did is not certain
    /// for that: its error is taken from its interval, or from the variance that is known, in which a jackpot that
    /// has not come up counts.
    fn error(&self, sums: &Sums) -> f64 {
        if sums.unfinished > 0 {
            // More trials would not make it known.
            return 0.0;
        }
        let Some(estimate) = Estimate::of(&self.kind, sums) else {
            return f64::INFINITY;
        };
        let half = (estimate.high - estimate.low) / 2.0;
        let observed = estimate.std_error.max(half / SPREAD);
        let known = self
            .variance
            .filter(|_| matches!(self.kind, QueryKind::Mean(_)));
        known.map_or(observed, |variance| {
            observed.max((variance / sums.trials as f64).sqrt())
        })
    }
}

/// The largest standard error of what is awaited.
fn largest_error(awaited: &[Option<Awaited>], tally: &Tally) -> f64 {
    let all = awaited.iter().zip(&tally.sums);
    let errors = all.filter_map(|(awaited, sums)| Some(awaited.as_ref()?.error(sums)));
    errors.fold(0.0, f64::max)
}

//! The simulator: a checked model rolled, billions of times, in columns of trials and in parallel.
//!
//! It shares the model with the exact engine and nothing else, so that where the two agree, each is evidence for the
//! other. Every trial rolls its dice. The same seed gives the same counts on any machine and any number of threads,
//! because trials come in chunks of [`CHUNK`], each with random words of its own, and counts are integers.
//!
//! A script's choices are made by a [`Policy`], which is data. [`Estimate`] says how far off an estimate may be, and
//! [`binomial_p_value`], [`chi_square`] and others how well it agrees with a number that is known.
//!
//! This crate knows nothing of files, arguments or formats, nor of how odds are computed. The `README.md` beside the source
//! tells how it works, with examples that can be checked by hand.
//!
//! ```
//! use oddsmith_rules::Policy;
//! use oddsmith_simulate::Simulation;
//!
//! let check = oddsmith_rules::expression("4d6kh3", "<expression>").unwrap();
//! let query = check.query("P(value >= 16)", "<query>").unwrap();
//! let simulation = Simulation::new(&check, &check.defaults(), &[query], &Policy::default()).unwrap();
//! let tally = simulation.run(42, 0..1_000_000).unwrap();
//! // 169 of 1296, or 0.1304; six standard errors are 0.002.
//! let share = tally.sums[0].powers[0] as f64 / tally.trials as f64;
//! assert!((share - 169.0 / 1296.0).abs() < 0.002);
//! // On two threads or on twenty.
//! let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
//! assert_eq!(pool.install(|| simulation.run(42, 0..1_000_000)).unwrap(), tally);
//! ```

mod column;
mod compile;
mod counts;
mod die;
mod error;
mod estimate;
mod kernels;
mod lane;
mod machine;
mod op;
mod program;
mod schedule;
mod stream;
mod tally;
mod uniform;

use std::ops::Range;

use oddsmith_rules::{Check, Config, Policy, Query};
use pulp::Arch;
use rayon::prelude::*;

use counts::Counts;
use error::Halt;
use machine::Machine;
use op::Op;
use program::Program;

pub use error::Error;
pub use estimate::{
    ChiSquare, Estimate, LEAST_EXPECTED, SPREAD, bernstein_p_value, binomial_p_value, chi_square,
    mean_error, normal_p_value, share_error, variance_error, z,
};
pub use tally::{Sums, Tally};

/// Trials in a chunk. Each chunk has random numbers of its own, made of the seed and the chunk's number, so that
/// it does not matter which thread rolls it.
pub const CHUNK: u64 = 65_536;

/// Chunks whose counts are kept until they are added up.
const WAVE: usize = 1024;

/// Rounds after which [`Simulation::new`] stops a trial of a track.
pub const MOST_ROUNDS: u32 = 10_000;

/// Says whether nobody wants more trials; see [`Simulation::run_until`].
pub type IsOver<'o> = &'o (dyn Fn() -> bool + Sync);

/// A check, a track or a contest in one configuration, ready to be rolled.
#[derive(Debug)]
pub struct Simulation {
    /// One for all that is asked of the end, and one for each number of rounds that something is asked after.
    parts: Vec<Part>,
    queries: usize,
    arch: Arch,
}

/// What is rolled for some of the queries.
#[derive(Debug)]
struct Part {
    program: Program,
    /// Their places among all queries.
    places: Vec<usize>,
    /// See [`Query::after`].
    after: Option<u32>,
}

impl Part {
    /// The queries that are asked after so many rounds, compiled.
    fn new(
        after: Option<u32>,
        (check, config): (&Check, &Config),
        queries: &[Query],
        (policy, rounds): (&Policy, u32),
    ) -> Result<Self, Error> {
        let own = queries.iter().enumerate();
        let own = own.filter(|(_, query)| query.after == after);
        let (places, own): (Vec<usize>, Vec<Query>) =
            own.map(|(place, query)| (place, query.clone())).unzip();
        let program = match after.zip(check.rounds) {
            None => compile::compile(check, config, &own, policy, rounds)?,
            Some((after, counter)) => {
                let mut stopped = check.clone();
                stopped.set_program(check.program().stopped_after(after, counter));
                compile::compile(&stopped, config, &own, policy, rounds)?
            }
        };
        Ok(Self {
            program,
            places,
            after,
        })
    }

    /// Puts what the trials of this part add up to into the tally of all.
    fn put(&self, own: Tally, all: &mut Tally) {
        all.trials = own.trials;
        all.dice += own.dice;
        if self.after.is_none() {
            all.unfinished = own.unfinished;
        }
        for (place, sums) in self.places.iter().zip(own.sums) {
            all.sums[*place] = sums;
        }
    }
}

impl Simulation {
    /// Compiles a script for one configuration and the questions asked of it; `policy` makes its choices.
    ///
    /// # Errors
    /// If the configuration breaks a requirement or a rule can't be carried out in it, or a choice has no policy.
    pub fn new(
        check: &Check,
        config: &Config,
        queries: &[Query],
        policy: &Policy,
    ) -> Result<Self, Error> {
        Self::stopped_after(MOST_ROUNDS, check, config, queries, policy)
    }

    /// Compiles as [`Self::new`] does, with another number of rounds after which a trial of a track is stopped.
    ///
    /// Such a trial has not ended: no event at the end happens to it, a mean of what is shown there does not count it
    /// (but [`Sums::unfinished`] does), and its number of rounds is more than any number that a query compares it with.
    /// What its first round has shown counts like that of any other trial.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn stopped_after(
        rounds: u32,
        check: &Check,
        config: &Config,
        queries: &[Query],
        policy: &Policy,
    ) -> Result<Self, Error> {
        let mut afters = vec![None];
        for query in queries {
            if !afters.contains(&query.after) {
                afters.push(query.after);
            }
        }
        if queries.iter().all(|query| query.after.is_some()) && !queries.is_empty() {
            afters.remove(0);
        }
        let of = (check, config);
        let parts = afters
            .into_iter()
            .map(|after| Part::new(after, of, queries, (policy, rounds)));
        Ok(Self {
            parts: parts.collect::<Result<_, Error>>()?,
            queries: queries.len(),
            arch: Arch::new(),
        })
    }

    /// The simulation without the machine's wider vector instructions; slower, with the same results.
    #[must_use]
    pub fn on_any_machine(self) -> Self {
        let arch = Arch::Scalar;
        Self { arch, ..self }
    }

    /// Rolls these trials on the threads of the current rayon pool. Their results are the same for any number of
    /// threads, and for any way to cut a range into parts at multiples of [`CHUNK`].
    ///
    /// # Errors
    /// If a trial meets something that can't be carried out, such as a list without an item of some number.
    ///
    /// # Panics
    /// If the range does not start at a multiple of [`CHUNK`].
    pub fn run(&self, seed: u64, trials: Range<u64>) -> Result<Tally, Error> {
        let tally = self.run_until(seed, trials, &|| false)?;
        Ok(tally.expect("nobody ends it"))
    }

    /// Rolls these trials as [`Self::run`] does, unless it is over before the last of them: then there is no tally. Each thread
    /// asks whether it is after some thousands of dice, which is well within a tenth of a second; once it is, it has to stay
    /// so.
    ///
    /// # Errors
    /// As [`Self::run`].
    ///
    /// # Panics
    /// As [`Self::run`].
    pub fn run_until(
        &self,
        seed: u64,
        trials: Range<u64>,
        is_over: IsOver<'_>,
    ) -> Result<Option<Tally>, Error> {
        assert_eq!(trials.start % CHUNK, 0, "a range begins with a chunk");
        let mut all = Tally {
            sums: vec![Sums::default(); self.queries],
            ..Tally::default()
        };
        for part in &self.parts {
            let own = part.run_until(seed, trials.clone(), (self.arch, is_over));
            let own = own.map_err(|error| match error {
                Error::Overflow { query } => Error::Overflow {
                    query: part.places[query],
                },
                error => error,
            });
            let Some(own) = own? else {
                return Ok(None);
            };
            part.put(own, &mut all);
        }
        Ok(Some(all))
    }

    /// Steps that so many trials take at the least, a step being about a nanosecond of one core: those of the dice that every
    /// trial rolls, outside of rounds.
    pub fn least_steps(&self, trials: u64) -> u128 {
        let ops = self.parts.iter().flat_map(|part| &part.program.ops);
        let quarters = ops.map(Op::quarter_steps).sum::<u128>();
        (quarters * u128::from(trials)).div_ceil(4)
    }
}

impl Part {
    /// See [`Simulation::run_until`].
    fn run_until(
        &self,
        seed: u64,
        trials: Range<u64>,
        (arch, is_over): (Arch, IsOver<'_>),
    ) -> Result<Option<Tally>, Error> {
        let (first, last) = (trials.start / CHUNK, trials.end.div_ceil(CHUNK));
        let mut all = self.program.tally(&Counts::new(&self.program))?;
        for from in (first..last).step_by(WAVE) {
            let to = last.min(from + WAVE as u64);
            let rolled = (from..to).into_par_iter().map_init(
                || Machine::new(&self.program, arch, is_over),
                |machine, chunk| {
                    let trials = CHUNK.min(trials.end - chunk * CHUNK);
                    machine
                        .chunk(seed, chunk, trials)
                        .or_else(|halt| match halt {
                            Halt::Narrow => self.wide_chunk(seed, chunk, trials, (arch, is_over)),
                            halt => Err(halt),
                        })
                },
            );
            // In the order of the chunks, so that of several errors the same one is met first.
            let rolled: Vec<Result<Tally, Halt>> = rolled.collect();
            for tally in rolled {
                match tally {
                    Ok(tally) => all.add(&tally)?,
                    Err(Halt::Error(error)) => return Err(error),
                    Err(Halt::Over) => return Ok(None),
                    Err(Halt::Narrow) => unreachable!("in wide columns nothing is guessed"),
                }
            }
        }
        Ok(Some(all))
    }

    /// Rolls a chunk in columns that are wide enough for everything.
    fn wide_chunk(
        &self,
        seed: u64,
        chunk: u64,
        trials: u64,
        (arch, is_over): (Arch, IsOver<'_>),
    ) -> Result<Tally, Halt> {
        let beyond = self.program.beyond.as_ref();
        match beyond.expect("something has been guessed") {
            Ok(wide) => Machine::new(wide, arch, is_over).chunk(seed, chunk, trials),
            Err(error) => Err(error.clone().into()),
        }
    }
}

impl Tally {
    /// Adds the trials of another part of the same simulation.
    ///
    /// # Errors
    /// If a sum goes beyond 128 bits.
    pub fn add(&mut self, other: &Self) -> Result<(), Error> {
        if self.sums.is_empty() {
            self.sums.clone_from(&other.sums);
        } else {
            for (query, (sums, more)) in self.sums.iter_mut().zip(&other.sums).enumerate() {
                sums.trials += more.trials;
                sums.unfinished += more.unfinished;
                for (sum, more) in sums.powers.iter_mut().zip(&more.powers) {
                    *sum = sum.checked_add(*more).ok_or(Error::Overflow { query })?;
                }
            }
        }
        self.trials += other.trials;
        self.unfinished += other.unfinished;
        self.dice += other.dice;
        Ok(())
    }
}

//! The simulator: a checked model rolled, millions of times, in parallel.

mod column;
mod compile;
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

use machine::{Counts, Machine};
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

/// Rounds after which a trial of a track is stopped.
pub const MOST_ROUNDS: u32 = 10_000;

/// A check, a track or a contest in one configuration, ready to be rolled.
#[derive(Debug)]
pub struct Simulation {
    program: Program,
    queries: Vec<String>,
    arch: Arch,
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
        Ok(Self {
            program: compile::compile(check, config, queries, policy)?,
            queries: queries.iter().map(|query| query.text.clone()).collect(),
            arch: Arch::new(),
        })
    }

    /// The same simulation without the machine's wider vector instructions; slower, with the same results.
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
        assert_eq!(trials.start % CHUNK, 0, "a range begins with a chunk");
        let (first, last) = (trials.start / CHUNK, trials.end.div_ceil(CHUNK));
        let rolled = (first..last).into_par_iter().map_init(
            || Machine::new(&self.program, self.arch),
            |machine, chunk| {
                let trials = CHUNK.min(trials.end - chunk * CHUNK);
                machine.chunk(seed, chunk, trials)
            },
        );
        // In the order of the chunks, so that of several errors the same one is met first.
        let rolled: Vec<Result<Counts, Error>> = rolled.collect();
        let mut all = Counts::new(&self.program);
        for counts in rolled {
            let sum = all.add(&counts?);
            sum.ok_or_else(|| Error::Overflow {
                query: self.queries.join("`, `"),
            })?;
        }
        self.program.tally(&all, &self.queries)
    }
}

impl Tally {
    /// Adds the trials of another part of the same simulation.
    ///
    /// # Errors
    /// If a sum goes beyond 128 bits; its place among the queries.
    pub fn add(&mut self, other: &Self) -> Result<(), Error> {
        if self.sums.is_empty() {
            self.sums.clone_from(&other.sums);
        } else {
            for (sums, more) in self.sums.iter_mut().zip(&other.sums) {
                sums.trials += more.trials;
                for (sum, more) in sums.powers.iter_mut().zip(&more.powers) {
                    let overflow = || Error::Overflow {
                        query: String::new(),
                    };
                    *sum = sum.checked_add(*more).ok_or_else(overflow)?;
                }
            }
        }
        self.trials += other.trials;
        self.unfinished += other.unfinished;
        self.dice += other.dice;
        Ok(())
    }
}

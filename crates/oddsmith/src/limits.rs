//! What a question may cost, and who watches it.

use oddsmith_exact::{Budget, Watch};

use crate::Error;

/// What a question may cost, on how many threads it is answered, and the handle on which it is watched and cancelled.
///
/// The answer is the same for any number of threads.
///
/// ```
/// use oddsmith::{Error, Game, Limits, OddsRequest};
/// let game = Game::open("stars-and-signs")?;
/// let limits = Limits::default();
/// limits.watch.cancel(); // usually from another thread, while the question is worked on
/// let answer = game.odds(&OddsRequest::default(), &limits);
/// assert!(matches!(answer, Err(Error::Cancelled)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// Steps that each part of the answer may take; a step is about a nanosecond, and ten are a byte of memory.
    pub steps: u64,
    /// Threads that work on it; none is one per core, in the pool that all questions share.
    pub threads: Option<u16>,
    /// How far the work is, and a way to cancel it.
    pub watch: Watch,
}

impl Limits {
    /// Steps of a question unless something else is said: ten seconds, or 1 GB.
    pub const STEPS: u64 = 10_000_000_000;

    /// These steps, on all cores.
    pub fn steps(steps: u64) -> Self {
        Self {
            steps,
            ..Self::default()
        }
    }

    /// The same with no more than so many steps.
    pub(crate) fn at_most(&self, steps: u64) -> Self {
        Self {
            steps: self.steps.min(steps),
            ..self.clone()
        }
    }

    /// A budget of all the steps.
    pub fn budget(&self) -> Budget {
        Budget::watched(self.steps, &self.watch)
    }

    /// Does work on the threads that are asked for. Whatever comes of work that was cancelled meanwhile is given up: parts
    /// of it may have been left out as too dear.
    ///
    /// # Errors
    /// What `work` returns; [`Error::Cancelled`]; if the threads can't be started.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
        let answer = self.install(work)?;
        match self.watch.is_cancelled() {
            true => Err(Error::Cancelled),
            false => answer,
        }
    }

    /// Does work on the threads that are asked for, whatever comes of it.
    ///
    /// # Errors
    /// If the threads can't be started.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
        let Some(threads) = self.threads else {
            return Ok(work());
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
        let failed = |error| Error::advice(format!("can't start {threads} threads: {error}"), "");
        Ok(pool.build().map_err(failed)?.install(work))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: Self::STEPS,
            threads: None,
            watch: Watch::default(),
        }
    }
}

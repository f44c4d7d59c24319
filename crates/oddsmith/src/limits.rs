//! What a question may cost, and who watches it.

use std::sync::Arc;

use oddsmith_analysis::{Questions, Share};
use oddsmith_dist::Transcript;
use oddsmith_exact::{Budget, Watch};

use crate::Error;

/// What a question may cost, on how many threads it is answered, and the handle on which it is watched and cancelled.
///
/// The answer is the same for any number of threads; so is whether it is refused for its steps, though not the number of
/// steps that a refusal names, nor which question of several is refused first.
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
    /// What the questions of a run have spent together; none is a question by itself.
    pub run: Run,
}

/// What questions of a run have together: a budget beside the limit of each, see [`Limits::of_run`]; and a transcript of
/// what is asked, or of what is known from elsewhere, see [`Whole::limits`](crate::part::Whole::limits).
#[derive(Clone, Debug, Default)]
pub struct Run {
    budget: Option<Arc<Budget>>,
    transcript: Option<Arc<Transcript>>,
}

impl Limits {
    /// Steps of a question unless something else is said: ten seconds, or 1 GB.
    pub const STEPS: u64 = 10_000_000_000;

    /// How many times the steps of a question a run over whole rulesets has: a report, a check of what moved, a lint. To accept the odds of all games that ship takes more than half of them.
    pub const TABLES: u64 = 10;

    /// These steps, on all cores.
    pub fn steps(steps: u64) -> Self {
        Self {
            steps,
            ..Self::default()
        }
    }

    /// The same with no more than so many steps.
    ///
    /// ```
    /// let limits = oddsmith::Limits::steps(1000);
    /// assert_eq!((limits.at_most(10).steps, limits.at_most(5000).steps), (10, 1000));
    /// ```
    #[must_use]
    pub fn at_most(&self, steps: u64) -> Self {
        Self {
            steps: self.steps.min(steps),
            ..self.clone()
        }
    }

    /// The same limits for a run of questions, which together have so many `times` the steps of one: once they have taken
    /// them the run is over, and [`Limits::run`] says so. Limits of a run stay as they are.
    ///
    /// ```
    /// use oddsmith::{Game, Limits};
    /// use oddsmith::project::expectations;
    /// # let text = "name = 'Coins'\n[checks.toss]\nrules = 'show heads = 1d2 == 2'\n[[expect]]\nintent = 'x'\nquery = 'heads'\nat_most = 0.5\n";
    /// let game = Game::parse("coins.toml", text.as_bytes())?;
    /// let limits = Limits::steps(1000).of_run(1);
    /// let ask = || expectations(game.model(), &limits);
    /// assert!(ask().is_ok()); // a question of a few hundred steps
    /// assert!((0..100).any(|_| ask().is_err()));
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    #[must_use]
    pub fn of_run(&self, times: u64) -> Self {
        let steps = self.steps.saturating_mul(times);
        let budget = || Arc::new(self.budget_of(steps));
        let budget = self.run.budget.clone().unwrap_or_else(budget);
        Self {
            run: Run {
                budget: Some(budget),
                ..self.run.clone()
            },
            ..self.clone()
        }
    }

    /// The same limits for questions whose answers are noted, or known from elsewhere. The questions are no longer those of
    /// the run that they were of.
    #[must_use]
    pub(crate) fn with_transcript(&self, transcript: Arc<Transcript>) -> Self {
        Self {
            run: Run {
                budget: None,
                transcript: Some(transcript),
            },
            ..self.clone()
        }
    }

    /// A budget of so many steps.
    fn budget_of(&self, steps: u64) -> Budget {
        let budget = Budget::watched(steps, &self.watch);
        match &self.run.transcript {
            Some(transcript) => budget.with_transcript(Arc::clone(transcript)),
            None => budget,
        }
    }

    /// The budget of the run as a whole; of a question by itself one that refuses nothing.
    pub(crate) fn run_budget(&self) -> Arc<Budget> {
        let none = || Arc::new(self.budget_of(u64::MAX));
        self.run.budget.clone().unwrap_or_else(none)
    }

    /// The questions of a run, each with all the steps; `budget` is [`Limits::run_budget`].
    pub(crate) fn questions<'b>(&self, budget: &'b Budget) -> Questions<'b> {
        let limit = self.steps;
        Questions { budget, limit }
    }

    /// A budget of all the steps, for one of the questions of the run.
    pub(crate) fn share(&self) -> Share<Arc<Budget>> {
        Share::of(self.run_budget(), self.steps)
    }

    /// A budget of all the steps.
    pub fn budget(&self) -> Budget {
        self.budget_of(self.steps)
    }

    /// Does work on the threads that are asked for. Whatever comes of work that was cancelled meanwhile is given up: parts
    /// of it may have been left out as too dear. So is the work of a run whose budget is used up.
    ///
    /// # Errors
    /// What `work` returns; [`Error::Cancelled`]; if the budget of a run is used up; if the threads can't be started.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
        let answer = self.install(work)?;
        if self.watch.is_cancelled() {
            return Err(Error::Cancelled);
        }
        match &self.run.budget {
            Some(run) if Share::is_used_up(run) => Err(used_up(run.limit())),
            _ => answer,
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
            run: Run::default(),
        }
    }
}

/// The error that the questions of a run together take too much.
fn used_up(limit: u64) -> Error {
    let message = format!("all questions of this run together need more than {limit:e} steps");
    let help = "ask of fewer checks at once, or sweep less; or raise the budget (`--budget`)";
    Error::advice(message, help)
}

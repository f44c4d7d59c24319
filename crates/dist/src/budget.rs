//! A limit on work, checked before the work is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::Error;
use crate::notes::{Note, Notes, Plan};
use crate::transcript::Transcript;

/// A handle on work that goes on elsewhere: how far it is, and a way to cancel it. Clones share both.
///
/// ```
/// use oddsmith_dist::{Budget, Watch};
/// let watch = Watch::default();
/// let budget = Budget::watched(100, &watch);
/// assert_eq!(budget.charge(60), Ok(()));
/// watch.cancel();
/// assert!(budget.charge(1).is_err()); // whatever is left of the limit
/// assert!(watch.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Watched>);

#[derive(Debug, Default)]
struct Watched {
    is_cancelled: AtomicBool,
    /// Steps of work that is announced, and of that the work that is done.
    announced: AtomicU64,
    completed: AtomicU64,
    /// Steps that were charged.
    spent: AtomicU64,
    /// Things that are to be looked at, and those that were.
    items: AtomicU64,
    seen: AtomicU64,
    /// Handles that cancel this one's work as well.
    others: Vec<Watch>,
}

impl Watch {
    /// Has every budget that is watched refuse its next charge.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        let watched = &self.0;
        watched.is_cancelled.load(Ordering::Relaxed)
            || watched.others.iter().any(Self::is_cancelled)
    }

    /// A handle on other work, which is cancelled with this one, or with the other, or by itself.
    ///
    /// ```
    /// use oddsmith_dist::Watch;
    /// let (one, other) = (Watch::default(), Watch::default());
    /// let either = one.or(&other);
    /// other.cancel();
    /// assert!(either.is_cancelled() && !one.is_cancelled());
    /// ```
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(Arc::new(Watched {
            others: vec![self.clone(), other.clone()],
            ..Watched::default()
        }))
    }

    /// How far the announced work is: the steps of it that are done, and all of them.
    pub fn progress(&self) -> (u64, u64) {
        let read = |account: &AtomicU64| account.load(Ordering::Relaxed);
        (read(&self.0.completed), read(&self.0.announced))
    }

    /// The steps that all budgets which are watched have spent.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Watch};
    /// let watch = Watch::default();
    /// let budget = Budget::watched(100, &watch);
    /// assert_eq!(budget.charge(30), Ok(()));
    /// assert_eq!(budget.beside(10).charge(5), Ok(()));
    /// assert_eq!(watch.spent(), 35);
    /// ```
    pub fn spent(&self) -> u64 {
        self.0.spent.load(Ordering::Relaxed)
    }

    /// Tells that so many things more are to be looked at, one after the other or at once: work whose steps nobody knows
    /// before is counted by them.
    ///
    /// ```
    /// let watch = oddsmith_dist::Watch::default();
    /// watch.announce_items(3);
    /// watch.complete_item();
    /// assert_eq!(watch.items(), (1, 3));
    /// ```
    pub fn announce_items(&self, items: u64) {
        add_saturating(&self.0.items, items);
    }

    /// Tells that one of them was looked at.
    pub fn complete_item(&self) {
        add_saturating(&self.0.seen, 1);
    }

    /// The things that were looked at, and all of them.
    pub fn items(&self) -> (u64, u64) {
        let read = |account: &AtomicU64| account.load(Ordering::Relaxed);
        (read(&self.0.seen), read(&self.0.items))
    }
}

/// The steps that one byte of memory counts as in the limit.
const STEPS_PER_BYTE: u128 = 10;

/// A limit on work and on memory, shared by reference through a whole computation.
///
/// One step is about a nanosecond, a few operations on machine words, so a limit of
/// `1_000_000_000` stands for a second. Every costly operation predicts its steps and charges
/// them first: a refusal costs nothing. Predictions are of the right size, not measurements;
/// most are right within a factor of three.
///
/// Memory has an account of its own, which the limit holds as well: ten steps stand for a
/// byte, so that 10^10 steps stand for ten seconds, and for 1 GB at once. What an operation takes
/// while it works it gives back at its end.
///
/// ```
/// use oddsmith_dist::{Budget, Error};
/// let budget = Budget::new(100);
/// assert_eq!(budget.charge(60), Ok(()));
/// assert_eq!(budget.charge(60), Err(Error::OverBudget { predicted: 120, limit: 100 }));
/// assert_eq!(budget.spent(), 60); // what was refused was not spent
/// assert_eq!(budget.charge_memory(10), Ok(()));
/// assert_eq!(budget.spent(), 60);
/// ```
#[derive(Debug)]
pub struct Budget {
    accounts: Arc<Accounts>,
    /// Memory that was charged here and not given back, in steps: ten for each byte.
    held: AtomicU64,
}

/// The accounts that all parts of a budget share.
#[derive(Debug)]
struct Accounts {
    spent: AtomicU64,
    /// Ten for each byte.
    memory: AtomicU64,
    limit: u64,
    watch: Watch,
    /// How questions were answered, if that is wanted.
    notes: Option<Notes>,
    /// What was asked and answered, if that is wanted or known.
    transcript: Option<Arc<Transcript>>,
}

impl Budget {
    /// A budget of `limit` steps in all.
    pub fn new(limit: u64) -> Self {
        Self::with(limit, &Watch::default())
    }

    /// A budget of `limit` steps in all for work that can be watched, and cancelled: once it is, every charge is
    /// refused with [`Error::OverBudget`] and a limit of 0.
    pub fn watched(limit: u64, watch: &Watch) -> Self {
        Self::with(limit, watch)
    }

    fn with(limit: u64, watch: &Watch) -> Self {
        Self::of(Accounts {
            spent: AtomicU64::new(0),
            memory: AtomicU64::new(0),
            limit,
            watch: watch.clone(),
            notes: None,
            transcript: None,
        })
    }

    fn of(accounts: Accounts) -> Self {
        Self {
            accounts: Arc::new(accounts),
            held: AtomicU64::new(0),
        }
    }

    /// Accounts of their own, of `limit` steps, for whoever watches this budget; with its transcript.
    fn accounts_beside(&self, limit: u64) -> Accounts {
        Accounts {
            spent: AtomicU64::new(0),
            memory: AtomicU64::new(0),
            limit,
            watch: self.accounts.watch.clone(),
            notes: None,
            transcript: self.accounts.transcript.clone(),
        }
    }

    /// Another budget, of `limit` steps, for work that is done beside: its accounts are its own, whoever watches this one
    /// watches it, and it has the same transcript.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Watch};
    /// let watch = Watch::default();
    /// let budget = Budget::watched(100, &watch);
    /// let beside = budget.beside(10);
    /// assert_eq!(beside.charge(10), Ok(()));
    /// assert_eq!(budget.spent(), 0);
    /// watch.cancel();
    /// assert!(budget.beside(10).charge(1).is_err());
    /// ```
    #[must_use]
    pub fn beside(&self, limit: u64) -> Self {
        Self::of(self.accounts_beside(limit))
    }

    /// Tries work that may come to nothing: its steps are spent if it comes to something, and else none are, though it has
    /// taken its time. It has accounts of its own, on which the steps are what they are here, and no memory is held; nothing
    /// else may be charged meanwhile.
    ///
    /// ```
    /// use oddsmith_dist::Budget;
    /// let budget = Budget::new(100);
    /// assert_eq!(budget.charge(10), Ok(()));
    /// assert_eq!(budget.attempt(|own| own.charge(20).ok()), Some(()));
    /// assert_eq!(budget.attempt(|own| own.charge(71).ok()), None);
    /// let in_vain = |own: &Budget| {
    ///     assert_eq!(own.charge(5), Ok(()));
    ///     None::<()>
    /// };
    /// assert_eq!(budget.attempt(in_vain), None);
    /// assert_eq!(budget.spent(), 30);
    /// ```
    pub fn attempt<T>(&self, work: impl FnOnce(&Self) -> Option<T>) -> Option<T> {
        let own = self.beside(self.limit());
        let spent = self.spent();
        own.accounts.spent.store(spent, Ordering::Relaxed);
        let done = work(&own)?;
        // Whoever watches has seen these steps already.
        add_saturating(&self.accounts.spent, own.spent() - spent);
        Some(done)
    }

    /// A part of the budget, with the same accounts, for one operation or for one value: memory that is charged here is free
    /// again when this is dropped.
    ///
    /// ```
    /// use oddsmith_dist::Budget;
    /// let budget = Budget::new(100);
    /// let part = budget.part();
    /// assert_eq!(part.charge_memory(10), Ok(()));
    /// assert!(budget.charge_memory(10).is_err());
    /// drop(part);
    /// assert_eq!(budget.charge_memory(10), Ok(()));
    /// ```
    #[must_use]
    pub fn part(&self) -> Self {
        Self {
            accounts: Arc::clone(&self.accounts),
            held: AtomicU64::new(0),
        }
    }

    /// The same budget, before anything is charged to it, that remembers how each question to dice and pools is answered,
    /// which takes a little time.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist};
    /// let budget = Budget::new(1_000_000).with_notes();
    /// Dist::die(6)?.sum_of(100, &budget)?;
    /// let notes = budget.notes();
    /// assert_eq!(notes[0].plan.question, "the sum of 100d6");
    /// assert_eq!(notes[0].plan.algorithm, "recurrence of three terms");
    /// assert_eq!(notes[0].plan.bits, 259); // 6^100 < 2^259
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    #[must_use]
    pub fn with_notes(self) -> Self {
        Self::of(Accounts {
            notes: Some(Notes::default()),
            ..self.accounts_beside(self.limit())
        })
    }

    /// The same budget, before anything is charged to it, with a transcript of what is asked and answered.
    #[must_use]
    pub fn with_transcript(self, transcript: Arc<Transcript>) -> Self {
        Self::of(Accounts {
            transcript: Some(transcript),
            ..self.accounts_beside(self.limit())
        })
    }

    /// The transcript of what is asked and answered, if there is one.
    pub fn transcript(&self) -> Option<&Transcript> {
        self.accounts.transcript.as_deref()
    }

    /// Notes on the questions that were answered so far, in the order begun; empty without [`Budget::with_notes`].
    pub fn notes(&self) -> Vec<Note> {
        self.accounts.notes.as_ref().map_or(Vec::new(), Notes::list)
    }

    /// Does what is planned with a part of the budget, and takes a note of it if notes are wanted. What the work charges
    /// is its price.
    pub(crate) fn noted<T>(&self, plan: impl FnOnce() -> Plan, work: impl FnOnce(&Self) -> T) -> T {
        let part = self.part();
        match &self.accounts.notes {
            None => work(&part),
            Some(notes) => notes.take(plan(), || self.spent(), || work(&part)),
        }
    }

    /// A budget that refuses only what could never finish (`u64::MAX` steps).
    pub fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// Spends `steps`.
    ///
    /// # Errors
    /// [`Error::OverBudget`] if `spent + steps` is above the limit; nothing is spent then.
    pub fn charge(&self, steps: u128) -> Result<(), Error> {
        self.add(&self.accounts.spent, steps)?;
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        add_saturating(&self.accounts.watch.0.spent, steps);
        Ok(())
    }

    /// Spends `steps` that were taken already, or all that is left where there are fewer. Work that was cancelled has
    /// spent them as well.
    ///
    /// ```
    /// use oddsmith_dist::Budget;
    /// let budget = Budget::new(100);
    /// budget.charge_at_most(70);
    /// budget.charge_at_most(70);
    /// assert_eq!(budget.spent(), 100);
    /// ```
    pub fn charge_at_most(&self, steps: u64) {
        let limit = self.limit();
        let after = |before: u64| Some(before.saturating_add(steps).min(limit).max(before));
        let spent = &self.accounts.spent;
        // The closure always has a next value.
        let _ = spent.fetch_update(Ordering::Relaxed, Ordering::Relaxed, after);
        add_saturating(&self.accounts.watch.0.spent, steps);
    }

    /// Refuses work that is known to take so many steps at the least, before it begins. Nothing is spent.
    ///
    /// # Errors
    /// As [`Budget::charge`].
    ///
    /// ```
    /// use oddsmith_dist::Budget;
    /// let budget = Budget::new(100);
    /// assert!(budget.foresee(101).is_err());
    /// assert!(budget.foresee(100).is_ok());
    /// assert_eq!(budget.spent(), 0);
    /// ```
    pub fn foresee(&self, steps: u128) -> Result<(), Error> {
        let (predicted, limit) = (
            u128::from(self.spent()).saturating_add(steps),
            self.limit_now(),
        );
        match predicted > u128::from(limit) {
            true => Err(Error::OverBudget { predicted, limit }),
            false => Ok(()),
        }
    }

    /// Adds to an account, unless that takes it beyond the limit.
    fn add(&self, account: &AtomicU64, steps: u128) -> Result<(), Error> {
        let limit = self.limit_now();
        let after = |before: u64| u128::from(before).saturating_add(steps);
        let within = |before| {
            u64::try_from(after(before))
                .ok()
                .filter(|sum| *sum <= limit)
        };
        account
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, within)
            .map(|_| ())
            .map_err(|before| Error::OverBudget {
                predicted: after(before),
                limit,
            })
    }

    /// The limit, which is 0 once the work is cancelled.
    fn limit_now(&self) -> u64 {
        if self.accounts.watch.is_cancelled() {
            0
        } else {
            self.limit()
        }
    }

    /// The refusal of work that is too large even to predict.
    pub(crate) fn refusal(&self) -> Error {
        Error::OverBudget {
            predicted: u128::MAX,
            limit: self.limit(),
        }
    }

    /// Charges for memory that a result will take.
    ///
    /// # Errors
    /// As [`Budget::charge`].
    pub fn charge_memory(&self, bytes: u128) -> Result<(), Error> {
        self.add(&self.accounts.memory, memory_steps(bytes).into())?;
        add_saturating(&self.held, memory_steps(bytes));
        Ok(())
    }

    /// Charges for so many bytes at once, of which the most so far are charged for already.
    pub(crate) fn charge_most(&self, bytes: u128, most: &mut u128) -> Result<(), Error> {
        if bytes > *most {
            self.charge_memory(bytes - *most)?;
            *most = bytes;
        }
        Ok(())
    }

    /// Gives memory back that was charged for and is free again.
    pub fn release_memory(&self, bytes: u128) {
        subtract_saturating(&self.held, memory_steps(bytes));
        subtract_saturating(&self.accounts.memory, memory_steps(bytes));
    }

    /// Tells whoever watches that work of so many steps is ahead. It is neither charged nor refused here.
    ///
    /// ```
    /// use oddsmith_dist::Budget;
    /// let budget = Budget::unlimited();
    /// budget.announce(40);
    /// budget.complete(10);
    /// assert_eq!(budget.progress(), (10, 40));
    /// ```
    pub fn announce(&self, steps: u128) {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        add_saturating(&self.accounts.watch.0.announced, steps);
    }

    /// Tells whoever watches that so many of the announced steps are done.
    pub fn complete(&self, steps: u64) {
        add_saturating(&self.accounts.watch.0.completed, steps);
    }

    /// How far the announced work is: the steps of it that are done, and all of them.
    pub fn progress(&self) -> (u64, u64) {
        self.accounts.watch.progress()
    }

    /// Whoever watches.
    pub fn watch(&self) -> &Watch {
        &self.accounts.watch
    }

    /// Steps charged so far.
    pub fn spent(&self) -> u64 {
        self.accounts.spent.load(Ordering::Relaxed)
    }

    /// Steps allowed in all.
    pub fn limit(&self) -> u64 {
        self.accounts.limit
    }
}

/// Memory that was held for the time of an operation is free again.
impl Drop for Budget {
    fn drop(&mut self) {
        subtract_saturating(&self.accounts.memory, *self.held.get_mut());
    }
}

fn memory_steps(bytes: u128) -> u64 {
    u64::try_from(bytes.saturating_mul(STEPS_PER_BYTE)).unwrap_or(u64::MAX)
}

fn subtract_saturating(account: &AtomicU64, steps: u64) {
    if steps > 0 {
        let after = |before: u64| Some(before.saturating_sub(steps));
        let _ = account.fetch_update(Ordering::Relaxed, Ordering::Relaxed, after);
    }
}

fn add_saturating(account: &AtomicU64, steps: u64) {
    let after = |before: u64| Some(before.saturating_add(steps));
    let _ = account.fetch_update(Ordering::Relaxed, Ordering::Relaxed, after);
}

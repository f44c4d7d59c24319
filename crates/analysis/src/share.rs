//! Questions of a run, each of which has a limit of its own, and all of them together one.

use std::ops::Deref;

use oddsmith_exact::Budget;

/// The questions of a run: the budget of all of them, and the limit of each by itself.
#[derive(Clone, Copy, Debug)]
pub struct Questions<'r> {
    /// What all of them are charged to.
    pub budget: &'r Budget,
    /// The steps that each may take.
    pub limit: u64,
}

impl<'r> Questions<'r> {
    /// A budget for one of the questions.
    pub fn share(self) -> Share<&'r Budget> {
        self.share_of(self.limit)
    }

    /// A budget for one that may take so many steps.
    pub fn share_of(self, limit: u64) -> Share<&'r Budget> {
        Share::of(self.budget, limit)
    }
}

/// The budget of one of the questions of a run. The limit is its own, so that what one question may cost, and how much
/// memory it may take, does not hang on those before it; what it has spent is charged to the run's budget when it is
/// dropped. Once that one is used up, shares refuse everything: the run is over, whatever each question would cost.
///
/// Questions that are worked on at that moment go on to their own limits. A run of any number of questions so takes less
/// than its limit and one question more on each thread.
///
/// ```
/// use oddsmith_analysis::Share;
/// use oddsmith_exact::Budget;
/// let run = Budget::new(100);
/// let ask = |steps| Share::of(&run, 60).charge(steps).is_ok();
/// assert!(!ask(61)); // more than a question may cost
/// assert!(ask(60) && run.spent() == 60);
/// assert!(ask(60) && run.spent() == 100 && Share::is_used_up(&run));
/// assert!(!ask(1));
/// ```
#[derive(Debug)]
pub struct Share<B: Deref<Target = Budget>> {
    own: Budget,
    run: B,
}

impl<B: Deref<Target = Budget>> Share<B> {
    /// A budget of `limit` steps in a run; of none if the run's are used up.
    pub fn of(run: B, limit: u64) -> Self {
        let limit = if Share::is_used_up(&run) { 0 } else { limit };
        Self {
            own: run.beside(limit),
            run,
        }
    }
}

impl Share<&Budget> {
    /// Whether the shares of a run have spent all that it has.
    pub fn is_used_up(run: &Budget) -> bool {
        run.spent() >= run.limit()
    }
}

impl<B: Deref<Target = Budget>> Deref for Share<B> {
    type Target = Budget;

    fn deref(&self) -> &Budget {
        &self.own
    }
}

/// What was spent is charged, also of work that was cancelled; where the run does not have as much any more, all that it
/// has.
impl<B: Deref<Target = Budget>> Drop for Share<B> {
    fn drop(&mut self) {
        self.run.charge_at_most(self.own.spent());
    }
}

#[cfg(test)]
mod tests {
    use oddsmith_exact::{Budget, Watch};

    use super::Share;

    #[test]
    fn a_share_of_a_run_that_was_cancelled_ends() {
        let watch = Watch::default();
        let run = Budget::watched(100, &watch);
        let share = Share::of(&run, 60);
        assert!(share.charge(40).is_ok());
        watch.cancel();
        assert!(share.charge(1).is_err(), "it is cancelled with the run");
        drop(share);
        assert_eq!(run.spent(), 40);
    }
}

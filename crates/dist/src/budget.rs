//! A limit on work, checked before the work is done.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Error;

/// A limit on work, shared by reference through a whole computation.
///
/// One step is about one multiply-add of a machine word, so a limit of `1_000_000_000`
/// stands for seconds. Every costly operation predicts its steps and charges them first:
/// a refusal costs nothing. Predictions are bounds of the right size, not measurements.
///
/// ```
/// use oddsmith_dist::{Budget, Error};
/// let budget = Budget::new(100);
/// assert_eq!(budget.charge(60), Ok(()));
/// assert_eq!(budget.charge(60), Err(Error::OverBudget { predicted: 120, limit: 100 }));
/// assert_eq!(budget.spent(), 60); // what was refused was not spent
/// ```
#[derive(Debug)]
pub struct Budget {
    spent: AtomicU64,
    limit: u64,
}

impl Budget {
    /// A budget of `limit` steps in all.
    pub fn new(limit: u64) -> Self {
        Self {
            spent: AtomicU64::new(0),
            limit,
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
        let limit = self.limit;
        let after = |spent: u64| u128::from(spent).saturating_add(steps);
        let within = |spent| u64::try_from(after(spent)).ok().filter(|sum| *sum <= limit);
        self.spent
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, within)
            .map(|_| ())
            .map_err(|spent| Error::OverBudget {
                predicted: after(spent),
                limit,
            })
    }

    /// The refusal of work that is too large even to predict.
    pub(crate) fn refusal(&self) -> Error {
        Error::OverBudget {
            predicted: u128::MAX,
            limit: self.limit,
        }
    }

    /// Charges for memory that a result will take: ten steps a byte, so that one limit bounds both
    /// and 10^10 steps stand for 1 GB.
    ///
    /// # Errors
    /// As [`Budget::charge`].
    pub fn charge_memory(&self, bytes: u128) -> Result<(), Error> {
        const STEPS_PER_BYTE: u128 = 10;
        self.charge(bytes.saturating_mul(STEPS_PER_BYTE))
    }

    /// Steps charged so far.
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Steps allowed in all.
    pub fn limit(&self) -> u64 {
        self.limit
    }
}

//! What is computed once for everything that is computed together. Its order shows nowhere.

use std::sync::{Arc, Mutex};

use oddsmith_dist::{Budget, Dist, Feature, Pool, Weighted};
use oddsmith_rules::FixedError;
use oddsmith_rules::program::VarId;

use crate::Error;
use crate::account::bytes_of;
use crate::hash::Map;
use crate::residual::{Script, Step};
use crate::shared::lock;
use crate::states::{Key, States};

/// Why a step of a fold has failed first, for whoever needs what it comes to.
pub(crate) type Failure = Arc<Mutex<Option<FixedError>>>;

/// All that is kept.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    pub(crate) pools: PoolCache,
    pub(crate) rounds: RoundCache,
    /// Why a step of a fold has failed: what is read of such a pool is kept, and does not say.
    pub(crate) failure: Failure,
}

/// What is read of pools.
#[derive(Debug, Default)]
pub(crate) struct PoolCache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    dists: Map<(Pool, Feature), Dist>,
    /// Every roll of a pool.
    rolls: Map<Pool, Arc<Weighted<Vec<i64>>>>,
    bytes: u128,
}

/// A full cache keeps what it has: 64 MB.
const MOST_CACHED: u128 = 1 << 26;
/// The rolls of one pool are kept up to 1 MB: small pools are those that come again.
const MOST_ROLLS: u128 = 1 << 20;

impl PoolCache {
    /// A number that is read of a pool.
    pub(crate) fn read(
        &self,
        pool: &Pool,
        feature: &Feature,
        budget: &Budget,
    ) -> Result<Dist, oddsmith_dist::Error> {
        let key = (pool.clone(), feature.clone());
        if let Some(known) = lock(&self.0).dists.get(&key) {
            return Ok(known.clone());
        }
        let dist = pool.read(feature, budget)?;
        let mut cached = lock(&self.0);
        let bytes = cached.bytes + bytes_of(&dist);
        if bytes <= MOST_CACHED {
            cached.bytes = bytes;
            cached.dists.insert(key, dist.clone());
        }
        Ok(dist)
    }

    /// Every roll of a pool.
    pub(crate) fn rolls(
        &self,
        pool: &Pool,
        budget: &Budget,
    ) -> Result<Arc<Weighted<Vec<i64>>>, oddsmith_dist::Error> {
        if let Some(known) = lock(&self.0).rolls.get(pool) {
            return Ok(Arc::clone(known));
        }
        let rolls = Arc::new(pool.multisets(budget)?);
        // A list and its allocation beside the faces, a weight, and what the map takes.
        const ROLL_BYTES: u128 = 96;
        let roll_bytes = ROLL_BYTES + 8 * u128::from(pool.size());
        let own = rolls.len() as u128 * roll_bytes;
        let mut cached = lock(&self.0);
        if own <= MOST_ROLLS && cached.bytes + own <= MOST_CACHED {
            cached.bytes += own;
            cached.rolls.insert(pool.clone(), Arc::clone(&rolls));
        }
        Ok(rolls)
    }
}

/// What tracks have left that were played in one evaluation: by their loop and the variables that are read at the end, and
/// then by the state that they began in.
pub(crate) type Ended = Map<(Step, Vec<VarId>), Map<Key, States>>;

/// What the dice of the rounds of tracks come to.
#[derive(Debug, Default)]
pub(crate) struct RoundCache(Mutex<Map<Dice, Slot>>);

/// Empty until one roll has gone well. Whoever comes while that is made waits for it, so that it is charged for once,
/// however many threads ask.
type Slot = Arc<Mutex<Option<Arc<States>>>>;

/// So many different rolls are kept at once.
const MOST_KEPT: usize = 1 << 9;
/// Of a roll so many states are kept, at the most: some 30 MB of all rolls.
const MOST_STATES: usize = 1 << 9;

/// All that a roll depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Dice {
    pub(crate) script: Arc<Script>,
    /// The variables of the states that it is rolled from.
    pub(crate) before: Vec<VarId>,
    /// Their values, one state after the other.
    pub(crate) starts: Vec<Key>,
}

impl RoundCache {
    /// The states that dice lead to: those that were kept, or what `roll` makes, which says whether others may have it, too.
    pub(crate) fn states(
        &self,
        dice: &Dice,
        roll: impl FnOnce() -> Result<(States, bool), Error>,
    ) -> Result<Arc<States>, Error> {
        let slot = self.slot(dice);
        let mut slot = lock(&slot);
        if let Some(known) = &*slot {
            return Ok(Arc::clone(known));
        }
        let (states, may_share) = roll()?;
        let states = Arc::new(states);
        if may_share && states.len() <= MOST_STATES {
            *slot = Some(Arc::clone(&states));
        }
        Ok(states)
    }

    fn slot(&self, dice: &Dice) -> Slot {
        let mut kept = lock(&self.0);
        if let Some(slot) = kept.get(dice) {
            return Arc::clone(slot);
        }
        // Rows that roll alike lie near one another, so that what is old is hardly asked for again.
        if kept.len() == MOST_KEPT {
            kept.clear();
        }
        Arc::clone(kept.entry(dice.clone()).or_default())
    }
}

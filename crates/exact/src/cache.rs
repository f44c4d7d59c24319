//! What is computed once for everything that is computed together. Its order shows nowhere, as long as there is room for all of it:
//! what has no place is charged for each time, and which that is hangs on which thread came first.

use std::collections::hash_map::Entry;
use std::hash::Hash;
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

/// Values by what they hang on, each charged for once, however many threads ask.
///
/// Nobody waits here for a value that another thread is at: while a thread waits for parts of its work it takes up other work,
/// and might come to wait for itself. It is worked out once more, on a budget of its own: what is spent, and so what is
/// refused, does not hang on which thread came first.
#[derive(Debug)]
pub(crate) struct Claims<K, V> {
    places: Map<K, usize>,
    slots: Vec<Held<V>>,
}

#[derive(Debug)]
enum Held<V> {
    Free,
    /// Some thread is at it.
    Taken,
    Known(V),
}

/// What is known of a value.
pub(crate) enum Claim<V> {
    Known(V),
    /// Nobody is at it: whoever asks works it out, is charged for that, and settles it.
    Own(Place),
    /// Another thread works it out, and is charged for that.
    Others,
}

/// Where a value goes that was claimed; nowhere if there was no room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(Option<usize>);

impl<K, V> Default for Claims<K, V> {
    fn default() -> Self {
        Self {
            places: Map::default(),
            slots: Vec::new(),
        }
    }
}

impl<K: Eq + Hash, V: Clone> Claims<K, V> {
    /// Claims a value. Where there is room for `most`, and they are held, others stay unknown.
    pub(crate) fn claim(&mut self, key: K, most: usize) -> Claim<V> {
        let held = self.slots.len();
        let place = match self.places.entry(key) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(_) if held >= most => return Claim::Own(Place(None)),
            Entry::Vacant(entry) => {
                self.slots.push(Held::Free);
                *entry.insert(held)
            }
        };
        match &mut self.slots[place] {
            Held::Known(value) => Claim::Known(value.clone()),
            Held::Taken => Claim::Others,
            slot @ Held::Free => {
                *slot = Held::Taken;
                Claim::Own(Place(Some(place)))
            }
        }
    }

    /// Keeps what was claimed; without a value whoever comes next claims it.
    pub(crate) fn settle(&mut self, place: Place, value: Option<V>) {
        if let Place(Some(place)) = place {
            self.slots[place] = value.map_or(Held::Free, Held::Known);
        }
    }
}

/// What is read of pools.
#[derive(Debug, Default)]
pub(crate) struct PoolCache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    dists: Claims<(Pool, Feature), Dist>,
    /// Every roll of a pool.
    rolls: Claims<Pool, Rolls>,
    bytes: u128,
}

type Rolls = Arc<Weighted<Vec<i64>>>;

/// A full cache keeps what it has: 64 MB.
const MOST_CACHED: u128 = 1 << 26;
/// So many pools are looked up, whatever is kept of them.
const MOST_POOLS: usize = 1 << 17;
/// The rolls of one pool are kept up to 1 MB: small pools are those that come again.
const MOST_ROLLS: u128 = 1 << 20;

impl PoolCache {
    /// Forgets all of it.
    pub(crate) fn clear(&self) {
        *lock(&self.0) = Cached::default();
    }

    /// A number that is read of a pool.
    pub(crate) fn read(
        &self,
        pool: &Pool,
        feature: &Feature,
        budget: &Budget,
    ) -> Result<Dist, oddsmith_dist::Error> {
        let key = (pool.clone(), feature.clone());
        let bytes = |dist: &Dist| Some(bytes_of(dist));
        let read = |budget: &Budget| pool.read(feature, budget);
        self.once(|cached| &mut cached.dists, key, budget, bytes, read)
    }

    /// Every roll of a pool.
    pub(crate) fn rolls(
        &self,
        pool: &Pool,
        budget: &Budget,
    ) -> Result<Rolls, oddsmith_dist::Error> {
        // A list and its allocation beside the faces, a weight, and what the map takes.
        const ROLL_BYTES: u128 = 96;
        let roll_bytes = ROLL_BYTES + 8 * u128::from(pool.size());
        let bytes = |rolls: &Rolls| {
            let bytes = rolls.len() as u128 * roll_bytes;
            (bytes <= MOST_ROLLS).then_some(bytes)
        };
        let roll = |budget: &Budget| pool.multisets(budget).map(Arc::new);
        self.once(
            |cached| &mut cached.rolls,
            pool.clone(),
            budget,
            bytes,
            roll,
        )
    }

    /// A value that is kept, or made, and kept then if `bytes` says that it is worth so many.
    fn once<K: Eq + Hash, V: Clone>(
        &self,
        which: impl Fn(&mut Cached) -> &mut Claims<K, V>,
        key: K,
        budget: &Budget,
        bytes: impl Fn(&V) -> Option<u128>,
        make: impl Fn(&Budget) -> Result<V, oddsmith_dist::Error>,
    ) -> Result<V, oddsmith_dist::Error> {
        // A statement of its own, at whose end the cache is free again.
        let claim = which(&mut lock(&self.0)).claim(key, MOST_POOLS);
        let place = match claim {
            Claim::Known(value) => return Ok(value),
            Claim::Own(place) => place,
            Claim::Others => {
                let beside = budget.beside(budget.limit());
                // What fails or is not kept is charged for each time.
                return match make(&beside) {
                    Ok(value) if bytes(&value).is_some() => Ok(value),
                    _ => make(budget),
                };
            }
        };
        let made = make(budget);
        let mut cached = lock(&self.0);
        let sum = made.as_ref().ok().and_then(&bytes);
        let sum = sum.map(|bytes| cached.bytes + bytes);
        let sum = sum.filter(|sum| *sum <= MOST_CACHED);
        cached.bytes = sum.unwrap_or(cached.bytes);
        let kept = made.as_ref().ok().filter(|_| sum.is_some());
        which(&mut cached).settle(place, kept.cloned());
        made
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

//! The general fold: a state machine fed with one face after the other, highest first.

use super::Pool;
use super::layers::{Layer, Share, layers};
use crate::dist::merge_equal;
use crate::number::{Number, bits, with_width, words};
use crate::{Budget, Error, Weighted};

/// Reads a roll as a stream of faces and folds it to an outcome.
///
/// Each face that the pool can show is seen once, from the highest to the lowest, with the
/// number of dice showing it (also if that is none). All counts together are `size`. The
/// methods must be pure: equal states are merged, and the fewer states there are, the faster
/// the answer.
///
/// ```
/// use oddsmith_dist::{Budget, Dist, Evaluator, Pool, UBig};
/// /// How many different faces a roll shows.
/// struct Different;
/// impl Evaluator for Different {
///     type State = u32;
///     type Outcome = u32;
///     fn start(&self, _size: u32) -> u32 {
///         0
///     }
///     fn step(&self, seen: &u32, _face: i64, count: u32) -> u32 {
///         seen + u32::from(count > 0)
///     }
///     fn finish(&self, seen: u32) -> u32 {
///         seen
///     }
/// }
/// let pool = Pool::new([(Dist::die(6)?, 3)]);
/// let different = pool.fold(&Different, &Budget::unlimited())?;
/// assert_eq!(different.weight(&3), UBig::from(6_u8 * 5 * 4));
/// # Ok::<(), oddsmith_dist::Error>(())
/// ```
pub trait Evaluator {
    /// What has to be known of the faces seen so far.
    type State: Ord + Clone;
    /// What a roll comes to.
    type Outcome: Ord;
    /// The state before any face, for a roll of `size` dice.
    fn start(&self, size: u32) -> Self::State;
    /// The state after `count` dice have shown `face`.
    fn step(&self, state: &Self::State, face: i64, count: u32) -> Self::State;
    /// The outcome after all faces.
    fn finish(&self, state: Self::State) -> Self::Outcome;
}

/// Entries of a sorted list with their weights.
type Entries<K, W> = Vec<(K, W)>;

/// Place of the state, dice showing the face, code of the dice still waiting.
type Key = (usize, u32, u128);

impl Pool {
    /// The distribution of what `evaluator` makes of a roll; the total is that of the pool.
    ///
    /// # Errors
    /// [`Error::OverBudget`]; the work is charged face by face, as the states are known.
    ///
    /// # Cost
    /// Faces times states times the numbers of dice that can show a face.
    pub fn fold<E: Evaluator>(
        &self,
        evaluator: &E,
        budget: &Budget,
    ) -> Result<Weighted<E::Outcome>, Error> {
        budget.charge(self.bits_bound())?;
        let total = self.total();
        Ok(with_width!(bits(&total), W => {
            let (layers, _) = layers::<W>(self, 1).ok_or_else(|| budget.refusal())?;
            let mut states = vec![evaluator.start(self.size())];
            let mut entries: Entries<Key, W> = vec![((0, 0, 0), W::from_u64(1))];
            for layer in &layers {
                entries = show(entries, layer, words(bits(&total) as u128), budget)?;
                (states, entries) = step(evaluator, layer.face, &states, entries);
            }
            let outcomes = entries.into_iter().map(|((at, _, _), weight)| {
                (evaluator.finish(states[at].clone()), weight)
            });
            Weighted::from_unsorted(outcomes.collect(), total)
        }))
    }
}

/// All ways in which dice can show the face of `layer`.
fn show<W: Number>(
    mut entries: Entries<Key, W>,
    layer: &Layer<W>,
    width: u128,
    budget: &Budget,
) -> Result<Entries<Key, W>, Error> {
    for share in &layer.shares {
        entries = distribute(
            &entries,
            share,
            (width, budget),
            |key| key.2,
            |key, count, code| (key.0, key.1 + count, code),
        )?;
    }
    Ok(entries)
}

/// Steps for one entry besides its product: it is written, sorted and merged, and takes memory.
const ENTRY_STEPS: u128 = 512;

/// Entries that are collected at least before equal ones are merged.
const UNMERGED: usize = 1 << 16;

/// Lets some of the waiting dice of one family show a face, in all ways, and merges equal keys.
pub(super) fn distribute<K: Ord, W: Number>(
    entries: &[(K, W)],
    share: &Share<W>,
    (width, budget): (u128, &Budget),
    code: impl Fn(&K) -> u128,
    next: impl Fn(&K, u32, u128) -> K,
) -> Result<Entries<K, W>, Error> {
    budget.charge((u128::from(share.most) + 1).pow(2) * width)?;
    let options = share.options();
    let joined = share.unit * u128::from(share.joining);
    let waiting = |key: &K| share.waiting(code(key) + joined) as usize;
    let ways = |(key, _): &(K, W)| options[waiting(key)].ways.len();
    let len: usize = entries.iter().map(ways).sum();
    let sorting = u128::from(len.max(1).ilog2());
    budget.charge(len as u128 * (ENTRY_STEPS + width + sorting))?;
    let mut shown = Vec::with_capacity(len.min(UNMERGED));
    let mut merged = 0;
    for (key, weight) in entries {
        let option = &options[waiting(key)];
        let mut left = code(key) + joined - share.unit * u128::from(option.least);
        for (count, ways) in (option.least..).zip(&option.ways) {
            shown.push((next(key, count, left), weight.times(ways)));
            left = left.wrapping_sub(share.unit); // below 0 only after the last option
        }
        if shown.len() > 2 * merged + UNMERGED {
            merge(&mut shown);
            merged = shown.len();
        }
    }
    merge(&mut shown);
    Ok(shown)
}

fn merge<K: Ord, W: Number>(entries: &mut Entries<K, W>) {
    entries.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    merge_equal(entries);
}

/// Feeds the counts to the evaluator, once for each state and count, and merges equal states.
fn step<E: Evaluator, W: Number>(
    evaluator: &E,
    face: i64,
    states: &[E::State],
    mut entries: Entries<Key, W>,
) -> (Vec<E::State>, Entries<Key, W>) {
    let mut stepped: Vec<(E::State, usize)> = Vec::new();
    let mut runs = 0;
    let mut last = None;
    for ((at, count, _), _) in &mut entries {
        if last != Some((*at, *count)) {
            last = Some((*at, *count));
            stepped.push((evaluator.step(&states[*at], face, *count), runs));
            runs += 1;
        }
        *at = runs - 1;
        *count = 0;
    }
    stepped.sort_by(|a, b| a.0.cmp(&b.0));
    let mut rank = vec![0; runs];
    let mut merged: Vec<E::State> = Vec::new();
    for (state, run) in stepped {
        if merged.last() != Some(&state) {
            merged.push(state);
        }
        rank[run] = merged.len() - 1;
    }
    for ((at, _, _), _) in &mut entries {
        *at = rank[*at];
    }
    merge(&mut entries);
    (merged, entries)
}

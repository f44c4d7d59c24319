//! Weighted states: the values of the variables that still matter, jointly.

use std::hash::Hasher as _;

use oddsmith_dist::{Dist, UBig, greatest_common_divisor};

use crate::hash::Multiplier;

/// Values of the live variables, in the order of their ids.
pub(crate) type Key = Vec<i64>;

/// States with weights; `weight / total` is the probability. The weights need not sum to the total: a part
/// of all that can happen is a set of states too.
#[derive(Clone, Debug)]
pub(crate) struct States {
    /// The values of all states, one state after the other: a list of its own for each would take longer than most
    /// of what is done with it.
    values: Vec<i64>,
    /// How many values a state has.
    width: usize,
    weights: Vec<UBig>,
    pub(crate) total: UBig,
}

impl States {
    /// No states yet, but room for so many, each of so many values.
    pub(crate) fn with_capacity(states: usize, width: usize, total: UBig) -> Self {
        Self {
            values: Vec::with_capacity(states * width),
            width,
            weights: Vec::with_capacity(states),
            total,
        }
    }

    /// One certain state.
    pub(crate) fn certain(key: &[i64]) -> Self {
        let mut states = Self::with_capacity(1, key.len(), UBig::ONE);
        states.push(key.iter().copied(), UBig::ONE);
        states
    }

    /// Whether it is one state that is certain.
    pub(crate) fn is_certain(&self) -> bool {
        self.len() == 1 && self.weights[0] == UBig::ONE && self.total == UBig::ONE
    }

    /// Every outcome as a state of one value.
    pub(crate) fn of_dist(dist: &Dist) -> Self {
        let mut states = Self::with_capacity(dist.len(), 1, dist.total().clone());
        dist.iter()
            .for_each(|(value, weight)| states.push([value], weight));
        states
    }

    /// Adds a state of the right number of values.
    pub(crate) fn push(&mut self, key: impl IntoIterator<Item = i64>, weight: UBig) {
        self.values.extend(key);
        self.weights.push(weight);
        debug_assert_eq!(self.values.len(), self.weights.len() * self.width);
    }

    /// Adds all states of `other`, over the same total.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.values.append(&mut other.values);
        self.weights.append(&mut other.weights);
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    pub(crate) fn key(&self, at: usize) -> &[i64] {
        &self.values[at * self.width..][..self.width]
    }

    pub(crate) fn weight(&self, at: usize) -> &UBig {
        &self.weights[at]
    }

    /// The same weights of other states, of `width` values each: `change` adds those of a state to the end of a list.
    pub(crate) fn rekeyed(
        self,
        width: usize,
        mut change: impl FnMut(usize, &[i64], &mut Vec<i64>),
    ) -> Self {
        let mut values = Vec::with_capacity(self.len() * width);
        for (at, key) in self.keys().enumerate() {
            change(at, key, &mut values);
        }
        debug_assert_eq!(values.len(), self.len() * width);
        Self {
            values,
            width,
            ..self
        }
    }

    /// The values of each state.
    pub(crate) fn keys(&self) -> impl ExactSizeIterator<Item = &[i64]> + Clone {
        (0..self.len()).map(|at| self.key(at))
    }

    /// Each state with its weight.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[i64], &UBig)> {
        self.keys().zip(&self.weights)
    }

    /// Multiplies all weights and the total.
    pub(crate) fn scale(&mut self, factor: &UBig) {
        if *factor != UBig::ONE {
            self.weights.iter_mut().for_each(|weight| *weight *= factor);
            self.total *= factor;
        }
    }

    /// Divides all weights, whose sum is the total, by what they have in common.
    pub(crate) fn reduce(&mut self) {
        let divisor = greatest_common_divisor(self.weights.iter());
        if divisor != UBig::ONE {
            self.weights
                .iter_mut()
                .for_each(|weight| *weight /= &divisor);
            self.total /= divisor;
        }
    }

    /// The states from `first` on by their values.
    fn order(&self, first: usize) -> Vec<usize> {
        let places = first..self.len();
        // What is taken off leaves falling numbers.
        if places
            .clone()
            .skip(1)
            .all(|at| self.key(at - 1) >= self.key(at))
        {
            return places.rev().collect();
        }
        let words = places.clone().map(|at| Some((packed(self.key(at))?, at)));
        if let Some(mut words) = words.collect::<Option<Vec<(u64, usize)>>>() {
            words.sort_unstable();
            return words.into_iter().map(|(_, at)| at).collect();
        }
        let mut order: Vec<usize> = places.collect();
        order.sort_unstable_by(|a, b| self.key(*a).cmp(self.key(*b)));
        order
    }

    /// Sorts the states from `first` on by their values and adds up the weights of equal ones.
    pub(crate) fn merge(&mut self, first: usize) {
        let len = self.len();
        if len <= first + 1 {
            return;
        }
        let keys = self.values[first * self.width..].chunks_exact(self.width.max(1));
        if self.width > 0
            && keys
                .clone()
                .zip(keys.clone().skip(1))
                .all(|(one, next)| one < next)
        {
            return;
        }
        let order = self.order(first);
        let mut merged = Self::with_capacity(order.len(), self.width, UBig::ONE);
        for at in order {
            let weight = std::mem::take(&mut self.weights[at]);
            let last = merged.values.len().saturating_sub(self.width);
            match merged.weights.last_mut() {
                // A few numbers are compared faster one by one than by a call.
                Some(sum) if merged.values[last..].iter().eq(self.key(at)) => *sum += weight,
                _ => merged.push(self.key(at).iter().copied(), weight),
            }
        }
        self.values.truncate(first * self.width);
        self.weights.truncate(first);
        self.append(merged);
    }
}

/// A key of up to four numbers as a word, if they fit: words of keys of as many numbers are in the order of the keys.
pub(crate) fn packed(key: &[i64]) -> Option<u64> {
    let bits = match key.len() {
        0 => return Some(0),
        1 => return Some(key[0].wrapping_add(i64::MIN).cast_unsigned()),
        2 => 32,
        3 => 21,
        4 => 16,
        _ => return None,
    };
    let half = 1_i64 << (bits - 1);
    key.iter().try_fold(0, |word, value| {
        let shifted = value.checked_add(half)?;
        let fits = (0..2 * half).contains(&shifted);
        fits.then(|| word << bits | shifted.cast_unsigned())
    })
}

/// Different keys of as many values, each with a place: they are numbered as they come. Either each key is looked up, or all are
/// known to differ and they are numbered alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    /// The values of all keys, one key after the other.
    values: Vec<i64>,
    /// How many values a key has.
    width: usize,
    len: usize,
    /// The places by the hashes of their keys, each where the first slot is free from there on. Half of them is free at the
    /// least, and their number is a power of two. There is none while keys are numbered alone.
    slots: Vec<Slot>,
}

/// A place by the hash of its key.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// [`NO_PLACE`] if the slot is free.
    place: u32,
    /// Bits of the hash: most other keys are told by them, without being looked at.
    tag: u32,
}

const NO_PLACE: u32 = u32::MAX;

impl Keys {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many values a key has, if there is one.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn get(&self, place: usize) -> &[i64] {
        &self.values[place * self.width..][..self.width]
    }

    /// In the order of their places.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[i64]> + Clone {
        (0..self.len()).map(|place| self.get(place))
    }

    /// The place of a key that is there.
    pub(crate) fn find(&self, key: &[i64]) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        match self.slots[self.slot(key, hash(key))].place {
            NO_PLACE => None,
            place => Some(place as usize),
        }
    }

    /// The place of a key, which is the next one if it is not there yet. It has as many values as all others.
    pub(crate) fn place(&mut self, key: &[i64]) -> usize {
        debug_assert!(self.is_empty() || key.len() == self.width);
        self.width = key.len();
        if 2 * self.len() >= self.slots.len() {
            self.grow();
        }
        let hash = hash(key);
        let slot = self.slot(key, hash);
        if self.slots[slot].place == NO_PLACE {
            self.slots[slot] = Slot {
                place: u32::try_from(self.len()).expect("memory holds fewer keys"),
                tag: tag(hash),
            };
            self.values.extend_from_slice(key);
            self.len += 1;
        }
        self.slots[slot].place as usize
    }

    /// Numbers a key that is known to differ from all others.
    pub(crate) fn push(&mut self, key: impl IntoIterator<Item = i64>) -> usize {
        assert!(self.slots.is_empty(), "no key has been looked up");
        let before = self.values.len();
        self.values.extend(key);
        self.width = self.values.len() - before;
        debug_assert_eq!(before, self.len * self.width);
        self.len += 1;
        self.len - 1
    }

    /// The same keys, to be looked up from now on.
    pub(crate) fn indexed(mut self) -> Self {
        if self.slots.is_empty() {
            self.grow();
        }
        self
    }

    fn grow(&mut self) {
        let free = Slot {
            place: NO_PLACE,
            tag: 0,
        };
        self.slots = vec![free; (4 * self.len).next_power_of_two().max(8)];
        for place in 0..self.len() {
            let key = self.get(place);
            let hash = hash(key);
            let slot = self.slot(key, hash);
            self.slots[slot] = Slot {
                place: u32::try_from(place).expect("it was a place before"),
                tag: tag(hash),
            };
        }
    }

    /// The slot of a key, or the free one that would be its own.
    fn slot(&self, key: &[i64], hash: u64) -> usize {
        let last = self.slots.len() - 1;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the lowest bits are wanted"
        )]
        let mut at = hash as usize & last;
        loop {
            let slot = self.slots[at];
            let is_own = || slot.tag == tag(hash) && self.get(slot.place as usize).iter().eq(key);
            if slot.place == NO_PLACE || is_own() {
                return at;
            }
            at = (at + 1) & last;
        }
    }
}

fn hash(key: &[i64]) -> u64 {
    let mut hash = Multiplier::default();
    key.iter()
        .for_each(|value| hash.write_u64(value.cast_unsigned()));
    hash.finish()
}

/// The highest bits of a hash.
fn tag(hash: u64) -> u32 {
    u32::try_from(hash >> 32).expect("32 bits are left")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places are those of a plain list, also of the key of no values.
    #[test]
    fn keys_have_places_in_their_order() {
        for width in 0..4 {
            let (mut keys, mut plain) = (Keys::default(), Vec::<Key>::new());
            for n in 0..500_i64 {
                let value = |at: usize| (n * n * 7 + n) % [200, 3, 2][at] - 1;
                let key: Key = (0..width).map(value).collect();
                let known = plain.iter().position(|other| *other == key);
                assert_eq!(keys.find(&key), known);
                assert_eq!(keys.place(&key), known.unwrap_or(plain.len()));
                if known.is_none() {
                    plain.push(key);
                }
            }
            assert_eq!((keys.len(), keys.is_empty()), (plain.len(), false));
            assert!(keys.iter().eq(plain.iter().map(Vec::as_slice)));
            let mut numbered = Keys::default();
            for (place, key) in plain.iter().enumerate() {
                assert_eq!(numbered.push(key.iter().copied()), place);
            }
            let mut numbered = numbered.indexed();
            for (place, key) in plain.iter().enumerate() {
                assert_eq!(numbered.find(key), Some(place));
                assert_eq!(numbered.place(key), place);
            }
            assert_eq!(numbered.len(), plain.len());
        }
    }

    /// Keys of as many numbers have words in their order, or none.
    #[test]
    fn packed_keys_keep_their_order() {
        let mut numbers: Vec<i64> = (-3..=3).collect();
        for bits in [15, 16, 20, 21, 31, 32, 62] {
            let power = 1 << bits;
            numbers.extend([-power - 1, -power, power - 1, power]);
        }
        numbers.extend([i64::MIN, i64::MAX]);
        numbers.sort_unstable();
        numbers.dedup();
        for width in 1..=3 {
            let mut keys: Vec<Key> = vec![Vec::new()];
            for _ in 0..width {
                let longer = |key: &Key| {
                    let key = key.clone();
                    numbers.iter().map(move |n| [&key[..], &[*n]].concat())
                };
                keys = keys.iter().flat_map(longer).collect();
            }
            keys.sort_unstable();
            let words: Vec<u64> = keys.iter().filter_map(|key| packed(key)).collect();
            assert!(words.len() >= 7_usize.pow(width));
            assert!(words.is_sorted_by(|one, next| one < next));
        }
        assert_eq!(packed(&[1, 2, 3, 1 << 15]), None);
        assert_eq!(packed(&[0; 5]), None);
    }
}

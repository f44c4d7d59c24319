//! Maps by keys that are made here, such as states and pools: a few words each, looked up all the time.
//!
//! The hash of the standard library withstands keys that somebody has chosen to collide, which takes longer than most of
//! what is looked up. Nobody but the author of a ruleset chooses these keys, and all that collisions can do is take time.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose hash is a multiplication for each word of a key. Its order shows nowhere.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Multiplier>>;

/// A set with such a hash.
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<Multiplier>>;

/// `hash = (hash + word) * FACTOR` for one word after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Multiplier(u64);

/// Odd, with its bits well mixed: the golden ratio's.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Multiplier {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words
            .iter()
            .for_each(|word| self.write_u64(u64::from_le_bytes(*word)));
        rest.iter().for_each(|byte| self.write_u8(*byte));
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = self.0.wrapping_add(word).wrapping_mul(FACTOR);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    /// A product's high bits are the mixed ones; maps look at the lowest and the highest.
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault};

    use super::*;

    /// So that no common kind of key makes a map a list.
    #[test]
    fn states_of_small_numbers_have_hashes_of_their_own() {
        let build = BuildHasherDefault::<Multiplier>::default();
        let hash = |key: &[i64]| build.hash_one(key);
        let numbers = -20..=20;
        let keys = numbers.clone().flat_map(|a| {
            let pairs = numbers.clone().map(move |b| [a, b]);
            pairs.flat_map(|[a, b]| [vec![a, b], vec![a, 0, b], vec![a << 32, b]])
        });
        let hashes: Vec<u64> = keys.map(|key| hash(&key)).collect();
        // What a map of 8192 places looks at: more than two thirds of the places that as many random numbers would take.
        let mut places: Vec<u64> = hashes.iter().map(|hash| hash & 8191).collect();
        places.sort_unstable();
        places.dedup();
        assert!(places.len() > 2500, "{} of {}", places.len(), hashes.len());
    }
}

//! The inputs of a target, each known by a seed and its number.

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use crate::changes::{change, tokens};
use crate::targets::Target;

/// Numbers that look random and are the same on every machine.
#[derive(Debug)]
pub(crate) struct Random(SplitMix64);

impl Random {
    fn new(seed: u64, number: u64) -> Self {
        let mut first = SplitMix64::seed_from_u64(seed);
        Self(SplitMix64::seed_from_u64(
            first.next_u64() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        ))
    }

    /// A number below `end`, which is small: the remainder is as good as fair.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.0.next_u32() as usize) % end.max(1)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.0.next_u32().to_le_bytes()[0]
    }

    /// Any of the items.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// What draws trees of rules.
    pub(crate) fn runner(&mut self) -> TestRunner {
        let mut seed = [0; 32];
        self.0.fill_bytes(&mut seed);
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        TestRunner::new_with_rng(Config::default(), random)
    }
}

/// What makes the inputs of a target.
#[derive(Debug)]
pub struct Inputs {
    target: &'static Target,
    seeds: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

impl Inputs {
    /// The inputs of a target.
    ///
    /// # Panics
    /// If the files that it begins with are not there.
    #[must_use]
    pub fn new(target: &'static Target) -> Self {
        let seeds = (target.seeds)();
        let all = seeds
            .iter()
            .flat_map(|seed| tokens(seed).into_iter().map(|token| seed[token].to_vec()));
        let mut words: Vec<Vec<u8>> = all.collect();
        words.sort();
        words.dedup();
        Self {
            target,
            seeds,
            words,
        }
    }

    /// The input of a number: one that is drawn, or a seed, mostly with changes.
    #[must_use]
    pub fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        let random = &mut Random::new(seed, number);
        let drawn = self.target.drawn.filter(|_| random.below(3) > 0);
        let mut input = match drawn {
            Some(draw) => draw(&mut random.runner()),
            None => random.pick(&self.seeds).clone(),
        };
        if drawn.is_none() || random.below(3) == 0 {
            change(&mut input, &self.words, &self.seeds, random);
        }
        input
    }
}

//! What simulations are measured against in Rust: one question, written out by hand, and bare random words.
//!
//! `scripts/compare-simulation` runs it: `plain FORM COUNT THREADS` prints the seconds that COUNT took and, for
//! `checks`, how often each band came up. The forms are
//!
//! - `checks`: 2d10 with two Boons, d8 with one, and 3, as one would write it with *rand* and *rayon*;
//! - `words`: xoshiro256++, one 64-bit word after the other;
//! - `words8`: eight such generators side by side, with the widest vector instructions that the machine has.

#![expect(clippy::print_stdout, reason = "prints what it measured")]

use std::hint::black_box;
use std::time::Instant;

use pulp::{Arch, Simd, WithSimd};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use rayon::prelude::*;

/// Checks that one generator rolls.
const BLOCK: u64 = 65_536;
/// Words that stay in the nearest cache.
const BUFFER: usize = 2048;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [form, count, threads] = &arguments[..] else {
        panic!("plain FORM COUNT THREADS");
    };
    let count: u64 = count.parse().expect("a count");
    let threads = threads.parse().expect("a number of threads");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.expect("threads");
    let start = Instant::now();
    let bands = match form.as_str() {
        "checks" => pool.install(|| checks(count)).to_vec(),
        "words" => words(count),
        "words8" => Arch::new().dispatch(Words8(count)),
        other => panic!("what is `{other}`?"),
    };
    print!("{}", start.elapsed().as_secs_f64());
    for count in bands {
        print!(" {count}");
    }
    println!();
}

/// How often each band comes up.
fn checks(count: u64) -> [u64; 4] {
    let blocks = (0..count.div_ceil(BLOCK)).into_par_iter();
    let bands = blocks.map(|block| checks_of(block, BLOCK.min(count - block * BLOCK)));
    bands.reduce(
        || [0; 4],
        |left, right| std::array::from_fn(|band| left[band] + right[band]),
    )
}

fn checks_of(seed: u64, count: u64) -> [u64; 4] {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut bands = [0; 4];
    for _ in 0..count {
        let mut circumstance: [u32; 4] = std::array::from_fn(|_| rng.random_range(1..=10));
        let mut ability: [u32; 2] = std::array::from_fn(|_| rng.random_range(1..=8));
        circumstance.sort_unstable();
        ability.sort_unstable();
        let band = match circumstance[2] + circumstance[3] + ability[1] + 3 {
            ..10 => 0,
            10..15 => 1,
            15..20 => 2,
            20.. => 3,
        };
        bands[band] += 1;
    }
    bands
}

/// Draws words into a buffer, over and over.
fn words(count: u64) -> Vec<u64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut buffer = vec![0; BUFFER];
    for _ in 0..count.div_ceil(BUFFER as u64) {
        for word in &mut buffer {
            *word = rng.next_u64();
        }
        black_box(&mut buffer);
    }
    Vec::new()
}

/// The same with eight generators. Inlined all the way, so that it is compiled for the instructions it is called with.
struct Words8(u64);

impl WithSimd for Words8 {
    type Output = Vec<u64>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<u64> {
        match S::U64_LANES {
            8 => vectors::<S, 1>(simd, self.0),
            4 => vectors::<S, 2>(simd, self.0),
            2 => vectors::<S, 4>(simd, self.0),
            _ => vectors::<S, 8>(simd, self.0),
        }
    }
}

/// Draws words into a buffer with generators whose states fill `N` vectors.
#[inline(always)]
fn vectors<S: Simd, const N: usize>(simd: S, count: u64) -> Vec<u64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut seeds = vec![0; 4 * N * S::U64_LANES];
    seeds.fill_with(|| rng.next_u64());
    let (seeds, _) = S::as_simd_u64s(&seeds);
    let mut state: [[S::u64s; N]; 4] =
        std::array::from_fn(|word| std::array::from_fn(|at| seeds[word * N + at]));
    let mut buffer = vec![0; BUFFER];
    for _ in 0..count.div_ceil(BUFFER as u64) {
        let (outputs, _) = S::as_mut_simd_u64s(&mut buffer);
        for outputs in outputs.chunks_exact_mut(N) {
            for (at, output) in outputs.iter_mut().enumerate() {
                *output = next(simd, state.each_mut().map(|words| &mut words[at]));
            }
        }
        black_box(&mut buffer);
    }
    Vec::new()
}

/// The next output of xoshiro256++ in each lane.
#[inline(always)]
fn next<S: Simd>(simd: S, [a, b, c, d]: [&mut S::u64s; 4]) -> S::u64s {
    let sum = simd.rotate_left_u64s(simd.add_u64s(*a, *d), 23);
    let output = simd.add_u64s(sum, *a);
    let shifted = simd.rotate_left_u64s(*b, 17);
    let shifted = simd.and_u64s(shifted, simd.splat_u64s(u64::MAX << 17));
    *c = simd.xor_u64s(*c, *a);
    *d = simd.xor_u64s(*d, *b);
    *b = simd.xor_u64s(*b, *c);
    *a = simd.xor_u64s(*a, *d);
    *c = simd.xor_u64s(*c, shifted);
    *d = simd.rotate_left_u64s(*d, 45);
    output
}

use pulp::Arch;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{STEP, Stream, Words};

/// The level of each test here that could fail by chance, if the seeds were not fixed.
pub(crate) const LEVEL: f64 = 1e-6;

/// Every set of instructions that this machine has.
pub(crate) fn archs() -> Vec<Arch> {
    let all = [
        Some(Arch::Scalar),
        #[cfg(target_arch = "x86_64")]
        pulp::x86::V3::try_new().map(Arch::V3),
        #[cfg(target_arch = "x86_64")]
        pulp::x86::V4::try_new().map(Arch::V4),
    ];
    all.into_iter().flatten().chain([Arch::new()]).collect()
}

/// How likely equally likely cells are at least as uneven as these.
pub(crate) fn chi_square(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    let expected = total as f64 / counts.len() as f64;
    let distance = |&count: &u64| (count as f64 - expected).powi(2) / expected;
    let freedom = ChiSquared::new((counts.len() - 1) as f64).expect("there are two cells or more");
    freedom.sf(counts.iter().map(distance).sum())
}

/// Asserts that draws below `cells` are equally likely.
fn assert_even(cells: u64, mut draw: impl FnMut() -> u64) {
    let mut counts = vec![0; usize::try_from(cells).expect("few cells")];
    for _ in 0..1000 * cells.max(100) {
        counts[usize::try_from(draw()).expect("few cells")] += 1;
    }
    let level = chi_square(&counts);
    assert!(level > LEVEL, "{cells} cells: {level:e}");
}

fn draw(stream: &mut Stream, len: usize) -> Vec<u16> {
    let mut words = Words::new(len);
    stream.fill(&mut words, len);
    words.view(len).to_vec()
}

/// The generator of a lane, as the crate it comes from makes it.
fn lane(seed: u64, chunk: u64, lane: u64) -> Xoshiro256PlusPlus {
    let mut source = SplitMix64::seed_from_u64(seed);
    for _ in 0..32 * chunk + 4 * lane {
        source.next_u64();
    }
    let mut state = [0; 32];
    source.fill_bytes(&mut state);
    Xoshiro256PlusPlus::from_seed(state)
}

#[test]
fn lanes_are_generators_seeded_from_one_sequence() {
    for arch in archs() {
        for (seed, chunk) in [(0, 0), (42, 0), (42, 1), (42, 1000), (u64::MAX, 3)] {
            let words = draw(&mut Stream::on(arch, seed, chunk), 40 * STEP);
            let mut lanes: Vec<_> = (0..8).map(|l| lane(seed, chunk, l)).collect();
            for step in words.chunks(STEP) {
                let expected = lanes.iter_mut().flat_map(|lane| {
                    let word = lane.next_u64();
                    [0, 16, 32, 48].map(|shift| (word >> shift & 0xffff) as u16)
                });
                assert!(
                    step.iter().copied().eq(expected),
                    "{arch:?}, seed {seed}, chunk {chunk}"
                );
            }
        }
    }
}

/// Worked out apart from this crate and those it uses, from the authors' definitions of both generators.
#[test]
fn first_words() {
    let first = |chunk| draw(&mut Stream::new(42, chunk), 8);
    assert_eq!(
        first(0),
        [
            0x689f, 0x4476, 0x4d4f, 0xd076, 0x7d39, 0xefb3, 0xcb83, 0x2e1d
        ]
    );
    assert_eq!(
        first(1),
        [
            0x6d33, 0xd3a8, 0x48ff, 0xacff, 0x2bd7, 0x3e20, 0x8c0b, 0xdedb
        ]
    );
}

#[test]
fn no_two_chunks_start_with_a_common_word() {
    let mut seen: Vec<u64> = (0..1000)
        .flat_map(|chunk| Stream::new(7, chunk).state.concat())
        .collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 32_000);
}

#[test]
fn whole_steps_are_drawn() {
    for arch in archs() {
        let all = draw(&mut Stream::on(arch, 1, 2), 8 * STEP);
        let mut stream = Stream::on(arch, 1, 2);
        assert!(draw(&mut stream, 0).is_empty());
        assert_eq!(draw(&mut stream, 1), all[..1]);
        assert_eq!(draw(&mut stream, 31), all[32..63]);
        assert_eq!(draw(&mut stream, 33), all[64..97]);
        // Single draws take a step of their own, each a 64-bit word of it.
        let single: Vec<u16> = (0..8).map(|_| stream.word()).collect();
        let expected: Vec<u16> = all[128..160].iter().copied().step_by(4).collect();
        assert_eq!(single, expected);
        assert_eq!(draw(&mut stream, 32), all[160..192]);
        assert_eq!(stream.word(), all[192]);
    }
}

#[test]
fn below_small_bounds_all_are_equally_likely() {
    let mut stream = Stream::new(3, 0);
    for bound in [2, 3, 6, 7, 10, 100, 1000] {
        assert_even(bound, || stream.below(bound));
        assert_even(bound, || {
            let wide = stream.below_wide(u128::from(bound));
            u64::try_from(wide).expect("below a small bound")
        });
    }
    assert_eq!((stream.below(1), stream.below_wide(1)), (0, 0));
}

/// Without rejections the residues 0, 1, 2 of numbers below `3 · 2^62` would come 2 : 1 : 1.
#[test]
fn below_large_bounds_all_are_equally_likely() {
    let mut stream = Stream::new(4, 0);
    let bound = 3 << 62;
    assert_even(3, || stream.below(bound) % 3);
    assert_even(3, || stream.below(bound) >> 62);
    let wide = 3_u128 << 64;
    assert_even(3, || (stream.below_wide(wide) >> 64) as u64);
    assert_even(16, || (stream.below_wide(wide) & 15) as u64);
    assert_even(16, || (stream.below_wide(u128::MAX) >> 124) as u64);
    assert_even(16, || stream.below(u64::MAX) >> 60);
}

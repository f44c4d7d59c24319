//! Random words: xoshiro256++ in eight lanes, seeded by SplitMix64.

use pulp::Arch;
#[cfg(target_arch = "x86_64")]
use pulp::Simd;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

#[cfg(test)]
pub(crate) mod tests;

/// Generators that run side by side; a step draws one 64-bit word from each.
const LANES: usize = 8;

/// 16-bit words that a step draws.
const STEP: usize = LANES * 4;

/// 64-bit words of state.
const STATE: u64 = 4 * LANES as u64;

/// The increment that SplitMix64 adds to its state for each output.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The state: word `k` of the generator in lane `l` is `[k][l]`.
type State = [[u64; LANES]; 4];

/// Random words of one chunk of trials, determined by the seed and the number of the chunk.
///
/// They are the same on every machine: what the vector instructions at hand change is only how fast they come.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    arch: Arch,
    state: State,
    /// A step kept for single draws, and how many words of it are left.
    reserve: [u64; LANES],
    left: usize,
}

impl Stream {
    /// The words of a chunk, drawn with the widest vector instructions that the machine has.
    #[cfg(test)]
    pub(crate) fn new(seed: u64, chunk: u64) -> Self {
        Self::on(Arch::new(), seed, chunk)
    }

    /// The words of a chunk, drawn with these instructions.
    ///
    /// The state of chunk `c` is made of the outputs `32 c .. 32 c + 32` of SplitMix64 seeded with `seed`, four in
    /// a row for each lane. Since the outputs of SplitMix64 only repeat after 2^64, no word is in the state of two
    /// chunks of a seed (below 2^59), nor twice in one; so no lane starts as another does, and none with zeros only,
    /// the one state that xoshiro256++ never leaves.
    pub(crate) fn on(arch: Arch, seed: u64, chunk: u64) -> Self {
        let skipped = GAMMA.wrapping_mul(STATE.wrapping_mul(chunk));
        let mut source = SplitMix64::seed_from_u64(seed.wrapping_add(skipped));
        let mut state = State::default();
        for lane in 0..LANES {
            for word in &mut state {
                word[lane] = source.next_u64();
            }
        }
        Self {
            arch,
            state,
            reserve: [0; LANES],
            left: 0,
        }
    }

    /// Draws `len` words into the buffer.
    ///
    /// Draws whole steps of 32 words; what the last of them has too many is lost.
    pub(crate) fn fill(&mut self, words: &mut Words, len: usize) {
        let steps = &mut words.steps[..len.div_ceil(STEP)];
        let state = &mut self.state;
        match self.arch {
            #[cfg(target_arch = "x86_64")]
            Arch::V3(simd) => Simd::vectorize(simd, avx2::Draw { simd, state, steps }),
            #[cfg(target_arch = "x86_64")]
            Arch::V4(simd) => Simd::vectorize(simd, avx512::Draw { simd, state, steps }),
            _ => draw::<2>(state, steps),
        }
    }

    /// One 16-bit word.
    pub(crate) fn word(&mut self) -> u16 {
        let [low, high, ..] = self.next().to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// A number below `bound`, each with the same probability.
    ///
    /// `⌊x · bound / 2^64⌋` for a 64-bit word `x`, which is drawn again if `x · bound mod 2^64` is below
    /// `2^64 mod bound` (D. Lemire, *Fast Random Integer Generation in an Interval*, 2019).
    ///
    /// # Panics
    /// If the bound is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below 0");
        loop {
            let product = u128::from(self.next()) * u128::from(bound);
            let low = product & u128::from(u64::MAX);
            // The remainder costs a division and is itself below the bound, so it is seldom needed.
            if low >= u128::from(bound) || low >= u128::from(bound.wrapping_neg() % bound) {
                return (product >> 64) as u64;
            }
        }
    }

    /// A number below `bound`, each with the same probability, also if it takes more than 64 bits.
    ///
    /// # Panics
    /// If the bound is 0.
    pub(crate) fn below_wide(&mut self, bound: u128) -> u128 {
        assert!(bound > 0, "no number is below 0");
        let mask = u128::MAX
            .checked_shr((bound - 1).leading_zeros())
            .unwrap_or(0);
        loop {
            let word = u128::from(self.next()) << 64 | u128::from(self.next());
            if word & mask < bound {
                return word & mask;
            }
        }
    }

    /// One 64-bit word, from the reserve.
    fn next(&mut self) -> u64 {
        if self.left == 0 {
            self.refill();
        }
        self.left -= 1;
        low_part_first(self.reserve[LANES - 1 - self.left])
    }

    /// A new reserve. Not inlined, so that the state stays in memory while single draws are made.
    #[inline(never)]
    fn refill(&mut self) {
        draw::<2>(&mut self.state, std::slice::from_mut(&mut self.reserve));
        self.left = LANES;
    }
}

/// A buffer of 16-bit words, as they are drawn.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    steps: Vec<[u64; LANES]>,
}

impl Words {
    /// Room for `len` words.
    pub(crate) fn new(len: usize) -> Self {
        Self {
            steps: vec![[0; LANES]; len.div_ceil(STEP)],
        }
    }

    /// The first `len` words.
    #[cfg(test)]
    pub(crate) fn view(&self, len: usize) -> &[u16] {
        &bytemuck::cast_slice(&self.steps)[..len]
    }

    /// The first `len` words, to be changed.
    #[inline(always)]
    pub(crate) fn view_mut(&mut self, len: usize) -> &mut [u16] {
        &mut bytemuck::cast_slice_mut(&mut self.steps)[..len]
    }
}

/// Draws steps, `G` lanes at a time so that their state stays in registers: two lanes of scalars fill them.
#[inline(always)]
fn draw<const G: usize>(state: &mut State, steps: &mut [[u64; LANES]]) {
    for first in (0..LANES).step_by(G) {
        let lanes = first..first + G;
        let mut s = [[0; G]; 4];
        for (own, all) in s.iter_mut().zip(&*state) {
            own.copy_from_slice(&all[lanes.clone()]);
        }
        for step in &mut *steps {
            step[lanes.clone()].copy_from_slice(&next(&mut s));
        }
        for (own, all) in s.iter().zip(&mut *state) {
            all[lanes.clone()].copy_from_slice(own);
        }
    }
}

/// The next output of xoshiro256++ in each lane (D. Blackman and S. Vigna, *Scrambled Linear Pseudorandom Number
/// Generators*, 2021), as a buffer has it.
#[inline(always)]
fn next<const G: usize>([a, b, c, d]: &mut [[u64; G]; 4]) -> [u64; G] {
    std::array::from_fn(|i| {
        let output = a[i].wrapping_add(d[i]).rotate_left(23).wrapping_add(a[i]);
        let shifted = b[i] << 17;
        c[i] ^= a[i];
        d[i] ^= b[i];
        b[i] ^= c[i];
        a[i] ^= d[i];
        c[i] ^= shifted;
        d[i] = d[i].rotate_left(45);
        low_part_first(output)
    })
}

/// The word whose four 16-bit parts lie in memory from low to high, on every machine; and back.
#[inline(always)]
fn low_part_first(word: u64) -> u64 {
    if cfg!(target_endian = "little") {
        return word;
    }
    let swapped = (word & 0xffff_0000_ffff) << 16 | (word >> 16 & 0xffff_0000_ffff);
    swapped.rotate_left(32)
}

/// The generators in vectors, which the compiler does not find by itself in every build.
macro_rules! vectors {
    ($module:ident, $simd:ident, $vector:ident, $add:ident, $xor:ident, $or:ident, $left:ident, $right:ident) => {
        #[cfg(target_arch = "x86_64")]
        mod $module {
            use pulp::x86::$simd;
            use pulp::{Simd, WithSimd, $vector};

            use super::{LANES, State};

            /// How many vectors hold the lanes. They take turns: one alone would wait for its own results.
            const VECTORS: usize = LANES * size_of::<u64>() / size_of::<$vector>();

            pub(super) struct Draw<'a> {
                pub(super) simd: $simd,
                pub(super) state: &'a mut State,
                pub(super) steps: &'a mut [[u64; LANES]],
            }

            impl WithSimd for Draw<'_> {
                type Output = ();

                #[inline(always)]
                fn with_simd<S: Simd>(self, _: S) {
                    let all: &mut [[$vector; VECTORS]; 4] = bytemuck::cast_mut(self.state);
                    let steps: &mut [[$vector; VECTORS]] = bytemuck::cast_slice_mut(self.steps);
                    let mut state = *all;
                    for step in steps {
                        for (at, output) in step.iter_mut().enumerate() {
                            *output = next(self.simd, &mut state, at);
                        }
                    }
                    *all = state;
                }
            }

            #[inline(always)]
            fn next(simd: $simd, state: &mut [[$vector; VECTORS]; 4], at: usize) -> $vector {
                let [a, b, c, d] = state.each_mut().map(|row| &mut row[at]);
                let sum = simd.$add(*a, *d);
                let rotated = simd.$or(simd.$left::<23>(sum), simd.$right::<41>(sum));
                let output = simd.$add(rotated, *a);
                let shifted = simd.$left::<17>(*b);
                *c = simd.$xor(*c, *a);
                *d = simd.$xor(*d, *b);
                *b = simd.$xor(*b, *c);
                *a = simd.$xor(*a, *d);
                *c = simd.$xor(*c, shifted);
                *d = simd.$or(simd.$left::<45>(*d), simd.$right::<19>(*d));
                output
            }
        }
    };
}

vectors!(
    avx2,
    V3,
    u64x4,
    wrapping_add_u64x4,
    xor_u64x4,
    or_u64x4,
    shl_const_u64x4,
    shr_const_u64x4
);
vectors!(
    avx512,
    V4,
    u64x8,
    wrapping_add_u64x8,
    xor_u64x8,
    or_u64x8,
    shl_const_u64x8,
    shr_const_u64x8
);

use pulp::{Arch, Simd, WithSimd};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{Uniform, WordPlan};
use crate::lane::Lane;
use crate::stream::tests::{LEVEL, archs, chi_square};
use crate::stream::{Stream, Words};

/// Rows in a batch, as in use.
const LEN: usize = 2048;

/// Rolls so many columns of dice.
fn roll(stream: &mut Stream, sides: u64, columns: usize, len: usize) -> Vec<Vec<i32>> {
    let mut rolled = vec![vec![0; len]; columns];
    Uniform::new(sides).roll(stream, &mut Words::new(len), 0, &mut rolled, len);
    rolled
}

/// Rolls so many columns of dice in many batches.
fn roll_many(stream: &mut Stream, sides: u64, columns: usize, rows: usize) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new(); columns];
    while all[0].len() < rows {
        let batch = roll(stream, sides, columns, LEN);
        for (column, more) in all.iter_mut().zip(batch) {
            column.extend(more);
        }
    }
    all
}

/// Every roll of `m` dice is made by `⌊2^16 / s^m⌋` of all 2^16 words, and the others are rejected.
#[test]
fn every_roll_has_the_same_number_of_words() {
    let words: Vec<u16> = (0..=u16::MAX).collect();
    for sides in (1..=256).chain([257, 300, 625, 1000, 1023, 1024, 1999, 2048, 4096, 32_768]) {
        let die = Uniform::new(sides);
        assert!(die.plans.len() > 1, "d{sides}");
        let mut rolls = vec![0_u32; words.len()];
        let mut faces = vec![0_i32; words.len()];
        let mut cells = 1;
        for dice in 1..die.plans.len() {
            die.faces(&words, die.plans[dice - 1], &mut faces, |out, face| {
                *out = face;
            });
            for (roll, face) in rolls.iter_mut().zip(&faces) {
                *roll += cells * u32::try_from(*face).expect("faces are not negative");
            }
            cells *= u32::try_from(sides).expect("few sides");
            let plan = die.plans[dice];
            let mut counts = vec![0; cells as usize];
            for (word, roll) in words.iter().zip(&rolls) {
                counts[*roll as usize] += u32::from(plan.last(*word) >= plan.threshold);
            }
            let fair = 65_536 / cells;
            assert!(counts.iter().all(|count| *count == fair), "{dice}d{sides}");
        }
    }
}

#[test]
fn as_many_dice_from_a_word_as_are_seldom_rejected() {
    let most = |sides| Uniform::new(sides).plans.len() - 1;
    assert_eq!([1, 2, 4, 8, 16, 256].map(most), [16, 16, 8, 5, 4, 2]);
    // 2^16 mod 6^3 is 88, mod 6^4 736; mod 10^2 36, mod 10^3 536.
    assert_eq!([3, 6, 10, 12, 20, 100].map(most), [4, 3, 2, 2, 1, 1]);
    assert_eq!([1000, 40_000, 65_536, 1 << 62].map(most), [1, 0, 0, 0]);
    assert_eq!(
        Uniform::new(10).plans[2],
        WordPlan {
            power: 100,
            threshold: 36
        }
    );
    // Four d10 come from two words with two dice each; seven d6 from words with three, two and two.
    assert_eq!(Uniform::new(10).dice_from_a_word(4), 2);
    assert_eq!(
        [7, 4, 2].map(|left| Uniform::new(6).dice_from_a_word(left)),
        [3, 2, 2]
    );
}

/// The loop of the paper, on the words that the stream yields.
#[test]
fn columns_hold_what_the_loop_yields() {
    for (sides, dice) in [(6, 3), (10, 2), (8, 5), (100, 1), (1000, 1), (2, 16)] {
        let die = Uniform::new(sides);
        let mut stream = Stream::new(5, 6);
        let mut words = Words::new(LEN);
        stream.clone().fill(&mut words, LEN);
        let rolled = roll(&mut stream, sides, dice, LEN);
        let mut kept = 0;
        for (row, word) in words.view(LEN).iter().enumerate() {
            let mut left = u64::from(*word);
            let mut faces = Vec::new();
            for _ in 0..dice {
                faces.push((left * sides) >> 16);
                left = (left * sides) & 0xffff;
            }
            if left >= u64::from(die.plans[dice].threshold) {
                kept += 1;
                let expected = faces.into_iter().map(i64::try_from);
                let rolled = rolled.iter().map(|column| Ok(i64::from(column[row])));
                assert!(expected.eq(rolled), "{dice}d{sides}, row {row}");
            }
        }
        assert!(kept > LEN * 9 / 10, "{dice}d{sides}: {kept}");
    }
}

/// In their order, by the next single draws that are not rejected.
#[test]
fn rejected_words_are_drawn_again() {
    let die = Uniform::new(1999);
    let rejected = |word: u16| u32::from(word) * 1999 % 65_536 < 65_536 % 1999;
    for len in [1, 31, 32, 33, LEN] {
        let mut replaced = 0;
        for chunk in 0..50 {
            let mut stream = Stream::new(1, chunk);
            let mut draws = stream.clone();
            let mut words = Words::new(len);
            draws.fill(&mut words, len);
            let mut expected = words.view(len).to_vec();
            for word in expected.iter_mut().filter(|word| rejected(**word)) {
                replaced += 1;
                while rejected(*word) {
                    *word = draws.word();
                }
            }
            assert_eq!(die.draw(1, &mut stream, &mut words, len), expected);
        }
        assert!(replaced > len / 2, "{replaced} of {len}");
    }
}

/// 10^7 faces of each size of die; each at level 1e-6, so that the whole would fail by chance once in 10,000 seeds.
#[test]
fn dice_are_uniform() {
    let failed: Vec<_> = (2..=100)
        .into_par_iter()
        .map(|sides| (sides, chi_square(&histogram(sides, 10_000_000))))
        .filter(|(_, level)| *level <= LEVEL)
        .collect();
    assert_eq!(failed, []);
}

/// Faces of as many columns as share a word, and one more.
fn histogram(sides: u64, faces: usize) -> Vec<u64> {
    let die = Uniform::new(sides);
    let mut columns = vec![vec![0_i8; LEN]; die.plans.len()];
    let mut words = Words::new(LEN);
    let mut stream = Stream::new(sides, 0);
    // A count for each place modulo 4, so that equal faces in a row do not wait for one another.
    let mut counts = [[0_u64; 128]; 4];
    for _ in 0..faces.div_ceil(LEN * columns.len()) {
        die.roll(&mut stream, &mut words, 1, &mut columns, LEN);
        for column in &columns {
            for four in column.as_chunks::<4>().0 {
                for (counts, face) in counts.iter_mut().zip(four) {
                    counts[usize::from(face.cast_unsigned())] += 1;
                }
            }
        }
    }
    let sum = |face: usize| counts.iter().map(|counts| counts[face]).sum();
    let all: Vec<u64> = (0..128).map(sum).collect();
    let (below, rest) = all.split_at(1);
    let (rolled, above) = rest.split_at(usize::try_from(sides).expect("few sides"));
    assert!(
        below.iter().chain(above).all(|count| *count == 0),
        "d{sides}"
    );
    rolled.to_vec()
}

/// Asserts `|r| < 5 / √n`: by chance about 6 in 10^7 independent pairs of columns are beyond.
fn assert_uncorrelated(what: &str, a: &[i32], b: &[i32]) {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mean = |of: &[i32]| of.iter().map(|x| f64::from(*x)).sum::<f64>() / n as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (f64::from(*a) - mean_a, f64::from(*b) - mean_b);
        ab += a * b;
        aa += a * a;
        bb += b * b;
    }
    let r = ab / (aa * bb).sqrt();
    assert!(r.abs() < 5.0 / (n as f64).sqrt(), "{what}: {r}");
}

/// Between neighbouring places of a row of words, lanes, steps and batches; between the dice of a word, and of words
/// one after another; between chunks; between seeds.
#[test]
fn dice_are_uncorrelated() {
    const ROWS: usize = 1_000_000;
    for sides in [2, 6, 8, 10, 100] {
        let name = |what: &str| format!("d{sides}, {what}");
        let columns = roll_many(&mut Stream::new(1, 0), sides, 6, ROWS);
        for distance in [1, 2, 3, 4, 8, 16, 32, 64, LEN] {
            let (first, later) = (&columns[0], &columns[0][distance..]);
            assert_uncorrelated(&name(&format!("distance {distance}")), first, later);
        }
        for i in 0..columns.len() {
            for j in 0..i {
                assert_uncorrelated(&name(&format!("dice {j}, {i}")), &columns[j], &columns[i]);
            }
        }
        for (what, seed, chunk) in [("chunks", 1, 1), ("seeds", 2, 0)] {
            let other = roll_many(&mut Stream::new(seed, chunk), sides, 1, ROWS);
            let same = roll_many(&mut Stream::new(1, 0), sides, 1, ROWS);
            assert_uncorrelated(&name(what), &same[0], &other[0]);
        }
    }
}

/// Pairs of dice of one word, and of two, over 10^6 rows; each at level 1e-6.
#[test]
fn pairs_of_dice_are_uniform() {
    for sides in [6, 10] {
        let columns = roll_many(&mut Stream::new(9, 0), sides, 6, 1_000_000);
        for pair in columns.windows(2) {
            let side = usize::try_from(sides).expect("few sides");
            let mut counts = vec![0; side * side];
            for (a, b) in pair[0].iter().zip(&pair[1]) {
                let place = |face: &i32| usize::try_from(*face).expect("faces are not negative");
                counts[place(a) * side + place(b)] += 1;
            }
            let level = chi_square(&counts);
            assert!(level > LEVEL, "2d{sides}: {level:e}");
        }
    }
}

/// The dice of one go, and then a word of the stream, which shows how much of it was used.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rolled<T> {
    columns: Vec<Vec<T>>,
    sums: Vec<T>,
    word: u16,
}

struct Task<T> {
    arch: Arch,
    sides: u64,
    len: usize,
    rolled: Rolled<T>,
}

impl<T: Lane> WithSimd for Task<T> {
    type Output = Rolled<T>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Rolled<T> {
        let mut rolled = self.rolled;
        let die = Uniform::new(self.sides);
        let mut stream = Stream::on(self.arch, 10, 11);
        let mut words = Words::new(self.len);
        die.roll(&mut stream, &mut words, -3, &mut rolled.columns, self.len);
        die.add_rolls(&mut stream, &mut words, -3, 7, &mut rolled.sums, &|| false);
        rolled.word = stream.word();
        rolled
    }
}

fn rolled<T: Lane>(arch: Arch, sides: u64, len: usize) -> Rolled<T> {
    let rolled = Rolled {
        columns: vec![vec![T::default(); len]; 7],
        sums: vec![T::default(); len],
        word: 0,
    };
    arch.dispatch(Task {
        arch,
        sides,
        len,
        rolled,
    })
}

#[test]
fn instructions_do_not_change_results() {
    fn check<T: Lane>(sides: u64, len: usize) {
        let plain = rolled::<T>(Arch::Scalar, sides, len);
        for arch in archs() {
            assert_eq!(
                rolled::<T>(arch, sides, len),
                plain,
                "{arch:?}, {len} d{sides}"
            );
        }
    }
    for len in [1, 31, 32, 33, 1000, 2048] {
        for sides in [
            1,
            2,
            3,
            6,
            8,
            10,
            20,
            100,
            256,
            257,
            1000,
            1999,
            5000,
            1 << 40,
        ] {
            check::<i8>(sides, len);
            check::<i16>(sides, len);
            check::<i32>(sides, len);
            check::<i64>(sides, len);
        }
    }
}

/// Every width has the low bits of what the widest has; faces start at `low`; sums are sums.
#[test]
fn widths_agree() {
    fn same<T: Lane>(narrow: &[T], wide: &[i64]) -> bool {
        narrow.iter().copied().eq(wide.iter().copied().map(T::wrap))
    }
    fn check<T: Lane>(sides: u64, wide: &Rolled<i64>) {
        let narrow = rolled::<T>(Arch::Scalar, sides, LEN);
        let mut columns = narrow.columns.iter().zip(&wide.columns);
        assert!(columns.all(|(narrow, wide)| same(narrow, wide)), "d{sides}");
        assert!(same(&narrow.sums, &wide.sums), "d{sides}");
    }
    for sides in [2, 6, 10, 100, 1000, 5000] {
        let wide = rolled::<i64>(Arch::Scalar, sides, LEN);
        let last = sides.cast_signed() - 4;
        let mut faces = wide.columns.iter().flatten();
        assert!(faces.all(|face| (-3..=last).contains(face)), "d{sides}");
        check::<i8>(sides, &wide);
        check::<i16>(sides, &wide);
        check::<i32>(sides, &wide);
    }
}

/// A sum is that of the dice that the same stream would roll into columns.
#[test]
fn sums_are_sums_of_rolls() {
    for (sides, count) in [
        (6, 1000),
        (6, 1),
        (6, 0),
        (10, 5),
        (2, 33),
        (1000, 3),
        (5000, 2),
    ] {
        let sums = {
            let mut sums = vec![77_i64; LEN];
            let mut words = Words::new(LEN);
            let mut stream = Stream::new(1, 1);
            Uniform::new(sides).add_rolls(&mut stream, &mut words, 0, count, &mut sums, &|| false);
            sums
        };
        let columns = usize::try_from(count).expect("few dice");
        let rolled = roll(&mut Stream::new(1, 1), sides, columns, LEN);
        for (row, sum) in sums.iter().enumerate() {
            let expected: i64 = rolled.iter().map(|column| i64::from(column[row])).sum();
            assert_eq!(*sum, expected, "{count}d{sides}, row {row}");
        }
    }
}

#[test]
fn one_face() {
    for sides in [1, 2, 6, 100] {
        let die = Uniform::new(sides);
        let mut stream = Stream::new(2, 2);
        let mut counts = vec![0_u64; usize::try_from(sides).expect("few sides")];
        for _ in 0..100_000 {
            let face = usize::try_from(die.roll_one(&mut stream));
            counts[face.expect("faces are not negative")] += 1;
        }
        assert!(sides == 1 || chi_square(&counts) > LEVEL, "d{sides}");
    }
}

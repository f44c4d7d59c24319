//! Results whose totals cross 64 and 128 bits, and large ones, by two ways each.

use crate::oracle;

use oddsmith_dist::{Budget, Dist, Evaluator, Feature, Kept, Pool, RBig, Reading, UBig, Weighted};

fn unlimited() -> Budget {
    Budget::unlimited()
}

fn bits(total: &UBig) -> usize {
    (0..).find(|n| (UBig::ONE << *n) > *total).unwrap()
}

fn dice() -> Vec<Dist> {
    let weighted = [(0, 3), (1, 1), (2, 7), (5, 1)];
    vec![
        Dist::die(6).unwrap(),
        Dist::die(2).unwrap(),
        oracle::dist(&weighted),
        oracle::dist(&[(-4, 2), (0, 2), (4, 2)]),
        oracle::dist(&[(1, u64::MAX), (2, 1)]),
        oracle::dist(&[(-3, 6), (2, 4)]),
        oracle::dist(&[(0, 9), (1, 1), (3, 2)]),
    ]
}

/// Every `n` up to where totals have left 128 bits; the sum is also built one die at a time.
#[test]
fn recurrences_against_plain_convolution() {
    for die in dice() {
        let mut sum = Dist::constant(0);
        for n in 0..=140 {
            assert_eq!(die.sum_of(n, &unlimited()).unwrap(), sum, "{n} of {die:?}");
            assert_eq!(bits(sum.total()) > 128, sum.total() >= &(UBig::ONE << 128));
            sum = sum.convolve(&die, &unlimited()).unwrap();
        }
        assert!(bits(sum.total()) > 128);
    }
}

/// Both ends have more weight than the recurrences divide by.
#[test]
fn sums_of_dice_with_heavy_ends() {
    let die = oracle::dist(&[(0, u64::MAX), (1, 1), (3, u64::MAX - 1)]);
    let mut sum = Dist::constant(0);
    for n in 0..20 {
        assert_eq!(die.sum_of(n, &unlimited()).unwrap(), sum);
        sum = sum.convolve(&die, &unlimited()).unwrap();
    }
}

/// Reads sums with the general fold, whatever the crate would choose.
struct PlainSum(Kept);

impl Evaluator for PlainSum {
    type State = (u32, i64);
    type Outcome = i64;

    fn start(&self, _size: u32) -> (u32, i64) {
        (0, 0)
    }

    fn step(&self, (placed, sum): &(u32, i64), face: i64, count: u32) -> (u32, i64) {
        let kept =
            (*placed..placed + count).filter(|place| (self.0.start..self.0.end).contains(place));
        (
            placed + count,
            sum + face * i64::try_from(kept.count()).unwrap(),
        )
    }

    fn finish(&self, (_, sum): (u32, i64)) -> i64 {
        sum
    }
}

fn assert_same(found: &Dist, folded: &Weighted<i64>) {
    let folded = folded.iter().map(|(x, weight)| (*x, weight.clone()));
    assert_eq!(found, &Dist::from_weights(folded).unwrap());
}

#[test]
fn kept_sums_against_the_fold() {
    for die in dice() {
        for n in [9, 24, 25, 26, 49, 50, 51, 64, 65] {
            let pool = Pool::new([(die.clone(), n)]);
            let all = pool.kept_all();
            let ranges = [
                all.keep_highest(3),
                all.keep_lowest(4),
                all.drop_lowest(2),
                all.drop_highest(5),
                all.drop_highest(2).keep_highest(3),
                all.drop_highest(3).keep_highest(1),
                all.drop_lowest(2).keep_lowest(1),
            ];
            for kept in ranges {
                let found = pool.read(&Feature::sum(kept), &unlimited()).unwrap();
                assert_same(&found, &pool.fold(&PlainSum(kept), &unlimited()).unwrap());
            }
        }
    }
}

/// The mean of kept dice is the sum of the means of their places, which are found another way.
#[test]
fn kept_sums_against_places_in_every_width() {
    let die = Dist::die(20).unwrap();
    for (n, k) in [
        (40, 3),
        (50, 3),
        (60, 3),
        (80, 3),
        (100, 20),
        (110, 3),
        (150, 3),
        (200, 3),
        (240, 3),
    ] {
        let pool = Pool::new([(die.clone(), n)]);
        let mean = |kept| pool.read(&Feature::sum(kept), &unlimited()).unwrap().mean();
        let places = (0..k).map(|start| {
            mean(Kept {
                start,
                end: start + 1,
            })
        });
        let sum = places.fold(RBig::ZERO, |sum, place| sum + place);
        assert_eq!(mean(pool.kept_all().keep_highest(k)), sum, "{k} of {n}");
    }
}

#[test]
fn mixed_kept_sums_against_the_fold() {
    let d = |sides| Dist::die(sides).unwrap();
    for n in [2, 5, 9, 10, 11] {
        let pool = Pool::new([(d(4), n), (d(6), n), (d(8), n)]);
        let all = pool.kept_all();
        for kept in [
            all.keep_highest(4),
            all.drop_highest(1).keep_highest(2),
            all.drop_lowest(1),
        ] {
            let found = pool.read(&Feature::sum(kept), &unlimited()).unwrap();
            assert_same(&found, &pool.fold(&PlainSum(kept), &unlimited()).unwrap());
        }
    }
}

#[test]
fn sets_in_pools_of_every_width() {
    for n in [5, 19, 20, 38, 39, 45] {
        let pool = Pool::new([(Dist::die(10).unwrap(), n)]);
        let all = pool.kept_all();
        let alone = pool.read(&Feature::matches(all, 1), &unlimited()).unwrap();
        assert_eq!(alone.total(), &pool.total());
        let pair = [Feature::matches(all, 1), Feature::sum(all.keep_highest(1))];
        let joint = pool.read_jointly(&pair, &unlimited()).unwrap();
        assert_same(&alone, &joint.map(|values| values[0]));
    }
}

/// Successes are binomial: `C(n, k) 4^k 6^(n-k)`, by the ratio of neighbours.
#[test]
fn successes_are_binomial() {
    let pool = Pool::new([(Dist::die(10).unwrap(), 200)]);
    let hits = Feature::sum_of(pool.kept_all(), pool.faces(), |face| i64::from(face >= 7));
    let hits = pool.read(&hits, &unlimited()).unwrap();
    let mut weight = UBig::from(6_u8).pow(200);
    for k in 0..=200_u32 {
        assert_eq!(hits.weight(k.into()), weight);
        weight = weight * 4_u8 * (200 - k) / (6 * (k + 1));
    }
}

#[test]
fn a_thousand_dice() {
    let sum = Dist::die(6).unwrap().sum_of(1000, &unlimited()).unwrap();
    assert_eq!(sum.total(), &UBig::from(6_u8).pow(1000));
    let weights: Vec<UBig> = sum.iter().map(|(_, weight)| weight).collect();
    assert_eq!(weights.len(), 5001);
    assert!(weights.iter().eq(weights.iter().rev()));
    assert_eq!(&weights.iter().sum::<UBig>(), sum.total());
    assert_eq!(sum.mean(), RBig::from(3500));
    // Halves put together, by plain convolution, at a few places.
    let half = Dist::die(6).unwrap().sum_of(500, &unlimited()).unwrap();
    for at in [1000, 1007, 2345, 3500] {
        let pairs = half.iter().map(|(x, weight)| weight * half.weight(at - x));
        assert_eq!(sum.weight(at), pairs.sum::<UBig>());
    }
}

/// Weights are compared modulo a prime that fits a word.
const PRIME: u64 = (1 << 61) - 1;

fn times(left: u64, right: u64) -> u64 {
    u64::try_from(u128::from(left) * u128::from(right) % u128::from(PRIME)).unwrap()
}

/// The weights from the lowest outcome to the highest.
fn residues(dist: &Dist) -> Vec<u64> {
    let residue = |x| dist.weight(x) % PRIME;
    (dist.min()..=dist.max()).map(residue).collect()
}

/// Sums of very many dice against adding one die after the other.
#[test]
fn sums_modulo_a_prime() {
    let open = |face| face == 10;
    let exploding = Dist::die(10).unwrap().explode(open, 4, &unlimited());
    for (die, n) in [
        (Dist::die(6).unwrap(), 1000),
        (Dist::die(100).unwrap(), 100),
        (exploding.unwrap(), 30),
        (oracle::dist(&[(-1, 7), (0, 3), (4, 2)]), 200),
    ] {
        let faces = residues(&die);
        let mut sums = vec![1];
        for _ in 0..n {
            let mut next = vec![0; sums.len() + faces.len() - 1];
            for (place, weight) in sums.iter().enumerate() {
                for (more, face) in faces.iter().enumerate().filter(|(_, face)| **face > 0) {
                    next[place + more] = (next[place + more] + times(*weight, *face)) % PRIME;
                }
            }
            sums = next;
        }
        let found = die.sum_of(n, &unlimited()).unwrap();
        assert_eq!(found.total(), &die.total().pow(n as usize));
        assert_eq!(residues(&found), sums, "{n} of {die:?}");
    }
}

/// The highest `k` of `n` equal dice, by placing them one face after the other.
fn highest_by_placing(weights: &[u64], n: usize, k: usize) -> Vec<u64> {
    let mut choices = vec![vec![0; n + 1]; n + 1];
    for i in 0..=n {
        choices[i][0] = 1;
        for j in 1..=i {
            choices[i][j] = (choices[i - 1][j - 1] + choices[i - 1][j]) % PRIME;
        }
    }
    let power = |base, exponent| (0..exponent).fold(1, |power, _| times(power, base));
    let mut done = vec![0; k * (weights.len() - 1) + 1];
    let mut rows = vec![done.clone(); k];
    rows[0][0] = 1;
    for (face, weight) in weights.iter().enumerate().rev() {
        let below = weights[..face].iter().sum::<u64>() % PRIME;
        let mut next = vec![vec![0; done.len()]; k];
        for (placed, row) in rows.iter().enumerate() {
            let waiting = n - placed;
            for count in 0..=waiting {
                let mut ways = times(choices[waiting][count], power(*weight, count));
                let taken = count.min(k - placed);
                let sums = if placed + count < k {
                    &mut next[placed + count]
                } else {
                    ways = times(ways, power(below, waiting - count));
                    &mut done
                };
                let shifted = sums.iter_mut().skip(taken * face);
                for (sum, weight) in shifted.zip(row).filter(|(_, weight)| **weight > 0) {
                    *sum = (*sum + times(*weight, ways)) % PRIME;
                }
            }
        }
        rows = next;
    }
    done
}

#[test]
fn kept_sums_modulo_a_prime() {
    let exploding = Dist::die(10)
        .unwrap()
        .explode(|face| face == 10, 4, &unlimited());
    for (die, n, k) in [
        (Dist::die(20).unwrap(), 100, 50),
        (Dist::die(100).unwrap(), 20, 5),
        (Dist::die(6).unwrap(), 60, 59),
        (exploding.unwrap(), 10, 5),
        (oracle::dist(&[(0, 3), (1, 1), (2, 7), (5, 1)]), 100, 50),
    ] {
        let faces = residues(&die);
        let pool = Pool::new([(die.clone(), n)]);
        let all = pool.kept_all();
        let highest = pool.read(&Feature::sum(all.keep_highest(k)), &unlimited());
        let expected = highest_by_placing(&faces, n as usize, k as usize);
        assert_eq!(residues(&highest.unwrap()), expected, "{k} of {n} {die:?}");
        let lowest = pool.read(&Feature::sum(all.keep_lowest(k)), &unlimited());
        let mirrored: Vec<u64> = faces.into_iter().rev().collect();
        let mut expected = highest_by_placing(&mirrored, n as usize, k as usize);
        expected.reverse();
        assert_eq!(residues(&lowest.unwrap()), expected, "{k} of {n} {die:?}");
    }
}

/// There are more ways to choose among dice of one face than rolls.
#[test]
fn many_dice_of_one_face() {
    let pools = [
        Pool::new([(Dist::constant(4), 140), (Dist::die(4).unwrap(), 2)]),
        Pool::new([(Dist::constant(1), 140), (Dist::die(4).unwrap(), 2)]),
        Pool::new([(Dist::constant(7), 140)]),
    ];
    for pool in pools {
        for (start, end) in [(0, 70), (70, 71), (1, 3), (60, 142), (0, 3)] {
            let kept = Kept { start, end };
            let found = pool.read(&Feature::sum(kept), &unlimited()).unwrap();
            assert_same(&found, &pool.fold(&PlainSum(kept), &unlimited()).unwrap());
        }
    }
}

/// Sizes below, at and above half of the dice, of dice with few and many faces.
#[test]
fn sets_of_all_sizes() {
    let dice = [2, 3, 6].map(|sides| Dist::die(sides).unwrap());
    let sparse = oracle::dist(&[(-7, 2), (0, 2), (1_000, 2), (9_000, 2)]);
    for die in dice.into_iter().chain([sparse]) {
        for n in (1..=13).chain([40, 41, 63, 64, 65]) {
            let pool = Pool::new([(die.clone(), n)]);
            let feature = Feature::matches(pool.kept_all(), 1);
            let alone = pool.read(&feature, &unlimited()).unwrap();
            let joint = pool.read_jointly(&[feature], &unlimited()).unwrap();
            assert_same(&alone, &joint.map(|values| values[0]));
        }
    }
}

/// Totals of each width give equal views of the same distribution.
#[test]
fn every_width_answers_alike() {
    for power in [1, 60, 64, 65, 126, 127, 128, 129, 300] {
        let scale = UBig::ONE << power;
        let die =
            Dist::from_weights((1..=4).map(|x: i64| (x, UBig::from(x.unsigned_abs()) * &scale)));
        let die = die.unwrap();
        assert_eq!(die.pmf(3), RBig::from_parts(3.into(), 10_u8.into()));
        assert_eq!(die.mean(), RBig::from(3));
        assert_eq!(die.variance(), RBig::ONE);
        assert_eq!(die.weight(4), &scale * 4_u8);
        assert_eq!(die.map(|x| x % 2).weight(0), &scale * 6_u8);
        assert_eq!(die.negate().unwrap().weight(-2), &scale * 2_u8);
        assert_eq!(die.dense_u128().is_some(), bits(die.total()) <= 127);
        let highest = die.highest_of(&die);
        assert_eq!(highest.pmf(1), RBig::from_parts(1.into(), 100_u8.into()));
        let pool = Pool::new([(die, 3)]);
        let feature = Feature::new(pool.kept_all(), Reading::Matches(1));
        let alike = pool.read(&feature, &unlimited()).unwrap();
        assert_eq!(alike.pmf(3), RBig::from_parts(100.into(), 1000_u16.into()));
    }
}

/// Dice that can only show one value, as where every face counts or none does.
#[test]
fn sums_of_one_value() {
    let sixfold = Dist::from_weights([(2, 6_u8.into())]).unwrap();
    for n in [2, 44, 45, 1000] {
        let sum = sixfold.sum_of(n, &unlimited()).unwrap();
        assert_eq!(sum.as_constant(), Some(2 * i64::from(n)));
        assert_eq!(sum.total(), &UBig::from(6_u8).pow(n as usize));
        let pool = Pool::new([(Dist::die(6).unwrap(), n)]);
        for (value, expected) in [(0, 0), (1, i64::from(n))] {
            let feature = Feature::sum_of(pool.kept_all(), pool.faces(), |_| value);
            let count = pool.read(&feature, &unlimited()).unwrap();
            assert_eq!(
                (count.as_constant(), count.total()),
                (Some(expected), sum.total())
            );
        }
    }
}

/// A face may weigh more than all ways to place the dice.
#[test]
fn heavy_faces_of_truncated_dice() {
    let heavy = UBig::ONE << 65;
    let long = Dist::from_weights([(1, heavy.clone()), (2, UBig::ONE), (3, UBig::ONE)]).unwrap();
    let short = Dist::from_weights([(1, heavy), (2, UBig::ONE)]).unwrap();
    let pool = Pool::new([(long.clone(), 1), (short.clone(), 2)]);
    let highest = pool
        .read(&Feature::sum(pool.kept_all().keep_highest(1)), &unlimited())
        .unwrap();
    let by_hand = long.highest_of(&short).highest_of(&short);
    assert_eq!(highest, by_hand);
}

//! Results whose totals cross 64 and 128 bits, and large ones, by two ways each.

mod oracle;

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
        let feature = Feature {
            kept: pool.kept_all(),
            reading: Reading::Matches(1),
        };
        let alike = pool.read(&feature, &unlimited()).unwrap();
        assert_eq!(alike.pmf(3), RBig::from_parts(100.into(), 1000_u16.into()));
    }
}

//! Laws that hold for all distributions, checked on generated ones.

use crate::oracle;

use std::collections::BTreeMap;

use oddsmith_dist::{Budget, Comparison, Dist, Feature, Pool, RBig, UBig, Weighted};
use oracle::Die;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

/// Dice with up to five faces, near one another or far apart.
fn dice() -> impl Strategy<Value = Die> {
    let near = btree_map(-4_i64..8, 1_u64..6, 1..6);
    let far = btree_map(-5_000_000_i64..5_000_000, 1_u64..6, 1..6);
    prop_oneof![3 => near, 1 => far].prop_map(|faces| faces.into_iter().collect())
}

fn dist(die: &Die) -> Dist {
    oracle::dist(die)
}

/// Weights of `f` over all pairs, counted one by one.
fn pairs<T: Ord>(left: &Die, right: &Die, f: impl Fn(i64, i64) -> T) -> BTreeMap<T, u64> {
    let mut tally = BTreeMap::new();
    for (x, weight) in left {
        for (y, other) in right {
            *tally.entry(f(*x, *y)).or_default() += weight * other;
        }
    }
    tally
}

fn ratio(numerator: u64, denominator: u64) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

fn unlimited() -> Budget {
    Budget::unlimited()
}

/// Distributions and pools can be shared between threads.
#[test]
fn values_are_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<(Dist, Pool, Feature, Weighted<Vec<i64>>, Budget)>();
}

proptest! {
    #[test]
    fn weights_are_kept_as_given(die in dice()) {
        let x = dist(&die);
        let given: Vec<_> = die.iter().map(|(face, w)| (*face, UBig::from(*w))).collect();
        prop_assert_eq!(x.iter().collect::<Vec<_>>(), given.clone());
        prop_assert_eq!(x.support().collect::<Vec<_>>(), die.iter().map(|f| f.0).collect::<Vec<_>>());
        prop_assert_eq!(x.total(), &given.iter().map(|(_, w)| w).sum::<UBig>());
        prop_assert_eq!(x.len(), die.len());
        prop_assert_eq!((x.min(), x.max()), (die[0].0, die[die.len() - 1].0));
        for (face, weight) in &given {
            prop_assert_eq!(&x.weight(*face), weight);
        }
        let backwards = Dist::from_weights(given.into_iter().rev()).unwrap();
        prop_assert_eq!(backwards, x);
    }

    #[test]
    fn sums_differences_and_functions(left in dice(), right in dice()) {
        let (x, y) = (dist(&left), dist(&right));
        let sum = x.convolve(&y, &unlimited()).unwrap();
        prop_assert_eq!(&sum, &oracle::counted(&pairs(&left, &right, |a, b| a + b)));
        prop_assert_eq!(sum.mean(), x.mean() + y.mean());
        prop_assert_eq!(sum.variance(), x.variance() + y.variance());
        prop_assert_eq!(&sum, &y.convolve(&x, &unlimited()).unwrap());
        let difference = x.subtract(&y, &unlimited()).unwrap();
        prop_assert_eq!(difference, oracle::counted(&pairs(&left, &right, |a, b| a - b)));
        let product = x.product(&y, i64::checked_mul, &unlimited()).unwrap();
        prop_assert_eq!(product, oracle::counted(&pairs(&left, &right, |a, b| a * b)));
    }

    #[test]
    fn extremes_and_comparison(left in dice(), right in dice()) {
        let (x, y) = (dist(&left), dist(&right));
        prop_assert_eq!(x.highest_of(&y), oracle::counted(&pairs(&left, &right, i64::max)));
        prop_assert_eq!(x.lowest_of(&y), oracle::counted(&pairs(&left, &right, i64::min)));
        let orders = pairs(&left, &right, |a, b| a.cmp(&b));
        let weight = |order| UBig::from(orders.get(&order).copied().unwrap_or(0));
        let expected = Comparison {
            less: weight(std::cmp::Ordering::Less),
            equal: weight(std::cmp::Ordering::Equal),
            greater: weight(std::cmp::Ordering::Greater),
            total: x.total() * y.total(),
        };
        prop_assert_eq!(x.compare(&y), expected);
    }

    /// `quantile(p) <= x` exactly if `p <= cdf(x)`.
    #[test]
    fn quantile_and_cdf_are_a_galois_pair(die in dice(), numerator in 1_u64..=60, at in -5_i64..9) {
        let x = dist(&die);
        let p = ratio(numerator, 60);
        prop_assert_eq!(x.quantile(&p) <= at, p <= x.cdf(at));
        for (face, _) in &die {
            prop_assert_eq!(x.quantile(&p) <= *face, p <= x.cdf(*face));
            prop_assert_eq!(x.quantile(&x.cdf(*face)), *face);
        }
    }

    #[test]
    fn cumulative_weights(die in dice(), at in -6_i64..10) {
        let x = dist(&die);
        let below: u64 = die.iter().filter(|(face, _)| *face <= at).map(|(_, w)| w).sum();
        prop_assert_eq!(x.at_most_weight(at), UBig::from(below));
        prop_assert_eq!(x.at_most_weight(at) + x.at_least_weight(at + 1), x.total().clone());
        prop_assert_eq!(x.cdf(at) - x.cdf(at - 1), x.pmf(at));
        prop_assert_eq!(x.at_least(at) + x.cdf(at - 1), RBig::ONE);
    }

    #[test]
    fn maps_move_weights(die in dice(), k in -3_i64..4) {
        let x = dist(&die);
        let by = |f: &dyn Fn(i64) -> i64| {
            Dist::from_weights(die.iter().map(|(face, w)| (f(*face), UBig::from(*w)))).unwrap()
        };
        prop_assert_eq!(x.shift(k).unwrap(), by(&|face| face + k));
        prop_assert_eq!(x.scale(k).unwrap(), by(&|face| face * k));
        prop_assert_eq!(x.negate().unwrap(), by(&|face| -face));
        prop_assert_eq!(x.map(|face| face.rem_euclid(3)), by(&|face| face.rem_euclid(3)));
    }

    #[test]
    fn rerolls(die in dice(), at in -4_i64..8) {
        let x = dist(&die);
        let again = |face: i64| face < at;
        let once = pairs(&die, &die, |first, second| if again(first) { second } else { first });
        prop_assert_eq!(x.reroll_once(again), oracle::counted(&once));
        let others: Die = die.iter().copied().filter(|(face, _)| !again(*face)).collect();
        match x.reroll(again) {
            Ok(rerolled) => prop_assert_eq!(rerolled, dist(&others)),
            Err(error) => {
                prop_assert!(others.is_empty());
                prop_assert_eq!(error, oddsmith_dist::Error::Empty);
            }
        }
    }

    /// All `depth + 1` faces are rolled; those after the first that stands are not looked at.
    #[test]
    fn explosions(die in dice(), at in -4_i64..8, depth in 0_u32..4) {
        let again = |face: i64| face >= at;
        let mut expected = BTreeMap::new();
        let rolled = vec![die.clone(); depth as usize + 1];
        oracle::every_roll(&rolled, |roll, weight| {
            let last = roll.iter().position(|face| !again(*face)).unwrap_or(roll.len() - 1);
            *expected.entry(roll[..=last].iter().sum::<i64>()).or_default() += weight;
        });
        let found = dist(&die).explode(again, depth, &unlimited()).unwrap();
        prop_assert_eq!(found, oracle::counted(&expected));
    }

    /// The recurrences agree with adding one die after the other.
    #[test]
    fn sums_of_equal_dice(die in dice(), n in 0_u32..12) {
        let x = dist(&die);
        let added = (0..n).fold(Dist::constant(0), |sum, _| sum.convolve(&x, &unlimited()).unwrap());
        prop_assert_eq!(x.sum_of(n, &unlimited()).unwrap(), added);
    }

    /// Shares and parts of all widths, of one word and of many, each against the definition.
    #[test]
    fn mixtures(
        parts in vec((0_u64..5, prop_oneof![Just(0_usize), 0..300_usize], dice(), 1_u32..20), 1..4),
    ) {
        let given: Vec<_> = parts
            .iter()
            .map(|(share, shift, die, n)| {
                let share = (UBig::from(*share) << *shift) + UBig::from(*share / 3);
                (share, dist(die).sum_of(*n, &unlimited()).unwrap())
            })
            .collect();
        let shares: UBig = given.iter().map(|(share, _)| share).sum();
        let Ok(mixed) = Dist::mix(&given) else {
            prop_assert!(shares.is_zero());
            return Ok(());
        };
        let all: UBig = given.iter().map(|(_, part)| part.total()).product();
        for x in mixed.support() {
            let ways = |(share, part): &(UBig, Dist)| share * part.weight(x) * (&all / part.total());
            let ways: UBig = given.iter().map(ways).sum();
            prop_assert_eq!(mixed.weight(x) * &all * &shares, ways * mixed.total());
        }
        let entries = |die: &Dist| Weighted::from_weights(die.iter()).unwrap();
        let general = given.iter().map(|(w, die)| (w.clone(), entries(die)));
        prop_assert_eq!(Weighted::mix(general).unwrap(), entries(&mixed));
    }

    /// Keeping the lowest of dice is keeping the highest of the dice upside down.
    #[test]
    fn mirror_law(groups in vec((dice(), 1_u32..4), 1..3), k in 1_u32..5) {
        let pool = Pool::new(groups.iter().map(|(die, n)| (dist(die), *n)));
        let mirrored = groups.iter().map(|(die, n)| (dist(die).negate().unwrap(), *n));
        let mirrored = Pool::new(mirrored);
        let lowest = Feature::sum(pool.kept_all().keep_lowest(k));
        let highest = Feature::sum(pool.kept_all().keep_highest(k));
        prop_assert_eq!(
            pool.read(&lowest, &unlimited()).unwrap(),
            mirrored.read(&highest, &unlimited()).unwrap().negate().unwrap()
        );
    }

    /// Whatever way is chosen for one reading, it agrees with the general fold.
    #[test]
    fn single_readings_against_the_fold(
        groups in vec((dice(), 1_u32..6), 1..3),
        cut in 1_usize..6,
        (start, len) in (0_u32..6, 1_u32..6),
    ) {
        // A second die that is the first one cut short makes a family of both.
        let short: Die = groups[0].0.iter().take(cut).copied().collect();
        let family = [groups[0].clone(), (short, 2)];
        for groups in [groups.as_slice(), &groups[..1], &family] {
            let pool = Pool::new(groups.iter().map(|(die, n)| (dist(die), *n)));
            let kept = pool.kept_all().drop_highest(start).keep_highest(len);
            for feature in [Feature::sum(kept), Feature::matches(kept, 1)] {
                let alone = pool.read(&feature, &unlimited()).unwrap();
                let joint = pool.read_jointly(&[feature], &unlimited()).unwrap();
                let joint = joint.into_iter().map(|(values, weight)| (values[0], weight));
                prop_assert_eq!(alone, Dist::from_weights(joint).unwrap());
            }
        }
    }

    /// `dense_u128` shows the weights that `iter` gives.
    #[test]
    fn dense_view(die in dice()) {
        let x = dist(&die);
        if let Some((first, row)) = x.dense_u128() {
            let places = (first..).zip(row).filter(|(_, weight)| *weight > 0);
            let weights = places.map(|(face, weight)| (face, UBig::from(weight)));
            prop_assert_eq!(weights.collect::<Vec<_>>(), x.iter().collect::<Vec<_>>());
        } else {
            prop_assert!(x.max() - x.min() > 63);
        }
    }
}

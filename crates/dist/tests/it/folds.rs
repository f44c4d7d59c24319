//! The general fold and its duels on generated pools: weight for weight against every roll, and
//! for large pools against other ways to the same answers.

use crate::oracle;

use std::collections::BTreeMap;

use oddsmith_dist::{Budget, Dist, Evaluator, Feature, Kept, Pool, Reading, UBig, Weighted};
use oracle::{Die, dist, draws, fair, read, tally, weighted};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

fn unlimited() -> Budget {
    Budget::unlimited()
}

/// Some dice of a few kinds: fair ones, weighted ones, and such as share few faces or none.
fn some_dice(most: usize) -> impl Strategy<Value = Vec<Die>> {
    let fair = (1_i64..6).prop_map(fair);
    let weighted =
        btree_map(-2_i64..5, 1_u64..4, 1..4).prop_map(|faces| faces.into_iter().collect::<Die>());
    let kinds = vec(prop_oneof![2 => fair, 1 => weighted], 1..4);
    (kinds, vec(0_usize..3, 0..=most)).prop_map(|(kinds, picks)| {
        let pick = |pick: usize| kinds[pick % kinds.len()].clone();
        picks.into_iter().map(pick).collect()
    })
}

fn bags() -> impl Strategy<Value = (Vec<(i64, u32)>, u32)> {
    btree_map(-2_i64..5, 0_u32..4, 1..5).prop_flat_map(|pieces| {
        let held = pieces.values().sum::<u32>().min(5);
        (Just(pieces.into_iter().collect()), 0..=held)
    })
}

/// Some readings of ranges that begin and end anywhere, also beyond the pool.
fn readings() -> impl Strategy<Value = Vec<(u32, u32, Kind)>> {
    let kind = prop_oneof![
        Just(Kind::Sum),
        (-2_i64..6).prop_map(Kind::AtLeast),
        (-2_i64..6).prop_map(Kind::Equal),
        (0_u32..4).prop_map(Kind::Matches),
    ];
    vec((0_u32..6, 0_u32..8, kind), 0..4)
}

#[derive(Clone, Debug)]
enum Kind {
    Sum,
    AtLeast(i64),
    Equal(i64),
    Matches(u32),
}

fn features(readings: &[(u32, u32, Kind)], pool: &Pool) -> Vec<Feature> {
    let feature = |(start, end, kind): &(u32, u32, Kind)| {
        let kept = Kept {
            start: *start,
            end: *end,
        };
        let counted = |fits: &dyn Fn(i64) -> bool| {
            Feature::sum_of(kept, pool.faces(), |face| i64::from(fits(face)))
        };
        match kind {
            Kind::Sum => Feature::sum(kept),
            Kind::AtLeast(least) => counted(&|face| face >= *least),
            Kind::Equal(value) => counted(&|face| face == *value),
            Kind::Matches(k) => Feature::matches(kept, *k),
        }
    };
    readings.iter().map(feature).collect()
}

fn pool_of(dice: &[Die]) -> Pool {
    Pool::new(dice.iter().map(|die| (dist(die), 1)))
}

/// How many faces are shown by exactly one die; nothing about it is ever settled early.
struct Singles;

impl Evaluator for Singles {
    type State = u32;
    type Outcome = u32;

    fn start(&self, _size: u32) -> u32 {
        0
    }

    fn step(&self, seen: &u32, _face: i64, count: u32) -> u32 {
        seen + u32::from(count == 1)
    }

    fn finish(&self, seen: u32) -> u32 {
        seen
    }
}

/// The highest face that two dice show, and whether it is more than two; settled when it is seen.
struct HighestPair;

impl Evaluator for HighestPair {
    type State = Option<(i64, bool)>;
    type Outcome = Option<(i64, bool)>;

    fn start(&self, _size: u32) -> Self::State {
        None
    }

    fn step(&self, seen: &Self::State, face: i64, count: u32) -> Self::State {
        seen.or((count >= 2).then_some((face, count > 2)))
    }

    fn enough(&self, seen: &Self::State, _face: i64) -> Option<u32> {
        Some(if seen.is_some() { 0 } else { 3 })
    }

    fn finish(&self, seen: Self::State) -> Self::Outcome {
        seen
    }
}

fn sets(roll: &[i64]) -> Vec<(i64, usize)> {
    roll.chunk_by(|a, b| a == b)
        .map(|set| (set[0], set.len()))
        .collect()
}

fn singles(roll: &[i64]) -> u32 {
    let alone = sets(roll).into_iter().filter(|(_, count)| *count == 1);
    u32::try_from(alone.count()).unwrap()
}

fn highest_pair(roll: &[i64]) -> Option<(i64, bool)> {
    let pair = sets(roll).into_iter().find(|(_, count)| *count >= 2);
    pair.map(|(face, count)| (face, count > 2))
}

/// Pairs won and lost by every roll of two handfuls.
fn fought(ours: &[Die], theirs: &[Die]) -> BTreeMap<(i64, i64), u64> {
    let [ours, theirs] = [ours, theirs].map(|dice| tally(dice, <[i64]>::to_vec));
    let mut fought = BTreeMap::new();
    for (mine, weight) in &ours {
        for (other, other_weight) in &theirs {
            let count = |wins: fn(&i64, &i64) -> bool| {
                let pairs = mine.iter().zip(other);
                i64::try_from(pairs.filter(|(a, b)| wins(a, b)).count()).unwrap()
            };
            let outcome = (count(|a, b| a > b), count(|a, b| a < b));
            *fought.entry(outcome).or_default() += weight * other_weight;
        }
    }
    fought
}

fn total<T: Ord>(weighted: &Weighted<T>) -> UBig {
    weighted.iter().map(|(_, weight)| weight).sum()
}

fn as_weighted(dist: &Dist) -> Weighted<i64> {
    Weighted::from_weights(dist.iter()).unwrap()
}

proptest! {
    #[test]
    fn joint_readings_of_dice(dice in some_dice(5), readings in readings()) {
        let pool = pool_of(&dice);
        let features = features(&readings, &pool);
        let expected = tally(&dice, |roll| {
            features.iter().map(|feature| read(roll, feature)).collect::<Vec<_>>()
        });
        let joint = pool.read_jointly(&features, &unlimited()).unwrap();
        prop_assert_eq!(joint.total(), &pool.total());
        prop_assert_eq!(joint, weighted(&expected));
    }

    /// Sums over all dice alone, which are answered with a digit for each of them.
    #[test]
    fn joint_sums_of_all_dice(
        dice in some_dice(5),
        sums in vec((-3_i64..=3, 1_i64..=5, prop_oneof![Just(1_i64), Just(7), Just(1_000_000_007)], option::of(-5_i64..=20)), 0..=4),
    ) {
        let pool = pool_of(&dice);
        let feature = |&(add, modulus, step, cap): &(i64, i64, i64, Option<i64>)| {
            let value = |face: i64| (face + add).rem_euclid(modulus) * step + add;
            let sum = Feature::sum_of(pool.kept_all(), pool.faces(), value);
            match cap {
                Some(cap) => sum.capped(cap),
                None => sum,
            }
        };
        let features: Vec<Feature> = sums.iter().map(feature).collect();
        let of_row = |row: Vec<i64>| -> Vec<i64> {
            let caps = sums.iter().map(|(.., cap)| cap.unwrap_or(i64::MAX));
            row.into_iter().zip(caps).map(|(sum, cap)| sum.min(cap)).collect()
        };
        let expected = tally(&dice, |roll| {
            of_row(features.iter().map(|feature| read(roll, feature)).collect())
        });
        let joint = pool.read_jointly(&features, &unlimited()).unwrap();
        prop_assert_eq!(joint.total(), &pool.total());
        prop_assert_eq!(joint, weighted(&expected));
    }

    #[test]
    fn joint_readings_of_draws((bag, n) in bags(), readings in readings()) {
        let pool = Pool::draw(&bag, n).unwrap();
        let features = features(&readings, &pool);
        let orders: u64 = (1..=u64::from(n)).product();
        let mut expected = BTreeMap::new();
        for (roll, ways) in draws(&bag, n) {
            let row: Vec<_> = features.iter().map(|feature| read(&roll, feature)).collect();
            *expected.entry(row).or_default() += ways / orders;
        }
        let joint = pool.read_jointly(&features, &unlimited()).unwrap();
        prop_assert_eq!(joint.total(), &pool.total());
        prop_assert_eq!(joint, weighted(&expected));
    }

    #[test]
    fn evaluators(dice in some_dice(6)) {
        let pool = pool_of(&dice);
        let found = pool.fold(&Singles, &unlimited()).unwrap();
        prop_assert_eq!(found, weighted(&tally(&dice, singles)));
        let found = pool.fold(&HighestPair, &unlimited()).unwrap();
        prop_assert_eq!(found, weighted(&tally(&dice, highest_pair)));
    }

    #[test]
    fn duels(ours in some_dice(4), theirs in some_dice(4)) {
        let fought = weighted(&fought(&ours, &theirs));
        let [ours, theirs] = [&ours, &theirs].map(|dice| pool_of(dice));
        let duel = ours.duel(&theirs, &unlimited()).unwrap();
        prop_assert_eq!(duel.total(), &(ours.total() * theirs.total()));
        prop_assert_eq!(&duel, &fought);
        let wins = ours.wins(&theirs, &unlimited()).unwrap();
        prop_assert_eq!(as_weighted(&wins), fought.map(|(won, _)| *won));
        let net = ours.net_wins(&theirs, &unlimited()).unwrap();
        prop_assert_eq!(as_weighted(&net), fought.map(|(won, lost)| won - lost));
    }

    /// Draws with every piece of its own face, as the dice of a pool can't be: against all draws.
    #[test]
    fn duels_of_draws((bag, n) in bags(), dice in some_dice(3)) {
        let card = Pool::draw(&bag, n).unwrap();
        let rolls = tally(&dice, <[i64]>::to_vec);
        let orders: u64 = (1..=u64::from(n)).product();
        let mut expected = BTreeMap::new();
        for (mine, ways) in draws(&bag, n) {
            for (other, weight) in &rolls {
                let count = |wins: fn(&i64, &i64) -> bool| {
                    let pairs = mine.iter().zip(other);
                    i64::try_from(pairs.filter(|(a, b)| wins(a, b)).count()).unwrap()
                };
                let outcome = (count(|a, b| a > b), count(|a, b| a < b));
                *expected.entry(outcome).or_default() += ways / orders * weight;
            }
        }
        let duel = card.duel(&pool_of(&dice), &unlimited()).unwrap();
        prop_assert_eq!(duel, weighted(&expected));
    }
}

/// Counts at which totals of d6 fill 64 bits, 128 bits and whole words.
const MANY: [u32; 12] = [24, 25, 49, 50, 74, 75, 99, 123, 124, 200, 396, 400];

/// `C(n, k)`.
fn choose(n: u32, k: u32) -> UBig {
    (0..k).fold(UBig::ONE, |ways, i| ways * (n - i) / (i + 1))
}

/// The highest die and the sixes of many d6: with a six, `C(n, c) 5^(n-c)`, and without one
/// `h^n - (h-1)^n`.
#[test]
fn highest_and_sixes_in_every_width() {
    for n in MANY {
        let pool = Pool::new([(Dist::die(6).unwrap(), n)]);
        let all = pool.kept_all();
        let sixes = Feature::sum_of(all, pool.faces(), |face| i64::from(face == 6));
        let features = [Feature::sum(all.keep_highest(1)), sixes];
        let joint = pool.read_jointly(&features, &unlimited()).unwrap();
        assert_eq!(joint.len(), 5 + n as usize);
        for highest in 1..6_i64 {
            let power = |face: i64| UBig::from(face.unsigned_abs()).pow(n as usize);
            let weight = power(highest) - power(highest - 1);
            assert_eq!(joint.weight(&vec![highest, 0]), weight, "{n}d6");
        }
        for count in 1..=n {
            let weight = choose(n, count) * UBig::from(5_u8).pow((n - count) as usize);
            assert_eq!(joint.weight(&vec![6, count.into()]), weight, "{n}d6");
        }
    }
}

/// Sums of kept dice and of counts, alone and jointly, for dice of several kinds.
#[test]
fn marginals_in_every_width() {
    let kinds = [
        dist(&[(1, 3), (2, 1), (4, 2)]),
        dist(&fair(4)),
        dist(&fair(3)),
    ];
    for n in [3, 9, 12, 13, 24, 25, 36] {
        let pool = Pool::new(kinds.iter().map(|die| (die.clone(), n)));
        let all = pool.kept_all();
        let features = [
            Feature::sum(all.keep_highest(2)),
            Feature::sum_of(all, pool.faces(), |face| i64::from(face == 3)),
        ];
        let joint = pool.read_jointly(&features, &unlimited()).unwrap();
        assert_eq!(total(&joint), pool.total());
        for (at, feature) in features.iter().enumerate() {
            let alone = pool.read(feature, &unlimited()).unwrap();
            assert_eq!(
                as_weighted(&alone),
                joint.map(|row| row[at]),
                "{n}: {feature:?}"
            );
        }
    }
}

/// The largest set of fair dice is found by a recurrence, and jointly by the fold.
#[test]
fn sets_in_every_width() {
    for n in MANY.into_iter().filter(|n| *n <= 75) {
        let pool = Pool::new([(Dist::die(6).unwrap(), n)]);
        let all = pool.kept_all();
        let sets = [Feature::matches(all, 1), Feature::matches(all, 9)];
        let joint = pool.read_jointly(&sets, &unlimited()).unwrap();
        let alone = pool.read(&sets[0], &unlimited()).unwrap();
        assert_eq!(as_weighted(&alone), joint.map(|row| row[0]));
    }
}

/// One die against many is a question of the highest of these, and both views of a duel agree.
#[test]
fn duels_in_every_width() {
    let die = Dist::die(6).unwrap();
    let one = Pool::new([(die.clone(), 1)]);
    for n in MANY {
        let many = Pool::new([(die.clone(), n)]);
        let highest = many.read(&Feature::sum(many.kept_all().keep_highest(1)), &unlimited());
        let versus = die.compare(&highest.unwrap());
        let duel = one.duel(&many, &unlimited()).unwrap();
        let known = [
            ((1, 0), versus.greater),
            ((0, 1), versus.less),
            ((0, 0), versus.equal),
        ];
        assert_eq!(
            duel,
            Weighted::from_weights(known).unwrap(),
            "1 against {n}"
        );
    }
    for n in [12, 13, 24, 25, 37] {
        let (ours, theirs) = (
            Pool::new([(die.clone(), n)]),
            Pool::new([(Dist::die(4).unwrap(), 2), (die.clone(), 3)]),
        );
        let duel = ours.duel(&theirs, &unlimited()).unwrap();
        assert_eq!(total(&duel), ours.total() * theirs.total());
        let back = theirs.duel(&ours, &unlimited()).unwrap();
        assert_eq!(duel, back.map(|(won, lost)| (*lost, *won)));
        let wins = ours.wins(&theirs, &unlimited()).unwrap();
        assert_eq!(as_weighted(&wins), duel.map(|(won, _)| *won));
        let net = ours.net_wins(&theirs, &unlimited()).unwrap();
        assert_eq!(as_weighted(&net), duel.map(|(won, lost)| won - lost));
    }
}

/// Equal pools win as often as they lose.
#[test]
fn equal_pools_are_even() {
    let pool = Pool::new([(Dist::die(6).unwrap(), 10)]);
    let net = pool.net_wins(&pool, &unlimited()).unwrap();
    assert_eq!(net.negate().unwrap(), net);
    assert_eq!(net.total(), &UBig::from(6_u8).pow(20));
}

/// Dice whose faces nobody else has wait one after the other: no state remembers them all.
#[test]
fn many_families_one_after_the_other() {
    let dice = (0..200_i64).map(|i| (Dist::uniform(2 * i, 2 * i + 1).unwrap(), 1));
    let pool = Pool::new(dice);
    let odd = Feature::sum_of(pool.kept_all(), pool.faces(), |face| face % 2);
    let alike = Feature::matches(pool.kept_all(), 1);
    let joint = pool.read_jointly(&[odd, alike], &unlimited()).unwrap();
    for k in [0, 1, 77, 200] {
        assert_eq!(joint.weight(&vec![k.into(), 1]), choose(200, k));
    }
}

/// Borders: nothing rolled, nothing kept, nothing asked, one face, and no set of that place.
#[test]
fn borders() {
    let empty = Pool::new([]);
    let constant = Pool::new([(Dist::constant(3), 4)]);
    for pool in [&empty, &constant] {
        let all = pool.kept_all();
        let nothing = pool.read_jointly(&[], &unlimited()).unwrap();
        assert_eq!(nothing.weight(&vec![]), pool.total());
        let none = [Feature::sum(all.keep_highest(0)), Feature::matches(all, 0)];
        let none = pool.read_jointly(&none, &unlimited()).unwrap();
        assert_eq!(none.weight(&vec![0, 0]), UBig::ONE);
        let duel = pool.duel(&empty, &unlimited()).unwrap();
        assert_eq!(duel.weight(&(0, 0)), UBig::ONE);
    }
    let beyond = Feature::new(Kept { start: 9, end: 12 }, Reading::Sum);
    let read = constant.read_jointly(&[beyond], &unlimited()).unwrap();
    assert_eq!(read.weight(&vec![0]), UBig::ONE);
    let duel = constant.duel(&constant, &unlimited()).unwrap();
    assert_eq!(duel.weight(&(0, 0)), UBig::ONE);
    let net = constant.net_wins(&Pool::new([(Dist::constant(1), 2)]), &unlimited());
    assert_eq!(net.unwrap().as_constant(), Some(2));
}

/// Faces that no reading tells apart are merged: neighbours if some dice are dropped, all if none are, and
/// in bags as well. Against the pool with those faces from the beginning.
#[test]
fn faces_that_are_not_told_apart() {
    let class = |face: i64| (face + 2) / 3; // 1 to 10 as 1 1 1 2 2 2 3 3 3 4
    let die = Dist::die(10).unwrap();
    let copies: Vec<(i64, u32)> = (1..=10).map(|face| (face, 2)).collect();
    let classes: Vec<(i64, u32)> = copies.iter().map(|(face, n)| (class(*face), *n)).collect();
    let pairs = [
        (
            Pool::new([(die.clone(), 7)]),
            Pool::new([(die.map(class), 7)]),
        ),
        (
            Pool::draw(&copies, 7).unwrap(),
            Pool::draw(&classes, 7).unwrap(),
        ),
    ];
    for (fine, coarse) in pairs {
        let all = fine.kept_all();
        for kept in [all, all.keep_highest(3), all.drop_highest(1).drop_lowest(2)] {
            let features = |pool: &Pool, class: &dyn Fn(i64) -> i64| {
                let faces = || pool.faces();
                [
                    Feature::sum_of(kept, faces(), |face| i64::from(class(face) % 2 == 0)),
                    Feature::sum_of(kept, faces(), |face| i64::from(class(face) == 1)).capped(2),
                ]
            };
            let found = fine.read_jointly(&features(&fine, &class), &unlimited());
            let expected = coarse.read_jointly(&features(&coarse, &|face| face), &unlimited());
            assert_eq!(found.unwrap(), expected.unwrap());
        }
    }
}

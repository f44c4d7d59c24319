//! Every reading of every small pool, weight for weight against counting all rolls.

use crate::oracle;

use oddsmith_dist::{Budget, Error, Evaluator, Feature, Kept, Pool, Reading, UBig};
use oracle::{Die, counted, dist, every_range, every_reading, fair, read, tally, weighted};

fn pool_of(dice: &[Die]) -> Pool {
    Pool::new(dice.iter().map(|die| (dist(die), 1)))
}

/// Reads the pool in every way and compares with all rolls.
fn check_every_reading(dice: &[Die]) {
    let budget = Budget::unlimited();
    let pool = pool_of(dice);
    let rolls = tally(dice, <[i64]>::to_vec);
    for kept in every_range(pool.size()) {
        for reading in every_reading(&pool.faces()) {
            let feature = Feature::new(kept, reading);
            let mut expected = std::collections::BTreeMap::new();
            for (roll, weight) in &rolls {
                *expected.entry(read(roll, &feature)).or_default() += weight;
            }
            let found = pool.read(&feature, &budget).unwrap();
            assert_eq!(found, counted(&expected), "{feature:?} of {dice:?}");
            assert_eq!(found.total(), &pool.total());
        }
    }
    assert_eq!(pool.multisets(&budget).unwrap(), weighted(&rolls));
}

#[test]
fn every_pool_of_up_to_five_equal_fair_dice() {
    for sides in 1..=6 {
        for n in 0..=5 {
            check_every_reading(&vec![fair(sides); n]);
        }
    }
}

#[test]
fn weighted_dice() {
    let dice: [Die; 6] = [
        vec![(1, 3), (2, 1)],
        vec![(1, 1), (2, 2), (3, 3), (4, 1)],
        vec![(-2, 1), (0, 2), (3, 1)],
        vec![(0, 2), (1, 2), (2, 2)],
        vec![(1, 1), (2, 1), (3, 1), (4, 5)],
        vec![(10, 1), (20, 4), (50, 1)],
    ];
    for die in dice {
        for n in 1..=4 {
            check_every_reading(&vec![die.clone(); n]);
        }
    }
}

#[test]
fn faces_far_apart() {
    let far: Die = vec![
        (-1_000_000_000_000, 1),
        (0, 2),
        (7, 1),
        (3_000_000_000_000, 1),
    ];
    for n in 1..=4 {
        check_every_reading(&vec![far.clone(); n]);
    }
    check_every_reading(&[far.clone(), far, fair(4)]);
}

#[test]
fn mixed_pools() {
    let pools: [Vec<Die>; 9] = [
        vec![fair(8), fair(8), fair(6), fair(6)],
        vec![fair(4), fair(6), fair(8)],
        vec![fair(2), fair(3), fair(3), fair(5)],
        vec![fair(1), fair(6), fair(1)],
        // Of different families, with and without common faces.
        vec![fair(6), vec![(1, 2), (3, 1), (6, 1)], fair(4)],
        vec![
            vec![(0, 1), (2, 1)],
            vec![(1, 1), (3, 1)],
            vec![(1, 1), (3, 1)],
        ],
        vec![vec![(5, 1), (6, 1)], fair(3), fair(3)],
        // A weighted family: the second is the first cut at 2.
        vec![
            vec![(1, 2), (2, 3), (5, 1)],
            vec![(1, 2), (2, 3)],
            vec![(1, 2), (2, 3)],
        ],
        vec![vec![(4, 1)], vec![(-1, 1), (4, 2)], fair(4), fair(4)],
    ];
    for dice in pools {
        check_every_reading(&dice);
    }
}

#[test]
fn several_readings_of_the_same_roll() {
    let budget = Budget::unlimited();
    for dice in [
        vec![fair(6); 4],
        vec![fair(8), fair(6), fair(6), fair(4)],
        vec![vec![(1, 2), (2, 1)], fair(3), fair(3)],
    ] {
        let pool = pool_of(&dice);
        let all = pool.kept_all();
        let even = Feature::sum_of(all, pool.faces(), |face| i64::from(face % 2 == 0));
        let features = [
            Feature::sum(all.keep_highest(2)),
            Feature::sum(all.keep_lowest(1)),
            Feature::matches(all, 1),
            Feature::matches(all.drop_highest(1), 2),
            Feature::matches(all, 40),
            even,
        ];
        let expected = tally(&dice, |roll| {
            features.iter().map(|f| read(roll, f)).collect()
        });
        let joint = pool.read_jointly(&features, &budget).unwrap();
        assert_eq!(joint, weighted::<Vec<i64>>(&expected));
        for (i, feature) in features.iter().enumerate() {
            let alone = pool.read(feature, &budget).unwrap();
            let marginal = joint
                .map(|values| values[i])
                .into_iter()
                .collect::<Vec<_>>();
            assert_eq!(alone.iter().collect::<Vec<_>>(), marginal);
        }
        let nothing = pool.read_jointly(&[], &budget).unwrap();
        assert_eq!(nothing.weight(&vec![]), pool.total());
    }
}

/// The longest run of consecutive faces, ended by any face that nobody shows.
struct LongestRun;

impl Evaluator for LongestRun {
    type State = (i64, u32, u32);
    type Outcome = u32;

    fn start(&self, _size: u32) -> Self::State {
        (0, 0, 0)
    }

    fn step(&self, &(last, run, best): &Self::State, face: i64, count: u32) -> Self::State {
        if count == 0 {
            return (face, 0, best);
        }
        let run = if face == last - 1 { run + 1 } else { 1 };
        (face, run, best.max(run))
    }

    fn finish(&self, (_, _, best): Self::State) -> u32 {
        best
    }
}

#[test]
fn evaluators_of_ones_own() {
    let dice = [fair(6), fair(6), fair(6), fair(4), fair(4)];
    let expected = tally(&dice, |roll| {
        let mut faces = roll.to_vec();
        faces.dedup();
        let mut best = 1;
        let mut run = 1;
        for pair in faces.windows(2) {
            run = if pair[0] == pair[1] + 1 { run + 1 } else { 1 };
            best = best.max(run);
        }
        best
    });
    let found = pool_of(&dice).fold(&LongestRun, &Budget::unlimited());
    assert_eq!(found.unwrap(), weighted::<u32>(&expected));
}

/// Steps are read of single rolls, of drawn pieces, next to a sum of the same roll, and with a cap.
#[test]
fn steps_of_ones_own() {
    let run = oracle::longest_run();
    let of_roll = |roll: &[i64]| run.of_roll(roll).unwrap();
    assert_eq!(of_roll(&[9, 8, 8, 7, 3, 2]), 3);
    assert_eq!(of_roll(&[4, 4]), 1);
    assert_eq!(of_roll(&[]), 0);
    let bag = [(1, 2), (2, 1), (3, 3), (5, 1), (6, 1)];
    let pool = Pool::draw(&bag, 4).unwrap();
    for kept in every_range(4) {
        let features = [
            Feature::new(kept, run.clone()),
            Feature::sum(kept),
            Feature::new(pool.kept_all(), run.clone()).capped(2),
        ];
        let mut rows = std::collections::BTreeMap::<Vec<i64>, u64>::new();
        for (roll, ways) in oracle::draws(&bag, 4) {
            let row = vec![
                read(&roll, &features[0]),
                read(&roll, &features[1]),
                read(&roll, &features[2]).min(2),
            ];
            *rows.entry(row).or_default() += ways;
        }
        let joint = pool.read_jointly(&features, &Budget::unlimited()).unwrap();
        let scale = UBig::from(rows.values().sum::<u64>()) / pool.total();
        for (row, ways) in &rows {
            assert_eq!(joint.weight(row) * &scale, UBig::from(*ways), "{row:?}");
        }
    }
}

#[test]
fn the_order_of_dice_does_not_matter() {
    let d = |sides| dist(&fair(sides));
    let one = Pool::new([(d(6), 2), (d(8), 1), (d(6), 1), (d(4), 0)]);
    let other = Pool::new([(d(8), 1), (d(6), 3)]);
    assert_eq!(one, other);
    assert_eq!(
        (one.size(), one.min_face(), one.max_face()),
        (4, Some(1), Some(8))
    );
}

#[test]
fn an_empty_pool_reads_as_zero() {
    let pool = Pool::new([]);
    assert_eq!(
        (pool.size(), pool.min_face(), pool.max_face()),
        (0, None, None)
    );
    for reading in every_reading(&[]) {
        let feature = Feature::new(Kept::all(3), reading);
        let read = pool.read(&feature, &Budget::unlimited()).unwrap();
        assert_eq!((read.as_constant(), read.total()), (Some(0), &UBig::ONE));
    }
}

#[test]
fn a_face_without_a_value_is_an_error() {
    let pool = Pool::new([(dist(&fair(3)), 2)]);
    let reading = Reading::SumOf([(1, 1), (3, 0)].into());
    let feature = Feature::new(pool.kept_all(), reading);
    let budget = Budget::unlimited();
    let error = Error::FaceWithoutValue { face: 2 };
    assert_eq!(pool.read(&feature, &budget), Err(error.clone()));
    assert_eq!(pool.read_jointly(&[feature], &budget), Err(error));
}

#[test]
fn sums_beyond_the_range_are_errors() {
    let pool = Pool::new([(dist(&[(0, 1), (i64::MAX, 1)]), 2)]);
    let all = pool.kept_all();
    let budget = Budget::unlimited();
    let overflow = |result| matches!(result, Err(Error::OutcomeOverflow { .. }));
    assert!(overflow(pool.read(&Feature::sum(all), &budget)));
    let lowest = pool
        .read(&Feature::sum(all.keep_lowest(1)), &budget)
        .unwrap();
    assert_eq!(lowest.weight(i64::MAX), UBig::ONE);
}

#[test]
fn ranges_narrow_step_by_step() {
    let all = Kept::all(6);
    assert_eq!(
        all.drop_lowest(2).drop_highest(1),
        Kept { start: 1, end: 4 }
    );
    assert_eq!(
        all.drop_highest(1).keep_lowest(2),
        Kept { start: 4, end: 6 }
    );
    assert_eq!(all.keep_lowest(0).len(), 0);
    assert!(all.drop_lowest(7).is_empty());
    assert_eq!(
        all.keep_highest(3).keep_lowest(1),
        Kept { start: 2, end: 3 }
    );
}

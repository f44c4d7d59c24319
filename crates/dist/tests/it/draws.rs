//! Draws without replacement, against every order of drawing.

use crate::oracle;

use std::collections::BTreeMap;

use oddsmith_dist::{Budget, Error, Feature, Pool, UBig};
use oracle::{counted, draws, every_range, every_reading, read, weighted};

/// Orders in which `n` pieces can be drawn: each unordered draw is counted so often.
fn orders(n: u32) -> u64 {
    (1..=u64::from(n)).product()
}

#[test]
fn every_reading_of_small_bags() {
    let budget = Budget::unlimited();
    let bags: [&[(i64, u32)]; 5] = [
        &[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)],
        &[(1, 2), (4, 3), (6, 1)],
        &[(0, 4), (1, 2)],
        &[(7, 5)],
        &[(-3, 1), (2, 1), (900, 3), (5, 0)],
    ];
    for bag in bags {
        let held: u32 = bag.iter().map(|(_, count)| count).sum();
        for n in 0..=held {
            let pool = Pool::draw(bag, n).unwrap();
            let rolls = draws(bag, n);
            for kept in every_range(n) {
                for reading in every_reading(&pool.faces()) {
                    let feature = Feature::new(kept, reading);
                    let mut expected = BTreeMap::new();
                    for (roll, ways) in &rolls {
                        *expected.entry(read(roll, &feature)).or_default() += ways / orders(n);
                    }
                    let found = pool.read(&feature, &budget).unwrap();
                    assert_eq!(found, counted(&expected), "{feature:?} of {n} from {bag:?}");
                    assert_eq!(found.total(), &pool.total());
                }
            }
            let sets: BTreeMap<_, _> = rolls
                .into_iter()
                .map(|(roll, ways)| (roll, ways / orders(n)))
                .collect();
            assert_eq!(pool.multisets(&budget).unwrap(), weighted(&sets));
        }
    }
}

#[test]
fn a_whole_large_bag_can_be_drawn_in_one_way() {
    let pool = Pool::draw(&[(1, 100), (2, 100)], 200).unwrap();
    let sum = pool
        .read(&Feature::sum(pool.kept_all()), &Budget::unlimited())
        .unwrap();
    assert_eq!((sum.as_constant(), sum.total()), (Some(300), &UBig::ONE));
}

#[test]
fn a_bag_gives_no_more_than_it_holds() {
    let error = Error::BagTooSmall { asked: 4, held: 3 };
    assert_eq!(Pool::draw(&[(1, 2), (9, 1)], 4), Err(error.clone()));
    assert_eq!(error.to_string(), "4 cannot be drawn from a bag of 3");
}

/// Hands of five cards with four of a kind: 13 * 48 of 2,598,960.
#[test]
fn four_of_a_kind() {
    let deck: Vec<(i64, u32)> = (2..=14).map(|rank| (rank, 4)).collect();
    let hand = Pool::draw(&deck, 5).unwrap();
    let largest = hand
        .read(&Feature::matches(hand.kept_all(), 1), &Budget::unlimited())
        .unwrap();
    assert_eq!(largest.weight(4), UBig::from(624_u16));
    let features = [1, 2].map(|k| Feature::matches(hand.kept_all(), k));
    let sets = hand.read_jointly(&features, &Budget::unlimited()).unwrap();
    assert_eq!(sets.weight(&vec![3, 2]), UBig::from(3744_u16)); // full houses
    assert_eq!(sets.weight(&vec![2, 2]), UBig::from(123_552_u32)); // two pairs
}

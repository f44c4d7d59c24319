//! Sorted pools compared die by die.

use crate::oracle;

use std::collections::BTreeMap;

use oddsmith_dist::{Budget, Pool, UBig};
use oracle::{Die, counted, dist, every_roll, fair};

fn sorted(roll: &[i64]) -> Vec<i64> {
    let mut roll = roll.to_vec();
    roll.sort_unstable_by(|a, b| b.cmp(a));
    roll
}

fn check(ours: &[Die], theirs: &[Die]) {
    let mut expected = BTreeMap::new();
    every_roll(ours, |mine, weight| {
        every_roll(theirs, |other, other_weight| {
            let (mine, other) = (sorted(mine), sorted(other));
            let won = mine.iter().zip(&other).filter(|(a, b)| a > b).count();
            *expected.entry(i64::try_from(won).unwrap()).or_default() += weight * other_weight;
        });
    });
    let pool = |dice: &[Die]| Pool::new(dice.iter().map(|die| (dist(die), 1)));
    let found = pool(ours)
        .wins(&pool(theirs), &Budget::unlimited())
        .unwrap();
    assert_eq!(found, counted(&expected), "{ours:?} against {theirs:?}");
}

#[test]
fn small_pools_of_all_sizes() {
    for (mine, other) in [
        (0, 0),
        (0, 2),
        (1, 1),
        (1, 3),
        (3, 1),
        (2, 2),
        (3, 2),
        (3, 3),
    ] {
        check(&vec![fair(4); mine], &vec![fair(4); other]);
        check(&vec![fair(3); mine], &vec![fair(6); other]);
    }
}

#[test]
fn mixed_and_weighted_pools() {
    check(&[fair(4), fair(6)], &[fair(8), fair(2), fair(2)]);
    check(
        &[vec![(1, 3), (5, 1)], fair(4)],
        &[vec![(2, 1), (5, 2)], fair(4)],
    );
    check(&[vec![(9, 1)], fair(2)], &[vec![(1, 1), (9, 3)]]);
    check(
        &[vec![(-1, 1), (3, 2)], vec![(0, 1), (2, 1)]],
        &[fair(3), vec![(-1, 2), (3, 1)]],
    );
}

/// Three attackers against two defenders: 0, 1 and 2 wins of 7776.
#[test]
fn risk() {
    let d6 = dist(&fair(6));
    let (attack, defence) = (Pool::new([(d6.clone(), 3)]), Pool::new([(d6, 2)]));
    let wins = attack.wins(&defence, &Budget::unlimited()).unwrap();
    let weights: Vec<_> = wins.iter().collect();
    let known = [(0, 2275_u16), (1, 2611), (2, 2890)];
    assert_eq!(weights, known.map(|(x, weight)| (x, UBig::from(weight))));
}

/// A draw can stand on either side.
#[test]
fn draws_against_dice() {
    let card = Pool::draw(&[(1, 1), (2, 1), (3, 1)], 2).unwrap();
    let dice = Pool::new([(dist(&fair(3)), 1)]);
    let wins = card.wins(&dice, &Budget::unlimited()).unwrap();
    // Highest cards: 2 once, 3 twice; a 2 beats one face in three, a 3 beats two.
    assert_eq!(wins.weight(1), UBig::from(5_u8));
    assert_eq!(wins.total(), &UBig::from(9_u8));
}

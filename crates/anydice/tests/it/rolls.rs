//! Readings of pools against a list of all rolls.

use std::collections::BTreeMap;

use oddsmith_dist::RBig;

use super::{answers, odds};

/// All rolls of dice with these faces.
fn rolls(dice: &[&[i64]]) -> Vec<Vec<i64>> {
    let mut rolls = vec![Vec::new()];
    for faces in dice {
        let longer = rolls.iter().flat_map(|roll| {
            faces.iter().map(|face| {
                let mut roll: Vec<i64> = roll.clone();
                roll.push(*face);
                roll
            })
        });
        rolls = longer.collect();
    }
    rolls
}

/// The odds of what is read of each roll, sorted from the highest die.
fn listed(dice: &[&[i64]], read: impl Fn(&[i64]) -> i64) -> Vec<(i64, RBig)> {
    let all = rolls(dice);
    let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
    for mut roll in all.iter().cloned() {
        roll.sort_unstable_by(|a, b| b.cmp(a));
        *counts.entry(read(&roll)).or_default() += 1;
    }
    let chance = |count: u64| RBig::from_parts(count.into(), all.len().into());
    counts.into_iter().map(|(x, n)| (x, chance(n))).collect()
}

fn same(expression: &str, expected: &[(i64, RBig)]) {
    let found = answers(&format!("output {expression}"));
    assert_eq!(odds(&found[0]), expected, "{expression}");
}

/// A die as it is written.
fn written(faces: &[i64]) -> String {
    let faces: Vec<String> = faces.iter().map(i64::to_string).collect();
    format!("d{{{}}}", faces.join(", "))
}

const DICE: [&[i64]; 4] = [&[1, 2], &[-1, 0, 3], &[2, 2, 5, 7], &[4]];

#[test]
fn kept_dice_of_a_pool() {
    for faces in DICE {
        for count in 1..=4 {
            let dice = vec![faces; count];
            let pool = format!("{count}{}", written(faces));
            for keep in 0..=5_usize {
                let kept = keep.min(count);
                same(
                    &format!("[highest {keep} of {pool}]"),
                    &listed(&dice, |roll| roll[..kept].iter().sum()),
                );
                same(
                    &format!("[lowest {keep} of {pool}]"),
                    &listed(&dice, |roll| roll[count - kept..].iter().sum()),
                );
                let above = (count - kept) / 2;
                same(
                    &format!("[middle {keep} of {pool}]"),
                    &listed(&dice, |roll| roll[above..above + kept].iter().sum()),
                );
            }
        }
    }
}

#[test]
fn kept_dice_of_several_pools() {
    for one in DICE {
        for other in DICE {
            let dice = [one, one, other];
            let (first, second) = (written(one), written(other));
            for keep in 1..=3 {
                same(
                    &format!("[highest {keep} of 2{first} and {second}]"),
                    &listed(&dice, |roll| roll[..keep].iter().sum()),
                );
                same(
                    &format!("[lowest {keep} of {first} and {second} and {first}]"),
                    &listed(&dice, |roll| roll[3 - keep..].iter().sum()),
                );
            }
        }
    }
}

#[test]
fn places_one_by_one_and_several() {
    for faces in DICE {
        let dice = vec![faces; 3];
        let pool = format!("3{}", written(faces));
        for first in 0..=4_usize {
            for second in 0..=4_usize {
                let at = |roll: &[i64], place: usize| {
                    place
                        .checked_sub(1)
                        .and_then(|p| roll.get(p))
                        .copied()
                        .unwrap_or(0)
                };
                same(
                    &format!("{{{first}, {second}}} @ {pool}"),
                    &listed(&dice, |roll| at(roll, first) + at(roll, second)),
                );
                let from_lowest = |roll: &[i64], place: usize| match place {
                    1..=3 => roll[3 - place],
                    _ => 0,
                };
                let program = format!(
                    "set \"position order\" to \"lowest first\" output {{{first}, {second}}} @ {pool}"
                );
                let expected = listed(&dice, |roll| {
                    from_lowest(roll, first) + from_lowest(roll, second)
                });
                assert_eq!(odds(&answers(&program)[0]), expected, "{program}");
            }
        }
    }
}

#[test]
fn counts_in_a_pool() {
    for faces in DICE {
        for count in 1..=3_usize {
            let dice = vec![faces; count];
            let pool = format!("{count}{}", written(faces));
            for wanted in [&[2][..], &[0, 7], &[2, 2, 5], &[]] {
                let row: Vec<String> = wanted.iter().map(i64::to_string).collect();
                let times = |face: &i64| wanted.iter().filter(|x| *x == face).count();
                let expected = listed(&dice, |roll| {
                    i64::try_from(roll.iter().map(times).sum::<usize>()).expect("a small count")
                });
                same(
                    &format!("[count {{{}}} in {pool}]", row.join(", ")),
                    &expected,
                );
            }
            let expected = listed(&dice, |roll| i64::from(roll.contains(&2)));
            same(&format!("[{pool} contains 2]"), &expected);
        }
    }
}

/// A function of a roll is carried out for each roll.
#[test]
fn functions_of_rolls() {
    let set = "function: set of R:s { if 1@R = 2@R { result: 50 + 3@R } result: 1@R - 2@R } output [set of ";
    for faces in DICE {
        let dice = vec![faces; 3];
        let program = format!("{set}3{}]", written(faces));
        let expected = listed(&dice, |roll| match roll[0] == roll[1] {
            true => 50 + roll[2],
            false => roll[0] - roll[1],
        });
        assert_eq!(odds(&answers(&program)[0]), expected, "{program}");
        for other in DICE {
            let program = format!(
                "function: A:s beats B:n {{ result: (A > B) * 10 + #A }} output [2{} beats {}]",
                written(faces),
                written(other)
            );
            let mut counts = BTreeMap::new();
            for one in rolls(&[faces, faces]) {
                for number in other {
                    let above = one.iter().filter(|x| *x > number).count();
                    let value = i64::try_from(above * 10 + 2).expect("a small number");
                    *counts.entry(value).or_insert(0_u64) += 1;
                }
            }
            let all: u64 = counts.values().sum();
            let chance = |count: u64| RBig::from_parts(count.into(), all.into());
            let expected: Vec<_> = counts.into_iter().map(|(x, n)| (x, chance(n))).collect();
            assert_eq!(odds(&answers(&program)[0]), expected, "{program}");
        }
    }
}

/// Far beyond what can be listed: known numbers.
#[test]
fn large_pools_by_their_algorithms() {
    let outputs = answers(
        "output 1000d6 output [highest 3 of 100d20] output [count {5, 6} in 500d6] output 50 @ 99d100 output 1@24d([highest 3 of 4d6])",
    );
    let sure = |place: usize| outputs[place].distribution.as_ref().expect("no empty die");
    assert_eq!(sure(0).weight(1000), 1_u8.into());
    assert_eq!(sure(0).weight(1001), 1000_u16.into());
    assert_eq!(sure(0).mean(), 3500.into());
    assert_eq!(sure(1).weight(3), 1_u8.into());
    let third = RBig::from_parts(1.into(), 3_u8.into());
    assert_eq!(sure(2).pmf(500), third.pow(500));
    let half = RBig::from_parts(101.into(), 2_u8.into());
    assert_eq!(
        sure(3).mean(),
        half,
        "the middle of an odd number of dice is even"
    );
    // No 18 in 24 times: (1 - 21/1296)^24.
    let none = RBig::from_parts(1275.into(), 1296_u16.into()).pow(24);
    assert_eq!(sure(4).pmf(18), RBig::ONE - none);
}

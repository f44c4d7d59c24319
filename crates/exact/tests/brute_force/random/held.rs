//! Sums near the ends of 64 bits over pools that are rolled at once and over those that are held from roll to roll.

use std::collections::BTreeMap;

use oddsmith_exact::{Budget, RBig, distribution};
use oddsmith_rules::Check;
use proptest::prelude::*;

use super::cases;
use crate::support::check_of;

/// How often a result comes up.
type Counts = BTreeMap<i128, u32>;

/// Rolls of `n` dice, from high to low.
fn rolls(n: usize, sides: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let more = |roll: &Vec<usize>| {
            let roll = roll.clone();
            (1..=sides).map(move |face| [roll.as_slice(), &[face]].concat())
        };
        all = all.iter().flat_map(more).collect();
    }
    for roll in &mut all {
        roll.sort_unstable_by(|a, b| b.cmp(a));
    }
    all
}

/// What faces count for, and how many dice there are, of which so many stay and the others are rolled again.
#[derive(Clone, Debug)]
struct Hand {
    values: Vec<i64>,
    dice: usize,
    kept: usize,
}

impl Hand {
    fn counts(&self, kept: usize) -> Counts {
        let sides = self.values.len();
        let value = |face: &usize| i128::from(self.values[face - 1]);
        let mut counts = Counts::new();
        for first in rolls(self.dice, sides) {
            for second in rolls(self.dice - kept, sides) {
                let sum = first[..kept].iter().chain(&second).map(value).sum();
                *counts.entry(sum).or_default() += 1;
            }
        }
        counts
    }

    fn check(&self) -> Check {
        let (n, kept, sides) = (self.dice, self.kept, self.values.len());
        let number = |value: &i64| match value {
            // The least number can't be written as the negative of another.
            &i64::MIN => format!("{} - 1", i64::MIN + 1),
            value => value.to_string(),
        };
        let values: Vec<String> = self.values.iter().map(number).collect();
        let values = format!("[0, {}]", values.join(", "));
        let again = n - kept;
        check_of(
            "",
            &format!(
                "let hand = {n}d{sides}\nrepeat 1 {{ set hand = {{hand kh {kept}, {again}d{sides}}} }}\n\
                 show held = map(hand, {values})\nshow thrown = map({n}d{sides}, {values})"
            ),
        )
    }
}

fn hand() -> impl Strategy<Value = Hand> {
    let ends = [
        i64::MAX,
        i64::MAX / 2,
        i64::MAX / 3,
        i64::MIN,
        i64::MIN / 2,
        i64::MIN / 3,
        0,
    ];
    let value = (prop::sample::select(ends.to_vec()), -2_i64..3)
        .prop_map(|(end, near)| end.saturating_add(near));
    let values = prop::collection::vec(value, 1..4);
    (values, 1_usize..4, 0_usize..4).prop_map(|(values, dice, kept)| Hand {
        values,
        dice,
        kept: kept.min(dice),
    })
}

/// What is wrong with an outcome: each sum has its share, and one that leaves 64 bits is an error.
fn complaint(check: &Check, outcome: usize, expected: &Counts) -> Result<(), String> {
    let outcome = &check.outcomes[outcome];
    let found = distribution(check, &check.defaults(), outcome, &Budget::unlimited());
    let is_beyond = expected.keys().any(|sum| i64::try_from(*sum).is_err());
    let found = match found {
        Ok(found) if !is_beyond => found,
        Err(error) if is_beyond && error.to_string().contains("leaves the range of 64 bits") => {
            return Ok(());
        }
        found => return Err(format!("{}: {found:?}, not {expected:?}", outcome.name)),
    };
    let all: u32 = expected.values().sum();
    let share = |(sum, count): (&i128, &u32)| (*sum, RBig::from(*count) / RBig::from(all));
    let expected: BTreeMap<i128, RBig> = expected.iter().map(share).collect();
    let share = |(sum, weight)| {
        (
            i128::from(sum),
            RBig::from(weight) / RBig::from(found.total().clone()),
        )
    };
    let found: BTreeMap<i128, RBig> = found.iter().map(share).collect();
    (found == expected)
        .then_some(())
        .ok_or_else(|| format!("{}: {found:?}, not {expected:?}", outcome.name))
}

proptest! {
    #![proptest_config(cases(400))]
    #[test]
    fn sums_of_held_faces_fit_or_are_refused(hand in hand()) {
        let check = hand.check();
        let held = complaint(&check, 0, &hand.counts(hand.kept));
        prop_assert!(held.is_ok(), "{hand:?}\n{}", held.unwrap_err());
        // None is kept: all that counts is rolled at once.
        let thrown = complaint(&check, 1, &hand.counts(0));
        prop_assert!(thrown.is_ok(), "{hand:?}\n{}", thrown.unwrap_err());
    }
}

//! Counting by hand: every ordered roll of independent dice, every order of drawing a bag.
//!
//! Nothing here uses the crate's arithmetic; only results are turned into its types.

#![allow(dead_code, reason = "each test file uses a part of this module")]

use std::collections::BTreeMap;

use oddsmith_dist::{Dist, Feature, Kept, Reading, Steps, UBig, Weighted};

/// Faces with weights.
pub(crate) type Die = Vec<(i64, u64)>;

/// Faces `1..=sides`, once each.
pub(crate) fn fair(sides: i64) -> Die {
    (1..=sides).map(|face| (face, 1)).collect()
}

/// The crate's die with these faces.
pub(crate) fn dist(die: &[(i64, u64)]) -> Dist {
    Dist::from_weights(
        die.iter()
            .map(|(face, weight)| (*face, UBig::from(*weight))),
    )
    .unwrap()
}

/// Calls `visit` with every ordered roll and its weight.
pub(crate) fn every_roll(dice: &[Die], mut visit: impl FnMut(&[i64], u64)) {
    fn descend(
        dice: &[Die],
        roll: &mut Vec<i64>,
        weight: u64,
        visit: &mut impl FnMut(&[i64], u64),
    ) {
        let Some((first, rest)) = dice.split_first() else {
            return visit(roll, weight);
        };
        for (face, ways) in first {
            roll.push(*face);
            descend(rest, roll, weight * ways, visit);
            roll.pop();
        }
    }
    descend(dice, &mut Vec::new(), 1, &mut visit);
}

/// Weights of `f` over all rolls, each sorted from the highest die.
pub(crate) fn tally<T: Ord>(dice: &[Die], mut f: impl FnMut(&[i64]) -> T) -> BTreeMap<T, u64> {
    let mut tally = BTreeMap::new();
    every_roll(dice, |roll, weight| {
        let mut roll = roll.to_vec();
        roll.sort_unstable_by(|a, b| b.cmp(a));
        *tally.entry(f(&roll)).or_default() += weight;
    });
    tally
}

/// Every sorted draw of `n` pieces, with the number of ordered ways to draw it.
pub(crate) fn draws(bag: &[(i64, u32)], n: u32) -> BTreeMap<Vec<i64>, u64> {
    fn descend(
        bag: &mut [(i64, u32)],
        n: u32,
        drawn: &[i64],
        ways: u64,
        all: &mut BTreeMap<Vec<i64>, u64>,
    ) {
        if n == 0 {
            let mut drawn = drawn.to_vec();
            drawn.sort_unstable_by(|a, b| b.cmp(a));
            *all.entry(drawn).or_default() += ways;
            return;
        }
        for i in 0..bag.len() {
            let (face, count) = bag[i];
            if count > 0 {
                bag[i].1 -= 1;
                let next: Vec<i64> = drawn.iter().copied().chain([face]).collect();
                descend(bag, n - 1, &next, ways * u64::from(count), all);
                bag[i].1 += 1;
            }
        }
    }
    let mut all = BTreeMap::new();
    descend(&mut bag.to_vec(), n, &[], 1, &mut all);
    all
}

/// Reads a roll sorted from the highest die.
pub(crate) fn read(roll: &[i64], feature: &Feature) -> i64 {
    let Kept { start, end } = feature.kept;
    let end = (end as usize).min(roll.len());
    let kept = roll.get(start as usize..end).unwrap_or_default();
    match &feature.reading {
        Reading::Sum => kept.iter().sum(),
        Reading::SumOf(values) => {
            let value = |face: &i64| values.iter().find(|(at, _)| at == face).unwrap().1;
            kept.iter().map(value).sum()
        }
        Reading::Matches(k) => {
            let mut sets = BTreeMap::<i64, i64>::new();
            for face in kept {
                *sets.entry(*face).or_default() += 1;
            }
            let mut sizes: Vec<i64> = sets.into_values().collect();
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            let place = (*k as usize).checked_sub(1);
            place.and_then(|i| sizes.get(i)).copied().unwrap_or(0)
        }
        Reading::Steps(_) => feature.reading.of_roll(kept).unwrap(),
    }
}

/// The length of the longest run of faces that follow one another.
pub(crate) fn longest_run() -> Reading {
    let step = |cells: &mut [i64], face: i64, _: i64| {
        let [last, run, longest] = cells else {
            unreachable!("there are three cells")
        };
        *run = if *last == face + 1 { *run + 1 } else { 1 };
        (*last, *longest) = (face, *longest.max(run));
    };
    Reading::Steps(Steps::new(
        "the longest run",
        [i64::MAX, 0, 0],
        step,
        |cells| cells[2],
    ))
}

/// A tally as the crate's distribution.
pub(crate) fn counted(tally: &BTreeMap<i64, u64>) -> Dist {
    Dist::from_weights(tally.iter().map(|(x, weight)| (*x, UBig::from(*weight)))).unwrap()
}

/// A tally of anything, likewise.
pub(crate) fn weighted<T: Ord + Clone>(tally: &BTreeMap<T, u64>) -> Weighted<T> {
    let pairs = tally
        .iter()
        .map(|(x, weight)| (x.clone(), UBig::from(*weight)));
    Weighted::from_weights(pairs).unwrap()
}

/// Every range of dice within a pool of `n`, empty ones and one beyond the pool included.
pub(crate) fn every_range(n: u32) -> Vec<Kept> {
    let starts = 0..=n;
    let mut ranges: Vec<Kept> = starts
        .flat_map(|start| (start..=n).map(move |end| Kept { start, end }))
        .collect();
    ranges.push(Kept {
        start: n / 2,
        end: n + 2,
    });
    ranges
}

/// Every kind of reading, for dice with these faces.
pub(crate) fn every_reading(faces: &[i64]) -> Vec<Reading> {
    let table = |value: fn(i64) -> i64| {
        let values: Vec<_> = faces.iter().map(|face| (*face, value(*face))).collect();
        Reading::SumOf(values.into())
    };
    vec![
        Reading::Sum,
        table(|face| i64::from(face >= 4)),
        table(|face| (face.rem_euclid(4) - 1).pow(2) - 2),
        Reading::Matches(0),
        Reading::Matches(1),
        Reading::Matches(2),
        Reading::Matches(3),
        Reading::Matches(9),
        longest_run(),
        Reading::Steps(Steps::new(
            "the dice that are not alone",
            [7],
            |cells, _, count| cells[0] += if count > 1 { count } else { 0 },
            |cells| cells[0] - 7,
        )),
    ]
}

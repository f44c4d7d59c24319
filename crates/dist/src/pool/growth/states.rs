//! States of some dice: what has to be known of them for what they read with one die more.

use std::collections::BTreeMap;

use super::moves::{Move, Moves};
use crate::pool::kept::{Feature, Kept};
use crate::pool::reading::Values;
use crate::{Budget, Dist, Error};

/// With more states one more die takes about as long as all dice by the other algorithms.
const MOST_STATES: usize = 256;

/// Steps to find what becomes of a state by one face.
const MOVE_STEPS: u128 = 20;

/// A state: what each reading knows of the dice that lie there; nothing before there is one.
pub(super) type State = Vec<Option<i64>>;

/// How a reading takes in one more die.
pub(super) struct Rule<'a> {
    values: Values<'a>,
    cap: Option<i64>,
    knows: Known,
}

/// What a reading has to know of the dice so far.
enum Known {
    /// The sum of what all dice count for; from `settled` on it is not told apart.
    Sum { settled: Option<i64> },
    /// The highest die.
    Highest,
    /// The lowest die.
    Lowest,
}

impl<'a> Rule<'a> {
    /// The rule of a feature; none if one more die needs more than this.
    pub(super) fn of(feature: &'a Feature, die: &Dist) -> Option<Self> {
        let values = feature.reading.values()?;
        let (all, kept, cap) = (Kept::all(u32::MAX), feature.kept, feature.cap);
        let knows = if kept == all {
            let grows = die.support().all(|face| values.of(face) >= 0);
            let settled = cap.filter(|cap| grows && *cap >= 0);
            Known::Sum { settled }
        } else if kept == all.keep_highest(1) {
            Known::Highest
        } else if kept == all.keep_lowest(1) {
            Known::Lowest
        } else {
            return None;
        };
        Some(Self { values, cap, knows })
    }

    /// With one more die, which shows `face`; none if a sum leaves the range.
    fn add(&self, cell: Option<i64>, face: i64) -> Option<i64> {
        Some(match self.knows {
            Known::Sum { settled } => {
                let sum = cell.unwrap_or(0).checked_add(self.values.of(face))?;
                settled.map_or(sum, |settled| sum.min(settled))
            }
            Known::Highest => cell.map_or(face, |highest| highest.max(face)),
            Known::Lowest => cell.map_or(face, |lowest| lowest.min(face)),
        })
    }

    pub(super) fn read(&self, cell: Option<i64>) -> i64 {
        let read = match self.knows {
            Known::Sum { .. } => cell,
            Known::Highest | Known::Lowest => cell.map(|face| self.values.of(face)),
        };
        let read = read.unwrap_or(0);
        self.cap.map_or(read, |cap| read.min(cap))
    }
}

/// All states that dice lead to, the one without dice first, and the moves between them; none if there are too many, or
/// a sum leaves the range.
pub(super) fn find(
    rules: &[Rule<'_>],
    die: &Dist,
    budget: &Budget,
) -> Result<Option<(Vec<State>, Moves)>, Error> {
    let faces = die.iter().map(|(face, weight)| {
        let weight = u64::try_from(&weight).expect("it is no longer than the total");
        (face, weight)
    });
    let faces: Vec<(i64, u64)> = faces.collect();
    let mut states: Vec<State> = vec![vec![None; rules.len()]];
    let mut places = BTreeMap::from([(states[0].clone(), 0)]);
    let mut moves = Vec::new();
    let mut row = [0; MOST_STATES];
    let mut from = 0;
    while let Some(state) = states.get(from).cloned() {
        budget.charge(MOVE_STEPS * faces.len() as u128)?;
        for (face, weight) in &faces {
            let cells = rules.iter().zip(&state);
            let next: Option<State> = cells
                .map(|(rule, cell)| rule.add(*cell, *face).map(Some))
                .collect();
            let Some(next) = next else { return Ok(None) };
            let to = *places.entry(next).or_insert_with_key(|next| {
                states.push(next.clone());
                states.len() - 1
            });
            // A die may have more faces than there can be states.
            let Some(sum) = row.get_mut(to) else {
                return Ok(None);
            };
            *sum += weight;
        }
        for (to, sum) in row.iter_mut().enumerate().filter(|(_, sum)| **sum > 0) {
            let weight = std::mem::take(sum);
            moves.push(Move { to, from, weight });
        }
        from += 1;
    }
    let moves = Moves::new(moves, states.len());
    Ok(Some((states, moves)))
}

//! Rolls of pools, before and after they are made.

use std::rc::Rc;

use oddsmith_dist::{Kept, Pool};

use crate::hash::Map;

/// A pool whose dice are known, before or after the roll.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PoolValue {
    /// To be rolled; of the sorted roll, the kept places.
    Dice(Pool, Kept),
    /// Rolled: its faces from high to low.
    Faces(Vec<i64>),
}

/// Sorted rolls, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct RollTable {
    rolls: Vec<Rc<[i64]>>,
    places: Map<Rc<[i64]>, i64>,
}

impl RollTable {
    pub(crate) fn place(&mut self, roll: Vec<i64>) -> i64 {
        if let Some(place) = self.places.get(&roll[..]) {
            return *place;
        }
        let place = i64::try_from(self.rolls.len()).expect("fewer than 2^63 rolls fit in memory");
        let roll = Rc::<[i64]>::from(roll);
        self.rolls.push(Rc::clone(&roll));
        self.places.insert(roll, place);
        place
    }

    pub(crate) fn roll(&self, place: i64) -> &Rc<[i64]> {
        let at = usize::try_from(place).expect("places are not negative");
        &self.rolls[at]
    }
}

//! One side of a battle: what its dice that wait can show, face by face.

use crate::number::Number;
use crate::pool::descent::Descent;
use crate::pool::dice::Pool;
use crate::{Budget, Error};

/// Steps for a move of a side's dice, besides the rows that it moves.
const MOVE_STEPS: u128 = 32;

/// Bytes for what is known of a place while a face is shown.
const PLACE_BYTES: u128 = 64;

/// One of two pools, seen down to some face.
pub(super) struct Side<W> {
    descent: Descent<W>,
    /// The next stage.
    at: usize,
    /// Dice that have joined a family.
    joined: u32,
    /// Places that the waiting dice can be in, ascending, while not all pairs are placed.
    reached: Vec<usize>,
}

impl<W: Number> Side<W> {
    pub(super) fn new(pool: &Pool, budget: &Budget) -> Result<Self, Error> {
        Ok(Self {
            descent: Descent::new(pool, budget)?,
            at: 0,
            joined: 0,
            reached: vec![0],
        })
    }

    pub(super) fn next_face(&self) -> Option<i64> {
        self.descent.stages.get(self.at).map(|stage| stage.face)
    }

    /// Places of the dice that wait. One more stands for rolls of which all pairs are placed:
    /// their weights hold whatever their other dice show.
    pub(super) fn places(&self) -> usize {
        self.descent.rests[self.at].places
    }

    /// The weight of all that can follow in a place.
    pub(super) fn rest(&mut self, place: usize) -> &W {
        self.descent.rests[self.at].of(place)
    }

    /// For each place the dice that have shown their face: all `pairs` for the place beyond the
    /// last.
    pub(super) fn placed(&self, pairs: u32) -> Vec<u32> {
        let mut placed = vec![0; self.places() + 1];
        placed[self.places()] = pairs;
        for place in &self.reached {
            placed[*place] = self.joined - self.descent.all_waiting(self.at, *place);
        }
        placed
    }

    /// Lets the families show a face, one after the other, if it is their next.
    pub(super) fn show(
        &mut self,
        face: i64,
        pairs: u32,
        budget: &Budget,
    ) -> Result<Vec<Shown<W>>, Error> {
        let mut all_shown = Vec::new();
        while self.next_face() == Some(face) {
            let counts = self.reached.len() as u128 * u128::from(pairs);
            budget.charge(self.places() as u128 + counts * MOVE_STEPS)?;
            let bytes = self.places() as u128 * PLACE_BYTES;
            budget.charge_memory(bytes)?;
            all_shown.push(self.show_next(pairs));
            budget.release_memory(bytes);
        }
        Ok(all_shown)
    }

    fn show_next(&mut self, pairs: u32) -> Shown<W> {
        let stage = &self.descent.stages[self.at];
        let mut own: Vec<_> = Vec::with_capacity(self.reached.len());
        let mut ends: Vec<Option<u32>> = Vec::new();
        for place in &self.reached {
            let from = self.joined - self.descent.all_waiting(self.at, *place);
            let waiting = stage.waiting(stage.joined(*place)) as usize;
            ends.resize(ends.len().max(waiting + 1), None);
            ends[waiting] = ends[waiting].max(Some(pairs - from));
            own.push((*place, from));
        }
        self.descent.prepare(self.at, &ends);
        let mut moves = Vec::with_capacity(own.len());
        for (place, from) in own {
            self.add_moves(place, (from, pairs), &mut moves);
        }
        let before = self.places();
        self.joined += self.descent.joining(self.at);
        self.descent.leave(self.at);
        self.at += 1;
        let after = self.places();
        self.reached = moves.iter().map(|moved| moved.after).collect();
        self.reached.sort_unstable();
        self.reached.dedup();
        self.reached.retain(|place| *place < after);
        Shown {
            before,
            after,
            moves,
        }
    }

    /// Adds the moves of dice that wait in a place, from the face that is next.
    fn add_moves(&mut self, before: usize, (from, pairs): (u32, u32), moves: &mut Vec<Move<W>>) {
        let stage = &self.descent.stages[self.at];
        let place = stage.joined(before);
        let end = pairs - from;
        let options = stage.options(place).below(end);
        moves.extend(options.map(|(count, ways)| Move {
            before,
            after: stage.after(place, count),
            from,
            to: from + count,
            ways: ways.clone(),
        }));
        if stage.counts(place).1 >= end {
            moves.push(Move {
                before,
                after: self.descent.rests[self.at + 1].places,
                from,
                to: pairs,
                ways: self.descent.tail(self.at, place, end),
            });
        }
    }
}

/// How a family shows a face.
pub(super) struct Shown<W> {
    /// Places there are before and after.
    pub(super) before: usize,
    pub(super) after: usize,
    /// The moves in the order of the places before.
    pub(super) moves: Vec<Move<W>>,
}

/// Some dice of a family showing a face.
pub(super) struct Move<W> {
    /// Places before and after.
    pub(super) before: usize,
    pub(super) after: usize,
    /// Dice of the side that are placed before and after.
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) ways: W,
}

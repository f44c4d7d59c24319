//! Two sides that show their faces in turn, until all pairs are decided.
//!
//! Who is ahead at a face has more dice placed (or as many), and shows it second. Of each pair
//! from there on, both dice are still to come. So as the other's dice are placed, those beyond
//! the dice of who is ahead win for now; and a die of who is ahead either ties with one of
//! these, or wins.

use super::Scale;
use super::board::{Board, split};
use super::side::{Shown, Side};
use crate::number::{Number, product_steps, used_words, words};
use crate::pool::descent::Row;
use crate::{Budget, Error};

/// Steps for adding a row, besides its products.
const ROW_STEPS: u128 = 10;

/// Steps for a row of a board, which may be empty.
const LOOK_STEPS: u128 = 4;

/// Steps for letting a side show a face, besides its rows.
const TURN_STEPS: u128 = 400;

/// Memory of a row besides its weights.
const ROW_BYTES: u128 = 32;

/// The side that shows a face first; the other knows what the first has shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    First,
    Second,
}

/// Two sides in their fight.
pub(super) struct Battle<'a, W> {
    sides: [Side<W>; 2],
    scale: Scale,
    pairs: u32,
    /// The places of a row.
    len: usize,
    /// Words of a weight.
    width: u128,
    /// The most memory that a board took so far.
    bytes: u128,
    /// A board to write the next rows to.
    spare: Board<W>,
    budget: &'a Budget,
}

impl<'a, W: Number> Battle<'a, W> {
    /// Two sides of so many pairs; no weight is longer than `bits`.
    pub(super) fn new(
        sides: [Side<W>; 2],
        (pairs, scale): (u32, Scale),
        bits: usize,
        budget: &'a Budget,
    ) -> Self {
        Self {
            sides,
            scale,
            pairs,
            len: scale.len(pairs as usize),
            width: words(bits as u128),
            bytes: 0,
            spare: Board::default(),
            budget,
        }
    }

    /// The weights when all pairs are decided, by the place in a row.
    pub(super) fn fight(mut self) -> Result<Vec<W>, Error> {
        let mut done = vec![W::zero(); self.len];
        let mut board = Board::default();
        board.reset([1, 1]);
        board.rows[0] = Row {
            first: self.scale.none,
            weights: vec![W::from_u64(1)],
        };
        // Once all is decided, the faces below change nothing.
        while !board.is_empty()
            && let Some(face) = self.sides[0].next_face().max(self.sides[1].next_face())
        {
            board = self.show_face(face, board)?;
            self.settle(&mut board, &mut done)?;
        }
        Ok(done)
    }

    /// Both sides show a face.
    fn show_face(&mut self, face: i64, board: Board<W>) -> Result<Board<W>, Error> {
        let placed = |sides: &[Side<W>; 2], pairs| sides.each_ref().map(|side| side.placed(pairs));
        let before = placed(&self.sides, self.pairs);
        let mut boards = split(board, &before);
        let [ours, theirs] = &mut self.sides;
        let shown = [
            ours.show(face, self.pairs, self.budget)?,
            theirs.show(face, self.pairs, self.budget)?,
        ];
        let after = placed(&self.sides, self.pairs);
        for (ahead, board) in boards.iter_mut().enumerate() {
            let turns = [
                (1 - ahead, Turn::First, &before[ahead]),
                (ahead, Turn::Second, &after[1 - ahead]),
            ];
            for (side, turn, others) in turns {
                for shown in &shown[side] {
                    if !board.is_empty() {
                        self.play(board, shown, (side, turn), others)?;
                    }
                }
            }
        }
        let [mut sum, other] = boards;
        if sum.is_empty() {
            return Ok(other);
        }
        for (row, more) in sum.rows.iter_mut().zip(&other.rows) {
            if !more.weights.is_empty() {
                row.add_moved(more, 0, &W::from_u64(1));
            }
        }
        Ok(sum)
    }

    /// One family of a side shows a face; `others` are the dice that the other side has placed.
    fn play(
        &mut self,
        board: &mut Board<W>,
        shown: &Shown<W>,
        (side, turn): (usize, Turn),
        others: &[u32],
    ) -> Result<(), Error> {
        self.charge(board, shown, (side, others.len()))?;
        let mut next = std::mem::take(&mut self.spare);
        let other_places = others.len() - 1;
        next.reset(if side == 0 {
            [shown.after, other_places]
        } else {
            [other_places, shown.after]
        });
        for (other, placed) in others.iter().enumerate() {
            let beyond = board.index(side, shown.before, other);
            let own = next.index(side, shown.after, other);
            std::mem::swap(&mut next.rows[own], &mut board.rows[beyond]);
            for moved in &shown.moves {
                let row = &board.rows[board.index(side, moved.before, other)];
                if !row.weights.is_empty() {
                    let own = next.index(side, moved.after, other);
                    let by = self.shift(side, turn, (moved.from, moved.to), *placed);
                    next.rows[own].add_moved(row, by, &moved.ways);
                }
            }
        }
        self.spare = std::mem::replace(board, next);
        Ok(())
    }

    /// Charges for a play: for moving rows, and for a board as if it was full.
    fn charge(
        &mut self,
        board: &Board<W>,
        shown: &Shown<W>,
        (side, others): (usize, usize),
    ) -> Result<(), Error> {
        let mut steps = 0;
        for moves in shown.moves.chunk_by(|a, b| a.before == b.before) {
            let rows =
                (0..others).map(|other| &board.rows[board.index(side, moves[0].before, other)]);
            steps += self.adding(rows, ROW_STEPS) * moves.len() as u128;
        }
        let rows = (shown.after as u128 + 1).saturating_mul(others as u128);
        // Each row is looked at, whether it has weights or not.
        let looks = rows.saturating_mul(LOOK_STEPS);
        self.budget
            .charge(steps.saturating_add(looks) + TURN_STEPS)?;
        let bytes = rows.saturating_mul(ROW_BYTES + 8 * self.width * self.len as u128);
        self.budget.charge_most(bytes, &mut self.bytes)?;
        Ok(())
    }

    /// The change of a row by `from..to` more dice of a side, with so many of the other's placed.
    fn shift(&self, side: usize, turn: Turn, (from, to): (u32, u32), other: u32) -> isize {
        let scale = if side == 0 {
            self.scale
        } else {
            self.scale.mirrored()
        };
        let signed = |dice: u32| isize::try_from(dice).expect("dice of a pool in memory");
        match turn {
            Turn::First => scale.won * signed(to.saturating_sub(from.max(other))),
            Turn::Second => {
                let ties = to.min(other) - from.min(other);
                scale.won * signed(to - from - ties) - scale.lost * signed(ties)
            }
        }
    }

    /// Takes out the rows in which all pairs are decided, as all dice of a side are placed.
    fn settle(&mut self, board: &mut Board<W>, done: &mut [W]) -> Result<(), Error> {
        let [height, width] = self.sides.each_ref().map(Side::places);
        let last_row = (0..=width).map(|j| (height, j));
        let decided = (0..height).map(|i| (i, width)).chain(last_row);
        let rest = 2 * product_steps(self.width, 1) + product_steps(self.width, self.width / 2);
        let rows = decided
            .clone()
            .map(|(i, j)| &board.rows[board.index(0, i, j)]);
        self.budget.charge(self.adding(rows, ROW_STEPS + rest))?;
        for (i, j) in decided {
            let at = board.index(0, i, j);
            let row = &mut board.rows[at];
            if row.weights.is_empty() {
                continue;
            }
            let mut rest = W::from_u64(1);
            for (side, place) in self.sides.iter_mut().zip([i, j]) {
                if place < side.places() {
                    rest = rest.times(side.rest(place));
                }
            }
            for (sum, weight) in done[row.first..].iter_mut().zip(&row.weights) {
                sum.add_product(weight, &rest);
            }
            row.weights.clear();
        }
        Ok(())
    }

    /// Steps of adding rows with a factor each, `row` of them for each that has weights, besides the products.
    /// Weights grow from face to face, and short ones are cheap; the middle one stands for all of its row.
    fn adding<'r>(&self, rows: impl Iterator<Item = &'r Row<W>>, row: u128) -> u128
    where
        W: 'r,
    {
        let weights = rows
            .map(|row| &row.weights)
            .filter(|weights| !weights.is_empty());
        if self.width <= 2 {
            // All products are as cheap.
            let count = |(rows, places), weights: &Vec<W>| (rows + 1, places + weights.len());
            let (rows, places) = weights.fold((0, 0), count);
            return row * rows + places as u128 * product_steps(self.width, self.width);
        }
        let steps = weights.map(|weights| {
            let left = used_words(&weights[weights.len() / 2]);
            row + weights.len() as u128 * product_steps(self.width, left)
        });
        steps.sum()
    }
}

//! The board of a battle between two faces: for where both sides stand, the weights of pairs won and lost.

use crate::number::Number;
use crate::pool::descent::Row;

/// For the places of two sides the weights of pairs won and lost.
pub(super) struct Board<W> {
    pub(super) rows: Vec<Row<W>>,
    /// How many places the second side has.
    width: usize,
}

impl<W> Default for Board<W> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            width: 0,
        }
    }
}

impl<W: Number> Board<W> {
    /// Empties it, for so many places of the sides. What rows took of memory they keep.
    pub(super) fn reset(&mut self, places: [usize; 2]) {
        let [height, width] = places.map(|places| places + 1);
        self.width = width;
        self.rows.resize_with(height * width, Row::default);
        self.rows.iter_mut().for_each(|row| row.weights.clear());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| row.weights.is_empty())
    }

    /// The index of a row, by the place of a side and that of the other.
    pub(super) fn index(&self, side: usize, own: usize, other: usize) -> usize {
        let (first, second) = if side == 0 {
            (own, other)
        } else {
            (other, own)
        };
        first * self.width + second
    }
}

impl<W: Number> Row<W> {
    /// Adds `factor` times another row, moved by some places.
    pub(super) fn add_moved(&mut self, row: &Self, by: isize, factor: &W) {
        let first = row
            .first
            .checked_add_signed(by)
            .expect("a place of the row");
        if self.weights.is_empty() {
            self.first = first;
        }
        if first < self.first {
            let missing = self.first - first;
            self.weights
                .splice(0..0, std::iter::repeat_n(W::zero(), missing));
            self.first = first;
        }
        let start = first - self.first;
        let len = self.weights.len().max(start + row.weights.len());
        self.weights.resize(len, W::zero());
        for (sum, weight) in self.weights[start..].iter_mut().zip(&row.weights) {
            sum.add_product(weight, factor);
        }
    }
}

/// The rows in which the first side is ahead or level, and those in which the second is;
/// `placed` are the dice of both sides, by place.
pub(super) fn split<W: Number>(mut board: Board<W>, placed: &[Vec<u32>; 2]) -> [Board<W>; 2] {
    let [ours, theirs] = placed;
    let mut second = Board::default();
    second.reset([ours.len() - 1, theirs.len() - 1]);
    for (i, ours) in ours.iter().enumerate() {
        for (j, theirs) in theirs.iter().enumerate() {
            if ours < theirs {
                let at = board.index(0, i, j);
                std::mem::swap(&mut second.rows[at], &mut board.rows[at]);
            }
        }
    }
    [board, second]
}

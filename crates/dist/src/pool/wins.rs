//! Two pools sorted and compared die by die.

use dashu_int::UBig;

use super::Pool;
use super::waiting::{Descent, Row};
use crate::number::{self, Number, bits, product_steps, used_words, with_limbs};
use crate::{Budget, Dist, Error, Plan, Weighted, words};

impl Pool {
    /// Sorts both rolls from the highest and pairs them, highest with highest, as far as the
    /// smaller roll goes: the number of pairs in which this pool's die is strictly higher.
    ///
    /// The total is the product of both totals. For pairs lost, exchange the pools; for both
    /// of the same rolls, see [`duel`](Self::duel).
    ///
    /// ```
    /// // Three attackers against two defenders who win ties.
    /// use oddsmith_dist::{Budget, Dist, Pool, UBig};
    /// let d6 = Dist::die(6)?;
    /// let (attack, defence) = (Pool::new([(d6.clone(), 3)]), Pool::new([(d6, 2)]));
    /// let wins = attack.wins(&defence, &Budget::unlimited())?;
    /// assert_eq!(wins.weight(2), UBig::from(2890_u16)); // of 7776
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    ///
    /// # Cost
    /// One fold over both pools; its states are the dice placed on either side and the wins.
    pub fn wins(&self, other: &Self, budget: &Budget) -> Result<Dist, Error> {
        let scale = Scale {
            won: 1,
            lost: 0,
            none: 0,
        };
        let (weights, total) = self.compared(other, "pairs won", scale, budget)?;
        let wins = weights
            .into_iter()
            .map(|(place, weight)| (outcome(place), weight));
        Ok(Dist::from_unsorted(wins.collect(), total))
    }

    /// The pairs won less the pairs lost, of rolls paired as by [`wins`](Self::wins); ties are
    /// void.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Pool, UBig};
    /// let (two, one) = (Pool::new([(Dist::die(6)?, 2)]), Pool::new([(Dist::die(6)?, 1)]));
    /// let net = two.net_wins(&one, &Budget::unlimited())?;
    /// assert_eq!(net.weight(1), UBig::from(125_u8)); // of 216: the higher of two beats one
    /// assert_eq!(net.weight(-1), UBig::from(55_u8)); // 0 + 1 + 4 + 9 + 16 + 25
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    ///
    /// # Cost
    /// As for [`wins`](Self::wins), with up to twice as many states.
    pub fn net_wins(&self, other: &Self, budget: &Budget) -> Result<Dist, Error> {
        let pairs = self.pairs(other);
        let scale = Scale {
            won: 1,
            lost: -1,
            none: pairs,
        };
        let (weights, total) = self.compared(other, "pairs won less pairs lost", scale, budget)?;
        let net = |place| outcome(place) - outcome(pairs);
        let net = weights
            .into_iter()
            .map(|(place, weight)| (net(place), weight));
        Ok(Dist::from_unsorted(net.collect(), total))
    }

    /// The pairs won and the pairs lost, of rolls paired as by [`wins`](Self::wins).
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Pool, UBig};
    /// let coins = Pool::new([(Dist::die(2)?, 2)]);
    /// let duel = coins.duel(&coins, &Budget::unlimited())?;
    /// assert_eq!(duel.weight(&(2, 0)), UBig::ONE); // 2 2 against 1 1
    /// assert_eq!(duel.weight(&(1, 0)), UBig::from(4_u8)); // one die more shows a 2
    /// assert_eq!(duel.weight(&(1, 1)), UBig::ZERO);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    ///
    /// # Cost
    /// As for [`wins`](Self::wins), with the losses in its states as well.
    pub fn duel(&self, other: &Self, budget: &Budget) -> Result<Weighted<(i64, i64)>, Error> {
        let row = self.pairs(other) + 1;
        let won = isize::try_from(row).map_err(|_| budget.refusal())?;
        let scale = Scale {
            won,
            lost: 1,
            none: 0,
        };
        let (weights, total) = self.compared(other, "pairs won and lost", scale, budget)?;
        let both = |place| (outcome(place / row), outcome(place % row));
        let duels = weights
            .into_iter()
            .map(|(place, weight)| (both(place), weight));
        Ok(Weighted::from_unsorted(duels.collect(), total))
    }

    fn compared(
        &self,
        other: &Self,
        asked: &str,
        scale: Scale,
        budget: &Budget,
    ) -> Result<(Vec<(usize, UBig)>, UBig), Error> {
        let plan = || {
            let (ours, theirs) = (words::pool(self), words::pool(other));
            Plan {
                question: format!("{asked} by {ours} against {theirs}"),
                algorithm: "fold over faces",
                reason: "two sorted pools".to_owned(),
                bits: bits(&(self.total() * other.total())),
            }
        };
        budget.noted(plan, || compare(self, other, scale, budget))
    }

    /// How many pairs two rolls make.
    fn pairs(&self, other: &Self) -> usize {
        self.size().min(other.size()) as usize
    }
}

fn outcome(place: usize) -> i64 {
    i64::try_from(place).expect("a place of a row in memory")
}

/// Where pairs won and lost stand in a row.
#[derive(Clone, Copy)]
struct Scale {
    won: isize,
    lost: isize,
    /// The place of no pair won or lost.
    none: usize,
}

impl Scale {
    /// The other side's view.
    fn mirrored(self) -> Self {
        let Self { won, lost, none } = self;
        Self {
            won: lost,
            lost: won,
            none,
        }
    }

    /// The places of a row for so many pairs.
    fn len(self, pairs: usize) -> usize {
        let most = self.won.max(self.lost).unsigned_abs();
        self.none + most * pairs + 1
    }
}

/// Weights of all places of a row, and their total.
fn compare(
    ours: &Pool,
    theirs: &Pool,
    scale: Scale,
    budget: &Budget,
) -> Result<(Vec<(usize, UBig)>, UBig), Error> {
    budget.charge(ours.bits_bound() + theirs.bits_bound())?;
    let total = ours.total() * theirs.total();
    let pairs = ours.size().min(theirs.size());
    if pairs == 0 {
        return Ok((vec![(scale.none, total.clone())], total));
    }
    let weights = with_limbs!(bits(&total), W => {
        let [ours, theirs] = [Side::<W>::new(ours, budget)?, Side::new(theirs, budget)?];
        let len = scale.len(pairs as usize);
        let width = number::words(bits(&total) as u128);
        let weights = Battle { sides: [ours, theirs], scale, pairs, len, width, bytes: 0, spare: Board::default(), budget }.fight()?;
        let weights = weights.into_iter().map(W::into_big);
        weights.enumerate().collect::<Vec<_>>()
    });
    Ok((weights, total))
}

/// One of two pools, seen down to some face.
struct Side<W> {
    descent: Descent<W>,
    /// The next stage.
    at: usize,
    /// Dice that have joined a family.
    joined: u32,
    /// Places that the waiting dice can be in, ascending, while not all pairs are placed.
    reached: Vec<usize>,
}

impl<W: Number> Side<W> {
    fn new(pool: &Pool, budget: &Budget) -> Result<Self, Error> {
        Ok(Self {
            descent: Descent::new(pool).ok_or_else(|| budget.refusal())?,
            at: 0,
            joined: 0,
            reached: vec![0],
        })
    }

    fn next_face(&self) -> Option<i64> {
        self.descent.stages.get(self.at).map(|stage| stage.face)
    }

    /// Places of the dice that wait. One more stands for rolls of which all pairs are placed:
    /// their weights hold whatever their other dice show.
    fn places(&self) -> usize {
        self.descent.rests[self.at].places
    }

    /// By place, the dice that have shown their face: all `pairs` for the place beyond the last.
    fn placed(&self, pairs: u32) -> Vec<u32> {
        let mut placed = vec![0; self.places() + 1];
        placed[self.places()] = pairs;
        for place in &self.reached {
            placed[*place] = self.joined - self.descent.all_waiting(self.at, *place);
        }
        placed
    }

    /// Lets the families show a face, one after the other, if it is their next.
    fn show(&mut self, face: i64, pairs: u32, budget: &Budget) -> Result<Vec<Shown<W>>, Error> {
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

    /// What dice that wait in a place can show, from the face that is next.
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
struct Shown<W> {
    /// Places there are before and after.
    before: usize,
    after: usize,
    /// In the order of the places before.
    moves: Vec<Move<W>>,
}

/// Some dice of a family showing a face.
struct Move<W> {
    /// Places before and after.
    before: usize,
    after: usize,
    /// Dice of the side that are placed before and after.
    from: u32,
    to: u32,
    ways: W,
}

/// For the places of two sides the weights of pairs won and lost.
struct Board<W> {
    rows: Vec<Row<W>>,
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
    fn reset(&mut self, places: [usize; 2]) {
        let [height, width] = places.map(|places| places + 1);
        self.width = width;
        self.rows.resize_with(height * width, Row::default);
        self.rows.iter_mut().for_each(|row| row.weights.clear());
    }

    fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| row.weights.is_empty())
    }

    fn index(&self, side: usize, own: usize, other: usize) -> usize {
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
    fn add_moved(&mut self, row: &Self, by: isize, factor: &W) {
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

/// Which side shows a face first; the other knows what the first has shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    First,
    Second,
}

/// Steps for a move of a side's dice, besides the rows that it moves.
const MOVE_STEPS: u128 = 32;

/// Steps for adding a row, besides its products.
const ROW_STEPS: u128 = 10;

/// Steps for a row of a board, which may be empty.
const LOOK_STEPS: u128 = 4;

/// Bytes for what is known of a place while a face is shown.
const PLACE_BYTES: u128 = 64;

/// Steps for letting a side show a face, besides its rows.
const TURN_STEPS: u128 = 400;

/// Memory of a row besides its weights.
const ROW_BYTES: u128 = 32;

/// Two sides in their fight.
struct Battle<'a, W> {
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

/// Who is ahead at a face has more dice placed (or as many), and shows it second. Of each pair
/// from there on, both dice are still to come. So as the other's dice are placed, those beyond
/// the dice of who is ahead win for now; and a die of who is ahead either ties with one of
/// these, or wins.
impl<W: Number> Battle<'_, W> {
    fn fight(mut self) -> Result<Vec<W>, Error> {
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
        self.budget
            .charge_memory(bytes.saturating_sub(self.bytes))?;
        self.bytes = self.bytes.max(bytes);
        Ok(())
    }

    /// What `from..to` more dice of a side change, with so many of the other's placed.
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
                    rest = rest.times(side.descent.rests[side.at].of(place));
                }
            }
            for (sum, weight) in done[row.first..].iter_mut().zip(&row.weights) {
                sum.add_product(weight, &rest);
            }
            row.weights.clear();
        }
        Ok(())
    }

    /// Steps of adding rows with a factor each, `row` of them for each that has weights, besides the products. Weights
    /// grow from face to face, and short ones are cheap; the middle one stands for all of its row.
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

/// The rows in which the first side is ahead or level, and those in which the second is;
/// `placed` are the dice of both sides, by place.
fn split<W: Number>(mut board: Board<W>, placed: &[Vec<u32>; 2]) -> [Board<W>; 2] {
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

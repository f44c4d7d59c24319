//! Sums of kept dice in pools of one family, such as the best three of d6 and d8 together.
//!
//! The best of a d2 and a d3, as a walk down the faces:
//!
//! ```text
//! face 3: the d3 shows it, in 1 way, and the d2 any face, in 2: the sum 3 in 2 ways
//! face 2: both wait now; two dice at or below 2 in 4 ways, below it in 1: the sum 2 in 3 ways
//! face 1: 1 way;  2 + 3 + 1 = 6 rolls
//! ```

use super::kept::Kept;
use super::range_cost::{self, Kind};
use crate::Dist;
use crate::dist::bytes_of_row;
use crate::number::{Number, bits, bytes_of_number, power_bits_guess, with_limbs};

/// Dice that are truncations of `base`, the one that reaches highest.
pub(super) struct Family<'a> {
    base: &'a Dist,
    stride: u64,
    /// Steps of the stride from the lowest face to the highest.
    top: usize,
    /// The kinds of dice, those that reach highest first.
    members: Vec<&'a (Dist, u32)>,
}

impl<'a> Family<'a> {
    /// `None` if the dice are not truncations of one of them, or have their faces too far apart
    /// for rows.
    pub(super) fn of(groups: &'a [(Dist, u32)]) -> Option<Self> {
        let mut members: Vec<_> = groups.iter().collect();
        members.sort_by_key(|(die, _)| std::cmp::Reverse(die.max()));
        let (base, _) = members.first()?;
        if !members[1..].iter().all(|(die, _)| base.begins_like(die)) {
            return None;
        }
        let stride = base.stride();
        let top = usize::try_from(base.steps(stride)).ok()?;
        (top <= 4 * base.len() + 16).then_some(Self {
            base,
            stride,
            top,
            members,
        })
    }

    /// The most bytes of `sum`: the ways to choose dice, the row of each number of placed dice with room to grow, the faces,
    /// all sums, and the answer.
    pub(super) fn bytes(&self, kept: Kept) -> u128 {
        let totals = self
            .members
            .iter()
            .map(|(die, count)| power_bits_guess(die.total(), *count));
        let bits = usize::try_from(totals.sum::<u128>()).unwrap_or(usize::MAX);
        let bits = bits.max(self.size() as usize);
        let (size, end) = (u128::from(self.size()), u128::from(kept.end));
        let (len, top) = (u128::from(kept.len()), self.top as u128);
        let placed = match self.placed_bits(kept.end).max(self.base.bits()) {
            0..=64 => 8,
            65..=128 => 16,
            _ => bytes_of_number(bits),
        };
        let rows = 2 * (top * (len * (len - 1) / 2) + end);
        let narrow = (size + 1) * end + rows + top;
        narrow
            .saturating_mul(placed)
            .saturating_add(2 * end * bytes_of_number(bits))
            .saturating_add(bytes_of_row(len * top + 1, self.stride, bits))
    }

    /// The sum of the kept dice.
    pub(super) fn sum(&self, kept: Kept) -> Dist {
        let totals = self
            .members
            .iter()
            .map(|(die, count)| die.total().pow(*count as usize));
        let total = totals.product();
        let first = self.base.min() * i64::from(kept.len());
        // Rows hold the weights of faces as well.
        let placed = self.placed_bits(kept.end).max(self.base.bits());
        // Where dice have one face, there are more ways to choose dice than rolls.
        let width = bits(&total).max(self.size() as usize);
        with_limbs!(width, W => {
            let row = match placed {
                0..=64 => self.walk::<u64, W>(kept),
                65..=128 => self.walk::<u128, W>(kept),
                _ => self.walk::<W, W>(kept),
            };
            Dist::from_row(first, self.stride, row, total)
        })
    }

    fn size(&self) -> u32 {
        self.members.iter().map(|(_, count)| count).sum()
    }

    /// Bits that hold the ways in which fewer than `end` dice can be placed, the others ignored.
    fn placed_bits(&self, end: u32) -> usize {
        // Coefficient `p` of the product of `(1 + T x)` over all dice of total `T`.
        let mut placed = vec![0_u128; end as usize];
        placed[0] = 1;
        for (die, count) in &self.members {
            let Ok(total) = u128::try_from(die.total()) else {
                return usize::MAX;
            };
            for _ in 0..*count {
                for p in (1..placed.len()).rev() {
                    placed[p] = placed[p].saturating_add(placed[p - 1].saturating_mul(total));
                }
            }
        }
        let most = placed.into_iter().max().unwrap_or(0);
        if most == u128::MAX {
            return usize::MAX;
        }
        (u128::BITS - most.leading_zeros()) as usize
    }

    /// Predicted steps of `sum`.
    pub(super) fn cost(&self, kept: Kept) -> u128 {
        let kinds = self.members.iter().map(|(die, count)| Kind {
            dice: (*count).into(),
            faces: die.len() as u128,
            total: die.total(),
        });
        range_cost::steps(&kinds.collect::<Vec<_>>(), kept)
    }

    /// Sums of all rolls, as a row from the lowest face times the number of kept dice.
    ///
    /// A walk from the highest face, whose states are rows: for each number of dice placed so far
    /// the weights of all sums. It stops for dice below the kept ones. The rows leave out the dice
    /// that wait, and so need fewer bits, `N`, than what is done, `W`.
    fn walk<N: Number, W: Number>(&self, kept: Kept) -> Vec<W> {
        let end = kept.end as usize;
        let choices = Choices::<N>::new(self.size(), kept.end);
        let weights = self.base.strided_row::<N>(self.stride);
        let mut done = vec![W::zero(); kept.len() as usize * self.top + 1];
        let mut rows: Vec<Vec<N>> = vec![Vec::new(); end];
        rows[0].push(N::from_u64(1));
        let mut waiting = Waiting::<W>::new(self);
        let mut last = 0; // the face before; no sum so far is below it
        for (face, weight) in weights.iter().enumerate().rev() {
            if weight.is_zero() {
                continue;
            }
            waiting.show(face, &weight.converted());
            let joined = waiting.joined;
            let finishing = waiting.finishing(&choices, end);
            let from = |placed: usize| taken(kept, 0, placed) * last;
            for (placed, ways) in (0..end).rev().zip(&finishing) {
                let row = rows[placed].get(from(placed)..).unwrap_or_default();
                let by = from(placed) + taken(kept, placed, joined - placed) * face;
                for (sum, weight) in done.iter_mut().skip(by).zip(row) {
                    sum.add_product(&weight.converted(), ways);
                }
            }
            if face > 0 {
                place(&mut rows, (joined, face), weight, &choices, (kept, from));
            }
            last = face;
        }
        done
    }
}

/// How many of the `count` places from `placed` on are kept.
fn taken(kept: Kept, placed: usize, count: usize) -> usize {
    let end = (kept.end as usize).min(placed + count);
    end.saturating_sub((kept.start as usize).max(placed))
}

/// Lets dice show a face that are waiting for it, in all ways that leave some places free.
fn place<N: Number>(
    rows: &mut [Vec<N>],
    (joined, face): (usize, usize),
    weight: &N,
    choices: &Choices<N>,
    (kept, from): (Kept, impl Fn(usize) -> usize),
) {
    let most = joined.min(rows.len() - 1);
    let mut powers = vec![N::from_u64(1)];
    for count in 0..most {
        powers.push(powers[count].times(weight));
    }
    // From the last row, so that the rows added to it are still those of the faces before.
    for after in (1..=most).rev() {
        let (before, later) = rows.split_at_mut(after);
        let sums = &mut later[0];
        for (placed, row) in before.iter().enumerate() {
            let Some(row) = row.get(from(placed)..).filter(|row| !row.is_empty()) else {
                continue;
            };
            let count = after - placed;
            let ways = choices.of(joined - placed, count).times(&powers[count]);
            let by = from(placed) + taken(kept, placed, count) * face;
            if sums.len() < by + row.len() {
                sums.resize(by + row.len(), N::zero());
            }
            for (sum, weight) in sums[by..].iter_mut().zip(row) {
                sum.add_product(weight, &ways);
            }
        }
    }
}

/// The dice that are not placed yet, seen at a face.
struct Waiting<'a, W> {
    /// Dice that reach the face, placed ones included.
    joined: usize,
    /// Kinds of dice that reach less high, with all rolls of these and the kinds after.
    later: Vec<(usize, &'a (Dist, u32), W)>,
    /// All rolls of the kinds that reach less high.
    rest: W,
    /// The weight of the face, and of all lower ones, on a die that reaches it.
    here: W,
    below: W,
}

impl<'a, W: Number> Waiting<'a, W> {
    fn new(family: &Family<'a>) -> Self {
        let mut later = Vec::with_capacity(family.members.len());
        let mut rolls = W::from_u64(1);
        for member in family.members.iter().rev() {
            let (die, count) = *member;
            let top = usize::try_from(die.steps(family.stride)).expect("a place of the base");
            let all = W::from_big(die.total()).power(*count).times(&rolls);
            later.push((top, *member, rolls));
            rolls = all;
        }
        Self {
            joined: 0,
            later,
            rest: rolls,
            here: W::zero(),
            below: W::from_big(family.base.total()),
        }
    }

    /// Goes on to the next face that has a weight.
    fn show(&mut self, face: usize, weight: &W) {
        while let Some((_, (_, count), rest)) = self.later.pop_if(|(top, ..)| *top >= face) {
            self.joined += *count as usize;
            self.rest = rest;
        }
        self.here = weight.clone();
        self.below.sub(weight);
    }

    /// The numbers of ways in which the roll goes on from `end - 1`, `end - 2`, ... 0 placed dice if so many show the
    /// face that `end` are placed.
    ///
    /// With `e = here + below`, let `G(m, r)` count how `m` dice lie at or below the face and more
    /// than `r` of them on it. From `G(m, 0) = e^m - below^m` on,
    /// `G(m+1, r+1) = e G(m, r) - C(m, r+1) here^(r+1) below^(m-r)`: the last die may lie anywhere,
    /// unless it would have to be on the face and is not.
    fn finishing<N: Number>(&self, choices: &Choices<N>, end: usize) -> Vec<W> {
        if self.joined < end {
            return Vec::new();
        }
        let most = self.joined + 1 - end;
        let dice = u32::try_from(most).expect("no more than the dice of the pool");
        let mut either = self.here.clone();
        either.add(&self.below);
        let mut lower = self.below.power(dice).times(&self.rest);
        let mut count = either.power(dice).times(&self.rest);
        count.sub(&lower);
        let mut ways = Vec::with_capacity(end);
        ways.push(count.clone());
        for shown in 1..end {
            lower = self.here.times(&lower);
            count = either.times(&count);
            let choice = choices.of(most + shown - 1, shown).converted::<W>();
            count.sub(&choice.times(&lower));
            ways.push(count.clone());
        }
        ways
    }
}

/// Binomial coefficients `C(n, c)` with `c` below `width`.
struct Choices<N> {
    width: usize,
    table: Vec<N>,
}

impl<N: Number> Choices<N> {
    fn new(size: u32, width: u32) -> Self {
        let (size, width) = (size as usize, width as usize);
        let mut table = vec![N::zero(); (size + 1) * width];
        table[0] = N::from_u64(1);
        for place in width..table.len() {
            let (done, open) = table.split_at_mut(place);
            open[0] = done[place - width].clone();
            if place % width > 0 {
                open[0].add(&done[place - width - 1]);
            }
        }
        Self { width, table }
    }

    fn of(&self, n: usize, c: usize) -> &N {
        &self.table[n * self.width + c]
    }
}

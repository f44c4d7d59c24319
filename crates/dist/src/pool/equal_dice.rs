//! The fold of equal dice with few states, as readings of some of the dice and counts that are
//! capped have.
//!
//! The moves are planned first, without weights: whether they are few shows only then. What is
//! left of a move is the number of dice that wait, so its weights are binomial coefficients and
//! powers, and no rows are needed.

use super::dice::Pool;
use super::fold::Evaluator;
use crate::number::{Number, bits, product_steps, with_limbs, words};
use crate::{Budget, Dist, Error, Weighted};

/// With more moves than this at a face the states had better share them, as rows of the other fold.
const MOST_MOVES: usize = 64;

/// Steps to plan one move.
const MOVE_STEPS: u128 = 8;

/// Steps of the products of one move, besides those of their words.
const PRODUCT_STEPS: u128 = 12;

/// Steps of everything else at one face.
const FACE_STEPS: u128 = 20;

/// The place where a roll stands after some dice have shown a face.
#[derive(Clone, Copy)]
enum Next {
    /// Goes on, from this place among the next face's entries.
    On(usize),
    /// Is settled, with the outcome at this place.
    Settled(usize),
}

/// A state, and how many dice wait in it; what becomes of it at a face.
struct Entry {
    waiting: u32,
    /// How many of the moves are its own: by 0, 1, 2 … dice that show the face.
    moves: usize,
    /// The outcome that more dice than these settle.
    tail: Option<usize>,
}

/// The moves of all faces but the lowest, from the highest.
struct Plan<O> {
    /// Face by face, `widths` of them.
    entries: Vec<Entry>,
    widths: Vec<usize>,
    /// Entry by entry.
    moves: Vec<Next>,
    /// At the lowest face, for each entry the dice that wait and show it, and the outcome.
    last: Vec<(u32, usize)>,
    outcomes: Vec<O>,
}

/// A state after a face.
struct Stepped<S> {
    state: S,
    waiting: u32,
    is_settled: bool,
    by: Origin,
}

/// A plan is made before it is paid for, so it has no more faces and moves than this: about a millisecond, and a few
/// megabytes.
const MOST_PLANNED: usize = 1 << 16;

/// The move or the tail that led to a state.
#[derive(Clone, Copy)]
enum Origin {
    /// The move at this place.
    Move(usize),
    /// More dice than the moves of the entry at this place have.
    Tail(usize),
}

impl Pool {
    /// See [`Pool::fold`]; `None` if the dice are not equal, or have too many states.
    pub(super) fn fold_equal_dice<E: Evaluator>(
        &self,
        evaluator: &E,
        budget: &Budget,
    ) -> Result<Option<Weighted<E::Outcome>>, Error> {
        let Some([(die, n)]) = self.groups() else {
            return Ok(None);
        };
        if die.len() > MOST_PLANNED {
            return Ok(None);
        }
        let faces: Vec<i64> = die.support().rev().collect();
        let Some(plan) = Plan::new(evaluator, &faces, *n) else {
            return Ok(None);
        };
        let total = self.total();
        budget.charge(plan.cost(bits(&total)))?;
        Ok(Some(with_limbs!(bits(&total), W => {
            let weights = plan.weights::<W>(die);
            Weighted::from_unsorted(plan.outcomes.into_iter().zip(weights).collect(), total)
        })))
    }
}

impl<O> Plan<O> {
    /// For `n` dice with these faces, from the highest; `None` if that takes too many moves.
    fn new<E: Evaluator<Outcome = O>>(evaluator: &E, faces: &[i64], n: u32) -> Option<Self> {
        let mut plan = Self {
            entries: Vec::with_capacity(faces.len()),
            widths: Vec::with_capacity(faces.len()),
            moves: Vec::with_capacity(2 * faces.len()),
            last: Vec::new(),
            outcomes: Vec::with_capacity(2 * faces.len()),
        };
        let mut states = vec![(evaluator.start(n), n)];
        let mut stepped = Vec::with_capacity(4);
        for pair in faces.windows(2) {
            plan.step(evaluator, pair[0], &states, &mut stepped)?;
            plan.merge(evaluator, pair[1], &mut stepped, &mut states);
        }
        let lowest = faces[faces.len() - 1];
        for (state, waiting) in states {
            plan.last.push((waiting, plan.outcomes.len()));
            let last = evaluator.step(&state, lowest, waiting);
            plan.outcomes.push(evaluator.finish(last));
        }
        Some(plan)
    }

    /// Plans the moves of all states at a face.
    fn step<E: Evaluator<Outcome = O>>(
        &mut self,
        evaluator: &E,
        face: i64,
        states: &[(E::State, u32)],
        stepped: &mut Vec<Stepped<E::State>>,
    ) -> Option<()> {
        for (state, waiting) in states {
            let enough = evaluator.enough(state, face);
            let end = enough.map_or(waiting + 1, |enough| enough.min(waiting + 1));
            let moves = end as usize;
            if stepped.len() + moves > MOST_MOVES || self.moves.len() + moves > MOST_PLANNED {
                return None;
            }
            for count in 0..end {
                stepped.push(Stepped {
                    state: evaluator.step(state, face, count),
                    waiting: waiting - count,
                    is_settled: false,
                    by: Origin::Move(self.moves.len()),
                });
                self.moves.push(Next::On(0)); // until it is known where
            }
            if end <= *waiting {
                stepped.push(Stepped {
                    state: evaluator.step(state, face, end),
                    waiting: waiting - end,
                    is_settled: true,
                    by: Origin::Tail(self.entries.len()),
                });
            }
            self.entries.push(Entry {
                waiting: *waiting,
                moves: end as usize,
                tail: None,
            });
        }
        self.widths.push(states.len());
        Some(())
    }

    /// Merges equal states, and takes out those that are settled; what is left goes on to the face
    /// `below`.
    fn merge<E: Evaluator<Outcome = O>>(
        &mut self,
        evaluator: &E,
        below: i64,
        stepped: &mut Vec<Stepped<E::State>>,
        states: &mut Vec<(E::State, u32)>,
    ) {
        stepped.sort_by(|a, b| (&a.state, a.waiting).cmp(&(&b.state, b.waiting)));
        states.clear();
        for equal in stepped.chunk_by(|a, b| a.state == b.state) {
            let state = &equal[0].state;
            let is_settled =
                equal.iter().any(|one| one.is_settled) || evaluator.enough(state, below) == Some(0);
            if is_settled {
                let outcome = self.outcomes.len();
                self.outcomes.push(evaluator.finish(state.clone()));
                for one in equal {
                    match one.by {
                        Origin::Move(place) => self.moves[place] = Next::Settled(outcome),
                        Origin::Tail(entry) => self.entries[entry].tail = Some(outcome),
                    }
                }
                continue;
            }
            for one in equal {
                let last = states.last();
                if last.is_none_or(|(last, waiting)| (last, *waiting) != (state, one.waiting)) {
                    states.push((state.clone(), one.waiting));
                }
                if let Origin::Move(place) = one.by {
                    self.moves[place] = Next::On(states.len() - 1);
                }
            }
        }
        stepped.clear();
    }

    /// Predicted steps, for a total of so many bits.
    fn cost(&self, bits: usize) -> u128 {
        let moves = (self.moves.len() + self.entries.len() + self.last.len()) as u128;
        let width = words(bits as u128);
        // A power of lower faces and two products for each move, most of which are shorter.
        let products = 2 * product_steps(width, width) + PRODUCT_STEPS;
        let faces = self.widths.len() as u128 + 1;
        faces * FACE_STEPS + moves * (MOVE_STEPS + products)
    }

    /// The weights of the outcomes.
    fn weights<W: Number>(&self, die: &Dist) -> Vec<W> {
        let mut faces: Vec<W> = die.pairs::<W>().into_iter().map(|(_, w)| w).collect();
        let mut outcomes = vec![W::zero(); self.outcomes.len()];
        let (mut weights, mut next) = (vec![W::from_u64(1)], Vec::new());
        let (mut entries, mut moves) = (self.entries.as_slice(), self.moves.as_slice());
        let mut above = Powers::of(sum(&faces));
        for (at, width) in self.widths.iter().enumerate() {
            let face = faces.pop().expect("a face for each width, and the lowest");
            let below = Powers::of(sum(&faces));
            let mut here = Face { face, above, below };
            next.clear();
            let following = self.widths.get(at + 1).copied();
            next.resize(following.unwrap_or(self.last.len()), W::zero());
            for (entry, weight) in entries.iter().take(*width).zip(&weights) {
                let (own, others) = moves.split_at(entry.moves);
                here.show((entry, own), weight, &mut next, &mut outcomes);
                moves = others;
            }
            entries = &entries[*width..];
            std::mem::swap(&mut weights, &mut next);
            above = here.below;
        }
        for ((waiting, outcome), weight) in self.last.iter().zip(&weights) {
            outcomes[*outcome].add_product(weight, above.get(*waiting));
        }
        outcomes
    }
}

fn sum<W: Number>(weights: &[W]) -> W {
    weights.iter().fold(W::zero(), |mut sum, weight| {
        sum.add(weight);
        sum
    })
}

/// Powers of a number, as far as they were asked for.
struct Powers<W> {
    base: W,
    powers: Vec<(u32, W)>,
}

impl<W: Number> Powers<W> {
    fn of(base: W) -> Self {
        let powers = Vec::new();
        Self { base, powers }
    }

    fn get(&mut self, exponent: u32) -> &W {
        let found = self.powers.iter().position(|(other, _)| *other == exponent);
        let place = found.unwrap_or_else(|| {
            self.powers.push((exponent, self.base.power(exponent)));
            self.powers.len() - 1
        });
        &self.powers[place].1
    }
}

/// A face with its weight, and the powers of the weight of all faces from it and from below it.
struct Face<W> {
    face: W,
    above: Powers<W>,
    below: Powers<W>,
}

impl<W: Number> Face<W> {
    /// Lets dice of an entry show the face in all ways: `C(m, c) w^c` ways for `c` of `m` dice.
    /// What lower faces add to a settled outcome is a power of their weight; and a tail is
    /// all that the dice can show, less what the moves show.
    fn show(
        &mut self,
        (entry, moves): (&Entry, &[Next]),
        weight: &W,
        next: &mut [W],
        outcomes: &mut [W],
    ) {
        let mut tail = entry.tail.map(|_| self.above.get(entry.waiting).clone());
        let mut ways = W::from_u64(1);
        for (count, to) in (0_u32..).zip(moves) {
            let waiting = entry.waiting - count;
            if count > 0 {
                ways.scale_by_ratio(waiting + 1, count);
                ways = ways.times(&self.face);
            }
            if let Next::On(place) = to {
                next[*place].add_product(weight, &ways);
            }
            if tail.is_none() && matches!(to, Next::On(_)) {
                continue;
            }
            let shown = ways.times(self.below.get(waiting));
            if let Next::Settled(outcome) = to {
                outcomes[*outcome].add_product(weight, &shown);
            }
            if let Some(tail) = &mut tail {
                tail.sub(&shown);
            }
        }
        if let (Some(outcome), Some(tail)) = (entry.tail, tail) {
            outcomes[outcome].add_product(weight, &tail);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The two highest faces of a roll, and how many dice show 4 or more, up to a cap.
    struct Best {
        cap: u32,
    }

    impl Evaluator for Best {
        type State = (Option<i64>, Option<i64>, u32);
        type Outcome = Self::State;

        fn start(&self, _size: u32) -> Self::State {
            (None, None, 0)
        }

        fn step(&self, (first, second, high): &Self::State, face: i64, count: u32) -> Self::State {
            let mut shown = std::iter::repeat_n(face, count as usize);
            let first = first.or_else(|| shown.next());
            let second = second.or_else(|| shown.next());
            let more = if face >= 4 { count } else { 0 };
            (first, second, (high + more).min(self.cap))
        }

        fn enough(&self, (first, second, high): &Self::State, face: i64) -> Option<u32> {
            let open = u32::from(first.is_none()) + u32::from(second.is_none());
            let high = if face >= 4 { self.cap - high } else { 0 };
            Some(open.max(high))
        }

        fn finish(&self, state: Self::State) -> Self::Outcome {
            state
        }
    }

    /// Whether some face is shown by exactly two dice; nothing is ever settled.
    struct HasPair;

    impl Evaluator for HasPair {
        type State = bool;
        type Outcome = bool;

        fn start(&self, _size: u32) -> bool {
            false
        }

        fn step(&self, has_pair: &bool, _face: i64, count: u32) -> bool {
            *has_pair || count == 2
        }

        fn finish(&self, has_pair: bool) -> bool {
            has_pair
        }
    }

    fn assert_same<E: Evaluator>(pool: &Pool, evaluator: &E, is_folded: bool)
    where
        E::Outcome: std::fmt::Debug,
    {
        let budget = Budget::unlimited();
        let folded = pool.fold_equal_dice(evaluator, &budget).unwrap();
        assert!(folded.is_some() || !is_folded);
        if let Some(folded) = folded {
            assert_eq!(folded, pool.fold_rows(evaluator, &budget).unwrap());
        }
    }

    proptest! {
        #[test]
        fn equals_the_fold_with_rows(
            weights in prop::collection::vec((-3..9_i64, 0..4_u64), 1..7),
            n in 1..7_u32,
            cap in 0..4_u32,
        ) {
            let weights = weights.into_iter().map(|(face, weight)| (face, weight.into()));
            let Ok(die) = Dist::from_weights(weights) else { return Ok(()) };
            let pool = Pool::new([(die, n)]);
            assert_same(&pool, &Best { cap }, cap < 2);
            assert_same(&pool, &HasPair, n < 3);
        }
    }

    /// Totals that fill one word, two, whole limbs, and more than limbs hold.
    #[test]
    fn equals_the_fold_with_rows_in_every_width() {
        let weighted = [(1, 3_u8), (2, 1), (4, 2)].map(|(face, weight)| (face, weight.into()));
        let dice = [Dist::die(6), Dist::from_weights(weighted), Dist::die(2)];
        for die in dice.map(Result::unwrap) {
            for n in [
                24, 25, 49, 50, 63, 64, 74, 75, 123, 124, 200, 396, 400, 1100,
            ] {
                assert_same(&Pool::new([(die.clone(), n)]), &Best { cap: 1 }, true);
            }
        }
    }

    /// Dice of several kinds, cards, and states with many moves are left to the rows.
    #[test]
    fn only_equal_dice_with_few_moves() {
        let budget = Budget::unlimited();
        let [four, six] = [4, 6].map(|sides| Dist::die(sides).unwrap());
        let pools = [
            Pool::new([]),
            Pool::new([(four.clone(), 1), (six, 1)]),
            Pool::draw(&[(1, 3), (2, 3)], 2).unwrap(),
            Pool::new([(four, 200)]),
        ];
        for pool in pools {
            assert_eq!(pool.fold_equal_dice(&HasPair, &budget), Ok(None));
        }
    }
}

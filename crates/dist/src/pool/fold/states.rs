//! The evaluator's side of a fold: states that are told apart, without weights.

use super::evaluator::Evaluator;
use super::moves::{Moves, Next};
use crate::{Budget, Error};

/// The part of a roll that has been seen: the place of the evaluator's state, and how many dice have shown the present
/// face in the families that were looked at so far.
type Seen = (usize, u32);

/// The evaluator's side of a fold: what is told apart, without weights.
pub(super) struct States<E: Evaluator> {
    states: Vec<E::State>,
    seen: Vec<Seen>,
    outcomes: Vec<E::Outcome>,
    /// The most memory that the moves of a stage took so far.
    bytes: u128,
}

impl<E: Evaluator> States<E> {
    pub(super) fn new(evaluator: &E, size: u32) -> Self {
        Self {
            states: vec![evaluator.start(size)],
            seen: vec![(0, 0)],
            outcomes: Vec::new(),
            bytes: 0,
        }
    }

    /// Charges for so many moves to states, beyond the memory that those of another stage took.
    fn charge(&mut self, made: usize, budget: &Budget) -> Result<(), Error> {
        budget.charge(made as u128 * move_steps::<E::State>(made))?;
        // A state is stepped to, sorted and kept; before and after it is seen with the dice that showed the face.
        let bytes = (made as u128).saturating_mul(2 * state_bytes::<E::State>() + MOVE_BYTES)
            + self.seen.len() as u128 * MOVES_BYTES;
        budget.charge_most(bytes, &mut self.bytes)
    }

    /// How much is told apart of rolls that go on, and how many outcomes are settled.
    pub(super) fn sizes(&self) -> (usize, usize) {
        (self.seen.len(), self.outcomes.len())
    }

    /// Adds up the dice that show a face, while families are left that can show it. `counts`
    /// are those that each row has, none for a row without weights.
    pub(super) fn gather(
        &mut self,
        counts: &[Vec<u32>],
        budget: &Budget,
    ) -> Result<Vec<Moves>, Error> {
        let made: usize = counts.iter().map(Vec::len).sum();
        self.charge(made, budget)?;
        let mut sums: Vec<Seen> = Vec::new();
        for ((state, before), counts) in self.seen.iter().zip(counts) {
            sums.extend(counts.iter().map(|count| (*state, before + count)));
        }
        sums.sort_unstable();
        sums.dedup();
        let moves = self
            .seen
            .iter()
            .zip(counts)
            .map(|((state, before), counts)| {
                let next = |count: u32| {
                    let place = sums.binary_search(&(*state, before + count));
                    Next::On(place.expect("it is among them"))
                };
                Moves::new(counts, None, next)
            });
        let moves = moves.collect();
        self.seen = sums;
        Ok(moves)
    }

    /// Feeds the counts of a face to the evaluator, and merges equal states; `below` is the
    /// next face.
    pub(super) fn see(
        &mut self,
        evaluator: &E,
        (face, below): (i64, Option<i64>),
        counts: &[Vec<u32>],
        budget: &Budget,
    ) -> Result<Vec<Moves>, Error> {
        let (planned, made) = self.plan(evaluator, face, counts);
        self.charge(made, budget)?;
        let mut stepped: Vec<Stepped<E::State>> = Vec::with_capacity(made);
        for (((state, before), counts), plan) in self.seen.iter().zip(counts).zip(&planned) {
            let state = &self.states[*state];
            // The first count that is enough stands for all that follow.
            for (at, count) in counts.iter().take(plan.told + 1).enumerate() {
                stepped.push(Stepped {
                    state: evaluator.step(state, face, before + count),
                    place: stepped.len(),
                    is_settled: at == plan.told,
                });
            }
        }
        let next = self.merge(evaluator, stepped, below);
        let moves = counts.iter().zip(planned).map(|(counts, plan)| {
            let Planned { first, end, told } = plan;
            let enough = counts.get(told).map(|_| match next[first + told] {
                Next::Settled(outcome) => (end, outcome),
                Next::On(_) => unreachable!("enough dice settle the outcome"),
            });
            let told = &counts[..told];
            let mut at = first..;
            Moves::new(told, enough, |_| {
                next[at.next().expect("the range is open")]
            })
        });
        Ok(moves.collect())
    }

    /// For all that is seen, which counts of a face are told apart; and the number of states that they lead to.
    fn plan(&self, evaluator: &E, face: i64, counts: &[Vec<u32>]) -> (Vec<Planned>, usize) {
        let mut planned = Vec::with_capacity(counts.len());
        let mut made = 0;
        for ((state, before), counts) in self.seen.iter().zip(counts) {
            let enough = evaluator.enough(&self.states[*state], face);
            let end = enough.map_or(u32::MAX, |enough| enough.saturating_sub(*before));
            let told = counts.partition_point(|count| *count < end);
            planned.push(Planned {
                first: made,
                end,
                told,
            });
            made += counts.len().min(told + 1);
        }
        (planned, made)
    }

    /// Merges equal states, and takes out those that are settled; what becomes of each.
    fn merge(
        &mut self,
        evaluator: &E,
        mut stepped: Vec<Stepped<E::State>>,
        below: Option<i64>,
    ) -> Vec<Next> {
        stepped.sort_by(|a, b| a.state.cmp(&b.state));
        let mut next = vec![Next::On(0); stepped.len()];
        let mut stepped = stepped.into_iter().peekable();
        let mut places = Vec::new();
        self.states.clear();
        while let Some(Stepped {
            state,
            place,
            mut is_settled,
        }) = stepped.next()
        {
            places.clear();
            places.push(place);
            while let Some(equal) = stepped.next_if(|other| other.state == state) {
                places.push(equal.place);
                is_settled |= equal.is_settled;
            }
            is_settled |= below.is_none_or(|face| evaluator.enough(&state, face) == Some(0));
            let becomes = if is_settled {
                self.outcomes.push(evaluator.finish(state));
                Next::Settled(self.outcomes.len() - 1)
            } else {
                self.states.push(state);
                Next::On(self.states.len() - 1)
            };
            places.iter().for_each(|&place| next[place] = becomes);
        }
        self.seen = (0..self.states.len()).map(|state| (state, 0)).collect();
        next
    }

    /// The outcomes that were settled, and those of the states at the end.
    pub(super) fn finish(self, evaluator: &E) -> Vec<E::Outcome> {
        let mut outcomes = self.outcomes;
        let last = self.states.into_iter();
        outcomes.extend(last.map(|state| evaluator.finish(state)));
        outcomes
    }
}

/// The counts of a face that are told apart.
struct Planned {
    /// The place of the first among all that are stepped to.
    first: usize,
    /// The number of dice from which on the outcome is settled.
    end: u32,
    /// How many counts are below that.
    told: usize,
}

/// A state after a face.
struct Stepped<S> {
    state: S,
    /// The state's place among all that were stepped to.
    place: usize,
    is_settled: bool,
}

/// The bytes of a move: what it leads to, twice.
const MOVE_BYTES: u128 = 32;
/// The bytes of the moves of what is seen, and of planning them.
const MOVES_BYTES: u128 = 128;

/// The bytes of a state that was stepped to.
fn state_bytes<S>() -> u128 {
    /// What a state owns: half a dozen numbers, and what the allocator adds.
    const OWNED_BYTES: u128 = 64;
    let owned = if std::mem::needs_drop::<S>() {
        OWNED_BYTES
    } else {
        0
    };
    size_of::<Stepped<S>>() as u128 + owned
}

/// Steps for one of so many moves of states: it is made, sorted among the others, and takes memory.
fn move_steps<S>(moves: usize) -> u128 {
    let levels = u128::from(moves.max(1).ilog2());
    // A state that owns memory of its own is allocated, and each comparison reads that.
    if std::mem::needs_drop::<S>() {
        70 + 14 * levels
    } else {
        25 + 5 * levels
    }
}

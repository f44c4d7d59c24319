//! The general fold: a state machine fed with one face after the other, highest first.

use std::collections::HashMap;

use super::Pool;
use super::waiting::{Descent, Row, Stage};
use crate::number::{Number, bits, product_steps, used_words, with_limbs, words};
use crate::{Budget, Error, Weighted};

/// Reads a roll as a stream of faces and folds it to an outcome.
///
/// Each face that the pool can show is seen once, from the highest to the lowest, with the
/// number of dice showing it (also if that is none). All counts together are `size`. The
/// methods must be pure: equal states are merged, and the fewer states there are, the faster
/// the answer.
///
/// ```
/// use oddsmith_dist::{Budget, Dist, Evaluator, Pool, UBig};
/// /// How many different faces a roll shows.
/// struct Different;
/// impl Evaluator for Different {
///     type State = u32;
///     type Outcome = u32;
///     fn start(&self, _size: u32) -> u32 {
///         0
///     }
///     fn step(&self, seen: &u32, _face: i64, count: u32) -> u32 {
///         seen + u32::from(count > 0)
///     }
///     fn finish(&self, seen: u32) -> u32 {
///         seen
///     }
/// }
/// let pool = Pool::new([(Dist::die(6)?, 3)]);
/// let different = pool.fold(&Different, &Budget::unlimited())?;
/// assert_eq!(different.weight(&3), UBig::from(6_u8 * 5 * 4));
/// # Ok::<(), oddsmith_dist::Error>(())
/// ```
pub trait Evaluator {
    /// What has to be known of the faces seen so far.
    type State: Ord + Clone;
    /// What a roll comes to.
    type Outcome: Ord;
    /// The state before any face, for a roll of `size` dice.
    fn start(&self, size: u32) -> Self::State;
    /// The state after `count` dice have shown `face`.
    fn step(&self, state: &Self::State, face: i64, count: u32) -> Self::State;
    /// With how many dice on `face`, after those of `state`, the outcome is settled: if so many
    /// or more show it, neither how many more nor any lower face changes what a roll comes to.
    /// It is 0 if that is settled before this face is seen; `None`, the default, says nothing.
    ///
    /// What is settled is not looked at any further.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Evaluator, Pool, UBig};
    /// /// The highest face.
    /// struct Highest;
    /// impl Evaluator for Highest {
    ///     type State = Option<i64>;
    ///     type Outcome = Option<i64>;
    ///     fn start(&self, _size: u32) -> Option<i64> {
    ///         None
    ///     }
    ///     fn step(&self, seen: &Option<i64>, face: i64, count: u32) -> Option<i64> {
    ///         seen.or((count > 0).then_some(face))
    ///     }
    ///     fn enough(&self, seen: &Option<i64>, _face: i64) -> Option<u32> {
    ///         Some(if seen.is_some() { 0 } else { 1 })
    ///     }
    ///     fn finish(&self, seen: Option<i64>) -> Option<i64> {
    ///         seen
    ///     }
    /// }
    /// let pool = Pool::new([(Dist::die(6)?, 3)]);
    /// let highest = pool.fold(&Highest, &Budget::unlimited())?;
    /// assert_eq!(highest.weight(&Some(6)), UBig::from(6_u8.pow(3) - 5_u8.pow(3)));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    fn enough(&self, _state: &Self::State, _face: i64) -> Option<u32> {
        None
    }
    /// The outcome after all faces, or when it is settled.
    fn finish(&self, state: Self::State) -> Self::Outcome;
}

/// What has been seen of a roll: the place of the evaluator's state, and how many dice have
/// shown the present face in the families that were looked at so far.
type Seen = (usize, u32);

/// Where a roll stands after some dice have shown a face.
#[derive(Clone, Copy)]
enum Next {
    /// Goes on, as what is seen at this place.
    On(usize),
    /// Is settled, with the outcome at this place.
    Settled(usize),
}

/// What becomes of what is seen, by the number of dice that show a face.
struct Moves {
    /// The count of the first move.
    least: u32,
    /// `None` for counts that can't be.
    next: Vec<Option<Next>>,
    /// From how many dice on the outcome is settled, and its place.
    enough: Option<(u32, usize)>,
}

impl Moves {
    /// Counts from here on are not told apart.
    fn end(&self) -> u32 {
        self.enough.map_or(u32::MAX, |(end, _)| end)
    }

    fn next(&self, count: u32) -> Next {
        let next = self.next[(count - self.least) as usize];
        next.expect("the count is one of those that were planned")
    }
}

impl Pool {
    /// The distribution of what `evaluator` makes of a roll; the total is that of the pool.
    ///
    /// # Errors
    /// [`Error::OverBudget`]; the work is charged face by face, as the states are known.
    ///
    /// # Cost
    /// Faces times states times the numbers of dice that can show a face.
    pub fn fold<E: Evaluator>(
        &self,
        evaluator: &E,
        budget: &Budget,
    ) -> Result<Weighted<E::Outcome>, Error> {
        budget.charge(self.bits_bound())?;
        match self.fold_few(evaluator, budget)? {
            Some(few) => Ok(few),
            None => self.fold_rows(evaluator, budget),
        }
    }

    /// The fold of dice of any kinds, whose states have rows of weights.
    pub(super) fn fold_rows<E: Evaluator>(
        &self,
        evaluator: &E,
        budget: &Budget,
    ) -> Result<Weighted<E::Outcome>, Error> {
        let total = self.total();
        let mut states = States::new(evaluator, self.size());
        Ok(with_limbs!(bits(&total), W => {
            let mut fold = Fold::<W>::new(self, budget)?;
            for at in 0..fold.descent.stages.len() {
                let counts = fold.counts(at)?;
                let (face, below) = fold.faces(at);
                let moves = if fold.descent.stages[at].ends_face {
                    states.see(evaluator, (face, below), &counts, budget)?
                } else {
                    states.gather(&counts, budget)?
                };
                fold.show(at, &moves, states.seen.len(), states.outcomes.len())?;
            }
            let outcomes = states.finish(evaluator);
            Weighted::from_unsorted(outcomes.into_iter().zip(fold.finish()).collect(), total)
        }))
    }
}

/// A state after a face.
struct Stepped<S> {
    state: S,
    /// Its place among all that were stepped to.
    place: usize,
    is_settled: bool,
}

/// The evaluator's side of a fold: what is told apart, without weights.
struct States<E: Evaluator> {
    states: Vec<E::State>,
    seen: Vec<Seen>,
    outcomes: Vec<E::Outcome>,
}

impl<E: Evaluator> States<E> {
    fn new(evaluator: &E, size: u32) -> Self {
        Self {
            states: vec![evaluator.start(size)],
            seen: vec![(0, 0)],
            outcomes: Vec::new(),
        }
    }

    /// Adds up the dice that show a face, while families are left that can show it. `counts`
    /// are those that each row has, none for a row without weights.
    fn gather(&mut self, counts: &[Vec<u32>], budget: &Budget) -> Result<Vec<Moves>, Error> {
        let made: usize = counts.iter().map(Vec::len).sum();
        budget.charge(made as u128 * move_steps::<E::State>())?;
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
    fn see(
        &mut self,
        evaluator: &E,
        (face, below): (i64, Option<i64>),
        counts: &[Vec<u32>],
        budget: &Budget,
    ) -> Result<Vec<Moves>, Error> {
        let mut planned = Vec::with_capacity(counts.len());
        let mut made = 0;
        for ((state, before), counts) in self.seen.iter().zip(counts) {
            let enough = evaluator.enough(&self.states[*state], face);
            let end = enough.map_or(u32::MAX, |enough| enough.saturating_sub(*before));
            let told = counts.partition_point(|count| *count < end);
            planned.push((made, end, told));
            made += counts.len().min(told + 1);
        }
        budget.charge(made as u128 * move_steps::<E::State>())?;
        let mut stepped: Vec<Stepped<E::State>> = Vec::with_capacity(made);
        for (((state, before), counts), (_, _, told)) in self.seen.iter().zip(counts).zip(&planned)
        {
            let (state, told) = (&self.states[*state], *told);
            // The first count that is enough stands for all that follow.
            for (at, count) in counts.iter().take(told + 1).enumerate() {
                stepped.push(Stepped {
                    state: evaluator.step(state, face, before + count),
                    place: stepped.len(),
                    is_settled: at == told,
                });
            }
        }
        let next = self.merge(evaluator, stepped, below);
        let plan = counts.iter().zip(planned);
        let moves = plan.map(|(counts, (first, end, told))| {
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
    fn finish(self, evaluator: &E) -> Vec<E::Outcome> {
        let mut outcomes = self.outcomes;
        let last = self.states.into_iter();
        outcomes.extend(last.map(|state| evaluator.finish(state)));
        outcomes
    }
}

impl Moves {
    fn new(
        counts: &[u32],
        enough: Option<(u32, usize)>,
        mut next: impl FnMut(u32) -> Next,
    ) -> Self {
        let least = counts.first().copied().unwrap_or(0);
        let last = counts.last().map_or(0, |last| (last - least) as usize + 1);
        let mut moves = vec![None; last];
        for count in counts {
            moves[(count - least) as usize] = Some(next(*count));
        }
        Self {
            least,
            next: moves,
            enough,
        }
    }
}

/// Steps for one move of a state: it is made, compared with others, and takes memory.
const fn move_steps<S>() -> u128 {
    // A state that owns memory of its own is allocated.
    if std::mem::needs_drop::<S>() { 80 } else { 25 }
}

/// Steps for one number of dice that can show a face.
const COUNT_STEPS: u128 = 4;

/// Steps for one product besides those of its words.
const PRODUCT_STEPS: u128 = 4;

/// The weights of a fold.
struct Fold<'a, W> {
    descent: Descent<W>,
    /// For each state the weights of all places of the waiting dice.
    rows: Vec<Row<W>>,
    /// The weights of outcomes that are settled.
    settled: Vec<W>,
    /// Words of a weight.
    width: u128,
    /// The most memory that rows took so far.
    bytes: u128,
    budget: &'a Budget,
}

impl<W: Number> Row<W> {
    /// The counts that can be, ascending, of which `least` is the lowest and `most` the highest.
    fn counts(&self, stage: &Stage<W>, (least, most): (u32, u32)) -> Vec<u32> {
        if self.weights.len() == 1 {
            return (least..=most).collect();
        }
        // Where ranges of counts begin, and after them where they end.
        let len = (most - least) as usize + 1;
        let (mut begun, mut ended) = (vec![0_usize; len], vec![0_usize; len + 1]);
        for (place, _) in self.joined(stage) {
            let (first, last) = stage.counts(place);
            begun[(first - least) as usize] += 1;
            ended[(last - least) as usize + 1] += 1;
        }
        let mut open = 0;
        let mut counts = Vec::with_capacity(len);
        for (count, (begun, ended)) in (least..).zip(begun.into_iter().zip(ended)) {
            open = open + begun - ended;
            if open > 0 {
                counts.push(count);
            }
        }
        counts
    }

    /// Places with their weights, after more dice have joined a family.
    fn joined(&self, stage: &Stage<W>) -> impl Iterator<Item = (usize, &W)> {
        let positive = |(_, weight): &(usize, &W)| !weight.is_zero();
        (stage.joined(self.first)..)
            .zip(&self.weights)
            .filter(positive)
    }
}

impl<'a, W: Number> Fold<'a, W> {
    fn new(pool: &Pool, budget: &'a Budget) -> Result<Self, Error> {
        let start = Row {
            first: 0,
            weights: vec![W::from_u64(1)],
        };
        Ok(Self {
            descent: Descent::new(pool).ok_or_else(|| budget.refusal())?,
            rows: vec![start],
            settled: Vec::new(),
            width: words(bits(&pool.total()) as u128),
            bytes: 0,
            budget,
        })
    }

    /// The face of a stage, and the face below it.
    fn faces(&self, at: usize) -> (i64, Option<i64>) {
        let next = self.descent.stages.get(at + 1);
        (self.descent.stages[at].face, next.map(|stage| stage.face))
    }

    /// For each row, the numbers of dice that can show the face of a stage, ascending.
    fn counts(&self, at: usize) -> Result<Vec<Vec<u32>>, Error> {
        let stage = &self.descent.stages[at];
        let mut len = 0;
        let mut ranges = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let mut range = (u32::MAX, 0);
            for (place, _) in row.joined(stage) {
                let (least, most) = stage.counts(place);
                range = (range.0.min(least), range.1.max(most));
            }
            len += u128::from(range.1 - range.0) + 1;
            ranges.push(range);
        }
        self.budget.charge(len * COUNT_STEPS)?;
        let counts = self.rows.iter().zip(ranges);
        Ok(counts
            .map(|(row, range)| row.counts(stage, range))
            .collect())
    }

    /// Lets the dice of a stage show its face, in all ways; afterwards there are `states` rows
    /// and `outcomes` weights that are settled.
    fn show(
        &mut self,
        at: usize,
        moves: &[Moves],
        states: usize,
        outcomes: usize,
    ) -> Result<(), Error> {
        let ends = self.predict(at, moves)?;
        let mut next = self.empty_rows(at, moves, states)?;
        self.descent.prepare(at, &ends);
        self.settled.resize(outcomes, W::zero());
        let rows = std::mem::take(&mut self.rows);
        let mut tails = HashMap::new();
        for (row, moves) in rows.iter().zip(moves) {
            self.spread(at, row, moves, &mut next);
            if let Some((end, outcome)) = moves.enough {
                self.settle(at, row, (end, outcome), &mut tails);
            }
        }
        self.rows = next;
        Ok(())
    }

    /// Charges for a stage; by the number of waiting dice, below which count options are needed.
    fn predict(&self, at: usize, moves: &[Moves]) -> Result<Vec<Option<u32>>, Error> {
        let stage = &self.descent.stages[at];
        let mut ends: Vec<Option<u32>> = Vec::new();
        let mut steps = 0;
        for (row, moves) in self.rows.iter().zip(moves) {
            for (place, weight) in row.joined(stage) {
                let (least, most) = stage.counts(place);
                let end = moves.end().min(most + 1);
                let products = u128::from(end.saturating_sub(least)) + 1;
                // Weights grow from face to face, and short ones are cheap.
                let left = used_words(weight);
                steps += products * (PRODUCT_STEPS + product_steps(self.width, left));
                let waiting = stage.waiting(place) as usize;
                ends.resize(ends.len().max(waiting + 1), None);
                ends[waiting] = ends[waiting].max(Some(end));
            }
        }
        let options: u128 = ends.iter().flatten().map(|end| u128::from(*end)).sum();
        let option = PRODUCT_STEPS + product_steps(self.width, self.width / 2);
        self.budget
            .charge(stage.places as u128 + steps + options * option)?;
        Ok(ends)
    }

    /// Rows for what comes after a stage, with the places that can be reached.
    fn empty_rows(
        &mut self,
        at: usize,
        moves: &[Moves],
        states: usize,
    ) -> Result<Vec<Row<W>>, Error> {
        let stage = &self.descent.stages[at];
        let mut reached = vec![(usize::MAX, 0); states];
        for (row, moves) in self.rows.iter().zip(moves) {
            let first = stage.joined(row.first);
            let last = first + row.weights.len() - 1;
            for (count, next) in (moves.least..).zip(&moves.next) {
                if let Some(Next::On(state)) = next {
                    let (low, high) = stage.after_range(first, last, count);
                    let range = &mut reached[*state];
                    *range = (range.0.min(low), range.1.max(high));
                }
            }
        }
        let places: u128 = reached
            .iter()
            .map(|(low, high)| (high - low) as u128 + 1)
            .sum();
        let bytes = places.saturating_mul(8 * self.width);
        self.budget
            .charge_memory(bytes.saturating_sub(self.bytes))?;
        self.bytes = self.bytes.max(bytes);
        let row = |(low, high)| Row {
            first: low,
            weights: vec![W::zero(); high - low + 1],
        };
        Ok(reached.into_iter().map(row).collect())
    }

    /// Adds all that follows from a row with counts that are told apart.
    fn spread(&mut self, at: usize, row: &Row<W>, moves: &Moves, next: &mut [Row<W>]) {
        let stage = &self.descent.stages[at];
        let rests = &mut self.descent.rests[at + 1];
        for (place, weight) in row.joined(stage) {
            for (count, ways) in stage.options(place).below(moves.end()) {
                let after = stage.after(place, count);
                match moves.next(count) {
                    Next::On(state) => {
                        let Row { first, weights } = &mut next[state];
                        weights[after - *first].add_product(weight, ways);
                    }
                    Next::Settled(outcome) => {
                        let weight = weight.times(ways);
                        self.settled[outcome].add_product(rests.of(after), &weight);
                    }
                }
            }
        }
    }

    /// Adds what a row settles with counts that are not told apart, those from `end` on.
    fn settle(
        &mut self,
        at: usize,
        row: &Row<W>,
        (end, outcome): (u32, usize),
        tails: &mut HashMap<(usize, u32), W>,
    ) {
        let descent = &mut self.descent;
        let places = |stage: &Stage<W>| -> Vec<(usize, W)> {
            let pairs = row.joined(stage);
            let enough = pairs.filter(|(place, _)| stage.counts(*place).1 >= end);
            enough
                .map(|(place, weight)| (place, weight.clone()))
                .collect()
        };
        for (place, weight) in places(&descent.stages[at]) {
            let tail = tails
                .entry((place, end))
                .or_insert_with(|| descent.tail(at, place, end));
            self.settled[outcome].add_product(tail, &weight);
        }
    }

    /// The weights of all outcomes, at the end.
    fn finish(self) -> impl Iterator<Item = W> {
        let last = self.rows.into_iter().flat_map(|row| row.weights);
        self.settled.into_iter().chain(last)
    }
}

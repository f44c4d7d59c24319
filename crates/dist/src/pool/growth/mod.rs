//! Readings of equal dice, however many they are: those of `n` dice follow from those of one die less.

mod moves;
mod states;

use std::ops::Add;

use dashu_int::UBig;

use self::moves::Moves;
use self::states::{Rule, State, find};
use super::dice::Pool;
use super::kept::Feature;
use crate::number::{Number, bits, split, with_zeros, words};
use crate::{Budget, Dist, Error};

/// A die's total has no more bits than this. What leads to a state is up to 256 weights times as many moves, at most
/// `2^8 * 2^54 * 2^64` with what is carried: that stays in two words.
const MOST_BITS: usize = 54;

/// Several readings of the same roll of `n` equal dice, for `n = 0, 1, 2, ...` in turn.
///
/// The dice are laid down one after the other. What the readings have to know of those that lie there is a state: the
/// sum so far, the highest face. One more die leads from states to states, and that is all that one more row of a table
/// over the number of dice costs.
///
/// ```
/// // How many sixes, up to two of them, and the highest face.
/// use oddsmith_dist::{Budget, Dist, Feature, Growth, Kept, UBig};
/// let (die, many) = (Dist::die(6)?, Kept::all(u32::MAX));
/// let sixes = Feature::sum_of(many, 1..=6, |face| i64::from(face == 6)).capped(2);
/// let best = Feature::sum(many.keep_highest(1));
/// let growth = Growth::new(&die, &[sixes, best], 4, &Budget::unlimited())?;
/// let mut growth = growth.expect("there are few states");
/// for _ in 0..4 {
///     growth.add_die();
/// }
/// let two_sixes = growth.outcomes().iter().position(|outcome| *outcome == [2, 6]);
/// assert_eq!(growth.weight(&[two_sixes.unwrap()]), UBig::from(171_u8)); // 150 + 20 + 1
/// assert_eq!(growth.total(), &UBig::from(1296_u16));
/// # Ok::<(), oddsmith_dist::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Growth {
    outcomes: Vec<Vec<i64>>,
    moves: Moves,
    size: u32,
    most: u32,
    /// The total of one die.
    die: UBig,
    /// The total of all dice together.
    total: UBig,
    weights: Wide,
    /// Room for the weights with one die more, and for what their words carry.
    next: Wide,
    carries: Vec<u128>,
}

/// The weights of all states: their lowest words, then their next words, and so on.
#[derive(Clone, Debug)]
struct Wide {
    states: usize,
    words: Vec<u64>,
}

impl Growth {
    /// Readings of no dice, to be grown to at most `most` of them; none if more of the dice than a state holds has to be
    /// known for one of the readings, or there are too many states.
    ///
    /// Which dice a feature keeps is said of as many as there can be, `Kept::all(u32::MAX)`: all of them, the highest or
    /// the lowest, of any number of dice. (One that is dropped before leaves the same places of so many, but not of one.)
    ///
    /// # Errors
    /// As for [`Pool::read`].
    ///
    /// # Cost
    /// The states times the faces.
    pub fn new(
        die: &Dist,
        features: &[Feature],
        most: u32,
        budget: &Budget,
    ) -> Result<Option<Self>, Error> {
        let largest = Pool::new([(die.clone(), most.max(1))]);
        for feature in features {
            largest.check(feature)?;
        }
        let rules: Option<Vec<Rule<'_>>> = features
            .iter()
            .map(|feature| Rule::of(feature, die))
            .collect();
        let Some(rules) = rules.filter(|_| bits(die.total()) <= MOST_BITS) else {
            return Ok(None);
        };
        let Some((states, moves)) = find(&rules, die, budget)? else {
            return Ok(None);
        };
        let length = bits(die.total()) as u128 * u128::from(most);
        budget.charge_memory(16 * words(length) * states.len() as u128)?;
        let words = usize::try_from(words(length)).expect("the budget has room for them");
        let nothing = Wide {
            states: states.len(),
            words: vec![0; words * states.len()],
        };
        let outcome = |state: &State| {
            let cells = rules.iter().zip(state);
            cells.map(|(rule, cell)| rule.read(*cell)).collect()
        };
        let mut growth = Self {
            outcomes: states.iter().map(outcome).collect(),
            moves,
            size: 0,
            most,
            die: die.total().clone(),
            total: UBig::ONE,
            weights: nothing.clone(),
            next: nothing,
            carries: vec![0; states.len()],
        };
        growth.weights.words[0] = 1;
        Ok(Some(growth))
    }

    /// The readings of each state, in the order of the features. Several may read the same, and some come up with
    /// certain numbers of dice only.
    pub fn outcomes(&self) -> &[Vec<i64>] {
        &self.outcomes
    }

    /// Merges states of the same kind from which more dice can't lead to different kinds: the fewest states that still tell
    /// the kinds apart are left. Returns which states these were; each stands for others, and reads what it has read.
    ///
    /// ```
    /// // Whether the highest of some d6 is a six needs two states and not seven.
    /// use oddsmith_dist::{Budget, Dist, Feature, Growth, Kept};
    /// let best = Feature::sum(Kept::all(u32::MAX).keep_highest(1));
    /// let growth = Growth::new(&Dist::die(6)?, &[best], 4, &Budget::unlimited())?;
    /// let mut growth = growth.expect("there are few states");
    /// let is_six = growth.outcomes().iter().map(|outcome| usize::from(outcome[0] == 6));
    /// let left = growth.merge(&is_six.collect::<Vec<_>>(), &Budget::unlimited())?;
    /// assert_eq!(left, [0, 6]); // no dice yet, like all below a six; and the six
    /// assert_eq!(growth.outcomes(), [[0], [6]]);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OverBudget`].
    ///
    /// # Panics
    /// If there are dice already, or another number of kinds than of states.
    ///
    /// # Cost
    /// The moves, at most as often as there are states.
    pub fn merge(&mut self, kinds: &[usize], budget: &Budget) -> Result<Vec<usize>, Error> {
        assert_eq!(kinds.len(), self.outcomes.len(), "a kind for each state");
        assert_eq!(self.size, 0, "no dice yet");
        let (classes, moves) = self.moves.merged(kinds, budget)?;
        let count = moves.states();
        let mut left = Vec::with_capacity(count);
        for (state, class) in classes.into_iter().enumerate() {
            if class == left.len() {
                left.push(state);
            }
        }
        self.outcomes = left
            .iter()
            .map(|state| std::mem::take(&mut self.outcomes[*state]))
            .collect();
        self.moves = moves;
        for room in [&mut self.weights, &mut self.next] {
            room.words.truncate(room.words.len() / room.states * count);
            room.states = count;
        }
        self.carries.truncate(count);
        Ok(left)
    }

    /// The weight of all rolls: the total of a die to the power of their number.
    pub fn total(&self) -> &UBig {
        &self.total
    }

    /// Steps that it takes to grow to the size that was said at the beginning.
    pub fn steps(&self) -> u128 {
        let length = bits(&self.die) as u128 * u128::from(self.most);
        let moves = self.moves.sources.len() as u128 * (2 + words(length) / 2) / 2;
        let sums = 2 * self.outcomes.len() as u128 + 10;
        u128::from(self.most).saturating_mul(moves + sums)
    }

    /// The bytes that its weights take: at the beginning, before states are merged, what was charged for them.
    pub fn bytes(&self) -> u128 {
        16 * self.weights.words.len() as u128
    }

    /// Adds a die.
    ///
    /// # Panics
    /// If there are as many dice as was said at the beginning.
    ///
    /// # Cost
    /// A short product for each word of the weight of each state and each state that it leads to.
    pub fn add_die(&mut self) {
        assert!(self.size < self.most, "room for one die more");
        self.size += 1;
        self.total *= &self.die;
        let words = self.words();
        self.carries.fill(0);
        let rows = self.weights.rows().zip(self.next.rows_mut());
        for (before, after) in rows.take(words) {
            let mut first = 0;
            let states = after
                .iter_mut()
                .zip(&mut self.carries)
                .zip(&self.moves.until);
            for ((word, carry), until) in states {
                let sources = self.moves.sources[first..*until].iter();
                first = *until;
                let product =
                    |(from, weight): &(usize, u64)| u128::from(before[*from]) * u128::from(*weight);
                (*word, *carry) = split(sources.map(product).fold(*carry, Add::add));
            }
        }
        std::mem::swap(&mut self.weights, &mut self.next);
    }

    /// The weight of some states together, none of them named twice.
    ///
    /// # Panics
    /// If one of them is not a state.
    pub fn weight(&self, states: &[usize]) -> UBig {
        with_zeros(self.words(), |words| {
            let mut carry = 0;
            for (word, row) in words.iter_mut().zip(self.weights.rows()) {
                let own = states.iter().map(|state| u128::from(row[*state]));
                (*word, carry) = split(own.fold(carry, Add::add));
            }
            <UBig as Number>::from_words(words)
        })
    }

    /// Words of a weight with so many dice as there are.
    fn words(&self) -> usize {
        bits(&self.total).div_ceil(64)
    }
}

impl Wide {
    fn rows(&self) -> impl Iterator<Item = &[u64]> {
        self.words.chunks_exact(self.states)
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u64]> {
        self.words.chunks_exact_mut(self.states)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::pool::kept::Kept;
    use crate::pool::reading::Reading;

    /// Dice with gaps and unequal weights.
    fn dice() -> impl Strategy<Value = Dist> {
        let weights = prop_oneof![Just(1), 1_u64..5, Just(u64::from(u32::MAX))];
        let faces = prop::collection::btree_map(-2_i64..6, weights, 1..6);
        faces.prop_map(|faces| {
            let faces = faces
                .into_iter()
                .map(|(face, weight)| (face, UBig::from(weight)));
            Dist::from_weights(faces).expect("there is weight")
        })
    }

    /// A reading and a cap, with the dice that it keeps of any number of them.
    fn features() -> impl Strategy<Value = (usize, Reading, Option<i64>)> {
        let reading = prop_oneof![
            Just(Reading::Sum),
            prop::collection::vec(0_i64..3, 8)
                .prop_map(|values| Reading::SumOf((-2..6).zip(values).collect())),
        ];
        (0_usize..3, reading, prop::option::of(-1_i64..5))
    }

    /// The readings as features of a pool of `size` dice.
    fn of_size(features: &[(usize, Reading, Option<i64>)], size: u32) -> Vec<Feature> {
        let all = Kept::all(size);
        let kept = [all, all.keep_highest(1), all.keep_lowest(1)];
        let feature = |(which, reading, cap): &(usize, Reading, Option<i64>)| Feature {
            kept: kept[*which],
            reading: reading.clone(),
            cap: *cap,
        };
        features.iter().map(feature).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_number_of_dice_is_that_pool(
            die in dice(), features in prop::collection::vec(features(), 1..4), most in 0_u32..9,
        ) {
            let budget = Budget::unlimited();
            let growth = Growth::new(&die, &of_size(&features, u32::MAX), most, &budget).expect("every face has a value");
            let uncapped = features.iter().any(|(which, _, cap)| *which == 0 && cap.is_none_or(|cap| cap < 0));
            prop_assert!(growth.is_some() || uncapped || die.min() < 0);
            let Some(mut growth) = growth else { return Ok(()) };
            for size in 0..=most {
                if size > 0 {
                    growth.add_die();
                }
                let pool = Pool::new([(die.clone(), size)]);
                let expected = pool.read_jointly(&of_size(&features, size), &budget).expect("no limit");
                prop_assert_eq!(growth.total(), expected.total());
                let outcomes = growth.outcomes();
                let mut places: BTreeMap<&[i64], Vec<usize>> = BTreeMap::new();
                for (place, outcome) in outcomes.iter().enumerate() {
                    places.entry(outcome).or_default().push(place);
                }
                for (outcome, places) in &places {
                    prop_assert_eq!(growth.weight(places), expected.weight(&outcome.to_vec()));
                }
                prop_assert!(expected.iter().all(|(outcome, _)| places.contains_key(outcome.as_slice())));
            }
        }

        #[test]
        fn merged_states_have_the_weights_of_their_kinds(
            die in dice(), features in prop::collection::vec(features(), 1..4), kinds in 1_i64..4,
        ) {
            let budget = Budget::unlimited();
            let growth = Growth::new(&die, &of_size(&features, u32::MAX), 6, &budget).expect("every face has a value");
            let Some(mut whole) = growth else { return Ok(()) };
            let kind = |outcome: &Vec<i64>| usize::try_from(outcome.iter().sum::<i64>().rem_euclid(kinds)).expect("small");
            let kinds_of = |growth: &Growth| growth.outcomes().iter().map(kind).collect::<Vec<usize>>();
            let mut merged = whole.clone();
            merged.merge(&kinds_of(&whole), &budget).expect("no limit");
            prop_assert!(merged.outcomes().len() <= whole.outcomes().len());
            for size in 0..=6 {
                for kind in 0..3 {
                    let weight = |growth: &Growth| {
                        let states = kinds_of(growth).into_iter().enumerate();
                        let own: Vec<usize> = states.filter(|(_, own)| *own == kind).map(|(state, _)| state).collect();
                        growth.weight(&own)
                    };
                    prop_assert_eq!(weight(&merged), weight(&whole));
                }
                if size < 6 {
                    whole.add_die();
                    merged.add_die();
                }
            }
        }
    }

    #[test]
    fn sums_without_end_have_too_many_states() {
        let (die, budget) = (Dist::die(6).expect("it has faces"), Budget::unlimited());
        let sum = Feature::sum(Kept::all(u32::MAX));
        let growth = Growth::new(&die, std::slice::from_ref(&sum), 9, &budget).expect("no limit");
        assert!(growth.is_none());
        let middle = Kept::all(u32::MAX).drop_highest(1).keep_highest(1);
        let growth = Growth::new(&die, &[Feature::sum(middle)], 9, &budget).expect("no limit");
        assert!(growth.is_none());
    }
}

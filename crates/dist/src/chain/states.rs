//! The states of a chain with their moves, and its ends.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{Budget, Error};

/// One way to leave a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The state that it leads to, which may be the same one.
    pub to: usize,
    /// How likely it is among the moves of its state; positive.
    pub weight: UBig,
    /// Gains: the numbers that the move adds to running sums; empty if there are none.
    pub gains: Box<[i64]>,
}

/// A finite Markov chain: states by number, and for each of them the moves among which one is
/// made, with the probability `weight / sum of the weights`. A state without moves is an end.
///
/// ```
/// // A coin is tossed until it shows heads twice in a row.
/// use oddsmith_dist::{Budget, Chain, Form, Move, RBig, UBig};
/// let go = |to| Move { to, weight: UBig::ONE, gains: Box::new([]) };
/// let chain = Chain::new(vec![vec![go(0), go(1)], vec![go(0), go(2)], vec![]]);
///
/// let start = [(0, UBig::ONE)];
/// let ends = chain.ends(&start, &Form::moves(), &Budget::unlimited())?;
/// assert_eq!(ends.never(), RBig::ZERO);
/// let end = &ends.ends[0];
/// assert_eq!((end.state, ends.probability(end)), (2, RBig::ONE));
/// assert_eq!(ends.first(end), RBig::from(6)); // tosses, on average
/// assert_eq!(ends.second(end), RBig::from(22 + 6 * 6)); // so a variance of 22
///
/// let lengths = chain.lengths(&start, 4, &Budget::unlimited())?;
/// assert_eq!(lengths.total, UBig::from(16_u8));
/// let weights = [0_u8, 0, 4, 2, 2]; // HH.., THH., and two with ..THH
/// assert_eq!(lengths.weights, weights.map(UBig::from));
/// assert_eq!(lengths.beyond, UBig::from(8_u8));
/// # Ok::<(), oddsmith_dist::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    pub(super) moves: Vec<Vec<Move>>,
}

/// A linear form that is added up on the way: `R = sum over the moves made of (per_move + sum of coefficients[i] *
/// gains[i])`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Form {
    /// The number that every move adds.
    pub per_move: i64,
    /// The factor of each gain of a move; gains beyond the coefficients count 0.
    pub coefficients: Vec<i64>,
}

/// One end, and what was added up by those who come to it, over the denominators of [`Ends`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The state, which has no moves.
    pub state: usize,
    /// `P(end)`, over the total; positive.
    pub weight: UBig,
    /// `E[R; end]`, the mean of `R` counted as 0 elsewhere, over the total and the unit.
    pub first: IBig,
    /// `E[R^2; end]`, over the total and the square of the unit.
    pub second: IBig,
}

/// The ends of a chain, in weights over one total, not in lowest terms. All weights and `never` sum to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ends {
    /// The ends that can be reached, ascending by state.
    pub ends: Vec<End>,
    /// The weight of coming where no end can be reached any more.
    pub never: UBig,
    /// Below all weights.
    pub total: UBig,
    /// Below the moments of what is added up, once for each power of it.
    pub unit: UBig,
}

impl Ends {
    /// `P(end)`.
    pub fn probability(&self, end: &End) -> RBig {
        RBig::from_parts(end.weight.clone().into(), self.total.clone())
    }

    /// `E[R; end]`; over `P(end)` it is the mean of those who end here.
    pub fn first(&self, end: &End) -> RBig {
        RBig::from_parts(end.first.clone(), &self.total * &self.unit)
    }

    /// `E[R^2; end]`.
    pub fn second(&self, end: &End) -> RBig {
        RBig::from_parts(end.second.clone(), &self.total * self.unit.sqr())
    }

    /// The probability to come where no end can be reached any more.
    pub fn never(&self) -> RBig {
        RBig::from_parts(self.never.clone().into(), self.total.clone())
    }
}

/// Which moments of what is added up are worked out at each end; the others are left 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moments {
    /// The first alone: for means.
    First,
    /// The first and the second: for variances, too.
    Second,
}

/// How long a chain runs, in weights over one total.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lengths {
    /// `P(moves = n) = weights[n] / total`, up to the horizon, or the longest way to an end if
    /// that is shorter.
    pub weights: Vec<UBig>,
    /// The weight of all that has not ended by then, or never does.
    pub beyond: UBig,
    /// The sum of `weights` and `beyond`.
    pub total: UBig,
}

impl Form {
    /// The form that adds nothing up: all moments are 0, and cost nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// The number of moves.
    pub fn moves() -> Self {
        Self {
            per_move: 1,
            coefficients: Vec::new(),
        }
    }

    pub(super) fn is_none(&self) -> bool {
        self.per_move == 0 && self.coefficients.iter().all(|factor| *factor == 0)
    }

    /// The number that one move adds to `R`.
    pub(super) fn of(&self, gains: &[i64]) -> IBig {
        let terms = self.coefficients.iter().zip(gains);
        let terms = terms.map(|(factor, gain)| i128::from(*factor) * i128::from(*gain));
        let sum = terms
            .clone()
            .try_fold(i128::from(self.per_move), i128::checked_add);
        match sum {
            Some(sum) => sum.into(),
            None => terms.fold(IBig::from(self.per_move), |sum, term| sum + term),
        }
    }
}

impl Chain {
    /// The chain in which state `i` has the moves `moves[i]`.
    ///
    /// # Panics
    /// If a move leads to a state that is not there, has no weight, or has another number of
    /// gains than the first one.
    pub fn new(moves: Vec<Vec<Move>>) -> Self {
        let all = moves.iter().flatten();
        let gains = all.clone().next().map_or(0, |first| first.gains.len());
        for step in all {
            assert!(step.to < moves.len(), "every move leads to a state");
            assert!(!step.weight.is_zero(), "every move has a positive weight");
            assert!(
                step.gains.len() == gains,
                "all moves have the same number of gains"
            );
        }
        Self { moves }
    }

    /// The number of moves of all states together.
    pub fn move_count(&self) -> usize {
        self.moves.iter().map(Vec::len).sum()
    }

    /// The same chain for whoever asks about some of its ends alone: it is there that it ends, at others it stands for ever. Gains
    /// are left out.
    ///
    /// ```
    /// // Of two who roll in turn, the first to show a six wins: how often does the second one, and with which roll?
    /// use oddsmith_dist::{Budget, Chain, Move, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let first = vec![roll(1, 5), roll(2, 1)];
    /// let second = vec![roll(0, 5), roll(3, 1)];
    /// let chain = Chain::new(vec![first, second, vec![], vec![]]);
    /// let wins = chain.ending_in(|end| end == 3);
    /// let lengths = wins.lengths(&[(0, UBig::ONE)], 2, &Budget::unlimited())?;
    /// assert_eq!(lengths.weights, [0_u8, 0, 5].map(UBig::from)); // of 36
    /// assert_eq!(lengths.beyond, UBig::from(31_u8));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    #[must_use]
    pub fn ending_in(&self, is_end: impl Fn(usize) -> bool) -> Self {
        let bare = |to: usize, weight: &UBig| Move {
            to,
            weight: weight.clone(),
            gains: Box::default(),
        };
        let of_state =
            |(state, moves): (usize, &Vec<Move>)| match moves.is_empty() && !is_end(state) {
                true => vec![bare(state, &UBig::ONE)],
                false => moves
                    .iter()
                    .map(|step| bare(step.to, &step.weight))
                    .collect(),
            };
        Self {
            moves: self.moves.iter().enumerate().map(of_state).collect(),
        }
    }

    /// Charges for finding what `start` reaches; the sum of its weights, which is positive.
    pub(super) fn begin(&self, start: &[(usize, UBig)], budget: &Budget) -> Result<UBig, Error> {
        let inside = |(state, _): &(usize, UBig)| *state < self.moves.len();
        assert!(start.iter().all(inside), "every start is a state");
        let moves = self.move_count() as u128;
        let states = self.moves.len() as u128;
        budget.charge(8 * (states + moves) + start.len() as u128)?;
        budget.charge_memory(48 * states)?;
        let total: UBig = start.iter().map(|(_, weight)| weight).sum();
        if total.is_zero() {
            return Err(Error::Empty);
        }
        Ok(total)
    }
}

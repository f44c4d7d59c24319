//! Finite chains of states that move at random until they end.

mod eliminate;
mod factors;
mod floats;
mod flow;
mod graph;
mod lengths;
mod limbs;
mod network;
mod rows;

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
    /// What it adds to each of some running sums; empty if there are none.
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
    moves: Vec<Vec<Move>>,
}

/// What is added up on the way: `R = sum over the moves made of
/// (per_move + sum of coefficients[i] * gains[i])`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Form {
    /// What every move adds.
    pub per_move: i64,
    /// What each gain of a move counts; gains beyond the coefficients count 0.
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

/// Where a chain ends, in weights over one total, not in lowest terms. All weights and `never` sum to it.
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
    /// Nothing is added up: all moments are 0, and cost nothing.
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

    fn is_none(&self) -> bool {
        self.per_move == 0 && self.coefficients.iter().all(|factor| *factor == 0)
    }

    /// What one move adds to `R`.
    fn of(&self, gains: &[i64]) -> IBig {
        let terms = self.coefficients.iter().zip(gains);
        let terms = terms.map(|(factor, gain)| i128::from(*factor) * i128::from(*gain));
        terms.fold(IBig::from(self.per_move), |sum, term| sum + term)
    }
}

impl Chain {
    /// The chain in which state `i` has the moves `moves[i]`.
    ///
    /// # Panics
    /// If a move leads to a state that is not there, has no weight, or has another number of
    /// gains than the first one.
    pub fn new(moves: Vec<Vec<Move>>) -> Self {
        let mut all = moves.iter().flatten();
        let gains = all.clone().next().map_or(0, |first| first.gains.len());
        assert!(
            all.clone().all(|step| step.to < moves.len()),
            "every move leads to a state"
        );
        assert!(
            all.clone().all(|step| !step.weight.is_zero()),
            "every move has a positive weight"
        );
        assert!(
            all.all(|step| step.gains.len() == gains),
            "all moves have the same number of gains"
        );
        Self { moves }
    }

    /// Where the chain ends if it begins in a state of `start`, with the probability `weight /
    /// sum of the weights`: for each end `P(end)` and the moments `E[R; end]`, `E[R^2; end]` of
    /// what `form` adds up on the way.
    ///
    /// The weights of a state may be listed in parts.
    ///
    /// ```
    /// // Craps with 4 as the point: 3 ways to roll it, 6 to roll a seven, 27 to roll on. What
    /// // is added up is the rolls that are lost in between.
    /// use oddsmith_dist::{Budget, Chain, Form, Move, RBig, UBig};
    /// let roll = |to, weight: u8, lost| Move { to, weight: weight.into(), gains: [lost].into() };
    /// let point = vec![roll(1, 3, 0), roll(2, 6, 0), roll(0, 27, 1)];
    /// let chain = Chain::new(vec![point, vec![], vec![]]);
    /// let lost = Form { per_move: 0, coefficients: vec![1] };
    /// let ends = chain.ends(&[(0, UBig::ONE)], &lost, &Budget::unlimited())?;
    /// let [won, seven_out] = &ends.ends[..] else { panic!() };
    /// assert_eq!(ends.probability(won), RBig::from_parts(1.into(), 3_u8.into()));
    /// assert_eq!(ends.probability(seven_out), RBig::from_parts(2.into(), 3_u8.into()));
    /// assert_eq!(ends.first(won), RBig::from(1)); // 3 rolls lost on average, whoever wins
    /// assert_eq!(ends.first(seven_out), RBig::from(2));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no start has a positive weight; [`Error::OverBudget`], at the latest
    /// before the step of an elimination that is too large.
    ///
    /// # Panics
    /// If a start is not a state, or `form` has more coefficients than a move has gains.
    ///
    /// # Cost
    /// Only what the start can reach counts. States that can be left for good are worked
    /// through in order, at one product per move (six with moments) of integers as long as the
    /// way there: on a way of `n` states about `n` times the bits of their weights. States that
    /// can return to one another are a system of linear equations, solved by eliminating one
    /// after the other; for `k` of them up to `k^3` products of numbers as long as their
    /// determinant, far fewer if each has few neighbours. A state that can return to itself
    /// only costs nothing more.
    pub fn ends(
        &self,
        start: &[(usize, UBig)],
        form: &Form,
        budget: &Budget,
    ) -> Result<Ends, Error> {
        self.moments_at_ends::<3>(start, form, budget)
    }

    /// [`Chain::ends`] without the second moments, which are left 0: about half of the work.
    ///
    /// ```
    /// // A die is rolled until it shows a six.
    /// use oddsmith_dist::{Budget, Chain, Form, Move, RBig, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let chain = Chain::new(vec![vec![roll(0, 5), roll(1, 1)], vec![]]);
    /// let ends = chain.ends_and_means(&[(0, UBig::ONE)], &Form::moves(), &Budget::unlimited())?;
    /// let [six] = &ends.ends[..] else { panic!() };
    /// assert_eq!((ends.first(six), ends.second(six)), (RBig::from(6), RBig::ZERO));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Chain::ends`].
    ///
    /// # Panics
    /// As [`Chain::ends`].
    pub fn ends_and_means(
        &self,
        start: &[(usize, UBig)],
        form: &Form,
        budget: &Budget,
    ) -> Result<Ends, Error> {
        self.moments_at_ends::<2>(start, form, budget)
    }

    /// The moments below `K` at each end; the zeroth alone where nothing is added up.
    fn moments_at_ends<const K: usize>(
        &self,
        start: &[(usize, UBig)],
        form: &Form,
        budget: &Budget,
    ) -> Result<Ends, Error> {
        if let Some(step) = self.moves.iter().flatten().next() {
            assert!(
                form.coefficients.len() <= step.gains.len(),
                "every coefficient belongs to a gain"
            );
        }
        let budget = &budget.part();
        if form.is_none() {
            flow::ends::<1>(self, start, form, budget)
        } else {
            flow::ends::<K>(self, start, form, budget)
        }
    }

    /// The probability to come where no end can be reached any more, which is [`Ends::never()`].
    ///
    /// # Errors
    /// As [`Chain::ends`].
    ///
    /// # Panics
    /// If a start is not a state.
    ///
    /// # Cost
    /// None but to look at every move once, if an end can be reached from everywhere.
    pub fn never(&self, start: &[(usize, UBig)], budget: &Budget) -> Result<RBig, Error> {
        let budget = &budget.part();
        self.begin(start, budget)?;
        if graph::loses(&self.moves, start) {
            self.ends(start, &Form::none(), budget)
                .map(|ends| ends.never())
        } else {
            Ok(RBig::ZERO)
        }
    }

    /// The number of moves until an end, for `0..=horizon` moves.
    ///
    /// With `T` the least common multiple of the totals of all states that matter (each with
    /// its weights in lowest terms), and `m` the horizon, or the longest way to an end if that
    /// is shorter, the total is `T^m` times the weight of the start.
    ///
    /// ```
    /// // A die is rolled until it shows a six.
    /// use oddsmith_dist::{Budget, Chain, Move, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let chain = Chain::new(vec![vec![roll(0, 5), roll(1, 1)], vec![]]);
    /// let lengths = chain.lengths(&[(0, UBig::ONE)], 3, &Budget::unlimited())?;
    /// assert_eq!(lengths.weights, [0_u8, 36, 30, 25].map(UBig::from)); // of 216
    /// assert_eq!(lengths.beyond, UBig::from(125_u8));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no start has a positive weight; [`Error::OverBudget`].
    ///
    /// # Panics
    /// If a start is not a state.
    ///
    /// # Cost
    /// `m` products per move, of integers of the bits of the total.
    pub fn lengths(
        &self,
        start: &[(usize, UBig)],
        horizon: usize,
        budget: &Budget,
    ) -> Result<Lengths, Error> {
        lengths::lengths(self, start, horizon, &budget.part())
    }

    /// An upper bound of the probability to make more than `moves` moves and to come to an end after them: the
    /// probability of standing, after `moves` moves, in a state from which an end can be reached.
    ///
    /// It is computed in floats, and made larger by as much as these may have been rounded, by 1e-250 at the least.
    ///
    /// ```
    /// // A die is rolled until it shows a six.
    /// use oddsmith_dist::{Budget, Chain, Move, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let chain = Chain::new(vec![vec![roll(0, 5), roll(1, 1)], vec![]]);
    /// let late = chain.late(&[(0, UBig::ONE)], 3, &Budget::unlimited())?;
    /// assert!(late >= 125.0 / 216.0 && late < 0.5788);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no start has a positive weight; [`Error::OverBudget`].
    ///
    /// # Panics
    /// If a start is not a state.
    ///
    /// # Cost
    /// One product of floats per move of the chain for each of the `moves`.
    pub fn late(
        &self,
        start: &[(usize, UBig)],
        moves: usize,
        budget: &Budget,
    ) -> Result<f64, Error> {
        floats::late(self, start, moves, &budget.part())
    }

    /// The least `n` with `P(moves <= n) >= percent / 100`; none if there is none, or if `P(moves <= n)` comes so near to
    /// that for some `n` that floats can't tell on which side of it it is.
    ///
    /// ```
    /// // A die is rolled until it shows a six: 1 - (5/6)^12 is 0.888, and 1 - (5/6)^13 is 0.907.
    /// use oddsmith_dist::{Budget, Chain, Move, UBig};
    /// let roll = |to, weight: u8| Move { to, weight: weight.into(), gains: [].into() };
    /// let chain = Chain::new(vec![vec![roll(0, 5), roll(1, 1)], vec![]]);
    /// let start = [(0, UBig::ONE)];
    /// assert_eq!(chain.quantile(&start, 90, &Budget::unlimited())?, Some(13));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no start has a positive weight; [`Error::OverBudget`].
    ///
    /// # Panics
    /// If a start is not a state.
    ///
    /// # Cost
    /// One product of floats per move of the chain for each of the `n` moves.
    pub fn quantile(
        &self,
        start: &[(usize, UBig)],
        percent: u32,
        budget: &Budget,
    ) -> Result<Option<usize>, Error> {
        floats::quantile(self, start, percent, &budget.part())
    }

    /// Charges for finding what `start` reaches; the sum of its weights, which is positive.
    fn begin(&self, start: &[(usize, UBig)], budget: &Budget) -> Result<UBig, Error> {
        let inside = |(state, _): &(usize, UBig)| *state < self.moves.len();
        assert!(start.iter().all(inside), "every start is a state");
        let moves: u128 = self.moves.iter().map(|moves| moves.len() as u128).sum();
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
